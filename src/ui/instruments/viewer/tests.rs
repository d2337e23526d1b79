//! Tests of the viewer of passes.

use super::capture_of;
use crate::PanelKey;
use crate::instruments::viewer::PassViewer;
use crate::test_fixture::{Hand as _, Panels, timings_of, world};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use instrument::{CapturePoint, Pin, PinResult, TexelFormat, Texels, sample_result};
use media::array::{Array, Element};

fn timings() -> Panels {
    timings_of(world(), &["mip/down", "mip/up", "mip/list"])
}

fn row(pass: &str) -> String {
    format!("Mip: {pass}: 10.0 µs, 10.0 µs, 10.0 µs")
}

fn viewer(harness: &Panels) -> &PassViewer {
    &harness.ui().instruments.viewer
}

fn pins(harness: &Panels) -> Vec<Pin> {
    harness.ui().instruments.request().pins.clone()
}

fn passes(harness: &Panels) -> &[String] {
    &harness.ui().instruments.request().passes
}

fn answer(harness: &mut Panels, result: &PinResult) {
    for pin in pins(harness) {
        harness.state_mut().captures.results.insert(pin.id, result.clone());
    }
    harness.run_steps(3);
}

#[test]
fn a_row_under_the_pointer_shows_what_its_pass_wrote() {
    let mut harness = timings();
    assert!(viewer(&harness).is_empty());
    harness.get_by_label(&row("down")).hover();
    harness.step();
    assert!(pins(&harness).is_empty(), "not at once");
    assert_eq!(passes(&harness), ["mip/down"], "but it is listed");
    harness.run_steps(6);
    let pin = pins(&harness).remove(0);
    assert_eq!((pin.point.pass.as_str(), pin.point.binding.as_str()), ("mip/down", "below"));
    assert_eq!(pin.picture, None, "its size is unknown yet");
    answer(&mut harness, &sample_result());
    let picture = pins(&harness)[0].picture.unwrap();
    let [left, top, right, bottom] = picture.rect;
    assert!(left > 0 && top > 0 && right < 1280 - 316 && bottom < 720 && right - left > 250, "{:?}", picture.rect);
    assert!(picture.is_automatic);
    harness.get_by_label("64x32 · -1.5 to 99 · 1 NaN, 0 infinite");
    answer(&mut harness, &PinResult { image: Some(([64, 32], TexelFormat::R32U)), ..sample_result() });
    harness.get_by_label("64x32 · -1.5 to 99");
    harness.get_by_label_contains("10.0 µs a frame");
    harness.hover_for("Techniques", 3);
    assert!(viewer(&harness).is_empty());
}

#[test]
fn a_group_shows_its_own_times_and_is_pinned_at_its_dot() {
    let mut harness = timings();
    harness.hover_for("Mip: 30.0 µs, 30.0 µs, 30.0 µs", 8);
    let pass = pins(&harness)[0].point.pass.clone();
    harness.get_by_label(&format!("Of all its passes; picture of {pass}"));
    harness.get_by_label_contains("Pin Mip: ").click();
    harness.run_steps(3);
    assert!(viewer(&harness).is_pinned(&pass));
}

#[test]
fn a_key_leads_to_the_rows_and_arrows_through_them() {
    let mut harness = timings();
    let focused = |harness: &Panels| harness.ctx.memory(|memory| memory.focused());
    assert_eq!(focused(&harness), None);
    harness.press(PanelKey::Timings);
    harness.run_steps(8);
    let technique = focused(&harness).unwrap();
    assert_eq!(passes(&harness).len(), 1, "its dearest pass is shown");
    let is_unfolded = |harness: &Panels| harness.has(&row("down"));
    for (key, unfolded) in
        [(Key::ArrowLeft, false), (Key::ArrowLeft, false), (Key::ArrowRight, true), (Key::ArrowRight, true)]
    {
        harness.key_for(key, 3);
        assert_eq!((is_unfolded(&harness), focused(&harness)), (unfolded, Some(technique)), "{key:?}");
    }
    for pass in ["mip/down", "mip/up"] {
        harness.key_for(Key::ArrowDown, 8);
        assert_eq!(passes(&harness), [pass]);
    }
    harness.key_for(Key::Enter, 3);
    assert!(viewer(&harness).is_pinned("mip/up"));
    harness.key_for(Key::ArrowLeft, 3);
    assert_eq!((is_unfolded(&harness), focused(&harness)), (false, Some(technique)), "up to the technique");
    harness.key_for(Key::Escape, 3);
    assert_eq!(focused(&harness), None);
}

#[test]
fn clicks_pin_and_release() {
    let mut harness = timings();
    for (pass, count) in [("down", 1), ("up", 2), ("list", 3), ("up", 2)] {
        harness.click_for(&row(pass), 3);
        harness.hover_for("Techniques", 3);
        assert_eq!(pins(&harness).len(), count, "{pass}");
    }
    answer(&mut harness, &sample_result());
    let rects: Vec<_> = pins(&harness).iter().filter_map(|pin| pin.picture).map(|picture| picture.rect).collect();
    let is_apart = |a: [i32; 4], b: [i32; 4]| a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
    assert!(rects.len() < 2 || is_apart(rects[0], rects[1]), "{rects:?}");
    for left in [1, 0] {
        harness.get_all_by_label("Close").next().unwrap().click();
        harness.run_steps(3);
        assert_eq!(pins(&harness).len(), left);
    }
}

#[test]
fn pins_stay_while_other_tabs_are_open_and_not_while_panels_are_hidden() {
    let mut harness = timings();
    harness.click_for(&row("up"), 3);
    harness.press(PanelKey::Device);
    assert_eq!(pins(&harness).len(), 1);
    harness.ui_mut().toggle();
    harness.run_steps(3);
    assert_eq!(pins(&harness).len(), 0);
}

#[test]
fn buffers_are_tables_of_their_declared_numbers() {
    let mut harness = timings();
    harness.click_for(&row("list"), 3);
    let bytes: Vec<u8> = [7u32, 11, 13, 170_000].iter().flat_map(|word| word.to_ne_bytes()).collect();
    answer(&mut harness, &PinResult { bytes: Some((0..16, bytes)), ..PinResult::default() });
    for label in ["first", "count", "7", "11", "13", "170000 (0x29810)", "byte 0 of 80"] {
        harness.get_by_label(label);
    }
}

#[test]
fn a_missing_resource_says_why() {
    let mut harness = timings();
    harness.click_for(&row("up"), 3);
    let problem = Some("nothing was written to ids before mip/up".to_owned());
    answer(&mut harness, &PinResult { problem, ..PinResult::default() });
    harness.get_by_label("nothing was written to ids before mip/up");
    harness.state_mut().captures.passes[1].resources.clear();
    harness.run_steps(3);
    harness.get_by_label("It reads and writes no image and no buffer by a name.");
}

#[test]
fn a_pinned_resource_is_saved_whole() {
    let mut harness = timings();
    harness.click_for(&row("list"), 3);
    harness.click_for("Save", 3);
    let instruments = &mut harness.ui_mut().instruments;
    let saved = instruments.take_request().saved;
    assert_eq!(saved, [CapturePoint { bytes: 0..u64::MAX, ..CapturePoint::new("mip/list", "Regions") }]);
    assert_eq!(instruments.take_request().saved, [], "once");
}

/// In a window with room for one, the panel of the row under the pointer hides what is pinned below it.
#[test]
fn no_picture_is_below_another_panel() {
    let mut harness = timings();
    harness.set_size(egui::vec2(760.0, 520.0));
    harness.run_steps(3);
    harness.click_for(&row("down"), 6);
    answer(&mut harness, &sample_result());
    let pictures = |harness: &Panels| {
        let pictures = pins(harness).into_iter().map(|pin| (pin.point.pass, pin.picture.is_some()));
        pictures.collect::<Vec<_>>()
    };
    let down = |has_picture| ("mip/down".to_owned(), has_picture);
    harness.hover_for("Techniques", 6);
    assert_eq!(pictures(&harness), [down(true)]);
    harness.hover_for(&row("up"), 8);
    answer(&mut harness, &sample_result());
    assert_eq!(pictures(&harness), [down(false), ("mip/up".to_owned(), true)]);
    assert_eq!(harness.ui().instruments.holes().len(), 1);
    harness.hover_for("Techniques", 6);
    assert_eq!(pictures(&harness), [down(true)]);
}

#[test]
fn a_captured_resource_is_typed() {
    let capture = |pass: &str, binding: &str, mip, file| {
        Ok((CapturePoint { mip, ..CapturePoint::new(pass, binding) }, std::path::Path::new(file)))
    };
    assert_eq!(capture_of("shade/list marble/Light=a=b.npy"), capture("shade/list marble", "Light", None, "a=b.npy"));
    assert_eq!(capture_of("ui/levels[2]:11=o/x.exr"), capture("ui", "levels[2]", Some(11), "o/x.exr"));
}

#[test]
fn a_texel_under_the_pointer_says_what_it_means() {
    let mut harness = timings();
    harness.click_for(&row("up"), 3);
    harness.hover_for("Techniques", 3);
    let image = Some(([64, 32], TexelFormat::R32U));
    answer(&mut harness, &PinResult { image, ..sample_result() });
    let [left, top, right, bottom] = pins(&harness)[0].picture.unwrap().rect.map(|at| at as f32);
    harness.hover_at(egui::pos2((left + right) / 2.0 + 2.0, (top + bottom) / 2.0 + 2.0));
    harness.run_steps(3);
    let region = pins(&harness)[0].texels.unwrap();
    let array = Array { element: Element::U32, shape: vec![1, 1], bytes: 77u32.to_le_bytes().to_vec() };
    let texels = Some(Texels { region, format: TexelFormat::R32U, array });
    answer(&mut harness, &PinResult { image, texels, ..sample_result() });
    harness.get_by_label("32, 16: 77 = thing 77");
    harness.ui_mut().instruments.limits.toggle("mip/up", &[]);
    harness.run_steps(4);
    let said = harness.query_all_by_label_contains("77 = thing 77").count();
    assert_eq!(said, 2, "in the details, too");
}
