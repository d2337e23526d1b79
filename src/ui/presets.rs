//! Preset list and the field to save one. The application handles the files.

use egui::{Align, Align2, AtomExt as _, Button, FontId, Key, RichText, TextEdit, Ui, vec2};

use super::{settings::collapsing, theme};
use base::file::is_file_stem;

const PADDING: f32 = 7.0;

#[derive(Debug, Default)]
pub struct Presets {
    name: String,
    to_delete: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PresetName {
    pub name: String,
    pub title: String,
    /// `None` for built-in presets.
    pub file: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Glass,
    Everything,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PresetAction {
    Load(String),
    /// Letters, digits, `_` and `-`.
    Save(String, Extent),
    Delete(String),
    Reset,
}

impl Presets {
    /// `active`: the preset loaded last, and whether the settings are unchanged since.
    pub fn show(&mut self, ui: &mut Ui, names: &[PresetName], active: Option<(&str, bool)>) -> Option<PresetAction> {
        let mut action = None;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            ui.spacing_mut().button_padding.x = PADDING;
            for (number, preset) in (1..).zip(names) {
                action = self.button(ui, number, preset, active).or(action.take());
            }
        });
        ui.add_space(2.0);
        self.line(ui, names).or(action)
    }

    fn button(
        &mut self,
        ui: &mut Ui,
        number: usize,
        preset: &PresetName,
        active: Option<(&str, bool)>,
    ) -> Option<PresetAction> {
        let mut action = None;
        let is_active = active.filter(|(name, _)| *name == preset.name);
        let mut text = egui::text::LayoutJob::default();
        let body = egui::TextStyle::Body.resolve(ui.style());
        let mut put = |part: String, color| {
            text.append(&part, 0.0, egui::TextFormat { font_id: body.clone(), color, ..Default::default() });
        };
        if number <= 9 {
            put(format!("{number} "), theme::QUIET);
        }
        put(preset.title.clone(), theme::TEXT);
        let key = if number <= 9 { format!(" (key {number})") } else { String::new() };
        let state = match is_active {
            Some((_, false)) => "\nLoaded, and changed since.",
            Some((_, true)) => "\nLoaded.",
            None => "",
        };
        let file = preset.file.as_ref().map(|file| format!("\nSaved in {file}")).unwrap_or_default();
        let hint = format!("Load the preset {}{key}{file}{state}\n--preset {}", preset.title, preset.name);
        if self.to_delete.as_ref() == Some(&preset.name) {
            let sure = Button::new(RichText::new(format!("Delete {}?", preset.title)).color(theme::BAD)).truncate();
            let sure = ui.add(sure).on_hover_text(format!("Delete the preset {} for good", preset.title));
            sure.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Delete?"));
            if sure.clicked() {
                action = Some(PresetAction::Delete(preset.name.clone()));
            }
            if sure.clicked() || sure.clicked_elsewhere() {
                self.to_delete = None;
            }
            return action;
        }
        // The cross is inside the button: no line break separates them.
        let cross = ui.id().with(("delete", &preset.name));
        let mut atoms = egui::Atoms::new(egui::WidgetText::from(text).atom_shrink(true));
        if preset.file.is_some() {
            atoms.push_right(egui::Atom::custom(cross, vec2(14.0, 14.0)));
        }
        let shown = Button::new(atoms).selected(is_active.is_some()).atom_ui(ui);
        let place = shown.rect(cross);
        if is_active.is_some_and(|(_, as_loaded)| !as_loaded) {
            // In the margin: buttons have the same place with and without it.
            let at = shown.response.rect.right_top() + vec2(-0.5 * PADDING, 6.0);
            ui.painter().text(at, Align2::CENTER_CENTER, "*", FontId::proportional(12.0), theme::ACCENT);
        }
        let response = shown.response.on_hover_text(hint);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &preset.title));
        if response.clicked() {
            action = Some(PresetAction::Load(preset.name.clone()));
        }
        if let Some(place) = place {
            let on = ui.interact(place.expand(2.0), cross, egui::Sense::click());
            if collapsing::cross_in(ui, place, on, &format!("Delete {}", preset.title)) {
                self.to_delete = Some(preset.name.clone());
            }
        }
        action
    }

    fn line(&mut self, ui: &mut Ui, names: &[PresetName]) -> Option<PresetAction> {
        let mut action = None;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            ui.spacing_mut().button_padding.x = PADDING;
            let width = (ui.available_width() - 150.0).max(60.0);
            let edit =
                TextEdit::singleline(&mut self.name).hint_text("Name").char_limit(40).vertical_align(Align::Center);
            let line = ui.add_sized(vec2(width, theme::ROW), edit);
            line.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Preset name"));
            let name = preset_name(&self.name);
            let hint = |what: &str| match &name {
                Err(problem) => (*problem).to_owned(),
                Ok(name) if names.iter().any(|known| known.name == *name) => format!("{what} Replaces {name}.toml."),
                Ok(name) => format!("{what} Writes {name}.toml."),
            };
            let entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let glass = "Save the glass and the positions of the lenses. Loading it keeps background, camera and display as they are.";
            let all = "Save every setting, including background, camera and display.";
            for (text, extent, what) in [("Save glass", Extent::Glass, glass), ("Save all", Extent::Everything, all)] {
                let hint = hint(what);
                let save = ui.add_enabled(name.is_ok(), Button::new(text));
                let save = save.on_hover_text(&hint).on_disabled_hover_text(&hint);
                let is_wanted = save.clicked() || entered && extent == Extent::Glass;
                if let (true, Ok(name)) = (is_wanted, &name) {
                    action = Some(PresetAction::Save(name.clone(), extent));
                }
            }
        });
        action
    }
}

/// The preset's name, or why the text is invalid.
fn preset_name(typed: &str) -> Result<String, &'static str> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err("Type a name to save the settings under.");
    }
    if is_file_stem(&name) { Ok(name) } else { Err("A name has none of / \\ : * ? \" < > | and no dot at its ends.") }
}
