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
        let pipeline = match self.tones.get(&key) {
            Some(pipeline) => pipeline.clone(),
            None => {
                let shaders = ["include/screen.vert", "shade/tone.frag"];
                let constants = [
                    ("TONE", settings.tone as u32),
                    ("UPSCALE", u32::from(key.2)),
                    ("DITHER", u32::from(key.3)),
                    ("TARGET_IS_SRGB", u32::from(key.0.is_srgb())),
                ];
                let desc = RasterDesc {
                    shaders: shaders.map(String::from).to_vec(),
                    color: vec![key.0],
                    constants: constants.map(|(name, value)| (name.into(), value)).to_vec(),
                    ..Default::default()
                };
                let made = RasterPipeline::new(&self.gpu, desc)?.with_push::<TonePush>()?;
                self.tones.insert(key, made.clone());
                made
            }
        };
        let scale = Vec2::new(from[0] as f32 / to[0] as f32, from[1] as f32 / to[1] as f32);
        let push = TonePush { scale, exposure: exposure(settings, self.white) };
        let light = hdr.clone().through(Sampler::NearestClamp);
        frame.raster("shade/tone").color(picture, None).draw(pipeline.draw(3).bind("hdr", light).push(&push)).finish()
    }
}
