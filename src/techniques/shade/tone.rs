//! From light to a picture.

use super::{Shade, ShadeSettings, Tone, frame::exposure};
use crate::{
    gpu::{Format, Frame, ImageView, RasterDesc, RasterPipeline, Result, Sampler},
    gpu_struct,
};
use glam::Vec2;

gpu_struct! {
    /// Push constants of `shade/tone.frag`.
    struct TonePush { scale: Vec2, exposure: f32 }
}

/// What a pipeline depends on: format, curve, whether it enlarges, whether it dithers.
pub(super) type Key = (Format, Tone, bool, bool);

impl Shade {
    /// Exposure (for the light that was shaded last), tone curve, sRGB encoding and dither of `hdr` (linear light) into `picture`, an encoded 8-bit colour
    /// attachment. Where their sizes differ, `hdr` is filtered by Catmull-Rom, without overshoot.
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
        let (from, to) = (hdr.size(), picture.size());
        let key = (picture.format(), settings.tone, from != to, settings.dither);
        let pipeline = self.tones.get(key, |(format, tone, enlarges, dithers)| {
            let constants = [
                ("TONE", *tone as u32),
                ("UPSCALE", u32::from(*enlarges)),
                ("DITHER", u32::from(*dithers)),
                ("TARGET_IS_SRGB", u32::from(format.is_srgb())),
            ];
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "shade/tone.frag"].map(String::from).to_vec(),
                color: vec![*format],
                constants: constants.map(|(name, value)| (name.into(), value)).to_vec(),
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<TonePush>()
        })?;
        let scale = Vec2::new(from[0] as f32 / to[0] as f32, from[1] as f32 / to[1] as f32);
        let push = TonePush { scale, exposure: exposure(settings, self.white) };
        let light = hdr.clone().through(Sampler::NearestClamp);
        frame.raster("shade/tone").color(picture, None).draw(pipeline.draw(3).bind("hdr", light).push(&push)).finish()
    }
}
