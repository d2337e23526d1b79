//! Shape of a mesh as drawn by one node: morph targets, the pose of a skin, and a body flattened to a plane.

use super::{
    accessor::{self, Elements},
    graph::Joints,
    limits,
    schema::Primitive,
    source::Source,
    used::Used,
};
use anyhow::{Context, Result, ensure};
use glam::{DMat3, DMat4, DVec3};

#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub mesh: usize,
    pub weights: Vec<f64>,
    pub joints: Option<Joints>,
    pub flat: Option<DMat3>,
}

pub struct Attributes {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub tangents: Vec<(DVec3, bool)>,
}

type Influences = Vec<(usize, f64)>;

/// Distance of a mesh's middle from its origin, in its size: single precision rounds to 6e-8 of it, 4e-6 of the mesh
/// here.
const OFF: f64 = 64.0;

impl Attributes {
    pub fn morph(
        &mut self,
        source: &Source,
        primitive: &Primitive,
        weights: &[f64],
        used: &Used,
        number: usize,
        left: &mut usize,
    ) -> Result<()> {
        let active = primitive.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0).count();
        let rest = left.checked_sub(active.saturating_mul(self.positions.len()));
        *left = rest.with_context(|| format!("more than {} vertices of morph targets", limits::MORPHED))?;
        for (k, (target, weight)) in primitive.targets.iter().zip(weights).enumerate() {
            ensure!(weight.is_finite(), "morph target {k}: a weight that is not finite");
            if *weight == 0.0 {
                continue;
            }
            let deltas = |name: &str| -> Result<Vec<DVec3>> {
                let Some(index) = target.get(name).and_then(serde_json::Value::as_u64) else { return Ok(vec![]) };
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                let read = accessor::read(source, index, limits::VERTICES)?;
                let vectors = used.take(name, read.vectors::<3>()?)?;
                Ok(vectors.into_iter().map(|v| glam::Vec3::from(v).as_dvec3()).collect())
            };
            let of_target = || format!("morph target {k}");
            for (position, delta) in self.positions.iter_mut().zip(deltas("POSITION").with_context(of_target)?) {
                *position += delta * *weight;
            }
            if !self.normals.is_empty() {
                for (normal, delta) in self.normals.iter_mut().zip(deltas("NORMAL").with_context(of_target)?) {
                    *normal += delta * *weight;
                }
            }
            if !self.tangents.is_empty() {
                let moved = deltas("TANGENT").with_context(of_target)?;
                for ((tangent, _), delta) in self.tangents.iter_mut().zip(moved) {
                    *tangent += delta * *weight;
                }
            }
            let others = target.keys().filter(|name| !["POSITION", "NORMAL", "TANGENT"].contains(&name.as_str()));
            for name in others.filter(|name| !name.starts_with('_')) {
                source.document.report("primitive", format!("morph targets of {name}"), number);
            }
        }
        Ok(())
    }

    pub fn pose(&mut self, shape: &Shape, influences: &[Influences]) -> Result<DVec3> {
        if let (Some(joints), false) = (&shape.joints, influences.is_empty()) {
            for (vertex, influences) in influences.iter().enumerate() {
                let mut matrix = DMat4::ZERO;
                for (joint, weight) in influences {
                    let joint = joints.get(*joint).with_context(|| format!("joint {joint} of {}", joints.len()))?;
                    matrix += *joint * *weight;
                }
                self.positions[vertex] = matrix.transform_point3(self.positions[vertex]);
                self.turn(vertex, &DMat3::from_mat4(matrix), &upright(&DMat3::from_mat4(matrix)));
            }
        }
        if let Some(flat) = &shape.flat {
            let upright = thickened(flat).map_or(DMat3::IDENTITY, |thick| upright(&thick));
            for vertex in 0..self.positions.len() {
                self.positions[vertex] = *flat * self.positions[vertex];
                self.turn(vertex, flat, &upright);
            }
        }
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for position in &self.positions {
            (low, high) = (low.min(*position), high.max(*position));
        }
        let middle = 0.5 * (low + high);
        let is_off = middle.is_finite() && middle.length() > OFF * 0.5 * (high - low).length();
        Ok(if is_off { middle } else { DVec3::ZERO })
    }

    fn turn(&mut self, vertex: usize, linear: &DMat3, upright: &DMat3) {
        if let Some(normal) = self.normals.get_mut(vertex) {
            *normal = (*upright * *normal).normalize_or_zero();
        }
        if let Some((tangent, _)) = self.tangents.get_mut(vertex) {
            *tangent = (*linear * *tangent).normalize_or_zero();
        }
    }
}

/// The cofactor matrix: the inverse transposed times the determinant.
fn upright(linear: &DMat3) -> DMat3 {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

/// As a fraction of the largest scale.
const THIN: f64 = 1e-7;

pub fn flattening(world: &DMat4) -> Flattening {
    let linear = DMat3::from_mat4(*world);
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis];
    let longest = axes.iter().map(|axis| axis.length()).fold(0.0, f64::max);
    if longest == 0.0 {
        return Flattening::Nothing;
    }
    let unit = linear * longest.recip();
    let area = upright(&unit);
    let widest = [area.x_axis, area.y_axis, area.z_axis].iter().map(|axis| axis.length()).fold(0.0, f64::max);
    if widest <= THIN {
        Flattening::Nothing
    } else if unit.determinant().abs() <= THIN * widest {
        Flattening::Plane(linear)
    } else {
        Flattening::Body
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flattening {
    Body,
    Plane(DMat3),
    Nothing,
}

fn thickened(flat: &DMat3) -> Option<DMat3> {
    let longest = |matrix: &DMat3| {
        let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        axes.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).and_then(DVec3::try_normalize)
    };
    let (across, mut lost) = (longest(&upright(flat))?, longest(&upright(&flat.transpose()))?);
    let scale = flat.x_axis.length().max(flat.y_axis.length()).max(flat.z_axis.length());
    let with =
        |lost: DVec3| *flat + DMat3::from_cols(across * lost.x, across * lost.y, across * lost.z) * (1e-3 * scale);
    if with(lost).determinant() < 0.0 {
        lost = -lost;
    }
    Some(with(lost))
}

pub fn skin_of(get: &dyn Fn(&str) -> Result<Option<Elements>>, used: &Used) -> Result<Vec<Influences>> {
    let mut all: Vec<Influences> = vec![];
    for set in 0..limits::INFLUENCES {
        let (joints, weights) = (get(&format!("JOINTS_{set}"))?, get(&format!("WEIGHTS_{set}"))?);
        let (Some(joints), Some(weights)) = (joints, weights) else { break };
        let joints = used.take("joints", joints.vectors::<4>()?)?;
        let weights = used.take("weights", weights.vectors::<4>()?)?;
        all.resize(joints.len(), vec![]);
        for ((influences, joints), weights) in all.iter_mut().zip(joints).zip(weights) {
            let pairs = joints.into_iter().zip(weights).filter(|(_, weight)| weight.is_finite() && *weight > 0.0);
            influences.extend(pairs.map(|(joint, weight)| (joint as usize, f64::from(weight))));
        }
    }
    for influences in &mut all {
        let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
        if sum > 0.0 {
            influences.iter_mut().for_each(|(_, weight)| *weight /= sum);
        } else {
            influences.push((0, 1.0));
        }
    }
    Ok(all)
}

pub fn has_joints(primitives: &[serde_json::Value]) -> bool {
    let has =
        |primitive: &serde_json::Value, name: &str| primitive.get("attributes").is_some_and(|a| a.get(name).is_some());
    primitives.iter().all(|primitive| has(primitive, "JOINTS_0") && has(primitive, "WEIGHTS_0"))
}
