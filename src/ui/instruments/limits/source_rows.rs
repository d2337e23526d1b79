//! Rows of a shader's source: constants and files, each foldable, and their search.

use instrument::{ConstantOrigin, ShaderConstant, ShaderText};
use std::collections::BTreeSet;

const CONSTANTS_MOST: usize = 12;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum SourceRow<'a> {
    /// Section 0: the constants.
    Head {
        section: usize,
        title: String,
        is_open: bool,
    },
    Constant(&'a ShaderConstant),
    /// `number` counts from 1.
    Line {
        number: usize,
        text: &'a str,
    },
}

/// Sections whose state differs from the initial one: constants, if there are few, and the shader's own file are unfolded.
#[derive(Clone, Debug, Default)]
pub(super) struct SourceFolds(BTreeSet<usize>);

impl SourceFolds {
    pub fn toggle(&mut self, section: usize) {
        if !self.0.remove(&section) {
            self.0.insert(section);
        }
    }

    pub fn is_open(&self, section: usize, text: &ShaderText) -> bool {
        let initial = match section {
            0 => text.constants.len() <= CONSTANTS_MOST,
            section => section == 1,
        };
        initial != self.0.contains(&section)
    }

    fn open(&mut self, section: usize, text: &ShaderText) {
        if !self.is_open(section, text) {
            self.toggle(section);
        }
    }
}

pub(super) fn rows<'a>(text: &'a ShaderText, folds: &SourceFolds) -> Vec<SourceRow<'a>> {
    let mut rows = Vec::new();
    let mut section = |section: usize, title: String, inside: &mut dyn Iterator<Item = SourceRow<'a>>| {
        let is_open = folds.is_open(section, text);
        rows.push(SourceRow::Head { section, title, is_open });
        if is_open {
            rows.extend(inside);
        }
    };
    if !text.constants.is_empty() {
        section(0, "Constants and their values".into(), &mut text.constants.iter().map(SourceRow::Constant));
    }
    for (number, (file, content)) in (1..).zip(&text.files) {
        let lines = (1..).zip(content.lines());
        let mut lines = lines.map(|(line, text)| SourceRow::Line { number: line, text });
        section(number, file.clone(), &mut lines);
    }
    rows
}

/// Row with the first of these lines that the text has, else with that of `main`; its file is unfolded.
pub(super) fn first_row(text: &ShaderText, lines: &[&str], folds: &mut SourceFolds) -> Option<usize> {
    let section = |line: &&&str| text.files.iter().position(|(_, content)| content.contains(**line));
    let wanted = lines.iter().find(|line| section(line).is_some()).unwrap_or(&"void main(");
    let section = 1 + section(&wanted)?;
    folds.open(section, text);
    rows(text, folds).iter().position(|row| matches!(row, SourceRow::Line { text, .. } if text.contains(wanted)))
}

pub(super) fn origin(constant: &ShaderConstant) -> &str {
    match &constant.origin {
        ConstantOrigin::Pipeline => "set by the pipeline",
        ConstantOrigin::Default => "specialization constant, default",
        ConstantOrigin::Variant => "variant",
        ConstantOrigin::File(file) => file,
    }
}

/// The text with each include in place once, below a line per constant that the text alone does not show.
pub(super) fn resolved(text: &ShaderText) -> String {
    let mut all = format!("// {}\n", text.name);
    for constant in text.constants.iter().filter(|constant| !matches!(constant.origin, ConstantOrigin::File(_))) {
        all += &format!("// {} = {} ({})\n", constant.name, constant.value, origin(constant));
    }
    if let Some((file, _)) = text.files.first() {
        insert(text, file, &mut BTreeSet::new(), &mut all);
    }
    all
}

fn insert<'a>(text: &'a ShaderText, file: &'a str, done: &mut BTreeSet<&'a str>, all: &mut String) {
    done.insert(file);
    let content = text.files.iter().find(|(name, _)| name == file).map_or("", |(_, content)| content);
    for line in content.lines() {
        let included = line.trim_start().strip_prefix("#include \"").and_then(|rest| rest.split('"').next());
        match included.and_then(|included| text.files.iter().find(|(name, _)| name == included)) {
            Some((name, _)) if !done.contains(name.as_str()) => {
                *all += &format!("// {name}\n");
                insert(text, name, done, all);
                *all += &format!("// back in {file}\n");
            }
            _ => {
                all.push_str(line);
                all.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> ShaderText {
        let constant = |name: &str, origin| ShaderConstant { name: name.into(), value: "4".into(), origin };
        ShaderText {
            name: "a/b.comp:wide".into(),
            files: vec![
                ("a/b.comp".into(), "#version 460\n#include \"c.glsl\"\n#include \"c.glsl\"\nvoid main() {}\n".into()),
                ("c.glsl".into(), "const uint C = 4;\nuint main_c;\n".into()),
            ],
            constants: vec![
                constant("SIDE", ConstantOrigin::Pipeline),
                constant("C", ConstantOrigin::File("c.glsl".into())),
            ],
        }
    }

    #[test]
    fn included_files_are_folded_and_lines_are_found() {
        let (mut text, mut folds) = (text(), SourceFolds::default());
        assert_eq!(rows(&text, &folds).len(), 1 + 2 + 1 + 4 + 1);
        assert_eq!(first_row(&text, &[], &mut folds), Some(1 + 2 + 1 + 3));
        assert_eq!(first_row(&text, &["nowhere", "uint main_c"], &mut folds), Some(1 + 2 + 1 + 4 + 1 + 1));
        assert!(folds.is_open(2, &text));
        text.files.swap(0, 1);
        folds = SourceFolds::default();
        assert_eq!(first_row(&text, &["nowhere"], &mut folds), Some(1 + 2 + 1 + 2 + 1 + 3));
        assert!(folds.is_open(2, &text));
    }

    #[test]
    fn a_copy_has_every_file_once() {
        let expected = "// a/b.comp:wide\n// SIDE = 4 (set by the pipeline)\n#version 460\n// c.glsl\nconst uint C = 4;\n\
                        uint main_c;\n// back in a/b.comp\n#include \"c.glsl\"\nvoid main() {}\n";
        assert_eq!(resolved(&text()), expected);
    }
}
