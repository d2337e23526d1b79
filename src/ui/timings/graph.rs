//! Graph of GPU or CPU time over the last seconds: a line for each technique and one for the frame.

use egui::{FontId, Rangef, Sense, Stroke, Ui, pos2, vec2};

use super::super::theme;
use super::axis_scale::{AxisScale, grid, in_unit, step};
use super::cost::Cost;
use super::history::{GRAPH_S, Timings, in_order};
use super::owners::Owners;
use base::stats::percentile;
use base::text::micros;

const HEIGHT: f32 = 104.0;

/// Font size of the labels, and points between them and the lines.
const LABEL: f32 = 10.0;
const BESIDE: f32 = 8.0;

/// Time of about one pixel, seconds.
const STEP_S: f64 = GRAPH_S / 256.0;

const DEAREST: usize = 4;

/// `side`: 0 for the GPU, 1 for the CPU.
pub(super) fn show(ui: &mut Ui, timings: &Timings, side: usize, owners: &Owners<'_>) {
    let frames = timings.graphed();
    let at_s: Vec<f64> = timings.at_s.range(frames.clone()).copied().collect();
    let newest_s = at_s.last().copied().unwrap_or_default();
    let top_ms = highest(timings.frame.us[side].range(frames.clone())) * 1.08e-3;
    let marks = marks(top_ms);
    theme::well().inner_margin(6).show(ui, |ui| {
        let (space, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        let painter = ui.painter().with_clip_rect(space);
        let text = |ms: &f64| painter.layout_no_wrap(in_unit(*ms), FontId::proportional(LABEL), theme::QUIET);
        let labels: Vec<_> = marks[1..].iter().map(text).collect();
        // No line crosses the labels.
        let margin = labels.iter().map(|text| text.size().x).fold(0.0, f32::max) + BESIDE;
        let x = Rangef::new(space.left() + margin.min(0.5 * space.width()), space.right());
        let scale = AxisScale { x, us: [-GRAPH_S * 1e6, 0.0] };
        let y_of = |ms: f64| space.bottom() - space.height() * (ms / top_ms) as f32;
        for ms in &marks {
            painter.hline(space.x_range(), y_of(*ms), grid());
        }
        for (ms, text) in marks[1..].iter().zip(labels) {
            painter.galley(pos2(space.left(), y_of(*ms)), text, theme::QUIET);
        }
        let line = |cost: &Cost, stroke: Stroke| {
            // A frame in which it did not run costs nothing.
            let us = cost.us[side].range(frames.clone()).map(|us| us.unwrap_or(0.0));
            let points = thinned(at_s.iter().zip(us).map(|(at_s, us)| [*at_s, us * 1e-3])).into_iter();
            painter
                .line(points.map(|[at_s, ms]| pos2(scale.x_of((at_s - newest_s) * 1e6), y_of(ms))).collect(), stroke);
        };
        line(&timings.frame, Stroke::new(1.0, theme::QUIET.gamma_multiply(0.8)));
        for (name, cost) in in_order(&timings.techniques, owners) {
            line(cost, Stroke::new(1.4, owners.color(name)));
        }
        let Some(at) = response.hover_pos() else { return };
        let Some(index) = nearest(&at_s, scale.us_of(at.x) * 1e-6) else { return };
        ui.painter().vline(at.x, space.y_range(), Stroke::new(1.0, theme::QUIET));
        response.on_hover_ui_at_pointer(|ui| {
            readout(ui, timings, (side, frames.start + index, newest_s - at_s[index]), owners);
        });
    });
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

/// Microseconds at the top. A rare slow frame is cut off, so that it does not flatten all others.
fn highest<'a>(us: impl Iterator<Item = &'a Option<f64>>) -> f64 {
    let mut us: Vec<f64> = us.flatten().copied().collect();
    let slowest = us.iter().copied().fold(1.0, f64::max);
    let slow = percentile(&mut us, 0.9);
    if slow.is_nan() { slowest } else { slowest.min(1.6 * slow.max(1.0)) }
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

fn marks(highest_ms: f64) -> Vec<f64> {
    let step = step(highest_ms);
    let count = (highest_ms / step).floor() as usize;
    // The mark is also the text: 0.3 and not 0.30000000000000004.
    let round = |value: f64| format!("{value:.6}").parse().unwrap_or(value);
    (0..=count.min(5)).map(|n| round(n as f64 * step)).collect()
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
            let marks = super::marks(highest);
            assert!((2..=4).contains(&marks.len()), "{highest}: {}", marks.len());
            assert!(marks.iter().all(|mark| *mark <= highest && mark.to_string().len() <= 8), "{highest}");
            let mut texts = marks.iter().map(|mark| super::in_unit(*mark));
            assert!(texts.all(|text| text.chars().count() <= 6), "{highest}: {marks:?}");
        }
        for (ms, text) in [(0.3, "300 µs"), (0.000_5, "0.5 µs"), (5.0, "5 ms"), (2000.0, "2 s")] {
            assert_eq!(super::in_unit(ms), text);
        }
    }
}
