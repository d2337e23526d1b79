//! Parameters of a frame besides its target.

use super::{active_view::ActiveView, plan::FramePlan};
use scene::{GlassPanel, Lens, Press, Source};
use techniques::Settings;

pub struct FrameParams<'a> {
    pub settings: &'a Settings,
    /// Bottom one first; pixels.
    pub lenses: &'a [Lens],
    pub plates: &'a [GlassPanel],
    /// Opaque panels: low and high corners, pixels.
    pub sheets: &'a [[glam::Vec2; 2]],
    pub press: Option<Press>,
    pub view: Option<ActiveView>,
    /// 0 (left) to 1 (right).
    pub split: f32,
    /// Pixels per unit of the settings' lengths.
    pub scale: f32,
    /// After one second all animations have ended.
    pub seconds: f32,
    /// Of the world's centre, from the picture's middle, in halves of its sides, right and down.
    pub center: glam::Vec2,
    pub drifted_s: f32,
    pub plan: FramePlan,
}

impl<'a> FrameParams<'a> {
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

    pub(super) fn views_world(&self) -> bool {
        self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    pub(super) fn draws_world(&self) -> bool {
        self.settings.scene.source == Source::World || self.views_world()
    }
}
