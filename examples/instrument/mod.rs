//! Smallest instrument: how many passes a frame has, and what they bind.

use super::{ArgumentInfo, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext, RunInfo, Signals};
use crate::keys::{Group, Held, Shortcut, key, keys};
use crate::layout::floating;
use crate::{PanelKey, UiAction, UiState, panel_rects, theme};
use base::text::bytes;
use egui::{Align2, Context, Key, Rect};
use instrument::{FrameRequest, FrameResults};
use serde_json::json;
use std::ffi::OsStr;

const ID: &str = "pass_count";

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: ID,
    title: "Pass count",
    keys: &[keys(
        Group::Inspect,
        &[key(Held::Shift, Key::P, Shortcut::Panel(PanelKey::Instrument(ID)), "Count passes")],
        "",
    )],
    arguments: &[ArgumentInfo {
        name: "count-passes",
        value: "PREFIX",
        doc: "Counts the passes of the last frame whose names begin so, and what they bind",
        check: Some(|text| match text {
            "" => Err("expected the beginning of names of passes, as in mip_chain".into()),
            _ => Ok(()),
        }),
        is_repeated: true,
        ..ArgumentInfo::NONE
    }],
    page: include_str!("instrument.md"),
    ..InstrumentInfo::NONE
};

#[derive(Default)]
pub struct PassCount {
    is_open: bool,
    /// Of the names of passes that count.
    prefix: String,
    counted: Counted,
}

#[derive(Default, PartialEq)]
struct Counted {
    passes: usize,
    resources: usize,
    bytes: u64,
}

impl Counted {
    fn text(&self) -> String {
        format!("{} passes bind {} resources, {}", self.passes, self.resources, bytes(self.bytes))
    }
}

impl PassCount {
    fn count(&self, results: &FrameResults<'_>) -> Counted {
        let passes = || results.passes.iter().filter(|pass| pass.pass.starts_with(&self.prefix));
        let (resources, bytes) = (passes().map(|pass| pass.resources.len()), passes().flat_map(|pass| pass.bytes));
        Counted { passes: passes().count(), resources: resources.sum(), bytes: bytes.sum() }
    }
}

impl Instrument for PassCount {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        self.is_open
    }

    fn press(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        self.is_open = !self.is_open;
        true
    }

    fn close(&mut self, _: &UiState<'_>, _: &mut Vec<UiAction>) -> bool {
        std::mem::take(&mut self.is_open)
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.lists_all |= self.is_open;
    }

    fn receive(&mut self, results: &FrameResults<'_>, _: &DrawnFrame<'_>) -> bool {
        let now = self.count(results);
        self.is_open && std::mem::replace(&mut self.counted, now) != self.counted
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        if !self.is_open || !panel.is_free {
            return space;
        }
        let rect = floating(ctx, ID, space, Align2::LEFT_TOP, |ui| {
            let frame = theme::chip().show(ui, |ui| ui.label(theme::figure(self.counted.text())));
            panel_rects::note_opaque(ui.ctx(), frame.response.rect);
        });
        space.with_min_y(rect.bottom() + theme::GAP)
    }

    fn argue(&mut self, _: &str, value: &OsStr, _: &RunInfo) -> Result<(), String> {
        (self.is_open, self.prefix) = (true, value.to_string_lossy().into());
        Ok(())
    }

    fn report(&self, results: &FrameResults<'_>, _: [&str; 2]) -> Result<InstrumentReport, String> {
        let counted = self.count(results);
        let mut report = InstrumentReport::default();
        if self.is_open {
            report.text = format!("{}.\n", counted.text());
            report.json =
                Some(json!({ "passes": counted.passes, "resources": counted.resources, "bytes": counted.bytes }));
        }
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture::{Hand as _, at_1280, draw_frame, world};
    use egui_kittest::kittest::Queryable as _;
    use instrument::sample_passes;

    const COUNTED: &str = "3 passes bind 4 resources, 11.4 MiB";

    #[test]
    fn its_key_opens_a_panel_that_asks_and_shows() {
        let mut harness = at_1280(world());
        let lists = |harness: &crate::test_fixture::Panels| harness.ui().instruments.request().lists_all;
        assert!(!lists(&harness));
        for is_open in [true, false] {
            harness.press(PanelKey::Instrument(ID));
            draw_frame(harness.ui_mut(), &FrameResults::of_passes(&sample_passes()));
            harness.run_steps(3);
            assert_eq!((lists(&harness), harness.has(COUNTED)), (is_open, is_open));
        }
        assert_eq!(super::super::shortcut(Held::Shift, Key::P), Some(Shortcut::Panel(PanelKey::Instrument(ID))));
        harness.press(PanelKey::Help);
        harness.get_by_label("Shift + P");
        harness.click_for(INFO.title, 3);
        harness.get_by_label("The smallest instrument.");
    }

    #[test]
    fn its_argument_asks_and_its_report_answers() {
        let mut of = PassCount::default();
        let passes = sample_passes();
        let report = |of: &PassCount| of.report(&FrameResults::of_passes(&passes), [""; 2]).unwrap();
        let asks = |of: &mut PassCount| {
            let mut request = FrameRequest::default();
            of.request(&mut Signals::default(), &mut request);
            request.lists_all
        };
        assert!(report(&of).json.is_none() && !asks(&mut of));
        assert!(INFO.arguments[0].check.is_some_and(|check| check("").is_err()));
        let run = RunInfo { size: [64, 32], has_view: false, has_b: false };
        of.argue("count-passes", "mip/d".as_ref(), &run).unwrap();
        assert!(asks(&mut of));
        let json = json!({ "passes": 1, "resources": 2, "bytes": 4_000_000 });
        let text = "1 passes bind 2 resources, 3.81 MiB.\n";
        let report = report(&of);
        assert_eq!((report.text.as_str(), &report.json), (text, &Some(json)));
    }
}
