//! Nearest triangle on a ray by testing every triangle, in double precision.

use glam::{DMat3, DVec3, Vec3};
use scene::world::{VisibilityId, World};

pub struct Target {
    pub visibility: u32,
    corners: [DVec3; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// In lengths of the direction.
    pub t: f64,
    pub visibility: u32,
    /// The least of the three weights: 0 on an edge.
    pub inside: f64,
    /// Cosine of the angle to the triangle's normal.
    pub facing: f64,
}

/// Instances without a volume are left out.
pub fn targets(world: &World) -> Vec<Target> {
    let mut all = vec![];
    for (number, placed) in world.meshlet_instances.iter().enumerate() {
        let (instance, meshlet) =
            (&world.instances[placed.instance as usize], &world.geometry.meshlets[placed.meshlet as usize]);
        let [x, y, z, origin] = instance.world_from_mesh.map(Vec3::as_dvec3);
        let turn = DMat3::from_cols(x, y, z);
        if turn.determinant() == 0.0 {
            continue;
        }
        for triangle in 0..meshlet.triangles {
            let corner = |vertex: usize| turn * world.geometry.vertices[vertex].position.as_dvec3() + origin;
            let corners = world.geometry.corners(meshlet, triangle).map(corner);
            all.push(Target { visibility: VisibilityId::new(number as u32, triangle).0, corners });
        }
    }
    all
}

/// Whether a ray runs in the triangle's plane, within single precision.
pub fn is_along(targets: &[Target], visibility: u32, direction: Vec3) -> bool {
    targets.iter().filter(|target| target.visibility == visibility).any(|target| {
        let [a, b, c] = target.corners;
        let (plane, direction) = ((b - a).cross(c - a), direction.as_dvec3());
        direction.dot(plane).abs() < 1e-5 * direction.length() * plane.length()
    })
}

/// Hit on the front of a triangle, also `slack` (a weight) outside of it; `None` where the ray runs along it.
fn meet(origin: DVec3, direction: DVec3, target: &Target, slack: f64) -> Option<RayHit> {
    let [a, b, c] = target.corners;
    let plane = (b - a).cross(c - a);
    let facing = direction.dot(plane);
    if facing > -1e-12 * direction.length() * plane.length() {
        return None;
    }
    let t = (a - origin).dot(plane) / facing;
    let at = origin + direction * t;
    let weight = |p: DVec3, q: DVec3| (q - p).cross(at - p).dot(plane) / plane.length_squared();
    let inside = weight(a, b).min(weight(b, c)).min(weight(c, a));
    let cosine = facing.abs() / (direction.length() * plane.length());
    (t >= 0.0 && inside >= -slack).then_some(RayHit { t, visibility: target.visibility, inside, facing: cosine })
}

/// Nearest first; of equally near ones the smaller visibility value first.
pub fn all_met(targets: &[Target], origin: Vec3, direction: Vec3) -> Vec<RayHit> {
    let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3());
    let mut all: Vec<RayHit> = targets.iter().filter_map(|target| meet(origin, direction, target, 1e-4)).collect();
    all.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.visibility.cmp(&b.visibility)));
    all
}

impl Target {
    pub fn normal(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (b - a).cross(c - a).normalize()
    }

    pub fn weights(&self, at: DVec3) -> [f64; 3] {
        let [a, b, c] = self.corners;
        let plane = (b - a).cross(c - a);
        let weight = |p: DVec3, q: DVec3| (q - p).cross(at - p).dot(plane) / plane.length_squared();
        [weight(b, c), weight(c, a), weight(a, b)]
    }

    pub fn on_plane(&self, origin: Vec3, direction: Vec3) -> DVec3 {
        let (origin, direction, plane) = (origin.as_dvec3(), direction.as_dvec3(), self.normal());
        origin + direction * ((self.corners[0] - origin).dot(plane) / direction.dot(plane))
    }
}
