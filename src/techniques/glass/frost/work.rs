//! Bytes of the blurs under the glass, counted from their shaders' text: 8 bytes a texel.

use glam::UVec2;

const TEXEL_BYTES: u64 = 8;

fn area(extent: UVec2) -> u64 {
    u64::from(extent.x) * u64::from(extent.y)
}

/// 64 places of eight texels, 28 bytes of state, without the lens' description.
pub fn luminance_adaptation(lenses: usize) -> u64 {
    lenses as u64 * (64 * 8 * TEXEL_BYTES + 28)
}

/// Each texel reads 4 by 4, of which neighbours share two along each axis.
pub fn halve(extent: UVec2) -> u64 {
    TEXEL_BYTES * (area(2 * extent + 2) + area(extent))
}

/// A bilinear tap covers two texels.
pub fn preblur(extent: UVec2, axis: usize, pairs: u32) -> u64 {
    let mut read = extent;
    read[axis] += 4 * pairs;
    TEXEL_BYTES * (area(read) + area(extent))
}
