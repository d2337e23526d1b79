//! Presets: named settings to load, and a name to save the present ones under. The files themselves are the application's.

use egui::{Align, Button, Key, TextEdit, Ui, vec2};

use super::theme;

/// What is typed at the moment.
#[derive(Debug, Default)]
pub struct Presets {
    name: String,
}

/// What the user wants of the presets.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Load the one of this name.
    Load(String),
    /// Save the settings as they are under this name: letters, digits, `_` and `-`.
    Save(String),
    /// Give every setting its default value.
    Reset,
}

impl Presets {
    /// Shows the names as buttons, and the line to save with.
    pub fn show(&mut self, ui: &mut Ui, names: &[String]) -> Option<Wish> {
        let mut wish = None;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            ui.spacing_mut().button_padding.x = 7.0;
            for name in names {
                if ui.button(name).on_hover_text(format!("Load the preset {name}")).clicked() {
                    wish = Some(Wish::Load(name.clone()));
                }
            }
        });
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 124.0).max(24.0);
            let edit =
                TextEdit::singleline(&mut self.name).hint_text("Name").char_limit(40).vertical_align(Align::Center);
            let line = ui.add_sized(vec2(width, theme::ROW), edit);
            line.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Preset name"));
            let name = self.name.trim();
            let hint = match problem(name) {
                Some(problem) => problem.to_owned(),
                None if names.iter().any(|known| known == name) => format!("Replace {name}.toml"),
                None => format!("Write {name}.toml"),
            };
            let can_save = problem(name).is_none();
            let entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let save = ui.add_enabled(can_save, Button::new("Save")).on_hover_text(&hint).on_disabled_hover_text(&hint);
            if can_save && (save.clicked() || entered) {
                wish = Some(Wish::Save(name.to_owned()));
            }
            if ui.button("Defaults").on_hover_text("Give every setting its default value").clicked() {
                wish = Some(Wish::Reset);
            }
        });
        wish
    }
}

/// Why a name cannot be that of a preset.
fn problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("Type a name to save the settings under");
    }
    let fits = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    (!fits).then_some("A name has letters, digits, _ and - only")
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn names_cannot_leave_the_folder() {
        for bad in ["", "../x", "a/b", "a.b", "a b", "ä", "c:\\x"] {
            assert!(problem(bad).is_some(), "{bad}");
        }
        assert!(problem("my_glass-2").is_none());
    }
}
