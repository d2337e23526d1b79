//! Measurement of one method on one picture: times by the host's clock and on the GPU, and quality.

use super::{
    quality::{Quality, Reference, ResultImage},
    reference::{self, Bytes, Plane},
};
use crate::{
    passes::methods::{ChainSource, DownsampleInput, Passes, sums_request},
    plan,
    settings::{DownsampleSettings, Light, Method, Source},
    zone_plate::zone_plate,
};
use glam::DVec4;
use gpu::{Error, Frame, Image, ImageView, Result};
use lab::{BENCH_CACHES, Spread, TestBench, Took};
use technique::{Sums, SumsRequest};

/// Microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// To record, submit and wait for the first frame; host clock.
    pub first_cpu: f64,
    pub later_cpu: Spread,
    /// `None` without timestamps.
    pub gpu: Option<Spread>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    pub method: Method,
    pub timing: Timing,
    pub quality: Quality,
}

pub trait MethodInputs {
    fn chain(&mut self, frame: &mut Frame, picture: &ImageView) -> Result<ChainSource>;

    fn sums(&mut self, frame: &mut Frame, request: SumsRequest) -> Result<Option<Sums>>;
}

const LATER: usize = 8;

/// With the picture moved by a pixel, and the reference of both results.
pub struct Material {
    settings: DownsampleSettings,
    pictures: [Image; 2],
    from: [u32; 2],
    reference: Reference,
}

impl Material {
    /// `rgba`: sRGB-encoded. The settings' method does not count.
    pub fn new(bench: &mut TestBench, settings: &DownsampleSettings, from: [u32; 2], rgba: &[u8]) -> Result<Self> {
        let plate = (settings.source == Source::ZonePlate).then(|| zone_plate(from));
        let rgba = plate.as_deref().unwrap_or(rgba);
        let bytes = Bytes { size: from, rgba, linear: settings.light == Light::Linear };
        let exact = reference::downsampled(Method::AreaCompute, &bytes, plan::result_size(settings, from));
        let reference = Reference::new(&bytes, &exact, settings.light);
        let pictures = [bench.picture(from, rgba)?, bench.picture(from, &moved(from, rgba))?];
        let settings = DownsampleSettings { source: Source::Picture, ..settings.clone() };
        Ok(Self { settings, pictures, from, reference })
    }

    pub fn result_size(&self) -> [u32; 2] {
        plan::result_size(&self.settings, self.from)
    }

    /// For the first time. `inputs` records results of other techniques.
    pub fn trial(&self, bench: &mut TestBench, method: Method, inputs: &mut dyn MethodInputs) -> Result<Trial> {
        let settings = DownsampleSettings { method, ..self.settings.clone() };
        let passes = Passes::new(bench.gpu());
        let mut trial = Trial { settings, passes, first_cpu: 0.0, quality: None };
        let [picture, moved] = &self.pictures;
        let (result, first) = bench.timed(|frame| trial.record(frame, picture, inputs))?;
        trial.first_cpu = first.cpu_us;
        let light = trial.settings.light;
        let result_image = ResultImage::new(&read(bench, &result, light)?, light);
        let result = bench.run(|frame| trial.record(frame, moved, inputs))?;
        let moved_image = ResultImage::new(&read(bench, &result, light)?, light);
        trial.quality = Some(self.reference.quality_of(&result_image, &moved_image));
        Ok(trial)
    }

    pub fn time(&self, bench: &mut TestBench, trial: &mut Trial, inputs: &mut dyn MethodInputs) -> Result<Took> {
        let [picture, _] = &self.pictures;
        Ok(bench.timed(|frame| trial.record(frame, picture, inputs))?.1)
    }

    /// `reps`: n runs on the GPU with cold caches and raised clocks, instead of a few.
    pub fn measure(
        &self,
        bench: &mut TestBench,
        method: Method,
        reps: Option<usize>,
        inputs: &mut dyn MethodInputs,
    ) -> Result<Figures> {
        let mut trial = self.trial(bench, method, inputs)?;
        let [picture, _] = &self.pictures;
        let cold = match reps {
            Some(reps) => {
                let record = |frame: &mut Frame| trial.record(frame, picture, inputs).map(drop);
                Some(bench.measure(reps, BENCH_CACHES, record)?)
            }
            None => None,
        };
        let later = (0..LATER).map(|_| self.time(bench, &mut trial, inputs)).collect::<Result<Vec<_>>>()?;
        let spread = |mut times: Vec<f64>| Spread::of(&mut times);
        let gpu = spread(later.iter().filter_map(|took| took.gpu_us).collect());
        let later_cpu = spread(later.iter().map(|took| took.cpu_us).collect());
        let gpu = cold.into_iter().chain([gpu]).find(|us| us.n > 0);
        let timing = Timing { first_cpu: trial.first_cpu, later_cpu, gpu };
        let Some(quality) = trial.quality else {
            return Err(Error::Pass { pass: "downsample".into(), problem: "no quality was measured".into() });
        };
        Ok(Figures { method, timing, quality })
    }
}

pub struct Trial {
    settings: DownsampleSettings,
    passes: Passes,
    /// Microseconds to record, submit and wait for the first frame.
    pub first_cpu: f64,
    pub quality: Option<Quality>,
}

impl Trial {
    fn record(&mut self, frame: &mut Frame, picture: &Image, inputs: &mut dyn MethodInputs) -> Result<ImageView> {
        let picture = picture.mip(0);
        let chain = if self.settings.method == Method::MipChain { Some(inputs.chain(frame, &picture)?) } else { None };
        let sums = match sums_request(&self.settings, &picture) {
            Some(request) => inputs.sums(frame, request)?,
            None => None,
        };
        self.passes.record(frame, &self.settings, &DownsampleInput { picture: &picture, chain, sums })
    }
}

/// The left border is repeated.
fn moved(size: [u32; 2], rgba: &[u8]) -> Vec<u8> {
    let row = |row: &[u8]| [&row[..4], &row[..row.len() - 4]].concat();
    rgba.chunks_exact(size[0] as usize * 4).flat_map(row).collect()
}

pub(super) fn read(bench: &mut TestBench, result: &ImageView, light: Light) -> Result<Plane> {
    let texels = match light {
        Light::Linear => {
            let texels: Vec<[f32; 4]> = bench.read(result)?;
            texels.iter().map(|texel| DVec4::from_array(texel.map(f64::from))).collect()
        }
        Light::Encoded => {
            let texels: Vec<[u8; 4]> = bench.read(result)?;
            texels.iter().map(|texel| DVec4::from_array(texel.map(f64::from)) / 255.0).collect()
        }
    };
    Ok(Plane { size: result.size(), texels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_moves_to_the_right() {
        let pixels = |values: &[u8]| values.iter().flat_map(|v| [*v; 4]).collect::<Vec<_>>();
        assert_eq!(moved([3, 2], &pixels(&[1, 2, 3, 4, 5, 6])), pixels(&[1, 1, 2, 4, 4, 5]));
    }
}
