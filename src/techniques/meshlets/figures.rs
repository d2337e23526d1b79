//! Culling statistics of a finished frame, as a table.

use super::passes::culling::TALLIES;
use base::{
    text::{percent, thousands},
    timing::FrameTiming,
};
use gpu::{Buffer, Delayed, Frame, ReadBack, Result};
use technique::Report;

/// In the order of shaders/meshlets/stats.glsl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub drawn: [u64; 2],
    pub out_of_frustum: u64,
    pub facing_away: u64,
    pub occluded: u64,
    pub triangles: [u64; 2],
    /// `None` on paths without a list.
    pub listed: Option<u64>,
}

impl Counts {
    pub fn new(work: &[u32], draws: Option<&[u32]>) -> Self {
        let word = |i: usize| work.get(i).copied().map_or(0, u64::from);
        let listed =
            draws.map(|draws| draws.chunks(4).filter_map(|draw| draw.first()).map(|n| u64::from(*n) / 3).sum());
        Self {
            drawn: [word(0), word(1)],
            out_of_frustum: word(2),
            facing_away: word(3),
            occluded: word(4),
            triangles: [word(5), word(6)],
            listed,
        }
    }

    pub fn total(&self) -> u64 {
        self.drawn[0] + self.drawn[1] + self.out_of_frustum + self.facing_away + self.occluded
    }
}

#[derive(Default)]
pub struct Figures {
    pending: Delayed<(ReadBack, Option<ReadBack>, u64)>,
    last: Option<(Counts, u64)>,
}

impl Figures {
    pub fn request(&mut self, frame: &mut Frame, work: &Buffer, draws: Option<&Buffer>, all: u64) -> Result<()> {
        if !self.pending.is_pending() {
            let draws = draws.map(|draws| frame.read_buffer(draws)).transpose()?;
            let work = frame.read_buffer(work)?;
            self.pending.put(frame.number(), (work, draws, all));
        }
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let Some((work, draws, all)) = self.pending.take(timing.frame) else { return Ok(()) };
        let (work, draws) = (work.read::<u32>()?, draws.map(|draws| draws.read::<u32>()).transpose()?);
        self.last = Some((Counts::new(&work[..TALLIES.min(work.len())], draws.as_deref()), all));
        Ok(())
    }

    pub fn counts(&self) -> Option<Counts> {
        self.last.map(|(counts, _)| counts)
    }

    pub fn report(&self) -> Option<Report> {
        let (counts, all) = self.last?;
        let total = counts.total().max(1) as f64;
        let share = |n: u64, of: f64| percent(n as f64 / of, 1);
        let row = |what: &str, n: u64| vec![what.into(), thousands(n), share(n, total)];
        let triangles = |what: &str, n: u64| vec![what.into(), thousands(n), share(n, all.max(1) as f64)];
        let mut rows = vec![
            row("meshlets visible in the last frame", counts.drawn[0]),
            row("newly visible", counts.drawn[1]),
            row("outside the frustum", counts.out_of_frustum),
            row("facing away", counts.facing_away),
            row("occluded", counts.occluded),
            triangles("triangles of drawn meshlets", counts.triangles[0] + counts.triangles[1]),
        ];
        rows.extend(counts.listed.map(|listed| triangles("triangles rasterized", listed)));
        Some(Report { title: "Meshlets of the last frame".into(), head: vec!["what", "number", "share"], rows })
    }
}
