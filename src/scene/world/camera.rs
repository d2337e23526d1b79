//! Camera of the world.

use glam::{Mat4, Vec2, Vec3};
use gpu::gpu_struct;

/// To either side.
pub const DRIFT_DEGREES: f32 = 14.0;

/// Changed by orbit, pan and zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    pub target: Vec3,
    /// Degrees about the vertical; 0 faces -z, positive turns to the right (counter-clockwise from above).
    pub orbit: f32,
    pub height: f32,
    pub distance: f32,
    /// Vertical angle of view, degrees.
    pub angle: f32,
    /// Degrees about the view direction, counter-clockwise.
    pub roll: f32,
    /// Near plane as a fraction of the distance to the target.
    pub clip: f32,
}

impl Default for Viewpoint {
    fn default() -> Self {
        Self { target: Vec3::ZERO, orbit: 0.0, height: 15.0, distance: 8.0, angle: 35.0, roll: 0.0, clip: 0.0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub eye: Vec3,
    pub target: Vec3,
    /// Vertical angle of view, radians.
    pub angle: f32,
    /// Radians.
    pub roll: f32,
    /// Metres; there is no far plane.
    pub near: f32,
    /// From the pixel's centre, right and down, in pixels.
    pub shift: Vec2,
    /// Of the target, from the picture's middle, in halves of its sides, right and down: panels may cover the middle.
    pub center: Vec2,
}

gpu_struct! {
    pub struct CameraBlock {
        /// Depth is near / distance: 1 at the near plane, 0 at infinity; y down.
        pub clip_from_world: Mat4,
        pub world_from_clip: Mat4,
        pub eye: Vec3,
        pub near: f32,
        pub size: Vec2,
        /// 1 / size.
        pub texel: Vec2,
    }
}

/// Part of the way from the target to the border.
const FILLED: f32 = 0.95;
const LEAST_FREE: f32 = 0.25;
/// Between these a box needs less than 0.1 % more.
const TURNS: [f32; 7] = [-1.0, -0.67, -0.33, 0.0, 0.33, 0.67, 1.0];

impl Viewpoint {
    pub fn forward(&self) -> Vec3 {
        let (orbit, height) = (self.orbit.to_radians(), self.height.to_radians());
        -Vec3::new(height.cos() * orbit.sin(), height.sin(), height.cos() * orbit.cos())
    }

    /// The least distance that shows a box around the target wherever the drift is, in the free part around `center`
    /// ([`Camera::center`]).
    pub fn framing(self, bounds: [Vec3; 2], size: [u32; 2], center: Vec2) -> Self {
        let [width, height] = size.map(|side| side.max(1) as f32);
        let free = (Vec2::ONE - center.abs()).max(Vec2::splat(LEAST_FREE)) * FILLED;
        let tangent = (0.5 * self.angle.to_radians()).tan() * free * Vec2::new(width / height, 1.0);
        let nearest = |turn: f32| {
            let turned = Self { orbit: self.orbit + turn * DRIFT_DEGREES, distance: 1.0, ..self };
            let ([right, up], back) = (turned.camera().axes(), -turned.forward());
            let corners =
                (0..8).map(|k| Vec3::from_array([0, 1, 2].map(|axis| bounds[k >> axis & 1][axis])) - self.target);
            corners
                .map(|at| at.dot(back) + (right.dot(at).abs() / tangent.x).max(up.dot(at).abs() / tangent.y))
                .fold(0.0, f32::max)
        };
        Self { distance: TURNS.map(nearest).into_iter().fold(1e-6, f32::max), ..self }
    }

    pub fn camera(&self) -> Camera {
        Camera {
            eye: self.target - self.forward() * self.distance,
            target: self.target,
            angle: self.angle.to_radians(),
            roll: self.roll.to_radians(),
            near: (self.distance * 0.01).clamp(1e-4, 0.1).max(self.clip * self.distance),
            shift: Vec2::ZERO,
            center: Vec2::ZERO,
        }
    }
}

impl Camera {
    /// Right and up.
    pub fn axes(&self) -> [Vec3; 2] {
        let forward = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).normalize_or(Vec3::X);
        let up = right.cross(forward);
        if self.roll == 0.0 {
            return [right, up];
        }
        let (sin, cos) = self.roll.sin_cos();
        [right * cos + up * sin, up * cos - right * sin]
    }

    /// Pixels.
    pub fn shift_px(&self, size: [u32; 2]) -> Vec2 {
        self.shift - 0.5 * self.center * Vec2::new(size[0] as f32, size[1] as f32)
    }

    pub fn block(&self, size: [u32; 2]) -> CameraBlock {
        let size = Vec2::new(size[0] as f32, size[1] as f32);
        let [right, up] = self.axes();
        let back = right.cross(up);
        let view_from_world = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), glam::Vec4::W)
            .transpose()
            * Mat4::from_translation(-self.eye);
        let far = 1.0 / (0.5 * self.angle).tan();
        // Reversed, without a far plane (Lapidous and Jouppi's complementary depth).
        let clip_from_view = Mat4::from_cols(
            glam::Vec4::new(far * size.y / size.x.max(1.0), 0.0, 0.0, 0.0),
            glam::Vec4::new(0.0, -far, 0.0, 0.0),
            (2.0 * self.shift / size.max(Vec2::ONE) - self.center).extend(0.0).extend(-1.0),
            glam::Vec4::new(0.0, 0.0, self.near, 0.0),
        );
        let clip_from_world = clip_from_view * view_from_world;
        CameraBlock {
            clip_from_world,
            world_from_clip: clip_from_world.inverse(),
            eye: self.eye,
            near: self.near,
            size,
            texel: size.recip(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_middle_and_depth_is_near_over_distance() {
        for (orbit, height) in [(0.0, 0.0), (40.0, 20.0), (190.0, -30.0), (-75.0, 80.0)] {
            let viewpoint = Viewpoint { target: Vec3::new(1.0, 2.0, -3.0), orbit, height, ..Default::default() };
            let camera = viewpoint.camera();
            let block = camera.block([640, 360]);
            let clip = block.clip_from_world * camera.target.extend(1.0);
            assert!((clip.x.abs() + clip.y.abs()) / clip.w < 1e-4, "{clip}");
            assert!((clip.z / clip.w - camera.near / viewpoint.distance).abs() < 1e-5);
            let [right, up] = camera.axes();
            let seen = block.clip_from_world * (camera.target + right + up).extend(1.0);
            assert!(seen.x > 0.0 && seen.y < 0.0, "right is right and up is up: {seen}");
            let shifted = Camera { shift: Vec2::new(0.25, -0.4), ..camera }.block([640, 360]);
            let clip_there = shifted.clip_from_world * camera.target.extend(1.0);
            let moved = (clip_there / clip_there.w - clip / clip.w) * glam::Vec4::new(320.0, 180.0, 1.0, 0.0);
            assert!(
                (moved - glam::Vec4::new(-0.25, 0.4, 0.0, 0.0)).length() < 1e-4,
                "what is sampled lies in the middle"
            );
            let aside = Camera { center: Vec2::new(-0.25, 0.1), ..camera };
            let clip_there = aside.block([640, 360]).clip_from_world * camera.target.extend(1.0);
            let there = Vec2::new(clip_there.x, clip_there.y) / clip_there.w;
            assert!((there - aside.center).length() < 1e-4, "{there}");
            assert!((aside.shift_px([640, 360]) - Vec2::new(80.0, -18.0)).length() < 1e-4);
            let back = block.world_from_clip * clip;
            assert!((back.truncate() / back.w - camera.target).length() < 1e-2);
        }
    }
}
