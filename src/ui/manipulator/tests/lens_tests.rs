//! Tests of several lenses, rotation, touch and animation.

use super::hit_test::{fresh_place, turn_place};
use super::*;
use std::f32::consts::FRAC_PI_2;

#[test]
fn new_lenses_come_to_the_pointer_or_beside_the_selected_one() {
    let mut desk = Desk::of_one();
    assert_eq!(desk.key(Key::N), Some(LensEdit::Selected(1)));
    let beside = desk.lenses[1].center;
    assert!(
        (beside - vec(400.0, 300.0)).length() > 100.0 && desk.lenses[1].half(1.0) == desk.lenses[0].half(1.0),
        "{beside}"
    );
    desk.moved(900.0, 600.0);
    assert_eq!(desk.key(Key::N), Some(LensEdit::Selected(2)));
    assert_eq!(desk.lenses[2].center, vec(900.0, 600.0));
    for count in 4..=8 {
        desk.key(Key::N);
        assert_eq!(desk.lenses.len(), count);
    }
    let area = desk.area_px;
    assert!(desk.lenses.iter().all(|lens| lens.center.clamp(Vec2::ZERO, area) == lens.center));
    let apart = |a: &Lens, b: &Lens| a.center.distance(b.center) > 50.0;
    assert!((0..8).all(|i| (0..i).all(|j| apart(&desk.lenses[i], &desk.lenses[j]))), "none hides another");
    assert_eq!(desk.repeat(Key::Delete), None, "a held key removes one only");
    for count in (1..8).rev() {
        assert!(matches!(desk.key(Key::Delete), Some(LensEdit::Selected(index)) if index < count));
        assert_eq!(desk.lenses.len(), count);
    }
    assert_eq!(desk.key(Key::Delete), None, "the last one stays");
    assert_eq!(desk.key(Key::Tab), None, "there is no other");
    assert_eq!(desk.lenses, [lens_at(400.0, 300.0)], "the newest went first");
}

#[test]
fn new_lenses_are_seen_as_a_whole_where_there_is_room() {
    let first = lens_at(464.0, 360.0).sized(vec(190.0, 120.0));
    for angle in [0.0, 28.0] {
        let mut lenses = vec![first.turned(angle)];
        let area = vec(928.0, 720.0);
        for count in 1..=2 {
            let model = lenses[count - 1];
            let center = fresh_place(&lenses, &model, area, 1.0);
            lenses.push(Lens { center, ..model });
            let (sin, cos) = model.angle().sin_cos();
            let reach = vec(190.0 * cos + 120.0 * sin, 190.0 * sin + 120.0 * cos) - 0.01;
            assert!((center - reach).min_element() >= 0.0 && (area - center - reach).min_element() >= 0.0, "{center}");
            if angle == 0.0 {
                let overlaps = |lens: &Lens| ((center - lens.center).abs() / vec(379.0, 239.0)).max_element() < 1.0;
                assert!(!lenses[..count].iter().any(overlaps), "{center}");
            }
        }
    }
}

#[test]
fn the_last_selected_lens_is_on_top_and_keeps_its_index() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(460.0, 300.0)]);
    desk.press(320.0, 310.0);
    desk.release();
    assert_eq!(desk.selected(), 0);
    desk.press(430.0, 310.0);
    assert_eq!(desk.manipulator.dragged(), Some(0), "the lower one came up when it was taken");
    desk.release();
    assert_eq!(desk.key(Key::Tab), Some(LensEdit::Selected(1)));
    assert_eq!(desk.key(Key::Tab), Some(LensEdit::Selected(0)));
    desk.press(530.0, 310.0);
    assert_eq!(desk.key(Key::Delete), Some(LensEdit::Selected(0)), "even while it is held");
    assert_eq!((desk.manipulator.dragged(), desk.moved(600.0, 310.0)), (None, None));
    desk.alone = true;
    assert_eq!(desk.key(Key::N), None, "the source's glass is one");
    desk.lenses.push(lens_at(900.0, 300.0));
    desk.press(900.0, 310.0);
    assert_eq!(desk.manipulator.dragged(), None, "what is not seen is not taken");
}

#[test]
fn a_lens_turns_by_its_ring_by_ctrl_and_by_keys() {
    for ctrl in [false, true] {
        let mut desk = Desk::new(&[lens_at(600.0, 350.0)]);
        let ring = turn_place(&desk.lenses[0], 1.0);
        desk.hold(false, ctrl);
        let from = if ctrl { vec(600.0, 320.0) } else { ring };
        desk.press(from.x, from.y);
        assert_eq!(desk.lenses[0], lens_at(600.0, 350.0), "taking turns nothing");
        let reach = 350.0 - from.y;
        desk.moved(600.0 + reach, 350.0);
        assert!((desk.lenses[0].outline.angle - 90.0).abs() < 1e-3, "{}", desk.lenses[0].outline.angle);
        assert_eq!(desk.wheel(1.0), None);
        desk.moved(600.0 + 20.0, 350.0 - 53.0);
        desk.hold(true, ctrl);
        assert_eq!(desk.lenses[0].outline.angle, 15.0);
        desk.moved(600.0, 350.0);
        assert!(desk.lenses[0].outline.angle.is_finite());
        assert_eq!(desk.lenses[0].center, vec(600.0, 350.0));
        desk.key(Key::Escape);
        assert_eq!(desk.lenses[0], lens_at(600.0, 350.0));
    }
    let mut desk = Desk::new(&[lens_at(600.0, 350.0), lens_at(200.0, 350.0)]);
    let ring = turn_place(&desk.lenses[1], 1.0);
    desk.press(ring.x, ring.y);
    assert_eq!(desk.manipulator.dragged(), None, "only the selected lens has a ring");
    desk.key(Key::Turn(-1));
    desk.repeat(Key::Turn(15));
    assert_eq!(desk.lenses[0].outline.angle, 14.0);
    for _ in 0..29 {
        desk.key(Key::Turn(15));
    }
    assert_eq!(desk.lenses[0].outline.angle, 89.0);
    let turned = desk.lenses[0];
    for key in [Key::Turn(15), Key::Turn(-15)] {
        for _ in 0..12 {
            desk.key(key);
        }
    }
    assert_eq!(desk.lenses[0], turned, "as many turns back");
}

#[test]
fn two_fingers_move_size_and_turn_and_the_grabbed_point_stays_between_them() {
    let mut desk = Desk::of_one();
    desk.press(440.0, 300.0);
    desk.handle(InputEvent::Regripped(vec(420.0, 320.0)));
    assert_eq!(desk.lenses[0], lens_at(400.0, 300.0), "a second finger moves nothing");
    desk.moved(430.0, 320.0);
    assert_eq!(desk.handle(InputEvent::Spread { ratio: 2.0, turn: FRAC_PI_2 }), Some(LensEdit::Changed));
    // The point 20 px right of and below the centre, now twice as far and a quarter turned.
    assert!((desk.lenses[0].center - vec(470.0, 280.0)).length() < 1e-3, "{}", desk.lenses[0].center);
    assert!((desk.lenses[0].half(1.0) - vec(200.0, 120.0)).length() < 1e-3);
    assert_eq!(desk.handle(InputEvent::Spread { ratio: 0.0, turn: 0.0 }), None);
    assert_eq!(desk.handle(InputEvent::Spread { ratio: f32::NAN, turn: 0.0 }), None);
    desk.handle(InputEvent::Regripped(vec(500.0, 320.0)));
    desk.moved(510.0, 320.0);
    assert!((desk.lenses[0].center - vec(480.0, 280.0)).length() < 1e-3, "the finger left goes on");
    desk.key(Key::Escape);
    assert_eq!(desk.lenses[0], lens_at(400.0, 300.0));
}

#[test]
fn a_dragged_lens_swells_is_thrown_and_rests_while_it_is_tested_where_it_is() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(1000.0, 600.0)]);
    desk.feel = Feel { squash: 0.2, press: 0.03, inertia: true, rubber_band: true, appears: true };
    let pass = |desk: &mut Desk| desk.with_context(|manipulator, context| manipulator.advance(1.0 / 60.0, context));
    let drawn =
        |desk: &mut Desk| desk.with_context(|manipulator, context| manipulator.drawn(context.lenses, &context.feel));
    assert!(!pass(&mut desk), "at rest");
    desk.press(400.0, 300.0);
    for frame in 1..=10 {
        desk.moved(400.0 + 20.0 * frame as f32, 300.0);
        assert!(pass(&mut desk));
        assert_eq!(desk.lenses[0].center, vec(400.0 + 20.0 * frame as f32, 300.0), "no lag");
    }
    let shown = drawn(&mut desk);
    assert!(shown[0].strain.x > 0.05 && shown[0].half(1.0).x > 100.0, "{shown:?}");
    assert_eq!(shown[1], lens_at(1000.0, 600.0));
    assert_eq!(desk.lenses[0].strain, Vec2::ZERO, "only drawn");
    desk.release();
    let moves = (0..200).take_while(|_| pass(&mut desk)).count();
    assert!((10..150).contains(&moves), "{moves} frames");
    assert!(desk.lenses[0].center.x > 700.0, "{}", desk.lenses[0].center);
    assert_eq!(drawn(&mut desk), desk.lenses);
    // Over the border it yields and comes back; a drag cancelled by Esc does not.
    desk.press(1000.0, 600.0);
    desk.moved(1000.0, 900.0);
    assert!((720.0..800.0).contains(&desk.lenses[1].center.y), "{}", desk.lenses[1].center);
    let held = desk.lenses[1].center;
    desk.handle(InputEvent::FocusLost);
    assert_eq!(desk.lenses[1].center, held);
    while pass(&mut desk) {}
    assert_eq!(desk.lenses[1].center.y, 720.0);
    desk.press(1000.0, 700.0);
    desk.moved(1500.0, 700.0);
    desk.key(Key::Escape);
    while pass(&mut desk) {}
    assert_eq!(desk.lenses[1].center, vec(1000.0, 720.0));
}

/// A wheel of high resolution reports a notch in 120 parts.
#[test]
fn parts_of_a_notch_add_up_to_it() {
    let [mut whole, mut parts] = [(); 2].map(|()| Desk::of_one());
    whole.wheel(1.0);
    for _ in 0..120 {
        assert_eq!(parts.wheel(1.0 / 120.0), Some(LensEdit::Changed), "each part is seen");
    }
    let [whole, parts] = [whole, parts].map(|desk| desk.lenses[0].half(1.0));
    assert!((whole - parts).length() < 0.01 && whole.x > 105.0, "{whole} {parts}");
}

#[test]
fn a_lens_is_put_elsewhere_and_selected() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(900.0, 300.0)]);
    desk.press(400.0, 310.0);
    let new = lens_at(2000.0, 100.0).sized(vec(50.0, 60.0)).turned(17.0);
    let changed = desk.with_context(|manipulator, context| manipulator.put(1, new, context));
    assert_eq!(changed, Some(LensEdit::Changed));
    assert_eq!((desk.lenses[1], desk.selected()), (Lens { center: vec(1280.0, 100.0), ..new }, 1), "within the window");
    assert_eq!(desk.manipulator.dragged(), Some(0), "a drag of another goes on");
    desk.with_context(|manipulator, context| manipulator.put(0, new, context));
    assert_eq!((desk.manipulator.dragged(), desk.moved(600.0, 310.0)), (None, None), "its own ends");
    assert_eq!(
        desk.with_context(|manipulator, context| manipulator.put(7, new, context)),
        None,
        "there is no such lens"
    );
    desk.with_context(|manipulator, context| manipulator.select(1, context));
    assert_eq!(desk.selected(), 1);
}

#[test]
fn page_keys_change_the_order_of_the_lenses() {
    let mut desk = Desk::new(&[lens_at(400.0, 300.0), lens_at(450.0, 300.0), lens_at(500.0, 300.0)]);
    assert_eq!(desk.key(Key::PageDown), None, "the first is at the bottom");
    assert_eq!(desk.key(Key::PageUp), Some(LensEdit::Selected(1)));
    assert_eq!(desk.lenses.iter().map(|lens| lens.center.x).collect::<Vec<_>>(), [450.0, 400.0, 500.0]);
    assert_eq!((desk.key(Key::PageUp), desk.key(Key::PageUp)), (Some(LensEdit::Selected(2)), None));
    assert_eq!(desk.key(Key::PageDown), Some(LensEdit::Selected(1)));
}
