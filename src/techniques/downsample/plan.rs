//! Sizes of the result and of the intermediate levels of chains.

use super::settings::DownsampleSettings;

/// Never larger than `from`, at least 1x1.
pub(super) fn result_size(settings: &DownsampleSettings, from: [u32; 2]) -> [u32; 2] {
    [0, 1].map(|axis| {
        let side = match settings.size[axis] {
            0 => from[axis] / settings.ratio.max(1),
            side => side,
        };
        side.clamp(1, from[axis].max(1))
    })
}

/// Each side is halved, rounded down, until it would be less than that of `to`, the last.
pub(super) fn halvings(from: [u32; 2], to: [u32; 2]) -> Vec<[u32; 2]> {
    let (mut levels, mut size) = (Vec::new(), from);
    while size != to {
        size = [0, 1].map(|axis| (size[axis] / 2).max(to[axis]));
        levels.push(size);
    }
    if levels.is_empty() {
        levels.push(to);
    }
    levels
}

/// `to`, and before it, where a result pixel covers too many pixels for one invocation, something as high as the
/// picture.
pub(super) fn means(from: [u32; 2], to: [u32; 2]) -> Vec<[u32; 2]> {
    let is_long = [0, 1].iter().any(|axis| from[*axis].div_ceil(to[*axis]) > LONGEST);
    if is_long && from[0] != to[0] && from[1] != to[1] { vec![[to[0], from[1]], to] } else { vec![to] }
}

/// Pixels along a side that one pass reads for a result pixel, if it reads both sides.
const LONGEST: u32 = 128;

/// If each result pixel covers n by n pixels, n a power of two from 2 to 32.
pub(super) fn block(from: [u32; 2], to: [u32; 2]) -> Option<u32> {
    let ratio = from[0] / to[0];
    let fits = (2..=32).contains(&ratio) && ratio.is_power_of_two() && to.map(|side| side * ratio) == from;
    fits.then_some(ratio)
}

/// The larger level in a chain of `levels`, and the share of the next one.
pub(super) fn place_in_chain(from: [u32; 2], to: [u32; 2], levels: u32) -> (u32, f32) {
    let last = levels.saturating_sub(1);
    let same = (0..levels).find(|level| gpu::mip_size(from, *level) == to);
    if let Some(level) = same {
        return (level, 0.0);
    }
    let ratio = (0..2).map(|axis| from[axis] as f32 / to[axis] as f32).fold(1.0, f32::max);
    let place = ratio.log2().min(last as f32);
    let level = (place as u32).min(last);
    (level, if level == last { 0.0 } else { place - level as f32 })
}

/// The sum over a result pixel stays below 2^32.
pub(super) fn unit(from: [u32; 2], to: [u32; 2], most: u32) -> f32 {
    let area: u64 = (0..2).map(|axis| u64::from(from[axis].div_ceil(to[axis])) + 1).product();
    (u64::from(u32::MAX) / area).clamp(1, u64::from(most)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_or_a_side_says_how_large_the_result_is() {
        let of = |ratio, size, from| result_size(&DownsampleSettings { ratio, size, ..Default::default() }, from);
        assert_eq!(of(8, [0, 0], [1280, 720]), [160, 90]);
        assert_eq!(of(64, [0, 0], [1000, 33]), [15, 1]);
        assert_eq!(of(8, [100, 0], [1280, 720]), [100, 90]);
        assert_eq!(of(8, [5000, 7], [1280, 720]), [1280, 7]);
    }

    #[test]
    fn chains_halve_down_to_the_result() {
        assert_eq!(halvings([2048, 2048], [64, 64]), [[1024; 2], [512; 2], [256; 2], [128; 2], [64; 2]]);
        assert_eq!(halvings([1001, 9], [300, 9]), [[500, 9], [300, 9]]);
        assert_eq!(halvings([7, 7], [7, 7]), [[7, 7]]);
        assert_eq!(halvings([8, 3], [1, 1]), [[4, 1], [2, 1], [1, 1]]);
    }

    #[test]
    fn long_means_are_made_one_axis_after_the_other() {
        assert_eq!(means([2048, 2048], [64, 64]), [[64, 64]]);
        assert_eq!(means([4096, 4096], [1, 1]), [[1, 4096], [1, 1]]);
        assert_eq!(means([4096, 5], [1, 5]), [[1, 5]], "one axis only");
    }

    #[test]
    fn no_sum_overflows() {
        assert_eq!(unit([2048, 2048], [64, 64], 65535), 65535.0);
        for (from, to) in [([4096, 4096], [1, 1]), ([1000, 700], [3, 2]), ([16384, 16384], [1, 1])] {
            let along = |axis: usize| u64::from(u32::div_ceil(from[axis], to[axis])) + 1;
            let area: u64 = along(0) * along(1);
            let unit = unit(from, to, 65535);
            assert!(unit >= 1.0 && unit as u64 * area <= u64::from(u32::MAX), "{from:?} {unit}");
        }
    }

    #[test]
    fn blocks_are_powers_of_two_that_divide() {
        assert_eq!(block([2048, 2048], [64, 64]), Some(32));
        assert_eq!(block([2048, 1024], [64, 64]), None);
        for (from, to) in [([96, 96], [32, 32]), ([128, 128], [2, 2]), ([65, 64], [32, 32]), ([8, 8], [8, 8])] {
            assert_eq!(block(from, to), None, "{from:?}");
        }
    }

    #[test]
    fn a_level_of_the_right_size_is_taken_alone() {
        assert_eq!(place_in_chain([1001, 7], [250, 1], 10), (2, 0.0));
        let (level, next) = place_in_chain([1000, 1000], [300, 300], 10);
        assert!(level == 1 && (next - 0.737).abs() < 1e-3, "{next}");
        assert_eq!(place_in_chain([1000, 1000], [10, 10], 3), (2, 0.0), "the chain ends before");
    }
}
