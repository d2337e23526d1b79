//! Visibility buffer: the triangle and meshlet seen in each pixel, drawn with hidden meshlets culled.

mod alpha_coverage;
mod bench;
mod breaks;
mod checks;
mod compute;
mod coverage_checks;
mod culling;
mod culling_reference;
mod draw;
mod figures;
mod layer_checks;
mod occlusion_checks;
mod pass;
mod path_autotune;
mod path_checks;
pub mod reference;
mod replay;
mod scene_buffers;
mod seam_checks;
mod settings;
mod story;
mod targets;
#[cfg(test)]
mod tests;
mod view_uniforms;
mod views;
mod visibility;

pub use culling::LIST_MAX;
pub use figures::Counts;
pub use settings::{By, MeshletsSettings};
pub use visibility::{Meshlets, Visibility};

use super::{A_WORLD, FrameContext, Info, Output, OutputInfo, PIXELS, Report, Stage, Technique};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Frame, Gpu, ImageView, Result},
    lab::Check,
};
use std::sync::Arc;

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
        checks: &[
            Check::of::<checks::Raster>().draws(),
            Check::of::<seam_checks::Seams>(),
            Check::of::<seam_checks::Edges>(),
            Check::of::<path_checks::Culling>().draws(),
            Check::of::<path_checks::Depths>().draws(),
            Check::of::<layer_checks::Sun>().draws(),
            Check::of::<occlusion_checks::Hidden>().draws(),
            Check::of::<coverage_checks::Masks>().draws(),
            Check::of::<coverage_checks::Layers>().draws(),
            Check::of::<coverage_checks::Shadows>().draws(),
        ],
        benches: &[bench::IDS],
        breaks: breaks::BREAKS,
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
