//! Prefix sums and summed-area tables: the sum over any box from four words.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod pipelines;
mod scan_steps;
mod settings;
mod table;
mod table_builder;
mod technique;
mod views;

pub use passes::{
    scan::Scan,
    scan_picture::{RowName, row_names},
};
pub use settings::{FocusBy, Input, SummedAreaSettings};
pub use table::{Method, Precision, Table};
pub use technique::SummedArea;

use ::technique::{FrameContext, Info, Output, OutputInfo, PIXELS, Stage, Technique};
use gpu::{Frame, Gpu, ImageView, Result};
use media::array::Element;
use pipelines::ShaderFeatures;
use std::sync::Arc;

impl Technique for SummedArea {
    const INFO: Info = Info {
        id: "summed_area",
        title: "Summed-area table",
        doc: include_str!("../../../docs/summed_area.md"),
        stage: Stage::Picture,
        views: views::VIEWS,
        outputs: &[OutputInfo {
            name: "table",
            doc: "The summed-area table of the picture under the glass: at each pixel the sum of all at or left of it and at or above it, of \
              8-bit luma modulo 2^32 or of floats 0..1; with summed_area.input = \"rgba\" that of red.",
            elements: &[Element::U32, Element::F32],
            shape: PIXELS,
            needs: "summed_area.every_frame = true or a view of a table, and not summed_area.precision = \"centred\", which has four",
        }],
        ..Info::NONE
    };
    type Settings = SummedAreaSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Self::with_features(gpu, ShaderFeatures::of(gpu))
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        passes::views::draw(&mut self.tables, frame, name, settings, context, picture, self.free_px)?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        let table = self.tables.shown.as_ref().filter(|_| name == "table")?;
        let layout = &table.layout;
        let element = if layout.precision.is_float() { Element::F32 } else { Element::U32 };
        let size = layout.full.map(|n| n as usize);
        (layout.precision != Precision::Centred).then(|| Output::Rows {
            buffer: table.words.clone(),
            element,
            pitch: layout.pitch as usize,
            size,
        })
    }
}
