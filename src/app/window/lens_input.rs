//! Lens input of the window: drags, animation, and placement of lenses.

use super::document::{Document, DocumentState, Edit, Origin};
use super::gizmos::LensMarks;
use super::input::point;
use super::lens_values;
use super::picture_frame::{PictureFrame, PictureKind};
use crate::lens_layout::Layout;
use crate::session::lenses;
use egui::CursorIcon;
use glam::{DVec2, Vec2};
use glass::{GlassSettings, Mode, distance, source_half_extent};
use scene::spring::{Feel, Ground};
use scene::{Lens, LensGlass, Press};
use std::time::{Duration, Instant};
use techniques::Settings;
use ui::manipulator::hit_test::{Part, add_place};
use ui::manipulator::{Button, InputEvent, Key, LensEdit, LensPart, Manipulator, ManipulatorContext};
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, WindowEvent};

const FIRST: Duration = Duration::from_micros(16_667);

#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub px: Vec2,
    pub scale: f32,
    pub free_px: Vec2,
    pub over_panel: bool,
    /// Pixels; a view hides the lenses from here on.
    pub hidden_from_px: f32,
    pub frame: PictureFrame,
}

/// Wayland reports size and scale only once the window is shown: the layout is repeated until the first press.
pub struct InitialLayout {
    pub size: Option<PhysicalSize<u32>>,
    pub lens_at: Option<Vec2>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Laid {
    frame: PictureFrame,
    area_px: Vec2,
    scale: f32,
}

/// Place in the picture; the window may have no room for it.
#[derive(Clone, Copy, Debug)]
struct Home {
    place: DVec2,
    at: Vec2,
}

/// Pixels; the display's scale rounds less.
const SAME_PX: f32 = 0.01;

#[derive(Default)]
pub struct LensInput {
    manipulator: Manipulator,
    pointer: Option<Vec2>,
    moved_at: Option<Instant>,
    opening: Option<InitialLayout>,
    laid: Option<Laid>,
    homes: Vec<Home>,
    pub is_calm: bool,
}

impl LensInput {
    pub fn new(opening: InitialLayout) -> Self {
        Self { opening: Some(opening), ..Self::default() }
    }

    pub fn pointer(&self) -> Option<Vec2> {
        self.pointer
    }

    pub fn track(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::CursorMoved { position, .. } => self.pointer = Some(point(position)),
            WindowEvent::CursorLeft { .. } => self.pointer = None,
            event if is_hold(event) => self.opening = None,
            _ => {}
        }
    }

    pub fn is_over_lens(&self, state: &DocumentState, area: Area) -> bool {
        self.manipulator.dragged().is_some() || self.hovers(state, area)
    }

    pub fn hovers(&self, state: &DocumentState, area: Area) -> bool {
        self.query(state, area, |manipulator, context| manipulator.hovers(context).is_some())
    }

    pub fn handle(&mut self, event: InputEvent, document: &mut Document, area: Area) -> (bool, Option<LensEdit>) {
        let mut changed = false;
        if event == InputEvent::Released(Button::Primary) {
            changed |= self.advance(document, area); // a pointer at rest before the release throws nothing
        }
        if event == InputEvent::Pressed(Button::Primary) {
            // If all events of a drag arrive at once, after a long frame, it is no throw.
            self.moved_at.get_or_insert_with(Instant::now);
        }
        if document.state().settings.glass.mode == Mode::Source && is_for_shape(event) {
            return (changed, None);
        }
        let pointed = |manipulator: &Manipulator, context: &ManipulatorContext<'_>| {
            (manipulator.cursor(context, false), manipulator.hovers(context))
        };
        let before = self.query(document.state(), area, pointed);
        let target = before.1.map_or(document.state().selected, |(index, _)| index);
        let adds = before.1.is_some_and(|(_, part)| part == Part::Add) && event == InputEvent::Pressed(Button::Primary);
        let kind = if adds { Some(Edit::Once) } else { self.edit(event, document.state().selected, target) };
        let effect = match kind {
            Some(kind) => document.edit(kind, |state| self.manipulate(event, state, area)).0,
            None => document.adapt(|state| self.manipulate(event, state, area)),
        };
        let after = self.query(document.state(), area, pointed);
        (changed || effect.is_some() || before != after, effect)
    }

    fn edit(&self, event: InputEvent, selected: usize, target: usize) -> Option<Edit> {
        if self.manipulator.dragged().is_some() {
            let moves = !matches!(event, InputEvent::Released(_) | InputEvent::FocusLost);
            return moves.then_some(Edit::Drag);
        }
        match event {
            InputEvent::Wheel(_) if self.manipulator.is_frosting() => Some(Edit::Frost),
            InputEvent::Wheel(_) => Some(Edit::Resize(target)),
            InputEvent::Key { key: Key::Move(_), .. } => Some(Edit::Move(selected)),
            InputEvent::Key { key: Key::Turn(_), .. } => Some(Edit::Turn(selected)),
            InputEvent::Key { .. } => Some(Edit::Once),
            _ => None,
        }
    }

    fn manipulate(&mut self, event: InputEvent, state: &mut DocumentState, area: Area) -> Option<LensEdit> {
        let effect = self.change(state, area, |manipulator, context| manipulator.handle(event, context));
        if effect == Some(LensEdit::Reset) {
            reset(state, area);
        }
        effect
    }

    pub fn advance(&mut self, document: &mut Document, area: Area) -> bool {
        let now = Instant::now();
        let since = self.moved_at.replace(now).map_or(FIRST, |then| now - then).as_secs_f32();
        let moves = document
            .adapt(|state| self.change(state, area, |manipulator, context| manipulator.advance(since, context)));
        self.moved_at = self.moved_at.filter(|_| moves);
        moves
    }

    pub fn drawn(&self, state: &DocumentState) -> Vec<Lens> {
        match (state.settings.glass.mode, state.lenses.get(state.selected)) {
            (Mode::Source, Some(lens)) => vec![*lens],
            _ => self.manipulator.drawn(&state.lenses, &self.feel(&state.settings)),
        }
    }

    pub fn press(&self) -> Option<Press> {
        self.manipulator.press()
    }

    pub fn cursor(&self, state: &DocumentState, area: Area) -> Option<CursorIcon> {
        self.query(state, area, |manipulator, context| manipulator.cursor(context, area.over_panel))
    }

    /// None during drags, and none of the reference glass.
    pub fn marks(&self, state: &DocumentState, area: Area, panels_visible: bool) -> LensMarks {
        let (selected, near, hovered, can_add) = self.query(state, area, |manipulator, context| {
            (manipulator.selected(context), manipulator.near(context), manipulator.hovers(context), context.can_add())
        });
        let is_ours = state.settings.glass.mode == Mode::Lens;
        let shown = panels_visible && is_ours && !state.uses_motif() && self.manipulator.dragged().is_none();
        let several = state.lenses.len() > 1;
        let pointed = shown && !area.over_panel;
        let lens = |index: usize| state.lenses.get(index).copied();
        let at = lens(selected).filter(|_| can_add && pointed && near == Some(selected));
        LensMarks {
            add: at.map(|lens| add_place(&lens, area.scale, area.free_px)),
            selected: lens(selected).filter(|_| shown && (several || pointed && near == Some(selected))),
            hovered: hovered.filter(|(index, _)| pointed && *index != selected).and_then(|(index, _)| lens(index)),
            scale: area.scale,
        }
    }

    pub fn stop(&mut self, state: &DocumentState) {
        self.manipulator.stop(state.selected);
    }

    /// Until the first input the lenses are placed again; later those that were not moved stay where the composition
    /// has them, and others keep their place in the picture. Returns whether anything has changed.
    pub fn lay_out(&mut self, document: &mut Document, area: Area) -> bool {
        let now = Laid { frame: area.frame, area_px: area.px, scale: area.scale };
        if self.laid == Some(now) || area.px.min_element() < 1.0 {
            return false; // a minimised window keeps its lenses
        }
        let before = self.laid.replace(now);
        document.frame = Some(area.frame);
        if let Some(opening) = &self.opening {
            document.adapt(|state| {
                let glass = state.origin.glass.lens_glass();
                place(state, glass, opening.lens_at, area);
            });
            return true;
        }
        let before = before.map(|before| before.frame).filter(|before| before.kind == now.frame.kind);
        let Some(before) = before else {
            self.homes.clear();
            return true;
        };
        document.move_history(|at| now.frame.pixel(before.place(at)));
        let (homes, ground) = (std::mem::take(&mut self.homes), Ground { area_px: area.px, scale: area.scale });
        self.homes = document.adapt(|state| {
            let composed = Some(composed(state, &state.origin.glass, area))
                .filter(|all| state.is_composed && all.len() == state.lenses.len());
            let place = |(index, lens): (usize, &mut Lens)| {
                let is_there = |home: &&Home| (home.at - lens.center).abs().max_element() < SAME_PX;
                let place = homes.get(index).filter(is_there).map_or(before.place(lens.center), |home| home.place);
                lens.center = match &composed {
                    Some(composed) => composed[index].center,
                    None => ground.inside(now.frame.pixel(place)).min(area.free_px),
                };
                Home { place, at: lens.center }
            };
            state.lenses.iter_mut().enumerate().map(place).collect()
        });
        true
    }

    pub fn restore(&mut self, document: &mut Document, area: Area) {
        document.adapt(|state| {
            if state.is_composed {
                let places = composed(state, &state.origin.glass, area);
                let lenses = state.lenses.iter_mut().zip(places);
                lenses.for_each(|(lens, composed)| lens.center = composed.center);
            }
        });
    }

    pub fn set_scale(&mut self, by: f32) {
        if let Some(laid) = &mut self.laid {
            laid.frame = laid.frame.scaled(by);
        }
        self.homes.iter_mut().for_each(|home| home.at *= by);
    }

    pub fn requested_size(&mut self) -> Option<PhysicalSize<u32>> {
        self.opening.as_mut().and_then(|opening| opening.size.take())
    }

    pub fn select(&mut self, index: usize, document: &mut Document, area: Area) {
        document.adapt(|state| self.change(state, area, |manipulator, context| manipulator.select(index, context)));
    }

    pub fn place(&mut self, index: usize, part: LensPart, to: f32, document: &mut Document, area: Area) {
        document.edit(lens_values::edit(part, index), |state| {
            let Some(lens) = state.lenses.get(index).map(|lens| lens_values::placed(lens, part, to, area.scale)) else {
                return;
            };
            self.change(state, area, |manipulator, context| manipulator.put(index, lens, context));
        });
    }

    pub fn feel(&self, settings: &Settings) -> Feel {
        if self.is_calm { Feel::STILL } else { Feel::of(&settings.hand) }
    }

    fn change<T>(
        &mut self,
        state: &mut DocumentState,
        area: Area,
        work: impl FnOnce(&mut Manipulator, &mut ManipulatorContext<'_>) -> T,
    ) -> T {
        let DocumentState { settings, lenses, .. } = &mut *state;
        let (feel, manipulator) = (self.feel(settings), &mut self.manipulator);
        let centers = |lenses: &[Lens]| lenses.iter().map(|lens| lens.center).collect::<Vec<_>>();
        let before = centers(lenses);
        let (answer, selected) = with_context((settings, feel), lenses, area, |context| {
            let answer = work(manipulator, context);
            (answer, manipulator.selected(context))
        });
        state.selected = selected;
        state.is_composed &= before == centers(&state.lenses);
        answer
    }

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
        let half = Vec2::splat(source_half_extent(area.px));
        ((at - lens.center).abs() - half).max_element()
    };
    let own = |lens: &Lens, at: Vec2| distance(lens, at, area.scale);
    work(&mut ManipulatorContext {
        over_panel: area.over_panel,
        lenses,
        area_px: area.px,
        free_px: area.free_px,
        scale: area.scale,
        distance: if alone { &reference } else { &own },
        feel,
        alone,
        hidden_from_px: area.hidden_from_px,
    })
}

fn reset(state: &mut DocumentState, area: Area) {
    let home = state.origin.glass.lens_glass();
    let is_of_home = state.origin.layout.as_ref().is_some_and(|layout| layout.count() > 1);
    let own = state.lenses.get(state.selected).map(|lens| LensGlass { frost: home.frost, ..lens.glass });
    place(state, own.filter(|_| !is_of_home).unwrap_or(home), None, area);
    state.reset_camera();
}

/// Without a layout lenses stay, and the selected one takes outline and glass. The result is the target of a reset.
pub fn load(state: &mut DocumentState, settings: Settings, layout: Option<Layout>, area: Area) {
    state.origin = Origin { preset: None, glass: settings.glass.clone(), layout };
    let glass = fitted(state, settings.glass.clone(), area);
    if state.origin.layout.is_some() {
        (state.selected, state.is_composed) = (0, true);
        state.lenses = composed(state, &glass, area);
        state.share(settings);
    } else {
        state.take(Settings { glass, ..settings });
    }
}

/// Replaces the lenses, with outlines of the origin. `at`: pixels of the first one.
pub fn place(state: &mut DocumentState, glass: LensGlass, at: Option<Vec2>, area: Area) {
    let home = state.settings.glass.clone().with_outline(&state.origin.glass.outline()).with_glass(&glass);
    let glass = fitted(state, home, area);
    state.selected = 0;
    state.lenses = composed(state, &glass, area);
    state.is_composed = at.is_none();
    state.lenses.iter_mut().zip(at).for_each(|(first, at)| first.center = at);
}

fn composed(state: &DocumentState, glass: &GlassSettings, area: Area) -> Vec<Lens> {
    let layout = state.origin.layout.as_ref();
    let mut all = lenses(glass, layout, None, [area.frame.composed, area.px]);
    if area.frame.kind == PictureKind::World {
        let places = layout.into_iter().flat_map(Layout::in_scene);
        for (lens, place) in all.iter_mut().zip(places) {
            let pixel = |place: [f32; 2]| area.frame.pixel(Vec2::from_array(place).as_dvec2());
            lens.center = place.map_or(lens.center, pixel);
        }
    }
    all
}

/// Only of its style's default size. The preset still counts as unchanged.
fn fitted(state: &mut DocumentState, glass: GlassSettings, area: Area) -> GlassSettings {
    let home = &state.origin.glass;
    let half = home.outline().half();
    if state.origin.layout.is_some() || home.styled(home.preset).outline().half() != half {
        return glass;
    }
    let half = fitting(half, area.free_px / area.scale);
    let sized = |glass: &GlassSettings| glass.clone().with_outline(&glass.outline().sized(half));
    let glass = sized(&glass);
    if let Some(preset) = state.origin.preset.as_mut().filter(|preset| sized(&preset.glass) == glass) {
        preset.glass = glass.clone();
    }
    glass
}

fn is_hold(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::MouseInput { state, .. } => *state == ElementState::Pressed,
        WindowEvent::KeyboardInput { event, is_synthetic, .. } => event.state == ElementState::Pressed && !is_synthetic,
        WindowEvent::MouseWheel { .. } | WindowEvent::Touch(_) => true,
        _ => false,
    }
}

fn is_for_shape(event: InputEvent) -> bool {
    matches!(event, InputEvent::Wheel(_) | InputEvent::Spread { .. } | InputEvent::Key { key: Key::Turn(_), .. })
}

const MARGIN: f32 = 24.0;

/// In whole logical pixels.
fn fitting(half: Vec2, area: Vec2) -> Vec2 {
    let part = ((area / 2.0 - MARGIN) / half).min_element();
    if part >= 1.0 { half } else { (half * part.max(0.0)).floor().max(Vec2::splat(LEAST_HALF)) }
}

const LEAST_HALF: f32 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::LoadedPreset;
    use base::settings::Settings as _;

    fn area(px: [f32; 2], free: [f32; 2], scale: f32) -> Area {
        let hidden_from_px = f32::INFINITY;
        let frame = PictureFrame::new(PictureKind::World, px.into(), free[0]);
        Area { px: px.into(), scale, free_px: free.into(), over_panel: false, hidden_from_px, frame }
    }

    fn opened(settings: Settings, layout: Option<Layout>, area: Area) -> (LensInput, Document) {
        let origin = Origin { preset: None, glass: settings.glass.clone(), layout };
        let state = DocumentState { settings, origin, ..DocumentState::default() };
        let mut document = Document::new(state, area.scale);
        let mut input = LensInput::new(InitialLayout { size: None, lens_at: None });
        input.lay_out(&mut document, area);
        (input, document)
    }

    fn resized(input: &mut LensInput, document: &mut Document, area: Area) -> Vec<Vec2> {
        input.opening = None;
        input.lay_out(document, area);
        document.state().lenses.iter().map(|lens| lens.center).collect()
    }

    #[test]
    fn a_lens_that_was_moved_keeps_its_place_in_the_scene() {
        let shown = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let (mut input, mut document) = opened(Settings::default(), None, shown);
        resized(&mut input, &mut document, shown);
        input.handle(InputEvent::Key { key: Key::Move([-64, 36]), repeat: false }, &mut document, shown);
        assert_eq!(document.state().lenses[0].center, Vec2::new(400.0, 396.0));
        // Without panels nothing moves.
        let hidden = Area { frame: shown.frame, ..area([1280.0, 720.0], [1280.0, 720.0], 1.0) };
        assert_eq!(resized(&mut input, &mut document, hidden), [Vec2::new(400.0, 396.0)]);
        let tall = area([1280.0, 1440.0], [928.0, 1440.0], 1.0);
        assert_eq!(resized(&mut input, &mut document, tall), [Vec2::new(336.0, 792.0)]);
        let kept = document.kept_layout(tall.px);
        let (_, next) = opened(Settings::default(), kept, shown);
        assert_eq!(next.state().lenses[0].center, Vec2::new(400.0, 396.0));
        document.press();
        document.release();
        input.handle(InputEvent::Key { key: Key::Move([100, 0]), repeat: false }, &mut document, tall);
        resized(&mut input, &mut document, shown);
        assert_eq!(document.state().lenses[0].center, Vec2::new(450.0, 396.0));
        document.undo();
        assert_eq!(document.state().lenses[0].center, Vec2::new(400.0, 396.0));
    }

    #[test]
    fn a_lens_opens_beside_the_panels_at_a_size_that_fits() {
        let wide = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let narrow = area([1280.0, 720.0], [616.0, 720.0], 2.0);
        let (_, document) = opened(Settings::default(), None, wide);
        assert_eq!(document.settings().glass, GlassSettings::default());
        let (mut input, mut document) = opened(Settings::default(), None, narrow);
        let state = document.state();
        let [lens] = state.lenses[..] else { panic!("{:?}", state.lenses) };
        let half = lens.half(2.0);
        assert!((lens.center - half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((narrow.free_px - lens.center - half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((half.x / half.y - 190.0 / 120.0).abs() < 0.02, "{lens:?}");
        assert_eq!(document.settings().glass.outline(), lens.outline);
        document.set_scale(1.0);
        input.lay_out(&mut document, wide);
        let mut state = document.state().clone();
        assert_eq!(state.lenses[0].half(1.0), Vec2::new(190.0, 120.0));
        state.lenses[0].outline.half_width = 300.0;
        (state.settings.scene.orbit, state.drifted_s) = (20.0, 5.0);
        reset(&mut state, narrow);
        assert_eq!((&state.lenses[..], state.settings.scene.orbit, state.drifted_s), (&[lens][..], 0.0, 0.0));
    }

    #[test]
    fn a_preset_is_as_loaded_at_any_size_of_the_opening_window() {
        let glass = GlassSettings::default();
        let preset = Some(LoadedPreset { name: "clear".into(), glass: glass.clone() });
        let origin = Origin { preset, glass, layout: None };
        let mut document = Document::new(DocumentState { origin, ..DocumentState::default() }, 1.0);
        let mut input = LensInput::new(InitialLayout { size: None, lens_at: None });
        for free in [[300.0, 400.0], [200.0, 300.0], [928.0, 720.0]] {
            input.lay_out(&mut document, area([1280.0, 720.0], free, 1.0));
            assert_eq!(document.active_preset(), Some(("clear", true)), "{free:?}");
        }
        assert_eq!(document.state().lenses[0].half(1.0), Vec2::new(190.0, 120.0));
    }

    #[test]
    fn a_chosen_size_stays() {
        let narrow = area([640.0, 400.0], [300.0, 400.0], 1.0);
        let mut settings = Settings::default();
        settings.glass.half_width = 200.0;
        assert_eq!(opened(settings, None, narrow).1.state().lenses[0].half(1.0), Vec2::new(200.0, 120.0));
        let lens = GlassSettings::default().placed(Vec2::new(150.0, 200.0));
        let layout = Layout::of(&[lens], narrow.px);
        assert_eq!(opened(Settings::default(), layout, narrow).1.state().lenses[0].half(1.0), Vec2::new(190.0, 120.0));
    }

    #[test]
    fn the_reference_glass_has_no_handles_and_its_own_place() {
        let area = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let (mut input, mut document) = opened(Settings::default(), None, area);
        let (center, half) = (document.state().lenses[0].center, document.state().lenses[0].half(1.0));
        let edge = center + Vec2::new(half.x, 0.0);
        input.handle(InputEvent::Moved(edge), &mut document, area);
        let handles = |input: &LensInput, document: &Document| {
            (input.marks(document.state(), area, true).selected.is_some(), input.cursor(document.state(), area))
        };
        assert_eq!(handles(&input, &document), (true, Some(CursorIcon::ResizeHorizontal)));
        document.edit(Edit::Once, |state| state.settings.glass.mode = Mode::Source);
        assert_eq!(handles(&input, &document), (false, Some(CursorIcon::Default)), "beside the reference glass");
        input.handle(InputEvent::Moved(center + Vec2::new(100.0, 0.0)), &mut document, area);
        assert_eq!(handles(&input, &document), (false, Some(CursorIcon::Grab)), "on it");
        assert!(document.undo().is_some() && document.settings().glass.mode == Mode::Lens);
    }

    #[test]
    fn no_room_leaves_the_smallest_lens() {
        assert_eq!(fitting(Vec2::new(190.0, 120.0), Vec2::ZERO), Vec2::splat(LEAST_HALF));
        assert_eq!(fitting(Vec2::new(100.0, 50.0), Vec2::new(148.0, 1000.0)), Vec2::new(50.0, 25.0));
        assert_eq!(GlassSettings::range("half_width").map(|[least, _]| least), Some(LEAST_HALF));
    }
}
