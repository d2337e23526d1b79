//! Timeline of the GPU's queues in the last frame, one row each.

use egui::{Align2, Rangef, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::super::theme;
use super::axis_scale::{AxisScale, label_font};
use super::owners::Owners;
use super::queue_axis::{QueueAxis, QueueNote};
use crate::base::text::micros;
use crate::base::timing::technique_of;

const ROW: f32 = 16.0;
const AXIS: f32 = 14.0;
const LEAST: f32 = 1.0;

pub(super) fn show(ui: &mut Ui, axis: &QueueAxis, note: &QueueNote, owners: &Owners<'_>) {
    let end = axis.end();
    if end <= 0.0 {
        return;
    }
    theme::well().inner_margin(6).show(ui, |ui| {
        let labels = if note.is_one_queue { ["Queue", ""] } else { ["Graphics", "Compute"] };
        let rows = if note.is_one_queue { 1 } else { 2 };
        let font = label_font();
        let painter = ui.painter().clone();
        let width = |text: &str| painter.layout_no_wrap(text.into(), font.clone(), theme::TEXT).size().x;
        let left = 8.0 + labels.iter().map(|label| width(label)).fold(0.0, f32::max);
        let size = vec2(ui.available_width(), ROW * rows as f32 + AXIS);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let right = rect.right().max(rect.left() + left + 1.0);
        let scale = AxisScale { x: Rangef::new(rect.left() + left, right), us: [0.0, end] };
        let at = |us: f64| scale.x_of(us);
        let bottom = rect.top() + ROW * rows as f32;
        scale.marks(&painter, Rangef::new(rect.top(), bottom + 2.0), bottom + 2.0);
        let mut pointed = None;
        for (queue, (bars, label)) in axis.queues.iter().zip(labels).enumerate().take(rows) {
            let row = Rect::from_min_size(pos2(rect.left(), rect.top() + ROW * queue as f32), vec2(rect.width(), ROW));
            let place = pos2(row.left(), row.center().y);
            painter.text(place, Align2::LEFT_CENTER, label, font.clone(), theme::TEXT);
            for bar in bars {
                let (from, to) = (at(bar.from), at(bar.to).max(at(bar.from) + LEAST));
                let place = Rect::from_min_max(pos2(from, row.top() + 2.0), pos2(to, row.bottom() - 2.0));
                painter.rect_filled(place, 1.0, owners.color(technique_of(&bar.name)));
                if response.hover_pos().is_some_and(|at| row.contains(at) && place.expand(1.0).contains(at)) {
                    pointed = Some(bar);
                }
            }
        }
        let busy = |queue: usize| format!("{} {} of {}", labels[queue], micros(axis.busy(queue)), micros(end));
        let spoken: Vec<String> = (0..rows).map(busy).collect();
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, spoken.join(", ")));
        if let Some(bar) = pointed {
            response.on_hover_ui_at_pointer(|ui| {
                ui.label(theme::heading(owners.pass_title(&bar.name)));
                let took = format!("{} from {} on", micros(bar.to - bar.from), micros(bar.from));
                ui.label(theme::figure(took));
            });
        }
        ui.add(egui::Label::new(theme::small(axis.words(note))).wrap());
    });
}

#[cfg(test)]
mod tests {
    use super::super::queue_axis::Bar;
    use super::*;
    use crate::base::timing::FrameTiming;
    use crate::base::timing::PassTiming;

    fn timing(apart: bool) -> FrameTiming {
        let pass = |name: &str, from, us, on_compute_queue| PassTiming {
            name: name.into(),
            gpu_us: Some(us),
            gpu_start_us: Some(from),
            on_compute_queue,
            ..Default::default()
        };
        let passes = vec![
            pass("particles/step", 10.0, 40.0, true),
            pass("shade/list", 0.0, 30.0, false),
            pass("shade/rest", 20.0, 20.0, false),
            pass("glass/lens", 60.0, 40.0, false),
        ];
        FrameTiming { gpu_us: Some(100.0), clocks_apart: apart, passes, ..Default::default() }
    }

    #[test]
    fn work_at_once_is_counted_once() {
        let axis = QueueAxis::of(&timing(false));
        assert_eq!((axis.end(), axis.busy(0), axis.busy(1), axis.beside()), (100.0, 80.0, 40.0, 30.0));
        assert_eq!(axis.queues[1], [Bar { name: "particles/step".into(), from: 10.0, to: 50.0 }]);
        let one = QueueNote { is_one_queue: true, saved: None };
        assert!(axis.words(&one).contains("one queue"), "{}", axis.words(&one));
        assert_eq!(axis.words(&QueueNote::default()), format!("Both at once for {}.", micros(30.0)));
        let saved = QueueNote { saved: Some("Async saves 1 of at most 2.".into()), ..Default::default() };
        assert!(axis.words(&saved).ends_with("Async saves 1 of at most 2."));
        assert!(QueueAxis::of(&timing(true)).words(&QueueNote::default()).contains("cannot be compared"));
    }

    #[test]
    fn bars_are_where_their_times_are() {
        let axis = QueueAxis::of(&timing(false));
        for (note, rows) in [(QueueNote::default(), 2), (QueueNote { is_one_queue: true, saved: None }, 1)] {
            let mut harness = egui_kittest::Harness::builder().with_size([400.0, 200.0]).build_ui(|ui| {
                theme::install(ui.ctx());
                ui.set_width(300.0);
                show(ui, &axis, &note, &Owners(crate::techniques::INFOS));
            });
            harness.run_steps(3);
            let mut bars = Vec::new();
            for clipped in &harness.output().shapes {
                if let egui::Shape::Rect(bar) = &clipped.shape
                    && let owners = Owners(crate::techniques::INFOS)
                    && let Some(id) =
                        ["particles", "shade", "glass"].into_iter().find(|id| owners.color(id) == bar.fill)
                {
                    bars.push((bar.rect, id == "particles"));
                }
            }
            let compute: Vec<Rect> = bars.iter().filter(|(_, is)| *is).map(|(rect, _)| *rect).collect();
            let graphics: Vec<Rect> = bars.iter().filter(|(_, is)| !is).map(|(rect, _)| *rect).collect();
            assert_eq!((compute.len(), graphics.len()), (rows - 1, 3));
            let scale = graphics[2].width() / 40.0;
            for (bar, from, us) in [(graphics[0], 0.0, 30.0), (graphics[1], 20.0, 20.0), (graphics[2], 60.0, 40.0)] {
                assert!(
                    (bar.left() - graphics[0].left() - from * scale).abs() < 0.5
                        && (bar.width() - us * scale).abs() < 0.5
                );
            }
            if let Some(step) = compute.first() {
                assert!((step.left() - graphics[0].left() - 10.0 * scale).abs() < 0.5, "one axis");
                assert!((step.width() - 40.0 * scale).abs() < 0.5 && step.top() >= graphics[0].bottom(), "below");
                use egui_kittest::kittest::Queryable;
                let spoken = format!(
                    "Graphics {} of {}, Compute {} of {}",
                    micros(80.0),
                    micros(100.0),
                    micros(40.0),
                    micros(100.0)
                );
                harness.get_by_label(&spoken);
                harness.get_by_label(&format!("Both at once for {}.", micros(30.0)));
            }
        }
    }
}
