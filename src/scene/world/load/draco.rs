//! Meshes compressed by KHR_draco_mesh_compression.

use super::{
    accessor::Elements,
    limits,
    schema::{Accessor, Draco, Primitive},
    source::Source,
    used::Left,
};
use anyhow::{Context, Result, anyhow};
use base::guard::guarded;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

pub struct DracoMesh<'a> {
    mesh: Mesh,
    draco: &'a Draco,
}

impl<'a> DracoMesh<'a> {
    /// `None` also with an uncompressed copy of its positions (accessor `positions`).
    pub fn of(source: &Source, primitive: &'a Primitive, positions: usize, left: &Left) -> Result<Option<Self>> {
        let Some(draco) = &primitive.extensions.draco else { return Ok(None) };
        let accessor: Accessor = source.document.get(positions)?;
        if accessor.buffer_view.is_some() || accessor.sparse.is_some() {
            return Ok(None);
        }
        let bytes = source.view(draco.buffer_view)?;
        let most = DecodeLimits::default()
            .with_max_points(left.vertices as u64)
            .with_max_faces(left.triangles as u64)
            .with_max_decoded_bytes(limits::BUFFERS);
        let mut mesh = Mesh::new();
        let mut buffer = DecoderBuffer::new(&bytes).with_limits(most);
        guarded(|| Ok(MeshDecoder::new().decode(&mut buffer, &mut mesh)?))
            .map_err(|_| anyhow!("KHR_draco_mesh_compression: what is compressed is damaged, or beyond the limits"))?;
        Ok(Some(Self { mesh, draco }))
    }

    pub fn indices(&self) -> Vec<u32> {
        self.mesh.faces().iter().flatten().map(|point| point.0).collect()
    }

    pub fn attribute(&self, source: &Source, name: &str, index: usize) -> Result<Option<Elements>> {
        let Some(id) = self.draco.attributes.get(name) else { return Ok(None) };
        let attribute = self.mesh.attribute_by_unique_id(*id).with_context(|| format!("{name}: no attribute {id}"))?;
        let wide = usize::from(attribute.num_components());
        let numbers = attribute.read_f32s(self.mesh.num_points(), wide);
        let accessor: Accessor = source.document.get(index)?;
        Ok(Some(Elements::of_numbers(numbers, wide, accessor.normalized.then_some(accessor.component_type))))
    }
}
