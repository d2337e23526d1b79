//! Pixel inspector: a loupe at the pointer, and the story of a pixel with the ways of its light over the picture.

mod loupe;

mod story_panel;
#[cfg(test)]
mod tests;

pub use self::loupe::REACH;

use super::viewer::{PassViewer, ViewerState};
use super::{UiAction, theme};
use crate::instrument::{SeenTexels, TexelFormat, TexelKind, texel_kind};
use crate::techniques::{Info, Step};
use egui::{Color32, Context, CursorIcon, Id, LayerId, Order, Pos2, Rect, Stroke, pos2};

/// The story of a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct PixelStory {
    /// Column and row in the final image.
    pub pixel: [u32; 2],
    /// From visibility to the final value.
    pub steps: Vec<Step>,
}

/// What the inspector knows of the frames.
#[derive(Clone, Copy, Default)]
pub struct InspectorState<'a> {
    /// Whether the display allows reading the window's image.
    pub is_readable: bool,
    /// The texels around the pointer.
    pub seen: Option<&'a SeenTexels>,
    /// The last story.
    pub story: Option<&'a PixelStory>,
}

/// The inspector's switch, and the pixel under the pointer.
#[derive(Debug, Default)]
pub struct Inspector {
    is_on: bool,
    pixel: Option<[u32; 2]>,
}

impl Inspector {
    /// Switches it on or off.
    pub fn toggle(&mut self) {
        (self.is_on, self.pixel) = (!self.is_on, None);
    }

    /// Whether it is on: the pointer inspects, and moves nothing.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Texels of the final image to read: left, top, width, height.
    #[must_use]
    pub fn region(&self) -> Option<[u32; 4]> {
        let [left, top] = self.pixel?.map(|at| at.saturating_sub(REACH));
        Some([left, top, 2 * REACH + 1, 2 * REACH + 1])
    }

    /// The loupe below the pointer, which requests a story with a click.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        state: &InspectorState<'_>,
        (viewer, passes): (&PassViewer, &ViewerState<'_>),
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
        loupe.into_iter().for_each(|loupe| loupe.show(ctx, at));
    }

    /// The panel of the story within `space`, on the side where its pixel is not; returns its rectangle.
    pub(super) fn story(
        &self,
        ctx: &Context,
        space: Rect,
        state: &InspectorState<'_>,
        infos: &[Info],
        actions: &mut Vec<UiAction>,
    ) -> Option<Rect> {
        let story = state.story?;
        let scale = ctx.pixels_per_point();
        draw_lines(ctx, story, scale);
        let x = story.pixel[0] as f32 / scale;
        story_panel::show(ctx, space, x > space.center().x, story, infos, actions)
    }
}

/// Ways of the light over the picture, and the pixel itself.
fn draw_lines(ctx: &Context, story: &PixelStory, scale: f32) {
    let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("story of a pixel")));
    let point = |at: [f64; 2]| pos2(at[0] as f32 / scale, at[1] as f32 / scale);
    for line in story.steps.iter().flat_map(|step| &step.lines) {
        let [from, to] = [line.from, line.to].map(point);
        let color = Color32::from_rgb(line.color[0], line.color[1], line.color[2]);
        for (width, color) in [(3.0, Color32::from_black_alpha(120)), (1.2, color)] {
            painter.line_segment([from, to], Stroke::new(width, color));
        }
        painter.circle(to, 2.4, color, Stroke::new(1.0, Color32::from_black_alpha(160)));
    }
    let [left, top] = story.pixel.map(|at| at as f32 / scale);
    let pixel = Rect::from_min_size(pos2(left, top), egui::Vec2::splat(1.0 / scale)).expand(3.0);
    for (width, color) in [(3.0, Color32::from_black_alpha(160)), (1.2, theme::ACCENT)] {
        painter.rect_stroke(pixel, 0.0, Stroke::new(width, color), egui::StrokeKind::Outside);
    }
}

/// Meaning of encoded bytes: the colour of a style sheet, and linear light.
fn encoded_meaning(numbers: &[String]) -> Option<String> {
    let bytes: Vec<u8> = numbers.iter().take(3).map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [red, green, blue] = bytes[..] else { return None };
    let linear = [red, green, blue].map(|byte| crate::base::srgb::decode(f32::from(byte) / 255.0));
    Some(format!("#{red:02x}{green:02x}{blue:02x}, linear {:.3} {:.3} {:.3}", linear[0], linear[1], linear[2]))
}

fn is_encoded_color(format: TexelFormat) -> bool {
    texel_kind(format) == (TexelKind::Encoded, 4)
}

/// Corner of a panel of `size` beside the pointer, within the window.
fn beside(at: Pos2, size: egui::Vec2, window: Rect) -> Pos2 {
    const AWAY: f32 = 22.0;
    let place = |at: f32, size: f32, low: f32, high: f32| {
        let after = at + AWAY;
        if after + size <= high { after } else { (at - AWAY - size).max(low) }
    };
    pos2(place(at.x, size.x, window.left(), window.right()), place(at.y, size.y, window.top(), window.bottom()))
}
