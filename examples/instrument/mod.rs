//! Smallest instrument: how many passes a frame has, and what they bind.

use super::{ArgumentInfo, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext, Signals};
use crate::keys::{Held, Shortcut, key, keys};
use crate::layout::floating;
use crate::{PanelKey, UiAction, UiState, panel_rects, theme};
use base::text::bytes;
use egui::{Align2, Context, Key, Rect};
use instrument::{FrameRequest, FrameResults};
use serde_json::json;

const ID: &str = "pass_count";

pub const INFO: InstrumentInfo = InstrumentInfo {
    id: ID,
    title: "Pass count",
    keys: &[keys(&[key(Held::Shift, Key::P, Shortcut::Panel(PanelKey::Instrument(ID)), "Count passes")], "")],
    arguments: &[ArgumentInfo {
        name: "count-passes",
        value: "PREFIX",
        doc: "Counts the passes of the last frame whose names begin so, and what they bind",
    }],
    page: include_str!("instrument.md"),
    ..InstrumentInfo::NONE
};

#[derive(Default)]
pub struct PassCount {
    is_open: bool,
    /// Of the names of passes that count.
    prefix: String,
    passes: usize,
    resources: usize,
    bytes: u64,
}

impl PassCount {
    fn text(&self) -> String {
        format!("{} passes bind {} resources, {}", self.passes, self.resources, bytes(self.bytes))
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
        let before = self.text();
        let passes = || results.passes.iter().filter(|pass| pass.pass.starts_with(&self.prefix));
        let (resources, bytes) = (passes().map(|pass| pass.resources.len()), passes().flat_map(|pass| pass.bytes));
        (self.passes, self.resources, self.bytes) = (passes().count(), resources.sum(), bytes.sum());
        self.is_open && self.text() != before
    }

    fn panel(&mut self, ctx: &Context, space: Rect, panel: &mut PanelContext<'_, '_>) -> Rect {
        if !self.is_open || !panel.is_free {
            return space;
        }
        let rect = floating(ctx, ID, space, Align2::LEFT_TOP, |ui| {
            let frame = theme::chip().show(ui, |ui| ui.label(theme::figure(self.text())));
            panel_rects::note_opaque(ui.ctx(), frame.response.rect);
        });
        space.with_min_y(rect.bottom() + theme::GAP)
    }

    fn argue(&mut self, _name: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err("expected the beginning of names of passes, as in mip_chain".into());
        }
        (self.is_open, self.prefix) = (true, value.into());
        Ok(())
    }

    fn report(&self) -> Option<InstrumentReport> {
        let json = json!({ "passes": self.passes, "resources": self.resources, "bytes": self.bytes });
        self.is_open.then(|| InstrumentReport { text: format!("{}.\n", self.text()), json })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture::{Hand as _, at_1280, draw_frame, world};
    use egui_kittest::kittest::Queryable as _;
    use instrument::sample_passes;
    use renderer::FrameParams;
    use techniques::Settings;

    const COUNTED: &str = "3 passes bind 4 resources, 11.4 MiB";

    #[test]
    fn its_key_opens_a_panel_that_asks_and_shows() {
        let mut harness = at_1280(world());
        let lists = |harness: &crate::test_fixture::Panels| harness.state().ui().instruments.request().lists_all;
        assert!(!lists(&harness));
        for is_open in [true, false] {
            harness.press(PanelKey::Instrument(ID));
            draw_frame(harness.state_mut().ui_mut(), &FrameResults::of_passes(&sample_passes()));
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
        let mut all = super::super::Instruments::default();
        assert!(all.reports().is_empty() && !all.headless_request().lists_all);
        assert!(all.argue("count-passes", "").is_err() && all.reports().is_empty());
        all.argue("count-passes", "mip/d").unwrap();
        assert!(all.headless_request().lists_all);
        let settings = Settings::default();
        let frame = DrawnFrame { params: &FrameParams::of(&settings, &[]), size: [64, 32], lenses_px: 64.0 };
        all.receive(&FrameResults::of_passes(&sample_passes()), &frame);
        let [(info, report)] = &all.reports()[..] else { panic!("one report") };
        let json = json!({ "passes": 1, "resources": 2, "bytes": 4_000_000 });
        let text = "1 passes bind 2 resources, 3.81 MiB.\n";
        assert_eq!((info.id, report.text.as_str(), &report.json), (ID, text, &json));
    }
}
