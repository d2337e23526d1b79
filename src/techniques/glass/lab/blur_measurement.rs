//! Comparison of the blurs with a true Gaussian on the present picture, measured.

use super::blur_judge::whole_numbers;
use super::blur_quality::{BlurComparison, measured_area};
use crate::LiquidGlass;
use crate::frost::blur::SHARP_SIGMA;
use crate::passes::{BlurInput, BoxBlurRequest};
use crate::settings::{GlassSettings, Preset};
use base::timing::FrameTiming;
use glam::UVec2;
use gpu::{Frame, Result};
use lab::{Card, Comparison};
use scene::Lens;
use technique::{Compares, Measures};

impl Compares for LiquidGlass {
    const MEASURES: Measures = Measures {
        label: "Compare blurs",
        doc: "Every blur at the frost of the lens, or of the preset frosted where it has none, against a true Gaussian: time, PSNR, samples per pixel.",
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
        let (first, (sigma, _)) = (lenses.first()?, judged_sigma(settings, scale));
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
                let (sigma, is_of_preset) = judged_sigma(settings, scale);
                self.is_of_preset = is_of_preset;
                self.measure(frame, frost, below, sigma, first.center)
            }
            Some(_) => {
                self.forget();
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Pixels, and whether they are those of the preset frosted, where the lens is drawn without a blur.
fn judged_sigma(settings: &GlassSettings, scale: f32) -> (f32, bool) {
    let is_clear = settings.frost * scale <= SHARP_SIGMA;
    let frost = if is_clear { settings.styled(Preset::Frosted).frost } else { settings.frost };
    (frost * scale, is_clear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_glass_is_compared_with_the_frost_of_a_preset() {
        let frosted = |frost| GlassSettings { frost, ..GlassSettings::default() };
        let preset = GlassSettings::default().styled(Preset::Frosted).frost;
        assert!(preset > 2.0 * SHARP_SIGMA);
        for (frost, judged) in [(0.0, (2.0 * preset, true)), (0.25, (2.0 * preset, true)), (3.0, (6.0, false))] {
            assert_eq!(judged_sigma(&frosted(frost), 2.0), judged, "{frost}");
        }
    }
}
