//! Tests of the accuracy of the distance field of words against their outline.

use super::super::outline::outline_of;
use super::super::text_outline_check::words;
use super::shape::{Lens, lens_edge};
use super::text_outline::{Curve, Letters, Outline};
use glam::Vec2;

/// Straight, off by a thousandth of a pixel at most.
fn pieces(outline: &Outline, px: f64) -> impl Iterator<Item = [f64; 4]> {
    const PIECES: usize = 24;
    outline.curves.iter().flat_map(move |Curve(points)| {
        let at = move |i: usize| {
            let (t, s) = (i as f64 / PIECES as f64, 1.0 - i as f64 / PIECES as f64);
            let [a, b, c] = points.map(|p| [f64::from(p.x) * px, f64::from(p.y) * px]);
            [0, 1].map(|k| s * s * a[k] + 2.0 * s * t * b[k] + t * t * c[k])
        };
        (0..PIECES).map(move |i| [at(i)[0], at(i)[1], at(i + 1)[0], at(i + 1)[1]])
    })
}

/// Signed, pixels, by all edges in f64, weight included.
fn exact(letters: &Letters, p: Vec2) -> f64 {
    let px = f64::from(letters.px);
    let (x, y) = (f64::from(p.x), f64::from(p.y));
    let (mut least, mut turns) = (f64::MAX, 0);
    for [ax, ay, bx, by] in pieces(&letters.outline, px) {
        let (dx, dy) = (bx - ax, by - ay);
        let part = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-30)).clamp(0.0, 1.0);
        least = least.min((x - ax - part * dx).hypot(y - ay - part * dy));
        if (ay <= y) != (by <= y) && ax + dx * (y - ay) / dy > x {
            turns += if by > ay { 1 } else { -1 };
        }
    }
    (if turns != 0 { -least } else { least }) - f64::from(letters.outline.weight) * px
}

fn fine(text: &str, half: Vec2, weight: f32) -> (Lens, Letters) {
    let lens = outline_of(&words(text, Vec2::ZERO, half, weight));
    let letters = lens.letters.as_ref().unwrap().refined();
    (Lens { letters: Some(letters.clone()), ..lens }, letters)
}

fn around(half: Vec2, step: f32) -> impl Iterator<Item = Vec2> {
    let count = (half / step).ceil().as_ivec2() + 3;
    (-count.y..=count.y)
        .flat_map(move |y| (-count.x..=count.x).map(move |x| Vec2::new(x as f32 * step + 0.13, y as f32 * step - 0.29)))
}

#[test]
fn the_edge_of_words_lies_within_a_quarter_of_a_pixel() {
    let mut worst = (0.0_f64, String::new());
    let mut near = 0;
    for (text, half, weight) in [
        ("Aa", Vec2::new(190.0, 120.0), 0.05),
        ("Aa", Vec2::new(190.0, 120.0), 0.0),
        ("Meniscus", Vec2::new(190.0, 120.0), 0.045),
        ("x8&", Vec2::new(40.0, 30.0), 0.0),
        ("W", Vec2::new(61.0, 300.0), 0.1),
        ("\u{2764}", Vec2::new(50.0, 50.0), 0.0),
    ] {
        let (lens, letters) = fine(text, half, weight);
        for (index, p) in around(half, 1.73).enumerate() {
            let got = f64::from(lens_edge(&lens, p).d);
            // Slow: far from the edge every seventh is enough.
            if got.abs() > 4.0 && index % 7 != 0 {
                continue;
            }
            let want = exact(&letters, p);
            if want.abs() < 1.5 {
                near += 1;
                let error = (got - want).abs();
                if error.is_nan() || error > worst.0 {
                    worst = (error, format!("{text} {half} at {p}: {got} {want}"));
                }
            }
        }
    }
    assert!(worst.0 <= 0.25 && near > 6_000, "{near} places; off by {} px: {}", worst.0, worst.1);
}

#[test]
fn far_from_words_the_distance_is_near_the_exact_one() {
    let (lens, letters) = fine("Aa g", Vec2::new(150.0, 60.0), 0.03);
    let mut errors: Vec<f64> = around(Vec2::new(260.0, 190.0), 7.0)
        .map(|p| {
            let want = exact(&letters, p);
            (f64::from(lens_edge(&lens, p).d) - want).abs() / want.abs().max(4.0)
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let (typical, most) = (errors[errors.len() * 9 / 10], errors[errors.len() - 1]);
    assert!(typical < 0.02 && most < 0.2, "parts of the distance: nine in ten {typical}, most {most}");
}

#[test]
fn words_fit_their_box_and_have_strokes() {
    for (text, half) in
        [("Aa", Vec2::new(190.0, 120.0)), ("I", Vec2::new(190.0, 20.0)), ("mmmm", Vec2::new(50.0, 300.0))]
    {
        let (lens, letters) = fine(text, half, 0.045);
        let fits = letters.outline.half * letters.px - half;
        assert!(fits.max_element().abs() < 1e-3, "{text}: touches one pair of sides, within the other: {fits}");
        let deepest = around(half, 1.0).map(|p| -lens_edge(&lens, p).d).fold(0.0, f32::max);
        let depth = letters.depth();
        assert!((depth - deepest).abs() < 0.06 * depth + 1.0, "{text}: {depth} {deepest}");
        assert!(lens.widest_bevel() <= 0.5 * depth);
    }
}
