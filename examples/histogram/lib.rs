//! Histogram of the picture's brightness: the smallest whole technique, to be copied.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

#[cfg(feature = "lab")]
mod lab;
mod passes;

use gpu::{Buffer, ComputePipeline, Frame, Gpu, ImageView, Memory, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{FrameContext, Info, Legend, Output, OutputInfo, Stage, Technique, ViewInfo};

/// Largest number of bins.
const BINS_MOST: u32 = 64;

base::settings! {
    /// How many pixels have each brightness.
    pub struct HistogramSettings {
        /// Bins from black to white.
        bins: u32 = 16, range(1, 64);
    }
}

gpu::gpu_struct! {
    /// Push constants of both shaders.
    struct BinsPush { count: u32 }
}

/// Histogram of a picture.
pub struct Histogram {
    count: ComputePipeline,
    view: ComputePipeline,
    bins: Buffer,
    /// Number of bins in the last frame.
    used: u32,
}

impl Technique for Histogram {
    const INFO: Info = Info {
        id: "histogram",
        title: "Histogram",
        doc: include_str!("histogram.md"),
        stage: Stage::Picture,
        views: &[ViewInfo::new("bars", "Bars", "A bar for each bin, from black on the left to white.", Legend::None)],
        outputs: &[OutputInfo {
            name: "bins",
            doc: "Pixels by brightness, from black to white.",
            elements: &[Element::U32],
            shape: "bins",
            needs: "any picture",
        }],
        ..Info::NONE
    };
    type Settings = HistogramSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = |shader| ComputePipeline::new(gpu, shader, &[])?.with_push::<BinsPush>();
        Ok(Self {
            count: pipeline("histogram/count.comp")?,
            view: pipeline("histogram/view.comp")?,
            bins: Buffer::new(gpu, "histogram bins", 4 * u64::from(BINS_MOST), Memory::Device)?,
            used: 0,
        })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        _name: &str,
        settings: &HistogramSettings,
        _context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        self.draw(frame, &self.bins, settings.bins, picture).map(|()| true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        let shape = vec![self.used as usize];
        (name == "bins" && self.used > 0).then(|| Output::Buffer {
            buffer: self.bins.clone(),
            element: Element::U32,
            shape,
        })
    }
}
