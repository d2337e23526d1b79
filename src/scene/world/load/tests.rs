//! Tests of small valid and invalid files, written by the tests themselves.

use super::view::home;
use crate::picture::noise::Dice;
use crate::world::{MaterialKind, NO_TEXTURE, SECOND_UV, WHOLE, World, unit_from_octahedral};
use anyhow::Result;
pub(super) use base::fixtures::Folder;
use base::{job::Progress, notes::Notes};
use base64::Engine;
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

pub(super) fn load_reported(path: &Path) -> Result<(World, Vec<String>)> {
    super::load(path, &Progress::default())
        .map(|(world, Notes { remarks, left_out })| (world, [remarks, left_out].concat()))
}

pub(super) fn load(path: &Path) -> Result<World> {
    load_reported(path).map(|(world, _)| world)
}

fn new_folder() -> Folder {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    Folder::new(&format!("load-{}", COUNT.fetch_add(1, Relaxed)))
}

pub(super) fn loaded(draft: &Value) -> (World, String) {
    loaded_in(&new_folder(), draft)
}

pub(super) fn loaded_in(folder: &Folder, draft: &Value) -> (World, String) {
    let loaded = load_reported(&folder.write("a.gltf", draft.to_string()));
    let (world, said) = loaded.unwrap_or_else(|problem| panic!("{problem}: {draft}"));
    (world, said.join(", "))
}

pub(super) fn world(draft: &Value) -> World {
    loaded(draft).0
}

pub(super) fn world_in(folder: &Folder, draft: &Value) -> World {
    loaded_in(folder, draft).0
}

/// 1 m in the xy plane, facing +z: positions, texture coordinates (v down), 16-bit indices.
pub(super) fn bytes() -> Vec<u8> {
    let at: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let uv: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let indices = [0_u16, 1, 2, 0, 2, 3].map(u16::to_le_bytes);
    [&floats(at.as_flattened()), &floats(uv.as_flattened()), indices.as_flattened()].concat()
}

pub(super) fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub(super) fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut draft = draft();
    change(&mut draft);
    draft
}

pub(super) fn push(draft: &mut Value, list: &str, value: Value) -> usize {
    if draft[list].is_null() {
        draft[list] = json!([]);
    }
    let list = draft[list].as_array_mut().unwrap();
    list.push(value);
    list.len() - 1
}

pub(super) fn add_view(draft: &mut Value, data: &[u8]) -> usize {
    let buffer = push(draft, "buffers", json!({"byteLength": data.len(), "uri": uri(data)}));
    push(draft, "bufferViews", json!({"buffer": buffer, "byteLength": data.len()}))
}

pub(super) fn add(draft: &mut Value, data: &[u8], kind: u32, shape: &str, count: usize) -> usize {
    let view = add_view(draft, data);
    push(draft, "accessors", json!({"bufferView": view, "componentType": kind, "count": count, "type": shape}))
}

pub(super) fn with(at: &str, value: Value) -> Value {
    let (object, field) = at.rsplit_once('/').unwrap();
    changed(|draft| match draft.pointer_mut(object).unwrap_or_else(|| panic!("nothing at {at}")) {
        Value::Array(list) => list[field.parse::<usize>().unwrap()] = value,
        object => object[field] = value,
    })
}

pub(super) fn remove(value: &mut Value, field: &str) {
    value.as_object_mut().unwrap().remove(field);
}

pub(super) fn primitive(draft: &mut Value) -> &mut Value {
    &mut draft["meshes"][0]["primitives"][0]
}

pub(super) fn put_camera(draft: &mut Value, node: usize) {
    draft["nodes"][node]["camera"] = json!(0);
    draft["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1}}]);
}

/// `bones`: the joint of each vertex, in four numbers.
pub(super) fn skin(draft: &mut Value, bones: &[u8], joints: Value) {
    let bones = add(draft, bones, 5121, "VEC4", 4);
    let weights = add(draft, &floats(&[1.0, 0.0, 0.0, 0.0].repeat(4)), 5126, "VEC4", 4);
    let attributes = &mut primitive(draft)["attributes"];
    (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(bones), json!(weights));
    draft["skins"] = json!([{"joints": joints}]);
}

pub(super) fn textured(image: Value) -> Value {
    changed(|draft| {
        push(draft, "images", image);
        draft["textures"] = json!([{"source": 0}]);
        draft["materials"][0]["emissiveTexture"] = json!({"index": 0});
    })
}

pub(super) fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

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

pub(super) fn glb(draft: Value) -> Vec<u8> {
    glb_of(&glb_text(draft), &glb_binary())
}

pub(super) fn glb_text(mut draft: Value) -> Vec<u8> {
    remove(&mut draft["buffers"][0], "uri");
    let mut text = draft.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    text
}

/// The chunk after the text.
pub(super) fn glb_binary() -> Vec<u8> {
    [&(bytes().len() as u32).to_le_bytes()[..], b"BIN\0", &bytes()].concat()
}

pub(super) fn glb_of(text: &[u8], binary: &[u8]) -> Vec<u8> {
    let header = [2, (20 + text.len() + binary.len()) as u32, text.len() as u32].map(u32::to_le_bytes);
    [&b"glTF"[..], header.as_flattened(), b"JSON", text, binary].concat()
}

pub(super) fn png(width: u32, height: u32) -> Vec<u8> {
    let picture =
        image::RgbaImage::from_fn(width, height, |x, y| image::Rgba([(x * 20) as u8, (y * 20) as u8, 9, 255]));
    let mut file = std::io::Cursor::new(vec![]);
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

pub(super) fn corners(world: &World) -> Vec<[(Vec3, Vec3); 3]> {
    world.corners()
}

/// Those of the draft as it is.
pub(super) fn plain_corners() -> Vec<[(Vec3, Vec3); 3]> {
    corners(&world(&draft()))
}

/// Twice the area, as a vector.
pub(super) fn area(world: &World) -> Vec3 {
    corners(world).iter().map(|[a, b, c]| (b.0 - a.0).cross(c.0 - a.0)).sum()
}

pub(super) fn refused(draft: &Value, expected: &str) {
    refused_in(&new_folder(), draft, expected);
}

fn refused_in(folder: &Folder, draft: &Value, expected: &str) {
    let path = folder.write("bad.gltf", draft.to_string());
    let problem = load(&path).expect_err(expected).to_string();
    assert!(problem.contains(expected), "{problem:?} does not say {expected:?}");
    assert!(problem.contains("bad.gltf") && !problem.contains('\n'), "{problem:?}");
}

#[test]
fn both_forms_hold_the_same_world() {
    let folder = Folder::new("load-forms");
    let text = load(&folder.write("a.gltf", draft().to_string())).unwrap();
    let binary = load(&folder.write("a.glb", glb(draft()))).unwrap();
    assert_eq!(text, binary);
    let all = corners(&text);
    assert_eq!(all.len(), 2);
    for (at, normal) in all.as_flattened() {
        assert!(at.x >= 3.0 && at.x <= 4.0 && normal.z > 0.999, "{at} {normal}");
    }
    assert_eq!((text.materials[0].kind, text.materials[0].base.x), (MaterialKind::Plain as u32, 0.5));
    let vertex = text.geometry.vertices[0];
    assert!(unit_from_octahedral(vertex.tangent & !1).x > 0.99 && vertex.tangent & 1 == 0);
}

#[test]
fn strips_fans_sparse_and_every_index_are_read() {
    let plain = area(&world(&draft()));
    for (mode, order) in [(5, [0_u32, 1, 3, 2]), (6, [0, 1, 2, 3])] {
        for (kind, size) in [(5121, 1), (5123, 2), (5125, 4)] {
            let draft = changed(|draft| {
                let data: Vec<u8> = order.iter().flat_map(|index| index.to_le_bytes()[..size].to_vec()).collect();
                let indices = add(draft, &data, kind, "SCALAR", 4);
                (primitive(draft)["mode"], primitive(draft)["indices"]) = (json!(mode), json!(indices));
            });
            assert_eq!(area(&world(&draft)), plain, "mode {mode}, type {kind}");
        }
    }
    let mut draft = draft();
    let [indices, values] = [vec![2], floats(&[1.0, 1.0, 5.0])].map(|data| add_view(&mut draft, &data));
    draft["accessors"][0]["sparse"] = json!({
        "count": 1, "indices": {"bufferView": indices, "componentType": 5121}, "values": {"bufferView": values}
    });
    let count = |draft: &Value, is_counted: fn(Vec3) -> bool| {
        corners(&world(draft)).as_flattened().iter().filter(|(at, _)| is_counted(*at)).count()
    };
    assert_eq!(count(&draft, |at| at.z == 5.0), 2);
    remove(&mut draft["accessors"][0], "bufferView");
    assert_eq!(count(&draft, |at| at.x == 4.0), 2, "the rest is 0");
}

#[test]
fn the_camera_of_a_mirrored_node_is_the_viewpoint() {
    let mut draft = draft();
    draft["nodes"][1]["scale"] = json!([-1.0, 1.0, 1.0]);
    put_camera(&mut draft, 1);
    let own = world(&draft).viewpoint;
    assert!((own.angle - 0.5_f32.to_degrees()).abs() < 1e-3 && own.orbit.abs() < 1e-3, "{own:?}");
    assert!((own.camera().eye - Vec3::new(3.0, 0.0, 0.0)).length() < 1e-4, "{own:?}");
    draft["cameras"] =
        json!([{"type": "perspective", "orthographic": {"xmag": 1, "ymag": 1, "zfar": 9, "znear": 0.1}}]);
    loaded(&draft);
}

#[test]
fn textures_from_files_uris_and_views() {
    let folder = Folder::new("load-textures");
    let mut draft = draft();
    folder.write("picture.png", png(5, 3));
    let embedded = add_view(&mut draft, &png(4, 4));
    draft["images"] = json!([
        {"uri": "picture.png"}, {"uri": uri(&png(2, 2)).replace("application/octet-stream", "image/png")},
        {"bufferView": embedded, "mimeType": "image/png"}
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
    let world = world_in(&folder, &draft);
    let material = world.materials[0];
    assert_eq!(
        (material.kind, material.flags),
        (MaterialKind::Layered as u32, WHOLE | SECOND_UV << 2 | SECOND_UV << 3)
    );
    assert_eq!(material.uv2, [Vec2::X, Vec2::Y, Vec2::ZERO]);
    assert_eq!((material.emissive, material.normal_scale), (Vec3::new(40.0, 20.0, 0.0), 0.5));
    let [base, rough, normal, glow] = material.textures;
    assert_eq!(rough, NO_TEXTURE);
    let texture = |number: u32| world.textures.layouts[number as usize];
    assert_eq!(
        (texture(base).width, texture(base).height, texture(base).srgb, texture(base).wrap),
        (5, 3, 1, 2 | 1 << 2)
    );
    assert_eq!((texture(normal).srgb, texture(normal).wrap, texture(glow).width, texture(glow).srgb), (0, 0, 4, 1));
    let texel = world.textures.texels[(texture(base).first + 5 + 2) as usize].to_le_bytes();
    assert_eq!(texel, [40, 20, 9, 255]);
    // A quarter turn counter-clockwise as seen: to the right (+u) becomes up (-v).
    let [u, v, origin] = material.uv;
    assert!((u.y + 2.0).abs() < 1e-5 && (v.x - 3.0).abs() < 1e-5 && origin.to_array() == [0.5, 0.25], "{u} {v}");
}

#[test]
fn valid_files_that_the_parser_refuses_are_read() {
    let folder = Folder::new("load-valid");
    let plain = plain_corners();
    let own = changed(|draft| primitive(draft)["attributes"]["_TEMPERATURE"] = json!(1));
    assert_eq!(corners(&world(&own)), plain);
    let marked = [b"\xEF\xBB\xBF", draft().to_string().as_bytes()].concat();
    assert_eq!(corners(&load(&folder.write("b.gltf", marked)).unwrap()), plain);
    let zeros = world(&changed(|draft| remove(&mut draft["accessors"][1], "bufferView")));
    assert_eq!(corners(&zeros), plain);
    assert!(zeros.geometry.vertices.iter().all(|vertex| vertex.uv == Vec2::ZERO));
    let mut both = draft();
    both["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    primitive(&mut both)["extensions"] =
        json!({"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}});
    assert_eq!(corners(&world(&both)), plain);
    let rich = changed(|draft| {
        draft["materials"][0]["extensions"] =
            json!({"KHR_materials_volume": {}, "KHR_materials_sheen": {"sheenColorTexture": {"index": 0}}});
        draft["extensionsUsed"] = json!(["EXT_unheard_of", "KHR_materials_volume", "KHR_materials_sheen"]);
        draft["animations"] = json!([{"channels": [], "samplers": []}]);
    });
    assert_eq!(
        loaded(&rich).1,
        "animations, which do not play (1 animation), KHR_materials_sheen.sheenColorTexture (1 material), \
         KHR_materials_volume (1 material), EXT_unheard_of"
    );
}

#[test]
fn scenes_of_every_size_are_brought_to_one_that_can_be_seen() {
    for scale in [1e-6, 1e-3, 0.5, 1.0, 4.0, 100.0, 160.0, 200.0, 1e3, 1e6_f32] {
        let world = world(&changed(|draft| draft["nodes"][0]["scale"] = json!([scale, scale, scale])));
        let [low, high] = world.bounds;
        let radius = (high - low).length() * 0.5;
        assert!(super::limits::RADIUS.contains(&f64::from(radius)), "{scale}: {radius}");
        assert!((world.haze * radius - 1.0).abs() < 1e-3, "{scale}: {} {radius}", world.haze);
        let [a, b, _] = corners(&world)[0].map(|(at, _)| at);
        assert!(scale != 1.0 || (a.distance(b) - 1.0).abs() < 1e-6, "left as it is: {a} {b}");
        assert!(
            world.geometry.vertices.iter().all(|vertex| vertex.position.max_element() <= 1.0),
            "meshes are as they were"
        );
        let camera = home(world.bounds).camera();
        assert!(camera.eye.distance(world.viewpoint.target) > radius, "{scale}: {camera:?}");
    }
}

#[test]
fn reading_tells_how_far_it_is_and_can_be_cancelled() {
    let folder = Folder::new("load-cancelled");
    let file = folder.write("a.gltf", draft().to_string());
    let (whole, stopped) = (Progress::default(), Progress::default());
    assert!(super::load(&file, &whole).is_ok() && whole.part() >= 0.95);
    stopped.cancel();
    let said = super::load(&file, &stopped).unwrap_err().to_string();
    assert!(said.contains("cancelled") && said.contains("a.gltf") && stopped.part() < 0.5, "{said}");
}

#[test]
fn faults_are_reported() {
    let folder = Folder::new("load-wrong");
    let (mut far, mut index) = (bytes(), bytes());
    far[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    index[82] = 9;
    for (at, value, expected) in [
        ("/accessors/0/count", json!(5), "5 elements of 12 bytes from 0 on, of a buffer view of 48 bytes"),
        ("/accessors/0/count", json!(u64::MAX / 2), "at most 4194304"),
        ("/accessors/2/count", json!(3_000_000_000_u32), "at most 25165824 are read"),
        ("/accessors/2/byteOffset", json!(u64::MAX - 3), "of a buffer view of 12 bytes"),
        ("/bufferViews/0/byteLength", json!(u64::MAX - 3), "of a buffer of 92 bytes"),
        ("/bufferViews/2/byteOffset", json!(90), "12 bytes from 90 on"),
        ("/bufferViews/0/byteStride", json!(4), "stride"),
        ("/buffers/0/byteLength", json!(1000), "has 92 bytes; expected 1000"),
        ("/buffers/0/byteLength", json!(u64::MAX), "at most"),
        ("/buffers/0/uri", json!("none.bin"), "none.bin"),
        ("/nodes/1/children", json!([0]), "descendant"),
        ("/nodes/1/translation", json!([1e20, 0, 0]), "from the origin"),
        ("/nodes/1/scale", json!([1e300, 1, 1]), "not finite"),
        ("/nodes/1/mesh", json!(7), "mesh 7 of 1"),
        ("/meshes/0/primitives/0/indices", json!(1), "expected one"),
        ("/meshes/0/primitives/0/attributes/NORMAL", json!(1), "expected 3"),
        ("/asset", json!({}), "JSON"),
        ("/asset/version", json!("3.0"), "expected 2.0"),
        ("/asset/version", json!("1.0"), "expected 2.0"),
        ("/asset/minVersion", json!("2.1"), "expected 2.0"),
        ("/buffers/0/uri", json!(uri(&far)), "not a number"),
        ("/buffers/0/uri", json!(uri(&index)), "index 9 of 4 vertices"),
    ] {
        refused(&with(at, value), expected);
    }
    let problem = load(&folder.0.join("none.glb")).unwrap_err().to_string();
    assert!(problem.contains("none.glb") && problem.contains("cannot be read"), "{problem}");
    assert!(load(&folder.0).unwrap_err().to_string().contains("not a file"));
}

#[test]
fn names_of_files_lead_to_files_inside_the_folder() {
    let outer = Folder::new("load-names");
    outer.write("secret.bin", bytes());
    let folder = Folder(outer.0.join("scene"));
    fs::create_dir_all(folder.0.join("ünï cödé/絵")).unwrap();
    for name in ["ünï cödé/絵/quad é.bin", "100%.bin", "50%+1.bin", "quad data.bin"] {
        folder.write(name, bytes());
    }
    let plain = corners(&world_in(&folder, &draft()));
    for uri in [
        "ünï cödé/絵/quad é.bin",
        "%C3%BCn%C3%AF%20c%c3%b6d%c3%a9/%E7%B5%B5/quad%20%C3%A9.bin",
        "ünï%20cödé\\絵\\.\\quad é.bin",
        "100%.bin",
        "100%25.bin",
        "50%+1.bin",
        "quad%20data.bin",
        "ünï cödé\\..\\quad data.bin",
        "ünï cödé%5C絵%5cquad é.bin",
        "none/%2e%2e/quad data.bin",
        "a/b/../.././quad data.bin",
    ] {
        assert_eq!(corners(&world_in(&folder, &with("/buffers/0/uri", json!(uri)))), plain, "{uri}");
    }
    let secret = outer.0.join("secret.bin").to_string_lossy().into_owned();
    let file = format!("file://{secret}");
    let mut outside = vec![
        "../secret.bin",
        "%2e%2e/secret.bin",
        "a/../../scene/../secret.bin",
        "ünï cödé\\..\\..\\secret.bin",
        "%2e%2e%5Csecret.bin",
        "\\secret.bin",
        "\\\\host\\secret.bin",
        "http://localhost/secret.bin",
        "C:\\secret.bin",
        &file,
        &secret,
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, folder.0.join("link.bin")).unwrap();
        std::os::unix::fs::symlink(&outer.0, folder.0.join("up")).unwrap();
        outside.extend(["link.bin", "up/secret.bin", "a/../up/secret.bin"]);
    }
    for uri in outside {
        refused_in(&folder, &with("/buffers/0/uri", json!(uri)), "only files inside the scene's folder");
    }
    for uri in ["e\u{301}.png", "folder\\wood.png"] {
        let said = loaded_in(&folder, &textured(json!({"uri": uri}))).1;
        assert!(said.contains(&format!("texture \"{uri}\" (")), "{said}");
    }
}

#[test]
fn broken_files_never_panic() {
    let folder = Folder::new("load-fuzz");
    let mut draft = draft();
    draft["images"] = json!([{"uri": uri(&png(3, 3))}]);
    draft["textures"] = json!([{"source": 0}]);
    draft["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    put_camera(&mut draft, 0);
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
                broken[at] = if broken[at].is_ascii_digit() {
                    b"0123456789-e."[(dice.roll() * 13.0) as usize % 13]
                } else {
                    (dice.roll() * 256.0) as u8
                };
            }
            attempt(name, &broken);
        }
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
