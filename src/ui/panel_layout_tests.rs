//! Layout tests of the panels: lists, views, messages, presets, the menu of a lens, the first hint.

use egui::accesskit::Role;
use egui::{Id, Key, Order, Rect, Shape, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::overlay::HINT;
use super::test_fixture::{World, at_1280, at_1280_after, harness, timings_of, view, world};
use super::*;
use crate::base::notes::Notes;
use crate::renderer::ViewPlacement;

fn place(harness: &Harness<'_, World>, name: &str) -> Option<Rect> {
    // egui remembers an area that is gone.
    let id = Id::new(name);
    harness.ctx.memory(|memory| memory.area_rect(id)).filter(|_| harness.ctx.read_response(id).is_some())
}

fn painted(harness: &Harness<'_, World>) -> Vec<Shape> {
    fn flat(shape: &Shape, all: &mut Vec<Shape>) {
        match shape {
            Shape::Vec(inner) => inner.iter().for_each(|shape| flat(shape, all)),
            shape => all.push(shape.clone()),
        }
    }
    let mut all = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| flat(&clipped.shape, &mut all));
    all
}

/// Esc as the window forwards it: to egui, and to the panels if no widget has the focus.
fn escape(harness: &mut Harness<'_, World>) {
    if !harness.ctx.egui_wants_keyboard_input() {
        harness.state_mut().ui.as_mut().unwrap().press(PanelKey::Close);
    }
    harness.key_press(Key::Escape);
    harness.run_ok();
}

#[test]
fn escape_closes_a_list_and_then_the_page() {
    for by_mouse in [true, false] {
        let mut harness = at_1280(world());
        harness.get_by_label("Read about Glass").click();
        harness.run_ok();
        if by_mouse {
            harness.get_by_label("View").click();
        } else {
            harness.get_by_label("View").focus();
            harness.run_ok();
            harness.key_press(Key::Enter);
        }
        harness.run_ok();
        assert!(harness.query_by_label("Distance").is_some());
        escape(&mut harness);
        assert!(harness.query_by_label("Distance").is_none(), "the list; by mouse: {by_mouse}");
        assert!(harness.query_by_label("Text of the page.").is_some(), "not the page, by mouse: {by_mouse}");
        escape(&mut harness);
        if by_mouse {
            assert!(harness.query_by_label("Text of the page.").is_none());
        }
    }
}

#[test]
fn choosing_a_view_moves_nothing_in_the_panel() {
    let mut harness = at_1280(world());
    let places = |harness: &Harness<'_, World>| -> Vec<Rect> {
        ["PRESETS", "Undo", "Save all"].map(|label| harness.get_by_label(label).rect()).to_vec()
    };
    let before = places(&harness);
    harness.get_by_label("Split").click();
    harness.run_ok();
    assert!(harness.state().actions.is_empty(), "there is no view to place");
    for place in [ViewPlacement::Lens, ViewPlacement::Full, ViewPlacement::Split] {
        harness.state_mut().shown = Some(view(place));
        harness.run_ok();
        assert_eq!(places(&harness), before, "{place:?}");
    }
}

#[test]
fn hiding_the_panels_says_how_they_come_back_and_none_starts_hidden() {
    let mut first = at_1280(world());
    let toggle = |harness: &mut Harness<'_, World>| {
        harness.state_mut().ui.as_mut().unwrap().toggle();
        harness.run_steps(2);
    };
    toggle(&mut first);
    assert!(first.query_by_label("Controls").is_none());
    assert!(first.query_by_label_contains("Press H").is_some());
    let left = first.state().ui.as_ref().unwrap().saved(&first.ctx);
    let kept = toml::to_string(&left).unwrap();
    let left: SavedPanels = toml::from_str(&format!("visible = false\n{kept}")).unwrap();
    let next = at_1280_after(world(), left);
    assert!(next.query_by_label("Controls").is_some());
    toggle(&mut first);
    assert!(first.query_by_label("Controls").is_some() && first.query_by_label_contains("Press H").is_none());
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
    assert!(sides[0].place.right() <= 400.0 && sides[0].lines == ["Final image"]);
    assert!(sides[1].place.left() >= 400.0 && sides[1].lines == ["Distance"]);
    assert_eq!(view_labels::sides(20.0, free, ["a", "b"]).len(), 1, "no name where there is no room for a side");
}

#[test]
fn dot_text_and_cross_of_a_message_have_one_middle() {
    let mut harness = at_1280(world());
    harness.state_mut().ui.as_mut().unwrap().messages.hold("a", Level::Error, "written\nin two lines");
    harness.run_steps(3);
    let area = place(&harness, "messages").unwrap();
    let (mut dots, mut lines, mut crosses) = (Vec::new(), Vec::new(), Vec::new());
    for shape in painted(&harness) {
        match shape {
            Shape::Circle(circle) if area.contains(circle.center) => dots.push(circle.center.y),
            Shape::Text(text) if area.contains(text.pos) => {
                let row = &text.galley.rows[0];
                lines.push(text.pos.y + row.pos.y + 0.5 * row.size.y);
            }
            Shape::LineSegment { points, .. } if area.contains(points[0]) => {
                crosses.push(0.5 * (points[0].y + points[1].y));
            }
            _ => {}
        }
    }
    assert_eq!((dots.len(), lines.len(), crosses.len()), (1, 1, 2));
    for y in lines.into_iter().chain(crosses) {
        assert!((y - dots[0]).abs() <= 0.5, "{y} beside {}", dots[0]);
    }
}

#[test]
fn the_cross_of_a_saved_preset_is_within_its_button() {
    let mut start = world();
    for number in 0..12 {
        let (name, file) = (format!("preset {}", "m".repeat(number)), Some("/home/me/mine.toml".to_owned()));
        start.presets.list.push(PresetName { name: name.clone(), title: name, file });
    }
    let names: Vec<String> = start.presets.list.iter().skip(2).map(|preset| preset.title.clone()).collect();
    let mut harness = at_1280(start);
    for name in &names {
        let button = harness.get_by_role_and_label(Role::Button, name).rect();
        let cross = harness.get_by_label(&format!("Delete {name}")).rect();
        assert!(button.contains(cross.center()) && (button.center().y - cross.center().y).abs() < 1.0, "{name}");
    }
    harness.get_by_label(&format!("Delete {}", names[3])).click();
    harness.run_ok();
    assert!(harness.state().actions.is_empty(), "it neither loads nor deletes at once");
    harness.get_by_label("Delete?").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [UiAction::Preset(PresetAction::Delete(names[3].clone()))]);
}

#[test]
fn presets_keep_their_places_when_settings_change() {
    let mut start = world();
    for name in ["mine", "another one", "a third of a long name"] {
        let file = Some("/home/me/mine.toml".to_owned());
        start.presets.list.push(PresetName { name: name.into(), title: name.into(), file });
    }
    let names: Vec<String> = start.presets.list.iter().map(|preset| preset.title.clone()).collect();
    let mut harness = at_1280(start);
    let places = |harness: &Harness<'_, World>| {
        names.iter().map(|name| harness.get_by_role_and_label(Role::Button, name).rect()).collect::<Vec<_>>()
    };
    let mark = |harness: &Harness<'_, World>| {
        painted(harness).iter().find_map(|shape| match shape {
            Shape::Text(text) if text.galley.text() == "*" => Some(text.visual_bounding_rect()),
            _ => None,
        })
    };
    let changed = places(&harness);
    assert!(
        mark(&harness).is_some_and(|mark| changed[1].contains_rect(mark)),
        "{:?} in {:?}",
        mark(&harness),
        changed[1]
    );
    harness.state_mut().presets.as_loaded = true;
    harness.run_ok();
    assert_eq!((places(&harness), mark(&harness)), (changed, None));
}

#[test]
fn the_words_of_wide_buttons_are_in_their_middle() {
    let mut harness = at_1280(world());
    harness.get_by_role_and_label(Role::Button, "Scene").click();
    harness.run_ok();
    let texts: Vec<Rect> = painted(&harness)
        .iter()
        .filter_map(|shape| if let Shape::Text(text) = shape { Some(text.visual_bounding_rect()) } else { None })
        .collect();
    let button = harness.get_by_label("Open file ...").rect();
    let text = texts.iter().find(|text| button.contains_rect(**text)).unwrap();
    assert!(button.width() > 120.0 && (text.center().x - button.center().x).abs() < 2.0, "{text:?} in {button:?}");
}

#[test]
fn the_menu_of_a_lens_does_what_keys_do() {
    let mut harness = at_1280(world());
    let open = |harness: &mut Harness<'_, World>| {
        lens_menu::open(&harness.ctx, pos2(400.0, 200.0));
        harness.run_steps(3);
    };
    assert!(harness.query_by_label("New lens").is_none());
    open(&mut harness);
    assert!(harness.get_by_label("Remove this lens").accesskit_node().is_disabled(), "it is the only one");
    harness.get_by_label("New lens").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [UiAction::Press(super::manipulator::Key::N)]);
    assert!(harness.query_by_label("New lens").is_none(), "it is closed");
    open(&mut harness);
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("New lens").is_none(), "Esc closes it");
}

#[test]
fn entries_of_the_menu_do_what_the_keys_beside_them_do() {
    let presses = |text: &str| {
        let mut harness = at_1280(world());
        lens_menu::open(&harness.ctx, pos2(400.0, 40.0));
        harness.run_steps(3);
        harness.get_by_label(text).click();
        harness.run_ok();
        harness.state().actions.clone()
    };
    use super::manipulator::Key as LensKey;
    for key in [LensKey::N, LensKey::Turn(-15), LensKey::Turn(15), LensKey::R, LensKey::H] {
        assert_eq!(presses(keys::text(keys::Shortcut::Lens(key))), [UiAction::Press(key)], "{key:?}");
    }
    assert_eq!(presses(keys::text(keys::Shortcut::TakePicture)), [UiAction::TakePicture]);
}

#[test]
fn the_hint_is_shown_until_a_lens_was_dragged() {
    let mut start = world();
    start.overlay.hint = true;
    let mut first = at_1280(start);
    let area = place(&first, "hint").unwrap();
    assert!(first.query_by_label(HINT).is_some());
    assert!(area.right() < place(&first, "dock").unwrap().left() && area.height() < 50.0, "{area:?}");
    let at = area.center();
    assert!(
        first.ctx.layer_id_at(at).is_none_or(|layer| layer.order == Order::Background),
        "the pointer is free there"
    );
    first.state_mut().overlay.line = Some(at.x);
    first.run_ok();
    let over_handle = place(&first, "hint").unwrap();
    assert!(over_handle.bottom() < 720.0 - 41.0, "the handle of a split view is below: {over_handle:?}");
    first.state_mut().overlay.line = None;
    first.state_mut().ui.as_mut().unwrap().was_dragged = true;
    first.run_ok();
    assert!(first.query_by_label(HINT).is_none());
    let mut start = world();
    start.overlay.hint = true;
    let left = first.state().ui.as_ref().unwrap().saved(&first.ctx);
    assert!(at_1280_after(start, left).query_by_label(HINT).is_none(), "in the next window neither");
}

/// egui paints a warning where two widgets have one id.
#[test]
fn no_two_widgets_have_one_id() {
    let mut start = world();
    start.captures.real = Some(crate::techniques::Settings::default());
    let mut harness = timings_of(start, &["mip/down", "mip/up", "mip/list", "ui", "ui/textures"]);
    harness.get_by_label("Panels: 20.0 µs, 20.0 µs, 20.0 µs").click();
    harness.run_ok();
    harness.get_by_label("Panels: textures: 10.0 µs, 10.0 µs, 10.0 µs");
    for tab in ["Timings", "Controls", "Device", "Help"] {
        harness.get_by_label(tab).click();
        harness.run_ok();
        let warnings = painted(&harness).into_iter().filter_map(|shape| match shape {
            Shape::Text(text) if text.galley.text().contains(" ID ") => Some(text.galley.text().to_owned()),
            _ => None,
        });
        assert_eq!(warnings.collect::<Vec<_>>(), Vec::<String>::new(), "{tab}");
    }
}

#[test]
fn notes_about_a_file_are_few_lines() {
    let item = "extensions.KHR_materials_volume.thicknessTexture (12 materials)";
    let notes = Notes { remarks: vec!["all lights dimmed to 58 %".into()], left_out: vec![item.into(); 40] };
    assert!(notes.line().len() > 1000);
    for (name, count) in [("scene.gltf".to_owned(), 3), ("W".repeat(40), 4), ("a.gltf".into(), 3)] {
        let mut harness = at_1280(world());
        let text = format!("{name}: {}", notes.shortened(125));
        assert!(text.contains(" and 39 more"), "{text}");
        harness.state_mut().ui.as_mut().unwrap().messages.say(Level::Info, text.clone());
        harness.run_steps(2);
        harness.get_by_label(&text);
        let area = place(&harness, "messages").unwrap();
        let lines = painted(&harness).into_iter().filter_map(|shape| match shape {
            Shape::Text(text) if area.contains(text.pos) => Some(text.galley.rows.len()),
            _ => None,
        });
        assert!(
            lines.max().is_some_and(|lines| lines <= count) && area.height() < 20.0 + 18.0 * count as f32 + 1.0,
            "{area:?}"
        );
        harness.run_steps(25);
        harness.get_by_label(&text);
    }
}

#[test]
fn text_that_is_too_long_says_so() {
    let mut harness = at_1280(world());
    harness.get_by_role_and_label(Role::TextInput, "Words").focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, "Words").type_text(&"x".repeat(40));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("at most 32 characters").is_some());
}
