//! Downsampling of the picture by the method of the settings, and its views.

use super::{
    passes::{DownsampleInput, OwnedInput, Passes},
    plan,
    settings::{DownsampleSettings, Method, Source},
    views::{ReadPush, Views},
    zone_plate,
};
use crate::gpu::{Error, Frame, Image, ImageView, Result, Sampler};

pub struct Downsample {
    pub(super) passes: Passes,
    pub(super) views: Views,
    pub(super) zone_plate: Option<Image>,
    pub(super) result: Option<ImageView>,
}

impl Downsample {
    /// Valid until the next call.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<ImageView> {
        let source = self.source(frame, settings, input)?;
        let result = self.passes.record(frame, settings, &source.as_input())?;
        self.result = Some(result.clone());
        Ok(result)
    }

    fn source(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<OwnedInput> {
        if settings.source == Source::Picture {
            let (chain, sums) = (input.chain.clone(), input.sums.clone());
            return Ok(OwnedInput { picture: input.picture.clone(), chain, sums });
        }
        let size = input.picture.size();
        let plate = match self.zone_plate.take().filter(|plate| plate.size() == size) {
            Some(plate) => plate,
            None => zone_plate::upload(frame, size)?,
        };
        let picture = self.zone_plate.insert(plate).mip(0);
        Ok(OwnedInput { picture, chain: None, sums: None })
    }

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
