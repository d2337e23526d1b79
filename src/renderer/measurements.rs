//! Measurements of the techniques, for who starts, stops and reads them.

use super::Renderer;
use crate::{
    lab::Comparison,
    techniques::{Measurement, Settings},
};

impl Renderer {
    /// What can be measured, and what was.
    #[must_use]
    pub fn measurements(&self, settings: &Settings) -> Vec<Measurement> {
        self.techniques.measurements(settings, self.world_below)
    }

    /// Starts a technique's measurement, or starts it over.
    pub fn measure(&mut self, technique: &str) {
        let now = std::time::Instant::now();
        self.techniques.comparison(technique).into_iter().for_each(|comparison| comparison.request(now));
    }

    /// Ends it with what was measured so far.
    pub fn stop_measuring(&mut self, technique: &str) {
        self.techniques.comparison(technique).into_iter().for_each(Comparison::stop);
    }

    /// Whether bounces are measured: mirrors are to be traced in each frame.
    #[must_use]
    pub fn measures_bounces(&self) -> bool {
        self.techniques.reflections.is_measuring()
    }

    /// PSNR of each blur where they were compared, dB.
    #[must_use]
    pub fn blur_psnr_db(&self) -> Vec<f64> {
        self.techniques.glass.psnr_db()
    }
}
