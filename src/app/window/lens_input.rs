//! The lenses under pointer, fingers and keys: where they are, what holds them, and where they go back to.

use super::input::{PanelWants, PointerInput};
use super::marks::LensMarks;
use super::opening::{Opening, is_hold};
use crate::app::layout::Layout;
use crate::app::session::{lens, lenses};
use crate::base::settings::{FieldKind, Settings as _};
use crate::scene::{Lens, Press};
use crate::techniques::Settings;
use crate::techniques::glass::{GlassSettings, Mode, distance};
use crate::ui::hand::{Button, Hand, HandEffect, HandEvent, Table, frosted};
use crate::ui::hand_grip::CursorShape;
use crate::ui::motion::Feel;
use glam::Vec2;
use std::time::{Duration, Instant};
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;

/// What rested began to move about so long before the frame that shows it.
const FIRST: Duration = Duration::from_micros(16_667);

/// The window as lenses know it.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Width and height in pixels.
    pub px: Vec2,
    /// Physical pixels per logical one.
    pub scale: f32,
    /// The part that no panel covers, from the top left corner.
    pub free_px: Vec2,
    /// What the panels want for themselves where the pointer is.
    pub wants: PanelWants,
}

impl Area {
    /// Where a lens is put that may be anywhere, and the area.
    fn middle(&self) -> [Vec2; 2] {
        [self.free_px / 2.0, self.px]
    }
}

/// What a key or the pointer asked for that is not the lenses' to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LensRequest {
    /// Load the preset of this number.
    Preset(usize),
    /// Show or hide the panels.
    TogglePanels,
    /// The lenses went back; the camera is to go back, too.
    ResetCamera,
}

/// See the module.
pub struct LensInput {
    lenses: Vec<Lens>,
    hand: Hand,
    events: PointerInput,
    /// Where the pointer is, in pixels.
    pointer: Option<Vec2>,
    /// Until when the lenses moved by themselves, while they do.
    moved_at: Option<Instant>,
    /// The glass as it was at the start or when a preset was loaded: what R goes back to.
    home: GlassSettings,
    /// Where the lenses were then, if a preset said so.
    home_layout: Option<Layout>,
    /// Until a button, a key or a finger is pressed.
    opening: Option<Opening>,
}

impl LensInput {
    /// `lenses` as the window begins with them; `layout`: where a preset puts them.
    pub fn new(lenses: Vec<Lens>, settings: &Settings, layout: Option<Layout>, opening: Opening) -> Self {
        Self {
            lenses,
            hand: Hand::default(),
            events: PointerInput::default(),
            pointer: None,
            moved_at: None,
            home: settings.glass.clone(),
            home_layout: layout,
            opening: Some(opening),
        }
    }

    /// Where the pointer is, in pixels.
    pub fn pointer(&self) -> Option<Vec2> {
        self.pointer
    }

    /// Notes where the pointer is, and that the opening is over.
    pub fn note(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = Some(Vec2::new(position.x as f32, position.y as f32));
            }
            WindowEvent::CursorLeft { .. } => self.pointer = None,
            event if is_hold(event) => self.opening = None,
            _ => {}
        }
    }

    /// What an event of the window comes to; without what the panels want for themselves.
    pub fn translate(&mut self, event: &WindowEvent, area: Area) -> Vec<HandEvent> {
        self.events.translate(event, area.wants, area.scale)
    }

    /// Whether a lens is held, or one lies under the pointer.
    pub fn is_over_lens(&mut self, settings: &Settings, area: Area) -> bool {
        self.with_table(settings, area, |hand, table| hand.hovers(table).is_some() || hand.holds().is_some())
    }

    /// Whether a lens lies under the pointer.
    pub fn hovers(&mut self, settings: &Settings, area: Area) -> bool {
        self.with_table(settings, area, |hand, table| hand.hovers(table).is_some())
    }

    /// Lets an event work on the lenses. Whether there is something new to be seen, and what is left to others.
    pub fn take(&mut self, event: HandEvent, settings: &mut Settings, area: Area) -> (bool, Option<LensRequest>) {
        let mut changed = false;
        if event == HandEvent::Released(Button::Primary) {
            changed |= self.pass_time(settings, area); // a pointer that rested before it lets go throws nothing
        }
        let look = |hand: &mut Hand, table: &mut Table<'_>| (hand.cursor(table, false), hand.hovers(table).is_some());
        let before = self.with_table(settings, area, look);
        let effect = self.with_table(settings, area, |hand, table| hand.feel(event, table));
        let after = self.with_table(settings, area, look);
        let request = effect.and_then(|effect| self.apply(effect, settings, area));
        (changed || effect.is_some() || before != after, request)
    }

    fn apply(&mut self, effect: HandEffect, settings: &mut Settings, area: Area) -> Option<LensRequest> {
        let glass = &mut settings.glass;
        match effect {
            HandEffect::Changed(index) | HandEffect::Selected(index) => {
                if let Some(lens) = self.lenses.get(index) {
                    (glass.half_width, glass.half_height) = (lens.half.x / area.scale, lens.half.y / area.scale);
                    (glass.shape, glass.exponent, glass.angle) = (lens.shape, lens.exponent, lens.angle.to_degrees());
                    (glass.radius, glass.text, glass.weight) = (lens.radius / area.scale, lens.text, lens.weight);
                }
            }
            HandEffect::Preset(number) => return Some(LensRequest::Preset(number)),
            HandEffect::Frost(notches) => glass.frost = frosted(glass.frost, notches, most_frost()),
            HandEffect::FlipMode => {
                glass.mode = if glass.mode == Mode::Lens { Mode::Source } else { Mode::Lens };
            }
            HandEffect::TogglePanels => return Some(LensRequest::TogglePanels),
            HandEffect::Reset => {
                let home = &self.home;
                (glass.half_width, glass.half_height) = (home.half_width, home.half_height);
                (glass.shape, glass.exponent, glass.radius) = (home.shape, home.exponent, home.radius);
                (glass.text, glass.weight) = (home.text, home.weight);
                (glass.angle, glass.frost) = (home.angle, home.frost);
                self.fit(glass, area);
                self.lenses = lenses(settings, self.home_layout.as_ref(), None, area.middle(), area.scale);
                return Some(LensRequest::ResetCamera);
            }
        }
        None
    }

    /// Lets the lenses move by themselves until now. Whether they go on moving.
    pub fn pass_time(&mut self, settings: &Settings, area: Area) -> bool {
        let now = Instant::now();
        let since = self.moved_at.replace(now).map_or(FIRST, |then| now - then);
        let moves = self.with_table(settings, area, |hand, table| hand.pass(since.as_secs_f32(), table));
        self.moved_at = self.moved_at.filter(|_| moves);
        moves
    }

    /// The lenses as they are drawn; the source's glass is one only.
    pub fn drawn(&mut self, settings: &Settings, area: Area) -> Vec<Lens> {
        let selected = self.selected(settings, area);
        match (settings.glass.mode, self.lenses.get(selected)) {
            (Mode::Source, Some(lens)) => vec![*lens],
            _ => self.hand.drawn(&self.lenses, &Feel::of(&settings.hand)),
        }
    }

    /// Where a lens is held down.
    pub fn press(&self) -> Option<Press> {
        self.hand.press()
    }

    /// The pointer's look, where it is the lenses' to say.
    pub fn cursor(&mut self, settings: &Settings, area: Area) -> Option<CursorShape> {
        self.with_table(settings, area, |hand, table| hand.cursor(table, area.wants.pointer))
    }

    /// What is to be seen around the lenses while nothing is held: handles of the selected one, a line around another under the pointer.
    pub fn marks(&mut self, settings: &Settings, area: Area, panels_visible: bool) -> LensMarks {
        let look =
            |hand: &mut Hand, table: &mut Table<'_>| (hand.selected(table), hand.near(table), hand.hovers(table));
        let (selected, near, hovered) = self.with_table(settings, area, look);
        let shown = panels_visible && self.hand.holds().is_none();
        let several = self.lenses.len() > 1 && settings.glass.mode == Mode::Lens;
        let pointed = shown && !area.wants.pointer;
        let lens = |index: usize| self.lenses.get(index).copied();
        LensMarks {
            // One lens among others keeps its handles; the only one shows them where they can be wanted.
            selected: lens(selected).filter(|_| shown && (several || pointed && near == Some(selected))),
            hovered: hovered.filter(|(index, _)| pointed && *index != selected).and_then(|(index, _)| lens(index)),
            scale: area.scale,
        }
    }

    /// The lenses, to be put elsewhere.
    pub fn lenses_mut(&mut self) -> &mut Vec<Lens> {
        &mut self.lenses
    }

    /// The lenses as they are at rest.
    pub fn lenses(&self) -> &[Lens] {
        &self.lenses
    }

    /// Gives the selected lens the shape that the settings say.
    pub fn reshape(&mut self, settings: &Settings, area: Area) {
        let selected = self.selected(settings, area);
        if let Some(there) = self.lenses.get_mut(selected) {
            *there = lens(settings, there.center, area.scale);
        }
    }

    /// The display's scale changed: every lens keeps its place and its size in logical pixels.
    pub fn rescale(&mut self, settings: &Settings, area: Area) {
        let selected = self.selected(settings, area);
        let before = self.lenses.get(selected).map(|lens| lens.half.x);
        self.reshape(settings, area);
        let now = self.lenses.get(selected).map(|lens| lens.half.x);
        let Some((before, now)) = before.zip(now).filter(|(before, _)| *before > 0.0) else { return };
        for (index, lens) in self.lenses.iter_mut().enumerate() {
            lens.center *= now / before;
            if index != selected {
                lens.half *= now / before;
                lens.radius *= now / before;
            }
        }
    }

    /// The window has got another size, perhaps its true one: while nothing was pressed, the lenses are laid out for it.
    pub fn lay_out_again(&mut self, settings: &mut Settings, area: Area) {
        let Some(opening) = &self.opening else { return };
        self.fit(&mut settings.glass, area);
        self.lenses = lenses(settings, self.home_layout.as_ref(), opening.lens_at, area.middle(), area.scale);
    }

    /// The size that the arguments asked for, once.
    pub fn asked_size(&mut self) -> Option<PhysicalSize<u32>> {
        self.opening.as_mut().and_then(|opening| opening.size.take())
    }

    /// Other settings were loaded, and lenses where `layout` says: what R goes back to from now on.
    pub fn load(&mut self, settings: &mut Settings, layout: Option<Layout>, area: Area) {
        self.home = settings.glass.clone();
        self.home_layout = layout.clone();
        self.fit(&mut settings.glass, area);
        if let Some(layout) = &layout {
            self.hand.forget();
            self.lenses = layout.lenses(&settings.glass, area.px, area.scale);
        }
    }

    /// A lens of its style's own size is made smaller where the panels leave less room than that; a size that somebody chose stays.
    fn fit(&self, glass: &mut GlassSettings, area: Area) {
        let mut styled = self.home.clone();
        self.home.preset.apply(&mut styled);
        let (own, home) = ([styled.half_width, styled.half_height], [self.home.half_width, self.home.half_height]);
        if self.home_layout.is_some() || own != home {
            return;
        }
        let half = fitting(Vec2::from_array(home), area.free_px / area.scale);
        (glass.half_width, glass.half_height) = (half.x, half.y);
    }

    /// Where the lenses are now.
    pub fn layout(&self, area: Area) -> Option<Layout> {
        Layout::of(&self.lenses, area.px, area.scale)
    }

    fn selected(&mut self, settings: &Settings, area: Area) -> usize {
        self.with_table(settings, area, |hand, table| hand.selected(table))
    }

    fn with_table<T>(
        &mut self,
        settings: &Settings,
        area: Area,
        work: impl FnOnce(&mut Hand, &mut Table<'_>) -> T,
    ) -> T {
        let mut table = Table {
            over_panel: area.wants.pointer,
            lenses: &mut self.lenses,
            area_px: area.px,
            free_px: area.free_px,
            scale: area.scale,
            distance: &distance,
            feel: Feel::of(&settings.hand),
            alone: settings.glass.mode == Mode::Source,
        };
        work(&mut self.hand, &mut table)
    }
}

/// Room around a lens that is made smaller, logical pixels.
const MARGIN: f32 = 24.0;

/// Half axes of these proportions, in whole logical pixels, with which a lens keeps within an area; no smaller than settings allow.
fn fitting(half: Vec2, area: Vec2) -> Vec2 {
    let part = ((area / 2.0 - MARGIN) / half).min_element();
    if part >= 1.0 { half } else { (half * part.max(0.0)).floor().max(Vec2::splat(LEAST_HALF)) }
}

/// The smallest half axis that the settings allow.
const LEAST_HALF: f32 = 8.0;

/// The largest frost that the settings allow, in pixels at a scale of one.
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
        Area { px: px.into(), scale, free_px: free.into(), wants: PanelWants::default() }
    }

    fn opened(settings: &mut Settings, layout: Option<Layout>, area: Area) -> LensInput {
        let opening = Opening { size: None, lens_at: None };
        let mut input = LensInput::new(Vec::new(), settings, layout, opening);
        input.lay_out_again(settings, area);
        input
    }

    #[test]
    fn a_lens_opens_beside_the_panels_at_a_size_that_fits() {
        let wide = area([1280.0, 720.0], [928.0, 720.0], 1.0);
        let narrow = area([1280.0, 720.0], [616.0, 720.0], 2.0);
        let mut settings = Settings::default();
        let input = opened(&mut settings, None, wide);
        assert_eq!((settings.glass.clone(), input.lenses[0].half), (GlassSettings::default(), Vec2::new(190.0, 120.0)));
        let mut input = opened(&mut settings, None, narrow);
        let [lens] = input.lenses[..] else { panic!("{:?}", input.lenses) };
        assert!((lens.center - lens.half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((narrow.free_px - lens.center - lens.half).min_element() >= 2.0 * MARGIN, "{lens:?}");
        assert!((lens.half.x / lens.half.y - 190.0 / 120.0).abs() < 0.02, "{lens:?}");
        assert_eq!([settings.glass.half_width, settings.glass.half_height], (lens.half / 2.0).to_array());
        // More room, before anything was pressed: as large as it should be.
        input.lay_out_again(&mut settings, wide);
        assert_eq!((input.lenses[0].half, settings.glass.half_width), (Vec2::new(190.0, 120.0), 190.0));
        // R.
        settings.glass.half_width = 300.0;
        assert_eq!(input.apply(HandEffect::Reset, &mut settings, narrow), Some(LensRequest::ResetCamera));
        assert_eq!(input.lenses, [lens]);
    }

    #[test]
    fn a_size_that_somebody_chose_stays() {
        let narrow = area([640.0, 400.0], [300.0, 400.0], 1.0);
        let mut settings = Settings::default();
        settings.glass.half_width = 200.0;
        assert_eq!(opened(&mut settings, None, narrow).lenses[0].half, Vec2::new(200.0, 120.0));
        let mut settings = Settings::default();
        let lens = lens(&settings, Vec2::new(150.0, 200.0), 1.0);
        let layout = Layout::of(&[lens], narrow.px, 1.0);
        assert_eq!(opened(&mut settings, layout, narrow).lenses[0].half, Vec2::new(190.0, 120.0));
    }

    #[test]
    fn no_room_leaves_the_smallest_lens() {
        assert_eq!(fitting(Vec2::new(190.0, 120.0), Vec2::ZERO), Vec2::splat(LEAST_HALF));
        assert_eq!(fitting(Vec2::new(100.0, 50.0), Vec2::new(148.0, 1000.0)), Vec2::new(50.0, 25.0));
        let field = GlassSettings::FIELDS.iter().find(|field| field.name == "half_width").unwrap();
        assert!(matches!(field.kind, FieldKind::Float { min, .. } if min as f32 == LEAST_HALF));
    }
}
