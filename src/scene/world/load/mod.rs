//! Worlds from glTF 2.0 files (.gltf, .glb). Files are not trusted: whatever one says is checked, and what it may ask for has limits.

mod accessor;
mod layers;
mod limits;
mod material;
mod mesh;
mod root;
mod source;
#[cfg(test)]
mod tests;

use super::{Builder, Corner, Cover, Progress, Stopped, Viewpoint, World, sky};
use anyhow::{Context, Result, anyhow, ensure};
use glam::{Mat4, Vec3};
use gltf::{Node, json};
use source::Source;
use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

/// The world in the glTF file `path`. Its buffers and images lie in its folder, or below it, or in the file itself.
///
/// # Errors
/// One line that names the file, what is wrong and what was expected. Nothing that a file says makes this panic or take memory without
/// bounds. Where the [`Progress`] of the thread is stopped, that it was.
pub fn load(path: &Path) -> Result<World> {
    open(path).map_err(|problem| {
        let line: String =
            format!("{problem:#}").chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect();
        anyhow!("{}: {line}", path.display())
    })
}

/// How far it is (of the whole, from 0 to 1) when the triangles are read, their light is known, and the textures are read.
const READ: f32 = 0.15;
const LIT: f32 = 0.5;
const TEXTURED: f32 = 0.95;

/// A mesh's triangles where a node put them.
struct Placement {
    mesh: usize,
    world_from_mesh: Mat4,
}

/// What the nodes of a scene say.
#[derive(Default)]
struct Walk {
    seen: HashSet<usize>,
    placed: Vec<Placement>,
    camera: Option<(Mat4, f32)>,
}

impl Walk {
    fn node(&mut self, cameras: &[json::Camera], node: &Node, above: Mat4, depth: usize) -> Result<()> {
        let index = node.index();
        ensure!(depth < limits::DEPTH, "node {index}: more than {} nodes above it", limits::DEPTH);
        ensure!(self.seen.insert(index), "node {index}: is its own descendant, or has two parents");
        ensure!(self.seen.len() <= limits::NODES, "more than {} nodes", limits::NODES);
        let world = above * Mat4::from_cols_array_2d(&node.transform().matrix());
        ensure!(world.is_finite(), "node {index}: its transform has a number that is not finite");
        let far = world.w_axis.truncate().abs().max_element();
        ensure!(far <= limits::FAR, "node {index}: is {far} m away; at most {}", limits::FAR);
        if let Some(mesh) = node.mesh() {
            self.placed.push(Placement { mesh: mesh.index(), world_from_mesh: world });
        }
        if let (Some(camera), None) = (node.camera(), self.camera) {
            // Not by `projection`, which panics where the type says one thing and the fields another.
            let perspective = cameras.get(camera.index()).and_then(|camera| camera.perspective.as_ref());
            let angle = perspective.map_or(Viewpoint::default().angle, |perspective| perspective.yfov.to_degrees());
            self.camera = Some((world, angle));
        }
        for child in node.children() {
            self.node(cameras, &child, world, depth + 1)?;
        }
        Ok(())
    }
}

fn open(path: &Path) -> Result<World> {
    let source = Source::open(path)?;
    let mut walk = Walk::default();
    let scene = source.document.default_scene().or_else(|| source.document.scenes().next());
    for node in scene.context("no scene in it")?.nodes() {
        walk.node(&source.document.as_json().cameras, &node, Mat4::IDENTITY, 0)?;
    }
    // What has no volume is there to be hidden.
    walk.placed.retain(|placed| placed.world_from_mesh.determinant().abs() > 1e-30);
    let mut parts = parts(&source, &walk.placed)?;
    let scale = comfortable(&parts, &walk.placed);
    if scale != 1.0 {
        let nearer = Mat4::from_scale(Vec3::splat(scale));
        walk.placed.iter_mut().for_each(|placed| placed.world_from_mesh = nearer * placed.world_from_mesh);
        walk.camera = walk.camera.map(|(at, angle)| (nearer * at, angle));
    }
    bake(&mut parts, &walk.placed)?;
    let world = build(&source, parts, &walk.placed)?;
    ensure!(!world.placed.is_empty(), "nothing to be seen in it: no triangles in the scene");
    let [low, high] = world.bounds;
    ensure!((high - low).is_finite(), "is too large");
    Ok(World { viewpoint: viewpoint(&world, walk.camera), ..world })
}

/// A primitive of a mesh.
struct Part {
    mesh: usize,
    /// None: the default one.
    material: Option<usize>,
    cover: Cover,
    corners: Vec<Corner>,
    indices: Vec<u32>,
}

/// All primitives of the meshes that are placed.
fn parts(source: &Source, placed: &[Placement]) -> Result<Vec<Part>> {
    let used: HashSet<usize> = placed.iter().map(|placed| placed.mesh).collect();
    let mut left = mesh::Left { vertices: limits::VERTICES, triangles: limits::TRIANGLES };
    let mut parts = vec![];
    let (progress, mut done) = (Progress::here(), 0);
    for mesh in source.document.meshes().filter(|mesh| used.contains(&mesh.index())) {
        progress.go_on(READ * done as f32 / used.len().max(1) as f32)?;
        done += 1;
        for (k, primitive) in mesh.primitives().enumerate() {
            let material = primitive.material();
            let (sets, cover) =
                (source.layers(&material).mappings.map(|mapping| mapping.set), material::cover(source, &material));
            let read = mesh::read(source, &primitive, (sets, cover), &mut left)
                .with_context(|| format!("mesh {}, primitive {k}", mesh.index()))?;
            ensure!(parts.len() < limits::PARTS, "more than {} parts of meshes", limits::PARTS);
            if let Some((corners, indices)) = read.filter(|(_, indices)| !indices.is_empty()) {
                parts.push(Part { mesh: mesh.index(), material: material.index(), cover, corners, indices });
            }
        }
    }
    Ok(parts)
}

/// What all lengths are multiplied with, so that a scene in millimetres or in light years is as large as what haze, shadows and the near
/// plane are made for: 1 where it is.
fn comfortable(parts: &[Part], placed: &[Placement]) -> f32 {
    let mut boxes: BTreeMap<usize, [Vec3; 2]> = BTreeMap::new();
    for part in parts {
        let [low, high] = boxes.entry(part.mesh).or_insert([Vec3::INFINITY, Vec3::NEG_INFINITY]);
        for corner in &part.corners {
            (*low, *high) = (low.min(corner.position), high.max(corner.position));
        }
    }
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for placed in placed {
        let Some(bounds) = boxes.get(&placed.mesh) else { continue };
        for k in 0..8 {
            let pick = |axis: usize| bounds[k >> axis & 1][axis];
            let at = placed.world_from_mesh.transform_point3(Vec3::new(pick(0), pick(1), pick(2)));
            (low, high) = (low.min(at), high.max(at));
        }
    }
    let radius = (high - low).length() * 0.5;
    if !radius.is_finite() || radius <= 0.0 || limits::RADIUS.contains(&radius) { 1.0 } else { limits::HOME / radius }
}

/// How much of the sky is seen, where that is not too much to ask for. Each mesh is baked where it stands first.
fn bake(parts: &mut [Part], placed: &[Placement]) -> Result<(), Stopped> {
    let progress = Progress::here();
    let mut first: BTreeMap<usize, Mat4> = BTreeMap::new();
    let mut triangles: BTreeMap<usize, usize> = BTreeMap::new();
    for placed in placed {
        first.entry(placed.mesh).or_insert(placed.world_from_mesh);
    }
    for part in parts.iter() {
        *triangles.entry(part.mesh).or_default() += part.indices.len() / 3;
    }
    let all: usize = placed.iter().filter_map(|placed| triangles.get(&placed.mesh)).sum();
    let vertices: usize = parts.iter().map(|part| part.corners.len()).sum();
    if all > limits::SKY || vertices > limits::SKY {
        return Ok(());
    }
    let (mut occluders, mut points) = (Vec::with_capacity(all), Vec::with_capacity(vertices));
    let mut of_mesh: BTreeMap<usize, Vec<&Part>> = BTreeMap::new();
    for part in parts.iter() {
        of_mesh.entry(part.mesh).or_default().push(part);
    }
    for placed in placed {
        // Light goes through what is seen through.
        let solid = of_mesh.get(&placed.mesh).into_iter().flatten().filter(|part| part.cover != Cover::Blend);
        for part in solid {
            occluders.extend(part.indices.chunks_exact(3).map(|triangle| {
                [0, 1, 2].map(|k| placed.world_from_mesh.transform_point3(part.corners[triangle[k] as usize].position))
            }));
        }
    }
    for part in parts.iter() {
        let world_from_mesh = first.get(&part.mesh).copied().unwrap_or_default();
        let normals = world_from_mesh.inverse().transpose();
        points.extend(part.corners.iter().map(|corner| {
            let normal = normals.transform_vector3(corner.normal).normalize_or(Vec3::Y);
            (world_from_mesh.transform_point3(corner.position), normal)
        }));
    }
    let told = |part: f32| progress.go_on(READ + (LIT - READ) * part).is_ok();
    let seen = sky::seen(&points, &occluders, &told);
    progress.go_on(LIT)?;
    parts.iter_mut().flat_map(|part| &mut part.corners).zip(seen).for_each(|(corner, sky)| corner.sky = sky);
    Ok(())
}

fn build(source: &Source, parts: Vec<Part>, placed: &[Placement]) -> Result<World> {
    let mut builder = Builder::new();
    let mut wanted: Vec<Option<usize>> = parts.iter().map(|part| part.material).collect();
    wanted.sort_unstable();
    wanted.dedup();
    // The default material has no index, and is not in the list: a primitive without one leads to it.
    let materials = source.document.meshes().flat_map(|mesh| mesh.primitives()).map(|primitive| primitive.material());
    let mut by_index = BTreeMap::new();
    for material in materials {
        by_index.entry(material.index()).or_insert(material);
    }
    let used: Vec<_> = wanted.iter().filter_map(|index| by_index.get(index).cloned()).collect();
    let progress = Progress::here();
    let numbers = material::add(source, &mut builder, &used, &|part| progress.go_on(LIT + (TEXTURED - LIT) * part))?;
    let number: BTreeMap<_, _> = used.iter().map(gltf::Material::index).zip(numbers).collect();
    let mut meshes: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
    for part in parts {
        progress.go_on(TEXTURED)?;
        let mesh = builder.mesh(part.corners, part.indices).map_err(anyhow::Error::msg)?;
        let material = number.get(&part.material).copied().unwrap_or_default();
        meshes.entry(part.mesh).or_default().push((mesh, material));
    }
    for placed in placed {
        for (mesh, material) in meshes.get(&placed.mesh).into_iter().flatten() {
            builder.place(*mesh, placed.world_from_mesh, *material).map_err(anyhow::Error::msg)?;
            ensure!(builder.placed() <= limits::PLACED, "more than {} meshlet instances", limits::PLACED);
        }
    }
    Ok(builder.finish(Viewpoint::default()))
}

/// The file's own camera, else one that sees everything.
fn viewpoint(world: &World, camera: Option<(Mat4, f32)>) -> Viewpoint {
    let [low, high] = world.bounds;
    let (middle, radius) = ((low + high) * 0.5, ((high - low).length() * 0.5).max(1e-6));
    let framed = |angle: f32| radius / (0.5 * angle.to_radians()).sin();
    let home = Viewpoint { target: middle, orbit: 30.0, height: 15.0, ..Viewpoint::default() };
    let home = Viewpoint { distance: 0.8 * framed(home.angle), ..home };
    let Some((world_from_camera, angle)) = camera else { return home };
    let eye = world_from_camera.w_axis.truncate();
    let Some(forward) = (-world_from_camera.z_axis.truncate()).try_normalize() else { return home };
    let angle = if angle.is_finite() { angle.clamp(5.0, 120.0) } else { home.angle };
    // What is looked at lies as far ahead as the middle of everything, but not behind.
    let distance = (middle - eye).dot(forward).max(0.1 * radius);
    let orbit = (-forward.x).atan2(-forward.z).to_degrees();
    let height = (-forward.y).clamp(-1.0, 1.0).asin().to_degrees();
    Viewpoint { target: eye + forward * distance, orbit, height, distance, angle }
}
