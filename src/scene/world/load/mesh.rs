//! Meshes of a scene: posed triangles, with missing normals and tangents computed.

use super::{
    accessor,
    accessor::Elements,
    draco::DracoMesh,
    limits,
    schema::Primitive,
    shape::{Attributes, Shape, skin_of},
    source::Source,
    used::{Left, Used},
};
use crate::world::{AlphaMode, Corner};
use anyhow::{Context, Result, bail, ensure};
use glam::{DVec3, Vec2, Vec3};

type Mesh = (Vec<Corner>, Vec<u32>);

pub struct Geometry {
    pub corners: Vec<Corner>,
    pub indices: Vec<u32>,
    pub origin: DVec3,
}

#[derive(Clone, Copy)]
pub struct Needs {
    pub sets: [u32; 2],
    pub alpha_mode: AlphaMode,
    pub double_sided: bool,
    pub textured: bool,
    pub normal_map: bool,
}

const TRIANGLES: u64 = 4;
const STRIP: u64 = 5;
const FAN: u64 = 6;

pub fn is_drawn(source: &Source, primitive: &Primitive, number: usize) -> bool {
    let reason = match primitive.mode {
        0..TRIANGLES => "points and lines".to_string(),
        TRIANGLES..=FAN if attribute(primitive, "POSITION").is_none() => "triangles without positions".to_string(),
        TRIANGLES..=FAN => return true,
        other => format!("primitives of mode {other}"),
    };
    source.document.report("primitive", reason, number);
    false
}

fn attribute(primitive: &Primitive, name: &str) -> Option<usize> {
    primitive.attributes.get(name)?.as_u64().map(|index| usize::try_from(index).unwrap_or(usize::MAX))
}

struct Reader<'a> {
    source: &'a Source,
    primitive: &'a Primitive,
    compressed: Option<DracoMesh<'a>>,
    number: usize,
    most: usize,
}

impl Reader<'_> {
    fn get(&self, name: &str) -> Result<Option<Elements>> {
        let Some(index) = attribute(self.primitive, name) else { return Ok(None) };
        let decoded =
            self.compressed.as_ref().map(|compressed| compressed.attribute(self.source, name, index)).transpose()?;
        match decoded.flatten() {
            Some(decoded) => Ok(Some(decoded)),
            None => accessor::read(self.source, index, self.most).map(Some),
        }
        .with_context(|| name.to_string())
    }

    fn vectors<const N: usize>(&self, name: &str, used: &Used) -> Result<Option<Vec<[f32; N]>>> {
        let Some(elements) = self.get(name)? else { return Ok(None) };
        let vectors = elements.vectors::<N>().and_then(|vectors| used.take("values", vectors));
        vectors.with_context(|| name.to_string()).map(Some)
    }

    fn vectors_if<const N: usize>(&self, name: &str, used: &Used, is_needed: bool) -> Result<Option<Vec<[f32; N]>>> {
        match self.vectors(name, used) {
            Err(_) if !is_needed => {
                self.source.document.report("primitive", format!("{name}, which cannot be read"), self.number);
                Ok(None)
            }
            other => other,
        }
    }

    fn indices(&self, count: usize) -> Result<Vec<u32>> {
        let (indices, mode) = match (&self.compressed, self.primitive.indices) {
            (Some(compressed), _) => (compressed.indices(), TRIANGLES),
            (None, Some(index)) => {
                (accessor::read(self.source, index, limits::TRIANGLES * 3)?.whole()?, self.primitive.mode)
            }
            (None, None) => ((0..count as u32).collect(), self.primitive.mode),
        };
        if let Some(index) = indices.iter().find(|index| **index as usize >= count) {
            bail!("index {index} of {count} vertices");
        }
        Ok(triangles(&indices, mode))
    }

    fn attributes(&self, positions: &Elements, used: &Used, needs: Needs) -> Result<Attributes> {
        let double = |v: &[f32; 3]| Vec3::from(*v).as_dvec3();
        let positions = used.take("positions", positions.vectors::<3>()?)?;
        let is_near = |position: &[f32; 3]| position.iter().all(|x| x.abs() <= limits::FAR);
        ensure!(positions.iter().all(is_near), "a position that is not a number within {} m", limits::FAR);
        let normals = self.vectors::<3>("NORMAL", used)?.unwrap_or_default();
        let tangents = match normals.is_empty() {
            true => None,
            false => self.vectors_if::<4>("TANGENT", used, needs.normal_map)?,
        };
        let signed = |[x, y, z, sign]: [f32; 4]| (Vec3::new(x, y, z).as_dvec3(), sign < 0.0);
        Ok(Attributes {
            positions: positions.iter().map(double).collect(),
            normals: normals.iter().map(double).collect(),
            tangents: tangents.into_iter().flatten().map(signed).collect(),
        })
    }

    fn paint(&self, corners: &mut [Corner], used: &Used, needs: Needs) -> Result<()> {
        for (which, set) in needs.sets.into_iter().enumerate() {
            let uvs = self.vectors_if::<2>(&format!("TEXCOORD_{set}"), used, needs.textured)?;
            for (corner, uv) in corners.iter_mut().zip(uvs.into_iter().flatten()) {
                let uv = Vec2::from(uv);
                let uv = if uv.is_finite() { uv.clamp(Vec2::splat(-1e4), Vec2::splat(1e4)) } else { Vec2::ZERO };
                *if which == 0 { &mut corner.uv } else { &mut corner.uv2 } = uv;
            }
        }
        let has_alpha = needs.alpha_mode != AlphaMode::Opaque;
        if has_alpha {
            corners.iter_mut().for_each(|corner| corner.alpha = Some(1.0));
        }
        let Some(colors) = self.get("COLOR_0")? else { return Ok(()) };
        for (corner, color) in corners.iter_mut().zip(used.take("colours", colors.vectors::<3>()?)?) {
            corner.color = Vec3::from(color).clamp(Vec3::ZERO, Vec3::ONE);
        }
        if colors.wide > 3 && has_alpha {
            for (corner, [.., alpha]) in corners.iter_mut().zip(used.take("colours", colors.vectors::<4>()?)?) {
                corner.alpha = Some(if alpha.is_finite() { alpha.clamp(0.0, 1.0) } else { 1.0 });
            }
        }
        Ok(())
    }
}

pub fn read(
    source: &Source,
    primitive: &Primitive,
    needs: Needs,
    shape: &Shape,
    left: &mut Left,
    number: usize,
) -> Result<Option<Geometry>> {
    let Some(index) = attribute(primitive, "POSITION") else { return Ok(None) };
    let compressed = DracoMesh::of(source, primitive, index, left)?;
    for name in primitive.attributes.keys().filter(|name| !is_read(name)) {
        source.document.report("primitive", name.chars().take(40).collect::<String>(), number);
    }
    let reader = Reader { source, primitive, compressed, number, most: left.vertices };
    let Some(positions) = reader.get("POSITION")? else { return Ok(None) };
    let mut indices = reader.indices(positions.count)?;
    let used = Used::of(&mut indices, positions.count);
    let mut attributes = reader.attributes(&positions, &used, needs)?;
    attributes.morph(source, primitive, &shape.weights, &used, number, &mut left.morphed)?;
    let joints = if shape.joints.is_some() { skin_of(&|name| reader.get(name), &used)? } else { vec![] };
    let origin = attributes.pose(shape, &joints)?;
    let mut corners: Vec<Corner> = attributes
        .positions
        .iter()
        .map(|position| Corner { position: (position - origin).as_vec3(), ..Corner::default() })
        .collect();
    ensure!(corners.iter().all(|corner| corner.position.is_finite()), "a position in its pose that is not finite");
    reader.paint(&mut corners, &used, needs)?;
    if shape.flat.is_some() {
        indices = with_area(&corners, &indices);
    }
    ensure!(indices.len() / 3 <= left.triangles, "more than {} triangles", limits::TRIANGLES);
    if attributes.normals.is_empty() {
        ensure!(indices.len() <= left.vertices, "more than {} vertices, one for each corner", limits::VERTICES);
        (corners, indices) = flat(&corners, &indices);
    } else {
        normals(&mut corners, &indices, &attributes.normals);
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

fn is_read(name: &str) -> bool {
    let set = |kind: &str| name.strip_prefix(kind).and_then(|set| set.parse::<u32>().ok());
    matches!(name, "POSITION" | "NORMAL" | "TANGENT" | "COLOR_0")
        || name.starts_with('_')
        || set("TEXCOORD_").is_some()
        || set("JOINTS_").or(set("WEIGHTS_")).is_some_and(|set| set < limits::INFLUENCES)
}

/// The camera may be on either side, also inside a closed body.
fn add_backs(corners: &mut Vec<Corner>, indices: &mut Vec<u32>) {
    let base = corners.len() as u32;
    let back = |corner: &Corner| Corner { normal: -corner.normal, flipped: !corner.flipped, ..*corner };
    let backs: Vec<Corner> = corners.iter().map(back).collect();
    corners.extend(backs);
    let backs: Vec<u32> = indices.chunks_exact(3).flat_map(|t| [base + t[0], base + t[2], base + t[1]]).collect();
    indices.extend(backs);
}

/// The sides of a flattened body are lines.
fn with_area(corners: &[Corner], indices: &[u32]) -> Vec<u32> {
    let has_area = |triangle: &&[u32]| {
        let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize].position.as_dvec3());
        let (u, v, w) = (b - a, c - a, c - b);
        let longest = u.length_squared().max(v.length_squared()).max(w.length_squared());
        u.cross(v).length() > 1e-6 * longest
    };
    indices.chunks_exact(3).filter(has_area).flatten().copied().collect()
}

fn unit(v: Vec3) -> Option<Vec3> {
    if v.is_finite() { v.try_normalize() } else { None }
}

fn across(along: Vec3, normal: Vec3) -> Vec3 {
    unit(along - normal * normal.dot(along)).unwrap_or_else(|| normal.any_orthonormal_vector())
}

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

fn normals(corners: &mut [Corner], indices: &[u32], given: &[DVec3]) {
    let mut sums = vec![];
    if given.iter().any(|normal| unit(normal.as_vec3()).is_none()) {
        sums.resize(corners.len(), Vec3::ZERO);
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| corners[triangle[k] as usize].position);
            let area = (b - a).cross(c - a);
            triangle.iter().for_each(|k| sums[*k as usize] += area);
        }
    }
    for (k, (corner, normal)) in corners.iter_mut().zip(given).enumerate() {
        let own = || sums.get(k).copied().and_then(unit);
        corner.normal = unit(normal.as_vec3()).or_else(own).unwrap_or(Vec3::Y);
    }
}

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

/// The texture's first row is v = 0: "up" in a normal map is against increasing v.
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
