//! Screenshot (F2): the picture without the panels, with a preset in its PNG texts that reproduces it.

use super::user_event::UserEvent;
use crate::app::presets::PRESET;
use crate::app::{folders, run_summary};
use crate::base::file::write_atomically;
use crate::base::job::{self, spawn_detached};
use crate::base::picture::Picture;
use crate::base::png;
use crate::base::timing::FrameTiming;
use crate::gpu::DeviceInfo;
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use winit::event_loop::EventLoopProxy;

pub fn save(
    picture: Picture,
    preset: String,
    facts: &DeviceInfo,
    timings: &[FrameTiming],
    wake: EventLoopProxy<UserEvent>,
) {
    let texts = [
        ("Software", format!("Meniscus {}", env!("CARGO_PKG_VERSION"))),
        (PRESET, preset),
        ("meniscus:gpu", format!("{} ({}), Vulkan {}", facts.name, facts.driver, facts.api)),
        ("meniscus:timings", run_summary::table(timings)),
    ];
    let work = move || {
        let folder = folders::pictures().with_context(|| folders::missing("pictures"))?;
        let file = free_name(&folder, "Meniscus", "png");
        let texts = texts.each_ref().map(|(keyword, text)| (*keyword, text.as_str()));
        write_atomically(&file, &png::encode(&picture, &texts)?)?;
        Ok(file)
    };
    spawn_detached("screenshot", work, move |written: job::Outcome<Result<PathBuf>>| {
        let written = written.and_then(|written| written.map_err(|error| format!("{error:#}")));
        let _ = wake.send_event(UserEvent::Written(written));
    });
}

pub fn free_name(folder: &Path, what: &str, extension: &str) -> PathBuf {
    let stem = format!("{what} {}", folders::stamp());
    let name = |number: u32| match number {
        1 => format!("{stem}.{extension}"),
        _ => format!("{stem} ({number}).{extension}"),
    };
    (1..100).map(|number| folder.join(name(number))).find(|file| !file.exists()).unwrap_or_else(|| folder.join(name(1)))
}
