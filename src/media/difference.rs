//! Difference of two pictures or arrays, in numbers and as a picture.

use anyhow::{Result, ensure};

use super::picture::Picture;
use base::stats::percentile;

/// Of red, green and blue, in 8-bit steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub mean: f64,
    pub max: u8,
    /// dB, 20 log10(255 / rms).
    pub psnr_db: f64,
    pub worst: [u32; 2],
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { mean, max, psnr_db, worst: [x, y] } = self;
        write!(f, "mean {mean:.3}, largest {max} at {x},{y}, {psnr_db:.1} dB")
    }
}

pub fn compare(a: &Picture, b: &Picture) -> Result<Difference> {
    same_size(a, b)?;
    let mut sum = 0u64;
    let mut squares = 0u64;
    let mut max = 0;
    let mut worst = 0;
    for (i, (a, b)) in a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).enumerate() {
        for channel in 0..3 {
            let step = a[channel].abs_diff(b[channel]);
            sum += u64::from(step);
            squares += u64::from(step).pow(2);
            if step > max {
                (max, worst) = (step, i);
            }
        }
    }
    let count = (a.rgba.len() / 4 * 3).max(1) as f64;
    let width = a.size[0].max(1) as usize;
    Ok(Difference {
        mean: sum as f64 / count,
        max,
        psnr_db: 20.0 * (255.0 / (squares as f64 / count).sqrt()).log10(),
        worst: [(worst % width) as u32, (worst / width) as u32],
    })
}

const SSIM_WINDOW: usize = 8;
const SSIM_STEP: usize = 4;

/// Structural similarity of encoded luma (Wang et al., "Image Quality Assessment", 2004, eq. 13) over every fourth
/// window of 8x8 pixels.
pub fn ssim(a: &Picture, b: &Picture) -> Result<f64> {
    same_size(a, b)?;
    // Luma of BT.601.
    let luma = |picture: &Picture| -> Vec<f64> {
        let of = |t: &[u8]| 0.299 * f64::from(t[0]) + 0.587 * f64::from(t[1]) + 0.114 * f64::from(t[2]);
        picture.rgba.chunks_exact(4).map(of).collect()
    };
    let (a_luma, b_luma) = (luma(a), luma(b));
    let [width, height] = a.size.map(|side| side as usize);
    let starts = |side: usize| (0..=side.saturating_sub(SSIM_WINDOW)).step_by(SSIM_STEP);
    let (mut sum, mut count) = (0.0, 0u32);
    for (left, top) in starts(height).flat_map(|top| starts(width).map(move |left| (left, top))) {
        let rows = top..(top + SSIM_WINDOW).min(height);
        let places = rows.flat_map(|y| (left..(left + SSIM_WINDOW).min(width)).map(move |x| y * width + x));
        let pairs: Vec<(f64, f64)> = places.map(|place| (a_luma[place], b_luma[place])).collect();
        sum += window_similarity(&pairs);
        count += 1;
    }
    Ok(sum / f64::from(count.max(1)))
}

fn window_similarity(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len().max(1) as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mean_a, mean_b) = (mean(&|(a, _)| *a), mean(&|(_, b)| *b));
    let (variance_a, variance_b) = (mean(&|(a, _)| (a - mean_a).powi(2)), mean(&|(_, b)| (b - mean_b).powi(2)));
    let covariance = mean(&|(a, b)| (a - mean_a) * (b - mean_b));
    let (c1, c2) = ((0.01_f64 * 255.0).powi(2), (0.03_f64 * 255.0).powi(2));
    let of_means = (2.0 * mean_a * mean_b + c1) / (mean_a.powi(2) + mean_b.powi(2) + c1);
    of_means * (2.0 * covariance + c2) / (variance_a + variance_b + c2)
}

/// NaN counts as infinite: `fold(0.0, f64::max)` would skip it.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, value| largest.max(or_infinite(value)))
}

/// Smallest first. NaN and an empty set count as infinite: a comparison of nothing must not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    sorted: Vec<f64>,
    worst: Option<usize>,
}

impl Errors {
    pub fn of(distances: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = distances.into_iter().map(|distance| or_infinite(distance.abs())).collect();
        let worst = (0..sorted.len()).reduce(|worst, i| if sorted[i] > sorted[worst] { i } else { worst });
        sorted.sort_unstable_by(f64::total_cmp);
        Self { sorted, worst }
    }

    /// Infinite if the counts differ.
    pub fn between(wanted: &[f32], found: &[f32]) -> Self {
        if wanted.len() != found.len() {
            return Self::of([]);
        }
        Self::of(wanted.iter().zip(found).map(|(a, b)| f64::from(*a) - f64::from(*b)))
    }

    pub fn mean(&self) -> f64 {
        if self.sorted.is_empty() { f64::INFINITY } else { self.sorted.iter().sum::<f64>() / self.sorted.len() as f64 }
    }

    pub fn part(&self, part: f64) -> f64 {
        or_infinite(percentile(&mut self.sorted.clone(), part))
    }

    pub fn max(&self) -> f64 {
        self.part(1.0)
    }

    pub fn worst(&self) -> Option<usize> {
        self.worst
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [mean, p99, max] = [self.mean(), self.part(0.99), self.max()].map(short);
        write!(f, "mean {mean}, 99 % {p99}, largest {max}")
    }
}

/// Four decimals, or two digits of a number that they do not show.
pub fn short(x: f64) -> String {
    if x != 0.0 && x.abs() < 0.01 { format!("{x:.1e}") } else { format!("{x:.4}") }
}

fn or_infinite(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
}

fn same_size(a: &Picture, b: &Picture) -> Result<()> {
    let ([aw, ah], [bw, bh]) = (a.size, b.size);
    ensure!(a.size == b.size && a.rgba.len() == b.rgba.len(), "pictures of {aw}x{ah} and {bw}x{bh} cannot be compared");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_that_of_the_formula() {
        let grey = |size, of: fn(u32, u32) -> u8| Picture::from_fn(size, |x, y| [of(x, y), of(x, y), of(x, y), 255]);
        for size in [[1, 1], [7, 3], [8, 8], [33, 21]] {
            let noise = grey(size, |x, y| (x * 31 + y * 57) as u8);
            assert!((ssim(&noise, &noise).unwrap() - 1.0).abs() < 1e-12);
            let (a, b) = (grey(size, |_, _| 100), grey(size, |_, _| 150));
            let c1 = 2.55_f64.powi(2);
            let wanted = (2.0 * 100.0 * 150.0 + c1) / (100.0_f64.powi(2) + 150.0_f64.powi(2) + c1);
            assert!((ssim(&a, &b).unwrap() - wanted).abs() < 1e-12);
        }
        let [a, b] = [
            grey([32, 32], |x, _| if x % 2 == 0 { 100 } else { 150 }),
            grey([32, 32], |x, _| if x % 2 == 0 { 150 } else { 100 }),
        ];
        let (variance, c2) = (625.0, 7.65_f64.powi(2));
        let wanted = (c2 - 2.0 * variance) / (c2 + 2.0 * variance);
        assert!((ssim(&a, &b).unwrap() - wanted).abs() < 1e-9);
        assert!(ssim(&a, &grey([31, 32], |_, _| 0)).is_err());
    }

    #[test]
    fn nan_is_an_infinite_error() {
        assert_eq!((largest([]), largest([1.0, 3.0, 2.0])), (0.0, 3.0));
        for place in 0..3 {
            let mut values = [1.0, 3.0, 2.0];
            values[place] = f64::NAN;
            assert_eq!(largest(values), f64::INFINITY);
            let errors = Errors::of(values);
            assert_eq!((errors.max(), errors.mean(), errors.worst()), (f64::INFINITY, f64::INFINITY, Some(place)));
        }
        assert_eq!(Errors::between(&[1.0, 2.0], &[1.0, f32::NAN]).max(), f64::INFINITY);
        for nothing in [Errors::of([]), Errors::between(&[1.0], &[1.0, 1.0]), Errors::between(&[], &[])] {
            assert_eq!(
                (nothing.mean(), nothing.part(0.99), nothing.max()),
                (f64::INFINITY, f64::INFINITY, f64::INFINITY)
            );
        }
    }

    #[test]
    fn errors_have_mean_percentile_and_maximum() {
        let errors = Errors::of((0..=100).map(|i| -f64::from(i)));
        assert_eq!((errors.mean(), errors.part(0.99), errors.max(), errors.worst()), (50.0, 99.0, 100.0, Some(100)));
        assert_eq!(Errors::between(&[1.0, 5.0], &[1.5, 3.0]).to_string(), "mean 1.2500, 99 % 1.9850, largest 2.0000");
        let some = Errors::of((0..100).map(|i| if i % 50 == 0 { f64::NAN } else { 1.0 }));
        assert_eq!((some.part(0.9), some.part(0.99)), (1.0, f64::INFINITY));
    }

    #[test]
    fn measures_known_differences() {
        let a = Picture::from_fn([4, 2], |x, y| [(x * 10 + y) as u8, 0, 0, 255]);
        let same = compare(&a, &a).unwrap();
        assert_eq!((same.mean, same.max, same.psnr_db), (0.0, 0, f64::INFINITY));
        let mut b = a.clone();
        b.rgba[(4 + 2) * 4 + 1] = 24;
        let difference = compare(&a, &b).unwrap();
        assert_eq!((difference.mean, difference.max, difference.worst), (1.0, 24, [2, 1]));
        assert_eq!(compare(&b, &a).unwrap(), difference);
        assert!((difference.psnr_db - 34.328).abs() < 0.01, "{difference}");
        assert!(compare(&a, &Picture::from_fn([2, 4], |_, _| [0; 4])).is_err());
    }
}
