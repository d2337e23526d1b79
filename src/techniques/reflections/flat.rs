//! Hierarchy of one level: the triangles of all instances, in the world.

use super::bvh::{Bvh, InstanceTransform, Limits, STACK_LEAST, depth, leaf, matrix, params, solid, triangles};
use glam::Vec3;
use obvhs::{BvhBuildParams, cwbvh::builder::build_cwbvh_from_tris, triangle::Triangle};
use scene::world::{VisibilityId, World};
use std::{collections::HashMap, sync::Arc, time::Duration};

#[derive(Default)]
struct PlacedTriangles {
    triangles: Vec<Triangle>,
    visibilities: Vec<u32>,
}

pub fn build(world: &World, limits: Limits) -> Result<Bvh, String> {
    one_level(world, limits).map_or_else(|| Bvh::build(world, limits), Ok)
}

fn one_level(world: &World, limits: Limits) -> Option<Bvh> {
    let meshlets = &world.geometry.meshlets;
    let count = solid(world).iter().map(|placed| u64::from(meshlets[placed.meshlet as usize].triangles)).sum();
    let all = limits.all / 2;
    if count > limits.flat || (Limits { all, ..limits }).refusal(count, 1).is_some() {
        return None;
    }
    let PlacedTriangles { triangles, visibilities } = placed(world);
    if triangles.is_empty() {
        return None;
    }
    let params = if limits.is_thorough { thorough() } else { params(3) };
    let bvh = build_cwbvh_from_tris(&triangles, params, &mut Duration::default());
    let in_order = || bvh.primitive_indices.iter().map(|at| *at as usize);
    let corners = |at: usize| [triangles[at].v0, triangles[at].v1, triangles[at].v2];
    let mut made = Bvh {
        nodes: vec![],
        leaves: in_order().map(|at| leaf(corners(at), visibilities[at])).collect(),
        placings: vec![InstanceTransform {
            mesh_from_world: [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO],
            root: 0,
            first: 0,
        }],
        parts: Arc::default(),
        stack: (depth(&bvh) + 1).next_multiple_of(8).max(STACK_LEAST),
        cuts: world.masked > 0,
        is_flat: true,
    };
    made.append(&bvh, 0);
    Some(made)
}

/// No triangle is in two leaves.
fn thorough() -> BvhBuildParams {
    BvhBuildParams { pre_split: false, max_prims_per_leaf: 3, ..BvhBuildParams::very_slow_build() }
}

fn placed(world: &World) -> PlacedTriangles {
    let meshes = world.geometry.meshes.iter().filter(|[_, count]| *count > 0);
    let by_first: HashMap<u32, [u32; 2]> = meshes.map(|mesh| (mesh[0], *mesh)).collect();
    let (mut known, mut all) = (HashMap::new(), PlacedTriangles::default());
    let mut last = u32::MAX;
    for (number, placed) in solid(world).iter().enumerate() {
        if std::mem::replace(&mut last, placed.instance) == placed.instance {
            continue;
        }
        let Some(mesh) = by_first.get(&placed.meshlet) else { continue };
        let world_from_mesh = matrix(&world.instances[placed.instance as usize]);
        if !world_from_mesh.inverse().is_finite() {
            continue;
        }
        let (own, offsets) = known.entry(mesh[0]).or_insert_with(|| triangles(world, *mesh));
        let first = VisibilityId::new(number as u32, 0).0;
        all.triangles.extend(own.iter().map(|t| {
            let [v0, v1, v2] = [t.v0, t.v1, t.v2].map(|v| world_from_mesh.transform_point3a(v));
            Triangle { v0, v1, v2 }
        }));
        all.visibilities.extend(offsets.iter().map(|offset| first + offset));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{
        super::lab::{LIMITS, mirror_room},
        *,
    };

    #[test]
    fn a_world_above_a_limit_has_two_levels() {
        let world = mirror_room();
        let most = Limits { flat: u64::MAX, ..LIMITS };
        let count = build(&world, most).unwrap().leaves.len() as u64;
        let is_flat = |limits: Limits| build(&world, limits).unwrap().is_flat;
        assert!(is_flat(Limits { flat: count, ..LIMITS }));
        assert!(!is_flat(Limits { flat: count - 1, ..LIMITS }));
        assert!(!is_flat(Limits { all: 2 * 80 * count, ..most }));
    }
}
