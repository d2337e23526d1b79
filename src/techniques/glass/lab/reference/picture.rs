//! The picture below the glass and its mip levels, read the way the samplers read them.

use base::srgb::{decode, encode};
use glam::{IVec2, UVec2, Vec2, Vec3};

/// Rows from the top, linear light unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub size: UVec2,
    pub texels: Vec<Vec3>,
}

#[derive(Clone, Debug)]
pub struct Picture {
    /// Display values, as the UNORM view gives them.
    pub encoded: Level,
    /// Linear light.
    pub chain: Vec<Level>,
}

impl Level {
    pub fn filled(size: UVec2, color: Vec3) -> Level {
        Level { size, texels: vec![color; (size.x * size.y) as usize] }
    }

    pub fn map(&self, f: impl Fn(Vec3) -> Vec3) -> Level {
        Level { size: self.size, texels: self.texels.iter().map(|&c| f(c)).collect() }
    }

    fn at(&self, x: u32, y: u32) -> Vec3 {
        self.texels[(y * self.size.x + x) as usize]
    }

    pub fn mirrored(&self, place: IVec2) -> Vec3 {
        self.at(mirror(place.x, self.size.x), mirror(place.y, self.size.y))
    }

    pub fn clamped(&self, place: IVec2) -> Vec3 {
        let limit = self.size.as_ivec2() - 1;
        let p = place.clamp(IVec2::ZERO, limit);
        self.at(p.x as u32, p.y as u32)
    }

    /// Bilinear, mirrored; `uv`: 0..1.
    pub fn sample(&self, uv: Vec2) -> Vec3 {
        bilinear(uv * self.size.as_vec2(), |p| self.mirrored(p))
    }

    /// Bilinear, clamped.
    pub fn sample_clamped(&self, uv: Vec2) -> Vec3 {
        bilinear(uv * self.size.as_vec2(), |p| self.clamped(p))
    }
}

impl Picture {
    pub fn new(encoded: Level) -> Picture {
        let chain = tent_chain(encoded.map(linear_from_encoded));
        Picture { encoded, chain }
    }

    /// Of four bytes a pixel.
    pub fn of_rgba(size: [u32; 2], rgba: &[u8]) -> Picture {
        let texel = |c: &[u8]| Vec3::new(f32::from(c[0]), f32::from(c[1]), f32::from(c[2])) / 255.0;
        Self::new(Level { size: size.into(), texels: rgba.chunks_exact(4).map(texel).collect() })
    }

    pub fn size(&self) -> UVec2 {
        self.encoded.size
    }

    /// Trilinear; `point`: pixels.
    pub fn sample(&self, point: Vec2, lod: f32) -> Vec3 {
        let uv = point / self.size().as_vec2();
        let lod = lod.clamp(0.0, (self.chain.len() - 1) as f32);
        let (low, part) = (lod.floor(), lod.fract());
        let a = self.chain[low as usize].sample(uv);
        if part == 0.0 { a } else { a.lerp(self.chain[low as usize + 1].sample(uv), part) }
    }
}

/// Of the texels `first..` (clamped) for texel `i` of the next level: the mean of the area after (1 2 1)/4; (1 3 3 1)/8
/// where n is even, else five texels.
fn tent_weights(i: u32, n: u32) -> (i32, Vec<f32>) {
    let (at, half, all) = (i as f32, (n / 2) as f32, n as f32);
    let area = match n {
        1 => vec![1.0],
        n if n % 2 == 1 => vec![(half - at) / all, half / all, (at + 1.0) / all],
        _ => vec![0.5, 0.5],
    };
    let mut weights = vec![0.0; area.len() + 2];
    for (at, share) in area.iter().enumerate() {
        for (k, part) in [0.25, 0.5, 0.25].into_iter().enumerate() {
            weights[at + k] += part * share;
        }
    }
    (2 * i as i32 - 1, weights)
}

fn tent_level(level: &Level) -> Level {
    let size = (level.size / 2).max(UVec2::ONE);
    let plan = |n: u32, next: u32| (0..next).map(|i| tent_weights(i, n)).collect::<Vec<_>>();
    let (columns, rows) = (plan(level.size.x, size.x), plan(level.size.y, size.y));
    let mut texels = Vec::with_capacity((size.x * size.y) as usize);
    for (top, down) in &rows {
        for (left, along) in &columns {
            let mut sum = Vec3::ZERO;
            for (y, v) in (*top..).zip(down) {
                for (x, u) in (*left..).zip(along) {
                    sum += level.clamped(IVec2::new(x, y)) * (u * v);
                }
            }
            texels.push(sum);
        }
    }
    Level { size, texels }
}

fn tent_chain(level: Level) -> Vec<Level> {
    let mut chain = vec![level];
    while let Some(last) = chain.last().filter(|l| l.size != UVec2::ONE) {
        let next = tent_level(last);
        chain.push(next);
    }
    chain
}

fn mirror(i: i32, n: u32) -> u32 {
    let n = n as i32;
    let i = i.rem_euclid(2 * n);
    (if i < n { i } else { 2 * n - 1 - i }) as u32
}

fn bilinear(place: Vec2, texel: impl Fn(IVec2) -> Vec3) -> Vec3 {
    let p = place - 0.5;
    let (corner, f) = (p.floor().as_ivec2(), p - p.floor());
    let top = texel(corner).lerp(texel(corner + IVec2::X), f.x);
    let bottom = texel(corner + IVec2::Y).lerp(texel(corner + IVec2::ONE), f.x);
    top.lerp(bottom, f.y)
}

/// 0..1 (IEC 61966-2-1).
pub fn encoded_from_linear(c: Vec3) -> Vec3 {
    Vec3::new(encode(c.x), encode(c.y), encode(c.z))
}

/// 0..1 (IEC 61966-2-1).
pub fn linear_from_encoded(c: Vec3) -> Vec3 {
    Vec3::new(decode(c.x), decode(c.y), decode(c.z))
}
