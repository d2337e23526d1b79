//! From light to a picture.

use super::{
    Shade, ShadeSettings, Tone,
    frame::{block_of, exposure},
};
use crate::{
    gpu::{
        Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler,
        Use,
    },
    gpu_struct,
    scene::world::{Camera, Shadow},
    techniques::Daylight,
};
use glam::{UVec2, Vec2, Vec3};
use std::sync::Arc;

gpu_struct! {
    /// Push constants of `shade/tone.frag`.
    struct TonePush { exposure: f32 }
}

gpu_struct! {
    /// Push constants of `shade/enlarge.frag`.
    struct EnlargePush { texel: Vec2 }
}

/// Pipelines, made when they are first needed, and a picture as large as the light where that is smaller than what is shown.
pub(super) struct Tones {
    gpu: Arc<Gpu>,
    /// By format, curve and whether they dither.
    curves: PipelineCache<(Format, Tone, bool), RasterPipeline>,
    /// By format and whether they dither.
    enlarges: PipelineCache<(Format, bool), RasterPipeline>,
    small: Option<Image>,
}

impl Tones {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let (curves, enlarges) = Default::default();
        Self { gpu: gpu.clone(), curves, enlarges, small: None }
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
        let pipeline =
            self.curves.get((picture.format(), settings.tone, settings.dither), |(format, tone, dithers)| {
                let constants = [("TONE", *tone as u32), ("DITHER", u32::from(*dithers))];
                self.make("shade/tone.frag", *format, &constants)?.with_push::<TonePush>()
            })?;
        let light = hdr.clone().through(Sampler::NearestClamp);
        let draw = pipeline.draw(3).bind("hdr", light).push(&TonePush { exposure });
        frame.raster("shade/tone").color(picture, None).draw(draw).finish()
    }

    fn enlarge(&self, frame: &mut Frame, dither: bool, small: &ImageView, picture: &ImageView) -> Result<()> {
        let pipeline = self.enlarges.get((picture.format(), dither), |(format, dithers)| {
            let made = self.make("shade/enlarge.frag", *format, &[("DITHER", u32::from(*dithers))])?;
            made.with_push::<EnlargePush>()
        })?;
        let push = EnlargePush { texel: UVec2::from_array(picture.size()).as_vec2().recip() };
        let draw = pipeline.draw(3).bind("small", small.clone().through(Sampler::LinearClamp)).push(&push);
        frame.raster("shade/enlarge").color(picture, None).draw(draw).finish()
    }
}

impl Shade {
    /// The light that falls through the air of a world: for what floats in it.
    #[must_use]
    pub fn daylight(settings: &ShadeSettings, camera: &Camera, sun: Vec3, shadow: &Shadow) -> Daylight {
        let block = block_of(settings, camera, sun, Some((shadow.clip_from_world, shadow.depth.size()[0])), [1, 1]);
        Daylight { sun: block.sun_light, sky: 2.0 * block.fill, white: block.white, shadow_bias: block.shadow_bias }
    }

    /// What the light that was shaded last is multiplied by before the tone curve.
    #[must_use]
    pub fn exposure(&self, settings: &ShadeSettings) -> f32 {
        exposure(settings, self.white)
    }

    /// Exposure (for the light that was shaded last), tone curve, sRGB encoding and dither of `hdr` (linear light) into `picture`, an
    /// encoded 8-bit colour attachment. Where `hdr` is smaller, a picture of its size is made so, and enlarged by the linear
    /// filter.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn tone(
        &mut self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        hdr: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        let (exposure, size) = (self.exposure(settings), hdr.size());
        if size == picture.size() {
            return self.tones.curve(frame, settings, exposure, hdr, picture);
        }
        let format = picture.format().encoded();
        let small = match self.tones.small.take() {
            Some(small) if small.size() == size && small.format() == format => small,
            _ => Image::new(
                &self.gpu,
                ImageDesc::new("picture before enlarging", size, format, &[Use::Color, Use::Sample]),
            )?,
        };
        self.tones.curve(frame, settings, exposure, hdr, &small.mip(0))?;
        self.tones.enlarge(frame, settings.dither, &small.mip(0), picture)?;
        self.tones.small = Some(small);
        Ok(())
    }
}
