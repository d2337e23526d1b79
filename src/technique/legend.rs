//! Legend of a view's colours.

use glam::Vec3;

/// Colours are sRGB, 0..255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Legend {
    None,
    Swatches(&'static [([u8; 3], &'static str)]),
    Ramp { stops: &'static [[u8; 3]], low: &'static str, high: &'static str },
}

impl Legend {
    /// `part`: 0 to 1, clamped; 0..255. NaN without a ramp.
    pub fn ramp(&self, part: f32) -> Vec3 {
        let Self::Ramp { stops, .. } = self else { return Vec3::NAN };
        let last = stops.len().saturating_sub(1);
        let at = part.clamp(0.0, 1.0) * last as f32;
        if at.is_nan() || stops.is_empty() {
            return Vec3::NAN;
        }
        let low = (at as usize).min(last.saturating_sub(1));
        color(stops[low]).lerp(color(stops[(low + 1).min(last)]), at - low as f32)
    }

    /// 0..255; NaN where there is none.
    pub fn swatch(&self, at: usize) -> Vec3 {
        let Self::Swatches(swatches) = self else { return Vec3::NAN };
        swatches.get(at).map_or(Vec3::NAN, |(rgb, _)| color(*rgb))
    }
}

fn color(rgb: [u8; 3]) -> Vec3 {
    Vec3::from_array(rgb.map(f32::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_found_by_their_place() {
        let ramp = Legend::Ramp { stops: &[[0, 0, 0], [100, 50, 0], [200, 50, 200]], low: "few", high: "many" };
        let expected = [
            (-1.0, [0.0, 0.0, 0.0]),
            (0.25, [50.0, 25.0, 0.0]),
            (0.5, [100.0, 50.0, 0.0]),
            (0.75, [150.0, 50.0, 100.0]),
            (1.0, [200.0, 50.0, 200.0]),
            (7.0, [200.0, 50.0, 200.0]),
        ];
        for (part, rgb) in expected {
            assert_eq!(ramp.ramp(part).to_array(), rgb, "{part}");
        }
        assert!(ramp.ramp(f32::NAN).is_nan() && ramp.swatch(0).is_nan());
        let swatches = Legend::Swatches(&[([1, 2, 3], "one"), ([4, 5, 6], "two")]);
        assert_eq!(swatches.swatch(1).to_array(), [4.0, 5.0, 6.0]);
        assert!(swatches.swatch(2).is_nan() && swatches.ramp(0.5).is_nan() && Legend::None.ramp(0.0).is_nan());
    }
}
