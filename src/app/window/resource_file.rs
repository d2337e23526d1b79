//! Files of resources of passes saved from the panels.

use super::screenshot::free_name;
use super::user_event::UserEvent;
use crate::app::folders;
use crate::base::file::write_atomically;
use crate::base::job::{self, spawn_detached};
use crate::instrument::SavedResource;
use anyhow::{Context as _, Result};
use std::path::PathBuf;
use winit::event_loop::EventLoopProxy;

/// On a thread: all as .npy, texels also as .png or .exr.
pub fn save(saved: SavedResource, wake: EventLoopProxy<UserEvent>) -> Result<(), String> {
    let array = saved.array?;
    let name = format!("{} {}", saved.point.pass, saved.point.binding).replace(['/', '\\', ':'], " ");
    let work = move || {
        let folder = folders::pictures().with_context(|| folders::missing("pictures"))?;
        let file = free_name(&folder, &name, "npy");
        write_atomically(&file, &array.npy()?)?;
        if let Ok(picture) = array.picture() {
            write_atomically(&file.with_extension("png"), &picture.encode_png()?)?;
        }
        if let Ok(exr) = array.exr() {
            write_atomically(&file.with_extension("exr"), &exr)?;
        }
        Ok(file)
    };
    spawn_detached("resource", work, move |written: job::Outcome<Result<PathBuf>>| {
        let written = written.and_then(|written| written.map_err(|error| format!("{error:#}")));
        let _ = wake.send_event(UserEvent::Written(written));
    });
    Ok(())
}
