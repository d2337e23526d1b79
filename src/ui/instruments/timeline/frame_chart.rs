//! Chart of the times of frames, one column each, with the budget.

use super::axis_area::NAMES;
use crate::theme;
use crate::timings::{FRAMES_RECENT, TimedFrame};
use base::stats::percentile;
use base::text::micros;
use base::timing::FrameTiming;
use egui::{Align2, EventFilter, Key, Rangef, Rect, Sense, Stroke, Ui, WidgetType, pos2, vec2};

const HEIGHT: f32 = 46.0;
/// Right of the columns: the budget.
const BUDGET: f32 = 46.0;
const COLUMN: f32 = 2.0;
/// Space above the highest of columns and budget, as a factor.
const ROOM: f64 = 1.12;

/// 50th, 95th and 99th.
pub(super) type Percentiles = [f64; 3];

/// Without frames in which drivers compiled; `None` without times.
pub(super) fn percentiles<'a>(frames: impl Iterator<Item = &'a TimedFrame> + Clone) -> [Option<Percentiles>; 2] {
    let of = |time: fn(&FrameTiming) -> Option<f64>| {
        let counted = frames.clone().filter(|frame| !frame.timing.compiles);
        let mut us: Vec<f64> = counted.filter_map(|frame| time(&frame.timing)).collect();
        (!us.is_empty()).then(|| [0.5, 0.95, 0.99].map(|part| percentile(&mut us, part)))
    };
    [of(|timing| timing.gpu_us), of(|timing| Some(timing.cpu_us))]
}

/// What counts against the budget.
pub(super) fn cost(timing: &FrameTiming) -> f64 {
    timing.cpu_us.max(timing.gpu_us.unwrap_or(0.0))
}

/// Right-aligned. Returns the index of the chosen frame.
pub(super) fn show<'a>(
    ui: &mut Ui,
    frames: impl ExactSizeIterator<Item = &'a TimedFrame> + Clone,
    chosen: usize,
    budget_us: f64,
) -> Option<usize> {
    let (whole, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag() | Sense::FOCUSABLE);
    let left = (whole.left() + NAMES).min(whole.right() - 1.0);
    let rect = whole.with_min_x(left).with_max_x((whole.right() - BUDGET).max(left + 1.0));
    let count = frames.len();
    let slots = FRAMES_RECENT.max(count);
    // Rare slow frames are cut off, so that they do not flatten all others.
    let counted = frames.clone().filter(|frame| !frame.timing.compiles);
    let mut costs: Vec<f64> = counted.map(|frame| cost(&frame.timing)).collect();
    let top_us = percentile(&mut costs, 0.95).max(budget_us) * ROOM;
    let y_of = |us: f64| rect.bottom() - rect.height() * (us / top_us).min(1.0) as f32;
    legend(ui, whole);
    ui.painter().rect_filled(rect, 3.0, egui::Color32::from_black_alpha(60));
    let slot_x = |slot: f64| rect.left() + (f64::from(rect.width()) * slot / slots as f64) as f32;
    let first = slots - count;
    // Where frames are narrower than a column, it shows the slowest of them.
    let group = (slots as f32 * COLUMN / rect.width().max(1.0)).ceil().max(1.0) as usize;
    let mut index = 0;
    let mut rest = frames.clone();
    while index < count {
        let some: Vec<&TimedFrame> = rest.by_ref().take(group).collect();
        let slow = some.iter().max_by(|a, b| cost(&a.timing).total_cmp(&cost(&b.timing)));
        let place = Rangef::new(slot_x((first + index) as f64), slot_x((first + index + some.len()) as f64));
        if let Some(frame) = slow {
            let is_chosen = (index..index + some.len()).contains(&chosen);
            column(ui, &frame.timing, place, (rect, &y_of), (is_chosen, budget_us));
        }
        index += some.len();
    }
    budget_line(ui, rect, y_of(budget_us), budget_us);
    let spoken = format!("Frames: {} of {count} chosen, budget {}", chosen + 1, micros(budget_us));
    theme::speak(&response, WidgetType::Slider, &spoken);
    let at = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged());
    let slot = at.map(|at| ((at.x - rect.left()) / rect.width() * slots as f32).floor().max(0.0) as usize);
    let mut picked = slot.filter(|_| count > 0).map(|slot| slot.saturating_sub(first).min(count.max(1) - 1));
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key: Key| ui.input(|input| input.num_presses(key));
        let (more, less) = (pressed(Key::ArrowRight), pressed(Key::ArrowLeft));
        if more != less && count > 0 {
            picked = Some((chosen + more).saturating_sub(less).min(count - 1));
        }
    }
    picked
}

fn budget_line(ui: &Ui, rect: Rect, y: f32, budget_us: f64) {
    ui.painter().hline(rect.x_range(), y, Stroke::new(1.0, theme::ACCENT));
    let middle = y.clamp(rect.top() + 6.0, (rect.bottom() - 6.0).max(rect.top() + 6.0));
    let at = pos2(rect.right() + BUDGET, middle);
    ui.painter().text(at, Align2::RIGHT_CENTER, micros(budget_us), theme::font(theme::SMALL), theme::ACCENT);
}

/// What columns and lines are.
fn legend(ui: &Ui, whole: Rect) {
    for (row, text) in ["Frames", "GPU", "CPU"].into_iter().enumerate() {
        let at = pos2(whole.left(), whole.top() + HEIGHT * (row as f32 + 0.5) / 3.0);
        let sign = Rect::from_center_size(at + vec2(5.0, 0.0), vec2(8.0, 8.0));
        match row {
            0 => drop(ui.painter().text(at, Align2::LEFT_CENTER, text, theme::font(theme::SMALL), theme::TEXT)),
            1 => drop(ui.painter().rect_filled(sign, 0.0, theme::GOOD.gamma_multiply(0.8))),
            _ => drop(ui.painter().hline(sign.x_range(), sign.center().y, Stroke::new(1.0, theme::TEXT))),
        }
        if row > 0 {
            ui.painter().text(at + vec2(14.0, 0.0), Align2::LEFT_CENTER, text, theme::font(theme::SMALL), theme::QUIET);
        }
    }
}

fn column(
    ui: &Ui,
    timing: &FrameTiming,
    x: Rangef,
    (rect, y_of): (Rect, &dyn Fn(f64) -> f32),
    (is_chosen, budget_us): (bool, f64),
) {
    let space = if x.span() > 4.0 { 1.0 } else { 0.0 };
    let x = Rangef::new(x.min, x.max - space);
    if is_chosen {
        ui.painter().rect_filled(Rect::from_x_y_ranges(x, rect.y_range()), 0.0, theme::CHOSEN);
    }
    let color = match cost(timing) > budget_us {
        _ if timing.compiles => theme::DIM.gamma_multiply(0.6),
        true => theme::BAD,
        false if is_chosen => theme::STRONG,
        false => theme::GOOD,
    };
    let us = timing.gpu_us.unwrap_or(0.0);
    ui.painter().rect_filled(Rect::from_x_y_ranges(x, y_of(us)..=rect.bottom()), 0.0, color.gamma_multiply(0.8));
    ui.painter().hline(x, y_of(timing.cpu_us), Stroke::new(1.0, theme::TEXT));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_in_which_drivers_compile_have_no_percentile() {
        let frame = |us: f64, compiles: bool| {
            let timing = FrameTiming { gpu_us: Some(us), cpu_us: us, compiles, ..FrameTiming::default() };
            TimedFrame { at_s: 0.0, timing: timing.into() }
        };
        let frames = [frame(9e6, true), frame(2.0, false), frame(2.0, false)];
        assert_eq!(percentiles(frames.iter()), [Some([2.0; 3]); 2]);
        assert_eq!(percentiles(frames[..1].iter()), [None; 2]);
    }
}
