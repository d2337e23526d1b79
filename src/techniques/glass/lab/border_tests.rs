//! Tests of the reads of the shaders, by poison: texels that must not be read hold NaN. And of continuity while the frost changes.

use super::checks::{Fixture, boxed_of, test_picture};
use super::reference::picture::{Level, Picture};
use crate::PassSettings as _;
use crate::frost::preblur::Region;
use crate::passes::{Passes, readable};
use crate::settings::{Blur, Glass, GlassSettings, Preset};
use glam::{IVec2, UVec2, Vec2, Vec3};
use lab::TestBench;
use technique::{BoxBlur, READ_BEYOND};

/// Halves five times.
const SIZE: UVec2 = UVec2::new(288, 160);

type Pixels = Vec<[u8; 4]>;

fn draw(bench: &mut TestBench, (picture, stage): (&Picture, &Fixture), passes: &mut Passes, glass: &Glass) -> Pixels {
    let boxed = boxed_of(bench, picture, glass.boxes(picture.size().to_array())).unwrap();
    draw_with(bench, stage, boxed.as_ref(), passes, glass)
}

fn draw_with(
    bench: &mut TestBench,
    stage: &Fixture,
    boxed: Option<&BoxBlur>,
    passes: &mut Passes,
    glass: &Glass,
) -> Pixels {
    let target = stage.target.mip(0);
    bench.run(|frame| passes.record_lens(frame, stage.below(boxed), glass, &target)).unwrap();
    bench.read(&target).unwrap()
}

fn cases() -> Vec<(String, GlassSettings)> {
    let mut cases = vec![("pulled together".into(), GlassSettings { magnify: 0.6, ..Default::default() })];
    for preset in Preset::ALL {
        for blur in Blur::ALL {
            if *blur == Blur::Preblur || *preset == Preset::Frosted {
                let settings = GlassSettings { blur: *blur, ..Default::default() }.styled(*preset);
                cases.push((format!("{} {}", preset.name(), blur.name()), settings));
            }
        }
    }
    cases
}

/// Three by three.
fn mirrored(picture: &Picture) -> Picture {
    let (size, from) = (picture.size(), &picture.encoded);
    let texel = |at: u32| {
        let place = UVec2::new(at % (3 * size.x), at / (3 * size.x)).as_ivec2();
        from.mirrored(place - size.as_ivec2())
    };
    Picture::new(Level { size: size * 3, texels: (0..9 * size.element_product()).map(texel).collect() })
}

/// NaN where no level's taps reach from `kept` (pixels).
fn poison(picture: &mut Picture, kept: Region) {
    for (level, texels) in (0..).zip(&mut picture.chain) {
        let side = 1 << level;
        let (low, high) = (
            kept.0.div_euclid(IVec2::splat(side)) - READ_BEYOND,
            kept.1.div_euclid(IVec2::splat(side)) + READ_BEYOND + 1,
        );
        for at in 0..texels.texels.len() {
            let place = UVec2::new(at as u32 % texels.size.x, at as u32 / texels.size.x).as_ivec2();
            if place.cmplt(low).any() || place.cmpge(high).any() {
                texels.texels[at] = Vec3::NAN;
            }
        }
    }
}

#[test]
fn nothing_is_read_beyond_the_border_but_the_picture_mirrored() {
    // Over a border, pulled over it by the rubber band, and at the same place of a picture that is mirrored there and
    // poisoned further out.
    let picture = test_picture(SIZE);
    let beyond = mirrored(&picture);
    let bench = &mut TestBench::validated();
    let centers = [Vec2::new(-40.0, -16.0), Vec2::new(310.0, 70.3), Vec2::new(140.0, 180.0), Vec2::new(285.0, 3.0)];
    for (name, settings) in cases() {
        let mut passes = Passes::new(bench.gpu()).unwrap();
        for center in centers {
            let scale = 0.4;
            let glass_at = |center: Vec2| settings.glass(&[settings.placed(center)], scale);
            let (glass, inner) = (glass_at(center), glass_at(center + SIZE.as_vec2()));
            let mut poisoned = beyond.clone();
            // 81 stretched taps have no cut-off.
            if glass.blur != Blur::Box81 {
                poison(&mut poisoned, readable(&inner, (SIZE * 3).to_array()).unwrap());
            }
            let large = Fixture::new(bench, &poisoned).unwrap();
            let small = Fixture::new(bench, &picture).unwrap();
            let got = draw(bench, (&picture, &small), &mut passes, &glass);
            let want = draw(bench, (&poisoned, &large), &mut passes, &inner);
            let mut worst = (0, UVec2::ZERO);
            for at in 0..SIZE.element_product() {
                let (x, y) = (at % SIZE.x, at / SIZE.x);
                let there = ((y + SIZE.y) * 3 * SIZE.x + x + SIZE.x) as usize;
                let off = (0..3).map(|c| got[at as usize][c].abs_diff(want[there][c])).max().unwrap_or(0);
                if off > worst.0 {
                    worst = (off, UVec2::new(x, y));
                }
            }
            // Two steps: dither depends on the place.
            assert!(worst.0 <= 2, "{name} at {center}: {} steps at {}", worst.0, worst.1);
        }
    }
}

#[test]
fn nothing_is_read_that_was_not_made_before() {
    // The pre-blur's pictures are poisoned between two frames. Without boxes, as for panels, the table reads one too.
    for size in [SIZE, UVec2::new(287, 161)] {
        let picture = test_picture(size);
        let bench = &mut TestBench::validated();
        for frost in [0.8, 1.7, 2.5, 7.0, 23.0] {
            for (blur, center) in [(Blur::Preblur, Vec2::new(140.0, 80.0)), (Blur::Table, Vec2::new(1.0, 150.0))] {
                let settings = GlassSettings { frost, blur, ..Default::default() };
                let glass = settings.glass(&[settings.placed(center).scaled(0.4)], 1.0);
                // No poison of the case before.
                let mut passes = Passes::new(bench.gpu()).unwrap();
                let stage = Fixture::new(bench, &picture).unwrap();
                let first = draw_with(bench, &stage, None, &mut passes, &glass);
                passes.poison(bench).unwrap();
                let stage = Fixture::new(bench, &picture).unwrap();
                let second = draw_with(bench, &stage, None, &mut passes, &glass);
                assert!(first == second, "{size} {} {center} frost {frost}", blur.name());
            }
        }
    }
}

#[test]
fn only_the_levels_that_are_asked_for_are_read() {
    let picture = test_picture(SIZE);
    let bench = &mut TestBench::validated();
    for (name, settings) in cases() {
        for scale in [0.4, 0.8] {
            let glass = settings.glass(&[settings.placed(Vec2::new(150.0, 80.0))], scale);
            let mut poisoned = picture.clone();
            for level in poisoned.chain.iter_mut().skip(settings.levels_needed(scale) as usize) {
                level.texels.fill(Vec3::NAN);
            }
            let mut passes = Passes::new(bench.gpu()).unwrap();
            let (plain, other) = (Fixture::new(bench, &picture).unwrap(), Fixture::new(bench, &poisoned).unwrap());
            let (want, got) = (
                draw(bench, (&picture, &plain), &mut passes, &glass),
                draw(bench, (&poisoned, &other), &mut passes, &glass),
            );
            assert!(want == got, "{name} at scale {scale}");
        }
    }
}

#[test]
fn nothing_pops_while_the_frost_slides() {
    // In steps of 1 % through every change of plan: no step is larger than its neighbours.
    let size = UVec2::new(287, 161);
    let picture = test_picture(size);
    let bench = &mut TestBench::validated();
    let mut passes = Passes::new(bench.gpu()).unwrap();
    for change in [0.5, 0.9, 1.0, 2.0, 4.0, 6.0, 8.0, 16.0, 32.0] {
        let mut last: Option<Pixels> = None;
        let mut changes = Vec::new();
        for step in -3..=3 {
            let frost = change * (1.0 + 0.01 * (step as f32 - 0.5));
            let settings = GlassSettings { frost, ..Default::default() };
            let glass = settings.glass(&[settings.placed(Vec2::new(140.0, 80.0)).scaled(0.5)], 1.0);
            let stage = Fixture::new(bench, &picture).unwrap();
            let now = draw(bench, (&picture, &stage), &mut passes, &glass);
            if let Some(last) = &last {
                let each = last.iter().zip(&now).map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c])).max().unwrap_or(0));
                changes.push(each.max().unwrap_or(0));
            }
            last = Some(now);
        }
        let over = changes.remove(3);
        let beside = changes.iter().copied().max().unwrap_or(0);
        assert!(over <= beside + beside / 2 + 1 && over <= 8, "at sigma {change}: {over} after {changes:?}");
    }
}
