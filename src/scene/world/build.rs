//! World builder: cuts meshes into meshlets, places them, and rejects more than visibility values can index.

use super::names;
use super::{
    AlphaMode, Instance, MESHLET_TRIANGLES, MESHLET_VERTICES, Material, Meshlet, MeshletInstance, Texture, Vertex,
    Viewpoint, VisibilityId, World, octahedral,
};
use glam::{Mat4, Vec2, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// 0 to 1: the tighter the cone, the more meshlets are culled.
const CONE_WEIGHT: f32 = 0.25;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// In the mesh's space.
    pub position: Vec3,
    pub normal: Vec3,
    pub uv: Vec2,
    /// Unit vector along increasing u.
    pub tangent: Vec3,
    /// The bitangent is normal x tangent, times -1 if this is set.
    pub flipped: bool,
    /// Linear, 0..1.
    pub color: Vec3,
    pub alpha: Option<f32>,
    pub uv2: Vec2,
    /// Sky visibility, 0..1.
    pub sky: f32,
}

impl Default for Corner {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            normal: Vec3::Y,
            uv: Vec2::ZERO,
            tangent: Vec3::X,
            flipped: false,
            color: Vec3::ONE,
            alpha: None,
            uv2: Vec2::ZERO,
            sky: 1.0,
        }
    }
}

impl Corner {
    pub fn packed(&self) -> Vertex {
        let bits = self.color.extend(self.sky).to_array().map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
        let mut tangent = octahedral(self.tangent) & !1 | u32::from(self.flipped);
        if let Some(alpha) = self.alpha {
            let bits = (alpha.clamp(0.0, 1.0) * 255.0).round() as u32;
            tangent = tangent & !0x1F_000E | (bits & 7) << 1 | (bits >> 3) << 16;
        }
        Vertex {
            position: self.position,
            normal: octahedral(self.normal),
            uv: self.uv,
            tangent,
            color: u32::from_le_bytes(bits),
        }
    }
}

#[derive(Default)]
pub struct Builder {
    world: World,
    sources: Vec<(Vec<Corner>, Vec<u32>)>,
    mirrored: HashMap<u32, u32>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Counter-clockwise from outside; checked. Returns the mesh's number.
    pub fn mesh(&mut self, corners: Vec<Corner>, indices: Vec<u32>) -> Result<u32, String> {
        if !indices.len().is_multiple_of(3) {
            return Err(format!("{} indices; expected three for each triangle", indices.len()));
        }
        if let Some(index) = indices.iter().find(|index| **index as usize >= corners.len()) {
            return Err(format!("index {index} of {} vertices", corners.len()));
        }
        if corners.iter().any(|corner| !corner.position.is_finite()) {
            return Err("a vertex whose position is not a finite number".into());
        }
        let geometry = &mut self.world.geometry;
        let room =
            |len: usize, more: usize| u32::try_from(len + more).map_err(|_| "more than 2^32 vertices or triangles");
        room(geometry.vertices.len(), corners.len())?;
        room(geometry.meshlet_vertices.len(), indices.len())?;
        let (base, first) = (geometry.vertices.len() as u32, geometry.meshlets.len() as u32);
        let positions: Vec<[f32; 3]> = corners.iter().map(|corner| corner.position.to_array()).collect();
        geometry.vertices.extend(corners.iter().map(Corner::packed));
        geometry.second_uvs.extend(corners.iter().map(|corner| corner.uv2));
        if !indices.is_empty() {
            let ordered = meshopt::optimize_vertex_cache(&indices, corners.len());
            let adapter =
                meshopt::VertexDataAdapter::new(bytemuck::cast_slice(&positions), 12, 0).map_err(|e| e.to_string())?;
            let cut = meshopt::build_meshlets(&ordered, &adapter, MESHLET_VERTICES, MESHLET_TRIANGLES, CONE_WEIGHT);
            for meshlet in cut.iter() {
                let bounds = meshopt::compute_meshlet_bounds(meshlet, &adapter);
                geometry.meshlets.push(Meshlet {
                    center: bounds.center.into(),
                    radius: bounds.radius,
                    cone_axis: bounds.cone_axis.into(),
                    cone_cutoff: bounds.cone_cutoff,
                    first_vertex: geometry.meshlet_vertices.len() as u32,
                    first_triangle: geometry.triangles.len() as u32,
                    vertices: meshlet.vertices.len() as u32,
                    triangles: (meshlet.triangles.len() / 3) as u32,
                });
                geometry.meshlet_vertices.extend(meshlet.vertices.iter().map(|vertex| base + vertex));
                let packed = |t: &[u8]| u32::from(t[0]) | u32::from(t[1]) << 8 | u32::from(t[2]) << 16;
                geometry.triangles.extend(meshlet.triangles.chunks_exact(3).map(packed));
            }
        }
        geometry.meshes.push([first, geometry.meshlets.len() as u32 - first]);
        self.sources.push((corners, indices));
        Ok(geometry.meshes.len() as u32 - 1)
    }

    pub fn material(&mut self, material: Material) -> u32 {
        self.world.materials.push(material);
        self.world.materials.len() as u32 - 1
    }

    pub fn name_material(&mut self, material: u32, name: Arc<str>) {
        names::set(&mut self.world.names.materials, material as usize, name);
    }

    /// The instance that was placed last.
    pub fn name_placed(&mut self, name: Arc<str>) {
        if let Some(last) = self.world.instances.len().checked_sub(1) {
            names::set(&mut self.world.names.instances, last, name);
        }
    }

    /// All levels, finest first, red in the lowest byte; returns the texture's number.
    pub fn texture(&mut self, mut texture: Texture, texels: &[u32]) -> Result<u32, String> {
        let level = |n: u32| u64::from((texture.width >> n).max(1)) * u64::from((texture.height >> n).max(1));
        let needed: u64 = (0..texture.levels).map(level).sum();
        if texels.len() as u64 != needed || texture.levels == 0 || texture.levels > 20 {
            return Err(format!("{} texels in {} levels; expected {needed}", texels.len(), texture.levels));
        }
        let textures = &mut self.world.textures;
        texture.first = u32::try_from(textures.texels.len()).map_err(|_| "more than 2^32 texels")?;
        textures.texels.extend(texels);
        textures.layouts.push(texture);
        Ok(textures.layouts.len() as u32 - 1)
    }

    /// A mirroring transform uses a mirrored copy, so that front faces stay front faces.
    pub fn place(&mut self, mesh: u32, world_from_mesh: Mat4, material: u32) -> Result<(), String> {
        if mesh as usize >= self.world.geometry.meshes.len() || material as usize >= self.world.materials.len() {
            return Err(format!("an instance of mesh {mesh} with material {material}, which are not there"));
        }
        if !world_from_mesh.is_finite() {
            return Err("an instance whose matrix has a number that is not finite".into());
        }
        let (mesh, world_from_mesh) = if world_from_mesh.determinant() < 0.0 {
            (self.mirror(mesh)?, world_from_mesh * Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)))
        } else {
            (mesh, world_from_mesh)
        };
        let world = &mut self.world;
        let [first, count] = world.geometry.meshes[mesh as usize];
        if world.meshlet_instances.len() + count as usize > VisibilityId::MESHLETS_MAX {
            return Err(format!("more than {} meshlet instances", VisibilityId::MESHLETS_MAX));
        }
        let instance = world.instances.len() as u32;
        world.instances.push(Instance::new(world_from_mesh, material));
        world.meshlet_instances.extend((first..first + count).map(|meshlet| MeshletInstance { instance, meshlet }));
        Ok(())
    }

    pub fn placed(&self) -> usize {
        self.world.meshlet_instances.len()
    }

    fn mirror(&mut self, mesh: u32) -> Result<u32, String> {
        if let Some(made) = self.mirrored.get(&mesh) {
            return Ok(*made);
        }
        let (mut corners, mut indices) = self.sources[mesh as usize].clone();
        for corner in &mut corners {
            corner.position.x = -corner.position.x;
            corner.normal.x = -corner.normal.x;
            corner.tangent.x = -corner.tangent.x;
            corner.flipped = !corner.flipped;
        }
        indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        let made = self.mesh(corners, indices)?;
        self.mirrored.insert(mesh, made);
        Ok(made)
    }

    pub fn finish(self, viewpoint: Viewpoint) -> World {
        let mut world = self.world;
        if world.materials.is_empty() {
            world.materials.push(Material::default());
        }
        let cover = |placed: &MeshletInstance| {
            let instance = &world.instances[placed.instance as usize];
            world.materials[instance.material as usize].alpha_mode()
        };
        world.meshlet_instances.sort_by_key(cover);
        let count = |wanted| world.meshlet_instances.iter().filter(|placed| cover(placed) == wanted).count() as u32;
        (world.masked, world.blended) = (count(AlphaMode::Mask), count(AlphaMode::Blend));
        if !world.materials.iter().any(Material::has_second_uv) {
            world.geometry.second_uvs = vec![];
        }
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for placed in &world.meshlet_instances {
            let (instance, meshlet) =
                (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
            let (center, radius) = (instance.point(meshlet.center), Vec3::splat(meshlet.radius * instance.scale));
            bounds = [bounds[0].min(center - radius), bounds[1].max(center + radius)];
        }
        world.bounds = if world.meshlet_instances.is_empty() { [Vec3::ZERO; 2] } else { bounds };
        world.focus = world.bounds;
        world.haze = 1.0;
        world.viewpoint = viewpoint;
        world.paint();
        world
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::{Cells, Shape, grid};
    use super::*;

    fn quad() -> (Vec<Corner>, Vec<u32>) {
        let at = |x, y| Corner { position: Vec3::new(x, y, 0.0), normal: Vec3::Z, ..Corner::default() };
        (vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)], vec![0, 1, 2, 0, 2, 3])
    }

    fn faces(world: &World) -> Vec<Vec3> {
        world.corners().iter().map(|[a, b, c]| (b.0 - a.0).cross(c.0 - a.0)).collect()
    }

    #[test]
    fn every_triangle_is_there_and_mirrored_ones_still_face_the_same_way() {
        let mut builder = Builder::new();
        let (corners, indices) = quad();
        let mesh = builder.mesh(corners, indices).unwrap();
        let material = builder.material(Material::default());
        builder.place(mesh, Mat4::IDENTITY, material).unwrap();
        builder.place(mesh, Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)), material).unwrap();
        builder.place(mesh, Mat4::from_scale(Vec3::new(-2.0, 1.0, 1.0)), material).unwrap();
        let world = builder.finish(Viewpoint::default());
        let faces = faces(&world);
        assert_eq!(faces.len(), 6);
        assert!(faces.iter().all(|face| face.z > 0.5), "{faces:?}");
        assert_eq!(world.geometry.meshes.len(), 2, "one mirror image for both");
        assert!(world.bounds[0].x <= -2.0 && world.bounds[1].x >= 1.0);
    }

    #[test]
    fn limits_of_meshlets_hold_for_a_large_grid() {
        let Shape { corners, indices, .. } = grid(Cells::new(59, 59), |u, v| Vec3::new(59.0 * u, 0.0, -59.0 * v));
        let mut builder = Builder::new();
        let triangles = indices.len() / 3;
        let mesh = builder.mesh(corners, indices).unwrap();
        let material = builder.material(Material::default());
        builder.place(mesh, Mat4::IDENTITY, material).unwrap();
        let world = builder.finish(Viewpoint::default());
        assert_eq!(world.triangle_count(), triangles as u64);
        assert!(world.geometry.meshlets.iter().all(|m| m.vertices <= 64 && m.triangles <= 124 && m.vertices > 0));
        assert!(faces(&world).iter().all(|face| face.y > 0.5));
    }

    #[test]
    fn nonsense_is_refused() {
        let mut builder = Builder::new();
        let (corners, _) = quad();
        assert!(builder.mesh(corners.clone(), vec![0, 1]).unwrap_err().contains("three"));
        assert!(builder.mesh(corners.clone(), vec![0, 1, 4]).unwrap_err().contains("index 4"));
        let mut broken = corners.clone();
        broken[0].position.x = f32::NAN;
        assert!(builder.mesh(broken, vec![0, 1, 2]).is_err());
        let mesh = builder.mesh(corners, vec![0, 1, 2]).unwrap();
        assert!(builder.place(mesh, Mat4::IDENTITY, 0).is_err(), "no material yet");
        let material = builder.material(Material::default());
        assert!(builder.place(mesh, Mat4::from_scale(Vec3::splat(f32::INFINITY)), material).is_err());
        let texture = Texture { first: 0, width: 3, height: 1, levels: 2, srgb: 1, wrap: 0 };
        assert!(builder.texture(texture, &[0; 3]).is_err());
        assert_eq!(builder.texture(texture, &[0; 4]), Ok(0));
    }
}
