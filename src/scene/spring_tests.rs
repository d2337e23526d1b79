//! Tests of the animation at every frame rate, and of its end.

use super::*;

const FEEL: Feel = Feel { squash: 0.2, press: 0.03, inertia: true, rubber_band: true, appears: true };
const GROUND: Ground = Ground { area_px: Vec2::new(1280.0, 720.0), scale: 1.0 };

fn lens() -> Lens {
    Lens { center: Vec2::new(400.0, 300.0), ..Lens::default() }.sized(Vec2::new(190.0, 120.0))
}

/// The lens at 30 moments a second: shaken for a second along `way`, then thrown.
fn film(rate: u32, path: impl Fn(f32) -> Vec2) -> Vec<(Vec2, Lens)> {
    let (mut motion, mut center) = (Motion::default(), path(0.0));
    motion.grab(center);
    let mut seen = Vec::new();
    for frame in 1..=3 * rate {
        let now = frame as f32 / rate as f32;
        if frame <= rate {
            center = path(now);
        }
        center = motion.advance(1.0 / rate as f32, center, &FEEL, &GROUND);
        if frame == rate {
            motion.throw(center, &FEEL, &GROUND);
        }
        if frame % (rate / 30) == 0 {
            seen.push((center, motion.drawn(&lens(), &FEEL)));
        }
    }
    assert!(!motion.is_moving(&FEEL, &GROUND), "at {rate} Hz it never rests");
    seen
}

fn paths() -> [fn(f32) -> Vec2; 3] {
    [
        |t| Vec2::new(300.0 + 250.0 * (4.0 * t).sin(), 300.0 + 150.0 * (3.0 * t).cos()),
        |t| Vec2::new(300.0 + 900.0 * t * t, 300.0),
        |t| Vec2::new(640.0 - 600.0 * t * t, 360.0 - 340.0 * t * t),
    ]
}

#[test]
fn frames_at_30_and_240_hz_see_the_same() {
    for (number, path) in paths().into_iter().enumerate() {
        let (slow, fast) = (film(30, path), film(240, path));
        for (frame, ((a, one), (b, other))) in slow.iter().zip(&fast).enumerate() {
            let say = format!("way {number}, frame {frame}");
            // The pointer is sampled 30 or 240 times a second: the results may differ by that, a fraction of the largest strain of 0.18.
            assert!((one.strain - other.strain).length() < 0.009, "{say}: {} against {}", one.strain, other.strain);
            assert!(
                (one.half(1.0) - other.half(1.0)).abs().max_element() < 0.05,
                "{say}: {} against {}",
                one.half(1.0),
                other.half(1.0)
            );
            assert!((*a - *b).length() < 25.0, "{say}: {a} against {b}");
        }
        assert_eq!((slow[89].1, fast[89].1), (lens(), lens()), "at rest nothing is left");
    }
}

#[test]
fn a_fast_lens_stretches_along_its_way_and_swings_when_it_stops() {
    for direction in [0.0, 0.6, 2.4] {
        let path = Vec2::from_angle(direction);
        let (mut motion, mut center) = (Motion::default(), Vec2::new(640.0, 360.0));
        motion.grab(center);
        for _ in 0..30 {
            center += path * 1600.0 / 60.0;
            motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
        }
        let drawn = motion.drawn(&lens(), &FEEL);
        let along = (drawn.stretch() * path).dot(path);
        assert!((along - (1.0 + 0.2 * 1.0_f32.tanh())).abs() < 0.004, "{along}");
        assert!((drawn.stretch().determinant() - 1.0).abs() < 1e-5);
        assert!((drawn.half(1.0).x / 190.0 - 1.03).abs() < 1e-3);
        let least = (0..40)
            .map(|_| {
                motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
                (motion.drawn(&lens(), &FEEL).stretch() * path).dot(path)
            })
            .fold(f32::MAX, f32::min);
        assert!((0.95..0.99).contains(&least), "it swings to the other side once: {least}");
    }
}

#[test]
fn held_still_or_let_go_it_soon_rests_exactly() {
    let mut motion = Motion::default();
    let mut center = lens().center;
    assert!(!motion.is_moving(&FEEL, &GROUND));
    motion.grab(center);
    assert!(motion.is_moving(&FEEL, &GROUND), "it swells");
    let mut rest = |motion: &mut Motion| {
        let frames = (1..200).find(|_| {
            center = motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
            !motion.is_moving(&FEEL, &GROUND)
        });
        assert!(frames.is_some_and(|frames| frames < 60), "{frames:?} frames");
    };
    rest(&mut motion);
    assert_eq!(motion.drawn(&lens(), &FEEL).half(1.0), lens().half(1.0) * 1.03);
    motion.throw(lens().center, &FEEL, &GROUND);
    rest(&mut motion);
    assert_eq!(motion, Motion::default());
}

#[test]
fn a_thrown_lens_glides_and_ends_inside() {
    for (from, velocity) in [
        (Vec2::new(200.0, 300.0), Vec2::new(900.0, 0.0)),
        (Vec2::new(1200.0, 700.0), Vec2::new(4000.0, 3000.0)),
        (Vec2::new(-80.0, 790.0), Vec2::ZERO),
    ] {
        for feel in [FEEL, Feel { rubber_band: false, ..FEEL }] {
            let mut motion = Motion { velocity, ..Default::default() };
            let start = if feel.rubber_band { from } else { GROUND.inside(from) };
            let mut center = start;
            motion.throw(center, &feel, &GROUND);
            let mut over = 0.0_f32;
            for _ in 0..240 {
                center = motion.advance(1.0 / 60.0, center, &feel, &GROUND);
                over = over.max((center - GROUND.inside(center)).length());
            }
            assert!(!motion.is_moving(&feel, &GROUND));
            assert_eq!(center, GROUND.inside(center));
            assert!(feel.rubber_band || over == 0.0);
            assert!(over < 200.0, "{over}");
            if velocity.x == 900.0 {
                assert!((center.x - 200.0 - 900.0 / FRICTION).abs() < 3.0, "{center}");
            }
        }
    }
    let mut slow = Motion { velocity: Vec2::new(100.0, 0.0), ..Default::default() };
    slow.throw(lens().center, &FEEL, &GROUND);
    assert_eq!(slow.grip, Grip::Free, "too slow to glide");
}

#[test]
fn the_band_gives_less_and_less_and_can_be_taken_up_again() {
    let mut last = 0.0;
    for target in [10.0, 50.0, 200.0, 1000.0, 1e6] {
        let over = -GROUND.banded(Vec2::new(-target, 100.0)).x;
        assert!(over > last && over < target && over <= BAND, "{over}");
        last = over;
        if target < 900.0 {
            let back = GROUND.unbanded(GROUND.banded(Vec2::new(-target, 100.0)));
            assert!((back.x + target).abs() < 0.01 * target, "{back}");
        }
    }
    assert_eq!(GROUND.banded(Vec2::new(5.0, 7.0)), Vec2::new(5.0, 7.0));
}

#[test]
fn reduced_motion_moves_nothing_by_itself() {
    let feel = Feel::of(&HandSettings { reduced_motion: true, ..Default::default() });
    assert_eq!(feel, Feel::STILL);
    let (mut motion, mut center) = (Motion::default(), lens().center);
    motion.grab(center);
    for _ in 0..10 {
        center.x += 60.0;
        assert_eq!(motion.advance(1.0 / 60.0, center, &feel, &GROUND), center);
        assert_eq!(motion.drawn(&lens(), &feel), lens());
    }
    motion.throw(center, &feel, &GROUND);
    motion.advance(1.0 / 60.0, center, &feel, &GROUND);
    assert!(!motion.is_moving(&feel, &GROUND));
    assert_eq!(motion.advance(f32::NAN, center, &feel, &GROUND), center);
}

#[test]
fn a_lens_grows_out_of_a_point_and_shrinks_to_one() {
    let (lens, center) = (lens(), lens().center);
    let mut motion = Motion::coming();
    let (mut frames, mut widths) = (0, vec![motion.drawn(&lens, &FEEL).half(1.0).x]);
    while motion.is_moving(&FEEL, &GROUND) {
        motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
        widths.push(motion.drawn(&lens, &FEEL).half(1.0).x);
        frames += 1;
        assert!(frames < 120, "it comes to rest");
    }
    assert!(widths[0] < 9.5 && widths[3] > widths[0] && widths[3] < 114.0, "{widths:?}");
    assert_eq!(widths.last(), Some(&190.0), "whole in the end");
    let mut motion = motion.going();
    assert!(motion.is_moving(&FEEL, &GROUND) && !motion.is_gone());
    for _ in 0..60 {
        motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
    }
    assert!(motion.is_gone() && motion.drawn(&lens, &FEEL).half(1.0).x < 7.6);
    let mut still = Motion::coming();
    still.advance(1.0 / 60.0, center, &Feel::STILL, &GROUND);
    assert_eq!(still.drawn(&lens, &Feel::STILL), lens, "without motion it is there at once");
}

#[test]
fn events_that_arrive_at_once_after_a_long_frame_are_no_throw() {
    let start = lens().center;
    // A drag of 180 pixels in 0.9 s, of which most arrives in the frame after a long one.
    let mut motion = Motion::default();
    motion.grab(start);
    motion.advance(1.0 / 60.0, start, &FEEL, &GROUND);
    motion.advance(0.9, start + Vec2::X * 10.0, &FEEL, &GROUND);
    let mut center = start + Vec2::X * 180.0;
    motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
    motion.throw(center, &FEEL, &GROUND);
    let released = center;
    for _ in 0..300 {
        center = motion.advance(1.0 / 60.0, center, &FEEL, &GROUND);
    }
    assert!((center - released).length() < 100.0, "{center} from {released}");
}
