//! System glass: a displacement by the distance to the edge, and lines of its body in encoded values. Figures and
//! sources: docs/glass.md.

use super::lens::shape::Lens;
use super::optics::surface::RIM_DEPTH;
use glam::{Vec2, Vec3};

/// Mean brightness that is bright, and dark.
pub const TURNS: Vec2 = Vec2::new(0.40, 0.30);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Of the luma.
    pub gain: f32,
    pub offset: f32,
    /// Of the difference of a channel to the luma.
    pub colour: f32,
}

/// Measured, of regular glass.
const SATURATION: f32 = 2.55;
pub const CLEAR: [Line; 2] = [Line::alike(0.712, 25.0 / 255.0), Line::alike(1.041, 19.0 / 255.0)];
/// The gain of colours was measured over dark pictures only.
pub const REGULAR: [Line; 2] = [
    Line { gain: 0.139, offset: 41.0 / 255.0, colour: 0.311 * SATURATION },
    Line { gain: 0.142, offset: 212.0 / 255.0, colour: 0.142 * SATURATION },
];
/// 3.5 of 6 pt.
pub const DARK_FROST: f32 = 3.5 / 6.0;
/// Points: boxes of 96 and 320 pt were measured with one width of the bevel, a capsule of 460 pt with 27 pt.
const LARGE: [f32; 2] = [320.0, 460.0];
const LARGE_BEVEL: f32 = 1.35;
/// By eye.
pub const LARGE_FROST: f32 = 2.0;

gpu::gpu_consts! { "glass/system.glsl":
    pub const AROUND_EDGE_LOD: f32 = 5.0;
}

const OPAQUE: f32 = 0.2;

impl Line {
    const fn alike(gain: f32, offset: f32) -> Line {
        Line { gain, offset, colour: gain }
    }

    pub fn flattened(self) -> Line {
        let gain = OPAQUE * self.gain;
        Line { gain, offset: self.offset + 0.5 * (self.gain - gain), colour: OPAQUE * self.colour }
    }

    pub fn packed(self) -> Vec3 {
        Vec3::new(self.gain, self.offset, self.colour)
    }
}

/// 0 small, 1 large.
pub fn largeness(lens: &Lens, scale: f32) -> f32 {
    let [from, to] = LARGE;
    ((2.0 * lens.half.max_element() / scale - from) / (to - from)).clamp(0.0, 1.0)
}

pub fn bevel_growth(lens: &Lens, scale: f32) -> f32 {
    1.0 + (LARGE_BEVEL - 1.0) * largeness(lens, scale)
}

/// Pixels inwards: what a quarter circle lacks to its full height.
pub fn displaced(d: f32, bevel: f32, tilt: f32, displacement: f32) -> f32 {
    let u = 1.0 - (-d / bevel).max(RIM_DEPTH / bevel).min(1.0);
    displacement * bevel * tilt * (u * u / (1.0 + (1.0 - u * u).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_transparency_keeps_middle_grey() {
        for line in [CLEAR, REGULAR].concat() {
            let flat = line.flattened();
            assert!((0.5 * (line.gain - flat.gain) + line.offset - flat.offset).abs() < 1e-6 && flat.gain < line.gain);
        }
    }
}
