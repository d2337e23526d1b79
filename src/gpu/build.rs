//! Build of the embedded shaders: compiles everything below `shaders/` and embeds the deflated SPIR-V; a GLSL error is a cargo error.
//! Unchanged shaders are not compiled again, in any profile. All are embedded as text, too; rare ones as text alone in a release build and in
//! one of the profile `quick`, which inherits from it.

#[path = "shader_compiler.rs"]
mod compile;

use compile::{Compiler, Part, Read, Shader};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{env, fs, thread};

// Without this file the compiler stops here and shows the line.
#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
const LIBRARY: &str = include_str!("../../.deps/shaderc/made-from"); // Run `scripts/setup` first: it provides the shaderc library.
#[cfg(not(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64"))))]
const LIBRARY: &str = "";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let var = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(format!("cargo did not set {name}"));
    let (root, out) = (var("CARGO_MANIFEST_DIR")?, var("OUT_DIR")?);
    let shaders = root.join("../../shaders");
    println!("cargo:rerun-if-changed=../../shaders");
    println!("cargo:rerun-if-changed=shader_compiler.rs");
    println!("cargo:rerun-if-changed=build.rs");
    // Tests need every shader, and an error in a rare one is reported by cargo there.
    let late = |shader: &Shader| shader.rare && env::var_os("PROFILE").is_some_and(|profile| profile == "release");
    let (compiler, read, names) = (Compiler::new()?, compile::files(&shaders), compile::shaders(&shaders)?);
    let kept_in = spirv_folder(&out)?;
    let (mut spirv, mut texts, mut kept, mut problems) = (String::new(), BTreeMap::new(), HashSet::new(), Vec::new());
    let made = each(&names, |shader| {
        let parts = compiler.parts(&read, &shader.name)?;
        let file = spirv_file(&kept_in, &shader.name, &parts);
        if !late(shader) {
            make(&compiler, &read, &file, &shader.name)?;
        }
        Ok::<_, String>((file, parts))
    });
    for (shader, made) in names.iter().zip(made) {
        match made {
            Ok((file, parts)) => {
                let bytes = if late(shader) { "&[]".into() } else { format!("include_bytes!({file:?})") };
                let digest = compile::digest(&shader.name, &parts);
                spirv += &format!("    ({:?}, {digest:#x}, {bytes}),\n", shader.name);
                kept.insert(file);
                texts.extend(parts);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let texts: String = texts.iter().map(|(file, text)| format!("    ({file:?}, {text:?}),\n")).collect();
    let table = format!(
        "pub static SPIRV: &[(&str, u64, &[u8])] = &[\n{spirv}];\npub static TEXTS: &[(&str, &str)] = &[\n{texts}];\n"
    );
    let said = |e: std::io::Error| format!("{}: {e}", out.display());
    fs::write(out.join("shaders.rs"), table).map_err(said)?;
    // Those of all profiles are kept: what is left are shaders of another state of the sources.
    let is_old = |file: &PathBuf| file.extension().is_some_and(|e| e == "z") && !kept.contains(file);
    for file in entries(&kept_in)?.into_iter().filter(is_old) {
        fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// Below cargo's folder of what is built, next to those of the profiles: `out` is PROFILE/build/gpu-HASH/out there.
fn spirv_folder(out: &Path) -> Result<PathBuf, String> {
    let folder = out.ancestors().nth(4).unwrap_or(out).join("spirv");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let said = |e: std::io::Error| format!("{}: {e}", folder.display());
    let all = fs::read_dir(folder).map_err(said)?.map(|entry| entry.map(|entry| entry.path()));
    all.collect::<Result<_, _>>().map_err(said)
}

/// Results of `work` for all shaders, in order, on as many threads as cargo has jobs.
fn each<T: Send>(names: &[Shader], work: impl Fn(&Shader) -> T + Sync) -> Vec<T> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1_usize);
    let next = AtomicUsize::new(0);
    let some = || {
        let mut made = Vec::new();
        loop {
            let index = next.fetch_add(1, Relaxed);
            let Some(name) = names.get(index) else { return made };
            made.push((index, work(name)));
        }
    };
    let mut all = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.clamp(1, names.len().max(1))).map(|_| scope.spawn(some)).collect();
        // A panic has been printed, and the table would be incomplete: propagate it.
        let join =
            |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
        threads.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, made)| made).collect()
}

/// The file with the SPIR-V of a shader, named by the digests of its sources and of the compiler's library.
fn spirv_file(folder: &Path, name: &str, parts: &[Part]) -> PathBuf {
    let mut library = DefaultHasher::new();
    LIBRARY.hash(&mut library);
    folder.join(format!("{:016x}-{:016x}.z", compile::digest(name, parts), library.finish()))
}

fn make(compiler: &Compiler, read: &Read<'_>, file: &Path, name: &str) -> Result<(), String> {
    if file.exists() {
        return Ok(());
    }
    let words = compiler.compile(read, name)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let bytes = miniz_oxide::deflate::compress_to_vec(&bytes, 6);
    // An interrupted build, or another one at the same time, leaves no incomplete file under that name.
    let part = file.with_extension(std::process::id().to_string());
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, file));
    written.map_err(|e| format!("{}: {e}", file.display()))
}
