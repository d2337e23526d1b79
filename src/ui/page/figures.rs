//! Figures of a page: steps of the technique's replay of the present picture.

use super::super::replay::{figure_of, note, tile_pixel};
use super::super::{UiAction, UiState, theme};
use base::markdown::Block;
use egui::{Context, Label, RichText, Ui};
use technique::{Info, Replay};

#[derive(Debug, Default)]
pub struct PageFigures {
    asked: Option<&'static str>,
    /// The user goes on with the steps when the page closes.
    is_kept: bool,
}

impl PageFigures {
    pub(super) fn request(
        &mut self,
        info: &Info,
        page: &[Block<'_>],
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        let has_figures = page.iter().any(|block| matches!(block, Block::Figure(_)));
        // Steps are of one picture.
        let is_possible = has_figures && !info.lab.replays.is_empty() && state.pair.is_none();
        if is_possible && self.asked != Some(info.id) {
            self.ask(info, state, actions);
        }
    }

    fn ask(&mut self, info: &Info, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
        self.asked = Some(info.id);
        if replay_of(info, state).is_none() {
            actions.push(UiAction::Replay { technique: info.id, pixel: None });
        }
    }

    pub(crate) fn settle(&mut self, open: Option<&str>, actions: &mut Vec<UiAction>) {
        if self.asked.is_some_and(|asked| open != Some(asked)) {
            self.asked = None;
            // The section's button closes the page for the steps that it requests.
            let is_asked = actions.iter().any(|action| matches!(action, UiAction::Replay { .. }));
            if !std::mem::take(&mut self.is_kept) && !is_asked {
                actions.push(UiAction::EndReplay);
            }
        }
    }

    pub(super) fn go_on(&mut self, info: &Info, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
        self.is_kept = true;
        self.ask(info, state, actions);
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// A setting has changed: the same tile again.
    pub(super) fn renew(&self, ctx: &Context, info: &Info, state: &UiState<'_>, actions: &mut Vec<UiAction>) {
        if self.asked == Some(info.id)
            && let Some(replay) = replay_of(info, state)
        {
            let pixel = Some(tile_pixel(ctx, &replay.tiles));
            actions.push(UiAction::Replay { technique: info.id, pixel });
        }
    }

    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        info: &Info,
        name: &str,
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) {
        ui.add_space(4.0);
        theme::well().show(ui, |ui| {
            ui.set_width(ui.available_width());
            let replay = replay_of(info, state);
            let step = replay.and_then(|replay| (1..).zip(&replay.steps).find(|(_, step)| step.name == name));
            match (replay, step) {
                (Some(replay), Some((number, step))) => {
                    figure_of(ui, replay, step);
                    let title = RichText::new(format!("{number}. {}", step.name)).color(theme::STRONG);
                    ui.label(title);
                    ui.add(Label::new(RichText::new(&step.sentence).color(theme::TEXT)).wrap());
                    note(ui, replay);
                    self.buttons(ui, info, replay, actions);
                }
                (Some(_), None) => {
                    let text = format!("The step \"{name}\" is missing in this picture or with these settings.");
                    ui.label(theme::small(text));
                }
                (None, _) => {
                    ui.horizontal_wrapped(|ui| {
                        ui.label(theme::small(format!("Figure: {name}.")));
                        if ui.button("Draw it of this picture").clicked() {
                            actions.push(UiAction::Replay { technique: info.id, pixel: None });
                        }
                    });
                }
            }
        });
        ui.add_space(6.0);
    }

    fn buttons(&mut self, ui: &mut Ui, info: &Info, replay: &Replay, actions: &mut Vec<UiAction>) {
        ui.horizontal_wrapped(|ui| {
            let hint = "Close the page and play all steps";
            self.is_kept |= ui.button("All steps").on_hover_text(hint).clicked();
            if ui.button("Again").on_hover_text("Draw it of the present frame").clicked() {
                let pixel = Some(tile_pixel(ui.ctx(), &replay.tiles));
                actions.push(UiAction::Replay { technique: info.id, pixel });
            }
            let is_equal = replay.comparisons.iter().all(|one| one.is_equal());
            let (text, color) = match is_equal {
                true => ("= the GPU's result", theme::GOOD),
                false => ("\u{2260} the GPU's result", theme::BAD),
            };
            let all: Vec<&str> = replay.comparisons.iter().map(|one| one.text.as_str()).collect();
            ui.label(theme::small(text).color(color)).on_hover_text(all.join(".\n"));
        });
    }
}

fn replay_of<'a>(info: &Info, state: &UiState<'a>) -> Option<&'a Replay> {
    state.results.steps.filter(|replay| replay.technique == info.id)
}
