//! Size of the page, and floating areas.

use super::{panel_rects, theme};
use egui::{Align2, Area, Context, Frame, Id, Label, Order, Rect, RichText, ScrollArea, Ui, Vec2, vec2};
use scene::GlassPanelKind;

/// Points, in a wide enough window.
const PAGE: f32 = 680.0;

/// Smaller panels are not drawn: nothing could be read, and egui takes no negative sizes.
pub(super) const LEAST: Vec2 = vec2(200.0, 64.0);

const FADE: f32 = 20.0;
const FADE_STEPS: usize = 8;
/// Opacity that each step adds; high contrast leaves it as it is.
const FADE_PART: f32 = 0.24;

/// Panel of a pinned pass.
pub(super) const PINNED: Vec2 = vec2(348.0, 340.0);

/// Leaves a lens visible beside the page if there is room for both.
pub(super) fn page_width(free: Rect) -> f32 {
    PAGE.min((free.width() * 0.55).max(380.0)).min(free.width())
}

pub fn outside(whole: Rect, holes: &[Rect]) -> Vec<Rect> {
    let mut parts = vec![whole];
    for hole in holes {
        let around = |part: Rect| {
            let hole = hole.intersect(part);
            if !hole.is_positive() {
                return vec![part];
            }
            let row = part.with_min_y(hole.top()).with_max_y(hole.bottom());
            let sides = [row.with_max_x(hole.left()), row.with_min_x(hole.right())];
            let ends = [part.with_max_y(hole.top()), part.with_min_y(hole.bottom())];
            sides.into_iter().chain(ends).filter(|part| part.is_positive()).collect()
        };
        parts = parts.into_iter().flat_map(around).collect();
    }
    parts
}

/// Area over the picture, anchored to a corner or side of `space`.
pub(super) fn floating(ctx: &Context, name: &str, space: Rect, align: Align2, add: impl FnOnce(&mut Ui)) -> Rect {
    // The panels may leave an empty area.
    let space = Rect { max: space.max.max(space.min), ..space };
    // Without fade-in: slow frames would show it late.
    let area = Area::new(Id::new(name)).order(Order::Middle).pivot(align).fixed_pos(align.pos_in_rect(&space));
    let area = area.fade_in(false);
    area.constrain_to(space.expand(1.0))
        .default_size(space.size())
        .show(ctx, |ui| {
            ui.set_max_size(space.size());
            add(ui);
        })
        .response
        .rect
}

/// The same, of glass or with a background. `add` gets the room inside.
pub(super) fn of_glass(
    ctx: &Context,
    name: &str,
    (space, align): (Rect, Align2),
    frame: Frame,
    add: impl FnOnce(&mut Ui, Vec2),
) -> Rect {
    let inner = room(space, &frame);
    floating(ctx, name, space, align, |ui| {
        panel_rects::show(ui, frame, GlassPanelKind::Panel, |ui| add(ui, inner));
    })
}

fn room(space: Rect, frame: &Frame) -> Vec2 {
    (space.size() - frame.total_margin().sum()).max(Vec2::ZERO)
}

/// The same, always with a background.
pub(super) fn opaque(
    ctx: &Context,
    name: &str,
    (space, align): (Rect, Align2),
    frame: Frame,
    add: impl FnOnce(&mut Ui, Vec2),
) -> Rect {
    let inner = room(space, &frame);
    floating(ctx, name, space, align, |ui| {
        let shown = frame.show(ui, |ui| add(ui, inner));
        panel_rects::note_opaque(ui.ctx(), shown.response.rect);
    })
}

/// Of a scroll area, the ends fade where more follows.
pub(super) fn scrolled<T>(ui: &mut Ui, area: ScrollArea, add: impl FnOnce(&mut Ui) -> T) -> T {
    let shown = area.show(ui, add);
    let (place, above) = (shown.inner_rect, shown.state.offset.y);
    let below = shown.content_size.y - above - place.height();
    // Rectangles over one another, which also fade in a light theme.
    let steps = if panel_rects::is_glass(ui.ctx()) { FADE_STEPS / 2 } else { FADE_STEPS };
    for step in 1..=steps {
        let depth = |hidden: f32| hidden.clamp(0.0, FADE) * step as f32 / steps as f32;
        let ends = [place.with_max_y(place.top() + depth(above)), place.with_min_y(place.bottom() - depth(below))];
        for end in ends.into_iter().filter(|end| end.height() > 0.0) {
            ui.painter().rect_filled(end, 0.0, theme::PANEL.gamma_multiply(FADE_PART));
        }
    }
    shown.inner
}

/// A name, and what it names beside it; both wrap.
pub(super) fn named(ui: &mut Ui, name: RichText, what: Label) {
    ui.horizontal_top(|ui| {
        let width = ui.available_width() * 0.36 - 6.0;
        ui.scope(|ui| {
            ui.set_width(width);
            ui.add(Label::new(name).wrap());
        });
        ui.add(what.wrap());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn parts_cover_all_but_the_holes() {
        let rect = |[left, top, right, bottom]: [f32; 4]| Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        let whole = rect([0.0, 0.0, 20.0, 10.0]);
        let holes = [[2.0, 2.0, 6.0, 8.0], [5.0, 1.0, 9.0, 4.0], [15.0, -3.0, 30.0, 20.0], [40.0, 0.0, 50.0, 9.0]];
        for count in 0..=holes.len() {
            let holes: Vec<Rect> = holes[..count].iter().copied().map(rect).collect();
            let parts = outside(whole, &holes);
            for (x, y) in (0..20).flat_map(|x| (0..10).map(move |y| (x as f32 + 0.5, y as f32 + 0.5))) {
                let is_hole = holes.iter().any(|hole| hole.contains(pos2(x, y)));
                let found = parts.iter().filter(|part| part.contains(pos2(x, y))).count();
                assert_eq!(found, usize::from(!is_hole), "{x} {y} of {count}");
            }
        }
    }
}
