//! Gallery of presets and the field to save one. The application handles the files.

use egui::{Align, Button, Key, Rect, Sense, TextEdit, Ui, emath::GuiRounding as _, pos2, vec2};

use super::thumbnails::{ABOVE_TITLE, more, title};
use super::view_pictures::{SIZE, ViewPictures};
use super::{settings::collapsing, theme};
use base::file::is_file_stem;
use egui::Galley;
use std::sync::Arc;

const PADDING: f32 = 7.0;
const COLUMNS: usize = 4;
const GAP: f32 = 6.0;
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
        let mut tiles: Vec<Option<(usize, &PresetName)>> = (1..).zip(names).take(built_in - hidden).map(Some).collect();
        if hidden > 0 || is_open && !is_kept_open && built_in > FEW + 1 {
            tiles.push(None);
        }
        tiles.extend((1..).zip(names).skip(built_in).map(Some));
        let width = ((ui.available_width() - GAP * (COLUMNS - 1) as f32) / COLUMNS as f32).floor();
        let picture = vec2(width, (width * SIZE.y / SIZE.x).round());
        let mut action = None;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = GAP;
            for row in tiles.chunks(COLUMNS) {
                let titles = row.iter().map(|tile| tile.map(|(_, preset)| self.title(ui, preset, active, width)));
                let titles: Vec<_> = titles.collect();
                let lines = titles.iter().flatten().map(|title| title.size().y).fold(0.0, f32::max);
                let size = vec2(ui.available_width(), picture.y + ABOVE_TITLE + lines);
                let (whole, _) = ui.allocate_exact_size(size, Sense::hover());
                for (column, (tile, title)) in row.iter().zip(titles).enumerate() {
                    let left = whole.left() + column as f32 * (width + GAP);
                    let corner = pos2(left, whole.top()).round_to_pixels(ui.pixels_per_point());
                    let rect = Rect::from_min_size(corner, picture);
                    match tile.zip(title) {
                        Some(((number, preset), title)) => {
                            let state = active.filter(|_| is_active(preset)).map(|(_, as_loaded)| as_loaded);
                            let place = (rect, vec2(width, size.y));
                            action = self.tile(ui, number, (preset, title), state, place, pictures).or(action.take());
                        }
                        None if more(ui, ("presets", FOLD), hidden, rect) => {
                            collapsing::set_unfolded(ui.ctx(), FOLD, !is_open)
                        }
                        None => {}
                    }
                }
            }
        });
        ui.add_space(4.0);
        self.line(ui, names).or(action)
    }

    fn is_sure(&self, preset: &PresetName) -> bool {
        self.to_delete.as_ref() == Some(&preset.name)
    }

    fn title(&self, ui: &Ui, preset: &PresetName, active: Option<(&str, bool)>, width: f32) -> Arc<Galley> {
        match active {
            _ if self.is_sure(preset) => title(ui, "Delete?", width),
            Some((name, false)) if name == preset.name => title(ui, &format!("{} *", preset.title), width),
            _ => title(ui, &preset.title, width),
        }
    }

    fn tile(
        &mut self,
        ui: &mut Ui,
        number: usize,
        (preset, text): (&PresetName, Arc<Galley>),
        as_loaded: Option<bool>,
        (rect, size): (Rect, egui::Vec2),
        pictures: &mut ViewPictures,
    ) -> Option<PresetAction> {
        let title = &preset.title;
        let place = Rect::from_min_size(rect.min, size);
        let response = ui.interact(place, ui.id().with(("preset", &preset.name)), Sense::click());
        let is_sure = self.is_sure(preset);
        let spoken = if is_sure { "Delete?" } else { title };
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, spoken));
        if ui.is_rect_visible(place) {
            let color = pictures.tile(ui, ("preset", &preset.name), rect, (&response, as_loaded.is_some()));
            let color = if is_sure { theme::BAD } else { color };
            ui.painter().galley(rect.center_bottom() + vec2(0.0, ABOVE_TITLE), text, color);
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
            let corner = Rect::from_min_size(rect.right_top() - vec2(18.0, 0.0), vec2(18.0, 18.0));
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
