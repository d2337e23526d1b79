//! Files that the window saves: screenshots (F2) and resources of passes; and how a folder is shown.

use super::user_event::{UserEvent, send_written};
use crate::folders::{self, free_name};
use crate::presets::PRESET;
use crate::run_summary;
use crate::video::SavedFile;
use anyhow::{Context as _, Result, ensure};
use base::file::write_atomically;
use base::job::spawn_detached;
use base::timing::FrameTiming;
use gpu::DeviceInfo;
use instrument::SavedResource;
use media::picture::Picture;
use media::png;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// By the desktop's own program for folders.
pub fn show(file: PathBuf, wake: EventLoopProxy<UserEvent>) {
    let work = move || {
        let (program, marks) = if cfg!(windows) {
            ("explorer", Some("/select,"))
        } else if cfg!(target_os = "macos") {
            ("open", Some("-R"))
        } else {
            ("xdg-open", None)
        };
        show_with(program, marks, &file)
    };
    spawn_detached("shown folder", work, move |shown| {
        if let Err(why) = shown.and_then(|shown| shown.map_err(|error| format!("{error:#}"))) {
            let _ = wake.send_event(UserEvent::NotShown(why));
        }
    });
}

/// `marks`: the option by which it marks a file in its folder.
fn show_with(program: &str, marks: Option<&str>, file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    let mut command = Command::new(program);
    command.args(marks).arg(if marks.is_some() { file } else { folder });
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let named = || format!("{} is not shown: {program}", folder.display());
    let status = silent.status().with_context(named)?;
    // Windows' own ends with 1 when it has shown it.
    ensure!(status.success() || cfg!(windows), "{}: {status}", named());
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    #[test]
    fn names_are_free_and_a_folder_that_is_not_shown_is_a_line() {
        let folder = Folder::new("saved-files");
        let first = free_name(&folder.0, "Meniscus", "png");
        std::fs::write(&first, "").unwrap();
        let second = free_name(&folder.0, "Meniscus", "png");
        assert!(first != second && !second.exists() && second.starts_with(&folder.0));
        show_with("true", None, &first).unwrap();
        show_with("test", Some("-f"), &first).unwrap();
        for (program, said) in [("false", "exit status: 1"), ("no-such-program", "No such file")] {
            let why = format!("{:#}", show_with(program, None, &first).unwrap_err());
            assert!(why.contains(&format!("is not shown: {program}: ")) && why.contains(said), "{why}");
        }
    }
}
