//! Comparison of the blurs with a true Gaussian on the present picture: as a view, and measured.

use super::blur_judge::{JudgeInput, whole_numbers};
use super::blur_quality::{LEAST_SIGMA, measured_area};
use crate::gpu::{Frame, ImageView, Result};
use crate::lab::{Card, Comparison};
use crate::scene::Lens;
use crate::techniques::glass::passes::BoxBlurRequest;
use crate::techniques::glass::settings::GlassSettings;
use crate::techniques::glass::{LiquidGlass, views};
use crate::techniques::{Compares, Measures};
use glam::{UVec2, Vec2};

impl Compares for LiquidGlass {
    const MEASURES: Measures = Measures {
        label: "Compare blurs",
        doc: "Every blur at this frost against a true Gaussian: time, PSNR, samples per pixel.",
        chooses: "blur",
    };
    type State = ();

    fn comparison<'a>(&'a mut self, _: &'a mut ()) -> &'a mut Comparison {
        &mut self.judge.comparison
    }

    fn card(&self, _: &()) -> Card {
        self.judge.card()
    }
}

impl LiquidGlass {
    pub fn keep_within(&mut self, width_px: u32) {
        self.judge.within_px = width_px;
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
        let is_wanted = self.is_measuring() && self.judge.wants(sigma);
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
        let (shown, measured) = (self.judge.compared_area(center, full), measured_area(center, full));
        let area = (shown.0.min(measured.0), shown.1.max(measured.1));
        let sigma = judged_sigma(settings, scale);
        (view == views::COMPARE).then(|| BoxBlurRequest::around(sigma, whole_numbers(area)))
    }

    pub fn forget_measured(&mut self) {
        self.judge.forget();
    }

    pub fn is_measuring(&self) -> bool {
        self.judge.comparison.is_active()
    }

    pub fn psnr_db(&self) -> Vec<f64> {
        self.judge.psnr_db()
    }

    pub fn measure(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        lenses: &[Lens],
        scale: f32,
        below: JudgeInput,
    ) -> Result<()> {
        match lenses.first() {
            Some(first) if self.is_measuring() || std::mem::take(&mut self.compares) => {
                self.record_measure(frame, below, judged_sigma(settings, scale), first.center)
            }
            Some(_) => {
                self.judge.forget();
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub fn draw_comparison(
        &mut self,
        frame: &mut Frame,
        settings: &GlassSettings,
        scale: f32,
        below: JudgeInput,
        center: Vec2,
        picture: &ImageView,
    ) -> Result<()> {
        self.compares = true;
        let (sigma, frost) = (judged_sigma(settings, scale), self.passes.frost_for_comparison());
        self.judge.record_view(frame, frost, below, sigma, center, picture)?;
        self.record_measure(frame, below, sigma, center)
    }

    fn record_measure(&mut self, frame: &mut Frame, below: JudgeInput, sigma: f32, center: Vec2) -> Result<()> {
        self.judge.measure(frame, self.passes.frost_for_comparison(), below, sigma, center)
    }
}

/// Pixels.
fn judged_sigma(settings: &GlassSettings, scale: f32) -> f32 {
    (settings.frost * scale).max(LEAST_SIGMA)
}
