//! Samples of a frame, and their relation to the frame before.

use gpu::ImageView;
use scene::world::Camera;

#[derive(Clone, Copy)]
pub struct AntialiasInput<'a> {
    /// Linear light, Rgba16F.
    pub light: &'a ImageView,
    /// R32U visibility values.
    pub ids: &'a ImageView,
    /// R32F or D32: distance of the near plane over the distance ahead, 0 where nothing is seen.
    pub depth: &'a ImageView,
    /// Shift included.
    pub camera: &'a Camera,
    /// Factor on the light before the tone curve.
    pub exposure: f32,
    pub whole: [u32; 2],
}

/// Relation of this frame to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another world or light.
    Other,
    /// The camera, or the number of samples.
    Moved,
    /// Only the positions of samples in their pixels differ.
    None,
}
