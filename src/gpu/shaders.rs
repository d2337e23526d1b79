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

#[derive(Default)]
pub struct Shaders {
    replaced: Mutex<HashMap<String, Vec<u32>>>,
    changed: Mutex<HashMap<String, u64>>,
    errors: Mutex<BTreeMap<String, String>>,
    misfits: Mutex<BTreeMap<String, String>>,
    generation: AtomicU64,
    news: AtomicU64,
    /// The folder, and whether a shader that cannot be used is an error.
    folder: Option<(ShaderFolder, bool)>,
    edits: Option<ShaderEdits>,
}

impl Shaders {
    pub(super) fn of_folder(folder: ShaderFolder, is_strict: bool) -> Self {
        Self { folder: Some((folder, is_strict)), ..Self::default() }
    }

    pub(super) fn of_edits(edits: &'static [ShaderEdit]) -> Self {
        Self { edits: Some(ShaderEdits::new(edits)), ..Self::default() }
    }

    fn folder(&self) -> Option<&ShaderFolder> {
        match &self.folder {
            Some((folder, _)) => Some(folder),
            None => ShaderFolder::of_process(),
        }
    }

    fn is_strict(&self) -> bool {
        let by_folder = self.folder.as_ref().map_or(ShaderFolder::of_process().is_some(), |(_, is_strict)| *is_strict);
        self.edits.is_some() || by_folder
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Incremented whenever [`errors`](Self::errors) may have changed.
    pub fn news(&self) -> u64 {
        self.news.load(Ordering::Relaxed)
    }

    pub fn replace(&self, name: &str, words: Vec<u32>) {
        locked(&self.replaced).insert(name.into(), words);
        let mut changed = locked(&self.changed);
        changed.insert(name.into(), 1 + self.generation.load(Ordering::Relaxed));
        self.generation.fetch_add(1, Ordering::Relaxed);
        drop(changed);
        locked(&self.errors).remove(name);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn is_changed(&self, names: &[String], generation: u64) -> bool {
        let changed = locked(&self.changed);
        names.iter().any(|name| changed.get(name).is_some_and(|at| *at > generation))
    }

    pub fn refuse(&self, name: &str, problem: String) {
        log::warn!("shader {name} keeps its last good version: {problem}");
        locked(&self.errors).insert(name.into(), problem);
        self.news.fetch_add(1, Ordering::Relaxed);
    }

    pub fn forgive(&self, is_gone: impl Fn(&str) -> bool) {
        locked(&self.errors).retain(|name, _| !is_gone(name));
        self.news.fetch_add(1, Ordering::Relaxed);
    }

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

    pub fn errors(&self) -> Vec<(String, String)> {
        let (errors, misfits) = (locked(&self.errors), locked(&self.misfits));
        errors.iter().chain(misfits.iter()).map(|(name, problem)| (name.clone(), problem.clone())).collect()
    }

    pub(super) fn is_edited(&self, name: &str) -> bool {
        locked(&self.replaced).contains_key(name)
    }

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

    /// The embedded interface stays valid: a declaration that an edit has left unused is kept, additional ones are
    /// rejected.
    pub(super) fn interface(&self, stages: &[ShaderStage]) -> Result<Interface> {
        let found = Interface::new(stages)?;
        if !stages.iter().any(|stage| self.is_edited(&stage.name)) {
            return Ok(found);
        }
        let built =
            stages.iter().map(|stage| self.stage(&stage.name, ShaderSource::Built)).collect::<Result<Vec<_>>>()?;
        found.within(Interface::new(&built)?)
    }

    pub(super) fn stage(&self, name: &str, source: ShaderSource) -> Result<ShaderStage> {
        let edited = if source == ShaderSource::Latest { self.edited(name)? } else { None };
        ShaderStage::new(name, edited.map_or_else(|| embedded_shaders::spirv(name), Ok)?)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShaderSource {
    Latest,
    Built,
}

/// If an edit does not match, the embedded version is used, and [`Shaders::errors`] reports why.
pub(super) fn first_made<T>(
    shaders: &Shaders,
    names: &[String],
    make: impl Fn(ShaderSource) -> Result<T>,
) -> Result<T> {
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

/// A poisoned lock is consistent: each of these is changed in one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
