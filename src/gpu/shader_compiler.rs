//! GLSL compiler for build.rs too: std and shaderc only.
//!
//! A line `// variant: NAME DEFINE=VALUE ..` in a shader file adds a compilation with these defines, named `folder/file.comp:NAME`. `//
//! rare variant: ..` is for variants that few devices or settings need: a release build skips it, and the program compiles it on first use.
//! Include paths are relative to the `shaders` folder.

use shaderc::{CompileOptions, EnvVersion, OptimizationLevel, ResolvedInclude, ShaderKind, SpirvVersion, TargetEnv};
use std::{
    cell::RefCell,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::Path,
    rc::Rc,
};

const MARK: &str = "// variant: ";
const RARE: &str = "// rare variant: ";

pub struct Compiler(shaderc::Compiler);

pub struct Shader {
    pub name: String,
    pub rare: bool,
}

fn kind(name: &str) -> Option<ShaderKind> {
    let file = name.split(':').next()?;
    Some(match file.rsplit_once('.')?.1 {
        "comp" => ShaderKind::Compute,
        "vert" => ShaderKind::Vertex,
        "frag" => ShaderKind::Fragment,
        "task" => ShaderKind::Task,
        "mesh" => ShaderKind::Mesh,
        _ => return None,
    })
}

fn variant(line: &str) -> Option<(impl Iterator<Item = &str>, bool)> {
    let rare = line.strip_prefix(RARE);
    Some((rare.or_else(|| line.strip_prefix(MARK))?.split_whitespace(), rare.is_some()))
}

pub fn shaders(folder: &Path) -> Result<Vec<Shader>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let entries = fs::read_dir(&at).map_err(|e| format!("{}: {e}", at.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", at.display()))?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if kind(&file).is_none() {
                continue;
            }
            let source = fs::read_to_string(&path).map_err(|e| format!("{file}: {e}"))?;
            let variants =
                source.lines().filter_map(variant).filter_map(|(mut words, rare)| Some((words.next()?, rare)));
            let mut names: Vec<_> =
                variants.map(|(variant, rare)| Shader { name: format!("{file}:{variant}"), rare }).collect();
            if names.is_empty() {
                names.push(Shader { name: file, rare: false });
            }
            found.append(&mut names);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

pub fn files(folder: &Path) -> impl Fn(&str) -> Result<String, String> {
    move |file| fs::read_to_string(folder.join(file)).map_err(|e| format!("{file}: {e}"))
}

/// Covers the text with includes, the name and this file. Comments count: the debug information contains them.
pub fn digest(name: &str, parts: &[Part]) -> u64 {
    let mut hash = DefaultHasher::new();
    (name, parts, include_str!("shader_compiler.rs")).hash(&mut hash);
    hash.finish()
}

impl Compiler {
    pub fn new() -> Result<Self, String> {
        shaderc::Compiler::new().map(Self).map_err(|e| format!("shaderc: {e}"))
    }

    pub fn compile(&self, read: &Read<'_>, name: &str) -> Result<Vec<u32>, String> {
        let source = Source::new(read, name)?;
        let made = self.0.compile_into_spirv(&source.text, source.kind, source.file, "main", Some(&source.options));
        Ok(made.map_err(|e| e.to_string())?.as_binary().to_vec())
    }

    pub fn parts(&self, read: &Read<'_>, name: &str) -> Result<Vec<Part>, String> {
        let Source { file, text, kind: _, options, included } = Source::new(read, name)?;
        self.0.preprocess(&text, file, "main", Some(&options)).map_err(|e| e.to_string())?;
        let mut parts = vec![(file.to_owned(), text)];
        parts.append(&mut included.borrow_mut());
        Ok(parts)
    }
}

pub type Read<'a> = dyn Fn(&str) -> Result<String, String> + 'a;
pub type Part = (String, String);

struct Source<'a> {
    file: &'a str,
    text: String,
    kind: ShaderKind,
    options: CompileOptions<'a>,
    included: Rc<RefCell<Vec<Part>>>,
}

impl<'a> Source<'a> {
    fn new(read: &'a Read<'a>, name: &'a str) -> Result<Self, String> {
        let (file, wanted) = name.split_once(':').unwrap_or((name, ""));
        let kind = kind(name).ok_or_else(|| format!("{name}: expected .comp, .vert, .frag, .task or .mesh"))?;
        let text = read(file)?;
        let mut options = CompileOptions::new().map_err(|e| format!("shaderc: {e}"))?;
        // 1.2 and SPIR-V 1.5: the version that RenderDoc reports for some 1.3 drivers (docs/profiling.md).
        options.set_target_env(TargetEnv::Vulkan, EnvVersion::Vulkan1_2 as u32);
        options.set_target_spirv(SpirvVersion::V1_5);
        options.set_optimization_level(OptimizationLevel::Performance);
        options.set_generate_debug_info(); // names for reflection, source and lines for RenderDoc
        for (mut words, _) in text.lines().filter_map(variant) {
            if words.next() == Some(wanted) {
                for define in words {
                    let (define, value) = define.split_once('=').unwrap_or((define, "1"));
                    options.add_macro_definition(define, Some(value));
                }
            }
        }
        let included = Rc::new(RefCell::new(Vec::new()));
        let seen = included.clone();
        options.set_include_callback(move |wanted, _, from, _| {
            let content = read(wanted).map_err(|e| format!("{from}: {e}"))?;
            seen.borrow_mut().push((wanted.to_owned(), content.clone()));
            Ok(ResolvedInclude { resolved_name: wanted.into(), content })
        });
        Ok(Self { file, text, kind, options, included })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shader_is_made_from_what_it_includes() {
        let folder = Path::new(env!("MENISCUS_CHECKOUT")).join("shaders");
        let compiler = Compiler::new().unwrap();
        let read = files(&folder);
        let reads = |name, wanted| compiler.parts(&read, name).unwrap().iter().any(|(file, _)| file == wanted);
        assert!(reads("meshlets/cull.comp", "meshlets/cull.comp"));
        assert!(reads("meshlets/cull.comp", "meshlets/cull.glsl"));
        assert!(reads("meshlets/cull.comp", "meshlets/cull_result.glsl"), "by way of cull.glsl");
        assert!(!reads("meshlets/cull.comp", "meshlets/pyramid.comp"));
        assert!(!reads("meshlets/cull.comp", "cull.glsl"));
        assert!(compiler.parts(&read, "meshlets/missing.comp").is_err());
    }
}
