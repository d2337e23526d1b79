//! Comparison of the blurs with a true Gaussian on the present picture, measured.

use super::blur_judge::whole_numbers;
use super::blur_quality::{BlurComparison, LEAST_SIGMA, measured_area};
use crate::LiquidGlass;
use crate::passes::{BlurInput, BoxBlurRequest};
use crate::settings::GlassSettings;
use base::timing::FrameTiming;
use glam::UVec2;
use gpu::{Frame, Result};
use lab::{Card, Comparison};
use scene::Lens;
use technique::{Compares, Measures};

impl Compares for LiquidGlass {
    const MEASURES: Measures = Measures {
        label: "Compare blurs",
        doc: "Every blur at this frost against a true Gaussian: time, PSNR, samples per pixel.",
        chooses: "blur",
    };
    type State = BlurComparison;

    fn comparison<'a>(&'a mut self, state: &'a mut BlurComparison) -> &'a mut Comparison {
        &mut state.comparison
    }

    fn card(&self, state: &BlurComparison) -> Card {
        state.card()
    }

    fn read_times(&mut self, state: &mut BlurComparison, timing: &FrameTiming) -> Result<()> {
        state.on_timing(timing)
    }

    fn is_pending(&self, state: &BlurComparison) -> bool {
        state.is_pending()
    }
}

impl BlurComparison {
    pub fn boxes_to_measure(
        &self,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
    ) -> Option<BoxBlurRequest> {
        let (first, sigma) = (lenses.first()?, judged_sigma(settings, scale));
        let area = measured_area(first.center, UVec2::from_array(full));
        self.comparison.is_active().then(|| BoxBlurRequest::around(sigma, whole_numbers(area)))
    }

    /// One round, if it runs.
    pub fn measure_round(
        &mut self,
        glass: &mut LiquidGlass,
        frame: &mut Frame,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        below: BlurInput,
    ) -> Result<()> {
        match lenses.first() {
            Some(first) if self.comparison.is_active() => {
                let frost = glass.passes.frost_for_comparison();
                self.measure(frame, frost, below, judged_sigma(settings, scale), first.center)
            }
            Some(_) => {
                self.forget();
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Pixels.
fn judged_sigma(settings: &GlassSettings, scale: f32) -> f32 {
    (settings.frost * scale).max(LEAST_SIGMA)
}
