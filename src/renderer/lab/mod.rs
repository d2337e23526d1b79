//! Rounds of the techniques' comparisons in a frame, and their times.

mod downsample_inputs;
mod sort_payoff;

pub use downsample_inputs::DownsampleInputs;

use super::Renderer;
use crate::{
    base::timing::FrameTiming,
    gpu::{Frame, ImageView, Result},
    techniques::{Settings, Techniques, downsample::lab::MethodInputs},
};
use sort_payoff::sample;

impl Renderer {
    /// One round of each comparison that runs.
    pub(super) fn time_methods(&mut self, frame: &mut Frame, settings: &Settings, picture: &ImageView) -> Result<()> {
        let Techniques { mip_chain, summed_area, comparisons, .. } = &mut self.techniques;
        comparisons.mip_chain.measure(mip_chain, frame, &settings.mip_chain, picture)?;
        comparisons.summed_area.measure(summed_area, frame, &settings.summed_area, picture)?;
        let scene = &settings.scene;
        let content = format!("{:?}", (scene.source, scene.motif, scene.fit, settings.mip_chain.filter));
        comparisons.downsample.record(frame, &settings.downsample, &content, picture)
    }

    /// Between two frames.
    pub(super) fn read_times(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some((sort_us, shading_us)) = sample(timing).filter(|_| !timing.compiles) {
            self.techniques.pixel_sort.add_shading(timing.frame, sort_us, shading_us);
        }
        let (gpu, filter) = (&self.gpu, self.chain.filter);
        let inputs = |size| Ok(Box::new(DownsampleInputs::new(gpu, size, filter)?) as Box<dyn MethodInputs>);
        self.techniques.comparisons.downsample.on_timing(gpu, timing.frame, inputs)
    }
}
