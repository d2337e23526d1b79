//! Glass on glass: the layers of lenses of different glass, one after the other.

use super::stack::{GlassStack, LensBody};
use super::{GlassInput, Passes};
use crate::LiquidGlass;
use crate::PassSettings as _;
use crate::light::luminance_adaptation::Adapt;
use crate::settings::Mode;
use gpu::{Frame, Image, ImageView, Result};

impl LiquidGlass {
    pub fn record_layer(
        &mut self,
        frame: &mut Frame,
        stack: &GlassStack,
        layer: usize,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        if layer == 0 {
            (self.passes.frosted, self.passes.brightness) = (None, None);
        }
        let mut bodies = stack.bodies().iter().enumerate().filter(|(_, body)| body.layer == layer);
        bodies.try_for_each(|(index, body)| self.record_body(frame, index, body, below, target))
    }

    /// `onto` holds the picture; `reduce` makes the mip chain of the part that is read. Returns the last layer's input.
    pub fn record_lower_layers<'a>(
        &mut self,
        frame: &mut Frame,
        stack: &GlassStack,
        below: GlassInput<'_>,
        (onto, chain): (&'a ImageView, &'a Image),
        mut reduce: impl FnMut(&mut Frame, Option<[i32; 4]>) -> Result<()>,
    ) -> Result<GlassInput<'a>> {
        let lower = GlassInput { picture: onto, chain, behind: onto, around: chain, boxed: None };
        for layer in 1..stack.layers() {
            let seen = if layer == 1 { below } else { lower };
            self.record_layer(frame, stack, layer - 1, seen, onto)?;
            reduce(frame, stack.region(layer))?;
        }
        Ok(lower)
    }

    pub fn fit_bodies(&mut self, count: usize) -> Result<()> {
        while self.more.len() < count {
            let mut passes = Passes::new(&self.gpu)?;
            passes.adapt = Some(Adapt::new(&self.gpu)?);
            self.more.push(passes);
        }
        Ok(())
    }

    pub fn record_body(
        &mut self,
        frame: &mut Frame,
        index: usize,
        body: &LensBody,
        below: GlassInput,
        target: &ImageView,
    ) -> Result<()> {
        let Some(first) = body.lenses.first() else { return Ok(()) };
        if body.settings.mode == Mode::Source {
            return self.passes.record_source(frame, below, first.center, body.settings.source_blur(), target);
        }
        let glass = self.lit(&body.settings, body.glass.clone());
        self.fit_bodies(index)?;
        let passes = index.checked_sub(1).and_then(|at| self.more.get_mut(at)).unwrap_or(&mut self.passes);
        passes.record_lens(frame, below, &glass, target)
    }
}
