//! What is looked at.

mod lens;

pub use lens::Lens;
