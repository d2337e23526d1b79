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
            for (index, ((name, at), anchor)) in points.iter().zip(anchors(&points, x, y)).enumerate() {
                let color = theme::line_color(index);
                plot.points(Points::new(*name, vec![*at]).radius(3.2).color(color).allow_hover(false));
                let text = theme::small(format!(" {name} ")).size(10.5).color(color);
                plot.text(Text::new("", PlotPoint::new(at[0], at[1]), text).anchor(anchor));
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

/// Where each name stands beside its point: to the left on the right half; above or below, in turn, where others are near.
fn anchors(points: &[(&str, [f64; 2])], x: [f64; 2], y: [f64; 2]) -> Vec<Align2> {
    let part = |[a, b]: [f64; 2]| [(a - x[0]) / (x[1] - x[0]), (b - y[0]) / (y[1] - y[0])];
    let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() < 0.3 && (a[1] - b[1]).abs() < 0.05;
    let one = |(at, (_, point)): (usize, &(&str, [f64; 2]))| {
        let here = part(*point);
        let before = points[..at].iter().filter(|(_, other)| near(part(*other), here)).count();
        let crowd = points.iter().filter(|(_, other)| near(part(*other), here)).count() > 1;
        match (here[0] < 0.5, crowd.then_some(before % 2)) {
            (true, None) => Align2::LEFT_CENTER,
            (false, None) => Align2::RIGHT_CENTER,
            (true, Some(0)) => Align2::LEFT_BOTTOM,
            (true, Some(_)) => Align2::LEFT_TOP,
            (false, Some(0)) => Align2::RIGHT_BOTTOM,
            (false, Some(_)) => Align2::RIGHT_TOP,
        }
    };
    points.iter().enumerate().map(one).collect()
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
        assert_eq!(anchors(&points, x, y), [Align2::LEFT_BOTTOM, Align2::RIGHT_CENTER, Align2::LEFT_TOP]);
        assert!(room(&[]).is_none());
    }
}
