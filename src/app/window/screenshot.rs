//! Screenshot (F2): the picture without the panels, with a preset in its PNG texts that reproduces it.

use super::user_event::UserEvent;
use crate::app::presets::PRESET;
use crate::app::{folders, run_summary};
use crate::base::file::write_atomically;
use crate::base::job::{self, spawn_detached};
use crate::base::picture::Picture;
use crate::base::png;
use crate::base::timing::FrameTiming;
use crate::gpu::{DeviceInfo, Format, ReadBack};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use winit::event_loop::EventLoopProxy;

pub struct Screenshot {
    pub frame: u64,
    size: [u32; 2],
    format: Format,
    read: ReadBack,
    texts: Vec<(&'static str, String)>,
}

impl Screenshot {
    pub fn new(frame: u64, size: [u32; 2], format: Format, read: ReadBack, preset: String) -> Self {
        let software = format!("Meniscus {}", env!("CARGO_PKG_VERSION"));
        Self { frame, size, format, read, texts: vec![("Software", software), (PRESET, preset)] }
    }

    pub fn save(mut self, facts: &DeviceInfo, timings: &[FrameTiming], wake: EventLoopProxy<UserEvent>) {
        self.texts.push(("meniscus:gpu", format!("{} ({}), Vulkan {}", facts.name, facts.driver, facts.api)));
        self.texts.push(("meniscus:timings", run_summary::table(timings)));
        let Self { size, format, read, texts, .. } = self;
        // No device resource may move to a thread that may outlive the device.
        let rgba = read.read();
        let work = move || {
            let folder = folders::pictures().with_context(|| folders::missing("pictures"))?;
            write(&folder, &Picture { size, rgba: opaque(rgba?, format) }, &texts)
        };
        spawn_detached("screenshot", work, move |written: job::Outcome<Result<PathBuf>>| {
            let written = written.and_then(|written| written.map_err(|error| format!("{error:#}")));
            let _ = wake.send_event(UserEvent::Written(written));
        });
    }
}

pub fn opaque(mut rgba: Vec<u8>, format: Format) -> Vec<u8> {
    let is_blue_first = matches!(format, Format::Bgra8 | Format::Bgra8Srgb);
    for pixel in rgba.chunks_exact_mut(4) {
        if is_blue_first {
            pixel.swap(0, 2);
        }
        pixel[3] = 255;
    }
    rgba
}

fn write(folder: &Path, picture: &Picture, texts: &[(&str, String)]) -> Result<PathBuf> {
    let texts: Vec<(&str, &str)> = texts.iter().map(|(keyword, text)| (*keyword, text.as_str())).collect();
    let file = free_name(folder, "Meniscus", "png");
    write_atomically(&file, &png::encode(picture, &texts)?)?;
    Ok(file)
}

pub fn free_name(folder: &Path, what: &str, extension: &str) -> PathBuf {
    let stem = format!("{what} {}", folders::stamp());
    let name = |number: u32| match number {
        1 => format!("{stem}.{extension}"),
        _ => format!("{stem} ({number}).{extension}"),
    };
    (1..100).map(|number| folder.join(name(number))).find(|file| !file.exists()).unwrap_or_else(|| folder.join(name(1)))
}
