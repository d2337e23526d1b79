//! Node graph of a scene in double precision: transforms, camera, lights, skin poses.

use super::{
    accessor, limits,
    schema::{Camera, Element, Light, Node, Scene, Skin},
    source::Source,
};
use crate::world::names;
use anyhow::{Context, Result, ensure};
use glam::{DMat4, DQuat, DVec3};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

pub struct MeshNode {
    pub mesh: usize,
    /// Of the node, else of the mesh.
    pub name: Arc<str>,
    pub world_from_mesh: DMat4,
    pub weights: Vec<f64>,
    pub joints: Option<Joints>,
}

pub type Joints = Rc<[DMat4]>;

#[derive(Clone, Copy, Debug)]
pub struct Projection {
    pub extent: Extent,
    /// In the file's unit.
    pub near: f64,
    pub far: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// Vertical angle, radians.
    Perspective(f64),
    /// Half the height of the view.
    Orthographic(f64),
}

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

    fn draws(&self) -> bool {
        self.mesh.is_some() || self.extensions.light.is_some()
    }
}

/// Of the scene named by the file, else of the first with any; else all nodes without a parent.
fn roots(source: &Source) -> Result<Vec<usize>> {
    let root = &source.document.root;
    let there = 0..Scene::list(root).len();
    let named = root.scene.as_ref().and_then(serde_json::Value::as_u64).and_then(|scene| usize::try_from(scene).ok());
    let named = named.filter(|scene| there.contains(scene));
    if let (Some(missing), None) = (&root.scene, named) {
        let instead = if there.is_empty() { "all nodes are shown" } else { "scene 0 is shown" };
        let missing: String = missing.to_string().chars().take(60).collect();
        source.document.remark(format!("{instead}, for there is no scene {missing}"));
    }
    for scene in named.into_iter().chain(there) {
        let nodes = source.document.get::<Scene>(scene)?.nodes;
        if !nodes.is_empty() {
            if let Some(named) = named.filter(|named| *named != scene) {
                source.document.remark(format!("scene {scene} is shown, for scene {named} is empty"));
            }
            return Ok(nodes);
        }
    }
    let parents = parents(source);
    Ok((0..Node::list(root).len()).filter(|node| !parents.contains_key(node)).collect())
}

fn parents(source: &Source) -> HashMap<usize, usize> {
    let nodes = Node::list(&source.document.root).iter().enumerate();
    let pairs = nodes.flat_map(|(parent, node)| {
        let children = node.get("children").and_then(serde_json::Value::as_array);
        children.into_iter().flatten().filter_map(move |child| Some((child.as_u64()? as usize, parent)))
    });
    pairs.collect()
}

/// Fails for a node that does not exist, is its own descendant, or has a non-finite matrix, if something is drawn by
/// it.
pub fn read(source: &Source) -> Result<Graph> {
    let mut graph = Graph::default();
    let mut stack: Vec<(usize, DMat4, bool)> =
        roots(source)?.into_iter().rev().map(|node| (node, DMat4::IDENTITY, true)).collect();
    let mut worlds: HashMap<usize, DMat4> = HashMap::new();
    let (mut nodes, mut skinned) = (BTreeMap::new(), vec![]);
    let mut again = BTreeSet::new();
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
                    None => source.mesh(mesh)?.weights.clone(),
                };
                let name = match names::clean(node.name.as_str().unwrap_or_default()) {
                    name if name.is_empty() => names::clean(source.mesh(mesh)?.name.as_str().unwrap_or_default()),
                    name => name,
                };
                graph.meshes.push(MeshNode { mesh, name, world_from_mesh: world, weights, joints: None });
            }
            if let (Some(camera), None, true) = (node.camera, graph.camera, is_sane) {
                graph.camera = projection(source, camera).map(|projection| (world, projection));
            }
            if let Some(reference) = &node.extensions.light {
                let light = reference.light.context("no number").and_then(|light| source.document.get::<Light>(light));
                match light {
                    Ok(light) if graph.lights.len() < limits::LIGHTS => graph.lights.push((world, light)),
                    Ok(_) => source.document.report("light", format!("lights after {}", limits::LIGHTS), index),
                    Err(problem) => {
                        source.document.report("node", format!("lights that cannot be read ({problem:#})"), index);
                    }
                }
            }
        }
        nodes.insert(index, node);
    }
    for index in again {
        let twice = "is its own descendant, or has two parents";
        ensure!(!leads_to_something(&nodes, index), "node {index}: {twice}");
    }
    let parents = if skinned.is_empty() { HashMap::new() } else { parents(source) };
    let mut poses: HashMap<usize, Option<Joints>> = HashMap::new();
    for (number, skin) in skinned {
        let joints = poses.entry(skin).or_insert_with(|| match pose(source, skin, &mut worlds, &parents) {
            Ok(joints) => Some(joints.into()),
            Err(problem) => {
                source.document.report("skin", format!("skins that cannot be read ({problem:#})"), skin);
                None
            }
        });
        graph.meshes[number].joints.clone_from(joints);
    }
    Ok(graph)
}

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

fn projection(source: &Source, index: usize) -> Option<Projection> {
    let found = source.document.get::<Camera>(index).ok().and_then(|camera| {
        let perspective = camera.perspective.map(|camera| Projection {
            extent: Extent::Perspective(camera.yfov),
            near: camera.znear,
            far: camera.zfar,
        });
        let orthographic = camera.orthographic.map(|camera| Projection {
            extent: Extent::Orthographic(camera.ymag.abs()),
            near: camera.znear,
            far: camera.zfar,
        });
        let is_complete = |projection: &Projection| match projection.extent {
            Extent::Perspective(angle) => angle > 0.0 && angle < std::f64::consts::PI,
            Extent::Orthographic(half_height) => half_height > 0.0 && half_height <= limits::MATRIX,
        };
        let in_range = |projection: &Projection| projection.near.abs() <= limits::MATRIX;
        perspective.or(orthographic).filter(is_complete).filter(in_range)
    });
    if found.is_none() {
        source.document.report("camera", "cameras that are not complete", index);
    }
    found
}

/// From the mesh at rest to the world, by joint.
fn pose(
    source: &Source,
    skin: usize,
    worlds: &mut HashMap<usize, DMat4>,
    parents: &HashMap<usize, usize>,
) -> Result<Vec<DMat4>> {
    let Skin { joints, inverse_bind_matrices } = source.document.get(skin)?;
    ensure!(!joints.is_empty(), "no joints");
    ensure!(joints.len() <= limits::NODES, "{} joints; at most {}", joints.len(), limits::NODES);
    let inverses: Vec<DMat4> = match inverse_bind_matrices {
        Some(accessor) => {
            let matrices = accessor::read(source, accessor, limits::NODES)?.vectors::<16>()?;
            matrices.iter().map(|matrix| DMat4::from_cols_array(&matrix.map(f64::from))).collect()
        }
        None => vec![],
    };
    let mut pose = Vec::with_capacity(joints.len());
    for (number, joint) in joints.into_iter().enumerate() {
        let world_from_joint = world_from_node(source, joint, worlds, parents)?;
        let world = world_from_joint * inverses.get(number).copied().unwrap_or(DMat4::IDENTITY);
        ensure!(world.is_finite(), "joint {number}: a matrix that is not of finite numbers");
        pose.push(world);
    }
    Ok(pose)
}

fn world_from_node(
    source: &Source,
    node: usize,
    worlds: &mut HashMap<usize, DMat4>,
    parents: &HashMap<usize, usize>,
) -> Result<DMat4> {
    let (mut chain, mut at) = (vec![], node);
    let mut world = loop {
        if let Some(known) = worlds.get(&at) {
            break *known;
        }
        chain.push(at);
        ensure!(chain.len() <= limits::NODES, "node {node}: is its own descendant");
        match parents.get(&at) {
            Some(parent) => at = *parent,
            None => break DMat4::IDENTITY,
        }
    };
    for node in chain.into_iter().rev() {
        world *= source.document.get::<Node>(node)?.parent_from_node();
        worlds.insert(node, world);
    }
    Ok(world)
}
