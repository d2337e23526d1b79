//! GPU measurement of the brightness below each lens, written into the list of lenses. The state of the hysteresis stays on the GPU: nothing
//! is read back.

use super::look_turn::{FADE_S, HOLD_S};
use crate::frost::work;
use crate::lens::shape::MOST_LENSES;
use crate::settings::Glass;
use crate::system;
use glam::{UVec2, Vec2};
use gpu::gpu_struct;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Image, Memory, Result, Sampler};
use media::array::Element;
use scene::OpticsModel;
use std::collections::HashMap;
use std::sync::Arc;
use technique::Output;

/// Mean brightness below Snell's glass that is bright, and dark.
const TURNS: Vec2 = Vec2::new(0.62, 0.50);

/// Mean brightness below a lens that is bright, and dark.
pub fn turns(optics: OpticsModel) -> Vec2 {
    if optics == OpticsModel::System { system::TURNS } else { TURNS }
}

/// As in shaders/glass/luminance_adaptation.comp.
const STATE: u64 = 16;

gpu_struct! {
    struct Measured { lens: u32, was: u32, turns: Vec2 }
}

gpu_struct! {
    pub struct AdaptPush { size: Vec2, first: u32, held: f32, faded: f32 }
}

gpu::gpu_consts! { "glass/luminance_adaptation.comp":
    const NO_STATE: u32 = 0xFFFF_FFFF;
}

/// A lens whose state is known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    id: Option<u32>,
    center: Vec2,
    /// The classes of another glass are not its own.
    turns: Vec2,
}

/// States of the frame before and of this one, in the order in which they are measured.
pub struct Adapt {
    pipeline: ComputePipeline,
    states: [Buffer; 2],
    known: Vec<Known>,
    measured: Vec<Known>,
    waiting_s: f32,
    seconds: f32,
    adopted: Option<Buffer>,
    /// In place of the own state before.
    before: Option<Buffer>,
}

impl Adapt {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = ComputePipeline::new(gpu, "glass/luminance_adaptation.comp", &[])?.with_push::<AdaptPush>()?;
        let state = |name| Buffer::new(gpu, name, STATE * MOST_LENSES as u64, Memory::Device);
        let states = [state("glass brightness before")?, state("glass brightness")?];
        Ok(Self {
            pipeline,
            states,
            known: Vec::new(),
            measured: Vec::new(),
            waiting_s: 0.0,
            seconds: 0.0,
            adopted: None,
            before: None,
        })
    }

    pub fn pass_time(&mut self, seconds: f32) {
        self.waiting_s = seconds;
    }

    pub fn restart(&mut self) {
        (self.known, self.measured, self.waiting_s, self.adopted) = Default::default();
    }

    /// From the next frame on; `other` may be recorded before it in the same frame.
    pub fn adopt(&mut self, other: &Self) {
        (self.measured, self.adopted) = (other.measured.clone(), Some(other.states[1].clone()));
    }

    /// Of a frame.
    pub fn begin(&mut self) {
        self.known = std::mem::take(&mut self.measured);
        self.seconds = std::mem::take(&mut self.waiting_s);
        self.states.reverse();
        self.before = self.adopted.take();
    }

    pub fn record(&mut self, frame: &mut Frame, chain: &Image, glasses: &[Glass], lenses: &Buffer) -> Result<()> {
        let first = self.measured.len() as u32;
        let (mut list, mut lens) = (Vec::new(), 0);
        let matches = Matches::new(&self.known);
        for glass in glasses {
            let turns = turns(glass.optics);
            // One that is not measured is there at once when it is wanted again.
            for own in glass.lenses.lens.iter().filter(|_| glass.needs_brightness) {
                let it = Known { id: own.id, center: own.center, turns };
                list.push(Measured { lens, was: matches.find(&it).unwrap_or(NO_STATE), turns });
                self.measured.push(it);
                lens += 1;
            }
            lens += if glass.needs_brightness { 0 } else { glass.lenses.lens.len() as u32 };
        }
        if list.is_empty() {
            return Ok(());
        }
        let size = UVec2::from_array(chain.size()).as_vec2();
        let (held, faded) = (self.seconds / HOLD_S, (self.seconds / FADE_S).clamp(0.0, 1.0));
        let push = AdaptPush { size, first, held, faded };
        let [own, after] = &self.states;
        let before = self.before.as_ref().unwrap_or(own);
        let measured = frame.data("glass measured", &list)?;
        let pass =
            frame.compute("glass/luminance_adaptation", &self.pipeline).bind("lenses", lenses).bind("before", before);
        let pass = pass.bind("after", after).bind("list", measured);
        let pass = pass.bind("chain", chain.all().through(Sampler::LinearMirror));
        let pass = pass.counted(|| work::luminance_adaptation(list.len()));
        pass.push(&push).dispatch_groups([list.len() as u32, 1, 1])
    }

    pub fn output(&self) -> Option<Output> {
        let shape = vec![self.measured.len(), 4];
        (shape[0] > 0).then(|| Output::Buffer { buffer: self.states[1].clone(), element: Element::F32, shape })
    }
}

/// Lenses of the frame before by their ids, and by their places: lenses come, go and change their order.
struct Matches<'a> {
    known: &'a [Known],
    by_id: HashMap<u32, u32>,
    /// Sorted by x.
    by_x: Vec<(f32, u32)>,
}

impl<'a> Matches<'a> {
    fn new(known: &'a [Known]) -> Self {
        let by_id = (0..).zip(known).filter_map(|(index, lens)| Some((lens.id?, index))).collect();
        let mut by_x: Vec<(f32, u32)> = (0..).zip(known).map(|(index, lens)| (lens.center.x, index)).collect();
        by_x.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { known, by_id, by_x }
    }

    /// That of its id, or the nearest one.
    fn find(&self, lens: &Known) -> Option<u32> {
        let is_same_kind = |index: &u32| self.known[*index as usize].turns == lens.turns;
        let by_id = lens.id.and_then(|id| self.by_id.get(&id).copied()).filter(is_same_kind);
        by_id.or_else(|| self.nearest(lens))
    }

    fn nearest(&self, lens: &Known) -> Option<u32> {
        let middle = self.by_x.partition_point(|(x, _)| *x < lens.center.x);
        let (left, right) = self.by_x.split_at(middle);
        let mut best: Option<(f32, u32)> = None;
        let mut take = |(x, index): &(f32, u32)| {
            let away = best.map_or(f32::INFINITY, |(away, _)| away);
            if (x - lens.center.x).abs() > away {
                return false;
            }
            let known = &self.known[*index as usize];
            let distance = known.center.distance(lens.center);
            if known.turns == lens.turns && (distance, *index) < best.unwrap_or((f32::INFINITY, 0)) {
                best = Some((distance, *index));
            }
            true
        };
        let _ = left.iter().rev().all(&mut take);
        let _ = right.iter().all(&mut take);
        best.map(|(_, index)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_are_known_again_by_their_ids_and_places() {
        let [a, b, c] = [Vec2::new(10.0, 10.0), Vec2::new(500.0, 10.0), Vec2::new(900.0, 700.0)].map(|center| Known {
            id: None,
            center,
            turns: TURNS,
        });
        let found = |before: &[Known], now: &[Known]| {
            let matches = Matches::new(before);
            now.iter().map(|lens| matches.find(lens)).collect::<Vec<_>>()
        };
        let moved = Known { center: b.center + 3.0, ..b };
        assert_eq!(found(&[a, b], &[moved, a]), [Some(1), Some(0)]);
        assert_eq!(found(&[a, b], &[a, b, c]), [Some(0), Some(1), Some(1)], "a new one begins as its neighbour");
        assert_eq!(found(&[], &[a]), [None]);
        let named = |id, lens: Known| Known { id: Some(id), ..lens };
        assert_eq!(found(&[named(7, a), named(8, b)], &[named(8, a), named(7, c)]), [Some(1), Some(0)]);
        let other = Known { turns: system::TURNS, ..a };
        assert_eq!(found(&[other, b], &[a, other]), [Some(1), Some(0)], "the classes of another glass are not its own");
        assert_eq!(found(&[other], &[a]), [None]);
        let many: Vec<Known> = (0..300_u16)
            .map(|at| Known { center: Vec2::new(f32::from(at * 37 % 101), f32::from(at * 53 % 89)), ..a })
            .collect();
        for lens in many.iter().map(|lens| Known { center: lens.center * 1.01 + 0.3, ..*lens }) {
            let nearest = (0..)
                .zip(&many)
                .min_by(|(_, a), (_, b)| a.center.distance(lens.center).total_cmp(&b.center.distance(lens.center)));
            assert_eq!(found(&many, &[lens]), [nearest.map(|(index, _)| index)]);
        }
    }
}
