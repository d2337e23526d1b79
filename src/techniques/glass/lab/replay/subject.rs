//! A pixel whose steps are shown.

use crate::lab::reference::picture::Picture;
use crate::settings::GlassSettings;
use glam::Vec2;
use scene::Lens;

pub(super) struct Subject<'a> {
    pub settings: &'a GlassSettings,
    pub picture: &'a Picture,
    pub frag: Vec2,
    pub lenses: &'a [Lens],
    pub scale: f32,
}
