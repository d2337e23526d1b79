//! The trait of an instrument, what its panel gets, and what instruments tell each other.

use super::argument::{ArgumentInfo, RunInfo};
use crate::keys::Line;
use crate::timings::{HoveredPass, Timings};
use crate::{UiAction, UiState};
use egui::{Context, Rect, Ui};
use glam::Vec2;
use instrument::{FrameRequest, FrameResults, PictureView, Texels};
use renderer::FrameParams;
use scene::Lens;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;
use technique::{Info, Section};

pub struct InstrumentInfo {
    pub id: &'static str,
    pub title: &'static str,
    /// Lines of the Help tab; their keys press the instrument.
    pub keys: &'static [Line],
    /// Label and hint of a switch above the views.
    pub switch: Option<[&'static str; 2]>,
    /// Options of `meniscus headless`.
    pub arguments: &'static [ArgumentInfo],
    /// Page in Markdown; empty: none.
    pub page: &'static str,
}

impl InstrumentInfo {
    pub const NONE: Self = Self { id: "", title: "", keys: &[], switch: None, arguments: &[], page: "" };
}

/// A switch as it is now.
pub struct Switch {
    pub id: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
    pub is_on: bool,
}

pub type Draw = Box<dyn Fn(&mut Ui)>;

/// Of the last frame of a headless run.
#[derive(Default)]
pub struct InstrumentReport {
    pub text: String,
    /// In the JSON of the run.
    pub json: Option<Value>,
    /// Argument that asks for the files.
    pub option: &'static str,
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// PNG files, and what draws them.
    pub drawings: Vec<(PathBuf, Draw)>,
    /// The run fails with this line, when the files are written.
    pub failure: Option<String>,
}

/// A setting that an instrument chooses.
pub struct Choice {
    pub section: &'static str,
    pub field: &'static str,
    pub value: toml::Value,
    /// Not in a view.
    pub is_in_picture: bool,
}

impl Choice {
    /// `section` is its own.
    pub fn make(&self, section: &mut Section<'_>) -> Option<UiAction> {
        let index = section.settings.index_of(self.field)?;
        section.settings.set(index, &self.value).ok()?;
        Some(UiAction::Changed { section: self.section, field: self.field })
    }
}

/// What instruments tell each other: none of them names another.
#[derive(Default)]
pub struct Signals {
    /// Row of the timings or bar of the timeline under the pointer.
    pub hovered: Option<HoveredPass>,
    /// Passes to pin, or to unpin.
    pub clicked: Vec<String>,
    /// Passes whose limits a table shows.
    pub limited: Vec<String>,
    /// Passes whose details open, or close, and texts of the lines at which their source opens; without, at `main`.
    pub detailed: Vec<(String, &'static [&'static str])>,
    /// Texels that are read on each side of the one under the pointer.
    pub reach: u32,
    /// Where the renderer draws over the panels, in the last frame.
    pub holes: Vec<Rect>,
    /// Pixel whose story is shown or awaited, in the last frame.
    pub story: Option<[u32; 2]>,
    /// Room for a pinned pass below the story, where it does not cover the pixel.
    pub below_story: Option<Rect>,
    /// Passes were pinned in the last frame.
    pub has_pins: bool,
    /// Pinned pass, and the texel under the pointer in its picture, in the last frame.
    pub texel: Option<[String; 2]>,
}

/// A frame that was drawn.
pub struct DrawnFrame<'a> {
    pub params: &'a FrameParams<'a>,
}

/// The window when an action arrives.
pub struct ActContext<'a> {
    pub has_pair: bool,
    /// The display allows reading the window's image.
    pub is_readable: bool,
    pub lenses: &'a [Lens],
    /// Pixels per unit of the lenses' lengths.
    pub scale: f32,
    /// Pixels that no panel covers.
    pub free_px: Vec2,
}

#[derive(Debug, PartialEq)]
pub enum Acted {
    /// It is not the instrument's.
    No,
    Done,
    /// A state of the program does not allow it.
    Refused(String),
    /// The system does not.
    Failed(String),
}

/// A texel of a captured picture, under the pointer.
pub struct PointedTexel<'a> {
    pub at: [u32; 2],
    /// `None` until they are read.
    pub texels: Option<&'a Texels>,
    pub view: PictureView,
    /// What its numbers mean, if a technique says it.
    pub meaning: Option<String>,
    /// The last pass that wrote it.
    pub writer: Option<&'a str>,
}

pub struct PanelContext<'a, 's> {
    pub state: &'a UiState<'s>,
    pub timings: &'a Timings,
    /// No page and no sheet covers the picture.
    pub is_free: bool,
    /// The Inspect tab is open.
    pub is_inspecting: bool,
    pub signals: &'a mut Signals,
    pub pointed: Option<PointedTexel<'s>>,
    pub actions: &'a mut Vec<UiAction>,
}

/// In a frame the panels come first, in the order of the list, then the requests, then the frame, then its results and those of earlier ones.
pub trait Instrument {
    /// Its panel, its mode or its pictures are visible.
    fn is_shown(&self, state: &UiState<'_>) -> bool;

    /// Its key, or its switch. Returns whether the panels must be visible.
    fn press(&mut self, _state: &UiState<'_>, _actions: &mut Vec<UiAction>) -> bool {
        false
    }

    /// Escape: closes what can be closed; `false` if there is nothing.
    fn close(&mut self, _state: &UiState<'_>, _actions: &mut Vec<UiAction>) -> bool {
        false
    }

    /// Its switch is on.
    fn is_on(&self, state: &UiState<'_>) -> bool {
        self.is_shown(state)
    }

    /// The step of the tour about it is done.
    fn is_tried(&self, state: &UiState<'_>) -> bool {
        self.is_on(state)
    }

    /// The pointer over the picture is the instrument's.
    fn takes_pointer(&self) -> bool {
        false
    }

    /// Above the table of the Inspect tab.
    fn tab(&mut self, _ui: &mut Ui, _state: &UiState<'_>) {}

    /// Table in place of the present one, and what it was measured at.
    fn frozen(&mut self, _measured_at: &str) -> Option<(&mut Timings, &str)> {
        None
    }

    /// Below the buttons of a technique's section, and on its page.
    fn links(&self, _: &mut Ui, _: &Info, _: &FrameResults<'_>, _: &mut Vec<UiAction>) -> Option<Choice> {
        None
    }

    /// Below the fields of a section.
    fn card(&self, _ui: &mut Ui, _section: &str, _results: &FrameResults<'_>, _actions: &mut Vec<UiAction>) {}

    /// Draws its panel in `space`, and returns what is left of it.
    fn panel(&mut self, _ctx: &Context, space: Rect, _panel: &mut PanelContext<'_, '_>) -> Rect {
        space
    }

    /// Over all panels; `space` is what they left.
    fn overlay(&mut self, _ctx: &Context, _space: Rect, _panel: &mut PanelContext<'_, '_>) {}

    /// What the next frame has to capture. Also called while the panels are hidden.
    fn request(&mut self, _signals: &mut Signals, _frame: &mut FrameRequest) {}

    /// When a frame was drawn, with what is known by then. Returns whether the panels change.
    fn receive(&mut self, _results: &FrameResults<'_>, _frame: &DrawnFrame<'_>) -> bool {
        false
    }

    /// An action of the panels.
    fn act(&mut self, _action: &UiAction, _window: &ActContext<'_>, _signals: &Signals) -> Acted {
        Acted::No
    }

    /// Writes what the next launch restores.
    fn save(&self, _memory: &mut toml::Table) {}

    fn restore(&mut self, _memory: &toml::Table) {}

    /// An argument of the command line, with its value; the error is the whole line.
    fn argue(&mut self, _name: &str, _value: &OsStr, _run: &RunInfo) -> Result<(), String> {
        Ok(())
    }

    /// Of a headless run. `device`: its name and its driver. The error is
    /// the whole line, of a bad argument.
    fn report(&self, _results: &FrameResults<'_>, _device: [&str; 2]) -> Result<InstrumentReport, String> {
        Ok(InstrumentReport::default())
    }
}
