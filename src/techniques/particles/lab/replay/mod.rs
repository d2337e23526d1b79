//! Replay of a step of the particles: the two buffers and the two queues, and some particles of a tile.

mod followed;
mod steps;

use self::{
    followed::{Followed, LastStep, TILE, WORDS},
    steps::Steps,
};
use super::{queue_frame::QueueFrame, reference::Particle};
use crate::{ParticlesSettings, blocks::ParticleState, passes::step::System, simulation::Particles};
use bytemuck::pod_collect_to_vec;
use gpu::{Buffer, Feature, Frame, Queue};
use media::array::Element;
use technique::{FrameContext, NamedOutputs, Output, Replay, Replays, StoryPixel, Variant};

impl Replays for Particles {
    const SHOWS: &'static str = "A step of some particles: two buffers, two queues, who waits for what.";

    /// Both states of the last step: nothing is moved again.
    fn record_replay(&self, _: &mut Frame, _: &ParticlesSettings, context: &FrameContext) -> gpu::Result<NamedOutputs> {
        let system = self.system.as_ref().filter(|_| context.world.is_some());
        let Some([before, after]) = system.and_then(System::last_step).map(|(states, _)| states) else {
            return Ok(Vec::new());
        };
        let words = |buffer: &Buffer| {
            let shape = vec![buffer.size() as usize / (4 * WORDS), WORDS];
            Output::Buffer { buffer: buffer.clone(), element: Element::U32, shape }
        };
        Ok(vec![("before", words(before)), ("after", words(after))])
    }

    fn replay(&self, _: &ParticlesSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let missing = "No particles move in this frame: show the 3D scene, choose a Kind of particles (Auto has none on software drivers), and let Speed be above 0.";
        let drawn = pixel.context.world.as_ref().ok_or(missing)?;
        let system = self.system.as_ref().ok_or(missing)?;
        let (_, motion) = system.last_step().ok_or(missing)?;
        let [before, after] = ["before", "after"].map(|name| {
            let states = pixel.array(name).map(|array| pod_collect_to_vec::<u8, ParticleState>(&array.bytes));
            states.into_iter().flatten().map(Particle::from).collect::<Vec<_>>()
        });
        if before.len() != system.key.count as usize || after.len() != before.len() || before.is_empty() {
            return Err("The particles of this frame were not read.".into());
        }
        let size = pixel.context.picture.size();
        let tiles = pixel.tiles([TILE; 2], size);
        let last =
            LastStep { kind: system.key.kind.number(), motion: motion.reference(), before: &before, after: &after };
        let followed = Followed::new(&last, &drawn.camera, size, tiles.at);
        let comparison = followed.comparison(&last);
        let queues = match self.queue {
            Queue::Compute if self.gpu.has(Feature::AsyncCompute) => 2,
            _ => 1,
        };
        let steps = Steps { last: &last, followed: &followed, queues, newest: system.newest_index() & 1 };
        let steps = steps.all(self.last_step.as_ref().and_then(QueueFrame::of).as_ref(), &comparison);
        let items = followed.numbers.iter().map(|number| format!("particle {number}")).collect();
        let on = if queues == 2 { " on a queue of its own" } else { "" };
        let note = Variant::same(format!("{} {} particles{on}", system.key.count, system.key.kind.title())).note("");
        Ok(Replay::new(tiles, steps, vec![comparison], note).items(items))
    }
}
