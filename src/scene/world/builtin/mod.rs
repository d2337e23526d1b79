//! Built-in worlds in and around the court.

mod corridor;
mod court;
mod diffuse;
mod grounds;
mod materials;
mod parts;
mod pool;
mod things;

pub use corridor::corridor;
pub use court::court;
pub use diffuse::diffuse;
pub use pool::pool;

use materials::Materials;
use parts::{EMBER_LIGHT, FLOOR, FOCUS, TILE_LIGHT, floor, knot_on_foot, lanterns, moved, planters, turned};
