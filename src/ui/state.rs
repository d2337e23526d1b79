//! Input of the panels in every frame, and the actions they return.

use std::path::PathBuf;

use super::pair_state::{PairAction, PairState};
use super::{Device, PresetName, Strip, keys::Shortcut, manipulator::LensPart, presets::PresetAction};
use glass::ShaderLanguage;
use instrument::FrameResults;
use renderer::ActiveView;
use scene::Source;
use technique::{Info, Measurement, Report, Section};

#[derive(Clone, Copy, Default)]
pub struct MeasurementState<'a> {
    pub reports: &'a [(&'static str, Report)],
    pub measurements: &'a [Measurement],
    /// Size and state of the displayed content, in a sentence.
    pub subject: &'a str,
    pub untimed: Option<&'static str>,
}

#[derive(Clone, Copy, Default)]
pub struct ViewState<'a> {
    pub shown: Option<ActiveView>,
    pub strips: &'a [Strip],
    /// Of a split view, points from the left.
    pub line: Option<f32>,
}

#[derive(Clone, Copy)]
pub struct PresetState<'a> {
    /// In the order of the keys 1 to 9.
    pub list: &'a [PresetName],
    /// Loaded last, and whether the settings are unchanged since.
    pub active: Option<(&'a str, bool)>,
}

#[derive(Clone, Copy)]
pub struct SceneState<'a> {
    pub draws_world: bool,
    pub files: &'a OpenFiles,
    pub loading: Option<&'a Loading>,
    pub refining: Option<f32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenFiles {
    pub picture: Option<String>,
    pub world: Option<String>,
    pub clip: Option<ClipState>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipState {
    pub frame: usize,
    pub count: usize,
    /// Begin of the frame, seconds.
    pub at_s: f64,
    /// Of the whole clip, seconds.
    pub length_s: f64,
    pub is_paused: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClipAction {
    Toggle,
    Seek(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    pub what: String,
    /// 0 to 1, if known.
    pub part: Option<f32>,
    pub can_cancel: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordingState {
    pub stage: RecordingStage,
    /// Of its file.
    pub bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RecordingStage {
    /// Seconds so far.
    Window(f64),
    Clip {
        part: f32,
        /// As the frames so far went.
        left_s: Option<f64>,
    },
    /// It has ended; the part of its file that is written.
    Ending(f32),
}

impl RecordingState {
    pub fn goes_on(&self) -> bool {
        !matches!(self.stage, RecordingStage::Ending(_))
    }
}

/// Input of the panels in a frame. State that outlives frames (timings, messages) is in [`Ui`](super::Ui).
pub struct UiState<'a> {
    pub sections: Vec<Section<'a>>,
    pub infos: &'a [Info],
    pub view: ViewState<'a>,
    pub presets: PresetState<'a>,
    pub history: [bool; 2],
    pub device: &'a Device,
    pub measured: MeasurementState<'a>,
    pub results: FrameResults<'a>,
    pub pair: Option<PairState<'a>>,
    /// The display allows reading the window's image.
    pub is_readable: bool,
    pub recording: Option<RecordingState>,
    /// Nothing moves by itself.
    pub is_still: bool,
    /// Time of a frame of the display, if known.
    pub display_us: Option<f64>,
    pub scene: SceneState<'a>,
    /// The renderer draws glass at [`panes`](super::panel_rects::panes).
    pub is_glass: bool,
    pub has_hint: bool,
    pub lens: LensState,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LensState {
    pub count: usize,
    /// From the bottom.
    pub selected: usize,
    pub has_several_glasses: bool,
    pub can_add: bool,
    /// A single lens.
    pub is_reference: bool,
    pub at: [f32; 2],
    /// `None` if the camera cannot drift.
    pub drifts: Option<bool>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum UiAction {
    /// A setting, already written by the panels.
    Changed {
        section: &'static str,
        field: &'static str,
    },
    View(Option<ActiveView>),
    Preset(PresetAction),
    CopyCommandLine,
    CopyShader(ShaderLanguage),
    Open(PathBuf),
    Clip(ClipAction),
    CancelReading,
    Measure(&'static str),
    StopMeasuring(&'static str),
    RunCheck,
    /// Settings as `--set` takes them, over the present ones.
    Lay(Vec<&'static str>),
    UseGpu(usize),
    Act(&'static str),
    Copy(String),
    Say(String),
    Close(Source),
    ShareGlass,
    Lens {
        /// From the bottom.
        index: usize,
        /// Value in points or degrees.
        number: Option<(LensPart, f32)>,
    },
    /// A piece of a motif of use: as a click, or to a value of 0 to 1.
    Operate {
        piece: usize,
        to: Option<f32>,
    },
    /// As its key.
    Shortcut(Shortcut),
    /// Begins a recording, or ends what is recorded.
    Record,
    RecordClip,
    ShowFile(PathBuf),
    Pair(PairAction),
    Explain(Option<[u32; 2]>),
    /// For the tile at a pixel of the final image, or at its middle.
    Replay {
        technique: &'static str,
        /// Column and row.
        pixel: Option<[u32; 2]>,
    },
    EndReplay,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelKey {
    Focus,
    /// The tab of the techniques, or from there that of the glass.
    Techniques,
    /// Of the Inspect tab.
    Timings,
    Device,
    Help,
    NextView,
    PreviousView,
    Search,
    /// By its id.
    Instrument(&'static str),
    FinalImage,
    /// Closes what is over the picture, then the view.
    Close,
}
