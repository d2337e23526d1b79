//! How far two pictures are apart, in numbers and as a picture.

use anyhow::{Result, ensure};

use super::picture::Picture;

/// The difference of red, green and blue (alpha is not looked at), in 8-bit steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean of the absolute difference over all channels.
    pub mean: f64,
    /// Largest absolute difference of one channel.
    pub max: u8,
    /// Peak signal-to-noise ratio in dB, 20 log10(255 / rms); infinite for equal pictures.
    pub psnr_db: f64,
    /// Where the largest difference lies: x, y of its first pixel.
    pub worst: [u32; 2],
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { mean, max, psnr_db, worst: [x, y] } = self;
        write!(f, "mean {mean:.3}, largest {max} at {x},{y}, {psnr_db:.1} dB")
    }
}

/// Measures two pictures of one size.
///
/// # Errors
/// When the sizes differ.
pub fn compare(a: &Picture, b: &Picture) -> Result<Difference> {
    same_size(a, b)?;
    let (mut sum, mut squares, mut max, mut worst) = (0u64, 0u64, 0, 0);
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

/// Middle grey where they agree, brighter where `a` is above `b` and darker where it is below, times `gain`.
///
/// # Errors
/// When the sizes differ.
pub fn difference_picture(a: &Picture, b: &Picture, gain: f32) -> Result<Picture> {
    same_size(a, b)?;
    Ok(Picture::from_fn(a.size, |x, y| {
        let (a, b) = (a.pixel(x, y), b.pixel(x, y));
        let show = |channel: usize| (128.0 + (f32::from(a[channel]) - f32::from(b[channel])) * gain) as u8;
        [show(0), show(1), show(2), 255]
    }))
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
        assert_eq!(difference_picture(&a, &b, 2.0).unwrap().pixel(2, 1), [128, 80, 128, 255]);
        assert!(compare(&a, &Picture::from_fn([2, 4], |_, _| [0; 4])).is_err());
    }
}
