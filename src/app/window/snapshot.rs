//! The picture that F2 takes: what is seen, without the panels, and in its texts all that it takes to see it again.

use super::wake::Wake;
use crate::app::presets::PRESET;
use crate::app::{folders, report};
use crate::base::file::write_atomically;
use crate::base::picture::Picture;
use crate::base::png;
use crate::base::timing::FrameTiming;
use crate::gpu::{Facts, Format, ReadBack};
use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};
use winit::event_loop::EventLoopProxy;

/// A picture whose frame the GPU has not ended yet.
pub struct Snapshot {
    /// The number of its frame.
    pub frame: u64,
    size: [u32; 2],
    format: Format,
    read: ReadBack,
    texts: Vec<(&'static str, String)>,
}

impl Snapshot {
    /// Of the frame of this number, which is read back; `preset` is the text that brings it back.
    pub fn new(frame: u64, (size, format, read): ([u32; 2], Format, ReadBack), preset: String) -> Self {
        let software = format!("Meniscus {}", env!("CARGO_PKG_VERSION"));
        Self { frame, size, format, read, texts: vec![("Software", software), (PRESET, preset)] }
    }

    /// Its frame has ended: it is written on a thread of its own, which wakes the window when it is there. `timings` are those of the
    /// last frames.
    pub fn save(mut self, facts: &Facts, timings: &[FrameTiming], wake: EventLoopProxy<Wake>) {
        self.texts.push(("meniscus:gpu", format!("{} ({}), Vulkan {}", facts.name, facts.driver, facts.api)));
        self.texts.push(("meniscus:timings", report::table(timings)));
        std::thread::spawn(move || {
            let written = folders::pictures()
                .context("there is no folder for pictures (HOME is not set)")
                .and_then(|folder| self.write(&folder))
                .map_err(|error| format!("{error:#}"));
            // Where the window was closed meanwhile, nothing waits for it.
            let _ = wake.send_event(Wake::Written(written));
        });
    }

    fn write(&self, folder: &Path) -> Result<PathBuf> {
        let mut rgba: Vec<u8> = self.read.read()?;
        if matches!(self.format, Format::Bgra8 | Format::Bgra8Srgb) {
            rgba.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
        }
        rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        let texts: Vec<(&str, &str)> = self.texts.iter().map(|(keyword, text)| (*keyword, text.as_str())).collect();
        let bytes = png::encode(&Picture { size: self.size, rgba }, &texts)?;
        let file = free_name(folder);
        write_atomically(&file, &bytes)?;
        Ok(file)
    }
}

/// A name that no file of the folder has.
fn free_name(folder: &Path) -> PathBuf {
    let stem = format!("Meniscus {}", folders::stamp());
    let names =
        (1..100).map(|number| if number == 1 { format!("{stem}.png") } else { format!("{stem} ({number}).png") });
    names
        .map(|name| folder.join(name))
        .find(|file| !file.exists())
        .unwrap_or_else(|| folder.join(format!("{stem}.png")))
}
