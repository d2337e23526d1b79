//! Conversion of a picture file's colours to sRGB: ICC profiles, and the cICP, gAMA and cHRM chunks of PNG.

use std::{io::Cursor, sync::Arc};

use moxcms::{
    Chromaticity, CicpColorPrimaries, CicpProfile, ColorPrimaries, ColorProfile, DataColorSpace, Layout,
    RenderingIntent, ToneReprCurve, TransferCharacteristics, Transform16BitExecutor, TransformOptions,
};

/// One step of 8 bits: a smaller difference from sRGB counts as sRGB.
const STEP: u16 = 257;
/// sRGB's exponent in gAMA, and its tolerance (PNG third edition, 11.3.2.5).
const SRGB_GAMMA: f32 = 0.45455;
const ALIKE: f32 = 2e-3;

pub struct Conversion {
    transform: Arc<Transform16BitExecutor>,
    is_grey: bool,
}

/// An error says why the profile is not used.
pub type Found = Result<Option<Conversion>, String>;

impl Conversion {
    pub fn of_icc(icc: &[u8], is_grey: bool) -> Found {
        let profile = ColorProfile::new_from_slice(icc).map_err(|_| "its ICC profile is damaged".to_owned())?;
        match profile.color_space {
            DataColorSpace::Rgb => Self::of(&profile, false),
            DataColorSpace::Gray if is_grey => Self::of(&profile, true),
            _ => Err("its ICC profile is for other colours; expected RGB, or grey for a grey picture".into()),
        }
    }

    /// From cICP, then iCCP, then sRGB, then gAMA and cHRM (PNG third edition, 4.3).
    pub fn of_png(bytes: &[u8], is_grey: bool) -> Found {
        let limits = png::Limits { bytes: 1 << 26 };
        let Ok(reader) = png::Decoder::new_with_limits(Cursor::new(bytes), limits).read_info() else { return Ok(None) };
        let info = reader.info();
        if let Some(points) = &info.coding_independent_code_points {
            return Self::of_cicp(points);
        }
        if let Some(icc) = &info.icc_profile {
            return Self::of_icc(icc, is_grey);
        }
        if info.srgb.is_some() {
            return Ok(None);
        }
        let gamma = info.gama_chunk.map(png::ScaledFloat::into_value);
        let gamma = gamma.filter(|gamma| (gamma - SRGB_GAMMA).abs() > ALIKE);
        if gamma.is_none() && info.chrm_chunk.as_ref().is_none_or(are_srgb) {
            return Ok(None);
        }
        let mut profile = ColorProfile::new_srgb();
        if let Some(chromaticities) = &info.chrm_chunk {
            let place =
                |(x, y): (png::ScaledFloat, png::ScaledFloat)| Chromaticity::new(x.into_value(), y.into_value());
            let [white, red, green, blue] =
                [chromaticities.white, chromaticities.red, chromaticities.green, chromaticities.blue].map(place);
            if !spans_colours(white, [red, green, blue]) {
                return Err("its cHRM chunk spans no colours".into());
            }
            profile.update_rgb_colorimetry(white.to_xyyb(), ColorPrimaries { red, green, blue });
        }
        profile.cicp = None;
        if let Some(gamma) = gamma {
            if !(0.01..=100.0).contains(&gamma) {
                return Err(format!("its gAMA chunk says {gamma}; expected 0.01 to 100"));
            }
            let curve = Some(ToneReprCurve::Parametric(vec![1.0 / gamma]));
            (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
        }
        Self::of(&profile, false)
    }

    fn of_cicp(points: &png::CodingIndependentCodePoints) -> Found {
        let unknown = || format!("its cICP chunk says {}/{}", points.color_primaries, points.transfer_function);
        let primaries = CicpColorPrimaries::try_from(points.color_primaries).map_err(|_| unknown())?;
        let transfer = TransferCharacteristics::try_from(points.transfer_function).map_err(|_| unknown())?;
        if matches!(transfer, TransferCharacteristics::Smpte2084 | TransferCharacteristics::Hlg) {
            return Err("its cICP chunk says that it is HDR (PQ or HLG); expected standard dynamic range".into());
        }
        if points.matrix_coefficients != 0 || !points.is_video_full_range_image {
            return Err(format!("{}, not RGB of full range", unknown()));
        }
        if ColorPrimaries::try_from(primaries).is_err() || ToneReprCurve::try_from(transfer).is_err() {
            return Err(format!("{}, which is not known here", unknown()));
        }
        let profile = ColorProfile::new_from_cicp(CicpProfile {
            color_primaries: primaries,
            transfer_characteristics: transfer,
            matrix_coefficients: moxcms::MatrixCoefficients::Identity,
            full_range: true,
        });
        Self::of(&profile, false)
    }

    fn of(profile: &ColorProfile, is_grey: bool) -> Found {
        let options = TransformOptions {
            rendering_intent: RenderingIntent::RelativeColorimetric,
            prefer_fixed_point: false,
            ..Default::default()
        };
        let from = if is_grey { Layout::Gray } else { Layout::Rgb };
        let transform = profile
            .create_transform_16bit(from, &ColorProfile::new_srgb(), Layout::Rgb, options)
            .map_err(|_| "its colour profile cannot be converted".to_owned())?;
        let conversion = Self { transform, is_grey };
        Ok((!conversion.changes_nothing()).then_some(conversion))
    }

    fn changes_nothing(&self) -> bool {
        const SIDE: u16 = 18;
        let value = |i: u16| i * (u16::MAX / (SIDE - 1));
        let colours = (0..SIDE).flat_map(|r| (0..SIDE).flat_map(move |g| (0..SIDE).map(move |b| [r, g, b])));
        let colours = colours.filter(|[r, g, b]| !self.is_grey || (r == g && g == b));
        let before: Vec<u16> = colours.flatten().map(value).collect();
        let mut after = before.clone();
        self.apply(&mut after);
        before.iter().zip(&after).all(|(a, b)| a.abs_diff(*b) <= STEP)
    }

    pub fn apply(&self, rgb: &mut [u16]) {
        let from: Vec<u16> = if self.is_grey { rgb.iter().step_by(3).copied().collect() } else { rgb.to_vec() };
        if let Err(error) = self.transform.transform(&from, rgb) {
            log::warn!("colours stay as they are: {error}");
        }
    }
}

fn are_srgb(found: &png::SourceChromaticities) -> bool {
    let of = |(x, y): (png::ScaledFloat, png::ScaledFloat)| [x.into_value(), y.into_value()];
    let found = [found.white, found.red, found.green, found.blue].map(of);
    let srgb = [[0.3127, 0.3290], [0.64, 0.33], [0.30, 0.60], [0.15, 0.06]];
    found.as_flattened().iter().zip(srgb.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-4)
}

fn spans_colours(white: Chromaticity, [red, green, blue]: [Chromaticity; 3]) -> bool {
    let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y);
    [white, red, green, blue].iter().all(|c| c.x >= 0.0 && c.y > 1e-4 && c.x + c.y <= 1.001) && area.abs() > 1e-4
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the definitions of both spaces; not clipped.
    fn srgb_of_p3(p3: [f64; 3]) -> [f64; 3] {
        const MATRIX: [[f64; 3]; 3] = [
            [1.224_940_18, -0.224_940_18, 0.0],
            [-0.042_056_95, 1.042_056_95, 0.0],
            [-0.019_637_55, -0.078_636_05, 1.098_273_6],
        ];
        MATRIX.map(|row| (0..3).map(|i| row[i] * p3[i]).sum())
    }

    fn linear(v: f64) -> f64 {
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    }

    fn encoded(v: f64) -> f64 {
        let v = v.clamp(0.0, 1.0);
        if v <= 0.003_130_8 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
    }

    #[test]
    fn display_p3_becomes_what_its_definition_says() {
        let icc = ColorProfile::new_display_p3().encode().unwrap();
        let conversion = Conversion::of_icc(&icc, false).unwrap().expect("it is another colour space");
        for colour in [[0.8, 0.5, 0.4], [0.3, 0.6, 0.5], [0.5, 0.5, 0.5], [0.9, 0.85, 0.7], [1.0, 0.0, 0.0]] {
            let mut rgb = colour.map(|v: f64| (v * 65535.0).round() as u16);
            conversion.apply(&mut rgb);
            let wanted = srgb_of_p3(colour.map(linear)).map(encoded);
            for (got, wanted) in rgb.iter().zip(wanted) {
                assert!((f64::from(*got) / 65535.0 - wanted).abs() < 0.5 / 255.0, "{colour:?}: {rgb:?}, {wanted}");
            }
        }
    }

    #[test]
    fn chromaticities_of_srgb_need_no_transform() {
        let points = |white, red, green, blue| png::SourceChromaticities::new(white, red, green, blue);
        assert!(are_srgb(&points((0.3127, 0.329), (0.64, 0.33), (0.3, 0.6), (0.15, 0.06))));
        assert!(!are_srgb(&points((0.3127, 0.329), (0.68, 0.32), (0.265, 0.69), (0.15, 0.06))), "Display P3");
        assert!(!are_srgb(&points((0.3457, 0.3585), (0.64, 0.33), (0.3, 0.6), (0.15, 0.06))), "another white");
    }

    #[test]
    fn srgb_is_left_alone() {
        let icc = ColorProfile::new_srgb().encode().unwrap();
        assert!(Conversion::of_icc(&icc, false).unwrap().is_none());
        assert!(Conversion::of_icc(b"not a profile", false).is_err_and(|why| why.contains("damaged")));
        let grey = ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
        assert!(Conversion::of_icc(&grey, false).is_err_and(|why| why.contains("expected RGB")));
        let mut rgb = [32768; 3];
        Conversion::of_icc(&grey, true).unwrap().expect("linear").apply(&mut rgb);
        assert!(rgb.iter().all(|v| v.abs_diff(188 * 257) < 257), "{rgb:?}");
    }
}
