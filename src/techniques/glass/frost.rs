//! What some ways to blur make beforehand: the pre-blur of one mip level, and dual Kawase; only around the lenses.

use super::oracle::blur::{PAIRS, Preblur, Read, kawase, paired_taps, pairs_needed, preblur};
use super::oracle::lens::Blur;
use crate::gpu::{ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, Result, Sampler, Use, View, full_chain};
use crate::gpu_struct;
use glam::{UVec2, Vec2};
use std::sync::Arc;

gpu_struct! {
    /// Push constants of the pre-blur, as in shaders/glass/preblur.comp.
    pub struct PreblurPush {
        corner: UVec2,
        extent: UVec2,
        step: Vec2,
        size: Vec2,
        lod: f32,
        pairs: u32,
        middle: f32,
        offsets: [f32; PAIRS],
        weights: [f32; PAIRS],
    }
}

gpu_struct! {
    /// Push constants of a step of dual Kawase, as in shaders/glass/kawase.comp.
    pub struct KawasePush { corner: UVec2, extent: UVec2, size: Vec2, reach: Vec2 }
}

/// Corners of a part of a picture in whole texels; the second one is excluded.
pub type Area = (UVec2, UVec2);

/// Pipelines and pictures, made as they are needed and kept.
pub struct Frost {
    gpu: Arc<Gpu>,
    preblur: ComputePipeline,
    /// Two pictures for the two directions of the pre-blur, of the size of the level that was asked for last.
    halves: Option<[Image; 2]>,
    /// Down and up.
    kawase: Option<[ComputePipeline; 2]>,
    pyramid: Option<Image>,
}

impl Frost {
    /// Makes the pre-blur's pipeline.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Frost> {
        let preblur = ComputePipeline::new(gpu, "glass/preblur.comp", &[])?.with_push::<PreblurPush>()?;
        Ok(Frost { gpu: gpu.clone(), preblur, halves: None, kawase: None, pyramid: None })
    }

    /// Blurs `area` of the chain's level 0 by `sigma` pixels and gives what the shader reads as `frosted`; nothing where this
    /// way to blur reads the chain itself.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        chain: &Image,
        blur: Blur,
        sigma: f32,
        area: Area,
    ) -> Result<Option<View>> {
        let (levels, full) = (chain.mips(), UVec2::from_array(chain.size()));
        let made = match blur {
            Blur::Preblur => self.record_preblur(frame, chain, &preblur(sigma, Read::Spline, levels, full), area)?,
            Blur::PreblurBilinear => {
                self.record_preblur(frame, chain, &preblur(sigma, Read::Bilinear, levels, full), area)?
            }
            Blur::Kawase => self.record_kawase(frame, chain, sigma, area)?,
            Blur::Box81 | Blur::Trilinear | Blur::Bicubic | Blur::Window => return Ok(None),
        };
        Ok(Some(made.through(Sampler::LinearMirror)))
    }

    fn record_preblur(&mut self, frame: &mut Frame, chain: &Image, plan: &Preblur, area: Area) -> Result<View> {
        let size = chain.mip(plan.level).size();
        let [half, done] = self.half_images(size)?;
        let (full, size) = (UVec2::from_array(chain.size()), UVec2::from_array(size));
        let scale = size.as_vec2() / full.as_vec2();
        // The spline reads two texels to each side.
        let margin = 3.0 + f32::from(plan.level == 0);
        let low = (area.0.as_vec2() * scale - margin).max(Vec2::ZERO).floor().as_uvec2();
        let high = (area.1.as_vec2() * scale + margin).ceil().as_uvec2().min(size);
        let [x, y] = plan.weights.map(|weights| paired_taps(&weights));
        let texel = Vec2::ONE / size.as_vec2();
        let push = PreblurPush {
            corner: low,
            extent: high - low,
            step: Vec2::new(texel.x, 0.0),
            size: size.as_vec2(),
            lod: plan.level as f32,
            pairs: pairs_needed(&plan.weights),
            middle: x.0,
            offsets: x.1.map(|pair| pair.0),
            weights: x.1.map(|pair| pair.1),
        };
        // The second direction reads two texels a pair above and below the part.
        let reach = 2 * push.pairs + 1;
        let (top, bottom) = (low.y.saturating_sub(reach), (high.y + reach).min(size.y));
        let first =
            PreblurPush { corner: UVec2::new(low.x, top), extent: UVec2::new(high.x - low.x, bottom - top), ..push };
        let source = chain.all().through(Sampler::LinearMirror);
        let pass = frame.compute("glass/preblur_rows", &self.preblur).bind("source", source).bind("result", &half);
        pass.push(&first).dispatch(first.extent.to_array())?;
        let second = PreblurPush {
            step: Vec2::new(0.0, texel.y),
            lod: 0.0,
            middle: y.0,
            offsets: y.1.map(|pair| pair.0),
            weights: y.1.map(|pair| pair.1),
            ..push
        };
        let source = half.mip(0).through(Sampler::LinearMirror);
        let pass = frame.compute("glass/preblur_columns", &self.preblur).bind("source", source).bind("result", &done);
        pass.push(&second).dispatch(second.extent.to_array())?;
        Ok(done.mip(0))
    }

    fn record_kawase(&mut self, frame: &mut Frame, chain: &Image, sigma: f32, area: Area) -> Result<View> {
        let plan = kawase(sigma, full_chain(chain.size()));
        let pyramid = self.pyramid_for(chain.size())?;
        let [down, up] = self.kawase_pipelines()?;
        let size = |level: u32| UVec2::from_array(pyramid.mip(level).size());
        // The areas that the way up needs, then those that the way down needs for the last of them.
        let mut ups = vec![area];
        for level in 1..=plan.steps {
            let (low, high) = ups[level as usize - 1];
            ups.push(wider(low / 2, high.map(|n| n.div_ceil(2)), size(level)));
        }
        let mut downs = vec![ups[plan.steps as usize]];
        for level in (1..plan.steps).rev() {
            let (low, high) = downs[downs.len() - 1];
            downs.push(wider(low * 2, high * 2, size(level)));
        }
        let step = |frame: &mut Frame, pipeline, from: View, to: u32, area: Area, is_up: bool| {
            let result = pyramid.mip(to);
            let way = if is_up { 0.5 } else { 1.0 } * plan.spread;
            let reach = Vec2::splat(way) / UVec2::from_array(from.size()).as_vec2();
            let push = KawasePush { corner: area.0, extent: area.1 - area.0, size: size(to).as_vec2(), reach };
            let name = if is_up { "glass/kawase_up" } else { "glass/kawase_down" };
            let pass = frame.compute(name, pipeline).bind("source", from.through(Sampler::LinearMirror));
            pass.bind("result", &result).push(&push).dispatch(push.extent.to_array())
        };
        for level in 1..=plan.steps {
            let from = if level == 1 { chain.mip(0) } else { pyramid.mip(level - 1) };
            step(frame, &down, from, level, downs[(plan.steps - level) as usize], false)?;
        }
        for level in (0..plan.steps).rev() {
            step(frame, &up, pyramid.mip(level + 1), level, ups[level as usize], true)?;
        }
        Ok(pyramid.mip(0))
    }

    fn half_images(&mut self, size: [u32; 2]) -> Result<[Image; 2]> {
        if let Some(images) = self.halves.as_ref().filter(|images| images[0].size() == size) {
            return Ok(images.clone());
        }
        let image =
            |name| Image::new(&self.gpu, ImageDesc::new(name, size, Format::Rgba16F, &[Use::Sample, Use::Storage]));
        Ok(self.halves.insert([image("glass frost rows")?, image("glass frost")?]).clone())
    }

    fn pyramid_for(&mut self, size: [u32; 2]) -> Result<Image> {
        if let Some(pyramid) = self.pyramid.as_ref().filter(|pyramid| pyramid.size() == size) {
            return Ok(pyramid.clone());
        }
        let desc = ImageDesc::new("glass kawase", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        Ok(self.pyramid.insert(Image::new(&self.gpu, desc.mips(full_chain(size)))?).clone())
    }

    fn kawase_pipelines(&mut self) -> Result<[ComputePipeline; 2]> {
        if let Some(made) = &self.kawase {
            return Ok(made.clone());
        }
        let make = |up| ComputePipeline::new(&self.gpu, "glass/kawase.comp", &[("UP", up)])?.with_push::<KawasePush>();
        Ok(self.kawase.insert([make(0)?, make(1)?]).clone())
    }
}

/// An area with the reach of the taps around it, inside its level.
fn wider(low: UVec2, high: UVec2, size: UVec2) -> Area {
    let low = UVec2::new(low.x.saturating_sub(4), low.y.saturating_sub(4)).min(size - 1);
    (low, (high + 4).min(size).max(low + 1))
}
