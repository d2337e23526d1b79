//! What the panels are told in every frame, and what comes back.

use std::path::PathBuf;

use super::{Device, PresetName, Strip, manipulator::Key, presets::PresetAction};
use crate::renderer::ActiveView;
use crate::scene::Source;
use crate::techniques::{Info, Measurement, Report, Section};

/// What techniques have counted and measured.
#[derive(Clone, Copy, Default)]
pub struct Measured<'a> {
    /// Tables of counts, each with the technique's id.
    pub reports: &'a [(&'static str, Report)],
    /// What can be measured, and what was.
    pub measurements: &'a [Measurement],
}

/// Names of the files that lie under the glass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenFiles {
    /// Instead of the built-in picture.
    pub picture: Option<String>,
    /// Instead of the built-in world.
    pub world: Option<String>,
}

/// Something that is being made beside the frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// What.
    pub what: String,
    /// From 0 to 1, where it is known.
    pub part: Option<f32>,
    /// Whether it is a file, which need not be read to its end.
    pub can_cancel: bool,
}

/// What the panels show in a frame. What outlives frames (timings, messages) is in [`Ui`](super::Ui).
pub struct UiState<'a> {
    /// The settings, in the order to show them; written by the panels.
    pub sections: Vec<Section<'a>>,
    /// The techniques: their pages and views.
    pub infos: &'a [Info],
    /// The view that is on.
    pub shown: Option<ActiveView>,
    /// The presets, in the order of the keys 1 to 9.
    pub presets: &'a [PresetName],
    /// The preset that was loaded last, and whether the settings are still as it left them.
    pub active: Option<(&'a str, bool)>,
    /// Whether there is something to undo, and something to redo.
    pub history: [bool; 2],
    /// What the program runs on.
    pub device: &'a Device,
    /// What was measured.
    pub measured: Measured<'a>,
    /// Size and state of what the frames show, in a sentence.
    pub measured_at: String,
    /// A world is drawn, because it lies under the glass or a view shows its inside.
    pub draws_world: bool,
    /// The files that are open.
    pub files: &'a OpenFiles,
    /// What is being made.
    pub loading: Option<Loading>,
    /// Panels are of glass: the renderer draws it where [`panes`](super::panel_rects::panes) says.
    pub is_glass: bool,
    /// There is a bar with the presets over the picture.
    pub toolbar: bool,
    /// Names for parts of the view that is on.
    pub strips: Vec<Strip>,
    /// Where the line of a split view is, in points from the left.
    pub line: Option<f32>,
    /// What the menu of a lens offers now.
    pub lens: LensState,
    /// What to do first is said over the picture: the 3D scene is seen.
    pub hint: bool,
}

/// What the menu of a lens depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LensState {
    /// How many lenses there are.
    pub count: usize,
    /// There may be one more.
    pub takes_more: bool,
    /// The reference glass is drawn, which is one only.
    pub is_reference: bool,
    /// The camera can drift, and does.
    pub drifts: Option<bool>,
}

/// What the user asked for.
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
    /// Take the last change of settings back.
    Undo,
    /// Make the change again that was taken back.
    Redo,
    /// Put the settings into the clipboard as arguments of the program.
    CopyCommandLine,
    /// Let a file be picked in the desktop's dialogue, and open it.
    PickFile,
    /// Open a picture, a scene or a preset.
    Open(PathBuf),
    /// Read none of the files that are being read.
    CancelReading,
    /// Start a technique's measurement, or start it over.
    Measure(&'static str),
    /// End it with what was measured so far.
    StopMeasuring(&'static str),
    /// Put this text into the clipboard.
    Copy(String),
    /// Put the file away that lies under the glass as this.
    Close(Source),
    /// As if this key of the hand was pressed so many times.
    Press(Key, u8),
    /// Pause the slow drift of the camera, or resume it.
    ToggleDrift,
    /// Write the picture into the folder for pictures.
    TakePicture,
}

/// A key of the panels; which one it is on a keyboard is the application's to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelKey {
    /// The keyboard goes into the panels, or back.
    Focus,
    /// Open this tab.
    Controls,
    /// See above.
    Timings,
    /// See above.
    Device,
    /// Open the help, or close it.
    Help,
    /// Open a file.
    Open,
    /// Undo the last edit.
    Undo,
    /// Make it again.
    Redo,
    /// Show the next view.
    NextView,
    /// Show the one before.
    PreviousView,
    /// Close what lies over the picture.
    Close,
}
