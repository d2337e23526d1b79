//! List of open files and the path field, with completion.

use std::path::{Path, PathBuf, is_separator};

use egui::{Align, Button, Key, Modifiers, TextEdit, Ui, vec2};

use super::keys::{self, Shortcut};
use super::{OpenFiles, PanelKey, UiAction, clip_bar, settings::collapsing, theme};
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
const TYPE: f32 = 76.0;
const MOST: usize = 8;

#[derive(Debug, Default)]
pub struct PathField {
    is_open: bool,
    requests_focus: bool,
    typed: String,
    /// The path that was entered last, until its file is opened or refused.
    entered: Option<PathBuf>,
    /// A text and its completions.
    completions: Option<(String, Vec<String>)>,
}

pub fn show(ui: &mut Ui, field: &mut PathField, names: &OpenFiles) -> Option<UiAction> {
    let mut action = None;
    for (of, name) in [(Source::World, &names.world), (Source::Picture, &names.picture)] {
        let Some(name) = name else { continue };
        ui.horizontal(|ui| {
            ui.label(theme::small(if of == Source::World { "Scene file" } else { "Image file" }));
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
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
    let hint = "Open a picture (PNG, JPEG, WebP, GIF, BMP, TIFF; moving: GIF, APNG, WebP, .y4m, frames/%04d.png), a scene (.glb, .gltf) or a preset (.toml). You can also drop it on the window.";
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let open = Button::new(theme::middle("Open file ..."))
            .min_size(vec2((ui.available_width() - TYPE - 4.0).max(0.0), theme::ROW));
        if ui.add(open).on_hover_text(keys::hint(hint, Shortcut::Panel(PanelKey::Open))).clicked() {
            action = Some(UiAction::PickFile);
        }
        let line = Button::new("Type path").selected(field.is_open).min_size(vec2(TYPE, theme::ROW));
        if ui.add(line).on_hover_text("Open a file by its path; Tab completes names").clicked() {
            if field.is_open { field.is_open = false } else { field.open() }
        }
    });
    if field.is_open {
        action = action.or(field.show(ui));
    }
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

fn folder_and_start(typed: &str, system: System) -> (&str, &str) {
    typed.split_at(typed.rfind(|letter| system.is_separator(letter)).map_or(0, |at| at + 1))
}

fn separator(folder: &str) -> char {
    folder.chars().next_back().unwrap_or(std::path::MAIN_SEPARATOR)
}

impl PathField {
    pub fn open(&mut self) {
        (self.is_open, self.requests_focus) = (true, true);
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

    fn show(&mut self, ui: &mut Ui) -> Option<UiAction> {
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
        let found = self.completions();
        // The click that opens the field is outside of it and would take the focus away.
        if self.requests_focus && ui.input(|input| input.pointer.any_click()) {
            ui.ctx().request_repaint();
        } else if std::mem::take(&mut self.requests_focus) {
            let typed = self.typed.clone();
            self.take(ui, id, typed);
            self.select(ui, id, 0);
        }
        // Tab completes the common prefix; a single completion is taken whole.
        let is_tab = has_focus && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab));
        if let Some(longer) = common(&found).filter(|_| is_tab) {
            self.take(ui, id, longer);
        }
        let edit = TextEdit::singleline(&mut self.typed).id(id).hint_text("Path").lock_focus(true);
        let line = ui.add_sized(vec2(ui.available_width(), theme::ROW), edit.vertical_align(Align::Center));
        line.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Path"));
        // A second slash starts a path at the root, as in a shell prompt. On Windows two start a network share.
        let is_rooted = System::CURRENT != System::Windows && line.changed();
        if let Some(root) = self.typed.rfind("//").filter(|_| is_rooted) {
            let path = self.typed.split_off(root + 1);
            self.take(ui, id, path);
        }
        let is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let mut picked =
            is_entered.then(|| absolute(&self.typed, System::CURRENT).unwrap_or_else(|| self.typed.trim().to_owned()));
        for path in found.iter().take(MOST) {
            let parent = folder_and_start(path.trim_end_matches(is_separator), System::CURRENT).0;
            let row =
                Button::new(&path[parent.len()..]).frame(false).truncate().min_size(vec2(ui.available_width(), 18.0));
            if ui.add(row).on_hover_text(path).clicked() {
                picked = Some(path.clone());
            }
        }
        if found.len() > MOST {
            ui.label(theme::small(format!("and {} more", found.len() - MOST)));
        } else if found.is_empty() {
            ui.label(theme::small("No file here that can be opened."));
        }
        let picked = picked.filter(|path| !path.is_empty())?;
        if Path::new(&picked).is_dir() {
            let separator = separator(folder_and_start(&picked, System::CURRENT).0);
            let folder = if picked.ends_with(is_separator) { picked } else { format!("{picked}{separator}") };
            self.take(ui, id, folder);
            return None;
        }
        let file = PathBuf::from(&picked);
        (self.typed, self.entered) = (picked, Some(file.clone()));
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

    fn completions(&mut self) -> Vec<String> {
        if self.completions.as_ref().is_none_or(|(of, _)| *of != self.typed) {
            self.completions = Some((self.typed.clone(), completions(&self.typed)));
        }
        self.completions.as_ref().map(|(_, found)| found.clone()).unwrap_or_default()
    }
}

/// Folders (with a slash) first, then files that can be opened, each sorted.
fn completions(typed: &str) -> Vec<String> {
    let (folder, begin) = folder_and_start(typed, System::CURRENT);
    let separator = separator(folder);
    let read = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    let mut found: Vec<(bool, String)> = read
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_str()?.to_owned();
            let is_folder = entry.path().is_dir();
            let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let can_open = is_folder || ALL.iter().any(|known| ending.eq_ignore_ascii_case(known));
            let is_hidden = name.starts_with('.') && !begin.starts_with('.');
            let begins = name.to_lowercase().starts_with(&begin.to_lowercase());
            let path = if is_folder { format!("{folder}{name}{separator}") } else { format!("{folder}{name}") };
            (can_open && begins && !is_hidden).then_some((!is_folder, path))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn common(found: &[String]) -> Option<String> {
    let first = found.first()?;
    let same = |other: &String| first.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let letters = found.iter().map(same).min().unwrap_or(0);
    Some(first.chars().take(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

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
    fn a_path_is_split_at_the_separators_of_the_system() {
        for (typed, folder, start) in [
            (r"C:\photos\lake", r"C:\photos\", "lake"),
            (r"C:\photos/lake", r"C:\photos/", "lake"),
            (r"C:\", r"C:\", ""),
            ("C:", "", "C:"),
            (r"\\server\share\", r"\\server\share\", ""),
        ] {
            assert_eq!(folder_and_start(typed, System::Windows), (folder, start));
        }
        assert_eq!(folder_and_start(r"/a\b/c\d", System::Linux), (r"/a\b/", r"c\d"));
        assert_eq!(folder_and_start("lake", System::Linux), ("", "lake"));
        assert_eq!([separator(r"C:\a\"), separator("C:/a/")], ['\\', '/']);
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

    #[test]
    fn paths_are_completed() {
        let folder = Folder::new("completions");
        std::fs::create_dir(folder.0.join("photos")).unwrap();
        for name in ["photo.png", "Phone.JPG", "notes.txt", ".hidden.png", "scene.glb"] {
            std::fs::write(folder.0.join(name), "").unwrap();
        }
        let at = folder.0.display().to_string();
        let found = |begin: &str| -> Vec<String> {
            let cut = |path: String| path.strip_prefix(&format!("{at}/")).unwrap_or(&path).to_owned();
            completions(&format!("{at}/{begin}")).into_iter().map(cut).collect()
        };
        assert_eq!(found(""), ["photos/", "Phone.JPG", "photo.png", "scene.glb"]);
        assert_eq!(found("pho"), ["photos/", "Phone.JPG", "photo.png"]);
        assert_eq!(found(".h"), [".hidden.png"]);
        assert!(found("nothing").is_empty() && completions("/no/such/folder/x").is_empty());
        assert_eq!(common(&["abc/".into(), "abd".into()]), Some("ab".into()));
        assert_eq!(common(&["one.png".into()]), Some("one.png".into()));
        assert_eq!(common(&[]), None);
    }
}
