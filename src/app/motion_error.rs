//! Moving frames against the converged picture of the same camera: `headless --against-rest`.

use anyhow::Result;
use media::difference::{Difference, compare, ssim};
use media::picture::Picture;
use serde_json::{Value, json};

/// After those of the antialiasing, until all that follows the picture is at rest.
pub const FRAMES_MORE: u32 = 16;

pub struct MotionError {
    every: u32,
    frames: Vec<MovingFrame>,
}

struct MovingFrame {
    number: u32,
    difference: Difference,
    ssim: f64,
}

impl MotionError {
    pub fn new(every: u32) -> Self {
        Self { every, frames: Vec::new() }
    }

    pub fn is_due(&self, number: u32) -> bool {
        number > 0 && number.is_multiple_of(self.every)
    }

    pub fn add(&mut self, number: u32, moving: &Picture, rest: &Picture) -> Result<()> {
        let (difference, ssim) = (compare(moving, rest)?, ssim(moving, rest)?);
        self.frames.push(MovingFrame { number, difference, ssim });
        Ok(())
    }

    /// By the mean of the squares of all compared frames.
    fn psnr_db(&self) -> f64 {
        let squares = self.frames.iter().map(|frame| 10.0_f64.powf(-0.1 * frame.difference.psnr_db)).sum::<f64>();
        -10.0 * (squares / self.frames.len() as f64).log10()
    }

    pub fn json(&self) -> Value {
        let known = |db: f64| db.is_finite().then_some(db);
        let frame = |MovingFrame { number, difference, ssim }: &MovingFrame| {
            let Difference { mean, max, psnr_db, worst } = *difference;
            json!({"frame": number, "psnr_db": known(psnr_db), "ssim": ssim, "mean": mean, "max": max, "worst": worst})
        };
        json!({"psnr_db": known(self.psnr_db()), "frames": self.frames.iter().map(frame).collect::<Vec<_>>()})
    }

    pub fn text(&self) -> String {
        let line = |MovingFrame { number, difference, ssim }: &MovingFrame| {
            format!("frame {number} in motion against rest: {difference}, SSIM {ssim:.4}\n")
        };
        self.frames.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_compared_and_summed_by_their_squares() {
        let grey = |value: u8| Picture::from_fn([16, 16], |_, _| [value, value, value, 255]);
        let mut error = MotionError::new(30);
        assert_eq!(([0, 29, 30, 60].map(|number| error.is_due(number))), [false, false, true, true]);
        assert_eq!(error.json()["psnr_db"], Value::Null, "nothing is compared");
        for (number, value) in [(30, 101), (60, 103)] {
            error.add(number, &grey(value), &grey(100)).unwrap();
        }
        let expected = 10.0 * (255.0_f64.powi(2) / 5.0).log10();
        assert!((error.psnr_db() - expected).abs() < 1e-9);
        assert_eq!(error.json()["frames"][1]["max"], 3);
        assert!(error.text().contains("frame 60 in motion against rest: mean 3.000"), "{}", error.text());
        assert!(error.add(90, &grey(1), &Picture::from_fn([8, 8], |_, _| [0; 4])).is_err());
    }
}
