//! The glass on the GPU: the structures that the shaders declare too, the pipelines, and the passes.

use super::adapt::Adapt;
use super::oracle::blur::{FROST_SIGMA, Preblur, Read, SHARP_SIGMA, paired_taps, preblur};
use super::oracle::lens::{Blur, Glass, smoothstep};
use super::oracle::shape::MAX_LENSES;
use super::settings::SourceBlur;
use super::tiles::{Part, bounds, spans};
use crate::gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, RasterDesc, RasterPipeline, Result, Sampler, Use, View,
};
use crate::gpu_struct;
use glam::{UVec2, Vec2, Vec3, Vec4};
use std::{collections::HashMap, sync::Arc};

gpu_struct! {
    /// One lens, as `Lens` in shaders/glass/glass.glsl.
    pub struct GpuLens { center: Vec2, unit_from_window: [Vec2; 2], exponent: f32, bevel: f32, bright: f32 }
}

gpu_struct! {
    /// All that a draw needs to know, as `GlassBlock` in shaders/glass/glass.glsl.
    pub struct GlassBlock {
        lens: [GpuLens; MAX_LENSES],
        count: u32,
        melt: f32,
        magnify: f32,
        height: f32,
        profile: f32,
        eta: f32,
        spread: f32,
        gap: f32,
        frost: f32,
        frosted: f32,
        axis: Vec2,
        halfway: Vec2,
        rim_width: f32,
        rim: f32,
        gloss: f32,
        caustic: f32,
        mirror: f32,
        shadow: f32,
        shadow_sigma: f32,
        shadow_drop: f32,
        contour: f32,
        saturation: f32,
        tint: Vec3,
        tint_part: f32,
        taps: u32,
        adaptive: f32,
    }
}

gpu_struct! {
    /// Push constants of every draw, as `GlassPush` in shaders/glass/push.glsl.
    pub struct GlassPush { size: Vec2, first: u32, mouse: Vec2, view: u32 }
}

gpu_struct! {
    /// Push constants of the pre-blur, as in shaders/glass/preblur.comp.
    pub struct PreblurPush {
        corner: UVec2,
        extent: UVec2,
        step: Vec2,
        size: Vec2,
        lod: f32,
        offsets: Vec3,
        weights: Vec4,
    }
}

/// The picture below the glass.
#[derive(Clone, Copy)]
pub struct Below<'a> {
    /// Display values; seen as they are.
    pub picture: &'a View,
    /// The same picture in linear light with its mip levels, level 0 of the same size.
    pub chain: &'a Image,
    /// What is seen beside the glass: the same picture, unless a view lies below the glass only.
    pub behind: &'a View,
    /// Its chain.
    pub around: &'a Image,
}

/// What is compiled into a lens pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Variant {
    part: u32,
    several: u32,
    blur: u32,
    frosted: u32,
    magnifies: u32,
    target: Format,
}

/// Pipelines and pictures of the glass, made as they are needed and kept.
pub struct Passes {
    gpu: Arc<Gpu>,
    lens: HashMap<Variant, RasterPipeline>,
    source: HashMap<(u32, Format), RasterPipeline>,
    view: Option<ComputePipeline>,
    preblur: ComputePipeline,
    /// Two pictures for the two directions of the pre-blur, of the size of the level that was asked for last.
    frost: Option<[Image; 2]>,
    /// Finds the brightness below the lenses; without it, it is what the lenses say.
    pub adapt: Option<Adapt>,
}

impl GlassBlock {
    /// The brightness that each lens is given.
    pub fn brightness(&self) -> Vec<f32> {
        self.lens.iter().take(self.count as usize).map(|lens| lens.bright).collect()
    }

    /// The block for `glass`.
    pub fn new(glass: &Glass) -> GlassBlock {
        let light = &glass.light;
        GlassBlock {
            lens: glass.lenses.lens.map(|l| GpuLens {
                center: l.center,
                unit_from_window: l.unit_from_window().to_cols_array_2d().map(Vec2::from_array),
                exponent: l.exponent,
                bevel: l.bevel,
                bright: l.bright,
            }),
            count: glass.lenses.count as u32,
            melt: glass.lenses.melt,
            magnify: glass.lenses.magnify,
            height: glass.bevel.height,
            profile: glass.bevel.profile,
            eta: glass.optics.eta,
            spread: glass.optics.spread,
            gap: glass.optics.gap,
            frost: glass.frost,
            frosted: smoothstep(SHARP_SIGMA, FROST_SIGMA, glass.frost),
            axis: light.axis,
            halfway: light.halfway,
            rim_width: light.rim_width,
            rim: light.rim,
            gloss: light.gloss,
            caustic: light.caustic,
            mirror: light.mirror,
            shadow: light.shadow,
            shadow_sigma: light.shadow_sigma,
            shadow_drop: light.shadow_drop,
            contour: light.contour,
            saturation: light.saturation,
            tint: light.tint,
            tint_part: light.tint_part,
            taps: glass.optics.taps,
            adaptive: light.adaptive,
        }
    }
}

impl Passes {
    /// Makes what every frame needs; the rest follows when it is first asked for.
    pub fn new(gpu: &Arc<Gpu>) -> Result<Passes> {
        let preblur = ComputePipeline::new(gpu, "glass/preblur.comp", &[])?.with_push::<PreblurPush>()?;
        let gpu = gpu.clone();
        Ok(Passes { gpu, lens: HashMap::new(), source: HashMap::new(), view: None, preblur, frost: None, adapt: None })
    }

    /// Draws the lenses over `target`, which holds the picture already. Pixels that no lens touches are left alone.
    pub fn record_lens(&mut self, frame: &mut Frame, below: Below, glass: &Glass, target: &View) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let spans = spans(&glass.lenses, &glass.outskirts(), size);
        if glass.lenses.count == 0 || spans.list.is_empty() {
            return Ok(());
        }
        let frosted = self.record_preblur(frame, below, glass)?;
        let block = frame.data("glass", &[GlassBlock::new(glass)])?;
        if let Some(adapt) = &mut self.adapt {
            adapt.record(frame, below.chain, glass, &block)?;
        }
        let list = frame.data("glass spans", &spans.list)?;
        let chain = below.chain.all().through(Sampler::LinearMirror);
        let around = below.around.all().through(Sampler::LinearMirror);
        let frost = frosted.clone().unwrap_or_else(|| chain.clone());
        let mut draws = Vec::new();
        for part in Part::ALL {
            let (first, count) = spans.of(part);
            if count == 0 {
                continue;
            }
            let pipeline = self.lens_pipeline(Variant::new(part, glass, frosted.is_some(), target.format()))?;
            let push = push(size).first(first);
            let mut draw = pipeline.draw_instanced(6, count).bind("spans", &list).bind("glass", &block);
            if part != Part::Face {
                draw = draw.bind("around", &around);
            }
            if part != Part::Shadow {
                draw = draw.bind("chain", &chain).bind("frosted", &frost);
            }
            draws.push(draw.push(&push));
        }
        let pass = frame.raster("glass/lens").color(target, None);
        draws.into_iter().fold(pass, |pass, draw| pass.draw(draw)).finish()
    }

    /// Draws the mode "source" with its lens at `mouse` (pixels from the top left) over `target`, which holds the picture.
    pub fn record_source(
        &mut self,
        frame: &mut Frame,
        below: Below,
        mouse: Vec2,
        blur: SourceBlur,
        target: &View,
    ) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let reach = super::oracle::source::half_extent(size.as_vec2()) + 1.0;
        let low = (mouse - reach).max(Vec2::ZERO).floor().as_uvec2();
        let high = (mouse + reach).clamp(Vec2::ZERO, size.as_vec2()).ceil().as_uvec2();
        if low.cmpge(high).any() {
            return Ok(());
        }
        let key = ((blur == SourceBlur::Mips) as u32, target.format());
        let pipeline = match self.source.get(&key) {
            Some(made) => made.clone(),
            None => {
                let constants = vec![("SOURCE_BLUR".into(), key.0)];
                let made = raster(&self.gpu, "glass/source.frag", constants, key.1)?;
                self.source.entry(key).or_insert(made).clone()
            }
        };
        let list = frame.data("glass spans", &[[low.x, low.y, high.x, high.y]])?;
        let draw = pipeline
            .draw_instanced(6, 1)
            .bind("spans", &list)
            .bind("picture", below.picture.clone().through(Sampler::LinearClamp))
            .bind("chain", below.chain.all().through(Sampler::LinearClamp))
            .bind("behind", below.behind.clone().through(Sampler::LinearClamp))
            .push(&GlassPush { mouse, ..push(size) });
        frame.raster("glass/source").color(target, None).draw(draw).finish()
    }

    /// Draws view number `view` of [`super::views::VIEWS`] over the whole of `picture`, a storage image; `mouse` as for the
    /// mode "source".
    pub fn record_view(
        &mut self,
        frame: &mut Frame,
        view: u32,
        glass: &Glass,
        mouse: Vec2,
        picture: &View,
    ) -> Result<()> {
        let pipeline = match &self.view {
            Some(made) => made.clone(),
            None => {
                let made = ComputePipeline::new(&self.gpu, "glass/view.comp", &[])?;
                let made = made.with_push::<GlassPush>()?.with_struct::<GlassBlock>("glass")?;
                self.view.insert(made).clone()
            }
        };
        let size = UVec2::from_array(picture.size());
        let block = frame.data("glass", &[GlassBlock::new(glass)])?;
        let pass = frame.compute("glass/view", &pipeline).bind("glass", &block).bind("picture", picture);
        pass.push(&GlassPush { mouse, view, ..push(size) }).dispatch(picture.size())
    }

    /// Blurs the part of one mip level that the lenses can show; nothing where the frost needs none.
    fn record_preblur(&mut self, frame: &mut Frame, below: Below, glass: &Glass) -> Result<Option<View>> {
        let read = match glass.blur {
            Blur::Preblur => Read::Spline,
            Blur::PreblurBilinear => Read::Bilinear,
            Blur::Box81 | Blur::Trilinear => return Ok(None),
        };
        if glass.frost <= SHARP_SIGMA {
            return Ok(None);
        }
        let plan = preblur(glass.frost, read, below.chain.mips());
        let level = below.chain.mip(plan.level);
        let size = level.size();
        let [half, done] = self.frost_images(size)?;
        let Some(part) = level_part(glass, &plan, below.chain.size(), size) else { return Ok(None) };
        let taps = paired_taps(&plan.weights);
        let texel = Vec2::ONE / UVec2::from_array(size).as_vec2();
        let push = PreblurPush {
            corner: part.0,
            extent: part.1 - part.0,
            step: Vec2::new(texel.x, 0.0),
            size: UVec2::from_array(size).as_vec2(),
            lod: plan.level as f32,
            offsets: Vec3::new(taps[1].0, taps[2].0, taps[3].0),
            weights: Vec4::new(taps[0].1, taps[1].1, taps[2].1, taps[3].1),
        };
        // The second direction reads six texels above and below the part.
        let (top, bottom) = (part.0.y.saturating_sub(7), (part.1.y + 7).min(size[1]));
        let first = PreblurPush {
            corner: UVec2::new(part.0.x, top),
            extent: UVec2::new(part.1.x - part.0.x, bottom - top),
            ..push
        };
        let source = below.chain.all().through(Sampler::LinearMirror);
        let pass = frame.compute("glass/preblur_rows", &self.preblur).bind("source", source).bind("result", &half);
        pass.push(&first).dispatch(first.extent.to_array())?;
        let second = PreblurPush { step: Vec2::new(0.0, texel.y), lod: 0.0, ..push };
        let source = half.mip(0).through(Sampler::LinearMirror);
        let pass = frame.compute("glass/preblur_columns", &self.preblur).bind("source", source).bind("result", &done);
        pass.push(&second).dispatch(second.extent.to_array())?;
        Ok(Some(done.mip(0).through(Sampler::LinearMirror)))
    }

    fn frost_images(&mut self, size: [u32; 2]) -> Result<[Image; 2]> {
        if let Some(images) = self.frost.as_ref().filter(|images| images[0].size() == size) {
            return Ok(images.clone());
        }
        let image =
            |name| Image::new(&self.gpu, ImageDesc::new(name, size, Format::Rgba16F, &[Use::Sample, Use::Storage]));
        let images = [image("glass frost rows")?, image("glass frost")?];
        self.frost = Some(images.clone());
        Ok(images)
    }

    fn lens_pipeline(&mut self, variant: Variant) -> Result<RasterPipeline> {
        if let Some(made) = self.lens.get(&variant) {
            return Ok(made.clone());
        }
        let mut constants: Vec<(String, u32)> = vec![("SEVERAL".into(), variant.several)];
        if variant.part != Part::Shadow as u32 {
            constants.extend([("BLUR".into(), variant.blur), ("FROSTED".into(), variant.frosted)]);
        }
        let shader = match Part::ALL[variant.part as usize] {
            Part::Face => {
                constants.push(("MAGNIFIES".into(), variant.magnifies));
                "glass/face.frag"
            }
            Part::Bevel | Part::Edge => {
                constants.push(("EDGE".into(), u32::from(variant.part == Part::Edge as u32)));
                "glass/bevel.frag"
            }
            Part::Shadow => "glass/shadow.frag",
        };
        let made = raster(&self.gpu, shader, constants, variant.target)?.with_struct::<GlassBlock>("glass")?;
        Ok(self.lens.entry(variant).or_insert(made).clone())
    }
}

impl Variant {
    /// Fewest variants: what a part does not read is set to nothing.
    fn new(part: Part, glass: &Glass, is_frosted: bool, target: Format) -> Variant {
        let blur = match glass.blur {
            Blur::Box81 => 0,
            Blur::Trilinear => 1,
            Blur::PreblurBilinear => 2,
            Blur::Preblur => 3,
        };
        // The face reads the pre-blur alone once the frost is wide enough; so does the bevel where its own footprint cannot
        // reach half the frost.
        let alone = glass.frost >= FROST_SIGMA && (part == Part::Face || glass.frost >= 2.0 * WIDEST_FOOTPRINT);
        let frosted = if !is_frosted {
            0
        } else if alone {
            2
        } else {
            1
        };
        let several = u32::from(glass.lenses.count > 1);
        let nothing = Variant { part: part as u32, several, blur: 0, frosted: 0, magnifies: 0, target };
        match part {
            Part::Shadow => nothing,
            Part::Face => Variant { blur, frosted, magnifies: u32::from(glass.lenses.magnify != 1.0), ..nothing },
            Part::Bevel | Part::Edge => Variant { blur, frosted, ..nothing },
        }
    }
}

/// Sigma in pixels that the footprint of the bevel adds at most with the default bevel; wider ones are mixed in as before.
const WIDEST_FOOTPRINT: f32 = 3.0;

/// Corners of the texels of the level that the glass can show, with the reach of the spline; nothing where no lens is seen.
fn level_part(glass: &Glass, plan: &Preblur, full: [u32; 2], size: [u32; 2]) -> Option<(UVec2, UVec2)> {
    let (full, size) = (UVec2::from_array(full), UVec2::from_array(size));
    let nothing = super::tiles::Outskirts { shadow_reach: 0.0, shadow_drop: 0.0 };
    let (low, high) = bounds(&glass.lenses, &nothing, full)?;
    let reach = glass.longest_offset();
    let scale = size.as_vec2() / full.as_vec2();
    let margin = 3.0 + f32::from(plan.level == 0);
    let low = ((low.as_vec2() - reach) * scale - margin).max(Vec2::ZERO).floor().as_uvec2();
    let high = ((high.as_vec2() + reach) * scale + margin).ceil().as_uvec2().min(size);
    low.cmplt(high).all().then_some((low, high))
}

fn push(size: UVec2) -> GlassPush {
    GlassPush { size: size.as_vec2(), first: 0, mouse: Vec2::ZERO, view: 0 }
}

impl GlassPush {
    fn first(self, first: u32) -> GlassPush {
        GlassPush { first, ..self }
    }
}

fn raster(gpu: &Arc<Gpu>, fragment: &str, constants: Vec<(String, u32)>, color: Format) -> Result<RasterPipeline> {
    let shaders = ["glass/span.vert", fragment].map(String::from).to_vec();
    let mut constants = constants;
    constants.push(("TARGET_IS_SRGB".into(), u32::from(color.is_srgb())));
    let desc = RasterDesc { shaders, color: vec![color], constants, ..Default::default() };
    RasterPipeline::new(gpu, desc)?.with_push::<GlassPush>()
}
