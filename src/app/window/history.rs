//! What was changed in the settings, to be taken back and made again.

use crate::scene::Lens;
use crate::techniques::Settings;
use std::time::{Duration, Instant};

/// Changes of the same fields that follow each other within this time are one: a slider that is dragged.
const TOGETHER: Duration = Duration::from_millis(900);
/// The oldest are forgotten.
const MOST: usize = 200;

/// A field by its section and its place there, and a value.
type Slot = ((&'static str, usize), toml::Value);

/// Values that fields had, and the lenses, where they were put elsewhere with them.
#[derive(Clone, Debug, Default)]
struct Step {
    slots: Vec<Slot>,
    lenses: Option<Vec<Lens>>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct History {
    undo: Vec<Step>,
    redo: Vec<Step>,
    last_at: Option<Instant>,
}

impl History {
    /// Whether there is something to undo, and something to redo.
    pub fn holds(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// The settings became `now`; the `lenses` are as they were before, if they were put elsewhere.
    pub fn note(&mut self, before: &Settings, now: &Settings, lenses: Option<Vec<Lens>>, at: Instant) {
        let slots = differing(before, now);
        if slots.is_empty() && lenses.is_none() {
            return;
        }
        self.redo.clear();
        let is_soon = self.last_at.replace(at).is_some_and(|last| at.saturating_duration_since(last) < TOGETHER);
        let fields = |slots: &[Slot]| slots.iter().map(|(field, _)| *field).collect::<Vec<_>>();
        let goes_on = |step: &Step| step.lenses.is_none() && fields(&step.slots) == fields(&slots);
        if is_soon && lenses.is_none() && self.undo.last().is_some_and(goes_on) {
            return;
        }
        self.undo.push(Step { slots, lenses });
        let overfull = self.undo.len().saturating_sub(MOST);
        self.undo.drain(..overfull);
    }

    /// Takes the last change back. Whether there was one.
    pub fn undo(&mut self, settings: &mut Settings, lenses: &mut Vec<Lens>) -> bool {
        let Some(step) = self.undo.pop() else { return false };
        self.redo.push(swap(step, settings, lenses));
        self.last_at = None;
        true
    }

    /// Makes the change again that was taken back last. Whether there was one.
    pub fn redo(&mut self, settings: &mut Settings, lenses: &mut Vec<Lens>) -> bool {
        let Some(step) = self.redo.pop() else { return false };
        self.undo.push(swap(step, settings, lenses));
        self.last_at = None;
        true
    }
}

/// The fields in which both differ, with their values `before`.
fn differing(before: &Settings, now: &Settings) -> Vec<Slot> {
    if before == now {
        return Vec::new();
    }
    let (mut before, mut now) = (before.clone(), now.clone());
    let mut slots = Vec::new();
    for (old, new) in before.sections().into_iter().zip(now.sections()) {
        for index in 0..old.settings.fields().len() {
            let value = old.settings.value(index);
            if value != new.settings.value(index) {
                slots.push(((old.id, index), value));
            }
        }
    }
    slots
}

/// Gives fields and lenses the values of a step; what they had is the way back.
fn swap(step: Step, settings: &mut Settings, lenses: &mut Vec<Lens>) -> Step {
    let mut back = Step::default();
    let mut sections = settings.sections();
    for ((id, index), value) in step.slots {
        let Some(section) = sections.iter_mut().find(|section| section.id == id) else { continue };
        back.slots.push(((id, index), section.settings.value(index)));
        // It was allowed when it was there.
        let _ = section.settings.set(index, &value);
    }
    back.lenses = step.lenses.map(|before| std::mem::replace(lenses, before));
    back
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::settings::parse_set;

    fn with(settings: &Settings, set: &str) -> Settings {
        let mut settings = settings.clone();
        settings.lay(parse_set(set).unwrap()).unwrap();
        settings
    }

    #[test]
    fn changes_go_back_and_forth() {
        let (start, at) = (Settings::default(), Instant::now());
        let mut history = History::default();
        let one = with(&start, "glass.frost=3");
        history.note(&start, &one, None, at);
        // The slider goes on.
        let two = with(&one, "glass.frost=9");
        history.note(&one, &two, None, at + Duration::from_millis(300));
        let three = with(&two, "scene.orbit=12");
        history.note(&two, &three, None, at + Duration::from_millis(400));
        let (mut now, mut lenses) = (three.clone(), Vec::new());
        assert_eq!(history.holds(), [true, false]);
        assert!(history.undo(&mut now, &mut lenses));
        assert_eq!(now, two);
        assert!(history.undo(&mut now, &mut lenses));
        assert_eq!((now.clone(), history.holds()), (start.clone(), [false, true]), "a drag is one change");
        assert!(!history.undo(&mut now, &mut lenses));
        assert!(history.redo(&mut now, &mut lenses) && history.redo(&mut now, &mut lenses));
        assert_eq!(now, three);
        assert!(!history.redo(&mut now, &mut lenses));
        history.undo(&mut now, &mut lenses);
        history.note(&two, &with(&two, "glass.ior=2"), None, at + Duration::from_secs(9));
        assert_eq!(history.holds(), [true, false], "another way: nothing to make again");
    }

    #[test]
    fn a_style_comes_back_with_all_that_it_set() {
        let start = with(&Settings::default(), "glass.bevel_width=33");
        let styled = with(&start, "glass.preset=prism");
        let mut history = History::default();
        history.note(&start, &styled, None, Instant::now());
        let mut now = styled;
        history.undo(&mut now, &mut Vec::new());
        assert_eq!(now, start);
    }
}
