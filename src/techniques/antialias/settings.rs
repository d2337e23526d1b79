//! Settings of the antialiasing.

use crate::{gpu::Gpu, techniques::DrawnBy};

crate::choices! {
    /// How the history is read between its pixels.
    pub enum HistoryFilter {
        /// Catmull and Rom's filter in five samples: what moves stays sharp.
        CatmullRom = "catmull_rom" as "Catmull-Rom",
        /// The sampler's own: quicker, and softer from frame to frame.
        Bilinear = "bilinear",
    }
}

crate::choices! {
    /// How many pixels the picture has that frames are joined to, while the camera moves and there are no more than half as many samples as pixels along
    /// each side.
    pub enum Joined {
        /// All on GPUs, a quarter on software drivers.
        Auto = "auto",
        /// The window's.
        All = "all",
        /// Half as many along each side: a picture that is softer, in a quarter of the time.
        Quarter = "quarter" as "A quarter",
    }
}

impl Joined {
    /// Width and height of what frames are joined to, for a picture of size `whole` of which there are `samples`. `moves`: the camera.
    #[must_use]
    pub fn size(self, gpu: &Gpu, moves: bool, samples: [u32; 2], whole: [u32; 2]) -> [u32; 2] {
        let less = match self {
            Self::Auto => gpu.policy().quarter_history,
            Self::All => false,
            Self::Quarter => true,
        };
        let half = whole.map(|side| side.div_ceil(2));
        if less && moves && samples[0] <= half[0] && samples[1] <= half[1] { half } else { whole }
    }
}

crate::choices! {
    /// Whether the picture is shown more often than the world is drawn, while the camera moves slowly in a window.
    pub enum Reproject {
        /// On software drivers, where drawing the world takes several frames.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never: each frame draws the world.
        Off = "off",
    }
}

impl Reproject {
    /// Whether it is so; `by_default`: [`DevicePolicy::incremental_world`](crate::gpu::DevicePolicy::incremental_world).
    #[must_use]
    pub fn is_on(self, by_default: bool) -> bool {
        self == Self::On || self == Self::Auto && by_default
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
        /// How many pixels frames are joined to while the camera moves at half the resolution or less.
        joined: Joined = Joined::Auto, choice, label "Joined pixels", when "scene.source=world scene.antialias=temporal";
        /// Draw the world over several frames while the camera moves slowly, and show the last picture as it looks from where the camera is now.
        reproject: Reproject = Reproject::Auto, choice, label "Reprojection", when "scene.source=world scene.antialias=temporal";
        /// Whether frames are joined by a dispatch or by a draw, while the camera moves; both write the same.
        drawn_by: DrawnBy = DrawnBy::Auto, choice, label "Joined by", when "scene.source=world scene.antialias=temporal";
    }
}
