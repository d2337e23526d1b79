//! Outline of the lenses: distance to it, and the tiles that it covers.

pub mod outline;
pub mod shape;
pub mod tiles;
