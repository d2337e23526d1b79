//! Check of one to a thousand lenses: draws, and dispatches with the bins of the processor and of the GPU, give the same; and that is what a
//! reference gives that folds all lenses over every pixel.

use super::checks::{Fixture, GlassKind, Input, Pixels, picture_check};
use super::reference::GlassScene;
use super::text_outline_check::words;
use crate::passes::BinnedBy;
use crate::settings::{Blur, GlassSettings, Preset};
use glam::{UVec2, Vec2};
use gpu::{Format, Image, ImageDesc, Use};
use lab::{Case, Effort, TestBench};
use scene::{Lens, LensOutline, Press, Shape};
use technique::DrawnBy;

picture_check!(ManyOracle, "many", cases, drawn_alike);

/// A pixel, and one in as many, may differ: drivers contract operations differently, and where the bevel is steep the
/// number of taps jumps by a rounding. Observed: worst one of 38640 (NVIDIA 580.159.04).
const ONE_IN: usize = 15_000;

const OTHERS: [((DrawnBy, BinnedBy), Format, &[Use]); 3] = [
    ((DrawnBy::Raster, BinnedBy::Auto), Format::Rgba8, &[Use::Color, Use::Storage]),
    ((DrawnBy::Compute, BinnedBy::Processor), Format::Bgra8, &[Use::Color, Use::Storage]),
    // As the images of a window.
    ((DrawnBy::Compute, BinnedBy::Gpu), Format::Bgra8, &[Use::Color]),
];

fn drawn_alike(input: &Input, bench: &mut TestBench) -> anyhow::Result<Pixels> {
    let stage = Fixture::new(bench, &input.picture)?;
    let by_gpu = input.draw(bench, &stage, (DrawnBy::Compute, BinnedBy::Gpu), &stage.target.mip(0))?;
    for (by, format, uses) in OTHERS {
        let desc = ImageDesc::new("other target", input.picture.size().to_array(), format, uses);
        let target = Image::new(bench.gpu(), desc.aliases(&[Format::R32U]))?;
        let other = input.draw(bench, &stage, by, &target.mip(0))?;
        let differing = other.iter().zip(&by_gpu).filter(|(a, b)| a != b).count();
        let most = 1 + other.len() / ONE_IN;
        anyhow::ensure!(
            differing <= most,
            "{differing} pixels differ from those by {by:?}, in {format:?} for {uses:?}"
        );
    }
    Ok(by_gpu)
}

fn settings() -> GlassSettings {
    GlassSettings { bevel_width: 12.0, bevel_height: 16.0, gap: 20.0, melt: 18.0, ..GlassSettings::default() }
}

fn shaped(own: &GlassSettings, center: [f32; 2], half: [f32; 2], at: usize) -> Lens {
    let shape = [Shape::Superellipse, Shape::Rounded, Shape::Capsule][at % 3];
    let angle = (at * 47 % 180) as f32;
    let outline = LensOutline { shape, exponent: 2.0 + (at % 4) as f32, radius: 5.0, angle, ..own.outline() };
    Lens { outline, ..own.placed(Vec2::from_array(center)) }.sized(Vec2::from_array(half))
}

/// Over the window, in rows, each a part of its cell; in its own container if `apart`.
fn grid(own: &GlassSettings, size: [u32; 2], [columns, rows]: [usize; 2], part: f32, apart: bool) -> Vec<Lens> {
    let cell = Vec2::new(size[0] as f32 / columns as f32, size[1] as f32 / rows as f32);
    let lens = |at: usize| {
        let center = Vec2::new((at % columns) as f32 + 0.5, (at / columns) as f32 + 0.5) * cell;
        let half = (0.5 * part * cell).max(Vec2::ONE);
        let angle = if half.x > 4.0 { (at % 5) as f32 * 7.0 } else { 0.0 };
        let container = apart.then_some(at as u32);
        Lens { container, ..shaped(own, center.to_array(), half.to_array(), at).turned(angle) }
    };
    (0..columns * rows).map(lens).collect()
}

fn many(size: [u32; 2], frames: Vec<Vec<GlassScene>>) -> Input {
    Input::new(UVec2::from_array(size), GlassKind::Lens(frames))
}

/// Each kind of glass, as one lens; twice with every pixel of the window drawn.
fn of_kinds(effort: Effort) -> Vec<Case<Input>> {
    let mut cases = Vec::new();
    let mut add = |name: &str, size: [u32; 2], scene| cases.push(Case::new(name, many(size, vec![vec![scene]])));
    let plain = GlassSettings::default();
    let one =
        |settings: &GlassSettings, at: [f32; 2], scale: f32| GlassScene::one(settings, Vec2::from_array(at), scale);
    add("clear", [301, 187], one(&plain, [150.4, 90.7], 0.5));
    add("over the corner", [97, 61], one(&plain, [3.0, 58.0], 0.4));
    add("smaller than a tile", [33, 17], one(&plain, [16.0, 8.0], 0.04));
    let all = |at, scale| GlassScene { is_bounded: false, ..one(&plain, at, scale) };
    add("every pixel", [131, 75], all([60.0, 40.0], 0.25));
    // More tiles than a row of workgroups.
    add("every pixel of 1107 tiles", [655, 418], all([330.0, 400.0], 0.5));
    let blurs: &[Blur] = if effort == Effort::Full { Blur::ALL } else { &[Blur::Preblur, Blur::Bicubic] };
    for blur in blurs {
        for frost in [0.75, 3.0, 9.0] {
            let frosted = GlassSettings { frost, blur: *blur, ..plain.styled(Preset::Frosted) };
            add(&format!("frost of {frost}, {}", blur.name()), [241, 160], one(&frosted, [121.0, 83.0], 0.5));
        }
    }
    for (name, preset) in [("system, clear", Preset::SystemClear), ("system, regular", Preset::SystemRegular)] {
        let scene = GlassScene { bright: vec![0.4], ..one(&plain.styled(preset), [121.0, 83.0], 0.5) };
        add(name, [241, 160], scene);
    }
    for (name, shape, magnify) in
        [("a rounded rectangle", Shape::Rounded, 1.0), ("a capsule that magnifies", Shape::Capsule, 1.3)]
    {
        let shaped = GlassSettings { shape, magnify, exponent: 2.0, angle: 20.0, ..plain.clone() };
        add(name, [240, 161], one(&shaped, [117.0, 80.0], 0.5));
    }
    let text = GlassSettings { legible: true, ..plain.clone() };
    let press = Some(Press { at: Vec2::new(100.0, 70.0), strength: 0.7 });
    add("legible and pressed", [240, 161], GlassScene { press, ..one(&text, [117.0, 80.0], 0.5) });
    let written = words("Aa8", Vec2::new(130.0, 72.0), Vec2::new(220.0, 120.0), 0.05);
    add("words", [257, 143], GlassScene::new(&plain, &[written], 0.5));
    cases
}

// Longer than ten seconds: every case in four ways.
fn cases(effort: Effort) -> Vec<Case<Input>> {
    let mut cases = of_kinds(effort);
    let mut add_of = |own: &GlassSettings, name: &str, size: [u32; 2], lenses: &[Lens]| {
        cases.push(Case::new(name, many(size, vec![vec![GlassScene::new(own, lenses, 1.0)]])));
    };
    let mut add = |name: &str, size: [u32; 2], lenses: &[Lens]| {
        add_of(&settings().with_glass(&lenses[0].glass), name, size, lenses);
    };
    let (plain, small) = (settings(), [97, 61]);
    add("one", small, &[shaped(&plain, [41.0, 30.0], [30.0, 20.0], 1)]);
    // Outlines end on borders of tiles, 16 px apart; and half a pixel beside them.
    let at_borders = |shift: f32| {
        let lens = |at: usize, x: f32, half: f32| {
            let outline = LensOutline { shape: Shape::Rounded, radius: 4.0, exponent: 2.0, ..plain.outline() };
            Lens { outline, container: Some(at as u32), ..plain.placed(Vec2::new(x + shift, 32.0)) }
                .sized(Vec2::new(half, 16.0))
        };
        [lens(0, 24.0, 8.0), lens(1, 64.0, 16.0)]
    };
    add("two, at the borders of tiles", small, &at_borders(0.0));
    add("two, beside the borders of tiles", small, &at_borders(0.5));
    let chain: Vec<Lens> = (0..9)
        .map(|at| {
            let bend = 14.0 * (at as f32 * 1.1).sin();
            shaped(&plain, [14.0 + 25.0 * at as f32, 40.0 + bend], [9.0, 7.0 + (at % 3) as f32], at)
        })
        .collect();
    add("nine in a chain that melts across tiles", [229, 83], &chain);
    let contained: Vec<Lens> =
        chain.iter().enumerate().map(|(at, lens)| Lens { container: Some(at as u32 % 2), ..*lens }).collect();
    add("nine of two containers, in turn", [229, 83], &contained);
    let side_by_side =
        [[40.0, 22.0], [40.0, 52.0], [92.0, 37.0]].map(|at| shaped(&plain, at, [30.0, 13.0], 4).turned(0.0));
    add("edges side by side", [131, 75], &side_by_side);
    let overlapping = |container: [Option<u32>; 3]| {
        let all = [([50.0, 36.0], [40.0, 26.0]), ([82.0, 44.0], [22.0, 18.0]), ([60.0, 20.0], [9.0, 9.0])];
        let lens = |at: usize| Lens { container: container[at], ..shaped(&plain, all[at].0, all[at].1, at) };
        [0, 1, 2].map(lens)
    };
    add("three that overlap in one container", [131, 75], &overlapping([Some(3); 3]));
    add("three that overlap in containers apart", [131, 75], &overlapping([Some(3), None, Some(1)]));
    // Further apart than a tile is wide; without a shadow, whose lenses count further out.
    let far = GlassSettings { melt: 85.0, shadow: 0.0, ..plain.clone() };
    let reaching = [shaped(&far, [24.0, 30.0], [15.0, 14.0], 1), shaped(&far, [108.0, 40.0], [16.0, 20.0], 0)];
    add_of(&far, "two that reach over tiles", [131, 75], &reaching);
    let mut add = |name: &str, size: [u32; 2], lenses: &[Lens]| {
        add_of(&settings().with_glass(&lenses[0].glass), name, size, lenses)
    };
    let outside = [[-20.0, 30.0], [50.0, -9.0], [96.0, 61.0], [-300.0, 30.0], [48.0, 900.0], [30.0, 66.0]];
    add("around the window and outside of it", small, &outside.map(|at| shaped(&plain, at, [24.0, 17.0], 2)));
    add(
        "only outside",
        small,
        &outside[3..5].iter().map(|at| shaped(&plain, *at, [24.0, 17.0], 0)).collect::<Vec<_>>(),
    );
    let written = [
        Lens { container: Some(1), ..words("ag", Vec2::new(60.0, 40.0), Vec2::new(50.0, 30.0), 0.06) },
        Lens {
            container: Some(2),
            outline: LensOutline { path: "star 5".into(), ..plain.outline() }.sized(Vec2::new(30.0, 28.0)),
            ..plain.placed(Vec2::new(150.0, 40.0))
        },
        shaped(&plain, [120.0, 60.0], [18.0, 12.0], 1),
    ];
    let glass = plain.lens_glass();
    add("words between shapes", [187, 83], &written.map(|lens| Lens { glass, ..lens }));
    add("sixty-four apart", [144, 96], &grid(&plain, [144, 96], [8, 8], 0.7, true));
    add("sixty-four that melt", [136, 88], &grid(&plain, [136, 88], [8, 8], 0.7, false));
    let tiny = GlassSettings { melt: 1.5, ..plain.clone() };
    let around = |lens: Lens| Lens { center: lens.center - Vec2::new(140.0, 90.0), ..lens };
    let thousand: Vec<Lens> = grid(&tiny, [384, 256], [32, 32], 0.8, true).into_iter().map(around).collect();
    add("a thousand apart, most of them outside", [32, 32], &thousand);
    if effort == Effort::Full {
        add("a thousand apart", [320, 256], &grid(&tiny, [320, 256], [32, 32], 0.8, true));
        add("a thousand that melt", [320, 256], &grid(&tiny, [320, 256], [32, 32], 0.8, false));
    }
    for (name, own) in [
        ("twelve, frosted", GlassSettings { frost: 6.0, ..plain.clone() }),
        ("twelve that magnify", GlassSettings { magnify: 1.3, ..plain.clone() }),
        ("twelve, legible", GlassSettings { legible: true, ..plain.clone() }),
        (
            "twelve of the system's glass",
            GlassSettings { melt: 18.0, bevel_width: 12.0, ..plain.styled(Preset::SystemRegular) },
        ),
    ] {
        let scene = GlassScene {
            bright: (0..12).map(|at| (at % 5) as f32 / 4.0).collect(),
            ..GlassScene::new(&own, &grid(&own, [208, 141], [4, 3], 0.85, false), 1.0)
        };
        cases.push(Case::new(name, many([208, 141], vec![vec![scene]])));
    }
    let moving = (0..4_usize).map(|step| {
        let mut lenses: Vec<Lens> =
            contained.iter().enumerate().map(|(at, lens)| Lens { id: Some(at as u32), ..*lens }).collect();
        lenses.iter_mut().for_each(|lens| lens.center += Vec2::new(-7.5, 5.25) * step as f32);
        lenses.rotate_left(2 * step);
        lenses.truncate(9 - step);
        vec![GlassScene::new(&plain, &lenses, 1.0)]
    });
    cases.push(Case::new("order changed while they move", many([229, 83], moving.collect())));
    let bodies = (0..10_usize).map(|at| {
        let own = GlassSettings {
            tint: [0.2 * (at % 5) as f32, 0.6, 1.0 - 0.1 * at as f32],
            tint_part: 0.35,
            shadow: if at % 3 == 0 { 0.0 } else { 0.2 },
            frost: if at % 4 == 3 { 5.0 } else { 0.5 },
            magnify: if at == 2 { 1.2 } else { 1.0 },
            ..plain.clone()
        };
        let corner = Vec2::new((at % 5) as f32 * 190.0, (at / 5) as f32 * 170.0);
        let lens = |part: usize| {
            let place = corner + Vec2::new(70.0 + 33.0 * part as f32, 75.0);
            shaped(&own, place.to_array(), [17.0, 12.0], at + part)
        };
        GlassScene::new(&own, &(0..1 + at % 3).map(lens).collect::<Vec<_>>(), 1.0)
    });
    cases.push(Case::new("ten bodies of different glass", many([960, 340], vec![bodies.collect()])));
    cases
}
