//! All shaders of a device, and their edited versions.

use super::{
    embedded_shaders,
    error::Result,
    shader::{Interface, ShaderStage},
    shader_edits::{ShaderEdit, ShaderEdits},
    shader_folder::ShaderFolder,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// All shaders by name (`mip_chain/reduce.comp`), as built or as last recompiled.
#[derive(Default)]
pub struct Shaders {
    replaced: Mutex<HashMap<String, Vec<u32>>>,
    /// The generation that replaced each of them.
    changed: Mutex<HashMap<String, u64>>,
    reloads: Mutex<BTreeMap<String, ShaderReload>>,
    /// Shaders that do not compile.
    errors: Mutex<BTreeMap<String, String>>,
    /// Pipelines, by the names of their shaders, that cannot be created from shaders that do compile.
    misfits: Mutex<BTreeMap<String, String>>,
    generation: AtomicU64,
    news: AtomicU64,
    /// Where they are from, if not from where the process takes them; and whether one that cannot be used is an error.
    folder: Option<(ShaderFolder, bool)>,
    /// Edits on purpose, of the embedded ones.
    edits: Option<ShaderEdits>,
}

impl Shaders {
    /// With the shaders of a folder. If `is_strict`, one that cannot be used is an error of its pipeline; otherwise the embedded one is
    /// used, and [`errors`](Self::errors) reports it.
    pub(super) fn of_folder(folder: ShaderFolder, is_strict: bool) -> Self {
        Self { folder: Some((folder, is_strict)), ..Self::default() }
    }

    /// With edits of the embedded shaders.
    pub(super) fn of_edits(edits: &'static [ShaderEdit]) -> Self {
        Self { edits: Some(ShaderEdits::new(edits)), ..Self::default() }
    }

    fn folder(&self) -> Option<&ShaderFolder> {
        match &self.folder {
            Some((folder, _)) => Some(folder),
            None => ShaderFolder::of_process(),
        }
    }

    /// Whether a test of an edited shader must not pass by the embedded one.
    fn is_strict(&self) -> bool {
        let by_folder = self.folder.as_ref().map_or(ShaderFolder::of_process().is_some(), |(_, is_strict)| *is_strict);
        self.edits.is_some() || by_folder
    }

    /// Incremented whenever a shader was replaced; pipelines check it before use.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Incremented whenever [`errors`](Self::errors) may have changed.
    #[must_use]
    pub fn news(&self) -> u64 {
        self.news.load(Ordering::Relaxed)
    }

    /// Replaces the SPIR-V of `name`; pipelines pick it up at their next use.
    pub fn replace(&self, name: &str, words: Vec<u32>) {
        self.replace_edited(name, name.split(':').next().unwrap_or_default(), words);
    }

    /// The same after an edit of `file`, which the shader includes.
    pub(super) fn replace_edited(&self, name: &str, file: &str, words: Vec<u32>) {
        let before = locked(&self.replaced).get(name).cloned();
        let new = || ShaderReload { name: name.into(), file: file.into(), versions: [before, None] };
        locked(&self.reloads).entry(name.into()).or_insert_with(new).versions[1] = Some(words.clone());
        self.set(name, Some(words));
        locked(&self.errors).remove(name);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// `None`: as built.
    fn set(&self, name: &str, words: Option<Vec<u32>>) {
        let mut replaced = locked(&self.replaced);
        match words {
            Some(words) => drop(replaced.insert(name.into(), words)),
            None => drop(replaced.remove(name)),
        }
        drop(replaced);
        let mut changed = locked(&self.changed);
        changed.insert(name.into(), 1 + self.generation.load(Ordering::Relaxed));
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether one of these was replaced after `generation`.
    pub(super) fn is_changed(&self, names: &[String], generation: u64) -> bool {
        let changed = locked(&self.changed);
        names.iter().any(|name| changed.get(name).is_some_and(|at| *at > generation))
    }

    /// Shaders replaced since the last call.
    pub fn take_reloads(&self) -> Vec<ShaderReload> {
        std::mem::take(&mut *locked(&self.reloads)).into_values().collect()
    }

    /// Uses the version after the reload, or the one before it.
    pub fn use_version(&self, reload: &ShaderReload, is_after: bool) {
        self.set(&reload.name, reload.versions[usize::from(is_after)].clone());
    }

    /// Keeps the old shader and stores the error.
    pub fn refuse(&self, name: &str, problem: String) {
        log::warn!("shader {name} keeps its last good version: {problem}");
        locked(&self.errors).insert(name.into(), problem);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Removes errors of shaders that no longer exist, or are unedited again.
    pub fn forgive(&self, is_gone: impl Fn(&str) -> bool) {
        locked(&self.errors).retain(|name, _| !is_gone(name));
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Stores the result of recreating a pipeline from edited shaders: success, or the error.
    pub(super) fn refit(&self, pipeline: &str, problem: Option<String>) {
        let mut misfits = locked(&self.misfits);
        match problem {
            Some(problem) => {
                log::warn!("shader {pipeline} keeps its last good version: {problem}");
                misfits.insert(pipeline.into(), problem);
            }
            None if misfits.remove(pipeline).is_some() => {}
            None => return,
        }
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    /// Shaders with compile errors, with the compiler's text, and pipelines that cannot be created from edited ones.
    #[must_use]
    pub fn errors(&self) -> Vec<(String, String)> {
        let (errors, misfits) = (locked(&self.errors), locked(&self.misfits));
        errors.iter().chain(misfits.iter()).map(|(name, problem)| (name.clone(), problem.clone())).collect()
    }

    /// Whether it was edited since the program was built.
    pub(super) fn is_edited(&self, name: &str) -> bool {
        locked(&self.replaced).contains_key(name)
    }

    /// The latest edit of a shader: from the watcher, or from the folder named by the environment.
    fn edited(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let taken = locked(&self.replaced).get(name).cloned();
        if taken.is_some() {
            return Ok(taken);
        }
        if !self.is_strict() && locked(&self.errors).contains_key(name) {
            return Ok(None);
        }
        let read = || match &self.edits {
            Some(edits) => edits.spirv(name).map(Some),
            None => self.folder().map(|folder| folder.spirv(name)).transpose(),
        };
        let found = match read() {
            Err(why) if !self.is_strict() => {
                self.refuse(name, why.to_string());
                None
            }
            found => found?.flatten(),
        };
        if let Some(words) = &found {
            locked(&self.replaced).insert(name.into(), words.clone());
        }
        Ok(found)
    }

    /// Interface of stages that may have been edited: the embedded one stays valid. A declaration that an edit has left unused (the compiler
    /// removes it) is kept, so that the program may still bind it; additional declarations are rejected.
    pub(super) fn interface(&self, stages: &[ShaderStage]) -> Result<Interface> {
        let found = Interface::new(stages)?;
        if !stages.iter().any(|stage| self.is_edited(&stage.name)) {
            return Ok(found);
        }
        let built =
            stages.iter().map(|stage| self.stage(&stage.name, ShaderSource::Built)).collect::<Result<Vec<_>>>()?;
        found.within(Interface::new(&built)?)
    }

    /// Reflects one stage of a pipeline.
    pub(super) fn stage(&self, name: &str, source: ShaderSource) -> Result<ShaderStage> {
        let edited = if source == ShaderSource::Latest { self.edited(name)? } else { None };
        ShaderStage::new(name, edited.map_or_else(|| embedded_shaders::spirv(name), Ok)?)
    }
}

/// A replaced shader.
#[derive(Clone, Debug)]
pub struct ShaderReload {
    /// The shader with its variant.
    pub name: String,
    /// The edited file.
    pub file: String,
    /// Before and after; `None`: as built.
    versions: [Option<Vec<u32>>; 2],
}

/// Version of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShaderSource {
    /// As last edited.
    Latest,
    /// As the program was built.
    Built,
}

/// Creates a pipeline for the first time. If an edit of one of its shaders does not match, the embedded version is used, and
/// [`Shaders::errors`] reports why.
pub(super) fn first_made<T>(shaders: &Shaders, names: &[&str], make: impl Fn(ShaderSource) -> Result<T>) -> Result<T> {
    let made = make(ShaderSource::Latest);
    if shaders.is_strict() || !names.iter().any(|name| shaders.is_edited(name)) {
        return made;
    }
    let name = names.join(" + ");
    made.inspect(|_| shaders.refit(&name, None)).or_else(|problem| {
        let built = make(ShaderSource::Built)?;
        shaders.refit(&name, Some(problem.to_string()));
        Ok(built)
    })
}

/// A poisoned lock is still consistent: each of these is changed in one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
