//! Tests of files with harmless violations of the format, which load, and of the messages for rejected ones.

use super::tests::{
    Folder, add, bytes, changed, corners, draft, floats, glb_binary, glb_of, glb_text, load, loaded, loaded_in,
    plain_corners, png, primitive, push, refused, remove, skin, textured, uri, with, world,
};
use crate::world::World;
use glam::Vec3;
use serde_json::json;

#[test]
fn a_damaged_jpeg_is_drawn_and_said() {
    let folder = Folder::new("load-jpeg");
    let picture = image::RgbImage::from_fn(64, 64, |x, y| image::Rgb([(x * 4) as u8, (x * y) as u8, (y * 4) as u8]));
    let mut file = std::io::Cursor::new(vec![]);
    picture.write_to(&mut file, image::ImageFormat::Jpeg).unwrap();
    let file = file.into_inner();
    let half = &file[..file.len() - 100];
    for (bytes, drawn, wanted) in [
        (file.clone(), 1, ""),
        ([half, &[0xFF, 0xD9]].concat(), 1, "texture \"a.jpg\": its data is damaged: what can be decoded is shown"),
        (half.to_vec(), 0, "texture \"a.jpg\" (the file is damaged or cut off)"),
    ] {
        folder.write("a.jpg", bytes);
        let (world, said) = loaded_in(&folder, &textured(json!({"uri": "a.jpg"})));
        assert_eq!((world.textures.layouts.len(), said.as_str()), (drawn, wanted));
    }
}

#[test]
fn data_uris_of_every_writer_are_read() {
    let plain = plain_corners();
    let data = [bytes(), vec![0xFB, 0xFF]].concat();
    let packed = uri(&data);
    let (_, text) = packed.split_once(',').unwrap();
    assert!(text.ends_with('=') && text.contains(['+', '/']));
    let hexadecimal: String = data.iter().map(|byte| format!("%{byte:02X}")).collect();
    for uri in [
        format!("data:;base64,{text}"),
        format!("data:application/octet-stream;charset=utf-8;base64,{text}"),
        format!("DATA:Application/GLTF-Buffer; Base64,{text}"),
        format!("data:x;base64,{}\n {}", &text[..40], &text[40..]),
        format!("data:x;base64,{}", text.trim_end_matches('=')),
        format!("data:x;base64,{}", text.replace('+', "-").replace('/', "_")),
        format!("data:x;base64,{}", text.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D")),
        format!("data:x,{hexadecimal}"),
    ] {
        assert_eq!(corners(&world(&with("/buffers/0/uri", json!(uri)))), plain, "{uri}");
    }
    for (uri, expected) in [("data:x;base64", "without a comma"), ("data:x;base64,A*==", "not base64")] {
        refused(&with("/buffers/0/uri", json!(uri)), expected);
    }
}

#[test]
fn zeros_may_fill_up_the_text_of_a_binary_file() {
    let folder = Folder::new("load-zeros");
    let file = glb_of(&[glb_text(draft()), vec![0; 4]].concat(), &glb_binary());
    assert_eq!(load(&folder.write("a.glb", file)).unwrap(), world(&draft()));
}

#[test]
fn primitives_that_are_not_triangles_need_nothing() {
    let plain = plain_corners();
    for (change, said) in [
        (json!({"mode": 0}), "points and lines (1 primitive)"),
        (json!({"mode": 3}), "points and lines (1 primitive)"),
        (json!({"mode": 9}), "primitives of mode 9 (1 primitive)"),
        (json!({"attributes": {"NORMAL": 7}}), "triangles without positions (1 primitive)"),
    ] {
        let mut draft = draft();
        let mut other = primitive(&mut draft).clone();
        (other["material"], other["indices"]) = (json!(44), json!(55));
        other.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        push(&mut draft["meshes"][0], "primitives", other);
        let (world, line) = loaded(&draft);
        assert_eq!((corners(&world), line.as_str()), (plain.clone(), said));
    }
}

#[test]
fn attributes_that_nothing_is_looked_up_by_may_be_broken() {
    let (plain, _) = loaded(&draft());
    let mut draft = draft();
    primitive(&mut draft)["attributes"]["TEXCOORD_0"] = json!(99);
    let (world, said) = loaded(&draft);
    assert_eq!((corners(&world).len(), said.as_str()), (2, "TEXCOORD_0, which cannot be read (1 primitive)"));
    assert_eq!(world.bounds, plain.bounds);
    let normals = add(&mut draft, &floats(&[0.0, 0.0, 1.0].repeat(4)), 5126, "VEC3", 4);
    let attributes = &mut primitive(&mut draft)["attributes"];
    (attributes["NORMAL"], attributes["TANGENT"]) = (json!(normals), json!(normals));
    assert!(loaded(&draft).1.contains("TANGENT, which cannot be read"));
    draft["images"] = json!([{"uri": uri(&png(4, 4))}]);
    draft["textures"] = json!([{"source": 0}]);
    draft["materials"][0]["normalTexture"] = json!({"index": 0});
    refused(&draft, "TANGENT");
}

#[test]
fn vertices_without_triangles_may_be_anywhere() {
    let plain = loaded(&draft()).0;
    let mut draft = draft();
    let odd = [f32::NAN, f32::INFINITY, 1e30, 5e8, 5e8, 5e8];
    let positions: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes()[..48]);
    let all = [&odd, &positions[..6], &odd, &positions[6..], &odd].concat();
    let position = add(&mut draft, &floats(&all), 5126, "VEC3", 10);
    let uvs: Vec<f32> = bytemuck::pod_collect_to_vec(&bytes()[48..80]);
    let uvs = [&[7.0; 4], &uvs[..4], &[7.0; 4], &uvs[4..], &[7.0; 4]].concat();
    let uv = add(&mut draft, &floats(&uvs), 5126, "VEC2", 10);
    let target = add(&mut draft, &floats(&[f32::NAN; 30]), 5126, "VEC3", 10);
    let indices = add(&mut draft, &[2, 3, 6, 2, 6, 7], 5121, "SCALAR", 6);
    *primitive(&mut draft) = json!({
        "attributes": {"POSITION": position, "TEXCOORD_0": uv}, "indices": indices, "material": 0,
        "targets": [{"POSITION": target}]
    });
    let (world, _) = loaded(&draft);
    assert_eq!((corners(&world), world.bounds), (corners(&plain), plain.bounds));
    let uvs = |world: &World| -> Vec<[f32; 2]> {
        world.geometry.vertices.iter().map(|vertex| vertex.uv.to_array()).collect()
    };
    assert_eq!(uvs(&world), uvs(&plain));
    draft["meshes"][0]["weights"] = json!([0.5]);
    refused(&draft, "not finite");
}

#[test]
fn normals_without_a_direction_are_those_of_the_triangles() {
    for broken in [[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY; 3]] {
        let mut draft = draft();
        let mut normals = [[1.0, 0.0, 0.0]; 4];
        normals[2] = broken;
        let normals = add(&mut draft, &floats(normals.as_flattened()), 5126, "VEC3", 4);
        primitive(&mut draft)["attributes"]["NORMAL"] = json!(normals);
        for (at, normal) in corners(&world(&draft)).as_flattened() {
            let expected = if at.x == 4.0 && at.y == 1.0 { Vec3::Z } else { Vec3::X };
            assert!(normal.distance(expected) < 1e-3, "{broken:?} {at}: {normal}");
        }
    }
}

#[test]
fn enumerations_may_have_values_of_the_future() {
    let plain = plain_corners();
    let mut draft = with("/materials/0/alphaMode", json!("HASHED"));
    let (world, said) = loaded(&draft);
    assert_eq!(corners(&world), plain);
    assert!(said.contains("alpha modes other than") && world.materials[0].flags & crate::world::WHOLE != 0);
    draft["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {}});
    assert!(loaded(&draft).1.contains("lights that cannot be read"));
    draft["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"] = json!(0);
    draft["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "AREA"}]}});
    assert!(loaded(&draft).1.contains("lights of type \"AREA\" (1 light)"));
}

#[test]
fn required_extensions_matter_where_something_drawn_has_them() {
    let requiring = |name: &str| {
        changed(|draft| (draft["extensionsUsed"], draft["extensionsRequired"]) = (json!([name]), json!([name])))
    };
    let plain = plain_corners();
    let objects = [
        ("KHR_texture_basisu", "textures", "PNG, JPEG or WebP"),
        ("EXT_mesh_gpu_instancing", "nodes", "each instance as a node"),
        ("KHR_materials_volume", "materials", "not understood"),
        ("KHR_materials_pbrSpecularGlossiness", "materials", "metallic-roughness"),
        ("EXT_unheard_of", "meshes", "not understood"),
        ("EXT_unheard_of_either", "bufferViews", "not understood"),
    ];
    for (name, list, help) in objects {
        let mut draft = requiring(name);
        assert_eq!(loaded(&draft).1, name);
        let object = json!({"extensions": {name: {"source": 0}}});
        push(&mut draft, list, object.clone());
        assert_eq!(corners(&loaded(&draft).0), plain, "{name}");
        draft[list][usize::from(list == "nodes")]["extensions"] = object["extensions"].clone();
        draft["materials"][0]["emissiveTexture"] = json!({"index": 0});
        let named = if help == "not understood" { "\"" } else { name };
        refused(&draft, &format!("needs the extension {named}"));
        refused(&draft, help);
    }
    let mut compressed = requiring("EXT_other_compression");
    compressed["bufferViews"][0] = json!({"buffer": 7, "byteLength": 1, "extensions": {"EXT_other_compression": {}}});
    refused(&compressed, "needs the extension \"EXT_other_compression\"");
    let mut beside = textured(json!({"uri": uri(&png(4, 4))}));
    push(&mut beside, "images", json!({"uri": "a.ktx2"}));
    beside["textures"][0]["extensions"] = json!({"KHR_texture_basisu": {"source": 1}});
    beside["extensionsRequired"] = json!(["KHR_texture_basisu"]);
    let (found, said) = loaded(&beside);
    assert_eq!((found.textures.layouts.len(), said.as_str()), (1, "KHR_texture_basisu"));
    let mut levels = requiring("MSFT_lod");
    levels["nodes"][1]["extensions"] = json!({"MSFT_lod": {"ids": [0]}});
    assert_eq!(corners(&world(&levels)), plain);
}

#[test]
fn a_scene_that_is_not_there_is_the_first_one() {
    let plain = plain_corners();
    for scene in [json!(7), json!(-1), json!(u64::MAX), json!("main"), json!(1.5)] {
        let (world, said) = loaded(&with("/scene", scene.clone()));
        assert_eq!(corners(&world), plain);
        assert_eq!(said, format!("scene 0 is shown, for there is no scene {scene}"));
    }
    let mut draft = draft();
    draft["scenes"] = json!([]);
    assert_eq!(loaded(&draft).1, "all nodes are shown, for there is no scene 0");
    draft["scenes"] = json!([{}, {"nodes": [0]}]);
    assert_eq!(loaded(&draft).1, "scene 1 is shown, for scene 0 is empty");
}

#[test]
fn other_files_are_rejected() {
    let folder = Folder::new("load-none");
    let without = glb_of(&glb_text(draft()), &[]);
    let old = br#"{"asset": {"version": "1.0"}, "scenes": {"a": {}}, "nodes": {}, "extensionsUsed": {}}"#;
    let older = br#"{"scene": "a", "scenes": {"a": {}}, "nodes": {}}"#;
    let number = br#"{"asset": {"version": 1.1}, "scenes": {}}"#;
    for (bytes, expected) in [
        (&b""[..], "bad.gltf: is empty; expected a glTF file"),
        (b"\xEF\xBB\xBF \n", "is empty"),
        (&png(3, 3), "is a PNG picture, no glTF file; expected JSON or a GLB"),
        (b"PK\x03\x04", "is a ZIP archive, no glTF file"),
        (b"v 0 0 1\nv 1 0 0\n", "is no glTF file; expected JSON or a GLB"),
        (b"[1, 2]", "is no glTF file; expected JSON or a GLB"),
        (b"{\"asset\": {\"version\"", "its JSON is cut off"),
        (b"{\"asset\":\n {]}", "its JSON is broken at line 2, column 3"),
        (b"{}", "its JSON has no asset.version"),
        (old, "is a file of glTF version \"1.0\"; expected 2.0"),
        (older, "is a file of glTF version \"1.0\"; expected 2.0"),
        (number, "is a file of glTF version \"1.1\"; expected 2.0"),
        (b"glTF\x01\0\0\0\x20\0\0\0\0\0\0\0", "binary glTF version 1; expected 2"),
        (&without, "buffer 0 is the file's binary chunk, and the file has none"),
    ] {
        let problem = load(&folder.write("bad.gltf", bytes)).unwrap_err().to_string();
        assert!(problem.contains(expected) && !problem.contains("at most"), "{problem:?} does not say {expected:?}");
    }
    refused(&changed(|draft| remove(&mut draft["buffers"][0], "uri")), "buffer 0 has no URI");
}

#[test]
fn small_files_ask_for_little() {
    let mut skinned = draft();
    let bones = 4000;
    skin(&mut skinned, &[0; 16], (2..bones + 3).rev().collect());
    let nodes = skinned["nodes"].as_array_mut().unwrap();
    nodes.extend((0..bones).map(|k| json!({"children": [k + 3]})));
    nodes.push(json!({"translation": [0, 0, 7]}));
    let first = nodes.len();
    nodes.extend((0..300).map(|_| json!({"mesh": 0, "skin": 0})));
    skinned["scenes"][0]["nodes"] = (first..first + 300).collect();
    let skinned = corners(&world(&skinned));
    assert!(!skinned.is_empty() && skinned.as_flattened().iter().all(|(at, _)| at.z == 7.0));
    let mut meshes = draft();
    let primitive = json!({"attributes": {"POSITION": 0}, "mode": 0, "extras": [[1, 2, 3], [4, 5, 6]]});
    let primitives = meshes["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.extend(vec![primitive; 600]);
    meshes["nodes"].as_array_mut().unwrap().extend((0..600).map(|_| json!({"mesh": 0})));
    meshes["scenes"][0]["nodes"] = (0..602).filter(|node| *node != 1).collect();
    assert!(loaded(&meshes).1.contains("points and lines (600 primitives)"));
    let mut morphed = draft();
    morphed["accessors"] = json!([{"componentType": 5126, "count": 1_400_000, "type": "VEC3"}]);
    morphed["meshes"][0]["primitives"] =
        json!([{"attributes": {"POSITION": 0}, "targets": vec![json!({"POSITION": 0}); 100]}]);
    morphed["meshes"][0]["weights"] = json!(vec![1.0; 100]);
    refused(&morphed, "vertices of morph targets");
}

#[test]
fn objects_of_other_types_are_refused_in_words() {
    for (at, value, expected) in [
        ("/nodes/1/mesh", json!(-1), "node 1: expected a whole number that is not negative, found -1"),
        ("/nodes/1", json!(7), "node 1: expected an object, found 7"),
        ("/nodes/1/translation", json!([1, 2]), "node 1: expected an array of length 3, found length 2"),
        ("/nodes/0/children", json!({}), "node 0: expected a list, found an object"),
        ("/nodes", json!(true), "its JSON: expected a list, found true"),
        ("/meshes/0/primitives/0", json!("p"), "mesh 0, primitive 0: expected an object, found a string"),
        ("/accessors/0/type", json!("VEC\\9"), "type \"VEC\\9\"; expected SCALAR"),
        ("/accessors/0", json!({}), "missing field `componentType`"),
        ("/materials/0/pbrMetallicRoughness/metallicFactor", json!(null), "material 0: expected a number, found null"),
    ] {
        refused(&with(at, value), expected);
    }
}
