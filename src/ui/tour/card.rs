//! Card of a step, card that offers the tour, and outline of a control.

use egui::{Align2, Button, Context, Id, Label, LayerId, Order, Rect, RichText, Stroke, StrokeKind, Ui, vec2};

use super::step::TourStep;
use crate::layout::opaque;
use crate::settings::collapsing;
use crate::theme;

pub const WIDTH: f32 = 300.0;
pub const OFFER: f32 = 160.0;
/// Height of three lines of text.
const TEXT: f32 = 44.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    Next,
    Leave,
}

pub(super) fn show(
    ctx: &Context,
    space: Rect,
    step: &TourStep,
    [number, count]: [usize; 2],
    is_done: bool,
) -> (Option<Answer>, Rect) {
    let mut answer = None;
    let place = framed(ctx, space, WIDTH, |ui| {
        ui.horizontal(|ui| {
            ui.label(theme::heading(&step.title));
            theme::from_right(ui, |ui| {
                if collapsing::cross(ui, "Leave the tour; the menu has it") {
                    answer = Some(Answer::Leave);
                }
                ui.label(theme::small(format!("{number} of {count}")));
            });
        });
        // As high with a short text: the button stays where it is.
        let text = ui.add(Label::new(&step.text).wrap());
        ui.add_space((TEXT - text.rect.height()).max(0.0) + 2.0);
        ui.horizontal(|ui| {
            if !step.key.is_empty() {
                ui.label(theme::key(&step.key));
            }
            theme::from_right(ui, |ui| {
                let last = number == count;
                let (label, hint) = match (is_done, last) {
                    (true, false) => ("Next", ""),
                    (true, true) => ("End", ""),
                    (false, _) => ("Skip", "Without doing this one"),
                };
                let mut button = Button::new(label).min_size(vec2(64.0, theme::ROW));
                if is_done {
                    button = button.fill(theme::CHOSEN);
                }
                let mut response = ui.add(button);
                if !hint.is_empty() {
                    response = response.on_hover_text(hint);
                }
                if response.clicked() {
                    answer = Some(Answer::Next);
                }
                if is_done {
                    ui.label(RichText::new("Done").color(theme::GOOD));
                }
            });
        });
    });
    (answer, place)
}

pub(super) fn offer(ctx: &Context, space: Rect, count: usize) -> (Option<bool>, Rect) {
    let mut answer = None;
    let place = framed(ctx, space, OFFER, |ui| {
        ui.horizontal(|ui| {
            let start = ui.add(Button::new("Start the tour").fill(theme::CHOSEN));
            if start.on_hover_text(format!("{count} short steps, each done by your own hand")).clicked() {
                answer = Some(true);
            }
            if collapsing::cross(ui, "Not now; the menu ( ... ) has it") {
                answer = Some(false);
            }
        });
    });
    (answer, place)
}

/// Over the picture, where it moves no row of the panels.
fn framed(ctx: &Context, space: Rect, width: f32, add: impl FnOnce(&mut Ui)) -> Rect {
    let frame = theme::chip().stroke(Stroke::new(1.0, theme::ACCENT.gamma_multiply(0.6)));
    opaque(ctx, "tour", (space, Align2::RIGHT_BOTTOM), frame, |ui, inner| {
        ctx.move_to_top(ui.layer_id());
        ui.set_width(inner.x.min(width - frame.total_margin().sum().x));
        ui.spacing_mut().item_spacing.y = 5.0;
        add(ui);
    })
}

pub(super) fn outline(ctx: &Context, place: Rect) {
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::new("tour outline")));
    painter.rect_stroke(place, 6.0, Stroke::new(2.0, theme::ACCENT), StrokeKind::Inside);
}
