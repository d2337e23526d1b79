//! Interaction tests of measurements: start, stop, read, select, copy.

use egui::accesskit::{Role, Toggled};
use egui_kittest::kittest::{NodeT, Queryable as _};

use super::test_fixture::{Hand as _, Mode, Panels, at_1280, techniques_of, world};
use super::*;
use base::timing::{FrameTiming, PassTiming, PictureStep};
use lab::{Answer, Card, CardRow, CardTable, Cell, Column, End, Progress};
use technique::{Measurement, Measures};

const MEASURES: Measures =
    Measures { label: "Compare methods", doc: "Times every method on the current picture.", chooses: "mode" };

fn row(name: &str, us: f64, more: usize) -> CardRow {
    let times = [Cell::us(Some(us)), Cell::new(0.0, "11.9 to 12.8 ms")];
    let more = (0..more).map(|index| Cell::number(Some(us * (index + 2) as f64), 2));
    let title = base::text::title(name);
    CardRow { name: name.into(), title, cells: times.into_iter().chain(more).collect(), ..CardRow::default() }
}

const HEADS: [&str; 7] = ["PSNR (dB)", "SSIM", "ringing", "brighter", "flicker", "CPU later", "CPU first"];

fn measured(progress: Progress, more: usize) -> Measurement {
    let mut columns = ["method", "time", "quartiles"].map(|name| Column::new(name, "")).to_vec();
    columns.extend(HEADS[..more].iter().map(|name| Column::new(name, "What it is")));
    let rows = vec![row("source", 12_300.0, more), row("lens", 1_230.0, more)];
    let answer = Answer { text: "Lens is fastest: 1.23 ms (1.19 ms to 1.28 ms).".into(), pays: None };
    let card = Card {
        progress,
        subject: "1280 x 720 px, picture: Dusk".into(),
        answer: (progress != Progress::Idle).then_some(answer),
        tables: vec![CardTable { title: String::new(), columns, rows }],
        ..Card::default()
    };
    Measurement { id: "glass", measures: MEASURES, why_not: None, card }
}

pub fn idle() -> Measurement {
    measured(Progress::Idle, 0)
}

const DONE: Progress = Progress::Done { rounds: 15, end: End::Clear };

fn set(harness: &mut Panels, measurement: Measurement) {
    harness.state_mut().measurements = vec![measurement];
    harness.run_ok();
}

#[test]
fn a_refused_measurement_says_why_and_does_not_begin() {
    let mut start = world();
    let why_not = Some("It measures the 3D scene, which is not shown".into());
    start.measurements = vec![Measurement { why_not, ..measured(Progress::Idle, 0) }];
    let mut harness = techniques_of(start, [1280.0, 720.0]);
    harness.get_by_label("It measures the 3D scene, which is not shown.");
    harness.click_role(Role::Button, "Compare methods");
    assert_eq!(harness.taken(), []);
}

#[test]
fn below_the_setting_that_it_chooses_is_a_way_to_it() {
    let mut start = world();
    start.measurements = vec![measured(Progress::Idle, 0)];
    let mut harness = at_1280(start);
    harness.click_role(Role::Button, "Compare methods");
    assert_eq!(harness.taken(), [UiAction::Measure("glass")]);
    set(&mut harness, measured(DONE, 0));
    harness.click("Close the table");
    assert!(!harness.has("quartiles"));
    harness.click_role(Role::Button, "Compare methods");
    assert!(harness.taken().is_empty() && harness.has("quartiles"), "what was found");
}

#[test]
fn it_can_be_stopped_read_copied_and_measured_again() {
    let mut start = world();
    start.measurements = vec![measured(Progress::Idle, 2)];
    let mut harness = techniques_of(start, [1280.0, 720.0]);
    harness.click_role(Role::Button, "Compare methods");
    assert_eq!(harness.taken(), [UiAction::Measure("glass")]);
    set(&mut harness, measured(Progress::Running { rounds: 7, part: 0.4 }, 2));
    harness.click_role(Role::Button, "Stop");
    assert_eq!(harness.taken(), [UiAction::StopMeasuring("glass")]);
    set(&mut harness, measured(DONE, 2));
    harness.get_by_label("1280 x 720 px, picture: Dusk");
    harness.get_by_label("Measured at 1280 x 720 px, picture: Dusk.");
    assert_eq!(harness.get_all_by_label("Lens is fastest: 1.23 ms (1.19 ms to 1.28 ms).").count(), 2);
    harness.click_role(Role::Button, "Copy");
    harness.click_role(Role::Button, "Measure again");
    let text = "Glass: compare methods\n1280 x 720 px, picture: Dusk\nLens is fastest: 1.23 ms (1.19 ms to 1.28 ms).\n\n\
                method\ttime\tquartiles\tPSNR (dB)\tSSIM\nSource\t12.3 ms\t11.9 to 12.8 ms\t24600.00\t36900.00\n\
                Lens\t1.23 ms\t11.9 to 12.8 ms\t2460.00\t3690.00\n";
    assert_eq!(harness.state().actions, [UiAction::Copy(text.into()), UiAction::Measure("glass")]);
    for close in ["Close the table", "Esc"] {
        assert!(harness.has("quartiles"));
        match close {
            "Esc" => harness.press(PanelKey::Close),
            sign => harness.get_by_label(sign).click(),
        }
        harness.run_ok();
        assert!(!harness.has("quartiles"), "{close}");
        harness.click_role(Role::Button, "Compare methods");
    }
}

#[test]
fn rows_choose_their_method() {
    let mut start = world();
    start.measurements = vec![measured(DONE, 1)];
    let mut harness = techniques_of(start, [1280.0, 720.0]);
    harness.click_role(Role::Button, "Compare methods");
    harness.click("Source: 12.3 ms, 11.9 to 12.8 ms, 24600.00");
    assert_eq!(harness.state().glass.mode, Mode::Source);
    assert_eq!(harness.state().actions, [UiAction::Changed { section: "glass", field: "mode" }]);
    let chosen = harness.get_by_label("Source: 12.3 ms, 11.9 to 12.8 ms, 24600.00");
    assert_eq!(chosen.accesskit_node().toggled(), Some(Toggled::True));
    harness.taken();
    harness.click("Lens as B");
    let lens = toml::Table::from_iter([("mode".to_owned(), "lens".into())]);
    assert_eq!(harness.taken(), [UiAction::Pair(pair_state::PairAction::Pin(Some(("glass", lens))))]);
    assert_eq!(harness.state().glass.mode, Mode::Source, "A stays");
}

#[test]
fn the_head_says_what_goes_on() {
    let mut harness = at_1280(world());
    let running = Progress::Running { rounds: 3, part: 0.1 };
    for (progress, refining, text) in [
        (running, None, "measuring"),
        (DONE, Some(0.0), "refining 0 %"),
        (DONE, Some(0.259), "refining 25 %"),
        (DONE, Some(1.0), "refining 99 %"),
        (DONE, None, "idle"),
    ] {
        harness.state_mut().scene.refining = refining;
        set(&mut harness, measured(progress, 0));
        harness.get_by_label(text);
        assert!(["idle", "measuring"].into_iter().all(|other| other == text || !harness.has(other)), "{text}");
    }
}

#[test]
fn the_head_says_what_is_spent_and_what_the_last_full_frame_took() {
    let mut harness = at_1280(world());
    let push = |harness: &mut Panels, us: f64, picture: Option<PictureStep>, at_s: f64| {
        let pass = PassTiming { name: "glass/lens".into(), gpu_us: Some(us), ..Default::default() };
        let timing = FrameTiming { gpu_us: Some(us), picture, passes: vec![pass], ..Default::default() };
        let ui = harness.ui_mut();
        ui.timings.push(&timing, at_s);
        ui.timings.refresh();
        harness.run_ok();
    };
    push(&mut harness, 1_240_000.0, Some(PictureStep::Whole), 0.0);
    for (us, at_s) in [(28_000.0, 10.0), (34_000.0, 20.0)] {
        push(&mut harness, us, None, at_s);
        for text in ["glass", "at rest", "scene", "last 1.24 s"] {
            assert!(harness.query_all_by_label(text).next().is_some(), "{text}");
        }
    }
    let rate = &mut harness.ui_mut().rate;
    rate.begin(Some(1.0), 1.0);
    harness.run_ok();
    harness.get_by_label("34.0 ms");
    harness.get_by_label("last 1.24 s");
}
