//! Input of the player in every frame.

use crate::techniques::Replay;

/// A replay to play.
#[derive(Clone, Copy)]
pub struct ReplayState<'a> {
    /// The steps.
    pub replay: &'a Replay,
    /// Nothing moves by itself.
    pub is_still: bool,
}
