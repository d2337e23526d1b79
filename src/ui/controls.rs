//! Sections of settings in their tabs: presets and glass, techniques with their views and times, display.

use egui::{Button, Ui, containers::menu::MenuButton, vec2};

use super::dock::Tab;
use super::instruments::{Choice, Instruments};
use super::keys::Shortcut;
use super::search::Search;
use super::settings::{enabled::Applies, panel};
use super::timings::{self, CostOf, TechniqueCost};
use super::{
    MeasurementState, Timings, UiAction, UiState, anchors, files, measurement, presets, report, settings::collapsing,
    theme, thumbnails, view_pictures::ViewPictures,
};
use base::{
    settings::{AnySettings, FieldKind},
    text::{micros, percent},
};
use glass::ShaderLanguage;
use instrument::FrameResults;
use renderer::ActiveView;
use scene::picture::Motif;
use technique::{Info, Section};

/// Width of a state of a cost, points.
const STATE: f32 = 38.0;
const ARROW: f32 = 8.0;

#[derive(Default)]
pub struct Controls {
    pub(super) search: Search,
    presets: presets::Presets,
    pub(super) path: files::PathField,
    pub(super) pictures: ViewPictures,
}

const SCENE: &str = "scene";

const GLASS: &str = "glass";

impl Controls {
    pub fn show(
        &mut self,
        ui: &mut Ui,
        tab: Tab,
        state: &mut UiState<'_>,
        (timings, instruments, is_idle): (&Timings, &Instruments, bool),
        (page, sheet): (&mut Option<String>, &mut Option<String>),
        actions: &mut Vec<UiAction>,
    ) {
        let applies = Applies::of(&state.sections, state.scene.draws_world, state.scene.files);
        if tab == Tab::Glass {
            ui.label(theme::caption("Presets"));
            let presets = self.presets.show(ui, state.presets.list, state.presets.active, &mut self.pictures);
            actions.extend(presets.map(UiAction::Preset));
            ui.add_space(4.0);
            copy_as(ui, actions);
            ui.add_space(5.0);
        }
        let owners = timings::Owners(state.infos);
        let mut sections: Vec<_> =
            state.sections.iter_mut().filter(|section| !section.settings.fields().is_empty()).collect();
        let mut choice: Option<Choice> = None;
        for section in sections.iter_mut().map(|section| &mut **section) {
            let is_here = Tab::of(section.id) == tab;
            // The glass is a technique, too: its row has all but its settings.
            let has_fields = is_here || section.id != GLASS;
            if !is_here && (has_fields || tab != Tab::Techniques) {
                continue;
            }
            if tab != Tab::Techniques {
                collapsing::rule(ui);
            }
            let info = state.infos.iter().find(|info| info.id == section.id);
            let info = info.filter(|_| tab == Tab::Techniques);
            let head = Head {
                info,
                color: info.map(|info| owners.color(info.id)),
                has_fields,
                is_open: tab == Tab::Inspect || section.id == GLASS && is_here,
                cost: info.and_then(|info| timings.cost_of(info.id)).map(|cost| cost.at(is_idle)),
                shown: state.view.shown,
                pictures: &mut self.pictures,
                instruments,
                results: state.results,
                page: &mut *page,
                sheet: &mut *sheet,
            };
            let files = (&mut self.path, Some(state.scene.files).filter(|_| section.id == SCENE));
            let before = actions.len();
            let chosen = show_section(ui, section, head, state.measured, &applies, files, actions);
            choice = choice.or(chosen);
            // A page would cover the steps.
            if actions[before..].iter().any(|action| matches!(action, UiAction::Replay { .. })) {
                (*page, *sheet) = (None, None);
            }
        }
        if let Some(choice) = choice {
            let section = sections.into_iter().find(|section| section.id == choice.section);
            actions.extend(section.and_then(|section| choice.make(section)));
            actions.extend(state.view.shown.filter(|_| choice.is_in_picture).map(|_| UiAction::View(None)));
        }
    }
}

fn copy_as(ui: &mut Ui, actions: &mut Vec<UiAction>) {
    let hint =
        "This glass for a program of your own: one fragment shader with the lenses and their settings as constants";
    let (arrow, text) = (egui::Id::new("arrow"), "Copy lenses as shader");
    let button = Button::new((text, egui::Atom::custom(arrow, vec2(ARROW, ARROW))));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for language in ShaderLanguage::ALL {
            if ui.button(language.name()).on_hover_text(language.hint()).clicked() {
                actions.push(UiAction::CopyShader(language));
                ui.close();
            }
        }
    });
    let at = response.rect.right_center() - vec2(ui.spacing().button_padding.x + 0.5 * ARROW, 0.0);
    collapsing::chevron(ui, at, 1.0, theme::QUIET);
    response.on_hover_text(hint);
}

struct Head<'a> {
    info: Option<&'a Info>,
    color: Option<egui::Color32>,
    has_fields: bool,
    /// At first.
    is_open: bool,
    cost: Option<TechniqueCost>,
    shown: Option<ActiveView>,
    pictures: &'a mut ViewPictures,
    instruments: &'a Instruments,
    results: FrameResults<'a>,
    page: &'a mut Option<String>,
    sheet: &'a mut Option<String>,
}

/// Value of the first field if it is a choice or a switch: which method runs.
fn main_choice(settings: &dyn AnySettings) -> String {
    let Some((index, field)) = settings.fields().iter().enumerate().find(|(_, field)| field.is_setting()) else {
        return String::new();
    };
    match (field.kind, settings.value(index)) {
        (FieldKind::Choice(choices), value) => {
            let chosen = choices.iter().find(|choice| value.as_str() == Some(choice.name));
            chosen.map_or(String::new(), |choice| choice.title())
        }
        (_, toml::Value::Boolean(is_on)) => if is_on { "on" } else { "off" }.into(),
        _ => String::new(),
    }
}

fn button(ui: &mut Ui, section: &str, label: &str, doc: &str) -> bool {
    let button = Button::new(theme::middle(label)).min_size(vec2(ui.available_width(), theme::ROW + 2.0));
    let response = ui.add(button).on_hover_text(doc);
    anchors::note(ui, || format!("control {label} of {section}"), response.rect);
    ui.add_space(2.0);
    response.clicked()
}

fn show_section(
    ui: &mut Ui,
    section: &mut Section<'_>,
    head: Head<'_>,
    measured: MeasurementState<'_>,
    applies: &Applies,
    (path, files): (&mut files::PathField, Option<&super::OpenFiles>),
    actions: &mut Vec<UiAction>,
) -> Option<Choice> {
    let Section { id, title, settings } = section;
    let Head { info, color, has_fields, is_open, cost, shown, pictures, instruments, results, page, sheet } = head;
    let mut choice = None;
    let changed = if has_fields { panel::changed(*settings) } else { Vec::new() };
    let (mut opens_page, mut resets) = (false, false);
    let has_page = info.is_some_and(|info| !info.doc.is_empty());
    let bar = cost.as_ref().map(|cost| cost.share as f32);
    let at_right = |ui: &mut Ui, is_open: bool| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if has_page {
            opens_page = collapsing::sign(ui, "?", &format!("Read about {title}"));
        }
        if !changed.is_empty() && is_open {
            let hint = format!("Reset all of {title} ({} changed)", changed.len());
            resets = collapsing::sign(ui, "↺", &hint);
        }
        match cost {
            Some(TechniqueCost { us, share, of, is_now }) => {
                let (time, exact) = (micros(us), percent(share, 1));
                let hint = match of {
                    CostOf::FullFrame(frames) => {
                        let steps = format!(", in the {frames} steps in which it was drawn");
                        let steps = if frames > 1 { &steps } else { "" };
                        format!("{title} takes {time} of the last full frame on the GPU, {exact} of it{steps}.")
                    }
                    CostOf::LastSecond(in_frames) => {
                        let seldom = in_frames.map_or(String::new(), |part| format!(" It runs in {part} frames."));
                        format!(
                            "{title} takes {time} per displayed frame on the GPU, {exact} (mean of the last second).{seldom}"
                        )
                    }
                };
                let state = if is_now { "now" } else { "at rest" };
                ui.add_sized(vec2(STATE, 14.0), egui::Label::new(theme::small(state))).on_hover_text(&hint);
                ui.label(theme::figure(time)).on_hover_text(hint);
            }
            None if info.is_some() => {
                ui.add_sized(vec2(STATE, 14.0), egui::Label::new(theme::small("—")))
                    .on_hover_text("It did not run in the last full frame.");
            }
            None => {}
        }
    };
    let mut fields = Vec::new();
    let note = if color.is_some() && has_fields { main_choice(*settings) } else { String::new() };
    let heading = collapsing::Heading { title, note: &note, dot: color, bar, tooltip: settings.doc() };
    let key = if has_fields { id.to_string() } else { format!("{id} technique") };
    let mut body = |ui: &mut Ui| {
        if let Some(info) = info.filter(|info| !info.views.is_empty()) {
            let of_view = shown.filter(|shown| shown.technique == info.id).map(|shown| shown.view.name);
            let shown = ui.scope(|ui| thumbnails::show(ui, info, shown, pictures));
            anchors::note(ui, || format!("control views of {id}"), shown.response.rect);
            actions.extend(shown.inner.map(UiAction::View));
            // The glass has them, too, where its settings are not.
            if let Some(view) = of_view {
                fields.extend(panel::view_parameters(ui, (id, view), *settings, applies));
            }
        }
        actions.extend(files.and_then(|names| files::show(ui, names)));
        if info.and_then(|info| info.action).is_some_and(|(label, doc)| button(ui, id, label, doc)) {
            actions.push(UiAction::Act(id));
        }
        let replays = info.map_or("", |info| info.lab.replays);
        if !replays.is_empty() && button(ui, id, "Step by step", replays) {
            actions.push(UiAction::Replay { technique: id, pixel: None });
        }
        choice = info.and_then(|info| instruments.links(ui, info, &results, actions));
        let measurement = measured.measurements.iter().find(|one| info.is_some() && one.id == *id);
        measurement.into_iter().for_each(|one| measurement::show(ui, one, sheet, actions));
        if has_fields {
            // The settings of the glass are apart from its measurement.
            let chooser = measured.measurements.iter().find(|one| *id == GLASS && one.id == GLASS);
            fields.extend(panel::fields(ui, id, *settings, applies, |ui, field| {
                let of_field = chooser.filter(|one| one.measures.chooses == field);
                of_field.into_iter().for_each(|one| measurement::button(ui, one, sheet, actions));
                actions.extend(path.show(ui, Some(field)));
            }));
            if let Some(field) = files::take_wish(ui.ctx()) {
                path.asked_by = Some(field);
                actions.push(UiAction::Shortcut(Shortcut::Open));
            }
            instruments.card(ui, id, &results, actions);
        } else {
            ui.label(theme::small("Its settings are in the Glass tab."));
        }
        for (_, table) in measured.reports.iter().filter(|(of, _)| of == id && (info.is_some() || has_fields)) {
            report::show(ui, table);
        }
    };
    // The tab of the glass has its settings, and needs no heading.
    if has_fields && *id == GLASS {
        ui.horizontal(|ui| {
            ui.label(theme::caption(if applies.motif().is_some() { "Glass of the scene" } else { "Lens" }));
            theme::from_right(ui, |ui| at_right(ui, true));
        });
        if let Some(hint) = applies.motif().and_then(Motif::hint) {
            theme::note(ui, format!("{hint} Your lenses come back with another scene."));
        }
        body(ui);
    } else {
        collapsing::fold(ui, &key, heading, is_open, at_right, body);
    }
    if resets {
        for index in changed {
            settings.reset(index);
            fields.push(settings.fields()[index].name);
        }
    }
    if opens_page {
        *page = Some(id.to_string());
    }
    actions.extend(fields.into_iter().map(|field| UiAction::Changed { section: id, field }));
    choice
}
