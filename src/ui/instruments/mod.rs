//! The list of instruments.
//! An instrument is one folder here, and one line in the list at the end of this file; `examples/instrument` is the smallest one. It
//! names no other one: what they tell each other is in [`Signals`]. It names no Vulkan: it asks by a [`FrameRequest`], which
//! [`FrameCapture`](::instrument::FrameCapture) answers with [`FrameResults`].

mod argument;
mod instrument;

pub use self::argument::{ArgumentInfo, Parser, RunInfo, check_pixel, pixel_of};
pub use self::instrument::{
    ActContext, Acted, Choice, Draw, DrawnFrame, Instrument, InstrumentInfo, InstrumentReport, PanelContext,
    PointedTexel, Signals, Switch,
};

use super::keys::{self, Held, Line, Shortcut};
use super::timings::{PassRows, Timings};
use super::{UiAction, UiState};
use ::instrument::{FrameRequest, FrameResults};
use egui::{Context, Key, Rect, Ui};
use std::ffi::OsStr;
use technique::Info;

macro_rules! instruments {
    ($($(#[cfg($cfg:meta)])? $(#[path = $path:literal])? $id:ident: $instrument:ident),* $(,)?) => {
        $($(#[cfg($cfg)])? $(#[path = $path])? pub mod $id;)*

        pub const INFOS: &[InstrumentInfo] = &[$($(#[cfg($cfg)])? $id::INFO),*];

        #[derive(Default)]
        pub struct Instruments {
            $($(#[cfg($cfg)])? pub $id: $id::$instrument,)*
            signals: Signals,
            request: FrameRequest,
        }

        impl Instruments {
            fn each(&mut self, mut act: impl FnMut(&'static InstrumentInfo, &mut dyn Instrument, &mut Signals)) {
                $($(#[cfg($cfg)])? act(&$id::INFO, &mut self.$id, &mut self.signals);)*
            }

            fn look(&self, mut at: impl FnMut(&'static InstrumentInfo, &dyn Instrument)) {
                $($(#[cfg($cfg)])? at(&$id::INFO, &self.$id);)*
            }

            pub(super) fn frozen(&mut self, measured_at: &str) -> Option<(&mut Timings, &str)> {
                $($(#[cfg($cfg)])? if let Some(frozen) = self.$id.frozen(measured_at) {
                    return Some(frozen);
                })*
                None
            }
        }
    };
}

pub fn lines() -> impl Iterator<Item = &'static Line> {
    keys::lines(INFOS.iter().flat_map(|info| info.keys))
}

pub fn shortcut(held: Held, key: Key) -> Option<Shortcut> {
    keys::find(lines(), held, key)
}

impl Instruments {
    /// What the last panels asked of the next frame.
    pub fn request(&self) -> &FrameRequest {
        &self.request
    }

    /// For the next frame; what is saved once is asked once.
    pub fn take_request(&mut self) -> FrameRequest {
        let request = self.request.clone();
        self.request.saved.clear();
        request
    }

    fn any(&self, is_one: impl Fn(&'static InstrumentInfo, &dyn Instrument) -> bool) -> bool {
        let mut found = false;
        self.look(|info, one| found |= is_one(info, one));
        found
    }

    pub fn holes(&self) -> &[Rect] {
        &self.signals.holes
    }

    pub fn takes_pointer(&self) -> bool {
        self.any(|_, one| one.takes_pointer())
    }

    pub(super) fn is_tried(&self, id: &str, state: &UiState<'_>) -> bool {
        self.any(|info, one| info.id == id && one.is_tried(state))
    }

    pub(super) fn is_any_shown(&self, state: &UiState<'_>) -> bool {
        self.any(|_, one| one.is_shown(state))
    }

    /// Buttons of the Inspect tab.
    pub(super) fn switches(&self, state: &UiState<'_>) -> Vec<Switch> {
        let mut all = Vec::new();
        self.look(|info, one| {
            let is_on = one.is_on(state);
            all.extend(info.switch.map(|[label, hint]| Switch { id: info.id, label, hint, is_on }));
        });
        all
    }

    pub(super) fn press(&mut self, id: &str, state: &UiState<'_>, actions: &mut Vec<UiAction>) -> bool {
        let mut shows = false;
        self.each(|info, one, _| shows |= info.id == id && one.press(state, actions));
        shows
    }

    pub(super) fn close(&mut self, state: &UiState<'_>, actions: &mut Vec<UiAction>) -> bool {
        let mut is_closed = false;
        self.each(|_, one, _| is_closed = is_closed || one.close(state, actions));
        is_closed
    }

    pub(super) fn tab(&mut self, ui: &mut Ui, state: &UiState<'_>) {
        self.each(|_, one, _| one.tab(ui, state));
    }

    /// The last one that was clicked.
    pub(super) fn links(
        &self,
        ui: &mut Ui,
        info: &Info,
        results: &FrameResults<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Option<Choice> {
        let mut choice = None;
        self.look(|_, one| choice = one.links(ui, info, results, actions).or(choice.take()));
        choice
    }

    pub(super) fn card(&self, ui: &mut Ui, section: &str, results: &FrameResults<'_>, actions: &mut Vec<UiAction>) {
        self.look(|_, one| one.card(ui, section, results, actions));
    }

    /// `is_free`: no page covers the picture; `is_inspecting`: the Inspect tab is open. `rows`: of the timings, hovered and clicked. Returns
    /// what they leave of the space.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        mut space: Rect,
        (timings, rows): (&Timings, PassRows),
        [is_free, is_inspecting]: [bool; 2],
        state: &UiState<'_>,
        actions: &mut Vec<UiAction>,
    ) -> Rect {
        let PassRows { hovered, clicked, limited } = rows;
        let last = std::mem::take(&mut self.signals);
        self.signals = Signals { hovered, clicked: Vec::from_iter(clicked), limited, ..last };
        let mut pointed = None;
        for is_overlay in [false, true] {
            self.each(|_, one, signals| {
                let (pointed_at, actions) = (pointed.take(), &mut *actions);
                let mut panel =
                    PanelContext { state, timings, is_free, is_inspecting, signals, pointed: pointed_at, actions };
                match is_overlay {
                    true => one.overlay(ctx, space, &mut panel),
                    false => space = one.panel(ctx, space, &mut panel),
                }
                pointed = panel.pointed;
            });
        }
        space
    }

    /// Call it after the panels, hidden ones too.
    pub(super) fn ask(&mut self) {
        let mut frame = FrameRequest { saved: std::mem::take(&mut self.request.saved), ..FrameRequest::default() };
        (self.signals.holes, self.signals.story, self.signals.has_pins) = (Vec::new(), None, false);
        self.each(|_, one, signals| one.request(signals, &mut frame));
        self.request = frame;
        let Signals { holes, story, has_pins, texel, .. } = std::mem::take(&mut self.signals);
        self.signals = Signals { holes, story, has_pins, texel, ..Signals::default() };
    }

    /// Whether the panels change.
    pub fn receive(&mut self, results: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        let mut changes = false;
        self.each(|_, one, _| changes |= one.receive(results, frame));
        changes
    }

    pub fn act(&mut self, action: &UiAction, window: &ActContext<'_>) -> Acted {
        let mut acted = Acted::No;
        self.each(|_, one, signals| match one.act(action, window, signals) {
            Acted::No => {}
            answer => acted = answer,
        });
        acted
    }

    pub(super) fn save(&self) -> toml::Table {
        let mut memory = toml::Table::new();
        self.look(|_, one| one.save(&mut memory));
        memory
    }

    pub(super) fn restore(&mut self, memory: &toml::Table) {
        self.each(|_, one, _| one.restore(memory));
    }

    /// Passes an argument to the instrument that has it.
    pub fn argue(&mut self, argument: &str, value: &OsStr, run: &RunInfo) -> Result<(), String> {
        let mut argued = Ok(());
        self.each(|info, one, _| {
            if argued.is_ok() && info.arguments.iter().any(|own| own.name == argument) {
                argued = one.argue(argument, value, run);
            }
        });
        argued
    }

    /// What a headless run asks of its last frame.
    pub fn headless_request(&mut self) -> &FrameRequest {
        self.ask();
        &self.request
    }

    /// By the instruments' ids.
    pub fn reports(
        &self,
        results: &FrameResults<'_>,
        device: [&str; 2],
    ) -> Result<Vec<(&'static str, InstrumentReport)>, String> {
        let mut reports = Vec::new();
        self.look(|info, one| reports.push(one.report(results, device).map(|report| (info.id, report))));
        reports.into_iter().collect()
    }
}

instruments! {
    compare: Compare,
    timeline: Timeline,
    steps: ReplayPlayer,
    inspector: Inspector,
    limits: Details,
    viewer: PassViewer,
    breaks: Breaks,
    recording: Recording,
    #[cfg(feature = "instrument")]
    #[path = "../../../examples/instrument/mod.rs"]
    pass_count: PassCount,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Group;

    #[test]
    fn ids_and_arguments_are_of_one_instrument() {
        let ids: Vec<_> = INFOS.iter().map(|info| info.id).collect();
        let arguments: Vec<_> = INFOS.iter().flat_map(|info| info.arguments).map(|one| one.name).collect();
        for all in [&ids, &arguments] {
            for (index, name) in all.iter().enumerate() {
                assert!(!name.is_empty() && !all[..index].contains(name), "{name}");
            }
        }
    }

    /// The examples are in the list of tests only.
    fn shipped() -> impl Iterator<Item = &'static Line> {
        let own = INFOS.iter().filter(|info| info.id != "pass_count");
        keys::lines(own.flat_map(|info| info.keys))
    }

    #[test]
    fn a_chord_does_one_thing() {
        let all: Vec<_> = lines().flat_map(Line::chords).collect();
        for (index, (held, key, action)) in all.iter().enumerate() {
            let same = all[..index].iter().find(|other| (other.0, other.1) == (*held, *key));
            assert!(same.is_none(), "{held:?} {key:?} and {same:?}");
            assert_eq!(shortcut(*held, *key), Some(*action));
        }
    }

    #[test]
    fn the_readme_names_every_chord_and_gesture_in_its_group() {
        let readme = include_str!("../../../README.md");
        let (_, table) = readme.split_once("## Keys and pointer").unwrap();
        let rows = table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
        let mut named: Vec<(String, Vec<String>)> = Vec::new();
        for cell in rows.skip(2).filter_map(|row| row.split('|').nth(1)).map(str::trim) {
            match cell.strip_prefix("**") {
                Some(title) => named.push((title.trim_end_matches('*').into(), Vec::new())),
                None => named.last_mut().unwrap().1.extend(cell.to_lowercase().split(", ").map(String::from)),
            }
        }
        let own = Group::ALL.map(|(group, title)| {
            let names = shipped().filter(|line| line.group == group).map(|line| line.name().to_lowercase());
            let names: Vec<String> =
                names.flat_map(|names| Vec::from_iter(names.split(", ").map(String::from))).collect();
            (title.to_owned(), names)
        });
        let sorted = |(title, mut names): (String, Vec<String>)| {
            names.sort();
            names.dedup();
            (title, names)
        };
        assert_eq!(named.into_iter().map(sorted).collect::<Vec<_>>(), own.map(sorted));
    }
}
