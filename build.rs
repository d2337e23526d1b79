//! Compiles every shader below `shaders/` and embeds the SPIR-V; a GLSL error is a cargo error. What has been compiled before from
//! the same text is not compiled again.

#[path = "src/gpu/compile.rs"]
mod compile;

use compile::Compiler;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{env, fs, thread};

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
    let (shaders, out) = (var("CARGO_MANIFEST_DIR")?.join("shaders"), var("OUT_DIR")?);
    println!("cargo:rerun-if-changed=shaders");
    println!("cargo:rerun-if-changed=src/gpu/compile.rs");
    println!("cargo:rerun-if-changed=build.rs");
    let (compiler, names) = (Compiler::new()?, compile::shaders(&shaders)?);
    let (mut table, mut kept, mut problems) = (String::from("&[\n"), HashSet::new(), Vec::new());
    for (name, made) in names.iter().zip(each(&names, |name| made(&compiler, &shaders, &out, name))) {
        match made {
            Ok(file) => {
                writeln!(table, "    ({name:?}, include_bytes!({:?})),", file.display().to_string())
                    .map_err(|e| e.to_string())?;
                kept.insert(file);
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let said = |e: std::io::Error| format!("{}: {e}", out.display());
    fs::write(out.join("shaders.rs"), table + "]\n").map_err(said)?;
    for entry in fs::read_dir(&out).map_err(said)? {
        let file = entry.map_err(said)?.path();
        if file.extension().is_some_and(|e| e == "spv") && !kept.contains(&file) {
            fs::remove_file(file).map_err(said)?;
        }
    }
    Ok(())
}

/// What `work` makes of each name, in their order, by as many threads as cargo has jobs.
fn each<T: Send>(names: &[String], work: impl Fn(&str) -> T + Sync) -> Vec<T> {
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
        // A panic has been printed, and the table would be too short: it goes on.
        let join =
            |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
        threads.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, made)| made).collect()
}

/// The file with the SPIR-V of a shader, named by all that it is made from.
fn made(compiler: &Compiler, shaders: &Path, out: &Path, name: &str) -> Result<PathBuf, String> {
    let mut hash = DefaultHasher::new();
    // Comments too: the debug information holds the text as it is.
    (name, compiler.parts(shaders, name)?, include_str!("src/gpu/compile.rs")).hash(&mut hash);
    let file = out.join(format!("{:016x}.spv", hash.finish()));
    if !file.exists() {
        let bytes: Vec<u8> = compiler.compile(shaders, name)?.iter().flat_map(|word| word.to_le_bytes()).collect();
        // A build that is stopped leaves no half a file under that name.
        let part = file.with_extension("part");
        fs::write(&part, bytes)
            .and_then(|()| fs::rename(&part, &file))
            .map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(file)
}
