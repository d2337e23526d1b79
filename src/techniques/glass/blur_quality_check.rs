//! Check of every blur method on the GPU against a true Gaussian, over pictures of several kinds.

use super::blur_judge::{JudgeInput, whole_numbers};
use super::blur_quality::{BlurComparison, area_around, psnr};
use super::checks::{boxed_of, chain_of, painted, test_picture};
use super::passes::BoxBlurRequest;
use super::preblur::Frost;
use super::reference::picture::{Level, Picture};
use super::settings::Blur;
use crate::gpu::Gpu;
use crate::lab::{Case, Effort, Reference, TestBench, Verdict};
use crate::scene::picture::Motif;
use glam::{UVec2, Vec2, Vec3};

/// Even down to level 4; down to level 2; nowhere.
const SIZES: [UVec2; 3] = [UVec2::new(480, 304), UVec2::new(480, 300), UVec2::new(477, 301)];

/// Worst-case picture for blurs: single white pixels on black, lines and squares one pixel wide, and ever closer rings.
fn hostile(size: UVec2) -> Picture {
    let texel = |at: u32| {
        let (x, y) = (at % size.x, at / size.x);
        let right = x > size.x / 2;
        let white = match (right, y > size.y / 2) {
            (false, false) => (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 26 == 0,
            (true, false) => (x / (1 + y / 40)).is_multiple_of(2),
            (false, true) => (x + y).is_multiple_of(2) && (x / 16 + y / 16).is_multiple_of(2),
            (true, true) => (Vec2::new(x as f32, y as f32).distance_squared(size.as_vec2() * 0.75) * 0.02).sin() > 0.0,
        };
        Vec3::splat(f32::from(u8::from(white)))
    };
    Picture::new(Level { size, texels: (0..size.x * size.y).map(texel).collect() })
}

/// One picture and one sigma.
pub struct Input {
    picture: Picture,
    sigma: f32,
}

/// PSNR in dB of every way to blur.
pub struct BlurOracle;

/// Least PSNR of each method at any sigma over any picture here, dB. Those that read coarse levels suffer where a level's size
/// is odd.
fn least(blur: Blur) -> f64 {
    match blur {
        Blur::Box81 => 20.0,
        Blur::Trilinear => 30.0,
        Blur::Bicubic => 32.0,
        Blur::Kawase => 24.0,
        Blur::Table => 44.0,
        Blur::PreblurBilinear => 45.0,
        Blur::Window => 47.0,
        Blur::Preblur => 50.0,
    }
}

/// [`psnr`] of two equal pictures.
const NO_DIFFERENCE_DB: f64 = 120.0;

impl Reference for BlurOracle {
    const NAME: &'static str = "blur";
    type Input = Input;
    type Output = Vec<(Blur, f64)>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Input>> {
        let sigmas: &[f32] = if effort == Effort::Full { &[2.0, 3.9, 4.1, 7.0, 16.0, 32.0] } else { &[2.0, 16.0] };
        let sizes = if effort == Effort::Full { &SIZES[..] } else { &SIZES[1..2] };
        let mut cases = Vec::new();
        for &size in sizes {
            for name in ["test", "hostile", "dusk", "paper", "code"] {
                let picture = match name {
                    "dusk" => painted(Motif::Dusk, size),
                    "paper" => painted(Motif::Paper, size),
                    "hostile" => hostile(size),
                    "code" => painted(Motif::Code, size),
                    _ => test_picture(size),
                };
                for &sigma in sigmas {
                    cases.push(Case {
                        name: format!("{name} {}x{} sigma {sigma}", size.x, size.y),
                        input: Input { picture: picture.clone(), sigma },
                    });
                }
            }
        }
        cases
    }

    /// The judge is the true Gaussian, which the GPU computes itself: weight by weight, with no way to go wrong by levels.
    fn cpu(_: &Input) -> Self::Output {
        Blur::ALL.iter().map(|blur| (*blur, least(*blur))).collect()
    }

    fn gpu(bench: &mut TestBench, input: &Input) -> anyhow::Result<Self::Output> {
        let (size, chain) = (input.picture.size(), chain_of(bench, &input.picture)?);
        let (mut judge, mut frost) = (BlurComparison::new(bench.gpu())?, Frost::new(bench.gpu())?);
        let area = area_around(Vec2::new(200.0, 150.0), UVec2::new(320, 224), size);
        let wanted = BoxBlurRequest::around(input.sigma, whole_numbers(area));
        let boxed = boxed_of(bench, &input.picture, Some(wanted))?;
        let below = JudgeInput { chain: &chain, boxed: boxed.as_ref() };
        let reads = bench.run(|frame| judge.record_errors(frame, &mut frost, below, input.sigma, area))?;
        let figure =
            |(blur, read): &(Blur, crate::gpu::ReadBack)| anyhow::Ok((*blur, psnr(&read.read()?, area.1 - area.0)));
        reads.iter().map(figure).collect()
    }

    fn agree(_: &Input, least: &Self::Output, found: &Self::Output) -> Verdict {
        let line = |((blur, least), (_, found)): (&(Blur, f64), &(Blur, f64))| {
            format!("{} {found:.1} dB (at least {least:.0})", blur.name())
        };
        // No blur is the Gaussian to the last bit: where nothing differs, nothing was drawn.
        let is_right = |(least, found): (&(Blur, f64), &(Blur, f64))| (least.1..NO_DIFFERENCE_DB).contains(&found.1);
        let passed = found.len() == least.len() && least.iter().zip(found).all(is_right);
        Verdict { passed, text: least.iter().zip(found).map(line).collect::<Vec<_>>().join(", ") }
    }
}
