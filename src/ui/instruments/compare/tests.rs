//! Tests of the bar of A and B, and of its table.

use crate::pair_state::PairAction;
use crate::test_fixture::{Hand as _, OwnedPair, Panels, at_1280, harness, painted, world};
use crate::{PanelKey, UiAction};
use ab::{PairDifference, PairLayout, TimeDifference, TimeRow};
use base::settings::parse_set;
use egui_kittest::kittest::Queryable as _;
use media::difference::Difference;
use techniques::Settings;

fn row(pass: &str, by: f64) -> TimeRow {
    TimeRow {
        pass: pass.into(),
        a_us: Some(100.0),
        b_us: Some(100.0 + by),
        difference: Some(TimeDifference {
            median_us: by,
            interval_us: [by - 1.5, by + 1.5],
            n: 16,
            is_of_one_pass: !pass.is_empty(),
        }),
    }
}

fn pair() -> OwnedPair {
    let mut settings = Settings::default();
    settings.lay(parse_set("glass.frost=3").unwrap()).unwrap();
    let rows = vec![row("", 12.0), row("shade/list", -7.0)];
    OwnedPair { settings, layout: PairLayout::Split(0.5), rows, ..OwnedPair::default() }
}

fn open(pair: OwnedPair) -> Panels {
    let mut world = world();
    world.captures.pair = Some(pair);
    at_1280(world)
}

fn b(harness: &mut Panels) -> &mut OwnedPair {
    harness.state_mut().captures.pair.as_mut().unwrap()
}

#[test]
fn a_key_and_the_controls_pin_and_remove() {
    let mut harness = at_1280(world());
    harness.click("Inspect");
    for action in [PairAction::Pin(None), PairAction::Remove] {
        harness.press(PanelKey::Instrument("compare"));
        harness.click("Compare A and B");
        assert_eq!(harness.taken(), [action.clone(), action].map(UiAction::Pair));
        harness.state_mut().captures.pair = Some(pair());
        harness.run_ok();
    }
}

fn labels(harness: &Panels) -> Vec<(String, [f32; 2])> {
    let texts = painted(harness).into_iter().filter_map(|shape| match shape {
        egui::Shape::Text(text) => {
            Some((text.galley.text().to_owned(), [text.pos.x, text.pos.x + text.galley.size().x]))
        }
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_sides_of_the_line_have_names() {
    let mut harness = open(pair());
    harness.state_mut().overlay.line = Some(300.0);
    let sides = |harness: &Panels| {
        let all = labels(harness).into_iter().filter(|(text, [left, right])| {
            (text == "A" && (270.0..300.0).contains(right)) || (text == "B" && (300.0..330.0).contains(left))
        });
        all.count()
    };
    for (layout, awaits_step, count) in
        [(PairLayout::Split(0.5), false, 2), (PairLayout::Split(0.5), true, 0), (PairLayout::Lens, false, 0)]
    {
        (b(&mut harness).layout, b(&mut harness).progress) = (layout, [awaits_step; 2]);
        harness.run_ok();
        assert_eq!(sides(&harness), count, "{layout:?}");
    }
}

#[test]
fn the_chip_names_the_edited_side_and_changes_it() {
    let mut harness = open(pair());
    for (label, edits_b) in [("Edits A", true), ("Edits B", false)] {
        harness.click(label);
        assert_eq!(harness.taken(), [UiAction::Pair(PairAction::Edit { b: edits_b })]);
        b(&mut harness).edits_b = edits_b;
        harness.run_ok();
    }
}

#[test]
fn key_escape_and_cross_close_it_alike() {
    let mut harness = open(pair());
    for key in [PanelKey::Instrument("compare"), PanelKey::Close] {
        harness.press(key);
        assert_eq!(harness.taken(), [UiAction::Pair(PairAction::Remove)], "{key:?}");
    }
    harness.click("Close A and B (B or Esc)");
    assert_eq!(harness.taken(), [UiAction::Pair(PairAction::Remove)]);
}

#[test]
fn the_bar_acts() {
    let mut harness = open(pair());
    for (label, action) in [
        ("Measure", PairAction::Measure),
        ("Lens", PairAction::Layout(PairLayout::Lens)),
        ("Difference", PairAction::Layout(PairLayout::Difference(8.0))),
    ] {
        // The dock has a split of views, too; the bar is left of it.
        let mut all: Vec<_> = harness.get_all_by_label(label).collect();
        all.sort_by(|a, b| a.rect().left().total_cmp(&b.rect().left()));
        all[0].click();
        harness.run_ok();
        assert_eq!(harness.taken(), [UiAction::Pair(action)], "{label}");
    }
    harness.get_by_label("A 100 µs, B 112 µs: B is slower");
}

#[test]
fn the_bar_says_how_pictures_differ() {
    let mut harness = open(pair());
    harness.get_by_label("Pictures are compared ...");
    let numbers = Difference { mean: 0.0, max: 0, psnr_db: f64::INFINITY, worst: [0; 2] };
    b(&mut harness).difference = Some(PairDifference { numbers, ssim: 1.0, scaled_from: None });
    harness.run_ok();
    harness.get_by_label("The pictures are equal.");
    let numbers = Difference { mean: 1.25, max: 40, psnr_db: 31.3, worst: [3, 4] };
    b(&mut harness).difference = Some(PairDifference { numbers, ssim: 0.98, scaled_from: None });
    harness.run_ok();
    harness.get_by_label("mean 1.250, largest 40 of 255, 31.3 dB, SSIM 0.9800");
    b(&mut harness).measured_part = Some(0.5);
    harness.run_ok();
    harness.get_by_label("Measuring, 50 %");
    assert!(harness.query_all_by_label_contains("measuring").next().is_some(), "in the head");
    for (progress, text) in [
        ([false, true], "so far mean 1.250, largest 40 of 255, 31.3 dB, SSIM 0.9800"),
        ([true, true], "B is drawn, then both begin in one frame ..."),
    ] {
        b(&mut harness).progress = progress;
        harness.run_ok();
        harness.get_by_label(text);
    }
}

#[test]
fn no_figure_is_cut() {
    let numbers = Difference { mean: 101.25, max: 240, psnr_db: 31.3, worst: [3, 4] };
    let difference = Some(PairDifference { numbers, ssim: 0.98, scaled_from: None });
    for size in [[1280.0, 720.0], [900.0, 600.0], [640.0, 360.0]] {
        let mut world = world();
        world.captures.pair = Some(OwnedPair { difference, ..pair() });
        for shape in painted(&harness(world, size, 2.0)) {
            let egui::Shape::Text(text) = shape else { continue };
            let is_figure = ["SSIM", "slower", "noisy"].iter().any(|word| text.galley.text().contains(word));
            assert!(!(is_figure && text.galley.elided), "{} at {size:?}", text.galley.text());
        }
    }
}

#[test]
fn b_may_have_other_shaders() {
    let mut harness = open(pair());
    harness.click("Other shaders ...");
    assert_eq!(harness.taken(), [UiAction::Pair(PairAction::PickShaders)]);
    b(&mut harness).shaders = Some("elsewhere/other shaders".into());
    harness.run_ok();
    harness.get_by_label("Shaders of B: other shaders");
    harness.click("B with the shaders of A");
    assert_eq!(harness.taken(), [UiAction::Pair(PairAction::Shaders(None))]);
}

#[test]
fn the_table_has_both_and_their_difference() {
    let mut harness = open(pair());
    assert!(!harness.has("shade/list"));
    harness.click("Passes");
    for text in ["paired B - A", "All passes", "shade/list", "112 µs", "93.0 µs", "12.0 µs", "-7.00 µs"] {
        harness.get_by_label(text);
    }
}

#[test]
fn clear_differences_are_named_and_come_first() {
    let mut noisy = pair();
    let all = |difference: TimeDifference| TimeDifference { interval_us: [-30.0, 40.0], ..difference };
    noisy.rows[0].difference = noisy.rows[0].difference.map(all);
    let only_b = TimeRow { a_us: None, difference: None, ..row("shade/extra", -70.0) };
    noisy.rows.extend([row("mip_chain/level 1", 40.0), only_b, row("glass/rays", -50.0)]);
    noisy.techniques = vec![row("shade", 2.0), row("mip_chain", 40.0), row("glass", -50.0)];
    let mut harness = open(noisy);
    harness.get_by_label(
        "A 100 µs, B 112 µs: too noisy to tell; clear differences: -50.0 µs in Liquid glass, +40.0 µs in Mip chain",
    );
    harness.click("Passes");
    let names = ["All passes", "glass/rays", "mip_chain/level 1", "shade/extra", "shade/list"];
    let tops = names.map(|name| harness.get_by_label(name).rect().top());
    assert!(tops.is_sorted(), "{tops:?}");
}

#[test]
fn a_break_leaves_the_lens_free() {
    let mut harness = open(OwnedPair { broken: Some(lab::Break::Sentinel), ..pair() });
    harness.get_by_label("B is broken: End of the sorted list");
    assert!(!harness.has("Measure") && !harness.has("Other shaders ..."));
    harness.click("Close A and B (B or Esc)");
    assert_eq!(harness.taken(), [UiAction::Pair(PairAction::Remove)]);
}

#[test]
fn settings_that_differ_are_counted_and_marked() {
    let mut harness = open(pair());
    let marks = |harness: &Panels, letter: &str| {
        let is_mark = |(text, [left, _]): &(String, [f32; 2])| text == letter && *left > 1280.0 - 330.0;
        labels(harness).iter().filter(|label| is_mark(label)).count()
    };
    assert!(marks(&harness, "B") > 0 && marks(&harness, "A") == 0);
    b(&mut harness).edits_b = true;
    harness.run_ok();
    assert!(marks(&harness, "A") > 0 && marks(&harness, "B") == 0);
    assert_eq!(marks(&at_1280(world()), "B"), 0);
}
