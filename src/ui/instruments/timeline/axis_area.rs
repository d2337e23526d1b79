//! Area of the axis: lanes, passes, gaps and arrows, with wheel and drag.

use super::axis_view::AxisView;
use crate::theme;
use crate::timings::{AxisScale, HoveredPass, Owners, PassRows};
use base::text::micros;
use base::timing::technique_of;
use egui::{Align2, Color32, Painter, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, WidgetType, pos2, vec2};
use instrument::{Arrow, AxisBar, AxisLane, FrameAxis, Gap, Lane, Reason};

/// Height of a lane, of a pass on it, and of the marks.
const LANE: f32 = 26.0;
const BAR: f32 = 17.0;
const MARKS: f32 = 15.0;
/// Width of the names of lanes.
pub(super) const NAMES: f32 = 58.0;
/// Smallest width of a pass.
const LEAST: f32 = 1.0;
/// Points around a text within a pass or a gap.
const INSET: f32 = 4.0;
/// Length in points of the arrow of a wait for an earlier frame: when that ended is not known.
const STUB: f32 = 22.0;
/// Half the width, and the length, of an arrow's head.
const HEAD: egui::Vec2 = vec2(3.5, 5.5);
/// Text over the colours of passes.
const INK: Color32 = Color32::from_rgb(14, 16, 22);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pointed {
    Pass(Lane, AxisBar),
    Gap(Lane, Gap),
    Wait(Arrow),
}

#[derive(Default)]
pub(super) struct AxisArea {
    view: AxisView,
}

impl AxisArea {
    /// Returns the pass under the pointer and the clicked one.
    pub fn show(&mut self, ui: &mut Ui, axis: &FrameAxis, owners: &Owners<'_>, budget_us: f64) -> PassRows {
        let height = MARKS + LANE * axis.lanes.len() as f32;
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        let x = Rangef::new(rect.left() + NAMES, rect.right().max(rect.left() + NAMES + 1.0));
        self.input(ui, &response, axis, x);
        let scale = AxisScale { x, us: self.view.span(axis.end) };
        let painter = ui.painter().with_clip_rect(ui.clip_rect().intersect(rect.expand2(vec2(1.0, 2.0))));
        scale.marks(&painter, Rangef::new(rect.top() + MARKS, rect.bottom()), rect.top());
        let pointed = response.hover_pos().and_then(|at| pointed(axis, &scale, rect, at));
        let frame = Lanes { axis, owners, scale, rect };
        frame.paint(&painter, pointed);
        let budget = scale.x_of(budget_us);
        if scale.x.contains(budget) {
            ui.painter().vline(budget, rect.y_range(), Stroke::new(1.0, theme::ACCENT));
        }
        let mut rows = PassRows::default();
        if let Some(Pointed::Pass(lane, bar)) = pointed {
            let row = frame.place(lane, [bar.from, bar.to]);
            rows.hovered = Some(HoveredPass { pass: axis.timing.passes[bar.pass].name.clone(), row, costs: None });
            if response.clicked() {
                rows.clicked = Some(axis.timing.passes[bar.pass].name.clone());
            }
        }
        theme::speak(&response, WidgetType::Image, &spoken(axis));
        if let Some(pointed) = pointed {
            response.on_hover_ui_at_pointer(|ui| tooltip(ui, axis, owners, pointed));
        }
        rows
    }

    fn input(&mut self, ui: &Ui, response: &Response, axis: &FrameAxis, x: Rangef) {
        let (end, scale) = (axis.end, AxisScale { x, us: self.view.span(axis.end) });
        if response.double_clicked() {
            self.view.reset();
        }
        if response.dragged() {
            self.view.pan(end, -f64::from(response.drag_delta().x) * scale.us_a_point());
        }
        if let Some(at) = response.hover_pos() {
            let wheel = ui.input(|input| input.smooth_scroll_delta + vec2(0.0, 200.0 * input.zoom_delta().ln()));
            if wheel.y != 0.0 {
                self.view.zoom(end, scale.us_of(at.x), (-f64::from(wheel.y) * 0.006).exp());
            }
            if wheel.x != 0.0 {
                self.view.pan(end, -f64::from(wheel.x) * scale.us_a_point());
            }
            ui.input_mut(|input| input.smooth_scroll_delta = egui::Vec2::ZERO);
        }
    }
}

/// The busy time of each lane.
fn spoken(axis: &FrameAxis) -> String {
    let busy = |lane: &AxisLane| {
        let us: f64 = lane.bars.iter().map(|bar| bar.to - bar.from).sum();
        format!("{} {} of {}", lane.lane.title(), micros(us), micros(axis.end))
    };
    axis.lanes.iter().map(busy).collect::<Vec<_>>().join(", ")
}

fn pass_text(axis: &FrameAxis, owners: &Owners<'_>, bar: &AxisBar) -> [String; 2] {
    let name = owners.pass_title(&axis.timing.passes[bar.pass].name);
    [name, format!("{} from {} on", micros(bar.to - bar.from), micros(bar.from))]
}

fn tooltip(ui: &mut Ui, axis: &FrameAxis, owners: &Owners<'_>, pointed: Pointed) {
    let title = |pass: &str| owners.pass_title(pass);
    match pointed {
        Pointed::Pass(lane, bar) => {
            let [name, times] = pass_text(axis, owners, &bar);
            ui.label(theme::heading(name));
            let what = if lane == Lane::Cpu { "Recording" } else { lane.title() };
            ui.label(theme::figure(format!("{what}: {times}")));
            for (index, _) in axis.timing.waits.iter().enumerate().filter(|(_, wait)| wait.pass == bar.pass) {
                ui.label(theme::small(format!("{}.", axis.wait_text(index, &title))));
            }
        }
        Pointed::Gap(lane, gap) => {
            ui.label(theme::heading(format!("{}: no pass", lane.title())));
            ui.label(theme::small(format!("{}.", axis.gap_text(&gap, &title))));
        }
        Pointed::Wait(arrow) => {
            ui.label(theme::heading("Wait between the queues"));
            ui.label(theme::small(format!("{}.", axis.wait_text(arrow.wait, &title))));
        }
    }
}

fn lane_rect(rect: Rect, index: usize) -> Rect {
    let top = rect.top() + MARKS + LANE * index as f32;
    Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), LANE))
}

fn pointed(axis: &FrameAxis, scale: &AxisScale, rect: Rect, at: Pos2) -> Option<Pointed> {
    if !scale.x.contains(at.x) {
        return None;
    }
    let (us, reach) = (scale.us_of(at.x), 1.5 * scale.us_a_point());
    let index = axis.lanes.iter().enumerate().position(|(index, _)| lane_rect(rect, index).contains(at))?;
    let lane = &axis.lanes[index];
    let is_near = |from: f64, to: f64| us >= from - reach && us <= to + reach;
    // The last drawn is on top; exact hits come first.
    let exact = lane.bars.iter().rev().find(|bar| us >= bar.from && us <= bar.to);
    let is_on_bar = (at.y - lane_rect(rect, index).center().y).abs() <= 0.5 * BAR;
    if let Some(bar) = exact.or_else(|| lane.bars.iter().rev().find(|bar| is_near(bar.from, bar.to)))
        && is_on_bar
    {
        return Some(Pointed::Pass(lane.lane, *bar));
    }
    let near = |arrow: &&Arrow| {
        let path = arrow_path(axis, scale, rect, arrow);
        path.windows(2).any(|ends| Rect::from_two_pos(ends[0], ends[1]).expand(3.5).contains(at))
    };
    let arrow = axis.arrows.iter().find(near).map(|arrow| Pointed::Wait(*arrow));
    let gap = lane.gaps.iter().find(|gap| us >= gap.from && us <= gap.to);
    arrow.or(gap.map(|gap| Pointed::Gap(lane.lane, *gap)))
}

fn middle(axis: &FrameAxis, rect: Rect, lane: Lane) -> f32 {
    let index = axis.lanes.iter().position(|one| one.lane == lane).unwrap_or(0);
    lane_rect(rect, index).center().y
}

/// Between the lanes and never over a pass.
fn arrow_path(axis: &FrameAxis, scale: &AxisScale, rect: Rect, arrow: &Arrow) -> Vec<Pos2> {
    let [from, to] = [arrow.from, arrow.to].map(|(lane, us)| pos2(scale.x_of(us), middle(axis, rect, lane)));
    let between = 0.5 * (from.y + to.y);
    let edge = |at: Pos2| pos2(at.x, at.y + 0.5 * BAR * (between - at.y).signum());
    let is_earlier = axis.timing.waits.get(arrow.wait).is_none_or(|wait| wait.after.is_none());
    if is_earlier {
        return vec![pos2(to.x - STUB, between), pos2(to.x, between), edge(to)];
    }
    vec![edge(from), pos2(from.x, between), pos2(to.x, between), edge(to)]
}

struct Lanes<'a> {
    axis: &'a FrameAxis,
    owners: &'a Owners<'a>,
    scale: AxisScale,
    rect: Rect,
}

impl Lanes<'_> {
    fn place(&self, lane: Lane, [from, to]: [f64; 2]) -> Rect {
        let middle = middle(self.axis, self.rect, lane);
        let [left, right] = [from, to].map(|us| self.scale.x_of(us));
        Rect::from_x_y_ranges(left..=right.max(left + LEAST), middle - 0.5 * BAR..=middle + 0.5 * BAR)
    }

    fn paint(&self, painter: &Painter, pointed: Option<Pointed>) {
        let names = painter.clip_rect();
        let inside = painter.with_clip_rect(names.intersect(Rect::from_x_y_ranges(self.scale.x, names.y_range())));
        let is_one = self.axis.lanes.len() == 2;
        for (index, lane) in self.axis.lanes.iter().enumerate() {
            let row = lane_rect(self.rect, index);
            let title = if is_one && lane.lane == Lane::Graphics { "Queue" } else { lane.lane.title() };
            painter.text(row.left_center(), Align2::LEFT_CENTER, title, theme::font(theme::SMALL), theme::TEXT);
            let ground = Rect::from_x_y_ranges(self.scale.x, row.shrink2(vec2(0.0, 0.5 * (LANE - BAR))).y_range());
            painter.rect_filled(ground, 2.0, Color32::from_black_alpha(60));
            lane.gaps.iter().for_each(|gap| self.gap(&inside, lane.lane, gap));
            for bar in &lane.bars {
                let is_pointed = pointed == Some(Pointed::Pass(lane.lane, *bar));
                self.bar(&inside, lane.lane, bar, is_pointed);
            }
        }
        for arrow in &self.axis.arrows {
            self.arrow(&inside, arrow, pointed == Some(Pointed::Wait(*arrow)));
        }
    }

    fn bar(&self, painter: &Painter, lane: Lane, bar: &AxisBar, is_marked: bool) {
        let place = self.place(lane, [bar.from, bar.to]);
        if !place.intersects(painter.clip_rect()) {
            return;
        }
        let name = &self.axis.timing.passes[bar.pass].name;
        painter.rect_filled(place, 1.5, self.owners.color(technique_of(name)));
        // Neighbours of one technique have one colour.
        painter.vline(place.left(), place.y_range(), Stroke::new(1.0, INK.gamma_multiply(0.7)));
        // Techniques have passes of one name.
        text_within(painter, place, &[self.owners.pass_title(name), self.owners.title(technique_of(name))], INK);
        if is_marked {
            painter.rect_stroke(place.expand(1.0), 2.0, Stroke::new(1.5, theme::STRONG), egui::StrokeKind::Outside);
        }
    }

    fn gap(&self, painter: &Painter, lane: Lane, gap: &Gap) {
        let resource = |wait: usize| self.axis.timing.waits.get(wait).map_or("", |wait| wait.resource.as_str());
        let (color, text) = match gap.reason {
            Reason::Ended | Reason::OutsidePasses | Reason::Unknown => return,
            Reason::Submission => (theme::QUIET, "not submitted".to_owned()),
            Reason::EarlierFrame => (theme::TEXT, "frame before".into()),
            Reason::Queue(wait) => (theme::WARN, format!("waits: {}", resource(wait))),
            Reason::WindowImage => (theme::ACCENT, "window image".into()),
            Reason::Compiles => (theme::BAD, "driver compiles".into()),
        };
        let place = self.place(lane, [gap.from, gap.to]);
        painter.rect_filled(place, 0.0, color.gamma_multiply(0.16));
        text_within(painter, place, &[text], color);
    }

    fn arrow(&self, painter: &Painter, arrow: &Arrow, is_pointed: bool) {
        let path = arrow_path(self.axis, &self.scale, self.rect, arrow);
        let Some([before, to]) = path.last_chunk::<2>().copied() else { return };
        let down = (to.y - before.y).signum();
        painter.add(Shape::line(path, Stroke::new(if is_pointed { 2.4 } else { 1.4 }, theme::WARN)));
        let head = [to, to + vec2(-HEAD.x, -HEAD.y * down), to + vec2(HEAD.x, -HEAD.y * down)];
        painter.add(Shape::convex_polygon(head.into(), theme::WARN, Stroke::NONE));
    }
}

/// The first text that fits.
fn text_within(painter: &Painter, place: Rect, texts: &[String], color: Color32) {
    // Of a magnified pass the visible part has it.
    let seen = place.intersect(painter.clip_rect()).shrink2(vec2(INSET, 0.0));
    if seen.width() < 2.0 * INSET {
        return;
    }
    let galley = |text: &String| painter.layout_no_wrap(text.clone(), theme::font(theme::SMALL), color);
    if let Some(galley) = texts.iter().map(galley).find(|galley| galley.size().x <= seen.width()) {
        let at = Align2::LEFT_CENTER.anchor_size(seen.left_center(), galley.size());
        painter.galley(at.min, galley, color);
    }
}
