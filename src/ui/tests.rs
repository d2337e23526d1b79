//! Interaction tests of the panels, through their accessibility tree.

use egui::accesskit::{Role, Toggled};
use egui::{Id, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use super::test_fixture::*;
use super::*;
use base::settings::{AnySettings, Field, FieldKind, Settings, TEXT_CHARS};
use base::timing::{FrameTiming, PassTiming};
use renderer::{ActiveView, ViewPlacement};

#[test]
fn every_field_has_a_labelled_widget() {
    let harness = at_1280(world());
    for field in Glass::FIELDS.iter().filter(|field| field.is_setting()) {
        let role = match field.kind {
            FieldKind::Float { .. } => Role::Slider,
            FieldKind::Int { max: u32::MAX, .. } => Role::SpinButton,
            FieldKind::Int { .. } => Role::Slider,
            FieldKind::Size { .. } => Role::SpinButton,
            FieldKind::Bool => Role::CheckBox,
            FieldKind::Color => Role::ColorWell,
            FieldKind::Choice(_) => Role::ComboBox,
            FieldKind::Text => Role::TextInput,
        };
        harness.get_by_role_and_label(role, &field.title());
    }
    let titles: Vec<String> = Glass::FIELDS.iter().map(Field::title).collect();
    assert_eq!(titles[1..3], ["Half width", "IOR"]);
}

#[test]
fn parameters_of_a_view_are_shown_with_it() {
    let step = |shown| {
        techniques_of(World { shown, ..world() }, [1280.0, 720.0])
            .query_by_role_and_label(Role::Slider, "Step")
            .is_some()
    };
    assert!(!step(None) && step(Some(ActiveView { view: STUFF, ..view(ViewPlacement::Full) })));
}

#[test]
fn a_slider_sets_its_field_and_the_sign_beside_it_resets_it() {
    let mut harness = at_1280(world());
    assert!(!harness.has("Reset IOR to 1.5"));
    let slider = harness.get_by_role_and_label(Role::Slider, "IOR").rect();
    let at = egui::pos2(slider.left() + slider.width() * 0.8, slider.center().y);
    harness.drag_at(at);
    harness.run_ok();
    harness.drop_at(at);
    harness.run_ok();
    let ior = harness.state().glass.ior;
    assert!((2.1..2.4).contains(&ior), "{ior}");
    let changed = UiAction::Changed { section: "glass", field: "ior" };
    assert!(harness.state().actions.contains(&changed));
    assert_eq!(harness.state_mut().glass.check(), Ok(()));

    harness.taken();
    harness.click("Reset IOR to 1.5");
    assert_eq!(harness.state().glass, Glass::default());
    assert_eq!(harness.taken(), [changed]);
}

#[test]
fn a_double_click_on_the_name_resets_and_a_section_resets_as_a_whole() {
    let mut start = world();
    start.glass.levels = 3;
    start.glass.mode = Mode::Source;
    let mut harness = harness(start, [1280.0, 840.0], 1.0);
    for _ in 0..2 {
        harness.get_by_role_and_label(Role::Label, "Levels").click();
    }
    harness.run_ok();
    assert_eq!((harness.state().glass.levels, harness.state().glass.mode), (12, Mode::Source));
    harness.click("Reset all of Glass (1 changed)");
    assert_eq!(harness.state().glass, Glass::default());
}

#[test]
fn switches_and_choices_set_their_fields() {
    let mut harness = harness(world(), [1280.0, 840.0], 1.0);
    let switch = harness.get_by_role_and_label(Role::CheckBox, "Shadow");
    assert_eq!(switch.accesskit_node().toggled(), Some(Toggled::True));
    switch.click();
    harness.run_ok();
    assert!(!harness.state().glass.shadow);

    harness.click_role(Role::ComboBox, "Mode");
    harness.click(&Mode::Source.title());
    assert_eq!(harness.state().glass.mode, Mode::Source);
}

#[test]
fn a_line_of_text_is_typed_and_holds_as_much_as_it_may() {
    let mut harness = harness(world(), [1280.0, 1000.0], 1.0);
    harness.click_role(Role::TextInput, "Words");
    harness.get_by_role_and_label(Role::TextInput, "Words").type_text("Ähm\t 8");
    harness.run_ok();
    assert_eq!(harness.state().glass.words.as_str(), "Ähm 8");
    harness.get_by_role_and_label(Role::TextInput, "Words").type_text(&"\u{1f600}".repeat(40));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("at most 32 characters").is_some());
    assert_eq!(harness.state().glass.words.chars().count(), TEXT_CHARS);
    assert_eq!(harness.state_mut().glass.check(), Ok(()));
    harness.click("Reset Words to none");
    assert_eq!(harness.state().glass, Glass::default());
}

#[test]
fn hidden_panels_are_gone_and_messages_are_not() {
    let mut start = world();
    start.shown = Some(view(ViewPlacement::Full));
    let mut harness = at_1280(start);
    assert!(harness.has("Glass") && harness.has("from -9 px to 9 px"));
    let ui = harness.ui_mut();
    ui.visible = false;
    ui.messages.say(Level::Error, "no such picture");
    harness.run_ok();
    for gone in ["Glass", "Meniscus", "Techniques", "from -9 px to 9 px"] {
        assert!(!harness.has(gone), "{gone}");
    }
    harness.get_by_label("no such picture");
    harness.click("Dismiss");
    assert!(!harness.has("no such picture"));
}

#[test]
fn plain_messages_go_by_themselves_and_held_ones_stay() {
    let mut harness = at_1280(world());
    let messages = &mut harness.ui_mut().messages;
    messages.say(Level::Info, "written");
    messages.say(Level::Info, "written");
    messages.say(Level::Info, "no folder (os error 2)");
    messages.hold("shader", Level::Error, "lens.comp:3: old");
    messages.hold("shader", Level::Error, "lens.comp:4: new");
    harness.run_steps(2);
    harness.get_by_label("written");
    harness.get_by_label("no folder");
    assert!(!harness.has("lens.comp:3: old"));
    harness.run_steps(100);
    assert!(!harness.has("written"));
    harness.get_by_label("lens.comp:4: new");
    harness.ui_mut().messages.clear("shader");
    harness.ui_mut().messages.say_saved(About::Picture, "/a/clip.webp".into(), None);
    harness.run_steps(330);
    assert!(harness.has("Saved clip.webp in /a"), "nobody was there");
    harness.get_by_label_contains("More: device").click();
    harness.run_steps(3);
    harness.click("Show clip.webp");
    assert_eq!(harness.taken(), [UiAction::ShowFile("/a/clip.webp".into())]);
    harness.run_steps(400);
    assert!(harness.ui().messages.is_empty());
}

#[test]
fn a_written_file_is_shown_and_copied_from_its_message() {
    let mut harness = at_1280(world());
    let file = std::path::PathBuf::from("/home/a/Pictures/Meniscus 1.png");
    let messages = &mut harness.ui_mut().messages;
    messages.say_saved(About::Picture, file.clone(), Some("MP4 needs ffmpeg."));
    harness.run_steps(4);
    let said = "Saved Meniscus 1.png in /home/a/Pictures. MP4 needs ffmpeg.";
    harness.get_by_label(said).hover();
    // Far longer than it stays by itself.
    harness.run_steps(400);
    harness.get_by_label(said);
    harness.click("Show");
    assert_eq!(harness.taken(), [UiAction::ShowFile(file.clone())]);
    harness.get_by_label("Copy path").click();
    harness.step();
    let copied =
        harness.output().platform_output.commands.iter().any(
            |command| matches!(command, egui::OutputCommand::CopyText(text) if *text == file.display().to_string()),
        );
    assert!(copied);
    harness.run_ok();
    harness.get_by_label("Copied");
    harness.hover_for("Techniques", 40);
    assert!(harness.has(said));
    harness.run_steps(100);
    assert!(!harness.has(said));
}

#[test]
fn the_head_says_how_much_is_recorded() {
    let mut start = world();
    start.captures.recording = Some(RecordingState { stage: RecordingStage::Window(72.9), bytes: 4 << 20 });
    let undo_before = at_1280(world()).get_by_label_contains("Undo").rect();
    let mut harness = at_1280(start);
    assert!(!harness.has("Meniscus"));
    let [text, undo] = ["1:12, 4.00 MiB", "Undo"].map(|label| harness.get_by_label_contains(label).rect());
    assert!(text.right() <= undo.left() && undo == undo_before, "{text:?} {undo:?}");
    let clip = RecordingState { stage: RecordingStage::Clip { part: 0.455, left_s: Some(130.0) }, bytes: 0 };
    harness.state_mut().captures.recording = Some(clip);
    harness.run_steps(2);
    harness.get_by_label("Clip 46 %, 3 min left");
    harness.state_mut().captures.recording = Some(RecordingState { stage: RecordingStage::Ending(0.25), bytes: 0 });
    harness.run_steps(2);
    harness.get_by_label("Writing 25 %, 0 B");
    harness.get_by_label_contains("Record the window").click();
    harness.run_steps(2);
    assert_eq!(harness.taken(), [UiAction::Shortcut(keys::Shortcut::Record)]);
    harness.get_by_label_contains("Record an eight-second clip").click();
    harness.run_steps(2);
    assert_eq!(harness.taken(), [UiAction::Shortcut(keys::Shortcut::RecordClip)]);
}

#[test]
fn a_message_goes_with_its_cause() {
    let mut harness = at_1280(world());
    let messages = &mut harness.ui_mut().messages;
    messages.say_about(About::File, Level::Error, "no such file");
    messages.say_about(About::File, Level::Error, "nor this one");
    messages.say_about(About::History, Level::Info, "Nothing to undo");
    harness.run_steps(2);
    assert!(!harness.has("no such file"));
    harness.get_by_label("nor this one");
    let messages = &mut harness.ui_mut().messages;
    messages.settle(About::File);
    harness.run_steps(2);
    assert!(!harness.has("nor this one"));
    harness.get_by_label("Nothing to undo");
    harness.run_steps(100);
    assert!(harness.ui().messages.is_empty());
}

#[test]
fn timings_show_figures_and_fold_out() {
    let mut harness = at_1280(world());
    harness.click("Inspect");
    harness.get_by_label("No frame has been timed yet.");
    let pass = |name: &str, gpu_us| PassTiming { name: name.into(), gpu_us, cpu_us: 2.0, ..Default::default() };
    for frame in 0_u16..3 {
        let passes = vec![pass("mip/down", Some(100.0)), pass("mip/up", Some(23.5)), pass("ui", None)];
        let timing =
            FrameTiming { frame: frame.into(), gpu_us: Some(130.0), cpu_us: 9.0, passes, ..Default::default() };
        harness.ui_mut().timings.push(&timing, f64::from(frame) * 0.1);
    }
    harness.run_steps(8);
    harness.get_by_label("Panels: —, —, —");
    harness.get_by_label("Frame: 130 µs, 130 µs, 130 µs");
    assert!(!harness.has("Mip: up: 23.5 µs, 23.5 µs, 23.5 µs"));
    harness.focus("Panels: —, —, —");
    harness.get_by_label("Mip: 124 µs, 124 µs, 124 µs").click_accesskit();
    harness.run_ok();
    assert!(harness.get_by_label("Panels: —, —, —").is_focused(), "the focus stays on its row");
    harness.get_by_label("Mip: up: 23.5 µs, 23.5 µs, 23.5 µs");
    // The focused row's panel has one, too.
    harness.get_all_by_label("CPU").next().unwrap().click();
    harness.run_ok();
    harness.get_by_label("Panels: 2.00 µs, 2.00 µs, 2.00 µs");
}

#[test]
fn the_card_of_a_view_changes_its_place() {
    let mut harness = at_1280(World { shown: Some(view(ViewPlacement::Lens)), ..world() });
    harness.click("Split");
    assert_eq!(harness.taken(), [UiAction::View(Some(view(ViewPlacement::Split)))]);
}

#[test]
fn the_device_says_what_is_missing() {
    let mut start = world();
    start.device = Device {
        is_one_queue: false,
        video: "MP4",
        facts: vec![("GPU".into(), "a software one".into())],
        features: vec![device::Feature { name: "Mesh shaders".into(), present: false, unneeded: false }],
        validation: device::Validation::On { count: 2, last: vec!["a hazard".into()] },
        gpus: Vec::new(),
        memory: "212 MiB, budget 3.13 GiB".into(),
    };
    let mut harness = at_1280(start);
    harness.press(PanelKey::Device);
    for text in
        ["a software one", "212 MiB, budget 3.13 GiB", "MP4", "Mesh shaders: missing", "On: 2 messages", "a hazard"]
    {
        harness.get_by_label(text);
    }
}

fn parts(harness: &Panels) -> Vec<(&'static str, Rect)> {
    let place = |name| harness.ctx.memory(|memory| memory.area_rect(Id::new(name))).map(|rect| (name, rect));
    ["dock", "page", "legend", "messages"].into_iter().filter_map(place).collect()
}

#[test]
fn parts_stay_inside_and_apart() {
    for (size, scale, page) in [
        ([1280.0, 720.0], 1.0, false),
        ([1280.0, 720.0], 1.5, true),
        ([853.0, 480.0], 1.5, true),
        ([640.0, 360.0], 2.0, false),
        ([640.0, 360.0], 2.0, true),
        ([400.0, 300.0], 1.0, true),
    ] {
        let mut start = world();
        start.more = vec![Glass::default(); 6];
        start.shown = Some(ActiveView { view: STUFF, ..view(ViewPlacement::Full) });
        let mut harness = harness(start, size, scale);
        let ui = harness.ui_mut();
        ui.help.page = page.then(|| "glass".into());
        harness.run_ok();
        let window = Rect::from_min_size(egui::Pos2::ZERO, vec2(size[0], size[1]));
        let parts = parts(&harness);
        assert!(parts.len() >= 2, "{parts:?}");
        for (index, (name, rect)) in parts.iter().enumerate() {
            assert!(window.contains_rect(*rect), "{name} {rect:?} in {size:?}");
            for (other, place) in &parts[index + 1..] {
                let both = if page { ["dock", "page"] } else { ["dock", "legend"] };
                if both.contains(name) && both.contains(other) {
                    assert!(!rect.intersects(*place), "{name} {rect:?} over {other} {place:?} in {size:?}");
                }
            }
        }
        let dock = parts[0].1;
        assert!(dock.width() <= 330.0 && dock.width() <= size[0] * 0.56, "{dock:?} in {size:?}");
    }
}
