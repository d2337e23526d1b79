//! A world on the GPU: one storage buffer for each of its lists.

use super::{Placed, World};
use crate::gpu::{Buffer, Frame, Memory, Resource, Result};
use std::sync::Arc;

/// The lists of a [`World`], named as shaders bind them. Clones are the same buffers.
#[derive(Clone)]
pub struct Resident {
    /// What was uploaded.
    pub world: Arc<World>,
    /// `Vertices`
    pub vertices: Buffer,
    /// `MeshletVertices`
    pub meshlet_vertices: Buffer,
    /// `Triangles`
    pub triangles: Buffer,
    /// `Meshlets`
    pub meshlets: Buffer,
    /// `Instances`
    pub instances: Buffer,
    /// `PlacedMeshlets`
    pub placed: Buffer,
    /// `MaterialOf`: by placed meshlet, its instance's material.
    pub material_of: Buffer,
    /// `Materials`
    pub materials: Buffer,
    /// `Textures`
    pub textures: Buffer,
    /// `Texels`
    pub texels: Buffer,
}

impl Resident {
    /// Uploads `world` with `frame`.
    ///
    /// # Errors
    /// What the GPU floor says, too little memory among it.
    pub fn new(frame: &mut Frame, world: Arc<World>) -> Result<Self> {
        let material = |placed: &Placed| world.instances[placed.instance as usize].material;
        let material_of: Vec<u32> = world.placed.iter().map(material).collect();
        Ok(Self {
            vertices: filled(frame, "world vertices", &world.vertices)?,
            meshlet_vertices: filled(frame, "world meshlet vertices", &world.meshlet_vertices)?,
            triangles: filled(frame, "world triangles", &world.triangles)?,
            meshlets: filled(frame, "world meshlets", &world.meshlets)?,
            instances: filled(frame, "world instances", &world.instances)?,
            placed: filled(frame, "world meshlet instances", &world.placed)?,
            material_of: filled(frame, "world material of meshlets", &material_of)?,
            materials: filled(frame, "world materials", &world.materials)?,
            textures: filled(frame, "world textures", &world.textures)?,
            texels: filled(frame, "world texels", &world.texels)?,
            world,
        })
    }

    /// Every list with the name that shaders give it: for `bind_named`.
    #[must_use]
    pub fn bindings(&self) -> [(&'static str, Resource); 10] {
        [
            ("Vertices", &self.vertices),
            ("MeshletVertices", &self.meshlet_vertices),
            ("Triangles", &self.triangles),
            ("Meshlets", &self.meshlets),
            ("Instances", &self.instances),
            ("PlacedMeshlets", &self.placed),
            ("MaterialOf", &self.material_of),
            ("Materials", &self.materials),
            ("Textures", &self.textures),
            ("Texels", &self.texels),
        ]
        .map(|(name, buffer)| (name, buffer.into()))
    }
}

fn filled<T: bytemuck::NoUninit>(frame: &mut Frame, name: &str, data: &[T]) -> Result<Buffer> {
    let size = size_of_val(data).max(size_of::<T>()) as u64;
    let buffer = Buffer::new(frame.gpu(), name, size, Memory::Device)?;
    if !data.is_empty() {
        frame.upload_buffer(&buffer, data)?;
    }
    Ok(buffer)
}
