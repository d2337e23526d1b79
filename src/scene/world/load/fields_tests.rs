//! Tests that every field of the format is read, has no effect, or is reported as unsupported. The fields are those of the structs of
//! `gltf-json`; the compiler's dead code lint ensures that our fields are read.

use super::{
    limits, schema,
    schema::INERT,
    tests::{draft, loaded, png, skin, uri},
};
use gltf_json as format;
use serde::{
    Deserialize,
    de::{self, Deserializer, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Value, json};
use std::{cell::Cell, collections::BTreeSet};

struct Names<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = de::value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.set(fields);
        Err(de::Error::custom("names only"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("not a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

fn fields_of<'de, T: Deserialize<'de>>() -> Vec<&'static str> {
    let names = Cell::new(&[][..]);
    let _ = T::deserialize(Names(&names));
    assert!(!names.get().is_empty(), "{} is no struct with fields", std::any::type_name::<T>());
    names.get().to_vec()
}

struct Pair {
    kind: &'static str,
    at: &'static str,
    ours: Vec<&'static str>,
    format: Vec<&'static str>,
}

fn pairs() -> Vec<Pair> {
    macro_rules! pairs {
        ($($kind:literal $at:literal $ours:ty, $format:ty;)*) => {
            vec![$(Pair { kind: $kind, at: $at, ours: fields_of::<$ours>(), format: fields_of::<$format>() }),*]
        };
    }
    let mut pairs = pairs! {
        "document" "" schema::Root, format::Root;
        "document" "/asset" schema::Asset, format::Asset;
        "scene" "/scenes/0" schema::Scene, format::Scene;
        "node" "/nodes/1" schema::Node, format::Node;
        "mesh" "/meshes/0" schema::Mesh, format::Mesh;
        "primitive" "/meshes/0/primitives/0" schema::Primitive, format::mesh::Primitive;
        "material" "/materials/0" schema::Material, format::Material;
        "material" "/materials/0/pbrMetallicRoughness" schema::Metallic, format::material::PbrMetallicRoughness;
        "material" "/materials/0/pbrMetallicRoughness/baseColorTexture" schema::TextureInfo, format::texture::Info;
        "material" "/materials/0/normalTexture" schema::NormalTexture, format::material::NormalTexture;
        "material" "/materials/0/normalTexture/extensions/KHR_texture_transform"
            schema::Transform, format::extensions::texture::TextureTransform;
        "material" "/materials/0/extensions/KHR_materials_ior" schema::Ior, format::extensions::material::Ior;
        "material" "/materials/0/extensions/KHR_materials_specular"
            schema::Specular, format::extensions::material::Specular;
        "material" "/materials/0/extensions/KHR_materials_transmission"
            schema::Transmission, format::extensions::material::Transmission;
        "material" "/materials/0/extensions/KHR_materials_emissive_strength"
            schema::EmissiveStrength, format::extensions::material::EmissiveStrength;
        "texture" "/textures/0" schema::Texture, format::Texture;
        "sampler" "/samplers/0" schema::Sampler, format::texture::Sampler;
        "image" "/images/0" schema::Image, format::Image;
        "accessor" "/accessors/0" schema::Accessor, format::Accessor;
        "accessor" "/accessors/1/sparse" schema::Sparse, format::accessor::sparse::Sparse;
        "accessor" "/accessors/1/sparse/indices" schema::SparseIndices, format::accessor::sparse::Indices;
        "accessor" "/accessors/1/sparse/values" schema::SparseValues, format::accessor::sparse::Values;
        "buffer view" "/bufferViews/0" schema::BufferView, format::buffer::View;
        "buffer" "/buffers/0" schema::Buffer, format::Buffer;
        "camera" "/cameras/0" schema::Camera, format::Camera;
        "camera" "/cameras/0/perspective" schema::Perspective, format::camera::Perspective;
        "camera" "/cameras/0/orthographic" schema::Orthographic, format::camera::Orthographic;
        "skin" "/skins/0" schema::Skin, format::Skin;
        "light" "/extensions/KHR_lights_punctual/lights/0"
            schema::Light, format::extensions::scene::khr_lights_punctual::Light;
        "light" "/extensions/KHR_lights_punctual/lights/0/spot"
            schema::Spot, format::extensions::scene::khr_lights_punctual::Spot;
    };
    pairs[0].ours.extend(schema::LISTS);
    pairs
}

fn sample() -> Value {
    let mut draft = draft();
    skin(&mut draft, &[0; 16], json!([0]));
    draft["accessors"][1]["sparse"] =
        json!({"count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 1}});
    draft["nodes"][1]["skin"] = json!(0);
    draft["nodes"][1]["camera"] = json!(0);
    draft["nodes"][1]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    draft["cameras"] = json!([{
        "type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1},
        "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 0.1, "zfar": 100.0}
    }]);
    draft["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {}}]}});
    draft["images"] = json!([{"uri": uri(&png(4, 4))}]);
    draft["samplers"] = json!([{}]);
    draft["textures"] = json!([{"source": 0, "sampler": 0}]);
    draft["materials"][0] = json!({
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
        "normalTexture": {"index": 0, "extensions": {"KHR_texture_transform": {}}},
        "extensions": {"KHR_materials_ior": {}, "KHR_materials_specular": {}, "KHR_materials_transmission": {},
            "KHR_materials_emissive_strength": {}}
    });
    draft
}

fn said(draft: &Value) -> String {
    loaded(draft).1
}

fn with(draft: &Value, at: &str, field: &str, value: Value) -> Value {
    let mut changed = draft.clone();
    let object = changed.pointer_mut(at).and_then(Value::as_object_mut).unwrap_or_else(|| panic!("nothing at {at}"));
    object.insert(field.into(), value);
    changed
}

#[test]
fn a_field_is_read_or_changes_nothing_or_is_reported() {
    let sample = sample();
    let plain = said(&sample);
    assert_eq!(plain, "shadows of lights (1 light)");
    let (mut read, mut inert, mut reported) = (0, 0, 0);
    for Pair { kind, at, ours, format } in pairs() {
        let inside =
            ["/spot", "/perspective", "/orthographic", "/pbrMetallicRoughness", "/normalTexture", "/sparse", "/asset"];
        let prefix = inside.iter().find_map(|part| at.find(part).map(|k| at[k + 1..].replace('/', ".") + "."));
        let path = |field: &str| format!("{}{field}", prefix.clone().unwrap_or_default());
        for field in format.iter().copied().chain(["fieldOfTheFuture"]) {
            if field != "extensions" && ours.contains(&field) {
                read += 1;
                continue;
            }
            let is_inert = |(of, name): &&(&str, &str)| match *of {
                "*" => *name == field,
                of => of == kind && *name == path(field),
            };
            let (value, name) = match field {
                "extensions" => (json!({"EXT_of_the_future": {}}), "EXT_of_the_future"),
                "animations" => (json!([{"channels": [], "samplers": []}]), "animations"),
                _ => (json!({}), field),
            };
            let mut value = value;
            let present = sample.pointer(&format!("{at}/{field}")).and_then(Value::as_object);
            if let (Some(present), Some(value)) = (present, value.as_object_mut()) {
                value.extend(present.clone());
            }
            let line = said(&with(&sample, at, field, value));
            if INERT.iter().any(|entry| is_inert(&entry)) {
                inert += 1;
                assert_eq!(line, plain, "{kind} {field}");
            } else {
                reported += 1;
                assert!(line.contains(name), "{at} {field}: {line:?} does not say so");
            }
        }
    }
    assert!(read > 90 && inert > 15 && reported > 40, "{read} fields read, {inert} inert, {reported} reported");
}

#[test]
fn the_extensions_that_a_file_may_need_are_those_that_are_read() {
    let structs = [
        fields_of::<schema::RootExtensions>(),
        fields_of::<schema::NodeExtensions>(),
        fields_of::<schema::PrimitiveExtensions>(),
        fields_of::<schema::BufferViewExtensions>(),
        fields_of::<schema::TextureExtensions>(),
        fields_of::<schema::TextureInfoExtensions>(),
        fields_of::<schema::MaterialExtensions>(),
    ];
    let mut read: BTreeSet<&str> = structs.into_iter().flatten().chain(["KHR_mesh_quantization"]).collect();
    assert!(read.remove("KHR_texture_basisu"), "noticed, for a plain source beside it is read instead");
    assert_eq!(read, limits::EXTENSIONS.iter().copied().collect());
}
