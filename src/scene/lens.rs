//! Position, outline and glass of a lens.

use super::lens_glass::{LensGlass, LensOutline, Shape};
use base::settings::ShortText;
use glam::{Mat2, Vec2};

/// The outline is rotated, then strained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Pixels from the top left, y down.
    pub center: Vec2,
    pub outline: LensOutline,
    /// Area-preserving: the logarithm of the stretch, as a vector at twice the direction's angle, so that strains can
    /// be blended.
    pub strain: Vec2,
    pub glass: LensGlass,
    /// Names the lens while its place and its order change; no other has it.
    pub id: Option<u32>,
    /// Lenses of one container melt, those of different containers do not. Without one a lens melts with those of its
    /// glass that have none either.
    pub container: Option<u32>,
}

impl Default for Lens {
    fn default() -> Self {
        Self {
            center: Vec2::ZERO,
            outline: LensOutline { exponent: 2.0, radius: 0.0, weight: 0.0, ..LensOutline::default() }.sized(Vec2::ONE),
            strain: Vec2::ZERO,
            glass: LensGlass::default(),
            id: None,
            container: None,
        }
    }
}

impl LensOutline {
    pub fn has_text(&self) -> bool {
        !self.text.trim().is_empty()
    }

    /// Path data, an SVG file or a name. The shape is used if it fills nothing.
    pub fn has_path(&self) -> bool {
        !self.has_text() && !self.path.trim().is_empty()
    }

    /// Read from a distance field, which is made for one size.
    pub fn has_field(&self) -> bool {
        self.has_text() || self.has_path()
    }

    pub fn shape_alone(self) -> Self {
        Self { text: ShortText::new(), path: ShortText::new(), ..self }
    }

    pub fn half(&self) -> Vec2 {
        Vec2::new(self.half_width, self.half_height)
    }

    pub fn sized(self, half: Vec2) -> Self {
        Self { half_width: half.x, half_height: half.y, ..self }
    }

    /// Pixels of the superellipse whose quarters are the corners.
    pub fn corner(&self, scale: f32) -> Vec2 {
        let half = self.half() * scale;
        let least = half.min_element();
        match self.shape {
            _ if self.has_field() => Vec2::splat(least.min(1.0)),
            Shape::Superellipse => half,
            Shape::Capsule => Vec2::splat(least),
            Shape::Rounded => Vec2::splat((self.radius * scale).clamp(least.min(1.0), least)),
        }
    }
}

impl Lens {
    /// Pixels.
    pub fn half(&self, scale: f32) -> Vec2 {
        self.outline.half() * scale
    }

    /// Radians, from x towards y.
    pub fn angle(&self) -> f32 {
        self.outline.angle.to_radians()
    }

    pub fn sized(self, half: Vec2) -> Self {
        Self { outline: self.outline.sized(half), ..self }
    }

    /// Half axes and radius by a factor.
    pub fn scaled(self, by: f32) -> Self {
        let radius = self.outline.radius * by;
        Self { outline: LensOutline { radius, ..self.outline }.sized(self.outline.half() * by), ..self }
    }

    /// `angle`: degrees.
    pub fn turned(self, angle: f32) -> Self {
        Self { outline: LensOutline { angle, ..self.outline }, ..self }
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
