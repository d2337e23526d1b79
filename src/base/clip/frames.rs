//! Frames of a clip: places, times, limits.

use crate::base::picture::LONGEST_SIDE;
use crate::base::text;
use crate::base::y4m::Header;
use anyhow::{Result, ensure};
use image::ImageFormat;
use std::path::PathBuf;

/// Largest decoded frame, bytes.
pub const MOST_FRAME_BYTES: u64 = 256 << 20;
/// Largest number of frames; a longer clip ends there.
pub const MOST_FRAMES: usize = 1_000_000;

/// Places of the frames' bytes.
pub enum Frames {
    /// Places of the frames' first lines in a raw video.
    Video { file: PathBuf, header: Header, offsets: Vec<u64> },
    /// An animation, each frame of which may build on the one before, in the bytes up to the end.
    Animation { file: PathBuf, format: ImageFormat, end: u64 },
    /// One file for each frame.
    Files(Vec<PathBuf>),
}

/// Times of the frames.
pub enum Times {
    /// Frames a second.
    Rate(f64),
    /// End of each frame, seconds since the begin of the first.
    Ends(Vec<f64>),
}

/// The same number in words: "only the 3 frames before it are".
pub fn frames_are(count: usize) -> String {
    if count == 1 { "only the first frame is".into() } else { format!("only the {count} frames before it are") }
}

/// Refuses frames that are too large.
pub fn check_size([width, height]: [u32; 2]) -> Result<()> {
    let fits = |side: u32| (1..=LONGEST_SIDE).contains(&side);
    ensure!(fits(width) && fits(height), "its frames are {width}x{height}; expected 1x1 to 16384x16384");
    let needed = 4 * u64::from(width) * u64::from(height);
    let [found, most] = [needed, MOST_FRAME_BYTES].map(text::bytes);
    ensure!(needed <= MOST_FRAME_BYTES, "a frame of {width}x{height} takes {found} decoded; expected at most {most}");
    Ok(())
}
