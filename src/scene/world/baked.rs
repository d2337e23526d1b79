//! Assembly of the built-in worlds: placed shapes, with their sky visibility baked.

use super::shape::Shape;
use super::{Builder, Material, Viewpoint, World, sky_visibility};
use base::job::Progress;
use glam::{Mat4, Vec3};

const MODELLED: f32 = 0.1;
const LIT: f32 = 0.6;

struct Piece {
    shape: Shape,
    placed: Vec<(Mat4, u32)>,
    baked: bool,
}

pub struct Assembly {
    pub builder: Builder,
    pieces: Vec<Piece>,
    /// Their names.
    materials: Vec<&'static str>,
}

impl Assembly {
    pub fn new() -> Self {
        Self { builder: Builder::new(), pieces: vec![], materials: vec![] }
    }

    pub fn material(&mut self, name: &'static str, material: Material) -> u32 {
        let number = self.builder.material(material);
        self.builder.name_material(number, name.into());
        self.materials.push(name);
        number
    }

    pub fn add(&mut self, shape: Shape, material: u32) {
        self.instances(shape, vec![(Mat4::IDENTITY, material)], true);
    }

    /// `baked`: the surroundings of the first place are baked into all.
    pub fn instances(&mut self, shape: Shape, placed: Vec<(Mat4, u32)>, baked: bool) {
        self.pieces.push(Piece { shape, placed, baked });
    }

    pub fn finish(mut self, viewpoint: Viewpoint, progress: &Progress) -> Result<World, String> {
        progress.report(MODELLED);
        let (mut occluders, mut points) = (vec![], vec![]);
        for piece in &self.pieces {
            for (world_from_mesh, _) in &piece.placed {
                let placed = |t: &[Vec3; 3]| t.map(|at| world_from_mesh.transform_point3(at));
                occluders.extend(piece.shape.occluder.iter().map(placed));
            }
            if let (true, Some((first, _))) = (piece.baked, piece.placed.first()) {
                let normals = first.inverse().transpose();
                points.extend(piece.shape.corners.iter().map(|corner| {
                    let normal = normals.transform_vector3(corner.normal).normalize_or(Vec3::Y);
                    (first.transform_point3(corner.position), normal)
                }));
            }
        }
        let lit = |part: f32| {
            progress.report(MODELLED + (LIT - MODELLED) * part);
            true
        };
        let mut skies = sky_visibility::seen(&points, &occluders, &lit).into_iter();
        let count = self.pieces.len().max(1) as f32;
        for (number, Piece { shape, placed, baked }) in self.pieces.into_iter().enumerate() {
            progress.report(LIT + (1.0 - LIT) * number as f32 / count);
            let Shape { mut corners, indices, name, .. } = shape;
            if baked && !placed.is_empty() {
                corners.iter_mut().zip(&mut skies).for_each(|(corner, sky)| corner.sky = sky);
            }
            let mesh = self.builder.mesh(corners, indices)?;
            for (world_from_mesh, material) in placed {
                self.builder.place(mesh, world_from_mesh, material)?;
                let of = self.materials.get(material as usize).filter(|_| !name.is_empty());
                of.into_iter().for_each(|of| self.builder.name_placed(format!("{of} {name}").trim().into()));
            }
        }
        let world = self.builder.finish(viewpoint);
        progress.report(1.0);
        Ok(world)
    }
}
