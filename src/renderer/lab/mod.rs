//! Comparisons of the techniques: start, stop, rounds in a frame, times, results.

mod downsample_inputs;
mod sort_payoff;

pub use downsample_inputs::DownsampleInputs;

use super::{FrameParams, Renderer};
use base::{text, timing::FrameTiming};
use downsample::lab::MethodInputs;
use glass::BlurInput;
use gpu::{Frame, ImageView, Result};
use lab::Comparison;
use sort_payoff::sample;
use technique::Measurement;
use techniques::{Settings, Techniques};

impl Renderer {
    pub fn measurements(&self, settings: &Settings) -> Vec<Measurement> {
        let mut all = self.techniques.measurements(settings, self.below.is_world);
        if let Some(why) = self.gpu.untimed() {
            all.iter_mut().for_each(|measurement| measurement.why_not = Some(text::sentence(why)));
        }
        all
    }

    pub fn measure(&mut self, technique: &str) {
        let now = std::time::Instant::now();
        self.techniques.comparison(technique).into_iter().for_each(|comparison| comparison.request(now));
        self.mark_compared();
    }

    pub fn stop_measuring(&mut self, technique: &str) {
        self.techniques.comparison(technique).into_iter().for_each(Comparison::stop);
        self.mark_compared();
    }

    /// What the techniques do otherwise while they are compared.
    pub(super) fn mark_compared(&mut self) {
        let Techniques { pixel_sort, reflections, comparisons, .. } = &mut self.techniques;
        comparisons.pixel_sort.mark(pixel_sort);
        comparisons.reflections.mark(reflections);
    }

    /// Before the world of a frame is drawn.
    pub(super) fn begin_comparisons(&mut self, frame: u64) {
        self.mark_compared();
        let Techniques { pixel_sort, particles, comparisons, .. } = &mut self.techniques;
        comparisons.pixel_sort.take_turn(pixel_sort, frame);
        comparisons.particles.mark(particles, frame);
    }

    /// One round of each comparison that runs.
    pub(super) fn time_methods(&mut self, frame: &mut Frame, settings: &Settings, picture: &ImageView) -> Result<()> {
        let Techniques { pixel_sort, reflections, mip_chain, summed_area, comparisons, .. } = &mut self.techniques;
        comparisons.pixel_sort.count(pixel_sort, frame)?;
        comparisons.reflections.count(reflections, frame)?;
        comparisons.mip_chain.measure(mip_chain, frame, &settings.mip_chain, picture)?;
        comparisons.summed_area.measure(summed_area, frame, &settings.summed_area, picture)?;
        let scene = &settings.scene;
        let content = format!("{:?}", (scene.source, scene.motif, scene.fit, settings.mip_chain.filter));
        comparisons.downsample.record(frame, &settings.downsample, &content, picture)
    }

    /// Between two frames.
    pub(super) fn read_times(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some((sort_us, shading_us)) = sample(timing).filter(|_| !timing.compiles) {
            self.techniques.comparisons.pixel_sort.add(timing.frame, sort_us, shading_us);
        }
        let (gpu, filter) = (&self.gpu, self.chain.filter);
        let inputs = |size| Ok(Box::new(DownsampleInputs::new(gpu, size, filter)?) as Box<dyn MethodInputs>);
        self.techniques.comparisons.downsample.on_timing(gpu, timing.frame, inputs)
    }

    pub(super) fn compare_blurs(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<()> {
        let (settings, lenses, scale) = (&params.settings.glass, params.lenses, params.scale);
        let background = self.targets.background()?.clone();
        let size = background.picture.size();
        let boxes = self.techniques.comparisons.glass.boxes_to_measure(settings, lenses, scale, size);
        let boxed = self.boxed(frame, params, &background.chain.mip(0), boxes)?;
        let below = BlurInput { chain: &background.chain, boxed: boxed.as_ref() };
        let Techniques { glass, comparisons, .. } = &mut self.techniques;
        comparisons.glass.measure_round(glass, frame, settings, lenses, scale, below)
    }
}
