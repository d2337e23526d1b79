//! List of open files, and the line for a path, for where no file dialog is: it is where the file was asked for.

use std::path::{Path, PathBuf};

use egui::{Align, Key, TextEdit, Ui, vec2};

use super::{OpenFiles, UiAction, clip_bar, settings::collapsing, theme};
use base::system::System;
use media::{light_picture::LIGHT_ENDINGS, picture::ENDINGS};
use scene::Source;

const PICTURES: [&str; ENDINGS.len() + LIGHT_ENDINGS.len()] = joined(&ENDINGS, &LIGHT_ENDINGS);
const CLIPS: [&str; 5] = ["gif", "png", "apng", "webp", "y4m"];
const ALL: [&str; PICTURES.len() + 6] = joined(&["glb", "gltf", "svg", "toml", "apng", "y4m"], &PICTURES);

const fn joined<const N: usize>(some: &[&'static str], more: &[&'static str]) -> [&'static str; N] {
    let mut all = [""; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < some.len() { some[i] } else { more[i - some.len()] };
        i += 1;
    }
    all
}

pub const KINDS: [(&str, &[&str]); 6] = [
    ("All that can be opened", &ALL),
    ("Images", &PICTURES),
    ("Moving images", &CLIPS),
    ("glTF scenes", &["glb", "gltf"]),
    ("Shapes of a lens", &["svg"]),
    ("Presets", &["toml", "png"]),
];

/// Whether files can become the text of a setting.
pub fn is_outline(field: &base::settings::Field) -> bool {
    field.asks.contains("SVG")
}

/// The row of a setting asks for the dialog that opens a file.
pub fn want(ctx: &egui::Context, field: &'static str) {
    ctx.data_mut(|data| data.insert_temp(wish(), field));
}

/// The setting whose row asked.
pub fn take_wish(ctx: &egui::Context) -> Option<&'static str> {
    ctx.data_mut(|data| data.remove_temp(wish()))
}

fn wish() -> egui::Id {
    egui::Id::new("wanted file")
}

#[derive(Debug, Default)]
pub struct PathField {
    is_open: bool,
    /// Settings whose row asked last for a file, and below whose row it is open; else it is below the tabs.
    pub asked_by: Option<&'static str>,
    below: Option<&'static str>,
    requests_focus: bool,
    typed: String,
    /// The path that was entered last, until its file is opened or refused.
    entered: Option<PathBuf>,
}

pub fn show(ui: &mut Ui, names: &OpenFiles) -> Option<UiAction> {
    let mut action = None;
    for (of, name) in [(Source::World, &names.world), (Source::Picture, &names.picture)] {
        let Some(name) = name else { continue };
        ui.horizontal(|ui| {
            ui.label(theme::small(if of == Source::World { "Scene file" } else { "Image file" }));
            theme::from_right(ui, |ui| {
                if collapsing::cross(ui, &format!("Close {name} and show what is built in")) {
                    action = Some(UiAction::Close(of));
                }
                let shown = Path::new(name).file_name().map_or(name.as_str().into(), |file| file.to_string_lossy());
                let label = egui::Label::new(egui::RichText::new(shown).color(theme::ACCENT)).truncate();
                ui.add(label).on_hover_text(name);
            });
        });
    }
    action = action.or(names.clip.and_then(|clip| clip_bar::show(ui, &clip)).map(UiAction::Clip));
    ui.add_space(3.0);
    action
}

/// An absolute path from pasted text: shell-quoted, or a `file:` URL of a file manager.
fn absolute(pasted: &str, system: System) -> Option<String> {
    let path = pasted.trim().trim_matches(['"', '\'']);
    let path = path.strip_prefix("file://").unwrap_or(path);
    // A URL has a slash before a drive.
    let path = path.strip_prefix('/').filter(|path| !path.starts_with('/') && system.is_absolute(path)).unwrap_or(path);
    (system.is_absolute(path) && !path.contains('\n')).then(|| path.to_owned())
}

impl PathField {
    pub fn open(&mut self) {
        (self.is_open, self.requests_focus, self.below) = (true, true, self.asked_by.take());
    }

    pub fn is_open_below_tabs(&self) -> bool {
        self.is_open && self.below.is_none()
    }

    /// A refused path stays in the field, to be corrected.
    pub fn file_opened(&mut self, entered: &Path, is_opened: bool) {
        if self.entered.take_if(|path| path == entered).is_some() {
            if is_opened {
                (self.is_open, self.typed) = (false, String::new());
            } else if self.is_open {
                self.requests_focus = true;
            }
        }
    }

    /// `below`: the setting whose row is above, or none for the tabs.
    pub fn show(&mut self, ui: &mut Ui, below: Option<&str>) -> Option<UiAction> {
        if !self.is_open || self.below != below {
            return None;
        }
        let id = ui.make_persistent_id("path to open");
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        let pasted = |event: &egui::Event| match event {
            egui::Event::Paste(text) => absolute(text, System::CURRENT),
            _ => None,
        };
        if let Some(path) = ui.input(|input| input.events.iter().find_map(pasted)).filter(|_| has_focus) {
            ui.input_mut(|input| input.events.retain(|event| pasted(event).is_none()));
            self.take(ui, id, path);
        }
        // The click that opens the field is outside of it and would take the focus away.
        if self.requests_focus && ui.input(|input| input.pointer.any_click()) {
            ui.ctx().request_repaint();
        } else if std::mem::take(&mut self.requests_focus) {
            let typed = self.typed.clone();
            self.take(ui, id, typed);
            self.select(ui, id, 0);
        }
        let edit = TextEdit::singleline(&mut self.typed).id(id).hint_text("Path of the file, Enter; or Esc");
        let line = ui.add_sized(vec2(ui.available_width(), theme::ROW), edit.vertical_align(Align::Center));
        theme::speak(&line, egui::WidgetType::TextEdit, "Path of the file");
        let ends_by = |key| line.lost_focus() && ui.input(|input| input.key_pressed(key));
        let is_entered = ends_by(Key::Enter);
        self.is_open &= !ends_by(Key::Escape);
        let path = absolute(&self.typed, System::CURRENT).unwrap_or_else(|| self.typed.trim().to_owned());
        if !is_entered || path.is_empty() {
            return None;
        }
        let file = PathBuf::from(&path);
        (self.typed, self.entered) = (path, Some(file.clone()));
        Some(UiAction::Open(file))
    }

    fn take(&mut self, ui: &Ui, id: egui::Id, path: String) {
        self.typed = path;
        self.select(ui, id, self.typed.chars().count());
        ui.memory_mut(|memory| memory.request_focus(id));
    }

    fn select(&self, ui: &Ui, id: egui::Id, from: usize) {
        let [from, end] = [from, self.typed.chars().count()].map(egui::text::CCursor::new);
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(egui::text::CCursorRange::two(from, end)));
        state.store(ui.ctx(), id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_path_is_absolute_or_none() {
        for (pasted, wanted) in [
            ("/a/b.png", Some("/a/b.png")),
            (" '/a/b c.png' \n", Some("/a/b c.png")),
            ("file:///a/b.png", Some("/a/b.png")),
            ("b.png", None),
            ("/a\n/b", None),
            ("", None),
        ] {
            assert_eq!(absolute(pasted, System::Linux).as_deref(), wanted, "{pasted}");
        }
        for (pasted, wanted) in [
            (r"C:\a\b.png", Some(r"C:\a\b.png")),
            ("\"C:\\my photos\\b c.png\"\r\n", Some(r"C:\my photos\b c.png")),
            ("file:///C:/a/b.png", Some("C:/a/b.png")),
            (r"\\server\share\b.png", Some(r"\\server\share\b.png")),
            (r"a\b.png", None),
            ("/a/b.png", None),
        ] {
            assert_eq!(absolute(pasted, System::Windows).as_deref(), wanted, "{pasted}");
        }
    }

    #[test]
    fn only_the_entered_file_closes_the_line() {
        let mut field = PathField { typed: "/a.png".into(), entered: Some("/a.png".into()), ..Default::default() };
        field.is_open = true;
        field.file_opened(Path::new("/dropped.png"), true);
        assert!(field.is_open && field.entered.is_some());
        field.file_opened(Path::new("/a.png"), false);
        assert!(field.is_open && field.typed == "/a.png" && field.requests_focus);
        field.entered = Some("/a.png".into());
        field.file_opened(Path::new("/a.png"), true);
        assert!(!field.is_open && field.typed.is_empty());
    }
}
