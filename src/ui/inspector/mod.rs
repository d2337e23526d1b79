//! Pixel inspector: a loupe at the pointer, and the story of a pixel with its rays over the picture.

mod input;
mod loupe;
mod section;
mod story_panel;
#[cfg(test)]
mod tests;

pub use self::input::{InspectorState, PixelStory};
pub use self::loupe::REACH;

use super::layout::outside;
use super::replay::mesh_of;
use super::viewer::{PassViewer, ViewerState};
use super::{UiAction, theme};
use crate::techniques::Info;
use egui::{Color32, Context, CursorIcon, Id, LayerId, Order, Pos2, Rect, Shape, Stroke, pos2};

#[derive(Debug, Default)]
pub struct Inspector {
    is_on: bool,
    pixel: Option<[u32; 2]>,
}

impl Inspector {
    pub fn toggle(&mut self) {
        (self.is_on, self.pixel) = (!self.is_on, None);
    }

    pub fn end(&mut self) {
        (self.is_on, self.pixel) = (false, None);
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }

    pub fn pixel(&self) -> Option<[u32; 2]> {
        self.pixel
    }

    /// Left, top, width, height.
    pub fn region(&self) -> Option<[u32; 4]> {
        let [left, top] = self.pixel?.map(|at| at.saturating_sub(REACH));
        Some([left, top, 2 * REACH + 1, 2 * REACH + 1])
    }

    pub(super) fn show(
        &mut self,
        ctx: &Context,
        state: &InspectorState<'_>,
        (viewer, passes, free): (&PassViewer, &ViewerState<'_>, Rect),
        actions: &mut Vec<UiAction>,
    ) {
        self.pixel = None;
        let Some(at) = ctx.pointer_hover_pos().filter(|_| self.is_on) else { return };
        let is_on_panel = ctx.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
        let loupe = if is_on_panel {
            viewer.pointed(at, passes).map(|pointed| loupe::of_resource(&pointed))
        } else {
            ctx.set_cursor_icon(CursorIcon::Crosshair);
            let scale = ctx.pixels_per_point();
            let pixel = [at.x, at.y].map(|at| (at * scale).max(0.0) as u32);
            self.pixel = Some(pixel).filter(|_| state.is_readable);
            if state.is_readable && ctx.input(|input| input.pointer.primary_clicked()) {
                actions.push(UiAction::Explain(Some(pixel)));
            }
            Some(loupe::of_final_image(pixel, state))
        };
        loupe.into_iter().for_each(|loupe| loupe.show(ctx, at, free));
    }

    /// On the side of `space` where its pixel is not; returns its rectangle.
    pub(super) fn story(
        &self,
        ctx: &Context,
        space: Rect,
        state: &InspectorState<'_>,
        infos: &[Info],
        (holes, actions): (&[Rect], &mut Vec<UiAction>),
    ) -> Option<Rect> {
        let scale = ctx.pixels_per_point();
        let is_right = |pixel: [u32; 2]| pixel[0] as f32 / scale > space.center().x;
        if let Some(pixel) = state.awaited {
            return story_panel::show_awaited(ctx, space, is_right(pixel), pixel);
        }
        let story = state.story?;
        draw_lines(ctx, story, scale, holes);
        let (place, requested) = story_panel::show(ctx, space, is_right(story.pixel), story, infos)?;
        actions.extend(requested);
        Some(place)
    }
}

/// Rays over the picture outside of `holes`, and the pixel itself.
fn draw_lines(ctx: &Context, story: &PixelStory, scale: f32, holes: &[Rect]) {
    let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("story of a pixel")));
    let point = |at: [f64; 2]| pos2(at[0] as f32 / scale, at[1] as f32 / scale);
    let dark = Color32::from_black_alpha(140);
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let stroke = |shapes: &mut Vec<Shape>, ends: [Pos2; 2], width: f32, color: Color32| {
        shapes.push(Shape::line_segment(ends, Stroke::new(width, color)));
    };
    for line in story.steps.iter().flat_map(|step| &step.lines) {
        let [from, to] = [line.from, line.to].map(point);
        let color = Color32::from_rgb(line.color[0], line.color[1], line.color[2]);
        stroke(&mut below, [from, to], 3.4, dark);
        below.push(Shape::circle_filled(to, 3.6, dark));
        stroke(&mut above, [from, to], 1.4, color);
        above.push(Shape::circle_filled(to, 2.4, color));
    }
    let [left, top] = story.pixel.map(|at| at as f32 / scale);
    let pixel = Rect::from_min_size(pos2(left, top), egui::Vec2::splat(1.0 / scale)).expand(3.5);
    let corners = [pixel.left_top(), pixel.right_top(), pixel.right_bottom(), pixel.left_bottom()];
    for (from, to) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
        stroke(&mut below, [from, to], 3.4, dark);
        stroke(&mut above, [from, to], 1.4, theme::ACCENT);
    }
    let shapes = [below, above].map(|shapes| mesh_of(ctx, shapes));
    for part in outside(painter.clip_rect(), holes) {
        painter.with_clip_rect(part).extend(shapes.clone());
    }
}
