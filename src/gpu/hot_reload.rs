//! Watches `shaders/` and recompiles what was saved; a failure keeps the old shader and shows the message.
use super::{
    Gpu,
    compile::{self, Shader},
};
use notify_debouncer_mini::{DebouncedEvent, new_debouncer, notify::RecursiveMode};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

/// Watches as long as it lives.
pub struct HotReload {
    _watcher: notify_debouncer_mini::Debouncer<notify_debouncer_mini::notify::RecommendedWatcher>,
}

impl HotReload {
    /// `folder` is the source tree's `shaders`; `changed` is called after something was taken or refused.
    /// The error says why nothing is watched.
    pub fn new(gpu: &Arc<Gpu>, folder: &Path, changed: impl Fn() + Send + 'static) -> Result<Self, String> {
        if !folder.is_dir() {
            return Err(format!("{} is not there", folder.display()));
        }
        let (device, root): (Weak<Gpu>, PathBuf) = (Arc::downgrade(gpu), folder.into());
        let mut compiler = None;
        let mut since = SystemTime::now();
        let mut watcher =
            new_debouncer(Duration::from_millis(120), move |events: notify_debouncer_mini::DebounceEventResult| {
                let (Ok(events), Some(gpu)) = (events, device.upgrade()) else { return };
                let started = SystemTime::now();
                let saved = |path: &Path| path.metadata().and_then(|m| m.modified()).is_ok_and(|at| at > since);
                if !events.iter().any(|event| saved(&event.path)) {
                    return; // reading a file is an event too
                }
                since = started;
                // The first edit pays for the compiler, not the start of the program.
                if compiler.is_none() {
                    compiler = compile::Compiler::new().inspect_err(|e| log::error!("{e}")).ok();
                }
                let Some(compiler) = &compiler else { return };
                let below = |event: &DebouncedEvent| {
                    Some(event.path.strip_prefix(&root).ok()?.to_string_lossy().replace('\\', "/"))
                };
                let saved: Vec<String> = events.iter().filter_map(below).collect();
                let read = compile::files(&root);
                let mut shaders = compile::shaders(&root).unwrap_or_default();
                // What is on the screen is hardly one of the rare, and they take long.
                shaders.sort_by_key(|shader| shader.rare);
                for Shader { name, .. } in shaders {
                    // What cannot be read is compiled too, and the compiler says why.
                    if compiler
                        .parts(&read, &name)
                        .is_ok_and(|parts| !parts.iter().any(|(file, _)| saved.contains(file)))
                    {
                        continue;
                    }
                    match compiler.compile(&read, &name) {
                        Ok(words) => gpu.shaders.replace(&name, words),
                        Err(problem) => gpu.shaders.refuse(&name, problem),
                    }
                    changed();
                }
            })
            .map_err(|e| e.to_string())?;
        watcher.watcher().watch(folder, RecursiveMode::Recursive).map_err(|e| e.to_string())?;
        Ok(Self { _watcher: watcher })
    }
}
