//! Passes before the lens: the pre-blur of one mip level, and dual Kawase, around the lenses.

pub mod blur;
pub mod preblur;
pub mod work;

use self::blur::kawase;
use self::preblur::{PAIRS, Preblur, Read, Region, paired_taps, pairs_needed, preblur};
use base::timing::PassId;
use glam::{IVec2, UVec2, Vec2};
use gpu::gpu_struct;
use gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, PipelineCache, Result, Sampler, Use,
    full_chain,
};
use scene::Blur;
use std::{collections::HashMap, sync::Arc};
use technique::BoxBlur;

const ROWS: PassId = PassId::new("glass/preblur_rows");
const COLUMNS: PassId = PassId::new("glass/preblur_columns");
const HALVE: PassId = PassId::new("glass/halve");
const DOWN: PassId = PassId::new("glass/kawase_down");
const UP: PassId = PassId::new("glass/kawase_up");
pub const PREBLURS: [PassId; 5] = [ROWS, COLUMNS, HALVE, DOWN, UP];

gpu_struct! {
    pub struct PreblurPush {
        place: Vec2,
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
    pub struct HalvePush { place: Vec2, extent: UVec2, size: Vec2, lod: f32 }
}

gpu_struct! {
    pub struct KawasePush { corner: UVec2, extent: UVec2, size: Vec2, reach: Vec2 }
}

/// The second corner is excluded.
pub type Area = (UVec2, UVec2);

pub struct PreblurImages {
    pub view: ImageView,
    /// From pixels to uv.
    pub place: UvTransform,
    pub made: Area,
}

impl PreblurImages {
    fn of(boxed: &BoxBlur) -> Self {
        let scale = UVec2::from_array(boxed.light.size()).as_vec2().recip();
        let place = UvTransform { scale, shift: -IVec2::from_array(boxed.first).as_vec2() * scale };
        Self { view: boxed.light.clone(), place, made: (UVec2::ZERO, UVec2::from_array(boxed.size)) }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct UvTransform {
    pub scale: Vec2,
    pub shift: Vec2,
}

#[derive(Clone)]
struct Source {
    view: ImageView,
    lod: f32,
    first: Vec2,
}

impl Source {
    fn size(&self) -> Vec2 {
        UVec2::from_array(self.view.image().mip(self.lod as u32).size()).as_vec2()
    }
}

pub struct Frost {
    gpu: Arc<Gpu>,
    preblur: ComputePipeline,
    halve: PipelineCache<()>,
    kept: HashMap<usize, Image>,
    kawase: PipelineCache<u32>,
    pyramid: ImageSlot,
}

/// So that few images are made while a lens grows.
const ROUNDED: u32 = 64;

impl Frost {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Frost> {
        let preblur = ComputePipeline::new(gpu, "glass/preblur.comp", &[])?.with_push::<PreblurPush>()?;
        Ok(Frost {
            gpu: gpu.clone(),
            preblur,
            halve: PipelineCache::default(),
            kept: HashMap::new(),
            kawase: PipelineCache::default(),
            pyramid: ImageSlot::default(),
        })
    }

    /// `sigma`: pixels, of level 0, mirrored beyond the picture; nothing where the method reads the chain itself.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        chain: &Image,
        blur: Blur,
        sigma: f32,
        area: Region,
        boxed: Option<&BoxBlur>,
    ) -> Result<Option<PreblurImages>> {
        let (levels, full) = (chain.mips(), UVec2::from_array(chain.size()));
        let read = match blur {
            Blur::Preblur => Read::Spline,
            Blur::Table => match boxed {
                Some(boxed) => return Ok(Some(PreblurImages::of(boxed))),
                None => Read::Bilinear,
            },
            Blur::Kawase => {
                // A read in the last texel may touch the next one with no weight: it must be a number.
                let inside = |corner: IVec2| corner.clamp(IVec2::ZERO, full.as_ivec2()).as_uvec2();
                let made = (inside(area.0 - 1), inside(area.1 + 1));
                let view = self.record_kawase(frame, chain, sigma, made)?;
                let place = UvTransform { scale: full.as_vec2().recip(), shift: Vec2::ZERO };
                return Ok(Some(PreblurImages { view: view.through(Sampler::LinearMirror), place, made }));
            }
            Blur::Box81 | Blur::Trilinear | Blur::Bicubic => return Ok(None),
        };
        self.record_preblur(frame, chain, &preblur(sigma, read, levels, full), area).map(Some)
    }

    fn record_preblur(
        &mut self,
        frame: &mut Frame,
        chain: &Image,
        plan: &Preblur,
        area: Region,
    ) -> Result<PreblurImages> {
        let regions = plan.regions(area);
        let all = chain.all().through(Sampler::LinearMirror);
        let mut source = Source { view: all, lod: plan.from as f32, first: Vec2::ZERO };
        for (at, region) in regions.halved.iter().enumerate() {
            source = self.record_half(frame, &source, *region, at + 2)?;
        }
        let (middle, pairs) = paired_taps(&plan.weights);
        let base = PreblurPush {
            place: Vec2::ZERO,
            extent: UVec2::ZERO,
            step: Vec2::ZERO,
            size: Vec2::ZERO,
            lod: 0.0,
            pairs: pairs_needed(&plan.weights),
            middle,
            offsets: pairs.map(|pair| pair.0),
            weights: pairs.map(|pair| pair.1),
        };
        let ways = [(regions.rows, Vec2::X, ROWS), (regions.done, Vec2::Y, COLUMNS)];
        for (at, (region, way, name)) in ways.into_iter().enumerate() {
            let extent = (region.1 - region.0).as_uvec2();
            let (result, first, size) = (self.kept_image(at, extent)?, region.0.as_vec2(), source.size());
            let place = first - source.first + 0.5;
            let push = PreblurPush { place, extent, step: way / size, size, lod: source.lod, ..base };
            let pass = frame.compute(name, &self.preblur).bind("source", source.view).bind("result", &result);
            let pass = pass.counted(|| work::preblur(extent, at, base.pairs));
            pass.push(&push).dispatch(extent.to_array())?;
            source = Source { view: result.mip(0).through(Sampler::LinearClamp), lod: 0.0, first };
        }
        let scale = (source.size() * (1 << plan.level) as f32).recip();
        let shift = -source.first / source.size();
        let made = (UVec2::ZERO, (regions.done.1 - regions.done.0).as_uvec2());
        Ok(PreblurImages { view: source.view, place: UvTransform { scale, shift }, made })
    }

    fn record_half(&mut self, frame: &mut Frame, source: &Source, region: Region, at: usize) -> Result<Source> {
        let halve = || ComputePipeline::new(&self.gpu, "glass/halve.comp", &[])?.with_push::<HalvePush>();
        let halve = self.halve.get((), |()| halve())?;
        let (extent, first) = ((region.1 - region.0).as_uvec2(), region.0.as_vec2());
        let result = self.kept_image(at, extent)?;
        let push = HalvePush { place: 2.0 * first + 1.0 - source.first, extent, size: source.size(), lod: source.lod };
        let pass = frame
            .compute(HALVE, &halve)
            .counted(|| work::halve(extent))
            .bind("source", source.view.clone())
            .bind("result", &result);
        pass.push(&push).dispatch(extent.to_array())?;
        Ok(Source { view: result.mip(0).through(Sampler::LinearClamp), lod: 0.0, first })
    }

    fn kept_image(&mut self, at: usize, extent: UVec2) -> Result<Image> {
        let had = self.kept.get(&at).map_or(UVec2::ZERO, |image| UVec2::from_array(image.size()));
        if let Some(image) = self.kept.get(&at).filter(|_| extent.cmple(had).all()) {
            return Ok(image.clone());
        }
        let size = had.max(extent).map(|n| n.div_ceil(ROUNDED) * ROUNDED).to_array();
        let desc = ImageDesc::new("glass frost", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        let image = Image::new(&self.gpu, desc)?;
        self.kept.insert(at, image.clone());
        Ok(image)
    }

    #[cfg(test)]
    pub fn poison(&self, bench: &mut lab::TestBench) -> anyhow::Result<()> {
        const NOT_A_NUMBER: u16 = 0x7e00;
        for image in self.kept.values() {
            let texels = vec![[NOT_A_NUMBER; 4]; UVec2::from_array(image.size()).element_product() as usize];
            bench.run(|frame| frame.upload(&image.mip(0), &texels))?;
        }
        Ok(())
    }

    fn record_kawase(&mut self, frame: &mut Frame, chain: &Image, sigma: f32, area: Area) -> Result<ImageView> {
        let plan = kawase(sigma, full_chain(chain.size()));
        let desc = ImageDesc::new("glass kawase", chain.size(), Format::Rgba16F, &[Use::Sample, Use::Storage]);
        let pyramid = self.pyramid.fit(&self.gpu, desc.mips(full_chain(chain.size())))?;
        let make =
            |up: &u32| ComputePipeline::new(&self.gpu, "glass/kawase.comp", &[("UP", *up)])?.with_push::<KawasePush>();
        let (down, up) = (self.kawase.get(0, make)?, self.kawase.get(1, make)?);
        let size = |level: u32| UVec2::from_array(pyramid.mip(level).size());
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
        let step = |frame: &mut Frame, pipeline, from: ImageView, to: u32, area: Area, is_up: bool| {
            let result = pyramid.mip(to);
            let way = if is_up { 0.5 } else { 1.0 } * plan.spread;
            let reach = Vec2::splat(way) / UVec2::from_array(from.size()).as_vec2();
            let push = KawasePush { corner: area.0, extent: area.1 - area.0, size: size(to).as_vec2(), reach };
            let name = if is_up { UP } else { DOWN };
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
}

fn wider(low: UVec2, high: UVec2, size: UVec2) -> Area {
    let low = UVec2::new(low.x.saturating_sub(4), low.y.saturating_sub(4)).min(size - 1);
    (low, (high + 4).min(size).max(low + 1))
}
