//! Quality of a result: against the exact mean, the picture, and itself when the picture moves.

use super::reference::{Plane, Rows};
use crate::settings::Light;
use base::srgb;
use glam::{DVec3, DVec4};

/// Display values (sRGB-encoded); brightness is Rec. 709's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Of the brightness against the exact mean, dB.
    pub psnr_db: f64,
    /// Structural similarity to the exact mean, 1 at most; `None` for a result smaller than its window.
    pub ssim: Option<f64>,
    /// Beyond the darkest and brightest pixel around, steps of 255.
    pub ringing: f64,
    /// Over the picture's, in the averaged quantity.
    pub brighter: f64,
    /// RMS when the picture moves by a pixel, steps of 255.
    pub flicker: f64,
}

pub struct ResultImage {
    size: [u32; 2],
    mean: DVec3,
    luma: Vec<f64>,
}

impl ResultImage {
    pub fn new(result: &Plane, light: Light) -> Self {
        let count = result.texels.len().max(1) as f64;
        let mean = result.texels.iter().map(|texel| texel.truncate()).sum::<DVec3>() / count;
        Self { size: result.size, mean, luma: result.texels.iter().map(|texel| luma(*texel, light)).collect() }
    }
}

/// 0..1.
fn luma(texel: DVec4, light: Light) -> f64 {
    let shown = |value: f64| {
        let value = value.clamp(0.0, 1.0);
        if light == Light::Linear { f64::from(srgb::encode(value as f32)) } else { value }
    };
    0.2126 * shown(texel.x) + 0.7152 * shown(texel.y) + 0.0722 * shown(texel.z)
}

pub struct Reference {
    exact: ResultImage,
    /// Of the pixels that each result pixel and its neighbours cover.
    range: Vec<[f64; 2]>,
}

impl Reference {
    pub fn new(picture: &dyn Rows<DVec4>, exact: &Plane, light: Light) -> Self {
        Self { range: ranges(picture, exact.size, light), exact: ResultImage::new(exact, light) }
    }

    pub fn quality_of(&self, result: &ResultImage, moved: &ResultImage) -> Quality {
        let square =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / a.len().max(1) as f64;
        let beyond = |(value, [low, high]): (&f64, &[f64; 2])| (low - value).max(value - high).max(0.0);
        let [ours, picture] = [result, &self.exact].map(|image| image.mean.element_sum());
        Quality {
            psnr_db: -10.0 * square(&result.luma, &self.exact.luma).log10(),
            ssim: ssim(&result.luma, &self.exact.luma, result.size),
            ringing: 255.0 * result.luma.iter().zip(&self.range).map(beyond).fold(0.0, f64::max),
            brighter: if picture > 0.0 { ours / picture - 1.0 } else { 0.0 },
            flicker: 255.0 * square(&result.luma, &moved.luma).sqrt(),
        }
    }
}

/// Least and most brightness.
fn ranges(picture: &dyn Rows<DVec4>, to: [u32; 2], light: Light) -> Vec<[f64; 2]> {
    let ([n, m], [w, h]) = (picture.size().map(|n| n as usize), to.map(|n| n as usize));
    const NONE: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
    let wider = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    let mut own = vec![NONE; w * h];
    for y in 0..m {
        let row: Vec<f64> = picture.row(y).iter().map(|texel| luma(*texel, light)).collect();
        let rows = y * h / m..((y + 1) * h).div_ceil(m);
        for (x, value) in row.iter().enumerate() {
            for to in rows.clone().flat_map(|j| (x * w / n..((x + 1) * w).div_ceil(n)).map(move |i| j * w + i)) {
                own[to] = wider(own[to], [*value; 2]);
            }
        }
    }
    let around = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    let all = (0..h).flat_map(|j| (0..w).map(move |i| (i, j)));
    all.map(|(i, j)| {
        around(j, h).flat_map(|v| around(i, w).map(move |u| v * w + u)).map(|at| own[at]).fold(NONE, wider)
    })
    .collect()
}

const WINDOW: usize = 11;

/// Wang et al. 2004, values 0..1: Gaussian window of 11x11 and sigma 1.5, K1 = 0.01, K2 = 0.03, the mean over all
/// places where the window is inside.
pub fn ssim(a: &[f64], b: &[f64], size: [u32; 2]) -> Option<f64> {
    let [w, h] = size.map(|n| n as usize);
    if w < WINDOW || h < WINDOW || a.len() != w * h || b.len() != w * h {
        return None;
    }
    let bell = |i: usize| (-(i as f64 - 5.0).powi(2) / (2.0 * 1.5 * 1.5)).exp();
    let total: f64 = (0..WINDOW).map(bell).sum();
    let bell: Vec<f64> = (0..WINDOW).map(|i| bell(i) / total).collect();
    let (inner_w, inner_h) = (w - WINDOW + 1, h - WINDOW + 1);
    let blurred = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let across: Vec<f64> = (0..h)
            .flat_map(|y| (0..inner_w).map(move |x| y * w + x))
            .map(|at| bell.iter().enumerate().map(|(i, weight)| weight * of(at + i)).sum())
            .collect();
        let down = |at: usize| bell.iter().enumerate().map(|(i, weight)| weight * across[at + i * inner_w]).sum();
        (0..inner_w * inner_h).map(down).collect()
    };
    let (mean_a, mean_b) = (blurred(&|i| a[i]), blurred(&|i| b[i]));
    let (aa, bb, ab) = (blurred(&|i| a[i] * a[i]), blurred(&|i| b[i] * b[i]), blurred(&|i| a[i] * b[i]));
    let (c1, c2) = (0.01f64.powi(2), 0.03f64.powi(2));
    let one = |i: usize| {
        let (x, y) = (mean_a[i], mean_b[i]);
        let (xx, yy, xy) = (aa[i] - x * x, bb[i] - y * y, ab[i] - x * y);
        (2.0 * x * y + c1) * (2.0 * xy + c2) / ((x * x + y * y + c1) * (xx + yy + c2))
    };
    Some((0..inner_w * inner_h).map(one).sum::<f64>() / (inner_w * inner_h) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane(size: [u32; 2], value: impl Fn(u32, u32) -> f64) -> Plane {
        let texel = |[x, y]: [u32; 2]| DVec3::splat(value(x, y)).extend(1.0);
        Plane { size, texels: media::pixels::pixels_of(size).map(texel).collect() }
    }

    #[test]
    fn figures_of_known_results() {
        let picture = plane([8, 8], |x, _| if x < 4 { 0.25 } else { 0.75 });
        let exact = plane([4, 4], |x, _| if x < 2 { 0.25 } else { 0.75 });
        let of = |plane: &Plane| ResultImage::new(plane, Light::Encoded);
        let reference = Reference::new(&picture, &exact, Light::Encoded);
        let same = reference.quality_of(&of(&exact), &of(&exact));
        assert_eq!((same.psnr_db, same.ssim, same.ringing, same.flicker), (f64::INFINITY, None, 0.0, 0.0));
        assert!(same.brighter.abs() < 1e-12);
        // A tenth brighter everywhere: 20 dB; beyond the brightest by 25.5 steps.
        let bright = plane([4, 4], |x, _| if x < 2 { 0.35 } else { 0.85 });
        let off = reference.quality_of(&of(&bright), &of(&exact));
        assert!((off.psnr_db - 20.0).abs() < 1e-9 && (off.ringing - 25.5).abs() < 1e-9, "{off:?}");
        assert!((off.brighter - 0.2).abs() < 1e-9 && (off.flicker - 25.5).abs() < 1e-9, "{off:?}");
        // Near the step both sides are allowed; away from it only its own.
        let swapped = plane([4, 4], |x, _| if x == 0 { 0.25 } else { 0.75 });
        assert_eq!(reference.quality_of(&of(&swapped), &of(&exact)).ringing, 0.0);
    }

    #[test]
    fn brightness_is_that_of_the_display() {
        let half = luma(DVec4::splat(0.214_041), Light::Linear);
        assert!((half - 0.5).abs() < 1e-4, "{half}");
        assert!((luma(DVec4::new(1.0, 0.0, 0.0, 1.0), Light::Encoded) - 0.2126).abs() < 1e-12);
    }

    /// The formula by hand where the window fits once, the signs of structure, and no window.
    #[test]
    fn similarity_is_that_of_the_paper() {
        let size = [11, 11];
        let a: Vec<f64> = (0..121).map(|i| f64::from(i % 11) / 10.0).collect();
        assert!((ssim(&a, &a, size).unwrap() - 1.0).abs() < 1e-12);
        let turned: Vec<f64> = a.iter().map(|value| 1.0 - value).collect();
        assert!(ssim(&a, &turned, size).unwrap() < -0.9);
        // Constants: only the first factor counts.
        let (x, y) = (0.2, 0.6);
        let expected = (2.0 * x * y + 1e-4) / (x * x + y * y + 1e-4);
        assert!((ssim(&[x; 121], &[y; 121], size).unwrap() - expected).abs() < 1e-9);
        assert_eq!(ssim(&[0.0; 100], &[0.0; 100], [10, 10]), None);
        // The window weighs its middle most: sigma 1.5 gives the middle pixel (0.2660)^2 of a lone difference.
        let mut lone = vec![0.0; 121];
        lone[60] = 1.0;
        let (mean, c1, c2) = (0.266_f64.powi(2), 1e-4, 9e-4);
        let expected = c1 / (mean * mean + c1) * c2 / (mean - mean * mean + c2);
        assert!((ssim(&lone, &[0.0; 121], size).unwrap() - expected).abs() < 1e-4);
    }
}
