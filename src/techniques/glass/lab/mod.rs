//! Laboratory of the glass: reference, checks, benches, comparison of the blurs, story and steps of a pixel.

pub mod bench;
pub mod blur_judge;
mod blur_measurement;
pub mod blur_quality;
pub mod blur_quality_check;
mod blur_similarity;
#[cfg(test)]
mod border_tests;
pub mod breaks;
mod check_fixture;
pub mod checks;
pub mod draw_vs_dispatch_check;
pub mod luminance_adaptation_check;
pub mod path_check;
pub mod reference;
pub mod replay;
pub mod story;
pub mod system_glass_check;
pub mod text_contrast_check;
pub mod text_outline_check;
