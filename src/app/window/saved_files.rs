//! Files that the window saves: screenshots (F2), web pages and resources of passes.

use super::user_event::{UserEvent, send_written};
use crate::folders::{self, free_name};
use crate::page::with_pictures;
use crate::presets::PRESET;
use crate::run_summary;
use crate::video::SavedFile;
use anyhow::Result;
use base::file::write_atomically;
use base::job::spawn_detached;
use base::timing::FrameTiming;
use gpu::DeviceInfo;
use instrument::SavedResource;
use media::picture::Picture;
use media::png;
use std::path::{Path, PathBuf};
use technique::FrameRead;
use winit::event_loop::EventLoopProxy;

/// The picture without the panels, with a preset in its PNG texts that reproduces it.
pub fn save_screenshot(
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
    write_detached("screenshot", wake, move |folder| {
        let file = free_name(folder, "Meniscus", "png");
        let texts = texts.each_ref().map(|(keyword, text)| (*keyword, text.as_str()));
        write_atomically(&file, &png::encode(&picture, &texts)?)?;
        Ok(file)
    });
}

pub fn save_page(page: String, below: FrameRead, seen: Picture, wake: EventLoopProxy<UserEvent>) {
    write_detached("web page", wake, move |folder| {
        let file = free_name(folder, "Meniscus lens", "html");
        write_atomically(&file, with_pictures(page, &below, &seen)?.as_bytes())?;
        Ok(file)
    });
}

/// All as .npy, texels also as .png or .exr.
pub fn save_resource(saved: SavedResource, wake: EventLoopProxy<UserEvent>) -> Result<(), String> {
    let array = saved.array?;
    let name = format!("{} {}", saved.point.pass, saved.point.binding).replace(['/', '\\', ':'], " ");
    write_detached("resource", wake, move |folder| {
        let file = free_name(folder, &name, "npy");
        write_atomically(&file, &array.npy()?)?;
        if let Ok(picture) = array.picture() {
            write_atomically(&file.with_extension("png"), &picture.encode_png()?)?;
        }
        if let Ok(exr) = array.exr() {
            write_atomically(&file.with_extension("exr"), &exr)?;
        }
        Ok(file)
    });
    Ok(())
}

/// On a thread of its own.
fn write_detached(
    name: &'static str,
    wake: EventLoopProxy<UserEvent>,
    write: impl FnOnce(&Path) -> Result<PathBuf> + Send + 'static,
) {
    let work = move || {
        let file = write(&folders::Kind::Pictures.folder()?)?;
        Ok(Some(SavedFile { file, note: None }))
    };
    spawn_detached(name, work, move |written| send_written(&wake, written));
}
