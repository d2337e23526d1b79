//! Strip method: two levels from the picture itself, up to three in each further dispatch, without counters. If many
//! are left, a single pass makes them.

use super::single_pass::{ChainRequest, SinglePass, is_possible, read, sampled};
use crate::{
    pipelines::{Lanes, Pipelines, Recipe, constants, hardware_filter},
    pixel::ChainFormat,
    plan::{Filter, Tier, cover, tier},
    settings::MipChainSettings,
};
use gpu::{Frame, Resource, Result, Sampler, gpu_struct, mip_size};

gpu_struct! {
    struct StripsPush { size: [i32; 2], texel: [f32; 2], first: [i32; 2] }
}

const DEPTHS: [u32; 2] = [2, 3];
const SWAPS: u32 = 32;

fn is_odd(size: [u32; 2], level: u32, depth: u32) -> bool {
    (level..level + depth).any(|level| mip_size(size, level).iter().any(|n| n % 2 == 1))
}

/// Texels from which on strips are quicker for a box's chain of half floats with odd sizes.
const MANY: u64 = 2_000_000;

pub fn is_quicker(size: [u32; 2], format: ChainFormat, filter: Filter) -> bool {
    let is_large = size.into_iter().map(u64::from).product::<u64>() >= MANY;
    filter == Filter::Tent || is_large && is_odd(size, 0, 1) && format == ChainFormat::Rgba16F
}

/// On an H200 a single pass is quicker for five levels or more.
fn single_pass_from(levels: u32, part: Option<[u32; 4]>) -> Option<u32> {
    (part.is_none() && levels > DEPTHS[0] + 5).then_some(DEPTHS[0])
}

pub fn reread_levels(size: [u32; 2], levels: u32, filter: Filter) -> Vec<u32> {
    let single_pass_level = single_pass_from(levels, None);
    let tiers = tiers(size, single_pass_level.map_or(levels, |level| level + 1), filter, None);
    tiers.iter().map(|tier| tier.level).chain(single_pass_level).collect()
}

pub fn tiers(size: [u32; 2], levels: u32, filter: Filter, part: Option<[u32; 4]>) -> Vec<Tier> {
    let last = levels.saturating_sub(1);
    let mut tiers = Vec::new();
    let mut level = 0;
    while level < last {
        let left = last - level;
        let (depth, side) = if level == 0 {
            let depth = DEPTHS[0].min(left);
            (
                depth,
                match (filter, depth, is_odd(size, 0, depth)) {
                    (Filter::Box, 1, _) => [31, 16],
                    (Filter::Box, _, odd) => [15, if odd { 7 } else { 8 }],
                    (Filter::Tent, 1, _) => [30, 16],
                    (Filter::Tent, _, true) => [13, 6],
                    (Filter::Tent, _, false) => [14, 7],
                },
            )
        } else {
            let depth = left.div_ceil(left.div_ceil(DEPTHS[1]));
            (depth, [32 >> depth; 2])
        };
        tiers.push(tier(level, depth, side));
        level += depth;
    }
    cover(&mut tiers, size, filter, part);
    tiers
}

pub fn record(
    pipelines: &Pipelines,
    single_pass: &SinglePass,
    frame: &mut Frame,
    settings: &MipChainSettings,
    request: &ChainRequest<'_>,
) -> Result<()> {
    let (size, chain) = (request.chain.size(), request.chain);
    let single_pass_level =
        single_pass_from(request.levels, request.part).filter(|_| is_possible(pipelines.gpu(), size));
    for tier in &tiers(size, single_pass_level.map_or(request.levels, |level| level + 1), settings.filter, request.part)
    {
        dispatch(pipelines, frame, settings, request, tier)?;
    }
    let Some(level) = single_pass_level else { return Ok(()) };
    let rest = ChainRequest { source: chain.mip(level), chain, base: level, top: false, part: None, ..*request };
    single_pass.record(pipelines, frame, settings, &rest)
}

fn dispatch(
    pipelines: &Pipelines,
    frame: &mut Frame,
    settings: &MipChainSettings,
    request: &ChainRequest<'_>,
    tier: &Tier,
) -> Result<()> {
    let (format, Tier { level, depth, side, .. }) = (request.format, *tier);
    let (size, last) = (mip_size(request.chain.size(), level), level + depth);
    let odd = u32::from(is_odd(request.chain.size(), level, depth));
    let mut constants = constants(format, settings.filter);
    constants.extend([("ODD", odd), ("DEPTH", depth)]);
    let name = format!("mip_chain/levels {}-{last}", level + 1);
    let level_from = |level: u32| Resource::from(request.chain.mip(level.min(last)).as_format(format.stored()));
    let push = StripsPush {
        size: size.map(|n| n as i32),
        texel: size.map(|n| 1.0 / n as f32),
        first: tier.first.map(|n| n as i32),
    };
    let groups = [tier.count[0], tier.count[1], 1];
    if level == 0 {
        let wide = Lanes::of(pipelines.gpu(), settings).size.filter(|size| *size >= SWAPS);
        let (top, subgroup) = match (request.top, wide) {
            (false, _) => ("", None),
            (true, Some(size)) if format == ChainFormat::Rgba16F => ("_rows", Some(size)),
            (true, _) => ("_top", None),
        };
        constants.extend([("TILE_X", side[0]), ("TILE_Y", side[1])]);
        let shader = format!("mip_chain/columns.comp:{}{top}", format.variant());
        let pipeline = pipelines.pushing::<StripsPush>(Recipe { shader, constants, subgroup })?;
        let source = read(&request.source, format).through(Sampler::NearestClamp);
        let levels = [u32::from(!request.top), 1, 2].map(level_from);
        return frame
            .compute(name, &pipeline)
            .bind("source", source)
            .bind_all("levels", levels)
            .push(&push)
            .dispatch_groups(groups);
    }
    // The square of each level, from the last up, and a texel more where a size may be odd.
    let above = |side: u32| 2 * side + 2 + odd;
    let squares: Vec<u32> =
        std::iter::successors(Some(side[0]), |side| Some(above(*side))).take(depth as usize).collect();
    let square = |m: u32| if m <= depth { squares[(depth - m) as usize] } else { 1 };
    let even = size.iter().all(|n| n % 2 == 0);
    let filters = if even { hardware_filter(pipelines.gpu(), settings, format, size) } else { 0 };
    constants.extend([("SIDE_1", square(1)), ("SIDE_2", square(2)), ("SIDE_3", square(3))]);
    constants.extend([("NEAR", square(1).pow(2)), ("FAR", square(2).pow(2)), ("TILE", side[0])]);
    constants.push(("HARDWARE_FILTER", filters));
    let shader = format!("mip_chain/further.comp:{}", format.variant());
    let pipeline = pipelines.pushing::<StripsPush>(Recipe { shader, constants, subgroup: None })?;
    let levels = [1, 2, 3].map(|m| level_from(level + m));
    frame
        .compute(name, &pipeline)
        .bind("source", sampled(&request.chain.mip(level), format))
        .bind_all("levels", levels)
        .push(&push)
        .dispatch_groups(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_made_of_enough() {
        for n in (1u32..300).chain([1080, 1440, 1919, 2560, 4095, 32767, 32768]) {
            for levels in 1..=16.min(n.ilog2() + 1) {
                for filter in [Filter::Box, Filter::Tent] {
                    let tiers_made = tiers([n, 1], levels, filter, None);
                    let mut level = 0;
                    for tier in &tiers_made {
                        assert_eq!(tier.level, level);
                        level += tier.depth;
                        let (last, side) = (mip_size([n, 1], level)[0], tier.side[0]);
                        assert_eq!((tier.first[0], tier.count[0]), (0, last.div_ceil(side)));
                        if tier.level == 0 {
                            let odd = u32::from(is_odd([n, 1], 0, tier.depth));
                            let above = |side: u32| 2 * side + 2 * filter.reach() + odd;
                            let one = if tier.depth == 1 { side } else { above(side) };
                            assert!(above(one) + 1 - filter.reach() <= 64 && one <= 32, "{n} {filter:?}");
                        }
                    }
                    assert_eq!(level, levels - 1);
                }
            }
        }
    }

    #[test]
    fn many_levels_are_handed_on() {
        assert_eq!([3, 7, 8, 16].map(|levels| single_pass_from(levels, None)), [None, None, Some(2), Some(2)]);
        assert_eq!(single_pass_from(16, Some([0, 0, 8, 8])), None);
        let read = |levels| reread_levels([2560, 1440], levels, Filter::Tent);
        assert_eq!([3, 6, 7, 8, 12].map(read), [vec![0], vec![0, 2], vec![0, 2, 4], vec![0, 2], vec![0, 2]]);
        let quicker = |size, filter| is_quicker(size, ChainFormat::Rgba16F, filter);
        assert!(quicker([1919, 1079], Filter::Box) && !quicker([1920, 1080], Filter::Box));
        assert!(quicker([8, 8], Filter::Tent) && !quicker([1023, 1023], Filter::Box));
    }

    #[test]
    fn the_levels_of_the_glass_take_two_dispatches() {
        let depths =
            |levels| tiers([2560, 1440], levels, Filter::Tent, None).iter().map(|t| t.depth).collect::<Vec<_>>();
        assert_eq!([4, 5, 6, 7, 12].map(depths), [vec![2, 1], vec![2, 2], vec![2, 3], vec![2, 2, 2], vec![2, 3, 3, 3]]);
        let part = tiers([2560, 1440], 5, Filter::Tent, Some([1000, 600, 1400, 900]));
        let tiles = |tier: &Tier| tier.count[0] * tier.count[1];
        assert!(tiles(&part[0]) <= 11 * 20 && tiles(&part[1]) <= 16, "{part:?}");
    }
}
