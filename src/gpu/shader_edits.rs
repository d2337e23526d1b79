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

/// A change of one place of a shader file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShaderEdit {
    /// File below `shaders`.
    pub file: &'static str,
    /// Text that is there once.
    pub from: &'static str,
    /// Its replacement.
    pub to: &'static str,
}

impl ShaderEdit {
    /// The file's text with the edit.
    fn applied(&self, text: &str) -> std::result::Result<String, String> {
        match text.matches(self.from).count() {
            1 => Ok(text.replace(self.from, self.to)),
            count => Err(format!("{} has {count} times, expected once: {}", self.file, self.from)),
        }
    }
}

/// Edits, and the shaders that they change.
pub(super) struct ShaderEdits {
    edits: &'static [ShaderEdit],
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Kept: the first one of a process takes 60 ms.
    compiler: Option<Compiler>,
    /// By name; `None` if the shader has no edited file.
    compiled: HashMap<String, Option<Vec<u32>>>,
}

impl ShaderEdits {
    pub fn new(edits: &'static [ShaderEdit]) -> Self {
        Self { edits, state: Mutex::default() }
    }

    /// SPIR-V of a shader that contains an edited file; `None` for all others.
    pub fn spirv(&self, name: &str) -> Result<Option<Vec<u32>>> {
        // Held during compilation: another thread that needs the same shader waits for it.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = state.compiled.get(name) {
            return Ok(known.clone());
        }
        let words = self.compile(&mut state.compiler, name).map_err(|problem| {
            let problem = format!("edited on purpose: {problem}");
            Error::Shader { name: name.into(), problem }
        })?;
        state.compiled.insert(name.into(), words.clone());
        Ok(words)
    }

    fn compile(&self, compiler: &mut Option<Compiler>, name: &str) -> std::result::Result<Option<Vec<u32>>, String> {
        let compiler = match compiler {
            Some(compiler) => compiler,
            None => compiler.insert(Compiler::new()?),
        };
        let parts = compiler.parts(&embedded_shaders::text, name)?;
        if !parts.iter().any(|(file, _)| self.edits.iter().any(|edit| edit.file == file)) {
            return Ok(None);
        }
        let read = |file: &str| {
            let of_file = self.edits.iter().filter(|edit| edit.file == file);
            of_file.fold(embedded_shaders::text(file), |text, edit| edit.applied(&text?))
        };
        compiler.compile(&read, name).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBTRACTS: &[ShaderEdit] = &[ShaderEdit { file: "gpu/add.comp", from: "+ push.amount", to: "- push.amount" }];

    #[test]
    fn only_shaders_with_an_edited_file_are_compiled() {
        let edits = ShaderEdits::new(SUBTRACTS);
        assert_eq!(edits.spirv("gpu/count.comp").unwrap(), None);
        let edited = edits.spirv("gpu/add.comp").unwrap().unwrap();
        assert_ne!(edited, embedded_shaders::spirv("gpu/add.comp").unwrap());
    }

    #[test]
    fn a_text_that_is_not_there_is_an_error() {
        let edits = ShaderEdits::new(&[ShaderEdit { file: "gpu/add.comp", from: "no such text", to: "" }]);
        let said = edits.spirv("gpu/add.comp").unwrap_err().to_string();
        assert!(said.contains("0 times") && said.contains("no such text"), "{said}");
    }
}
