//! Comparison of the blurs with a true Gaussian on the present picture: as a view, and measured.

use super::blur_judge::whole_numbers;
use super::blur_quality::{BlurComparison, LEAST_SIGMA, measured_area};
use crate::passes::{BlurInput, BoxBlurRequest};
use crate::settings::GlassSettings;
use crate::{LiquidGlass, views};
use base::timing::FrameTiming;
use glam::{UVec2, Vec2};
use gpu::{Frame, ImageView, Result};
use lab::{Card, Comparison};
use scene::Lens;
use technique::{Compares, FrameContext, Measures};

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
    pub fn keep_within(&mut self, width_px: u32) {
        self.within_px = Some(width_px);
    }

    pub fn boxes_to_measure(
        &self,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
    ) -> Option<BoxBlurRequest> {
        let (first, sigma) = (lenses.first()?, judged_sigma(settings, scale));
        let area = measured_area(first.center, UVec2::from_array(full));
        let is_wanted = self.comparison.is_active() && self.wants(sigma);
        is_wanted.then(|| BoxBlurRequest::around(sigma, whole_numbers(area)))
    }

    pub fn boxes_to_compare(
        &self,
        view: &str,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        full: [u32; 2],
    ) -> Option<BoxBlurRequest> {
        let center = lenses.first().map_or(Vec2::ZERO, |lens| lens.center);
        let full = UVec2::from_array(full);
        let (shown, measured) = (self.compared_area(center, full), measured_area(center, full));
        let area = (shown.0.min(measured.0), shown.1.max(measured.1));
        let sigma = judged_sigma(settings, scale);
        (view == views::COMPARE).then(|| BoxBlurRequest::around(sigma, whole_numbers(area)))
    }

    /// One round, if it runs or the view shows it.
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
            Some(first) if self.comparison.is_active() || std::mem::take(&mut self.is_viewed) => {
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

    /// The view of that name; false for all others. `context`: with the boxes of [`boxes_to_compare`](Self::boxes_to_compare).
    pub fn draw_view(
        &mut self,
        glass: &mut LiquidGlass,
        frame: &mut Frame,
        name: &str,
        settings: &GlassSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        if name != views::COMPARE {
            return Ok(false);
        }
        self.is_viewed = true;
        let below = BlurInput { chain: &context.chain, boxed: context.boxed.as_ref() };
        let center = context.lenses.first().map_or(Vec2::ZERO, |lens| lens.center);
        let (sigma, frost) = (judged_sigma(settings, context.scale), glass.passes.frost_for_comparison());
        self.record_view(frame, frost, below, sigma, center, picture)?;
        self.measure(frame, frost, below, sigma, center)?;
        Ok(true)
    }
}

/// Pixels.
fn judged_sigma(settings: &GlassSettings, scale: f32) -> f32 {
    (settings.frost * scale).max(LEAST_SIGMA)
}
