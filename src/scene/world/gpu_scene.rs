//! World on the GPU: one storage buffer per list.

use super::{Placed, World};
use crate::gpu::{Buffer, Format, Frame, Memory, Resource, Result};
use std::sync::Arc;

/// The lists of a [`World`], named as in shaders. Clones share the buffers.
#[derive(Clone)]
pub struct GpuScene {
    /// The uploaded world.
    pub world: Arc<World>,
    /// `Vertices`
    pub vertices: Buffer,
    /// `SecondUvs`
    pub second_uvs: Buffer,
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
    /// `PaintTexels`
    pub paint: Buffer,
    /// Shaders can also read the lists as texels.
    pub has_texels: bool,
}

impl GpuScene {
    /// Uploads `world` with `frame`.
    ///
    /// # Errors
    /// Includes too little memory.
    pub fn new(frame: &mut Frame, world: Arc<World>) -> Result<Self> {
        let material = |placed: &Placed| world.instances[placed.instance as usize].material;
        let material_of: Vec<u32> = world.placed.iter().map(material).collect();
        let mut resident = Self {
            vertices: filled(frame, "world vertices", &world.vertices)?,
            second_uvs: filled(frame, "world second texture coordinates", &world.second_uvs)?,
            meshlet_vertices: filled(frame, "world meshlet vertices", &world.meshlet_vertices)?,
            triangles: filled(frame, "world triangles", &world.triangles)?,
            meshlets: filled(frame, "world meshlets", &world.meshlets)?,
            instances: filled(frame, "world instances", &world.instances)?,
            placed: filled(frame, "world meshlet instances", &world.placed)?,
            material_of: filled(frame, "world material of meshlets", &material_of)?,
            materials: filled(frame, "world materials", &world.materials)?,
            textures: filled(frame, "world textures", &world.textures)?,
            texels: filled(frame, "world texels", &world.texels)?,
            paint: filled(frame, "world paint", &world.paint)?,
            has_texels: false,
            world,
        };
        resident.has_texels = resident.read_as_texels(frame.gpu().info().texels)?;
        Ok(resident)
    }

    /// False if a list is longer than `most` texels.
    fn read_as_texels(&self, most: u32) -> Result<bool> {
        let lists = self.texel_lists();
        if lists.iter().any(|(_, list, format)| list.size() / u64::from(format.bytes()) > u64::from(most)) {
            return Ok(false);
        }
        for (_, list, format) in lists {
            list.read_as_texels(format)?;
        }
        Ok(true)
    }

    /// The lists that shaders can read as texels: their name in shaders, and the texel format.
    fn texel_lists(&self) -> [(&'static str, &Buffer, Format); 11] {
        use Format::{R32U, Rg32U, Rgba32U};
        [
            ("vertices_texels", &self.vertices, Rgba32U),
            ("second_uvs_texels", &self.second_uvs, Rg32U),
            ("meshlet_vertices_texels", &self.meshlet_vertices, R32U),
            ("triangles_texels", &self.triangles, R32U),
            ("meshlets_texels", &self.meshlets, Rgba32U),
            ("instances_texels", &self.instances, Rg32U),
            ("placed_texels", &self.placed, Rg32U),
            ("materials_texels", &self.materials, Rgba32U),
            ("textures_texels", &self.textures, Rg32U),
            ("texels_texels", &self.texels, R32U),
            ("paint_texels", &self.paint, Rgba32U),
        ]
    }

    /// Every list with its name in shaders: for `bind_named`.
    #[must_use]
    pub fn bindings(&self) -> Vec<(&'static str, Resource)> {
        let lists = [
            ("Vertices", &self.vertices),
            ("SecondUvs", &self.second_uvs),
            ("MeshletVertices", &self.meshlet_vertices),
            ("Triangles", &self.triangles),
            ("Meshlets", &self.meshlets),
            ("Instances", &self.instances),
            ("PlacedMeshlets", &self.placed),
            ("MaterialOf", &self.material_of),
            ("Materials", &self.materials),
            ("Textures", &self.textures),
            ("Texels", &self.texels),
            ("PaintTexels", &self.paint),
        ];
        let texels = self.texel_lists().map(|(name, list, _)| (name, list));
        lists.into_iter().chain(texels).map(|(name, list)| (name, list.into())).collect()
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
