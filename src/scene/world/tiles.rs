//! Procedural textures: a stone floor of octagons and small squares, a wall of glazed pieces.

use super::{Builder, Texture};
use crate::picture::noise::{cell, fractal, step};
use base::{srgb, threads::in_parallel};
use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};

#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    /// Linear, stored sRGB-encoded.
    Color,
    Numbers,
    /// Stored as half of them plus a half.
    Normals,
}

fn packed(value: Vec4, kind: Use) -> u32 {
    let value = match kind {
        Use::Color => Vec4::new(srgb::encode(value.x), srgb::encode(value.y), srgb::encode(value.z), value.w),
        Use::Numbers => value,
        Use::Normals => (value.xyz().normalize_or(Vec3::Z) * 0.5 + 0.5).extend(1.0),
    };
    u32::from_le_bytes(value.to_array().map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8))
}

/// Each texel of a level is the mean of the four (at odd sizes: of those below it) of the finer one, of linear values.
pub fn add(builder: &mut Builder, size: [u32; 2], mut texels: Vec<Vec4>, kind: Use, wrap: u32) -> Result<u32, String> {
    let mut bits: Vec<u32> = texels.iter().map(|texel| packed(*texel, kind)).collect();
    let [mut width, mut height] = size;
    let mut levels = 1;
    while width > 1 || height > 1 {
        let (w, h) = ((width / 2).max(1), (height / 2).max(1));
        let span = |i: u32, fine: u32, coarse: u32| (i * fine / coarse, (((i + 1) * fine).div_ceil(coarse)).min(fine));
        let mut coarser = Vec::with_capacity((w * h) as usize);
        for y in 0..h {
            for x in 0..w {
                let ((left, right), (top, bottom)) = (span(x, width, w), span(y, height, h));
                let mut sum = Vec4::ZERO;
                for row in top..bottom {
                    sum += texels[(row * width + left) as usize..(row * width + right) as usize].iter().sum::<Vec4>();
                }
                coarser.push(sum / ((right - left) * (bottom - top)) as f32);
            }
        }
        bits.extend(coarser.iter().map(|texel| packed(*texel, kind)));
        (texels, width, height, levels) = (coarser, w, h, levels + 1);
    }
    let srgb = u32::from(kind == Use::Color);
    builder.texture(Texture { first: 0, width: size[0], height: size[1], levels, srgb, wrap }, &bits)
}

struct Texel {
    color: Vec3,
    roughness: f32,
    metallic: f32,
    /// As a fraction of the texture's width.
    height: f32,
    glow: Vec3,
}

/// Draws `at` over the unit square (which repeats) into the four textures of a material; the last one only if something
/// glows.
fn draw(builder: &mut Builder, size: u32, at: impl Fn(Vec2) -> Texel + Sync) -> Result<[u32; 4], String> {
    let rows: Vec<u32> = (0..size).collect();
    let row = |y: &u32| -> Vec<Texel> {
        (0..size).map(|x| at((Vec2::new(x as f32, *y as f32) + 0.5) / size as f32)).collect()
    };
    let texels: Vec<Texel> = in_parallel(&rows, (size * size) as usize, row).into_iter().flatten().collect();
    let height = |x: u32, y: u32| texels[((y % size) * size + x % size) as usize].height;
    let mut normals = Vec::with_capacity(texels.len());
    for y in 0..size {
        for x in 0..size {
            let slope =
                Vec2::new(height(x + 1, y) - height(x + size - 1, y), height(x, y + 1) - height(x, y + size - 1))
                    * (0.5 * size as f32);
            normals.push((-slope).extend(1.0).normalize().extend(1.0));
        }
    }
    let map = |f: &dyn Fn(&Texel) -> Vec4| texels.iter().map(f).collect::<Vec<_>>();
    let square = [size; 2];
    let color = add(builder, square, map(&|t| t.color.extend(1.0)), Use::Color, 0)?;
    let rough = add(builder, square, map(&|t| Vec4::new(1.0, t.roughness, t.metallic, 1.0)), Use::Numbers, 0)?;
    let normal = add(builder, square, normals, Use::Normals, 0)?;
    let glow = if texels.iter().any(|t| t.glow != Vec3::ZERO) {
        add(builder, square, map(&|t| t.glow.extend(1.0)), Use::Color, 0)?
    } else {
        super::NO_TEXTURE
    };
    Ok([color, rough, normal, glow])
}

/// Octagons of pale stone, small squares of dark green stone at their corners; 4 by 4 of them.
pub fn floor(builder: &mut Builder) -> Result<[u32; 4], String> {
    draw(builder, 512, |uv| {
        const DOT: f32 = 0.17;
        const JOINT: f32 = 0.009;
        let at = uv * 4.0;
        let corner = at.round();
        let from_corner = (at - corner).abs();
        let in_dot = DOT - (from_corner.x + from_corner.y);
        let in_cell = 0.5 - (at - at.floor() - 0.5).abs().max_element();
        let to_edge = if in_dot > 0.0 { in_dot * 0.707 } else { in_cell.min(-in_dot * 0.707) };
        let stone = step(JOINT * 0.5, JOINT * 1.6, to_edge);
        let which = if in_dot > 0.0 { corner.rem_euclid(Vec2::splat(4.0)) } else { at.floor() + 7.0 };
        let dice = |seed: u32| cell(which.x as i32, which.y as i32, seed);
        let own = at * 2.3 + Vec2::new(dice(1), dice(2)) * 90.0;
        let cloud = fractal(own, 5, 3);
        let vein = 1.0 - (fractal(own * 0.8 + cloud * 0.7, 4, 8).abs() * 9.0).min(1.0);
        let color = if in_dot > 0.0 {
            Vec3::new(0.075, 0.115, 0.10) * (1.0 + 0.5 * cloud) + Vec3::splat(0.12) * vein * vein
        } else {
            let warm = Vec3::new(0.72, 0.55, 0.375).lerp(Vec3::new(0.60, 0.50, 0.385), dice(4));
            warm * (0.92 + 0.16 * dice(5) + 0.22 * cloud) - Vec3::new(0.10, 0.13, 0.15) * vein * vein * 0.8
        };
        let joint = Vec3::new(0.20, 0.175, 0.15) * (1.0 + 0.4 * fractal(at * 40.0, 2, 12));
        let polish = 0.13 + 0.08 * (cloud + 0.5).clamp(0.0, 1.0) + 0.05 * dice(6);
        Texel {
            color: joint.lerp(color, stone).max(Vec3::splat(0.02)),
            roughness: 0.7 + (polish - 0.7) * stone,
            metallic: 0.0,
            height: 0.0016 * step(0.0, JOINT * 2.2, to_edge),
            glow: Vec3::ZERO,
        }
    })
}

/// Eight-pointed stars in blue and turquoise, some of glass with a light behind; 2 by 2 stars.
pub fn mosaic(builder: &mut Builder) -> Result<[u32; 4], String> {
    draw(builder, 256, |uv| {
        let at = uv * 2.0;
        let which = at.floor();
        let p = (at - which - 0.5).abs();
        let star = 0.33 - p.max_element().min((p.x + p.y) * std::f32::consts::FRAC_1_SQRT_2);
        let heart = 0.15 - p.length();
        let cross = p.x.min(p.y) - 0.07;
        let to_edge = heart.abs().min(star.abs()).min(if star < 0.0 { cross.abs() } else { 1.0 });
        let piece = step(0.010, 0.022, to_edge);
        let lit = heart > 0.0 && (which.x + which.y) as i32 % 2 == 0;
        let cloud = fractal(at * 5.0 + which * 17.0, 4, 30);
        let (color, roughness) = if heart > 0.0 {
            (if lit { Vec3::new(0.75, 0.52, 0.22) } else { Vec3::new(0.62, 0.30, 0.09) }, 0.16)
        } else if star > 0.0 {
            (Vec3::new(0.035, 0.19, 0.26), 0.12)
        } else if cross < 0.0 {
            (Vec3::new(0.66, 0.62, 0.53), 0.2)
        } else {
            (Vec3::new(0.05, 0.085, 0.24), 0.14)
        };
        let color = color * (1.0 + 0.45 * cloud + 0.2 * (cell(which.x as i32, which.y as i32, 5) - 0.5));
        let glow = if lit { Vec3::new(1.0, 0.55, 0.20) * step(0.0, 0.05, heart) } else { Vec3::ZERO };
        Texel {
            color: Vec3::new(0.33, 0.30, 0.26).lerp(color, piece).max(Vec3::splat(0.02)),
            roughness: 0.75 + (roughness - 0.75) * piece,
            metallic: 0.0,
            height: 0.006 * step(0.0, 0.03, to_edge) + 0.0008 * cloud,
            glow,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_means_of_linear_light() {
        let mut builder = Builder::new();
        let texels = vec![Vec4::ZERO, Vec4::ONE, Vec4::ONE, Vec4::ZERO];
        add(&mut builder, [2, 2], texels.clone(), Use::Color, 0).unwrap();
        add(&mut builder, [2, 2], texels, Use::Numbers, 5).unwrap();
        add(&mut builder, [5, 3], vec![Vec4::X; 15], Use::Normals, 0).unwrap();
        let world = builder.finish(Default::default());
        assert_eq!(world.textures.texels[4].to_le_bytes(), [188, 188, 188, 128]);
        assert_eq!(world.textures.texels[5 + 4].to_le_bytes(), [128; 4]);
        assert_eq!(
            (world.textures.layouts[0].levels, world.textures.layouts[1].first, world.textures.layouts[1].srgb),
            (2, 5, 0)
        );
        assert_eq!((world.textures.layouts[2].levels, world.textures.texels.len()), (3, 10 + 15 + 2 + 1));
        assert_eq!(world.textures.texels[10..], [0xFF80_80FF; 18]);
    }
}
