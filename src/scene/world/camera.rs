//! Camera of the world.

use crate::gpu_struct;
use glam::{Mat4, Vec2, Vec3};

/// Target and position of the camera: changed by orbit, pan and zoom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// The target, metres.
    pub target: Vec3,
    /// Degrees about the vertical; 0 looks along -z, positive turns to the right (counter-clockwise from above).
    pub orbit: f32,
    /// Degrees above the horizontal.
    pub height: f32,
    /// Metres from the target.
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

/// A pinhole camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position, metres.
    pub eye: Vec3,
    /// Target in the middle of the picture.
    pub target: Vec3,
    /// Vertical angle of view, radians.
    pub angle: f32,
    /// Radians about the view direction, counter-clockwise.
    pub roll: f32,
    /// Distance of the near plane, metres; there is no far plane.
    pub near: f32,
    /// Sample position in each pixel, relative to the pixel's centre, in pixels to the right and down.
    pub shift: Vec2,
    /// Position of the target in the picture, from its middle, in halves of its sides to the right and down: panels may cover the middle.
    pub center: Vec2,
}

gpu_struct! {
    /// The camera as declared in `shaders/include/world.glsl`.
    pub struct CameraBlock {
        /// Depth is near / distance: 1 at the near plane, 0 at infinity; y down.
        pub clip_from_world: Mat4,
        /// Its inverse.
        pub world_from_clip: Mat4,
        /// Position of the camera.
        pub eye: Vec3,
        /// Distance of the near plane.
        pub near: f32,
        /// Pixels.
        pub size: Vec2,
        /// One over them.
        pub texel: Vec2,
    }
}

impl Viewpoint {
    /// From the eye to the target, of length 1.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        let (orbit, height) = (self.orbit.to_radians(), self.height.to_radians());
        -Vec3::new(height.cos() * orbit.sin(), height.sin(), height.cos() * orbit.cos())
    }

    /// The camera at this viewpoint.
    #[must_use]
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
    /// To the right and up, each of length 1.
    #[must_use]
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

    /// Offset in pixels to the sample position of the symmetric view centred on the target.
    #[must_use]
    pub fn shift_px(&self, size: [u32; 2]) -> Vec2 {
        self.shift - 0.5 * self.center * Vec2::new(size[0] as f32, size[1] as f32)
    }

    /// For a picture of `size` pixels.
    #[must_use]
    pub fn block(&self, size: [u32; 2]) -> CameraBlock {
        let size = Vec2::new(size[0] as f32, size[1] as f32);
        let [right, up] = self.axes();
        let back = right.cross(up);
        let view_from_world = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), glam::Vec4::W)
            .transpose()
            * Mat4::from_translation(-self.eye);
        let far = 1.0 / (0.5 * self.angle).tan();
        // Reversed, without a far plane (Lapidous and Jouppi's complementary depth): precision where it is needed.
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
