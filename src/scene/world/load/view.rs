//! Initial view of a scene, and the amount of haze in front of it.

use super::graph::{Extent, Projection};
use crate::scene::world::Viewpoint;
use glam::{DMat4, DVec3, Vec3};

/// Distance of the camera for an orthographic view, as a multiple of the scene's radius. What is nearer than the middle by the radius is
/// drawn larger by 1/400 than it is in a parallel projection: less than half a pixel at the edge of a picture 360 pixels high, a pixel at
/// 720.
const ORTHOGRAPHIC: f64 = 400.0;
/// Degrees above or below the horizon up to which "up" is defined.
const STEEPEST: f64 = 89.99;
/// Metres: of a scene with this radius, seen as a whole, the haze of the default settings absorbs 1 %.
const CLEAR: f32 = 1.0;

/// The file's own camera, else one that sees everything; and whether it is orthographic. `scale`: factor on the file's lengths.
pub fn viewpoint([low, high]: [Vec3; 2], camera: Option<(DMat4, Projection)>, scale: f64) -> (Viewpoint, bool) {
    let (middle, radius) = ((low + high) * 0.5, ((high - low).length() * 0.5).max(1e-6));
    let framed = |angle: f32| radius / (0.5 * angle.to_radians()).sin();
    let home = Viewpoint { target: middle, orbit: 30.0, height: 15.0, ..Viewpoint::default() };
    let home = Viewpoint { distance: 0.8 * framed(home.angle), ..home };
    let Some((world_from_camera, projection)) = camera else { return (home, false) };
    let axis = |axis: glam::DVec4| axis.truncate().try_normalize();
    let axes = [world_from_camera.x_axis, world_from_camera.z_axis].map(axis);
    let [Some(right), Some(back)] = axes else { return (home, false) };
    let (eye, forward) = (world_from_camera.w_axis.truncate(), -back);
    let orbit = (-forward.x).atan2(-forward.z);
    let height = (-forward.y).clamp(-1.0, 1.0).asin().clamp(-STEEPEST.to_radians(), STEEPEST.to_radians());
    // Without a roll, right is level.
    let level = glam::DVec3::new(orbit.cos(), 0.0, -orbit.sin());
    let roll = right.dot(back.cross(level)).atan2(right.dot(level));
    let turned = Viewpoint {
        orbit: orbit.to_degrees() as f32,
        height: height.to_degrees() as f32,
        roll: roll.to_degrees() as f32,
        ..home
    };
    // The target is as far ahead as the middle of everything, but not behind.
    let ahead = (middle.as_dvec3() - eye).dot(forward).max(0.1 * f64::from(radius));
    let near = projection.near;
    match projection.extent {
        Extent::Perspective(angle) => {
            let angle = (angle.to_degrees() as f32).clamp(5.0, 120.0);
            let clip = (near * scale / ahead).clamp(0.0, 1.0) as f32;
            let (target, distance) = ((eye + forward * ahead).as_vec3(), ahead as f32);
            (Viewpoint { target, distance, angle, clip, ..turned }, false)
        }
        Extent::Orthographic(half_height) => {
            let distance = ORTHOGRAPHIC * f64::from(radius).max(half_height * scale);
            let angle = 2.0 * (half_height * scale / distance).atan().to_degrees();
            // Nothing in front of the file's near plane is visible.
            let clip = ((distance - ahead + near * scale) / distance).clamp(0.0, 1.0);
            let target = (eye + forward * ahead).as_vec3();
            let (distance, angle, clip) = (distance as f32, angle as f32, clip as f32);
            (Viewpoint { target, distance, angle, clip, ..turned }, true)
        }
    }
}

/// Whether a part of the scene is behind the far plane of the camera, where it is drawn nevertheless.
pub fn is_behind_far_plane([low, high]: [DVec3; 2], camera: Option<(DMat4, Projection)>) -> bool {
    let Some((world_from_camera, Projection { far: Some(far), .. })) = camera else { return false };
    let Some(forward) = (-world_from_camera.z_axis).truncate().try_normalize() else { return false };
    let corner = DVec3::select(forward.cmpgt(DVec3::ZERO), high, low);
    (corner - world_from_camera.w_axis.truncate()).dot(forward) > far
}

/// Factor on the haze of the settings: the scene's size does not change how much of it is hidden, because a file does not specify its air.
/// An orthographic camera is at an arbitrary distance, and adds none.
pub fn haze([low, high]: [Vec3; 2], is_orthographic: bool) -> f32 {
    let radius = ((high - low).length() * 0.5).max(1e-6);
    let nearer = if is_orthographic { 2.7 / ORTHOGRAPHIC as f32 } else { 1.0 };
    CLEAR / radius * nearer
}
