//! Plan of a single pass: levels and tiles of each tier; the CPU half of `single_pass.comp`.

use super::shape::Shape;
pub use super::tier::{Filter, TIERS, TILE, Tier, size, tier};
use gpu::mip_size;

/// As many as a large GPU runs at once (an H200: four on each of 132 multiprocessors). Each takes several blocks, and
/// reads the next one ahead.
const WORKGROUPS: u32 = 528;
/// Squares of a power of two go through whole blocks in all tiers; larger ones need the registers for the first tier.
const SQUARE: u32 = 2048;
/// Texels: 2049x3, of which the box makes 1024x1.
const REHEARSED: u64 = 2049 * 3;

/// Tiers without a halo: no size is odd, for the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aligned {
    None = 0,
    First = 1,
    All = 2,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub tiers: Vec<Tier>,
    pub aligned: Aligned,
    pub between: u32,
    pub counters: u32,
    /// Adjacent blocks that a workgroup of the first tier makes in turn; the tier's `side` is that of all.
    pub share: u32,
    /// A separate workgroup runs the last tier's code once before it is needed, so that it is cached.
    pub rehearsed: bool,
    /// First level of a tile stored there, and the one below it.
    pub room: [u32; 2],
}

impl Plan {
    pub fn ends_whole(&self, size_px: [u32; 2]) -> bool {
        self.tiers.len() == 2 && self.aligned != Aligned::All && self.tiers[1].is_whole(size_px)
    }
}

/// With `part`, only tiles that a texel over it needs.
pub(super) fn cover(tiers: &mut [Tier], size_px: [u32; 2], filter: Filter, part: Option<[u32; 4]>) {
    for axis in 0..2 {
        let n = size_px[axis];
        let part = part.map_or([0, n], |p| [p[axis].min(n - 1), p[axis + 2].clamp(p[axis].min(n - 1) + 1, n)]);
        let mut read: Option<[u32; 2]> = None;
        for tier in tiers.iter_mut().rev() {
            let mut tiles = [u32::MAX, 0];
            let mut need = |m: u32, from: u32, to: u32| {
                tiles[0] = tiles[0].min(tier.owner(n, axis, m, from));
                tiles[1] = tiles[1].max(tier.owner(n, axis, m, to - 1) + 1);
            };
            for m in 1..=tier.depth {
                let w = u64::from(size(n, tier.level + m));
                let from = u64::from(part[0]) * w / u64::from(n);
                let to = (u64::from(part[1]) * w).div_ceil(u64::from(n));
                need(m, from as u32, to as u32);
            }
            if let Some([from, to]) = read {
                need(tier.depth, from, to);
            }
            (tier.first[axis], tier.count[axis]) = (tiles[0], tiles[1] - tiles[0]);
            read = Some(tier.reads(filter, n, axis, tiles));
        }
    }
}

/// With `part` (left, top, right, bottom; pixels of level 0) only the tiles that it needs.
pub fn plan(size_px: [u32; 2], levels: u32, filter: Filter, part: Option<[u32; 4]>) -> Plan {
    let last = levels.saturating_sub(1);
    let even = (size_px[0] | size_px[1]).trailing_zeros();
    let aligned = filter == Filter::Box && last > 0 && even >= last.min(3);
    let mut tiers = Vec::new();
    let mut level = 0;
    let square = aligned && size_px[0] == size_px[1] && size_px[0].is_power_of_two() && size_px[0] <= SQUARE;
    while aligned && (level == 0 || square) && level < last {
        let depth = if level == 0 { even.min(6).min(last) } else { 6.min(last - level) };
        tiers.push(tier(level, depth, [TILE >> depth; 2]));
        level += depth;
    }
    let aligned = match (aligned, square) {
        (true, true) => Aligned::All,
        (true, false) => Aligned::First,
        (false, _) => Aligned::None,
    };
    // The fewest tiers, then the least shared memory, so that many run at once.
    let rooms: &[[u32; 2]] = match (aligned, filter) {
        (Aligned::None, Filter::Tent) => &[[1376, 1680]],
        (Aligned::None, Filter::Box) => &[[1024, 1280]],
        _ => &[[544, 680], [900, 1125], [1024, 1280]],
    };
    let mut room = rooms[0];
    if level < last {
        let further = |room: &[u32; 2]| {
            let shape = Shape { size: size_px, last, filter, room: [room[0], room[1] - room[0]] };
            Some((*room, shape.tiers(level, TIERS - tiers.len())?))
        };
        if let Some((new_room, further)) = rooms.iter().filter_map(further).min_by_key(|(_, further)| further.len()) {
            room = new_room;
            tiers.extend(further);
        }
    }
    let mut share = 1;
    if let Some(first) = tiers.first_mut().filter(|_| aligned != Aligned::None && part.is_none()) {
        let count = [0, 1].map(|axis| size(size_px[axis], first.depth).div_ceil(first.side[axis]));
        // A tile of the first tier may be in two of the next and in the halos of the two next to them; not in more.
        while count[0].div_ceil(share) * count[1] > WORKGROUPS && first.side[0] * share < 2 * Filter::Box.stride() {
            share *= 2;
        }
        first.side[0] *= share;
    }
    cover(&mut tiers, size_px, filter, part);
    // The buffer begins with room for a rehearsal's source.
    let last = tiers.iter().skip(1).next_back().filter(|tier| tier.is_whole(size_px));
    let rehearsed = last.map_or(0, |tier| mip_size(size_px, tier.level).iter().product());
    let (mut between, mut counters) = (rehearsed, 0);
    // The tier with the most counters is last: the shader has 16 bits for where a tier's begin.
    for tier in tiers.iter_mut().skip(1).rev() {
        let at = mip_size(size_px, tier.level);
        (tier.texels, tier.counter) = (between, counters);
        between += at[0] * at[1];
        counters += tier.count[0] * tier.count[1];
    }
    Plan { tiers, aligned, share, rehearsed: rehearsed > 0, between, counters, room }
}

/// A first tier makes at least three levels, a further one two.
pub fn most_between(size_px: [u32; 2]) -> u64 {
    let texels = |tier: u32| mip_size(size_px, 1 + 2 * tier).into_iter().map(u64::from).product::<u64>();
    (1..TIERS as u32).map(texels).sum::<u64>() + REHEARSED
}

/// All sizes odd.
pub fn halo(filter: Filter, depth: u32) -> [u32; 2] {
    let reach = filter.reach();
    (0..depth).fold([0, 0], |[before, after], _| [2 * before + reach, 2 * after + reach + 1])
}

/// On the axis with the larger halo.
pub fn halo_at(filter: Filter, tier: &Tier, size_px: [u32; 2]) -> [u32; 2] {
    let axis = |n: u32| {
        let reach = filter.reach();
        (0..tier.depth)
            .rev()
            .fold([0, 0], |[before, after], m| [2 * before + reach, 2 * after + reach + size(n, tier.level + m) % 2])
    };
    let [x, y] = size_px.map(axis);
    [x[0].max(y[0]), x[1].max(y[1])]
}

/// Texels of the first and of the second level along one side, halo included.
pub fn extents(filter: Filter, depth: u32, side: u32) -> [u32; 2] {
    let of = |m: u32| (m..depth).fold(side, |n, _| 2 * n + 1 + 2 * filter.reach());
    [of(1), of(2.min(depth))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_pictures_are_covered() {
        for filter in [Filter::Box, Filter::Tent] {
            for n in (1..400).chain([1024, 1919, 4095, 4096, 8191, 16384, 32767, 32768]) {
                let result = plan([n, 1080], 16, filter, None);
                assert!(result.tiers.len() <= TIERS);
                let mut at = 0;
                for tier in &result.tiers {
                    assert_eq!(tier.level, at);
                    assert_eq!(tier.first, [0; 2]);
                    at += tier.depth;
                    assert_eq!(tier.count[0], size(n, at).div_ceil(tier.side[0]));
                }
                assert_eq!(at, 15, "{n}");
            }
        }
    }

    #[test]
    fn large_pictures_have_a_plan() {
        for filter in [Filter::Box, Filter::Tent] {
            for n in [8184, 8192, 16376, 16384, 32736, 32760, 32764, 32767, 32768] {
                let result = plan([n, n], n.ilog2() + 1, filter, None);
                let last = result.tiers.last().unwrap();
                assert_eq!((last.level + last.depth, last.count), (n.ilog2(), [1, 1]), "{n} {filter:?}");
                assert!(result.tiers.iter().all(|tier| tier.counter < 1 << 16));
                assert!(u64::from(result.between) <= most_between([n, n]));
                for (m, levels) in [1, 2, 63, 1000, 8191, 32767].into_iter().flat_map(|m| [(m, 7), (m, 16)]) {
                    for size_px in [[n, m], [m, n]] {
                        let last = (levels - 1).min(n.max(m).ilog2());
                        let result = plan(size_px, last + 1, filter, None);
                        let end = result.tiers.last().map(|tier| tier.level + tier.depth);
                        assert_eq!(end, Some(last), "{size_px:?} {filter:?}");
                        assert!(u64::from(result.between) <= most_between(size_px), "{size_px:?} {filter:?}");
                    }
                }
            }
        }
    }

    /// The shader has room for 64.
    #[test]
    fn nobody_has_more_jobs_than_there_is_room_for() {
        for filter in [Filter::Box, Filter::Tent] {
            for n in (1..3000).chain([4095, 8191, 16376, 22140, 32760, 32767, 32768]) {
                for levels in [6, 9, 12, 16] {
                    let result = plan([n, n], levels, filter, None);
                    let mut jobs = 1;
                    for pair in result.tiers.windows(2) {
                        let (tier, next) = (pair[0], pair[1]);
                        let needed = |at: u32| {
                            let needs = |tile: &u32| {
                                let [from, to] = next.reads(filter, n, 0, [*tile, *tile + 1]);
                                (from / tier.side[0]..to.div_ceil(tier.side[0])).contains(&at)
                            };
                            let near = (at * tier.side[0]) >> next.shift(n, 0);
                            (near.saturating_sub(2)..(near + 4).min(next.count[0])).filter(needs).count()
                        };
                        let most = (0..tier.count[0].min(200)).map(needed).max().unwrap_or(1);
                        jobs += most * most - 1;
                    }
                    assert!(jobs <= 64, "{n} {filter:?} {levels} levels: {jobs}");
                }
            }
        }
    }

    /// A workgroup finds all tiles that need it, and each waits for as many as arrive.
    #[test]
    fn everyone_who_is_waited_for_comes() {
        for filter in [Filter::Box, Filter::Tent] {
            for n in (1..300)
                .chain([640, 1080, 1366, 1440, 1919, 2160, 2560, 4095, 4096, 8191, 8192, 16376, 16384, 32760, 32768])
            {
                for (levels, high) in [5, 16].into_iter().flat_map(|levels| [(levels, 1), (levels, n), (levels, 8192)])
                {
                    let result = plan([n, high], levels, filter, None);
                    for pair in result.tiers.windows(2) {
                        let (tier, next) = (pair[0], pair[1]);
                        let (side, shift) = (tier.side[0], next.shift(n, 0));
                        let tiles = |texels: u32| ((texels as f32 + 0.5) / side as f32) as u32;
                        let mut come = vec![0; next.count[0] as usize];
                        let needs = |tile: u32| {
                            let [from, to] = next.reads(filter, n, 0, [tile, tile + 1]);
                            [tiles(from), tiles(to + side - 1)]
                        };
                        for at in 0..tier.count[0] {
                            let near = (at * side) >> shift;
                            for tile in (near + 3).saturating_sub(4)..near + 3 {
                                if tile < next.count[0] && (needs(tile)[0]..needs(tile)[1]).contains(&at) {
                                    come[tile as usize] += 1;
                                }
                            }
                        }
                        for (tile, come) in (0..).zip(come) {
                            let [from, to] = next.reads(filter, n, 0, [tile, tile + 1]);
                            assert_eq!(needs(tile), [from / side, to.div_ceil(side)], "{n} {filter:?}");
                            assert_eq!(come, to.div_ceil(side) - from / side, "{n} {filter:?} tile {tile}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn shared_memory_is_enough() {
        assert_eq!(extents(Filter::Box, 4, 4), [39, 19]);
        assert_eq!(extents(Filter::Tent, 3, 8), [41, 19]);
        assert_eq!(halo(Filter::Box, 4), [0, 15]);
        let thin = [[8192, 1], [1, 8192], [4118, 2], [6163, 7], [4128, 8], [2638, 7], [8039, 12], [32768, 1]];
        let screens = [[144, 144], [300, 300], [1280, 1024], [1440, 900], [2880, 1800], [1366, 768], [3840, 2160]];
        let squares = (1..1300).map(|n| [n, n]);
        for size_px in
            squares.chain(thin).chain(screens).chain([[4095, 4095], [8192, 8192], [32767, 32767], [32760, 8]])
        {
            for (filter, levels) in
                [Filter::Box, Filter::Tent].into_iter().flat_map(|filter| [(filter, 5), (filter, 16)])
            {
                let result = plan(size_px, levels, filter, None);
                let whole = usize::from(result.aligned != Aligned::None);
                for (t, tier) in result.tiers.iter().enumerate().skip(whole) {
                    if result.aligned == Aligned::All {
                        continue;
                    }
                    let stored = if t == 0 { 1 } else { filter.first_stored() };
                    for m in stored..=tier.depth {
                        let most = |axis: usize| {
                            let n = size_px[axis];
                            let of = |tile| tier.span(filter, n, axis, [tile, tile + 1], m);
                            (0..tier.count[axis].min(40)).map(of).map(|[from, to]| to - from).max().unwrap_or(0)
                        };
                        let room = [result.room[0], result.room[1] - result.room[0]][((m - stored) % 2) as usize];
                        assert!(
                            most(0) * most(1) <= room,
                            "{size_px:?} {filter:?} {levels} levels: tier {t}, level {m}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_part_costs_its_part() {
        let whole = plan([4096, 4096], 4, Filter::Tent, None);
        let part = plan([4096, 4096], 4, Filter::Tent, Some([1000, 1000, 1400, 1300]));
        let tiles = |plan: &Plan| plan.tiers[0].count[0] * plan.tiers[0].count[1];
        assert_eq!((whole.tiers.len(), part.tiers.len()), (1, 1));
        assert!(tiles(&part) * 70 <= tiles(&whole), "{} of {}", tiles(&part), tiles(&whole));
        for (n, levels) in [4096, 8191, 32768].into_iter().flat_map(|n| [(n, 6), (n, 8), (n, 16)]) {
            for filter in [Filter::Box, Filter::Tent] {
                let part = plan([n, n], levels, filter, Some([1000, 1000, 1400, 1300]));
                assert!(u64::from(part.between) <= most_between([n, n]), "{n} {filter:?} {levels} levels");
            }
        }
    }
}
