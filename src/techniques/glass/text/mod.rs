//! Words and paths as outlines, and the shade that keeps text on the glass readable.

pub mod contrast;
pub mod fields;
pub mod fonts;
pub mod letters;
#[cfg(test)]
mod letters_tests;
pub mod path_shape;
pub mod shading;
