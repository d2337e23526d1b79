//! Loader of worlds from glTF 2.0 files (.gltf, .glb). Files are untrusted: all values are checked and limited.

mod accessor;
mod document;
mod draco;
mod graph;
mod layers;
mod light;
mod limits;
mod material;
mod mesh;
mod meshopt;
#[cfg(test)]
mod pose_tests;
#[cfg(test)]
mod real_tests;
mod schema;
mod schema_material;
mod shape;
mod source;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tolerance_tests;
mod used;
mod view;
mod words;

use super::{AlphaMode, Builder, Corner, Viewpoint, World, sky_visibility};
use anyhow::{Context, Result, anyhow, ensure};
use base::{
    job::{Cancelled, Progress},
    notes::Notes,
};
use glam::{DMat4, DVec3, Mat4, Vec3};
use graph::{Graph, MeshNode, Projection};
use material::FileMaterial;
use schema::Light;
use shape::{Flattening, Shape};
use source::Source;
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

/// The error is one line; no content of a file causes a panic or unbounded memory use.
pub fn load(path: &Path, progress: &Progress) -> Result<(World, Notes)> {
    let one_line =
        |text: String| -> String { text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect() };
    open(path, progress).map_err(|problem| anyhow!("{}: {}", path.display(), one_line(format!("{problem:#}"))))
}

const READ: f32 = 0.15;
const LIT: f32 = 0.5;
const TEXTURED: f32 = 0.95;

struct Placement {
    shape: usize,
    name: Arc<str>,
    world_from_shape: DMat4,
}

struct SceneParts {
    parts: Parts,
    placed: Vec<Placement>,
    camera: Option<(DMat4, Projection)>,
    lights: Vec<(DMat4, Light)>,
}

fn drawn(source: &Source) -> Result<SceneParts> {
    let Graph { meshes, camera, lights } = graph::read(source)?;
    let (shapes, placed) = shapes(source, meshes)?;
    Ok(SceneParts { parts: parts(source, &shapes)?, placed, camera, lights })
}

fn open(path: &Path, progress: &Progress) -> Result<(World, Notes)> {
    let source = Source::open(path, progress)?;
    let drawn = drawn(&source);
    source.document.check_required()?;
    let SceneParts { parts, mut placed, mut camera, mut lights } = drawn?;
    let Parts { mut parts, materials, reader } = parts;
    let Spread { bounds, covered } = spread(&parts, &placed);
    if view::is_behind_far_plane(bounds, camera) {
        source.document.note("the far plane of the camera, behind which there is something");
    }
    if covered < SPECK * SPECK * (bounds[1] - bounds[0]).length_squared() / 4.0 {
        source.document.remark("the scene's parts are too far apart to be seen together");
    }
    let fit = Fit::of(bounds)?;
    let fitted = fit.matrix();
    placed.iter_mut().for_each(|placed| placed.world_from_shape = fitted * placed.world_from_shape);
    lights.iter_mut().for_each(|(at, _)| *at = fitted * *at);
    if let Some((at, _)) = &mut camera {
        *at = fitted * *at;
    }
    // Far from the origin the first box is coarse.
    let bounds = spread(&parts, &placed).bounds;
    bake(&mut parts, &placed, progress)?;
    let mut world = build(&source, parts, materials, &reader, &placed)?;
    ensure!(!world.meshlet_instances.is_empty(), "nothing to be seen in it: no triangles in the scene");
    let [low, high] = world.bounds;
    ensure!((high - low).is_finite(), "is too large");
    world.lamps = light::lamps(&source, &lights, fit.scale);
    light::adapt(&source, &mut world);
    world.bounds = bounds.map(|at| at.as_vec3());
    let own = view::viewpoint(world.bounds, camera, fit.scale);
    world.is_framed = own.is_none();
    let orthographic;
    (world.viewpoint, orthographic) = own.unwrap_or_else(|| (view::home(world.bounds), false));
    world.haze = view::haze(world.bounds, orthographic);
    Ok((world, source.document.notes()))
}

/// Radius of a disc that is a pixel or two wide when the whole scene is visible.
const SPECK: f64 = 2.5e-3;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Fit {
    /// 1 if the scene's size suits shadows and the near plane.
    scale: f64,
    /// A scene far from the origin is moved there, because of single precision.
    middle: DVec3,
}

/// In radii: single precision keeps 6e-8 of the distance, 1e-6 of the radius here; a texel of the shadow map is 1e-3 of
/// it.
const AWAY: f64 = 16.0;

/// Radius over distance: double precision keeps 1e-16 of the distance.
const LOST: f64 = 1e-12;

impl Fit {
    fn of([low, high]: [DVec3; 2]) -> Result<Self> {
        let (middle, radius) = ((low + high) * 0.5, (high - low).length() * 0.5);
        if radius == 0.0 || !radius.is_finite() {
            return Ok(Self { scale: 1.0, middle: DVec3::ZERO });
        }
        let far = middle.length();
        ensure!(
            radius >= far * LOST,
            "is {far:.1e} m from the origin: too far for a scene with a radius of {radius:.1e} m"
        );
        let scale = if limits::RADIUS.contains(&radius) { 1.0 } else { limits::HOME / radius };
        let is_away = far.is_finite() && far > AWAY * radius;
        Ok(Self { scale, middle: if is_away { middle } else { DVec3::ZERO } })
    }

    fn matrix(self) -> DMat4 {
        DMat4::from_scale(DVec3::splat(self.scale)) * DMat4::from_translation(-self.middle)
    }
}

fn shapes(source: &Source, nodes: Vec<MeshNode>) -> Result<(Vec<Shape>, Vec<Placement>)> {
    let (mut shapes, mut placed): (Vec<Shape>, Vec<Placement>) = (vec![], vec![]);
    let mut rigid: HashMap<(usize, Vec<u64>), usize> = HashMap::new();
    for MeshNode { mesh, name, world_from_mesh, mut weights, joints } in nodes {
        while weights.last() == Some(&0.0) {
            weights.pop();
        }
        let has_joints = joints.is_some() && shape::has_joints(&source.mesh(mesh)?.primitives);
        if joints.is_some() && !has_joints {
            source.document.report("mesh", "skins of meshes without joints", mesh);
        }
        let joints = joints.filter(|_| has_joints);
        let is_skinned = joints.is_some();
        let world = if is_skinned { DMat4::IDENTITY } else { world_from_mesh };
        let flat = match shape::flattening(&world) {
            Flattening::Nothing => continue,
            Flattening::Plane(linear) => Some(linear),
            Flattening::Body => None,
        };
        let own = is_skinned || flat.is_some();
        let key = (mesh, weights.iter().map(|weight| weight.to_bits()).collect());
        let shape = match rigid.get(&key).filter(|_| !own) {
            Some(known) => *known,
            None => {
                shapes.push(Shape { mesh, weights, joints, flat });
                if !own {
                    rigid.insert(key, shapes.len() - 1);
                }
                shapes.len() - 1
            }
        };
        let world_from_shape = if flat.is_some() { DMat4::from_translation(world.w_axis.truncate()) } else { world };
        placed.push(Placement { shape, name, world_from_shape });
    }
    Ok((shapes, placed))
}

struct Part {
    shape: usize,
    material: usize,
    alpha_mode: AlphaMode,
    corners: Vec<Corner>,
    indices: Vec<u32>,
    origin: DVec3,
}

impl Part {
    fn world_from_part(&self, placed: &Placement) -> DMat4 {
        placed.world_from_shape * DMat4::from_translation(self.origin)
    }
}

struct Parts {
    parts: Vec<Part>,
    materials: Vec<FileMaterial>,
    reader: material::Reader,
}

fn parts(source: &Source, shapes: &[Shape]) -> Result<Parts> {
    let mut left = used::Left::new();
    let (mut parts, mut materials, mut reader) = (vec![], vec![], material::Reader::default());
    let mut numbers: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for (done, shape) in shapes.iter().enumerate() {
        source.progress.check(READ * done as f32 / shapes.len() as f32)?;
        let mesh = shape.mesh;
        for (k, value) in source.mesh(mesh)?.primitives.iter().enumerate() {
            let place = || format!("mesh {mesh}, primitive {k}");
            let primitive = source.document.primitive(mesh, k, value).with_context(place)?;
            let number = document::number_of(mesh, k);
            if !mesh::is_drawn(source, &primitive, number) {
                continue;
            }
            let material = match numbers.get(&primitive.material) {
                Some(known) => *known,
                None => {
                    materials.push(reader.read(source, primitive.material)?);
                    numbers.insert(primitive.material, materials.len() - 1);
                    materials.len() - 1
                }
            };
            let needs = materials[material].needs();
            ensure!(parts.len() < limits::PARTS, "more than {} parts of meshes", limits::PARTS);
            let geometry = mesh::read(source, &primitive, needs, shape, &mut left, number).with_context(place)?;
            if let Some(mesh::Geometry { corners, indices, origin }) = geometry.filter(|g| !g.indices.is_empty()) {
                parts.push(Part { shape: done, material, alpha_mode: needs.alpha_mode, corners, indices, origin });
            }
        }
    }
    Ok(Parts { parts, materials, reader })
}

fn by_shape(parts: &[Part]) -> BTreeMap<usize, Vec<&Part>> {
    let mut by_shape: BTreeMap<usize, Vec<&Part>> = BTreeMap::new();
    for part in parts {
        by_shape.entry(part.shape).or_default().push(part);
    }
    by_shape
}

struct Spread {
    bounds: [DVec3; 2],
    /// Sum of the squared radii of its parts.
    covered: f64,
}

fn spread(parts: &[Part], placed: &[Placement]) -> Spread {
    const NOTHING: [DVec3; 2] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let with = |[low, high]: [DVec3; 2], at: DVec3| [low.min(at), high.max(at)];
    let boxes: Vec<[DVec3; 2]> = parts
        .iter()
        .map(|part| part.corners.iter().map(|corner| corner.position.as_dvec3()).fold(NOTHING, with))
        .collect();
    let mut of_shape: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, part) in parts.iter().enumerate() {
        of_shape.entry(part.shape).or_default().push(number);
    }
    let mut all = Spread { bounds: NOTHING, covered: 0.0 };
    for placed in placed {
        for number in of_shape.get(&placed.shape).into_iter().flatten() {
            let (corners, world_from_part) = (&boxes[*number], parts[*number].world_from_part(placed));
            let pick = |k: usize, axis: usize| corners[k >> axis & 1][axis];
            let corners = (0..8).map(|k| DVec3::new(pick(k, 0), pick(k, 1), pick(k, 2)));
            let [low, high] = corners.map(|at| world_from_part.transform_point3(at)).fold(NOTHING, with);
            all.covered += (high - low).length_squared() / 4.0;
            all.bounds = with(with(all.bounds, low), high);
        }
    }
    all
}

fn bake(parts: &mut [Part], placed: &[Placement], progress: &Progress) -> Result<(), Cancelled> {
    let mut first: BTreeMap<usize, DMat4> = BTreeMap::new();
    for placed in placed {
        first.entry(placed.shape).or_insert(placed.world_from_shape);
    }
    let (mut occluders, mut points) = (vec![], vec![]);
    {
        let of_shape = by_shape(parts);
        let triangles = |placed: &Placement| -> usize {
            of_shape.get(&placed.shape).into_iter().flatten().map(|part| part.indices.len() / 3).sum()
        };
        let all: usize = placed.iter().map(triangles).sum();
        let vertices: usize = parts.iter().map(|part| part.corners.len()).sum();
        if all > limits::SKY || vertices > limits::SKY {
            return Ok(());
        }
        for placed in placed {
            let solid =
                of_shape.get(&placed.shape).into_iter().flatten().filter(|part| part.alpha_mode != AlphaMode::Blend);
            for part in solid {
                let world_from_part = part.world_from_part(placed).as_mat4();
                occluders.extend(part.indices.chunks_exact(3).map(|triangle| {
                    [0, 1, 2].map(|k| world_from_part.transform_point3(part.corners[triangle[k] as usize].position))
                }));
            }
        }
        for part in parts.iter() {
            let world_from_shape = first.get(&part.shape).copied().unwrap_or_default();
            let world_from_part = (world_from_shape * DMat4::from_translation(part.origin)).as_mat4();
            let normals = world_from_part.inverse().transpose();
            points.extend(part.corners.iter().map(|corner| {
                let normal = normals.transform_vector3(corner.normal).normalize_or(Vec3::Y);
                (world_from_part.transform_point3(corner.position), normal)
            }));
        }
    }
    let lit = |part: f32| progress.check(READ + (LIT - READ) * part).is_ok();
    let seen = sky_visibility::seen(&points, &occluders, &lit);
    progress.check(LIT)?;
    parts.iter_mut().flat_map(|part| &mut part.corners).zip(seen).for_each(|(corner, sky)| corner.sky = sky);
    Ok(())
}

fn build(
    source: &Source,
    parts: Vec<Part>,
    materials: Vec<FileMaterial>,
    reader: &material::Reader,
    placed: &[Placement],
) -> Result<World> {
    let mut builder = Builder::new();
    let textured = |part: f32| source.progress.check(LIT + (TEXTURED - LIT) * part);
    let numbers = material::add(source, reader, &mut builder, &materials, &textured)?;
    let mut meshes: BTreeMap<usize, Vec<(u32, u32, DVec3)>> = BTreeMap::new();
    for part in parts {
        source.progress.check(TEXTURED)?;
        let mesh = builder.mesh(part.corners, part.indices).map_err(anyhow::Error::msg)?;
        let material = numbers.get(part.material).copied().unwrap_or_default();
        meshes.entry(part.shape).or_default().push((mesh, material, part.origin));
    }
    for placed in placed {
        for (mesh, material, origin) in meshes.get(&placed.shape).into_iter().flatten() {
            let world_from_part: Mat4 = (placed.world_from_shape * DMat4::from_translation(*origin)).as_mat4();
            builder.place(*mesh, world_from_part, *material).map_err(anyhow::Error::msg)?;
            builder.name_placed(placed.name.clone());
            ensure!(builder.placed() <= limits::PLACED, "more than {} meshlet instances", limits::PLACED);
        }
    }
    Ok(builder.finish(Viewpoint::default()))
}
