//! Display of the light: exposure, tone mapping, enlarging.

use super::{
    Shade,
    frame::{WHITE, block_of, exposure},
    settings::ShadeSettings,
};
use glam::Vec3;
use gpu::{Format, Frame, ImageDesc, ImageView, Result, Use};
use media::light_picture::LightPicture;
use scene::world::{Camera, Shadow};
use std::sync::Arc;
use technique::Daylight;

impl Shade {
    pub fn daylight(&self, settings: &ShadeSettings, camera: &Camera, sun: Vec3, shadow: &Shadow) -> Daylight {
        let block = block_of(settings, camera, sun, Some((shadow.clip_from_world, shadow.depth.size()[0])), [1, 1]);
        let block = self.sky.lit(block, settings);
        Daylight { sun: block.sun_light, sky: 2.0 * block.fill, white: block.white, shadow_bias: block.shadow_bias }
    }

    pub fn exposure(&self, settings: &ShadeSettings) -> f32 {
        match self.tones.flat.light {
            Some(_) => WHITE * exposure(settings, WHITE),
            None => exposure(settings, self.white),
        }
    }

    /// `picture`: an encoded 8-bit colour attachment, or a storage image viewable as integers. A smaller `hdr` is
    /// toned, then enlarged.
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

    pub fn set_sky(&mut self, frame: &mut Frame, picture: Option<&Arc<LightPicture>>) -> Result<()> {
        self.sky.set_picture(frame, picture)
    }

    /// 1 is white paper; for [`tone_flat`](Self::tone_flat).
    pub fn show_light(&mut self, frame: &mut Frame, light: Option<&LightPicture>) -> Result<()> {
        let flat = &mut self.tones.flat;
        (flat.toned, flat.light) = (None, None);
        if let Some(light) = light {
            let desc = ImageDesc::new("flat light", light.size, Format::Rgba16F, &[Use::Sample]);
            let view = flat.image.fit(&self.gpu, desc)?.mip(0);
            frame.upload(&view, &light.halves())?;
            flat.light = Some(view);
        }
        Ok(())
    }

    /// Only if the picture or the settings changed; true if it did.
    pub fn tone_flat(&mut self, frame: &mut Frame, settings: &ShadeSettings, picture: &ImageView) -> Result<bool> {
        let wanted = (settings.exposure, settings.tone, settings.dither);
        let flat = &self.tones.flat;
        let Some(light) = flat.light.as_ref().filter(|_| flat.toned != Some(wanted)) else { return Ok(false) };
        self.tones.curve(frame, settings, self.exposure(settings), light, picture)?;
        self.tones.flat.toned = Some(wanted);
        Ok(true)
    }

    pub fn enlarge(
        &self,
        frame: &mut Frame,
        settings: &ShadeSettings,
        small: &ImageView,
        picture: &ImageView,
    ) -> Result<()> {
        self.tones.enlarge(frame, settings.tone_by, settings.dither, small, picture)
    }
}
