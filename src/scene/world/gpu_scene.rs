//! World on the GPU: one storage buffer per list.

use super::{MeshletInstance, World};
use gpu::{Buffer, Format, Frame, Memory, Resource, Result};
use std::sync::Arc;

struct List {
    names: [&'static str; 2],
    format: Format,
    buffer: Buffer,
}

#[derive(Clone)]
pub struct GpuScene {
    pub world: Arc<World>,
    /// `MaterialOf`: by meshlet instance, its instance's material.
    pub material_of: Buffer,
    lists: Arc<[List]>,
    pub has_texels: bool,
}

impl GpuScene {
    pub fn new(frame: &mut Frame, world: Arc<World>) -> Result<Self> {
        let material = |meshlet: &MeshletInstance| world.instances[meshlet.instance as usize].material;
        let material_of: Vec<u32> = world.meshlet_instances.iter().map(material).collect();
        let material_of = filled(frame, "world material of meshlets", &material_of)?;
        let lists = lists(frame, &world)?;
        let most = u64::from(frame.gpu().info().texels);
        let has_texels = lists.iter().all(|list| list.buffer.size() / u64::from(list.format.bytes()) <= most);
        if has_texels {
            lists.iter().try_for_each(|list| list.buffer.read_as_texels(list.format))?;
        }
        Ok(Self { world, material_of, lists: lists.into(), has_texels })
    }

    pub fn bindings(&self) -> Vec<(&'static str, Resource)> {
        let of = |list: &List| list.names.map(|name| (name, Resource::from(&list.buffer)));
        let lists = self.lists.iter().flat_map(of);
        lists.chain([("MaterialOf", (&self.material_of).into())]).collect()
    }
}

fn lists(frame: &mut Frame, world: &World) -> Result<[List; 11]> {
    use Format::{R32U, Rg32U, Rgba32U};
    let (geometry, textures) = (&world.geometry, &world.textures);
    Ok([
        List {
            names: ["Vertices", "vertices_texels"],
            format: Rgba32U,
            buffer: filled(frame, "world vertices", &geometry.vertices)?,
        },
        List {
            names: ["SecondUvs", "second_uvs_texels"],
            format: Rg32U,
            buffer: filled(frame, "world second texture coordinates", &geometry.second_uvs)?,
        },
        List {
            names: ["MeshletVertices", "meshlet_vertices_texels"],
            format: R32U,
            buffer: filled(frame, "world meshlet vertices", &geometry.meshlet_vertices)?,
        },
        List {
            names: ["Triangles", "triangles_texels"],
            format: R32U,
            buffer: filled(frame, "world triangles", &geometry.triangles)?,
        },
        List {
            names: ["Meshlets", "meshlets_texels"],
            format: Rgba32U,
            buffer: filled(frame, "world meshlets", &geometry.meshlets)?,
        },
        List {
            names: ["Instances", "instances_texels"],
            format: Rg32U,
            buffer: filled(frame, "world instances", &world.instances)?,
        },
        List {
            names: ["MeshletInstances", "meshlet_instances_texels"],
            format: Rg32U,
            buffer: filled(frame, "world meshlet instances", &world.meshlet_instances)?,
        },
        List {
            names: ["Materials", "materials_texels"],
            format: Rgba32U,
            buffer: filled(frame, "world materials", &world.materials)?,
        },
        List {
            names: ["Textures", "textures_texels"],
            format: Rg32U,
            buffer: filled(frame, "world textures", &textures.layouts)?,
        },
        List {
            names: ["Texels", "texels_texels"],
            format: R32U,
            buffer: filled(frame, "world texels", &textures.texels)?,
        },
        List {
            names: ["PaintTexels", "paint_texels"],
            format: Rgba32U,
            buffer: filled(frame, "world paint", &textures.paint)?,
        },
    ])
}

fn filled<T: bytemuck::NoUninit>(frame: &mut Frame, name: &str, data: &[T]) -> Result<Buffer> {
    let size = size_of_val(data).max(size_of::<T>()) as u64;
    let buffer = Buffer::new(frame.gpu(), name, size, Memory::Device)?;
    if !data.is_empty() {
        frame.upload_buffer(&buffer, data)?;
    }
    Ok(buffer)
}
