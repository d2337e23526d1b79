//! The optics: where a view ray that enters the glass from straight above meets the picture below it.

use super::surface::Surface;
use glam::Vec3;

/// What the glass is made of, and how far it hovers.
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
    /// Most taps along the spectrum, odd.
    pub taps: u32,
}

/// Spectrum splits below this many pixels are not drawn.
pub const LEAST_SPLIT: f32 = 0.25;
/// Pixels of blur per pixel of stretched footprint.
pub const FOOTPRINT: f32 = 0.45;

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

impl Optics {
    /// An upper bound of [`split`] over the bevel: it grows with the slope, and the height is at most 1.
    pub fn widest_split(&self) -> f32 {
        split(super::surface::MAX_SLOPE, 1.0, self)
    }
}

/// How many pixels of the picture one pixel across the bevel shows: J = |1 + d|o|/dz|, z inwards. The offset points
/// inwards too, so where it falls off faster than a pixel per pixel the picture is mirrored and J grows again.
pub fn footprint(surface: &Surface, optics: &Optics) -> f32 {
    let (s, eta) = (surface.s, optics.eta);
    let e = eta * eta - 1.0;
    let r = (eta * eta + s * s * e).sqrt();
    let q = s * s + r;
    let rate = s * e / r;
    let travel = s * (r - 1.0) / q;
    let steeper = ((r - 1.0 + s * rate) * q - s * (r - 1.0) * (2.0 * s + rate)) / (q * q);
    (1.0 + steeper * surface.bend * depth(surface.h, optics) + travel * s).abs()
}

/// Blur in pixels that a footprint asks for on top of the frost.
pub fn footprint_sigma(j: f32) -> f32 {
    FOOTPRINT * (j - 1.0).max(0.0)
}

/// Weights of red, green and blue at place `j` of the spectrum, -1 (red end) to 1 (blue end): three triangles that overlap
/// by half, so that a white edge stays white in its middle. Not normalised: divide by their sum over the taps.
pub fn spectrum(j: f32) -> Vec3 {
    let at = |c: f32| (1.0 - (j - c).abs() / 0.75).max(0.0);
    Vec3::new(at(-0.5), at(0.0), at(0.5))
}

/// Place of tap `i` of `taps` in the spectrum.
pub fn spectrum_place(i: u32, taps: u32) -> f32 {
    2.0 * i as f32 / (taps - 1) as f32 - 1.0
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
    use super::super::surface::{Bevel, surface};
    use super::*;

    const GLASS: Optics = Optics { eta: 1.5, spread: 0.5 / 26.0, height: 56.0, gap: 64.0, taps: 5 };
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
    fn footprint_is_the_derivative() {
        for i in 3..54 {
            let z = i as f32;
            let numeric = (1.0 - (offset(z - 0.1) - offset(z + 0.1)) / 0.2).abs();
            let s = surface(-z, 56.0, 1.0, &FORM);
            let j = footprint(&s, &GLASS);
            assert!((j - numeric).abs() < 0.03 * (1.0 + numeric), "z {z}: {j} {numeric}");
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
    fn widest_split_is_a_bound() {
        for i in 0..560 {
            let s = surface(-(i as f32) * 0.1, 56.0, 1.0, &FORM);
            assert!(split(s.s, s.h, &GLASS) <= GLASS.widest_split() + 1e-5, "{i}");
        }
    }

    #[test]
    fn spectrum_sums_to_one_after_division() {
        for taps in [5, 7, 9] {
            let mut sum = Vec3::ZERO;
            for i in 0..taps {
                sum += spectrum(spectrum_place(i, taps));
            }
            assert!(sum.min_element() > 1.0 && (sum.x - sum.z).abs() < 1e-5, "{sum}");
            let mut one = Vec3::ZERO;
            for i in 0..taps {
                one += spectrum(spectrum_place(i, taps)) / sum;
            }
            assert!((one - Vec3::ONE).length() < 1e-5);
        }
    }

    #[test]
    fn face_reflects_nothing_rim_nearly_all() {
        assert_eq!(fresnel(0.0, 1.5), 0.0);
        assert!(fresnel(9.0, 1.5) > 0.5 && fresnel(9.0, 1.5) < 1.0);
    }
}
