//! Settings of the antialiasing.

use crate::techniques::DrawnBy;

crate::choices! {
    /// How the history is read between its pixels.
    pub enum HistoryFilter {
        /// Catmull and Rom's filter in five samples: what moves stays sharp.
        CatmullRom = "catmull_rom" as "Catmull-Rom",
        /// The sampler's own: quicker, and softer from frame to frame.
        Bilinear = "bilinear",
    }
}

crate::settings! {
    /// Gathers samples of the 3D world over several frames: smooth edges, and all pixels at a lower resolution. On or off: Scene.
    pub struct AntialiasSettings {
        /// Samples per pixel that are gathered while nothing moves.
        samples: u32 = 64, range(1, 256), log, label "Samples at rest", when "scene.source=world";
        /// Number of frames that the history counts for at most while the camera moves: more is smoother, and slower to follow.
        frames: f32 = 16.0, range(1.0, 64.0), log, label "History", unit "frames", when "scene.source=world scene.antialias=temporal";
        /// Range of colours that the history may have, in standard deviations of the pixels around.
        reach: f32 = 1.75, range(0.25, 8.0), log, label "Colour clamp", when "scene.source=world scene.antialias=temporal";
        /// Discard the history where another surface was seen.
        reject: bool = true, label "Reject other surfaces", when "scene.source=world scene.antialias=temporal";
        /// How the history is read between its pixels.
        filter: HistoryFilter = HistoryFilter::CatmullRom, choice, label "History filter", when "scene.source=world scene.antialias=temporal";
        /// Whether frames are joined by a dispatch or by a draw, while the camera moves; both write the same.
        drawn_by: DrawnBy = DrawnBy::Auto, choice, label "Joined by", when "scene.source=world scene.antialias=temporal";
    }
}
