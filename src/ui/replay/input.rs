//! Input of the player in every frame.

use crate::techniques::Replay;

#[derive(Clone, Copy)]
pub struct ReplayState<'a> {
    pub replay: &'a Replay,
    pub is_still: bool,
}
