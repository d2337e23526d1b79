//! Tour: steps that the user's own hand does, on a card that points at the control of each.

mod card;
mod step;
#[cfg(test)]
mod tests;

use egui::{Context, Rect};

use super::anchors;
use super::dock::Tab;
use super::manipulator::LensPart;
use super::messages;
use super::pair_state::PairAction;
use super::settings::collapsing;
use super::state::{LensState, UiAction, UiState};
use renderer::ActiveView;
use step::{Goal, Target, TourStep, steps};

pub(super) const TITLE: &str = "Tour";
pub(super) const HINT: &str = "Short steps through the program, each done by your own hand";

const LEFT: &str = "The tour is over, and what it changed is as before. The menu ( ... ) and Help have the tour again.";

/// Points by which a lens has to be moved.
const MOVED: f32 = 8.0;

#[derive(Debug, Default)]
pub(super) struct Tour {
    /// In this window or an earlier one.
    pub was_offered: bool,
    pub is_offered: bool,
    running: Option<Running>,
    is_left: bool,
    at_start: AtStart,
    /// Of its card in the last frame.
    pub top: Option<f32>,
}

#[derive(Debug, Default)]
struct Running {
    step: usize,
    /// The state at its start; `None` before its first frame.
    before: Option<Before>,
    /// True once the goal was unmet, so a goal met at the start does not count.
    was_open: bool,
    is_done: bool,
}

/// What its steps change.
#[derive(Debug, Default)]
struct AtStart {
    settings: Vec<(&'static str, &'static str, toml::Value)>,
    view: Option<ActiveView>,
    lens: LensState,
    has_pair: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Before {
    lens: [f32; 2],
    value: Option<toml::Value>,
    view: Option<(&'static str, &'static str)>,
}

#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    pub tab: &'a str,
    pub is_page_open: bool,
    /// Something else takes the place of the offer.
    pub is_busy: bool,
    /// Of an instrument, by its id.
    pub is_tried: &'a dyn Fn(&str) -> bool,
}

impl Target {
    fn name(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Setting { section, field } => format!("setting {section}.{field}"),
            Self::Tab(name) => format!("tab {name}"),
            Self::Control(name) => format!("control {name}"),
        }
    }
}

impl AtStart {
    fn of(state: &UiState<'_>) -> Self {
        let goals = steps().iter().filter_map(|step| match &step.done {
            Goal::Setting { section, field } => Some((section, field)),
            _ => None,
        });
        let settings = goals.filter_map(|(section, field)| {
            let section = state.sections.iter().find(|one| one.id == section)?;
            let index = section.settings.index_of(field)?;
            Some((section.id, section.settings.fields()[index].name, section.settings.value(index)))
        });
        Self { settings: settings.collect(), view: state.view.shown, lens: state.lens, has_pair: state.pair.is_some() }
    }

    fn restore(self, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        for (id, name, value) in self.settings {
            let Some(section) = state.sections.iter_mut().find(|one| one.id == id) else { continue };
            let Some(index) = section.settings.index_of(name) else { continue };
            if section.settings.value(index) != value && section.settings.set(index, &value).is_ok() {
                actions.push(UiAction::Changed { section: id, field: name });
            }
        }
        if state.view.shown != self.view {
            actions.push(UiAction::View(self.view));
        }
        if state.pair.is_some() && !self.has_pair {
            actions.push(UiAction::Pair(PairAction::Remove));
        }
        let LensState { at, selected: index, count, .. } = self.lens;
        if state.lens.at != at && (state.lens.selected, state.lens.count) == (index, count) {
            let place = |part, to| UiAction::Lens { index, number: Some((part, to)) };
            actions.extend([place(LensPart::X, at[0]), place(LensPart::Y, at[1])]);
        }
    }
}

impl Before {
    fn of(step: &TourStep, state: &UiState<'_>) -> Self {
        let value = match &step.done {
            Goal::Setting { section, field } => value_of(state, section, field),
            _ => None,
        };
        Self { lens: state.lens.at, value, view: shown(state) }
    }
}

fn shown(state: &UiState<'_>) -> Option<(&'static str, &'static str)> {
    state.view.shown.map(|shown| (shown.technique, shown.view.name))
}

fn value_of(state: &UiState<'_>, section: &str, field: &str) -> Option<toml::Value> {
    let section = state.sections.iter().find(|one| one.id == section)?;
    let index = section.settings.index_of(field)?;
    Some(section.settings.value(index))
}

fn is_reached(step: &TourStep, before: &Before, state: &UiState<'_>, seen: Seen<'_>) -> bool {
    match &step.done {
        Goal::Lens => (0..2).any(|axis| (state.lens.at[axis] - before.lens[axis]).abs() > MOVED),
        Goal::Setting { section, field } => value_of(state, section, field) != before.value,
        Goal::View => state.view.shown.is_some() && shown(state) != before.view,
        Goal::FinalImage => state.view.shown.is_none(),
        Goal::Tab(name) => seen.tab == name,
        Goal::Page => seen.is_page_open,
        Goal::Instrument(id) => (seen.is_tried)(id),
    }
}

impl Tour {
    pub fn offer(&mut self, was_offered: bool) {
        self.was_offered = was_offered;
        self.is_offered = !was_offered && !steps().is_empty();
    }

    pub fn toggle(&mut self) {
        self.is_offered = false;
        self.is_left = self.running.is_some();
        if !self.is_left && !steps().is_empty() {
            self.running = Some(Running::default());
        }
    }

    /// Of its card.
    pub fn width(&self) -> f32 {
        if self.is_offered { card::OFFER } else { card::WIDTH }
    }

    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Section or tab of the control of a step that begins now.
    pub fn opens(&mut self, ctx: &Context) -> Option<&'static str> {
        let running = self.running.as_ref()?;
        let step = steps().get(running.step)?;
        if running.before.is_some() {
            return None;
        }
        anchors::want(ctx, Some(step.points.name()));
        match &step.points {
            Target::Setting { section, field } => {
                collapsing::unfold(ctx, section);
                anchors::find_setting(ctx, section, field);
                Some(Tab::of(section).name())
            }
            Target::Control(name) => match name.rsplit_once(" of ") {
                Some((_, technique)) => {
                    collapsing::unfold(ctx, technique);
                    Some(Tab::Techniques.name())
                }
                None => Some(Tab::Inspect.name()),
            },
            Target::Nothing | Target::Tab(_) => None,
        }
    }

    /// At the lower right of `space`.
    pub fn show(&mut self, ctx: &Context, space: Rect, state: &UiState<'_>, seen: Seen<'_>) {
        self.top = None;
        if self.is_offered {
            if seen.is_busy {
                return;
            }
            self.was_offered = true;
            let (answer, place) = card::offer(ctx, space, steps().len());
            self.top = Some(place.top());
            match answer {
                Some(true) => self.toggle(),
                Some(false) => self.is_offered = false,
                None => {}
            }
            return;
        }
        let Some(running) = &mut self.running else {
            anchors::want(ctx, None);
            return;
        };
        let Some(step) = steps().get(running.step) else {
            self.running = None;
            return;
        };
        if running.step == 0 && running.before.is_none() {
            self.at_start = AtStart::of(state);
        }
        let before = running.before.get_or_insert_with(|| Before::of(step, state));
        let is_reached = is_reached(step, before, state, seen);
        running.was_open |= !is_reached;
        running.is_done |= running.was_open && is_reached;
        // Of the frame before; a control that is gone has none.
        if let Some(place) = anchors::take(ctx).filter(|place| place.is_positive() && !running.is_done) {
            card::outline(ctx, place);
        }
        let (answer, place) = card::show(ctx, space, step, [running.step + 1, steps().len()], running.is_done);
        self.top = Some(place.top());
        match answer {
            Some(card::Answer::Next) if running.step + 1 < steps().len() => {
                *running = Running { step: running.step + 1, ..Running::default() };
                ctx.request_repaint();
            }
            Some(_) => self.is_left = true,
            None => {}
        }
    }

    /// Once it is left: what it changed is as before.
    pub fn restore(&mut self, ctx: &Context, state: &mut UiState<'_>, actions: &mut Vec<UiAction>) {
        if std::mem::take(&mut self.is_left) && self.running.take().is_some() {
            std::mem::take(&mut self.at_start).restore(state, actions);
            messages::note(ctx, LEFT.into());
        }
    }
}
