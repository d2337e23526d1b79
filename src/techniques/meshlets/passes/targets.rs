//! Images of one size, and the depth pyramid over them.

use super::culling::LAYERS;
use crate::view_uniforms::pyramid_of;
use gpu::{
    Buffer, ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, Memory, Result, Sampler, Use, gpu_struct,
};
use std::sync::Arc;

/// Visibility IDs.
pub const IDS: &str = "meshlet IDs";

gpu_struct! {
    struct PyramidPush { size: [u32; 2], first: u32, next: u32, levels: u32 }
}

pub const AT_ONCE: u32 = 6;

pub fn at_once(gpu: &Gpu) -> u32 {
    if gpu.policy().runs_on_cpu { 1 } else { AT_ONCE }
}

pub struct Targets {
    pub size: [u32; 2],
    pub ids: Image,
    pub depth: Image,
    pub pixels: Option<Buffer>,
    pub is_clear: bool,
    pub pyramid: Buffer,
    /// Offset of each level; see [`pyramid_of`].
    pub levels: Vec<u32>,
    pub layers: Option<LayerTargets>,
}

pub struct LayerTargets {
    pub ids: [Image; LAYERS],
    pub depths: [Image; 2],
}

impl LayerTargets {
    pub fn new(gpu: &Arc<Gpu>, size: [u32; 2]) -> Result<Self> {
        let id = |layer: usize| {
            let name = format!("meshlet IDs of layer {}", layer + 1);
            Image::new(gpu, ImageDesc::new(&name, size, Format::R32U, &[Use::Color, Use::Sample]))
        };
        let depth =
            || Image::new(gpu, ImageDesc::new("layer depth", size, Format::Depth32F, &[Use::Depth, Use::Sample]));
        Ok(Self { ids: [id(0)?, id(1)?, id(2)?, id(3)?], depths: [depth()?, depth()?] })
    }
}

impl Targets {
    pub fn new(gpu: &Arc<Gpu>, size: [u32; 2], by_compute: bool) -> Result<Self> {
        let (levels, texels) = pyramid_of(size);
        let ids = ImageDesc::new(IDS, size, Format::R32U, &[Use::Color, Use::Sample, Use::Storage]);
        let (format, written) = if by_compute { (Format::R32F, Use::Storage) } else { (Format::Depth32F, Use::Depth) };
        let depth = ImageDesc::new("meshlet depth", size, format, &[written, Use::Sample]);
        let pixels =
            || Buffer::new(gpu, "meshlets pixels", 8 * u64::from(size[0]) * u64::from(size[1]), Memory::Device);
        Ok(Self {
            size,
            pixels: by_compute.then(pixels).transpose()?,
            is_clear: false,
            ids: Image::new(gpu, ids)?,
            depth: Image::new(gpu, depth)?,
            pyramid: Buffer::new(gpu, "meshlets pyramid", 4 * u64::from(texels), Memory::Device)?,
            levels,
            layers: None,
        })
    }
}

/// The first of each pair reads depths, the second a level.
pub struct Pyramid {
    of_image: [ComputePipeline; 2],
    of_pixels: [ComputePipeline; 2],
    at_once: u32,
}

impl Pyramid {
    pub fn new(gpu: &Arc<Gpu>, at_once: u32) -> Result<Self> {
        let pipeline = |shader, from_depth| {
            let constants = [("FROM_DEPTH", from_depth), ("AT_ONCE", at_once)];
            ComputePipeline::new(gpu, shader, &constants)?.with_push::<PyramidPush>()
        };
        let pair = |shader| Ok([pipeline(shader, 1)?, pipeline(shader, 0)?]);
        let [of_image, of_pixels] = [pair("meshlets/pyramid.comp:image")?, pair("meshlets/pyramid.comp:pixels")?];
        Ok(Self { of_image, of_pixels, at_once })
    }

    pub fn record(&self, frame: &mut Frame, targets: &Targets) -> Result<()> {
        let (last, mut level, mut size) = (targets.levels.len() as u32 - 1, 0, targets.size);
        while level < last {
            let levels = self.at_once.min(last - level);
            let (first, next) = (targets.levels[level as usize], targets.levels[level as usize + 1]);
            let by = usize::from(level > 0);
            let pass = match &targets.pixels {
                Some(pixels) => frame.compute("meshlets/pyramid", &self.of_pixels[by]).bind("Pixels", pixels),
                None => {
                    let depth = targets.depth.mip(0).through(Sampler::NearestClamp);
                    frame.compute("meshlets/pyramid", &self.of_image[by]).bind("depth", depth)
                }
            };
            pass.bind("Pyramid", &targets.pyramid)
                .push(&PyramidPush { size, first, next, levels })
                .dispatch_groups([size[0].div_ceil(64), size[1].div_ceil(64), 1])?;
            level += levels;
            size = size.map(|n| n.div_ceil(1 << levels));
        }
        Ok(())
    }
}

pub fn no_images() -> Error {
    Error::Pass { pass: "meshlets".into(), problem: "no images".into() }
}
