//! A pixel whose steps are shown.

use crate::{
    scene::Lens,
    techniques::glass::{reference::picture::Picture, settings::GlassSettings},
};
use glam::Vec2;

/// A pixel under the glass.
pub(super) struct Subject<'a> {
    pub settings: &'a GlassSettings,
    pub picture: &'a Picture,
    /// Its middle.
    pub frag: Vec2,
    pub lenses: &'a [Lens],
    pub scale: f32,
}
