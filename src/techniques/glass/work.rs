//! Bytes and floating-point operations of the blurs under the glass, counted from their shaders' text: three channels a texel of 8 bytes,
//! coordinates included, constants and signs not.

use crate::gpu::PassWork;
use glam::UVec2;

const TEXEL_BYTES: u64 = 8;

fn area(extent: UVec2) -> u64 {
    u64::from(extent.x) * u64::from(extent.y)
}

/// `luminance_adaptation.comp` for each lens: 64 places of eight texels each, and 28 bytes of state read and written. The
/// description of the lens is not counted.
pub(super) fn luminance_adaptation(lenses: usize) -> PassWork {
    PassWork::bytes(lenses as u64 * (64 * 8 * TEXEL_BYTES + 28))
}

/// `halve.comp`: coordinates 2 + 2, offset 2, four taps of 2, their sums 9, the factor 3. Each texel reads 4 by 4, of which neighbours share
/// two along each axis.
pub(super) fn halve(extent: UVec2) -> PassWork {
    let read = area(2 * extent + 2);
    PassWork { bytes: Some(TEXEL_BYTES * (read + area(extent))), flops: Some(26 * area(extent)) }
}

/// `preblur.comp` along `axis`: coordinates 2 + 2, the middle 3; each pair of taps 6 for its places and 9 for its sum. A bilinear tap covers
/// two texels.
pub(super) fn preblur(extent: UVec2, axis: usize, pairs: u32) -> PassWork {
    let mut read = extent;
    read[axis] += 4 * pairs;
    let flops = (7 + 15 * u64::from(pairs)) * area(extent);
    PassWork { bytes: Some(TEXEL_BYTES * (area(read) + area(extent))), flops: Some(flops) }
}

/// `kawase.comp`: coordinates 2 + 2, four taps of 2 and their sums 9; down 9 more for the middle, up 2 for the offsets, four taps of 2, and
/// 18 for their sum.
pub(super) fn kawase(extent: UVec2, is_up: bool) -> PassWork {
    PassWork::flops(if is_up { 49 } else { 30 } * area(extent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_one_texel() {
        let one = UVec2::ONE;
        assert_eq!(halve(one), PassWork { bytes: Some(8 * (16 + 1)), flops: Some(26) });
        // 9 taps of two texels but the middle: 17 texels.
        assert_eq!(preblur(one, 1, 4), PassWork { bytes: Some(8 * (17 + 1)), flops: Some(67) });
        assert_eq!((kawase(one, false).flops, kawase(one, true).flops), (Some(30), Some(49)));
    }
}
