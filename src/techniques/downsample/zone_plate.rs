//! Zone plate: a test picture whose rings get finer outwards.

use glam::DVec2;
use gpu::{Format, Frame, Image, ImageDesc, Result, Use};
use media::pixels::pixels_of;

/// Grey bytes. A dark and a bright ring together are two pixels wide in the corners: the plate has no false rings.
pub(super) fn zone_plate(size: [u32; 2]) -> Vec<u8> {
    let half = DVec2::new(f64::from(size[0]), f64::from(size[1])) / 2.0;
    let corner = half.length();
    let pixels = pixels_of(size).map(|at| DVec2::from_array(at.map(f64::from)) + 0.5);
    let phase = |at: DVec2| std::f64::consts::PI * (at - half).length_squared() / (2.0 * corner);
    let grey = |at: DVec2| (127.5 + 127.5 * phase(at).cos()).round() as u8;
    pixels.flat_map(|at| [grey(at), grey(at), grey(at), 255]).collect()
}

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
    fn rings_are_finest_in_the_corners() {
        let plate = zone_plate([401, 201]);
        let row = |y: usize| -> Vec<u8> { plate[y * 401 * 4..][..401 * 4].chunks(4).map(|pixel| pixel[0]).collect() };
        let turns = |values: &[u8]| {
            let steps: Vec<i32> = values.windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
            steps.windows(2).filter(|pair| pair[0] * pair[1] < 0).count()
        };
        assert_eq!(row(100)[200], 255, "bright in the middle");
        assert!(turns(&row(100)[190..211]) <= 1, "and slow");
        assert!(turns(&row(0)[380..401]) >= 15);
        assert!((4..14).contains(&turns(&row(100)[290..311])));
    }
}
