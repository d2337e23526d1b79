//! Strip of the built-in scenes and images, over the picture.

use egui::{Align2, Color32, Frame, Margin, Rect, Sense, Ui, WidgetInfo, WidgetType, emath::GuiRounding as _, vec2};

use super::view_pictures::{SIZE, ViewPictures, picture_of_view};
use super::{OpenFiles, UiAction, UiState, messages, panel_rects, theme};
use scene::{GlassPanelKind, Source, picture::Motif};
use technique::Section;

/// Width of a picture, points.
const WIDTH: f32 = 52.0;
/// Height of its name.
pub(super) const NAME: f32 = 11.0;
const GAP: f32 = 4.0;
const SECTION: &str = "scene";
const NIGHT: f32 = -9.0;

struct Scene {
    name: &'static str,
    /// Below its picture.
    label: &'static str,
    title: &'static str,
    source: Source,
    /// Of the field `place` or `motif`.
    value: &'static str,
    /// Elevation in degrees, if it is not that of the first start.
    sun: Option<f32>,
}

const fn world(name: &'static str, label: &'static str, title: &'static str) -> Scene {
    Scene { name, label, title, source: Source::World, value: name, sun: None }
}

const fn image(name: &'static str, label: &'static str, title: &'static str) -> Scene {
    Scene { name, label, title, source: Source::Picture, value: name, sun: None }
}

const SCENES: [Scene; 13] = [
    world("court", "Court", "Court"),
    world("pool", "Pool", "Pool"),
    Scene {
        name: "night",
        label: "Night",
        title: "Pool at night",
        source: Source::World,
        value: "pool",
        sun: Some(NIGHT),
    },
    world("corridor", "Corridor", "Corridor of mirrors"),
    world("diffuse", "Clay", "Clay"),
    world("many", "Many", "Many copies"),
    image("dusk", "Dusk", "Image of a lake at dusk"),
    image("paper", "Paper", "Image of a printed page"),
    image("code", "Code", "Image of a page of code"),
    image("list", "List", "List of glass that scrolls"),
    image("dock", "Dock", "Dock of glass that magnifies"),
    image("keyboard", "Keyboard", "Keyboard of glass"),
    image("controls", "Controls", "Control centre of glass"),
];

impl Scene {
    /// What it sets, by the names of the fields.
    fn values(&self, section: &Section<'_>) -> Vec<(&'static str, toml::Value)> {
        let default = |name: &str| {
            let index = section.settings.index_of(name)?;
            Some(section.settings.fields()[index].default_value())
        };
        let (source, field) = match self.source {
            Source::World => ("world", "place"),
            Source::Picture => ("picture", "motif"),
        };
        let mut values = vec![("source", source.into()), (field, self.value.into())];
        if self.source == Source::World {
            let sun = self.sun.map(|sun| toml::Value::from(f64::from(sun))).or_else(|| default("sun_height"));
            values.extend(sun.map(|sun| ("sun_height", sun)));
        }
        values
    }

    fn tooltip(&self) -> String {
        let motif = Motif::ALL.iter().find(|motif| self.source == Source::Picture && motif.name() == self.value);
        let hint = motif.and_then(|motif| motif.hint()).map(|hint| format!(". {hint}"));
        format!("{}{}", self.title, hint.unwrap_or_default())
    }

    fn is_shown(&self, section: &Section<'_>, files: &OpenFiles) -> bool {
        let value = |name: &str| section.settings.index_of(name).map(|index| section.settings.value(index));
        let file = if self.source == Source::World { &files.world } else { &files.picture };
        let is_night = value("sun_height").and_then(|sun| sun.as_float()).is_some_and(|sun| sun < 0.0);
        let chosen = self.values(section).into_iter().take(2).all(|(name, wanted)| value(name) == Some(wanted));
        let is_dark_as_wanted = self.value != "pool" || is_night == self.sun.is_some();
        file.is_none() && chosen && is_dark_as_wanted
    }
}

/// Title and PNG of the built-in scene or image that settings name.
pub fn built_in_scene(sections: &[Section<'_>]) -> Option<(&'static str, &'static [u8])> {
    let section = sections.iter().find(|section| section.id == SECTION)?;
    let shown = SCENES.iter().find(|scene| scene.is_shown(section, &OpenFiles::default()))?;
    Some((shown.title, picture_of_view(SECTION, shown.name)?))
}

#[cfg(test)]
#[test]
fn a_scene_has_the_title_of_its_picture() {
    let mut settings = techniques::Settings::default();
    (settings.scene.place, settings.scene.sun_height) = (scene::Place::Pool, NIGHT);
    assert_eq!(built_in_scene(&settings.sections()).unwrap().0, "Pool at night");
}

/// In as many rows as `room` needs, in points.
pub(super) fn show(
    ui: &mut Ui,
    room: f32,
    state: &mut UiState<'_>,
    pictures: &mut ViewPictures,
    actions: &mut Vec<UiAction>,
) {
    let Some(at) = state.sections.iter().position(|section| section.id == SECTION) else { return };
    let reads_file = state.scene.loading.is_some_and(|loading| loading.can_cancel);
    let bar = Frame::new().corner_radius(12).inner_margin(Margin::same(6)).fill(theme::PANEL);
    panel_rects::show(ui, bar, GlassPanelKind::Toolbar, |ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        let most = ((room - 12.0 + GAP) / (WIDTH + GAP)).floor().max(1.0) as usize;
        let in_row = SCENES.len().div_ceil(SCENES.len().div_ceil(most));
        for scenes in SCENES.chunks(in_row) {
            ui.horizontal(|ui| {
                for scene in scenes {
                    let is_shown = !reads_file && scene.is_shown(&state.sections[at], state.scene.files);
                    let size = vec2(WIDTH, (WIDTH * SIZE.y / SIZE.x).round());
                    let (rect, response) = ui.allocate_exact_size(size + vec2(0.0, NAME), Sense::click());
                    let name_at = rect.center_bottom() + vec2(0.0, 1.0);
                    let rect = Rect::from_min_size(rect.min.round_to_pixels(ui.pixels_per_point()), size);
                    let loading = state.scene.loading.filter(|_| is_shown);
                    response.widget_info(|| {
                        let ending = if loading.is_some() { ", loading" } else { "" };
                        let spoken = format!("Scene: {}{ending}", scene.title);
                        WidgetInfo::selected(WidgetType::SelectableLabel, true, is_shown, spoken)
                    });
                    let color = pictures.tile(ui, (SECTION, scene.name), rect, (&response, is_shown));
                    ui.painter().text(name_at, Align2::CENTER_BOTTOM, scene.label, theme::font(theme::SMALL), color);
                    if let Some(loading) = loading {
                        ui.painter().rect_filled(rect, 4.0, Color32::from_black_alpha(150));
                        let rail = Rect::from_center_size(rect.center(), vec2(WIDTH - 16.0, 4.0));
                        messages::progress(ui, rail, loading.part);
                    }
                    if response.on_hover_text(scene.tooltip()).clicked() && !is_shown {
                        choose(scene, at, state, actions);
                    }
                }
            });
        }
    });
}

fn choose(scene: &Scene, at: usize, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
    let files = state.scene.files;
    let file = if scene.source == Source::World { &files.world } else { &files.picture };
    actions.extend(file.as_ref().map(|_| UiAction::Close(scene.source)));
    let section = &mut state.sections[at];
    for (name, value) in scene.values(section) {
        let Some(index) = section.settings.index_of(name) else { continue };
        if section.settings.value(index) != value && section.settings.set(index, &value).is_ok() {
            actions.push(UiAction::Changed { section: SECTION, field: name });
        }
    }
}
