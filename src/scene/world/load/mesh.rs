//! Meshes of a scene: triangles, and the normals and tangents that are missing.

use super::{accessor, limits, source::Source};
use crate::scene::world::{Corner, Cover};
use anyhow::{Context, Result, bail, ensure};
use glam::{Vec2, Vec3};
use gltf::{Primitive, Semantic, mesh::Mode};
use std::collections::HashMap;

/// Corners, and three indices for each triangle.
pub type Mesh = (Vec<Corner>, Vec<u32>);

/// What may still be read.
pub struct Left {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
}

/// The triangles of `primitive`; none where it is of points or lines. `sets`: which texture coordinates are the first and the second ones;
/// and how its material covers what lies behind.
pub fn read(
    source: &Source,
    primitive: &Primitive,
    (sets, cover): ([u32; 2], Cover),
    left: &mut Left,
) -> Result<Option<Mesh>> {
    let Some(positions) = primitive.get(&Semantic::Positions) else { return Ok(None) };
    if matches!(primitive.mode(), Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
        return Ok(None);
    }
    let get = |semantic: Semantic| {
        let found = primitive.get(&semantic);
        found.map(|found| accessor::read(source, &found, limits::VERTICES)).transpose()
    };
    let positions = accessor::read(source, &positions, left.vertices)
        .with_context(|| format!("positions (at most {} vertices)", limits::VERTICES))?;
    let count = positions.count;
    let mut corners: Vec<Corner> = positions
        .vectors::<3>()?
        .into_iter()
        .map(|position| Corner { position: position.into(), ..Corner::default() })
        .collect();
    let near = |corner: &Corner| corner.position.to_array().iter().all(|x| x.abs() <= limits::FAR);
    ensure!(corners.iter().all(near), "a position that is not a number within {} m", limits::FAR);
    let same = |what: &str, found: usize| {
        ensure!(found == count, "{found} {what}; expected {count}, as many as positions");
        Ok(())
    };
    for (which, set) in sets.into_iter().enumerate() {
        let Some(uvs) = get(Semantic::TexCoords(set))? else { continue };
        same("texture coordinates", uvs.count)?;
        for (corner, uv) in corners.iter_mut().zip(uvs.vectors::<2>()?) {
            let uv = Vec2::from(uv);
            let uv = if uv.is_finite() { uv.clamp(Vec2::splat(-1e4), Vec2::splat(1e4)) } else { Vec2::ZERO };
            *if which == 0 { &mut corner.uv } else { &mut corner.uv2 } = uv;
        }
    }
    if cover != Cover::Opaque {
        corners.iter_mut().for_each(|corner| corner.alpha = Some(1.0));
    }
    if let Some(colors) = get(Semantic::Colors(0))? {
        same("colours", colors.count)?;
        for (corner, color) in corners.iter_mut().zip(colors.vectors::<3>()?) {
            corner.color = Vec3::from(color).clamp(Vec3::ZERO, Vec3::ONE);
        }
        if colors.wide > 3 && cover != Cover::Opaque {
            for (corner, [.., alpha]) in corners.iter_mut().zip(colors.vectors::<4>()?) {
                corner.alpha = Some(if alpha.is_finite() { alpha.clamp(0.0, 1.0) } else { 1.0 });
            }
        }
    }
    let indices = match primitive.indices() {
        Some(indices) => accessor::read(source, &indices, limits::TRIANGLES * 3)?.whole()?,
        None => (0..count as u32).collect(),
    };
    if let Some(index) = indices.iter().find(|index| **index as usize >= count) {
        bail!("index {index} of {count} vertices");
    }
    let mut indices = triangles(&indices, primitive.mode());
    ensure!(indices.len() / 3 <= left.triangles, "more than {} triangles", limits::TRIANGLES);
    match get(Semantic::Normals)? {
        Some(normals) => {
            same("normals", normals.count)?;
            for (corner, normal) in corners.iter_mut().zip(normals.vectors::<3>()?) {
                corner.normal = unit(normal.into()).unwrap_or(Vec3::Y);
            }
        }
        None => {
            ensure!(indices.len() <= left.vertices, "more than {} vertices, one for each corner", limits::VERTICES);
            (corners, indices) = flat(&corners, &indices);
        }
    }
    // Tangents belong to normals: without those they are computed again.
    let given = if primitive.get(&Semantic::Normals).is_some() { get(Semantic::Tangents)? } else { None };
    match given {
        Some(tangents) => {
            same("tangents", tangents.count)?;
            for (corner, [x, y, z, sign]) in corners.iter_mut().zip(tangents.vectors::<4>()?) {
                let along = Vec3::new(x, y, z);
                corner.tangent = across(along, corner.normal);
                corner.flipped = sign < 0.0;
            }
        }
        None => tangents(&mut corners, &indices),
    }
    // The inside of a closed body is seen where its outside is not whole.
    if primitive.material().double_sided() && (cover != Cover::Opaque || !is_closed(&corners, &indices)) {
        ensure!(corners.len() * 2 <= left.vertices, "more than {} vertices, with both sides", limits::VERTICES);
        ensure!(indices.len() / 3 * 2 <= left.triangles, "more than {} triangles, with both sides", limits::TRIANGLES);
        let base = corners.len() as u32;
        let back = |corner: &Corner| Corner { normal: -corner.normal, flipped: !corner.flipped, ..*corner };
        corners.extend(corners.clone().iter().map(back));
        let backs: Vec<u32> = indices.chunks_exact(3).flat_map(|t| [base + t[0], base + t[2], base + t[1]]).collect();
        indices.extend(backs);
    }
    left.vertices -= corners.len();
    left.triangles -= indices.len() / 3;
    Ok(Some((corners, indices)))
}

fn unit(v: Vec3) -> Option<Vec3> {
    if v.is_finite() { v.try_normalize() } else { None }
}

/// The part of `along` that lies across `normal`, of length 1.
fn across(along: Vec3, normal: Vec3) -> Vec3 {
    unit(along - normal * normal.dot(along)).unwrap_or_else(|| normal.any_orthonormal_vector())
}

/// Strips and fans as single triangles, each facing as the first of them does; those with two equal corners are left out.
fn triangles(indices: &[u32], mode: Mode) -> Vec<u32> {
    let all: Vec<[u32; 3]> = match mode {
        Mode::TriangleStrip => indices
            .windows(3)
            .enumerate()
            .map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
            .collect(),
        Mode::TriangleFan => match indices {
            [middle, rim @ ..] => rim.windows(2).map(|pair| [pair[0], pair[1], *middle]).collect(),
            [] => vec![],
        },
        _ => indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
    };
    all.into_iter().filter(|[a, b, c]| a != b && b != c && a != c).flatten().collect()
}

/// Each triangle with corners and a normal of its own, as the format asks for where there are no normals.
fn flat(corners: &[Corner], indices: &[u32]) -> Mesh {
    let mut own = Vec::with_capacity(indices.len());
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize]);
        let normal = unit((b.position - a.position).cross(c.position - a.position)).unwrap_or(Vec3::Y);
        own.extend([a, b, c].map(|corner| Corner { normal, ..corner }));
    }
    let indices = (0..own.len() as u32).collect();
    (own, indices)
}

/// Tangents along increasing u, and on which side increasing v lies; the texture's first row is v = 0, so that "up" in a normal map is
/// against it.
fn tangents(corners: &mut [Corner], indices: &[u32]) {
    let mut sums = vec![(Vec3::ZERO, Vec3::ZERO); corners.len()];
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize]);
        let (e, f) = (b.position - a.position, c.position - a.position);
        let (s, t) = (b.uv - a.uv, c.uv - a.uv);
        let area = s.perp_dot(t);
        if area.abs() < 1e-20 {
            continue;
        }
        // Not divided by the area in the texture: each triangle counts by its size.
        let (du, dv) = ((e * t.y - f * s.y) * area.signum(), (f * s.x - e * t.x) * area.signum());
        for k in triangle {
            let sum = &mut sums[*k as usize];
            *sum = (sum.0 + du, sum.1 + dv);
        }
    }
    for (corner, (du, dv)) in corners.iter_mut().zip(sums) {
        corner.tangent = across(du, corner.normal);
        corner.flipped = corner.normal.cross(corner.tangent).dot(dv) > 0.0;
    }
}

/// Whether no back face can be seen from outside: each edge is met once each way, and faces look outwards.
fn is_closed(corners: &[Corner], indices: &[u32]) -> bool {
    let mut numbers = HashMap::new();
    let welded: Vec<u32> = corners
        .iter()
        .map(|corner| {
            // Adding 0 makes both zeros the same.
            let bits = (corner.position + Vec3::ZERO).to_array().map(f32::to_bits);
            let next = numbers.len() as u32;
            *numbers.entry(bits).or_insert(next)
        })
        .collect();
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    let mut volume = 0.0_f64;
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize].position.as_dvec3());
        volume += a.dot(b.cross(c));
        let [a, b, c] = [0, 1, 2].map(|k| welded[triangle[k] as usize]);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let step = if from < to { 1 } else { -1 };
            *edges.entry((from.min(to), from.max(to))).or_default() += step;
        }
    }
    volume > 0.0 && edges.values().all(|count| *count == 0)
}
