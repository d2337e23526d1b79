//! Initial view of a scene, and the amount of haze in front of it.

use super::graph::{Extent, Projection};
use crate::world::Viewpoint;
use glam::{DMat4, DVec3, Vec2, Vec3};

/// In radii: a point nearer by the radius is 1/400 larger than in a parallel projection, half a pixel at the edge of a
/// picture 360 pixels high.
const ORTHOGRAPHIC: f64 = 400.0;
/// Degrees from the horizon up to which "up" is defined.
const STEEPEST: f64 = 89.99;
/// Metres: radius of a scene of which the haze absorbs 1 %.
const CLEAR: f32 = 1.0;

pub fn home(bounds: [Vec3; 2]) -> Viewpoint {
    let home = Viewpoint { target: (bounds[0] + bounds[1]) * 0.5, orbit: 30.0, height: 15.0, ..Viewpoint::default() };
    home.framing(bounds, [1, 1], Vec2::ZERO)
}

pub fn viewpoint([low, high]: [Vec3; 2], camera: Option<(DMat4, Projection)>, scale: f64) -> Option<(Viewpoint, bool)> {
    let (world_from_camera, projection) = camera?;
    let (middle, radius) = ((low + high) * 0.5, ((high - low).length() * 0.5).max(1e-6));
    let axis = |axis: glam::DVec4| axis.truncate().try_normalize();
    let (right, back) = (axis(world_from_camera.x_axis)?, axis(world_from_camera.z_axis)?);
    let (eye, forward) = (world_from_camera.w_axis.truncate(), -back);
    let orbit = (-forward.x).atan2(-forward.z);
    let height = (-forward.y).clamp(-1.0, 1.0).asin().clamp(-STEEPEST.to_radians(), STEEPEST.to_radians());
    let level = glam::DVec3::new(orbit.cos(), 0.0, -orbit.sin());
    let roll = right.dot(back.cross(level)).atan2(right.dot(level));
    let turned = Viewpoint {
        orbit: orbit.to_degrees() as f32,
        height: height.to_degrees() as f32,
        roll: roll.to_degrees() as f32,
        ..Viewpoint::default()
    };
    let ahead = (middle.as_dvec3() - eye).dot(forward).max(0.1 * f64::from(radius));
    let near = projection.near;
    Some(match projection.extent {
        Extent::Perspective(angle) => {
            let angle = (angle.to_degrees() as f32).clamp(5.0, 120.0);
            let clip = (near * scale / ahead).clamp(0.0, 1.0) as f32;
            let (target, distance) = ((eye + forward * ahead).as_vec3(), ahead as f32);
            (Viewpoint { target, distance, angle, clip, ..turned }, false)
        }
        Extent::Orthographic(half_height) => {
            let distance = ORTHOGRAPHIC * f64::from(radius).max(half_height * scale);
            let angle = 2.0 * (half_height * scale / distance).atan().to_degrees();
            let clip = ((distance - ahead + near * scale) / distance).clamp(0.0, 1.0);
            let target = (eye + forward * ahead).as_vec3();
            let (distance, angle, clip) = (distance as f32, angle as f32, clip as f32);
            (Viewpoint { target, distance, angle, clip, ..turned }, true)
        }
    })
}

pub fn is_behind_far_plane([low, high]: [DVec3; 2], camera: Option<(DMat4, Projection)>) -> bool {
    let Some((world_from_camera, Projection { far: Some(far), .. })) = camera else { return false };
    let Some(forward) = (-world_from_camera.z_axis).truncate().try_normalize() else { return false };
    let corner = DVec3::select(forward.cmpgt(DVec3::ZERO), high, low);
    (corner - world_from_camera.w_axis.truncate()).dot(forward) > far
}

/// The scene's size does not change how much is hidden: a file does not specify its air. An orthographic camera's
/// distance is arbitrary, and adds none.
pub fn haze([low, high]: [Vec3; 2], is_orthographic: bool) -> f32 {
    let radius = ((high - low).length() * 0.5).max(1e-6);
    let nearer = if is_orthographic { 2.7 / ORTHOGRAPHIC as f32 } else { 1.0 };
    CLEAR / radius * nearer
}
