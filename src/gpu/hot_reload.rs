//! Hot reload of edited shaders.
use super::{
    Gpu,
    shader_compiler::{self, Compiler, Shader},
};
use notify_debouncer_mini::{DebounceEventResult, new_debouncer, notify::RecursiveMode};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

pub struct HotReload {
    _watcher: notify_debouncer_mini::Debouncer<notify_debouncer_mini::notify::RecommendedWatcher>,
}

impl HotReload {
    pub fn new(gpu: &Arc<Gpu>, folder: &Path, changed: impl Fn() + Send + 'static) -> Result<Self, String> {
        if !folder.is_dir() {
            return Err(format!("{} is not there", folder.display()));
        }
        let device: Weak<Gpu> = Arc::downgrade(gpu);
        let (mut edits, mut stamps) = (Edits::new(folder), Stamps::default());
        let mut watcher = new_debouncer(Duration::from_millis(120), move |events: DebounceEventResult| {
            let Ok(events) = events else { return };
            if let Some(gpu) = device.upgrade().filter(|_| stamps.differ(events.iter().map(|event| &event.path))) {
                edits.take(&gpu, &changed);
            }
        })
        .map_err(|e| e.to_string())?;
        watcher.watcher().watch(folder, RecursiveMode::Recursive).map_err(|e| e.to_string())?;
        Ok(Self { _watcher: watcher })
    }
}

/// Modification time and length by path: reading a file is an event too, and would trigger checks for ever.
#[derive(Default)]
pub(super) struct Stamps(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl Stamps {
    pub fn differ<'a>(&mut self, files: impl Iterator<Item = &'a PathBuf>) -> bool {
        let mut differ = false;
        for file in files {
            let stamp = fs::metadata(file).ok().and_then(|held| Some((held.modified().ok()?, held.len())));
            differ |= self.0.insert(file.clone(), stamp) != Some(stamp);
        }
        differ
    }
}

/// Modification times are unreliable: a file that is moved into place or checked out may be older than the one before.
pub(super) struct Edits {
    folder: PathBuf,
    texts: BTreeMap<String, Vec<u8>>,
    at_first: BTreeSet<String>,
    compiler: Option<Compiler>,
}

impl Edits {
    pub fn new(folder: &Path) -> Self {
        let shaders = shader_compiler::shaders(folder).unwrap_or_default();
        let file = |shader: Shader| shader.name.split(':').next().unwrap_or_default().to_owned();
        let at_first = shaders.into_iter().map(file).collect();
        Self { folder: folder.into(), texts: texts(folder), at_first, compiler: None }
    }

    pub fn take(&mut self, gpu: &Gpu, changed: &impl Fn()) {
        let now = texts(&self.folder);
        let files: BTreeSet<&String> = self.texts.keys().chain(now.keys()).collect();
        let edited: BTreeSet<String> =
            files.into_iter().filter(|file| self.texts.get(*file) != now.get(*file)).cloned().collect();
        if edited.is_empty() {
            return;
        }
        self.texts = now;
        if self.compiler.is_none() {
            self.compiler = Compiler::new().inspect_err(|e| log::error!("{e}")).ok();
        }
        let Some(compiler) = &self.compiler else { return };
        let read = shader_compiler::files(&self.folder);
        let mut shaders = shader_compiler::shaders(&self.folder).unwrap_or_default();
        shaders.sort_by_key(|shader| shader.rare);
        gpu.shaders.forgive(|name| !shaders.iter().any(|shader| shader.name == name));
        for file in self.at_first.iter().filter(|file| !self.texts.contains_key(*file)) {
            gpu.shaders.refuse(file, "the file is gone".into());
        }
        changed();
        for Shader { name, .. } in shaders {
            let parts = compiler.parts(&read, &name);
            if !parts.map_or(true, |parts| parts.iter().any(|(file, _)| edited.contains(file))) {
                continue;
            }
            match compiler.compile(&read, &name) {
                Ok(words) => gpu.shaders.replace(&name, words),
                Err(problem) => gpu.shaders.refuse(&name, problem),
            }
            changed();
        }
    }
}

fn texts(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                folders.push(path);
            } else if let (true, Ok(name), Ok(text)) =
                (kind.is_ok_and(|kind| kind.is_file()), path.strip_prefix(folder), fs::read(&path))
            {
                found.insert(name.to_string_lossy().replace('\\', "/"), text);
            }
        }
    }
    found
}

#[cfg(test)]
#[path = "hot_reload_tests.rs"]
mod tests;
