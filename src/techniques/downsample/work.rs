//! Bytes of the methods that read the picture itself, counted from their shaders' text.

use gpu::ImageView;

fn texels(view: &ImageView) -> u64 {
    view.size().into_iter().map(u64::from).product()
}

/// All different if the ratio is at least `taps`.
pub(super) fn gather(above: &ImageView, result: &ImageView, taps: u32) -> u64 {
    let reads = u64::from(taps * taps) * texels(result);
    let of = |view: &ImageView, texels: u64| texels * u64::from(view.format().bytes());
    of(above, reads.min(texels(above))) + of(result, texels(result))
}
