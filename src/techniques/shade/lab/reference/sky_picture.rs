//! CPU reference of `shaders/shade/sky_picture.glsl`: a picture all around, between two levels, each bilinear.

use glam::{Vec2, Vec3};
use gpu::gpu_consts;
use media::light_picture::LightPicture;
use std::f32::consts::PI;

gpu_consts! { "shade/sky_picture.glsl":
    /// Angle of a texel of the sky's map, radians.
    pub const MAP_SPREAD: f32 = 0.0277;
}

/// Over a cone of `spread` radians. `levels`: each half as large as the one before.
pub fn picture_radiance(levels: &[LightPicture], d: Vec3, spread: f32) -> Vec3 {
    let rows = levels[0].size[1] as f32;
    let lod = (spread * rows / PI).max(1.0).log2().clamp(0.0, (levels.len() - 1) as f32);
    let border = 0.5 * lod.ceil().exp2() / rows;
    let down = (d.y.clamp(-1.0, 1.0).acos() / PI).clamp(border, 1.0 - border);
    let at = Vec2::new(0.5 + d.x.atan2(-d.z) / (2.0 * PI), down);
    let (low, high) = (lod.floor() as usize, lod.ceil() as usize);
    bilinear(&levels[low], at).lerp(bilinear(&levels[high], at), lod.fract())
}

/// At 0..1 each way; columns repeat.
fn bilinear(level: &LightPicture, at: Vec2) -> Vec3 {
    let [wide, high] = level.size.map(|side| side as i32);
    let at = at * Vec2::new(wide as f32, high as f32) - 0.5;
    let (low, part) = (at.floor(), at - at.floor());
    let texel = |right: i32, down: i32| {
        let x = (low.x as i32 + right).rem_euclid(wide);
        let y = (low.y as i32 + down).clamp(0, high - 1);
        Vec3::from_array(level.texels[(y * wide + x) as usize])
    };
    texel(0, 0).lerp(texel(1, 0), part.x).lerp(texel(0, 1).lerp(texel(1, 1), part.x), part.y)
}
