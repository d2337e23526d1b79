//! The node graph of a scene in double precision: what is placed where, the camera, the lights, the pose of skins.

use super::{
    accessor, limits,
    schema::{Camera, Light, Mesh, Node, Scene, Skin},
    source::Source,
};
use anyhow::{Context, Result, ensure};
use glam::{DMat4, DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A mesh that a node draws.
pub struct MeshNode {
    pub mesh: usize,
    pub world_from_mesh: DMat4,
    /// Of its morph targets.
    pub weights: Vec<f64>,
    /// Of a skinned mesh: for each joint, from the mesh at rest to the world.
    pub joints: Option<Vec<DMat4>>,
}

/// The field of view of a file's camera.
#[derive(Clone, Copy, Debug)]
pub enum Projection {
    /// Vertical angle, radians.
    Perspective(f64),
    /// Half the height of the view, and where it begins before the camera.
    Orthographic { half_height: f64, near: f64 },
}

/// A scene as its nodes describe it.
#[derive(Default)]
pub struct Graph {
    pub meshes: Vec<MeshNode>,
    pub camera: Option<(DMat4, Projection)>,
    pub lights: Vec<(DMat4, Light)>,
}

impl Node {
    fn parent_from_node(&self) -> DMat4 {
        if let Some(columns) = &self.matrix {
            return DMat4::from_cols_array(columns);
        }
        let rotation = DQuat::from_array(self.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
        let scale = self.scale.map_or(DVec3::ONE, DVec3::from);
        DMat4::from_scale_rotation_translation(scale, rotation, self.translation.map_or(DVec3::ZERO, DVec3::from))
    }

    /// Whether the node itself adds something to the picture.
    fn draws(&self) -> bool {
        self.mesh.is_some() || self.extensions.light.is_some()
    }
}

/// The nodes at the top of what is drawn: of the scene that the file names, else of the first that has any; else all nodes that are not
/// below others.
fn roots(source: &Source) -> Result<Vec<usize>> {
    let root = &source.document.root;
    let named = root.scene.as_ref().and_then(serde_json::Value::as_u64).map(|scene| scene as usize);
    for scene in named.into_iter().chain(0..root.scenes.len()) {
        let nodes = source.document.get::<Scene>(scene)?.nodes;
        if !nodes.is_empty() {
            if let Some(named) = named.filter(|named| *named != scene) {
                source.document.report("file", format!("scene {named}, which is empty: scene {scene} is shown"), 0);
            }
            return Ok(nodes);
        }
    }
    let parents = parents(source);
    Ok((0..root.nodes.len()).filter(|node| !parents.contains_key(node)).collect())
}

/// Of each node that has one, its parent. Nodes that are not what the format says have no children here.
fn parents(source: &Source) -> HashMap<usize, usize> {
    let nodes = source.document.root.nodes.iter().enumerate();
    let pairs = nodes.flat_map(|(parent, node)| {
        let children = node.get("children").and_then(serde_json::Value::as_array);
        children.into_iter().flatten().filter_map(move |child| Some((child.as_u64()? as usize, parent)))
    });
    pairs.collect()
}

/// Walks the scene's nodes.
///
/// # Errors
/// A node that does not exist, is its own descendant, or has a matrix that is not of finite numbers, where something is drawn by it.
pub fn read(source: &Source) -> Result<Graph> {
    let mut graph = Graph::default();
    let mut stack: Vec<(usize, DMat4, bool)> =
        roots(source)?.into_iter().rev().map(|node| (node, DMat4::IDENTITY, true)).collect();
    let mut worlds: HashMap<usize, DMat4> = HashMap::new();
    let (mut nodes, mut skinned) = (BTreeMap::new(), vec![]);
    let mut again = BTreeSet::new();
    // No recursion: chains of bones are long.
    while let Some((index, above, is_visible)) = stack.pop() {
        if worlds.contains_key(&index) {
            again.insert(index);
            continue;
        }
        ensure!(worlds.len() < limits::NODES, "more than {} nodes", limits::NODES);
        let node: Node = source.document.get(index)?;
        let world = above * node.parent_from_node();
        let is_visible = is_visible && node.extensions.visibility.visible;
        worlds.insert(index, world);
        stack.extend(node.children.iter().rev().map(|child| (*child, world, is_visible)));
        if is_visible {
            let far = world
                .to_cols_array()
                .into_iter()
                .fold(0.0, |most: f64, x| if x.is_nan() { x } else { most.max(x.abs()) });
            let is_sane = world.is_finite() && far <= limits::MATRIX;
            ensure!(
                is_sane || !node.draws(),
                "node {index}: its transform has a number that is not finite or above {:e}",
                limits::MATRIX
            );
            if let Some(mesh) = node.mesh {
                skinned.extend(node.skin.map(|skin| (graph.meshes.len(), skin)));
                let weights = match &node.weights {
                    Some(weights) => weights.clone(),
                    None => source.document.get::<Mesh>(mesh)?.weights,
                };
                graph.meshes.push(MeshNode { mesh, world_from_mesh: world, weights, joints: None });
            }
            if let (Some(camera), None, true) = (node.camera, graph.camera, is_sane) {
                graph.camera = projection(source, camera).map(|projection| (world, projection));
            }
            if let Some(reference) = &node.extensions.light {
                match source.document.get::<Light>(reference.light) {
                    Ok(light) if graph.lights.len() < limits::LIGHTS => graph.lights.push((world, light)),
                    Ok(_) => source.document.report("light", format!("lights after {}", limits::LIGHTS), index),
                    Err(_) => source.document.report("light", "lights that cannot be read", reference.light),
                }
            }
        }
        nodes.insert(index, node);
    }
    for index in again {
        let twice = "is its own descendant, or has two parents";
        ensure!(!leads_to_something(&nodes, index), "node {index}: {twice}");
    }
    if !skinned.is_empty() {
        let parents = parents(source);
        for (number, skin) in skinned {
            let joints = pose(source, skin, &worlds, &parents).with_context(|| format!("skin {skin}"));
            match joints {
                Ok(joints) => graph.meshes[number].joints = Some(joints),
                Err(problem) => {
                    source.document.report("skin", format!("skins that cannot be read ({problem:#})"), skin);
                }
            }
        }
    }
    Ok(graph)
}

/// Whether anything at or below node `index` is drawn.
fn leads_to_something(nodes: &BTreeMap<usize, Node>, index: usize) -> bool {
    let (mut stack, mut seen) = (vec![index], HashSet::new());
    while let Some(index) = stack.pop() {
        let Some(node) = nodes.get(&index).filter(|_| seen.insert(index)) else { continue };
        if node.draws() {
            return true;
        }
        stack.extend(&node.children);
    }
    false
}

/// None where the camera is not complete; then the next one counts.
fn projection(source: &Source, index: usize) -> Option<Projection> {
    let found = source.document.get::<Camera>(index).ok().and_then(|camera| {
        let perspective = camera.perspective.map(|perspective| Projection::Perspective(perspective.yfov));
        let orthographic = camera
            .orthographic
            .map(|camera| Projection::Orthographic { half_height: camera.ymag.abs(), near: camera.znear });
        let is_sane = |projection: &Projection| match *projection {
            Projection::Perspective(angle) => angle > 0.0 && angle < std::f64::consts::PI,
            Projection::Orthographic { half_height, near } => {
                half_height > 0.0 && half_height.is_finite() && near.is_finite()
            }
        };
        perspective.or(orthographic).filter(is_sane)
    });
    if found.is_none() {
        source.document.report("camera", "cameras that are not complete", index);
    }
    found
}

/// For each joint of a skin: from the mesh at rest to the world, where the joint's node stands in the file.
fn pose(
    source: &Source,
    skin: usize,
    worlds: &HashMap<usize, DMat4>,
    parents: &HashMap<usize, usize>,
) -> Result<Vec<DMat4>> {
    let Skin { joints, inverse_bind_matrices } = source.document.get(skin)?;
    let inverses: Vec<DMat4> = match inverse_bind_matrices {
        Some(accessor) => {
            let matrices = accessor::read(source, accessor, limits::NODES)?.vectors::<16>()?;
            matrices.iter().map(|matrix| DMat4::from_cols_array(&matrix.map(f64::from))).collect()
        }
        None => vec![],
    };
    let mut pose = Vec::with_capacity(joints.len());
    for (number, joint) in joints.into_iter().enumerate() {
        let world_from_joint = match worlds.get(&joint) {
            Some(world) => *world,
            None => above(source, joint, worlds, parents)?,
        };
        let world = world_from_joint * inverses.get(number).copied().unwrap_or(DMat4::IDENTITY);
        ensure!(world.is_finite(), "joint {number}: a matrix that is not of finite numbers");
        pose.push(world);
    }
    ensure!(!pose.is_empty(), "no joints");
    Ok(pose)
}

/// Where a node stands that the scene does not have.
fn above(
    source: &Source,
    mut index: usize,
    worlds: &HashMap<usize, DMat4>,
    parents: &HashMap<usize, usize>,
) -> Result<DMat4> {
    let mut matrix = DMat4::IDENTITY;
    for _ in 0..limits::NODES {
        if let Some(world) = worlds.get(&index) {
            return Ok(*world * matrix);
        }
        matrix = source.document.get::<Node>(index)?.parent_from_node() * matrix;
        match parents.get(&index) {
            Some(parent) => index = *parent,
            None => return Ok(matrix),
        }
    }
    anyhow::bail!("node {index}: is its own descendant")
}
