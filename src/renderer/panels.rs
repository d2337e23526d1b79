//! Backdrop of the panels, and the glass ones.

use super::Renderer;
use super::active_view::ViewPlacement;
use super::frame::FrameParams;
use glass::GlassInput;
use gpu::{Frame, ImageView, Result};

impl Renderer {
    pub fn wants_bright_panels(&self) -> Option<bool> {
        self.techniques.glass.below.is_bright()
    }

    pub fn is_looking_below(&self) -> bool {
        self.techniques.glass.below.is_looking() || self.techniques.glass.inks.is_turning()
    }

    /// Over the recorded frame, whose picture nothing reads from then on.
    pub fn record_panels(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        if params.plates.is_empty() && params.sheets.is_empty() {
            return Ok(());
        }
        let full = params.view.filter(|view| view.place == ViewPlacement::Full).map(|view| view.view.name);
        let seen = if full.is_some() { self.targets.view()?.clone() } else { self.targets.background()?.clone() };
        let there = params.plates.iter().filter(|plate| plate.presence > 0.0).map(|plate| [plate.low, plate.high]);
        let panels: Vec<_> = there.chain(params.sheets.iter().copied()).collect();
        self.techniques.glass.below.look(frame, &panels, &seen.picture.mip(0), full, self.below.is_new)?;
        if params.plates.is_empty() {
            return Ok(());
        }
        if full.is_some() {
            self.techniques.mip_chain.record(frame, &params.settings.mip_chain, &seen.picture.mip(0), &seen.chain)?;
        }
        let picture = seen.picture.mip(0);
        let chain = &seen.chain;
        let below = GlassInput { picture: &picture, chain, behind: &picture, around: chain, boxed: None };
        self.techniques.glass.record_plates(frame, params.plates, params.scale, below, target)
    }
}
