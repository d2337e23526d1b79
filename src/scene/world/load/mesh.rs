//! Meshes of a scene: triangles in their pose, and the normals and tangents that are missing.

use super::{
    accessor,
    accessor::Elements,
    draco::Compressed,
    limits,
    schema::Primitive,
    shape::{Attributes, Shape, skin_of},
    source::Source,
};
use crate::scene::world::{Corner, Cover};
use anyhow::{Context, Result, bail, ensure};
use glam::{DVec3, Vec2, Vec3};

/// Corners, and three indices for each triangle.
type Mesh = (Vec<Corner>, Vec<u32>);

/// A primitive's triangles.
pub struct Geometry {
    pub corners: Vec<Corner>,
    pub indices: Vec<u32>,
    /// Where their origin is in the shape's space.
    pub origin: DVec3,
}

/// What may still be read.
pub struct Left {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
}

/// What a primitive's material asks of its triangles.
#[derive(Clone, Copy)]
pub struct Needs {
    /// Which texture coordinates are the first and the second ones.
    pub sets: [u32; 2],
    pub cover: Cover,
    pub double_sided: bool,
}

/// Modes from here on are of triangles.
const TRIANGLES: u64 = 4;
const STRIP: u64 = 5;
const FAN: u64 = 6;

/// The accessor of an attribute.
pub fn attribute(primitive: &Primitive, name: &str) -> Option<usize> {
    primitive.attributes.get(name)?.as_u64().map(|index| usize::try_from(index).unwrap_or(usize::MAX))
}

/// The triangles of `primitive` in a shape of its mesh; none where it is of points or lines. `number` is the primitive's in reports.
pub fn read(
    source: &Source,
    primitive: &Primitive,
    needs: Needs,
    shape: &Shape,
    (left, number): (&mut Left, usize),
) -> Result<Option<Geometry>> {
    let Some(index) = attribute(primitive, "POSITION") else { return Ok(None) };
    if primitive.mode < TRIANGLES {
        source.document.report("primitive", "points and lines", number);
        return Ok(None);
    }
    ensure!(primitive.mode <= FAN, "mode {}; expected 0 to 6", primitive.mode);
    let compressed = Compressed::of(source, primitive, index, left)?;
    for name in primitive.attributes.keys().filter(|name| !is_read(name)) {
        source.document.report("primitive", name.chars().take(40).collect::<String>(), number);
    }
    let most = left.vertices;
    let get = |name: &str| -> Result<Option<Elements>> {
        let Some(index) = attribute(primitive, name) else { return Ok(None) };
        let decoded = compressed.as_ref().map(|compressed| compressed.attribute(source, name, index)).transpose()?;
        match decoded.flatten() {
            Some(decoded) => Ok(Some(decoded)),
            None => accessor::read(source, index, most).map(Some),
        }
    };
    let positions = get("POSITION").with_context(|| format!("positions (at most {} vertices)", limits::VERTICES))?;
    let Some(positions) = positions else { return Ok(None) };
    let count = positions.count;
    let positions = positions.vectors::<3>()?;
    let is_near = |position: &[f32; 3]| position.iter().all(|x| x.abs() <= limits::FAR);
    ensure!(positions.iter().all(is_near), "a position that is not a number within {} m", limits::FAR);
    let same = |what: &str, found: usize| {
        ensure!(found == count, "{found} {what}; expected {count}, as many as positions");
        Ok(())
    };
    let double = |v: &[f32; 3]| Vec3::from(*v).as_dvec3();
    let mut attributes =
        Attributes { positions: positions.iter().map(double).collect(), normals: vec![], tangents: vec![] };
    if let Some(normals) = get("NORMAL")? {
        same("normals", normals.count)?;
        attributes.normals = normals.vectors::<3>()?.iter().map(double).collect();
        // Tangents belong to normals: without those they are computed again.
        if let Some(tangents) = get("TANGENT")? {
            same("tangents", tangents.count)?;
            let signed = |[x, y, z, sign]: [f32; 4]| (Vec3::new(x, y, z).as_dvec3(), sign < 0.0);
            attributes.tangents = tangents.vectors::<4>()?.into_iter().map(signed).collect();
        }
    }
    attributes.morph(source, primitive, &shape.weights, number)?;
    let joints = if shape.joints.is_some() { skin_of(&get, count)? } else { vec![] };
    let origin = attributes.pose(shape, &joints)?;
    let mut corners: Vec<Corner> = attributes
        .positions
        .iter()
        .map(|position| Corner { position: (position - origin).as_vec3(), ..Corner::default() })
        .collect();
    ensure!(corners.iter().all(|corner| corner.position.is_finite()), "a position in its pose that is not finite");
    for (which, set) in needs.sets.into_iter().enumerate() {
        let Some(uvs) = get(&format!("TEXCOORD_{set}"))? else { continue };
        same("texture coordinates", uvs.count)?;
        for (corner, uv) in corners.iter_mut().zip(uvs.vectors::<2>()?) {
            let uv = Vec2::from(uv);
            let uv = if uv.is_finite() { uv.clamp(Vec2::splat(-1e4), Vec2::splat(1e4)) } else { Vec2::ZERO };
            *if which == 0 { &mut corner.uv } else { &mut corner.uv2 } = uv;
        }
    }
    let cover = needs.cover;
    if cover != Cover::Opaque {
        corners.iter_mut().for_each(|corner| corner.alpha = Some(1.0));
    }
    if let Some(colors) = get("COLOR_0")? {
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
    let (indices, mode) = match (&compressed, primitive.indices) {
        (Some(compressed), _) => (compressed.indices(), TRIANGLES),
        (None, Some(indices)) => (accessor::read(source, indices, limits::TRIANGLES * 3)?.whole()?, primitive.mode),
        (None, None) => ((0..count as u32).collect(), primitive.mode),
    };
    if let Some(index) = indices.iter().find(|index| **index as usize >= count) {
        bail!("index {index} of {count} vertices");
    }
    let mut indices = triangles(&indices, mode);
    if shape.flat.is_some() {
        indices = with_area(&corners, &indices);
    }
    ensure!(indices.len() / 3 <= left.triangles, "more than {} triangles", limits::TRIANGLES);
    if attributes.normals.is_empty() {
        ensure!(indices.len() <= left.vertices, "more than {} vertices, one for each corner", limits::VERTICES);
        (corners, indices) = flat(&corners, &indices);
    } else {
        for (corner, normal) in corners.iter_mut().zip(&attributes.normals) {
            corner.normal = unit(normal.as_vec3()).unwrap_or(Vec3::Y);
        }
    }
    if attributes.tangents.is_empty() {
        tangents(&mut corners, &indices);
    } else {
        for (corner, (along, flipped)) in corners.iter_mut().zip(&attributes.tangents) {
            corner.tangent = across(along.as_vec3(), corner.normal);
            corner.flipped = *flipped;
        }
    }
    if needs.double_sided {
        let fits = corners.len() * 2 <= left.vertices && indices.len() / 3 * 2 <= left.triangles;
        if fits {
            add_backs(&mut corners, &mut indices);
        } else {
            source.document.report("primitive", "back faces, for which there is no room", number);
        }
    }
    left.vertices -= corners.len();
    left.triangles -= indices.len() / 3;
    Ok(Some(Geometry { corners, indices, origin }))
}

/// Whether an attribute is read, or nothing that is drawn refers to it: further texture coordinates and joints, and those of applications.
fn is_read(name: &str) -> bool {
    let parts = ["TEXCOORD_", "JOINTS_", "WEIGHTS_", "_"];
    matches!(name, "POSITION" | "NORMAL" | "TANGENT" | "COLOR_0") || parts.iter().any(|part| name.starts_with(part))
}

/// Both sides as triangles of their own: the eye may be on either, inside of a closed body too.
fn add_backs(corners: &mut Vec<Corner>, indices: &mut Vec<u32>) {
    let base = corners.len() as u32;
    let back = |corner: &Corner| Corner { normal: -corner.normal, flipped: !corner.flipped, ..*corner };
    let backs: Vec<Corner> = corners.iter().map(back).collect();
    corners.extend(backs);
    let backs: Vec<u32> = indices.chunks_exact(3).flat_map(|t| [base + t[0], base + t[2], base + t[1]]).collect();
    indices.extend(backs);
}

/// Triangles that something is left of: those of a flattened body's sides are lines.
fn with_area(corners: &[Corner], indices: &[u32]) -> Vec<u32> {
    let has_area = |triangle: &&[u32]| {
        let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize].position.as_dvec3());
        let (u, v, w) = (b - a, c - a, c - b);
        let longest = u.length_squared().max(v.length_squared()).max(w.length_squared());
        // Twice the area: positions are rounded to single precision, 6e-8 of the longest side.
        u.cross(v).length() > 1e-6 * longest
    };
    indices.chunks_exact(3).filter(has_area).flatten().copied().collect()
}

fn unit(v: Vec3) -> Option<Vec3> {
    if v.is_finite() { v.try_normalize() } else { None }
}

/// The part of `along` that lies across `normal`, of length 1.
fn across(along: Vec3, normal: Vec3) -> Vec3 {
    unit(along - normal * normal.dot(along)).unwrap_or_else(|| normal.any_orthonormal_vector())
}

/// Strips and fans as single triangles, each facing as the first of them does; those with two equal corners are left out.
fn triangles(indices: &[u32], mode: u64) -> Vec<u32> {
    let all: Vec<[u32; 3]> = match mode {
        STRIP => indices
            .windows(3)
            .enumerate()
            .map(|(k, t)| if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] })
            .collect(),
        FAN => match indices {
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
