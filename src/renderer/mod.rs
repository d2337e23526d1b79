//! A frame from top to bottom: the score, the targets it writes, and what is shown.

mod backdrop;
mod bench;
mod pays;
mod score;
mod shown;
mod targets;
mod world;
mod worlds;

pub use backdrop::{Backdrop, Patience};
pub use bench::benches;
pub use score::{Look, Renderer};
pub use shown::{Place, Shown};
pub use worlds::Worlds;
