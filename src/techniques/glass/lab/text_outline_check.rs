//! Checks of words of glass against the CPU reference: their fields, and whole pictures of them.

use super::checks::{Input, Pixels, picture_check};
use super::reference::GlassScene;
use super::reference::words::Field;
use crate::lens::outline::outline_of;
use crate::lens::shape::{Lens, Lenses};
use crate::settings::GlassSettings;
use crate::text::fields::Fields;
use crate::text::letters::{Letters, Outline};
use base::settings::ShortText;
use glam::{UVec2, Vec2};
use gpu::Gpu;
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use scene::LensOutline;
use std::sync::Arc;

pub fn words(text: &str, center: Vec2, half: Vec2, weight: f32) -> scene::Lens {
    let text = ShortText::from(text);
    let outline = LensOutline { text, weight, ..LensOutline::default() }.sized(half);
    scene::Lens { center, outline, ..Default::default() }
}

pub struct FieldOracle;

fn polygons(all: &[&[[f32; 2]]]) -> Option<Letters> {
    let edges = |corners: &&[[f32; 2]]| {
        let corner = |at: usize| Vec2::from_array(corners[at % corners.len()]);
        (0..corners.len())
            .map(|at| [corner(at), 0.5 * (corner(at) + corner(at + 1)), corner(at + 1)])
            .collect::<Vec<_>>()
    };
    let outline = Outline::new(all.iter().flat_map(edges), 0.0)?;
    Some(Letters::fitting(Arc::new(outline), Vec2::new(37.0, 29.0)))
}

impl Reference for FieldOracle {
    const NAME: &'static str = "fields of words";
    type Input = Lenses;
    /// Texels, one field behind the other.
    type Output = Vec<f32>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Lenses>> {
        let at = |text, x, y, weight| outline_of(&words(text, Vec2::ZERO, Vec2::new(x, y), weight), 1.0);
        let mut some = vec![
            ("a point", vec![at(".", 9.0, 8.0, 0.0)]),
            ("counters", vec![at("8B@%", 61.0, 23.0, 0.03)]),
            (
                "three, two of them alike",
                vec![at("Aa", 40.0, 31.0, 0.05), at("I", 3.0, 50.0, 0.0), at("Aa", 40.0, 31.0, 0.05)],
            ),
            ("signs of another face", vec![at("\u{2764}\u{2605}", 33.0, 30.0, 0.02)]),
        ];
        if effort == Effort::Full {
            some.push(("a long line", vec![at("Quick zephyrs blow, vexing Jim!?", 300.0, 40.0, 0.045)]));
            some.push(("large", vec![at("g", 200.0, 260.0, 0.1)]));
        }
        let mut cases: Vec<_> =
            some.into_iter().map(|(name, lens)| Case::new(name, Lenses { lens, melt: 0.0 })).collect();
        // Overlaps, reversed outlines, and more edges in one place than a group has room for.
        let square = |x: f32, half: f32| [[x - half, -half], [x + half, -half], [x + half, half], [x - half, half]];
        let star: Vec<[f32; 2]> = (0..1201_u16).map(|i| Vec2::from_angle(f32::from(i) * 2.6).to_array()).collect();
        let (a, b, c) = (square(0.0, 1.0), square(0.7, 0.8), square(-0.2, 0.4));
        let hole: Vec<[f32; 2]> = c.iter().rev().copied().collect();
        for (name, corners) in
            [("overlapping squares and a hole", vec![&a[..], &b, &hole]), ("a crowded star", vec![&star[..]])]
        {
            let letters = polygons(&corners);
            let lens = Lens { letters, ..outline_of(&words(".", Vec2::ZERO, Vec2::ONE, 0.0), 1.0) };
            cases.push(Case::new(name, Lenses { lens: vec![lens], melt: 0.0 }));
        }
        cases
    }

    fn cpu(lenses: &Lenses) -> Vec<f32> {
        let mut fields: Vec<(&Letters, Field)> = Vec::new();
        for letters in lenses.lens.iter().filter_map(|lens| lens.letters.as_ref()) {
            let Letters { outline, px, .. } = letters;
            // The same words in the same size share a field.
            if !fields.iter().any(|(other, _)| Arc::ptr_eq(&other.outline, outline) && other.px == *px) {
                let curves: Vec<_> = outline.curves.iter().map(|curve| curve.0).collect();
                let scale = Field::scale_of((*px).into(), outline.half);
                fields.push((letters, Field::new(&curves, outline.half, scale)));
            }
        }
        fields.iter().flat_map(|(_, field)| field.distance.iter().map(|d| *d as f32)).collect()
    }

    fn gpu(bench: &mut TestBench, lenses: &Lenses) -> anyhow::Result<Vec<f32>> {
        let mut fields = Fields::new(bench.gpu());
        let made = bench.run(|frame| fields.record(frame, lenses.lens.iter()))?;
        Ok(bench.read_buffer(&made)?)
    }

    fn agree(_: &Lenses, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        // On an edge the sign is as it rounds.
        let sided = |d: &[f32]| d.iter().map(|d| if d.abs() < 1e-3 { 0.0 } else { *d }).collect::<Vec<_>>();
        // Four of Newton's steps in f32. Where a curve turns as sharply as the point is far, the distance is flat to
        // the third order and they end a hundredth of a curve away: a few thousandths of a texel. Observed: worst 2.9e-3
        // (Mesa 25.0.7).
        Verdict::within("distance, texels", &Errors::between(&sided(cpu), &sided(gpu)), [1e-4, 1e-3, 5e-3])
    }
}

picture_check!(LettersOracle, "words", letters_cases, Input::by_gpu);

const SIZE: UVec2 = UVec2::new(480, 300);

fn letters_cases(effort: Effort) -> Vec<Case<Input>> {
    let (clear, frosted) = (GlassSettings::default(), GlassSettings { frost: 6.0, ..Default::default() });
    let middle = Vec2::new(240.3, 150.8);
    let aa = words("Aa", middle, Vec2::new(130.0, 110.0), 0.05);
    let turned = scene::Lens { strain: Vec2::new(0.1, 0.14), ..aa }.turned(0.4_f32.to_degrees());
    let beside = clear.placed(Vec2::new(350.0, 190.0)).scaled(0.4);
    let heart = words("\u{2764}", Vec2::new(90.0, 80.0), Vec2::new(60.0, 60.0), 0.02);
    let mut some = vec![
        ("words", &clear, vec![aa], SIZE),
        ("frosted words, turned and strained", &frosted, vec![turned], SIZE),
        ("words that melt with a superellipse and a sign", &clear, vec![turned, beside, heart], SIZE),
    ];
    // Strokes whose bevel is narrower than the rim's light reaches.
    let corner = words("gQ8", Vec2::new(330.0, 2.0), Vec2::new(120.0, 90.0), 0.0);
    some.push(("words over a corner of 333x217", &clear, vec![corner], UVec2::new(333, 217)));
    let magnified = GlassSettings { magnify: 1.4, ..clear.clone() };
    if effort == Effort::Full {
        some.push(("words that magnify", &magnified, vec![aa], SIZE));
    }
    let case = |(name, settings, lenses, size): (&str, &GlassSettings, Vec<scene::Lens>, UVec2)| {
        Case::new(name, Input::lens(size, GlassScene::new(settings, &lenses, 1.0)))
    };
    some.into_iter().map(case).collect()
}
