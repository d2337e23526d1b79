//! Tests of the scatter plot.

use super::*;
use crate::UiAction;
use crate::test_fixture::{Mode, Panels, harness, world};
use base::stats::Quartiles;
use egui::{Event, Modifiers, PointerButton};
use egui_kittest::kittest::Queryable as _;
use lab::{Card, CardRow, CardTable, Cell, Column, End, Progress, ScatterPoint};
use technique::{Measurement, Measures};

const NAMES: [&str; 2] = ["source", "lens"];
const MORE: [&str; 6] = ["Raster chain", "Blit chain", "Mitchell", "Summed-area table", "Lanczos 3", "Area fragment"];

fn point(row: usize, title: &str, us: f64, up: f64) -> ScatterPoint {
    let us = Quartiles { low: 0.9 * us, median: us, high: 1.25 * us, count: 12 };
    ScatterPoint { row, title: title.into(), us, up, ssim: Some(0.9123) }
}

/// Two methods that can be chosen, the slower one the better, and some that are dominated.
fn measured(with_more: bool) -> Measurement {
    let columns = ["method", "time"].map(|name| Column::new(name, "")).to_vec();
    let row = |name: &&str| CardRow {
        name: (*name).into(),
        title: base::text::title(name),
        cells: vec![Cell::none()],
        ..CardRow::default()
    };
    let mut points = vec![point(0, "Source", 3000.0, 48.0), point(1, "Lens", 300.0, 31.0)];
    if with_more {
        points.extend(MORE.iter().enumerate().map(|(i, name)| {
            let i = i as f64;
            point(7, name, 500.0 + 900.0 * (i % 3.0), 27.0 + 2.0 * (i % 2.0) - 0.4 * i)
        }));
    }
    let scatter = Scatter { across: "GPU time", up: "PSNR", unit: "dB", reference: "the exact mean", points };
    let card = Card {
        progress: Progress::Done { rounds: 15, end: End::Clear },
        subject: "1280 x 720 px".into(),
        tables: vec![CardTable { title: String::new(), columns, rows: NAMES.iter().map(row).collect() }],
        scatter: Some(scatter),
        ..Card::default()
    };
    let measures = Measures { label: "Compare methods", doc: "Times every method.", chooses: "mode" };
    Measurement { id: "glass", measures, why_not: None, card }
}

fn opened(size: [f32; 2], with_more: bool) -> Panels {
    let mut start = world();
    start.measurements = vec![measured(with_more)];
    let mut harness = harness(start, size, 1.0);
    harness.state_mut().ui_mut().sheet.open = Some("glass".into());
    harness.run_ok();
    harness.run_ok();
    harness
}

fn plot(harness: &Panels) -> Rect {
    harness.get_by_label_contains("PSNR against time").rect()
}

fn pointer(harness: &mut Panels, at: Pos2, pressed: Option<bool>) {
    harness.event(Event::PointerMoved(at));
    if let Some(pressed) = pressed {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    harness.run_ok();
}

const CHANGED: UiAction = UiAction::Changed { section: "glass", field: "mode" };

#[test]
fn points_are_chosen_by_a_click() {
    let mut harness = opened([1280.0, 900.0], false);
    let space = plot(&harness);
    let dots: Vec<Pos2> = harness
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            egui::Shape::Circle(circle) if space.contains(circle.center) && circle.fill != Color32::TRANSPARENT => {
                Some(circle.center)
            }
            _ => None,
        })
        .collect();
    let source = dots.iter().copied().reduce(|a, b| if a.x > b.x { a } else { b }).unwrap();
    pointer(&mut harness, source + vec2(4.0, 3.0), None);
    harness.get_by_label("Source: 3.00 ms (2.70 ms to 3.75 ms), 48.0 dB, SSIM 0.9123");
    for pressed in [true, false] {
        pointer(&mut harness, source + vec2(4.0, 3.0), Some(pressed));
    }
    assert_eq!((harness.state().glass.mode, harness.state().actions.clone()), (Mode::Source, vec![CHANGED]));
}
