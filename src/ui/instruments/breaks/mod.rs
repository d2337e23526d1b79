//! Breaks: links from a technique to what can be dropped from its shaders on purpose, and the card of what is dropped.

mod card;
mod links;

use self::card::Card;
use super::{ActContext, Acted, Choice, DrawnFrame, Instrument, InstrumentInfo, Signals};
use crate::{UiAction, UiState};
use egui::Ui;
use instrument::{CheckRequest, FrameRequest, FrameResults};
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
        if self.now.and_then(broken).is_some_and(|(of, _)| of.id == info.id) {
            self.card(ui, SECTION, results, actions);
        }
        choice
    }

    fn card(&self, ui: &mut Ui, section: &str, results: &FrameResults<'_>, actions: &mut Vec<UiAction>) {
        if let Some((info, broken)) = self.now.filter(|_| section == SECTION).and_then(broken) {
            let check = format!("{}/{}", info.id, broken.check);
            let (sentence, look_for) = (broken.of.doc(), broken.look_for);
            Card { sentence, look_for, check: &check, lacks: &self.lacks, run: results.check }.show(ui, actions);
        }
    }

    fn request(&mut self, _: &mut Signals, frame: &mut FrameRequest) {
        frame.check = self.check;
    }

    fn receive(&mut self, _: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        let settings = frame.params.settings;
        let now = Some(settings.lab.r#break).filter(|now| *now != Break::None);
        let lacks = now.and_then(broken).map_or_else(Vec::new, |(_, broken)| settings.lacks(broken.shows_with));
        self.check.take_if(|check| Some(check.of) != now);
        let changes = self.now != now || self.lacks != lacks;
        (self.now, self.lacks) = (now, lacks);
        changes
    }

    fn act(&mut self, action: &UiAction, _: &ActContext<'_>, _: &Signals) -> Acted {
        let Some(of) = self.now.filter(|_| *action == UiAction::RunCheck) else { return Acted::No };
        self.number += 1;
        self.check = Some(CheckRequest { of, number: self.number });
        Acted::Done
    }
}
