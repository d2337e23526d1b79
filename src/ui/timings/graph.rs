//! Graph of GPU or CPU time over the last seconds: a line for each technique and one for the frame.

use egui::{Align2, Color32, Stroke, Ui};
use egui_plot::{Line, Plot, PlotPoint, PlotPoints, Text};

use super::super::theme;
use super::cost::Cost;
use super::history::{GRAPH_S, Timings, in_order};
use super::owners::Owners;
use crate::base::stats::percentile;
use crate::base::text::micros;

/// Points.
const HEIGHT: f32 = 104.0;

/// Font size of the labels, and points between them and the lines.
const LABEL: f32 = 10.0;
const BESIDE: f32 = 8.0;

/// Time of about one pixel, seconds.
const STEP_S: f64 = GRAPH_S / 256.0;

const DEAREST: usize = 4;

/// `side`: 0 for the GPU, 1 for the CPU. It takes no drags and no wheel: the panel around it scrolls.
pub(super) fn show(ui: &mut Ui, timings: &Timings, side: usize, owners: &Owners<'_>) {
    let frames = timings.graphed();
    let at_s: Vec<f64> = timings.at_s.range(frames.clone()).copied().collect();
    let highest_us = highest(timings.frame.us[side].range(frames.clone()));
    let plot = quiet(Plot::new(("time", side)).height(HEIGHT))
        .show_grid([false, true])
        .y_grid_spacer(|input| steps(input.bounds.1))
        .grid_color(theme::QUIET.gamma_multiply(0.5))
        .default_y_bounds(0.0, highest_us * 1.08e-3);
    theme::well().inner_margin(6).show(ui, |ui| {
        let marks = steps(highest_us * 1.08e-3);
        let from_s = -GRAPH_S - margin_s(ui, &marks);
        let shown = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(from_s..=0.0);
            plot.set_plot_bounds_y(0.0..=highest_us * 1.08e-3);
            for mark in marks.iter().skip(1) {
                let text = theme::small(in_unit(mark.value)).size(LABEL);
                plot.text(Text::new("", PlotPoint::new(from_s, mark.value), text).anchor(Align2::LEFT_TOP));
            }
            let line = |name: &str, cost: &Cost, color| line(name, &at_s, cost.us[side].range(frames.clone()), color);
            plot.line(line("frame", &timings.frame, theme::QUIET.gamma_multiply(0.8)).width(1.0));
            for (name, cost) in in_order(&timings.techniques, owners) {
                plot.line(line(name, cost, owners.color(name)));
            }
        });
        let Some(at) = shown.response.hover_pos() else { return };
        let pointed_s = shown.transform.value_from_position(at).x;
        let Some(index) = nearest(&at_s, pointed_s) else { return };
        ui.painter().vline(at.x, shown.response.rect.y_range(), Stroke::new(1.0, theme::QUIET));
        shown.response.on_hover_ui_at_pointer(|ui| {
            let ago_s = at_s.last().map_or(0.0, |newest| newest - at_s[index]);
            readout(ui, timings, (side, frames.start + index, ago_s), owners);
        });
    });
}

/// Width of the labels in seconds, left of the oldest frame: no line crosses them.
fn margin_s(ui: &Ui, marks: &[egui_plot::GridMark]) -> f64 {
    let font = egui::FontId::proportional(LABEL);
    let width = |mark: &egui_plot::GridMark| {
        ui.painter().layout_no_wrap(in_unit(mark.value), font.clone(), theme::QUIET).size().x
    };
    let labels = BESIDE + marks.iter().skip(1).map(width).fold(0.0, f32::max);
    let part = (labels / ui.available_width().max(1.0)).min(0.5);
    GRAPH_S * f64::from(part / (1.0 - part))
}

/// `pointed_s`: seconds before the newest; `None` if no frame is near.
fn nearest(at_s: &[f64], pointed_s: f64) -> Option<usize> {
    let pointed_at_s = at_s.last()? + pointed_s;
    if pointed_at_s < at_s.first()? - 0.1 {
        return None;
    }
    let far = |index: &usize| (at_s[*index] - pointed_at_s).abs();
    (0..at_s.len()).min_by(|a, b| far(a).total_cmp(&far(b)))
}

fn readout(ui: &mut Ui, timings: &Timings, (side, index, ago_s): (usize, usize, f64), owners: &Owners<'_>) {
    let of = |cost: &Cost| cost.us[side].get(index).copied().flatten().unwrap_or(0.0);
    let when = if ago_s == 0.0 { "Last frame".into() } else { format!("{ago_s:.1} s before") };
    ui.label(theme::heading(format!("{when}: {}", micros(of(&timings.frame)))));
    let mut all: Vec<(&str, f64)> =
        in_order(&timings.techniques, owners).into_iter().map(|(name, cost)| (name.as_str(), of(cost))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (name, us) in all.into_iter().filter(|(_, us)| *us > 0.0).take(DEAREST) {
        ui.label(theme::figure(format!("{:>8}  {}", micros(us), owners.title(name))).color(owners.color(name)));
    }
}

pub(in crate::ui) fn quiet(plot: Plot<'_>) -> Plot<'_> {
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

/// Microseconds at the top. A rare slow frame is cut off, so that it does not flatten all others.
fn highest<'a>(us: impl Iterator<Item = &'a Option<f64>>) -> f64 {
    let mut us: Vec<f64> = us.flatten().copied().collect();
    let slowest = us.iter().copied().fold(1.0, f64::max);
    let slow = percentile(&mut us, 0.9);
    if slow.is_nan() { slowest } else { slowest.min(1.6 * slow.max(1.0)) }
}

/// A frame in which it did not run costs nothing.
fn line<'a, 'b>(name: &str, at_s: &[f64], us: impl Iterator<Item = &'b Option<f64>>, color: Color32) -> Line<'a> {
    let newest = at_s.last().copied().unwrap_or_default();
    let points = thinned(at_s.iter().zip(us).map(|(at_s, us)| [*at_s, us.unwrap_or(0.0) * 1e-3]));
    let points = points.into_iter().map(|[at_s, ms]| [at_s - newest, ms]);
    Line::new(name, PlotPoints::from_iter(points)).stroke(Stroke::new(1.4, color)).allow_hover(false)
}

/// The highest point of each step of time, and both ends of level stretches: painting takes time for every point. Steps
/// are those of the clock, so that a line does not change shape while it moves.
fn thinned(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for [at_s, ms] in points {
        let step = |at_s: f64| (at_s / STEP_S).floor();
        let is_level = kept.len() > 1 && kept[kept.len() - 2][1] == kept[kept.len() - 1][1];
        match kept.last_mut() {
            Some(last) if is_level && last[1] == ms => last[0] = at_s,
            Some(last) if !is_level && step(last[0]) == step(at_s) => {
                if ms >= last[1] {
                    *last = [at_s, ms];
                }
            }
            _ => kept.push([at_s, ms]),
        }
    }
    kept
}

/// `200 µs`, `5 ms`, `2 s`.
pub(super) fn in_unit(ms: f64) -> String {
    let (value, unit) = match ms {
        ms if ms >= 1000.0 => (ms * 1e-3, "s"),
        ms if ms >= 1.0 => (ms, "ms"),
        ms => (ms * 1e3, "µs"),
    };
    // 300 and not 300.00000000000006.
    format!("{} {unit}", (value * 1e3).round() / 1e3)
}

/// Two or three grid lines at 1, 2 or 5 times a power of ten, in milliseconds.
pub(in crate::ui) fn steps(highest_ms: f64) -> Vec<egui_plot::GridMark> {
    let rough = (highest_ms / 2.5).max(1e-6);
    let ten = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * ten).find(|step| *step >= rough).unwrap_or(rough);
    let count = (highest_ms / step).floor() as usize;
    // The mark is also the text: 0.3 and not 0.30000000000000004.
    let round = |value: f64| format!("{value:.6}").parse().unwrap_or(value);
    (0..=count.min(5)).map(|n| egui_plot::GridMark { value: round(n as f64 * step), step_size: step }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_place_of_the_graph_is_the_frame_of_that_time() {
        let at_s = [10.0, 10.5, 12.0];
        for (pointed, frame) in [(0.0, Some(2)), (-0.9, Some(1)), (-1.9, Some(0)), (-2.05, Some(0)), (-3.0, None)] {
            assert_eq!(super::nearest(&at_s, pointed), frame, "{pointed}");
        }
        assert_eq!(super::nearest(&[], 0.0), None);
    }

    #[test]
    fn a_thinned_line_keeps_its_peaks_and_its_ends() {
        let step = super::STEP_S;
        let thinned = |us: &[f64]| {
            // Three frames of a step.
            let at = |index: usize| (index as f64 + 0.5) / 3.0 * step;
            super::thinned(us.iter().enumerate().map(|(index, us)| [at(index), *us]))
                .into_iter()
                .map(|[at_s, us]| ((at_s / step * 3.0 - 0.5).round() as usize, us))
                .collect::<Vec<_>>()
        };
        assert_eq!(thinned(&[]), []);
        assert_eq!(thinned(&[1.0, 9.0, 2.0, 3.0, 2.0, 5.0, 4.0]), [(1, 9.0), (5, 5.0), (6, 4.0)]);
        assert_eq!(thinned(&[0.0; 30]), [(2, 0.0), (29, 0.0)], "a level line is two points");
        let (mut us, peak) = ([2.0; 30], 17);
        us[peak] = 7.0;
        assert_eq!(thinned(&us), [(2, 2.0), (16, 2.0), (17, 7.0), (20, 2.0), (29, 2.0)]);
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
