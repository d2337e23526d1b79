//! Breaks: links from a technique to what can be dropped from its shaders on purpose, and the card of what is dropped.

mod card;
mod links;

use self::card::Card;
use super::{ActContext, Acted, Choice, DrawnFrame, Instrument, InstrumentInfo, Signals};
use crate::{UiAction, UiState};
use egui::Ui;
use instrument::{CheckRequest, CheckRun, FrameRequest, FrameResults};
use lab::Break;
use technique::Info;
use techniques::broken;

pub const INFO: InstrumentInfo = InstrumentInfo { id: "breaks", title: "Breaks", ..InstrumentInfo::NONE };

const SECTION: &str = "lab";

#[derive(Default)]
pub struct Breaks {
    now: Option<Break>,
    /// Missing settings that it needs to show.
    lacks: Vec<&'static str>,
    check: Option<CheckRequest>,
    /// Of the last request.
    number: u64,
}

impl Instrument for Breaks {
    fn is_shown(&self, _: &UiState<'_>) -> bool {
        false
    }

    fn links(
        &self,
        ui: &mut Ui,
        info: &Info,
        results: &FrameResults<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Option<Choice> {
        let choice = links::show(ui, info, self.now);
        if self.shown().and_then(broken).is_some_and(|(of, _)| of.id == info.id) {
            self.card(ui, SECTION, results, actions);
        }
        choice
    }

    fn card(&self, ui: &mut Ui, section: &str, results: &FrameResults<'_>, actions: &mut Vec<UiAction>) {
        if let Some((info, broken)) = self.shown().filter(|_| section == SECTION).and_then(broken) {
            let check = format!("{}/{}", info.id, broken.check);
            if self.now.is_none() {
                return card::mended(ui, &check, results.check);
            }
            let (sentence, look_for) = (broken.of.doc(), broken.look_for);
            Card { sentence, look_for, check: &check, lacks: &self.lacks, run: results.check }.show(ui, actions);
        }
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.check = self.check;
    }

    fn receive(&mut self, results: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        let settings = frame.params.settings;
        let now = Some(settings.lab.r#break).filter(|now| *now != Break::None);
        let lacks = now.and_then(broken).map_or_else(Vec::new, |(_, broken)| settings.lacks(broken.shows_with));
        if self.now != now {
            // What has noticed the break says that it is mended.
            let noticed = self.check.filter(|_| now.is_none() && matches!(results.check, CheckRun::Failed { .. }));
            self.check = noticed.map(|check| self.request_of(check.of, true));
        }
        let changes = self.now != now || self.lacks != lacks;
        (self.now, self.lacks) = (now, lacks);
        changes
    }

    fn act(&mut self, action: &UiAction, _: &ActContext<'_>, _: &Signals) -> Acted {
        let Some(of) = self.now.filter(|_| *action == UiAction::RunCheck) else { return Acted::No };
        self.check = Some(self.request_of(of, false));
        Acted::Done
    }
}

impl Breaks {
    fn shown(&self) -> Option<Break> {
        self.now.or(self.check.map(|check| check.of))
    }

    fn request_of(&mut self, of: Break, is_mended: bool) -> CheckRequest {
        self.number += 1;
        CheckRequest { of, is_mended, number: self.number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use renderer::FrameParams;
    use techniques::Settings;

    #[test]
    fn what_noticed_a_break_is_checked_again_once_it_is_mended() {
        let mut breaks = Breaks::default();
        let mut drawn = |of: Break, run: CheckRun| {
            let mut settings = Settings::default();
            settings.lab.r#break = of;
            let results = FrameResults { check: &run, ..FrameResults::of_passes(&[]) };
            breaks.receive(&results, &DrawnFrame { params: &FrameParams::of(&settings, &[]) });
            if of != Break::None && breaks.check.is_none() {
                breaks.check = Some(breaks.request_of(of, false));
            }
            breaks.check.map(|check| (check.of, check.is_mended, check.number))
        };
        let failed = || CheckRun::Failed { case: "one".into(), text: "wrong".into() };
        let of = Break::Sentinel;
        assert_eq!(drawn(of, CheckRun::Idle), Some((of, false, 1)));
        assert_eq!(drawn(Break::None, CheckRun::Running { done: 1, of: 9 }), None, "nothing is known yet");
        assert_eq!(drawn(of, failed()), Some((of, false, 2)));
        for run in [failed(), CheckRun::Running { done: 1, of: 9 }, CheckRun::Passed { cases: 9 }] {
            assert_eq!(drawn(Break::None, run), Some((of, true, 3)), "it is kept");
        }
        assert_eq!(drawn(Break::Barrier, CheckRun::Passed { cases: 9 }), Some((Break::Barrier, false, 4)));
    }
}
