//! Tests of the manipulator under ordered and disordered events.

mod lens_tests;

use super::hit_test::{HALF, Handle};
use super::*;
use base::settings::ShortText;
use scene::{LensOutline, Shape};

fn vec(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

fn lens_at(x: f32, y: f32) -> Lens {
    let outline = LensOutline { exponent: 4.5, ..Lens::default().outline }.sized(vec(100.0, 60.0));
    Lens { center: vec(x, y), outline, ..Lens::default() }
}

/// Distance to the box of the half extents: near enough to the outline for these tests.
fn to_box(lens: &Lens, at: Vec2) -> f32 {
    let away = Vec2::from_angle(-lens.angle()).rotate(at - lens.center).abs() - lens.half(1.0);
    away.max(Vec2::ZERO).length() + away.max_element().min(0.0)
}

struct Desk {
    manipulator: Manipulator,
    lenses: Vec<Lens>,
    area_px: Vec2,
    feel: Feel,
    alone: bool,
    hidden_from_px: f32,
}

impl Desk {
    fn new(lenses: &[Lens]) -> Self {
        Self {
            manipulator: Manipulator::default(),
            lenses: lenses.to_vec(),
            area_px: vec(1280.0, 720.0),
            feel: Feel::STILL,
            alone: false,
            hidden_from_px: f32::INFINITY,
        }
    }

    fn of_one() -> Self {
        Self::new(&[lens_at(400.0, 300.0)])
    }

    fn with_context<T>(&mut self, work: impl FnOnce(&mut Manipulator, &mut ManipulatorContext<'_>) -> T) -> T {
        let Self { manipulator, lenses, area_px, feel, alone, hidden_from_px } = self;
        let (area_px, feel, alone, hidden_from_px) = (*area_px, *feel, *alone, *hidden_from_px);
        let (scale, distance, over_panel, free_px) = (1.0, &to_box, false, area_px);
        let mut context =
            ManipulatorContext { lenses, area_px, free_px, scale, distance, feel, alone, over_panel, hidden_from_px };
        work(manipulator, &mut context)
    }

    fn selected(&mut self) -> usize {
        self.with_context(|manipulator, context| manipulator.selected(context))
    }

    fn handle(&mut self, event: InputEvent) -> Option<LensEdit> {
        self.with_context(|manipulator, context| manipulator.handle(event, context))
    }

    fn moved(&mut self, x: f32, y: f32) -> Option<LensEdit> {
        self.handle(InputEvent::Moved(vec(x, y)))
    }

    fn press(&mut self, x: f32, y: f32) {
        self.moved(x, y);
        self.handle(InputEvent::Pressed(Button::Primary));
    }

    fn release(&mut self) {
        self.handle(InputEvent::Released(Button::Primary));
    }

    fn key(&mut self, key: Key) -> Option<LensEdit> {
        self.handle(InputEvent::Key { key, repeat: false })
    }

    fn repeat(&mut self, key: Key) -> Option<LensEdit> {
        self.handle(InputEvent::Key { key, repeat: true })
    }

    fn wheel(&mut self, notches: f32) -> Option<LensEdit> {
        self.handle(InputEvent::Wheel(notches))
    }

    fn hold(&mut self, shift: bool, ctrl: bool) {
        self.handle(InputEvent::Modifiers { shift, ctrl });
    }

    fn cursor(&mut self, over_panel: bool) -> Option<CursorIcon> {
        self.with_context(|manipulator, context| manipulator.cursor(context, over_panel))
    }
}

#[test]
fn a_lens_follows_one_to_one_and_never_jumps() {
    let mut desk = Desk::of_one();
    desk.press(430.0, 290.0);
    assert_eq!(desk.lenses[0].center, vec(400.0, 300.0), "taking moves nothing");
    assert_eq!(desk.moved(431.0, 292.0), Some(LensEdit::Changed));
    assert_eq!(desk.lenses[0].center, vec(401.0, 302.0));
    assert_eq!(desk.moved(431.0, 292.0), None, "the same place is no change");
    desk.moved(530.0, 390.0);
    assert_eq!(desk.lenses[0].center, vec(500.0, 400.0));
    desk.release();
    assert_eq!(desk.moved(100.0, 100.0), None);
    assert_eq!(desk.lenses[0].center, vec(500.0, 400.0));
}

#[test]
fn empty_places_take_nothing() {
    let mut desk = Desk::of_one();
    desk.press(600.0, 300.0);
    assert_eq!(desk.moved(400.0, 300.0), None, "dragging over a lens does not take it");
    assert_eq!(desk.manipulator.dragged(), None);
    let mut nothing = Desk::new(&[]);
    nothing.press(5.0, 5.0);
    for key in [Key::Move([-1, 0]), Key::Tab, Key::Escape] {
        assert_eq!(nothing.key(key), None);
    }
    assert_eq!(nothing.wheel(1.0), None);
}

#[test]
fn the_topmost_lens_is_taken_and_a_little_slop_helps() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(450.0, 300.0)]);
    desk.press(425.0, 300.0);
    assert_eq!(desk.manipulator.dragged(), Some(1));
    desk.release();
    desk.press(320.0, 310.0);
    assert_eq!(desk.manipulator.dragged(), Some(0));
    desk.release();
    desk.press(516.0, 363.0);
    assert_eq!(desk.manipulator.dragged(), Some(1), "3 px outside");
    desk.release();
    desk.press(516.0, 366.0);
    assert_eq!(desk.manipulator.dragged(), None, "6 px outside");
}

#[test]
fn other_buttons_neither_take_nor_let_go() {
    let mut desk = Desk::of_one();
    desk.moved(400.0, 300.0);
    desk.handle(InputEvent::Pressed(Button::Other));
    assert_eq!(desk.moved(500.0, 300.0), None);
    desk.moved(400.0, 300.0);
    desk.handle(InputEvent::Pressed(Button::Primary));
    desk.handle(InputEvent::Pressed(Button::Other));
    desk.handle(InputEvent::Released(Button::Other));
    desk.moved(410.0, 300.0);
    assert_eq!(desk.lenses[0].center, vec(410.0, 300.0), "still held");
}

#[test]
fn a_press_without_the_release_before_it_ends_the_drag_first() {
    let mut desk = Desk::new(&[lens_at(0.0, 300.0)]);
    desk.press(10.0, 300.0);
    desk.moved(110.0, 300.0);
    desk.handle(InputEvent::Pressed(Button::Primary));
    desk.moved(111.0, 300.0);
    assert_eq!(desk.lenses[0].center, vec(101.0, 300.0));
}

#[test]
fn losing_focus_ends_the_drag_where_it_is_and_forgets_modifiers() {
    let mut desk = Desk::of_one();
    desk.press(400.0, 300.0);
    desk.hold(true, true);
    desk.moved(450.0, 300.0);
    desk.handle(InputEvent::FocusLost);
    desk.moved(700.0, 300.0);
    assert_eq!(desk.lenses[0].center, vec(450.0, 300.0));
    desk.release();
    assert_eq!(desk.wheel(1.0), Some(LensEdit::Changed), "Ctrl was let go elsewhere");
}

#[test]
fn a_cancelled_drag_restores_no_centre_outside_of_a_smaller_window() {
    let mut desk = Desk::new(&[lens_at(300.0, 200.0)]);
    desk.press(300.0, 200.0);
    desk.moved(20.0, 20.0);
    desk.area_px = vec(100.0, 100.0);
    desk.key(Key::Escape);
    assert_eq!(desk.lenses[0].center, vec(100.0, 100.0));
}

#[test]
fn no_lens_that_a_view_hides_takes_the_pointer() {
    let mut desk = Desk::of_one();
    desk.hidden_from_px = 420.0;
    desk.press(450.0, 300.0);
    assert_eq!((desk.manipulator.dragged(), desk.cursor(false)), (None, Some(CursorIcon::Default)));
    assert_eq!(desk.wheel(1.0), None);
    assert_eq!(desk.with_context(|manipulator, context| manipulator.near(context)), None);
    desk.handle(InputEvent::Pressed(Button::Secondary));
    assert_eq!(desk.handle(InputEvent::Released(Button::Secondary)), None);
    desk.release();
    desk.press(410.0, 300.0);
    desk.moved(600.0, 300.0);
    assert_eq!((desk.manipulator.dragged(), desk.lenses[0].center.x), (Some(0), 590.0), "one that is held goes on");
    desk.release();
    desk.hidden_from_px = 0.0;
    desk.press(590.0, 300.0);
    assert_eq!(desk.manipulator.dragged(), None, "a view that fills the window");
}

#[test]
fn a_click_of_the_secondary_button_asks_for_the_menu_and_a_drag_does_not() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(800.0, 300.0)]);
    let click = |desk: &mut Desk, from: f32, to: f32| {
        desk.moved(from, 300.0);
        assert_eq!(desk.handle(InputEvent::Pressed(Button::Secondary)), None);
        desk.moved(to, 300.0);
        desk.handle(InputEvent::Released(Button::Secondary))
    };
    assert_eq!(click(&mut desk, 800.0, 802.0), Some(LensEdit::Menu));
    assert_eq!(desk.selected(), 1);
    assert_eq!(click(&mut desk, 400.0, 450.0), None, "that pans the camera");
    assert_eq!(click(&mut desk, 600.0, 600.0), None, "beside the lenses");
    assert_eq!(desk.selected(), 1);
}

#[test]
fn a_sign_beside_the_selected_lens_adds_one() {
    let mut desk = Desk::of_one();
    desk.moved(528.0, 300.0);
    assert_eq!(desk.cursor(false), Some(CursorIcon::PointingHand));
    assert_eq!(desk.handle(InputEvent::Pressed(Button::Primary)), Some(LensEdit::Selected(1)));
    assert_eq!((desk.lenses.len(), desk.selected(), desk.manipulator.dragged()), (2, 1, None));
    assert!(desk.lenses[1].center.distance(vec(400.0, 300.0)) > 100.0, "beside it, not at the pointer");
    desk.release();
    let mut desk = Desk::new(&[lens_at(1190.0, 300.0)]);
    desk.moved(1062.0, 300.0);
    assert_eq!(desk.cursor(false), Some(CursorIcon::PointingHand));
    desk.alone = true;
    assert_eq!(desk.cursor(false), Some(CursorIcon::Default));
    let mut desk = Desk::new(&[lens_at(400.0, 300.0); MOST_LENSES]);
    desk.moved(528.0, 300.0);
    assert_eq!(desk.cursor(false), Some(CursorIcon::Default), "no more than these");
}

#[test]
fn the_wheel_resizes_around_the_centre_keeping_the_ratio() {
    let mut desk = Desk::of_one();
    desk.moved(420.0, 300.0);
    assert_eq!(desk.wheel(1.0), Some(LensEdit::Changed));
    assert!((desk.lenses[0].half(1.0) - vec(110.0, 66.0)).length() < 1e-3);
    assert_eq!(desk.lenses[0].center, vec(400.0, 300.0));
    for _ in 0..100 {
        desk.wheel(-1000.0);
    }
    let [low, high] = HALF;
    assert!((desk.lenses[0].half(1.0) - vec(low * 100.0 / 60.0, low)).length() < 1e-2, "{}", desk.lenses[0].half(1.0));
    for _ in 0..100 {
        desk.wheel(1000.0);
    }
    assert!((desk.lenses[0].half(1.0) - vec(high, high * 0.6)).length() < 1.0, "{}", desk.lenses[0].half(1.0));
    assert_eq!(desk.wheel(f32::NAN), None);
}

#[test]
fn control_and_wheel_frost_instead() {
    let mut desk = Desk::of_one();
    desk.hold(false, true);
    assert_eq!(desk.wheel(2.0), Some(LensEdit::Changed));
    let frost = frosted(Lens::default().glass.frost, 2.0);
    let plain = lens_at(400.0, 300.0);
    assert_eq!(desk.lenses, [Lens { glass: LensGlass { frost, ..plain.glass }, ..plain }]);
    assert!(frosted(0.0, 1.0) > 0.0, "a clear lens can be frosted");
    assert_eq!(frosted(0.1, -20.0), 0.0);
    assert_eq!(desk.wheel(1000.0).and(desk.wheel(1000.0)), desk.wheel(1000.0), "at most");
    assert!((frosted(frosted(7.0, 3.0), -3.0) - 7.0).abs() < 1e-3);
}

#[test]
fn handles_follow_the_pointer_and_leave_the_opposite_side() {
    // Wide, tall, and so nearly round that a drag makes the longer side the shorter one.
    let plain = lens_at(600.0, 350.0);
    let of = |outline| Lens { outline, ..plain };
    let capsule = |half, exponent| LensOutline { shape: Shape::Capsule, exponent, ..plain.outline }.sized(half);
    let capsules = [(vec(100.0, 60.0), 2.0), (vec(60.0, 100.0), 2.0), (vec(61.0, 60.0), 2.0), (vec(100.0, 60.0), 6.0)];
    let tile = LensOutline { shape: Shape::Rounded, radius: 21.0, exponent: 2.0, ..plain.outline };
    let words = LensOutline { text: ShortText::from("Aa"), ..capsule(vec(100.0, 60.0), 2.0) };
    let others = [plain.outline, tile, LensOutline { radius: 500.0, ..tile }, words];
    let shapes = capsules.map(|(half, exponent)| capsule(half, exponent)).into_iter().chain(others).map(of);
    for (lens, turned) in shapes.flat_map(|lens| [0.0, 23.0, -115.0].map(|turned| (lens, turned))) {
        for handle in Handle::ALL {
            let before = lens.turned(turned);
            let mut desk = Desk::new(std::slice::from_ref(&before));
            let (from, moved) = (handle.place(&before, 1.0), vec(7.0, -5.0));
            desk.press(from.x, from.y);
            desk.moved(from.x + moved.x, from.y + moved.y);
            let after = &desk.lenses[0];
            let local = |lens: &Lens, p: Vec2| Vec2::from_angle(-lens.angle()).rotate(p - before.center);
            let wanted = local(&before, from + moved);
            let now = local(after, handle.place(after, 1.0));
            let start = local(&before, from);
            for axis in 0..2 {
                let pulls = start[axis].abs() > 1.0;
                let target = if pulls { wanted[axis] } else { start[axis] };
                assert!((now[axis] - target).abs() < 1e-2, "{handle:?} {turned} {lens:?}: {now} against {wanted}");
                if pulls {
                    let side = start[axis].signum();
                    let far = |lens: &Lens| local(lens, lens.center)[axis] - side * lens.half(1.0)[axis];
                    assert!((far(after) - far(&before)).abs() < 1e-2, "{handle:?} {turned}");
                } else {
                    assert_eq!(after.half(1.0)[axis], before.half(1.0)[axis]);
                }
            }
        }
    }
}

#[test]
fn shift_keeps_the_aspect_and_may_come_and_go_during_the_pull() {
    for handle in Handle::ALL {
        let before = lens_at(600.0, 350.0);
        let mut desk = Desk::new(std::slice::from_ref(&before));
        let from = handle.place(&before, 1.0);
        desk.press(from.x, from.y);
        desk.moved(from.x + 30.0, from.y + 11.0);
        let free = desk.lenses[0];
        desk.hold(true, false);
        let kept = desk.lenses[0].half(1.0);
        assert!((kept.x / kept.y - 100.0 / 60.0).abs() < 1e-4, "{handle:?}: {kept}");
        desk.hold(false, false);
        assert_eq!(desk.lenses[0], free, "{handle:?}");
        for far in [-1e6, 1e6] {
            desk.moved(far, far);
            let half = desk.lenses[0].half(1.0);
            assert!(half.min_element() >= HALF[0] && half.max_element() <= HALF[1], "{handle:?}: {half}");
        }
        desk.key(Key::Escape);
        assert_eq!(desk.lenses[0], before);
    }
}

#[test]
fn handles_ignore_the_wheel_and_small_lenses_can_still_be_moved() {
    let mut desk = Desk::of_one();
    desk.press(500.0, 300.0);
    assert_eq!(desk.wheel(1.0), None);
    let small = lens_at(400.0, 300.0).sized(vec(8.0, 8.0));
    let mut desk = Desk::new(&[small]);
    desk.press(400.0, 300.0);
    desk.moved(410.0, 300.0);
    assert_eq!(desk.lenses[0].center, vec(410.0, 300.0));
    assert_eq!(desk.lenses[0].half(1.0), vec(8.0, 8.0));
}

#[test]
fn cursors_say_what_a_press_would_do() {
    let mut desk = Desk::of_one();
    assert_eq!(desk.cursor(false), Some(CursorIcon::Default), "no pointer yet");
    desk.moved(400.0, 300.0);
    assert_eq!(desk.cursor(false), Some(CursorIcon::Grab));
    assert_eq!(desk.cursor(true), None, "the panels win");
    desk.handle(InputEvent::Pressed(Button::Primary));
    assert_eq!(desk.cursor(false), Some(CursorIcon::Grabbing));
    assert_eq!(desk.cursor(true), Some(CursorIcon::Grabbing), "a held lens passes below panels");
    desk.release();
    let corner = (-1.0_f32 / 4.5).exp2();
    let places = [
        (vec(100.0, 0.0), CursorIcon::ResizeHorizontal),
        (vec(0.0, -60.0), CursorIcon::ResizeVertical),
        (vec(100.0, 60.0) * corner, CursorIcon::ResizeNwSe),
        (vec(-100.0, -60.0) * corner, CursorIcon::ResizeNwSe),
        (vec(100.0, -60.0) * corner, CursorIcon::ResizeNeSw),
        (vec(300.0, 0.0), CursorIcon::Default),
    ];
    for (from_center, shape) in places {
        let at = vec(400.0, 300.0) + from_center;
        desk.moved(at.x, at.y);
        assert_eq!(desk.cursor(false), Some(shape), "{from_center}");
    }
    desk.lenses[0].outline.angle = 90.0;
    desk.moved(400.0, 400.0);
    assert_eq!(desk.cursor(false), Some(CursorIcon::ResizeVertical), "a lens turned by a quarter");
}

#[test]
fn a_reset_is_asked_for_once_and_lets_go() {
    let mut desk = Desk::of_one();
    assert_eq!((desk.repeat(Key::R), desk.key(Key::R)), (None, Some(LensEdit::Reset)));
    desk.press(400.0, 300.0);
    desk.key(Key::R);
    assert_eq!(desk.moved(500.0, 300.0), None);
}

#[test]
fn nonsense_is_survived() {
    let mut desk = Desk::of_one();
    desk.handle(InputEvent::Pressed(Button::Primary));
    desk.release();
    desk.release();
    desk.press(400.0, 300.0);
    assert_eq!(desk.handle(InputEvent::Moved(vec(f32::NAN, 3.0))), None);
    desk.lenses.clear();
    assert_eq!(desk.moved(410.0, 300.0), None, "the lens was removed while held");
    assert_eq!(desk.manipulator.dragged(), None);
    desk.key(Key::Escape);
    assert_eq!(desk.cursor(false), Some(CursorIcon::Default));
}
