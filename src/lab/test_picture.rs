//! Test picture with the difficult cases of resampling.

use base::threads::share;

/// Noise, a checker, a zone plate and a bright corner: hard edges, every frequency and odd borders. Four bytes a texel, sRGB-encoded where
/// that matters.
pub fn test_picture(size: [u32; 2]) -> Vec<u8> {
    let largest = f64::from(size[0].max(size[1]));
    let plate = |x: u32, y: u32| {
        let [x, y] = [(x, 0), (y, 1)].map(|(at, axis)| f64::from(at) / f64::from(size[axis]));
        (127.5 + 127.0 * (0.25 * std::f64::consts::PI * (x * x + y * y) * largest).cos()) as u8
    };
    let texel = |x: u32, y: u32| {
        let noise = (x.wrapping_mul(0x9E37_79B9) ^ y.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35) >> 8;
        let checker = if (x / 4 + y / 4).is_multiple_of(2) { 255 } else { 12 };
        let corner = if x + 3 > size[0] && y + 3 > size[1] { 255 } else { 0 };
        [(noise & 255) as u8, checker, plate(x, y) | corner, 255]
    };
    let row = size[0] as usize * 4;
    let mut bytes = vec![0; row * size[1] as usize];
    let all = bytes.len();
    share((0..).zip(bytes.chunks_mut(row)), all, |(y, row)| {
        for (x, place) in (0..).zip(row.as_chunks_mut::<4>().0) {
            *place = texel(x, y);
        }
    });
    bytes
}
