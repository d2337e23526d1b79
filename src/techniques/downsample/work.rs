//! Bytes and floating-point operations of the methods that read the picture itself, counted from their shaders' text.
//!
//! A pixel has four channels, so a weighted sum costs eight operations a pixel: four products and four additions. The weights themselves
//! are not counted, except where the text has an operation for each pixel.

use crate::gpu::{ImageView, PassWork};

fn area(size: [u32; 2]) -> u64 {
    u64::from(size[0]) * u64::from(size[1])
}

fn texels(view: &ImageView) -> u64 {
    area(view.size())
}

fn bytes_of(view: &ImageView) -> u64 {
    texels(view) * u64::from(view.format().bytes())
}

/// `gather.comp`: each pixel of the result reads `taps` times `taps` pixels, all different ones where the ratio is at least that, and
/// multiplies two weights for each.
pub(super) fn gather(above: &ImageView, result: &ImageView, taps: u32) -> PassWork {
    let reads = u64::from(taps * taps) * texels(result);
    let read = reads.min(texels(above)) * u64::from(above.format().bytes());
    PassWork { bytes: Some(read + bytes_of(result)), flops: Some(9 * reads) }
}

/// Pixels that `scaled.comp` reads for all pixels along an axis: `n` are reduced to `made` with a kernel that reaches `reach` pixels.
fn scaled_taps(n: u32, made: u32, reach: u32) -> u64 {
    let [n, made, reach] = [n, made, reach].map(i64::from);
    let taps = |i: i64| {
        let (middle, reach) = ((2 * i + 1) * n, 2 * reach * n);
        let (first, end) = ((middle - reach).max(0) / (2 * made), ((middle + reach) / (2 * made) + 1).min(n));
        (end - first).max(0) as u64
    };
    (0..made).map(taps).sum()
}

/// `scaled.comp` along `axis`: the sum of the weights is one more addition a pixel, the division four a result.
pub(super) fn scaled(above: &ImageView, result: &ImageView, axis: usize, reach: u32) -> PassWork {
    let ([from, to], across) = ([above, result].map(|view| view.size()[axis]), result.size()[1 - axis]);
    PassWork::flops(9 * scaled_taps(from, to, reach) * u64::from(across) + 4 * texels(result))
}

/// Pixels along an axis that the pixels of the result cover, whole or in part.
fn covered(n: u32, made: u32) -> u64 {
    let [n, made] = [n, made].map(u64::from);
    (0..made).map(|i| ((i + 1) * n).div_ceil(made) - i * n / made).sum()
}

/// `area.comp` by teams of `across` times `across` invocations: a weighted sum of each pixel, one of each row by each invocation of a
/// row of the team, and the additions of the team.
pub(super) fn mean(above: &ImageView, result: &ImageView, across: u32) -> PassWork {
    let ([width, height], [made_width, made_height]) = (above.size(), result.size());
    let (columns, rows) = (covered(width, made_width), covered(height, made_height));
    let rows_added = rows * u64::from(made_width) * u64::from(across);
    PassWork::flops(8 * columns * rows + 8 * rows_added + 4 * u64::from(across * across - 1) * texels(result))
}

/// `block.comp` that reads single pixels (`pair` 1) or means of four by the sampler (2): four additions a read, then as many for each sum
/// of a column and a division of four. Pixels beyond the border of a tile are read as well.
pub(super) fn blocks(above: &ImageView, result: &ImageView, ratio: u32, pair: u32) -> PassWork {
    let [width, height] = above.size();
    let reads = area([width.div_ceil(64) * 64 / pair, height.div_ceil(32) * 32 / pair]);
    let wide = ratio / pair;
    let run = if pair == 1 { ratio } else { wide.min(8) };
    let sums = u64::from(wide * (wide / run.max(1)));
    PassWork::flops(4 * reads + 4 * (sums + 1) * texels(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by hand.
    #[test]
    fn taps_are_those_of_the_loops() {
        // 4 pixels become 2: middles at 1 and 3, reach 2 * 2 pixels: 4 pixels each, cut at the border.
        assert_eq!(scaled_taps(4, 2, 2), 4 + 4);
        // 12 become 3, reach 8: pixels 0 to 10, 0 to 11, 2 to 11 (both ends included).
        assert_eq!(scaled_taps(12, 3, 2), 11 + 12 + 10);
        assert_eq!(covered(5, 2), 3 + 3, "the pixel in the middle counts for both");
        assert_eq!((covered(6, 2), covered(7, 7)), (6, 7));
    }
}
