//! The sky's map and its light on surfaces, updated when the sun or the air changes.

use crate::{frame::SceneBlock, settings::ShadeSettings, sky_picture::SkyPicture};
use base::srgb::LINEAR_OF_BYTE;
use gpu::{
    Buffer, ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, Memory, PipelineCache, Result, Sampler,
    Use, gpu_consts,
};
use media::light_picture::LightPicture;
use std::sync::Arc;

gpu_consts! { "shade/sky.glsl":
    pub const SHARP: u32 = 128;
}

/// Roughness 0, then 0.2 to 1 at half the size, three in a row.
pub const TILES: [u32; 2] = [320, 128];
pub const IRRADIANCE_BYTES: u64 = 9 * 12;

pub const SKY_PICTURE: &str = "SKY_PICTURE";

pub struct Sky {
    environment: PipelineCache<u32>,
    prefilter: ComputePipeline,
    irradiance: ComputePipeline,
    pub map: Image,
    pub tiles: Image,
    /// Spherical harmonics, and the linear value of each encoded byte.
    pub tables: Buffer,
    image: Image,
    picture: Option<(Arc<LightPicture>, SkyPicture)>,
    map_key: Option<Vec<u32>>,
}

impl Sky {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let image = |name: &str, size: [u32; 2]| {
            Image::new(gpu, ImageDesc::new(name, size, Format::Rgba16F, &[Use::Sample, Use::Storage]))
        };
        let bytes = IRRADIANCE_BYTES + 256 * 4;
        Ok(Self {
            environment: PipelineCache::default(),
            prefilter: ComputePipeline::new(gpu, "shade/prefilter.comp", &[])?,
            irradiance: ComputePipeline::new(gpu, "shade/irradiance.comp", &[])?,
            map: image("sky map", [SHARP; 2])?,
            tiles: image("sky tiles", TILES)?,
            tables: Buffer::new(gpu, "shade tables", bytes, Memory::Device)?,
            image: image("no sky picture", [1, 1])?,
            picture: None,
            map_key: None,
        })
    }

    pub fn set_picture(&mut self, frame: &mut Frame, picture: Option<&Arc<LightPicture>>) -> Result<()> {
        let is_same = match (&self.picture, picture) {
            (Some((before, _)), Some(picture)) => Arc::ptr_eq(before, picture),
            (before, picture) => before.is_none() && picture.is_none(),
        };
        if is_same {
            return Ok(());
        }
        let sky = picture.map(|picture| (picture.clone(), SkyPicture::new(picture)));
        let (size, count) = sky.as_ref().map_or(([1, 1], 1), |(_, sky)| (sky.levels[0].size, sky.levels.len()));
        let desc = ImageDesc::new("sky picture", size, Format::Rgba16F, &[Use::Sample]);
        self.image = Image::new(frame.gpu(), desc.mips(count as u32))?;
        if let Some((_, sky)) = &sky {
            for (mip, level) in (0..).zip(&sky.levels) {
                frame.upload(&self.image.mip(mip), &level.halves())?;
            }
        }
        (self.picture, self.map_key) = (sky, None);
        Ok(())
    }

    pub fn picture(&self) -> Option<&SkyPicture> {
        self.picture.as_ref().map(|(_, sky)| sky)
    }

    pub fn has_picture(&self) -> u32 {
        u32::from(self.picture.is_some())
    }

    pub fn lit(&self, block: SceneBlock, settings: &ShadeSettings) -> SceneBlock {
        self.picture().map_or(block, |picture| picture.lit(&block, settings))
    }

    pub fn picture_view(&self) -> ImageView {
        self.image.all().through(Sampler::LinearRepeat)
    }

    pub fn update(&mut self, frame: &mut Frame, block: &SceneBlock, data: &Buffer) -> Result<()> {
        let key = block.sky();
        if self.map_key.as_ref() == Some(&key) {
            return Ok(());
        }
        if self.map_key.is_none() {
            let table: Vec<f32> = std::iter::repeat_n(0.0, 27).chain(LINEAR_OF_BYTE.iter().copied()).collect();
            frame.upload_buffer(&self.tables, &table)?;
        }
        let environment = self.environment.get(self.has_picture(), |has_picture| {
            let pipeline = ComputePipeline::new(frame.gpu(), "shade/environment.comp", &[(SKY_PICTURE, *has_picture)])?;
            pipeline.with_struct::<SceneBlock>("scene")
        })?;
        frame
            .compute("shade/sky map", &environment)
            .bind("map", &self.map)
            .bind("sky_picture", self.picture_view())
            .bind("scene", data)
            .dispatch(self.map.size())?;
        let map = self.map.mip(0).through(Sampler::LinearClamp);
        frame
            .compute("shade/sky mirrors", &self.prefilter)
            .bind("map", &map)
            .bind("tiles", &self.tiles)
            .dispatch(TILES)?;
        frame
            .compute("shade/sky light", &self.irradiance)
            .bind("map", &map)
            .bind("Tables", &self.tables)
            .dispatch_groups([1, 1, 1])?;
        self.map_key = Some(key);
        Ok(())
    }
}
