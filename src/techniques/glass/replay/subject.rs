//! A pixel whose steps are shown.

use crate::{
    scene::Lens,
    techniques::glass::{reference::picture::Picture, settings::GlassSettings},
};
use glam::Vec2;

pub(super) struct Subject<'a> {
    pub settings: &'a GlassSettings,
    pub picture: &'a Picture,
    pub frag: Vec2,
    pub lenses: &'a [Lens],
    pub scale: f32,
}
