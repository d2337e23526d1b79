//! CPU reference of the tests that cull a meshlet instance, in double precision: std and glam only.

use super::reference::{Occlusion, sphere_of};
use crate::passes::culling::{
    DRAWN_UNSEEN, FACES_AWAY, OCCLUDED, OUT_OF_FRUSTUM, SEEN, TEST_CONE, TEST_FRUSTUM, TEST_OCCLUSION,
};
use glam::{DVec3, DVec4};
use scene::world::{Camera, World};

pub struct Frustum {
    planes: [DVec4; 5],
}

/// Rounding tolerance of the plane test, relative to the coordinates.
const BEYOND: f64 = 1e-5;
const BEYOND_SLACK: f64 = 3e-6;
/// Rounding tolerance of the cone test, relative to the distance.
const EDGE_ON: f64 = 4e-3;
const EDGE_ON_SLACK: f64 = 1e-5;

impl Frustum {
    pub fn of(camera: &Camera, size: [u32; 2]) -> Self {
        let clip = camera.block(size).clip_from_world.as_dmat4();
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip.row(row));
        Self { planes: [w + x, w - x, w + y, w - y, w - z].map(|plane| plane / plane.truncate().length()) }
    }

    /// Left, right, top, bottom, near; above 0 inside.
    pub fn distances(&self, at: DVec3) -> [f64; 5] {
        self.planes.map(|plane| plane.dot(at.extend(1.0)))
    }

    /// `None` where rounding may decide.
    pub fn excludes(&self, (center, radius): (DVec3, f64)) -> Option<bool> {
        let reach = center.abs().element_sum();
        let mut answer = Some(false);
        for (plane, distance) in self.planes.iter().zip(self.distances(center)) {
            let scale = reach + plane.w.abs();
            let inside = distance + radius + BEYOND * scale;
            if inside.abs() <= BEYOND_SLACK * scale + 1e-6 * radius {
                answer = None;
            } else if inside < 0.0 {
                return Some(true);
            }
        }
        answer
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalCone {
    pub axis: DVec3,
    pub sine: f64,
    pub far: f64,
    /// The distance along the axis, and the one from which all triangles face away.
    pub along: f64,
    pub needed: f64,
}

impl NormalCone {
    /// `None` without a cone, or where an uneven scale makes it invalid.
    pub fn of(world: &World, camera: &Camera, placed: usize) -> Option<Self> {
        let (center, radius) = sphere_of(world, placed);
        let placed = world.meshlet_instances[placed];
        let (instance, meshlet) =
            (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
        let [x, y, z, _] = instance.world_from_mesh.map(|axis| axis.as_dvec3());
        let even = f64::from(instance.scale).powi(2);
        let is_even = [x.dot(x) - even, y.dot(y) - even, z.dot(z) - even, x.dot(y), y.dot(z), z.dot(x)]
            .iter()
            .all(|off| off.abs() <= 1e-3 * even);
        if meshlet.cone_cutoff >= 1.0 || !is_even {
            return None;
        }
        let axis = meshlet.cone_axis.as_dvec3();
        let axis = (x * axis.x + y * axis.y + z * axis.z).normalize();
        let (from_eye, sine) = (center - camera.eye.as_dvec3(), f64::from(meshlet.cone_cutoff));
        let far = from_eye.length();
        Some(Self { axis, sine, far, along: from_eye.dot(axis), needed: (sine + EDGE_ON) * far + radius })
    }

    /// `None` where rounding may decide.
    pub fn faces_away(&self) -> Option<bool> {
        let over = self.along - self.needed;
        (over.abs() > EDGE_ON_SLACK * self.far).then_some(over >= 0.0)
    }
}

pub struct Culling<'a> {
    pub world: &'a World,
    pub camera: &'a Camera,
    pub frustum: Frustum,
    /// Bits as in shaders/meshlets/cull.glsl.
    pub tests: u32,
    pub occlusion: Option<Occlusion<'a>>,
}

impl Culling<'_> {
    /// Allowed results; `None` where rounding may decide, or the pyramid is missing.
    pub fn results_of(&self, placed: usize) -> Option<&'static [u32]> {
        let sphere = sphere_of(self.world, placed);
        let is_tested = |test: u32| self.tests & test != 0;
        if is_tested(TEST_FRUSTUM) && self.frustum.excludes(sphere)? {
            return Some(&[OUT_OF_FRUSTUM]);
        }
        let cone = NormalCone::of(self.world, self.camera, placed).filter(|_| is_tested(TEST_CONE));
        if let Some(cone) = cone
            && cone.faces_away()?
        {
            return Some(&[FACES_AWAY]);
        }
        // Transparent instances are not tested against depth.
        let blended = self.world.meshlet_instances.len().saturating_sub(self.world.blended as usize);
        if !is_tested(TEST_OCCLUSION) || placed >= blended {
            return Some(&[SEEN]);
        }
        Some(if self.occlusion.as_ref()?.hides(sphere)? { &[OCCLUDED, DRAWN_UNSEEN] } else { &[SEEN] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn camera() -> Camera {
        Camera { eye: Vec3::ZERO, target: Vec3::NEG_Z, ..scene::world::Viewpoint::default().camera() }
    }

    #[test]
    fn spheres_are_outside_when_all_of_them_is() {
        let camera = camera();
        let frustum = Frustum::of(&camera, [100, 100]);
        let half = (0.5 * f64::from(camera.angle)).tan();
        let edge = DVec3::new(10.0 * half, 0.0, -10.0);
        let outward = DVec3::new(1.0, 0.0, half).normalize();
        for (off, answer) in [(-2.0, Some(false)), (0.9, Some(false)), (1.1, Some(true)), (3.0, Some(true))] {
            assert_eq!(frustum.excludes((edge + outward * off, 1.0)), answer, "{off}");
        }
        assert_eq!(frustum.excludes((edge + outward * (1.0 + 1.37e-4), 1.0)), None, "rounding may decide");
        assert_eq!(frustum.excludes((DVec3::Z * 2.0, 1.0)), Some(true), "behind the eye");
        let right = frustum.distances(edge)[1];
        assert!(right.abs() < 1e-6, "{right}");
    }

    #[test]
    fn cones_face_away_beyond_their_angle() {
        let cone = |along: f64| NormalCone { axis: DVec3::Z, sine: 0.5, far: 10.0, along, needed: 6.04 };
        assert_eq!([5.0, 6.04, 7.0].map(|along| cone(along).faces_away()), [Some(false), None, Some(true)]);
    }
}
