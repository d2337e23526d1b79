//! Check of the glass' frost by summed-area tables.

use base::boxes::Boxes;
use glam::Vec2;
use glass::{
    Blur, BoxBlurRequest, GlassInput, GlassSettings, GlassStack, LiquidGlass,
    lab::reference::{Glass, GlassScene, lens::render, picture::Picture},
};
use gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Sampler, Use};
use lab::{Case, Effort, Reference, TestBench, Verdict, test_picture};
use media::difference::Errors;
use scene::Lens;
use summed_area::{SummedArea, SummedAreaSettings};
use technique::Technique;

pub(super) struct LensOverTable {
    shown: ImageView,
    chain: Image,
    glass: LiquidGlass,
    tables: SummedArea,
    pub target: ImageView,
}

impl LensOverTable {
    pub fn new(bench: &mut TestBench, size: [u32; 2]) -> anyhow::Result<Self> {
        let rgba = test_picture(size);
        let picture = Picture::of_rgba(size, &rgba);
        let shown = bench.picture(size, &rgba)?.mip(0).through(Sampler::LinearClamp);
        let desc = ImageDesc::new("chain", size, Format::Rgba16F, &[Use::Sample]);
        let chain = Image::new(bench.gpu(), desc.mips(picture.chain.len() as u32))?;
        for (at, level) in (0..).zip(&picture.chain) {
            let half = |c: f32| base::half::from_f64(f64::from(c));
            let texels: Vec<[u16; 4]> = level.texels.iter().map(|c| c.extend(1.0).to_array().map(half)).collect();
            bench.run(|frame| frame.upload(&chain.mip(at), &texels))?;
        }
        let target = bench.image(ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]), &rgba)?.mip(0);
        let (glass, tables) = (LiquidGlass::new(bench.gpu())?, SummedArea::new(bench.gpu())?);
        Ok(Self { shown, chain, glass, tables, target })
    }

    pub fn record(&mut self, frame: &mut Frame, settings: &GlassSettings, lens: &Lens, scale: f32) -> Result<()> {
        let lenses = std::slice::from_ref(lens);
        let boxed = match GlassStack::new(settings, lenses, scale, self.shown.size()).boxes(self.shown.size()) {
            Some(BoxBlurRequest { sigma, part }) => {
                let (how, light) = (SummedAreaSettings::default(), self.chain.mip(0));
                self.tables.blur(frame, &how, &light, Boxes::of(sigma), part)?
            }
            None => None,
        };
        let (picture, chain, boxed) = (&self.shown, &self.chain, boxed.as_ref());
        let below = GlassInput { picture, chain, behind: picture, around: chain, boxed };
        self.glass.record(frame, settings, lenses, scale, below, &self.target)
    }
}

pub(super) fn lens_at(settings: &GlassSettings, center: Vec2) -> Lens {
    settings.placed(center).turned(0.0)
}

pub struct Frost;

/// Frost in pixels at a scale of 1, and the middle of the lens.
pub struct FrostCase {
    frost: f32,
    center: Vec2,
}

const SIZE: [u32; 2] = [301, 187];
const SCALE: f32 = 0.5;

impl FrostCase {
    fn settings(&self) -> GlassSettings {
        GlassSettings { frost: self.frost, blur: Blur::Table, adaptive: 0.0, ..Default::default() }
    }
}

impl Reference for Frost {
    const NAME: &'static str = "frost by tables";
    type Input = FrostCase;
    /// Display values, 0..255.
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<FrostCase>> {
        let all = [(7.0, [150.0, 90.0]), (1.4, [80.3, 100.0]), (40.0, [140.0, 93.0]), (12.0, [4.0, 180.0])];
        let case = |(frost, [x, y]): (f32, [f32; 2])| {
            Case::new(format!("frost {frost} at {x},{y}"), FrostCase { frost, center: Vec2::new(x, y) })
        };
        all.into_iter().map(case).collect()
    }

    fn cpu(frosted: &FrostCase) -> Vec<f32> {
        let settings = frosted.settings();
        let lens = lens_at(&settings, frosted.center);
        let glass = Glass::new(&GlassScene::new(&settings, &[lens], SCALE));
        let made = render(&Picture::of_rgba(SIZE, &test_picture(SIZE)), &glass);
        made.texels.iter().flat_map(|c| (*c * 255.0).round().to_array()).collect()
    }

    fn gpu(bench: &mut TestBench, frosted: &FrostCase) -> anyhow::Result<Vec<f32>> {
        let (mut glazed, settings) = (LensOverTable::new(bench, SIZE)?, frosted.settings());
        let lens = lens_at(&settings, frosted.center);
        bench.run(|frame| glazed.record(frame, &settings, &lens, SCALE))?;
        let texels: Vec<[u8; 4]> = bench.read(&glazed.target)?;
        Ok(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect())
    }

    fn agree(_: &FrostCase, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        // Observed: worst 0.008, 0, 1 (Mesa 25.0.7); the maximum is that of a lens (`glass/lab/checks.rs`).
        Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), [0.3, 2.0, 32.0])
    }
}
