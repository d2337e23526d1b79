//! Scatter plot of methods: cost against quality.

use egui::{Align2, FontId, Ui};
use egui_plot::{Plot, PlotPoint, Points, Text};

use super::theme;
use super::timings::graph::{quiet, steps};
use crate::base::text::micros;
use crate::lab::Scatter;

/// Height of the plot, in points.
const HEIGHT: f32 = 190.0;

/// Height of a label's line, and font sizes of names and axes, in points.
const LINE: f32 = 13.0;
const NAME: f32 = 10.5;
const AXIS: f32 = 10.0;
/// Room for a dot, beside a name or an axis' label.
const DOT: f32 = 6.0;

/// Draws the plot. Times are logarithmic. It takes no drags and no wheel: the panel around it scrolls.
pub(super) fn show(ui: &mut Ui, id: &str, scatter: &Scatter) {
    let points: Vec<(&str, [f64; 2])> =
        scatter.points.iter().filter_map(|(title, at)| Some((title.as_str(), place(*at)?))).collect();
    let Some((x, y)) = room(&points) else { return };
    ui.add_space(4.0);
    ui.label(theme::small(format!("{} (up) against {} (across)", scatter.up, scatter.across)));
    let plot = quiet(Plot::new(("scatter", id)).height(HEIGHT))
        .show_grid([true, true])
        .x_grid_spacer(|input| decades([input.bounds.0, input.bounds.1]))
        .y_grid_spacer(|input| steps(input.bounds.1))
        .grid_color(theme::QUIET.gamma_multiply(0.5));
    theme::well().inner_margin(6).show(ui, |ui| {
        let whole = ui.available_width().max(1.0);
        let measured = |text: &str, size: f32| {
            let width = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(size), theme::TEXT).size().x;
            f64::from((width + 2.0 * DOT) / whole)
        };
        let names: Vec<f64> = points.iter().map(|(name, _)| measured(name, NAME)).collect();
        let label = |value: f64, text: String| {
            let width = measured(&text, AXIS);
            (value, text, width)
        };
        let marks = steps(y[1]).into_iter().filter(|mark| mark.value > y[0]);
        let up: Vec<_> = marks.map(|mark| label(mark.value, format!("{} dB", mark.value))).collect();
        // Left of all points: none is under them.
        let margin = up.iter().map(|(.., width)| *width).fold(0.0, f64::max).min(0.5);
        let x = [x[1] - (x[1] - x[0]) / (1.0 - margin), x[1]];
        // The last decade's would be beyond the right end.
        let marks = decades(x).into_iter().filter(|mark| mark.value < x[1]);
        let across: Vec<_> = marks.map(|mark| label(mark.value, micros(10f64.powf(mark.value)))).collect();
        let dot = [f64::from(DOT / whole), f64::from(LINE / HEIGHT)];
        plot.show(ui, |plot| {
            plot.set_plot_bounds_x(x[0]..=x[1]);
            plot.set_plot_bounds_y(y[0]..=y[1]);
            let small = |text: String| theme::small(text).size(AXIS);
            let mut axes = Vec::new();
            for (value, text, width) in across {
                axes.push(Label::from([(value - x[0]) / (x[1] - x[0]), 0.5 * dot[1]], width, dot[1]));
                plot.text(Text::new("", PlotPoint::new(value, y[0]), small(text)).anchor(Align2::LEFT_BOTTOM));
            }
            for (value, text, width) in up {
                let label = Label::from([0.0, (value - y[0]) / (y[1] - y[0]) - 0.5 * dot[1]], width, dot[1]);
                if axes.iter().all(|other| !label.lies_over(other)) {
                    plot.text(Text::new("", PlotPoint::new(x[0], value), small(text)).anchor(Align2::LEFT_TOP));
                    axes.push(label);
                }
            }
            let places: Vec<[f64; 2]> = points.iter().map(|(_, at)| *at).collect();
            for (index, ((name, at), label)) in points.iter().zip(labels(&places, &names, axes, x, y, dot)).enumerate()
            {
                let color = theme::line_color(index);
                plot.points(Points::new(*name, vec![*at]).radius(3.2).color(color).allow_hover(false));
                let text = theme::small(*name).size(NAME).color(color);
                let from =
                    PlotPoint::new(x[0] + (label.across[0] + dot[0]) * (x[1] - x[0]), y[0] + label.up * (y[1] - y[0]));
                plot.text(Text::new("", from, text).anchor(Align2::LEFT_CENTER));
            }
        });
    });
}

/// A label in fractions of the plot's width and height.
#[derive(Clone, Copy, Debug)]
struct Label {
    /// Its ends, with room for a dot at each.
    across: [f64; 2],
    /// Height of its middle.
    up: f64,
    height: f64,
}

impl Label {
    /// Label with its left end here.
    fn from([across, up]: [f64; 2], width: f64, height: f64) -> Self {
        Self { across: [across, across + width], up, height }
    }

    /// Whether it covers a dot that is not at one of its ends.
    fn covers(&self, [across, up]: [f64; 2], dot: f64) -> bool {
        (self.across[0] + 0.5 * dot..=self.across[1] - 0.5 * dot).contains(&across)
            && (self.up - up).abs() < 0.75 * self.height
    }

    fn lies_over(&self, other: &Self) -> bool {
        self.across[0] < other.across[1]
            && other.across[0] < self.across[1]
            && (self.up - other.up).abs() < 0.999 * self.height
    }
}

/// Plot position: logarithm of the time; `None` without a time.
fn place([us, up]: [f64; 2]) -> Option<[f64; 2]> {
    (us > 0.0 && us.is_finite() && up.is_finite()).then(|| [us.log10(), up])
}

/// Ranges of the axes: whole powers of ten, and from a step below the lowest to one above the highest.
fn room(points: &[(&str, [f64; 2])]) -> Option<([f64; 2], [f64; 2])> {
    let ends = |axis: usize| {
        let values = points.iter().map(|(_, at)| at[axis]);
        values.fold(None, |ends: Option<[f64; 2]>, v| Some(ends.map_or([v; 2], |[a, b]| [a.min(v), b.max(v)])))
    };
    let ([left, right], [low, high]) = (ends(0)?, ends(1)?);
    let margin = 0.08 * (high - low).max(10.0);
    Some(([left.floor(), right.floor() + 1.0], [(low - 2.0 * margin).max(0.0), high + margin]))
}

/// A grid line at each power of ten.
fn decades([from, to]: [f64; 2]) -> Vec<egui_plot::GridMark> {
    let marks = (from.ceil() as i32)..=(to.floor() as i32);
    marks.map(|power| egui_plot::GridMark { value: f64::from(power), step_size: 1.0 }).collect()
}

/// Positions of names of these widths, each at its point, on the side with more room. A name that would overlap another, a label in
/// `taken`, or an end moves to the other side, or up or down, where it may be over its point. `dot`: room for a dot, and height of a line.
fn labels(
    points: &[[f64; 2]],
    widths: &[f64],
    mut taken: Vec<Label>,
    x: [f64; 2],
    y: [f64; 2],
    dot: [f64; 2],
) -> Vec<Label> {
    let place = |at: &[f64; 2]| [(at[0] - x[0]) / (x[1] - x[0]), (at[1] - y[0]) / (y[1] - y[0])];
    let dots: Vec<[f64; 2]> = points.iter().map(place).collect();
    let mut one = |([across, up], width): (&[f64; 2], &f64)| {
        let is_free = |label: &Label| {
            let inside = label.across[0] >= 0.0
                && label.across[1] <= 1.0
                && (0.5 * dot[1]..=1.0 - 0.5 * dot[1]).contains(&label.up);
            inside
                && !taken.iter().any(|other| label.lies_over(other))
                && !dots.iter().any(|other| label.covers(*other, dot[0]))
        };
        let at = |from: f64, up: f64| Label::from([from, up], *width, dot[1]);
        let within = (across - 0.5 * width).min(1.0 - width).max(0.0);
        let [right, left] = [*across, across - width];
        // The nearest free place, above first, on the side with more room first.
        let sides = if *across < 0.5 { [right, left, within] } else { [left, right, within] };
        let lines = (0..24).flat_map(|step| [f64::from(step), -f64::from(step)]);
        let mut places = lines.flat_map(|lines| sides.map(|from| at(from, up + 0.5 * lines * dot[1])));
        // If there is none, it is at least whole.
        let label = places.find(is_free).unwrap_or_else(|| at(within, *up));
        taken.push(label);
        label
    };
    dots.iter().zip(widths).map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_with_a_time_are_inside() {
        assert_eq!(place([1000.0, 40.0]), Some([3.0, 40.0]));
        assert_eq!((place([0.0, 40.0]), place([f64::NAN, 40.0]), place([1.0, f64::INFINITY])), (None, None, None));
        let points = [("a", [0.5, 30.0]), ("b", [2.0, 100.0]), ("c", [1.2, 31.0])];
        let (x, y) = room(&points).unwrap();
        assert_eq!(x, [0.0, 3.0]);
        assert!(y[0] < 30.0 && y[1] > 100.0, "{y:?}");
        assert_eq!(decades(x).iter().map(|mark| mark.value).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
        assert!(room(&[]).is_none());
    }

    /// At the widths of a dock and of a sheet: no label overlaps another, those of the axes, or an end, whatever its length.
    #[test]
    fn labels_do_not_collide_and_are_whole() {
        let names = [
            "Area compute",
            "Area fragment",
            "Raster chain",
            "Blit chain",
            "Mitchell",
            "Lanczos 3",
            "Mip chain",
            "Summed-area table",
        ];
        for (width, spread) in [260.0, 420.0, 700.0].into_iter().flat_map(|width| [0.15, 0.45, 0.9].map(|s| (width, s)))
        {
            let points: Vec<(&str, [f64; 2])> = names
                .iter()
                .enumerate()
                .map(|(index, name)| (*name, [2.0 + spread * (index % 3) as f64, 30.0 + 2.0 * (index % 4) as f64]))
                .collect();
            let (x, y) = room(&points).unwrap();
            let dot = [f64::from(DOT) / width, f64::from(LINE / HEIGHT)];
            let of = |text: &str| (5.8 * text.chars().count() as f64 + 2.0 * f64::from(DOT)) / width;
            let axes = vec![
                Label::from([0.0, 0.5 * dot[1]], of("100 µs"), dot[1]),
                Label::from([0.0, 0.5], of("40 dB"), dot[1]),
            ];
            let widths: Vec<f64> = names.iter().map(|name| of(name)).collect();
            let places: Vec<[f64; 2]> = points.iter().map(|(_, at)| *at).collect();
            let mut all = labels(&places, &widths, axes.clone(), x, y, dot);
            assert_eq!(all.len(), names.len());
            all.extend(axes);
            for (index, label) in all.iter().enumerate() {
                assert!(label.across[0] >= 0.0 && label.across[1] <= 1.0, "{width}: {label:?}");
                for other in &all[..index] {
                    assert!(!label.lies_over(other), "{width}: {label:?} over {other:?}");
                }
            }
        }
    }
}
