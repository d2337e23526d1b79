//! Materials and textures of a scene.

use super::{
    layers::Layers,
    limits,
    mesh::Needs,
    schema::{self, Sampler, Texture},
    source::Source,
};
use crate::world::{
    AlphaMode, Builder, LEVEL_NEAREST, MAGNIFIED_NEAREST, MINIFIED_NEAREST, Material, MaterialKind, NO_TEXTURE, UNLIT,
    WHOLE, names,
    tiles::{self, Use},
};
use anyhow::{Context, Result, anyhow, ensure};
use base::guard::guarded;
use base::job::Cancelled;
use base::srgb;
use glam::{Vec3, Vec4};
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use media::picture::{DAMAGED, cause, whole};
use std::{
    collections::{BTreeMap, HashMap},
    io::Cursor,
};

/// Image, wrapping, filtering, use.
type Key = (usize, u32, bool, bool);

pub struct FileMaterial {
    material: schema::Material,
    /// Base colour, metallic and roughness, normal, emissive.
    textures: [Option<Key>; 4],
    layers: Layers,
    alpha_mode: AlphaMode,
}

#[derive(Default)]
pub struct Reader {
    sizes: HashMap<usize, Option<[u32; 2]>>,
}

impl Reader {
    pub fn read(&mut self, source: &Source, index: Option<usize>) -> Result<FileMaterial> {
        let material: schema::Material = index.map(|index| source.document.get(index)).transpose()?.unwrap_or_default();
        let metallic = &material.pbr_metallic_roughness;
        let slots = [
            (metallic.base_color_texture.as_ref().map(|info| info.index), Use::Color),
            (metallic.metallic_roughness_texture.as_ref().map(|info| info.index), Use::Numbers),
            (material.normal_texture.as_ref().map(|info| info.index), Use::Normals),
            (material.emissive_texture.as_ref().map(|info| info.index), Use::Color),
        ];
        let textures = slots.map(|(texture, kind)| texture.and_then(|texture| self.key(source, texture, kind)));
        let layers = Layers::of(&material, textures.map(|texture| texture.is_some()));
        if let (true, Some(index)) = (layers.has_third, index) {
            source.document.report("material", "a third way to look up textures", index);
        }
        if let (schema::AlphaMode::Other, Some(index)) = (material.alpha_mode, index) {
            source.document.report("material", "alpha modes other than OPAQUE, MASK and BLEND", index);
        }
        let alpha_mode = match material.alpha_mode {
            schema::AlphaMode::Blend => AlphaMode::Blend,
            _ if layers.transmission > 0.0 => AlphaMode::Blend,
            schema::AlphaMode::Mask => AlphaMode::Mask,
            schema::AlphaMode::Opaque | schema::AlphaMode::Other => AlphaMode::Opaque,
        };
        Ok(FileMaterial { material, textures, layers, alpha_mode })
    }

    fn key(&mut self, source: &Source, texture: usize, kind: Use) -> Option<Key> {
        let found =
            source.document.get::<Texture>(texture).and_then(|Texture { source: plain, sampler, extensions }| {
                let image = extensions.webp.map(|webp| webp.source).or(plain);
                if image.is_none() && extensions.basisu.is_some() {
                    source.document.report("texture", "extensions.KHR_texture_basisu", texture);
                }
                let image = image.context("no source that is read")?;
                let sampler: Sampler = match sampler {
                    Some(sampler) => source.document.get(sampler)?,
                    None => Sampler::default(),
                };
                Ok((image, wrap(&sampler)))
            });
        match found {
            Ok((image, wrap)) => {
                let size = self.sizes.entry(image).or_insert_with(|| match size(source, image) {
                    Ok(size) => Some(size),
                    Err(problem) => {
                        source.document.report_texture(&source.image_name(image), &problem);
                        None
                    }
                });
                size.is_some().then_some((image, wrap, kind == Use::Color, kind == Use::Normals))
            }
            Err(problem) => {
                source.document.report_texture(&texture.to_string(), &problem);
                None
            }
        }
    }
}

impl FileMaterial {
    pub fn needs(&self) -> Needs {
        let sets = self.layers.mappings.map(|mapping| mapping.set);
        let [.., normal_map, _] = self.textures.map(|texture| texture.is_some());
        let textured = self.textures.iter().any(Option::is_some);
        Needs { sets, alpha_mode: self.alpha_mode, double_sided: self.material.double_sided, textured, normal_map }
    }
}

fn wrap(sampler: &Sampler) -> u32 {
    use schema::{
        CLAMP_TO_EDGE, LINEAR_MIPMAP_NEAREST, MIRRORED_REPEAT, NEAREST, NEAREST_MIPMAP_LINEAR, NEAREST_MIPMAP_NEAREST,
    };
    let side = |mode: u32| match mode {
        MIRRORED_REPEAT => 1,
        CLAMP_TO_EDGE => 2,
        _ => 0,
    };
    let bit = |on: bool, bit: u32| if on { bit } else { 0 };
    let small = sampler.min_filter;
    let is_nearest = [NEAREST, NEAREST_MIPMAP_NEAREST, NEAREST_MIPMAP_LINEAR].contains(&small);
    let is_one_level = [NEAREST_MIPMAP_NEAREST, LINEAR_MIPMAP_NEAREST].contains(&small);
    // Without interpolation between levels a texture shimmers where it is small.
    side(sampler.wrap_s)
        | side(sampler.wrap_t) << 2
        | bit(sampler.mag_filter == NEAREST, MAGNIFIED_NEAREST)
        | bit(is_nearest, MINIFIED_NEAREST)
        | bit(is_one_level, LEVEL_NEAREST)
}

/// All within [`limits::TEXELS`]; returns their numbers in that order.
pub fn add(
    source: &Source,
    reader: &Reader,
    builder: &mut Builder,
    used: &[FileMaterial],
    progress: &dyn Fn(f32) -> Result<(), Cancelled>,
) -> Result<Vec<u32>> {
    let mut sizes: BTreeMap<Key, [u32; 2]> = BTreeMap::new();
    for key in used.iter().flat_map(|material| material.textures).flatten() {
        if let Some(Some(size)) = reader.sizes.get(&key.0) {
            sizes.insert(key, *size);
        }
    }
    ensure!(sizes.len() <= limits::TEXTURES, "{} textures; at most {}", sizes.len(), limits::TEXTURES);
    shrink(&mut sizes);
    let mut numbers = BTreeMap::new();
    let count = sizes.len() as f32;
    for (done, (key, size)) in sizes.into_iter().enumerate() {
        progress(done as f32 / count)?;
        let (image, wrap, color, normals) = key;
        let kind = if color {
            Use::Color
        } else if normals {
            Use::Normals
        } else {
            Use::Numbers
        };
        match decode(source, image) {
            Ok((picture, is_damaged)) => {
                if is_damaged {
                    source.document.remark(format!("texture {}: {DAMAGED}", source.image_name(image)));
                }
                let texels = reduced(&picture, size, kind);
                numbers.insert(key, tiles::add(builder, size, texels, kind, wrap).map_err(anyhow::Error::msg)?);
            }
            Err(problem) => source.document.report_texture(&source.image_name(image), &problem),
        }
    }
    let added = used.iter().map(|material| {
        let number = builder.material(packed(material, &numbers));
        builder.name_material(number, names::clean(material.material.name.as_str().unwrap_or_default()));
        number
    });
    Ok(added.collect())
}

/// Radiance of an emissive factor of 1: two thirds more than white paper at the default sun.
const EMITTED: f32 = 10.0;

fn packed(loaded: &FileMaterial, numbers: &BTreeMap<Key, u32>) -> Material {
    let FileMaterial { material, layers, alpha_mode, .. } = loaded;
    let metallic = &material.pbr_metallic_roughness;
    let textures = loaded.textures.map(|key| key.and_then(|key| numbers.get(&key).copied()).unwrap_or(NO_TEXTURE));
    let textured = textures.iter().any(|texture| *texture != NO_TEXTURE);
    let number = |x: f32, most: f32| if x.is_finite() { x.clamp(0.0, most) } else { 0.0 };
    let [r, g, b, a] = metallic.base_color_factor.map(|x| number(x, 1.0));
    let strength = number(material.extensions.emissive_strength.emissive_strength, 1e3);
    let emissive = Vec3::from(material.emissive_factor.map(|x| number(x, 1.0))) * (strength * EMITTED);
    let scale = material.normal_texture.as_ref().map_or(1.0, |normal| normal.scale);
    let bit = |on: bool, bit: u32| if on { bit } else { 0 };
    let is_whole = matches!(material.alpha_mode, schema::AlphaMode::Opaque | schema::AlphaMode::Other);
    let kind = match textured {
        _ if *alpha_mode == AlphaMode::Blend || layers.is_more() => MaterialKind::Layered,
        true => MaterialKind::Textured,
        false => MaterialKind::Plain,
    };
    let [coat, coat_roughness] = layers.coat;
    Material {
        base: Vec4::new(r, g, b, a),
        emissive,
        metallic: number(metallic.metallic_factor, 1.0),
        roughness: number(metallic.roughness_factor, 1.0),
        normal_scale: if scale.is_finite() { scale.clamp(-8.0, 8.0) } else { 1.0 },
        kind: kind as u32,
        textures,
        uv: layers.mappings[0].matrix,
        second: layers.sheen,
        parameters: Vec4::new(coat, coat_roughness, layers.sheen_roughness, layers.transmission),
        dielectric: layers.dielectric,
        flags: *alpha_mode as u32 | bit(layers.is_unlit, UNLIT) | bit(is_whole, WHOLE) | layers.second,
        film: layers.film,
        cutoff: number(material.alpha_cutoff, 1e9),
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
    let is_known = matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP));
    ensure!(is_known, "is neither PNG, JPEG nor WebP");
    Ok(reader)
}

fn size(source: &Source, image: usize) -> Result<[u32; 2]> {
    let bytes = source.image(image)?;
    let dimensions = guarded(|| reader(&bytes)?.into_dimensions().map_err(|problem| anyhow!(cause(&problem))));
    let (width, height) = dimensions?;
    let fits = width.max(height) <= limits::SIDE && u64::from(width) * u64::from(height) * 4 <= limits::IMAGE;
    ensure!(
        fits && width > 0 && height > 0,
        "{width}x{height} pixels; at most {0}x{0} and {1} bytes",
        limits::SIDE,
        limits::IMAGE
    );
    Ok([width, height])
}

fn decode(source: &Source, image: usize) -> Result<(RgbaImage, bool)> {
    let decode = |bytes: &[u8]| -> Result<RgbaImage> {
        Ok(reader(bytes)?.decode().map_err(|problem| anyhow!(cause(&problem)))?.into_rgba8())
    };
    whole(&source.image(image)?, decode)?.context("the file is damaged or cut off")
}

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

fn reduced(picture: &RgbaImage, [width, height]: [u32; 2], kind: Use) -> Vec<Vec4> {
    let linear = |byte: u8| srgb::LINEAR_OF_BYTE[usize::from(byte)];
    let texel = |x: u32, y: u32| {
        let [r, g, b, a] = picture.get_pixel(x, y).0;
        let plain = Vec4::new(f32::from(r), f32::from(g), f32::from(b), f32::from(a)) / 255.0;
        match kind {
            Use::Color => Vec4::new(linear(r), linear(g), linear(b), plain.w),
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
