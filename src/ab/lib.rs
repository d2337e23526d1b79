//! A and B: two states of the settings in one frame, from one camera and time.

mod composition;
mod pair;
mod size;
#[cfg(test)]
mod step_tests;
#[cfg(any(test, feature = "fixtures"))]
pub mod test_stage;
mod times;

pub use composition::PairLayout;
pub use pair::{OF_B, OF_BOTH, Pair, PairInput, split};
pub use size::PairDifference;
pub use times::{PairTimes, TimeDifference, TimeRow};
