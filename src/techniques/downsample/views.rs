//! Views of the result, its error and the contributing pixels.

use super::{
    settings::{Light, Method},
    taps::pixel_weights,
};
use gpu::{ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, Result, Use, gpu_struct};
use std::sync::Arc;
use technique::{Golden, Legend, ViewInfo};

gpu_struct! {
    pub(super) struct ReadPush { pub made: [i32; 2] }
}

/// `view_read.comp` repeats the colours of the last.
pub(super) const VIEWS: &[ViewInfo] = &Golden::with(&["downsample.method=bilinear", "downsample.ratio=4"]).of([
    ViewInfo::new(
        "result",
        "Result",
        "The result, enlarged to the size of the picture; its pixels are squares.",
        Legend::None,
    ),
    ViewInfo::new(
        "difference",
        "Difference",
        "Difference of each result pixel from the exact mean of the pixels that it covers, amplified 8 times.",
        Legend::Ramp {
            stops: &[[0, 0, 0], [127, 127, 127], [255, 255, 255]],
            low: "16 of 255 steps darker",
            high: "16 of 255 steps brighter",
        },
    ),
    ViewInfo::new(
        "read",
        "Read pixels",
        "Weight of each picture pixel in the result, relative to equal weights; every other result pixel is shown lighter.",
        Legend::Swatches(&[
            ([20, 22, 28], "not read"),
            ([214, 60, 200], "counts negatively"),
            ([40, 92, 160], "less than half its share"),
            ([64, 176, 120], "about its share (0.5 to 2)"),
            ([240, 190, 60], "2 to 8 times its share"),
            ([250, 96, 56], "more than 8 times"),
        ]),
    ),
]);

type WeightsKey = (Method, [u32; 2], [u32; 2], (u32, bool));

#[derive(Default)]
pub(super) struct Views {
    pipelines: PipelineCache<(&'static str, u32)>,
    weights: Option<(WeightsKey, Image)>,
}

impl Views {
    pub fn pipeline(&self, gpu: &Arc<Gpu>, shader: &'static str, light: Light) -> Result<ComputePipeline> {
        self.pipelines.get((shader, light as u32), |(shader, _)| {
            let constants: &[_] = match *shader {
                "view_read" => &[],
                _ => &[("LINEAR", u32::from(light == Light::Linear))],
            };
            ComputePipeline::new(gpu, &format!("downsample/{shader}.comp"), constants)
        })
    }

    pub fn weights(&mut self, frame: &mut Frame, key: WeightsKey) -> Result<ImageView> {
        let image = match self.weights.take().filter(|(of, _)| *of == key) {
            Some((_, image)) => image,
            None => {
                let (method, from, to, chain) = key;
                let weights: Vec<f32> =
                    pixel_weights(method, from, to, chain).texels.iter().map(|weight| *weight as f32).collect();
                let image =
                    Image::new(frame.gpu(), ImageDesc::new("counted pixels", from, Format::R32F, &[Use::Sample]))?;
                frame.upload(&image.mip(0), &weights)?;
                image
            }
        };
        Ok(self.weights.insert((key, image)).1.mip(0))
    }
}
