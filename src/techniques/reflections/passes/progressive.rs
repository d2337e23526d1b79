//! Progressive tracing: few pixels, then more, at last all, a slice in each frame.

use super::{
    mask::{BOUNCE, BOUNCES, MARK, SizeResources, Tracing},
    ray_queues::Queues,
};
use crate::{
    bvh::Form,
    uniforms::{PlanBlock, SizeBuffers, WORD},
};
use base::timing::FrameTiming;
use glam::Vec2;
use gpu::{Delayed, Format, Frame, Image, ImageDesc, ImageSlot, ImageView, Result, Use};

/// Microseconds: a first stage while the world moves, and a slice at rest.
const FIRST_US: f64 = 15_000.0;
const SLICE_US: f64 = 50_000.0;
/// And the factor of each later one.
const FIRST: f32 = 0.125;
const FINER: f32 = 3.0;
const STEP: f32 = 1.0 / 32.0;
const LEAST: f32 = 1.0 / 16.0;
const MOST: f32 = 0.5;
const NEARLY_ALL: f32 = 0.6;
/// Halton's points 5 apart, of bases 2 and 3, cover the pixel evenly.
pub const SAMPLES_APART: u32 = 5;
/// And at least.
const ITEMS: u32 = 4096;
const ITEMS_LEAST: u32 = 512;

#[derive(Default)]
struct Pace {
    traced: Delayed<(u32, bool)>,
    items: Option<u32>,
    item_us: Option<f64>,
    first: Option<f32>,
}

impl Pace {
    fn on_timing(&mut self, timing: &FrameTiming) {
        let Some((items, is_whole)) = self.traced.take(timing.frame) else { return };
        let us = timing.us_of(&[BOUNCE, BOUNCES, MARK]).unwrap_or_default().max(1.0);
        if is_whole {
            let item_us = us / f64::from(items.max(1));
            self.item_us = Some(self.item_us.map_or(item_us, |known| 0.5 * (known.min(4.0 * item_us) + item_us)));
        } else {
            let factor = (SLICE_US / us).clamp(0.5, 2.0);
            self.items = Some(((f64::from(items) * factor) as u32).max(ITEMS_LEAST));
        }
    }

    fn first(&mut self, [width, height]: [u32; 2]) -> f32 {
        let wanted = match self.item_us {
            None => FIRST,
            Some(us) => (FIRST_US / (us * f64::from(width) * f64::from(height))).sqrt() as f32,
        };
        let wanted = ((wanted / STEP).floor() * STEP).clamp(LEAST, MOST);
        let first = self.first.filter(|first| wanted > 0.7 * first && wanted < 1.5 * first).unwrap_or(wanted);
        self.first = Some(first);
        first
    }
}

#[derive(Default)]
pub struct Stages {
    queues: Option<Queues>,
    lit: ImageSlot,
    /// Part of each side, and first unfinished item.
    next: Option<(SizeResources, f32, u32)>,
    /// `None`: all was traced at once, or nothing.
    complete: Option<f32>,
    spare: Option<SizeBuffers>,
    pace: Pace,
    warm: usize,
    is_warm: bool,
    form: Option<Form>,
}

fn lit_desc(tracing: &Tracing<'_>) -> ImageDesc {
    ImageDesc::new("mirrored light", tracing.input.ids.size(), Format::Rgba16F, &[Use::Sample, Use::Storage])
}

fn items(plan: &PlanBlock) -> u32 {
    WORD * plan.words
}

impl Stages {
    pub fn is_warm_for(&mut self, form: Form) -> bool {
        if self.form.replace(form) != Some(form) {
            (self.warm, self.is_warm) = (0, false);
        }
        self.is_warm
    }

    pub fn take_back(&mut self, old: SizeResources) {
        self.spare = Some(old.room);
    }

    pub fn is_tracing(&self) -> bool {
        self.next.is_some()
    }

    /// With the current tracing; `None`: all was traced at once, or nothing.
    pub fn traced_part(&self) -> Option<f32> {
        let complete = self.complete?;
        let Some((held, part, first)) = &self.next else { return Some(complete * complete) };
        let done = *first as f32 / items(&held.plan).max(1) as f32;
        let before = if complete < 1.0 { complete * complete } else { 0.0 };
        Some(before + (part * part - before) * done)
    }

    pub fn is_due(&self, number: u32, samples: u32) -> bool {
        self.next.is_none() && number > 0 && number.is_multiple_of(SAMPLES_APART) && number + 1 < samples
    }

    pub fn forget(&mut self) {
        (self.next, self.complete) = (None, None);
        self.pace.traced.forget();
    }

    pub fn restart(&mut self) {
        (self.next, self.complete, self.pace) = Default::default();
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.pace.on_timing(timing);
    }

    fn queues(&mut self, tracing: &Tracing<'_>, held: &SizeResources) -> Result<&Queues> {
        let queues = Queues::fitting(&tracing.gpu, self.queues.take(), held.plan.depth, items(&held.plan))?;
        Ok(self.queues.insert(queues))
    }

    pub fn lit(&mut self, tracing: &Tracing<'_>) -> Result<ImageView> {
        Ok(self.lit.fit(&tracing.gpu, lit_desc(tracing))?.mip(0))
    }

    pub fn warm_up(&mut self, frame: &mut Frame, tracing: &Tracing<'_>) -> Result<()> {
        let lit = self.lit(tracing)?;
        let held = tracing.held(self.spare.take(), tracing.plan(FIRST))?;
        let number = self.warm;
        let more = self.queues(tracing, &held)?.warm(frame, tracing, &held, &lit, number)?;
        (self.warm, self.is_warm, self.spare) = (number + 1, !more, Some(held.room));
        Ok(())
    }

    pub fn whole(
        &mut self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        (self.next, self.complete) = (None, None);
        self.stage(frame, tracing, 1.0, old)
    }

    pub fn begin(
        &mut self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        let part = self.pace.first(tracing.plan(1.0).size.to_array());
        let (held, lit) = self.stage(frame, tracing, part, old)?;
        self.pace.traced.put(frame.number(), (items(&held.plan), true));
        self.complete = Some(part);
        self.next = self.finer(tracing, part)?;
        Ok((held, lit))
    }

    fn stage(
        &mut self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        part: f32,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        let old = old.map(|held| held.room).or_else(|| self.spare.take());
        let held = tracing.held(old, tracing.plan(part))?;
        let lit = self.lit(tracing)?;
        self.queues(tracing, &held)?.trace(frame, tracing, &held, 0..items(&held.plan))?;
        Queues::resolve(frame, tracing, &held, &lit)?;
        Ok((held, lit))
    }

    pub fn reuse(
        &mut self,
        frame: &mut Frame,
        tracing: &Tracing<'_>,
        held: &mut SizeResources,
        shift: Vec2,
    ) -> Result<ImageView> {
        held.plan.shift = shift;
        self.resolve(frame, tracing, held)
    }

    pub fn resolve(&mut self, frame: &mut Frame, tracing: &Tracing<'_>, held: &SizeResources) -> Result<ImageView> {
        let lit = self.lit(tracing)?;
        Queues::resolve(frame, tracing, held, &lit)?;
        Ok(lit)
    }

    pub fn look(&mut self, frame: &mut Frame, tracing: &Tracing<'_>) -> Result<SizeResources> {
        let held = tracing.held(None, tracing.plan(1.0))?;
        let lit = Image::new(&tracing.gpu, lit_desc(tracing))?.mip(0);
        self.queues(tracing, &held)?.trace(frame, tracing, &held, 0..items(&held.plan))?;
        Queues::resolve(frame, tracing, &held, &lit)?;
        Ok(held)
    }

    /// The last result stays until this one is complete.
    pub fn begin_again(&mut self, tracing: &Tracing<'_>, samples: u32) -> Result<()> {
        // The mean of n samples covers a pixel where each covers 1/n of it.
        let least_detail = ((samples / SAMPLES_APART).max(1) as f32).sqrt().recip();
        let held = tracing.held(self.spare.take(), PlanBlock { least_detail, ..tracing.plan(1.0) })?;
        self.next = Some((held, 1.0, 0));
        Ok(())
    }

    fn finer(&mut self, tracing: &Tracing<'_>, part: f32) -> Result<Option<(SizeResources, f32, u32)>> {
        if part >= 1.0 {
            return Ok(None);
        }
        let part = if FINER * part < NEARLY_ALL { FINER * part } else { 1.0 };
        let held = tracing.held(self.spare.take(), tracing.plan(part))?;
        Ok(Some((held, part, 0)))
    }

    pub fn go_on(&mut self, frame: &mut Frame, tracing: &Tracing<'_>) -> Result<Option<SizeResources>> {
        let Some((held, part, first)) = self.next.take() else { return Ok(None) };
        let all = items(&held.plan);
        let count = self.pace.items.unwrap_or(ITEMS).next_multiple_of(WORD).min(all - first);
        if first == 0 {
            // Pixels without a result are no mirrors.
            frame.clear("reflections/clear", &held.room.traced.mip(0), [0.0; 4])?;
        }
        self.queues(tracing, &held)?.trace(frame, tracing, &held, first..first + count)?;
        self.pace.traced.put(frame.number(), (count, false));
        if first + count < all {
            self.next = Some((held, part, first + count));
            return Ok(None);
        }
        let lit = self.lit(tracing)?;
        Queues::resolve(frame, tracing, &held, &lit)?;
        self.complete = Some(part);
        self.next = self.finer(tracing, part)?;
        Ok(Some(held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    fn timing(frame: u64, us: f64) -> FrameTiming {
        let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..Default::default() };
        let passes =
            vec![pass("reflections/bounce 1", 0.9 * us), pass("reflections/mark", 0.1 * us), pass("glass/lens", 9e9)];
        FrameTiming { frame, passes, ..Default::default() }
    }

    #[test]
    fn slices_and_first_stages_keep_their_time() {
        let mut pace = Pace::default();
        for frame in 0..20 {
            let items = pace.items.unwrap_or(ITEMS);
            pace.traced.put(frame, (items, false));
            pace.on_timing(&timing(frame, 3.0 * f64::from(items)));
        }
        let us = 3.0 * f64::from(pace.items.unwrap_or(0));
        assert!((0.9 * SLICE_US..1.1 * SLICE_US).contains(&us), "{us}");
        assert_eq!(pace.first([1280, 720]), FIRST);
        for (frame, item_us, least, most) in [(30, 40.0, LEAST, LEAST), (40, 1.0, 0.09, 0.13), (60, 0.01, MOST, MOST)] {
            for frame in frame..frame + 10 {
                let part = pace.first([1280, 720]);
                let items = 1280.0 * 720.0 * part * part;
                pace.traced.put(frame, (items as u32, true));
                pace.on_timing(&timing(frame, item_us * f64::from(items)));
            }
            let part = pace.first([1280, 720]);
            assert!((least..=most).contains(&part), "{item_us} us: {part}");
        }
    }
}
