//! One GLSL text of a shader and everything that it includes.

use std::collections::HashSet;

const EXPECTED: &str = "expected #include, #ifdef, #ifndef, #else, #endif or #define NAME";
/// Replaced by their first argument.
const LEFT_OUT: [&str; 2] = ["glowing", "legible"];

/// No directive is left.
pub(super) fn assemble(
    read: &dyn Fn(&str) -> Result<String, String>,
    file: &str,
    defined: &[&str],
) -> Result<String, String> {
    let defined = defined.iter().map(|name| (*name).to_owned()).collect();
    let mut text = Expansion { read, defined, out: String::new() };
    text.include(file)?;
    Ok(without_gaps(&without_calls(&text.out)?))
}

struct Expansion<'a> {
    read: &'a dyn Fn(&str) -> Result<String, String>,
    defined: HashSet<String>,
    out: String,
}

impl Expansion<'_> {
    fn include(&mut self, file: &str) -> Result<(), String> {
        let text = (self.read)(file)?;
        let mut conditions: Vec<bool> = Vec::new();
        for line in text.lines() {
            let holds = conditions.iter().all(|holds| *holds);
            let Some(directive) = line.strip_prefix('#') else {
                if holds && !line.starts_with("//!") && !is_path(line) {
                    self.out += line;
                    self.out.push('\n');
                }
                continue;
            };
            let mut words = directive.split_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some("ifdef"), Some(name), None) => conditions.push(self.defined.contains(name)),
                (Some("ifndef"), Some(name), None) => conditions.push(!self.defined.contains(name)),
                (Some("else"), None, None) => {
                    let last = conditions.last_mut().ok_or_else(|| format!("{file}: #else without a condition"))?;
                    *last = !*last;
                }
                (Some("endif"), None, None) => {
                    conditions.pop().ok_or_else(|| format!("{file}: #endif without a condition"))?;
                }
                _ if !holds => {}
                (Some("define"), Some(name), None) => drop(self.defined.insert(name.to_owned())),
                (Some("include"), Some(name), None) => self.include(name.trim_matches('"'))?,
                _ => return Err(format!("{file}: {line}; {EXPECTED}")),
            }
        }
        if conditions.is_empty() { Ok(()) } else { Err(format!("{file}: a condition has no #endif")) }
    }
}

fn is_path(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.contains("src/techniques")
}

fn without_calls(text: &str) -> Result<String, String> {
    let mut text = text.to_owned();
    for name in LEFT_OUT {
        let call = format!("{name}(");
        while let Some(at) = text.find(&call) {
            let (mut depth, mut first, mut end) = (0, None, None);
            for (index, letter) in text[at + call.len()..].char_indices() {
                match letter {
                    '(' => depth += 1,
                    ')' if depth == 0 => {
                        end = Some(index);
                        break;
                    }
                    ')' => depth -= 1,
                    ',' if depth == 0 => first = first.or(Some(index)),
                    _ => {}
                }
            }
            let begin = at + call.len();
            let end = end.ok_or_else(|| format!("{name}: a bracket is not closed"))?;
            let argument = text[begin..begin + first.unwrap_or(end)].to_owned();
            text.replace_range(at..=begin + end, &argument);
        }
    }
    Ok(text)
}

fn without_gaps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || !(out.is_empty() || out.ends_with("\n\n")) {
            out += line;
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(files: &[(&str, &str)]) -> Result<String, String> {
        let read = |file: &str| {
            let found = files.iter().find(|(name, _)| *name == file);
            found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("{file} is missing"))
        };
        assemble(&read, files[0].0, &["STANDALONE"])
    }

    #[test]
    fn includes_are_expanded_once_and_conditions_chosen() {
        let a = "//! Header.\n#ifndef A\n#define A\n#include \"b\"\n#include \"b\"\n#ifdef STANDALONE\nfloat x;\n#else\nfloat y;\n#endif\n\n\n\n#endif\n";
        let b = "#ifndef B\n#define B\n// Why.\nfloat b;\n#endif\n";
        assert_eq!(assembled(&[("a", a), ("b", b)]).unwrap(), "// Why.\nfloat b;\nfloat x;\n");
        for (text, said) in [
            ("#include \"c\"\n", "c is missing"),
            ("#if 1\n#endif\n", "expected #include"),
            ("#ifdef A\n", "no #endif"),
            ("#endif\n", "without a condition"),
        ] {
            assert!(assembled(&[("a", text)]).unwrap_err().contains(said), "{text}");
        }
    }

    #[test]
    fn what_is_left_out_leaves_its_argument() {
        let text = "vec3 a = glowing(legible(tone(b, c) * d, e), f);\n";
        assert_eq!(assembled(&[("a", text)]).unwrap(), "vec3 a = tone(b, c) * d;\n");
    }
}
