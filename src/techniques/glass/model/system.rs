//! The system's glass as the shaders take it: a displacement by the distance to the edge, and lines that its body follows in encoded values.
//! Figures and sources: docs/glass.md.

use super::shape::Lens;
use super::surface::RIM_DEPTH;
use glam::{Vec2, Vec3};

/// Mean brightness above which the picture below the system's glass counts as bright, and below which as dark: it is light over middle grey.
pub const TURNS: Vec2 = Vec2::new(0.40, 0.30);

/// Values of the shaders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// Displacement at the edge for each pixel of the bevel's width.
    pub displacement: f32,
    /// What the body does to dark pictures, and to bright ones.
    pub body: [Line; 2],
    /// Whether it opens at the edge.
    pub opens: bool,
    /// Frost over bright pictures, pixels.
    pub frost_light: f32,
    /// Whether the brightness of the picture decides between the two.
    pub is_auto: bool,
}

/// A body's effect on encoded values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Factor of the luma.
    pub gain: f32,
    /// Added to the luma.
    pub offset: f32,
    /// Factor of the difference of a channel to the luma.
    pub colour: f32,
}

/// Measured saturation of the regular glass.
const SATURATION: f32 = 2.55;
/// Clear glass over dark and bright pictures.
pub const CLEAR: [Line; 2] = [Line::alike(0.712, 25.0 / 255.0), Line::alike(1.041, 19.0 / 255.0)];
/// Regular glass. Its gain of colours was measured over dark pictures; over bright ones the same saturation is assumed.
pub const REGULAR: [Line; 2] = [
    Line { gain: 0.139, offset: 41.0 / 255.0, colour: 0.311 * SATURATION },
    Line { gain: 0.142, offset: 212.0 / 255.0, colour: 0.142 * SATURATION },
];
/// Frost of the regular glass over dark pictures, as a part of that over bright ones: 3.5 of 6 pt.
pub const DARK_FROST: f32 = 3.5 / 6.0;
/// Longer sides in points between which a lens becomes large: boxes of 96 and 320 pt were measured with a bevel of the same width, a capsule
/// of 460 pt with one of 27 pt.
const LARGE: [f32; 2] = [320.0, 460.0];
/// Factor of the bevel's width on large lenses.
const LARGE_BEVEL: f32 = 1.35;
/// Factor of the frost of regular glass where a lens is large, by eye: its blur was measured on one size.
pub const LARGE_FROST: f32 = 2.0;

crate::gpu_consts! { "glass/system.glsl":
    /// Level of the picture that is the brightness around a pixel of the edge.
    pub const AROUND_EDGE_LOD: f32 = 5.0;
}

/// What reduced transparency leaves of a line's slope.
const OPAQUE: f32 = 0.2;

impl Line {
    /// The same for every channel.
    const fn alike(gain: f32, offset: f32) -> Line {
        Line { gain, offset, colour: gain }
    }

    /// A flatter line with the same value for middle grey.
    pub fn flattened(self) -> Line {
        let gain = OPAQUE * self.gain;
        Line { gain, offset: self.offset + 0.5 * (self.gain - gain), colour: OPAQUE * self.colour }
    }

    /// As the shaders take it.
    pub fn packed(self) -> Vec3 {
        Vec3::new(self.gain, self.offset, self.colour)
    }
}

/// How large a lens is at a display `scale`: 0 small, 1 large.
pub fn largeness(lens: &Lens, scale: f32) -> f32 {
    let [from, to] = LARGE;
    ((2.0 * lens.half.max_element() / scale - from) / (to - from)).clamp(0.0, 1.0)
}

/// Factor of the bevel's width of a lens.
pub fn bevel_growth(lens: &Lens, scale: f32) -> f32 {
    1.0 + (LARGE_BEVEL - 1.0) * largeness(lens, scale)
}

/// Way inwards in pixels by which the picture is displaced at distance `d`: what a quarter circle lacks to its full height.
pub fn displaced(d: f32, bevel: f32, tilt: f32, displacement: f32) -> f32 {
    let u = 1.0 - (-d / bevel).clamp(RIM_DEPTH / bevel, 1.0);
    displacement * bevel * tilt * (u * u / (1.0 + (1.0 - u * u).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_face_is_displaced_by_nothing_and_the_edge_by_what_was_measured() {
        let at = |z: f32| displaced(-z, 20.0, 1.0, 3.0);
        assert_eq!((at(20.0), at(25.0)), (0.0, 0.0));
        assert!((at(0.5) - 46.7).abs() < 0.1 && at(19.0) < 0.1, "{} {}", at(0.5), at(19.0));
    }

    #[test]
    fn less_transparency_keeps_middle_grey() {
        for line in [CLEAR, REGULAR].concat() {
            let flat = line.flattened();
            assert!((0.5 * (line.gain - flat.gain) + line.offset - flat.offset).abs() < 1e-6 && flat.gain < line.gain);
        }
    }
}
