//! Tests of the views' thumbnails.

use egui::accesskit::Toggled;
use egui::{Event, Key, Modifiers, PointerButton, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::test_fixture::{Hand as _, Panels, techniques_of, view, world};
use super::view_pictures::ViewPictures;
use super::*;
use renderer::{ActiveView, ViewPlacement};
use techniques::{INFOS, info};

const CLICKS: [(Modifiers, ViewPlacement); 3] = [
    (Modifiers::NONE, ViewPlacement::Lens),
    (Modifiers::SHIFT, ViewPlacement::Full),
    (Modifiers::ALT, ViewPlacement::Split),
];

/// The outer `None`: there was no request.
fn requested(harness: &mut Panels) -> Option<Option<(&'static str, ViewPlacement)>> {
    let actions = harness.taken();
    let of = |action: &UiAction| match action {
        UiAction::View(view) => Some(view.map(|view| (view.view.name, view.place))),
        _ => None,
    };
    actions.iter().rev().find_map(of)
}

fn click(harness: &mut Panels, label: &str, modifiers: Modifiers) {
    harness.get_by_label(label).click_modifiers(modifiers);
    harness.run_ok();
}

#[test]
fn a_click_on_a_thumbnail_shows_its_view_and_the_same_click_the_final_image() {
    let mut harness = techniques_of(world(), [1280.0, 720.0]);
    let is_chosen =
        |harness: &Panels, label| harness.get_by_label(label).accesskit_node().toggled() == Some(Toggled::True);
    for (held, place) in CLICKS {
        harness.state_mut().shown = None;
        harness.run_ok();
        assert!(!is_chosen(&harness, "View Distance"));
        click(&mut harness, "View Distance", held);
        assert_eq!(requested(&mut harness), Some(Some(("distance", place))), "{held:?}");
        harness.state_mut().shown = Some(view(place));
        harness.run_ok();
        assert!(is_chosen(&harness, "View Distance") && !is_chosen(&harness, "View Stuff"));
        for (next, to) in CLICKS {
            click(&mut harness, "View Distance", next);
            let wanted = (to != place).then_some(("distance", to));
            assert_eq!(requested(&mut harness), Some(wanted), "{next:?} at {place:?}");
            click(&mut harness, "View Stuff", next);
            assert_eq!(requested(&mut harness), Some(Some(("stuff", to))), "{next:?} at {place:?}");
        }
    }
}

#[test]
fn a_modifier_counts_that_is_released_in_the_frame_of_the_click() {
    let mut harness = techniques_of(world(), [1280.0, 720.0]);
    for (modifiers, place) in CLICKS {
        let pos = harness.get_by_label("View Distance").rect().center();
        harness.event(Event::PointerMoved(pos));
        harness.run_ok();
        let button = |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
        harness.event_modifiers(button(true), modifiers);
        harness.run_ok();
        harness.input_mut().events.extend([button(false), Event::ModifiersChanged(Modifiers::NONE)]);
        harness.run_ok();
        assert_eq!(requested(&mut harness), Some(Some(("distance", place))), "{modifiers:?}");
    }
}

#[test]
fn thumbnails_work_with_the_keyboard() {
    let mut harness = techniques_of(world(), [1280.0, 720.0]);
    for (held, place) in [(Modifiers::NONE, ViewPlacement::Lens), (Modifiers::SHIFT, ViewPlacement::Full)] {
        harness.focus("View Stuff");
        harness.key_press_modifiers(held, Key::Enter);
        harness.run_ok();
        assert_eq!(requested(&mut harness), Some(Some(("stuff", place))));
    }
}

fn thumbnails_of(id: &'static str, width: f32, shown: Option<&'static str>) -> Harness<'static, ()> {
    let mut pictures = ViewPictures::default();
    let shown = shown.and_then(|name| ActiveView::find(id, name, ViewPlacement::Lens).ok());
    let mut harness = Harness::builder().with_size([width + 40.0, 1900.0]).build_ui(move |ui| {
        theme::install(ui.ctx());
        ui.set_width(width);
        thumbnails::show(ui, info(id).unwrap(), shown, &mut pictures);
    });
    harness.run_ok();
    harness
}

fn count(harness: &Harness<'_, ()>) -> usize {
    harness.query_all_by_label_contains("View ").count()
}

#[test]
fn many_views_fold_and_the_chosen_one_is_always_there() {
    let glass = info("glass").unwrap();
    let mut harness = thumbnails_of("glass", 286.0, None);
    assert_eq!(count(&harness), 5);
    let more = format!("Show {} more views", glass.views.len() - 5);
    harness.get_by_label(&more).click();
    harness.run_ok();
    assert_eq!(count(&harness), glass.views.len());
    harness.get_by_label("Show fewer views").click();
    harness.run_ok();
    assert_eq!(count(&harness), 5);
    let shown = |index: usize| count(&thumbnails_of("glass", 286.0, Some(glass.views[index].name)));
    assert_eq!([shown(4), shown(5), shown(glass.views.len() - 1)], [5, glass.views.len(), glass.views.len()]);
    assert!(thumbnails_of("meshlets", 286.0, None).query_by_label_contains("more views").is_none());
}

#[test]
fn thumbnails_have_pictures_and_whole_titles() {
    for info in INFOS.iter().filter(|info| !info.views.is_empty()) {
        let harness = thumbnails_of(info.id, 286.0, Some(info.views[info.views.len() - 1].name));
        let shapes = || harness.output().shapes.iter().map(|clipped| &clipped.shape);
        let pictures = shapes().filter(|shape| matches!(shape, Shape::Rect(rect) if rect.brush.is_some()));
        assert_eq!((pictures.count(), count(&harness)), (info.views.len(), info.views.len()), "{}", info.id);
        let cut = shapes().filter(|shape| matches!(shape, Shape::Text(title) if title.galley.elided));
        assert_eq!(cut.count(), 0, "{}", info.id);
    }
}
