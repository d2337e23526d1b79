//! CPU reference of the glass: from settings and lenses to pixels, by the formulas of the page, in `std` and `glam`. It knows nothing of
//! the plan that the GPU follows: tiles, regions, levels of the pre-blur, uniforms.

#[cfg(test)]
mod artefact_tests;
pub mod blur;
pub mod cross_section;
#[cfg(test)]
mod cross_section_tests;
pub mod glass;
pub mod ink;
pub mod lens;
pub mod light;
pub mod luminance_adaptation;
pub mod optics;
pub mod outline;
#[cfg(test)]
mod outline_tests;
pub mod picture;
pub mod source;
pub mod system;
pub mod text_contrast;
pub mod words;

pub use glass::{Glass, GlassScene, Ink};
