//! Tests of a page: chips set what the panel shows, views are shown, figures are of the replay.

use crate::UiAction;
use crate::replay::tests::replay;
use crate::test_fixture::{Hand as _, Mode, Panels, at_1280, world};
use egui::{Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use renderer::ViewPlacement;

fn open() -> Panels {
    let mut harness = at_1280(world());
    harness.ui_mut().help.page = Some("glass".into());
    harness.run_steps(4);
    harness
}

fn click(harness: &mut Panels, name: &str) {
    harness.click_for(name, 6);
}

fn asked(pixel: Option<[u32; 2]>) -> UiAction {
    UiAction::Replay { technique: "glass", pixel }
}

#[test]
fn chips_show_and_set_the_setting() {
    let mut harness = open();
    harness.taken();
    click(&mut harness, "Set Mode to Source");
    assert_eq!(harness.state().glass.mode, Mode::Source);
    assert_eq!(harness.state().actions, [UiAction::Changed { section: "glass", field: "mode" }]);
    click(&mut harness, "Set Mode to Source");
    assert_eq!(harness.state().actions.len(), 1, "it is set already");
    click(&mut harness, "Set IOR to 2");
    assert_eq!(harness.state().glass.ior, 2.0);
    let rows = |harness: &Panels| harness.query_all_by_label("Reset IOR to 1.5").count();
    let before = rows(&harness);
    click(&mut harness, "Setting IOR");
    assert_eq!(rows(&harness), before + 1, "its row of the panel");
    let reset = harness.query_all_by_label("Reset IOR to 1.5").last().unwrap();
    reset.click();
    harness.run_steps(4);
    assert_eq!(harness.state().glass.ior, 1.5);
    assert_eq!(harness.state().actions.last(), Some(&UiAction::Changed { section: "glass", field: "ior" }));
}

#[test]
fn a_view_is_shown_by_its_picture() {
    let mut harness = open();
    harness.taken();
    let views: Vec<_> = harness.query_all_by_label("View Distance").collect();
    let left = views.iter().min_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap();
    left.click();
    harness.run_steps(3);
    let [UiAction::View(Some(shown))] = &harness.state().actions[..] else { panic!("a view") };
    assert_eq!((shown.technique, shown.view.name, shown.place), ("glass", "distance", ViewPlacement::Lens));
}

#[test]
fn figures_are_asked_for_once_and_drawn_beside_the_picture() {
    let mut harness = open();
    harness.run_steps(10);
    assert_eq!(harness.taken(), [asked(None)]);
    harness.get_by_label_contains("Figure: count");
    harness.state_mut().captures.replay = Some(replay());
    harness.run_steps(4);
    harness.get_by_label("2. count");
    harness.get_by_label_contains("\u{2260} the GPU's result");
    assert!(!harness.has("Play (Space)"), "no player under the page");
    let figure = harness.get_by_label("count").rect();
    let page = Rect::from_min_max(pos2(250.0, 0.0), pos2(1280.0 - 316.0, 720.0));
    assert!(page.contains_rect(figure), "{figure}");
    // A setting changes: the same tile again. Tile 1, 2 is at 64 to 128 and 128 to 192 pixels.
    click(&mut harness, "Set Mode to Source");
    assert_eq!(harness.taken()[1..], [asked(Some([96, 160]))]);
    click(&mut harness, "Close the page");
    assert_eq!(harness.taken(), [UiAction::EndReplay]);
}

#[test]
fn steps_go_on_without_the_page() {
    let mut harness = open();
    harness.state_mut().captures.replay = Some(replay());
    harness.run_steps(4);
    harness.taken();
    click(&mut harness, "All steps");
    harness.get_by_label("Play (Space)");
    assert_eq!(harness.state().actions, [], "not ended");
    assert!(harness.ui().help.page.is_none());
}
