//! Tone mapping: from light to a picture.

use super::{
    Shade, ShadeSettings, Tone,
    frame::{block_of, exposure},
};
use crate::base::timing::PassId;
use crate::{
    gpu::{
        ComputePipeline, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, PipelineCache, RasterDesc,
        RasterPipeline, Result, Sampler, Use,
    },
    gpu_struct,
    scene::world::{Camera, Shadow},
    techniques::{Daylight, DrawnBy, drawn_by::stored},
};
use glam::{UVec2, Vec2, Vec3};
use std::sync::Arc;

/// Passes at the size of the picture.
pub const TONE: PassId = PassId::new("shade/tone");
pub const ENLARGE: PassId = PassId::new("shade/enlarge");

gpu_struct! {
    /// Push constants of `shade/curve.glsl`.
    struct TonePush { exposure: f32 }
}

gpu_struct! {
    /// Push constants of `shade/enlarge.glsl`.
    struct EnlargePush { texel: Vec2 }
}

/// Pipelines, made when they are first needed, and a picture as large as the light if that is smaller than the output.
pub(super) struct Tones {
    gpu: Arc<Gpu>,
    /// By format, curve and whether they dither.
    curves: PipelineCache<(Format, Tone, bool), RasterPipeline>,
    /// By format and whether they dither.
    enlarges: PipelineCache<(Format, bool), RasterPipeline>,
    /// Compute pipelines of the same.
    computed_curves: PipelineCache<(Format, Tone, bool), ComputePipeline>,
    computed_enlarges: PipelineCache<(Format, bool), ComputePipeline>,
    small: ImageSlot,
}

impl Tones {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let (curves, enlarges, computed_curves, computed_enlarges) = Default::default();
        Self { gpu: gpu.clone(), curves, enlarges, computed_curves, computed_enlarges, small: ImageSlot::default() }
    }

    fn make(&self, fragment: &str, color: Format, constants: &[(&str, u32)]) -> Result<RasterPipeline> {
        let mut all = vec![("TARGET_IS_SRGB".into(), u32::from(color.is_srgb()))];
        all.extend(constants.iter().map(|(name, value)| ((*name).into(), *value)));
        let shaders = ["include/screen.vert", fragment].map(String::from).to_vec();
        RasterPipeline::new(&self.gpu, RasterDesc { shaders, color: vec![color], constants: all, ..Default::default() })
    }

    fn curve(
        &self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        exposure: f32,
        hdr: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        let (push, light) = (TonePush { exposure }, hdr.clone().through(Sampler::NearestClamp));
        if settings.tone_by.computes(&self.gpu, picture) {
            let (stored, order) = stored(picture);
            let key = (picture.format(), settings.tone, settings.dither);
            let pipeline = self.computed_curves.get(key, |(_, tone, dithers)| {
                let constants = [("TONE", *tone as u32), ("DITHER", u32::from(*dithers)), order];
                ComputePipeline::new(&self.gpu, "shade/tone.comp", &constants)?.with_push::<TonePush>()
            })?;
            let pass = frame.compute(TONE, &pipeline).bind("hdr", light).bind("picture", stored);
            return pass.push(&push).dispatch(picture.size());
        }
        let pipeline =
            self.curves.get((picture.format(), settings.tone, settings.dither), |(format, tone, dithers)| {
                let constants = [("TONE", *tone as u32), ("DITHER", u32::from(*dithers))];
                self.make("shade/tone.frag", *format, &constants)?.with_push::<TonePush>()
            })?;
        let draw = pipeline.draw(3).bind("hdr", light).push(&push);
        frame.raster(TONE).color(picture, None).draw(draw).finish()
    }

    fn enlarge(
        &self,
        frame: &mut Frame,
        (by, dither): (DrawnBy, bool),
        small: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        let push = EnlargePush { texel: UVec2::from_array(picture.size()).as_vec2().recip() };
        let small = small.clone().through(Sampler::LinearClamp);
        if by.computes(&self.gpu, picture) {
            let (stored, order) = stored(picture);
            let pipeline = self.computed_enlarges.get((picture.format(), dither), |(_, dithers)| {
                let constants = [("DITHER", u32::from(*dithers)), order];
                ComputePipeline::new(&self.gpu, "shade/enlarge.comp", &constants)?.with_push::<EnlargePush>()
            })?;
            let pass = frame.compute(ENLARGE, &pipeline).bind("small", small).bind("picture", stored);
            return pass.push(&push).dispatch(picture.size());
        }
        let pipeline = self.enlarges.get((picture.format(), dither), |(format, dithers)| {
            let made = self.make("shade/enlarge.frag", *format, &[("DITHER", u32::from(*dithers))])?;
            made.with_push::<EnlargePush>()
        })?;
        let draw = pipeline.draw(3).bind("small", small).push(&push);
        frame.raster(ENLARGE).color(picture, None).draw(draw).finish()
    }
}

impl Shade {
    /// The light that falls through the air of a world: for what floats in it.
    #[must_use]
    pub fn daylight(settings: &ShadeSettings, camera: &Camera, sun: Vec3, shadow: &Shadow) -> Daylight {
        let block = block_of(settings, camera, sun, Some((shadow.clip_from_world, shadow.depth.size()[0])), [1, 1]);
        Daylight { sun: block.sun_light, sky: 2.0 * block.fill, white: block.white, shadow_bias: block.shadow_bias }
    }

    /// Factor on the light shaded last, before the tone curve.
    #[must_use]
    pub fn exposure(&self, settings: &ShadeSettings) -> f32 {
        exposure(settings, self.white)
    }

    /// Exposure (for the light that was shaded last), tone curve, sRGB encoding and dither of `hdr` (linear light) into `picture`, an
    /// encoded 8-bit colour attachment, or a storage image that can be seen as integers. Where `hdr` is smaller, a picture of its size is
    /// made so, and enlarged by the linear filter.
    pub fn tone(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        hdr: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        if hdr.size() == picture.size() {
            return self.tones.curve(frame, settings, self.exposure(settings), hdr, picture);
        }
        let small = self.tone_apart(frame, settings, hdr, picture.format())?;
        self.enlarge(frame, settings, &small, picture)
    }

    /// The same into a picture of `hdr`'s own size, for a target of this format: display values, valid until the next call.
    pub fn tone_apart(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        hdr: &ImageView,
        target: Format,
    ) -> Result<ImageView> {
        let (size, format) = (hdr.size(), target.encoded());
        let uses = [Use::Color, Use::Sample, Use::Storage];
        let desc = ImageDesc::new("picture before enlarging", size, format, &uses).aliases(&[Format::R32U]);
        let view = self.tones.small.fit(&self.gpu, desc)?.mip(0);
        self.tones.curve(frame, settings, self.exposure(settings), hdr, &view)?;
        Ok(view)
    }

    /// Enlarges `small`, display values, into `picture`.
    pub fn enlarge(
        &self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        small: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        self.tones.enlarge(frame, (settings.tone_by, settings.dither), small, picture)
    }
}
