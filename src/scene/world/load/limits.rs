//! Limits of a scene. Files beyond them are rejected, with the limit in the message.

/// Bytes of one file.
pub const FILE: u64 = 512 << 20;
/// Bytes of all buffers.
pub const BUFFERS: u64 = 1 << 30;
pub const VERTICES: usize = 4 << 20;
pub const TRIANGLES: usize = 8 << 20;
/// Vertices of all morph targets with a weight.
pub const MORPHED: usize = 64 << 20;
/// Sets of four joints and weights of a vertex.
pub const INFLUENCES: u32 = 4;
/// Primitives of all meshes.
pub const PARTS: usize = 1 << 16;
pub const NODES: usize = 1 << 16;
/// Meshlet instances.
pub const PLACED: usize = 2 << 20;
pub const SIDE: u32 = 16384;
/// Bytes of one decoded image.
pub const IMAGE: u64 = 1 << 29;
pub const TEXTURES: usize = 1024;
/// Bytes of all textures with their levels; larger ones are downscaled.
pub const TEXELS: u64 = 64 << 20;
pub const LIGHTS: usize = 64;
/// Metres from the origin of a mesh: areas and their squares stay finite in single precision.
pub const FAR: f32 = 1e9;
/// Largest number in the matrix of a node: squares and products of three stay finite in double precision.
pub const MATRIX: f64 = 1e30;
/// Radii in metres that are kept.
pub const RADIUS: std::ops::RangeInclusive<f64> = 0.2..=120.0;
/// The radius to which other scenes are scaled.
pub const HOME: f64 = 4.0;
/// Triangles and vertices up to which the sky visibility is computed.
pub const SKY: usize = 400_000;
pub const EXTENSIONS: &[&str] = &[
    "KHR_texture_transform",
    "KHR_mesh_quantization",
    "KHR_lights_punctual",
    "KHR_node_visibility",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_draco_mesh_compression",
    "EXT_texture_webp",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_materials_clearcoat",
    "KHR_materials_sheen",
    "KHR_materials_iridescence",
    "KHR_materials_transmission",
];
