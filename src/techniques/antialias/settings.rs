//! Settings of the antialiasing.

use gpu::Gpu;
use technique::DrawnBy;

/// On a software driver half of each side while the camera moves: softer, in a quarter of the time.
pub fn accumulation_size(gpu: &Gpu, moves: bool, samples: [u32; 2], whole: [u32; 2]) -> [u32; 2] {
    let half = whole.map(|side| side.div_ceil(2));
    let is_less = gpu.policy().is_slow && moves && samples[0] <= half[0] && samples[1] <= half[1];
    if is_less { half } else { whole }
}

base::settings! {
    /// Gathers samples of the 3D world over several frames: smooth edges, and all pixels at a lower resolution. On or off: Scene.
    pub struct AntialiasSettings {
        /// Samples per pixel that are gathered while nothing moves.
        samples: u32 = 64, range(1, 256), log, label "Samples at rest", when "scene.source=world scene.antialias=!off";
        /// Number of frames that the history counts for at most while the camera moves: more is smoother, and slower to follow.
        frames: f32 = 16.0, range(1.0, 64.0), log, label "History", unit "frames", when "scene.source=world scene.antialias=temporal";
        /// Range of colours that the history may have, in standard deviations of the pixels around.
        reach: f32 = 1.75, range(0.25, 8.0), log, label "Colour clamp", when "scene.source=world scene.antialias=temporal";
        /// Discard the history where another surface was seen.
        reject: bool = true, label "Reject other surfaces", when "scene.source=world scene.antialias=temporal";
    } internal {
        /// The sampler reads the history between its pixels, not Catmull and Rom's filter: quicker, and softer from frame to frame.
        bilinear: bool = false;
        /// Whether frames are joined by a dispatch or by a draw, while the camera moves; both write the same.
        drawn_by: DrawnBy = DrawnBy::Auto;
    }
}
