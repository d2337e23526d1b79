//! Passes of the views.

use crate::{
    Downsample, DownsampleInput, plan,
    settings::{DownsampleSettings, Method},
    views::ReadPush,
};
use gpu::{Error, Frame, ImageView, Result, Sampler};

impl Downsample {
    /// Encoded, as large as what is made smaller.
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
                let method = match settings.method {
                    Method::MipChain if source.chain.is_none() => Method::AreaCompute,
                    method => method,
                };
                let weights = self.views.weights(frame, (method, from, plan::result_size(settings, from), chain))?;
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
