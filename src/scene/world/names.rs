//! Names of surfaces, and what is between them and the sun, in words.

use super::{MaterialKind, VisibilityId, World};
use glam::{DVec3, Vec3};
use std::sync::Arc;

pub const IN_SUN: &str = "in the sun";
/// Longest name taken of a file, letters.
const LONGEST: usize = 48;
/// Part of the scene's size: what is nearer to a surface is that surface.
const ITSELF: f64 = 1e-3;

/// By instance and by material, as their maker or their file calls them. What has no name is empty or missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    pub instances: Vec<Arc<str>>,
    pub materials: Vec<Arc<str>>,
}

/// As a sentence can have it; empty if nothing is left.
pub fn clean(name: &str) -> Arc<str> {
    let plain: String = name.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    plain.trim().into()
}

/// At `number`, with empty names before it.
pub(super) fn set(names: &mut Vec<Arc<str>>, number: usize, name: Arc<str>) {
    if names.len() <= number {
        names.resize(number + 1, Arc::default());
    }
    names[number] = name;
}

impl World {
    /// Of the instance, else of its material, else the kind of material; `None` for a visibility value of nothing.
    pub fn name_of(&self, visibility: u32) -> Option<String> {
        let number = self.meshlet_of(visibility)?.instance as usize;
        let material = self.instances.get(number)?.material as usize;
        let named =
            |names: &[Arc<str>], at: usize| names.get(at).filter(|name| !name.is_empty()).map(|name| name.to_string());
        let kind = || {
            let kind = self.materials.get(material).and_then(|one| MaterialKind::ALL.get(one.kind as usize));
            format!("{} surface", kind.map_or("unknown", |kind| kind.name()))
        };
        let name = named(&self.names.instances, number).or_else(|| named(&self.names.materials, material));
        Some(name.unwrap_or_else(kind))
    }

    /// How the sun reaches a place on the surface of a visibility value: `toward` it from the place.
    pub fn sunlight(&self, of: u32, at: Vec3, normal: Vec3, toward: Vec3) -> String {
        if normal.dot(toward) <= 0.0 {
            return "turned away from the sun".into();
        }
        let instance = |id: u32| self.meshlet_of(id).map(|placed| placed.instance);
        let Some(id) = self.blocker(at, toward) else { return IN_SUN.into() };
        match self.name_of(id).filter(|_| instance(id) != instance(of)) {
            Some(name) => format!("in the shadow of the {name}"),
            None => "in its own shadow".into(),
        }
    }

    /// Visibility value of the nearest triangle between a place and the sun.
    fn blocker(&self, at: Vec3, toward: Vec3) -> Option<u32> {
        let (from, way) = (at.as_dvec3(), toward.as_dvec3());
        let near = ITSELF * f64::from((self.focus[1] - self.focus[0]).length());
        let mut nearest: Option<(f64, u32)> = None;
        for (number, placed) in self.meshlet_instances.iter().enumerate() {
            let (instance, meshlet) =
                (&self.instances[placed.instance as usize], &self.geometry.meshlets[placed.meshlet as usize]);
            let to_center = instance.point(meshlet.center).as_dvec3() - from;
            let radius = f64::from(meshlet.radius * instance.scale) + near;
            let aside = to_center - way * to_center.dot(way);
            if to_center.dot(way) < -radius || aside.length_squared() > radius * radius {
                continue;
            }
            for triangle in 0..meshlet.triangles {
                let id = VisibilityId::new(number as u32, triangle).0;
                let met = self.corners_of(id).and_then(|corners| meets(from, way, corners.map(|at| at.as_dvec3())));
                let is_nearer = |t: &f64| *t > near && nearest.is_none_or(|(before, _)| *t < before);
                nearest = met.filter(is_nearer).map(|t| (t, id)).or(nearest);
            }
        }
        nearest.map(|(_, id)| id)
    }
}

/// Distance along the ray to a triangle, from either side.
fn meets(from: DVec3, way: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (along, up) = (b - a, c - a);
    let across = way.cross(up);
    let facing = along.dot(across);
    if facing.abs() < 1e-14 {
        return None;
    }
    let to = from - a;
    let turn = to.cross(along);
    let (u, v) = (to.dot(across) / facing, way.dot(turn) / facing);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| up.dot(turn) / facing)
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Corner, Material, Viewpoint};
    use super::*;
    use glam::Mat4;

    /// A floor, and one metre above it a roof with a name over its left half.
    fn world() -> World {
        let mut builder = Builder::new();
        let at = |x, z| Corner { position: Vec3::new(x, 0.0, z), ..Corner::default() };
        let square = vec![at(0.0, 0.0), at(0.0, 1.0), at(1.0, 1.0), at(1.0, 0.0)];
        let mesh = builder.mesh(square, vec![0, 1, 2, 0, 2, 3]).unwrap();
        let plain = builder.material(Material::default());
        let tiles = builder.material(Material::default());
        builder.name_material(tiles, clean("tiles\n"));
        builder.place(mesh, Mat4::from_scale(Vec3::splat(2.0)), tiles).unwrap();
        builder.place(mesh, Mat4::from_translation(Vec3::Y), plain).unwrap();
        builder.name_placed(clean(" roof "));
        builder.place(mesh, Mat4::from_translation(5.0 * Vec3::NEG_Y), plain).unwrap();
        builder.finish(Viewpoint::default())
    }

    #[test]
    fn surfaces_have_the_nearest_name() {
        let world = world();
        let name = |meshlet| world.name_of(VisibilityId::new(meshlet, 0).0);
        assert_eq!([0, 1, 2].map(|n| name(n).unwrap()), ["tiles", "roof", "plain surface"]);
        assert_eq!((world.name_of(0), name(9)), (None, None));
    }

    #[test]
    fn a_shadow_has_a_name() {
        let world = world();
        let lit_on = |of, x: f32, normal| world.sunlight(of, Vec3::new(x, 0.0, 0.5), normal, Vec3::Y);
        let lit = |x: f32, normal| lit_on(VisibilityId::new(0, 0).0, x, normal);
        assert_eq!(lit(0.5, Vec3::Y), "in the shadow of the roof");
        assert_eq!(lit_on(VisibilityId::new(1, 0).0, 0.5, Vec3::Y), "in its own shadow");
        assert_eq!(lit(1.5, Vec3::Y), "in the sun");
        assert_eq!(lit(1.5, Vec3::NEG_Y), "turned away from the sun");
    }
}
