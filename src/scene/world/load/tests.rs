//! Tests of small valid and invalid files, written by the tests themselves.

use super::view::viewpoint;
use crate::base::job::Progress;
use crate::base::notes::Notes;
use crate::scene::picture::noise::Dice;
use crate::scene::world::{MaterialKind, NO_TEXTURE, SECOND_UV, WHOLE, World, unit_from_octahedral};
use anyhow::Result;
use base64::Engine;
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A folder that is deleted after the test.
pub(super) struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("meniscus-load-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The world in a file, and all messages about the file.
pub(super) fn load_reported(path: &Path) -> Result<(World, Vec<String>)> {
    super::load(path, &Progress::default())
        .map(|(world, Notes { remarks, left_out })| (world, [remarks, left_out].concat()))
}

pub(super) fn load(path: &Path) -> Result<World> {
    super::load(path, &Progress::default()).map(|(world, _)| world)
}

/// A quad of 1 m in the xy plane that faces +z: positions, texture coordinates (v down), 16-bit indices.
pub(super) fn bytes() -> Vec<u8> {
    let at: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let uv: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let mut bytes: Vec<u8> = at.as_flattened().iter().chain(uv.as_flattened()).flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

pub(super) fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// That quad below two nodes, 3 m to the right.
pub(super) fn draft() -> Value {
    let bytes = bytes();
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"translation": [1.0, 0.0, 0.0], "children": [1]}, {"translation": [2.0, 0.0, 0.0], "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 1.0], "metallicFactor": 0.0}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 6, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 32},
            {"buffer": 0, "byteOffset": 80, "byteLength": 12}
        ],
        "buffers": [{"byteLength": bytes.len(), "uri": uri(&bytes)}]
    })
}

pub(super) fn glb(mut draft: Value) -> Vec<u8> {
    draft["buffers"][0].as_object_mut().unwrap().remove("uri");
    let mut text = draft.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let binary = bytes();
    let all = 12 + 8 + text.len() + 8 + binary.len();
    let mut file = b"glTF".to_vec();
    for word in [2, all as u32, text.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(text);
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

pub(super) fn png(width: u32, height: u32) -> Vec<u8> {
    let picture =
        image::RgbaImage::from_fn(width, height, |x, y| image::Rgba([(x * 20) as u8, (y * 20) as u8, 9, 255]));
    let mut file = std::io::Cursor::new(vec![]);
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

/// Corners of all triangles in the world: positions and normals.
pub(super) fn corners(world: &World) -> Vec<[(Vec3, Vec3); 3]> {
    let mut all = vec![];
    for placed in &world.meshlet_instances {
        let (instance, meshlet) =
            (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
        for triangle in 0..meshlet.triangles {
            let packed = world.geometry.triangles[(meshlet.first_triangle + triangle) as usize];
            all.push([0, 8, 16].map(|shift| {
                let number =
                    world.geometry.meshlet_vertices[(meshlet.first_vertex + (packed >> shift & 0xFF)) as usize];
                let vertex = world.geometry.vertices[number as usize];
                (instance.point(vertex.position), unit_from_octahedral(vertex.normal))
            }));
        }
    }
    all
}

pub(super) fn refused(folder: &Folder, draft: &Value, expected: &str) {
    let path = folder.write("bad.gltf", draft.to_string());
    let problem = load(&path).expect_err(expected).to_string();
    assert!(problem.contains(expected), "{problem:?} does not say {expected:?}");
    assert!(problem.contains("bad.gltf") && !problem.contains('\n'), "{problem:?}");
}

#[test]
fn both_forms_hold_the_same_world() {
    let folder = Folder::new("forms");
    let text = load(&folder.write("a.gltf", draft().to_string())).unwrap();
    let binary = load(&folder.write("a.glb", glb(draft()))).unwrap();
    assert_eq!(text, binary);
    let mut beside = draft();
    beside["buffers"][0]["uri"] = json!("sub/quad%20data.bin");
    fs::create_dir(folder.0.join("sub")).unwrap();
    folder.write("sub/quad data.bin", bytes());
    assert_eq!(load(&folder.write("b.gltf", beside.to_string())).unwrap(), text);
    let all = corners(&text);
    assert_eq!(all.len(), 2);
    for (at, normal) in all.as_flattened() {
        assert!(at.x >= 3.0 && at.x <= 4.0 && normal.z > 0.999, "{at} {normal}");
    }
    assert_eq!((text.materials[0].kind, text.materials[0].base.x), (MaterialKind::Plain as u32, 0.5));
    // "Up" in a normal map is +y here, where v = 0 is at the top: it equals normal x tangent.
    let vertex = text.geometry.vertices[0];
    assert!(unit_from_octahedral(vertex.tangent & !1).x > 0.99 && vertex.tangent & 1 == 0);
}

#[test]
fn strips_fans_sparse_and_every_index_are_read() {
    let folder = Folder::new("kinds");
    let load = |draft: &Value| load(&folder.write("a.gltf", draft.to_string())).unwrap();
    let plain = corners(&load(&draft()));
    for (mode, order) in [(5, vec![0_u32, 1, 3, 2]), (6, vec![0, 1, 2, 3])] {
        for (kind, size) in [(5121, 1), (5123, 2), (5125, 4)] {
            let mut draft = draft();
            let mut bytes = bytes();
            bytes.truncate(80);
            bytes.extend(order.iter().flat_map(|index| index.to_le_bytes()[..size].to_vec()));
            draft["meshes"][0]["primitives"][0]["mode"] = json!(mode);
            draft["accessors"][2] = json!({"bufferView": 2, "componentType": kind, "count": 4, "type": "SCALAR"});
            draft["bufferViews"][2]["byteLength"] = json!(4 * size);
            draft["buffers"][0] = json!({"byteLength": bytes.len(), "uri": uri(&bytes)});
            let area = |all: &[[(Vec3, Vec3); 3]]| -> Vec3 {
                all.iter().map(|[a, b, c]| (b.0 - a.0).cross(c.0 - a.0) * 0.5).sum()
            };
            assert_eq!(area(&corners(&load(&draft))), area(&plain), "mode {mode}, type {kind}");
        }
    }
    // The third position is moved to z = 5 by a sparse accessor.
    let mut draft = draft();
    let mut bytes = bytes();
    bytes.extend([2, 0, 0, 0]);
    bytes.extend([1.0_f32, 1.0, 5.0].iter().flat_map(|x| x.to_le_bytes()));
    draft["bufferViews"].as_array_mut().unwrap().extend([
        json!({"buffer": 0, "byteOffset": 92, "byteLength": 4}),
        json!({"buffer": 0, "byteOffset": 96, "byteLength": 12}),
    ]);
    draft["accessors"][0]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": 3, "componentType": 5121}, "values": {"bufferView": 4}
    });
    draft["buffers"][0] = json!({"byteLength": bytes.len(), "uri": uri(&bytes)});
    assert_eq!(corners(&load(&draft)).as_flattened().iter().filter(|(at, _)| at.z == 5.0).count(), 2);
    draft["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert_eq!(corners(&load(&draft)).as_flattened().iter().filter(|(at, _)| at.x == 4.0).count(), 2, "the rest is 0");
}

#[test]
fn both_sides_mirrors_and_cameras() {
    let folder = Folder::new("sides");
    let mut draft = draft();
    draft["materials"][0]["doubleSided"] = json!(true);
    draft["nodes"][1]["scale"] = json!([-1.0, 1.0, 1.0]);
    draft["nodes"][1]["camera"] = json!(0);
    draft["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]);
    let world = load(&folder.write("a.gltf", draft.to_string())).unwrap();
    let all = corners(&world);
    assert_eq!(all.len(), 4);
    for [a, b, c] in all {
        let face = (b.0 - a.0).cross(c.0 - a.0);
        assert!(a.0.x <= 3.0 && face.z * a.1.z > 0.0, "mirrored, and normals on the side of the face");
    }
    let home = world.viewpoint;
    assert!((home.angle - 0.5_f32.to_degrees()).abs() < 1e-3 && home.orbit.abs() < 1e-3, "{home:?}");
    assert!((home.camera().eye - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-4, "{home:?}");
    // A type contradicted by its fields does not stop the loader.
    draft["cameras"] =
        json!([{"type": "perspective", "orthographic": {"xmag": 1, "ymag": 1, "zfar": 9, "znear": 0.1}}]);
    assert!(load(&folder.write("a.gltf", draft.to_string())).is_ok());
    let framed = viewpoint(world.bounds, None, 1.0).0;
    let block = framed.camera().block([640, 360]);
    for at in world.bounds {
        let clip = block.clip_from_world * at.extend(1.0);
        assert!(clip.w > 0.0 && clip.truncate().abs().max_element() <= clip.w, "{at} is not seen from {framed:?}");
    }
}

#[test]
fn textures_from_files_uris_and_views() {
    let folder = Folder::new("textures");
    let mut draft = draft();
    folder.write("picture.png", png(5, 3));
    let (embedded, mut bytes) = (png(4, 4), bytes());
    let at = bytes.len();
    bytes.extend(&embedded);
    draft["bufferViews"]
        .as_array_mut()
        .unwrap()
        .push(json!({"buffer": 0, "byteOffset": at, "byteLength": embedded.len()}));
    draft["buffers"][0] = json!({"byteLength": bytes.len(), "uri": uri(&bytes)});
    draft["images"] = json!([
        {"uri": "picture.png"}, {"uri": uri(&png(2, 2)).replace("application/octet-stream", "image/png")},
        {"bufferView": 3, "mimeType": "image/png"}
    ]);
    draft["samplers"] = json!([{"wrapS": 33071, "wrapT": 33648}]);
    draft["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 1}, {"source": 2}]);
    let transform =
        json!({"KHR_texture_transform": {"offset": [0.5, 0.25], "rotation": 1.570_796_4, "scale": [2.0, 3.0]}});
    draft["materials"][0] = json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": transform}},
        "normalTexture": {"index": 1, "scale": 0.5},
        "emissiveTexture": {"index": 2}, "emissiveFactor": [1.0, 0.5, 0.0],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}}
    });
    draft["extensionsUsed"] = json!(["KHR_texture_transform", "KHR_materials_emissive_strength"]);
    draft["extensionsRequired"] = json!(["KHR_texture_transform"]);
    let world = load(&folder.write("a.gltf", draft.to_string())).unwrap();
    let material = world.materials[0];
    // Normals and glow have another mapping.
    assert_eq!(
        (material.kind, material.flags),
        (MaterialKind::Layered as u32, WHOLE | SECOND_UV << 2 | SECOND_UV << 3)
    );
    assert_eq!(material.uv2, [Vec2::X, Vec2::Y, Vec2::ZERO]);
    assert_eq!((material.emissive, material.normal_scale), (Vec3::new(4.0, 2.0, 0.0), 0.5));
    let [base, rough, normal, glow] = material.textures;
    assert_eq!(rough, NO_TEXTURE);
    let texture = |number: u32| world.textures.layouts[number as usize];
    assert_eq!(
        (texture(base).width, texture(base).height, texture(base).srgb, texture(base).wrap),
        (5, 3, 1, 2 | 1 << 2)
    );
    assert_eq!((texture(normal).srgb, texture(normal).wrap, texture(glow).width, texture(glow).srgb), (0, 0, 4, 1));
    // Encoded again, a texel is unchanged.
    let texel = world.textures.texels[(texture(base).first + 5 + 2) as usize].to_le_bytes();
    assert_eq!(texel, [40, 20, 9, 255]);
    // A quarter turn counter-clockwise as seen: to the right (+u) becomes up (-v).
    let [u, v, origin] = material.uv;
    assert!((u.y + 2.0).abs() < 1e-5 && (v.x - 3.0).abs() < 1e-5 && origin.to_array() == [0.5, 0.25], "{u} {v}");
}

#[test]
fn valid_files_that_the_parser_refuses_are_read() {
    let folder = Folder::new("valid");
    let load = |draft: &Value| load(&folder.write("a.gltf", draft.to_string()));
    let plain = corners(&load(&draft()).unwrap());
    let mut own = draft();
    own["meshes"][0]["primitives"][0]["attributes"]["_TEMPERATURE"] = json!(1);
    assert_eq!(corners(&load(&own).unwrap()), plain);
    let marked = [b"\xEF\xBB\xBF", draft().to_string().as_bytes()].concat();
    assert_eq!(corners(&load_reported(&folder.write("b.gltf", marked)).unwrap().0), plain);
    // Accessors without data are all 0: texture coordinates here.
    let mut zeros = draft();
    zeros["accessors"][1].as_object_mut().unwrap().remove("bufferView");
    let world = load(&zeros).unwrap();
    assert_eq!(corners(&world), plain);
    assert!(world.geometry.vertices.iter().all(|vertex| vertex.uv == glam::Vec2::ZERO));
    // Compressed with a plain copy beside.
    let mut both = draft();
    both["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    both["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    assert_eq!(corners(&load(&both).unwrap()), plain);
    both["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    refused(&folder, &both, "KHR_draco_mesh_compression");
    let mut rich = draft();
    rich["materials"][0]["extensions"] =
        json!({"KHR_materials_volume": {}, "KHR_materials_sheen": {"sheenColorTexture": {"index": 0}}});
    rich["extensionsUsed"] = json!(["EXT_unheard_of", "KHR_materials_volume", "KHR_materials_sheen"]);
    rich["animations"] = json!([{"channels": [], "samplers": []}]);
    let (_, said) = load_reported(&folder.write("c.gltf", rich.to_string())).unwrap();
    let expected = [
        "animations, which do not play (1 animation)",
        "KHR_materials_sheen.sheenColorTexture (1 material)",
        "KHR_materials_volume (1 material)",
        "EXT_unheard_of",
    ];
    assert_eq!(said, expected);
}

#[test]
fn scenes_of_every_size_are_brought_to_one_that_can_be_seen() {
    let folder = Folder::new("sizes");
    for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6_f32] {
        let mut draft = draft();
        draft["nodes"][0]["scale"] = json!([scale, scale, scale]);
        let world = load(&folder.write("a.gltf", draft.to_string())).unwrap();
        let [low, high] = world.bounds;
        let radius = (high - low).length() * 0.5;
        assert!(super::limits::RADIUS.contains(&f64::from(radius)), "{scale}: {radius}");
        let [a, b, _] = corners(&world)[0].map(|(at, _)| at);
        assert!(scale != 1.0 || (a.distance(b) - 1.0).abs() < 1e-6, "left as it is: {a} {b}");
        assert!(
            world.geometry.vertices.iter().all(|vertex| vertex.position.max_element() <= 1.0),
            "meshes are as they were"
        );
        let camera = viewpoint(world.bounds, None, 1.0).0.camera();
        assert!(camera.eye.distance(world.viewpoint.target) > radius, "{scale}: {camera:?}");
    }
}

#[test]
fn reading_tells_how_far_it_is_and_can_be_cancelled() {
    let folder = Folder::new("cancelled");
    let file = folder.write("a.gltf", draft().to_string());
    let (whole, stopped) = (Progress::default(), Progress::default());
    assert!(super::load(&file, &whole).is_ok() && whole.part() >= 0.95);
    stopped.cancel();
    let said = super::load(&file, &stopped).unwrap_err().to_string();
    assert!(said.contains("cancelled") && said.contains("a.gltf") && stopped.part() < 0.5, "{said}");
}

#[test]
fn faults_are_reported() {
    let folder = Folder::new("wrong");
    let bad = |change: &dyn Fn(&mut Value), expected: &str| {
        let mut draft = draft();
        change(&mut draft);
        refused(&folder, &draft, expected);
    };
    bad(&|d| d["accessors"][0]["count"] = json!(5), "5 elements of 12 bytes from 0 on, of a buffer view of 48 bytes");
    bad(&|d| d["accessors"][0]["count"] = json!(u64::MAX / 2), "at most 4194304");
    bad(&|d| d["accessors"][2]["count"] = json!(3_000_000_000_u32), "at most 25165824 are read");
    bad(&|d| d["accessors"][2]["byteOffset"] = json!(u64::MAX - 3), "of a buffer view of 12 bytes");
    bad(&|d| d["bufferViews"][0]["byteLength"] = json!(u64::MAX - 3), "of a buffer of 92 bytes");
    bad(&|d| d["bufferViews"][2]["byteOffset"] = json!(90), "12 bytes from 90 on");
    bad(&|d| d["bufferViews"][0]["byteStride"] = json!(4), "stride");
    bad(&|d| d["buffers"][0]["byteLength"] = json!(1000), "has 92 bytes; expected 1000");
    bad(&|d| d["buffers"][0]["byteLength"] = json!(u64::MAX), "at most");
    bad(&|d| d["buffers"][0]["uri"] = json!("none.bin"), "none.bin");
    bad(&|d| d["nodes"][1]["children"] = json!([0]), "descendant");
    bad(&|d| d["nodes"][1]["translation"] = json!([1e20, 0, 0]), "from the origin");
    bad(&|d| d["nodes"][1]["scale"] = json!([1e300, 1, 1]), "not finite");
    bad(&|d| d["nodes"][1]["mesh"] = json!(7), "mesh 7 of 1");
    bad(&|d| d["meshes"][0]["primitives"][0]["indices"] = json!(1), "expected one");
    bad(&|d| d["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(1), "expected 3");
    bad(&|d| d["asset"] = json!({}), "JSON");
    bad(&|d| d["asset"]["version"] = json!("3.0"), "expected 2.0");
    bad(&|d| d["asset"]["version"] = json!("1.0"), "expected 2.0");
    bad(&|d| d["asset"]["minVersion"] = json!("2.1"), "expected 2.0");
    let mut far = bytes();
    far[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    bad(&|d| d["buffers"][0]["uri"] = json!(uri(&far)), "not a number");
    let mut index = bytes();
    index[82] = 9;
    bad(&|d| d["buffers"][0]["uri"] = json!(uri(&index)), "index 9 of 4 vertices");
    let problem = load(&folder.0.join("none.glb")).unwrap_err().to_string();
    assert!(problem.contains("none.glb") && problem.contains("cannot be read"), "{problem}");
    assert!(load(&folder.0).unwrap_err().to_string().contains("not a file"));
}

#[test]
fn a_name_may_go_up_inside_the_folder() {
    let folder = Folder::new("up");
    fs::create_dir(folder.0.join("sub")).unwrap();
    folder.write("sub/quad.bin", bytes());
    let plain = corners(&load(&folder.write("a.gltf", draft().to_string())).unwrap());
    for uri in
        ["./sub/../sub/quad.bin", "sub\\..\\sub\\quad.bin", "none/%2e%2e/sub/quad.bin", "a/b/../../sub/./quad.bin"]
    {
        let mut draft = draft();
        draft["buffers"][0]["uri"] = json!(uri);
        assert_eq!(corners(&load(&folder.write("a.gltf", draft.to_string())).unwrap()), plain, "{uri}");
    }
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let outer = Folder::new("outside");
    outer.write("secret.bin", bytes());
    let folder = Folder(outer.0.join("scene"));
    fs::create_dir(&folder.0).unwrap();
    let secret = outer.0.join("secret.bin").to_string_lossy().into_owned();
    let mut uris = vec![
        "../secret.bin".to_string(),
        "%2e%2e/secret.bin".into(),
        "a/../../secret.bin".into(),
        "a/../../scene/../secret.bin".into(),
        "..\\secret.bin".into(),
        format!("file://{secret}"),
        "http://localhost/secret.bin".into(),
        "C:secret.bin".into(),
        secret.clone(),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, folder.0.join("link.bin")).unwrap();
        std::os::unix::fs::symlink(&outer.0, folder.0.join("up")).unwrap();
        uris.extend(["link.bin".to_string(), "up/secret.bin".into(), "a/../up/secret.bin".into()]);
    }
    for uri in uris {
        let mut draft = draft();
        draft["buffers"][0]["uri"] = json!(uri);
        refused(&folder, &draft, "only files inside the scene's folder");
    }
}

/// Any corrupted file loads, or is rejected. The test passes by terminating.
#[test]
fn broken_files_never_panic() {
    let folder = Folder::new("fuzz");
    let mut draft = draft();
    draft["images"] = json!([{"uri": uri(&png(3, 3)).replace("application/octet-stream", "image/png")}]);
    draft["textures"] = json!([{"source": 0}]);
    draft["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    draft["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]);
    draft["nodes"][0]["camera"] = json!(0);
    draft["accessors"][1]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 1}
    });
    let (text, binary) = (draft.to_string().into_bytes(), glb(draft));
    let mut dice = Dice::new(77);
    let mut loaded = 0;
    let mut attempt = |name: &str, bytes: &[u8]| {
        if let Ok(world) = load(&folder.write(name, bytes)) {
            assert!(world.bounds.iter().all(|at| at.is_finite()));
            assert!(world.viewpoint.camera().block([64, 64]).clip_from_world.is_finite());
            loaded += 1;
        }
    };
    for (name, file) in [("a.gltf", &text), ("a.glb", &binary)] {
        for end in (0..file.len()).step_by(5) {
            attempt(name, &file[..end]);
        }
        for _ in 0..1200 {
            let mut broken = file.clone();
            for _ in 0..1 + (dice.roll() * 3.0) as u32 {
                let at = (dice.roll() * broken.len() as f32) as usize % broken.len();
                // Digits are mostly replaced by other digits and signs: numbers are trusted most easily.
                broken[at] = if broken[at].is_ascii_digit() {
                    b"0123456789-e."[(dice.roll() * 13.0) as usize % 13]
                } else {
                    (dice.roll() * 256.0) as u8
                };
            }
            attempt(name, &broken);
        }
        // Whole numbers.
        let digits: Vec<usize> =
            (1..file.len()).filter(|k| file[*k].is_ascii_digit() && file[*k - 1] == b':').collect();
        for at in digits {
            for number in ["-1", "4294967295", "18446744073709551615", "1e39", "0", "1", "255", "null"] {
                let end = at + file[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                attempt("b.gltf", &[&file[..at], number.as_bytes(), &file[end..]].concat());
            }
        }
    }
    assert!(loaded > 100, "only {loaded} of them still load: too much is broken to reach far");
}
