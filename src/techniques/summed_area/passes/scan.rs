//! Scans of an array: each word becomes the sum of all up to it, modulo 2^32.

use crate::pipelines::{LookbackBuffer, Scratch};
use gpu::{Buffer, Frame, Gpu, Result, gpu_consts, gpu_struct};
use std::sync::Arc;

base::choices! {
    /// How an array is scanned.
    pub enum Scan {
        /// Hillis and Steele: one dispatch per doubling of the distance, between two buffers.
        HillisSteele = "hillis_steele" as "Hillis-Steele",
        /// Blelloch's two sweeps over blocks of 512 in shared memory.
        Blelloch = "blelloch",
        /// Kogge and Stone over the lanes of subgroups.
        KoggeStone = "kogge_stone" as "Kogge-Stone",
        /// Ladner and Fischer over the lanes of subgroups: half the additions.
        LadnerFischer = "ladner_fischer" as "Ladner-Fischer",
        /// Eight words per thread, then a scan of their sums: fewer, larger blocks.
        Blocks = "blocks",
        /// The same with flags at which the sum restarts from zero.
        Segmented = "segmented",
        /// One dispatch: each tile reads the sums that earlier tiles have published (decoupled look-back).
        SinglePass = "single_pass",
    }
}

gpu_struct! {
    struct StepPush { count: u32, back: u32 }
}

gpu_struct! {
    struct BlockPush { count: u32, groups: u32 }
}

gpu_struct! {
    struct AddPush { count: u32, block: u32 }
}

gpu_struct! {
    struct PassPush { count: u32, tiles: u32, epoch: u32 }
}

/// Of the single pass; buffers hold a multiple of them.
pub const TILE: u32 = 8192;

gpu_consts! { "summed_area/lanes.glsl":
    const THREADS: u32 = 256;
}

impl Scan {
    pub fn block(self) -> u32 {
        match self {
            Self::HillisSteele | Self::KoggeStone | Self::LadnerFischer => THREADS,
            Self::Blelloch => 2 * THREADS,
            Self::Blocks | Self::Segmented => 8 * THREADS,
            Self::SinglePass => TILE,
        }
    }

    pub fn passes(self, count: u32) -> u32 {
        match self {
            Self::HillisSteele => steps(count),
            Self::SinglePass => 1,
            _ => {
                let groups = count.div_ceil(self.block());
                if groups > 1 { 2 + self.passes(groups) } else { 1 }
            }
        }
    }

    /// If nothing is kept between dispatches.
    pub fn bytes(self, count: u32) -> u64 {
        let all = u64::from(count) * 4;
        match self {
            Self::HillisSteele => u64::from(steps(count)) * 3 * all,
            Self::SinglePass => 2 * all,
            _ => {
                let groups = count.div_ceil(self.block());
                let flags = if self == Self::Segmented { all } else { 0 };
                2 * all + flags + if groups > 1 { 2 * all + self.bytes(groups) } else { 0 }
            }
        }
    }
}

fn steps(count: u32) -> u32 {
    count.max(2).next_power_of_two().trailing_zeros()
}

pub fn bytes_for(count: u32) -> u64 {
    u64::from(count.max(1)).next_multiple_of(u64::from(TILE)) * 4
}

fn spread(groups: u32) -> [u32; 3] {
    let across = groups.clamp(1, 32_768);
    [across, groups.div_ceil(across).max(1), 1]
}

pub struct Array<'a> {
    pub source: &'a Buffer,
    /// For [`Scan::Segmented`]: not 0 where a sum restarts.
    pub flags: Option<&'a Buffer>,
    pub target: &'a Buffer,
    pub count: u32,
    /// A gap after each 32 words.
    pub padded: bool,
}

/// By depth: sums, flags, firsts, scanned sums.
const BUFFERS: [[&str; 4]; 4] = [
    ["sums 0", "flags 0", "firsts 0", "scanned 0"],
    ["sums 1", "flags 1", "firsts 1", "scanned 1"],
    ["sums 2", "flags 2", "firsts 2", "scanned 2"],
    ["sums 3", "flags 3", "firsts 3", "scanned 3"],
];

#[derive(Default)]
pub struct Scans {
    pub lookback: LookbackBuffer,
}

impl Scans {
    pub fn record(&mut self, scratch: &mut Scratch, frame: &mut Frame, scan: Scan, array: &Array<'_>) -> Result<()> {
        match scan {
            Scan::HillisSteele => by_steps(scratch, frame, array),
            Scan::SinglePass => {
                let gpu: Arc<Gpu> = scratch.gpu.clone();
                let tiles = array.count.div_ceil(TILE).max(1);
                let run = self.lookback.next(&gpu, frame, u64::from(tiles))?;
                let (variant, lanes) = scratch.features.lookback_variant();
                let constants = vec![("TURNS", scratch.features.wait_turns), ("SILENT", scratch.features.silent_group)];
                let pipeline = scratch.pipeline::<PassPush>(format!("scan_pass.comp:{variant}"), constants, lanes)?;
                let pass = frame.compute("summed_area/scan", &pipeline);
                let pass = pass.bind("Source", array.source).bind("Target", array.target);
                let pass = pass.bind("Posts", &run.words).bind("Control", &run.control);
                let push = PassPush { count: array.count, tiles, epoch: run.epoch };
                pass.push(&push).dispatch_groups([tiles, 1, 1])
            }
            _ => by_blocks(scratch, frame, scan, array, 0),
        }
    }
}

fn by_steps(scratch: &mut Scratch, frame: &mut Frame, array: &Array<'_>) -> Result<()> {
    let pipeline = scratch.pipeline::<StepPush>("scan_step.comp", vec![], None)?;
    let other = scratch.buffer("steps", bytes_for(array.count))?;
    let (steps, mut from) = (steps(array.count), array.source.clone());
    for step in 0..steps {
        let to = if (steps - step) % 2 == 1 { array.target } else { &other };
        let pass = frame.compute(format!("summed_area/scan {step}"), &pipeline);
        let pass = pass.bind("Source", &from).bind("Target", to);
        let push = StepPush { count: array.count, back: 1 << step };
        pass.push(&push).dispatch_groups(spread(array.count.div_ceil(THREADS)))?;
        from = to.clone();
    }
    Ok(())
}

fn by_blocks(scratch: &mut Scratch, frame: &mut Frame, scan: Scan, array: &Array<'_>, depth: usize) -> Result<()> {
    let (block, buffers) = (scan.block(), BUFFERS[depth.min(BUFFERS.len() - 1)]);
    let groups = array.count.div_ceil(block).max(1);
    let [sums, flags, firsts, scanned] = buffers;
    let (sums, scanned) = (scratch.buffer(sums, bytes_for(groups))?, scratch.buffer(scanned, bytes_for(groups))?);
    let (block_flags, firsts) = (scratch.buffer(flags, bytes_for(groups))?, scratch.buffer(firsts, bytes_for(groups))?);
    let is_segmented = scan == Scan::Segmented;
    let (ending, lanes) = match scan {
        Scan::Blelloch | Scan::Segmented => ("", None),
        _ => scratch.features.shuffles(2),
    };
    let constants = if scan == Scan::Blelloch { vec![("PADDED", u32::from(array.padded))] } else { vec![] };
    let shader = format!("scan_block.comp:{}{ending}", scan.name());
    let pipeline = scratch.pipeline::<BlockPush>(shader, constants, lanes)?;
    let pass = frame.compute("summed_area/scan blocks", &pipeline);
    let pass = pass.bind("Source", array.source).bind("Target", array.target).bind("Sums", &sums);
    let own_flags = array.flags.unwrap_or(array.source);
    let pass = pass.bind_named([
        ("Flags", own_flags.into()),
        ("BlockFlags", (&block_flags).into()),
        ("Firsts", (&firsts).into()),
    ]);
    pass.push(&BlockPush { count: array.count, groups }).dispatch_groups(spread(groups))?;
    if groups == 1 {
        return Ok(());
    }
    let above = Array { source: &sums, flags: Some(&block_flags), target: &scanned, count: groups, ..*array };
    by_blocks(scratch, frame, scan, &above, depth + 1)?;
    let shader = if is_segmented { "scan_add.comp:segmented" } else { "scan_add.comp:all" };
    let pipeline = scratch.pipeline::<AddPush>(shader, vec![], None)?;
    let pass = frame.compute("summed_area/scan add", &pipeline).bind("Before", &scanned).bind("Target", array.target);
    let pass = pass.bind_named([("Firsts", (&firsts).into())]);
    pass.push(&AddPush { count: array.count, block }).dispatch_groups(spread(array.count.div_ceil(THREADS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_and_bytes_are_counted() {
        assert_eq!([1, 2, 3, 256, 257].map(steps), [1, 1, 2, 8, 9]);
        assert_eq!(Scan::Blocks.passes(2048), 1);
        assert_eq!(Scan::Blocks.passes(2049), 3);
        assert_eq!(Scan::KoggeStone.passes(256 * 256 + 1), 5);
        assert_eq!(Scan::SinglePass.bytes(1 << 20), 8 << 20);
        assert_eq!(Scan::Blelloch.bytes(1024), 4 * 4096 + 16);
        assert_eq!(spread(40_000), [32_768, 2, 1]);
        let mut depth = 0;
        let mut count = u32::MAX;
        while count > 256 {
            count = count.div_ceil(256);
            depth += 1;
        }
        assert!(depth < BUFFERS.len());
    }
}
