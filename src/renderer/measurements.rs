//! Measurements of the techniques: start, stop, results.

use super::{Renderer, world::measures_world};
use crate::{
    lab::Comparison,
    techniques::{Measurement, Settings, glass::LiquidGlass},
};

impl Renderer {
    /// Available measurements, with their results.
    #[must_use]
    pub fn measurements(&self, settings: &Settings) -> Vec<Measurement> {
        self.techniques.measurements(settings, self.below.is_world)
    }

    /// Starts or restarts a technique's measurement.
    pub fn measure(&mut self, technique: &str) {
        let now = std::time::Instant::now();
        self.techniques.comparison(technique).into_iter().for_each(|comparison| comparison.request(now));
    }

    /// Stops it and keeps the results so far.
    pub fn stop_measuring(&mut self, technique: &str) {
        self.techniques.comparison(technique).into_iter().for_each(Comparison::stop);
    }

    /// Runs a technique's action.
    pub fn act(&mut self, technique: &str) {
        self.techniques.act(technique);
    }

    /// Whether bounces are measured: mirrors must be traced in each frame.
    #[must_use]
    pub fn measures_bounces(&self) -> bool {
        self.techniques.reflections.is_measuring()
    }

    /// Whether a measurement draws the world again in each frame.
    #[must_use]
    pub fn redraws_to_measure(&self) -> bool {
        measures_world(&self.techniques)
    }

    /// The glass as it is drawn.
    #[must_use]
    pub fn glass(&self) -> &LiquidGlass {
        &self.techniques.glass
    }
}
