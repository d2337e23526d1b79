//! The one owner of what a person edits in the window: settings, lenses, view, camera, files; and the history of these edits.
//!
//! A step of the history begins only in [`Document::edit`], which is called where an edit is committed: by a widget that reports a
//! change, a gesture, a key, a preset, a file. What follows from the window or from time ([`Document::adapt`]) is no step.

use crate::app::lens_layout::{Layout, range};
use crate::app::session::LoadedPreset;
use crate::base::picture::Picture;
use crate::renderer::ActiveView;
use crate::scene::world::World;
use crate::scene::{Lens, SceneSettings};
use crate::techniques::Settings;
use crate::techniques::glass::GlassSettings;
use crate::ui::OpenFiles;
use glam::Vec2;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Edits of one kind that follow each other within this time are one step: notches of the wheel, repeated keys, typed letters.
const TOGETHER: Duration = Duration::from_millis(900);
/// The oldest steps are dropped.
const STEPS_MAX: usize = 200;
/// Files that the history keeps in memory beside those shown.
const FILES_MAX: usize = 4;

/// What an edit changes. Edits of the same kind that follow each other are one step.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Never joined with another.
    Once,
    /// Fields of the panel, by section and name.
    Fields(Vec<(&'static str, &'static str)>),
    /// A lens is held by the pointer or by fingers.
    Drag,
    /// The wheel resizes this lens.
    Resize(usize),
    /// Keys move this lens.
    Move(usize),
    /// Keys turn this lens.
    Turn(usize),
    /// The wheel frosts.
    Frost,
    /// The camera is held by the pointer or by fingers.
    Orbit,
    /// The wheel moves the camera nearer or farther.
    Zoom,
}

/// The files under the glass, with their names.
#[derive(Clone, Default)]
pub struct SceneFiles {
    /// Instead of the built-in picture.
    pub picture: Option<(String, Arc<Picture>)>,
    /// Instead of the built-in world.
    pub world: Option<(String, Arc<World>)>,
}

impl SceneFiles {
    /// Their names.
    pub fn names(&self) -> OpenFiles {
        OpenFiles {
            picture: self.picture.as_ref().map(|(name, _)| name.clone()),
            world: self.world.as_ref().map(|(name, _)| name.clone()),
        }
    }

    fn addresses(&self) -> [Option<*const u8>; 2] {
        let picture = self.picture.as_ref().map(|(_, picture)| Arc::as_ptr(picture).cast());
        [picture, self.world.as_ref().map(|(_, world)| Arc::as_ptr(world).cast())]
    }
}

/// What R goes back to, and what the chips of the presets show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The preset that was loaded last.
    pub preset: Option<LoadedPreset>,
    /// The glass at the start, or as the last preset left it.
    pub glass: GlassSettings,
    /// The lenses then, if a preset placed them.
    pub layout: Option<Layout>,
}

impl Origin {
    /// The preset that was loaded last, and whether the glass is still as it left it. Lengths and angles that went to a lens and back may be
    /// rounded.
    pub fn active(&self, glass: &GlassSettings) -> Option<(&str, bool)> {
        const ROUNDED: f32 = 1e-5;
        let LoadedPreset { name, glass: loaded } = self.preset.as_ref()?;
        let mut now = glass.clone();
        let both = [
            (&mut now.half_width, loaded.half_width),
            (&mut now.half_height, loaded.half_height),
            (&mut now.radius, loaded.radius),
            (&mut now.angle, loaded.angle),
        ];
        for (now, loaded) in both {
            if (*now - loaded).abs() <= ROUNDED * loaded.abs().max(1.0) {
                *now = loaded;
            }
        }
        Some((name.as_str(), now == *loaded))
    }
}

/// What is edited.
#[derive(Clone, Default)]
pub struct DocumentState {
    /// All settings. The shape fields of the glass show the selected lens.
    pub settings: Settings,
    /// The lenses at rest, in pixels, in the order in which they were added.
    pub lenses: Vec<Lens>,
    /// The lens that keys and panels edit.
    pub selected: usize,
    /// The view that is shown.
    pub view: Option<ActiveView>,
    /// Seconds for which the camera has drifted.
    pub drifted_s: f32,
    /// The files under the glass.
    pub files: SceneFiles,
    /// What R goes back to.
    pub origin: Origin,
}

impl DocumentState {
    /// The camera goes back to where the scene begins.
    pub fn reset_camera(&mut self) {
        let (scene, fresh) = (&mut self.settings.scene, SceneSettings::default());
        (scene.orbit, scene.height, scene.zoom) = (fresh.orbit, fresh.height, fresh.zoom);
        (scene.pan_x, scene.pan_y, scene.pan_z) = (fresh.pan_x, fresh.pan_y, fresh.pan_z);
        self.drifted_s = 0.0;
    }

    /// Gives the selected lens the shape that the settings say; `scale`: pixels for each of their units.
    pub fn shape_selected(&mut self, scale: f32) {
        if let Some(lens) = self.lenses.get_mut(self.selected) {
            *lens = self.settings.glass.placed(lens.center, scale);
        }
    }

    /// Shows the shape of the selected lens in the settings.
    pub fn show_selected(&mut self, scale: f32) {
        if let Some(lens) = self.lenses.get(self.selected) {
            show_shape(&mut self.settings.glass, lens, scale);
        }
    }

    /// Exchanges these parts.
    fn exchange(&mut self, other: &mut Self, parts: Changed) {
        if parts.settings {
            std::mem::swap(&mut self.settings, &mut other.settings);
        }
        if parts.lenses {
            std::mem::swap(&mut self.lenses, &mut other.lenses);
            std::mem::swap(&mut self.selected, &mut other.selected);
        }
        if parts.view {
            std::mem::swap(&mut self.view, &mut other.view);
        }
        if parts.drift {
            std::mem::swap(&mut self.drifted_s, &mut other.drifted_s);
        }
        if parts.files {
            std::mem::swap(&mut self.files, &mut other.files);
        }
        if parts.origin {
            std::mem::swap(&mut self.origin, &mut other.origin);
        }
    }
}

/// The parts of a document that an edit changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changed {
    /// Settings, but for actions and for the shape of the selected lens.
    pub settings: bool,
    /// Places and shapes of lenses, or how many there are.
    pub lenses: bool,
    /// The view.
    pub view: bool,
    /// How far the camera has drifted.
    pub drift: bool,
    /// The files.
    pub files: bool,
    /// What R goes back to.
    pub origin: bool,
}

impl Changed {
    fn between(before: &DocumentState, now: &DocumentState) -> Self {
        Self {
            settings: compared(&before.settings) != compared(&now.settings),
            lenses: before.lenses != now.lenses,
            view: before.view != now.view,
            drift: before.drifted_s != now.drifted_s,
            files: before.files.addresses() != now.files.addresses(),
            origin: before.origin != now.origin,
        }
    }

    fn zip(self, other: Self, join: fn(bool, bool) -> bool) -> Self {
        Self {
            settings: join(self.settings, other.settings),
            lenses: join(self.lenses, other.lenses),
            view: join(self.view, other.view),
            drift: join(self.drift, other.drift),
            files: join(self.files, other.files),
            origin: join(self.origin, other.origin),
        }
    }

    /// Whether any part did.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// What edits are compared by: without actions (buttons of the panel) and without the shape, which belongs to a lens.
fn compared(settings: &Settings) -> Settings {
    let mut compared = settings.clone();
    keep_actions(&mut compared, &mut Settings::default());
    let fresh = GlassSettings::default();
    let glass = &mut compared.glass;
    (glass.half_width, glass.half_height, glass.angle) = (fresh.half_width, fresh.half_height, fresh.angle);
    (glass.shape, glass.exponent, glass.radius) = (fresh.shape, fresh.exponent, fresh.radius);
    (glass.text, glass.weight) = (fresh.text, fresh.weight);
    compared
}

/// Gives the switches that stand for actions (a pause, a restart) the state that they have in `from`.
fn keep_actions(settings: &mut Settings, from: &mut Settings) {
    for (section, from) in settings.sections().into_iter().zip(from.sections()) {
        let fields = section.settings.fields().iter().enumerate();
        for (index, _) in fields.filter(|(_, field)| !field.button.is_empty()) {
            // The value is one that this field has.
            let _ = section.settings.set(index, &from.settings.value(index));
        }
    }
}

/// Shows the shape of a lens in the settings, within the ranges that they allow; `scale`: pixels for each of their units.
fn show_shape(glass: &mut GlassSettings, lens: &Lens, scale: f32) {
    let within = |name, value: f32| range(name).map_or(value, |[low, high]| value.clamp(low, high));
    glass.half_width = within("half_width", lens.half.x / scale);
    glass.half_height = within("half_height", lens.half.y / scale);
    glass.radius = within("radius", lens.radius / scale);
    glass.exponent = within("exponent", lens.exponent);
    glass.weight = within("weight", lens.weight);
    glass.angle = within("angle", lens.angle.to_degrees());
    (glass.shape, glass.text) = (lens.shape, lens.text);
}

/// A step of the history.
struct Step {
    kind: Edit,
    /// The parts that it changed.
    parts: Changed,
    /// These parts as they were before it; after it has been undone, as it left them.
    other: DocumentState,
}

/// See the module.
#[derive(Default)]
pub struct Document {
    state: DocumentState,
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// The pointer or a finger is down.
    is_held: bool,
    /// The last step is complete.
    is_sealed: bool,
    /// When the last edit was made, or the pointer let go.
    last_at: Option<Instant>,
    revision: u64,
}

impl Document {
    /// A document without a history.
    pub fn new(state: DocumentState) -> Self {
        Self { state, ..Self::default() }
    }

    /// All of it.
    pub fn state(&self) -> &DocumentState {
        &self.state
    }

    /// All settings.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// To be changed by what is no edit: the window's size, time that passes, the file that the program was started with.
    pub fn adapt(&mut self) -> &mut DocumentState {
        &mut self.state
    }

    /// The display's scale changed by this factor: lenses keep their size in logical pixels, now and after an undo.
    pub fn rescale(&mut self, ratio: f32) {
        let steps = self.undo.iter_mut().chain(&mut self.redo).map(|step| &mut step.other);
        for lens in steps.chain([&mut self.state]).flat_map(|state| &mut state.lenses) {
            lens.center *= ratio;
            lens.half *= ratio;
            lens.radius *= ratio;
        }
    }

    /// Makes an edit: a step of the history, if it changed anything. What the change answers, and what it changed.
    pub fn edit<T>(&mut self, kind: Edit, change: impl FnOnce(&mut DocumentState) -> T) -> (T, Changed) {
        let before = self.state.clone();
        let answer = change(&mut self.state);
        self.close_files(&before);
        let changed = Changed::between(&before, &self.state);
        if changed.any() {
            self.record(kind, before, changed);
        }
        (answer, changed)
    }

    /// Takes the values of these fields from `shown`, the settings as a panel has written them. All else that it wrote (a value rounded to
    /// what its widget can show) is no edit.
    pub fn edit_fields(
        &mut self,
        fields: Vec<(&'static str, &'static str)>,
        shown: &mut Settings,
        scale: f32,
    ) -> Changed {
        let edit = |state: &mut DocumentState| {
            let before = state.settings.clone();
            for (mine, shown) in state.settings.sections().into_iter().zip(shown.sections()) {
                for (index, field) in mine.settings.fields().iter().enumerate() {
                    if fields.contains(&(mine.id, field.name)) {
                        // The widget keeps within the range.
                        let _ = mine.settings.set(index, &shown.settings.value(index));
                    }
                }
            }
            state.settings.settle(&before);
            // The settings show a lens within their ranges: it keeps its own shape unless that is edited.
            let shape = |settings: &Settings| settings.glass.placed(Vec2::ZERO, 1.0);
            if shape(&before) != shape(&state.settings) {
                state.shape_selected(scale);
            }
        };
        self.edit(Edit::Fields(fields.clone()), edit).1
    }

    /// A button or a finger goes down: what follows is a gesture of its own.
    pub fn press(&mut self) {
        (self.is_held, self.is_sealed) = (true, true);
    }

    /// It goes up.
    pub fn release(&mut self) {
        self.is_held = false;
        self.last_at = self.last_at.map(|_| Instant::now());
    }

    /// Whether there is something to undo, and something to redo.
    pub fn holds(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// A number that each edit, undo and redo changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Undoes the last step. The parts that it had changed; nothing where there is no step.
    pub fn undo(&mut self, scale: f32) -> Option<Changed> {
        let step = self.undo.pop()?;
        let (step, parts) = self.turn(step, scale);
        self.redo.push(step);
        Some(parts)
    }

    /// Makes the step again that was undone last. The parts that it changed; nothing where there is no step.
    pub fn redo(&mut self, scale: f32) -> Option<Changed> {
        let step = self.redo.pop()?;
        let (step, parts) = self.turn(step, scale);
        self.undo.push(step);
        Some(parts)
    }

    /// Exchanges the parts of a step with those of the document.
    fn turn(&mut self, mut step: Step, scale: f32) -> (Step, Changed) {
        self.is_sealed = true;
        self.revision += 1;
        let parts = step.parts;
        keep_actions(&mut step.other.settings, &mut self.state.settings);
        self.state.exchange(&mut step.other, parts);
        self.state.selected = self.state.selected.min(self.state.lenses.len().saturating_sub(1));
        self.state.show_selected(scale);
        (step, parts)
    }

    fn record(&mut self, kind: Edit, mut before: DocumentState, changed: Changed) {
        let is_soon = self.is_held || self.last_at.is_some_and(|at| at.elapsed() < TOGETHER);
        self.last_at = Some(Instant::now());
        self.revision += 1;
        self.redo.clear();
        let goes_on = |step: &&mut Step| is_soon && !self.is_sealed && kind != Edit::Once && step.kind == kind;
        if let Some(step) = self.undo.last_mut().filter(goes_on) {
            step.other.exchange(&mut before, changed.zip(step.parts, |new, old| new && !old));
            step.parts = changed.zip(step.parts, |new, old| new || old);
            let differs = Changed::between(&step.other, &self.state).zip(step.parts, |differs, part| differs && part);
            if !differs.any() {
                // A drag that was cancelled, or that ended where it began.
                self.undo.pop();
                self.is_sealed = true;
            }
            return;
        }
        self.is_sealed = false;
        self.undo.push(Step { kind, parts: changed, other: before });
        let surplus = self.undo.len().saturating_sub(STEPS_MAX);
        self.undo.drain(..surplus);
        while self.files_kept() > FILES_MAX {
            self.undo.remove(0);
        }
    }

    /// How many files the history keeps in memory that are not shown.
    fn files_kept(&self) -> usize {
        let shown = self.state.files.addresses();
        let steps = self.undo.iter().filter(|step| step.parts.files);
        let mut kept: Vec<_> = steps.flat_map(|step| step.other.files.addresses()).flatten().collect();
        kept.retain(|address| !shown.contains(&Some(*address)));
        kept.sort_unstable();
        kept.dedup();
        kept.len()
    }

    /// Another built-in picture or world closes a file.
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
