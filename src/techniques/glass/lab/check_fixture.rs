//! Pictures of the checks, and their place on the GPU.

use super::reference::picture::{Level, Picture};
use crate::passes::{BoxBlurRequest, GlassInput, Passes};
use crate::settings::Glass;
use base::boxes::Boxes;
use base::timing::PassId;
use glam::{UVec2, Vec2, Vec3};
use gpu::{Format, Image, ImageDesc, ImageView, Sampler, Use};
use lab::TestBench;
use scene::picture::{Motif, paint};
use technique::BoxBlur;

pub fn test_picture(size: UVec2) -> Picture {
    let mut texels = Vec::with_capacity((size.x * size.y) as usize);
    for y in 0..size.y {
        for x in 0..size.x {
            let (u, v) = (x as f32 / size.x as f32, y as f32 / size.y as f32);
            let sky = Vec3::new(0.25 + 0.7 * v, 0.2 + 0.4 * u, 0.75 - 0.5 * v);
            let disc = Vec2::new(u - 0.68, (v - 0.4) * size.y as f32 / size.x as f32).length() < 0.07;
            let checker = (0.28..0.5).contains(&u) && (0.3..0.75).contains(&v);
            let bars = (0.75..0.95).contains(&u) && x % 7 < 2;
            let c = if disc {
                Vec3::new(1.0, 0.98, 0.9)
            } else if checker {
                Vec3::splat(if (x / 9 + y / 9) % 2 == 0 { 0.96 } else { 0.08 })
            } else if bars || v > 0.9 {
                Vec3::splat(1.0)
            } else if u < 0.12 {
                Vec3::splat(0.02)
            } else {
                sky
            };
            texels.push((c * 255.0).round() / 255.0);
        }
    }
    Picture::new(Level { size, texels })
}

pub fn painted(motif: Motif, size: UVec2) -> Picture {
    Picture::of_rgba(size.to_array(), &paint(motif, size.to_array()).rgba)
}

pub struct Fixture {
    pub picture: ImageView,
    pub chain: Image,
    pub target: Image,
}

pub fn chain_of(bench: &mut TestBench, picture: &Picture) -> anyhow::Result<Image> {
    let desc = ImageDesc::new("chain", picture.size().to_array(), Format::Rgba32F, &[Use::Sample]);
    let chain = Image::new(bench.gpu(), desc.mips(picture.chain.len() as u32))?;
    bench.run(|frame| {
        for (at, level) in (0..).zip(&picture.chain) {
            let texels: Vec<[f32; 4]> = level.texels.iter().map(|c| c.extend(1.0).to_array()).collect();
            frame.upload(&chain.mip(at), &texels)?;
        }
        Ok(())
    })?;
    Ok(chain)
}

pub fn boxed_of(
    bench: &mut TestBench,
    picture: &Picture,
    wanted: Option<BoxBlurRequest>,
) -> anyhow::Result<Option<BoxBlur>> {
    let Some(BoxBlurRequest { sigma, part }) = wanted else { return Ok(None) };
    let full = picture.size().to_array();
    let texel = |[x, y]: [u32; 2]| picture.chain[0].texels[(y * full[0] + x) as usize].to_array().map(f64::from);
    let made = Boxes::of(sigma).blur(full, texel, part);
    let texels: Vec<[f32; 4]> = made.iter().map(|[r, g, b]| [*r, *g, *b, 1.0].map(|c| c as f32)).collect();
    let [low, high] = part;
    let size = [0, 1].map(|axis| (high[axis] - low[axis]) as u32);
    let image = bench.image(ImageDesc::new("boxed", size, Format::Rgba32F, &[Use::Sample]), &texels)?;
    let light = image.mip(0).through(Sampler::LinearClamp);
    Ok(Some(BoxBlur { light, first: low, size, passes: PassId::new("boxes") }))
}

impl Fixture {
    pub fn new(bench: &mut TestBench, picture: &Picture) -> anyhow::Result<Fixture> {
        let size = picture.size().to_array();
        let texels = bytes(&picture.encoded);
        let shown = bench.picture(size, bytemuck::cast_slice(&texels))?.mip(0);
        let chain = chain_of(bench, picture)?;
        let desc = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color, Use::Storage]);
        let target = bench.image(desc.aliases(&[Format::R32U]), &texels)?;
        Ok(Fixture { picture: shown, chain, target })
    }

    pub fn below<'a>(&'a self, boxed: Option<&'a BoxBlur>) -> GlassInput<'a> {
        GlassInput { picture: &self.picture, chain: &self.chain, behind: &self.picture, around: &self.chain, boxed }
    }
}

pub type Pixels = Vec<[u8; 4]>;

/// Glass over a picture.
pub fn drawn(bench: &mut TestBench, picture: &Picture, glass: &Glass) -> anyhow::Result<Pixels> {
    let stage = Fixture::new(bench, picture)?;
    let (mut passes, target) = (Passes::new(bench.gpu())?, stage.target.mip(0));
    bench.run(|frame| passes.record_lens(frame, stage.below(None), glass, &target))?;
    Ok(bench.read(&target)?)
}

pub fn bytes(level: &Level) -> Pixels {
    let byte = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
    level.texels.iter().map(|c| [byte(c.x), byte(c.y), byte(c.z), 255]).collect()
}
