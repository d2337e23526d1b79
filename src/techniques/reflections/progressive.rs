//! Progressive tracing over several frames: first few pixels, then more, at last all, a slice in each frame; finished pixels stay.

use super::passes::{BOUNCE, BOUNCES, MARK};
use super::{
    ReflectionsSettings,
    bvh::{Form, ResidentBvh},
    passes::{MirrorInput, SizeResources},
    pipelines::Pipelines,
    ray_queues::Queues,
    uniforms::{PlanBlock, SizeBuffers, WORD, size_for},
};
use crate::{
    base::timing::FrameTiming,
    gpu::{Delayed, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Result, Use},
};
use glam::Vec2;
use std::sync::Arc;

/// Time budget of a first stage, in frames that follow each other while the world moves; and of a slice, while nothing moves. Microseconds.
const FIRST_US: f64 = 15_000.0;
const SLICE_US: f64 = 50_000.0;
/// Part of each side in the first stage, and how much more each later one has.
const FIRST: f32 = 0.125;
const FINER: f32 = 3.0;
/// Steps of the first stage's part, and its limits.
const STEP: f32 = 1.0 / 32.0;
const LEAST: f32 = 1.0 / 16.0;
const MOST: f32 = 0.5;
/// From here on the next stage has all pixels.
const NEARLY_ALL: f32 = 0.6;
/// At rest mirrors are traced once more for every n samples. Samples that are 5 apart, of Halton's points of bases 2 and 3, are all over
/// the pixel: 5 is a multiple of neither base.
const SAMPLES_APART: u32 = 5;
/// Items of a slice before it is known what they take, and at least.
const ITEMS: u32 = 4096;
const ITEMS_LEAST: u32 = 512;

/// Times of the frames.
#[derive(Default)]
struct Pace {
    /// Items traced, and whether they are all of a stage.
    traced: Delayed<(u32, bool)>,
    /// Items that a frame may trace.
    items: Option<u32>,
    /// Microseconds of an item, where the whole picture was traced.
    item_us: Option<f64>,
    /// Part of each side of the last first stage.
    first: Option<f32>,
}

impl Pace {
    fn on_timing(&mut self, timing: &FrameTiming) {
        let Some((items, is_whole)) = self.traced.take(timing.frame) else { return };
        let us = timing.us_of(&[BOUNCE, BOUNCES, MARK]).unwrap_or_default().max(1.0);
        if is_whole {
            let item_us = us / f64::from(items.max(1));
            // A first one may have waited for a compiler.
            self.item_us = Some(self.item_us.map_or(item_us, |known| 0.5 * (known.min(4.0 * item_us) + item_us)));
        } else {
            // Slices differ, sky and floor.
            let factor = (SLICE_US / us).clamp(0.5, 2.0);
            self.items = Some(((f64::from(items) * factor) as u32).max(ITEMS_LEAST));
        }
    }

    /// Part of each side of a first stage of a picture of n pixels that is traced in time.
    fn first(&mut self, [width, height]: [u32; 2]) -> f32 {
        let wanted = match self.item_us {
            None => FIRST,
            Some(us) => (FIRST_US / (us * f64::from(width) * f64::from(height))).sqrt() as f32,
        };
        let wanted = ((wanted / STEP).floor() * STEP).clamp(LEAST, MOST);
        // Images are not made again for a little.
        let first = self.first.filter(|first| wanted > 0.7 * first && wanted < 1.5 * first).unwrap_or(wanted);
        self.first = Some(first);
        first
    }
}

/// Progress of the tracing over several frames.
#[derive(Default)]
pub struct Stages {
    queues: Option<Queues>,
    /// The light with mirrors.
    lit: ImageSlot,
    /// Current tracing, its part of each side, and its first unfinished item.
    next: Option<(SizeResources, f32, u32)>,
    /// Room to be used again.
    spare: Option<SizeBuffers>,
    pace: Pace,
    /// Kernels that the driver was made to compile, and whether that is all.
    warm: usize,
    is_warm: bool,
    /// Traversal of the hierarchies in those.
    form: Option<Form>,
}

/// Common arguments of all calls.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub gpu: &'a Arc<Gpu>,
    pub pipelines: &'a Pipelines,
    pub bvh: &'a ResidentBvh,
    pub settings: &'a ReflectionsSettings,
    pub input: &'a MirrorInput<'a>,
    /// Factor on the trace resolution given by the settings.
    pub scale: f32,
}

impl Around<'_> {
    fn plan(&self, part: f32) -> PlanBlock {
        let whole = self.input.ids.size();
        let size = size_for(self.gpu.info(), whole, self.settings.scale * self.scale * part);
        PlanBlock::new(self.settings, self.gpu.policy(), size, whole)
    }
}

fn items(plan: &PlanBlock) -> u32 {
    WORD * plan.words
}

impl Stages {
    /// Whether the driver has compiled everything for rays that go through the hierarchies in this form.
    pub fn is_warm_for(&mut self, form: Form) -> bool {
        if self.form.replace(form) != Some(form) {
            (self.warm, self.is_warm) = (0, false);
        }
        self.is_warm
    }

    /// Room of what is not shown any more.
    pub fn take_back(&mut self, old: SizeResources) {
        self.spare = Some(old.room);
    }

    /// Whether there is more to trace.
    pub fn is_tracing(&self) -> bool {
        self.next.is_some()
    }

    /// Whether mirrors are to be traced once more for sample `number` of `samples` at rest.
    pub fn is_due(&self, number: u32, samples: u32) -> bool {
        self.next.is_none() && number > 0 && number.is_multiple_of(SAMPLES_APART) && number + 1 < samples
    }

    /// Forgets what is traced; what was compiled stays.
    pub fn forget(&mut self) {
        self.next = None;
        self.pace.traced.forget();
    }

    /// Forgets what is traced, and what that took.
    pub fn restart(&mut self) {
        (self.next, self.pace) = Default::default();
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.pace.on_timing(timing);
    }

    fn queues(&mut self, gpu: &Arc<Gpu>, plan: &PlanBlock) -> Result<&Queues> {
        let queues = Queues::fitting(gpu, self.queues.take(), plan.depth, items(plan))?;
        Ok(self.queues.insert(queues))
    }

    fn lit(&mut self, gpu: &Arc<Gpu>, size: [u32; 2]) -> Result<ImageView> {
        let desc = ImageDesc::new("mirrored light", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        Ok(self.lit.fit(gpu, desc)?.mip(0))
    }

    /// Lets the driver compile one kernel.
    pub fn warm_up(&mut self, frame: &mut Frame, around: &Around<'_>) -> Result<()> {
        let plan = around.plan(FIRST);
        let lit = self.lit(around.gpu, around.input.ids.size())?;
        let held = SizeResources { plan, room: SizeBuffers::fitting(around.gpu, self.spare.take(), &plan)? };
        let number = self.warm;
        let Around { pipelines, bvh, input, .. } = around;
        let more = self.queues(around.gpu, &plan)?.warm(frame, pipelines, bvh, &held, input, &lit, number)?;
        (self.warm, self.is_warm, self.spare) = (number + 1, !more, Some(held.room));
        Ok(())
    }

    /// Traces all mirrors at once. What was traced, and the light.
    pub fn whole(
        &mut self,
        frame: &mut Frame,
        around: &Around<'_>,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        self.next = None;
        self.stage(frame, around, 1.0, old)
    }

    /// Begins: a few pixels of all mirrors at once. What was traced, and the light.
    pub fn begin(
        &mut self,
        frame: &mut Frame,
        around: &Around<'_>,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        let part = self.pace.first(around.plan(1.0).size.to_array());
        let (held, lit) = self.stage(frame, around, part, old)?;
        self.pace.traced.put(frame.number(), (items(&held.plan), true));
        self.next = self.finer(around, part)?;
        Ok((held, lit))
    }

    fn stage(
        &mut self,
        frame: &mut Frame,
        around: &Around<'_>,
        part: f32,
        old: Option<SizeResources>,
    ) -> Result<(SizeResources, ImageView)> {
        let plan = around.plan(part);
        let old = old.map(|held| held.room).or_else(|| self.spare.take());
        let room = SizeBuffers::fitting(around.gpu, old, &plan)?;
        let held = SizeResources { plan, room };
        let lit = self.lit(around.gpu, around.input.ids.size())?;
        let Around { pipelines, bvh, input, .. } = around;
        self.queues(around.gpu, &plan)?.trace(frame, pipelines, bvh, &held, input, 0..items(&plan))?;
        Queues::resolve(frame, pipelines, bvh.form(), &held, input, &lit)?;
        Ok((held, lit))
    }

    /// Puts what was traced into the light of other samples of the same pixels, which are `shift` pixels from those.
    pub fn reuse(
        &mut self,
        frame: &mut Frame,
        around: &Around<'_>,
        held: &mut SizeResources,
        shift: Vec2,
    ) -> Result<ImageView> {
        held.plan.shift = shift;
        let lit = self.lit(around.gpu, around.input.ids.size())?;
        Queues::resolve(frame, around.pipelines, around.bvh.form(), held, around.input, &lit)?;
        Ok(lit)
    }

    /// Begins to trace all mirrors once more, for another of `samples` samples at rest; until that is done what was traced before is shown.
    pub fn begin_again(&mut self, around: &Around<'_>, samples: u32) -> Result<()> {
        // Their mean covers a pixel where each of n covers 1/n of it.
        let least_detail = ((samples / SAMPLES_APART).max(1) as f32).sqrt().recip();
        let plan = PlanBlock { least_detail, ..around.plan(1.0) };
        let held = SizeResources { plan, room: SizeBuffers::fitting(around.gpu, self.spare.take(), &plan)? };
        self.next = Some((held, 1.0, 0));
        Ok(())
    }

    /// The stage after one of such a part.
    fn finer(&mut self, around: &Around<'_>, part: f32) -> Result<Option<(SizeResources, f32, u32)>> {
        if part >= 1.0 {
            return Ok(None);
        }
        let part = if FINER * part < NEARLY_ALL { FINER * part } else { 1.0 };
        let plan = around.plan(part);
        let held = SizeResources { plan, room: SizeBuffers::fitting(around.gpu, self.spare.take(), &plan)? };
        Ok(Some((held, part, 0)))
    }

    /// Goes on by a slice. What was traced, where a stage is complete: the light is another then.
    pub fn go_on(&mut self, frame: &mut Frame, around: &Around<'_>) -> Result<Option<SizeResources>> {
        let Some((held, part, first)) = self.next.take() else { return Ok(None) };
        let all = items(&held.plan);
        let count = self.pace.items.unwrap_or(ITEMS).next_multiple_of(WORD).min(all - first);
        let Around { pipelines, bvh, input, .. } = around;
        if first == 0 {
            // Between slices the image can be seen: what is not traced yet is no mirror, not what the memory held.
            frame.clear("reflections/clear", &held.room.traced.mip(0), [0.0; 4])?;
        }
        let queues = self.queues(around.gpu, &held.plan)?;
        queues.trace(frame, pipelines, bvh, &held, input, first..first + count)?;
        self.pace.traced.put(frame.number(), (count, false));
        if first + count < all {
            self.next = Some((held, part, first + count));
            return Ok(None);
        }
        let lit = self.lit(around.gpu, around.input.ids.size())?;
        Queues::resolve(frame, pipelines, bvh.form(), &held, input, &lit)?;
        self.next = self.finer(around, part)?;
        Ok(Some(held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::timing::PassTiming;

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
