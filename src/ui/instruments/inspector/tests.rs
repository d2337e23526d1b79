//! Tests of the inspector.

use crate::instruments::inspector::PixelStory;
use crate::test_fixture::{Hand as _, Panels, at_1280, world};
use crate::{PanelKey, UiAction};
use egui::{Pos2, Shape, pos2};
use egui_kittest::kittest::Queryable as _;
use instrument::{PinResult, SeenTexels, TexelFormat, Texels, sample_result};
use media::array::{Array, Element};
use technique::{Fact, Step, StoryLine};

fn region(harness: &Panels) -> Option<[u32; 4]> {
    harness.state().ui().instruments.request().texels
}

fn hover(harness: &mut Panels, at: Pos2) {
    harness.hover_at(at);
    harness.run_steps(3);
}

fn click(harness: &mut Panels, at: Pos2) {
    hover(harness, at);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        harness.step();
    }
    harness.run_steps(3);
}

fn story() -> PixelStory {
    let compared = |name, gpu: f64, cpu: f64| Fact::gpu(name, "0x3f800000", gpu).against(&[cpu], 0.0);
    let line = StoryLine { from: [400.5, 300.5], to: [440.0, 310.0], color: [255, 0, 0] };
    let steps = vec![
        Step { technique: "glass", ..Step::new("refraction", vec![compared("red", 1.0, 1.0)]).lines(vec![line]) },
        Step { technique: "glass", ..Step::new("final value", vec![compared("value", 2.0, 3.0)]).note("A note.") },
    ];
    PixelStory { pixel: [400, 300], steps, section: None, numbers: vec!["58".into(); 4], is_outdated: false }
}

#[test]
fn the_pointer_inspects_only_while_it_is_on() {
    let mut harness = at_1280(world());
    hover(&mut harness, pos2(400.5, 300.5));
    click(&mut harness, pos2(400.5, 300.5));
    assert_eq!((region(&harness), harness.state().actions.len()), (None, 0));
    harness.press(PanelKey::Instrument("inspector"));
    harness.run_steps(2);
    assert_eq!(region(&harness), Some([395, 295, 11, 11]));
    hover(&mut harness, pos2(2.5, 300.5));
    assert_eq!(region(&harness), Some([0, 295, 11, 11]), "at the edge");
    hover(&mut harness, pos2(1200.0, 300.0));
    assert_eq!(region(&harness), None, "over the dock");
    harness.click("Inspect");
    assert!(harness.state().actions.is_empty(), "panels work as before");
    click(&mut harness, pos2(400.5, 300.5));
    assert_eq!(harness.state().actions, [UiAction::Explain(Some([400, 300]))]);
    harness.press(PanelKey::Close);
    assert!(!harness.state().ui().instruments.takes_pointer());
}

#[test]
fn the_loupe_shows_what_was_read() {
    let mut harness = at_1280(world());
    harness.press(PanelKey::Instrument("inspector"));
    hover(&mut harness, pos2(2.5, 300.5));
    let bytes: Vec<u8> = (0..11 * 11).flat_map(|i| [i, 128, 255, 255]).collect();
    let array = Array { element: Element::U8, shape: vec![11, 11, 4], bytes };
    let texels = Texels { region: [0, 295, 11, 11], format: TexelFormat::Rgba8, array };
    harness.state_mut().captures.seen = Some(SeenTexels { texels, writer: "glass/draw".into() });
    harness.run_steps(3);
    for text in ["2, 300", "57  128  255  255", "#3980ff", "linear 0.041 0.216 1.000", "by glass/draw"] {
        harness.get_by_label(text);
    }
    for (numbers, is_said) in [(["58", "128", "255", "255"], true), (["57", "128", "255", "255"], false)] {
        let numbers = numbers.map(str::to_owned).to_vec();
        harness.state_mut().captures.story = Some(PixelStory { pixel: [2, 300], numbers, ..story() });
        harness.run_steps(3);
        assert_eq!(harness.has("in the story's frame 58  128  255  255"), is_said);
    }
    harness.state_mut().captures.story = None;
    harness.run_steps(3);
    let cells = harness.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Mesh(mesh) if mesh.vertices.len() == 4 * 121 => Some(mesh.clone()),
        _ => None,
    });
    let cells = cells.unwrap();
    let near = |column: usize, row: usize| cells.vertices[4 * (row * 11 + column)].color.to_array();
    assert_eq!([near(5, 5), near(3, 0), near(2, 0)], [[57, 128, 255, 255], [0, 128, 255, 255], [24, 24, 24, 255]]);
}

#[test]
fn the_story_is_told_beside_its_pixel() {
    let mut harness = at_1280(world());
    harness.state_mut().captures.story = Some(story());
    harness.run_steps(3);
    for text in ["Pixel 400, 300", "1 of 2 equal", "Refraction", "Final value", "A note.", "= CPU 1", "\u{2260} CPU 3"]
    {
        harness.get_by_label(text);
    }
    let reaches = |shape: &Shape, at| matches!(shape, Shape::Mesh(mesh) if mesh.calc_bounds().contains(at));
    for end in [pos2(400.5, 300.5), pos2(440.0, 310.0)] {
        assert_eq!(harness.output().shapes.iter().filter(|clipped| reaches(&clipped.shape, end)).count(), 2, "{end}");
    }
    harness.state_mut().captures.awaited = Some([401, 300]);
    harness.run_steps(3);
    harness.get_by_label("Pixel 401, 300");
    assert!(!harness.has("Pixel 400, 300"), "the next one takes its place");
    harness.state_mut().captures.awaited = None;
    harness.run_steps(3);
    assert!(!harness.has("Tell again"));
    harness.state_mut().captures.story.as_mut().unwrap().is_outdated = true;
    harness.run_steps(3);
    harness.click("Tell again");
    assert_eq!(harness.taken(), [UiAction::Explain(Some([400, 300]))]);
    let left = harness.get_by_label("Pixel 400, 300").rect().left();
    assert!(left > 500.0, "{left}: the pixel is at the left");
    harness.click("Close the story");
    harness.press(PanelKey::Close);
    assert_eq!(harness.state().actions, [UiAction::Explain(None), UiAction::Explain(None)]);
    harness.state_mut().captures.story.as_mut().unwrap().pixel = [900, 300];
    harness.run_steps(3);
    assert!(harness.get_by_label("Pixel 900, 300").rect().left() < 100.0);
}

#[test]
fn pinned_pictures_are_inspected() {
    let mut harness = at_1280(world());
    harness.state_mut().ui_mut().instruments.viewer.toggle("mip/down");
    harness.press(PanelKey::Instrument("inspector"));
    let answer = |harness: &mut Panels, result: PinResult| {
        harness.state_mut().captures.results.insert(1, result);
        harness.run_steps(3);
    };
    answer(&mut harness, sample_result());
    let pins = |harness: &Panels| harness.state().ui().instruments.request().pins.clone();
    let [left, top, right, bottom] = pins(&harness)[0].picture.unwrap().rect.map(|at| at as f32);
    hover(&mut harness, pos2((left + right) / 2.0 + 2.0, (top + bottom) / 2.0 + 2.0));
    assert_eq!(region(&harness), None);
    let read = pins(&harness)[0].texels.unwrap();
    assert_eq!(read, [27, 11, 11, 11], "around the middle of 64 x 32 texels");
    let bytes = (0..121).flat_map(|i| (i as f32).to_le_bytes()).collect();
    let array = Array { element: Element::F32, shape: vec![11, 11], bytes };
    let texels = Texels { region: read, format: TexelFormat::R32F, array };
    answer(&mut harness, PinResult { texels: Some(texels), range: Some([0.0, 120.0]), ..sample_result() });
    for text in ["32, 16", "60", "0x42700000", "by mip/down"] {
        harness.get_by_label(text);
    }
}
