//! Texture sampling on the CPU, the reference implementation for shaders.

use super::{LEVEL_NEAREST, MAGNIFIED_NEAREST, MINIFIED_NEAREST, World};
use glam::{Vec2, Vec4};

impl World {
    /// As `shaders/include/texture.glsl` does.
    pub fn sampled(&self, index: u32, uv: Vec2, right: Vec2, down: Vec2, taps: u32) -> Vec4 {
        let t = self.textures.layouts[index as usize];
        let full = Vec2::new(t.width as f32, t.height as f32);
        let (across, along) = ((right * full).length(), (down * full).length());
        let (longer, most, least) = if across > along { (right, across, along) } else { (down, along, across) };
        let looks = (most / least.max(1e-6)).ceil().clamp(1.0, taps as f32);
        let level = (most / looks).max(1.0).log2().clamp(0.0, (t.levels - 1) as f32);
        let level = if t.wrap & LEVEL_NEAREST != 0 { (level + 0.5).floor() } else { level };
        let filter = if most <= looks { MAGNIFIED_NEAREST } else { MINIFIED_NEAREST };
        let is_nearest = t.wrap & filter != 0;
        let look = |level: u32, uv: Vec2| {
            let size = [t.width, t.height].map(|n| (n >> level).max(1) as i32);
            let first: u32 = (0..level).map(|l| (t.width >> l).max(1) * (t.height >> l).max(1)).sum::<u32>() + t.first;
            let texel = |x: i32, y: i32| {
                let wrap = |i: i32, n: i32, how: u32| match how {
                    0 => i.rem_euclid(n),
                    1 => {
                        let i = i.rem_euclid(2 * n);
                        if i < n { i } else { 2 * n - 1 - i }
                    }
                    _ => i.clamp(0, n - 1),
                };
                let (x, y) = (wrap(x, size[0], t.wrap & 3), wrap(y, size[1], t.wrap >> 2 & 3));
                let bytes = self.textures.texels[first as usize + (y * size[0] + x) as usize].to_le_bytes();
                let value = Vec4::from(bytes.map(f32::from)) / 255.0;
                let decode = |c: f32| if t.srgb != 0 { base::srgb::decode(c) } else { c };
                Vec4::new(decode(value.x), decode(value.y), decode(value.z), value.w)
            };
            let at = uv * Vec2::new(size[0] as f32, size[1] as f32) - 0.5;
            let (low, f) = (at.floor(), at - at.floor());
            let (x, y) = (low.x as i32, low.y as i32);
            if is_nearest {
                let at = at + 0.5;
                return texel(at.x.floor() as i32, at.y.floor() as i32);
            }
            texel(x, y).lerp(texel(x + 1, y), f.x).lerp(texel(x, y + 1).lerp(texel(x + 1, y + 1), f.x), f.y)
        };
        let low = level.floor() as u32;
        let mut sum = Vec4::ZERO;
        for i in 0..looks as u32 {
            let at = uv + longer * ((i as f32 + 0.5) / looks - 0.5);
            sum += look(low, at).lerp(look((low + 1).min(t.levels - 1), at), level - low as f32);
        }
        sum / looks
    }
}
