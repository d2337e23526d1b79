//! View uniforms of the meshlets: the camera, or the sun.

use glam::{Mat4, Vec2, Vec3, Vec4};
use gpu::gpu_struct;
use scene::world::Camera;

pub const MAX_LEVELS: usize = 16;

gpu_struct! {
    /// Block `Eye` of shaders/meshlets/geometry.glsl.
    pub struct Eye {
        pub clip_from_world: Mat4,
        pub planes: [Vec4; 5],
        pub right: Vec3,
        pub scale_x: f32,
        pub down: Vec3,
        pub scale_y: f32,
        pub ahead: Vec3,
        pub near: f32,
        pub at: Vec3,
        pub levels: u32,
        pub level_first: [u32; MAX_LEVELS],
        pub size: [u32; 2],
        pub shift: Vec2,
    }
}

gpu_struct! {
    pub(super) struct ViewPush { pub view: u32, pub path: u32 }
}

impl Eye {
    pub fn of_camera(camera: &Camera, size: [u32; 2], levels: &[u32]) -> Self {
        let clip_from_world = camera.block(size).clip_from_world;
        let [right, up] = camera.axes();
        let scale_y = 1.0 / (0.5 * camera.angle).tan();
        let scale_x = scale_y * size[1] as f32 / size[0].max(1) as f32;
        let mut level_first = [0; MAX_LEVELS];
        for (slot, first) in level_first.iter_mut().zip(levels) {
            *slot = *first;
        }
        Self {
            clip_from_world,
            planes: planes(&clip_from_world),
            right,
            scale_x,
            down: -up,
            scale_y,
            ahead: up.cross(right),
            near: camera.near,
            at: camera.eye,
            levels: levels.len().min(MAX_LEVELS).saturating_sub(1) as u32,
            level_first,
            size,
            shift: camera.shift_px(size),
        }
    }

    /// Orthographic, around `bounds`. Depth is 1 at the end nearer to the sun.
    pub fn of_sun(bounds: [Vec3; 2], sun: Vec3, side: u32) -> Self {
        let toward = sun.normalize_or(Vec3::Y);
        let right = toward.any_orthonormal_vector();
        let down = toward.cross(right);
        let corner = |i: usize| Vec3::new(bounds[i & 1].x, bounds[i >> 1 & 1].y, bounds[i >> 2 & 1].z);
        let mut box_of = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for i in 0..8 {
            let at = Vec3::new(right.dot(corner(i)), down.dot(corner(i)), toward.dot(corner(i)));
            box_of = [box_of[0].min(at), box_of[1].max(at)];
        }
        let center = 0.5 * (box_of[0] + box_of[1]);
        let half = 0.5 * (box_of[1] - box_of[0]) * 1.01 + 1e-3;
        let row = |axis: Vec3, center: f32, half: f32| (axis / half).extend(-center / half);
        let depth = row(toward, center.z - half.z, 2.0 * half.z);
        let rows = [row(right, center.x, half.x), row(down, center.y, half.y), depth, Vec4::W];
        let clip_from_world = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
        Self {
            clip_from_world,
            planes: planes(&clip_from_world),
            right,
            scale_x: 1.0 / half.x,
            down,
            scale_y: 1.0 / half.y,
            ahead: -toward,
            near: 0.0,
            at: right * center.x + down * center.y + toward * (center.z + half.z),
            levels: 0,
            level_first: [0; MAX_LEVELS],
            size: [side; 2],
            shift: Vec2::ZERO,
        }
    }
}

/// Left, right, top, bottom and near plane (Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes", 2001).
fn planes(clip_from_world: &Mat4) -> [Vec4; 5] {
    let row = |i| clip_from_world.row(i);
    [row(3) + row(0), row(3) - row(0), row(3) + row(1), row(3) - row(1), row(3) - row(2)]
        .map(|plane| plane / plane.truncate().length().max(f32::MIN_POSITIVE))
}

/// Offset of each level (level 0 is the depth itself), and texels of all; sizes are rounded up.
pub fn pyramid_of(size: [u32; 2]) -> (Vec<u32>, u32) {
    let (mut first, mut total, mut level) = (vec![0], 0, size);
    while level[0].max(level[1]) > 1 || first.len() == 1 {
        level = level.map(|n| n.div_ceil(2));
        first.push(total);
        total += level[0] * level[1];
    }
    (first, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pyramids_round_up() {
        assert_eq!(pyramid_of([1, 1]), (vec![0, 0], 1));
        assert_eq!(pyramid_of([5, 3]), (vec![0, 0, 6, 8], 9));
    }
}
