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

use super::{
    A_WORLD, FrameContext, Output, OutputInfo, PIXELS, Replay, Report, Stage, Step, StoryPixel, Technique, ViewInfo,
};
use crate::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Frame, Gpu, ImageView, Result},
    lab::{Bench, BreakInfo, Check},
};
use std::sync::Arc;

impl Technique for Meshlets {
    const ID: &'static str = "meshlets";
    const TITLE: &'static str = "Meshlet IDs";
    const DOC: &'static str = include_str!("../../../docs/meshlets.md");
    const STAGE: Stage = Stage::World;
    const VIEWS: &'static [ViewInfo] = &views::VIEWS;
    const OUTPUTS: &'static [OutputInfo] = &[
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
    ];
    const REPLAYS: &'static str = "One cluster of one tile: sphere, cone, pyramid, triangles, IDs.";
    const BREAKS: &'static [BreakInfo] = breaks::BREAKS;
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
        self.view(frame, name, settings, &world.resident, &world.camera, picture)?;
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

    fn evidence(&self, context: &FrameContext) -> Vec<(&'static str, Output)> {
        story::evidence(context)
    }

    fn explain(&self, _: &MeshletsSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        story::explain(pixel)
    }

    fn record_replay(
        &self,
        _: &mut Frame,
        settings: &Self::Settings,
        context: &FrameContext,
    ) -> Result<Vec<(&'static str, Output)>> {
        Ok(replay::evidence(self, settings, context))
    }

    fn replay(&self, settings: &Self::Settings, pixel: &StoryPixel<'_>) -> std::result::Result<Replay, String> {
        replay::replay(self, settings, pixel)
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

    fn checks() -> Vec<Check> {
        vec![
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
        ]
    }

    fn benches() -> Vec<Bench> {
        vec![bench::IDS]
    }
}
