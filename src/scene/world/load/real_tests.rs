//! Tests of the output of real exporters: unused parts, missing textures, other separators, compressed buffers.

use super::tests::{
    Folder, add, add_view, area, bytes, changed, corners, draft, floats, glb, glb_binary, glb_of, glb_text, load,
    loaded, loaded_in, plain_corners, png, primitive, push, refused, remove, textured, uri, with, world, world_in,
};
use crate::world::{LEVEL_NEAREST, MAGNIFIED_NEAREST, MINIFIED_NEAREST, NO_TEXTURE};
use glam::Vec3;
use serde_json::{Value, json};

#[test]
fn parts_that_are_not_drawn_are_not_parsed() {
    let plain = plain_corners();
    let same = |draft: &Value, word: &str| {
        let (world, said) = loaded(draft);
        assert_eq!(corners(&world), plain, "{draft}");
        assert!(said.contains(word), "{said:?} has no {word:?}");
    };
    let channel = json!({"sampler": 0, "target": {"path": "translation"}});
    let animation = json!({"channels": [channel], "samplers": [{"input": 99, "output": -1}]});
    let pointer = json!({"channels": [{"target": {"path": "pointer"}}]});
    let scenes = json!([{}, {"nodes": [0]}]);
    for (at, value, word) in [
        ("/animations", json!([animation]), "animations, which do not play (1 animation)"),
        ("/animations", json!([pointer, 7]), "(2 animations)"),
        ("/scenes", scenes.clone(), "scene 1 is shown"),
        ("/textures", json!([{}, {"source": 12}, null]), ""),
        ("/cameras", json!([{"type": "perspective"}, {}]), ""),
        ("/skins", json!([{"joints": []}, {}]), ""),
        ("/meshes/0/primitives/0/attributes/TEMPERATURE", json!("hot"), "TEMPERATURE (1 primitive)"),
        ("/meshes/0/primitives/0/attributes/TEXCOORD_5", json!(-3), ""),
    ] {
        same(&with(at, value), word);
    }
    for (list, value) in [
        ("materials", json!({"alphaMode": 3})),
        ("meshes", json!({"primitives": [{"attributes": {"POSITION": 5}}]})),
        ("accessors", json!({"type": "VEC9"})),
        ("buffers", json!({"uri": "missing.bin", "byteLength": 9})),
        ("nodes", json!({"mesh": 44, "children": [2]})),
    ] {
        same(&changed(|draft| _ = push(draft, list, value)), "");
    }
    let mut first = with("/scenes", scenes);
    remove(&mut first, "scene");
    same(&first, "");
    remove(&mut first, "scenes");
    same(&first, "");
    let unbounded = changed(|draft| ["min", "max"].iter().for_each(|field| remove(&mut draft["accessors"][0], field)));
    same(&unbounded, "");
    let circular = changed(|draft| {
        draft["scenes"][0]["nodes"] = json!([0, 2]);
        for k in 2..501 {
            push(draft, "nodes", json!({"children": [if k < 500 { k + 1 } else { 2 }]}));
        }
    });
    same(&circular, "");
}

#[test]
fn a_texture_that_cannot_be_read_is_left_out_by_name() {
    let folder = Folder::new("load-images");
    folder.write("cut.png", &png(30, 30)[..90]);
    folder.write("words.png", b"not a picture");
    let mut huge = png(4, 4);
    huge[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    folder.write("huge.png", huge);
    folder.write("good.png", png(4, 4));
    let textured = |image: Value| {
        let draft = changed(|draft| {
            draft["images"] = json!([image, {"uri": "good.png"}]);
            draft["textures"] = json!([{"source": 0}, {"source": 1}]);
            draft["materials"][0] = json!({
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}, "normalTexture": {"index": 0, "texCoord": 1}
            });
        });
        loaded_in(&folder, &draft)
    };
    for (image, name) in [
        (json!({"uri": "cut.png"}), "cut.png"),
        (json!({"uri": "words.png"}), "words.png"),
        (json!({"uri": "huge.png"}), "huge.png"),
        (json!({"uri": "none.png"}), "none.png"),
        (json!({"uri": "../good.png"}), "only files inside"),
        (json!({"bufferView": 77}), "image 0"),
        (json!({}), "image 0"),
    ] {
        let (world, said) = textured(image);
        let [base, _, normal, _] = world.materials[0].textures;
        assert!(base != NO_TEXTURE && normal == NO_TEXTURE, "{name}");
        assert!(said.contains("texture ") && said.contains(name) && !said.contains('\n'), "{said}");
    }
    assert!(!textured(json!({"uri": "words.png"})).0.materials[0].has_second_uv());
    let mut many = draft();
    many["images"] = (0..9).map(|k| json!({"uri": format!("none{k}.png")})).collect();
    many["textures"] = (0..9).map(|k| json!({"source": k})).collect();
    many["materials"] = (0..9).map(|k| json!({"emissiveTexture": {"index": k}})).collect();
    let all = vec![primitive(&mut many).clone(); 9].into_iter().enumerate().map(|(k, mut primitive)| {
        primitive["material"] = json!(k);
        primitive
    });
    many["meshes"][0]["primitives"] = all.collect();
    let (_, said) = loaded_in(&folder, &many);
    assert!(said.contains("none2.png") && !said.contains("none3.png") && said.contains("6 other textures"), "{said}");
}

#[test]
fn binary_files_need_no_padding() {
    let folder = Folder::new("load-padding");
    let whole = load(&folder.write("a.glb", glb(draft()))).unwrap();
    let text = glb_text(draft());
    for spaces in 0..8 {
        let mut file = glb_of(&[text.trim_ascii_end(), &b" ".repeat(spaces)].concat(), &glb_binary());
        let all = file.len();
        for stated in [all + 3, all] {
            file[8..12].copy_from_slice(&(stated as u32).to_le_bytes());
            assert_eq!(load(&folder.write("a.glb", &file)).unwrap(), whole, "{spaces} {stated}");
        }
        assert!(load(&folder.write("a.glb", &file[..all - 8])).is_err());
    }
}

#[test]
fn filters_of_samplers_are_kept() {
    let folder = Folder::new("load-samplers");
    folder.write("p.png", png(4, 4));
    for (large, small, expected) in [
        (9728, 9728, MAGNIFIED_NEAREST | MINIFIED_NEAREST),
        (9728, 9987, MAGNIFIED_NEAREST),
        (9729, 9984, MINIFIED_NEAREST | LEVEL_NEAREST),
        (9729, 9985, LEVEL_NEAREST),
        (9729, 9986, MINIFIED_NEAREST),
        (9729, 9729, 0),
    ] {
        let mut draft = textured(json!({"uri": "p.png"}));
        draft["textures"][0]["sampler"] = json!(0);
        draft["samplers"] = json!([{"magFilter": large, "minFilter": small}]);
        let world = world_in(&folder, &draft);
        assert_eq!(world.textures.layouts[0].wrap, expected, "{large} {small}");
    }
}

#[test]
fn a_closed_body_with_two_sides_has_both() {
    let at: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut draft = draft();
    let positions = add(&mut draft, &floats(at.as_flattened()), 5126, "VEC3", 4);
    let indices = add(&mut draft, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], 5121, "SCALAR", 12);
    *primitive(&mut draft) = json!({"attributes": {"POSITION": positions}, "indices": indices, "material": 0});
    assert_eq!(corners(&world(&draft)).len(), 4);
    draft["materials"][0]["doubleSided"] = json!(true);
    let all = corners(&world(&draft));
    assert_eq!(all.len(), 8);
    let inner = Vec3::new(3.2, 0.2, 0.2);
    let faces_inwards = |[a, b, c]: &[(Vec3, Vec3); 3]| {
        let face = (b.0 - a.0).cross(c.0 - a.0);
        assert!(face.dot(a.1) > 0.0, "normals are on the side of the face");
        face.dot(inner - a.0) > 0.0
    };
    assert_eq!(all.iter().filter(|triangle| faces_inwards(triangle)).count(), 4);
}

#[test]
fn compressed_buffer_views_are_decoded() {
    let plain = world(&draft());
    let bytes = bytes();
    let elements: Vec<[f32; 3]> = bytemuck::pod_collect_to_vec(&bytes[..48]);
    let positions = meshopt::encode_vertex_buffer(&elements).unwrap();
    let words: Vec<u32> = bytemuck::pod_collect_to_vec::<u8, u16>(&bytes[80..]).into_iter().map(u32::from).collect();
    let indices = meshopt::encode_index_buffer(&words, 4).unwrap();
    let coded = |extension: &str, indices_mode: &str, indices: &[u8], stride: u32| {
        let mut draft = draft();
        let packed = [positions.as_slice(), indices].concat();
        push(&mut draft, "buffers", json!({"byteLength": packed.len(), "uri": uri(&packed)}));
        push(&mut draft, "buffers", json!({"byteLength": 60, "extensions": {extension: {"fallback": true}}}));
        let view = |first: usize, length: usize, stride: u32, count: u32, mode: &str| {
            json!({"buffer": 1, "byteOffset": first, "byteLength": length, "byteStride": stride, "count": count,
                "mode": mode})
        };
        draft["bufferViews"][0] = json!({"buffer": 2, "byteLength": 48, "byteStride": 12,
            "extensions": {extension: view(0, positions.len(), 12, 4, "ATTRIBUTES")}});
        draft["bufferViews"][2] = json!({"buffer": 2, "byteOffset": 48, "byteLength": 12,
            "extensions": {extension: view(positions.len(), indices.len(), stride, 6, indices_mode)}});
        draft["extensionsUsed"] = json!([extension]);
        draft["extensionsRequired"] = json!([extension]);
        draft
    };
    let sequence = meshopt::encode_index_sequence(&words, 4).unwrap();
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let triangles = coded(extension, "TRIANGLES", &indices, 2);
        let (found, said) = loaded(&triangles);
        assert_eq!((area(&found), said.as_str()), (area(&plain), ""));
        let coded = coded(extension, "INDICES", &sequence, 2);
        assert_eq!(corners(&world(&coded)), corners(&plain));
        for (at, value, expected) in [
            ("mode", json!("LINES"), "LINES"),
            ("count", json!(7), "three for each triangle"),
            ("count", json!(600_000), "buffer view 2"),
            ("byteStride", json!(3), "3 bytes"),
            ("filter", json!("SMOOTH"), "SMOOTH"),
            ("byteLength", json!(3), "buffer view 2"),
        ] {
            let mut broken = triangles.clone();
            broken["bufferViews"][2]["extensions"][extension][at] = value;
            refused(&broken, expected);
        }
    }
    let normals = meshopt::encode_filter_oct::<i8>(&[[0.0, 0.6, 0.8, 1.0]; 4], 8);
    let packed = meshopt::encode_vertex_buffer(&normals).unwrap();
    let mut filtered = draft();
    let view = add_view(&mut filtered, &packed);
    filtered["bufferViews"][view] = json!({"buffer": 0, "byteLength": 16, "byteStride": 4,
        "extensions": {"EXT_meshopt_compression": {"buffer": 1, "byteLength": packed.len(), "byteStride": 4, "count": 4,
            "mode": "ATTRIBUTES", "filter": "OCTAHEDRAL"}}});
    let normals = json!({"bufferView": view, "componentType": 5120, "normalized": true, "count": 4, "type": "VEC3"});
    let normals = push(&mut filtered, "accessors", normals);
    primitive(&mut filtered)["attributes"]["NORMAL"] = json!(normals);
    let normal = corners(&world(&filtered))[0][0].1;
    assert!(normal.distance(Vec3::new(0.0, 0.6, 0.8)) < 0.02, "{normal}");
}

fn compressed_quad(bytes: &[u8], level: i32) -> Vec<u8> {
    use draco_core::{
        DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
    };
    let mut mesh = Mesh::new();
    for (kind, wide, data) in
        [(GeometryAttributeType::Position, 3, &bytes[..48]), (GeometryAttributeType::TexCoord, 2, &bytes[48..80])]
    {
        let mut attribute = PointAttribute::new();
        attribute.init(kind, wide, DataType::Float32, false, 4);
        attribute.buffer_mut().write(0, data);
        mesh.add_attribute(attribute);
    }
    mesh.set_num_faces(2);
    mesh.set_faces_from_flat_indices(&[0, 1, 2, 0, 2, 3]);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut options = EncoderOptions::new();
    options.set_compression_level(level);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    out.data().to_vec()
}

#[test]
fn draco_meshes_are_decoded() {
    let folder = Folder::new("load-draco");
    let plain = world(&draft());
    let file = |packed: &[u8]| {
        let mut draft = draft();
        let view = add_view(&mut draft, packed);
        draft["accessors"].as_array_mut().unwrap().iter_mut().for_each(|accessor| remove(accessor, "bufferView"));
        let draco = json!({"bufferView": view, "attributes": {"POSITION": 0, "TEXCOORD_0": 1}});
        primitive(&mut draft)["extensions"] = json!({"KHR_draco_mesh_compression": draco});
        draft["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        draft["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        draft
    };
    for level in [0, 7, 10] {
        let packed = compressed_quad(&bytes(), level);
        let (world, said) = loaded(&file(&packed));
        assert_eq!(said, "");
        assert!((area(&world) - area(&plain)).length() < 4e-3, "{} {}", area(&world), area(&plain));
        for vertex in &world.geometry.vertices {
            let near =
                plain.geometry.vertices.iter().min_by(|a, b| {
                    a.position.distance(vertex.position).total_cmp(&b.position.distance(vertex.position))
                });
            assert!(near.unwrap().uv.distance(vertex.uv) < 2e-3, "{:?}", vertex);
        }
        let mut dice = crate::picture::noise::Dice::new(5);
        for _ in 0..400 {
            let mut broken = packed.clone();
            for _ in 0..1 + (dice.roll() * 3.0) as usize {
                let at = (dice.roll() * broken.len() as f32) as usize % broken.len();
                broken[at] = (dice.roll() * 256.0) as u8;
            }
            let path = folder.write("b.gltf", file(&broken).to_string());
            if let Ok(world) = load(&path) {
                assert!(world.bounds.iter().all(|at| at.is_finite()));
            }
        }
        refused(&file(&packed[..packed.len() / 2]), "KHR_draco_mesh_compression");
    }
    let mut missing = file(&compressed_quad(&bytes(), 7));
    primitive(&mut missing)["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = json!(9);
    refused(&missing, "POSITION: no attribute 9");
}
