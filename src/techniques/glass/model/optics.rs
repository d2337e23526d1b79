//! Optics: the point of the picture that a view ray from straight above meets through the glass.

use super::blur::SHARP_SIGMA;
use super::surface::{Bevel, RIM_DEPTH, Surface, surface};
use crate::gpu_consts;
use glam::Vec3;

/// Material of the glass, and its distance to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optics {
    /// Index of refraction (IOR) for green.
    pub eta: f32,
    /// Half the spread of the index over the visible range: (eta - 1) / Abbe number.
    pub spread: f32,
    /// Bevel height in pixels, the glass above the edge.
    pub height: f32,
    /// Gap between the edge and the picture, pixels.
    pub gap: f32,
    /// Most looks of one pixel of the bevel; 1 switches dispersion off and blurs the footprint alike in all directions.
    pub taps: u32,
}

gpu_consts! { "glass/optics.glsl":
    /// Spectrum splits below this many pixels are not drawn.
    pub const LEAST_SPLIT: f32 = 0.25;
    /// Pixels of blur per pixel of stretched footprint.
    pub const FOOTPRINT: f32 = 0.45;
    /// The same for a mirrored ray.
    pub const MIRRORED: f32 = 0.36;
}

/// Sideways travel per unit of depth for slope `s` and index `eta`: Snell's law for a vertical ray, with the unit vectors
/// multiplied out. The usual form is `refract((0,0,-1), m, 1/eta)` with `m = (s, 1)/sqrt(1+s^2)`; a test compares them.
pub fn travel(s: f32, eta: f32) -> f32 {
    let r = (eta * eta + s * s * (eta * eta - 1.0)).sqrt();
    s * (r - 1.0) / (s * s + r)
}

/// Depth of glass and gap below the surface, pixels.
pub fn depth(h: f32, optics: &Optics) -> f32 {
    optics.height * h + optics.gap
}

/// Difference in pixels between the offsets of the two ends of the spectrum (the derivative of [`travel`] by eta).
pub fn split(s: f32, h: f32, optics: &Optics) -> f32 {
    let eta = optics.eta;
    let r = (eta * eta + s * s * (eta * eta - 1.0)).sqrt();
    let w = 1.0 + s * s;
    let q = s * s + r;
    2.0 * optics.spread * s * w * w * eta / (r * q * q) * depth(h, optics)
}

/// Optics of one pixel of the bevel: the surface in its middle, and the stretch of the picture across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The surface in the middle of the pixel.
    pub surface: Surface,
    /// Way inwards in pixels from the pixel to the middle of the part that it shows.
    pub offset: f32,
    /// J: pixels of the picture that one pixel across the bevel shows; negative where it is mirrored.
    pub stretch: f32,
}

/// Traces the middle of the pixel at distance `d` and its two sides, half a pixel outwards and inwards. The differences of
/// where they meet the picture are the footprint; that holds where a derivative does not: at the very rim, where the picture
/// is folded within a pixel.
pub fn sight(d: f32, bevel: f32, tilt: f32, form: &Bevel, optics: &Optics) -> Sight {
    // The rim is not read further out than this.
    let (outer_z, middle_z, inner_z) = ((-d - 0.5).max(RIM_DEPTH), (-d).max(RIM_DEPTH), (0.5 - d).max(RIM_DEPTH));
    let surface = surface(d, bevel, tilt, form);
    let meets = |z: f32, s: &Surface| z + travel(s.s, optics.eta) * depth(s.h, optics);
    let traced = |d: f32, z: f32| meets(z, &self::surface(d, bevel, tilt, form));
    let (from, middle, to) = (traced(d + 0.5, outer_z), meets(middle_z, &surface), traced(d - 0.5, inner_z));
    let way = ((middle - from).abs() + (to - middle).abs()) / (inner_z - outer_z).max(0.25);
    Sight { surface, offset: 0.25 * (from + to) + 0.5 * middle + d, stretch: if to < from { -way } else { way } }
}

/// Blur in pixels that a footprint needs on top of the frost. A mirrored picture moves against the lens, faster by the
/// lens' own speed, so it needs some where an upright one that is not squeezed needs none.
pub fn footprint_sigma(j: f32) -> f32 {
    (FOOTPRINT * (j.abs() - 1.0)).max(-MIRRORED * j).max(0.0)
}

/// A row of looks along the direction in which the bevel squeezes the picture and parts its colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Looks, 1 to [`Optics::taps`].
    pub count: u32,
    /// Half the length of the row, pixels.
    pub reach: f32,
    /// Half the width of each colour's kernel.
    pub width: f32,
    /// Middle of the blue kernel; red has it on the other side.
    pub middle: f32,
    /// Blur of each look beyond the frost.
    pub extra: f32,
}

gpu_consts! { "glass/optics.glsl":
    /// Standard deviation of a colour's share of the spectrum, as a part of the whole split: a triangle 3/4 of it wide.
    const COLOUR_SIGMA: f32 = 0.153;
    /// Looks per pixel of half the row.
    const DENSITY: f32 = 1.6;
}

/// Plans the looks of a pixel of stretch `sight.stretch` along the bevel's fall and `across` along the outline. The kernel
/// of each colour is a biweight `(1-x^2)^2` (variance width^2/7) for footprint and spectrum together, so that dispersion
/// costs no look of its own. Reads are so close that their own mip level fills the gaps. Detail hidden by the frost is left out.
pub fn row(sight: &Sight, across: f32, optics: &Optics, frost: f32) -> Row {
    let hidden = 0.5 * (frost - SHARP_SIGMA).max(0.0);
    let beyond = |x: f32| (x * x - hidden * hidden).max(0.0);
    let (blur, side) = (footprint_sigma(sight.stretch), footprint_sigma(across));
    let parted = beyond(split(sight.surface.s, sight.surface.h, optics)).sqrt();
    let middle = 0.25 * parted;
    let width = (7.0 * (beyond(blur) + (COLOUR_SIGMA * parted) * (COLOUR_SIGMA * parted))).sqrt().max(1e-3);
    let reach = middle + width;
    let least = if parted >= LEAST_SPLIT { 3.0 } else { 1.0 };
    let count = (reach * DENSITY).ceil().max(least).min(optics.taps as f32);
    // The gap between two looks is filled by a level whose texels are as wide.
    let gap = 2.0 * reach / count;
    let extra = if count > 1.0 { (0.5 * gap * gap - 0.5).max(side * side).sqrt() } else { blur.max(side) };
    Row { count: count as u32, reach, width, middle, extra }
}

/// Blur in pixels that fills the gaps between the looks of the longest row that dispersion alone needs.
pub fn widest_split(optics: &Optics) -> f32 {
    let parted = (1..=36).map(|i| split(0.25 * i as f32, 1.0, optics)).fold(0.0, f32::max);
    let reach = (0.25 + 7.0_f32.sqrt() * COLOUR_SIGMA) * parted;
    0.5_f32.sqrt() * 2.0 * reach / optics.taps as f32
}

/// Place of look `i` of a row, pixels from its middle.
pub fn row_place(i: u32, row: &Row) -> f32 {
    row.reach * ((2 * i + 1) as f32 / row.count as f32 - 1.0)
}

/// Weights of red, green and blue of a look at place `x` of a row. Not normalised: divide by their sum.
pub fn row_weight(x: f32, row: &Row) -> Vec3 {
    if row.count == 1 {
        return Vec3::ONE;
    }
    let v = (Vec3::splat(x) - row.middle * Vec3::new(-1.0, 0.0, 1.0)) / row.width;
    let k = (Vec3::ONE - v * v).max(Vec3::ZERO);
    k * k
}

/// Schlick's approximation of the Fresnel reflectance less its value at normal incidence, so that the face reflects nothing.
pub fn fresnel(s: f32, eta: f32) -> f32 {
    let f0 = (eta - 1.0) / (eta + 1.0);
    let c = 1.0 - 1.0 / (1.0 + s * s).sqrt();
    let c2 = c * c;
    (1.0 - f0 * f0) * c2 * c2 * c
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLASS: Optics = Optics { eta: 1.5, spread: 0.5 / 26.0, height: 56.0, gap: 64.0, taps: 9 };
    const FORM: Bevel = Bevel { height: 56.0, profile: 3.0 };

    fn offset(z: f32) -> f32 {
        let s = surface(-z, 56.0, 1.0, &FORM);
        travel(s.s, GLASS.eta) * depth(s.h, &GLASS)
    }

    #[test]
    fn travel_is_snell() {
        for eta in [1.0_f32, 1.05, 1.33, 1.5, 2.4] {
            for i in 0..50 {
                let s = i as f32 * 0.2;
                let m = Vec3::new(s, 0.0, 1.0) / (1.0 + s * s).sqrt();
                let (ratio, c) = (1.0 / eta, m.z);
                let r = Vec3::new(0.0, 0.0, -ratio) + m * (ratio * c - (1.0 - ratio * ratio * (1.0 - c * c)).sqrt());
                assert!(
                    (r.x / r.z - travel(s, eta)).abs() < 2e-5 * (1.0 + s),
                    "eta {eta} s {s}: {} {}",
                    r.x / r.z,
                    travel(s, eta)
                );
            }
        }
    }

    #[test]
    fn offset_is_finite_and_bounded_at_the_rim() {
        let limit = (GLASS.gap + GLASS.height) * (GLASS.eta * GLASS.eta - 1.0).sqrt();
        for i in 0..600 {
            let o = offset(i as f32 * 0.1 - 1.0);
            assert!(o.is_finite() && (0.0..=limit).contains(&o), "{o}");
        }
        assert_eq!(offset(56.0), 0.0);
        // Larger than the bevel: the rim mirrors.
        assert!(offset(0.0) > 56.0);
    }

    #[test]
    fn stretch_is_the_difference_across_a_pixel() {
        for i in 2..54 {
            let z = i as f32;
            let seen = sight(-z, 56.0, 1.0, &FORM, &GLASS);
            let at = |z: f32| z + offset(z);
            let (from, to) = (at(z - 0.5), at(z + 0.5));
            assert!(z < 8.0 || (seen.stretch - (to - from)).abs() < 0.02 + 0.5 * f32::from(z > 12.0), "z {z}");
            assert!((seen.offset - (0.25 * (from + to) + 0.5 * at(z) - z)).abs() < 1e-3, "z {z}");
        }
    }

    #[test]
    fn rows_are_short_close_and_white() {
        for i in 0..600 {
            let seen = sight(-0.1 * i as f32 + 0.5, 56.0, 1.0, &FORM, &GLASS);
            for (frost, across) in [(0.5, 0.0), (0.5, 3.0), (2.0, 1.0), (7.0, 1.0)] {
                let row = row(&seen, across, &GLASS, frost);
                assert!((1..=GLASS.taps).contains(&row.count) && row.extra.is_finite());
                let sum = (0..row.count).map(|i| row_weight(row_place(i, &row), &row)).sum::<Vec3>();
                assert!(sum.min_element() > 0.3, "{i}: {sum} of {row:?}");
                assert!(row.count == 1 || (sum.x - sum.z).abs() < 1e-3 * sum.x, "{i}: {sum}");
                if row.count > 1 {
                    let gap = 2.0 * row.reach / row.count as f32;
                    assert!(2.0 * row.extra * row.extra + 1.0 >= 0.99 * gap * gap, "{i}: gap {gap} of {row:?}");
                }
            }
            assert_eq!(row(&seen, 0.0, &Optics { taps: 1, ..GLASS }, 0.5).count, 1);
        }
    }

    #[test]
    fn each_colour_is_looked_up_where_its_own_index_sends_it() {
        for glass in [Optics { taps: 16, ..GLASS }, Optics { taps: 16, spread: 0.5 * 0.5 / 4.0, ..GLASS }] {
            for i in 2..50 {
                let seen = sight(-(i as f32), 56.0, 1.0, &FORM, &glass);
                let row = row(&seen, 0.0, &glass, 0.5);
                if row.count < 3 {
                    continue;
                }
                let looks = || (0..row.count).map(|i| row_place(i, &row)).map(|x| (x, row_weight(x, &row)));
                let sum: Vec3 = looks().map(|(_, w)| w).sum();
                let mean = looks().map(|(x, w)| x * w).sum::<Vec3>() / sum;
                let (s, depth) = (seen.surface.s, depth(seen.surface.h, &glass));
                // Red and blue are half-way to the ends of the spectrum.
                let own = |part: f32| (travel(s, glass.eta + part * glass.spread) - travel(s, glass.eta)) * depth;
                let want = Vec3::new(own(-0.5), 0.0, own(0.5));
                let bound = 0.05 + 0.12 * want.z;
                assert!((mean - want).abs().max_element() < bound, "{i}: {mean} against {want}, {row:?}");
            }
        }
    }

    #[test]
    fn split_is_the_difference_of_the_ends() {
        for i in 1..56 {
            let s = surface(-(i as f32), 56.0, 1.0, &FORM);
            let ends =
                (travel(s.s, GLASS.eta + GLASS.spread) - travel(s.s, GLASS.eta - GLASS.spread)) * depth(s.h, &GLASS);
            assert!((split(s.s, s.h, &GLASS) - ends).abs() < 0.01 + 0.01 * ends, "{i}");
        }
    }

    #[test]
    fn face_reflects_nothing_rim_nearly_all() {
        assert_eq!(fresnel(0.0, 1.5), 0.0);
        assert!(fresnel(9.0, 1.5) > 0.5 && fresnel(9.0, 1.5) < 1.0);
    }
}
