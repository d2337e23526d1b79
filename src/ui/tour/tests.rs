//! Tests of the tour: every step names what exists, waits for the user's hand, and can be done.
use egui_kittest::kittest::Queryable as _;

use super::step::{Goal, Target, steps};
use super::*;
use crate::instruments::inspector::PixelStory;
use crate::instruments::{INFOS, lines};
use crate::test_fixture::{Captures, Hand as _, OwnedPair, Panels, World, at_1280, harness, real, view, world};
use crate::{PanelKey, SavedPanels};
use renderer::ViewPlacement;
use technique::{Replay, ReplayStep};
use techniques::Settings;

fn tour(world: &World) -> &Tour {
    &world.ui.as_ref().unwrap().help.tour
}

fn started() -> Panels {
    let mut harness = at_1280(real());
    harness.press(PanelKey::Help);
    harness.run_steps(3);
    harness.click_for(TITLE, 4);
    harness
}

#[test]
fn every_step_names_what_exists() {
    let mut settings = Settings::default();
    let sections = settings.sections();
    let has_setting = |section: &str, field: &str| {
        let section = sections.iter().find(|one| one.id == section);
        section.is_some_and(|one| one.settings.fields().iter().any(|one| one.name == field && one.is_setting()))
    };
    let tabs = ["Glass", "Techniques", "Inspect", "Device", "Help"];
    assert!((1..=12).contains(&steps().len()), "{} steps", steps().len());
    for step in steps() {
        let title = &step.title;
        assert!(!step.text.is_empty() && step.text.chars().count() <= 140, "{title}");
        assert!(step.key.is_empty() || lines().any(|line| line.name() == step.key), "{title}: no key {}", step.key);
        if let Goal::Instrument(id) = &step.done {
            assert!(INFOS.iter().any(|info| info.id == id), "{title}: no instrument {id}");
        }
        match &step.points {
            Target::Setting { section, field } => assert!(has_setting(section, field), "{title}: {section}.{field}"),
            Target::Tab(name) => assert!(tabs.contains(&name.as_str()), "{title}: no tab {name}"),
            Target::Control(name) => assert!(
                ["views of mip_chain", "passes", "Step by step of pixel_sort"].contains(&name.as_str()),
                "{title}: {name}"
            ),
            Target::Nothing => assert!(!step.key.is_empty(), "{title}: points at nothing and has no key"),
        }
    }
    // No figures of a cost: no test could hold them without a GPU.
    let has_figure = |text: &str| text.chars().any(|c| c.is_ascii_digit() && c != '0');
    assert!(steps().iter().all(|step| !has_figure(&step.text)));
}

/// Through the panels where these do it alone, else as the window would.
fn act(harness: &mut Panels, goal: &Goal) {
    let set = |harness: &mut Panels, argument: &str| {
        let table = base::settings::parse_set(argument).unwrap();
        harness.state_mut().captures.real.as_mut().unwrap().lay(table).unwrap();
    };
    let captures = |harness: &mut Panels, change: fn(&mut Captures)| change(&mut harness.state_mut().captures);
    match goal {
        Goal::Lens => harness.state_mut().overlay.lens_at = [40.0, 0.0],
        Goal::Setting { section, field } => {
            let value = if field == "break" { "lanes" } else { "9.5" };
            set(harness, &format!("{section}.{field}={value}"));
        }
        Goal::View => harness.state_mut().shown = Some(view(ViewPlacement::Lens)),
        Goal::FinalImage => harness.state_mut().shown = None,
        Goal::Tab(name) => harness.get_by_label(name).click(),
        Goal::Page => harness.ui_mut().help.page = Some("glass".into()),
        Goal::Instrument(id) => match id.as_str() {
            "viewer" => harness.ui_mut().instruments.viewer.toggle("mip/reduce"),
            "timeline" => harness.press(PanelKey::Instrument("timeline")),
            "inspector" => captures(harness, |captures| {
                captures.story = Some(PixelStory { pixel: [4, 3], ..PixelStory::default() });
            }),
            "compare" => captures(harness, |captures| captures.pair = Some(OwnedPair::default())),
            "steps" => captures(harness, |captures| captures.replay = Some(replay())),
            _ => panic!("no hand for {id}"),
        },
    }
    harness.run_steps(4);
}

fn replay() -> Replay {
    let steps = vec![ReplayStep { name: "read".into(), ..ReplayStep::default() }];
    Replay { technique: "pixel_sort", steps, ..Replay::default() }
}

#[test]
fn it_is_left_at_any_moment_and_found_again_in_help_and_search() {
    let mut harness = started();
    let frost = |harness: &Panels| harness.state().captures.real.as_ref().unwrap().glass.frost;
    let before = frost(&harness);
    act(&mut harness, &steps()[1].done);
    act(&mut harness, &Goal::Lens);
    assert_ne!(frost(&harness), before);
    harness.taken();
    harness.click_for("Leave the tour; the menu has it", 4);
    assert!(!tour(harness.state()).is_running() && harness.has(LEFT));
    assert_eq!(frost(&harness), before, "what a step changed is as before");
    let actions = harness.taken();
    assert!(actions.contains(&UiAction::Changed { section: "glass", field: "frost" }), "{actions:?}");
    let moves = |action: &UiAction| matches!(action, UiAction::Lens { number: Some((LensPart::X, 0.0)), .. });
    assert!(actions.iter().any(moves), "{actions:?}");
    harness.press(PanelKey::Search);
    harness.run_steps(2);
    harness.get_by_label("Search").type_text("tour");
    harness.run_steps(3);
    harness.click_for("Tour, page", 4);
    assert!(tour(harness.state()).is_running());
}

#[test]
fn every_step_waits_for_the_users_hand_and_can_be_done() {
    let mut harness = started();
    for (number, step) in (1..).zip(steps()) {
        harness.get_by_label(&format!("{number} of {}", steps().len()));
        harness.run_steps(10);
        assert!(harness.query_all_by_label(&step.title).next().is_some(), "{}", step.title);
        assert!(!harness.has("Done"), "{}", step.title);
        act(&mut harness, &step.done);
        assert!(harness.has("Done"), "{}", step.title);
        harness.click_for(if number < steps().len() { "Next" } else { "End" }, 6);
        let captures = &mut harness.state_mut().captures;
        (captures.story, captures.pair, captures.replay) = (None, None, None);
        harness.run_steps(2);
    }
    assert!(!tour(harness.state()).is_running());
}

#[test]
fn its_card_moves_no_row() {
    let mut harness = at_1280(world());
    let rows = harness.get_by_label("PRESETS").rect();
    harness.ui_mut().help.tour.toggle();
    harness.run_steps(4);
    harness.get_by_label(&format!("1 of {}", steps().len()));
    assert_eq!(harness.get_by_label("PRESETS").rect(), rows);
}

#[test]
fn it_is_offered_once() {
    let offered = |saved: SavedPanels| {
        let mut harness = harness(World { saved: Some(saved), ..world() }, [1280.0, 720.0], 1.0);
        harness.run_steps(2);
        let is_there = harness.has("Start the tour");
        if is_there {
            let [offer, scene] =
                ["Start the tour", "Scene: Control centre of glass"].map(|label| harness.get_by_label(label).rect());
            assert!(offer.left() > scene.right() && scene.y_range().contains(offer.center().y), "{offer} {scene}");
        }
        let again = harness.ui().saved(&harness.ctx);
        harness.ui_mut().help.page = Some("glass".into());
        harness.run_steps(2);
        assert!(!harness.has("Start the tour"), "beside a page it would jump");
        (is_there, again)
    };
    let (first, saved) = offered(SavedPanels::default());
    let (second, _) = offered(saved);
    assert_eq!([first, second], [true, false]);
    let mut fresh = at_1280(world());
    fresh.run_steps(2);
    assert!(!fresh.has("Start the tour"), "a fresh window has no state to remember it in");
}

#[test]
fn a_control_is_outlined_where_it_is() {
    let mut harness = started();
    for _ in 0..4 {
        harness.click_for("Skip", 6);
    }
    harness.get_by_label("What it costs");
    let tab = harness.get_by_label("Inspect").rect();
    let outlines = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        egui::Shape::Rect(rect) if rect.stroke.color == crate::theme::ACCENT && rect.stroke.width == 2.0 => {
            Some(rect.rect)
        }
        _ => None,
    });
    let outlines: Vec<_> = outlines.collect();
    assert!(outlines.iter().any(|outline| outline.contains_rect(tab)), "{outlines:?} around {tab:?}");
}
