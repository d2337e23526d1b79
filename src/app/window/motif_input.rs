//! Input of a motif of use: it takes what else would move lenses, which are not shown meanwhile and come back with another scene.

use super::document::{Document, DocumentState, Edit};
use super::lens_input::Area;
use egui::CursorIcon;
use glam::Vec2;
use scene::motif::{Part, Stage, Use, UseEvent, UseFrame};
use scene::spring::Feel;
use scene::{Press, SceneSettings};
use std::time::{Duration, Instant};
use ui::manipulator::{Button, InputEvent};

const FIRST: Duration = Duration::from_micros(16_667);

#[derive(Default)]
pub struct MotifInput {
    used: Use,
    moved_at: Option<Instant>,
}

fn stage(area: Area) -> Stage {
    // What the panels leave when they are shown, so that nothing moves when they are not.
    let free_px = Vec2::new(2.0 * area.frame.composed.x, area.px.y);
    Stage { size_px: area.px, free_px, scale: area.scale }
}

fn motif_event(event: InputEvent) -> Option<UseEvent> {
    Some(match event {
        InputEvent::Moved(at) => UseEvent::Moved(at),
        InputEvent::Left => UseEvent::Left,
        InputEvent::Pressed(Button::Primary) => UseEvent::Pressed,
        InputEvent::Released(Button::Primary) => UseEvent::Released,
        InputEvent::Regripped(_) | InputEvent::FocusLost => UseEvent::Lost,
        InputEvent::Wheel(notches) => UseEvent::Wheel(notches),
        _ => return None,
    })
}

/// Names of what differs and is an edit, which scrolling is not.
fn edited(before: &SceneSettings, now: &SceneSettings) -> Vec<(&'static str, &'static str)> {
    let values = [
        ("brightness", before.brightness != now.brightness),
        ("volume", before.volume != now.volume),
        ("switches", before.switches != now.switches),
    ];
    values.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| ("scene", name)).collect()
}

impl MotifInput {
    /// Whether the pointer's event was for the motif, as all are but those that others have to know, too.
    pub fn takes(event: InputEvent) -> bool {
        !matches!(event, InputEvent::Modifiers { .. } | InputEvent::FocusLost | InputEvent::Left | InputEvent::Moved(_))
    }

    pub fn pointer(&mut self, event: InputEvent, document: &mut Document, area: Area, feel: &Feel) -> bool {
        // A pointer at rest before the release throws nothing.
        let moves = event == InputEvent::Released(Button::Primary) && self.advance(document, area, feel);
        moves | motif_event(event).is_some_and(|event| self.handle(event, document, area, feel))
    }

    /// Returns whether the motif took it.
    pub fn handle(&mut self, event: UseEvent, document: &mut Document, area: Area, feel: &Feel) -> bool {
        if matches!(event, UseEvent::Pressed | UseEvent::Key { .. } | UseEvent::Wheel(_)) {
            self.moved_at.get_or_insert_with(Instant::now);
        }
        let mut scene = document.state().settings.scene.clone();
        let takes = self.used.handle(event, &mut scene, &stage(area), feel);
        self.keep(scene, document);
        takes
    }

    /// Returns whether it still moves.
    pub fn advance(&mut self, document: &mut Document, area: Area, feel: &Feel) -> bool {
        let now = Instant::now();
        let since = self.moved_at.replace(now).map_or(FIRST, |then| now - then).as_secs_f32();
        let mut scene = document.state().settings.scene.clone();
        let moves = self.used.advance(since, &mut scene, &stage(area), feel);
        self.moved_at = self.moved_at.filter(|_| moves);
        self.keep(scene, document);
        moves
    }

    fn keep(&self, scene: SceneSettings, document: &mut Document) {
        let before = &document.state().settings.scene;
        let fields = edited(before, &scene);
        if !fields.is_empty() {
            document.edit_both(Edit::Fields(fields), |state| state.settings.scene = scene);
        } else if *before != scene {
            document.adapt(|state| state.settings.scene = scene);
        }
    }

    /// `scroll`: offset of a list in points, in place of its own.
    pub fn frame(&self, state: &DocumentState, scroll: Option<f32>, area: Area, feel: &Feel) -> UseFrame {
        let scene = &state.settings.scene;
        match scroll {
            Some(scroll) => self.used.frame(&SceneSettings { scroll, ..scene.clone() }, &stage(area), feel),
            None => self.used.frame(scene, &stage(area), feel),
        }
    }

    pub fn parts(&self, state: &DocumentState, area: Area) -> Vec<Part> {
        self.used.parts(&state.settings.scene, &stage(area))
    }

    pub fn operate(&mut self, piece: usize, to: Option<f32>, document: &mut Document) {
        self.moved_at.get_or_insert_with(Instant::now);
        let mut scene = document.state().settings.scene.clone();
        self.used.operate(piece, to, &mut scene);
        self.keep(scene, document);
    }

    pub fn press(&self) -> Option<Press> {
        self.used.press()
    }

    pub fn cursor(&self, state: &DocumentState, area: Area) -> Option<CursorIcon> {
        let is_over = || self.used.is_over(&state.settings.scene, &stage(area));
        (!area.over_panel).then(|| if is_over() { CursorIcon::PointingHand } else { CursorIcon::Default })
    }
}
