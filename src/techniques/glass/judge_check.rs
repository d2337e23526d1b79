//! Every way to blur on the GPU against a true Gaussian, over pictures of several kinds.

use super::judge::{Judge, area_around, psnr};
use super::oracle::picture::Picture;
use super::settings::Blur;
use super::{
    checks::{painted, test_picture},
    frost::Frost,
};
use crate::gpu::{Format, Gpu, Image, ImageDesc, Use};
use crate::lab::{Bed, Case, Effort, Oracle, Verdict};
use crate::scene::picture::Motif;
use glam::{UVec2, Vec2};

/// Even down to level 4, then odd.
const SIZE: UVec2 = UVec2::new(480, 304);

/// One picture and one sigma.
pub struct Input {
    picture: Picture,
    sigma: f32,
}

/// PSNR in dB of every way to blur.
pub struct BlurOracle;

/// What each way must reach at any sigma over any picture here, dB. Those that read coarse levels suffer where a level's size
/// is odd.
fn least(blur: Blur) -> f64 {
    match blur {
        Blur::Box81 => 10.0,
        Blur::Trilinear => 24.0,
        Blur::Bicubic => 30.0,
        Blur::Kawase => 30.0,
        Blur::PreblurBilinear => 42.0,
        Blur::Window => 40.0,
        Blur::Preblur => 49.0,
    }
}

impl Oracle for BlurOracle {
    const NAME: &'static str = "blur";
    type Input = Input;
    type Output = Vec<(Blur, f64)>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Input>> {
        let sigmas: &[f32] = if effort == Effort::Full { &[2.0, 3.9, 4.1, 7.0, 16.0, 32.0] } else { &[2.0, 7.0] };
        let mut cases = Vec::new();
        for name in ["test", "dusk", "paper", "code"] {
            let picture = match name {
                "dusk" => painted(Motif::Dusk, SIZE),
                "paper" => painted(Motif::Paper, SIZE),
                "code" => painted(Motif::Code, SIZE),
                _ => test_picture(SIZE),
            };
            for &sigma in sigmas {
                cases.push(Case {
                    name: format!("{name} sigma {sigma}"),
                    input: Input { picture: picture.clone(), sigma },
                });
            }
        }
        cases
    }

    /// The judge is the true Gaussian, which the GPU computes itself: weight by weight, with no way to go wrong by levels.
    fn cpu(_: &Input) -> Self::Output {
        Blur::ALL.iter().map(|blur| (*blur, least(*blur))).collect()
    }

    fn gpu(bed: &mut Bed, input: &Input) -> anyhow::Result<Self::Output> {
        let levels = &input.picture.chain;
        let desc = ImageDesc::new("chain", SIZE.to_array(), Format::Rgba32F, &[Use::Sample]);
        let chain = Image::new(bed.gpu(), desc.mips(levels.len() as u32))?;
        bed.run(|frame| {
            for (at, level) in (0..).zip(levels) {
                let texels: Vec<[f32; 4]> = level.texels.iter().map(|c| c.extend(1.0).to_array()).collect();
                frame.upload(&chain.mip(at), &texels)?;
            }
            Ok(())
        })?;
        let (mut judge, mut frost) = (Judge::new(bed.gpu())?, Frost::new(bed.gpu())?);
        let area = area_around(Vec2::new(200.0, 150.0), UVec2::new(320, 224), SIZE);
        let reads = bed.run(|frame| judge.record_errors(frame, &mut frost, &chain, input.sigma, area))?;
        let figure =
            |(blur, read): &(Blur, crate::gpu::ReadBack)| anyhow::Ok((*blur, psnr(&read.read()?, area.1 - area.0)));
        reads.iter().map(figure).collect()
    }

    fn agree(_: &Input, least: &Self::Output, found: &Self::Output) -> Verdict {
        let line = |((blur, least), (_, found)): (&(Blur, f64), &(Blur, f64))| {
            format!("{} {found:.1} dB (at least {least:.0})", blur.name())
        };
        let passed = found.len() == least.len() && least.iter().zip(found).all(|(least, found)| found.1 >= least.1);
        Verdict { passed, text: least.iter().zip(found).map(line).collect::<Vec<_>>().join(", ") }
    }
}
