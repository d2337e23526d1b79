//! Supported part of a material, with its extensions.

use super::schema::{defaults, objects};
use serde::Deserialize;
use serde_json::Value;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub enum AlphaMode {
    Opaque,
    Mask,
    Blend,
    #[serde(other)]
    Other,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Unlit {}

objects! {
    TextureInfo {
        index: usize,
        #[serde(default)] tex_coord: u32,
        #[serde(default)] extensions: TextureInfoExtensions,
    }
    NormalTexture {
        index: usize,
        #[serde(default)] tex_coord: u32,
        #[serde(default = "unit")] scale: f32,
        #[serde(default)] extensions: TextureInfoExtensions,
    }
    optional TextureInfoExtensions {
        transform: Option<Transform> as "KHR_texture_transform",
    }
    optional MaterialExtensions {
        unlit: Option<Unlit> as "KHR_materials_unlit",
        ior: Ior as "KHR_materials_ior",
        specular: Specular as "KHR_materials_specular",
        clearcoat: Clearcoat as "KHR_materials_clearcoat",
        sheen: Sheen as "KHR_materials_sheen",
        iridescence: Iridescence as "KHR_materials_iridescence",
        transmission: Transmission as "KHR_materials_transmission",
        emissive_strength: EmissiveStrength as "KHR_materials_emissive_strength",
    }
}

defaults! {
    Material {
        name: Value = Value::Null,
        pbr_metallic_roughness: Metallic = Metallic::default(),
        normal_texture: Option<NormalTexture> = None,
        emissive_texture: Option<TextureInfo> = None,
        emissive_factor: [f32; 3] = [0.0; 3],
        alpha_mode: AlphaMode = AlphaMode::Opaque,
        alpha_cutoff: f32 = 0.5,
        double_sided: bool = false,
        extensions: MaterialExtensions = MaterialExtensions::default(),
    }
    Metallic {
        base_color_factor: [f32; 4] = [1.0; 4],
        base_color_texture: Option<TextureInfo> = None,
        metallic_factor: f32 = 1.0,
        roughness_factor: f32 = 1.0,
        metallic_roughness_texture: Option<TextureInfo> = None,
    }
    Transform { offset: [f32; 2] = [0.0; 2], rotation: f32 = 0.0, scale: [f32; 2] = [1.0; 2], tex_coord: Option<u32> = None }
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
