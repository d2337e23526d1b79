//! Benchmarks of every method, beside the bytes that it must move: the picture once, the result once.

use super::{
    bound::{Driver, ResultFormat, parts, verdict},
    figures,
    reference::{self, Bytes},
};
use crate::{
    downsampler::Downsample,
    passes::methods::DownsampleInput,
    plan,
    settings::{DownsampleSettings, Light, Method},
};
use gpu::Frame;
use lab::{Bench, BenchOptions, BenchRun, Row, test_picture};
use media::difference::Errors;
use technique::Technique;

const SIZES: [[u32; 2]; 4] = [[2048, 2048], [4096, 4096], [1920, 1080], [1919, 1079]];
const RATIO: u32 = 32;

/// All at the ratio of the source's table.
pub const BENCH: Bench = Bench::new("methods", &SIZES, measure)
    .quick([320, 192])
    .formats(|| Light::ALL.iter().map(|light| light.name()).collect());

fn lights(options: &BenchOptions) -> Vec<Light> {
    options.formats_or(Light::ALL)
}

/// Every method but those that read results of other techniques, and the cost of the mean pixel by pixel.
fn variants() -> Vec<(String, DownsampleSettings)> {
    let of = |method: Method| DownsampleSettings { method, ratio: RATIO, ..Default::default() };
    let methods = Method::ALL.iter().filter(|method| !matches!(method, Method::MipChain | Method::Table));
    let mut all: Vec<_> = methods.map(|method| (method.name().to_owned(), of(*method))).collect();
    let plain = DownsampleSettings { hardware_filter: false, ..of(Method::AreaCompute) };
    all.push(("area_compute, no sampler filter".into(), plain));
    all
}

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let from = run.size;
    let rgba = test_picture(from);
    let picture = run.bench.picture(from, &rgba)?.mip(0);
    for light in lights(run.options) {
        let to = plan::result_size(&variants()[0].1, from);
        let (reads, result) = (4 * run.pixels(), if light == Light::Linear { 16 } else { 4 });
        let writes = result * u64::from(to[0]) * u64::from(to[1]);
        let probe = run.copy_us(reads, writes)?;
        let source = Bytes { size: from, rgba: &rgba, linear: light == Light::Linear };
        let exact = reference::downsampled(Method::AreaCompute, &source, to);
        // All times first: a GPU that waits lowers its clocks.
        let mut timed = Vec::new();
        for (variant, settings) in variants() {
            let settings = DownsampleSettings { light, ..settings };
            let mut technique = Downsample::new(run.bench.gpu())?;
            let mut record = |frame: &mut Frame| {
                technique.record(frame, &settings, &DownsampleInput { picture: &picture, chain: None, sums: None })
            };
            let gpu_us = run.measure(&mut |frame| record(frame).map(drop))?;
            let result = run.bench.run(record)?;
            timed.push((variant, settings.method, gpu_us, figures::read(run.bench, &result, light)?));
        }
        for (variant, method, gpu_us, result) in timed {
            let expected = reference::downsampled(method, &source, to);
            let driver = Driver::of(run.bench.gpu(), light);
            let bounds = [ResultFormat { method, light, reads: None, from, to }.bound(driver)];
            let off = parts(&[expected.texels], std::slice::from_ref(&result.texels), light, &bounds);
            let square = |(a, b): (&glam::DVec4, &glam::DVec4)| (*a - *b).truncate().length_squared();
            let squares = exact.texels.iter().zip(&result.texels).map(square);
            let rms = Errors::of(squares.map(|square| square / 3.0)).mean().sqrt() * 255.0;
            let case = run.case(&format!("to {}x{} {}", to[0], to[1], light.name()));
            let row = Row::new(case, variant, gpu_us, reads + writes).beside(probe).error(rms);
            run.row(row.checked(verdict(&off, &bounds).passed));
        }
    }
    Ok(())
}
