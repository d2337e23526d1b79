//! Pictures of files at the size of the window.

use crate::base::{
    light_picture::LightPicture,
    picture::Picture,
    resample::{self, Crop},
    srgb::LINEAR_OF_BYTE,
};

/// Colour beside a picture that is shown whole.
pub const BORDER: [u8; 4] = [18, 19, 22, 255];

/// All of a picture between borders, or the part that fills the size.
pub fn fitted(picture: &Picture, size: [u32; 2], is_whole: bool, crop: Crop) -> Picture {
    if is_whole { resample::contain(picture, size, BORDER) } else { resample::cover(picture, size, crop) }
}

/// The same of light, its middle.
pub fn fitted_light(picture: &LightPicture, size: [u32; 2], is_whole: bool) -> LightPicture {
    let border = [0, 1, 2].map(|channel| LINEAR_OF_BYTE[usize::from(BORDER[channel])]);
    if is_whole {
        resample::contain_light(picture, size, border)
    } else {
        resample::cover_light(picture, size, Crop::Middle)
    }
}
