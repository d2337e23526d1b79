//! Supported part of a material, with its extensions.

use super::layers::Transform;
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Material {
    pub pbr_metallic_roughness: Metallic,
    pub normal_texture: Option<NormalTexture>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: [f32; 3],
    pub alpha_mode: AlphaMode,
    pub alpha_cutoff: f32,
    pub double_sided: bool,
    pub extensions: MaterialExtensions,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            pbr_metallic_roughness: Metallic::default(),
            normal_texture: None,
            emissive_texture: None,
            emissive_factor: [0.0; 3],
            alpha_mode: AlphaMode::Opaque,
            alpha_cutoff: 0.5,
            double_sided: false,
            extensions: MaterialExtensions::default(),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum AlphaMode {
    Opaque,
    Mask,
    Blend,
    /// The format allows further values.
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Metallic {
    pub base_color_factor: [f32; 4],
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

impl Default for Metallic {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
            metallic_roughness_texture: None,
        }
    }
}

/// A texture and its coordinates.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: u32,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalTexture {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: u32,
    #[serde(default = "unit")]
    pub scale: f32,
    #[serde(default)]
    pub extensions: TextureInfoExtensions,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<Transform>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub unlit: Option<Unlit>,
    #[serde(rename = "KHR_materials_ior")]
    pub ior: Ior,
    #[serde(rename = "KHR_materials_specular")]
    pub specular: Specular,
    #[serde(rename = "KHR_materials_clearcoat")]
    pub clearcoat: Clearcoat,
    #[serde(rename = "KHR_materials_sheen")]
    pub sheen: Sheen,
    #[serde(rename = "KHR_materials_iridescence")]
    pub iridescence: Iridescence,
    #[serde(rename = "KHR_materials_transmission")]
    pub transmission: Transmission,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub emissive_strength: EmissiveStrength,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Unlit {}

/// Structs of numbers with defaults.
macro_rules! factors {
    ($($kind:ident { $($field:ident: $type:ty = $default:expr),* })*) => {$(
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        pub struct $kind {
            $(pub $field: $type,)*
        }

        impl Default for $kind {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }
    )*};
}

factors! {
    Ior { ior: f32 = 1.5 }
    Specular { specular_factor: f32 = 1.0, specular_color_factor: [f32; 3] = [1.0; 3] }
    Clearcoat { clearcoat_factor: f32 = 0.0, clearcoat_roughness_factor: f32 = 0.0 }
    Sheen { sheen_color_factor: [f32; 3] = [0.0; 3], sheen_roughness_factor: f32 = 0.0 }
    Iridescence { iridescence_factor: f32 = 0.0, iridescence_ior: f32 = 1.3, iridescence_thickness_maximum: f32 = 400.0 }
    Transmission { transmission_factor: f32 = 0.0 }
    EmissiveStrength { emissive_strength: f32 = 1.0 }
}

fn unit() -> f32 {
    1.0
}
