//! Pixel inspector: a loupe at the pointer, and the story of a pixel with its rays over the picture.

mod input;
mod inspected_pixel;
mod loupe;
mod section;
mod story_panel;
#[cfg(test)]
mod tests;

pub use self::input::PixelStory;
pub use self::loupe::REACH;

use self::inspected_pixel::InspectedPixel;
use super::{
    ActContext, Acted, ArgumentInfo, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext, RunInfo,
    Signals, check_pixel, pixel_of,
};
use crate::layout::outside;
use crate::pair_key::without_b;
use crate::replay::mesh_of;
use crate::{UiAction, UiState, theme};
use base::file::STANDARD_OUTPUT;
use egui::{Color32, Context, CursorIcon, Id, LayerId, Order, Pos2, Rect, Shape, Stroke, pos2};
use instrument::{FrameRequest, FrameResults, Story, StoryRequest};
use serde_json::{Value, json};
use std::ffi::OsStr;
use technique::Step;

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: loupe::ID,
    title: "Inspector",
    keys: &[loupe::KEYS],
    switch: Some([
        "Inspect pixel",
        "Numbers of the texels under the pointer; a click tells how a pixel got its colour (I)",
    ]),
    arguments: &[ArgumentInfo {
        name: "pixel",
        value: "X,Y",
        doc: "Tells the story of a pixel of the last frame, as JSON on standard output (tables go to standard error); may be repeated",
        check: Some(|text| pixel_of(text).map(drop)),
        is_repeated: true,
        may_begin_with_hyphen: true,
        writes: Some(|_| Ok(STANDARD_OUTPUT.into())),
        ..ArgumentInfo::NONE
    }],
    ..InstrumentInfo::NONE
};

#[derive(Default)]
pub struct Inspector {
    is_on: bool,
    pixel: Option<[u32; 2]>,
    told: InspectedPixel,
    /// Of a headless run, in a picture of this size.
    typed: Vec<StoryRequest>,
    size: [u32; 2],
}

impl Inspector {
    fn has_story(&self) -> bool {
        self.told.story().is_some()
    }

    #[cfg(test)]
    pub fn show_sample(&mut self, story: Option<PixelStory>, awaited: Option<[u32; 2]>) {
        self.told.show_sample(story, awaited);
    }

    /// Left, top, width, height.
    fn region(&self) -> Option<[u32; 4]> {
        let [left, top] = self.pixel?.map(|at| at.saturating_sub(REACH));
        Some([left, top, 2 * REACH + 1, 2 * REACH + 1])
    }

    /// On the side of `space` where its pixel is not; returns its rectangle.
    fn story(&self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Option<Rect> {
        let scale = ctx.pixels_per_point();
        let is_right = |pixel: [u32; 2]| pixel[0] as f32 / scale > space.center().x;
        if let Some(pixel) = self.told.awaited() {
            return story_panel::show_awaited(ctx, space, is_right(pixel), pixel);
        }
        let story = self.told.story()?;
        draw_lines(ctx, story, scale, &panel.signals.holes);
        let (place, requested) = story_panel::show(ctx, space, is_right(story.pixel), story, panel.state.infos)?;
        panel.actions.extend(requested);
        Some(place)
    }
}

impl Instrument for Inspector {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        self.is_on
    }

    fn press(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        (self.is_on, self.pixel) = (!self.is_on, None);
        false
    }

    fn close(&mut self, _: &UiState<'_>, actions: &mut Vec<UiAction>) -> bool {
        let (was_on, has_story) = (self.is_on, self.has_story());
        actions.extend(has_story.then_some(UiAction::Explain(None)));
        (self.is_on, self.pixel) = (false, None);
        was_on || has_story
    }

    fn is_tried(&self, _: &UiState<'_>) -> bool {
        self.has_story()
    }

    fn takes_pointer(&self) -> bool {
        self.is_on
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        panel.signals.reach = if self.is_on { REACH } else { 0 };
        let story = if panel.is_free { self.story(ctx, space, panel) } else { None };
        match story {
            Some(story) if story.center().x < space.center().x => space.with_min_x(story.right() + theme::GAP),
            Some(story) => space.with_max_x(story.left() - theme::GAP),
            None => space,
        }
    }

    /// The loupe.
    fn overlay(&mut self, ctx: &Context, free: Rect, panel: &mut PanelContext<'_, '_>) {
        self.pixel = None;
        let Some(at) = ctx.pointer_hover_pos().filter(|_| self.is_on) else { return };
        let is_on_panel = ctx.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
        let loupe = if is_on_panel {
            panel.pointed.as_ref().map(loupe::of_resource)
        } else {
            ctx.set_cursor_icon(CursorIcon::Crosshair);
            let scale = ctx.pixels_per_point();
            let pixel = [at.x, at.y].map(|at| (at * scale).max(0.0) as u32);
            let is_readable = panel.state.is_readable;
            self.pixel = Some(pixel).filter(|_| is_readable);
            if is_readable && ctx.input(|input| input.pointer.primary_clicked()) {
                panel.actions.push(UiAction::Explain(Some(pixel)));
            }
            Some(loupe::of_final_image(pixel, panel.state, &self.told))
        };
        loupe.into_iter().for_each(|loupe| loupe.show(ctx, at, free));
    }

    fn request(&mut self, signals: &mut Signals, frame: &mut FrameRequest) {
        frame.texels = self.region();
        frame.stories.extend(self.told.request());
        frame.stories.extend_from_slice(&self.typed);
        signals.story = self.told.story().map(|story| story.pixel);
    }

    fn receive(&mut self, results: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        let pointed = self.pixel.filter(|pixel| (pixel[0] as f32) < frame.lenses_px);
        self.told.receive(pointed, results, frame)
    }

    fn act(&mut self, action: &UiAction, window: &ActContext<'_>, _: &Signals) -> Acted {
        match action {
            UiAction::Explain(Some(_)) if window.has_pair => {
                return Acted::Refused(without_b("The story of a pixel is of one picture"));
            }
            UiAction::Explain(pixel) => self.told.ask(*pixel),
            _ => return Acted::No,
        }
        Acted::Done
    }

    fn argue(&mut self, _: &str, value: &OsStr, run: &RunInfo) -> Result<(), String> {
        if run.has_view {
            return Err("--pixel tells the story of the final image; expected no --view".into());
        }
        if run.has_b {
            return Err("--pixel tells the story of one picture, --b makes two; expected one of them".into());
        }
        let (pixel, number) = (pixel_of(&value.to_string_lossy())?, self.typed.len() as u64 + 1);
        self.typed.push(StoryRequest { pixel, number });
        self.size = run.size;
        check_pixel("--pixel ", pixel, run.size)
    }

    fn report(&self, results: &FrameResults<'_>, device: [&str; 2]) -> Result<InstrumentReport, String> {
        let story = |Story { pixel, steps, .. }: &Story| {
            let steps: Vec<Value> = steps.iter().map(Step::json).collect();
            json!({ "pixel": pixel, "steps": steps })
        };
        let stories: Vec<Value> = results.stories.iter().map(story).collect();
        let [name, driver] = device;
        let device = json!({ "name": name, "driver": driver });
        let mut report = InstrumentReport { option: "--pixel", ..InstrumentReport::default() };
        if !stories.is_empty() {
            let all = json!({ "device": device, "size": self.size, "pixels": stories });
            report.files.push((STANDARD_OUTPUT.into(), format!("{all:#}\n").into_bytes()));
        }
        Ok(report)
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
