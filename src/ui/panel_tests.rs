//! Interaction tests of views, presets, files and keys in the panels, through their accessibility tree.

use egui::accesskit::Role;
use egui::{Id, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::test_fixture::{Glass, Hand as _, Mode, Panels, World, at_1280, harness, real, world};
use super::*;

#[test]
fn keys_go_through_views_and_tabs() {
    let mut harness = at_1280(world());
    harness.press(PanelKey::NextView);
    let requested_view = |harness: &Panels| {
        harness.state().actions.iter().find_map(|action| match action {
            UiAction::View(view) => Some(view.map(|view| view.view.name)),
            _ => None,
        })
    };
    assert_eq!(requested_view(&harness), Some(Some("distance")));
    harness.taken();
    harness.press(PanelKey::PreviousView);
    assert_eq!(requested_view(&harness), Some(Some("stuff")), "the one before none is the last");
    for (key, there) in [
        (PanelKey::Timings, "No frame has been timed yet."),
        (PanelKey::Help, "FILES AND EDITS"),
        (PanelKey::Techniques, "Scene"),
        (PanelKey::Techniques, "PRESETS"),
    ] {
        harness.press(key);
        assert!(harness.has(there), "{there}");
    }
}

#[test]
fn the_focused_widget_is_scrolled_to_and_marked() {
    let mut start = world();
    start.more = vec![Glass::default(); 6];
    let mut harness = harness(start, [640.0, 320.0], 1.0);
    harness.press(PanelKey::Focus);
    let dock = harness.ctx.memory(|memory| memory.area_rect(Id::new("dock"))).unwrap();
    for step in 0..30 {
        harness.key(Key::Tab);
        let Some(id) = harness.ctx.memory(|memory| memory.focused()) else { continue };
        let Some(widget) = harness.ctx.read_response(id) else { continue };
        assert!(dock.contains(widget.rect.center()), "{step}: {:?} in {dock:?}", widget.rect);
    }
}

#[test]
fn arrows_choose_in_a_list_that_has_the_keyboard() {
    let mut harness = at_1280(world());
    for is_open in [false, true] {
        harness.state_mut().glass.mode = Mode::Source;
        harness.get_by_role_and_label(Role::ComboBox, "Mode").focus();
        harness.run_ok();
        let focused = harness.ctx.memory(|memory| memory.focused());
        if is_open {
            harness.key(Key::Enter);
        }
        harness.key(Key::ArrowDown);
        assert_eq!(harness.state().glass.mode, Mode::Lens, "open: {is_open}");
        harness.key(Key::ArrowDown);
        assert_eq!(harness.state().glass.mode, Mode::Lens, "the last stays");
        harness.key(Key::ArrowUp);
        assert_eq!(harness.state().glass.mode, Mode::Source, "open: {is_open}");
        assert_eq!(harness.ctx.memory(|memory| memory.focused()), focused, "the keyboard stays there");
    }
}

#[test]
fn presets_are_loaded_saved_and_deleted() {
    let mut start = world();
    let file = Some("/home/me/mine.toml".to_owned());
    start.presets.list.push(PresetName { name: "mine".into(), title: "mine".into(), file });
    let mut harness = at_1280(start);
    harness.click("Delete mine");
    assert!(harness.state().actions.is_empty(), "not at once");
    harness.click("Delete?");
    assert_eq!(harness.taken(), [UiAction::Preset(PresetAction::Delete("mine".into()))]);
    harness.focus("Preset name");
    harness.get_by_label("Preset name").type_text("my glass");
    harness.run_ok();
    harness.click("Save all");
    harness.click("frosted");
    let actions = [PresetAction::Save("my glass".into(), Extent::Everything), PresetAction::Load("frosted".into())];
    assert_eq!(harness.taken(), actions.map(UiAction::Preset));
}

#[test]
fn groups_of_one_name_in_two_sections_fold_apart() {
    let mut start = world();
    start.more = vec![Glass::default()];
    let mut harness = harness(start, [1280.0, 1000.0], 1.0);
    harness.click_role(Role::Button, "Shape");
    let rows = |harness: &Panels| harness.query_all_by_role_and_label(Role::Label, "Half width").count();
    assert_eq!(rows(&harness), 0);
    harness.press(PanelKey::Techniques);
    harness.click_role(Role::Button, "a");
    assert_eq!(rows(&harness), 1, "what is folded in one section is not in the other");
}

#[test]
fn a_path_is_typed_where_the_file_was_asked_for() {
    let mut harness = at_1280(real());
    harness.click_role(Role::ComboBox, "Shape");
    harness.click("Path (SVG file) ...");
    for above in [Some("Shape"), None] {
        assert_eq!(harness.taken().is_empty(), above.is_none());
        harness.ui_mut().type_path();
        harness.run_ok();
        let line = harness.get_by_label("Path of the file");
        let row = harness.get_by_role_and_label(Role::ComboBox, "Shape").rect();
        assert_eq!((line.rect().top() - row.bottom() - 6.0).abs() < 6.0, above.is_some(), "{row} {}", line.rect());
        line.type_text("/a.svg");
        harness.run_ok();
        harness.key(Key::Enter);
        assert_eq!(harness.taken(), [UiAction::Open("/a.svg".into())]);
        harness.ui_mut().file_opened("/a.svg".as_ref(), true);
        harness.run_ok();
        assert!(!harness.has("Path of the file"));
    }
}

#[test]
fn a_tab_keeps_its_place_and_an_opened_section_is_in_sight() {
    let mut harness = harness(real(), [1280.0, 500.0], 1.0);
    harness.click("Techniques");
    let dock = harness.ctx.memory(|memory| memory.area_rect(Id::new("dock"))).unwrap();
    for title in ["Particles", "Pixel sort"] {
        harness.click_role(Role::Button, title);
        harness.run_steps(20);
    }
    let steps = harness.get_all_by_label("Step by step").map(|button| button.rect());
    let steps: Vec<_> = steps.filter(|rect| dock.contains_rect(*rect)).collect();
    assert!(!steps.is_empty(), "{dock}");
    let scrolled = harness.get_by_role_and_label(Role::Button, "Scene").rect().top();
    assert!(scrolled < dock.top(), "{scrolled}");
    for key in [PanelKey::Timings, PanelKey::Help] {
        harness.press(key);
        harness.run_steps(6);
        harness.click("Techniques");
        harness.run_steps(6);
        assert_eq!(harness.get_by_role_and_label(Role::Button, "Scene").rect().top(), scrolled, "{key:?}");
    }
}

#[test]
fn a_scene_of_pieces_has_no_settings_of_a_lens_shape() {
    let mut start = real();
    let settings = start.captures.real.as_mut().unwrap();
    (settings.scene.source, settings.scene.motif) = (scene::Source::Picture, scene::picture::Motif::List);
    let harness = at_1280(start);
    let count = |name: &str| harness.query_all_by_label(name).count();
    assert!(["Width", "Squareness", "Words"].iter().all(|name| count(name) == 0) && count("Frost") > 0);
    assert_eq!(harness.query_all_by_label_contains("Your lenses come back with another scene").count(), 1);
}

#[test]
fn the_strip_says_that_its_scene_is_loading() {
    let mut start = real();
    start.scene.loading = Some(Loading { what: "Loading Court ...".into(), part: None, can_cancel: false });
    assert_eq!(at_1280(start).query_all_by_label_contains(", loading").count(), 1);
}

#[test]
fn a_value_that_is_rounded_to_be_shown_is_no_edit() {
    let (half_width, ior) = (229.903_21_f32, 1.234_567_8_f32);
    let mut start = world();
    (start.glass.half_width, start.glass.ior) = (half_width, ior);
    let mut harness = at_1280(start);
    harness.run_steps(5);
    let untouched = |harness: &Panels| {
        let World { glass, actions, .. } = harness.state();
        assert_eq!((glass.half_width, glass.ior, &actions[..]), (half_width, ior, &[][..]));
    };
    untouched(&harness);
    for name in ["Half width", "IOR"] {
        harness.click_role(Role::SpinButton, name);
        assert!(harness.ctx.text_edit_focused(), "{name}");
        harness.key(Key::Enter);
        assert!(!harness.ctx.text_edit_focused(), "{name}");
        untouched(&harness);
    }
    harness.click_role(Role::SpinButton, "IOR");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("1.7".into()));
    harness.key(Key::Enter);
    assert_eq!((harness.state().glass.half_width, harness.state().glass.ior), (half_width, 1.7));
    let changed = UiAction::Changed { section: "glass", field: "ior" };
    let actions = &harness.state().actions;
    assert!(!actions.is_empty() && actions.iter().all(|action| *action == changed), "{actions:?}");
}
