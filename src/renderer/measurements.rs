//! Measurements of the techniques: start, stop, results.

use super::{Renderer, world::measures_world};
use crate::{
    base::text,
    lab::Comparison,
    techniques::{Measurement, Settings, glass::LiquidGlass},
};

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
    }

    pub fn stop_measuring(&mut self, technique: &str) {
        self.techniques.comparison(technique).into_iter().for_each(Comparison::stop);
    }

    pub fn restart_technique(&mut self, technique: &str) {
        self.techniques.restart(&|id| id == technique);
    }

    pub fn measures_bounces(&self) -> bool {
        self.techniques.reflections.is_measuring()
    }

    pub fn redraws_to_measure(&self) -> bool {
        measures_world(&self.techniques)
    }

    pub fn glass(&self) -> &LiquidGlass {
        &self.techniques.glass
    }
}
