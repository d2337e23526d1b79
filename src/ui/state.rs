//! Input of the panels in every frame, and the actions they return.

use std::path::PathBuf;

use super::inspector::InspectorState;
use super::limits::LimitsState;
use super::pair_state::{PairAction, PairState};
use super::replay::ReplayState;
use super::viewer::ViewerState;
use super::{
    Device, PresetName, Strip,
    manipulator::{Key, LensPart},
    presets::PresetAction,
};
use crate::instrument::CapturePoint;
use crate::lab::{Break, Card};
use crate::renderer::ActiveView;
use crate::scene::Source;
use crate::techniques::{Info, Measurement, Report, Section, glass::ShaderLanguage};

/// A table of a source document as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceTableState {
    /// Name for a person.
    pub title: &'static str,
    /// The source, what a time is of, and reasons of missing rows.
    pub notes: Vec<String>,
    /// Figures of the source, and of this machine so far.
    pub card: Card,
    /// It waits for another table.
    pub is_queued: bool,
}

/// Counters and measurements of the techniques.
#[derive(Clone, Copy, Default)]
pub struct MeasurementState<'a> {
    /// Tables of counters, each with the technique's id.
    pub reports: &'a [(&'static str, Report)],
    /// Available measurements, with their results.
    pub measurements: &'a [Measurement],
    /// Tables of source documents.
    pub tables: &'a [SourceTableState],
    /// Size and state of the displayed content, in a sentence.
    pub subject: &'a str,
}

/// The active view.
#[derive(Clone, Copy, Default)]
pub struct ViewState<'a> {
    /// The view.
    pub shown: Option<ActiveView>,
    /// Labels for its parts.
    pub strips: &'a [Strip],
    /// Line of a split view, in points from the left.
    pub line: Option<f32>,
}

/// The presets.
#[derive(Clone, Copy)]
pub struct PresetState<'a> {
    /// All of them, in the order of the keys 1 to 9.
    pub list: &'a [PresetName],
    /// The one that was loaded last, and whether the settings are unchanged since.
    pub active: Option<(&'a str, bool)>,
}

/// What is under the glass.
#[derive(Clone, Copy)]
pub struct SceneState<'a> {
    /// A world is drawn, because it is under the glass or a view shows its inside.
    pub draws_world: bool,
    /// The files that are open.
    pub files: &'a OpenFiles,
    /// What is loading.
    pub loading: Option<&'a Loading>,
}

/// Names of the open files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenFiles {
    /// Replaces the built-in picture.
    pub picture: Option<String>,
    /// Replaces the built-in world.
    pub world: Option<String>,
    /// The picture moves.
    pub clip: Option<ClipState>,
}

/// A moving picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipState {
    /// Index of the shown frame.
    pub frame: usize,
    /// Number of frames.
    pub count: usize,
    /// Begin of the frame, seconds.
    pub at_s: f64,
    /// Duration of all of them, seconds.
    pub length_s: f64,
    /// It is paused.
    pub is_paused: bool,
}

/// An action on a moving picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipAction {
    /// Pause it, or play on.
    Toggle,
    /// Show this frame.
    Seek(usize),
}

/// Something that is loaded or built beside the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// Its description.
    pub what: String,
    /// Progress from 0 to 1, if known.
    pub part: Option<f32>,
    /// Whether it is a file, whose loading can be cancelled.
    pub can_cancel: bool,
}

/// What is dropped on purpose.
#[derive(Clone, Copy)]
pub struct BreakState<'a> {
    /// Its name.
    pub of: Break,
    /// What is dropped, in a sentence.
    pub sentence: &'static str,
    /// What to look for, in a sentence.
    pub look_for: &'static str,
    /// Technique and check that notices it.
    pub check: &'a str,
    /// Settings that it needs to show, and that are missing.
    pub lacks: &'a [&'static str],
    /// That check.
    pub run: &'a CheckRun,
}

/// A check with broken shaders.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckRun {
    /// Not requested.
    Idle,
    /// Finished cases, and all of them; both 0 before the first one.
    Running {
        /// Finished cases.
        done: usize,
        /// All of them.
        of: usize,
    },
    /// A case failed.
    Failed {
        /// Its name.
        case: String,
        /// What was wrong.
        text: String,
    },
    /// All passed.
    Passed {
        /// Their number.
        cases: usize,
    },
    /// It cannot run, for this reason.
    Refused(String),
}

/// What the frames consist of.
#[derive(Clone, Copy)]
pub struct InstrumentState<'a> {
    /// What is dropped on purpose.
    pub broken: Option<BreakState<'a>>,
    /// Passes and pinned resources.
    pub viewer: ViewerState<'a>,
    /// Texels under the pointer, and the story of a pixel.
    pub inspector: InspectorState<'a>,
    /// B beside A.
    pub pair: Option<PairState<'a>>,
    /// Limits of the passes and of the device.
    pub limits: LimitsState<'a>,
    /// A workgroup's steps.
    pub replay: Option<ReplayState<'a>>,
}

/// Input of the panels in a frame. State that outlives frames (timings, messages) is in [`Ui`](super::Ui).
pub struct UiState<'a> {
    /// The settings, in display order; written by the panels.
    pub sections: Vec<Section<'a>>,
    /// The techniques: their pages and views.
    pub infos: &'a [Info],
    /// The active view.
    pub view: ViewState<'a>,
    /// The presets.
    pub presets: PresetState<'a>,
    /// Whether undo and redo are possible.
    pub history: [bool; 2],
    /// Device information.
    pub device: &'a Device,
    /// Counters and measurements.
    pub measured: MeasurementState<'a>,
    /// What the frames consist of.
    pub instruments: InstrumentState<'a>,
    /// What is under the glass.
    pub scene: SceneState<'a>,
    /// Parts of the panels that depend on settings and state.
    pub parts: PanelParts,
    /// State for the menu of a lens.
    pub lens: LensState,
}

/// Parts of the panels that depend on settings and state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PanelParts {
    /// Panels are of glass: the renderer draws it at [`panes`](super::panel_rects::panes).
    pub is_glass: bool,
    /// There is a toolbar with the presets over the picture.
    pub has_toolbar: bool,
    /// The first hint is shown: the 3D scene is visible.
    pub has_hint: bool,
}

/// State that the menu of a lens depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LensState {
    /// Number of lenses.
    pub count: usize,
    /// Number of the selected one, from the bottom.
    pub selected: usize,
    /// Some lens has its own glass.
    pub has_own_glass: bool,
    /// Another lens can be added.
    pub can_add: bool,
    /// The reference glass is drawn, which is a single lens.
    pub is_reference: bool,
    /// Centre of the selected lens, in points.
    pub at: [f32; 2],
    /// Whether the camera drifts; `None` if it cannot.
    pub drifts: Option<bool>,
}

/// A requested action.
#[derive(Clone, Debug, PartialEq)]
pub enum UiAction {
    /// A setting, already written, has a new value.
    Changed {
        /// The section's id.
        section: &'static str,
        /// The field's name.
        field: &'static str,
    },
    /// Show this view, or none.
    View(Option<ActiveView>),
    /// Load, save, delete or reset settings.
    Preset(PresetAction),
    /// Undo the last change of settings.
    Undo,
    /// Redo the undone change.
    Redo,
    /// Copy the settings to the clipboard as arguments of the program.
    CopyCommandLine,
    /// Copy the lenses to the clipboard as a shader in this language.
    CopyShader(ShaderLanguage),
    /// Open a file through the desktop's file dialogue.
    PickFile,
    /// Open a picture, a scene or a preset.
    Open(PathBuf),
    /// Play, pause or move the moving picture.
    Clip(ClipAction),
    /// Cancel the loading of all files.
    CancelReading,
    /// Start or restart a technique's measurement.
    Measure(&'static str),
    /// Stop it and keep the results so far.
    StopMeasuring(&'static str),
    /// Run the check that notices what is dropped on purpose.
    RunCheck,
    /// Apply the settings with which it shows.
    ShowBreak,
    /// Measure the table of a source document with this index, or queue that.
    MeasureTable(usize),
    /// Stop that after its current row, and what waits for it.
    StopTables,
    /// Draw on the GPU with this index.
    UseGpu(usize),
    /// Run a technique's action.
    Act(&'static str),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Close the file used as this source.
    Close(Source),
    /// Give all lenses the glass of the selected one.
    ShareGlass,
    /// Select this lens, and give it a number.
    Lens {
        /// Its number, from the bottom.
        index: usize,
        /// Which one, and its value in points or degrees.
        number: Option<(LensPart, f32)>,
    },
    /// As if this manipulator key was pressed this many times.
    Press(Key, u8),
    /// Pause the slow drift of the camera, or resume it.
    ToggleDrift,
    /// Save a picture into the folder for pictures.
    TakePicture,
    /// Record the window, or end that.
    Record,
    /// Save a resource of a pass there.
    SaveResource(CapturePoint),
    /// An action on A and B.
    Pair(PairAction),
    /// Tell the story of a pixel of the final image, or remove the last one.
    Explain(Option<[u32; 2]>),
    /// Replay a technique's workgroup for the tile at a pixel of the final image, or at its middle.
    Replay {
        /// Its id.
        technique: &'static str,
        /// Column and row.
        pixel: Option<[u32; 2]>,
    },
    /// Close the replay.
    EndReplay,
}

/// A command key of the panels; the application maps keyboard keys to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelKey {
    /// Move the focus into the panels, or back.
    Focus,
    /// Open the controls tab.
    Controls,
    /// Open the timings tab.
    Timings,
    /// Open or close the timeline.
    Timeline,
    /// Open the device tab.
    Device,
    /// Open or close the help.
    Help,
    /// Open a file.
    Open,
    /// Undo the last edit.
    Undo,
    /// Redo it.
    Redo,
    /// Show the next view.
    NextView,
    /// Show the previous view.
    PreviousView,
    /// Search views, settings and pages.
    Search,
    /// Inspect pixels, or end that.
    Inspect,
    /// The present settings become B, or B is removed.
    Pair,
    /// Show no view.
    FinalImage,
    /// Close what is over the picture, then the view.
    Close,
}
