//! Ladder method of the source: M levels in each dispatch, from the last stored one.

use super::single_pass::sampled;
use crate::{
    pipelines::{Lanes, Pipelines, Recipe, constants, hardware_filter},
    pixel::ChainFormat,
    plan::extents,
    settings::MipChainSettings,
};
use gpu::{Frame, Image, Resource, Result, gpu_struct};

gpu_struct! {
    struct LadderPush { size: [i32; 2], aligned: u32, side: i32 }
}

const LEVELS: u32 = 6;
/// Each has at most two texels of a tile's second level.
const THREADS: u32 = 512;
const MORE_SHARED: u32 = 256;

/// Along one side of a tile with a halo: its source is 32 texels, or 64 for six levels.
fn side(depth: u32) -> u32 {
    (32 >> depth).max(1)
}

fn made(settings: &MipChainSettings, depth: u32) -> [u32; 2] {
    extents(settings.filter, depth, side(depth)).map(|n| n * n)
}

pub fn record(
    pipelines: &Pipelines,
    frame: &mut Frame,
    settings: &MipChainSettings,
    chain: &Image,
    format: ChainFormat,
    levels: u32,
) -> Result<()> {
    let gpu = pipelines.gpu().clone();
    let lanes = Lanes::of(&gpu, settings);
    let mut level = 0;
    while level + 1 < levels {
        let source = chain.mip(level);
        let size = source.size();
        let mut depth = settings.levels_per_dispatch.clamp(1, LEVELS).min(levels - 1 - level);
        let aligned = |depth: u32| settings.filter.reach() == 0 && size.iter().all(|n| n % (1 << depth) == 0);
        let fits = |depth: u32| {
            let [near, far] = made(settings, depth);
            near * 8 + MORE_SHARED <= gpu.info().shared_bytes && far <= 2 * THREADS
        };
        while depth > 1 && !aligned(depth) && !fits(depth) {
            depth -= 1;
        }
        let aligned = aligned(depth);
        let mut constants = constants(format, settings.filter);
        constants.push(("DEPTH", depth));
        let near = if aligned { 0 } else { made(settings, depth)[0] };
        constants.push(("KEPT", near.max(THREADS)));
        if format != ChainFormat::R32F {
            constants.push(("HARDWARE_FILTER", hardware_filter(&gpu, settings, format, size)));
        }
        if lanes.shuffles > 0 {
            constants.push(("SHUFFLES", lanes.shuffles.min(2)));
        }
        let shader = format!("mip_chain/ladder.comp:{}{}", format.variant(), lanes.suffix());
        let pipeline = pipelines.pushing::<LadderPush>(Recipe { shader, constants, subgroup: lanes.size })?;
        let groups = if aligned {
            let threads = 1u32 << (2 * (depth.min(5) - 1));
            [(size[0] >> depth).div_ceil(THREADS / threads), size[1] >> depth, 1]
        } else {
            let tiles = chain.mip(level + depth).size().map(|n| n.div_ceil(side(depth)));
            [tiles[0], tiles[1], 1]
        };
        let push = LadderPush { size: size.map(|n| n as i32), aligned: aligned.into(), side: side(depth) as i32 };
        let last = level + depth;
        let images =
            (0..LEVELS).map(|k| Resource::from(chain.mip((level + 1 + k).min(last)).as_format(format.stored())));
        let pass = frame.compute(format!("mip_chain/ladder {}-{last}", level + 1), &pipeline);
        pass.bind("source", sampled(&source, format)).bind_all("levels", images).push(&push).dispatch_groups(groups)?;
        level = last;
    }
    Ok(())
}
