//! Structures shared with the shaders, pipelines and passes of the glass.

pub mod compute_path;
pub mod stack;
pub mod uniforms;
pub mod variants;

use self::compute_path::{ComputeConstants, groups, tiles_of};
use self::uniforms::{GlassBlock, GlassPush};
use self::variants::{Variant, Variants, kernel, raster, shader_optics};
use super::frost::blur::SHARP_SIGMA;
use super::frost::preblur::Region;
use super::frost::{Frost, PreblurImages, UvTransform};
use super::lens::tiles::{Part, Spans, bounds, spans};
use super::light::luminance_adaptation::Adapt;
use super::settings::SourceBlur;
use super::text::contrast::Legible;
use super::text::fields::Fields;
use super::text::shading::{Place, Shading};
use crate::settings::Glass;
use base::boxes;
use glam::{IVec2, UVec2, Vec2};
use gpu::{Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterPipeline, Result, Sampler};
use scene::Blur;
use std::sync::Arc;
use technique::{BoxBlur, DrawnBy, Output, drawn_by::stored};

/// Pixels, both ways, in the mode "source": F = 1e-4 at 0.158 of the window's height.
pub fn source_half_extent(size: Vec2) -> f32 {
    0.5 * size.y * 1e-4_f32.powf(0.125)
}

#[derive(Clone, Copy)]
pub struct GlassInput<'a> {
    /// Display values.
    pub picture: &'a ImageView,
    /// Linear light; level 0 has the same size.
    pub chain: &'a Image,
    /// Other than `picture` if a view is below the glass.
    pub behind: &'a ImageView,
    pub around: &'a Image,
    pub boxed: Option<&'a BoxBlur>,
}

/// For a view or a comparison.
#[derive(Clone, Copy)]
pub struct BlurInput<'a> {
    /// Linear light.
    pub chain: &'a Image,
    pub boxed: Option<&'a BoxBlur>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxBlurRequest {
    /// Pixels.
    pub sigma: f32,
    pub part: boxes::Part,
}

impl BoxBlurRequest {
    pub fn around(sigma: f32, area: Region) -> Self {
        Self { sigma, part: [(area.0 - 1).to_array(), (area.1 + 1).to_array()] }
    }
}

impl Glass {
    pub fn boxes(&self, full: [u32; 2]) -> Option<BoxBlurRequest> {
        if self.blur != Blur::Table || self.block.frost <= SHARP_SIGMA {
            return None;
        }
        Some(BoxBlurRequest::around(self.block.frost, shown_area(self, full)?))
    }
}

pub struct Passes {
    gpu: Arc<Gpu>,
    pub lens: Variants,
    pub by: DrawnBy,
    fields: Fields,
    shading: Shading,
    source: PipelineCache<(u32, Format), RasterPipeline>,
    view: PipelineCache<u32>,
    frost: Frost,
    pub adapt: Option<Adapt>,
    pub frosted: Option<Output>,
    pub brightness: Option<Output>,
}

impl Passes {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Passes> {
        Ok(Passes {
            gpu: gpu.clone(),
            lens: Variants::new(gpu),
            by: DrawnBy::Auto,
            fields: Fields::new(gpu),
            shading: Shading::new(gpu),
            source: Default::default(),
            view: Default::default(),
            frost: Frost::new(gpu)?,
            adapt: Default::default(),
            frosted: Default::default(),
            brightness: Default::default(),
        })
    }

    pub fn record_lens(
        &mut self,
        frame: &mut Frame,
        below: GlassInput,
        glass: &Glass,
        target: &ImageView,
    ) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let spans = spans_of(glass, size);
        if glass.lenses.lens.is_empty() || spans.list.is_empty() {
            return Ok(());
        }
        let frosted = self.record_frost(frame, below, glass)?;
        self.frosted = frosted.as_ref().map(|frosted| {
            let (first, size) = (frosted.made.0.to_array(), (frosted.made.1 - frosted.made.0).to_array());
            Output::Image { view: frosted.view.clone(), first, size }
        });
        let UvTransform { scale, shift } = frosted.as_ref().map(|made| made.place).unwrap_or_default();
        let shown = if glass.is_legible { shown_area(glass, below.chain.size()) } else { None };
        let shades = shown.map(|area| self.shading.place(area)).transpose()?;
        let (shade_first, shade_scale) = shades.as_ref().map(Place::first_and_scale).unwrap_or_default();
        let block = GlassBlock { frosted_scale: scale, frosted_shift: shift, shade_first, shade_scale, ..glass.block };
        let block = frame.data("glass", &[block])?;
        if let Some(adapt) = &mut self.adapt {
            adapt.record(frame, below.chain, glass, &block)?;
            self.brightness = adapt.output();
        }
        if let Some(shades) = &shades {
            self.shading.record(frame, below.chain, &block, shader_optics(glass), shades)?;
        }
        let fields = self.fields.record(frame, &glass.lenses)?;
        let chain = below.chain.all().through(Sampler::LinearMirror);
        let around = below.around.all().through(Sampler::LinearMirror);
        let frost = frosted.map_or_else(|| chain.clone(), |made| made.view);
        let shades = shades.map_or_else(|| chain.clone(), |shades| shades.view());
        let computes = self.by.computes(&self.gpu, target);
        self.lens.make_ahead(glass, target.format(), computes);
        if computes {
            let pipeline = self.lens.computed(ComputeConstants::new(glass, target.format()))?;
            let list = tiles_of(&spans);
            let tiles = frame.data("glass tiles", &list)?;
            let pass = frame.compute("glass/lens", &pipeline).bind("tiles", tiles).bind("shades", &shades);
            let pass = pass.bind("glass", &block).bind("fields", &fields).bind("picture", stored(target).0);
            let pass = pass.bind("around", &around).bind("chain", &chain).bind("frosted", &frost);
            return pass.push(&push(size)).dispatch_groups(groups(list.len()));
        }
        let list = frame.data("glass spans", &spans.list)?;
        let mut draws = Vec::new();
        for part in Part::ALL {
            let (first, count) = spans.of(part);
            if count == 0 {
                continue;
            }
            let pipeline = self.lens.pipeline(Variant::new(part, glass, target.format()))?;
            let push = push(size).first(first);
            let mut draw =
                pipeline.draw_instanced(6, count).bind("spans", &list).bind("glass", &block).bind("fields", &fields);
            if part != Part::Face {
                draw = draw.bind("around", &around);
            }
            if part != Part::Shadow {
                draw = draw.bind("chain", &chain).bind("frosted", &frost).bind("shades", &shades);
            }
            draws.push(draw.push(&push));
        }
        let pass = frame.raster("glass/lens").color(target, None);
        draws.into_iter().fold(pass, |pass, draw| pass.draw(draw)).finish()
    }

    /// `mouse`: pixels. Nothing is drawn where the device cannot draw.
    pub fn record_source(
        &mut self,
        frame: &mut Frame,
        below: GlassInput,
        mouse: Vec2,
        blur: SourceBlur,
        target: &ImageView,
    ) -> Result<()> {
        let size = UVec2::from_array(below.picture.size());
        let reach = source_half_extent(size.as_vec2()) + 1.0;
        let low = (mouse - reach).max(Vec2::ZERO).floor().as_uvec2();
        let high = (mouse + reach).clamp(Vec2::ZERO, size.as_vec2()).ceil().as_uvec2();
        if low.cmpge(high).any() || !self.gpu.policy().can_draw {
            return Ok(());
        }
        let key = ((blur == SourceBlur::Mips) as u32, target.format());
        let pipeline = self.source.get(key, |(blur, format)| {
            raster(&self.gpu, "glass/source.frag", vec![("SOURCE_BLUR".into(), *blur)], *format)
        })?;
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

    /// A storage image; `mouse` as for the mode "source".
    pub fn record_view(
        &mut self,
        frame: &mut Frame,
        view: u32,
        glass: &Glass,
        mouse: Vec2,
        picture: &ImageView,
    ) -> Result<()> {
        let pipeline = self.view.get(shader_optics(glass), |optics| kernel(&self.gpu, "glass/view.comp", *optics))?;
        let size = UVec2::from_array(picture.size());
        let block = frame.data("glass", &[glass.block])?;
        let fields = self.fields.record(frame, &glass.lenses)?;
        let pass = frame.compute("glass/view", &pipeline).bind("glass", &block).bind("picture", picture);
        let pass = pass.bind("fields", &fields);
        pass.push(&GlassPush { mouse, view, ..push(size) }).dispatch(picture.size())
    }

    pub fn record_shade_view(
        &mut self,
        frame: &mut Frame,
        glass: &Glass,
        chain: &Image,
        picture: &ImageView,
    ) -> Result<()> {
        let glass = if glass.is_legible { glass.clone() } else { glass.clone().shaded(Legible::of_ink(1.0)) };
        // The picture is written without a lens too.
        let area = shown_area(&glass, chain.size()).unwrap_or((IVec2::ZERO, IVec2::ONE));
        let shades = self.shading.place(area)?;
        let (shade_first, shade_scale) = shades.first_and_scale();
        let block = frame.data("glass", &[GlassBlock { shade_first, shade_scale, ..glass.block }])?;
        self.shading.record(frame, chain, &block, shader_optics(&glass), &shades)?;
        let fields = self.fields.record(frame, &glass.lenses)?;
        let pipeline = self.shading.view()?;
        let pass = frame.compute("glass/shade view", &pipeline).bind("glass", &block).bind("picture", picture);
        let pass = pass.bind("fields", &fields).bind("shades", shades.view());
        pass.dispatch(picture.size())
    }

    /// For a comparison, which overwrites the output `frosted`.
    pub fn frost_for_comparison(&mut self) -> &mut Frost {
        self.frosted = None;
        &mut self.frost
    }

    #[cfg(test)]
    pub fn poison(&self, bench: &mut lab::TestBench) -> anyhow::Result<()> {
        self.frost.poison(bench)
    }

    fn record_frost(&mut self, frame: &mut Frame, below: GlassInput, glass: &Glass) -> Result<Option<PreblurImages>> {
        if glass.block.frost <= SHARP_SIGMA {
            return Ok(None);
        }
        let Some(area) = shown_area(glass, below.chain.size()) else { return Ok(None) };
        self.frost.record(frame, below.chain, glass.blur, glass.block.frost, area, below.boxed)
    }
}

fn spans_of(glass: &Glass, size: UVec2) -> Spans {
    if glass.is_bounded { spans(&glass.lenses, &glass.outskirts(), size) } else { Spans::whole(size) }
}

/// May reach over the border.
pub fn shown_area(glass: &Glass, full: [u32; 2]) -> Option<Region> {
    let full = UVec2::from_array(full);
    let nothing = super::lens::tiles::Outskirts { shadow_reach: 0.0, shadow_drop: 0.0, rim_reach: 0.0 };
    let whole = Some((UVec2::ZERO, full));
    let (low, high) = if glass.is_bounded { bounds(&glass.lenses, &nothing, full) } else { whole }?;
    let reach = IVec2::splat(glass.longest_offset().ceil() as i32);
    Some((low.as_ivec2() - reach, high.as_ivec2() + reach))
}

/// 81 taps have no cut-off.
pub fn readable(glass: &Glass, full: [u32; 2]) -> Option<Region> {
    let shown = shown_area(glass, full)?;
    let full = UVec2::from_array(full);
    let (low, high) = bounds(&glass.lenses, &glass.outskirts(), full)?;
    let nothing = super::lens::tiles::Outskirts { shadow_reach: 0.0, shadow_drop: 0.0, rim_reach: 0.0 };
    let mirrors = bounds(&glass.lenses, &nothing, full)?;
    let bevel = glass.lenses.lens.iter().map(|lens| lens.bevel).fold(0.0, f32::max);
    let (frost, mirror) = (IVec2::splat((6.0 * glass.block.frost_light) as i32 + 2), IVec2::splat(bevel.ceil() as i32));
    let low = low.as_ivec2().min(shown.0 - frost).min(mirrors.0.as_ivec2() - mirror);
    let high = high.as_ivec2().max(shown.1 + frost).max(mirrors.1.as_ivec2() + mirror);
    Some((low, high))
}

fn push(size: UVec2) -> GlassPush {
    GlassPush { size: size.as_vec2(), first: 0, mouse: Vec2::ZERO, view: 0 }
}

impl GlassPush {
    fn first(self, first: u32) -> GlassPush {
        GlassPush { first, ..self }
    }
}
