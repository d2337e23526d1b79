//! What a material's JSON says beyond what the parser has: the extensions' factors, and how each texture is looked up.

use crate::scene::world::SECOND_UV;
use glam::{Vec2, Vec3};
use serde_json::Value;

/// What extensions say of a material; their textures are not read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layers {
    /// KHR_materials_unlit.
    pub is_unlit: bool,
    /// KHR_materials_ior, KHR_materials_specular: mirrored at normal incidence by what is no metal.
    pub dielectric: Vec3,
    /// KHR_materials_clearcoat: strength, roughness.
    pub coat: [f32; 2],
    /// KHR_materials_sheen.
    pub sheen: Vec3,
    /// The same, its roughness.
    pub sheen_roughness: f32,
    /// KHR_materials_iridescence: strength, refractive index, thickness in nm.
    pub film: Vec3,
    /// KHR_materials_transmission.
    pub transmission: f32,
    /// How textures are looked up: the first way that there is, and another one.
    pub mappings: [Mapping; 2],
    /// [`SECOND_UV`] for each texture that has the other one.
    pub second: u32,
    /// Some texture has neither.
    pub has_third: bool,
}

/// How a texture is looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// Which texture coordinates.
    pub set: u32,
    /// Two columns and the origin.
    pub matrix: [Vec2; 3],
}

impl Default for Mapping {
    fn default() -> Self {
        Self { set: 0, matrix: [Vec2::X, Vec2::Y, Vec2::ZERO] }
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            is_unlit: false,
            dielectric: Vec3::splat(0.04),
            coat: [0.0; 2],
            sheen: Vec3::ZERO,
            sheen_roughness: 0.0,
            film: Vec3::new(0.0, 1.3, 400.0),
            transmission: 0.0,
            mappings: [Mapping::default(); 2],
            second: 0,
            has_third: false,
        }
    }
}

/// A finite number from 0 to `most`.
fn number(of: Option<&Value>, name: &str, usual: f32, most: f32) -> f32 {
    let found = of.and_then(|of| of.get(name)).and_then(Value::as_f64).map_or(usual, |x| x as f32);
    if found.is_finite() { found.clamp(0.0, most) } else { usual }
}

fn color(of: Option<&Value>, name: &str, usual: f32, most: f32) -> Vec3 {
    let list = of.and_then(|of| of.get(name)).and_then(Value::as_array);
    let channel = |k: usize| list.and_then(|list| list.get(k)).and_then(Value::as_f64).map(|x| x as f32);
    Vec3::from([0, 1, 2].map(|k| channel(k).filter(|x| x.is_finite()).map_or(usual, |x| x.clamp(0.0, most))))
}

fn mapping(texture: &Value) -> Mapping {
    let transform = texture.get("extensions").and_then(|all| all.get("KHR_texture_transform"));
    let set = |of: Option<&Value>| of.and_then(|of| of.get("texCoord")).and_then(Value::as_u64);
    let pair = |name: &str, usual: f32| {
        let list = transform.and_then(|t| t.get(name)).and_then(Value::as_array);
        let at = |k: usize| list.and_then(|list| list.get(k)).and_then(Value::as_f64).map_or(usual, |x| x as f32);
        Vec2::new(at(0), at(1))
    };
    let turn = transform.and_then(|t| t.get("rotation")).and_then(Value::as_f64).unwrap_or(0.0) as f32;
    let (sin, cos) = turn.sin_cos();
    let scale = pair("scale", 1.0);
    // Counter-clockwise as it is seen: v points down.
    let matrix = [Vec2::new(cos, -sin) * scale.x, Vec2::new(sin, cos) * scale.y, pair("offset", 0.0)];
    let is_sane = matrix.iter().all(|column| column.is_finite() && column.abs().max_element() < 1e4);
    let set = set(transform).or_else(|| set(Some(texture))).unwrap_or(0).min(u64::from(u32::MAX)) as u32;
    Mapping { set, matrix: if is_sane { matrix } else { Mapping::default().matrix } }
}

impl Layers {
    /// Of a material's JSON.
    pub fn of(material: &Value) -> Self {
        let extension = |name: &str| material.get("extensions").and_then(|all| all.get(name));
        let usual = Self::default();
        let (specular, coat) = (extension("KHR_materials_specular"), extension("KHR_materials_clearcoat"));
        let (sheen, film) = (extension("KHR_materials_sheen"), extension("KHR_materials_iridescence"));
        let index = number(extension("KHR_materials_ior"), "ior", 1.5, 100.0);
        let bare = ((index - 1.0) / (index + 1.0)).powi(2);
        let tint = color(specular, "specularColorFactor", 1.0, 100.0);
        let dielectric = (bare * tint).min(Vec3::ONE) * number(specular, "specularFactor", 1.0, 1.0);
        let transmission = number(extension("KHR_materials_transmission"), "transmissionFactor", 0.0, 1.0);
        let metallic = material.get("pbrMetallicRoughness");
        let slots = [
            metallic.and_then(|metallic| metallic.get("baseColorTexture")),
            metallic.and_then(|metallic| metallic.get("metallicRoughnessTexture")),
            material.get("normalTexture"),
            material.get("emissiveTexture"),
        ]
        .map(|slot| slot.map(mapping));
        // Normal maps least of all: tangents go with the first coordinates.
        let first = [0, 1, 3, 2].into_iter().find_map(|slot: usize| slots[slot]).unwrap_or_default();
        let other = slots.iter().flatten().copied().find(|mapping| *mapping != first);
        let second = (0..4).filter(|slot| other.is_some() && slots[*slot] == other).map(|slot| SECOND_UV << slot).sum();
        let has_third = slots.iter().flatten().any(|mapping| *mapping != first && Some(*mapping) != other);
        Self {
            is_unlit: extension("KHR_materials_unlit").is_some(),
            // Rounding must not make a layer of what the format takes for granted.
            dielectric: if (dielectric - usual.dielectric).abs().max_element() < 1e-6 {
                usual.dielectric
            } else {
                dielectric
            },
            coat: [number(coat, "clearcoatFactor", 0.0, 1.0), number(coat, "clearcoatRoughnessFactor", 0.0, 1.0)],
            sheen: color(sheen, "sheenColorFactor", 0.0, 1.0),
            sheen_roughness: number(sheen, "sheenRoughnessFactor", 0.0, 1.0),
            film: Vec3::new(
                number(film, "iridescenceFactor", 0.0, 1.0),
                number(film, "iridescenceIor", usual.film.y, 10.0),
                number(film, "iridescenceThicknessMaximum", usual.film.z, 1e5),
            ),
            transmission,
            mappings: [first, other.unwrap_or(first)],
            second,
            has_third,
        }
    }

    /// Whether it takes more than textures to draw it.
    pub fn is_more(&self) -> bool {
        let usual = Self::default();
        let lies_over = self.coat[0] > 0.0 || self.sheen != Vec3::ZERO || self.film.x > 0.0;
        self.is_unlit || self.dielectric != usual.dielectric || lies_over || self.transmission > 0.0 || self.second != 0
    }
}

/// Textures of the extensions: their factors alone are read.
const TEXTURES: [(&str, &str); 10] = [
    ("KHR_materials_clearcoat", "clearcoatTexture"),
    ("KHR_materials_clearcoat", "clearcoatRoughnessTexture"),
    ("KHR_materials_clearcoat", "clearcoatNormalTexture"),
    ("KHR_materials_sheen", "sheenColorTexture"),
    ("KHR_materials_sheen", "sheenRoughnessTexture"),
    ("KHR_materials_specular", "specularTexture"),
    ("KHR_materials_specular", "specularColorTexture"),
    ("KHR_materials_iridescence", "iridescenceTexture"),
    ("KHR_materials_iridescence", "iridescenceThicknessTexture"),
    ("KHR_materials_transmission", "transmissionTexture"),
];

/// What materials have and the picture does not, with how many of them have it.
pub fn left_out(materials: &[Value]) -> Vec<String> {
    let counted = |what: &str, has: &dyn Fn(&Value) -> bool| {
        let count = materials.iter().filter(|material| has(material)).count();
        (count > 0).then(|| format!("{what} ({count} material{})", if count == 1 { "" } else { "s" }))
    };
    let own = [
        counted("occlusionTexture", &|material| material.get("occlusionTexture").is_some()),
        counted("a third way to look up textures", &|material| Layers::of(material).has_third),
    ];
    let textures = TEXTURES.iter().map(|(extension, texture)| {
        let of = |material: &Value| material.get("extensions")?.get(*extension)?.get(*texture).map(drop);
        counted(texture, &|material| of(material).is_some())
    });
    own.into_iter().chain(textures).flatten().collect()
}
