//! GPU measurement of the brightness below each lens, written into the uniforms of the glass. The state of the
//! hysteresis stays on the GPU: nothing is read back.

use super::look_turn::{FADE_S, HOLD_S};
use crate::frost::work;
use crate::lens::shape::MAX_LENSES;
use crate::settings::Glass;
use crate::system;
use glam::{UVec2, Vec2};
use gpu::gpu_struct;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Image, Memory, Result, Sampler};
use media::array::Element;
use scene::OpticsModel;
use std::sync::Arc;
use technique::Output;

/// Mean brightness below Snell's glass that is bright, and dark.
const TURNS: Vec2 = Vec2::new(0.62, 0.50);

/// As in shaders/glass/luminance_adaptation.comp.
const STATE: u64 = 16;

gpu_struct! {
    pub struct AdaptPush { was: [u32; MAX_LENSES], size: Vec2, turns: Vec2, held: f32, faded: f32, is_first: u32 }
}

pub struct Adapt {
    pipeline: ComputePipeline,
    states: [Buffer; 2],
    centers: Vec<Vec2>,
    turns: Vec2,
    seconds: f32,
    adopted: Option<Buffer>,
}

impl Adapt {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = ComputePipeline::new(gpu, "glass/luminance_adaptation.comp", &[])?.with_push::<AdaptPush>()?;
        let state = |name| Buffer::new(gpu, name, STATE * MAX_LENSES as u64, Memory::Device);
        let states = [state("glass brightness")?, state("glass brightness before")?];
        Ok(Self { pipeline, states, centers: Vec::new(), turns: TURNS, seconds: 0.0, adopted: None })
    }

    pub fn pass_time(&mut self, seconds: f32) {
        self.seconds = seconds;
    }

    pub fn restart(&mut self) {
        (self.centers, self.seconds, self.adopted) = Default::default();
    }

    /// From the next frame on; `other` may be recorded before it in the same frame.
    pub fn adopt(&mut self, other: &Self) {
        (self.centers, self.turns) = (other.centers.clone(), other.turns);
        self.adopted = Some(other.states[0].clone());
    }

    pub fn record(&mut self, frame: &mut Frame, chain: &Image, glass: &Glass, block: &Buffer) -> Result<()> {
        if !glass.needs_brightness {
            self.centers.clear(); // when it is wanted again it is there at once
            return Ok(());
        }
        let turns = if glass.optics == OpticsModel::System { system::TURNS } else { TURNS };
        if std::mem::replace(&mut self.turns, turns) != turns {
            self.centers.clear(); // the classes of the other glass are not its own
        }
        let centers: Vec<Vec2> = glass.lenses.lens.iter().map(|lens| lens.center).collect();
        let seconds = std::mem::take(&mut self.seconds);
        let push = AdaptPush {
            was: was(&self.centers, &centers),
            size: UVec2::from_array(chain.size()).as_vec2(),
            turns,
            held: seconds / HOLD_S,
            faded: (seconds / FADE_S).clamp(0.0, 1.0),
            is_first: u32::from(self.centers.is_empty()),
        };
        let [own, after] = &self.states;
        let before = self.adopted.take();
        let before = before.as_ref().unwrap_or(own);
        let pass =
            frame.compute("glass/luminance_adaptation", &self.pipeline).bind("lenses", block).bind("before", before);
        let pass = pass.bind("after", after).bind("chain", chain.all().through(Sampler::LinearMirror));
        let pass = pass.counted(|| work::luminance_adaptation(centers.len()));
        pass.push(&push).dispatch_groups([centers.len() as u32, 1, 1])?;
        self.states.reverse();
        self.centers = centers;
        Ok(())
    }

    pub fn output(&self) -> Option<Output> {
        let shape = vec![self.centers.len(), 4];
        (shape[0] > 0).then(|| Output::Buffer { buffer: self.states[0].clone(), element: Element::F32, shape })
    }
}

/// The nearest lens before, for each: lenses come and go.
fn was(before: &[Vec2], now: &[Vec2]) -> [u32; MAX_LENSES] {
    let mut was = [0; MAX_LENSES];
    for (slot, center) in was.iter_mut().zip(now) {
        let near = (0_u32..).zip(before).min_by(|(_, a), (_, b)| a.distance(*center).total_cmp(&b.distance(*center)));
        *slot = near.map_or(0, |(index, _)| index);
    }
    was
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_are_known_again_by_where_they_lie() {
        let (a, b, c) = (Vec2::new(10.0, 10.0), Vec2::new(500.0, 10.0), Vec2::new(900.0, 700.0));
        assert_eq!(was(&[a, b], &[b + 3.0, a])[..2], [1, 0]);
        assert_eq!(was(&[a, b], &[a, b, c])[..3], [0, 1, 1], "a new one begins as its neighbour");
        assert_eq!(was(&[], &[a])[0], 0);
    }
}
