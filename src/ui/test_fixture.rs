//! Stand-in for the application, and a harness for tests of the panels.

use super::*;
use base::settings::{ShortText, choices, settings};
use base::timing::{FrameTiming, PassTiming};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use instrument::{
    CheckRun, ClockState, FrameResults, PassDetails, PassResources, PinResult, ProbeState, SeenTexels, sample_passes,
};
use renderer::{ActiveView, ViewPlacement};
use std::collections::BTreeMap;
use technique::{Clause, Info, LabInfo, Legend, Section, StepInfo, ViewInfo};

choices! {
    /// Which glass.
    pub enum Mode {
        /// As first described.
        Source = "source",
        /// Ours.
        Lens = "lens",
    }
}

settings! {
    /// The lens.
    pub struct Glass {
        /// Which glass is drawn.
        mode: Mode = Mode::Lens, choice;
        /// Half the width.
        half_width: f32 = 190.0, range(8.0, 2000.0), unit "px", log, group "Shape";
        /// How much it bends.
        ior: f32 = 1.5, range(1.0, 2.5), group "Optics";
        /// Its colour.
        tint: [f32; 3] = [1.0, 1.0, 1.0], color, group "Light";
        /// Whether it casts a shadow.
        shadow: bool = true, group "Light";
        /// How many.
        levels: u32 = 12, range(1, 16);
        /// Where chance begins.
        seed: u32 = 1;
        /// What it says.
        words: ShortText = ShortText::new();
        /// Of a view.
        step: u32 = 1, range(0, 8), view "stuff";
    }
}

settings! {
    /// What is below.
    pub struct Background {
        /// Whether it moves.
        moves: bool = true;
    }
}

pub type Panels = Harness<'static, World>;

#[derive(Default)]
pub struct World {
    pub ui: Option<Ui>,
    pub saved: Option<SavedPanels>,
    pub scene: SceneFiles,
    pub glass: Glass,
    pub more: Vec<Glass>,
    pub shown: Option<ActiveView>,
    pub overlay: Overlay,
    pub device: Device,
    pub presets: Presets,
    pub measurements: Vec<technique::Measurement>,
    pub captures: Captures,
    pub actions: Vec<UiAction>,
}

#[derive(Default)]
pub struct Overlay {
    pub line: Option<f32>,
    pub hint: bool,
    pub lens_at: [f32; 2],
}

#[derive(Default)]
pub struct Captures {
    pub real: Option<techniques::Settings>,
    pub passes: Vec<PassResources>,
    pub results: BTreeMap<u64, PinResult>,
    pub seen: Option<SeenTexels>,
    pub awaited: Option<[u32; 2]>,
    pub story: Option<instruments::inspector::PixelStory>,
    pub replay: Option<technique::Replay>,
    pub pair: Option<OwnedPair>,
    pub probe: Option<lab::DeviceProbe>,
    pub details: PassDetails,
    pub recording: Option<RecordingState>,
}

#[derive(Default)]
pub struct SceneFiles {
    pub settings: Background,
    pub files: OpenFiles,
    pub loading: Option<Loading>,
    pub refining: Option<f32>,
}

#[derive(Default)]
pub struct OwnedPair {
    pub settings: techniques::Settings,
    pub edits_b: bool,
    pub layout: ab::PairLayout,
    pub difference: Option<ab::PairDifference>,
    pub rows: Vec<ab::TimeRow>,
    pub techniques: Vec<ab::TimeRow>,
    pub broken: Option<lab::Break>,
    pub measured_part: Option<f32>,
    pub shaders: Option<std::path::PathBuf>,
    pub progress: [bool; 2],
}

impl OwnedPair {
    fn state(&self) -> pair_state::PairState<'_> {
        let [awaits_step, is_unfinished] = self.progress;
        pair_state::PairState {
            is_ready: true,
            awaits_step,
            is_unfinished,
            broken: self.broken,
            other: &self.settings,
            edits_b: self.edits_b,
            layout: self.layout,
            difference: self.difference.as_ref(),
            rows: &self.rows,
            techniques: &self.techniques,
            measured_part: self.measured_part,
            shaders: self.shaders.as_deref(),
        }
    }
}

#[derive(Default)]
pub struct Presets {
    pub list: Vec<PresetName>,
    pub as_loaded: bool,
}

const SWATCHES: Legend = Legend::Swatches(&[
    ([255, 0, 0], "rough stone"),
    ([0, 255, 0], "polished stone"),
    ([0, 0, 255], "painted wood"),
    ([255, 255, 0], "brushed metal"),
    ([0, 255, 255], "glass of a colour"),
    ([255, 0, 255], "something else"),
]);
pub const DISTANCE: ViewInfo = ViewInfo {
    name: "distance",
    title: "Distance",
    doc: "To the edge.",
    legend: Legend::Ramp { stops: &[[0; 3], [255; 3]], low: "-9 px", high: "9 px" },
    ticks: &[],
    golden: technique::Golden::with(&[]),
};
pub const STUFF: ViewInfo = ViewInfo::new("stuff", "Stuff", "What it is made of.", SWATCHES);
const STORY: &[StepInfo] = &[
    StepInfo::new("final value", Clause::Glass, &[]),
    StepInfo::new("refraction", Clause::Glass, &[]).off("glass.ior=1.0"),
    StepInfo::new("light", Clause::Light, &[]),
    StepInfo::new("mirror", Clause::Mirror, &[]),
    StepInfo::new("visibility", Clause::Surface, &[]),
];
pub const INFOS: &[Info] = &[Info {
    id: "glass",
    stage: technique::Stage::Picture,
    title: "Glass",
    doc: "# Glass\nText of the page.\n\n- **Distance** (`glass/distance`): to the edge.\n\nThe index is `glass.ior`; `source` is as first described, and `glass.ior=2.0` bends more than any glass that there is.\n\n<!-- figure: count -->\n",
    meaning: |image, bits| (image == "ids image").then(|| format!("thing {bits}")),
    views: &[DISTANCE, STUFF],
    lab: LabInfo { replays: "The glass of one tile.", story: STORY, ..LabInfo::NONE },
    ..Info::NONE
}];
const IDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

pub fn view(place: ViewPlacement) -> ActiveView {
    ActiveView { technique: "glass", view: DISTANCE, place }
}

pub fn world() -> World {
    let presets = ["clear", "frosted"].map(|name| PresetName { name: name.into(), title: name.into(), file: None });
    World {
        presets: Presets { list: presets.into(), as_loaded: false },
        captures: Captures { passes: sample_passes(), ..Captures::default() },
        ..World::default()
    }
}

/// With all techniques.
pub fn real() -> World {
    World { captures: Captures { real: Some(techniques::Settings::default()), ..world().captures }, ..world() }
}

fn draw(root: &mut egui::Ui, world: &mut World) {
    let new = || {
        let mut ui = Ui::new(root.ctx());
        ui.dock.is_folded = Some(false);
        world.saved.take().into_iter().for_each(|saved| ui.restore(root.ctx(), saved));
        ui
    };
    let mut ui = world.ui.take().unwrap_or_else(new);
    let scene = Section { id: "scene", title: "Scene", settings: &mut world.scene.settings };
    let glass = Section { id: "glass", title: "Glass", settings: &mut world.glass };
    let more = world.more.iter_mut().zip(IDS).map(|(settings, id)| Section { id, title: id, settings });
    let infos = if world.captures.real.is_some() { techniques::INFOS } else { INFOS };
    let sections = match &mut world.captures.real {
        Some(settings) => settings.sections(),
        None => [scene, glass].into_iter().chain(more).collect(),
    };
    let state = UiState {
        is_glass: false,
        has_hint: world.overlay.hint,
        sections,
        infos,
        view: ViewState { shown: world.shown, strips: &[], line: world.overlay.line },
        presets: PresetState { list: &world.presets.list, active: Some(("frosted", world.presets.as_loaded)) },
        history: [true, false],
        device: &world.device,
        measured: MeasurementState {
            measurements: &world.measurements,
            subject: "1280x720 pixels.",
            reports: &[],
            untimed: None,
        },
        results: FrameResults {
            passes: &world.captures.passes,
            pins: &world.captures.results,
            seen: world.captures.seen.as_ref(),
            saved: &[],
            probe: world.captures.probe.as_ref().map_or_else(Default::default, ProbeState::Known),
            clock: ClockState::Fell(0.78),
            details: Some(&world.captures.details),
            stories: &[],
            steps: world.captures.replay.as_ref(),
            refusal: None,
            check: &CheckRun::Idle,
            is_recorded: false,
        },
        is_readable: true,
        recording: world.captures.recording,
        is_still: false,
        display_us: None,
        pair: world.captures.pair.as_ref().map(OwnedPair::state),
        scene: SceneState {
            draws_world: true,
            files: &world.scene.files,
            loading: world.scene.loading.as_ref(),
            refining: world.scene.refining,
        },
        lens: LensState { count: 1, can_add: true, at: world.overlay.lens_at, ..LensState::default() },
    };
    ui.instruments.inspector.show_sample(world.captures.story.clone(), world.captures.awaited);
    world.actions.extend(ui.show(root, state));
    ui.messages.frame_drawn();
    world.ui = Some(ui);
    for layer in root.ctx().memory(|memory| Vec::from_iter(memory.layer_ids())) {
        root.ctx().graphics(|graphics| {
            let shapes = graphics.get(layer).into_iter().flat_map(|list| list.all_entries());
            shapes.for_each(|clipped| check_sizes(&clipped.shape));
        });
    }
}

/// In every frame of every test of the panels.
fn check_sizes(shape: &egui::Shape) {
    match shape {
        egui::Shape::Vec(inner) => inner.iter().for_each(check_sizes),
        egui::Shape::Text(text) => {
            for section in &text.galley.job.sections {
                let size = section.format.font_id.size;
                assert!(theme::SIZES.contains(&size), "{size} of {:?}", text.galley.text());
            }
        }
        _ => {}
    }
}

/// Passes the results of a drawn frame to the instruments.
pub fn draw_frame(ui: &mut Ui, results: &FrameResults<'_>) {
    let settings = techniques::Settings::default();
    let params = renderer::FrameParams::of(&settings, &[]);
    ui.instruments.receive(results, &instruments::DrawnFrame { params: &params });
}

pub fn harness(world: World, size: [f32; 2], scale: f32) -> Panels {
    let builder = Harness::builder().with_size(size).with_pixels_per_point(scale).with_max_steps(40).with_step_dt(0.05);
    let mut harness = builder.build_ui_state(draw, world);
    harness.run_ok();
    harness
}

pub fn at_1280_after(mut world: World, saved: SavedPanels) -> Panels {
    world.saved = Some(saved);
    at_1280(world)
}

pub fn at_1280(world: World) -> Panels {
    harness(world, [1280.0, 720.0], 1.0)
}

/// The tab of the techniques, with the row of the glass open.
pub fn techniques_of(world: World, size: [f32; 2]) -> Panels {
    let mut harness = harness(world, size, 1.0);
    crate::settings::collapsing::unfold(&harness.ctx, "glass technique");
    harness.press(PanelKey::Techniques);
    harness.run_steps(6);
    harness
}

/// A frame with these passes, each of 10 µs; those of `mip`, three, are unfolded.
pub fn timings_of(world: World, passes: &[&str]) -> Panels {
    let mut harness = at_1280(world);
    harness.click("Inspect");
    let pass = |name: &&str| PassTiming { name: (*name).into(), gpu_us: Some(10.0), ..Default::default() };
    let timing = FrameTiming {
        gpu_us: Some(10.0 * passes.len() as f64),
        passes: passes.iter().map(pass).collect(),
        ..Default::default()
    };
    harness.ui_mut().timings.push(&timing, 0.0);
    harness.run_steps(8);
    harness.click("Mip: 30.0 µs, 30.0 µs, 30.0 µs");
    harness.hover_for("Techniques", 3);
    harness
}

/// Without their groups.
pub fn painted<State>(harness: &Harness<'_, State>) -> Vec<egui::Shape> {
    fn leaves(shape: &egui::Shape, all: &mut Vec<egui::Shape>) {
        match shape {
            egui::Shape::Vec(inner) => inner.iter().for_each(|shape| leaves(shape, all)),
            shape => all.push(shape.clone()),
        }
    }
    let mut all = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| leaves(&clipped.shape, &mut all));
    all
}

/// What a test does with the panels; with `_for`, that many frames follow, for what takes time.
pub trait Hand {
    fn ui(&self) -> &Ui;
    fn ui_mut(&mut self) -> &mut Ui;
    fn click_at(&mut self, at: egui::Pos2);
    fn click(&mut self, label: &str);
    fn click_for(&mut self, label: &str, frames: usize);
    fn click_role(&mut self, role: egui::accesskit::Role, label: &str);
    fn hover_for(&mut self, label: &str, frames: usize);
    fn focus(&mut self, label: &str);
    fn key(&mut self, key: egui::Key);
    fn key_for(&mut self, key: egui::Key, frames: usize);
    fn press(&mut self, key: PanelKey);
    fn has(&self, label: &str) -> bool;
    fn taken(&mut self) -> Vec<UiAction>;
}

impl Hand for Panels {
    fn ui(&self) -> &Ui {
        self.state().ui.as_ref().unwrap()
    }

    fn ui_mut(&mut self) -> &mut Ui {
        self.state_mut().ui.as_mut().unwrap()
    }

    fn click_at(&mut self, at: egui::Pos2) {
        self.hover_at(at);
        self.run_steps(3);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            self.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            self.step();
        }
        self.run_steps(3);
    }

    fn click(&mut self, label: &str) {
        self.get_by_label(label).click();
        self.run_ok();
    }

    fn click_for(&mut self, label: &str, frames: usize) {
        self.get_by_label(label).click();
        self.run_steps(frames);
    }

    fn click_role(&mut self, role: egui::accesskit::Role, label: &str) {
        self.get_by_role_and_label(role, label).click();
        self.run_ok();
    }

    fn hover_for(&mut self, label: &str, frames: usize) {
        self.get_by_label(label).hover();
        self.run_steps(frames);
    }

    fn focus(&mut self, label: &str) {
        self.get_by_label(label).focus();
        self.run_ok();
    }

    fn key(&mut self, key: egui::Key) {
        self.key_press(key);
        self.run_ok();
    }

    fn key_for(&mut self, key: egui::Key, frames: usize) {
        self.key_press(key);
        self.run_steps(frames);
    }

    fn press(&mut self, key: PanelKey) {
        self.ui_mut().press(key);
        self.run_ok();
    }

    fn has(&self, label: &str) -> bool {
        self.query_by_label(label).is_some()
    }

    fn taken(&mut self) -> Vec<UiAction> {
        std::mem::take(&mut self.state_mut().actions)
    }
}
