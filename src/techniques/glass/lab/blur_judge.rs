//! Judge of blurs: the true Gaussian, and pipelines that compare a blur with it.

use crate::frost::preblur::Region;
use crate::frost::{Area, Frost};
use crate::passes::BlurInput;
use crate::passes::variants::shader_blur;
use crate::settings::Blur;
use base::timing::PassId;
use glam::{UVec2, Vec2};
use gpu::gpu_struct;
use gpu::{ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, Result, Sampler, Use};
use std::sync::Arc;

pub const TRUTH_ROWS: PassId = PassId::new("glass/truth_rows");
pub const TRUTH_COLUMNS: PassId = PassId::new("glass/truth_columns");

gpu_struct! {
    struct GaussianPush { corner: Vec2, step: Vec2, size: Vec2, sigma: f32, reach: i32 }
}

gpu_struct! {
    pub struct JudgePush { pub size: Vec2, pub corner: UVec2, pub extent: UVec2, pub variance: f32, pub frosted_scale: Vec2, pub frosted_shift: Vec2 }
}

#[derive(Default)]
pub struct Judge {
    gaussian: PipelineCache<()>,
    pipelines: PipelineCache<(&'static str, u32)>,
}

impl Judge {
    pub fn truth(&self, frame: &mut Frame, chain: &Image, sigma: f32, area: Area) -> Result<ImageView> {
        let extent = area.1 - area.0;
        let (reach, gpu) = ((4.0 * sigma).ceil() as i32, frame.gpu().clone());
        let gaussian = self
            .gaussian
            .get((), |()| ComputePipeline::new(&gpu, "glass/gaussian.comp", &[])?.with_push::<GaussianPush>())?;
        let image = |name, size: UVec2| {
            let desc = ImageDesc::new(name, size.to_array(), Format::Rgba32F, &[Use::Sample, Use::Storage]);
            Image::new(&gpu, desc)
        };
        let rows = image("glass truth rows", extent + UVec2::new(0, 2 * reach as u32))?;
        let truth = image("glass truth", extent)?;
        let (size, above) = (UVec2::from_array(chain.size()).as_vec2(), Vec2::new(0.0, reach as f32));
        let push = GaussianPush { corner: area.0.as_vec2() - above, step: Vec2::X, size, sigma, reach };
        let source = chain.mip(0).through(Sampler::LinearMirror);
        let pass = frame.compute(TRUTH_ROWS, &gaussian).bind("source", source).bind("result", &rows);
        pass.push(&push).dispatch(rows.size())?;
        let size = UVec2::from_array(rows.size()).as_vec2();
        let push = GaussianPush { corner: above, step: Vec2::Y, size, ..push };
        // Texel centres only: the filter does not matter.
        let source = rows.mip(0).through(Sampler::NearestClamp);
        let pass = frame.compute(TRUTH_COLUMNS, &gaussian).bind("source", source).bind("result", &truth);
        pass.push(&push).dispatch(truth.size())?;
        Ok(truth.mip(0).through(Sampler::NearestClamp))
    }

    pub fn pipeline(&self, gpu: &Arc<Gpu>, shader: &'static str, blur: u32) -> Result<ComputePipeline> {
        self.pipelines
            .get((shader, blur), |_| ComputePipeline::new(gpu, shader, &[("BLUR", blur)])?.with_push::<JudgePush>())
    }

    /// That of the true Gaussian without a blur.
    pub fn picture(
        &self,
        frame: &mut Frame,
        frost: &mut Frost,
        input: BlurInput,
        truth: &ImageView,
        blur: Option<Blur>,
        judged: (f32, Area),
    ) -> Result<ImageView> {
        let twin = blur.unwrap_or(Blur::Trilinear);
        let Blurred { push, frosted, chain } = self.blurred(frame, frost, input, twin, judged)?;
        let push = JudgePush { variance: if blur.is_some() { push.variance } else { 0.0 }, ..push };
        let desc = ImageDesc::new("compared blur", push.extent.to_array(), Format::Rgba8, &[Use::Storage]);
        let picture = Image::new(frame.gpu(), desc)?.mip(0);
        let pipeline = self.pipeline(frame.gpu(), "glass/compare.comp", shader_blur(twin))?;
        let pass = frame.compute("glass/compare", &pipeline).bind("frosted", frosted).bind("chain", chain);
        let pass = pass.bind("truth", truth.clone()).bind("picture", &picture);
        pass.push(&push).dispatch(push.extent.to_array())?;
        Ok(picture)
    }

    /// Records what the blur needs beforehand.
    pub fn blurred(
        &self,
        frame: &mut Frame,
        frost: &mut Frost,
        BlurInput { chain, boxed }: BlurInput,
        blur: Blur,
        (sigma, area): (f32, Area),
    ) -> Result<Blurred> {
        let made = frost.record(frame, chain, blur, sigma, whole_numbers(area), boxed)?;
        let at = made.as_ref().map(|made| made.place).unwrap_or_default();
        let all = chain.all().through(Sampler::LinearMirror);
        let push = JudgePush {
            size: UVec2::from_array(chain.size()).as_vec2(),
            corner: area.0,
            extent: area.1 - area.0,
            variance: sigma * sigma,
            frosted_scale: at.scale,
            frosted_shift: at.shift,
        };
        Ok(Blurred { push, frosted: made.map_or_else(|| all.clone(), |made| made.view), chain: all })
    }
}

/// A blur's inputs as the shaders of comparison read them.
pub struct Blurred {
    pub push: JudgePush,
    pub frosted: ImageView,
    pub chain: ImageView,
}

pub fn whole_numbers(area: Area) -> Region {
    (area.0.as_ivec2(), area.1.as_ivec2())
}
