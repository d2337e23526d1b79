//! 3D world: meshes cut into meshlets, instances, materials and their textures, in the GPU's format.
//!
//! Right-handed, y up, metres; front faces are counter-clockwise. `shaders/include/world.glsl` declares the same structs.

mod alpha_mode;
mod baked;
mod build;
mod builtin;
mod camera;
mod cpu_textures;
mod data;
mod gpu_scene;
mod lamp;
mod load;
mod many;
mod names;
mod packed_texels;
mod shape;
mod sky_visibility;
mod tiles;
mod visibility_id;

pub use alpha_mode::{AlphaMode, SECOND_UV, UNLIT, WHOLE};
pub use build::{Builder, Corner};
pub use camera::{Camera, CameraBlock, DRIFT_DEGREES, Viewpoint};
pub use data::{
    ALIKE, Geometry, Instance, LAMPS, LEVEL_NEAREST, MAGNIFIED_NEAREST, MESHLET_TRIANGLES, MESHLET_VERTICES,
    MINIFIED_NEAREST, Material, MaterialKind, Meshlet, MeshletInstance, NO_TEXTURE, Shadow, TILED, TRAITS, Texture,
    Vertex, World, octahedral, unit_from_octahedral,
};
pub use gpu_scene::GpuScene;
pub use lamp::{Lamp, LampKind};
pub use load::load;
pub use names::{IN_SUN, Names};
pub use visibility_id::VisibilityId;

use super::Place;
use base::job::Progress;

pub fn built_in(place: Place, instances: u32, progress: &Progress) -> World {
    let made = match place {
        Place::Court => builtin::court(progress),
        Place::Many => many::many(instances, progress),
        Place::Pool => builtin::pool(progress),
        Place::Corridor => builtin::corridor(progress),
        Place::Diffuse => builtin::diffuse(progress),
    };
    made.unwrap_or_else(|problem| {
        log::error!("the built-in world {place:?}: {problem}");
        Builder::new().finish(Viewpoint::default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn directions_survive_packing() {
        for i in 0..500 {
            let at = Vec3::new((i as f32 * 0.7).sin(), (i as f32 * 1.3).cos(), (i as f32 * 2.1).sin());
            let unit = at.normalize();
            assert!((unit_from_octahedral(octahedral(unit)) - unit).length() < 1e-4, "{unit}");
        }
    }
}
