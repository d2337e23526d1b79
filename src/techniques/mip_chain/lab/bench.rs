//! Benchmarks of the chain, beside the bytes that it must move.

use super::{
    bound::ChainBounds,
    check_fixture::{clear, upload},
    reference::{Plane, Rows, chain as reference_chain, exact_chain, rms},
    texels::{Texels, level_zero, levels_of, worst},
    variants::{bytes_moved, methods, name_of},
};
use crate::{
    passes::builder::ChainBuilder,
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
    tier::Filter,
};
use gpu::Frame;
use lab::{Bench, BenchOptions, BenchRun, Row, test_picture};
use media::difference::largest;

const SIZES: [[u32; 2]; 9] = [
    [1024, 1024],
    [2048, 2048],
    [4096, 4096],
    [8192, 8192],
    [1920, 1080],
    [2560, 1440],
    [3840, 2160],
    [1919, 1079],
    [4095, 4095],
];

pub const BENCH: Bench =
    Bench::new("chain", &SIZES, measure).formats(|| ChainFormat::ALL.iter().map(|format| format.name()).collect());

fn formats(options: &BenchOptions) -> Vec<ChainFormat> {
    options.formats_or(&[ChainFormat::Rgba8, ChainFormat::Rgba16F])
}

pub(super) struct Variant {
    pub name: String,
    pub settings: MipChainSettings,
    pub glass: bool,
}

pub(super) fn variants(format: ChainFormat) -> Vec<Variant> {
    let of = |settings: MipChainSettings| Variant { name: name_of(&settings), settings, glass: false };
    let ours = |filter| of(MipChainSettings { method: Method::SinglePass, filter, format, ..Default::default() });
    let mut all: Vec<_> = methods(format, &MipChainSettings::default()).into_iter().map(of).collect();
    let less = |what: &str, change: fn(&mut MipChainSettings)| {
        let mut variant = ours(Filter::Box);
        change(&mut variant.settings);
        Variant { name: format!("{}, {what}", variant.name), ..variant }
    };
    all.push(less("no shuffles", |settings| settings.shuffles = false));
    all.push(less("no sampler filter", |settings| settings.hardware_filter = false));
    all.push(less("4 levels", |settings| settings.levels = 4));
    if format == ChainFormat::Rgba16F {
        for (glass, levels) in [(false, 5), (false, 6), (true, 5), (true, 6), (true, 16)] {
            for method in [Method::Strips, Method::SinglePass] {
                let tent = of(MipChainSettings { method, levels, ..ours(Filter::Tent).settings });
                let few = if levels < 16 { format!(", {levels} levels") } else { String::new() };
                let from = if glass { ", from sRGB" } else { "" };
                all.push(Variant { name: format!("{}{few}{from}", tent.name), glass, ..tent });
            }
        }
    }
    all
}

/// RMS of the worst level against the exact mean over each texel, in steps of 1/255 of what is stored.
fn error_steps(result: &[Texels<'_>], exact: &[Plane]) -> f64 {
    largest(result.iter().skip(1).zip(exact).map(|(result, exact)| rms(exact, result) * 255.0))
}

/// Error of a driver's sRGB decoding, in 8-bit steps of linear light: half a step of the encoded value at white, where
/// the curve is steepest.
const DECODING: f64 = 0.5 * 2.4 / 1.055;

fn is_close(
    bounds: ChainBounds<'_>,
    result: &[Texels<'_>],
    top: &Texels<'_>,
    reference: &[Plane],
    decoding: f64,
) -> bool {
    let Some((first, levels)) = result.split_first() else { return false };
    let format = bounds.settings.format;
    let close =
        |level, reference: &dyn Rows, result| worst(format, reference, result) <= bounds.bound(level) + decoding;
    close(0, top, first)
        && (1..).zip(levels.iter().zip(reference)).all(|(level, (result, reference))| close(level, reference, result))
}

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let (builder, size) = (ChainBuilder::new(run.bench.gpu()), run.size);
    for format in formats(run.options) {
        let [reads, writes] = bytes_moved(size, &MipChainSettings { format, ..Default::default() });
        let probe = run.copy_us(reads, writes)?;
        let texels = level_zero(size, format);
        let top = Texels { size, format, bytes: &texels };
        let chain = upload(run.bench, size, format, &texels)?;
        let picture = run.bench.picture(size, &test_picture(size))?;
        let exact = exact_chain(&top, chain.mips());
        let mut references: Vec<(Filter, Vec<Plane>)> = Vec::new();
        let mut variants = variants(format);
        variants.retain(|variant| run.options.takes(0, &variant.name));
        for Variant { name, settings, glass } in variants {
            let (requested, settings) = (settings.method, builder.effective_settings(&settings, &chain));
            let instead = settings.method != requested;
            let name = if instead { format!("{name}, by {}", settings.method.name()) } else { name };
            let mut record = |frame: &mut Frame| match glass {
                true => builder.record(frame, &settings, &picture.mip(0), &chain),
                false => builder.levels(frame, &settings, &chain, None),
            };
            let gpu_us = run.measure(&mut record)?;
            // Into a cleared chain, without results of the methods before.
            let read = run.bench.run(|frame| {
                clear(frame, &chain)?;
                record(frame)?;
                frame.read_mips(&chain)
            })?;
            let read = read.read::<u8>()?;
            let result = levels_of(size, chain.mips().min(settings.levels), format, &read);
            let filter = settings.filter;
            if !references.iter().any(|(of, _)| *of == filter) {
                references.push((filter, reference_chain(&top, filter, chain.mips())));
            }
            let decoding = if glass { DECODING } else { 0.0 };
            // The rounding of a driver's blit is unspecified.
            let is_judged = settings.method != Method::Blit;
            let exact_places = run.bench.gpu().policy().runs_on_cpu;
            let bounds = ChainBounds { settings: &settings, size, from_picture: glass, exact_places };
            let reference = references.iter().find(|(of, _)| *of == filter).filter(|_| is_judged);
            let is_right = reference.is_some_and(|(_, reference)| is_close(bounds, &result, &top, reference, decoding));
            let bytes = if glass { reads / 2 + reads + writes } else { reads + writes };
            let row = Row::new(run.case(format.name()), name, gpu_us, bytes).beside(probe);
            run.row(row.error(error_steps(&result, &exact)).checked(is_right));
        }
    }
    Ok(())
}
