//! Pipelines of tone mapping and enlarging.

use crate::settings::{ShadeSettings, Tone};
use base::timing::PassId;
use glam::{UVec2, Vec2};
use gpu::{
    ComputePipeline, Format, Frame, Gpu, ImageSlot, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result,
    Sampler, gpu_struct,
};
use std::sync::Arc;
use technique::{DrawnBy, drawn_by::stored};

pub const TONE: PassId = PassId::new("shade/tone");
pub const ENLARGE: PassId = PassId::new("shade/enlarge");

gpu_struct! {
    struct TonePush { exposure: f32 }
}

gpu_struct! {
    struct EnlargePush { texel: Vec2 }
}

pub struct Tones {
    gpu: Arc<Gpu>,
    curves: PipelineCache<(Format, Tone, bool), RasterPipeline>,
    enlarges: PipelineCache<(Format, bool), RasterPipeline>,
    computed_curves: PipelineCache<(Format, Tone, bool), ComputePipeline>,
    computed_enlarges: PipelineCache<(Format, bool), ComputePipeline>,
    pub small: ImageSlot,
    pub flat: FlatLight,
}

#[derive(Default)]
pub struct FlatLight {
    pub image: ImageSlot,
    pub light: Option<ImageView>,
    /// Exposure in EV, curve and dither.
    pub toned: Option<(f32, Tone, bool)>,
}

impl Tones {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            curves: Default::default(),
            enlarges: Default::default(),
            computed_curves: Default::default(),
            computed_enlarges: Default::default(),
            small: Default::default(),
            flat: Default::default(),
        }
    }

    fn make(&self, fragment: &str, color: Format, constants: &[(&str, u32)]) -> Result<RasterPipeline> {
        let mut all = vec![("TARGET_IS_SRGB".into(), u32::from(color.is_srgb()))];
        all.extend(constants.iter().map(|(name, value)| ((*name).into(), *value)));
        let shaders = ["include/screen.vert", fragment].map(String::from).to_vec();
        RasterPipeline::new(&self.gpu, RasterDesc { shaders, color: vec![color], constants: all, ..Default::default() })
    }

    pub fn curve(
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

    pub fn enlarge(
        &self,
        frame: &mut Frame,
        by: DrawnBy,
        dither: bool,
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
            let pipeline = self.make("shade/enlarge.frag", *format, &[("DITHER", u32::from(*dithers))])?;
            pipeline.with_push::<EnlargePush>()
        })?;
        let draw = pipeline.draw(3).bind("small", small).push(&push);
        frame.raster(ENLARGE).color(picture, None).draw(draw).finish()
    }
}
