//! Frost: levels and taps of the blur methods.

use gpu::gpu_consts;

gpu_consts! { "glass/optics.glsl":
    /// Pixels; below, the picture is not blurred.
    pub const SHARP_SIGMA: f32 = 0.5;
}

/// From here on the pre-blur alone is read.
pub const FROST_SIGMA: f32 = 0.9;

/// The chain's variance `(4^L-1)/4` and the read's, about `4^L/4`, are sigma^2.
pub fn lod_from_sigma(sigma: f32) -> f32 {
    0.5 * (2.0 * sigma * sigma + 0.5).max(1.0).log2()
}

/// `(4^L-1)/4` of the chain and `4^L/3` of the spline.
pub fn bicubic_lod(variance: f32) -> f32 {
    0.5 * ((variance + 0.25) * (12.0 / 7.0)).max(1.0).log2()
}

/// Bjorge, SIGGRAPH 2015: n times down to half the size and up again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kawase {
    /// At least 1.
    pub steps: u32,
    /// 1 is the usual one.
    pub spread: f32,
}

/// Wider taps leave gaps.
const WIDEST: f32 = 1.5;

/// Down and up has `(4^n-1)/3 (1 + 11/6 o^2)` px^2.
pub fn kawase(sigma: f32, levels: u32) -> Kawase {
    let most = levels.saturating_sub(1).max(1);
    let spread = |steps: u32| {
        let one = (4_f32.powi(steps as i32) - 1.0) / 3.0;
        ((sigma * sigma / one - 1.0) * (6.0 / 11.0)).max(0.0).sqrt()
    };
    let steps = (1..=most).find(|steps| spread(*steps) <= WIDEST).unwrap_or(most);
    Kawase { steps, spread: spread(steps) }
}
