//! Rectangles of glass panels; the renderer draws the glass, egui only their content.

use crate::scene::PlateKind;
use egui::{Color32, Context, Frame, Id, InnerResponse, Rect, Stroke, Ui};

/// A panel, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// The rectangle.
    pub rect: Rect,
    /// Corner radius.
    pub radius: f32,
    /// Kind of its content.
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

/// Called before the panels of a frame; `is_glass`: whether they are of glass.
pub(super) fn begin(ctx: &Context, is_glass: bool) {
    with(ctx, |glazing| *glazing = Glazing { is_glass, panes: Vec::new() });
}

/// Shows a panel with a dark background, or on glass.
pub(super) fn show<R>(ui: &mut Ui, frame: Frame, kind: PlateKind, add: impl FnOnce(&mut Ui) -> R) -> InnerResponse<R> {
    let is_glass = with(ui.ctx(), |glazing| glazing.is_glass);
    let radius = f32::from(frame.corner_radius.nw);
    let frame = if is_glass { frame.fill(Color32::TRANSPARENT).stroke(Stroke::NONE) } else { frame };
    let shown = frame.show(ui, add);
    let pane = Pane { rect: shown.response.rect, radius, kind };
    with(ui.ctx(), |glazing| glazing.panes.push(pane));
    shown
}

/// Rectangles of the last frame's glass panels.
pub fn panes(ctx: &Context) -> Vec<Pane> {
    with(ctx, |glazing| if glazing.is_glass { glazing.panes.clone() } else { Vec::new() })
}

/// Rectangles of the last frame's other panels.
pub fn sheets(ctx: &Context) -> Vec<Rect> {
    let of = |glazing: &mut Glazing| glazing.panes.iter().map(|pane| pane.rect).collect();
    with(ctx, |glazing| if glazing.is_glass { Vec::new() } else { of(glazing) })
}
