//! Pictures of files at the size of the window.

use media::resample::{Crop, Raster, contain, cover};

pub const BORDER: [u8; 4] = [18, 19, 22, 255];

pub fn fitted<R: Raster>(picture: &R, size: [u32; 2], is_whole: bool, crop: Crop) -> R {
    if is_whole { contain(picture, size, BORDER) } else { cover(picture, size, crop) }
}
