//! The desktop's file dialogue, on a thread of its own, because it may stay open for long.

use crate::file_dialog_log;
use base::job::spawn_detached;
use std::path::{Path, PathBuf};
use ui::FILE_KINDS;
use winit::window::Window;

pub type DialogResult = Result<Option<PathBuf>, String>;

#[derive(Clone, Copy, Debug)]
pub enum Pick {
    File,
    Shaders,
}

pub fn pick(of: Pick, window: &Window, folder: Option<&Path>, done: impl FnOnce(DialogResult) + Send + 'static) {
    let mut dialogue = rfd::FileDialog::new().set_parent(window);
    if let Some(folder) = folder {
        dialogue = dialogue.set_directory(folder);
    }
    let pick = move || {
        file_dialog_log::take();
        let picked = match of {
            Pick::File => {
                let mut dialogue = dialogue.set_title("Open");
                for (name, endings) in FILE_KINDS {
                    dialogue = dialogue.add_filter(name, endings);
                }
                dialogue.pick_file()
            }
            Pick::Shaders => dialogue.set_title("Shaders of B").pick_folder(),
        };
        outcome(picked, &file_dialog_log::take())
    };
    spawn_detached("file dialog", pick, |picked| done(picked.flatten()));
}

/// The last fallback: if it logs no error, it showed a dialogue.
const LAST: &str = "zenity";

fn outcome(file: Option<PathBuf>, complaints: &[String]) -> DialogResult {
    match (file, complaints.iter().find(|complaint| complaint.contains(LAST))) {
        (None, Some(why)) => Err(crate::failure::one_line(why)),
        (file, _) => Ok(file),
    }
}
