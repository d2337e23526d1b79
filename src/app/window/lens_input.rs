//! Lens input of the window: drags, animation, and placement of lenses.

use super::document::{Document, DocumentState, Edit, Origin};
use super::gizmos::LensMarks;
use super::initial_layout::{InitialLayout, is_hold};
use super::input::{PanelWants, PointerInput};
use super::lens_values;
use crate::app::lens_layout::Layout;
use crate::app::session::lenses;
use crate::base::settings::{FieldKind, Settings as _};
use crate::scene::{Lens, Press};
use crate::techniques::Settings;
use crate::techniques::glass::{GlassSettings, Mode, distance, model::source};
use crate::ui::manipulator::hit_test::{CursorShape, Part, add_place};
use crate::ui::manipulator::spring::Feel;
use crate::ui::manipulator::{Button, InputEvent, Key, LensEdit, LensPart, Manipulator, ManipulatorContext, frosted};
use glam::Vec2;
use std::time::{Duration, Instant};
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;

/// Initial time step of an animation that starts from rest.
const FIRST: Duration = Duration::from_micros(16_667);

/// The window's area for the lenses.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Width and height in pixels.
    pub px: Vec2,
    /// Physical pixels per logical one.
    pub scale: f32,
    /// The part free of panels, from the top left corner.
    pub free_px: Vec2,
    /// Input that the panels claim at the pointer.
    pub wants: PanelWants,
    /// A view hides the lenses from this x on, in pixels; infinity where none does.
    pub hidden_from_px: f32,
}

impl Area {
    /// Default centre of a lens, and the area.
    fn middle(&self) -> [Vec2; 2] {
        [self.free_px / 2.0, self.px]
    }
}

/// A request that the lenses do not handle themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LensRequest {
    /// Load the preset of this number.
    Preset(usize),
    /// Show or hide the panels.
    TogglePanels,
    /// Open the menu of the selected lens.
    Menu,
}

/// Lens input of a document.
pub struct LensInput {
    manipulator: Manipulator,
    events: PointerInput,
    /// Pointer position, in pixels.
    pointer: Option<Vec2>,
    /// Time to which the running animation has advanced.
    moved_at: Option<Instant>,
    /// Set until the first press of a button, key or finger.
    opening: Option<InitialLayout>,
    lens_was_dragged: bool,
    /// Nothing moves by itself, whatever the settings.
    pub is_calm: bool,
}

impl LensInput {
    /// With this initial layout.
    pub fn new(opening: InitialLayout) -> Self {
        Self {
            manipulator: Manipulator::default(),
            events: PointerInput::default(),
            pointer: None,
            moved_at: None,
            opening: Some(opening),
            lens_was_dragged: false,
            is_calm: false,
        }
    }

    /// Pointer position, in pixels.
    pub fn pointer(&self) -> Option<Vec2> {
        self.pointer
    }

    /// Whether a lens was dragged.
    pub fn lens_was_dragged(&self) -> bool {
        self.lens_was_dragged
    }

    /// Stores the pointer position, and ends the initial layout.
    pub fn track(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Some(Vec2::new(position.x as f32, position.y as f32));
            }
            WindowEvent::CursorLeft { .. } => self.pointer = None,
            event if is_hold(event) => self.opening = None,
            _ => {}
        }
    }

    /// The manipulator events of a window event, without input of the panels.
    pub fn translate(&mut self, event: &WindowEvent, area: Area) -> Vec<InputEvent> {
        self.events.translate(event, area.wants, area.scale)
    }

    /// Whether a lens is dragged or under the pointer.
    pub fn is_over_lens(&self, state: &DocumentState, area: Area) -> bool {
        self.manipulator.dragged().is_some() || self.hovers(state, area)
    }

    /// Whether a lens is under the pointer.
    pub fn hovers(&self, state: &DocumentState, area: Area) -> bool {
        self.query(state, area, |manipulator, context| manipulator.hovers(context).is_some())
    }

    /// Applies an event to the lenses. Returns whether a redraw is needed, and a request for others.
    pub fn handle(&mut self, event: InputEvent, document: &mut Document, area: Area) -> (bool, Option<LensRequest>) {
        let mut changed = false;
        if event == InputEvent::Released(Button::Primary) {
            changed |= self.advance(document, area); // a pointer at rest before the release throws nothing
        }
        if event == InputEvent::Pressed(Button::Primary) {
            // A drag begins now: if all its events arrive at once, after a long frame, it has taken no time and is no throw.
            self.moved_at.get_or_insert_with(Instant::now);
        }
        if document.settings().glass.mode == Mode::Source && is_for_shape(event) {
            return (changed, None);
        }
        let pointed = |manipulator: &Manipulator, context: &ManipulatorContext<'_>| {
            (manipulator.cursor(context, false), manipulator.hovers(context))
        };
        let before = self.query(document.state(), area, pointed);
        let target = before.1.map_or(document.state().selected, |(index, _)| index);
        let adds = before.1.is_some_and(|(_, part)| part == Part::Add) && event == InputEvent::Pressed(Button::Primary);
        let kind = if adds { Some(Edit::Once) } else { self.edit(event, document.state().selected, target) };
        let (effect, request) = match kind {
            Some(kind) => document.edit(kind, |state| self.manipulate(event, state, area)).0,
            None => document.adapt(|state| self.manipulate(event, state, area)),
        };
        self.lens_was_dragged |= matches!(effect, Some(LensEdit::Changed(_))) && self.manipulator.dragged().is_some();
        let after = self.query(document.state(), area, pointed);
        (changed || effect.is_some() || before != after, request)
    }

    /// Kind of the edit that an event may make, on the selected lens or the one under the pointer; `None` if it cannot edit.
    fn edit(&self, event: InputEvent, selected: usize, target: usize) -> Option<Edit> {
        if self.manipulator.dragged().is_some() {
            let moves = !matches!(event, InputEvent::Released(_) | InputEvent::FocusLost | InputEvent::Resized);
            return moves.then_some(Edit::Drag);
        }
        match event {
            InputEvent::Wheel(_) if self.manipulator.is_frosting() => Some(Edit::Frost),
            InputEvent::Wheel(_) => Some(Edit::Resize(target)),
            InputEvent::Key { key: Key::Left | Key::Right | Key::Up | Key::Down, .. } => Some(Edit::Move(selected)),
            InputEvent::Key { key: Key::Q | Key::E, .. } => Some(Edit::Turn(selected)),
            InputEvent::Key { .. } => Some(Edit::Once),
            _ => None,
        }
    }

    fn manipulate(
        &mut self,
        event: InputEvent,
        state: &mut DocumentState,
        area: Area,
    ) -> (Option<LensEdit>, Option<LensRequest>) {
        let effect = self.change(state, area, |manipulator, context| manipulator.handle(event, context));
        (effect, effect.and_then(|effect| apply(effect, state, area)))
    }

    /// Advances the animation to now; returns whether it continues.
    pub fn advance(&mut self, document: &mut Document, area: Area) -> bool {
        let now = Instant::now();
        let since = self.moved_at.replace(now).map_or(FIRST, |then| now - then).as_secs_f32();
        let moves = document
            .adapt(|state| self.change(state, area, |manipulator, context| manipulator.advance(since, context)));
        self.moved_at = self.moved_at.filter(|_| moves);
        moves
    }

    /// The lenses as drawn; the source's glass is a single one.
    pub fn drawn(&self, state: &DocumentState) -> Vec<Lens> {
        match (state.settings.glass.mode, state.lenses.get(state.selected)) {
            (Mode::Source, Some(lens)) => vec![*lens],
            _ => state.with_shared(self.manipulator.drawn(&state.lenses, &self.feel(&state.settings))),
        }
    }

    /// Position of the press on a lens.
    pub fn press(&self) -> Option<Press> {
        self.manipulator.press()
    }

    /// Pointer shape; `None` where the panels decide.
    pub fn cursor(&self, state: &DocumentState, area: Area) -> Option<CursorShape> {
        self.query(state, area, |manipulator, context| manipulator.cursor(context, area.wants.pointer))
    }

    /// Gizmos of the lenses outside of drags: handles of the selected one, an outline of another under the pointer. The reference glass has
    /// a fixed size and neither.
    pub fn marks(&self, state: &DocumentState, area: Area, panels_visible: bool) -> LensMarks {
        let (selected, near, hovered, can_add) = self.query(state, area, |manipulator, context| {
            (manipulator.selected(context), manipulator.near(context), manipulator.hovers(context), context.can_add())
        });
        let is_ours = state.settings.glass.mode == Mode::Lens;
        let shown = panels_visible && is_ours && self.manipulator.dragged().is_none();
        let several = state.lenses.len() > 1;
        let pointed = shown && !area.wants.pointer;
        let lens = |index: usize| state.lenses.get(index).copied();
        let at = lens(selected).filter(|_| can_add && pointed && near == Some(selected));
        LensMarks {
            add: at.map(|lens| add_place(&lens, area.scale, area.free_px)),
            // One of several lenses keeps its handles; a single one shows them near the pointer.
            selected: lens(selected).filter(|_| shown && (several || pointed && near == Some(selected))),
            hovered: hovered.filter(|(index, _)| pointed && *index != selected).and_then(|(index, _)| lens(index)),
            scale: area.scale,
        }
    }

    /// The lenses were replaced or placed elsewhere: ends drag and animation.
    pub fn stop(&mut self, state: &DocumentState) {
        self.manipulator.stop(state.selected);
    }

    /// The window has another size, perhaps its first real one: before the first input, the lenses are laid out for it.
    pub fn lay_out(&self, state: &mut DocumentState, area: Area) {
        if let Some(opening) = &self.opening {
            place(state, opening.lens_at, area);
        }
    }

    /// The size requested by the arguments, once.
    pub fn requested_size(&mut self) -> Option<PhysicalSize<u32>> {
        self.opening.as_mut().and_then(|opening| opening.size.take())
    }

    /// Selects a lens.
    pub fn select(&mut self, index: usize, document: &mut Document, area: Area) {
        document.adapt(|state| self.change(state, area, |manipulator, context| manipulator.select(index, context)));
    }

    /// Selects a lens and gives it this number.
    pub fn place(&mut self, (index, part, to): (usize, LensPart, f32), document: &mut Document, area: Area) {
        document.edit(lens_values::edit(part, index), |state| {
            let Some(lens) = state.lenses.get(index).map(|lens| lens_values::placed(lens, part, to, area.scale)) else {
                return;
            };
            self.change(state, area, |manipulator, context| manipulator.put(index, lens, context));
        });
    }

    fn feel(&self, settings: &Settings) -> Feel {
        if self.is_calm { Feel::STILL } else { Feel::of(&settings.hand) }
    }

    /// Changes the lenses through the manipulator.
    fn change<T>(
        &mut self,
        state: &mut DocumentState,
        area: Area,
        work: impl FnOnce(&mut Manipulator, &mut ManipulatorContext<'_>) -> T,
    ) -> T {
        let DocumentState { settings, lenses, .. } = &mut *state;
        let (feel, manipulator) = (self.feel(settings), &mut self.manipulator);
        let (answer, selected) = with_context((settings, feel), lenses, area, |context| {
            let answer = work(manipulator, context);
            (answer, manipulator.selected(context))
        });
        state.selected = selected;
        answer
    }

    /// Queries the manipulator.
    fn query<T>(
        &self,
        state: &DocumentState,
        area: Area,
        work: impl FnOnce(&Manipulator, &ManipulatorContext<'_>) -> T,
    ) -> T {
        let settings = (&state.settings, self.feel(&state.settings));
        with_context(settings, &mut state.lenses.clone(), area, |context| work(&self.manipulator, context))
    }
}

fn with_context<T>(
    (settings, feel): (&Settings, Feel),
    lenses: &mut Vec<Lens>,
    area: Area,
    work: impl FnOnce(&mut ManipulatorContext<'_>) -> T,
) -> T {
    let alone = settings.glass.mode == Mode::Source;
    let reference = |lens: &Lens, at: Vec2| {
        let half = Vec2::splat(source::half_extent(area.px));
        ((at - lens.center).abs() - half).max_element()
    };
    work(&mut ManipulatorContext {
        over_panel: area.wants.pointer,
        lenses,
        area_px: area.px,
        free_px: area.free_px,
        scale: area.scale,
        distance: if alone { &reference } else { &distance },
        feel,
        alone,
        hidden_from_px: area.hidden_from_px,
    })
}

/// Applies an edit of the manipulator beyond the lenses themselves.
fn apply(effect: LensEdit, state: &mut DocumentState, area: Area) -> Option<LensRequest> {
    match effect {
        LensEdit::Changed(_) | LensEdit::Selected(_) => {}
        LensEdit::Menu(_) => return Some(LensRequest::Menu),
        LensEdit::Preset(number) => return Some(LensRequest::Preset(number)),
        LensEdit::Frost(notches) => {
            state.change_settings(|settings| {
                let frost = &mut settings.glass.frost;
                *frost = frosted(*frost, notches, most_frost());
            });
        }
        LensEdit::FlipMode => {
            let glass = &mut state.settings.glass;
            glass.mode = if glass.mode == Mode::Lens { Mode::Source } else { Mode::Lens };
        }
        LensEdit::TogglePanels => return Some(LensRequest::TogglePanels),
        LensEdit::Reset => {
            state.forget_own_glass();
            let (glass, home) = (&mut state.settings.glass, &state.origin.glass);
            (glass.half_width, glass.half_height) = (home.half_width, home.half_height);
            (glass.shape, glass.exponent, glass.radius) = (home.shape, home.exponent, home.radius);
            (glass.path, glass.text, glass.weight) = (home.path, home.text, home.weight);
            (glass.angle, glass.frost) = (home.angle, home.frost);
            place(state, None, area);
            state.reset_camera();
        }
    }
    None
}

/// Applies loaded settings to the lenses: `layout` places them; without one they stay, and the selected one takes the shape. The result is
/// the new target of a reset.
pub fn load(state: &mut DocumentState, layout: Option<Layout>, area: Area) {
    state.origin = Origin { preset: None, glass: state.settings.glass.clone(), layout: layout.clone() };
    fit(state, area);
    match layout {
        Some(layout) => {
            state.selected = 0;
            state.lenses = layout.lenses(&state.settings.glass, area.px, area.scale);
        }
        None => state.shape_selected(area.scale),
    }
}

/// Places the lenses by the last preset's layout, else one in the middle; the first with its centre `at` these pixels, if given.
pub fn place(state: &mut DocumentState, at: Option<Vec2>, area: Area) {
    state.forget_own_glass();
    fit(state, area);
    state.selected = 0;
    state.lenses = lenses(&state.settings, state.origin.layout.as_ref(), at, area.middle(), area.scale);
}

/// Shrinks a lens of its style's default size if the free area is too small for it; a size chosen by the user stays. The preset still
/// counts as unchanged.
fn fit(state: &mut DocumentState, area: Area) {
    let home = &state.origin.glass;
    let mut styled = home.clone();
    home.preset.apply(&mut styled);
    let (own, home) = ([styled.half_width, styled.half_height], [home.half_width, home.half_height]);
    if state.origin.layout.is_some() || own != home {
        return;
    }
    let half = fitting(Vec2::from_array(home), area.free_px / area.scale);
    let is_as_loaded = state.origin.active(&state.settings.glass).is_some_and(|(_, as_loaded)| as_loaded);
    let loaded = state.origin.preset.as_mut().filter(|_| is_as_loaded).map(|preset| &mut preset.glass);
    for glass in loaded.into_iter().chain([&mut state.settings.glass]) {
        (glass.half_width, glass.half_height) = (half.x, half.y);
    }
}

/// Whether an event changes shape or frost, which the reference glass does not have.
fn is_for_shape(event: InputEvent) -> bool {
    matches!(event, InputEvent::Wheel(_) | InputEvent::Spread { .. } | InputEvent::Key { key: Key::Q | Key::E, .. })
}

/// Margin around a shrunk lens, logical pixels.
const MARGIN: f32 = 24.0;

/// Half axes of these proportions, in whole logical pixels, with which a lens fits into an area; at least the minimum of the settings.
fn fitting(half: Vec2, area: Vec2) -> Vec2 {
    let part = ((area / 2.0 - MARGIN) / half).min_element();
    if part >= 1.0 { half } else { (half * part.max(0.0)).floor().max(Vec2::splat(LEAST_HALF)) }
}

/// The smallest half axis that the settings allow.
const LEAST_HALF: f32 = 8.0;

/// The largest frost that the settings allow, in logical pixels.
fn most_frost() -> f32 {
    let frost = GlassSettings::FIELDS.iter().find(|field| field.name == "frost");
    match frost.map(|field| field.kind) {
        Some(FieldKind::Float { max, .. }) => max as f32,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(px: [f32; 2], free: [f32; 2], scale: f32) -> Area {
        let (wants, hidden_from_px) = (PanelWants::default(), f32::INFINITY);
        Area { px: px.into(), scale, free_px: free.into(), wants, hidden_from_px }
    }

    fn opened(settings: Settings, layout: Option<Layout>, area: Area) -> (LensInput, DocumentState) {
        let origin = Origin { preset: None, glass: settings.glass.clone(), layout };
        let mut state = DocumentState { settings, origin, ..DocumentState::default() };
        let input = LensInput::new(InitialLayout { size: None, lens_at: None });
        input.lay_out(&mut state, area);
        (input, state)
    }

    #[test]
    fn a_lens_opens_beside_the_panels_at_a_size_that_fits() {
        let wide = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let narrow = area([1280.0, 720.0], [616.0, 720.0], 2.0);
        let (_, state) = opened(Settings::default(), None, wide);
        let glass = state.settings.glass;
        assert_eq!((glass, state.lenses[0].half), (GlassSettings::default(), Vec2::new(190.0, 120.0)));
        let (input, mut state) = opened(Settings::default(), None, narrow);
        let [lens] = state.lenses[..] else { panic!("{:?}", state.lenses) };
        assert!((lens.center - lens.half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((narrow.free_px - lens.center - lens.half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((lens.half.x / lens.half.y - 190.0 / 120.0).abs() < 0.02, "{lens:?}");
        let glass = &state.settings.glass;
        assert_eq!([glass.half_width, glass.half_height], (lens.half / 2.0).to_array());
        // More room before the first input: the default size.
        input.lay_out(&mut state, wide);
        assert_eq!((state.lenses[0].half, state.settings.glass.half_width), (Vec2::new(190.0, 120.0), 190.0));
        // R.
        state.settings.glass.half_width = 300.0;
        (state.settings.scene.orbit, state.drifted_s) = (20.0, 5.0);
        assert_eq!(apply(LensEdit::Reset, &mut state, narrow), None);
        assert_eq!((&state.lenses[..], state.settings.scene.orbit, state.drifted_s), (&[lens][..], 0.0, 0.0));
    }

    #[test]
    fn a_chosen_size_stays() {
        let narrow = area([640.0, 400.0], [300.0, 400.0], 1.0);
        let mut settings = Settings::default();
        settings.glass.half_width = 200.0;
        assert_eq!(opened(settings, None, narrow).1.lenses[0].half, Vec2::new(200.0, 120.0));
        let lens = GlassSettings::default().placed(Vec2::new(150.0, 200.0), 1.0);
        let layout = Layout::of(&[lens], narrow.px, 1.0);
        assert_eq!(opened(Settings::default(), layout, narrow).1.lenses[0].half, Vec2::new(190.0, 120.0));
    }

    #[test]
    fn the_reference_glass_has_no_handles_and_its_own_place() {
        let area = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let (mut input, state) = opened(Settings::default(), None, area);
        let mut document = Document::new(state, 1.0);
        let (center, half) = (document.state().lenses[0].center, document.state().lenses[0].half);
        let edge = center + Vec2::new(half.x, 0.0);
        input.handle(InputEvent::Moved(edge), &mut document, area);
        let handles = |input: &LensInput, document: &Document| {
            (input.marks(document.state(), area, true).selected.is_some(), input.cursor(document.state(), area))
        };
        assert_eq!(handles(&input, &document), (true, Some(CursorShape::ResizeHorizontal)));
        input.handle(InputEvent::Key { key: Key::Space, repeat: false }, &mut document, area);
        assert_eq!(document.settings().glass.mode, Mode::Source);
        assert_eq!(handles(&input, &document), (false, Some(CursorShape::Default)), "beside the reference glass");
        input.handle(InputEvent::Moved(center + Vec2::new(100.0, 0.0)), &mut document, area);
        assert_eq!(handles(&input, &document), (false, Some(CursorShape::Grab)), "on it");
        assert!(document.undo().is_some() && document.settings().glass.mode == Mode::Lens);
    }

    #[test]
    fn no_room_leaves_the_smallest_lens() {
        assert_eq!(fitting(Vec2::new(190.0, 120.0), Vec2::ZERO), Vec2::splat(LEAST_HALF));
        assert_eq!(fitting(Vec2::new(100.0, 50.0), Vec2::new(148.0, 1000.0)), Vec2::new(50.0, 25.0));
        let field = GlassSettings::FIELDS.iter().find(|field| field.name == "half_width").unwrap();
        assert!(matches!(field.kind, FieldKind::Float { min, .. } if min as f32 == LEAST_HALF));
    }
}
