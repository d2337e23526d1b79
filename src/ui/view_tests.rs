//! Tests of the views' thumbnails.

use egui::accesskit::Toggled;
use egui::{Key, Shape};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::test_fixture::{Hand as _, Panels, techniques_of, view, world};
use super::view_pictures::ViewPictures;
use super::*;
use renderer::{ActiveView, ViewPlacement};
use techniques::{INFOS, info};

/// The outer `None`: there was no request.
fn requested(harness: &mut Panels) -> Option<Option<(&'static str, ViewPlacement)>> {
    let actions = harness.taken();
    let of = |action: &UiAction| match action {
        UiAction::View(view) => Some(view.map(|view| (view.view.name, view.place))),
        _ => None,
    };
    actions.iter().rev().find_map(of)
}

#[test]
fn a_click_on_a_thumbnail_shows_its_view_and_the_same_click_the_final_image() {
    let mut harness = techniques_of(world(), [1280.0, 720.0]);
    let is_chosen =
        |harness: &Panels, label| harness.get_by_label(label).accesskit_node().toggled() == Some(Toggled::True);
    assert!(!is_chosen(&harness, "View Distance"));
    harness.click("View Distance");
    assert_eq!(requested(&mut harness), Some(Some(("distance", ViewPlacement::Lens))));
    for place in [ViewPlacement::Lens, ViewPlacement::Full, ViewPlacement::Split] {
        harness.state_mut().shown = Some(view(place));
        harness.run_ok();
        assert!(is_chosen(&harness, "View Distance") && !is_chosen(&harness, "View Stuff"));
        harness.click("View Distance");
        assert_eq!(requested(&mut harness), Some(None), "{place:?}");
        harness.focus("View Stuff");
        harness.key(Key::Enter);
        assert_eq!(requested(&mut harness), Some(Some(("stuff", place))), "where the other is");
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
