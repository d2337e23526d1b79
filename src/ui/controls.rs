//! Controls tab: view picker, presets, undo, and one section per group of settings, which begins with its views.

use egui::{Button, Ui, vec2};

use super::PanelKey;
use super::instruments::{Choice, Instruments, Switch};
use super::keys::{self, Shortcut};
use super::search::Search;
use super::settings::{enabled::Applies, panel};
use super::timings::{CostOf, TechniqueCost};
use super::{
    MeasurementState, Timings, UiAction, UiState, anchors, files, measurement, presets, report, settings::collapsing,
    theme, thumbnails, view_pictures::ViewPictures, views,
};
use base::text::{micros, percent};
use glass::ShaderLanguage;
use instrument::FrameResults;
use renderer::ActiveView;
use technique::{Info, Section};

#[derive(Default)]
pub struct Controls {
    pub(super) search: Search,
    presets: presets::Presets,
    files: files::PathField,
    pub(super) pictures: ViewPictures,
}

const OPEN: [&str; 1] = ["glass"];

const SCENE: &str = "scene";

impl Controls {
    pub fn type_path(&mut self, ctx: &egui::Context) {
        self.files.open();
        collapsing::unfold(ctx, SCENE);
    }

    pub fn file_opened(&mut self, file: &std::path::Path, is_opened: bool) {
        self.files.file_opened(file, is_opened);
    }

    pub fn show(
        &mut self,
        ui: &mut Ui,
        state: &mut UiState<'_>,
        (timings, instruments, switches): (&Timings, &Instruments, &[Switch]),
        (page, sheet): (&mut Option<String>, &mut Option<String>),
        actions: &mut Vec<UiAction>,
    ) -> Option<&'static str> {
        let mut pressed = None;
        let applies = Applies::of(&state.sections, state.scene.draws_world, state.scene.files);
        if state.infos.iter().any(|info| !info.views.is_empty()) {
            pressed = caption_row(ui, switches);
            actions.extend(views::picker(ui, state.infos, state.view.shown, &mut self.pictures).map(UiAction::View));
            let shown = state.view.shown.map(|shown| (shown.technique, shown.view.name));
            let of_view = |section: &&mut Section<'_>| shown.is_some_and(|(technique, _)| technique == section.id);
            if let (Some(section), Some(shown)) = (state.sections.iter_mut().find(of_view), shown) {
                let fields = panel::view_parameters(ui, shown, section.settings, &applies);
                actions.extend(fields.into_iter().map(|field| UiAction::Changed { section: section.id, field }));
            }
            ui.add_space(5.0);
        }
        ui.label(theme::caption("Presets"));
        actions.extend(self.presets.show(ui, state.presets.list, state.presets.active).map(UiAction::Preset));
        ui.add_space(2.0);
        history(ui, state.history, actions);
        ui.add_space(5.0);
        let mut sections: Vec<_> =
            state.sections.iter_mut().filter(|section| !section.settings.fields().is_empty()).collect();
        sections.sort_by_key(|section| (section.id != SCENE, !OPEN.contains(&section.id)));
        let mut choice = None;
        for section in sections.iter_mut().map(|section| &mut **section) {
            collapsing::rule(ui);
            let info = state.infos.iter().find(|info| info.id == section.id);
            let cost = timings.cost_of(section.id);
            let views = info.map(|info| Views { info, shown: state.view.shown, pictures: &mut self.pictures });
            let (page, sheet) = (&mut *page, &mut *sheet);
            let head = Head { info, cost, views, instruments, results: state.results, page, sheet };
            let files = (section.id == SCENE).then_some((&mut self.files, state.scene.files));
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
            actions.extend(section.and_then(|section| choice.make(ui.ctx(), section)));
            actions.extend(state.view.shown.filter(|_| choice.is_in_picture).map(|_| UiAction::View(None)));
        }
        pressed
    }
}

fn history(ui: &mut Ui, [can_undo, can_redo]: [bool; 2], actions: &mut Vec<UiAction>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        ui.spacing_mut().button_padding.x = 7.0;
        let mut button = |enabled, text, hint: &str, action: UiAction| {
            let button = ui.add_enabled(enabled, Button::new(text));
            if button.on_hover_text(hint).on_disabled_hover_text(hint).clicked() {
                actions.push(action);
            }
        };
        let [undo, redo] = [PanelKey::Undo, PanelKey::Redo].map(Shortcut::Panel);
        let [undo_hint, redo_hint] = [undo, redo].map(|key| keys::hint(keys::text(key), key));
        button(can_undo, "Undo", &undo_hint, UiAction::Undo);
        button(can_redo, "Redo", &redo_hint, UiAction::Redo);
        let hint =
            "Copy as command line: a command that starts the program with these settings, this view and this lens";
        let all = "Give every setting its default value, background, camera and display included; one lens in the middle, no view";
        let all = format!("{all} ({} undoes it)", keys::name(undo));
        button(true, "Defaults", &all, UiAction::Preset(presets::PresetAction::Reset));
        button(true, "Copy command", hint, UiAction::CopyCommandLine);
        let hint = "The lenses as one fragment shader, with these settings as constants, for other programs";
        let menu = ui.menu_button("Copy as", |ui| {
            for language in ShaderLanguage::ALL {
                if ui.button(language.name()).on_hover_text(language.hint()).clicked() {
                    actions.push(UiAction::CopyShader(language));
                    ui.close();
                }
            }
        });
        menu.response.on_hover_text(hint);
    });
}

/// The first switch is the leftmost one.
fn caption_row(ui: &mut Ui, switches: &[Switch]) -> Option<&'static str> {
    let mut pressed = None;
    ui.horizontal(|ui| {
        ui.label(theme::caption("View"));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for Switch { id, label, hint, is_on } in switches.iter().rev() {
                if ui.selectable_label(*is_on, theme::small(*label)).on_hover_text(*hint).clicked() {
                    pressed = Some(*id);
                }
            }
        });
    });
    pressed
}

struct Views<'a> {
    info: &'a Info,
    shown: Option<ActiveView>,
    pictures: &'a mut ViewPictures,
}

struct Head<'a> {
    info: Option<&'a Info>,
    cost: Option<TechniqueCost>,
    views: Option<Views<'a>>,
    instruments: &'a Instruments,
    results: FrameResults<'a>,
    page: &'a mut Option<String>,
    sheet: &'a mut Option<String>,
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
    files: Option<(&mut files::PathField, &super::OpenFiles)>,
    actions: &mut Vec<UiAction>,
) -> Option<Choice> {
    let Section { id, title, settings } = section;
    let Head { info, cost, views, instruments, results, page, sheet } = head;
    let has_page = info.is_some_and(|info| !info.doc.is_empty());
    let action = info.and_then(|info| info.action);
    let replays = info.map_or("", |info| info.lab.replays);
    let mut choice = None;
    let changed = panel::changed(*settings);
    let (mut opens_page, mut resets) = (false, false);
    let at_right = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        if has_page {
            opens_page = collapsing::sign(ui, "?", 12.5, &format!("Read about {title}"));
        }
        if !changed.is_empty() {
            let hint = format!("Reset all of {title} ({} changed)", changed.len());
            resets = collapsing::sign(ui, "↺", 13.0, &hint);
        }
        if let Some(TechniqueCost { us, share, of }) = cost {
            let (time, exact) = (micros(us), percent(share, 1));
            let (part, hint) = match of {
                CostOf::FullFrame(frames) => {
                    let steps = match frames {
                        1 => String::new(),
                        frames => format!(", in the {frames} steps in which it was drawn"),
                    };
                    let hint = format!("{title} takes {time} of the last full frame on the GPU, {exact} of it{steps}.");
                    (percent(share, 0), hint)
                }
                CostOf::LastSecond(in_frames) => {
                    let seldom = in_frames.as_ref().map_or(String::new(), |part| format!(" It runs in {part} frames."));
                    let hint = format!(
                        "{title} takes {time} per displayed frame on the GPU, {exact} (mean of the last second).{seldom}"
                    );
                    (in_frames.unwrap_or_else(|| percent(share, 0)), hint)
                }
            };
            let badge = format!("{time} · {part}");
            ui.add_space(2.0);
            ui.label(theme::figure(badge).color(theme::QUIET)).on_hover_text(hint);
        }
    };
    let mut fields = Vec::new();
    let doc = settings.doc();
    collapsing::fold(ui, id, title, OPEN.contains(id), doc, at_right, |ui| {
        if let Some(Views { info, shown, pictures }) = views.filter(|views| !views.info.views.is_empty()) {
            let shown = ui.scope(|ui| thumbnails::show(ui, info, shown, pictures));
            anchors::note(ui, || format!("control views of {id}"), shown.response.rect);
            actions.extend(shown.inner.map(UiAction::View));
        }
        if let Some((field, names)) = files {
            actions.extend(files::show(ui, field, names));
        }
        if action.is_some_and(|(label, doc)| button(ui, id, label, doc)) {
            actions.push(UiAction::Act(id));
        }
        if !replays.is_empty() && button(ui, id, "Step by step", replays) {
            actions.push(UiAction::Replay { technique: id, pixel: None });
        }
        choice = info.and_then(|info| instruments.links(ui, info));
        if let Some(measurement) = measured.measurements.iter().find(|one| one.id == *id) {
            measurement::show(ui, measurement, sheet, actions);
        }
        fields = panel::fields(ui, id, *settings, applies);
        instruments.card(ui, id, &results, actions);
        for (_, table) in measured.reports.iter().filter(|(of, _)| of == id) {
            report::show(ui, table);
        }
    });
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
