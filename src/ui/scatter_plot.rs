//! Points with names, one axis against the other: what methods cost and what they give.

use egui::{Align2, Ui};
use egui_plot::{Plot, PlotPoint, Points, Text};

use super::theme;
use super::timings_graph::{quiet, steps};
use crate::base::text::micros;
use crate::lab::Scatter;

/// Height of the plot, in points.
const HEIGHT: f32 = 190.0;

/// Points of a label's letter and of its line, at most.
const LETTER: [f32; 2] = [6.2, 13.0];

/// Draws it. Times grow by powers of ten from left to right. It takes no drags and no wheel: the panel it lies in scrolls.
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
        let letter = [LETTER[0] / ui.available_width().max(1.0), LETTER[1] / HEIGHT].map(f64::from);
        plot.show(ui, |plot| {
            plot.set_plot_bounds_x(x[0]..=x[1]);
            plot.set_plot_bounds_y(y[0]..=y[1]);
            let small = |text: String| theme::small(text).size(10.0);
            let mut axes = Vec::new();
            for mark in decades(x) {
                let (at, text) = (PlotPoint::new(mark.value, y[0]), micros(10f64.powf(mark.value)));
                // The last would lie beyond the right end.
                if mark.value < x[1] {
                    axes.push(Label::at([(mark.value - x[0]) / (x[1] - x[0]), 0.5 * letter[1]], true, &text, letter));
                    plot.text(Text::new("", at, small(text)).anchor(Align2::LEFT_BOTTOM));
                }
            }
            for mark in steps(y[1]).into_iter().filter(|mark| mark.value > y[0]) {
                let (at, text) = (PlotPoint::new(x[0], mark.value), format!("{} dB", mark.value));
                let up = (mark.value - y[0]) / (y[1] - y[0]);
                let label = Label::at([0.0, up - 0.5 * letter[1]], true, &text, letter);
                if axes.iter().all(|other| !label.lies_over(other)) {
                    plot.text(Text::new("", at, small(text)).anchor(Align2::LEFT_TOP));
                    axes.push(label);
                }
            }
            for (index, ((name, at), label)) in points.iter().zip(labels(&points, axes, x, y, letter)).enumerate() {
                let color = theme::line_color(index);
                plot.points(Points::new(*name, vec![*at]).radius(3.2).color(color).allow_hover(false));
                let text = theme::small(format!("  {name}  ")).size(10.5).color(color);
                let align = if label.to_right { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER };
                plot.text(Text::new("", PlotPoint::new(at[0], y[0] + label.up * (y[1] - y[0])), text).anchor(align));
            }
        });
    });
}

/// A label in parts of the plot's width and height.
#[derive(Clone, Copy, Debug)]
struct Label {
    to_right: bool,
    across: [f64; 2],
    /// Height of its middle.
    up: f64,
    height: f64,
}

impl Label {
    /// Of a text that begins or ends at a place; `letter`: width of a letter and height of a line.
    fn at([across, up]: [f64; 2], to_right: bool, text: &str, letter: [f64; 2]) -> Self {
        let width = (text.chars().count() + 2) as f64 * letter[0];
        let across = if to_right { [across, across + width] } else { [across - width, across] };
        Self { to_right, across, up, height: letter[1] }
    }

    /// Whether it covers a dot, which is about as large as a letter.
    fn covers(&self, [across, up]: [f64; 2], letter: f64) -> bool {
        (self.across[0] - letter..=self.across[1] + letter).contains(&across)
            && (self.up - up).abs() < 0.75 * self.height
    }

    fn lies_over(&self, other: &Self) -> bool {
        self.across[0] < other.across[1]
            && other.across[0] < self.across[1]
            && (self.up - other.up).abs() < 0.999 * self.height
    }
}

/// Where a point lies: the logarithm of its time; none where there is no time.
fn place([us, up]: [f64; 2]) -> Option<[f64; 2]> {
    (us > 0.0 && us.is_finite() && up.is_finite()).then(|| [us.log10(), up])
}

/// What the axes show: whole powers of ten, and from a step below the lowest to one above the highest.
fn room(points: &[(&str, [f64; 2])]) -> Option<([f64; 2], [f64; 2])> {
    let ends = |axis: usize| {
        let values = points.iter().map(|(_, at)| at[axis]);
        values.fold(None, |ends: Option<[f64; 2]>, v| Some(ends.map_or([v; 2], |[a, b]| [a.min(v), b.max(v)])))
    };
    let ([left, right], [low, high]) = (ends(0)?, ends(1)?);
    let margin = 0.08 * (high - low).max(10.0);
    Some(([left.floor(), right.floor() + 1.0], [(low - 2.0 * margin).max(0.0), high + margin]))
}

/// A line at each power of ten.
fn decades([from, to]: [f64; 2]) -> Vec<egui_plot::GridMark> {
    let marks = (from.ceil() as i32)..=(to.floor() as i32);
    marks.map(|power| egui_plot::GridMark { value: f64::from(power), step_size: 1.0 }).collect()
}

/// Which side of a name is at its point, and how high it is: a name goes to the side with more room; one that would lie over another, or over a label
/// in `taken`, goes to the other side, or up or down.
fn labels(
    points: &[(&str, [f64; 2])],
    mut taken: Vec<Label>,
    x: [f64; 2],
    y: [f64; 2],
    letter: [f64; 2],
) -> Vec<Label> {
    let place = |at: [f64; 2]| [(at[0] - x[0]) / (x[1] - x[0]), (at[1] - y[0]) / (y[1] - y[0])];
    let dots: Vec<[f64; 2]> = points.iter().map(|(_, at)| place(*at)).collect();
    let mut one = |(name, at): &(&str, [f64; 2])| {
        let [across, up] = place(*at);
        let is_free = |label: &Label| {
            let inside = label.across[0] >= 0.0
                && label.across[1] <= 1.0
                && (0.5 * letter[1]..=1.0 - 0.5 * letter[1]).contains(&label.up);
            let own = |dot: &&[f64; 2]| **dot != [across, up];
            inside
                && !taken.iter().any(|other| label.lies_over(other))
                && !dots.iter().filter(own).any(|dot| label.covers(*dot, letter[0]))
        };
        // The nearest free place, above first, on the side with more room first.
        let sides = [across < 0.5, across >= 0.5];
        let lines = (0..24).flat_map(|step| [f64::from(step), -f64::from(step)]);
        let places = lines.flat_map(|lines| sides.map(|to_right| (to_right, up + 0.5 * lines * letter[1])));
        let mut places = places.map(|(to_right, up)| Label::at([across, up], to_right, name, letter));
        let label = places.find(is_free).unwrap_or_else(|| Label::at([across, up], sides[0], name, letter));
        taken.push(label);
        label
    };
    points.iter().map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_with_a_time_lie_inside() {
        assert_eq!(place([1000.0, 40.0]), Some([3.0, 40.0]));
        assert_eq!((place([0.0, 40.0]), place([f64::NAN, 40.0]), place([1.0, f64::INFINITY])), (None, None, None));
        let points = [("a", [0.5, 30.0]), ("b", [2.0, 100.0]), ("c", [1.2, 31.0])];
        let (x, y) = room(&points).unwrap();
        assert_eq!(x, [0.0, 3.0]);
        assert!(y[0] < 30.0 && y[1] > 100.0, "{y:?}");
        assert_eq!(decades(x).iter().map(|mark| mark.value).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
        assert!(room(&[]).is_none());
    }

    /// At the widths of a dock and of a sheet: no label over another, or over those of the axes.
    #[test]
    fn labels_do_not_collide() {
        let names = [
            "Area compute",
            "Area fragment",
            "Raster chain",
            "Blit chain",
            "Mitchell",
            "Lanczos 3",
            "Mip chain",
            "Table",
        ];
        for width in [260.0_f32, 420.0, 700.0] {
            let points: Vec<(&str, [f64; 2])> = names
                .iter()
                .enumerate()
                .map(|(index, name)| (*name, [2.0 + 0.15 * (index % 3) as f64, 30.0 + 2.0 * (index % 4) as f64]))
                .collect();
            let (x, y) = room(&points).unwrap();
            let letter = [LETTER[0] / width, LETTER[1] / HEIGHT].map(f64::from);
            let axes = vec![
                Label::at([0.0, 0.5 * letter[1]], true, "100 µs", letter),
                Label::at([0.0, 0.5], true, "40 dB", letter),
            ];
            let mut all = labels(&points, axes.clone(), x, y, letter);
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
