//! Recording of the window: its key, and how long frames are recorded.

use super::{ActContext, Acted, DrawnFrame, Instrument, InstrumentInfo, Signals};
use crate::keys::{Group, Held, Shortcut, key, keys};
use crate::{UiAction, UiState};
use egui::Key;
use instrument::{FrameRequest, FrameResults};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: "recording",
    title: "Recording",
    keys: &[keys(
        Group::Files,
        &[key(Held::Nothing, Key::F9, Shortcut::Record, "Record the window, or end that")],
        ": a video (.y4m), without the panels",
    )],
    ..InstrumentInfo::NONE
};

const UNREADABLE: &str =
    "This display does not allow reading the window back; `meniscus headless --record FILE` records a path.";

#[derive(Default)]
pub struct Recording {
    is_on: bool,
    /// In the last frame.
    was_recorded: bool,
}

impl Instrument for Recording {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        false
    }

    fn act(&mut self, action: &UiAction, window: &ActContext<'_>, _: &Signals) -> Acted {
        match action {
            UiAction::Record if !self.is_on && !window.is_readable => Acted::Failed(UNREADABLE.into()),
            UiAction::Record => {
                self.is_on = !self.is_on;
                Acted::Done
            }
            _ => Acted::No,
        }
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.records = self.is_on;
    }

    /// It ends by itself where the window has another size, or the file cannot be written.
    fn receive(&mut self, results: &FrameResults<'_>, _: &DrawnFrame<'_>) -> bool {
        let has_ended = self.was_recorded && !results.is_recorded;
        self.is_on &= !has_ended;
        self.was_recorded = results.is_recorded;
        has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture::{at_1280, draw_frame, world};

    #[test]
    fn it_is_requested_until_it_ends() {
        let mut harness = at_1280(world());
        let window = |is_readable| ActContext {
            has_pair: false,
            is_readable,
            lenses: &[],
            scale: 1.0,
            free_px: glam::Vec2::splat(720.0),
        };
        let act = |harness: &mut crate::test_fixture::Panels, is_readable| {
            let acted = harness.state_mut().ui_mut().instruments.act(&UiAction::Record, &window(is_readable));
            harness.run_ok();
            (acted, harness.state().ui().instruments.request().records)
        };
        assert_eq!(act(&mut harness, false), (Acted::Failed(UNREADABLE.into()), false));
        for records in [true, false, true] {
            assert_eq!(act(&mut harness, true), (Acted::Done, records));
        }
        for (is_recorded, records) in [(false, true), (true, true), (true, true), (false, false)] {
            let results = FrameResults { is_recorded, ..FrameResults::of_passes(&[]) };
            draw_frame(harness.state_mut().ui_mut(), &results);
            harness.run_ok();
            assert_eq!(harness.state().ui().instruments.request().records, records, "{is_recorded}");
        }
    }
}
