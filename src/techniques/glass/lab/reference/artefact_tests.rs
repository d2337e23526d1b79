//! Tests for the artefacts that users of other glasses report: sparkling rims, edges of uneven softness, visible borders.

use super::lens::Below;
use super::light::tone;
use super::optics::travel;
use super::outline::{Lens, coverage};
use super::picture::{Level, Picture, encoded_from_linear, linear_from_encoded};
use super::{Glass, GlassScene};
use crate::settings::OpticsModel;
use crate::{GlassSettings, Preset};
use glam::{DVec2, UVec2, Vec2, Vec3};
use scene::{LensOutline, Shape};

fn checker(size: UVec2, side: u32) -> Picture {
    let texel = |at: u32| {
        let (x, y) = (at % size.x, at / size.x);
        Vec3::splat(if (x / side + y / side).is_multiple_of(2) { 0.95 } else { 0.05 })
    };
    Picture::new(Level { size, texels: (0..size.x * size.y).map(texel).collect() })
}

fn glass_at(settings: &GlassSettings, center: Vec2) -> Glass {
    Glass::new(&GlassScene::one(settings, center, 1.0))
}

/// Over a checker, by stretch (below 1.5, 2.5, 4, above), in 8-bit steps: worst and mean change while the lens moves by
/// tenths of a pixel, and mean error against 100 exact looks a pixel. `haste`: the worst change in parts of what the
/// picture would change by if moved as far.
#[derive(Default, Debug)]
struct Sparkle {
    worst: [f32; 4],
    mean: [f32; 4],
    wrong: [f32; 4],
    haste: f32,
}

/// Most that one bilinear tap of the checker changes when moved by `way`, 8-bit steps: black to white in a texel, and a
/// display value rises fastest at black.
fn own_change(way: Vec2) -> f32 {
    let [black, white] = [0.05, 0.95].map(|v| linear_from_encoded(Vec3::splat(v)).x);
    let after = (black + (white - black) * way.abs().element_sum()).min(white);
    (encoded_from_linear(Vec3::splat(after)).x - 0.05) * 255.0
}

/// The mean over the points that the rays of a pixel's area meet.
fn exact(picture: &Picture, glass: &Glass, frag: Vec2) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for i in 0..100 {
        let at = frag + Vec2::new((i % 10) as f32 + 0.5, (i / 10) as f32 + 0.5) / 10.0 - 0.5;
        let e = glass.edge(at);
        let on = glass.optics.surface(e.d, e.bevel, 1.0);
        let met = at.as_dvec2() - e.n * (travel(on.s, glass.optics.eta) * glass.optics.depth(on.h));
        sum += picture.sample(met.as_vec2(), 0.0);
    }
    tone(sum / 100.0, glass.lenses[0].bright, &glass.light.tone)
}

fn sparkle(settings: &GlassSettings, picture: &Picture, exactly: bool) -> Sparkle {
    let settings = GlassSettings { rim: 0.0, gloss: 0.0, caustic: 0.0, mirror: 0.0, ..settings.clone() };
    let below = Below::new(picture, &glass_at(&settings, Vec2::ZERO));
    let (mut done, mut count, mut wrong_count) = (Sparkle::default(), [0.0; 4], [0.0; 4]);
    for y in (84..200).step_by(3) {
        for x in (14..200).step_by(3) {
            let frag = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let mut last: Option<(Vec3, Vec2)> = None;
            for step in 0..5 {
                let center = Vec2::new(210.3, 210.0) + Vec2::new(0.1, 0.04) * step as f32;
                let mut glass = glass_at(&settings, center);
                let e = glass.edge(frag);
                if e.d > -0.5 || e.d < -e.bevel {
                    last = None;
                    continue;
                }
                let (seen, n) = glass.sight(&e);
                let (j, at) = (seen.stretch.abs(), frag - (n * seen.offset).as_vec2());
                let bin = usize::from(j > 1.5) + usize::from(j > 2.5) + usize::from(j > 4.0);
                let now = encoded_from_linear(below.inside(&glass, frag, &e)) * 255.0;
                let now = if exactly { encoded_from_linear(exact(picture, &glass, frag)) * 255.0 } else { now };
                if let Some((last, place)) = last {
                    done.haste = done.haste.max((now - last).abs().max_element() / own_change(at - place));
                    done.worst[bin] = done.worst[bin].max((now - last).abs().max_element());
                    done.mean[bin] += (now - last).abs().element_sum() / 3.0;
                    count[bin] += 1.0;
                }
                last = Some((now, at));
                if step == 0 {
                    glass.optics.spread = 0.0;
                    let now = encoded_from_linear(below.inside(&glass, frag, &e));
                    let want = encoded_from_linear(exact(picture, &glass, frag));
                    done.wrong[bin] += (now - want).abs().x * 255.0;
                    wrong_count[bin] += 1.0;
                }
            }
        }
    }
    for bin in 0..4 {
        done.mean[bin] /= count[bin];
        done.wrong[bin] /= wrong_count[bin];
    }
    done
}

#[test]
fn rim_does_not_sparkle() {
    let picture = checker(UVec2::new(420, 420), 2);
    let got = sparkle(&GlassSettings::default(), &picture, false);
    let one = sparkle(&GlassSettings { taps: 1, ..Default::default() }, &picture, false);
    println!(
        "2 px checker: {got:.1?}\nwith one look: {one:.1?}\nexact: {:.1?}",
        sparkle(&GlassSettings::default(), &picture, true)
    );
    // Unsqueezed the picture only moves, by more than the lens where mirrored, but nothing changes faster than a
    // picture moved so.
    assert!(got.haste <= 0.95, "{got:?}");
    assert!(got.worst[0] <= 100.0 && got.worst[1..].iter().all(|worst| *worst <= 40.0), "{got:?}");
    assert!(got.mean.iter().all(|mean| *mean <= 8.0) && got.wrong[1..].iter().all(|wrong| *wrong <= 8.0), "{got:?}");
    assert!(got.wrong[3] < 0.7 * one.wrong[3], "{got:?} {one:?}");
}

#[test]
fn edges_are_equally_soft_everywhere() {
    // Along the normal coverage takes one pixel from 0 to 1.
    for n in [2.0, 3.0, 4.5, 7.0, 10.0] {
        for (a, b) in [(190.0, 120.0), (40.0, 40.0), (300.0, 30.0), (16.0, 12.0)] {
            let lens = |shape| {
                let outline = LensOutline { shape, exponent: n, ..LensOutline::default() }.sized(Vec2::new(a, b));
                Lens::new(&scene::Lens { outline, ..Default::default() }, 1.0, 20.0, 0.25, 0.5)
            };
            let (whole, capsule) = (lens(Shape::Superellipse), lens(Shape::Capsule));
            for (i, lens) in (0..64).flat_map(|i| [&whole, &capsule].map(|lens| (i, lens))) {
                let w = f64::from(i) / 64.0 * std::f64::consts::TAU;
                let ray = DVec2::new(w.cos(), w.sin());
                let u = ray.abs() / lens.corner;
                let g = (u.x.powf(n.into()) + u.y.powf(n.into())).powf(1.0 / f64::from(n));
                let on = ray / g + (lens.half - lens.corner) * ray.signum();
                let normal = lens.edge(on, 1.0).n;
                let width: f32 = (-200..200)
                    .map(|k| coverage(lens.edge(on + normal * (f64::from(k) * 0.01), 1.0).d))
                    .filter(|c| *c > 0.0 && *c < 1.0)
                    .count() as f32
                    * 0.01;
                assert!((width - 1.0).abs() < 0.04, "exponent {n}, {a} by {b}, at {w}: {width} px");
            }
        }
    }
}

#[test]
fn presets_never_leave_the_picture() {
    // Over a corner: mirrored, the picture has no other values than its own.
    let size = UVec2::new(96, 64);
    let picture = Picture::new(Level::filled(size, Vec3::splat(0.5)));
    let centers = [Vec2::ZERO, Vec2::new(96.0, 30.0), Vec2::new(50.0, 64.0)];
    for (preset, center) in Preset::ALL.iter().zip(centers.into_iter().cycle()) {
        let settings = GlassSettings::default().styled(*preset);
        if settings.optics == OpticsModel::System {
            continue; // its body adds light of its own
        }
        let (rim, gloss, caustic, mirror, shadow) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let plain = GlassSettings {
            rim,
            gloss,
            caustic,
            mirror,
            shadow,
            tint_part: 0.0,
            body: [1.0; 3],
            adaptive: 0.0,
            ..settings
        };
        let mut glass = glass_at(&plain, center);
        glass.light.shadow.contour = 0.0;
        let below = Below::new(&picture, &glass);
        for at in 0..size.x * size.y {
            let frag = Vec2::new((at % size.x) as f32 + 0.5, (at / size.x) as f32 + 0.5);
            if let Some(c) = below.shade(&glass, frag) {
                assert!((c - 0.5).abs().max_element() < 1.5 / 255.0, "{} at {frag}: {c}", preset.name());
            }
        }
    }
}
