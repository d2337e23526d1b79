//! Recording of the window, and of a clip: the key, and how long frames are recorded.

use super::{ActContext, Acted, DrawnFrame, Instrument, InstrumentInfo, Signals};
use crate::keys::{Group, Held, Shortcut, key, keys};
use crate::{UiAction, UiState};
use egui::Key;
use instrument::{FrameRequest, FrameResults, Recorded};

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: "recording",
    title: "Recording",
    keys: &[
        keys(
            Group::Files,
            &[key(Held::Nothing, Key::F9, Shortcut::Record, "Record the window, or end that")],
            ": a video without the panels",
        ),
        keys(
            Group::Files,
            &[key(Held::Shift, Key::F9, Shortcut::RecordClip, "Record an eight-second clip")],
            ": a video to share. The lens moves once along a figure of eight",
        ),
    ],
    ..InstrumentInfo::NONE
};

/// What it does, before it begins.
pub const CLIP: &str = "Without the panels, to share. The lens moves once along a figure of eight, the camera stays";

const CLIP_S: f64 = 8.0;
/// Shorter waits need no word.
const LONG_S: f64 = 20.0;

/// What a clip takes, if that is long: each of its frames is drawn in full.
pub fn clip_takes(frame_us: f64, video: &str) -> Option<String> {
    let rate = if video.starts_with("MP4") { 30.0 } else { 20.0 };
    let takes_s = CLIP_S * rate * frame_us / 1e6;
    (takes_s > LONG_S).then(|| format!(" It takes about {} here; a smaller window takes less.", minutes(takes_s)))
}

pub fn minutes(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    if whole < 100 { format!("{whole} s") } else { format!("{} min", whole.div_ceil(60)) }
}

const UNREADABLE: &str =
    "This display does not allow reading the window back; `meniscus headless --record FILE` records a path.";

#[derive(Default)]
pub struct Recording {
    wanted: Option<Recorded>,
    /// In the last frame.
    was_recorded: bool,
}

impl Instrument for Recording {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        false
    }

    fn close(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        self.wanted.take_if(|wanted| *wanted == Recorded::Clip).is_some()
    }

    fn act(&mut self, action: &UiAction, window: &ActContext<'_>, _: &Signals) -> Acted {
        match action {
            UiAction::Record if self.wanted.is_some() => {
                self.wanted = None;
                Acted::Done
            }
            UiAction::Record | UiAction::RecordClip if !window.is_readable => Acted::Failed(UNREADABLE.into()),
            UiAction::Record => {
                self.wanted = Some(Recorded::Window);
                Acted::Done
            }
            UiAction::RecordClip => {
                let is_clip = self.wanted == Some(Recorded::Clip);
                self.wanted = self.wanted.or(Some(Recorded::Clip)).filter(|_| !is_clip);
                Acted::Done
            }
            _ => Acted::No,
        }
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.records = self.wanted;
    }

    /// It ends by itself where the window has another size, or the file cannot be written.
    fn receive(&mut self, results: &FrameResults<'_>, _: &DrawnFrame<'_>) -> bool {
        let has_ended = self.was_recorded && !results.is_recorded;
        self.wanted = self.wanted.filter(|_| !has_ended);
        self.was_recorded = results.is_recorded;
        has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PanelKey;
    use crate::test_fixture::{Hand as _, Panels, at_1280, draw_frame, world};

    #[test]
    fn a_clip_that_takes_long_says_so() {
        assert_eq!(clip_takes(8_000.0, "MP4"), None);
        for (video, takes) in [("MP4", "5 min"), ("Animated PNG; MP4 needs ffmpeg", "4 min")] {
            assert!(clip_takes(1_240_000.0, video).unwrap().contains(&format!("about {takes} here")), "{video}");
        }
    }

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
        let act = |harness: &mut Panels, action: UiAction, is_readable| {
            let acted = harness.ui_mut().instruments.act(&action, &window(is_readable));
            harness.run_ok();
            (acted, harness.ui().instruments.request().records)
        };
        let (of_window, clip) = (Some(Recorded::Window), Some(Recorded::Clip));
        for action in [UiAction::Record, UiAction::RecordClip] {
            assert_eq!(act(&mut harness, action, false), (Acted::Failed(UNREADABLE.into()), None));
        }
        for (action, records) in [
            (UiAction::Record, of_window),
            (UiAction::RecordClip, of_window),
            (UiAction::Record, None),
            (UiAction::RecordClip, clip),
            (UiAction::RecordClip, None),
            (UiAction::RecordClip, clip),
            (UiAction::Record, None),
            (UiAction::RecordClip, clip),
        ] {
            assert_eq!(act(&mut harness, action, true), (Acted::Done, records));
        }
        harness.press(PanelKey::Close);
        assert_eq!(harness.ui().instruments.request().records, None, "Esc cancels a clip");
        assert_eq!(act(&mut harness, UiAction::Record, true), (Acted::Done, of_window));
        harness.press(PanelKey::Close);
        for (is_recorded, records) in [(false, of_window), (true, of_window), (true, of_window), (false, None)] {
            let results = FrameResults { is_recorded, ..FrameResults::of_passes(&[]) };
            draw_frame(harness.ui_mut(), &results);
            harness.run_ok();
            assert_eq!(harness.ui().instruments.request().records, records, "{is_recorded}");
        }
    }
}
