//! Distribution of the levels of a chain among tiers that are not made of whole blocks.

use super::tier::{Filter, Tier, size, tier};
use gpu::mip_size;

const BLOCK: u32 = 32;

#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub size: [u32; 2],
    pub last: u32,
    pub filter: Filter,
    /// First level of a tile stored there, and the one below it.
    pub room: [u32; 2],
}

impl Filter {
    /// Without its halo. The tent's halos are three times as wide, and it copies all of that to shared memory.
    pub(super) fn stride(self) -> u32 {
        if self == Self::Box { 32 } else { 16 }
    }

    /// The box reads the buffer, the tent copies what it reads.
    pub(super) fn first_stored(self) -> u32 {
        u32::from(self == Self::Box)
    }
}

impl Shape {
    /// Texels of the last of `depth` levels below `level` along one axis; `None`: none.
    fn side(&self, level: u32, depth: u32, axis: usize) -> Option<u32> {
        let of = |level| size(self.size[axis], level);
        let reach = self.filter.reach();
        let (first, last_size) = (of(level + 1), of(level + depth));
        let most = match axis {
            1 => BLOCK,
            _ => BLOCK - if reach == 0 && of(level) % 2 == 0 { 0 } else { 1 + reach },
        };
        if first <= most {
            return Some(last_size);
        }
        let mask = (1 << (depth - 1)) - 1;
        let room = most.checked_sub((first & mask) + 2 * reach * mask)? >> (depth - 1);
        (room > 0).then_some(room)
    }

    /// If that is not too much for one workgroup.
    fn whole(&self, level: u32) -> Option<Tier> {
        let depth = self.last - level;
        let one_block =
            || (0..2).all(|axis| self.side(level, depth, axis) == Some(self.level_size(level + depth)[axis]));
        let fits = match level {
            0 => one_block(),
            _ => {
                let stored = |m| self.level_size(level + self.filter.first_stored() + m).iter().product::<u32>();
                (0..2).all(|m| stored(m) <= self.room[m as usize])
            }
        };
        fits.then(|| tier(level, depth, self.level_size(level + depth)))
    }

    fn level_size(&self, level: u32) -> [u32; 2] {
        mip_size(self.size, level)
    }

    pub fn tiers(&self, level: u32, most: usize) -> Option<Vec<Tier>> {
        if most == 0 {
            return None;
        }
        if let Some(whole) = self.whole(level) {
            return Some(vec![whole]);
        }
        let with = |depth: u32| {
            let side = if level == 0 {
                [self.side(level, depth, 0)?, self.side(level, depth, 1)?]
            } else {
                let (halo, stride) = (1 + 2 * self.filter.reach(), self.filter.stride());
                let stored = [0, 1].map(|m| depth.saturating_sub(self.filter.first_stored() + m));
                let stored = stored.map(|m| (stride >> (depth - m)) + ((1 << m) - 1) * halo);
                let fits = (0..2).all(|m| stored[m] * stored[m] <= self.room[m]);
                fits.then_some([stride >> depth; 2])?
            };
            let mut tiers = vec![tier(level, depth, side)];
            if level + depth < self.last {
                tiers.extend(self.tiers(level + depth, most - 1)?);
            }
            Some(tiers)
        };
        let left = self.last - level;
        let possible = |depths: &'static [u32]| depths.iter().map(|depth| (*depth).min(left)).filter_map(with);
        // Halos grow with the levels of a tier: a first tier makes at most three, a further one of the tent two,
        // because more tiles need the same texels and the last workgroup to arrive makes all of them.
        match (level, self.filter) {
            (1.., Filter::Tent) => possible(&[2, 3, 4]).next(),
            _ => possible(&[3, 4]).next(),
        }
    }
}
