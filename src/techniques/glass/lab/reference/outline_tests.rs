//! Tests of the distance to outlines.

use super::outline::{Edge, Lens, edge};
use base::settings::ShortText;
use glam::{DVec2, Vec2};
use scene::{LensOutline, Shape};
use std::f64::consts::{FRAC_PI_2, TAU};

const SHAPES: [(f64, f64); 4] = [(190.0, 120.0), (130.0, 130.0), (260.0, 60.0), (80.0, 300.0)];

fn shaped(shape: Shape, (a, b): (f64, f64), exponent: f64) -> scene::Lens {
    let outline = LensOutline { shape, exponent: exponent as f32, ..LensOutline::default() };
    scene::Lens { outline: outline.sized(DVec2::new(a, b).as_vec2()), ..Default::default() }
}

fn lens(shape: Shape, half: (f64, f64), exponent: f64) -> Lens {
    Lens::new(&shaped(shape, half, exponent), 1.0, 20.0, 0.25, 0.5)
}

fn slope(lens: &Lens, p: DVec2, step: f64) -> DVec2 {
    let along = |v: DVec2| (lens.edge(p + v, 1.0).d - lens.edge(p - v, 1.0).d) / (2.0 * step);
    DVec2::new(along(DVec2::X * step), along(DVec2::Y * step))
}

/// By angle: the curve of the corners, moved apart by the straight part.
fn on_outline(lens: &Lens, w: f64) -> DVec2 {
    let power = |v: f64| v.signum() * v.abs().powf(2.0 / lens.exponent);
    let way = DVec2::new(w.cos(), w.sin());
    lens.corner * DVec2::new(power(way.x), power(way.y)) + (lens.half - lens.corner) * way.signum()
}

/// Golden-section search around the best of a quarter, walked from both axes up to the diagonal, where its own
/// coordinate measures the way well.
fn numeric_distance(lens: &Lens, p: DVec2) -> f64 {
    let (n, corner) = (lens.exponent, lens.corner);
    let p = (p.abs() - (lens.half - corner)).max(DVec2::ZERO);
    if n == 2.0 && corner.x == corner.y {
        return p.length() - corner.x;
    }
    let search = |at: &dyn Fn(f64) -> f64| {
        let best = (0..=1500).map(|i| f64::from(i) / 1500.0).min_by(|&p, &q| at(p).total_cmp(&at(q))).unwrap_or(0.0);
        let (mut lo, mut hi) = ((best - 1.0 / 1500.0).max(0.0), (best + 1.0 / 1500.0).min(1.0));
        for _ in 0..60 {
            let (p, q) = (lo + 0.381966 * (hi - lo), lo + 0.618034 * (hi - lo));
            if at(p) < at(q) { hi = q } else { lo = p }
        }
        at(0.5 * (lo + hi))
    };
    let other = |v: f64| (1.0 - v.powf(n)).max(0.0).powf(1.0 / n);
    let distance = search(&|v| (corner * DVec2::new(v, other(v)) - p).length())
        .min(search(&|v| (corner * DVec2::new(other(v), v) - p).length()));
    let unit = p / corner;
    if unit.x.powf(n) + unit.y.powf(n) < 1.0 { -distance } else { distance }
}

#[test]
fn distance_is_right_near_the_edge() {
    for half in SHAPES {
        for n in [2.0, 3.0, 4.5, 6.0, 10.0] {
            for lens in [Shape::Superellipse, Shape::Capsule].map(|shape| lens(shape, half, n)) {
                for i in 0..97 {
                    let on = on_outline(&lens, f64::from(i) / 96.0 * FRAC_PI_2);
                    let e = lens.edge(on, 1.0);
                    for off in [-1.0, -0.5, 0.0, 0.5, 1.0] {
                        let p = on + e.n * off;
                        let (got, want) = (lens.edge(p, 1.0).d, numeric_distance(&lens, p));
                        assert!((got - want).abs() <= 0.005, "{half:?} n {n} at {p}: {got} {want}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_distance_to_a_round_capsule_is_exact_everywhere() {
    for half in SHAPES {
        let scene = scene::Lens { center: Vec2::new(31.0, -7.0), ..shaped(Shape::Capsule, half, 2.0) }.turned(40.0);
        let lens = Lens::new(&scene, 1.0, 20.0, 0.25, 0.5);
        for at in 0..40 * 40 {
            let p = DVec2::new(f64::from(at % 40) - 19.7, f64::from(at / 40) - 20.3) * 20.0;
            let want = numeric_distance(&lens, lens.frame.inverse() * (p - lens.center));
            let e = lens.edge(p, 1.0);
            assert!((e.d - want).abs() < 2e-3, "{half:?} at {p}: {} {want}", e.d);
            // The direction in which the distance grows; the middle has none.
            if want > -0.95 * half.0.min(half.1) {
                assert!((slope(&lens, p, 1.0) - e.n).length() < 0.02, "{half:?} at {p}: {}", e.n);
            }
        }
    }
}

#[test]
fn stretching_stretches_the_outline_and_keeps_the_distance_true() {
    let strain = Vec2::new(0.11, 0.1);
    for (shape, n) in [(Shape::Superellipse, 4.5), (Shape::Capsule, 2.0)] {
        let scene =
            scene::Lens { center: Vec2::new(7.0, -3.0), strain, ..shaped(shape, (120.0, 80.0), n) }.turned(17.0);
        let lens = Lens::new(&scene, 1.0, 20.0, 0.25, 0.5);
        for i in 0..64 {
            let on = lens.center + lens.frame * on_outline(&lens, (f64::from(i) + 0.5) / 64.0 * TAU);
            let e = lens.edge(on, 1.0);
            assert!(e.d.abs() < 2e-3, "{on}: {e:?}");
            for off in [-1.0, 1.0] {
                let d = lens.edge(on + e.n * off, 1.0).d;
                assert!((d - off).abs() < 0.02, "{on}: {d} against {off}");
            }
        }
    }
}

#[test]
fn melting_has_the_gradient_it_says() {
    let at = |x: f32| {
        Lens::new(
            &scene::Lens { center: Vec2::new(x, 0.0), ..shaped(Shape::Superellipse, (100.0, 80.0), 4.0) },
            1.0,
            30.0,
            0.25,
            0.5,
        )
    };
    let lenses = [at(0.0), at(230.0)];
    let melted = |p: DVec2| -> Edge { edge(&lenses, p, 60.0, 1.0) };
    for i in 0..60 {
        let p = DVec2::new(60.0 + 2.0 * f64::from(i), 70.0 + 0.3 * f64::from(i));
        let e = melted(p);
        let along = |v: DVec2| (melted(p + v * 0.25).d - melted(p - v * 0.25).d) / 0.5;
        let g = DVec2::new(along(DVec2::X), along(DVec2::Y));
        // The gradient of the first-order distance is about one near the edge only.
        assert!(e.d.abs() >= 6.0 || (g - e.n).length() < 0.08, "{p}: {g} against {}", e.n);
        assert!(e.d <= lenses[0].edge(p, 1.0).d.min(lenses[1].edge(p, 1.0).d) + 1e-4);
    }
}

#[test]
fn direction_and_curvature_of_words_are_those_of_the_distance() {
    let text = ShortText::from("O");
    let outline = LensOutline { text, weight: 0.04, angle: 34.0, ..LensOutline::default() };
    let scene = scene::Lens { outline: outline.sized(Vec2::splat(120.0)), ..Default::default() };
    let lens = Lens::new(&scene, 1.0, 20.0, 0.25, 0.5);
    let (mut seen, mut bends) = (0, 0);
    for at in 0..84 * 84 {
        let p = DVec2::new(f64::from(at % 84 - 42) * 3.1 + 0.13, f64::from(at / 84 - 42) * 3.1 - 0.29);
        let e = lens.edge(p, 1.0);
        if e.d.abs() > 4.0 || e.n.length() < 0.98 {
            continue;
        }
        assert!((slope(&lens, p, 1.0) - e.n).length() < 0.03, "{p}: {}", e.n);
        // A round letter's outer edge turns once, outwards.
        let along = e.n.perp() * 4.0;
        let turn = lens.edge(p + along, 1.0).n.perp_dot(lens.edge(p - along, 1.0).n) / -8.0;
        assert!((turn - e.curl).abs() < 0.02, "{p}: turns by {turn}, says {}", e.curl);
        bends += u32::from(e.curl.abs() > 0.004);
        seen += 1;
    }
    assert!(seen > 300 && bends > 200, "{seen} {bends}");
}
