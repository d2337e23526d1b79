//! Check that the lens as a dispatch and as draws gives the same bytes but for single pixels, which are those of the CPU reference.

use super::checks::{Fixture, GlassKind, Input, Pixels, bytes};
use super::reference::GlassScene;
use super::text_outline_check::words;
use crate::settings::{Blur, GlassSettings, Preset};
use glam::{UVec2, Vec2};
use gpu::{Format, Gpu, ImageDesc, Use};
use lab::{Case, Effort, Reference, TestBench, Verdict};
use scene::{Press, Shape};
use technique::DrawnBy;

pub struct WaysOracle;

/// One pixel in as many may differ: drivers contract operations differently, and where the bevel is steep the number of
/// taps jumps by a rounding. Observed: worst one of 38640 (NVIDIA 580.159.04).
const ONE_IN: usize = 15_000;

const TARGETS: [(Format, &[Use]); 3] = [
    (Format::Rgba8, &[Use::Color, Use::Storage]),
    (Format::Bgra8, &[Use::Color, Use::Storage]),
    // As the images of a window.
    (Format::Bgra8, &[Use::Color]),
];

// Longer than ten seconds: every lens, drawn and dispatched, to three kinds of target.
impl Reference for WaysOracle {
    const NAME: &'static str = "ways";
    type Input = Input;
    type Output = Pixels;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Input>> {
        let mut cases = Vec::new();
        let mut add = |name: &str, size: [u32; 2], what| {
            cases.push(Case::new(name, Input::new(UVec2::from_array(size), GlassKind::Lens(Box::new(what)))));
        };
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
        let whole: &[Blur] = if effort == Effort::Full { Blur::ALL } else { &[Blur::Preblur, Blur::Bicubic] };
        for blur in whole {
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
        let lens = |at: [f32; 2], scale: f32| plain.placed(Vec2::from_array(at)).scaled(0.3 / scale);
        let turned = lens([150.0, 90.0], 0.7).turned(0.4_f32.to_degrees());
        add(
            "three that melt",
            [257, 143],
            GlassScene::new(&plain, &[lens([70.0, 60.0], 0.7), turned, lens([200.0, 40.0], 0.7)], 0.7),
        );
        let eight: Vec<_> = (0..8).map(|i| lens([20.0 + 31.0 * i as f32, 40.0 + 9.0 * i as f32], 0.5)).collect();
        let magnifies = GlassSettings { magnify: 1.2, ..plain.clone() };
        add("eight that melt and magnify", [257, 143], GlassScene::new(&magnifies, &eight, 0.5));
        let written = words("Aa8", Vec2::new(130.0, 72.0), Vec2::new(220.0, 120.0), 0.05);
        add("words", [257, 143], GlassScene::new(&plain, &[written], 0.5));
        add("words and a lens", [257, 143], GlassScene::new(&plain, &[written, lens([60.0, 100.0], 0.5)], 0.5));
        cases
    }

    fn cpu(input: &Input) -> Pixels {
        input.by_reference()
    }

    fn gpu(bench: &mut TestBench, input: &Input) -> anyhow::Result<Pixels> {
        let stage = Fixture::new(bench, &input.picture)?;
        let drawn = input.draw(bench, &stage, DrawnBy::Raster, &stage.target.mip(0))?;
        let swap = |pixels: &mut Pixels| pixels.iter_mut().for_each(|texel| texel.swap(0, 2));
        let mut computed = None;
        for (format, uses) in TARGETS {
            let is_swapped = format == Format::Bgra8;
            let mut below = bytes(&input.picture.encoded);
            if is_swapped {
                swap(&mut below);
            }
            let desc = ImageDesc::new("other target", input.picture.size().to_array(), format, uses);
            let target = bench.image(desc.aliases(&[Format::R32U]), &below)?;
            let mut found = input.draw(bench, &stage, DrawnBy::Compute, &target.mip(0))?;
            if is_swapped {
                swap(&mut found);
            }
            let differing = found.iter().zip(&drawn).filter(|(a, b)| a != b).count();
            anyhow::ensure!(
                differing <= drawn.len() / ONE_IN,
                "{differing} pixels of {format:?} for {uses:?} differ from those drawn"
            );
            computed.get_or_insert(found);
        }
        computed.ok_or_else(|| anyhow::anyhow!("no target"))
    }

    fn agree(input: &Input, cpu: &Pixels, gpu: &Pixels) -> Verdict {
        input.verdict(cpu, gpu)
    }
}
