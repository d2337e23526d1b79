//! Source and constants of a shader, from its SPIR-V's debug information: the version in force.
use super::shader::instructions;
use spirq::spirv::Op;
use std::collections::HashMap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaderText {
    pub name: String,
    pub files: Vec<(String, String)>,
    pub constants: Vec<ShaderConstant>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShaderConstant {
    pub name: String,
    pub value: String,
    pub origin: ConstantOrigin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantOrigin {
    Pipeline,
    Default,
    Variant,
    File(String),
}

#[derive(Clone, Copy)]
enum Type {
    Bool,
    Signed,
    Unsigned,
    Float,
}

impl Type {
    fn text(self, bits: u32) -> String {
        match self {
            Self::Bool => (bits != 0).to_string(),
            Self::Signed => (bits as i32).to_string(),
            Self::Unsigned => bits.to_string(),
            Self::Float => f32::from_bits(bits).to_string(),
        }
    }
}

fn text_of(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl ShaderText {
    pub(super) fn of(name: &str, words: &[u32], set: &[(String, u32)]) -> Self {
        let (mut strings, mut names, mut types) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (mut files, mut constants) = (Vec::<(String, String)>::new(), Vec::new());
        for instruction in instructions(words).take_while(|(op, _)| *op != Op::Function) {
            match instruction {
                (Op::String, [id, text @ ..]) => drop(strings.insert(*id, text_of(text))),
                (Op::Name, [id, text @ ..]) => drop(names.insert(*id, text_of(text))),
                (Op::Source, [_, _, file, text @ ..]) => {
                    files.push((strings.get(file).cloned().unwrap_or_default(), text_of(text)));
                }
                (Op::SourceContinued, text) => {
                    if let Some((_, before)) = files.last_mut() {
                        *before += &text_of(text);
                    }
                }
                (Op::TypeBool, [id]) => drop(types.insert(*id, Type::Bool)),
                (Op::TypeInt, [id, _, 0]) => drop(types.insert(*id, Type::Unsigned)),
                (Op::TypeInt, [id, ..]) => drop(types.insert(*id, Type::Signed)),
                (Op::TypeFloat, [id, ..]) => drop(types.insert(*id, Type::Float)),
                (Op::SpecConstant, [ty, id, bits, ..]) => constants.push((*ty, *id, *bits)),
                (Op::SpecConstantTrue, [ty, id]) => constants.push((*ty, *id, 1)),
                (Op::SpecConstantFalse, [ty, id]) => constants.push((*ty, *id, 0)),
                _ => {}
            }
        }
        let known = constants.into_iter().filter_map(|(ty, id, bits)| {
            let (name, ty) = (names.get(&id).filter(|name| !name.is_empty())?.clone(), *types.get(&ty)?);
            let given = set.iter().find(|(given, _)| *given == name);
            let origin = if given.is_some() { ConstantOrigin::Pipeline } else { ConstantOrigin::Default };
            Some(ShaderConstant { value: ty.text(given.map_or(bits, |(_, bits)| *bits)), name, origin })
        });
        let mut constants: Vec<ShaderConstant> = known.collect();
        constants.extend(variant_defines(name, files.first().map_or("", |(_, text)| text)));
        for (file, text) in &files {
            constants.extend(written_constants(file, text));
        }
        Self { name: name.to_owned(), files, constants }
    }
}

fn variant_defines(name: &str, text: &str) -> Vec<ShaderConstant> {
    let Some((_, variant)) = name.split_once(':') else { return Vec::new() };
    let lines =
        text.lines().filter_map(|line| line.strip_prefix("// ")?.trim_start_matches("rare ").strip_prefix("variant: "));
    let mut found =
        lines.map(str::split_whitespace).filter_map(|mut words| (words.next() == Some(variant)).then_some(words));
    let define = |define: &str| {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        ShaderConstant { name: name.into(), value: value.into(), origin: ConstantOrigin::Variant }
    };
    found.next().into_iter().flatten().map(define).collect()
}

/// Only at the outermost level; both branches of an `#if` are listed.
fn written_constants(file: &str, text: &str) -> Vec<ShaderConstant> {
    let (mut all, mut depth) = (Vec::new(), 0_i32);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let mut declared = |name: &str, value: &str| {
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_name && !value.is_empty() {
                let origin = ConstantOrigin::File(file.to_owned());
                all.push(ShaderConstant { name: name.into(), value: value.into(), origin });
            }
        };
        if let Some(define) = code.strip_prefix("#define ") {
            let (name, value) = define.trim().split_once(' ').unwrap_or((define.trim(), ""));
            declared(name, value.trim());
        } else if depth == 0
            && let Some(list) = code.trim_start().strip_prefix("const ")
        {
            let after_type = list.trim_start().split_once(' ').map_or("", |(_, rest)| rest);
            for one in top_commas(after_type.trim_end().trim_end_matches(';')) {
                if let Some((name, value)) = one.split_once('=') {
                    declared(name.trim(), value.trim());
                }
            }
        }
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
    }
    all
}

fn top_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::super::embedded_shaders;
    use super::*;

    fn text(name: &str, set: &[(String, u32)]) -> ShaderText {
        ShaderText::of(name, &embedded_shaders::spirv(name).unwrap(), set)
    }

    fn value<'a>(text: &'a ShaderText, name: &str) -> Vec<(&'a str, &'a ConstantOrigin)> {
        let same = text.constants.iter().filter(|constant| constant.name == name);
        same.map(|constant| (constant.value.as_str(), &constant.origin)).collect()
    }

    #[test]
    fn texts_are_those_of_the_files() {
        let folder = std::path::Path::new(env!("MENISCUS_CHECKOUT")).join("shaders");
        for name in ["gpu/add.comp", "mip_chain/single_pass.comp:bytes", "meshlets/cull.comp", "glass/lens.frag"] {
            let Ok(words) = embedded_shaders::spirv(name) else { continue };
            let text = ShaderText::of(name, &words, &[]);
            assert_eq!(text.files[0].0, name.split(':').next().unwrap());
            assert!(text.files.len() > 1, "{name}");
            for (file, text) in &text.files {
                assert_eq!(*text, std::fs::read_to_string(folder.join(file)).unwrap(), "{file} of {name}");
            }
        }
    }

    #[test]
    fn constants_say_where_they_are_from() {
        let add = text("gpu/add.comp", &[("TIMES".into(), 7)]);
        assert_eq!(value(&add, "TIMES"), [("7", &ConstantOrigin::Pipeline)]);
        let default = text("gpu/add.comp", &[]);
        assert!(matches!(value(&default, "TIMES")[..], [(_, ConstantOrigin::Default)]), "{default:?}");
        let glsl = "// variant: wide SIDE=4 HALF\n// variant: narrow SIDE=2\n#define A 3 // a\nconst uint B = 1u << 4, C = 5;\n\
                    const vec2 D = vec2(1.0, 2.0);\nvoid main() {\n    const uint E = 1;\n}\n";
        let defines = variant_defines("a.comp:wide", glsl);
        let all: Vec<_> = defines.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
        assert_eq!(all, [("SIDE", "4"), ("HALF", "1")]);
        let written = written_constants("a.comp", glsl);
        let all: Vec<_> = written.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
        assert_eq!(all, [("A", "3"), ("B", "1u << 4"), ("C", "5"), ("D", "vec2(1.0, 2.0)")]);
    }
}
