//! Noise from an integer hash, identical on every machine.

use glam::Vec2;

/// Multiply and shift, after the finaliser of MurmurHash3.
pub fn mix(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
    x = (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35);
    x ^ (x >> 16)
}

pub fn cell(x: i32, y: i32, seed: u32) -> f32 {
    let hash =
        mix(mix(mix(seed ^ 0x9E37_79B9).wrapping_add(x as u32)).wrapping_add((y as u32).wrapping_mul(0x27D4_EB2F)));
    (hash >> 8) as f32 / 16_777_216.0
}

pub struct Dice(u32);

impl Dice {
    pub fn new(seed: u32) -> Self {
        Self(mix(seed.wrapping_add(0x51ED_270B)))
    }

    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        (mix(self.0) >> 8) as f32 / 16_777_216.0
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.roll()
    }
}

/// About -1 to 1, features of size 1, continuous curvature.
pub fn noise(p: Vec2, seed: u32) -> f32 {
    const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [[f32; 2]; 8] = [
        [1.0, 0.0],
        [DIAGONAL, DIAGONAL],
        [0.0, 1.0],
        [-DIAGONAL, DIAGONAL],
        [-1.0, 0.0],
        [-DIAGONAL, -DIAGONAL],
        [0.0, -1.0],
        [DIAGONAL, -DIAGONAL],
    ];
    // Without SSE 4.1 `floor` is a call, and this is the hottest code.
    let (x, y) = (p.x as i32 - i32::from(p.x < 0.0), p.y as i32 - i32::from(p.y < 0.0));
    let f = p - Vec2::new(x as f32, y as f32);
    let corner = |dx: i32, dy: i32| {
        let hash = mix((x + dx) as u32 ^ mix(((y + dy) as u32).wrapping_add(seed.wrapping_mul(0x9E37_79B9))));
        let [gx, gy] = DIRECTIONS[(hash >> 29) as usize];
        gx * (f.x - dx as f32) + gy * (f.y - dy as f32)
    };
    let fade = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    1.5 * mix(mix(corner(0, 0), corner(1, 0), fade.x), mix(corner(0, 1), corner(1, 1), fade.x), fade.y)
}

/// A 3-4-5 triangle: lattices of octaves do not line up.
fn turned(p: Vec2) -> Vec2 {
    Vec2::new(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y)
}

/// Each octave is twice as fine and half as strong; about -1 to 1.
pub fn fractal(mut p: Vec2, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut strength) = (0.0, 0.5);
    for octave in 0..octaves {
        sum += strength * noise(p, seed + octave);
        p = turned(p) * 2.03;
        strength *= 0.5;
    }
    sum
}

/// Finer crests only near the coarser ones; 0 to about 1.
pub fn ridges(mut p: Vec2, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut strength, mut weight) = (0.0, 0.52, 1.0);
    for octave in 0..octaves {
        let crest = (1.0 - noise(p, seed + octave).abs()).max(0.0);
        let crest = crest * crest * weight;
        sum += strength * crest;
        weight = (crest * 1.8).clamp(0.0, 1.0);
        p = turned(p) * 2.07;
        strength *= 0.46;
    }
    sum
}

pub fn step(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
