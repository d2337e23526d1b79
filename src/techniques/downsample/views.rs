//! Views of the result, its error and the contributing pixels.

use super::{Downsample, DownsampleInput, DownsampleSettings, Light, Method, plan, reference};
use crate::{
    gpu::{
        ComputePipeline, Error, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, Result, Sampler, Use,
    },
    gpu_struct,
    techniques::{Golden, Legend, ViewInfo},
};
use std::sync::Arc;

gpu_struct! {
    /// Push constants of `downsample/view_read.comp`.
    struct ReadPush { made: [i32; 2] }
}

/// The views, in the order of the panel. `view_read.comp` repeats the colours of the last.
pub(super) const VIEWS: &[ViewInfo] = &Golden::with(&["downsample.method=bilinear", "downsample.ratio=4"]).of([
    ViewInfo::new(
        "result",
        "Result",
        "The result, enlarged to the size of the picture; its pixels are squares.",
        Legend::None,
    ),
    ViewInfo::new(
        "difference",
        "Difference",
        "Difference of each result pixel from the exact mean of the pixels that it covers, amplified 8 times.",
        Legend::Ramp {
            stops: &[[0, 0, 0], [127, 127, 127], [255, 255, 255]],
            low: "16 of 255 steps darker",
            high: "16 of 255 steps brighter",
        },
    ),
    ViewInfo::new(
        "read",
        "Read pixels",
        "Weight of each picture pixel in the result, relative to equal weights; every other result pixel is shown lighter.",
        Legend::Swatches(&[
            ([20, 22, 28], "not read"),
            ([214, 60, 200], "counts negatively"),
            ([40, 92, 160], "less than half its share"),
            ([64, 176, 120], "about its share (0.5 to 2)"),
            ([240, 190, 60], "2 to 8 times its share"),
            ([250, 96, 56], "more than 8 times"),
        ]),
    ),
]);

/// Parameters on which the picture of the weights depends.
type CountedKey = (Method, [u32; 2], [u32; 2], (u32, bool));

/// Their pipelines, made at first use, and the weights.
pub(super) struct Views {
    pipelines: PipelineCache<(&'static str, u32)>,
    counted: Option<(CountedKey, Image)>,
}

impl Views {
    pub fn new(_: &Arc<Gpu>) -> Self {
        Self { pipelines: PipelineCache::default(), counted: None }
    }

    fn pipeline(&self, gpu: &Arc<Gpu>, shader: &'static str, light: Light) -> Result<ComputePipeline> {
        self.pipelines.get((shader, light as u32), |(shader, _)| {
            let constants: &[_] = match *shader {
                "view_read" => &[],
                _ => &[("LINEAR", u32::from(light == Light::Linear))],
            };
            ComputePipeline::new(gpu, &format!("downsample/{shader}.comp"), constants)
        })
    }

    /// Weight of each pixel, R32F.
    fn counted(&mut self, frame: &mut Frame, key: CountedKey) -> Result<ImageView> {
        let image = match self.counted.take().filter(|(of, _)| *of == key) {
            Some((_, image)) => image,
            None => {
                let (method, from, to, chain) = key;
                let weights: Vec<f32> =
                    reference::counted(method, from, to, chain).texels.iter().map(|weight| *weight as f32).collect();
                let image =
                    Image::new(frame.gpu(), ImageDesc::new("counted pixels", from, Format::R32F, &[Use::Sample]))?;
                frame.upload(&image.mip(0), &weights)?;
                image
            }
        };
        Ok(self.counted.insert((key, image)).1.mip(0))
    }
}

impl Downsample {
    /// Makes the result, and draws the view `name`, encoded, over the whole of `picture`, which is as large as what is
    /// made smaller.
    ///
    /// # Errors
    /// An unknown name, or an error of the GPU.
    pub fn view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
        picture: &ImageView,
    ) -> Result<()> {
        let result = self.record(frame, settings, input)?;
        let source = self.source(frame, settings, input)?;
        let (gpu, from, to) = (frame.gpu().clone(), source.picture.size(), result.size());
        let nearest = |view: ImageView| view.through(Sampler::NearestClamp);
        let pass = "downsample/view";
        match name {
            "result" => {
                let view = self.views.pipeline(&gpu, "view_result", settings.light)?;
                let pass = frame.compute(pass, &view).bind("result", nearest(result));
                pass.bind("picture", picture).dispatch(picture.size())
            }
            "difference" => {
                let mean = self.passes.mean(frame, &source.picture, to, settings.light)?;
                let view = self.views.pipeline(&gpu, "view_difference", settings.light)?;
                let pass = frame.compute(pass, &view).bind("result", nearest(result)).bind("mean", nearest(mean));
                pass.bind("picture", picture).dispatch(picture.size())
            }
            "read" => {
                let chain = source.chain.as_ref().map_or((32, false), |chain| (chain.chain.mips(), chain.is_tent));
                // Without a chain the mean is shown instead.
                let method = match settings.method {
                    Method::MipChain if source.chain.is_none() => Method::AreaCompute,
                    method => method,
                };
                let weights = self.views.counted(frame, (method, from, plan::result_size(settings, from), chain))?;
                let view = self.views.pipeline(&gpu, "view_read", settings.light)?.with_push::<ReadPush>()?;
                let below = source.picture.clone().as_format(source.picture.format().encoded());
                let pass = frame.compute(pass, &view).bind("weights", nearest(weights)).bind("below", nearest(below));
                let push = ReadPush { made: to.map(|side| side as i32) };
                pass.bind("picture", picture).push(&push).dispatch(picture.size())
            }
            _ => Err(Error::Pass { pass: pass.into(), problem: format!("no view {name}") }),
        }
    }
}
