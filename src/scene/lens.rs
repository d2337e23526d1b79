//! Position, outline and glass of a lens.

use super::lens_glass::{LensGlass, Shape};
use crate::base::settings::ShortText;
use glam::{Mat2, Vec2};

/// The outline is rotated, then strained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Pixels from the top left, y down.
    pub center: Vec2,
    pub half: Vec2,
    pub shape: Shape,
    pub exponent: f32,
    pub radius: f32,
    /// Path data, an SVG file or a name; the shape is used if it fills nothing.
    pub path: ShortText,
    /// Used in place of the path, if visible.
    pub text: ShortText,
    /// Added to the strokes, as a fraction of the text's size.
    pub weight: f32,
    /// Radians, from x towards y.
    pub angle: f32,
    /// Area-preserving: the logarithm of the stretch, as a vector at twice the direction's angle, so that strains can
    /// be blended.
    pub strain: Vec2,
    pub glass: LensGlass,
}

impl Default for Lens {
    fn default() -> Self {
        Lens {
            center: Vec2::ZERO,
            half: Vec2::ONE,
            shape: Shape::Superellipse,
            exponent: 2.0,
            radius: 0.0,
            path: ShortText::new(),
            text: ShortText::new(),
            weight: 0.0,
            angle: 0.0,
            strain: Vec2::ZERO,
            glass: LensGlass::default(),
        }
    }
}

impl Lens {
    pub fn has_text(&self) -> bool {
        !self.text.trim().is_empty()
    }

    pub fn has_path(&self) -> bool {
        !self.has_text() && !self.path.trim().is_empty()
    }

    /// Read from a distance field, which is made for one size.
    pub fn has_field(&self) -> bool {
        self.has_text() || self.has_path()
    }

    /// Pixels of the superellipse whose quarters are the corners.
    pub fn corner(&self) -> Vec2 {
        let least = self.half.min_element();
        match self.shape {
            _ if self.has_field() => Vec2::splat(least.min(1.0)),
            Shape::Superellipse => self.half,
            Shape::Capsule => Vec2::splat(least),
            Shape::Rounded => Vec2::splat(self.radius.clamp(least.min(1.0), least)),
        }
    }

    /// Symmetric, of determinant 1.
    pub fn stretch(&self) -> Mat2 {
        let amount = self.strain.length();
        if amount < 1e-9 {
            return Mat2::IDENTITY;
        }
        let (even, odd) = (amount.cosh(), self.strain * (amount.sinh() / amount));
        Mat2::from_cols(Vec2::new(even + odd.x, odd.y), Vec2::new(odd.y, even - odd.x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strain_stretches_along_its_direction_and_keeps_the_area() {
        let lens = Lens::default();
        assert_eq!(lens.stretch(), Mat2::IDENTITY);
        for direction in [0.0_f32, 0.7, 2.0, -1.0] {
            let (along, across) = (Vec2::from_angle(direction), Vec2::from_angle(direction).perp());
            let stretch = Lens { strain: Vec2::from_angle(2.0 * direction) * 1.2_f32.ln(), ..lens }.stretch();
            assert!((stretch * along - along * 1.2).length() < 1e-5);
            assert!((stretch * across - across / 1.2).length() < 1e-5);
            assert!((stretch.determinant() - 1.0).abs() < 1e-5);
        }
    }
}
