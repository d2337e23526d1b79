//! Extensions of a material as factors, and the mapping of each of its textures.

use super::schema::{Material, TextureInfo, TextureInfoExtensions, Transform};
use crate::world::SECOND_UV;
use glam::{Vec2, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layers {
    pub is_unlit: bool,
    /// KHR_materials_ior, KHR_materials_specular: reflectance of non-metals at normal incidence.
    pub dielectric: Vec3,
    /// Strength, roughness.
    pub coat: [f32; 2],
    pub sheen: Vec3,
    pub sheen_roughness: f32,
    /// Strength, refractive index, thickness in nm.
    pub film: Vec3,
    pub transmission: f32,
    pub mappings: [Mapping; 2],
    pub second: u32,
    pub has_third: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    pub set: u32,
    /// Two columns and the origin.
    pub matrix: [Vec2; 3],
}

impl Default for Mapping {
    fn default() -> Self {
        Self { set: 0, matrix: [Vec2::X, Vec2::Y, Vec2::ZERO] }
    }
}

fn number(x: f32, usual: f32, most: f32) -> f32 {
    if x.is_finite() { x.clamp(0.0, most) } else { usual }
}

fn mapping(tex_coord: u32, extensions: &TextureInfoExtensions) -> Mapping {
    let Transform { offset, rotation, scale, tex_coord: other } = extensions.transform.clone().unwrap_or_default();
    let (sin, cos) = rotation.sin_cos();
    let matrix = [Vec2::new(cos, -sin) * scale[0], Vec2::new(sin, cos) * scale[1], offset.into()];
    let is_sane = matrix.iter().all(|column| column.is_finite() && column.abs().max_element() < 1e4);
    let matrix = if is_sane { matrix } else { Mapping::default().matrix };
    Mapping { set: other.unwrap_or(tex_coord), matrix }
}

impl Layers {
    /// `there`: which of base colour, metallic and roughness, normal, emissive are drawn.
    pub fn of(material: &Material, there: [bool; 4]) -> Self {
        let extensions = &material.extensions;
        let (specular, coat) = (&extensions.specular, &extensions.clearcoat);
        let (sheen, film) = (&extensions.sheen, &extensions.iridescence);
        let index = number(extensions.ior.ior, 1.5, 100.0);
        let bare = ((index - 1.0) / (index + 1.0)).powi(2);
        let tint = Vec3::from(specular.specular_color_factor.map(|x| number(x, 1.0, 100.0)));
        let dielectric = (bare * tint).min(Vec3::ONE) * number(specular.specular_factor, 1.0, 1.0);
        let usual = Vec3::splat(0.04);
        let dielectric = if (dielectric - usual).abs().max_element() < 1e-6 { usual } else { dielectric };
        let of = |info: &TextureInfo| mapping(info.tex_coord, &info.extensions);
        let metallic = &material.pbr_metallic_roughness;
        let normal = material.normal_texture.as_ref();
        let slots = [
            metallic.base_color_texture.as_ref().map(of),
            metallic.metallic_roughness_texture.as_ref().map(of),
            normal.map(|info| mapping(info.tex_coord, &info.extensions)),
            material.emissive_texture.as_ref().map(of),
        ];
        let slots: [Option<Mapping>; 4] = std::array::from_fn(|slot| slots[slot].filter(|_| there[slot]));
        // Normal maps last: tangents belong to the first coordinates.
        let first = [0, 1, 3, 2].into_iter().find_map(|slot: usize| slots[slot]).unwrap_or_default();
        let other = slots.iter().flatten().copied().find(|mapping| *mapping != first);
        let second = (0..4).filter(|slot| other.is_some() && slots[*slot] == other).map(|slot| SECOND_UV << slot).sum();
        let has_third = slots.iter().flatten().any(|mapping| *mapping != first && Some(*mapping) != other);
        Self {
            is_unlit: extensions.unlit.is_some(),
            dielectric,
            coat: [number(coat.clearcoat_factor, 0.0, 1.0), number(coat.clearcoat_roughness_factor, 0.0, 1.0)],
            sheen: Vec3::from(sheen.sheen_color_factor.map(|x| number(x, 0.0, 1.0))),
            sheen_roughness: number(sheen.sheen_roughness_factor, 0.0, 1.0),
            film: Vec3::new(
                number(film.iridescence_factor, 0.0, 1.0),
                number(film.iridescence_ior, 1.3, 10.0),
                number(film.iridescence_thickness_maximum, 400.0, 1e5),
            ),
            transmission: number(extensions.transmission.transmission_factor, 0.0, 1.0),
            mappings: [first, other.unwrap_or(first)],
            second,
            has_third,
        }
    }

    pub fn is_more(&self) -> bool {
        let lies_over = self.coat[0] > 0.0 || self.sheen != Vec3::ZERO || self.film.x > 0.0;
        let is_usual = self.dielectric == Vec3::splat(0.04);
        self.is_unlit || !is_usual || lies_over || self.transmission > 0.0 || self.second != 0
    }
}
