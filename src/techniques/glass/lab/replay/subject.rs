//! A pixel whose steps are shown.

use crate::scene::Lens;
use crate::techniques::glass::lab::reference::picture::Picture;
use crate::techniques::glass::settings::GlassSettings;
use glam::Vec2;

pub(super) struct Subject<'a> {
    pub settings: &'a GlassSettings,
    pub picture: &'a Picture,
    pub frag: Vec2,
    pub lenses: &'a [Lens],
    pub scale: f32,
}
