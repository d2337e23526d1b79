//! Supported part of glTF 2.0, one struct per kind of object. Fields missing here are reported by `Document`.

pub use super::schema_material::*;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::BTreeMap;

/// A list of objects in the JSON root.
pub trait Element: DeserializeOwned {
    /// The noun for one of them.
    const KIND: &'static str;

    /// Their list.
    fn list(root: &Root) -> &[Value];
}

macro_rules! elements {
    ($($kind:ident $noun:literal $list:literal;)*) => {
        /// Names of the lists in the JSON root.
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

/// The whole document.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Root {
    pub asset: Asset,
    pub scene: Option<Value>,
    pub extensions: RootExtensions,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    /// Lists by their names, as JSON: an object is parsed when a drawn object refers to it.
    #[serde(skip)]
    pub lists: BTreeMap<&'static str, Vec<Value>>,
}

impl Root {
    fn list(&self, name: &str) -> &[Value] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Asset {
    pub version: Option<String>,
    pub min_version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RootExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub lights: Lights,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Lights {
    pub lights: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub struct Light {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default = "white")]
    pub color: [f64; 3],
    #[serde(default = "one")]
    pub intensity: f64,
    pub range: Option<f64>,
    #[serde(default)]
    pub spot: Spot,
}

impl Element for Light {
    const KIND: &'static str = "light";

    fn list(root: &Root) -> &[Value] {
        &root.extensions.lights.lights
    }
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Spot {
    pub inner_cone_angle: f64,
    pub outer_cone_angle: f64,
}

impl Default for Spot {
    fn default() -> Self {
        Self { inner_cone_angle: 0.0, outer_cone_angle: std::f64::consts::FRAC_PI_4 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub camera: Option<usize>,
    pub children: Vec<usize>,
    pub skin: Option<usize>,
    pub matrix: Option<[f64; 16]>,
    pub mesh: Option<usize>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub translation: Option<[f64; 3]>,
    pub weights: Option<Vec<f64>>,
    pub extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct NodeExtensions {
    #[serde(rename = "KHR_lights_punctual")]
    pub light: Option<LightReference>,
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Visibility,
}

#[derive(Debug, Deserialize)]
pub struct LightReference {
    pub light: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct Visibility {
    pub visible: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { visible: true }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Camera {
    pub perspective: Option<Perspective>,
    pub orthographic: Option<Orthographic>,
}

#[derive(Debug, Deserialize)]
pub struct Perspective {
    pub yfov: f64,
    #[serde(default)]
    pub znear: f64,
    pub zfar: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub struct Orthographic {
    pub ymag: f64,
    #[serde(default)]
    pub znear: f64,
    pub zfar: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mesh {
    pub primitives: Vec<Value>,
    pub weights: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub struct Primitive {
    #[serde(default)]
    pub attributes: BTreeMap<String, Value>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u64,
    #[serde(default)]
    pub targets: Vec<BTreeMap<String, Value>>,
    #[serde(default)]
    pub extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<Draco>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draco {
    pub buffer_view: usize,
    pub attributes: BTreeMap<String, u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    #[serde(default)]
    pub extensions: BufferViewExtensions,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct BufferViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    pub ext_meshopt: Option<Meshopt>,
    #[serde(rename = "KHR_meshopt_compression")]
    pub khr_meshopt: Option<Meshopt>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meshopt {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    #[serde(default = "no_filter")]
    pub filter: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Image {
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Texture {
    pub source: Option<usize>,
    pub sampler: Option<usize>,
    pub extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TextureExtensions {
    #[serde(rename = "EXT_texture_webp")]
    pub webp: Option<TextureSource>,
    /// Not read: the plain source beside it is, if there is one.
    #[serde(rename = "KHR_texture_basisu")]
    pub basisu: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub struct TextureSource {
    pub source: usize,
}

#[derive(Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: u32,
    pub min_filter: u32,
    pub wrap_s: u32,
    pub wrap_t: u32,
}

/// The codes of OpenGL that samplers use.
pub const NEAREST: u32 = 9728;
pub const LINEAR: u32 = 9729;
pub const NEAREST_MIPMAP_NEAREST: u32 = 9984;
pub const LINEAR_MIPMAP_NEAREST: u32 = 9985;
pub const NEAREST_MIPMAP_LINEAR: u32 = 9986;
pub const LINEAR_MIPMAP_LINEAR: u32 = 9987;
pub const REPEAT: u32 = 10497;
pub const CLAMP_TO_EDGE: u32 = 33071;
pub const MIRRORED_REPEAT: u32 = 33648;

impl Default for Sampler {
    fn default() -> Self {
        Self { mag_filter: LINEAR, min_filter: LINEAR_MIPMAP_LINEAR, wrap_s: REPEAT, wrap_t: REPEAT }
    }
}

/// Fields without effect on the picture, with the kind of object that has them (`*`: every kind), and why.
pub const INERT: &[(&str, &str)] = &[
    // Text for people and applications.
    ("*", "name"),
    ("*", "extras"),
    ("document", "asset.generator"),
    ("document", "asset.copyright"),
    // Bounds are computed from the data itself; a buffer's use and an image's format follow from theirs.
    ("accessor", "min"),
    ("accessor", "max"),
    ("buffer view", "target"),
    ("image", "mimeType"),
    // Marks a buffer that exists only for readers without the extension.
    ("buffer", "extensions.EXT_meshopt_compression"),
    ("buffer", "extensions.KHR_meshopt_compression"),
    // Projection type: implied by the existing projection. The window decides the aspect ratio.
    ("camera", "type"),
    ("camera", "perspective.aspectRatio"),
    ("camera", "orthographic.xmag"),
    // A hint for editors: joints are placed by their own nodes.
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
