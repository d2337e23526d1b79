//! Visibility buffer: the triangle and meshlet seen in each pixel, drawn with hidden meshlets culled.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod figures;
#[cfg(feature = "lab")]
pub mod lab;
mod pass;
mod passes;
mod path_autotune;
mod scene_buffers;
mod settings;
mod view_uniforms;
mod views;
mod visibility;

pub use figures::Counts;
pub use passes::culling::LIST_MAX;
pub use settings::{By, MeshletsSettings};
pub use visibility::{Meshlets, Visibility};

use self::passes::targets::IDS;
use base::timing::FrameTiming;
use gpu::{Frame, Gpu, ImageView, Result};
use media::array::Element;
use scene::world::VisibilityId;
use std::sync::Arc;
use technique::{A_WORLD, FrameContext, Info, Output, OutputInfo, PIXELS, Report, Stage, Technique};

impl Technique for Meshlets {
    const INFO: Info = Info {
        id: "meshlets",
        title: "Meshlet IDs",
        doc: include_str!("../../../docs/meshlets.md"),
        stage: Stage::World,
        views: &views::VIEWS,
        outputs: &[
            OutputInfo {
                name: "ids",
                doc: "ID of what each pixel shows: (meshlet instance + 1) << 7 | triangle, 0 for nothing.",
                elements: &[Element::U32],
                shape: PIXELS,
                needs: A_WORLD,
            },
            OutputInfo {
                name: "depth",
                doc: "Depth per pixel: near plane distance divided by view distance, 0 where nothing is drawn.",
                elements: &[Element::F32],
                shape: PIXELS,
                needs: A_WORLD,
            },
            OutputInfo {
                name: "shadow",
                doc: "Shadow map of the sun: 1 nearest to the sun, 0 where nothing is drawn.",
                elements: &[Element::F32],
                shape: "side x side",
                needs: A_WORLD,
            },
        ],
        meaning: |image, bits| (image == IDS).then(|| VisibilityId(bits).text()),
        ..Info::NONE
    };
    type Settings = MeshletsSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Self::listing(gpu, LIST_MAX)
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(world) = &context.world else { return Ok(false) };
        self.view(frame, name, settings, world, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let world = context.world.as_ref()?;
        match name {
            "ids" => Some((&world.ids).into()),
            "depth" => Some((&world.depth).into()),
            "shadow" => Some((&world.shadow.depth).into()),
            _ => None,
        }
    }

    fn restart(&mut self) {
        self.history = None;
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.auto.on_timing(timing, Self::ID);
        self.figures.on_timing(timing)
    }

    fn table(&self) -> Option<Report> {
        self.figures.report()
    }
}
