//! Shaders of a folder, compiled at run time: `MENISCUS_SHADERS=DIR` names a copy of `shaders/`. Unchanged ones stay
//! embedded; one that does not compile or match the program's bindings is an error.
use super::{
    embedded_shaders,
    error::{Error, Result},
    shader_compiler,
    shader_edits::LateShaders,
};
use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

const VARIABLE: &str = "MENISCUS_SHADERS";

pub struct ShaderFolder {
    path: PathBuf,
    named_by: &'static str,
    compiled: LateShaders,
}

impl ShaderFolder {
    pub fn of_process() -> Option<&'static Self> {
        static FOLDER: OnceLock<Option<ShaderFolder>> = OnceLock::new();
        FOLDER.get_or_init(|| env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(Self::of_environment)).as_ref()
    }

    fn of_environment(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), named_by: " (MENISCUS_SHADERS)", compiled: LateShaders::default() }
    }

    pub fn new(path: &Path) -> Result<Self> {
        let file_of = |name: &'static str| name.split(':').next().unwrap_or(name);
        match embedded_shaders::names().map(file_of).find(|file| !path.join(file).is_file()) {
            None => Ok(Self { path: path.into(), named_by: "", compiled: LateShaders::default() }),
            Some(file) => {
                let problem = format!("{} does not have it; expected a copy of the folder shaders", path.display());
                Err(Error::Shader { name: file.into(), problem })
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn spirv(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let built = embedded_shaders::digest(name)?;
        self.compiled.get(
            name,
            || format!("from {}{}", self.path.display(), self.named_by),
            |compiler| {
                let read = shader_compiler::files(&self.path);
                if shader_compiler::digest(name, &compiler.parts(&read, name)?) == built {
                    return Ok(None);
                }
                compiler.compile(&read, name).map(Some)
            },
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use base::fixtures::Folder;
    use std::fs;

    const ADD: &str = "gpu/add.comp";

    fn root() -> PathBuf {
        Path::new(env!("MENISCUS_CHECKOUT")).join("shaders")
    }

    /// A copy of one shader and of what it includes.
    pub fn folder_of_add(name: &str) -> Folder {
        let folder = Folder::new(name);
        for below in ["gpu", "include"] {
            fs::create_dir_all(folder.0.join(below)).unwrap();
        }
        for file in [ADD, "include/prelude.glsl"] {
            fs::copy(root().join(file), folder.0.join(file)).unwrap();
        }
        folder
    }

    #[test]
    fn only_edited_shaders_are_compiled() {
        let (folder, root, name) = (folder_of_add("shader-folder"), root(), ADD);
        let spirv = || ShaderFolder::of_environment(&folder.0).spirv(name);
        assert_eq!(spirv().unwrap(), None, "the text is as built");
        let text = fs::read_to_string(root.join(name)).unwrap();
        assert!(text.contains("+ push.amount"));
        fs::write(folder.0.join(name), text.replace("+ push.amount", "- push.amount")).unwrap();
        let edited = spirv().unwrap().unwrap();
        assert_ne!(edited, embedded_shaders::spirv(name).unwrap());
        fs::write(folder.0.join("include/prelude.glsl"), "#error broken\n").unwrap();
        let said = spirv().unwrap_err().to_string();
        assert!(said.contains("broken") && said.contains(VARIABLE) && said.contains(name), "{said}");
        fs::remove_file(folder.0.join(name)).unwrap();
        let said = spirv().unwrap_err().to_string();
        assert!(said.contains("gpu/add.comp: No such file"), "{said}");
        let said = ShaderFolder::of_environment(&folder.0).spirv("gpu/missing.comp").unwrap_err().to_string();
        assert!(said.contains("no such shader"), "{said}");
        let said = ShaderFolder::new(&folder.0).err().unwrap().to_string();
        assert!(said.contains("expected a copy of the folder shaders"), "{said}");
        assert!(ShaderFolder::new(&root).is_ok());
    }
}
