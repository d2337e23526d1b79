//! A and B: two states of the settings in one frame, from one camera and time.

mod composition;
mod pair;
#[cfg(test)]
mod pair_tests;
mod times;

pub use composition::{Composition, PairLayout};
pub use pair::{PREFIX, Pair, PairInput, split};
pub use times::{N_LEAST, PairTimes, TimeDifference, TimeRow};
