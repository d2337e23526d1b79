//! What is looked at: the picture under the glass, and where the lenses lie.

mod lens;

pub use lens::Lens;
