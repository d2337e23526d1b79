//! What is looked at: the picture or the world under the glass, and where the lenses lie.

mod hand;
mod lens;
pub mod picture;
mod plate;
mod settings;
pub mod world;

pub use hand::HandSettings;
pub use lens::{Lens, Shape};
pub use plate::{Plate, PlateKind, Press};
pub use settings::{AntialiasMode, Drift, Fit, Place, SceneSettings, Source};
