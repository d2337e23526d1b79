//! Parameters of a frame besides its target.

use super::{active_view::ActiveView, plan::FramePlan};
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
    /// Share of the world's work that the frame does.
    pub plan: FramePlan,
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
            plan: FramePlan::WHOLE,
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
