//! Gallery of presets and the field to save one. The application handles the files.

use egui::{Align, Button, Key, Rect, Sense, TextEdit, Ui, vec2};

use super::thumbnails::{ABOVE_TITLE, grid};
use super::view_pictures::ViewPictures;
use super::{settings::collapsing, theme};
use base::file::is_file_stem;
use egui::Galley;
use std::sync::Arc;

const PADDING: f32 = 7.0;
const COLUMNS: usize = 4;
/// Built-in presets shown at first; the last place of the second row says how many more there are.
const FEW: usize = 2 * COLUMNS - 1;
const FOLD: &str = "presets";

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
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        names: &[PresetName],
        active: Option<(&str, bool)>,
        pictures: &mut ViewPictures,
    ) -> Option<PresetAction> {
        let is_active = |preset: &PresetName| active.is_some_and(|(name, _)| name == preset.name);
        let built_in = names.iter().filter(|preset| preset.file.is_none()).count();
        // A loaded preset and own ones are never hidden.
        let is_kept_open = names[..built_in].iter().skip(FEW).any(is_active);
        let is_open = is_kept_open || collapsing::is_unfolded(ui.ctx(), FOLD);
        let hidden = if is_open || built_in <= FEW + 1 { 0 } else { built_in - FEW };
        let numbered = (1..).zip(names).map(|(number, preset)| Some(((number, preset), self.title(preset, active))));
        let mut tiles: Vec<_> = numbered.collect();
        let own = tiles.split_off(built_in);
        tiles.truncate(built_in - hidden);
        if hidden > 0 || is_open && !is_kept_open && built_in > FEW + 1 {
            tiles.push(None);
        }
        tiles.extend(own);
        let mut action = None;
        grid(ui, COLUMNS, &tiles, ("presets", FOLD, hidden), |ui, (number, preset), title, place| {
            let state = active.filter(|_| is_active(preset)).map(|(_, as_loaded)| as_loaded);
            action = self.tile(ui, number, (preset, title), state, place, pictures).or(action.take());
        });
        self.line(ui, names).or(action)
    }

    fn is_sure(&self, preset: &PresetName) -> bool {
        self.to_delete.as_ref() == Some(&preset.name)
    }

    fn title(&self, preset: &PresetName, active: Option<(&str, bool)>) -> String {
        match active {
            _ if self.is_sure(preset) => "Delete?".into(),
            Some((name, false)) if name == preset.name => format!("{} *", preset.title),
            _ => preset.title.clone(),
        }
    }

    fn tile(
        &mut self,
        ui: &Ui,
        number: usize,
        (preset, text): (&PresetName, Arc<Galley>),
        as_loaded: Option<bool>,
        [place, picture]: [Rect; 2],
        pictures: &mut ViewPictures,
    ) -> Option<PresetAction> {
        let title = &preset.title;
        let response = ui.interact(place, ui.id().with(("preset", &preset.name)), Sense::click());
        let is_sure = self.is_sure(preset);
        let spoken = if is_sure { "Delete?" } else { title };
        theme::speak(&response, egui::WidgetType::Button, spoken);
        if ui.is_rect_visible(place) {
            let color = pictures.tile(ui, ("preset", &preset.name), picture, (&response, as_loaded.is_some()));
            let color = if is_sure { theme::BAD } else { color };
            ui.painter().galley(picture.center_bottom() + vec2(0.0, ABOVE_TITLE), text, color);
        }
        if is_sure {
            let response = response.on_hover_text(format!("Delete the preset {title} for good"));
            if response.clicked() || response.clicked_elsewhere() {
                self.to_delete = None;
            }
            return response.clicked().then(|| PresetAction::Delete(preset.name.clone()));
        }
        let key = if number <= 9 { format!(" (key {number})") } else { String::new() };
        let state = match as_loaded {
            Some(false) => "\nLoaded, and changed since.",
            Some(true) => "\nLoaded.",
            None => "",
        };
        let file = preset.file.as_ref().map(|file| format!("\nSaved in {file}")).unwrap_or_default();
        let response =
            response.on_hover_text(format!("Load the preset {title}{key}{file}{state}\n--preset {}", preset.name));
        if preset.file.is_some() {
            let corner = Rect::from_min_size(picture.right_top() - vec2(18.0, 0.0), vec2(18.0, 18.0));
            let cross = ui.interact(corner, ui.id().with(("delete", &preset.name)), Sense::click());
            if collapsing::cross_in(ui, corner, cross, &format!("Delete {title}")) {
                self.to_delete = Some(preset.name.clone());
                return None;
            }
        }
        response.clicked().then(|| PresetAction::Load(preset.name.clone()))
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
            theme::speak(&line, egui::WidgetType::TextEdit, "Preset name");
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
