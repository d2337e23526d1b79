//! Points with names, one axis against the other: what methods cost and what they give.

use egui::{Align2, Ui};
use egui_plot::{Plot, PlotPoint, Points, Text};

use super::theme;
use super::timings_graph::{quiet, steps};
use crate::base::text::micros;
use crate::techniques::Scatter;

/// Height of the plot, in points.
const HEIGHT: f32 = 190.0;

/// Draws it. Times grow by powers of ten from left to right. It takes no drags and no wheel: the panel it lies in scrolls.
pub(super) fn show(ui: &mut Ui, id: &str, scatter: &Scatter) {
    let points: Vec<(&str, [f64; 2])> =
        scatter.points.iter().filter_map(|(name, [us, up])| Some((name.as_str(), place([*us, *up])?))).collect();
    let Some((x, y)) = room(&points) else { return };
    ui.add_space(4.0);
    ui.label(theme::small(format!("{} (up) against {} (across)", scatter.up, scatter.across)));
    let plot = quiet(Plot::new(("scatter", id)).height(HEIGHT))
        .show_grid([true, true])
        .x_grid_spacer(|input| decades([input.bounds.0, input.bounds.1]))
        .y_grid_spacer(|input| steps(input.bounds.1))
        .grid_color(theme::QUIET.gamma_multiply(0.5));
    theme::well().inner_margin(6).show(ui, |ui| {
        plot.show(ui, |plot| {
            plot.set_plot_bounds_x(x[0]..=x[1]);
            plot.set_plot_bounds_y(y[0]..=y[1]);
            let small = |text: String| theme::small(text).size(10.0);
            for mark in decades(x) {
                let at = PlotPoint::new(mark.value, y[0]);
                plot.text(Text::new("", at, small(micros(10f64.powf(mark.value)))).anchor(Align2::LEFT_BOTTOM));
            }
            for mark in steps(y[1]).into_iter().filter(|mark| mark.value > y[0]) {
                let at = PlotPoint::new(x[0], mark.value);
                plot.text(Text::new("", at, small(format!("{} dB", mark.value))).anchor(Align2::LEFT_TOP));
            }
            for (index, ((name, at), label)) in points.iter().zip(labels(&points, x, y)).enumerate() {
                let color = theme::line_color(index);
                plot.points(Points::new(*name, vec![*at]).radius(3.2).color(color).allow_hover(false));
                let text = theme::small(format!("  {name}  ")).size(10.5).color(color);
                plot.text(Text::new("", PlotPoint::new(at[0], label.1), text).anchor(label.0));
            }
        });
    });
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

/// Parts of the plot's width that a letter takes, and of its height that a line does.
const LETTER: [f64; 2] = [0.021, 0.066];

/// Which side of a name is at its point, and how high it stands: on the right half names go to the left; one that would lie over another
/// moves up or down.
fn labels(points: &[(&str, [f64; 2])], x: [f64; 2], y: [f64; 2]) -> Vec<(Align2, f64)> {
    let mut taken: Vec<[f64; 3]> = Vec::new(); // left, right, height of the middle
    let mut one = |(name, at): &(&str, [f64; 2])| {
        let [across, up] = [(at[0] - x[0]) / (x[1] - x[0]), (at[1] - y[0]) / (y[1] - y[0])];
        let width = (name.len() + 2) as f64 * LETTER[0];
        let to_right = across < 0.5;
        let [left, right] = if to_right { [across, across + width] } else { [across - width, across] };
        let is_free = |height: f64| {
            let inside = (0.5 * LETTER[1]..=1.0 - 0.5 * LETTER[1]).contains(&height);
            let lies_over =
                |other: &[f64; 3]| other[0] < right && left < other[1] && (other[2] - height).abs() < 0.999 * LETTER[1];
            inside && !taken.iter().any(lies_over)
        };
        // The nearest free place, above first.
        let moves =
            (0..16).flat_map(|step| [f64::from(step), -f64::from(step)]).map(|lines| up + 0.5 * lines * LETTER[1]);
        let height = moves.into_iter().find(|height| is_free(*height)).unwrap_or(up);
        taken.push([left, right, height]);
        (if to_right { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER }, y[0] + height * (y[1] - y[0]))
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

    #[test]
    fn names_do_not_lie_over_each_other() {
        let points = [("first", [0.5, 30.0]), ("second", [0.55, 31.0]), ("third", [0.5, 30.5]), ("far", [2.9, 30.0])];
        let (x, y) = room(&points).unwrap();
        let labels = labels(&points, x, y);
        let line = LETTER[1] * (y[1] - y[0]);
        let sides: Vec<Align2> = labels.iter().map(|(side, _)| *side).collect();
        assert_eq!(sides, [[Align2::LEFT_CENTER; 3].as_slice(), &[Align2::RIGHT_CENTER]].concat());
        assert_eq!((labels[0].1, labels[3].1), (30.0, 30.0), "those that are free stay at their points");
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            assert!((labels[i].1 - labels[j].1).abs() > 0.99 * line, "{labels:?}");
        }
    }
}
