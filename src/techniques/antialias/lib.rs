//! Temporal antialiasing: each frame samples the world at another subpixel offset, and the picture is the mean over frames.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod accumulator;
mod input;
#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod settings;
mod views;

pub use accumulator::Antialias;
pub use input::{AntialiasInput, Change};
pub use passes::reproject::can_reproject;
pub use settings::{AntialiasSettings, accumulation_size};

use self::passes::{
    reproject::{self, Reprojection},
    resolve::{Pipelines, RESOLVE},
};
use gpu::{Frame, Gpu, ImageView, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{A_WORLD, COLOURS, FrameContext, Info, Output, OutputInfo, Stage, Technique};

impl Technique for Antialias {
    const INFO: Info = Info {
        id: "antialias",
        title: "Antialiasing",
        doc: include_str!("../../../docs/antialias.md"),
        stage: Stage::World,
        views: &views::VIEWS,
        fixed_passes: &[RESOLVE, reproject::FRONT, reproject::REPROJECT],
        outputs: &[OutputInfo {
            name: "light",
            doc: "Linear light as it is shown, the mean over several frames, before particles, exposure and tone curve; in the fourth channel how many samples it is the mean of.",
            elements: &[Element::F16],
            shape: COLOURS,
            needs: A_WORLD,
        }],
        ..Info::NONE
    };
    type Settings = AntialiasSettings;

    fn new(_: &Arc<Gpu>) -> Result<Self> {
        let reprojection = Reprojection::default();
        Ok(Self { pipelines: Pipelines::default(), history: None, index: 0, at_rest: 0, recorded: None, reprojection })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        _: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(recorded) = self.recorded.as_ref().filter(|_| context.world.is_some()) else { return Ok(false) };
        let view = Self::view_index(name)?;
        recorded.view(frame, &self.pipelines, view, picture).map(|()| true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let world = context.world.as_ref()?;
        (name == "light").then(|| (&world.resolved).into())
    }

    fn restart(&mut self) {
        self.forget();
    }
}
