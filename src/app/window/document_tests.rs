//! Tests of the document's history: its steps, and the restored state.

use super::*;
use glam::vec2;
use glass::Mode;
use media::picture::Picture;

const SCALE: f32 = 1.0;

fn document() -> Document {
    let settings = Settings::default();
    let lenses = vec![settings.glass.placed(vec2(300.0, 200.0))];
    let origin = Origin { glass: settings.glass.clone(), ..Origin::default() };
    Document::new(DocumentState { settings, lenses, origin, ..DocumentState::default() }, SCALE)
}

fn set(document: &mut Document, section: &'static str, field: &'static str, value: &str) {
    let mut written = document.settings().clone();
    written.lay(base::settings::parse_set(&format!("{section}.{field}={value}")).unwrap()).unwrap();
    document.edit_fields(vec![(section, field)], &mut written);
}

fn resize(document: &mut Document, by: f32) {
    let index = document.state().selected;
    document.edit(Edit::Resize(index), |state| {
        let lens = &mut state.lenses[index];
        *lens = lens.sized(lens.outline.half() * by);
    });
}

fn half_width(document: &Document, index: usize) -> f32 {
    document.state().lenses[index].outline.half_width
}

fn place(document: &mut Document, x: f32) {
    document.edit(Edit::Drag, |state| state.lenses[0].center.x = x);
}

fn seen(document: &Document) -> (Settings, Vec<Lens>, Option<ActiveView>) {
    let state = document.state();
    (state.shown(), state.lenses.clone(), state.view)
}

#[test]
fn a_notch_of_the_wheel_ends_no_undo_whatever_a_panel_writes_back() {
    let mut document = document();
    let start = seen(&document);
    set(&mut document, "glass", "exponent", "7");
    let squared = seen(&document);
    resize(&mut document, 1.1);
    let resized = seen(&document);
    for _ in 0..20 {
        let mut written = document.settings().clone();
        written.glass.half_width = (written.glass.half_width * 10.0).round() / 10.0 + 0.05;
        assert!(!document.edit_fields(Vec::new(), &mut written).any());
        assert!(!document.edit_fields(vec![("glass", "frost")], &mut written).any());
        assert_eq!(seen(&document), resized);
    }
    assert!(document.undo().is_some_and(|changed| changed.lenses && !changed.settings));
    assert_eq!(seen(&document), squared);
    assert!(document.undo().is_some() && seen(&document) == start);
    assert_eq!((document.undo(), document.can_undo_and_redo()), (None, [false, true]));
    assert!(document.redo().is_some() && seen(&document) == squared);
    assert!(document.redo().is_some() && seen(&document) == resized);
    assert_eq!(document.redo(), None);
}

#[test]
fn a_drag_is_one_step_and_a_cancelled_one_is_none() {
    let mut document = document();
    let start = seen(&document);
    for round in [1.0, 2.0] {
        document.press();
        (0..50).for_each(|step| place(&mut document, 300.0 + round * step as f32));
        document.release();
    }
    assert!(document.undo().is_some());
    assert_eq!(document.state().lenses[0].center.x, 349.0, "the first drag, though the second followed at once");
    assert!(document.undo().is_some() && seen(&document) == start && document.can_undo_and_redo() == [false, true]);
    document.press();
    [310.0, 320.0, 300.0].into_iter().for_each(|x| place(&mut document, x));
    document.release();
    assert_eq!((document.can_undo_and_redo()[0], seen(&document)), (false, start));
    for frosts in [["1", "2", "3"], ["4", "5", "6"]] {
        document.press();
        frosts.into_iter().for_each(|frost| set(&mut document, "glass", "frost", frost));
        document.release();
    }
    assert!(document.undo().is_some() && document.settings().glass.frost == 3.0);
    assert!(document.undo().is_some() && document.undo().is_none());
}

#[test]
fn repeated_keys_and_notches_are_one_step_and_other_edits_are_not() {
    let mut document = document();
    (0..5).for_each(|_| resize(&mut document, 1.1));
    set(&mut document, "glass", "frost", "1");
    set(&mut document, "glass", "ior", "2");
    document.edit(Edit::Once, |state| state.settings.glass.mode = Mode::Source);
    document.edit(Edit::Once, |state| state.settings.glass.mode = Mode::Lens);
    let steps = std::iter::from_fn(|| document.undo()).count();
    assert_eq!(steps, 5);
    let mut late = self::document();
    resize(&mut late, 1.1);
    late.last_at = Instant::now().checked_sub(2 * TOGETHER);
    resize(&mut late, 1.1);
    assert_eq!(std::iter::from_fn(|| late.undo()).count(), 2, "after a pause");
}

#[test]
fn notches_that_wait_for_a_frame_are_one_step() {
    let mut document = document();
    resize(&mut document, 1.1);
    let now = Instant::now();
    let frame_s = Duration::from_secs(20);
    document.last_at = now.checked_sub(frame_s + TOGETHER / 2);
    document.clock.begin_frame(now.checked_sub(frame_s).unwrap());
    document.clock.end_frame(now);
    (0..2).for_each(|_| resize(&mut document, 1.1));
    assert_eq!(std::iter::from_fn(|| document.undo()).count(), 1);
}

#[test]
fn b_is_undone_in_its_turn() {
    let mut document = document();
    let frost_of_b = |document: &Document| document.state().b.as_ref().map(|b| b.settings.glass.frost);
    let seen = |document: &Document| (document.state().lenses[0].center.x, document.settings().glass.frost);
    place(&mut document, 400.0);
    document.edit(Edit::Once, |state| state.b = Some(Arc::new(state.as_b())));
    set(&mut document, "glass", "frost", "5");
    document.edit(Edit::Once, |state| state.b = None);
    let mut steps = Vec::new();
    while let [Some(step), _] = document.last_steps() {
        assert!(document.undo().is_some());
        assert_eq!(document.last_steps()[1].as_ref(), Some(&step), "redo has the same name");
        steps.push((step, seen(&document), frost_of_b(&document)));
    }
    let steps: Vec<_> = steps.iter().map(|(step, seen, b)| (step.as_str(), *seen, *b)).collect();
    assert_eq!(
        steps,
        [
            ("B removed", (400.0, 5.0), Some(0.5)),
            ("Frost", (400.0, 0.5), Some(0.5)),
            ("B pinned", (400.0, 0.5), None),
            ("drag of a lens", (300.0, 0.5), None),
        ]
    );
    assert!(document.redo().is_some() && document.redo().is_some_and(|changed| changed.pair && !changed.lenses));
    assert_eq!(frost_of_b(&document), Some(0.5));
    document.take_back();
    assert_eq!((frost_of_b(&document), document.can_undo_and_redo()), (None, [true, true]));
}

#[test]
fn edits_are_of_the_named_side_and_what_both_share_is_no_part_of_b() {
    let mut document = document();
    document.edit_both(Edit::Once, |state| (state.b, state.edits_b) = (Some(Arc::new(state.as_b())), true));
    let frosts = |document: &Document| {
        let of_b = document.state().b.as_ref().map(|b| b.glasses[0].frost);
        (document.settings().glass.frost, of_b, document.edited().shown().glass.frost)
    };
    set(&mut document, "glass", "frost", "5");
    assert_eq!(frosts(&document), (0.5, Some(5.0), 5.0));
    let b = document.state().b.clone();
    place(&mut document, 400.0);
    set(&mut document, "glass", "half_width", "70");
    set(&mut document, "display", "text_scale", "1.5");
    document.edit(Edit::Once, DocumentState::reset_camera);
    document.edit(Edit::Once, |state| state.settings.scene.orbit = 30.0);
    assert!(document.state().b.as_ref().zip(b.as_ref()).is_some_and(|(now, b)| Arc::ptr_eq(now, b)));
    let Settings { display, scene, .. } = document.settings();
    assert_eq!((half_width(&document, 0), display.text_scale, scene.orbit), (70.0, 1.5, 30.0));
    document.edit_b(false);
    set(&mut document, "glass", "frost", "7");
    assert_eq!(frosts(&document), (7.0, Some(5.0), 7.0));
    document.edit_both(Edit::Once, |state| state.b = None);
    assert_eq!(frosts(&document), (7.0, None, 7.0));
    let undone = |document: &mut Document| {
        let [step, _] = document.last_steps();
        document.undo();
        (step.unwrap_or_default(), frosts(document))
    };
    assert_eq!(undone(&mut document), ("B removed".into(), (7.0, Some(5.0), 7.0)));
    assert_eq!(undone(&mut document), ("Frost".into(), (0.5, Some(5.0), 0.5)));
    for name in ["settings", "Text size", "Width", "drag of a lens"] {
        assert_eq!(undone(&mut document).0, name);
    }
    assert_eq!(undone(&mut document), ("Frost".into(), (0.5, Some(0.5), 0.5)));
    assert_eq!(undone(&mut document), ("B pinned".into(), (0.5, None, 0.5)));
}

#[test]
fn lenses_come_back_with_their_shapes_and_the_selection() {
    let mut document = document();
    let one = seen(&document);
    document.edit(Edit::Once, |state| {
        state.lenses.push(Lens { center: vec2(600.0, 400.0), ..state.lenses[0] }.sized(vec2(50.0, 40.0)));
        state.selected = 1;
    });
    assert_eq!(document.settings().glass.half_width, 50.0);
    set(&mut document, "glass", "half_width", "70");
    assert_eq!((half_width(&document, 0), half_width(&document, 1)), (190.0, 70.0));
    document.edit(Edit::Once, |state| {
        state.lenses.remove(1);
        state.selected = 0;
    });
    assert_eq!(document.settings().glass.half_width, 190.0);
    document.undo();
    assert_eq!((document.state().lenses.len(), document.state().selected), (2, 1), "the deleted lens, not a setting");
    assert_eq!(document.settings().glass.half_width, 70.0);
    document.adapt(|state| state.selected = 0);
    document.undo();
    assert_eq!((half_width(&document, 1), half_width(&document, 0)), (50.0, 190.0));
    document.undo();
    assert_eq!(seen(&document), one);
}

#[test]
fn changes_by_time_and_window_are_no_steps_and_are_kept() {
    let mut document = document();
    set(&mut document, "glass", "frost", "5");
    document.adapt(|state| state.drifted_s = 12.0);
    document.adapt(|state| state.lenses[0].center = vec2(333.0, 222.0));
    document.undo();
    let state = document.state();
    assert_eq!((state.shown().glass.frost, state.drifted_s), (0.5, 12.0));
    assert_eq!(state.lenses[0].center, vec2(333.0, 222.0));
    document.edit(Edit::Once, |state| {
        state.lenses[0].center = vec2(300.0, 200.0);
        state.reset_camera();
    });
    document.adapt(|state| state.drifted_s = 1.0);
    document.undo();
    assert_eq!((document.state().drifted_s, document.state().lenses[0].center), (12.0, vec2(333.0, 222.0)));
    document.redo();
    assert_eq!((document.state().drifted_s, document.state().lenses[0].center), (1.0, vec2(300.0, 200.0)));
}

#[test]
fn lenses_keep_their_size_on_another_display_after_an_undo() {
    let mut document = document();
    resize(&mut document, 2.0);
    document.set_scale(2.0);
    assert_eq!(document.state().lenses[0].half(2.0).x, 760.0);
    document.undo();
    assert_eq!(document.state().lenses[0].half(2.0).x, 380.0);
    assert_eq!(document.settings().glass.half_width, 190.0);
}

#[test]
fn a_style_comes_back_with_all_that_it_set() {
    let mut document = document();
    set(&mut document, "glass", "bevel_width", "33");
    let start = seen(&document);
    set(&mut document, "glass", "preset", "\"pill\"");
    assert_eq!((document.settings().glass.bevel_height, document.state().lenses[0].outline.half_height), (34.0, 55.0));
    document.undo();
    assert_eq!(seen(&document), start);
}

#[test]
fn files_come_back_and_the_history_keeps_few_of_them() {
    let mut document = document();
    let picture = |side| FlatPicture::Display(Arc::new(Picture::from_fn([side, 1], |_, _| [0; 4])));
    let names = |document: &Document| document.state().files.names().picture;
    for side in 1..10_u32 {
        document.edit(Edit::Once, |state| state.files.picture = Some((side.to_string(), picture(side))));
    }
    assert!(document.hidden_files() <= FILES_MAX);
    document.undo();
    assert_eq!(names(&document).as_deref(), Some("8"));
    let motif = document.settings().scene.motif;
    let other = *scene::picture::Motif::ALL.iter().find(|other| **other != motif).unwrap();
    set(&mut document, "scene", "motif", other.name());
    assert_eq!((names(&document), document.settings().scene.motif), (None, other), "another picture closes a file");
    document.undo();
    assert_eq!((names(&document).as_deref(), document.settings().scene.motif), (Some("8"), motif));
}

#[test]
fn a_lens_outside_the_ranges_of_the_settings_keeps_its_shape() {
    let mut document = document();
    let narrow = document.state().lenses[0].sized(vec2(5.0, 1500.0));
    document.edit(Edit::Drag, |state| state.lenses[0] = narrow);
    assert_eq!(document.settings().glass.outline().half(), vec2(8.0, 1500.0));
    set(&mut document, "glass", "frost", "5");
    assert_eq!(document.state().lenses[0].outline, narrow.outline);
}

#[test]
fn the_box_of_a_typed_path_is_that_of_its_outline() {
    let mut document = document();
    set(&mut document, "glass", "path", "\"M0 0 L4 0 4 1 0 1 Z\"");
    let half = document.state().lenses[0].outline.half();
    assert!(
        (half.x / half.y - 4.0).abs() < 0.01 && (half.element_product() / (190.0 * 120.0) - 1.0).abs() < 0.01,
        "{half}"
    );
}

#[test]
fn a_preset_of_b_goes_with_it() {
    let mut document = document();
    let name = |document: &Document| document.active_preset().map(|(name, _)| name.to_owned());
    let before = name(&document);
    document.edit_both(Edit::Once, |state| (state.b, state.edits_b) = (Some(Arc::new(state.as_b())), true));
    assert!(!document.state().has_other_b());
    let loaded = LoadedPreset { name: "of b".into(), glass: document.edited().shown().glass };
    document.edit(Edit::Once, |state| {
        state.origin.preset = Some(loaded);
        state.lenses[0].glass = GlassSettings { frost: 6.0, ..GlassSettings::default() }.lens_glass();
    });
    assert_eq!(name(&document).as_deref(), Some("of b"));
    for edits_b in [false, true] {
        document.edit_b(edits_b);
        assert_eq!(name(&document), if edits_b { Some("of b".to_owned()) } else { before.clone() });
    }
    assert!(document.state().has_other_b());
    document.edit_both(Edit::Once, |state| state.b = None);
    assert_eq!(name(&document), before);
}

#[test]
fn the_loaded_preset_is_known_and_whether_it_was_changed() {
    let glass = GlassSettings { half_width: 190.1, angle: 12.3, ..GlassSettings::default() };
    let preset = LoadedPreset { name: "mine".into(), glass: glass.clone() };
    assert_eq!(preset.active(&glass), ("mine", true));
    let shown = GlassSettings::default().of_lens(&glass.placed(vec2(7.0, 9.0)));
    assert_eq!(preset.active(&shown), ("mine", true), "as a lens has it");
    for changed in [GlassSettings { frost: 3.0, ..glass.clone() }, GlassSettings { angle: 13.0, ..glass }] {
        assert_eq!(preset.active(&changed), ("mine", false));
    }
}

#[test]
fn each_edit_undo_and_redo_has_a_revision() {
    let mut document = document();
    let mut seen = vec![document.revision()];
    document.edit(Edit::Once, |state| state.lenses[0].glass.frost = 5.0);
    seen.push(document.revision());
    document.undo();
    seen.push(document.revision());
    document.redo();
    seen.push(document.revision());
    assert!(seen.windows(2).all(|two| two[0] != two[1]), "{seen:?}");
    let before = document.revision();
    document.edit(Edit::Once, |_| ());
    assert!(document.redo().is_none());
    assert_eq!(document.revision(), before, "nothing changed");
}

mod glass_of_lenses {
    use super::*;

    fn document() -> Document {
        let settings = Settings::default();
        let lenses = [300.0, 500.0].map(|x| settings.glass.placed(vec2(x, 200.0))).into();
        Document::new(DocumentState { settings, lenses, selected: 1, ..DocumentState::default() }, 1.0)
    }

    fn frost(document: &mut Document, value: f32) {
        set(document, "glass", "frost", &value.to_string());
    }

    fn select(document: &mut Document, index: usize) {
        document.adapt(|state| state.selected = index);
    }

    fn frosts(document: &Document) -> (Vec<f32>, f32) {
        (document.state().glasses().iter().map(|glass| glass.frost).collect(), document.settings().glass.frost)
    }

    #[test]
    fn the_panel_edits_the_selected_lens_and_undo_brings_its_glass_back() {
        let mut document = document();
        frost(&mut document, 9.0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 9.0));
        select(&mut document, 0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 0.5), "the panel shows the glass of the selected lens");
        frost(&mut document, 7.0);
        assert_eq!(frosts(&document), (vec![7.0, 9.0], 7.0));
        assert!(document.undo().is_some() && document.undo().is_some());
        assert!(frosts(&document).0 == [0.5, 0.5] && document.state().have_one_glass());
        assert!(document.redo().is_some());
        assert_eq!(frosts(&document).0, [0.5, 9.0]);
        select(&mut document, 1);
        document.edit(Edit::Once, DocumentState::share_glass);
        assert!(frosts(&document).0 == [9.0, 9.0] && document.state().have_one_glass());
        assert!(document.undo().is_some() && frosts(&document).0 == [0.5, 9.0]);
    }

    #[test]
    fn what_lenses_share_is_no_glass_of_one() {
        let mut document = document();
        set(&mut document, "glass", "melt", "10");
        assert!(document.state().have_one_glass() && document.settings().glass.melt == 10.0);
        let shared = GlassSettings { melt: 10.0, ..GlassSettings::default() };
        assert_eq!(document.state().settings.glass, shared);
        frost(&mut document, 9.0);
        select(&mut document, 0);
        assert_eq!(document.settings().glass.melt, 10.0);
        assert_eq!(document.state().settings.glass, shared, "the frost is the lens' own");
    }

    #[test]
    fn a_comparison_keeps_the_glass_of_each_lens() {
        let mut document = document();
        frost(&mut document, 9.0);
        let mut kept = document.state().as_b();
        frost(&mut document, 20.0);
        document.edit(Edit::Once, |state| state.take_side(kept.clone()));
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 9.0));
        kept.lay("glass", "frost = 3.0".parse().unwrap()).unwrap();
        assert_eq!(kept.glasses.iter().map(|glass| glass.frost).collect::<Vec<_>>(), [3.0, 3.0]);
        assert!(kept.lay("glass", "frost = -3.0".parse().unwrap()).is_err() && kept.settings.glass.frost == 3.0);
    }

    #[test]
    fn a_preset_of_several_lenses_is_as_loaded_whichever_is_selected() {
        let mut document = document();
        frost(&mut document, 9.0);
        let layout = document.layout(vec2(1000.0, 500.0));
        assert!(layout.is_some() && document.active_preset().is_none());
        document.adapt(|state| state.saved_as("two".into(), layout.clone(), state.stored_settings().glass));
        for index in [0, 1] {
            select(&mut document, index);
            assert_eq!(document.active_preset(), Some(("two", true)), "{index}");
        }
        frost(&mut document, 10.0);
        assert_eq!(document.active_preset(), Some(("two", false)));
    }

    #[test]
    fn stored_lenses_and_settings_are_the_same_document() {
        let (mut document, area) = (document(), vec2(1000.0, 500.0));
        frost(&mut document, 9.0);
        let (stored, layout) = (document.state().stored_settings(), document.layout(area).unwrap());
        assert_eq!(stored.glass.frost, 0.5);
        let text = crate::presets::text(&stored, Some(&layout)).unwrap();
        let mut table = base::settings::parse_table(&text).unwrap();
        let back = Layout::take(&mut table).unwrap().unwrap();
        let lenses = back.lenses(&stored.glass, area);
        assert_eq!(lenses.iter().map(|lens| lens.glass).collect::<Vec<_>>(), document.state().glasses());
    }
}
