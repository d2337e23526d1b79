//! What a frame is to look like: the score's one argument beside the target.

use super::active_view::ActiveView;
use crate::{
    scene::{GlassPanel, Lens, Press, Source},
    techniques::Settings,
};

/// What a frame is to look like.
pub struct FrameParams<'a> {
    /// All settings.
    pub settings: &'a Settings,
    /// Lenses, bottom one first; pixels of the target.
    pub lenses: &'a [Lens],
    /// GlassPanels of glass above them.
    pub plates: &'a [GlassPanel],
    /// Panels of no glass above them, which are drawn by others: low and high corners, pixels of the target.
    pub sheets: &'a [[glam::Vec2; 2]],
    /// Where glass is pressed.
    pub press: Option<Press>,
    /// A view, if one is shown.
    pub view: Option<ActiveView>,
    /// Where the line of a split view lies, 0 (left) to 1 (right).
    pub split: f32,
    /// Pixels for one unit of the settings' lengths: the display's scale.
    pub scale: f32,
    /// Seconds since the last frame, for what takes its time; a second is enough for anything to be there.
    pub seconds: f32,
    /// Where the middle of the world is in the picture, from its middle, in halves of its sides to the right and down.
    pub center: glam::Vec2,
    /// Seconds for which the camera has drifted.
    pub drifted_s: f32,
    /// Part of its pixels that the world is drawn with, along each side, besides what the settings say.
    pub world_scale: f32,
    /// The same for reflections, of the world's pixels; 0: mirrors show the sky only.
    pub mirror_scale: f32,
    /// When mirrors are traced that rays reach by queues.
    pub mirror_pace: MirrorPace,
    /// While the camera moves slowly the world is drawn over several frames, and the last picture of it is reprojected meanwhile.
    pub in_steps: bool,
    /// A world that is as it was is drawn again for another sample of each pixel, where more are wanted.
    pub gathers: bool,
}

/// When mirrors are traced that rays reach by queues: software drivers need seconds for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPace {
    /// All of them in this frame.
    AtOnce,
    /// A few pixels in a frame that is drawn anew, a share of the others in each frame that is not.
    Shares,
    /// As shares, but frames that are not drawn anew trace nothing: something else moves.
    Paused,
}

impl<'a> FrameParams<'a> {
    /// Everything at once and with all pixels, for somebody who waits for the picture.
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

    /// Whether the view that is shown needs a drawn world.
    pub(super) fn views_world(&self) -> bool {
        self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    /// Whether a world is drawn: it lies under the glass, or the view shows its inside.
    pub(super) fn draws_world(&self) -> bool {
        self.settings.scene.source == Source::World || self.views_world()
    }
}
