//! Frames of a clip: places, times, limits.

use super::container::Patch;
use crate::pixels::LONGEST_SIDE;
use crate::source::Source;
use crate::y4m::Header;
use anyhow::{Result, ensure};
use base::text;
use image::ImageFormat;
use std::path::PathBuf;

pub const MOST_FRAME_BYTES: u64 = 256 << 20;

pub enum Frames {
    Video {
        source: Source,
        header: Header,
        offsets: Vec<u64>,
    },
    /// Each frame may build on the one before. Read up to `end`.
    Animation {
        source: Source,
        format: ImageFormat,
        end: u64,
        patch: Option<Patch>,
    },
    Files(Vec<PathBuf>),
}

pub enum Times {
    Rate(f64),
    Ends(Vec<f64>),
}

pub fn frames_are(count: usize) -> String {
    if count == 1 { "only the first frame is".into() } else { format!("only the {count} frames before it are") }
}

pub fn check_size([width, height]: [u32; 2]) -> Result<()> {
    let fits = |side: u32| (1..=LONGEST_SIDE).contains(&side);
    ensure!(fits(width) && fits(height), "its frames are {width}x{height}; expected 1x1 to 16384x16384");
    let needed = 4 * u64::from(width) * u64::from(height);
    let [found, most] = [needed, MOST_FRAME_BYTES].map(text::bytes);
    ensure!(needed <= MOST_FRAME_BYTES, "a frame of {width}x{height} takes {found} decoded; expected at most {most}");
    Ok(())
}
