//! Tests of the output of real exporters: unused parts, missing textures, other separators, compressed buffers.

use super::tests::{Folder, bytes, corners, draft, glb, load_reported, png, refused, uri};
use crate::scene::world::{LEVEL_NEAREST, MAGNIFIED_NEAREST, MINIFIED_NEAREST, NO_TEXTURE, World};
use serde_json::{Value, json};

fn both(folder: &Folder, draft: &Value) -> (World, String) {
    let loaded = load_reported(&folder.write("a.gltf", draft.to_string()));
    let (world, said) = loaded.unwrap_or_else(|problem| panic!("{problem}: {draft}"));
    (world, said.join(", "))
}

#[test]
fn parts_that_are_not_drawn_are_not_parsed() {
    let folder = Folder::new("undrawn");
    let (plain, _) = both(&folder, &draft());
    let same = |change: &dyn Fn(&mut Value), word: &str| {
        let mut draft = draft();
        change(&mut draft);
        let (world, said) = both(&folder, &draft);
        assert_eq!(corners(&world), corners(&plain), "{draft}");
        assert!(said.contains(word), "{said:?} has no {word:?}");
    };
    let channel = json!([{"channels": [{"sampler": 0, "target": {"path": "translation"}}], "samplers": [{"input": 99, "output": -1}]}]);
    same(&|d| d["animations"] = channel.clone(), "animations, which do not play (1 animation)");
    same(&|d| d["animations"] = json!([{"channels": [{"target": {"path": "pointer"}}]}, 7]), "(2 animations)");
    same(&|d| d["scenes"] = json!([{}, {"nodes": [0]}]), "scene 1 is shown");
    same(
        &|d| {
            d["scenes"] = json!([{}, {"nodes": [0]}]);
            d.as_object_mut().unwrap().remove("scene");
        },
        "",
    );
    same(
        &|d| {
            d.as_object_mut().unwrap().remove("scene");
            d.as_object_mut().unwrap().remove("scenes");
        },
        "",
    );
    same(&|d| d["textures"] = json!([{}, {"source": 12}, null]), "");
    same(&|d| d["materials"].as_array_mut().unwrap().push(json!({"alphaMode": 3})), "");
    same(&|d| d["cameras"] = json!([{"type": "perspective"}, {}]), "");
    same(&|d| d["skins"] = json!([{"joints": []}, {}]), "");
    same(&|d| d["meshes"].as_array_mut().unwrap().push(json!({"primitives": [{"attributes": {"POSITION": 5}}]})), "");
    same(&|d| d["accessors"].as_array_mut().unwrap().push(json!({"type": "VEC9"})), "");
    same(&|d| d["buffers"].as_array_mut().unwrap().push(json!({"uri": "missing.bin", "byteLength": 9})), "");
    same(&|d| d["nodes"].as_array_mut().unwrap().push(json!({"mesh": 44, "children": [2]})), "");
    same(&|d| d["meshes"][0]["primitives"][0]["attributes"]["TEMPERATURE"] = json!("hot"), "TEMPERATURE (1 primitive)");
    same(&|d| d["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_5"] = json!(-3), "");
    same(
        &|d| {
            let accessor = d["accessors"][0].as_object_mut().unwrap();
            accessor.remove("min");
            accessor.remove("max");
        },
        "",
    );
    // A chain of nodes that ends in a leaf, and loops back.
    same(
        &|d| {
            d["scenes"][0]["nodes"] = json!([0, 2]);
            let nodes = d["nodes"].as_array_mut().unwrap();
            nodes.extend((2..500).map(|k| json!({"children": [k + 1]})));
            nodes.push(json!({"children": [2]}));
        },
        "",
    );
    same(&|d| d["nodes"][1]["translation"] = json!([2.0, 0.0, 0.0]), "");
}

#[test]
fn a_texture_that_cannot_be_read_is_left_out_by_name() {
    let folder = Folder::new("images");
    folder.write("cut.png", &png(30, 30)[..90]);
    folder.write("words.png", b"not a picture");
    let mut huge = png(4, 4);
    // A header that claims more pixels than there is memory.
    huge[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    folder.write("huge.png", huge);
    folder.write("good.png", png(4, 4));
    let textured = |image: Value| {
        let mut draft = draft();
        draft["images"] = json!([image, {"uri": "good.png"}]);
        draft["textures"] = json!([{"source": 0}, {"source": 1}]);
        draft["materials"][0] = json!({
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}, "normalTexture": {"index": 0, "texCoord": 1}
        });
        both(&folder, &draft)
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
    // Without the texture its mapping does not count as a second one.
    assert!(!textured(json!({"uri": "words.png"})).0.materials[0].has_second_uv());
    let mut many = draft();
    many["images"] = (0..9).map(|k| json!({"uri": format!("none{k}.png")})).collect();
    many["textures"] = (0..9).map(|k| json!({"source": k})).collect();
    many["materials"] = (0..9).map(|k| json!({"emissiveTexture": {"index": k}})).collect();
    let primitive = many["meshes"][0]["primitives"][0].clone();
    many["meshes"][0]["primitives"] = (0..9)
        .map(|k| {
            let mut primitive = primitive.clone();
            primitive["material"] = json!(k);
            primitive
        })
        .collect();
    let (_, said) = both(&folder, &many);
    assert!(said.contains("none2.png") && !said.contains("none3.png") && said.contains("6 other textures"), "{said}");
}

#[test]
fn backslashes_are_separators_and_lead_nowhere_else() {
    let outer = Folder::new("backslash");
    outer.write("secret.bin", bytes());
    let folder = Folder(outer.0.join("scene"));
    std::fs::create_dir_all(folder.0.join("parts/more")).unwrap();
    folder.write("parts/more/quad.bin", bytes());
    let mut draft = draft();
    for uri in ["parts\\more\\quad.bin", ".\\parts/more\\quad.bin", "parts%5Cmore%5cquad.bin"] {
        draft["buffers"][0]["uri"] = json!(uri);
        assert_eq!(corners(&both(&folder, &draft).0).len(), 2, "{uri}");
    }
    for uri in [
        "..\\secret.bin",
        "parts\\..\\..\\secret.bin",
        "%2e%2e%5Csecret.bin",
        "\\secret.bin",
        "\\\\host\\secret.bin",
        "C:\\secret.bin",
    ] {
        draft["buffers"][0]["uri"] = json!(uri);
        refused(&folder, &draft, "only files inside the scene's folder");
    }
}

#[test]
fn binary_files_need_no_padding() {
    let folder = Folder::new("padding");
    let padded = glb(draft());
    let whole = load_reported(&folder.write("a.glb", &padded)).unwrap().0;
    let word = |at: usize| u32::from_le_bytes(padded[at..at + 4].try_into().unwrap()) as usize;
    let length = word(12);
    let text = std::str::from_utf8(&padded[20..20 + length]).unwrap().trim_end();
    let binary = &padded[20 + length..];
    for spaces in 0..8 {
        let text = format!("{text}{}", " ".repeat(spaces));
        let header = |all: usize| {
            let mut file = b"glTF".to_vec();
            file.extend([2, all as u32, text.len() as u32].iter().flat_map(|x: &u32| x.to_le_bytes()));
            [file, b"JSON".to_vec(), text.clone().into_bytes(), binary.to_vec()].concat()
        };
        let all = 20 + text.len() + binary.len();
        // The header may count the padding that the writer omitted at the end.
        for all in [all, all + 3] {
            let world = load_reported(&folder.write("a.glb", header(all))).unwrap().0;
            assert_eq!(world, whole, "{spaces} {all}");
        }
        let cut = &header(all)[..all - 8];
        assert!(load_reported(&folder.write("a.glb", cut)).is_err());
    }
}

#[test]
fn filters_of_samplers_are_kept() {
    let folder = Folder::new("samplers");
    folder.write("p.png", png(4, 4));
    for (large, small, expected) in [
        (9728, 9728, MAGNIFIED_NEAREST | MINIFIED_NEAREST),
        (9728, 9987, MAGNIFIED_NEAREST),
        (9729, 9984, MINIFIED_NEAREST | LEVEL_NEAREST),
        (9729, 9985, LEVEL_NEAREST),
        (9729, 9986, MINIFIED_NEAREST),
        (9729, 9729, 0),
    ] {
        let mut draft = draft();
        draft["images"] = json!([{"uri": "p.png"}]);
        draft["samplers"] = json!([{"magFilter": large, "minFilter": small}]);
        draft["textures"] = json!([{"source": 0, "sampler": 0}]);
        draft["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
        let world = both(&folder, &draft).0;
        assert_eq!(world.textures.layouts[0].wrap, expected, "{large} {small}");
    }
}

#[test]
fn a_closed_body_with_two_sides_has_both() {
    let folder = Folder::new("closed");
    let at: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut bytes: Vec<u8> = at.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0_u16, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].iter().flat_map(|x| x.to_le_bytes()));
    let mut draft = draft();
    draft["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("TEXCOORD_0");
    draft["accessors"][2]["count"] = json!(12);
    draft["bufferViews"][2] = json!({"buffer": 0, "byteOffset": 48, "byteLength": 24});
    draft["buffers"][0] = json!({"byteLength": bytes.len(), "uri": uri(&bytes)});
    assert_eq!(corners(&both(&folder, &draft).0).len(), 4);
    draft["materials"][0]["doubleSided"] = json!(true);
    let all = corners(&both(&folder, &draft).0);
    assert_eq!(all.len(), 8);
    let inner = glam::Vec3::new(3.2, 0.2, 0.2);
    let faces_inwards = |[a, b, c]: &[(glam::Vec3, glam::Vec3); 3]| {
        let face = (b.0 - a.0).cross(c.0 - a.0);
        assert!(face.dot(a.1) > 0.0, "normals are on the side of the face");
        face.dot(inner - a.0) > 0.0
    };
    assert_eq!(all.iter().filter(|triangle| faces_inwards(triangle)).count(), 4);
}

#[test]
fn compressed_buffer_views_are_decoded() {
    let folder = Folder::new("meshopt");
    let plain = corners(&both(&folder, &draft()).0);
    let bytes = bytes();
    let elements: Vec<[f32; 3]> = bytemuck::pod_collect_to_vec(&bytes[..48]);
    let positions = meshopt::encode_vertex_buffer(&elements).unwrap();
    let words: Vec<u32> = bytemuck::pod_collect_to_vec::<u8, u16>(&bytes[80..]).into_iter().map(u32::from).collect();
    let indices = meshopt::encode_index_buffer(&words, 4).unwrap();
    let coded = |extension: &str, indices_mode: &str, indices: &[u8], stride: u32| {
        let mut draft = draft();
        let packed = [positions.as_slice(), indices].concat();
        draft["buffers"] = json!([
            {"byteLength": bytes.len(), "uri": uri(&bytes)},
            {"byteLength": packed.len(), "uri": uri(&packed)},
            {"byteLength": 60, "extensions": {extension: {"fallback": true}}}
        ]);
        let view = |first: usize, length: usize, stride: u32, count: u32, mode: &str| json!({"buffer": 1, "byteOffset": first, "byteLength": length, "byteStride": stride, "count": count, "mode": mode});
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
        let (world, said) = both(&folder, &triangles);
        let area = |all: &[[(glam::Vec3, glam::Vec3); 3]]| -> glam::Vec3 {
            all.iter().map(|[a, b, c]| (b.0 - a.0).cross(c.0 - a.0) * 0.5).sum()
        };
        assert_eq!(area(&corners(&world)), area(&plain));
        assert_eq!(said, "");
        assert_eq!(corners(&both(&folder, &coded(extension, "INDICES", &sequence, 2)).0), plain);
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
            refused(&folder, &broken, expected);
        }
    }
    // A filter: unit vectors on an octahedron, as the library's encoder makes them.
    let normals = meshopt::encode_filter_oct::<i8>(&[[0.0, 0.6, 0.8, 1.0]; 4], 8);
    let packed = meshopt::encode_vertex_buffer(&normals).unwrap();
    let mut filtered = draft();
    filtered["buffers"].as_array_mut().unwrap().push(json!({"byteLength": packed.len(), "uri": uri(&packed)}));
    filtered["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 0, "byteLength": 16, "byteStride": 4,
        "extensions": {"EXT_meshopt_compression": {"buffer": 1, "byteLength": packed.len(), "byteStride": 4, "count": 4,
            "mode": "ATTRIBUTES", "filter": "OCTAHEDRAL"}}}));
    filtered["accessors"]
        .as_array_mut()
        .unwrap()
        .push(json!({"bufferView": 3, "componentType": 5120, "normalized": true, "count": 4, "type": "VEC3"}));
    filtered["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(3);
    let world = both(&folder, &filtered).0;
    let normal = corners(&world)[0][0].1;
    assert!(normal.distance(glam::Vec3::new(0.0, 0.6, 0.8)) < 0.02, "{normal}");
}

/// The quad of the draft, compressed.
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
    let folder = Folder::new("draco");
    let (plain, _) = both(&folder, &draft());
    let file = |packed: &[u8]| {
        let mut draft = draft();
        draft["buffers"].as_array_mut().unwrap().push(json!({"byteLength": packed.len(), "uri": uri(packed)}));
        draft["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 1, "byteLength": packed.len()}));
        for accessor in draft["accessors"].as_array_mut().unwrap() {
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
        let draco = json!({"bufferView": 3, "attributes": {"POSITION": 0, "TEXCOORD_0": 1}});
        draft["meshes"][0]["primitives"][0]["extensions"] = json!({"KHR_draco_mesh_compression": draco});
        draft["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        draft["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
        draft
    };
    for level in [0, 7, 10] {
        let packed = compressed_quad(&bytes(), level);
        let (world, said) = both(&folder, &file(&packed));
        assert_eq!(said, "");
        let area = |world: &World| -> glam::Vec3 {
            corners(world).iter().map(|[a, b, c]| (b.0 - a.0).cross(c.0 - a.0) * 0.5).sum()
        };
        // Positions have 11 bits or more.
        assert!((area(&world) - area(&plain)).length() < 2e-3, "{} {}", area(&world), area(&plain));
        // A corner keeps its place in the picture.
        for vertex in &world.geometry.vertices {
            let near =
                plain.geometry.vertices.iter().min_by(|a, b| {
                    a.position.distance(vertex.position).total_cmp(&b.position.distance(vertex.position))
                });
            assert!(near.unwrap().uv.distance(vertex.uv) < 2e-3, "{:?}", vertex);
        }
        // Any change to the data: it loads, or it is rejected.
        let mut dice = crate::scene::picture::noise::Dice::new(5);
        for _ in 0..400 {
            let mut broken = packed.clone();
            for _ in 0..1 + (dice.roll() * 3.0) as usize {
                let at = (dice.roll() * broken.len() as f32) as usize % broken.len();
                broken[at] = (dice.roll() * 256.0) as u8;
            }
            let path = folder.write("b.gltf", file(&broken).to_string());
            if let Ok((world, _)) = load_reported(&path) {
                assert!(world.bounds.iter().all(|at| at.is_finite()));
            }
        }
        refused(&folder, &file(&packed[..packed.len() / 2]), "KHR_draco_mesh_compression");
    }
    let mut missing = file(&compressed_quad(&bytes(), 7));
    missing["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] =
        json!(9);
    refused(&folder, &missing, "POSITION: no attribute 9");
}
