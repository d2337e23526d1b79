//! Supported part of glTF 2.0, one struct per kind of object. Fields missing here are reported by `Document`.

pub use super::schema_material::*;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::BTreeMap;

/// `optional`: every field may be missing. `as`: the name in the file.
macro_rules! objects {
    () => {};
    (optional $kind:ident { $($(#[$attribute:meta])* $field:ident: $type:ty $(as $name:tt)?,)* } $($rest:tt)*) => {
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        pub struct $kind {
            $($(#[$attribute])* $(#[serde(rename = $name)])? pub $field: $type,)*
        }
        objects! { $($rest)* }
    };
    ($kind:ident { $($(#[$attribute:meta])* $field:ident: $type:ty $(as $name:tt)?,)* } $($rest:tt)*) => {
        #[derive(Clone, Debug, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $kind {
            $($(#[$attribute])* $(#[serde(rename = $name)])? pub $field: $type,)*
        }
        objects! { $($rest)* }
    };
}

macro_rules! defaults {
    ($($kind:ident { $($field:ident: $type:ty = $default:expr),* $(,)? })*) => {$(
        #[derive(Clone, Debug, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        pub struct $kind {
            $(pub $field: $type,)*
        }

        impl Default for $kind {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }
    )*};
}

pub(super) use {defaults, objects};

pub trait Element: DeserializeOwned {
    const KIND: &'static str;

    fn list(root: &Root) -> &[Value];
}

macro_rules! elements {
    ($($kind:ident $noun:literal $list:literal;)*) => {
        pub const LISTS: &[&str] = &[$($list),*];

        $(impl Element for $kind {
            const KIND: &'static str = $noun;

            fn list(root: &Root) -> &[Value] {
                root.list($list)
            }
        })*
    };
}

elements! {
    Scene "scene" "scenes";
    Node "node" "nodes";
    Mesh "mesh" "meshes";
    Material "material" "materials";
    Texture "texture" "textures";
    Sampler "sampler" "samplers";
    Image "image" "images";
    Accessor "accessor" "accessors";
    BufferView "buffer view" "bufferViews";
    Buffer "buffer" "buffers";
    Camera "camera" "cameras";
    Skin "skin" "skins";
}

objects! {
    optional Root {
        asset: Asset,
        scene: Option<Value>,
        extensions: RootExtensions,
        extensions_used: Vec<String>,
        extensions_required: Vec<String>,
        /// Parsed when a drawn object refers to it.
        #[serde(skip)]
        lists: BTreeMap<&'static str, Vec<Value>>,
    }
    optional Asset {
        version: Option<String>,
        min_version: Option<String>,
    }
    optional RootExtensions {
        lights: Lights as "KHR_lights_punctual",
    }
    optional Lights {
        lights: Vec<Value>,
    }
    Light {
        kind: String as "type",
        #[serde(default = "white")] color: [f64; 3],
        #[serde(default = "one")] intensity: f64,
        range: Option<f64>,
        #[serde(default)] spot: Spot,
    }
    optional Scene {
        nodes: Vec<usize>,
    }
    optional Node {
        /// A text, in a file without faults.
        name: Value,
        camera: Option<usize>,
        children: Vec<usize>,
        skin: Option<usize>,
        matrix: Option<[f64; 16]>,
        mesh: Option<usize>,
        rotation: Option<[f64; 4]>,
        scale: Option<[f64; 3]>,
        translation: Option<[f64; 3]>,
        weights: Option<Vec<f64>>,
        extensions: NodeExtensions,
    }
    optional NodeExtensions {
        light: Option<LightReference> as "KHR_lights_punctual",
        visibility: Visibility as "KHR_node_visibility",
    }
    LightReference {
        light: Option<usize>,
    }
    optional Camera {
        perspective: Option<Perspective>,
        orthographic: Option<Orthographic>,
    }
    Perspective {
        yfov: f64,
        #[serde(default)] znear: f64,
        zfar: Option<f64>,
    }
    Orthographic {
        ymag: f64,
        #[serde(default)] znear: f64,
        zfar: Option<f64>,
    }
    Skin {
        joints: Vec<usize>,
        inverse_bind_matrices: Option<usize>,
    }
    optional Mesh {
        name: Value,
        primitives: Vec<Value>,
        weights: Vec<f64>,
    }
    Primitive {
        #[serde(default)] attributes: BTreeMap<String, Value>,
        indices: Option<usize>,
        material: Option<usize>,
        #[serde(default = "triangles")] mode: u64,
        #[serde(default)] targets: Vec<BTreeMap<String, Value>>,
        #[serde(default)] extensions: PrimitiveExtensions,
    }
    optional PrimitiveExtensions {
        draco: Option<Draco> as "KHR_draco_mesh_compression",
    }
    Draco {
        buffer_view: usize,
        attributes: BTreeMap<String, u32>,
    }
    Accessor {
        buffer_view: Option<usize>,
        #[serde(default)] byte_offset: u64,
        component_type: u32,
        #[serde(default)] normalized: bool,
        count: u64,
        shape: String as "type",
        sparse: Option<Sparse>,
    }
    Sparse {
        count: u64,
        indices: SparseIndices,
        values: SparseValues,
    }
    SparseIndices {
        buffer_view: usize,
        #[serde(default)] byte_offset: u64,
        component_type: u32,
    }
    SparseValues {
        buffer_view: usize,
        #[serde(default)] byte_offset: u64,
    }
    BufferView {
        buffer: usize,
        #[serde(default)] byte_offset: u64,
        byte_length: u64,
        byte_stride: Option<u64>,
        #[serde(default)] extensions: BufferViewExtensions,
    }
    optional BufferViewExtensions {
        ext_meshopt: Option<Meshopt> as "EXT_meshopt_compression",
        khr_meshopt: Option<Meshopt> as "KHR_meshopt_compression",
    }
    Meshopt {
        buffer: usize,
        #[serde(default)] byte_offset: u64,
        byte_length: u64,
        byte_stride: u64,
        count: u64,
        mode: String,
        #[serde(default = "no_filter")] filter: String,
    }
    optional Buffer {
        uri: Option<String>,
        byte_length: u64,
    }
    optional Image {
        uri: Option<String>,
        buffer_view: Option<usize>,
    }
    optional Texture {
        source: Option<usize>,
        sampler: Option<usize>,
        extensions: TextureExtensions,
    }
    optional TextureExtensions {
        webp: Option<TextureSource> as "EXT_texture_webp",
        basisu: Option<Value> as "KHR_texture_basisu",
    }
    TextureSource {
        source: usize,
    }
}

defaults! {
    Spot { inner_cone_angle: f64 = 0.0, outer_cone_angle: f64 = std::f64::consts::FRAC_PI_4 }
    Visibility { visible: bool = true }
    Sampler { mag_filter: u32 = LINEAR, min_filter: u32 = LINEAR_MIPMAP_LINEAR, wrap_s: u32 = REPEAT, wrap_t: u32 = REPEAT }
}

impl Root {
    fn list(&self, name: &str) -> &[Value] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Element for Light {
    const KIND: &'static str = "light";

    fn list(root: &Root) -> &[Value] {
        &root.extensions.lights.lights
    }
}

/// OpenGL's codes.
pub const NEAREST: u32 = 9728;
pub const LINEAR: u32 = 9729;
pub const NEAREST_MIPMAP_NEAREST: u32 = 9984;
pub const LINEAR_MIPMAP_NEAREST: u32 = 9985;
pub const NEAREST_MIPMAP_LINEAR: u32 = 9986;
pub const LINEAR_MIPMAP_LINEAR: u32 = 9987;
pub const REPEAT: u32 = 10497;
pub const CLAMP_TO_EDGE: u32 = 33071;
pub const MIRRORED_REPEAT: u32 = 33648;

/// Without effect on the picture; `*`: every kind of object.
pub const INERT: &[(&str, &str)] = &[
    ("*", "name"),
    ("*", "extras"),
    ("document", "asset.generator"),
    ("document", "asset.copyright"),
    ("accessor", "min"),
    ("accessor", "max"),
    ("buffer view", "target"),
    ("image", "mimeType"),
    ("buffer", "extensions.EXT_meshopt_compression"),
    ("buffer", "extensions.KHR_meshopt_compression"),
    ("camera", "type"),
    ("camera", "perspective.aspectRatio"),
    ("camera", "orthographic.xmag"),
    ("skin", "skeleton"),
];

fn white() -> [f64; 3] {
    [1.0; 3]
}

fn one() -> f64 {
    1.0
}

fn triangles() -> u64 {
    4
}

fn no_filter() -> String {
    "NONE".into()
}
