//! Document of the window: settings, lenses, view, camera, files, and their undo history.
//!
//! A history step starts only in [`Document::edit`], called where an edit is committed: a widget's change, a gesture, a key, a preset, a
//! file. Changes that follow from the window or from time ([`Document::adapt`]) are no steps. The lenses own their outline and glass.

use super::event_clock::EventClock;
use super::picture_frame::{PictureFrame, PictureKind};
use super::preset_list::PresetList;
use super::window_pair::SideB;
use crate::lens_layout::Layout;
use crate::presets;
use crate::presets::LoadedPreset;
use glam::Vec2;
use glass::{GlassSettings, Mode};
use media::light_picture::{FlatPicture, LightPicture};
use renderer::ActiveView;
use scene::world::World;
use scene::{Lens, LensGlass, Source};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use techniques::Settings;
use ui::{Extent, OpenFiles};

/// Edits of one kind within this time are one step.
const TOGETHER: Duration = Duration::from_millis(900);
const STEPS_MAX: usize = 200;
const FILES_MAX: usize = 4;
/// Parts of a point to which places of lenses are rounded when the display's scale changes. In `f32`, a factor for each change would add up errors.
/// The rounding of a value in pixels to `f32` changes less than half a part, so nothing adds up, below 8000 points: 8000 * 2^-24 < 1/1920.
/// Whole pixels stay whole at 1.25, 1.5 and 3 pixels per point: 960 is 64 * 3 * 5.
const POINT_PARTS: f64 = 960.0;

#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    Once,
    Fields(Vec<(&'static str, &'static str)>),
    Drag,
    Resize(usize),
    Move(usize),
    Turn(usize),
    Frost,
    Orbit,
    Zoom,
}

/// Sections of the window: A and B share them.
const SHARED: [&str; 3] = ["display", "hand", "lab"];

impl Edit {
    /// Places and the camera are of both.
    fn is_of_a_side(&self) -> bool {
        match self {
            Self::Once | Self::Frost => true,
            Self::Fields(fields) => fields.iter().any(|(section, _)| !SHARED.contains(section)),
            Self::Drag | Self::Resize(_) | Self::Move(_) | Self::Turn(_) | Self::Orbit | Self::Zoom => false,
        }
    }
}

#[derive(Clone, Default)]
pub struct SceneFiles {
    pub picture: Option<(String, FlatPicture)>,
    pub sky: Option<Arc<LightPicture>>,
    pub world: Option<(String, Arc<World>)>,
}

impl SceneFiles {
    pub fn names(&self) -> OpenFiles {
        OpenFiles {
            picture: self.picture.as_ref().map(|(name, _)| name.clone()),
            world: self.world.as_ref().map(|(name, _)| name.clone()),
            clip: None,
        }
    }

    fn addresses(&self) -> [Option<*const u8>; 2] {
        let picture = self.picture.as_ref().map(|(_, picture)| picture.address());
        [picture, self.world.as_ref().map(|(_, world)| Arc::as_ptr(world).cast())]
    }
}

/// What lenses are placed with, and what the preset chips show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    pub preset: Option<LoadedPreset>,
    pub glass: GlassSettings,
    pub layout: Option<Layout>,
}

#[derive(Clone, Default)]
pub struct DocumentState {
    /// Without outline and glass, which the lenses own: [`shown`](Self::shown) has those of the selected one.
    pub settings: Settings,
    /// Pixels per unit of the settings.
    pub scale: f32,
    pub lenses: Vec<Lens>,
    pub selected: usize,
    pub is_composed: bool,
    pub view: Option<ActiveView>,
    pub drifted_s: f32,
    pub files: SceneFiles,
    pub origin: Origin,
    pub b: Option<Arc<SideB>>,
    /// While there is a B: edits are of B. It is no part of the history.
    pub edits_b: bool,
}

impl DocumentState {
    pub fn is_of_b(&self) -> bool {
        self.edits_b && self.b.is_some()
    }

    /// Apart from the camera, which both sides have.
    fn has_side_of(&self, other: &Self) -> bool {
        let mut settings = other.settings.clone();
        settings.scene.take_camera(&self.settings.scene);
        settings == self.settings && self.glasses() == other.glasses()
    }

    pub fn reset_camera(&mut self) {
        self.settings.scene.reset_camera();
        self.drifted_s = 0.0;
    }

    pub fn shows_world(&self) -> bool {
        self.settings.scene.source == Source::World
    }

    /// Its pieces are shown in place of the lenses.
    pub fn uses_motif(&self) -> bool {
        let Settings { scene, glass, .. } = &self.settings;
        scene.uses_motif() && self.files.picture.is_none() && glass.mode == Mode::Lens
    }

    pub fn draws_world(&self) -> bool {
        self.shows_world() || self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    /// With outline and glass of the selected lens.
    pub fn shown(&self) -> Settings {
        self.settings_of(self.lenses.get(self.selected))
    }

    pub fn stored_settings(&self) -> Settings {
        self.settings_of(self.lenses.first())
    }

    /// Without a lens: what the first one will be placed with.
    fn settings_of(&self, lens: Option<&Lens>) -> Settings {
        let glass = self.settings.glass.clone();
        let glass = match lens {
            Some(lens) => glass.of_lens(lens),
            None => glass.of_lens(&self.origin.glass.placed(Vec2::ZERO)),
        };
        Settings { glass, ..self.settings.clone() }
    }

    /// Outline and glass among them become those of the selected lens.
    pub fn take(&mut self, settings: Settings) {
        let before = self.shown().glass.outline();
        if let Some(lens) = self.lenses.get_mut(self.selected) {
            let now = settings.glass.placed(lens.center);
            // An outline outside the ranges of the settings is shown clamped; it stays.
            *lens = if now.outline == before {
                Lens { glass: now.glass, ..*lens }
            } else {
                Lens { id: lens.id, container: lens.container, ..now }
            };
        }
        self.share(settings);
    }

    /// Keeps what all lenses share.
    pub fn share(&mut self, mut settings: Settings) {
        settings.glass = settings.glass.shared();
        self.settings = settings;
    }

    pub fn glasses(&self) -> Vec<LensGlass> {
        self.lenses.iter().map(|lens| lens.glass).collect()
    }

    fn outlines(&self) -> Vec<Lens> {
        self.lenses.iter().map(|lens| Lens { glass: LensGlass::default(), ..*lens }).collect()
    }

    fn exchange_glass(&mut self, other: &mut Self) {
        for (own, other) in self.lenses.iter_mut().zip(&mut other.lenses) {
            std::mem::swap(&mut own.glass, &mut other.glass);
        }
    }

    pub fn have_one_glass(&self) -> bool {
        self.lenses.windows(2).all(|two| two[0].glass == two[1].glass)
    }

    pub fn share_glass(&mut self) {
        if let Some(Lens { glass, .. }) = self.lenses.get(self.selected).copied() {
            self.lenses.iter_mut().for_each(|lens| lens.glass = glass);
        }
    }

    pub fn as_b(&self) -> SideB {
        let shaders = self.b.as_ref().and_then(|b| b.shaders.clone());
        SideB { settings: self.shown(), glasses: self.glasses(), shaders, preset: self.origin.preset.clone() }
    }

    /// B is not what A is.
    pub fn has_other_b(&self) -> bool {
        let Some(b) = self.b.as_deref() else { return false };
        let mut side = SideB { preset: self.origin.preset.clone(), ..b.clone() };
        side.settings.scene.take_camera(&self.settings.scene);
        side.shaders.is_some() || side != self.as_b()
    }

    /// A and B exchanged.
    fn swap_pair(&mut self) {
        if let Some(b) = self.b.clone() {
            self.b = Some(Arc::new(self.as_b()));
            let mut side = SideB::clone(&b);
            side.settings.scene.take_camera(&self.settings.scene);
            self.take_side(side);
        }
    }

    pub fn take_side(&mut self, side: SideB) {
        let beyond = side.settings.glass.lens_glass();
        self.origin.preset = side.preset;
        self.share(side.settings);
        for (index, lens) in self.lenses.iter_mut().enumerate() {
            lens.glass = side.glasses.get(index).copied().unwrap_or(beyond);
        }
    }

    fn saved_as(&mut self, name: String, layout: Option<Layout>, glass: GlassSettings) {
        if self.lenses.len() > 1 || self.origin.layout.is_some() {
            (self.origin.glass, self.origin.layout) = (glass.clone(), layout);
        }
        self.origin.preset = Some(LoadedPreset { name, glass });
    }
}

/// Parts of the state: what is compared, and the fields that a step exchanges.
macro_rules! parts {
    ($state:ident: $($part:ident, $compared:expr, $($field:ident)*;)*) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Changed {
            $(pub $part: bool,)*
        }

        impl Changed {
            fn between(before: &DocumentState, now: &DocumentState) -> Self {
                Self {
                    $($part: {
                        let $state = before;
                        let was = $compared;
                        let $state = now;
                        was != $compared
                    },)*
                }
            }

            fn zip(self, other: Self, join: fn(bool, bool) -> bool) -> Self {
                Self { $($part: join(self.$part, other.$part),)* }
            }

            pub fn any(self) -> bool {
                self != Self::default()
            }
        }

        impl DocumentState {
            fn exchange(&mut self, other: &mut Self, parts: Changed) {
                $($(if parts.$part {
                    std::mem::swap(&mut self.$field, &mut other.$field);
                })*)*
                if parts.glass != parts.lenses {
                    self.exchange_glass(other);
                }
                if parts.glass && !parts.lenses {
                    std::mem::swap(&mut self.selected, &mut other.selected);
                }
            }
        }
    };
}

parts! { state:
    settings, &state.settings, settings;
    glass, state.glasses(),;
    lenses, state.outlines(), lenses selected is_composed;
    view, state.view, view;
    drift, state.drifted_s, drifted_s;
    files, state.files.addresses(), files;
    origin, &state.origin, origin;
    pair, &state.b, b;
}

struct Step {
    kind: Edit,
    parts: Changed,
    other: DocumentState,
}

impl Step {
    fn text(&self, [before, after]: [&DocumentState; 2]) -> String {
        let text = match &self.kind {
            Edit::Fields(fields) if fields.len() == 1 => {
                let (id, name) = fields[0];
                return title_of(id, name).unwrap_or(name.into());
            }
            Edit::Fields(_) => "settings",
            Edit::Drag => "drag of a lens",
            Edit::Resize(_) => "size of a lens",
            Edit::Move(_) => "place of a lens",
            Edit::Turn(_) => "rotation of a lens",
            Edit::Frost => "frost",
            Edit::Orbit => "camera",
            Edit::Zoom => "zoom",
            Edit::Once => match (self.parts, &before.b, &after.b) {
                (Changed { pair: true, .. }, None, _) => "B pinned",
                (Changed { pair: true, .. }, _, None) => "B removed",
                (Changed { origin: true, .. }, ..) => "preset",
                (Changed { pair: true, lenses: false, .. }, ..) => "another B",
                (Changed { files: true, .. }, ..) => "file",
                (Changed { view: true, .. }, ..) => "view",
                (Changed { lenses: true, .. }, ..) => match after.lenses.len().cmp(&before.lenses.len()) {
                    Ordering::Greater => "new lens",
                    Ordering::Less => "removal of a lens",
                    Ordering::Equal => "lenses",
                },
                (Changed { settings: false, glass: true, .. }, ..) => "glass",
                (Changed { settings: false, drift: true, .. }, ..) => "camera",
                _ => "settings",
            },
        };
        text.into()
    }
}

fn title_of(id: &str, name: &str) -> Option<String> {
    let mut settings = Settings::default();
    let section = settings.sections().into_iter().find(|section| section.id == id)?;
    section.settings.fields().iter().find(|field| field.name == name).map(|field| field.title())
}

pub struct Document {
    state: DocumentState,
    /// Derived from the state, until it changes.
    shown: OnceCell<Settings>,
    pub presets: PresetList,
    pub frame: Option<PictureFrame>,
    undo: Vec<Step>,
    redo: Vec<Step>,
    is_held: bool,
    is_sealed: bool,
    last_at: Option<Instant>,
    pub clock: EventClock,
    revision: u64,
}

impl Document {
    pub fn new(state: DocumentState, scale: f32) -> Self {
        let mut state = DocumentState { scale, ..state };
        state.share(state.settings.clone());
        Self {
            state,
            shown: OnceCell::new(),
            presets: PresetList::default(),
            frame: None,
            undo: Vec::new(),
            redo: Vec::new(),
            is_held: false,
            is_sealed: false,
            last_at: None,
            clock: EventClock::new(Instant::now()),
            revision: 0,
        }
    }

    pub fn find_preset(&mut self) {
        if self.state.origin.preset.is_none() {
            self.state.origin.preset = self.presets.preset_of(&self.edited().shown());
        }
    }

    pub fn edit_b(&mut self, edits_b: bool) {
        (self.change().edits_b, self.is_sealed) = (edits_b, true);
    }

    /// As the panels show and edit it: B in the place of A, if edits are of B.
    pub fn edited(&self) -> Cow<'_, DocumentState> {
        if !self.state.is_of_b() {
            return Cow::Borrowed(&self.state);
        }
        let mut state = self.state.clone();
        state.swap_pair();
        Cow::Owned(state)
    }

    /// As the panels show them.
    pub fn edited_settings(&self) -> Cow<'_, Settings> {
        match self.state.is_of_b() {
            true => Cow::Owned(self.edited().shown()),
            false => Cow::Borrowed(self.settings()),
        }
    }

    pub fn save_preset(&mut self, name: String, extent: Extent, area_px: Vec2) -> anyhow::Result<PathBuf> {
        let edited = self.edited();
        let layout = self.layout_of(&edited.lenses, area_px);
        let settings = edited.stored_settings();
        let file = self.presets.save(&name, &settings, extent, layout.as_ref())?;
        self.state.saved_as(name, layout, settings.glass);
        Ok(file)
    }

    pub fn state(&self) -> &DocumentState {
        &self.state
    }

    /// With outline and glass of the selected lens.
    pub fn settings(&self) -> &Settings {
        self.shown.get_or_init(|| self.state.shown())
    }

    fn change(&mut self) -> &mut DocumentState {
        self.shown.take();
        &mut self.state
    }

    /// Of a preset that placed lenses: the glass of each, and the shape of the first.
    pub fn active_preset(&self) -> Option<(&str, bool)> {
        let (Origin { glass, layout, .. }, edited) = (&self.state.origin, self.edited());
        let of_b = self.state.b.as_ref().filter(|_| self.state.is_of_b());
        let preset = of_b.map_or(&self.state.origin.preset, |b| &b.preset);
        let preset = preset.as_ref()?;
        let Some(layout) = layout else { return Some(preset.active(&self.edited_settings().glass)) };
        let placed = layout.lenses(glass, Vec2::ONE);
        let have_glass = placed.iter().map(|lens| lens.glass).eq(edited.glasses());
        let (name, is_as_loaded) = preset.active(&edited.stored_settings().glass);
        Some((name, is_as_loaded && have_glass))
    }

    pub fn layout(&self, area_px: Vec2) -> Option<Layout> {
        self.layout_of(&self.state.lenses, area_px)
    }

    fn layout_of(&self, lenses: &[Lens], area_px: Vec2) -> Option<Layout> {
        let mut layout = Layout::of(lenses, area_px)?;
        if let Some(frame) = self.frame.filter(|frame| frame.kind == PictureKind::World) {
            layout.set_in_scene(lenses.iter().map(|lens| frame.place(lens.center).as_vec2().to_array()));
        }
        Some(layout)
    }

    /// `None` for a single lens that was not moved, which the next window places itself.
    pub fn kept_layout(&self, area_px: Vec2) -> Option<Layout> {
        let is_fresh = self.state.is_composed && self.state.origin.layout.is_none();
        self.layout(area_px).filter(|_| !is_fresh)
    }

    pub fn preset_text(&self, area_px: Vec2) -> anyhow::Result<String> {
        let mut settings = self.state.stored_settings();
        settings.scene.stop_after(self.state.drifted_s);
        presets::text(&settings, self.layout(area_px).as_ref())
    }

    /// The window's size, passing time, the file given at launch.
    pub fn adapt<T>(&mut self, change: impl FnOnce(&mut DocumentState) -> T) -> T {
        change(self.change())
    }

    /// Lenses of earlier and undone states move with the picture.
    pub fn move_history(&mut self, moved: impl Fn(Vec2) -> Vec2) {
        let steps = self.undo.iter_mut().chain(&mut self.redo);
        for lens in steps.flat_map(|step| &mut step.other.lenses) {
            lens.center = moved(lens.center);
        }
    }

    /// Lenses keep their place in points, also after an undo.
    pub fn set_scale(&mut self, scale: f32) {
        let from = std::mem::replace(&mut self.change().scale, scale);
        let scaled = |px: f32| {
            let points = (f64::from(px) / f64::from(from) * POINT_PARTS).round() / POINT_PARTS;
            (points * f64::from(scale)) as f32
        };
        let steps = self.undo.iter_mut().chain(&mut self.redo).map(|step| &mut step.other);
        for lens in steps.chain([&mut self.state]).flat_map(|state| &mut state.lenses) {
            lens.center = Vec2::new(scaled(lens.center.x), scaled(lens.center.y));
        }
    }

    /// Of the side that is edited.
    pub fn edit<T>(&mut self, kind: Edit, change: impl FnOnce(&mut DocumentState) -> T) -> (T, Changed) {
        if !self.state.is_of_b() || !kind.is_of_a_side() {
            return self.edit_both(kind, change);
        }
        self.edit_both(kind, |state| {
            let (b, glass) = (state.b.clone(), state.origin.glass.clone());
            state.swap_pair();
            let begun = state.clone();
            let answer = change(state);
            let is_same = state.has_side_of(&begun);
            state.swap_pair();
            if is_same {
                state.b = b;
            }
            if state.origin.layout == begun.origin.layout {
                state.origin.glass = glass;
            }
            answer
        })
    }

    pub fn edit_both<T>(&mut self, kind: Edit, change: impl FnOnce(&mut DocumentState) -> T) -> (T, Changed) {
        let before = self.state.clone();
        let answer = change(self.change());
        self.close_files(&before);
        let changed = Changed::between(&before, &self.state);
        if changed.any() {
            self.record(kind, before, changed);
        }
        (answer, changed)
    }

    /// Other changes of `shown` are values rounded by a widget, no edits.
    pub fn edit_fields(&mut self, fields: Vec<(&'static str, &'static str)>, shown: &mut Settings) -> Changed {
        let edit = |state: &mut DocumentState| {
            let before = state.shown();
            let mut settings = before.clone();
            for (mine, shown) in settings.sections().into_iter().zip(shown.sections()) {
                for (index, field) in mine.settings.fields().iter().enumerate() {
                    if fields.contains(&(mine.id, field.name)) {
                        let _ = mine.settings.set(index, &shown.settings.value(index));
                    }
                }
            }
            settings.settle(&before);
            if fields.contains(&("glass", "path")) {
                glass::fit_box(&mut settings.glass);
            }
            state.take(settings);
        };
        self.edit(Edit::Fields(fields.clone()), edit).1
    }

    pub fn press(&mut self) {
        (self.is_held, self.is_sealed) = (true, true);
    }

    pub fn release(&mut self) {
        self.is_held = false;
        self.last_at = self.last_at.map(|_| self.clock.latest(Instant::now()));
    }

    pub fn can_undo_and_redo(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn undo(&mut self) -> Option<Changed> {
        let step = self.undo.pop()?;
        let (step, parts) = self.exchange(step);
        self.redo.push(step);
        Some(parts)
    }

    pub fn redo(&mut self) -> Option<Changed> {
        let step = self.redo.pop()?;
        let (step, parts) = self.exchange(step);
        self.undo.push(step);
        Some(parts)
    }

    pub fn last_steps(&self) -> [Option<String>; 2] {
        let now = &self.state;
        [
            self.undo.last().map(|step| step.text([&step.other, now])),
            self.redo.last().map(|step| step.text([now, &step.other])),
        ]
    }

    pub fn take_back(&mut self) {
        self.undo();
        self.redo.pop();
    }

    fn exchange(&mut self, mut step: Step) -> (Step, Changed) {
        self.is_sealed = true;
        self.revision += 1;
        let parts = step.parts;
        let state = self.change();
        let scroll = state.settings.scene.scroll;
        state.exchange(&mut step.other, parts);
        state.settings.scene.scroll = scroll;
        state.selected = state.selected.min(state.lenses.len().saturating_sub(1));
        (step, parts)
    }

    fn record(&mut self, kind: Edit, mut before: DocumentState, changed: Changed) {
        let now = Instant::now();
        let since = |at: Instant| self.clock.earliest(now).saturating_duration_since(at);
        let is_soon = self.is_held || self.last_at.is_some_and(|at| since(at) < TOGETHER);
        self.last_at = Some(self.clock.latest(now));
        self.revision += 1;
        self.redo.clear();
        let is_of_lens = matches!(kind, Edit::Fields(_) | Edit::Frost);
        let continues = |step: &&mut Step| {
            let is_same = step.kind == kind && !(is_of_lens && step.other.selected != before.selected);
            is_soon && !self.is_sealed && kind != Edit::Once && is_same
        };
        if let Some(step) = self.undo.last_mut().filter(continues) {
            step.other.exchange(&mut before, changed.zip(step.parts, |new, old| new && !old));
            step.parts = changed.zip(step.parts, |new, old| new || old);
            let differs = Changed::between(&step.other, &self.state).zip(step.parts, |differs, part| differs && part);
            if !differs.any() {
                if let Some(step) = self.undo.pop().filter(|step| step.parts.lenses) {
                    self.state.is_composed = step.other.is_composed;
                }
                self.is_sealed = true;
            }
            return;
        }
        self.is_sealed = false;
        self.undo.push(Step { kind, parts: changed, other: before });
        let surplus = self.undo.len().saturating_sub(STEPS_MAX);
        self.undo.drain(..surplus);
        while self.hidden_files() > FILES_MAX {
            self.undo.remove(0);
        }
    }

    fn hidden_files(&self) -> usize {
        let shown = self.state.files.addresses();
        let steps = self.undo.iter().filter(|step| step.parts.files);
        let mut hidden: Vec<_> = steps.flat_map(|step| step.other.files.addresses()).flatten().collect();
        hidden.retain(|address| !shown.contains(&Some(*address)));
        hidden.sort_unstable();
        hidden.dedup();
        hidden.len()
    }

    fn close_files(&mut self, before: &DocumentState) {
        let (scene, files) = (&self.state.settings.scene, &mut self.state.files);
        let is_same = |index: usize, files: &SceneFiles| files.addresses()[index] == before.files.addresses()[index];
        if scene.motif != before.settings.scene.motif && is_same(0, files) {
            files.picture = None;
        }
        if scene.place != before.settings.scene.place && is_same(1, files) {
            files.world = None;
        }
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
