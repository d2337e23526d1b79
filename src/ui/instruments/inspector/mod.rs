//! Pixel inspector: a loupe at the pointer, and the story of a pixel with its rays over the picture.

mod input;
mod inspected_pixel;
mod loupe;
mod story_panel;
#[cfg(test)]
mod tests;

pub use self::input::{Part, PixelStory};
pub use self::loupe::REACH;

use self::inspected_pixel::InspectedPixel;
use self::story_panel::StoryPanel;
use super::{
    ActContext, Acted, ArgumentInfo, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext, RunInfo,
    Signals, check_pixel, pixel_of,
};
use crate::layout::{PINNED, outside};
use crate::pair_key::without_b;
use crate::replay::mesh_of;
use crate::{UiAction, UiState, theme};
use base::file::STANDARD_OUTPUT;
use egui::{Color32, Context, CursorIcon, Id, LayerId, Mesh, Order, Popup, Pos2, Rect, Shape, Stroke, Ui, pos2};
use instrument::{FrameRequest, FrameResults, Story, StoryRequest};
use serde_json::{Value, json};
use std::ffi::OsStr;
use technique::Step;

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: loupe::ID,
    title: "Inspector",
    keys: &[loupe::KEYS],
    switch: Some(["Inspect pixel", "Numbers of the texels under the pointer; a click tells why a pixel looks so (I)"]),
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
    /// In this frame, before the action of the click arrives.
    clicked: Option<[u32; 2]>,
    /// Pixel and number of the story that is shown.
    shown: Option<([u32; 2], Option<u64>)>,
    /// Row of the story that the picture shows.
    chosen: Option<Part>,
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
    fn story(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Option<Rect> {
        let scale = ctx.pixels_per_point();
        let is_right = |pixel: [u32; 2]| pixel[0] as f32 / scale > space.center().x;
        let low = space.bottom() - PINNED.y;
        let has_room = low - space.top() > LEAST;
        let holes = &panel.signals.holes;
        let rect = if let Some(pixel) = self.clicked.or(self.told.awaited()) {
            draw_lines(ctx, pixel, &[], &[], holes);
            story_panel::show_awaited(ctx, space, is_right(pixel), pixel)?
        } else {
            if self.told.follow_costs(panel.timings) {
                ctx.request_repaint_after_secs(LOOK_S);
            }
            let (story, infos) = (self.told.story()?, panel.state.infos);
            let rows = story.rows(infos);
            let row = rows.iter().find(|row| Some(row.part) == self.chosen && !row.steps.is_empty());
            let chosen: Vec<&Step> = row.iter().flat_map(|row| &row.steps).map(|(step, _)| *step).collect();
            let steps = if row.is_some() { chosen.clone() } else { story.steps.iter().collect() };
            draw_lines(ctx, story.pixel, &steps, &chosen, holes);
            let now = Some((story.pixel, self.told.number()));
            let is_new = std::mem::replace(&mut self.shown, now) != now;
            let (signals, actions, chosen) = (&mut *panel.signals, &mut *panel.actions, &mut self.chosen);
            let place = if signals.has_pins && has_room { space.with_max_y(low - theme::GAP) } else { space };
            let is_left = is_right(story.pixel);
            StoryPanel { story, infos, is_new, chosen, signals, actions }.show(ctx, place, is_left)?
        };
        // At the side of the free space, as other places of pinned passes are.
        let left = if rect.left() > space.left() + 1.0 { rect.right() - PINNED.x } else { rect.left() };
        panel.signals.below_story = has_room.then(|| Rect::from_min_size(pos2(left, low), PINNED));
        Some(rect)
    }
}

impl Instrument for Inspector {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        self.is_on || self.has_story()
    }

    fn is_on(&self, _: &UiState<'_>) -> bool {
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

    fn tab(&mut self, ui: &mut Ui, _: &UiState<'_>) {
        // Always a line: the rows below stay where they are.
        let is_asked = self.is_on || self.has_story() || self.told.awaited().is_some();
        let what = if is_asked { "why does another pixel look so?" } else { "why does that pixel look so?" };
        ui.label(theme::small(format!("Click the picture: {what}")));
    }

    /// The loupe, and the clicks that ask.
    fn overlay(&mut self, ctx: &Context, free: Rect, panel: &mut PanelContext<'_, '_>) {
        self.pixel = None;
        let Some(at) = ctx.pointer_hover_pos() else { return };
        let is_on_panel = ctx.layer_id_at(at).is_some_and(|layer| layer.order != Order::Background);
        let scale = ctx.pixels_per_point();
        let pixel = [at.x, at.y].map(|at| (at * scale).max(0.0) as u32);
        let is_readable = panel.state.is_readable;
        // Lens and camera keep the pointer: what moves it is no click.
        let has_steps = panel.state.results.steps.is_some();
        let is_asked = !has_steps && (self.is_on || panel.is_inspecting && panel.is_free && panel.state.pair.is_none());
        let is_clicked = ctx.input(|input| input.pointer.primary_clicked()) && !Popup::is_any_open(ctx);
        if is_asked && is_readable && !is_on_panel && is_clicked {
            (self.chosen, self.clicked) = (None, Some(pixel));
            ctx.request_discard("the pixel that is asked for is marked in the same frame");
            panel.actions.push(UiAction::Explain(Some(pixel)));
        }
        if !self.is_on {
            return;
        }
        let loupe = if is_on_panel {
            panel.pointed.as_ref().map(loupe::of_resource)
        } else {
            ctx.set_cursor_icon(CursorIcon::Crosshair);
            self.pixel = Some(pixel).filter(|_| is_readable);
            Some(loupe::of_final_image(pixel, panel.state, &self.told))
        };
        loupe.into_iter().for_each(|loupe| loupe.show(ctx, at, free));
    }

    fn request(&mut self, signals: &mut Signals, frame: &mut FrameRequest) {
        frame.texels = self.region();
        frame.stories.extend(self.told.request());
        frame.stories.extend_from_slice(&self.typed);
        signals.story = self.clicked.or(self.told.awaited()).or(self.told.story().map(|story| story.pixel));
    }

    fn receive(&mut self, results: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        self.told.receive(results, frame)
    }

    fn act(&mut self, action: &UiAction, window: &ActContext<'_>, _: &Signals) -> Acted {
        self.clicked = None;
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

/// Height of a story above a pinned pass.
const LEAST: f32 = 200.0;

/// Seconds between two looks for the times of a story's passes.
const LOOK_S: f32 = 0.1;

/// Over the picture outside of `holes`: rays, outlines, and the pixel itself.
fn draw_lines(ctx: &Context, pixel: [u32; 2], steps: &[&Step], outlined: &[&Step], holes: &[Rect]) {
    let scale = ctx.pixels_per_point();
    let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("story of a pixel")));
    let point = |at: [f64; 2]| pos2(at[0] as f32 / scale, at[1] as f32 / scale);
    let dark = Color32::from_black_alpha(140);
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let stroke = |shapes: &mut Vec<Shape>, ends: [Pos2; 2], width: f32, color: Color32| {
        shapes.push(Shape::line_segment(ends, Stroke::new(width, color)));
    };
    let mut around = [Mesh::default(), Mesh::default()];
    for [from, to] in outlined.iter().flat_map(|step| &step.outline) {
        let edge = Rect::from_two_pos(pos2(from[0], from[1]) / scale, pos2(to[0], to[1]) / scale);
        around[0].add_colored_rect(edge.expand(1.6), dark);
        around[1].add_colored_rect(edge.expand(0.7), theme::ACCENT);
    }
    for line in steps.iter().flat_map(|step| &step.lines) {
        let [from, to] = [line.from, line.to].map(point);
        let color = theme::rgb(line.color);
        stroke(&mut below, [from, to], 3.4, dark);
        below.push(Shape::circle_filled(to, 3.6, dark));
        stroke(&mut above, [from, to], 1.4, color);
        above.push(Shape::circle_filled(to, 2.4, color));
    }
    let [left, top] = pixel.map(|at| at as f32 / scale);
    let pixel = Rect::from_min_size(pos2(left, top), egui::Vec2::splat(1.0 / scale)).expand(3.5);
    let corners = [pixel.left_top(), pixel.right_top(), pixel.right_bottom(), pixel.left_bottom()];
    for (from, to) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
        stroke(&mut below, [from, to], 3.4, dark);
        stroke(&mut above, [from, to], 1.4, theme::ACCENT);
    }
    let shapes = around.into_iter().map(Shape::mesh).chain([below, above].map(|shapes| mesh_of(ctx, shapes)));
    let shapes: Vec<Shape> = shapes.collect();
    for part in outside(painter.clip_rect(), holes) {
        painter.with_clip_rect(part).extend(shapes.clone());
    }
}
