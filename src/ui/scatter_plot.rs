//! Scatter plot of methods, time against quality, with their Pareto front. A click chooses a method.

use egui::{
    Align2, Color32, CursorIcon, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2,
};

use super::scatter_labels::Names;
use super::theme;
use super::timings::grid;
use base::text::micros;
use lab::Scatter;

/// Least and greatest height.
pub(super) const HEIGHTS: [f32; 2] = [190.0, 380.0];
/// Height of a line of text, and font sizes of names and axes.
const LINE: f32 = 13.0;
const NAME: f32 = 10.5;
const AXIS: f32 = 10.0;
/// Space around labels and beside a point, and its radius.
const DOT: f32 = 7.0;
const GAP: f32 = 4.0;
const RADIUS: f32 = 3.2;
/// Points at which the pointer hits a dot.
const NEAR: f32 = 12.0;

struct Layout<'a> {
    scatter: &'a Scatter,
    places: Vec<(usize, Pos2)>,
    space: Rect,
    /// Logarithms of the times at both ends.
    x: [f64; 2],
    front: Vec<usize>,
}

/// `chosen`: whether the settings are those of a row. Returns the row to choose. Takes no wheel: the panel around it
/// scrolls.
pub(super) fn show(
    ui: &mut Ui,
    id: &str,
    scatter: &Scatter,
    height: f32,
    chosen: impl Fn(usize) -> bool,
) -> Option<usize> {
    let logs: Vec<(usize, [f64; 2])> = scatter
        .points
        .iter()
        .enumerate()
        .filter(|(_, point)| point.has_place())
        .map(|(index, point)| (index, [point.us.median.log10(), point.up]))
        .collect();
    let (x, y) = room(scatter)?;
    ui.add_space(4.0);
    let Scatter { across, up, unit, reference, .. } = scatter;
    ui.label(theme::small(format!("{up} ({unit}) against {reference}, up; {across}, across")));
    let now = logs.iter().map(|(index, _)| *index).find(|index| chosen(scatter.points[*index].row));
    let mut picked = None;
    let mut pointed = None;
    theme::well().inner_margin(6).show(ui, |ui| {
        let up_labels: Vec<(f64, String)> =
            rungs(y).into_iter().map(|value| (value, format!("{value} {unit}"))).collect();
        // Left of all points.
        let widest = up_labels.iter().map(|(_, text)| size_of(ui, text, AXIS).x).fold(0.0, f32::max);
        let margin = f64::from((widest + 2.0 * DOT) / ui.available_width().max(1.0)).min(0.5);
        let x = [x[1] - (x[1] - x[0]) / (1.0 - margin), x[1]];
        let (space, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let at = |[us, up]: [f64; 2]| {
            let part = [(us - x[0]) / (x[1] - x[0]), (up - y[0]) / (y[1] - y[0])].map(|part| part as f32);
            pos2(space.left() + part[0] * space.width(), space.bottom() - part[1] * space.height())
        };
        let places = logs.iter().map(|(index, log)| (*index, at(*log))).collect();
        let layout = Layout { scatter, places, space, x, front: scatter.front() };
        let response = ui.interact(space, ui.id().with(("points", id)), Sense::click());
        pointed = response.hover_pos().and_then(|at| layout.near(at));
        if pointed.is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
        }
        picked = pointed.filter(|_| response.clicked());
        let spoken = pointed.or(now).map_or(String::new(), |index| scatter.describe(index));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, format!("{up} against time: {spoken}")));
        let taken = layout.axes(ui, y, &up_labels);
        layout.draw(ui, [now, pointed], taken);
    });
    let text = pointed.map_or_else(|| HINT.to_owned(), |index| scatter.describe(index));
    ui.add(egui::Label::new(theme::small(text)).truncate());
    picked.map(|index| scatter.points[index].row)
}

const HINT: &str = "A click on a point chooses its method. The line joins those that no other beats in both.";

fn size_of(ui: &Ui, text: &str, size: f32) -> Vec2 {
    vec2(ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), theme::TEXT).size().x, LINE)
}

impl Layout<'_> {
    fn across(&self, us: f64) -> f32 {
        let part = ((us.log10() - self.x[0]) / (self.x[1] - self.x[0])).clamp(0.0, 1.0);
        self.space.left() + part as f32 * self.space.width()
    }

    fn bar(&self, index: usize) -> [f32; 2] {
        let us = &self.scatter.points[index].us;
        [us.low, us.high].map(|us| self.across(us.max(f64::MIN_POSITIVE)))
    }

    fn near(&self, at: Pos2) -> Option<usize> {
        let near = self.places.iter().map(|(index, place)| (*index, place.distance(at)));
        near.filter(|(_, far)| *far < NEAR).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    fn axes(&self, ui: &Ui, y: [f64; 2], up_labels: &[(f64, String)]) -> Vec<Rect> {
        let font = FontId::proportional(AXIS);
        let mut taken: Vec<Rect> = Vec::new();
        // The last one's label would be beyond the right end.
        for power in decades(self.x).into_iter().filter(|power| *power < self.x[1]) {
            let us = 10f64.powf(power);
            let at = pos2(self.across(us) + 2.0, self.space.bottom());
            ui.painter().vline(self.across(us), self.space.y_range(), grid());
            taken.push(ui.painter().text(at, Align2::LEFT_BOTTOM, micros(us), font.clone(), theme::QUIET));
        }
        for (value, text) in up_labels {
            let part = ((value - y[0]) / (y[1] - y[0])) as f32;
            let at = pos2(self.space.left() + 2.0, self.space.bottom() - part * self.space.height());
            let rect = Rect::from_min_size(at, size_of(ui, text, AXIS));
            ui.painter().hline(self.space.x_range(), at.y, grid());
            if rect.bottom() <= self.space.bottom() && !taken.iter().any(|other| other.intersects(rect)) {
                taken.push(ui.painter().text(at, Align2::LEFT_TOP, text, font.clone(), theme::QUIET));
            }
        }
        taken
    }

    fn draw(&self, ui: &Ui, [now, pointed]: [Option<usize>; 2], taken: Vec<Rect>) {
        let painter = ui.painter().with_clip_rect(self.space);
        let of = |index: &usize| self.places.iter().find(|(other, _)| other == index).map(|(_, at)| *at);
        // What each time buys: up only where a better one is fast enough.
        let corners: Vec<Pos2> = self.front.iter().filter_map(of).collect();
        let mut stairs: Vec<Pos2> = Vec::new();
        for at in &corners {
            stairs.extend(stairs.last().map(|last| pos2(at.x, last.y)));
            stairs.push(*at);
        }
        stairs.extend(stairs.last().map(|last| pos2(self.space.right(), last.y)));
        painter.line(stairs, Stroke::new(1.4, theme::ACCENT.gamma_multiply(0.6)));
        let color = |index: usize| match index {
            _ if now == Some(index) => theme::GOOD,
            _ if self.front.contains(&index) => theme::ACCENT,
            _ => theme::DIM,
        };
        for (index, at) in &self.places {
            let color = color(*index);
            let ends = self.bar(*index);
            painter.hline(ends[0]..=ends[1], at.y, Stroke::new(1.2, color.gamma_multiply(0.7)));
            for end in ends {
                painter.vline(end, at.y - 2.5..=at.y + 2.5, Stroke::new(1.0, color.gamma_multiply(0.7)));
            }
            painter.circle_filled(*at, RADIUS, color);
            if now == Some(*index) {
                painter.circle_stroke(*at, RADIUS + 2.6, Stroke::new(1.2, theme::STRONG));
            }
            if pointed == Some(*index) {
                painter.circle_stroke(*at, RADIUS + 4.6, Stroke::new(1.0, theme::TEXT));
            }
        }
        self.names(ui, color, taken);
    }

    /// Those of the front first: they are nearest to their points.
    fn names(&self, ui: &Ui, color: impl Fn(usize) -> Color32, taken: Vec<Rect>) {
        let with_bar = |(index, at): &(usize, Pos2)| {
            let [left, right] = self.bar(*index);
            Rect::from_center_size(*at, Vec2::splat(2.0 * RADIUS))
                .union(Rect::from_x_y_ranges(left..=right, at.y..=at.y))
        };
        let dots: Vec<Rect> = self.places.iter().map(with_bar).collect();
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|place| !self.front.contains(&self.places[*place].0));
        let title = |place: usize| self.scatter.points[self.places[place].0].title.as_str();
        let names: Vec<(usize, Vec2)> = order.iter().map(|place| (*place, size_of(ui, title(*place), NAME))).collect();
        let placed = Names { space: self.space, dots: &dots, gap: GAP }.place(&names, taken);
        for ((place, _), rect) in names.iter().zip(placed) {
            let (index, at) = self.places[*place];
            let (near, color) = (rect.clamp(at), color(index));
            if near.distance(dots[*place].clamp(near)) > 2.0 * GAP {
                ui.painter().line_segment([at, near], Stroke::new(0.8, color.gamma_multiply(0.5)));
            }
            ui.painter().text(
                rect.left_center(),
                Align2::LEFT_CENTER,
                title(*place),
                FontId::proportional(NAME),
                color,
            );
        }
    }
}

/// Ranges of the axes: whole powers of ten around the times and their quartiles, and one step around the figures.
fn room(scatter: &Scatter) -> Option<([f64; 2], [f64; 2])> {
    let placed = || scatter.points.iter().filter(|point| point.has_place());
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold(None, |ends: Option<[f64; 2]>, v| Some(ends.map_or([v; 2], |[a, b]| [a.min(v), b.max(v)])))
    };
    let of_time = |us: f64| us.log10();
    let [left, right] = ends(&mut placed().map(|point| of_time(point.us.median)))?;
    let [low, high] = ends(&mut placed().map(|point| point.up))?;
    let margin = 0.08 * (high - low).max(10.0);
    Some(([left.floor(), right.floor() + 1.0], [(low - 2.0 * margin).max(0.0), high + margin]))
}

fn decades([from, to]: [f64; 2]) -> Vec<f64> {
    ((from.ceil() as i32)..=(to.floor() as i32)).map(f64::from).collect()
}

/// At most six, multiples of 1, 2 or 5 times a power of ten.
fn rungs([from, to]: [f64; 2]) -> Vec<f64> {
    let sizes = (-3..6).flat_map(|power| [1.0, 2.0, 5.0].map(|size| size * 10f64.powi(power)));
    let Some(step) = sizes.into_iter().find(|size| (to - from) / size <= 6.0) else { return Vec::new() };
    let first = (from / step).floor() as i64 + 1;
    (first..first + 7).map(|number| number as f64 * step).take_while(|value| *value < to).collect()
}

#[cfg(test)]
#[path = "scatter_tests.rs"]
mod tests;
