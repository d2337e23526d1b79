//! Panels of glass: where they lie, for the renderer to draw glass there, with nothing of their own but what stands on them.

use crate::scene::PlateKind;
use egui::{Color32, Context, Frame, Id, InnerResponse, Rect, Stroke, Ui};

/// A panel, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// Where it lies.
    pub rect: Rect,
    /// Of its round corners.
    pub radius: f32,
    /// What stands on it.
    pub kind: PlateKind,
}

#[derive(Clone, Default)]
struct Glazing {
    is_glass: bool,
    panes: Vec<Pane>,
}

fn with<T>(ctx: &Context, work: impl FnOnce(&mut Glazing) -> T) -> T {
    ctx.data_mut(|data| work(data.get_temp_mut_or_default(Id::new("glazing"))))
}

/// Before the panels of a frame: whether they are of glass.
pub(super) fn begin(ctx: &Context, is_glass: bool) {
    with(ctx, |glazing| *glazing = Glazing { is_glass, panes: Vec::new() });
}

/// Shows a panel: on a dark sheet, or on glass.
pub(super) fn show<R>(ui: &mut Ui, frame: Frame, kind: PlateKind, add: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    let is_glass = with(ui.ctx(), |glazing| glazing.is_glass);
    let radius = f32::from(frame.corner_radius.nw);
    let frame = if is_glass { frame.fill(Color32::TRANSPARENT).stroke(Stroke::NONE) } else { frame };
    let shown = frame.show(ui, add);
    let pane = Pane { rect: shown.response.rect, radius, kind };
    with(ui.ctx(), |glazing| glazing.panes.push(pane));
    shown
}

/// The panes of the last frame: panels that are to be of glass.
pub fn panes(ctx: &Context) -> Vec<Pane> {
    with(ctx, |glazing| if glazing.is_glass { glazing.panes.clone() } else { Vec::new() })
}

/// Panels of the last frame that are not of glass.
pub fn sheets(ctx: &Context) -> Vec<Rect> {
    let of = |glazing: &mut Glazing| glazing.panes.iter().map(|pane| pane.rect).collect();
    with(ctx, |glazing| if glazing.is_glass { Vec::new() } else { of(glazing) })
}
