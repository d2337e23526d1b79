//! A picture whose rings get finer outwards.

use crate::gpu::{Format, Frame, Image, ImageDesc, Result, Use};
use glam::DVec2;

/// Grey bytes, four for each pixel: a ring is two pixels wide where the nearer border is reached, along the axes.
#[must_use]
pub(super) fn zone_plate(size: [u32; 2]) -> Vec<u8> {
    let half = DVec2::new(f64::from(size[0]), f64::from(size[1])) / 2.0;
    let nearer = half.min_element().max(1.0);
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| DVec2::new(f64::from(x), f64::from(y)) + 0.5));
    // The phase grows by pi for each pixel at the distance `nearer`.
    let phase = |at: DVec2| std::f64::consts::PI * (at - half).length_squared() / (2.0 * nearer);
    let grey = |at: DVec2| (127.5 + 127.5 * phase(at).cos()).round() as u8;
    pixels.flat_map(|at| [grey(at), grey(at), grey(at), 255]).collect()
}

/// The same on the GPU.
///
/// # Errors
/// What the GPU floor says.
pub(super) fn upload(frame: &mut Frame, size: [u32; 2]) -> Result<Image> {
    let desc = ImageDesc::new("zone plate", size, Format::Rgba8, &[Use::Sample]).aliases(&[Format::Rgba8Srgb]);
    let image = Image::new(frame.gpu(), desc)?;
    frame.upload(&image.mip(0), &zone_plate(size))?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_two_pixels_wide_at_the_nearer_border() {
        let plate = zone_plate([401, 201]);
        let row: Vec<u8> = plate[100 * 401 * 4..101 * 401 * 4].chunks(4).map(|pixel| pixel[0]).collect();
        assert_eq!(row[200], 255, "bright in the middle");
        // A hundred pixels aside neighbours differ by half a wave: bright, dark, bright.
        let steps: Vec<i32> = row[296..304].windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
        assert!(steps.windows(2).all(|pair| pair[0].signum() == -pair[1].signum()), "{steps:?}");
        assert!(row[195..205].windows(2).all(|pair| pair[0].abs_diff(pair[1]) < 40), "and slow in the middle");
    }
}
