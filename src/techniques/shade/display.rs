//! Display of the light: exposure, tone mapping, enlarging.

use super::{
    frame::{block_of, exposure},
    settings::ShadeSettings,
    shading::Shade,
};
use crate::{
    gpu::{Format, Frame, ImageDesc, ImageView, Result, Use},
    scene::world::{Camera, Shadow},
    techniques::Daylight,
};
use glam::Vec3;

impl Shade {
    /// The light that falls through the air of a world: for particles in it.
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

    /// As [`tone`](Self::tone), into a picture of `hdr`'s own size, for a target of this format: display values, valid until the next call.
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
