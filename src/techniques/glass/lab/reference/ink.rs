//! Ink on glass: the WCAG contrast of light and dark ink on the worst hundredth of some pixels, by sorting them.

use super::light::LUMA;
use base::srgb::decode;
use glam::Vec3;

/// Relative luminances of the two inks.
pub const LIGHT: f32 = 1.0;
pub const DARK: f32 = 0.005;

/// For light and for dark ink.
pub fn contrasts(pixels: &[[u8; 4]]) -> [f32; 2] {
    let luminance =
        |pixel: &[u8; 4]| Vec3::from_array([0, 1, 2].map(|c| decode(f32::from(pixel[c]) / 255.0))).dot(LUMA);
    let mut all: Vec<f32> = pixels.iter().map(luminance).collect();
    all.sort_by(f32::total_cmp);
    let worst = (all.len() / 100).max(1).min(all.len());
    match (all.get(worst - 1), all.get(all.len() - worst)) {
        (Some(dark), Some(bright)) => [(LIGHT + 0.05) / (bright + 0.05), (dark + 0.05) / (DARK + 0.05)],
        _ => [0.0; 2],
    }
}
