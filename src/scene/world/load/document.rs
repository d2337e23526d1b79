//! JSON document of a scene, parsed object by object as the scene refers to them, and the list of unsupported parts.

use super::{
    limits,
    schema::{Element, INERT, LISTS, Primitive, Root},
    words::{mismatch, no_json, quoted},
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use base::{
    notes::Notes,
    text::{counted, without_codes},
};
use media::signature;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

/// A parsed root, and the unsupported parts found so far.
pub struct Document {
    pub root: Root,
    left_out: RefCell<UnsupportedParts>,
}

#[derive(Default)]
struct UnsupportedParts {
    parts: BTreeMap<(&'static str, String), BTreeSet<usize>>,
    textures: BTreeMap<String, String>,
    notes: BTreeSet<String>,
    remarks: BTreeSet<String>,
}

const ROOT: &str = "document";

/// Extensions without effect on the picture at rest.
const HARMLESS: &[&str] = &[
    "KHR_materials_variants",
    "KHR_animation_pointer",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_interactivity",
    "KHR_audio_emitter",
    "KHR_physics_rigid_bodies",
    "KHR_implicit_shapes",
    "MSFT_audio_emitter",
    "AGI_articulations",
    "AGI_stk_metadata",
    "EXT_mesh_features",
    "EXT_structural_metadata",
    "CESIUM_primitive_outline",
    "MSFT_lod",
];

const REFUSED: &[(&str, &str)] = &[
    ("KHR_texture_basisu", "export it with PNG, JPEG or WebP textures"),
    ("EXT_mesh_gpu_instancing", "export each instance as a node"),
    ("KHR_materials_pbrSpecularGlossiness", "export it with metallic-roughness materials"),
];

const NAMED: usize = 3;

impl Document {
    pub fn parse(text: &[u8]) -> Result<Self> {
        // Some editors write a byte-order mark.
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        // Some writers pad with zeros.
        let zeros = text.iter().rev().take_while(|byte| **byte == 0).count();
        let text = &text[..text.len() - zeros];
        ensure!(!text.trim_ascii().is_empty(), "is empty; expected a glTF file, as JSON or GLB");
        if !text.trim_ascii_start().starts_with(b"{") {
            let found = signature::noun(text).map(|noun| format!("is {noun}, no glTF file"));
            bail!("{}; expected JSON or a GLB", found.as_deref().unwrap_or("is no glTF file"));
        }
        let mut value: Value = serde_json::from_slice(text).map_err(|problem| anyhow!(no_json(&problem)))?;
        check_version(&value)?;
        let mut left_out = UnsupportedParts::default();
        let lists = lists(&mut value).map_err(|problem| anyhow!(mismatch(&problem))).context("its JSON")?;
        let root = Root { lists, ..deserialized(&value, ROOT, 0, &mut left_out).context("its JSON")? };
        ensure!(root.asset.version.is_some(), "its JSON has no asset.version");
        let least = root.asset.min_version.as_deref().unwrap_or("2.0");
        ensure!(least == "2.0", "needs glTF version {}; expected 2.0", quoted(least));
        let document = Self { root, left_out: RefCell::new(left_out) };
        document.report_animations(&value);
        Ok(document)
    }

    pub fn get<T: Element>(&self, index: usize) -> Result<T> {
        let list = T::list(&self.root);
        let value = list.get(index).with_context(|| format!("{} {index} of {}", T::KIND, list.len()))?;
        deserialized(value, T::KIND, index, &mut self.left_out.borrow_mut())
            .with_context(|| format!("{} {index}", T::KIND))
    }

    pub fn primitive(&self, mesh: usize, number: usize, value: &Value) -> Result<Primitive> {
        deserialized(value, "primitive", number_of(mesh, number), &mut self.left_out.borrow_mut())
    }

    pub fn report(&self, kind: &'static str, what: impl Into<String>, index: usize) {
        self.left_out.borrow_mut().parts.entry((kind, what.into())).or_default().insert(index);
    }

    pub fn check_required(&self) -> Result<()> {
        let UnsupportedParts { parts, .. } = &*self.left_out.borrow();
        let drawn: BTreeSet<&str> = parts.keys().filter_map(|(_, what)| extension_of(what)).collect();
        let is_known = |name: &str| limits::EXTENSIONS.contains(&name) || HARMLESS.contains(&name);
        let is_needed = |name: &&String| drawn.contains(name.as_str()) && !is_known(name);
        let Some(name) = self.root.extensions_required.iter().find(is_needed) else { return Ok(()) };
        match REFUSED.iter().find(|(refused, _)| refused == name) {
            Some((name, help)) => bail!("needs the extension {name}, which is not read; {help}"),
            None => bail!(
                "needs the extension {}, which is not understood; known are {}",
                quoted(name),
                limits::EXTENSIONS.join(", ")
            ),
        }
    }

    pub fn report_texture(&self, name: &str, problem: &anyhow::Error) {
        let problem = without_codes(&format!("{problem:#}"));
        let problem = match problem.strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
            Some((_, why)) => why,
            None => &problem,
        };
        let problem = problem.chars().take(120).collect();
        self.left_out.borrow_mut().textures.insert(name.into(), problem);
    }

    pub fn note(&self, note: impl Into<String>) {
        self.left_out.borrow_mut().notes.insert(note.into());
    }

    pub fn remark(&self, remark: impl Into<String>) {
        self.left_out.borrow_mut().remarks.insert(remark.into());
    }

    fn report_animations(&self, value: &Value) {
        let count = value.get("animations").and_then(Value::as_array).map_or(0, Vec::len);
        self.left_out.borrow_mut().parts.remove(&(ROOT, "animations".into()));
        (0..count).for_each(|index| self.report("animation", "animations, which do not play", index));
    }

    pub fn notes(&self) -> Notes {
        let UnsupportedParts { parts, textures, notes, remarks } = &*self.left_out.borrow();
        let mut phrases: Vec<String> = vec![];
        let mut named = BTreeSet::new();
        for ((kind, what), objects) in parts {
            let name: String = what.rsplit("extensions.").next().unwrap_or_default().chars().take(80).collect();
            named.extend(extension_of(what));
            phrases.push(match objects.len() {
                _ if *kind == ROOT => name,
                count => format!("{name} ({})", counted(count, kind)),
            });
        }
        phrases.extend(notes.iter().cloned());
        phrases.extend(textures.iter().take(NAMED).map(|(name, problem)| format!("texture {name} ({problem})")));
        if textures.len() > NAMED {
            phrases.push(format!("{} other textures", textures.len() - NAMED));
        }
        let used = self.root.extensions_used.iter().chain(&self.root.extensions_required);
        let used: BTreeSet<String> = used.map(|name| name.chars().take(60).collect()).collect();
        let unseen = used.into_iter().filter(|name| !limits::EXTENSIONS.contains(&name.as_str()));
        phrases.extend(unseen.filter(|name| !named.contains(name.as_str())));
        Notes { remarks: remarks.iter().cloned().collect(), left_out: phrases }
    }
}

fn lists(root: &mut Value) -> serde_json::Result<BTreeMap<&'static str, Vec<Value>>> {
    let mut list = |name: &'static str| root.as_object_mut()?.remove(name).map(|list| (name, list));
    let there: Vec<(&str, Value)> = LISTS.iter().filter_map(|name| list(name)).collect();
    there.into_iter().map(|(name, list)| Ok((name, serde_json::from_value(list)?))).collect()
}

fn extension_of(path: &str) -> Option<&str> {
    path.rsplit_once("extensions.").and_then(|(_, rest)| rest.split('.').next())
}

/// Lists have less than 2^32 elements.
pub fn number_of(mesh: usize, number: usize) -> usize {
    mesh << 32 | number
}

fn deserialized<T: DeserializeOwned>(
    value: &Value,
    kind: &'static str,
    index: usize,
    left_out: &mut UnsupportedParts,
) -> Result<T> {
    let (mut unread, mut fields, mut unread_extensions) = (vec![], vec![], vec![]);
    let parsed = serde_ignored::deserialize(value, |path| unread.push(path.to_string()))
        .map_err(|problem: serde_json::Error| anyhow!(mismatch(&problem)))?;
    for path in unread {
        let path = path.replace(".?", "").replace("?.", "");
        if path == "extensions" || path.ends_with(".extensions") {
            let all = value.pointer(&format!("/{}", path.replace('.', "/"))).and_then(Value::as_object);
            unread_extensions.extend(all.into_iter().flat_map(|all| all.keys().map(|name| format!("{path}.{name}"))));
        } else {
            fields.push(path);
        }
    }
    fields.extend(unread_extensions);
    for path in fields {
        let is_inert = |(of, field): &(&str, &str)| match *of {
            "*" => path.rsplit('.').next() == Some(field),
            of => of == kind && path == *field,
        };
        if !INERT.iter().any(is_inert) {
            left_out.parts.entry((kind, path)).or_default().insert(index);
        }
    }
    Ok(parsed)
}

/// Files of version 1 have other types everywhere: they are detected before anything else is parsed.
fn check_version(value: &Value) -> Result<()> {
    let version = match value.pointer("/asset/version") {
        Some(Value::String(version)) => version.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ if value.get("scenes").is_some_and(Value::is_object) => "1.0".into(),
        _ => return Ok(()),
    };
    let is_2 = version == "2" || version.starts_with("2.");
    ensure!(is_2, "is a file of glTF version {}; expected 2.0", quoted(&version));
    Ok(())
}
