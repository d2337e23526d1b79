//! Fixture: small glTF worlds and their rendered light.

use crate::reflections::{MirrorScene, shading};
use base::{fixtures::Folder, half, job::Progress};
use base64::Engine;
use glam::{Vec2, Vec3};
use gpu::{Feature, TestGpu, test_gpu};
use lab::TestBench;
use media::picture::Picture;
use meshlets::{By, Meshlets, MeshletsSettings};
use reflections::ReflectionsSettings;
use scene::world::{Camera, GpuScene, Viewpoint, World, load};
use serde_json::{Value, json};
use shade::{Shade, ShadeInput, ShadeSettings, Work};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};
use technique::Technique as _;

const SUN: Vec3 = Vec3::new(0.25, 0.45, 0.86);
pub const SIZE: [u32; 2] = [96, 48];

/// 1 m about a point, facing +z.
pub struct Quad {
    pub at: [f32; 3],
    pub material: Value,
    /// Components per corner, component type, and values by corner.
    pub colors: Option<(usize, u32, [[f32; 4]; 4])>,
    pub second: Option<[[f32; 2]; 4]>,
    pub node: Value,
}

impl Quad {
    pub fn of(at: [f32; 3], material: Value) -> Self {
        Self { at, material, colors: None, second: None, node: json!({}) }
    }
}

fn uri(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// u to the right, v down.
const UV: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];

/// 2 by 2 parts of `side` by `side` texels: top left, top right, bottom left, bottom right.
pub fn picture(parts: [[u8; 4]; 4], side: u32) -> Value {
    let part = |x: u32, y: u32| parts[(x / side + 2 * (y / side)) as usize];
    let picture = Picture::from_fn([2 * side; 2], part);
    json!({"uri": uri("image/png", &picture.encode_png().unwrap())})
}

pub fn file(quads: Vec<Quad>, pictures: Vec<Value>) -> Value {
    let (mut bytes, mut views, mut accessors) = (vec![], vec![], vec![]);
    let mut add = |data: &[u8], kind: u32, shape: &str, count: usize, more: Value| {
        let mut accessor = json!({"bufferView": views.len(), "componentType": kind, "type": shape, "count": count});
        accessor.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        views.push(json!({"buffer": 0, "byteOffset": bytes.len(), "byteLength": data.len()}));
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        accessors.push(accessor);
        accessors.len() - 1
    };
    let floats = |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|x| x.to_le_bytes()).collect() };
    let corners = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0_f32]];
    let bounds = json!({"min": [-0.5, -0.5, 0], "max": [0.5, 0.5, 0]});
    let position = add(&floats(corners.as_flattened()), 5126, "VEC3", 4, bounds);
    let uv = add(&floats(UV.as_flattened()), 5126, "VEC2", 4, json!({}));
    let indices = add(&[0, 1, 2, 0, 2, 3], 5121, "SCALAR", 6, json!({}));
    let (mut meshes, mut nodes, mut materials) = (vec![], vec![], vec![]);
    for quad in quads {
        let mut attributes = json!({"POSITION": position, "TEXCOORD_0": uv});
        if let Some(second) = quad.second {
            attributes["TEXCOORD_1"] = json!(add(&floats(second.as_flattened()), 5126, "VEC2", 4, json!({})));
        }
        if let Some((wide, kind, colors)) = quad.colors {
            let whole = |most: f32| colors.iter().flat_map(move |c| c[..wide].iter().map(move |c| (c * most).round()));
            let data: Vec<u8> = match kind {
                5121 => whole(255.0).map(|c| c as u8).collect(),
                5123 => whole(65535.0).flat_map(|c| (c as u16).to_le_bytes()).collect(),
                _ => floats(&colors.iter().flat_map(|c| c[..wide].to_vec()).collect::<Vec<_>>()),
            };
            let shape = if wide == 3 { "VEC3" } else { "VEC4" };
            attributes["COLOR_0"] = json!(add(&data, kind, shape, 4, json!({"normalized": kind != 5126})));
        }
        let primitive = json!({"attributes": attributes, "indices": indices, "material": materials.len()});
        let mut node = json!({"mesh": meshes.len(), "translation": quad.at});
        node.as_object_mut().unwrap().extend(quad.node.as_object().unwrap().clone());
        meshes.push(json!({"primitives": [primitive]}));
        nodes.push(node);
        materials.push(quad.material);
    }
    let mut file = json!({
        "asset": {"version": "2.0"}, "scene": 0,
        "scenes": [{"nodes": (0..nodes.len()).collect::<Vec<_>>()}],
        "nodes": nodes, "meshes": meshes, "materials": materials, "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": bytes.len(), "uri": uri("application/octet-stream", &bytes)}]
    });
    if !pictures.is_empty() {
        file["textures"] = (0..pictures.len()).map(|source| json!({"source": source, "sampler": 0})).collect();
        file["samplers"] = json!([{"wrapS": 10497, "wrapT": 10497}]);
        file["images"] = pictures.into();
    }
    file
}

pub fn world_of(file: &Value) -> Arc<World> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let folder = Folder::new(&format!("studio-{}", NEXT.fetch_add(1, Relaxed)));
    Arc::new(load(&folder.write("a.gltf", file.to_string()), &Progress::default()).unwrap().0)
}

pub struct Studio {
    bench: TestBench,
    pub by: By,
    _gpu: TestGpu,
}

pub struct Shown {
    pub light: Vec<Vec3>,
    pub ids: Vec<u32>,
}

impl Studio {
    pub fn new() -> Self {
        let gpu = test_gpu();
        let bench = TestBench::on(&gpu).unwrap();
        Self { bench, by: By::Vertex, _gpu: gpu }
    }

    pub fn shoot(&mut self, file: &Value) -> Shown {
        let bench = &mut self.bench;
        let world = world_of(file);
        let world = bench.run(|frame| GpuScene::new(frame, world)).unwrap();
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            angle: 0.45,
            near: 0.05,
            roll: 0.0,
            shift: Vec2::ZERO,
            center: Vec2::ZERO,
        };
        let mut meshlets = Meshlets::new(bench.gpu()).unwrap();
        let mut shade = Shade::new(bench.gpu()).unwrap();
        let (settings, shading) = (MeshletsSettings { by: self.by, ..Default::default() }, ShadeSettings::default());
        let sun = SUN.normalize();
        let (light, ids) = bench
            .run(|frame| {
                let shadow = meshlets.shadow(frame, &settings, &world, sun)?;
                let seen = meshlets.record(frame, &settings, &world, &camera, SIZE)?;
                let scene = ShadeInput { world: &world, camera: &camera, sun, shadow: Some(&shadow), detail: 1.0 };
                let light = shade.record(frame, &shading, &scene, &seen.ids, &Work::Raster)?;
                let light = match &seen.layers {
                    Some(layers) => shade.lay_over(frame, &scene, layers, &light)?,
                    None => light,
                };
                Ok((light, seen.ids))
            })
            .unwrap();
        Shown { light: lights(&bench.read::<[u16; 4]>(&light).unwrap()), ids: bench.read(&ids).unwrap() }
    }

    pub fn mirrored(&mut self, file: &Value, work: reflections::Work) -> Vec<Vec3> {
        let bench = &mut self.bench;
        let viewpoint = Viewpoint {
            target: Vec3::ZERO,
            orbit: 0.0,
            height: 0.0,
            distance: 4.0,
            angle: 26.0,
            ..Viewpoint::default()
        };
        let world = World { viewpoint, ..World::clone(&world_of(file)) };
        let mut scene = MirrorScene::new(bench, world, SIZE).unwrap().lit(shading(), SUN.normalize());
        let settings = ReflectionsSettings { depth: 2, work, ..Default::default() };
        lights(&scene.light(bench, &settings).unwrap())
    }

    pub fn has(&self, feature: Feature) -> bool {
        self.bench.gpu().has(feature)
    }
}

fn lights(texels: &[[u16; 4]]) -> Vec<Vec3> {
    texels.iter().map(|t| Vec3::from_array([t[0], t[1], t[2]].map(half::to_f32))).collect()
}

impl Shown {
    pub fn at(&self, x: f32, y: f32) -> Vec3 {
        let [column, row] = pixel_of(x, y);
        let around = (-2..=2).flat_map(|j| (-2..=2).map(move |i| (column + i, row + j)));
        let of = |(x, y): (i32, i32)| self.light[(y * SIZE[0] as i32 + x) as usize];
        around.map(of).sum::<Vec3>() / 25.0
    }

    pub fn id(&self, x: f32, y: f32) -> u32 {
        let [column, row] = pixel_of(x, y);
        self.ids[(row * SIZE[0] as i32 + column) as usize]
    }
}

/// Of a point on the plane z = 0, seen from 4 m.
fn pixel_of(x: f32, y: f32) -> [i32; 2] {
    let per_metre = 0.5 * SIZE[1] as f32 / (4.0 * 0.225_f32.tan());
    [(0.5 * SIZE[0] as f32 + x * per_metre) as i32, (0.5 * SIZE[1] as f32 - y * per_metre) as i32]
}
