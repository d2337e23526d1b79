//! Tests of the timeline in a window: zoom, freezing, the budget.

use crate::instruments::timeline::Timeline;
use crate::test_fixture::{Hand as _, Panels, at_1280, at_1280_after, painted, world};
use crate::{PanelKey, SavedPanels};
use base::timing::{FrameTiming, PassTiming, PictureStep, QueueWait};
use egui::{Rect, Shape, pos2};
use egui_kittest::kittest::Queryable as _;

fn pass(name: &str, gpu: [f64; 2], on_compute_queue: bool) -> PassTiming {
    PassTiming {
        name: name.into(),
        gpu_start_us: Some(gpu[0]),
        gpu_us: Some(gpu[1]),
        cpu_us: 100.0,
        cpu_start_us: gpu[0] * 0.1,
        submitted_us: 900.0,
        on_compute_queue,
        ..PassTiming::default()
    }
}

/// A frame of 9 ms: the last pass waits for the compute queue.
fn frame(number: u64, last_us: f64) -> FrameTiming {
    FrameTiming {
        frame: number,
        begun_us: number as f64 * 16_700.0,
        gpu_us: Some(6000.0 + last_us),
        cpu_us: 900.0,
        gpu_after_us: Some(1000.0),
        passes: vec![
            pass("mip/ids", [0.0, 2000.0], false),
            pass("glass/step", [500.0, 4500.0], true),
            pass("mip/draw", [6000.0, last_us], false),
        ],
        waits: vec![QueueWait { pass: 2, after: Some(1), resource: "particles".into() }],
        ..FrameTiming::default()
    }
}

fn push(harness: &mut Panels, timing: &FrameTiming) {
    let at_s = timing.begun_us * 1e-6;
    harness.ui_mut().timings.push(timing, at_s);
    harness.run_steps(8);
}

fn with_frames(mut harness: Panels, count: u64) -> Panels {
    harness.click("Inspect");
    harness.press(PanelKey::Instrument("timeline"));
    (0..count).for_each(|number| push(&mut harness, &frame(number, 2000.0)));
    harness
}

fn timeline(harness: &Panels) -> &Timeline {
    &harness.ui().instruments.timeline
}

fn bars(harness: &Panels) -> Vec<Rect> {
    let area = area(harness);
    let owners = crate::timings::Owners(crate::test_fixture::INFOS);
    let colors = ["mip", "glass"].map(|id| owners.color(id));
    let mut bars: Vec<Rect> = painted(harness)
        .into_iter()
        .filter_map(|shape| match shape {
            Shape::Rect(rect) if colors.contains(&rect.fill) && area.contains_rect(rect.rect) => Some(rect.rect),
            _ => None,
        })
        .collect();
    bars.sort_by(|a, b| (a.top(), a.left()).partial_cmp(&(b.top(), b.left())).unwrap());
    bars
}

fn area(harness: &Panels) -> Rect {
    harness.get_by_label_contains("CPU 300 µs of").rect()
}

fn chart(harness: &Panels) -> Rect {
    harness.get_by_label_contains("Frames: ").rect()
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_a_double_click_shows_all() {
    let mut harness = with_frames(at_1280(world()), 1);
    let before = bars(&harness);
    let at = before[5].left_center() + egui::vec2(0.0, 2.0);
    harness.hover_at(at);
    harness.run_steps(2);
    let unit = egui::MouseWheelUnit::Point;
    let (delta, modifiers, phase) = (egui::vec2(0.0, 120.0), egui::Modifiers::NONE, egui::TouchPhase::Move);
    harness.event(egui::Event::MouseWheel { unit, delta, modifiers, phase });
    harness.run_steps(30);
    let visible = |harness: &Panels| {
        let compute = bars_of_lane(harness, before[5].center().y);
        compute.first().copied().unwrap()
    };
    let zoomed = visible(&harness);
    assert!(zoomed.width() > 1.3 * before[5].width(), "{zoomed:?}");
    assert!((zoomed.left() - at.x).abs() < 1.5, "the time under the pointer stays: {zoomed:?} {at:?}");
    harness.drag_at(at);
    harness.run_steps(2);
    harness.hover_at(at + egui::vec2(40.0, 0.0));
    harness.run_steps(2);
    harness.drop_at(at + egui::vec2(40.0, 0.0));
    harness.run_steps(2);
    assert!((visible(&harness).left() - zoomed.left() - 40.0).abs() < 1.5, "{:?}", visible(&harness));
    for _ in 0..2 {
        harness.drag_at(at);
        harness.drop_at(at);
        harness.step();
    }
    harness.run_steps(3);
    assert!((visible(&harness).width() - before[5].width()).abs() < 0.5, "{:?}", visible(&harness));
}

fn bars_of_lane(harness: &Panels, y: f32) -> Vec<Rect> {
    let color = crate::timings::Owners(crate::test_fixture::INFOS).color("glass");
    // The small one is in the dock.
    let right = chart(harness).right();
    let on = |shape| match shape {
        Shape::Rect(rect) if rect.fill == color && rect.rect.y_range().contains(y) && rect.rect.left() < right => {
            Some(rect.rect)
        }
        _ => None,
    };
    painted(harness).into_iter().filter_map(on).collect()
}

#[test]
fn frozen_frames_stay_and_can_be_stepped() {
    let mut harness = with_frames(at_1280(world()), 3);
    harness.click_for("Freeze", 3);
    push(&mut harness, &frame(3, 900.0));
    harness.get_by_label_contains("Frame 2: GPU 8.00 ms");
    harness.get_by_label_contains("Frozen at frame 2");
    harness.get_by_label_contains("Mip: 4.00 ms");
    harness.click_for("Previous frame", 3);
    harness.get_by_label_contains("Frame 1: GPU 8.00 ms");
    harness.click_for("Freeze", 8);
    harness.get_by_label_contains("Frame 3: GPU 6.90 ms");
    // A column of the chart is a frame, the newest at the right end.
    let columns = chart(&harness);
    let at = pos2(columns.right() - 1.0, columns.bottom() - 4.0);
    harness.hover_at(at);
    harness.run_steps(2);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(3);
    harness.get_by_label_contains("Frozen at frame 3");
    harness.press(PanelKey::Close);
    harness.run_steps(3);
    assert!(!harness.has("Previous frame"));
}

#[test]
fn the_budget_is_remembered() {
    let mut harness = with_frames(at_1280(world()), 1);
    harness.get_by_label_contains("budget 16.7 ms");
    harness.get_by_label_contains("0 of 1 over it");
    let budget = 5000.0;
    harness.ui_mut().instruments.timeline.set_budget_us(Some(budget));
    harness.run_steps(2);
    harness.get_by_label_contains("1 of 1 over it");
    let ctx = harness.ctx.clone();
    let saved = harness.ui().saved(&ctx);
    let text = toml::to_string(&saved).unwrap();
    let saved: SavedPanels = toml::from_str(&text).unwrap();
    let again = at_1280_after(world(), saved);
    assert!((timeline(&again).budget_us().unwrap() - budget).abs() < 1e-9);
    harness.click_for("Display's", 3);
    assert_eq!(timeline(&harness).budget_us(), None);
    harness.get_by_label_contains("budget 16.7 ms");
    let mut timeline = Timeline::default();
    for us in [f64::NAN, f64::INFINITY] {
        timeline.set_budget_us(Some(us));
        assert_eq!(timeline.budget_us(), None);
    }
    timeline.set_budget_us(Some(-5.0));
    assert_eq!(timeline.budget_us(), Some(10.0));
}

#[test]
fn the_pass_under_the_pointer_shows_its_picture_and_a_click_pins_it() {
    let mut harness = with_frames(at_1280(world()), 1);
    let viewer = |harness: &Panels| {
        let instruments = &harness.ui().instruments;
        (instruments.request().passes.clone(), instruments.viewer.is_pinned("mip/ids"))
    };
    assert_eq!(viewer(&harness), (Vec::new(), false));
    let texts = painted(&harness).into_iter().filter_map(|shape| match shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    });
    let texts: Vec<String> = texts.collect();
    assert!(texts.iter().any(|text| text == "Mip: ids") && !texts.iter().any(|text| text == "ids"), "{texts:?}");
    let at = bars(&harness)[3].center();
    harness.hover_at(at);
    harness.run_steps(8);
    assert_eq!(viewer(&harness), (vec!["mip/ids".to_owned()], false));
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_steps(3);
    assert!(viewer(&harness).1);
}

#[test]
fn at_rest_it_shows_the_last_frame_that_drew_everything() {
    let mut harness = with_frames(at_1280(world()), 1);
    let full = FrameTiming { picture: Some(PictureStep::Whole), ..frame(1, 5000.0) };
    push(&mut harness, &full);
    harness.get_by_label_contains("Frame 1: GPU 11.0 ms, CPU 900 µs, drew everything");
    push(&mut harness, &frame(2, 10.0));
    harness.get_by_label_contains("Frame 2: GPU 6.01 ms");
    for number in 3..400 {
        let at_s = 3.0 + number as f64 * 0.01;
        harness.ui_mut().timings.push(&frame(number, 10.0), at_s);
    }
    harness.run_steps(8);
    harness.get_by_label_contains("Frame 1: GPU 11.0 ms");
    harness.get_by_label("240 frames");
    harness.get_by_label("99 %");
}
