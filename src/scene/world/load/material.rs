//! Materials and textures of a scene.

use super::{limits, source::Source};
use crate::scene::world::{
    Builder, Cover, Material, MaterialKind, NO_TEXTURE, Stopped, UNLIT, WHOLE,
    tiles::{self, Use},
};
use anyhow::{Context, Result, ensure};
use glam::{Vec3, Vec4};
use gltf::{
    material::AlphaMode,
    texture::{Texture, WrappingMode},
};
use image::{ImageReader, Limits, RgbaImage};
use std::{collections::BTreeMap, io::Cursor};

/// Which image, wrapped how, used for what.
type Key = (usize, u32, bool, bool);

fn key(texture: &Texture, kind: Use) -> Key {
    let sampler = texture.sampler();
    let wrap = |mode| match mode {
        WrappingMode::Repeat => 0,
        WrappingMode::MirroredRepeat => 1,
        WrappingMode::ClampToEdge => 2,
    };
    let wrapped = wrap(sampler.wrap_s()) | wrap(sampler.wrap_t()) << 2;
    (texture.source().index(), wrapped, kind == Use::Color, kind == Use::Normals)
}

/// The four textures of a material: base colour, metallic and roughness, normal, emissive.
fn textures(material: &gltf::Material) -> [Option<Key>; 4] {
    let metallic = material.pbr_metallic_roughness();
    [
        metallic.base_color_texture().map(|info| key(&info.texture(), Use::Color)),
        metallic.metallic_roughness_texture().map(|info| key(&info.texture(), Use::Numbers)),
        material.normal_texture().map(|normal| key(&normal.texture(), Use::Normals)),
        material.emissive_texture().map(|info| key(&info.texture(), Use::Color)),
    ]
}

/// How a material covers what lies behind it. What light goes through is seen through, whatever else it says.
pub fn cover(source: &Source, material: &gltf::Material) -> Cover {
    match material.alpha_mode() {
        AlphaMode::Blend => Cover::Blend,
        _ if source.layers(material).transmission > 0.0 => Cover::Blend,
        AlphaMode::Mask => Cover::Mask,
        AlphaMode::Opaque => Cover::Opaque,
    }
}

/// Adds the textures that `used` materials need, all of them in [`limits::TEXELS`], and those materials; their numbers by index. `told` how
/// much is done, 0 to 1, and says when to end.
pub fn add(
    source: &Source,
    builder: &mut Builder,
    used: &[gltf::Material],
    told: &dyn Fn(f32) -> Result<(), Stopped>,
) -> Result<Vec<u32>> {
    let mut sizes: BTreeMap<Key, [u32; 2]> = BTreeMap::new();
    for key in used.iter().flat_map(textures).flatten() {
        let size = size(source, key.0).with_context(|| format!("image {}", key.0))?;
        sizes.insert(key, size);
    }
    ensure!(sizes.len() <= limits::TEXTURES, "{} textures; at most {}", sizes.len(), limits::TEXTURES);
    shrink(&mut sizes);
    let mut numbers = BTreeMap::new();
    let count = sizes.len() as f32;
    for (done, (key, size)) in sizes.into_iter().enumerate() {
        told(done as f32 / count)?;
        let (image, wrap, color, normals) = key;
        let kind = if color {
            Use::Color
        } else if normals {
            Use::Normals
        } else {
            Use::Numbers
        };
        let picture = decode(source, image).with_context(|| format!("image {image}"))?;
        let texels = reduced(&picture, size, kind);
        numbers.insert(key, tiles::add(builder, size, texels, kind, wrap).map_err(anyhow::Error::msg)?);
    }
    Ok(used.iter().map(|material| builder.material(made(source, material, &numbers))).collect())
}

fn made(source: &Source, material: &gltf::Material, numbers: &BTreeMap<Key, u32>) -> Material {
    let metallic = material.pbr_metallic_roughness();
    let textures = textures(material).map(|key| key.and_then(|key| numbers.get(&key).copied()).unwrap_or(NO_TEXTURE));
    let textured = textures.iter().any(|texture| *texture != NO_TEXTURE);
    let number = |x: f32, most: f32| if x.is_finite() { x.clamp(0.0, most) } else { 0.0 };
    let [r, g, b, a] = metallic.base_color_factor().map(|x| number(x, 1.0));
    let strength = number(material.emissive_strength().unwrap_or(1.0), 1e4);
    let emissive = Vec3::from(material.emissive_factor().map(|x| number(x, 1.0))) * strength;
    let scale = material.normal_texture().map_or(1.0, |normal| normal.scale());
    let (layers, cover) = (source.layers(material), cover(source, material));
    let bit = |on: bool, bit: u32| if on { bit } else { 0 };
    let is_whole = material.alpha_mode() == AlphaMode::Opaque;
    let kind = match textured {
        _ if cover == Cover::Blend || layers.is_more() => MaterialKind::Layered,
        true => MaterialKind::Textured,
        false => MaterialKind::Plain,
    };
    let [coat, coat_roughness] = layers.coat;
    Material {
        base: Vec4::new(r, g, b, a),
        emissive,
        metallic: number(metallic.metallic_factor(), 1.0),
        roughness: number(metallic.roughness_factor(), 1.0),
        normal_scale: if scale.is_finite() { scale.clamp(-8.0, 8.0) } else { 1.0 },
        kind: kind as u32,
        textures,
        uv: layers.mappings[0].matrix,
        second: layers.sheen,
        parameters: Vec4::new(coat, coat_roughness, layers.sheen_roughness, layers.transmission),
        dielectric: layers.dielectric,
        flags: cover as u32 | bit(layers.is_unlit, UNLIT) | bit(is_whole, WHOLE) | layers.second,
        film: layers.film,
        cutoff: number(material.alpha_cutoff().unwrap_or(0.5), 1e9),
        uv2: layers.mappings[1].matrix,
        ..Material::default()
    }
}

fn reader(bytes: &[u8]) -> Result<ImageReader<Cursor<&[u8]>>> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(limits::SIDE), Some(limits::SIDE));
    limits.max_alloc = Some(limits::IMAGE);
    reader.limits(limits);
    ensure!(reader.format().is_some(), "is neither PNG nor JPEG");
    Ok(reader)
}

fn size(source: &Source, image: usize) -> Result<[u32; 2]> {
    let bytes = source.image(image)?;
    let (width, height) = reader(&bytes)?.into_dimensions()?;
    let fits = width.max(height) <= limits::SIDE && u64::from(width) * u64::from(height) * 4 <= limits::IMAGE;
    ensure!(
        fits && width > 0 && height > 0,
        "{width}x{height} pixels; at most {0}x{0} and {1} bytes",
        limits::SIDE,
        limits::IMAGE
    );
    Ok([width, height])
}

fn decode(source: &Source, image: usize) -> Result<RgbaImage> {
    Ok(reader(&source.image(image)?)?.decode()?.into_rgba8())
}

/// Halves the largest until all of them and their levels fit.
fn shrink(sizes: &mut BTreeMap<Key, [u32; 2]>) {
    let bytes = |[w, h]: [u32; 2]| u64::from(w) * u64::from(h) * 4 * 4 / 3 + 64;
    while sizes.values().map(|size| bytes(*size)).sum::<u64>() > limits::TEXELS {
        let Some(largest) = sizes.values_mut().max_by_key(|size| bytes(**size)) else { return };
        if *largest == [1, 1] {
            return;
        }
        *largest = largest.map(|side| (side / 2).max(1));
    }
}

/// Linear texels of `size`: the mean of those pixels that each one covers.
fn reduced(picture: &RgbaImage, [width, height]: [u32; 2], kind: Use) -> Vec<Vec4> {
    let linear: Vec<f32> = (0..=255)
        .map(|code| {
            let x = code as f32 / 255.0;
            // IEC 61966-2-1.
            if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        })
        .collect();
    let texel = |x: u32, y: u32| {
        let [r, g, b, a] = picture.get_pixel(x, y).0;
        let plain = Vec4::new(f32::from(r), f32::from(g), f32::from(b), f32::from(a)) / 255.0;
        match kind {
            Use::Color => Vec4::new(linear[usize::from(r)], linear[usize::from(g)], linear[usize::from(b)], plain.w),
            Use::Numbers => plain,
            Use::Normals => plain * 2.0 - 1.0,
        }
    };
    let span = |k: u32, fine: u32, coarse: u32| {
        let scaled = |k: u32| (u64::from(k) * u64::from(fine) / u64::from(coarse)) as u32;
        (scaled(k), scaled(k + 1).max(scaled(k) + 1).min(fine))
    };
    let mut texels = Vec::with_capacity((width * height) as usize);
    for y in 0..height {
        let (top, bottom) = span(y, picture.height(), height);
        for x in 0..width {
            let (left, right) = span(x, picture.width(), width);
            let sum: Vec4 =
                (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).sum();
            texels.push(sum / ((right - left) * (bottom - top)).max(1) as f32);
        }
    }
    texels
}
