//! The JSON of a scene: what the parser would refuse although it is valid, what it would take although it is not, what it does not know,
//! and what is not drawn.

use super::{
    layers::{self, Layers},
    limits,
};
use anyhow::{Context, Result, bail, ensure};
use gltf::json;
use serde_json::Value;

const DRACO: &str = "KHR_draco_mesh_compression";

/// What a file's JSON says.
pub struct Root {
    /// As the parser has it.
    pub root: json::Root,
    /// Accessors without data of their own: all 0.
    pub zeros: Vec<usize>,
    /// What is not drawn, and of how much it is said; empty if everything is drawn.
    pub left_out: Vec<String>,
    /// Of each material.
    pub layers: Vec<Layers>,
}

/// Reads the JSON `text`.
///
/// # Errors
/// What is wrong with it, and what was expected.
pub fn read(text: &[u8]) -> Result<Root> {
    // Editors put a byte-order mark there; the format forbids to write one and allows to skip it.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let mut value: Value = serde_json::from_slice(text).context("its JSON")?;
    version(&value)?;
    if let Some(scene) = value.get("scene") {
        let scenes = list(&value, "scenes").len() as u64;
        ensure!(scene.as_u64().is_some_and(|scene| scene < scenes), "scene {scene} of {scenes}");
    }
    let needed = list(&value, "extensionsRequired").iter().filter_map(Value::as_str);
    if let Some(name) = needed.into_iter().find(|name| !limits::EXTENSIONS.contains(name)) {
        bail!("needs the extension {name:?}, which is not understood; known are {}", limits::EXTENSIONS.join(", "));
    }
    let left_out = left_out(&value);
    let layers = list(&value, "materials").iter().map(Layers::of).collect();
    compressed(&value)?;
    let zeros = zeros(&mut value);
    own_attributes(&mut value);
    Ok(Root { root: serde_json::from_value(value).context("its JSON")?, zeros, left_out, layers })
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn primitives(value: &Value) -> impl Iterator<Item = &Value> {
    list(value, "meshes").iter().flat_map(|mesh| list(mesh, "primitives"))
}

/// Files of version 2 in all minor versions that do not ask for more.
fn version(value: &Value) -> Result<()> {
    let of = |name: &str| value.get("asset").and_then(|asset| asset.get(name)).and_then(Value::as_str);
    let version = of("version").context("its JSON has no asset.version")?;
    ensure!(version == "2" || version.starts_with("2."), "glTF version {version:?}; expected 2.0");
    let least = of("minVersion").unwrap_or("2.0");
    ensure!(least == "2.0", "needs glTF version {least:?}; expected 2.0");
    Ok(())
}

/// Meshes may be compressed with a plain copy beside. Without one there is nothing to read.
fn compressed(value: &Value) -> Result<()> {
    let accessors = list(value, "accessors");
    let has_data = |index: &Value| {
        let accessor = index.as_u64().and_then(|index| accessors.get(index as usize));
        accessor.is_none_or(|accessor| accessor.get("bufferView").is_some() || accessor.get("sparse").is_some())
    };
    for primitive in primitives(value) {
        let is_compressed = primitive.get("extensions").is_some_and(|extensions| extensions.get(DRACO).is_some());
        let position = primitive.get("attributes").and_then(|attributes| attributes.get("POSITION"));
        ensure!(
            !is_compressed || position.is_none_or(has_data),
            "is compressed with {DRACO}, which is not understood, and has no plain copy; export it without"
        );
    }
    Ok(())
}

/// Accessors that have no data are all 0. The parser insists on some: it is given the first buffer view, which nobody reads.
fn zeros(value: &mut Value) -> Vec<usize> {
    let has_views = !list(value, "bufferViews").is_empty();
    let Some(accessors) = value.get_mut("accessors").and_then(Value::as_array_mut) else { return vec![] };
    let mut zeros = vec![];
    for (index, accessor) in accessors.iter_mut().enumerate() {
        let is_bare = accessor.get("bufferView").is_none() && accessor.get("sparse").is_none();
        if let (true, true, Some(accessor)) = (is_bare, has_views, accessor.as_object_mut()) {
            accessor.insert("bufferView".into(), 0.into());
            zeros.push(index);
        }
    }
    zeros
}

/// Attributes of an application's own begin with `_`. Nothing here reads them, and the parser refuses them.
fn own_attributes(value: &mut Value) {
    let meshes = value.get_mut("meshes").and_then(Value::as_array_mut).into_iter().flatten();
    let primitives = meshes.filter_map(|mesh| mesh.get_mut("primitives")?.as_array_mut()).flatten();
    for primitive in primitives {
        if let Some(attributes) = primitive.get_mut("attributes").and_then(Value::as_object_mut) {
            attributes.retain(|name, _| !name.starts_with('_'));
        }
        for target in primitive.get_mut("targets").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(attributes) = target.as_object_mut() {
                attributes.retain(|name, _| !name.starts_with('_'));
            }
        }
    }
}

/// What the file has and the picture does not.
fn left_out(value: &Value) -> Vec<String> {
    let (nodes, materials) = (list(value, "nodes"), list(value, "materials"));
    let counted = [
        ("skins", nodes.iter().filter(|node| node.get("skin").is_some()).count(), "node", ", in the bind pose"),
        ("morph targets", primitives(value).filter(|p| p.get("targets").is_some()).count(), "primitive", ""),
        ("animations", list(value, "animations").len(), "animation", ""),
        (
            "points and lines",
            primitives(value).filter(|p| p.get("mode").is_some_and(|m| m.as_u64() < Some(4))).count(),
            "primitive",
            "",
        ),
    ];
    let counted = counted
        .into_iter()
        .filter(|(_, count, ..)| *count > 0)
        .map(|(what, count, of, how)| format!("{what} ({count} {of}{}{how})", if count == 1 { "" } else { "s" }));
    let used = list(value, "extensionsUsed").iter().filter_map(Value::as_str);
    // A plain copy of what is compressed stands in for it.
    let unknown = used.filter(|name| !limits::EXTENSIONS.contains(name) && *name != DRACO).map(|name| {
        let has = |material: &&Value| material.get("extensions").is_some_and(|all| all.get(name).is_some());
        let shown: String = name.chars().take(60).collect();
        match materials.iter().filter(has).count() {
            0 => shown,
            count => format!("{shown} ({count} material{})", if count == 1 { "" } else { "s" }),
        }
    });
    counted.chain(layers::left_out(materials)).chain(unknown).collect()
}
