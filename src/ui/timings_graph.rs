//! GPU or CPU time over the last frames, a line for each technique and one for the frame.

use egui::{Align2, Color32, Stroke, Ui};
use egui_plot::{Line, Plot, PlotPoint, PlotPoints, Text};

use super::theme;
use super::timings::{Cost, FRAMES, Timings, in_order};
use crate::base::text::micros;

/// Height of the graph, in points.
const HEIGHT: f32 = 104.0;

/// How many of the dearest techniques the readout names.
const DEAREST: usize = 4;

/// Draws the graph of the GPU's times (`side` 0) or the CPU's (1). It takes no drags and no wheel: the panel it lies in scrolls.
pub(super) fn show(ui: &mut Ui, timings: &Timings, side: usize, title: &dyn Fn(&str) -> String) {
    let highest_us = highest(&timings.frame, side);
    let plot = quiet(Plot::new(("time", side)).height(HEIGHT))
        .show_grid([false, true])
        .y_grid_spacer(|input| steps(input.bounds.1))
        .grid_color(theme::QUIET.gamma_multiply(0.5))
        .default_x_bounds(0.0, (FRAMES - 1) as f64)
        .default_y_bounds(0.0, highest_us * 1.08e-3);
    theme::well().inner_margin(6).show(ui, |ui| {
        let shown = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(0.0..=(FRAMES - 1) as f64);
            plot.set_plot_bounds_y(0.0..=highest_us * 1.08e-3);
            // Labels within the graph: an axis beside it would take a quarter of the width.
            for mark in steps(highest_us * 1.08e-3).iter().skip(1) {
                let text = theme::small(in_unit(mark.value)).size(10.0);
                plot.text(Text::new("", PlotPoint::new(0.0, mark.value), text).anchor(Align2::LEFT_TOP));
            }
            plot.line(line("frame", &timings.frame, side, theme::QUIET.gamma_multiply(0.8)).width(1.0));
            for (index, (name, cost)) in in_order(&timings.techniques) {
                plot.line(line(name, cost, side, theme::line_color(index)));
            }
        });
        let Some(at) = shown.response.hover_pos() else { return };
        let frame = shown.transform.value_from_position(at).x.round();
        let Some(back) = back(frame, timings.frame.lines[side].len()) else { return };
        ui.painter().vline(at.x, shown.response.rect.y_range(), Stroke::new(1.0, theme::QUIET));
        shown.response.on_hover_ui_at_pointer(|ui| readout(ui, timings, side, back, title));
    });
}

/// How many frames before the newest one the frame at this place of the graph is; nothing where there is none.
fn back(place: f64, known: usize) -> Option<usize> {
    let back = (FRAMES - 1).checked_sub(place.max(0.0) as usize)?;
    (back < known).then_some(back)
}

/// What a frame took, and the techniques that took most of it.
fn readout(ui: &mut Ui, timings: &Timings, side: usize, back: usize, title: &dyn Fn(&str) -> String) {
    let of = |cost: &Cost| {
        let line = &cost.lines[side];
        line.len().checked_sub(back + 1).and_then(|place| line.iter().nth(place)).unwrap_or(0.0)
    };
    let when = if back == 0 { "Last frame".into() } else { format!("{back} frames ago") };
    ui.label(theme::heading(format!("{when}: {}", micros(of(&timings.frame)))));
    let mut all: Vec<(usize, &str, f64)> = in_order(&timings.techniques)
        .into_iter()
        .map(|(index, (name, cost))| (index, name.as_str(), of(cost)))
        .collect();
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    for (index, name, us) in all.into_iter().filter(|(.., us)| *us > 0.0).take(DEAREST) {
        ui.label(theme::figure(format!("{:>8}  {}", micros(us), title(name))).color(theme::line_color(index)));
    }
}

/// A plot without axes that takes no drags and no wheel.
pub(super) fn quiet(plot: Plot<'_>) -> Plot<'_> {
    plot.show_axes(false)
        .show_background(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_crosshair(false)
        .set_margin_fraction(egui::Vec2::ZERO)
        .label_formatter(|_| None)
}

/// Microseconds at the top of the graph. A rare slow frame, such as the first, runs out at the top: it must not press all others flat.
fn highest(cost: &Cost, side: usize) -> f64 {
    let line = &cost.lines[side];
    let slowest = line.iter().fold(1.0, f64::max);
    line.percentile(0.9).map_or(slowest, |slow| slowest.min(1.6 * slow.max(1.0)))
}

/// The newest frame stands at the right end.
fn line<'a>(name: &str, cost: &Cost, side: usize, color: Color32) -> Line<'a> {
    let from = FRAMES - cost.lines[side].len().min(FRAMES);
    let points = cost.lines[side].iter().enumerate().map(|(place, us)| [(from + place) as f64, us * 1e-3]);
    Line::new(name, PlotPoints::from_iter(points)).stroke(Stroke::new(1.4, color)).allow_hover(false)
}

/// A round number of milliseconds: `200 µs`, `5 ms`, `2 s`.
pub(super) fn in_unit(ms: f64) -> String {
    let (value, unit) = match ms {
        ms if ms >= 1000.0 => (ms * 1e-3, "s"),
        ms if ms >= 1.0 => (ms, "ms"),
        ms => (ms * 1e3, "µs"),
    };
    // Rounded: 300 and not 300.00000000000006.
    format!("{} {unit}", (value * 1e3).round() / 1e3)
}

/// Two or three lines at 1, 2 or 5 times a power of ten, in milliseconds.
pub(super) fn steps(highest_ms: f64) -> Vec<egui_plot::GridMark> {
    let rough = (highest_ms / 2.5).max(1e-6);
    let ten = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * ten).find(|step| *step >= rough).unwrap_or(rough);
    let count = (highest_ms / step).floor() as usize;
    // Rounded, for the mark is also the text: 0.3 and not 0.30000000000000004.
    let round = |value: f64| format!("{value:.6}").parse().unwrap_or(value);
    (0..=count.min(5)).map(|n| egui_plot::GridMark { value: round(n as f64 * step), step_size: step }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_newest_frame_stands_at_the_right_end() {
        let last = (super::FRAMES - 1) as f64;
        assert_eq!([super::back(last, 5), super::back(last - 4.0, 5)], [Some(0), Some(4)]);
        assert_eq!([super::back(last - 5.0, 5), super::back(last + 1.0, 5), super::back(-3.0, 5)], [None; 3]);
    }

    #[test]
    fn grid_lines_are_round_and_few() {
        for highest in [1e-3, 0.0123, 0.4, 1.0, 3.3, 16.7, 120.0, 1400.0, 9000.0] {
            let marks = super::steps(highest);
            assert!((2..=4).contains(&marks.len()), "{highest}: {}", marks.len());
            assert!(marks.iter().all(|mark| mark.value <= highest && mark.value.to_string().len() <= 8), "{highest}");
            let mut texts = marks.iter().map(|mark| super::in_unit(mark.value));
            assert!(texts.all(|text| text.chars().count() <= 6), "{highest}: {marks:?}");
        }
        for (ms, text) in [(0.3, "300 µs"), (0.000_5, "0.5 µs"), (5.0, "5 ms"), (2000.0, "2 s")] {
            assert_eq!(super::in_unit(ms), text);
        }
    }
}
