//! Edits of embedded shaders, compiled at first use.

use super::{
    embedded_shaders,
    error::{Error, Result},
    shader_compiler::Compiler,
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShaderEdit {
    pub file: &'static str,
    pub from: &'static str,
    pub to: &'static str,
}

impl ShaderEdit {
    fn applied(&self, text: &str) -> std::result::Result<String, String> {
        match text.matches(self.from).count() {
            1 => Ok(text.replace(self.from, self.to)),
            count => Err(format!("{} has {count} times, expected once: {}", self.file, self.from)),
        }
    }
}

type Compiled = HashMap<String, Option<Vec<u32>>>;

#[derive(Default)]
pub(super) struct LateShaders(Mutex<(Option<Compiler>, Compiled)>);

impl LateShaders {
    pub fn get(
        &self,
        name: &str,
        source: impl FnOnce() -> String,
        compile: impl FnOnce(&Compiler) -> std::result::Result<Option<Vec<u32>>, String>,
    ) -> Result<Option<Vec<u32>>> {
        let (compiler, compiled) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled.get(name) {
            return Ok(known.clone());
        }
        let words = match compiler {
            Some(compiler) => compile(compiler),
            None => Compiler::new().and_then(|new| compile(compiler.insert(new))),
        };
        let refuse = |problem| Error::Shader { name: name.into(), problem: format!("{}: {problem}", source()) };
        let words = words.map_err(refuse)?;
        compiled.insert(name.into(), words.clone());
        Ok(words)
    }
}

pub(super) struct ShaderEdits {
    edits: &'static [ShaderEdit],
    compiled: LateShaders,
}

impl ShaderEdits {
    pub fn new(edits: &'static [ShaderEdit]) -> Self {
        Self { edits, compiled: LateShaders::default() }
    }

    pub fn spirv(&self, name: &str) -> Result<Option<Vec<u32>>> {
        self.compiled.get(
            name,
            || "edited on purpose".into(),
            |compiler| {
                let parts = compiler.parts(&embedded_shaders::text, name)?;
                if !parts.iter().any(|(file, _)| self.edits.iter().any(|edit| edit.file == file)) {
                    return Ok(None);
                }
                let read = |file: &str| {
                    let of_file = self.edits.iter().filter(|edit| edit.file == file);
                    of_file.fold(embedded_shaders::text(file), |text, edit| edit.applied(&text?))
                };
                compiler.compile(&read, name).map(Some)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_not_there_is_an_error() {
        let edits = ShaderEdits::new(&[ShaderEdit { file: "gpu/add.comp", from: "no such text", to: "" }]);
        let said = edits.spirv("gpu/add.comp").unwrap_err().to_string();
        assert!(said.contains("0 times") && said.contains("no such text"), "{said}");
    }
}
