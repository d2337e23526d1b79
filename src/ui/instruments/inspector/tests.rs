//! Tests of the inspector.

use crate::instruments::inspector::PixelStory;
use crate::pair_state::PairAction;
use crate::test_fixture::{Hand as _, Panels, at_1280, world};
use crate::{PanelKey, UiAction};
use egui::accesskit::Role;
use egui::{Pos2, Shape, pos2};
use egui_kittest::kittest::Queryable as _;
use instrument::{PinResult, SeenTexels, TexelFormat, Texels, sample_result};
use media::array::{Array, Element};
use technique::{Fact, Step, StoryLine};

fn region(harness: &Panels) -> Option<[u32; 4]> {
    harness.ui().instruments.request().texels
}

fn hover(harness: &mut Panels, at: Pos2) {
    harness.hover_at(at);
    harness.run_steps(3);
}

/// Of a ball that mirrors, through glass.
fn story() -> PixelStory {
    let compared = |name, gpu: f64, cpu: f64| Fact::gpu(name, "0x3f800000", gpu).against(&[cpu], 0.0);
    let line = StoryLine { from: [400.5, 300.5], to: [440.0, 310.0], color: [255, 0, 0] };
    let edge = [[500.0, 200.0], [500.0, 260.0]];
    let made = |name| Step { technique: "glass", pixel: [400, 300], ..Step::new(name, vec![]) };
    let step = |name, summary: &str| made(name).summary(summary);
    let steps = vec![
        Step { passes: vec!["mip/down".into()], ..step("mirror", "reflects the floor in the shadow of the cypress") },
        Step {
            passes: vec!["glass/lens".into()],
            facts: vec![compared("red", 1.0, 1.0)],
            lines: vec![line],
            ..step("refraction", "bent by 14 px")
        },
        Step { facts: vec![compared("value", 2.0, 3.0)], ..step("final value", "") }.note("A note."),
        Step { outline: vec![edge], ..step("visibility", "chrome ball") },
    ];
    PixelStory { pixel: [400, 300], steps, numbers: vec!["58".into(); 4], ..PixelStory::default() }
}

fn told(story: PixelStory) -> Panels {
    let mut harness = at_1280(world());
    harness.state_mut().captures.story = Some(story);
    harness.run_steps(3);
    harness
}

fn meshes_at(harness: &Panels, at: Pos2) -> usize {
    let reaches = |shape: &Shape| matches!(shape, Shape::Mesh(mesh) if mesh.calc_bounds().contains(at));
    harness.output().shapes.iter().filter(|clipped| reaches(&clipped.shape)).count()
}

#[test]
fn a_click_asks_while_the_inspect_tab_is_open() {
    let mut harness = at_1280(world());
    harness.click("Inspect");
    harness.get_by_label_contains("Click the picture");
    let rows = harness.get_by_label("No frame has been timed yet.").rect();
    harness.press(PanelKey::Instrument("inspector"));
    assert_eq!(harness.get_by_label("No frame has been timed yet.").rect(), rows);
    harness.press(PanelKey::Instrument("inspector"));
    harness.click_at(pos2(400.5, 300.5));
    assert_eq!(harness.taken(), [UiAction::Explain(Some([400, 300]))]);
    assert!(harness.has("Pixel 400, 300"), "in the frame of the click");
    assert_eq!(meshes_at(&harness, pos2(400.5, 300.5)), 2);
    assert!(!harness.ui().instruments.takes_pointer(), "lens and camera are dragged as before");
    hover(&mut harness, pos2(400.5, 300.5));
    let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
    for (pos, pressed) in [(pos2(400.5, 300.5), true), (pos2(460.0, 330.0), false)] {
        harness.hover_at(pos);
        harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
        harness.run_steps(2);
    }
    assert_eq!(harness.taken(), [], "a drag");
    harness.click("Techniques");
    harness.click_at(pos2(400.5, 300.5));
    assert_eq!(harness.taken(), []);
}

#[test]
fn the_headline_says_why() {
    let line = |story: &PixelStory| story.headline(crate::test_fixture::INFOS);
    let mut one = story();
    assert_eq!(line(&one), "Chrome ball, reflects the floor in the shadow of the cypress, bent by 14 px");
    one.steps.retain(|step| step.name != "mirror");
    one.steps.push(Step { technique: "glass", ..Step::new("light", vec![]).summary("in the sun") });
    assert_eq!(line(&one), "Chrome ball, in the sun, bent by 14 px");
    one.steps.retain(|step| step.name != "visibility" && step.name != "light");
    assert_eq!(line(&one), "Bent by 14 px", "a flat picture");
    one.steps.clear();
    assert_eq!(line(&one), "The picture as it is");
}

#[test]
fn a_clause_leads_to_what_it_names() {
    let mut one = story();
    one.costs = [("mip/down".to_owned(), 1500.0), ("glass/lens".to_owned(), 500.0)].into();
    let mut harness = told(one);
    let rows = ["Chrome ball", "Reflects the floor in the shadow of the cypress", "Bent by 14 px", "2 passes, 2.00 ms"];
    let tops = rows.map(|row| harness.get_by_role_and_label(Role::Button, row).rect().top());
    assert!(tops.is_sorted(), "{tops:?}: surface, mirror, glass, passes");
    let click_row = |harness: &mut Panels, row: &str| {
        harness.click_role(Role::Button, row);
        harness.run_steps(3);
    };
    assert_eq!(meshes_at(&harness, pos2(500.0, 230.0)), 0);
    click_row(&mut harness, "Chrome ball");
    assert_eq!(meshes_at(&harness, pos2(500.0, 230.0)), 2, "its outline, dark and light");
    assert_eq!(meshes_at(&harness, pos2(430.0, 307.0)), 0, "no ray of another clause");
    click_row(&mut harness, "Bent by 14 px");
    assert_eq!(meshes_at(&harness, pos2(430.0, 307.0)), 2);
    harness.click("Glass, step by step");
    harness.click("Without refraction");
    let table = toml::Table::from_iter([("ior".to_owned(), 1.0.into())]);
    let b = PairAction::Pin(Some(("glass", table)));
    let steps = UiAction::Replay { technique: "glass", pixel: Some([400, 300]) };
    assert_eq!(harness.taken(), [steps, UiAction::Pair(b)]);
    click_row(&mut harness, "Reflects the floor in the shadow of the cypress");
    harness.click("Pass");
    harness.run_steps(2);
    assert!(harness.ui().instruments.viewer.is_pinned("mip/down"));
    let [story, pinned] =
        ["Close the story", "Close"].map(|cross| harness.get_by_role_and_label(Role::Button, cross).rect());
    assert!(pinned.center().x - story.center().x < 30.0 && pinned.top() > story.bottom(), "{story} {pinned}: below it");
    harness.click("Shader");
    harness.run_steps(2);
    assert_eq!(harness.ui().instruments.limits.pass(), Some("mip/down"));
}

#[test]
fn a_pass_of_the_sentence_has_a_picture() {
    let mut harness = told(story());
    harness.click_role(Role::Button, "2 passes");
    harness.run_steps(3);
    harness.hover_for("Mip: down", 12);
    let pins = &harness.ui().instruments.request().pins;
    assert_eq!(pins.iter().map(|pin| pin.point.pass.as_str()).collect::<Vec<_>>(), ["mip/down"]);
}

#[test]
fn the_pointer_inspects_only_while_it_is_on() {
    let mut harness = at_1280(world());
    hover(&mut harness, pos2(400.5, 300.5));
    harness.click_at(pos2(400.5, 300.5));
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
    harness.click_at(pos2(400.5, 300.5));
    assert_eq!(harness.state().actions, [UiAction::Explain(Some([400, 300]))]);
    harness.press(PanelKey::Close);
    assert!(!harness.ui().instruments.takes_pointer());
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
    let mut harness = told(story());
    harness.get_by_label("Pixel 400, 300");
    assert!(!harness.has("A note."), "numbers are folded");
    for end in [pos2(400.5, 300.5), pos2(440.0, 310.0)] {
        assert_eq!(meshes_at(&harness, end), 2, "{end}");
    }
    harness.click_for("Numbers (1 of 2 equal the CPU's)", 8);
    let [story_area, messages] = {
        harness.ui_mut().messages.say(crate::Level::Error, "no such file");
        harness.run_steps(3);
        ["story", "messages"].map(|name| harness.ctx.memory(|memory| memory.area_rect(egui::Id::new(name))).unwrap())
    };
    assert!(!story_area.intersects(messages), "{story_area} {messages}");
    let value = "value: red, green, blue, of 255";
    let numbers = ["Refraction", "Final value", "A note.", "= CPU 1", "\u{2260} CPU 3", value];
    let seen = |harness: &Panels| numbers.map(|text| harness.has(text));
    assert_eq!(seen(&harness), [true; 6]);
    harness.state_mut().captures.story = Some(PixelStory { pixel: [402, 300], ..story() });
    harness.run_steps(8);
    assert_eq!(seen(&harness), [false; 6], "the next pixel begins with its headline");
    harness.state_mut().captures.story = Some(story());
    harness.state_mut().captures.awaited = Some([401, 300]);
    harness.run_steps(3);
    harness.get_by_label("Pixel 401, 300");
    assert_eq!(meshes_at(&harness, pos2(401.5, 300.5)), 2, "its mark");
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
    assert!(harness.has("Glass, step by step"));
    harness.state_mut().captures.story.as_mut().unwrap().steps.clear();
    harness.run_steps(3);
    assert!(!harness.has("Glass, step by step"), "it did not make the pixel");
}

#[test]
fn pinned_pictures_are_inspected() {
    let mut harness = at_1280(world());
    harness.ui_mut().instruments.viewer.toggle("mip/down");
    harness.press(PanelKey::Instrument("inspector"));
    let answer = |harness: &mut Panels, result: PinResult| {
        harness.state_mut().captures.results.insert(1, result);
        harness.run_steps(3);
    };
    answer(&mut harness, sample_result());
    let pins = |harness: &Panels| harness.ui().instruments.request().pins.clone();
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

#[test]
fn a_pinned_picture_stays_and_does_not_cover_the_pixel() {
    let mut harness = at_1280(world());
    harness.ui_mut().instruments.viewer.toggle("mip/down");
    harness.state_mut().captures.results.insert(1, sample_result());
    harness.run_steps(4);
    let hole = |harness: &Panels| harness.ui().instruments.holes()[0];
    let before = hole(&harness);
    for (pixel, stays) in [([610, 593], true), ([900, 300], true), ([400, 300], true), ([200, 500], false)] {
        harness.state_mut().captures.story = Some(PixelStory { pixel, ..story() });
        harness.run_steps(4);
        let now = hole(&harness);
        assert!(!now.contains(pos2(pixel[0] as f32, pixel[1] as f32)), "{pixel:?}: {now}");
        assert!(!stays || now == before, "{pixel:?}: {before} {now}");
    }
}
