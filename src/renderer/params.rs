//! Parameters of a frame besides its target.

use super::active_view::ActiveView;
use crate::{
    scene::{GlassPanel, Lens, Press, Source},
    techniques::Settings,
};

/// Parameters of a frame.
pub struct FrameParams<'a> {
    /// All settings.
    pub settings: &'a Settings,
    /// Lenses, bottom one first; pixels of the target.
    pub lenses: &'a [Lens],
    /// Glass panels above them.
    pub plates: &'a [GlassPanel],
    /// Opaque panels above them, drawn by others: low and high corners, pixels of the target.
    pub sheets: &'a [[glam::Vec2; 2]],
    /// Pressed position on the glass.
    pub press: Option<Press>,
    /// The active view.
    pub view: Option<ActiveView>,
    /// Line of a split view, 0 (left) to 1 (right).
    pub split: f32,
    /// Pixels per unit of the settings' lengths: the display's scale.
    pub scale: f32,
    /// Seconds since the last frame, for animations; after one second all of them have ended.
    pub seconds: f32,
    /// Position of the world's centre in the picture, from its middle, in halves of its sides to the right and down.
    pub center: glam::Vec2,
    /// Duration of the camera's drift in seconds.
    pub drifted_s: f32,
    /// Resolution scale of the world per side, in addition to the settings.
    pub world_scale: f32,
    /// The same for reflections, relative to the world; 0: mirrors show the sky only.
    pub mirror_scale: f32,
    /// Time at which mirrors in queues are traced.
    pub mirror_pace: MirrorPace,
    /// During slow camera motion the world is drawn over several frames, and its last picture is reprojected meanwhile.
    pub in_steps: bool,
    /// An unchanged world is drawn again for further samples of each pixel, if needed.
    pub gathers: bool,
}

/// Time at which mirrors in queues are traced: software drivers need seconds for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPace {
    /// All of them in this frame.
    AtOnce,
    /// A few pixels in a frame that is redrawn, a share of the others in each frame that is not.
    Shares,
    /// As shares, but frames that are not redrawn trace nothing: something else moves.
    Paused,
}

impl<'a> FrameParams<'a> {
    /// Everything at once and at full resolution, for a single picture.
    #[must_use]
    pub fn of(settings: &'a Settings, lenses: &'a [Lens]) -> Self {
        Self {
            settings,
            lenses,
            plates: &[],
            sheets: &[],
            press: None,
            view: None,
            split: 0.5,
            scale: 1.0,
            seconds: 1.0,
            center: glam::Vec2::ZERO,
            drifted_s: 0.0,
            world_scale: 1.0,
            mirror_scale: 1.0,
            mirror_pace: MirrorPace::AtOnce,
            in_steps: false,
            gathers: true,
        }
    }

    /// Whether the active view needs a drawn world.
    pub(super) fn views_world(&self) -> bool {
        self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    /// Whether a world is drawn: it is under the glass, or the view shows its inside.
    pub(super) fn draws_world(&self) -> bool {
        self.settings.scene.source == Source::World || self.views_world()
    }
}
