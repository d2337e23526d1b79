//! Tests of what is over the picture: lists, views, presets, the menu of a lens, the first hint.

use egui::accesskit::Role;
use egui::{Id, Key, Order, Rect, Shape, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::overlay::HINT;
use super::test_fixture::{
    Hand as _, Mode, Panels, at_1280, at_1280_after, harness, painted, real, timings_of, view, world,
};
use super::*;
use renderer::ViewPlacement;

fn place(harness: &Panels, name: &str) -> Option<Rect> {
    let id = Id::new(name);
    harness.ctx.memory(|memory| memory.area_rect(id)).filter(|_| harness.ctx.read_response(id).is_some())
}

/// Esc as the window forwards it: to egui, and to the panels if no widget has the focus.
fn escape(harness: &mut Panels) {
    if !harness.ctx.egui_wants_keyboard_input() {
        harness.ui_mut().press(PanelKey::Close);
    }
    harness.key(Key::Escape);
}

#[test]
fn escape_closes_a_list_and_then_the_page() {
    for by_mouse in [true, false] {
        let mut harness = at_1280(world());
        harness.state_mut().glass.mode = Mode::Lens;
        harness.ui_mut().help.page = Some("glass".into());
        harness.run_ok();
        let list = harness.get_by_role_and_label(Role::ComboBox, "Mode");
        if by_mouse {
            list.click();
        } else {
            list.focus();
            harness.key_press(Key::Enter);
        }
        harness.run_ok();
        assert!(harness.has("Source"));
        escape(&mut harness);
        assert!(!harness.has("Source"), "the list; by mouse: {by_mouse}");
        assert!(harness.has("Text of the page."), "not the page, by mouse: {by_mouse}");
        escape(&mut harness);
        if by_mouse {
            assert!(!harness.has("Text of the page."));
        }
    }
}

#[test]
fn the_legend_of_a_split_view_is_on_the_side_that_it_names() {
    for (line, size) in [(200.0, 1280.0), (500.0, 1280.0), (800.0, 1280.0), (150.0, 640.0)] {
        let mut start = world();
        (start.shown, start.overlay.line) = (Some(view(ViewPlacement::Split)), Some(line));
        let harness = harness(start, [size, 480.0], 1.0);
        let [legend, dock] = ["legend", "dock"].map(|name| place(&harness, name).unwrap());
        assert!(legend.left() > line && legend.right() < dock.left() + 1.0, "{legend:?}, line at {line}");
    }
    let mut start = world();
    (start.shown, start.overlay.line) = (Some(view(ViewPlacement::Split)), Some(920.0));
    assert_eq!(place(&at_1280(start), "legend"), None, "there is no room for it");
    let free = Rect::from_min_max(egui::Pos2::ZERO, pos2(900.0, 700.0));
    let sides = view_labels::sides(400.0, free, ["Final image", "Distance"]);
    assert!(sides[0].place.right() <= 400.0 && sides[0].name == "Final image");
    assert!(sides[1].place.left() >= 400.0 && sides[1].name == "Distance");
    assert_eq!(view_labels::sides(20.0, free, ["a", "b"]).len(), 1, "no name where there is no room for a side");
}

#[test]
fn a_preset_that_was_changed_has_a_mark() {
    let mut harness = at_1280(world());
    let is_marked = |harness: &Panels| {
        painted(harness).iter().any(|shape| matches!(shape, Shape::Text(text) if text.galley.text().ends_with(" *")))
    };
    assert!(is_marked(&harness));
    harness.state_mut().presets.as_loaded = true;
    harness.run_ok();
    assert!(!is_marked(&harness));
}

#[test]
fn the_menu_of_a_lens_does_what_keys_do() {
    use super::manipulator::Key as LensKey;
    let mut harness = at_1280(world());
    let open = |harness: &mut Panels| {
        lens_menu::open(&harness.ctx, pos2(400.0, 40.0));
        harness.run_steps(3);
    };
    assert!(!harness.has("New lens"));
    open(&mut harness);
    assert!(harness.get_by_label("Remove this lens").accesskit_node().is_disabled(), "it is the only one");
    let keys = [LensKey::N, LensKey::Turn(-15), LensKey::Turn(15), LensKey::R].map(keys::Shortcut::Lens);
    for shortcut in keys.into_iter().chain([keys::Shortcut::TogglePanels, keys::Shortcut::TakePicture]) {
        let text = keys::text(shortcut);
        open(&mut harness);
        harness.click(text);
        assert_eq!(harness.taken(), [UiAction::Shortcut(shortcut)], "{text}");
        assert!(!harness.has("New lens"), "it is closed");
    }
    open(&mut harness);
    harness.key(Key::Escape);
    assert!(!harness.has("New lens"), "Esc closes it");
}

#[test]
fn the_hint_leaves_with_the_first_action_or_after_seconds() {
    let with_hint = || {
        let mut start = world();
        start.overlay.hint = true;
        start
    };
    for is_used in [true, false] {
        let mut first = at_1280(with_hint());
        assert!(first.has(HINT));
        let place = place(&first, "hint").unwrap();
        assert!(place.center().x < 450.0 && place.top() > 500.0, "{place:?}");
        assert!(
            first.ctx.layer_id_at(place.center()).is_none_or(|layer| layer.order == Order::Background),
            "the pointer is free there"
        );
        if is_used {
            first.key(Key::F);
        } else {
            first.run_steps(170);
        }
        assert!(!first.has(HINT), "{is_used}");
        let left = first.ui().saved(&first.ctx);
        assert!(at_1280_after(with_hint(), left).query_by_label(HINT).is_none(), "in the next window neither");
    }
}

#[test]
fn in_a_narrow_window_the_dock_is_folded_until_it_is_wanted() {
    let left = SavedPanels::default();
    for (size, is_folded) in [([900.0, 600.0], true), ([1280.0, 720.0], false)] {
        let mut start = world();
        start.saved = Some(left.clone());
        let mut harness = harness(start, size, 1.0);
        let width = |harness: &Panels| place(harness, "dock").unwrap().width();
        assert_eq!((width(&harness) < 60.0, harness.has("Unfold the panel")), (is_folded, is_folded), "{size:?}");
        if !is_folded {
            harness.click("Fold the panel");
        }
        for button in ["Save a screenshot", "Undo", "More: device"] {
            assert_eq!(harness.query_all_by_label_contains(button).count(), 1, "{button}");
        }
        let tab = harness.query_all_by_label_contains("Techniques: ").next().expect("a button for each tab");
        tab.click();
        harness.run_steps(4);
        assert!(width(&harness) > 300.0 && harness.has("Scene"), "{size:?}");
        let saved = harness.ui().saved(&harness.ctx);
        let read: SavedPanels = toml::from_str(&toml::to_string(&saved).unwrap()).unwrap();
        assert_eq!(read, saved);
    }
}

#[test]
fn the_edge_of_the_dock_makes_it_wider() {
    let mut harness = at_1280(world());
    let dock = place(&harness, "dock").unwrap();
    let at = pos2(dock.left() - 3.0, 300.0);
    harness.drag_at(at);
    harness.hover_at(at - egui::vec2(100.0, 0.0));
    harness.run_steps(2);
    harness.drop_at(at - egui::vec2(100.0, 0.0));
    harness.run_steps(3);
    let wide = place(&harness, "dock").unwrap();
    assert!((wide.width() - dock.width() - 97.0).abs() < 8.0 && wide.right() == dock.right(), "{dock:?} {wide:?}");
}

#[test]
fn tooltips_of_head_and_tabs_are_over_the_picture() {
    let mut start = real();
    start.device.video = "Animated PNG; MP4 needs ffmpeg";
    let mut harness = at_1280(start);
    let dock = place(&harness, "dock").unwrap();
    for (widget, hint) in [
        ("Undo", "Undo"),
        ("Record an eight-second clip", "MP4 needs ffmpeg"),
        ("More: device", "More: device"),
        ("Techniques", "What makes the picture"),
        ("glass", "GPU time of the lenses"),
    ] {
        let mut found = harness.query_all_by_label_contains(widget);
        let at = found.next().unwrap_or_else(|| panic!("{widget}")).rect().center();
        drop(found);
        harness.hover_at(pos2(1.0, 700.0));
        harness.run_steps(2);
        harness.hover_at(at);
        harness.run_steps(16);
        let shown = painted(&harness).into_iter().find_map(|shape| match shape {
            Shape::Text(text) if text.galley.text().contains(hint) => Some(text.visual_bounding_rect()),
            _ => None,
        });
        let shown = shown.unwrap_or_else(|| panic!("{hint}"));
        assert!(shown.right() < dock.left() && shown.left() > 0.0, "{hint} at {shown:?}");
    }
}

#[test]
fn every_technique_has_a_button_for_its_page() {
    let mut harness = at_1280(real());
    harness.press(PanelKey::Techniques);
    for info in techniques::INFOS.iter().filter(|info| !info.doc.is_empty()) {
        let size = harness.get_by_label(&format!("Read about {}", info.title)).rect().size();
        assert!(size.min_elem() >= 20.0, "{}: {size}", info.title);
    }
}

#[test]
fn a_drawing_is_opened_beside_its_path() {
    let mut harness = at_1280(real());
    harness.click("Open a drawing (SVG) as the outline");
    assert_eq!(harness.taken(), [UiAction::Shortcut(keys::Shortcut::Open)]);
}

/// egui paints a warning where two widgets have one id.
#[test]
fn no_two_widgets_have_one_id() {
    let mut harness = timings_of(real(), &["mip/down", "mip/up", "mip/list", "ui", "ui/textures"]);
    harness.click("Panels: 20.0 µs, 20.0 µs, 20.0 µs");
    harness.get_by_label("Panels: textures: 10.0 µs, 10.0 µs, 10.0 µs");
    for (tab, key) in [
        ("Techniques", PanelKey::Techniques),
        ("Glass", PanelKey::Techniques),
        ("Inspect", PanelKey::Timings),
        ("Device", PanelKey::Device),
        ("Help", PanelKey::Help),
    ] {
        harness.press(key);
        let warnings = painted(&harness).into_iter().filter_map(|shape| match shape {
            Shape::Text(text) if text.galley.text().contains(" ID ") => Some(text.galley.text().to_owned()),
            _ => None,
        });
        assert_eq!(warnings.collect::<Vec<_>>(), Vec::<String>::new(), "{tab}");
    }
}

#[test]
fn what_opens_moves_neither_the_tours_card_nor_the_strip() {
    let mut harness = at_1280(real());
    harness.ui_mut().help.tour.toggle();
    harness.run_steps(4);
    let places = |harness: &Panels| ["tour", "scenes"].map(|name| place(harness, name).unwrap());
    let before = places(&harness);
    assert!(!before[0].intersects(before[1]), "{before:?}");
    harness.ui_mut().instruments.viewer.toggle("mip/down");
    harness.run_steps(4);
    assert_eq!(places(&harness), before, "a pin");
    harness.ui_mut().instruments.limits.toggle("mip/down", &[]);
    harness.run_steps(4);
    assert_eq!(places(&harness), before, "details");
    harness.press(PanelKey::Instrument("timeline"));
    harness.run_steps(4);
    assert_eq!(places(&harness), before, "the timeline");
    let timeline = place(&harness, "timeline").unwrap();
    assert!(before.iter().all(|other| !timeline.intersects(*other)), "{timeline} {before:?}");
}
