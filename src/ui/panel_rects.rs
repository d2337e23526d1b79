//! Rectangles of glass panels; the renderer draws the glass, egui only their content.

use egui::{Color32, Context, Frame, Id, InnerResponse, Rect, Stroke, Ui};
use scene::GlassPanelKind;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    pub rect: Rect,
    pub radius: f32,
    pub kind: GlassPanelKind,
}

#[derive(Clone, Default)]
struct FramePanels {
    is_glass: bool,
    panes: Vec<Pane>,
}

fn with<T>(ctx: &Context, work: impl FnOnce(&mut FramePanels) -> T) -> T {
    ctx.data_mut(|data| work(data.get_temp_mut_or_default(Id::new("panels"))))
}

pub(super) fn begin(ctx: &Context, is_glass: bool) {
    with(ctx, |panels| *panels = FramePanels { is_glass, panes: Vec::new() });
}

pub(super) fn is_glass(ctx: &Context) -> bool {
    with(ctx, |panels| panels.is_glass)
}

pub(super) fn show<R>(
    ui: &mut Ui,
    frame: Frame,
    kind: GlassPanelKind,
    add: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<R> {
    let is_glass = is_glass(ui.ctx());
    let radius = f32::from(frame.corner_radius.nw);
    let frame = if is_glass { frame.fill(Color32::TRANSPARENT).stroke(Stroke::NONE) } else { frame };
    let shown = frame.show(ui, add);
    let pane = Pane { rect: shown.response.rect, radius, kind };
    with(ui.ctx(), |panels| panels.panes.push(pane));
    shown
}

/// A panel with its own background, glass or not.
pub(super) fn note_opaque(ctx: &Context, rect: Rect) {
    let pane = Pane { rect, radius: 0.0, kind: GlassPanelKind::Panel };
    with(ctx, |panels| panels.panes.extend((!panels.is_glass).then_some(pane)));
}

/// Of the last frame; so are the opaque ones.
pub fn panes(ctx: &Context) -> Vec<Pane> {
    with(ctx, |panels| if panels.is_glass { panels.panes.clone() } else { Vec::new() })
}

pub fn opaque_rects(ctx: &Context) -> Vec<Rect> {
    let of = |panels: &mut FramePanels| panels.panes.iter().map(|pane| pane.rect).collect();
    with(ctx, |panels| if panels.is_glass { Vec::new() } else { of(panels) })
}
