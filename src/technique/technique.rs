//! Interface of a technique, and its description for lists.

use super::{
    context::FrameContext,
    lab_info::LabInfo,
    legend::Legend,
    output::{Output, OutputInfo},
};
use base::{
    settings::{self, AnySettings},
    text,
    timing::{FrameTiming, PassId},
};
use gpu::{Frame, Gpu, ImageView};
use std::sync::Arc;

/// Images and buffers of a frame, for reading back.
pub type NamedOutputs = Vec<(&'static str, Output)>;

/// What a frame, a panel and a preset need. What proves and shows a technique are the capabilities that the list names
/// ([`LabInfo`](super::LabInfo)).
pub trait Technique: Sized {
    const INFO: Info;
    const ID: &'static str = Self::INFO.id;
    type Settings: settings::Settings;

    fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self>;
    /// One field may set others; `before` is `None` where a preset was named.
    fn settle(_before: Option<&Self::Settings>, _now: &mut Self::Settings) {}
    /// `is_shown`: a world is under the glass.
    fn views_world(_settings: &Self::Settings, _is_shown: bool) -> bool {
        Self::INFO.stage == Stage::World
    }
    /// And what to choose instead.
    fn unsupported(_settings: &Self::Settings, _gpu: &Gpu) -> Option<String> {
        None
    }
    /// Covers `picture`, sRGB-encoded; false if its subject is missing.
    fn draw_view(
        &mut self,
        _frame: &mut Frame,
        name: &str,
        _settings: &Self::Settings,
        _context: &FrameContext,
        _picture: &ImageView,
    ) -> gpu::Result<bool> {
        Self::view_index(name).map(|_| false)
    }
    /// Index by which shaders select a view.
    fn view_index(name: &str) -> gpu::Result<u32> {
        let index = (0..).zip(Self::INFO.views).find(|(_, view)| view.name == name).map(|(index, _)| index);
        index.ok_or_else(|| gpu::Error::Pass { pass: format!("{}/view", Self::ID), problem: format!("no view {name}") })
    }
    /// Outputs that are not made otherwise, for all later frames.
    fn prepare_outputs(&mut self, _names: &[&str]) {}
    /// `None` without what it needs ([`OutputInfo::needs`]).
    fn output(&self, _name: &str, _context: &FrameContext) -> Option<Output> {
        None
    }
    fn on_timing(&mut self, _timing: &FrameTiming) -> gpu::Result<()> {
        Ok(())
    }
    fn wants_frame(&self) -> bool {
        false
    }
    fn table(&self) -> Option<Report> {
        None
    }
    fn restart(&mut self) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Drawn again only where the camera, the scene or a setting of this stage changes, with the world's pixels.
    World,
    /// Works on the finished picture under the glass.
    Picture,
    Glass,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewInfo {
    /// After the slash of `--view technique/name`.
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    pub legend: Legend,
    /// At equal distances along a ramp, from its low end.
    pub ticks: &'static [&'static str],
    pub golden: Golden,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Golden {
    /// As for `--set`: what differs between drivers is fixed.
    pub settings: &'static [&'static str],
    /// Pixels next to outlines that may differ by any step.
    pub ties: usize,
    pub is_kept: bool,
}

impl Golden {
    pub const fn with(settings: &'static [&'static str]) -> Self {
        Self { settings, ties: 0, is_kept: true }
    }

    pub const fn of<const N: usize>(self, mut views: [ViewInfo; N]) -> [ViewInfo; N] {
        let mut at = 0;
        while at < N {
            views[at].golden = self;
            at += 1;
        }
        views
    }
}

impl ViewInfo {
    pub const fn new(name: &'static str, title: &'static str, doc: &'static str, legend: Legend) -> Self {
        Self { name, title, doc, legend, ticks: &[], golden: Golden::with(&[]) }
    }

    pub const fn ticks(mut self, ticks: &'static [&'static str]) -> Self {
        self.ticks = ticks;
        self
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub title: String,
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy)]
pub struct Info {
    /// Word in pass paths, presets, `--set`, folders.
    pub id: &'static str,
    pub title: &'static str,
    /// Its page, in Markdown.
    pub doc: &'static str,
    pub stage: Stage,
    pub views: &'static [ViewInfo],
    pub outputs: &'static [OutputInfo],
    /// Their size is the picture's, whatever the resolution of the world.
    pub fixed_passes: &'static [PassId],
    /// What an integer of its image of this name means.
    pub meaning: fn(&str, u32) -> Option<String>,
    /// Label and effect of the button for [`Technique::restart`].
    pub action: Option<(&'static str, &'static str)>,
    /// Filled in by the list.
    pub lab: LabInfo,
}

impl Info {
    pub const NONE: Self = Self {
        id: "",
        title: "",
        doc: "",
        stage: Stage::Picture,
        views: &[],
        outputs: &[],
        fixed_passes: &[],
        meaning: |_, _| None,
        action: None,
        lab: LabInfo::NONE,
    };

    pub fn output(&self, name: &str) -> Result<&'static OutputInfo, String> {
        self.outputs.iter().find(|output| output.is_called(name)).ok_or_else(|| {
            let names: Vec<_> = self.outputs.iter().map(|output| output.example(0)).collect();
            let names = names.iter().map(String::as_str);
            format!("{} has no output {name:?}{}", self.id, text::suggestion(name, names))
        })
    }
}

pub struct Section<'a> {
    pub id: &'static str,
    pub title: &'static str,
    pub settings: &'a mut dyn AnySettings,
}
