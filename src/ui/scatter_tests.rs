//! Tests of the scatter plot: by pointer and keyboard, at any width.

use super::*;
use crate::UiAction;
use crate::test_fixture::{Hand as _, Mode, Panels, harness, world};
use base::stats::Quartiles;
use egui::Event;
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

fn line(harness: &Panels) -> f32 {
    let is_line = |shape: &egui::Shape| match shape {
        egui::Shape::LineSegment { points, stroke } if stroke.color == theme::WARN => Some(points[0].x),
        _ => None,
    };
    harness.output().shapes.iter().find_map(|clipped| is_line(&clipped.shape)).expect("a budget line")
}

const CHANGED: UiAction = UiAction::Changed { section: "glass", field: "mode" };

/// At first the budget is what the chosen method takes; a drag to the right buys the better one.
#[test]
fn the_dragged_budget_chooses_its_winner() {
    let mut harness = opened([1280.0, 900.0], true);
    harness.get_by_label("Budget 300 µs: Lens");
    assert_eq!(harness.state().glass.mode, Mode::Lens);
    let (space, from) = (plot(&harness), line(&harness));
    let at = |x: f32| pos2(x, space.top() + 40.0);
    pointer(&mut harness, at(from), Some(true));
    pointer(&mut harness, at(from + 30.0), None);
    pointer(&mut harness, at(space.right() - 3.0), None);
    assert_eq!(harness.get_all_by_label_contains(": Source").count(), 2, "in the line above, and to a screen reader");
    assert_eq!(
        (harness.state().glass.mode, line(&harness)),
        (Mode::Lens, space.right() - 3.0),
        "not before the release"
    );
    pointer(&mut harness, at(space.right() - 3.0), Some(false));
    assert_eq!(harness.state().glass.mode, Mode::Source);
    assert_eq!(harness.state().actions, [CHANGED], "once: an edit that can be undone");
    pointer(&mut harness, at(space.right() - 3.0), Some(true));
    pointer(&mut harness, at(space.left() + 60.0), None);
    pointer(&mut harness, at(space.left() + 4.0), Some(false));
    harness.get_by_label_contains("none is as fast");
    assert_eq!((harness.state().glass.mode, harness.state().actions.len()), (Mode::Source, 1));
}

#[test]
fn points_are_chosen_by_click_and_by_keyboard() {
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
    // It has the focus now: to the faster one, and back and forth at the ends.
    pointer(&mut harness, space.left_top() - vec2(0.0, 60.0), None);
    for (keys, title) in [
        (&[Key::ArrowLeft][..], "Lens: 300 µs"),
        (&[Key::ArrowLeft], "Lens: 300 µs"),
        (&[Key::ArrowUp], "Source: 3.00 ms"),
        (&[Key::ArrowRight, Key::ArrowDown], "Lens: 300 µs"),
    ] {
        keys.iter().for_each(|key| harness.key_press(*key));
        harness.run_ok();
        assert!(harness.get_all_by_label_contains(title).count() > 0, "{keys:?}");
    }
    assert_eq!(harness.state().glass.mode, Mode::Source, "walking chooses nothing");
    harness.key(Key::Enter);
    assert_eq!(harness.state().glass.mode, Mode::Lens);
}
