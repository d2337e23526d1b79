//! The chain's time beside the bytes that it must move.

use super::{
    ChainFormat, Filter, Method, MipChain, MipChainSettings,
    oracle::{bound, level_zero, planes, upload, worst},
    twin::{Plane, test_picture},
    variants::{bytes_moved, methods, name_of},
};
use crate::{
    gpu::Frame,
    lab::{BENCH_CACHES, Bed, Bench, BenchOptions, Row},
    techniques::Technique,
};

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
const QUICK: [[u32; 2]; 1] = [[320, 180]];

/// Rows by size, format and method.
pub const BENCH: Bench = Bench {
    name: "chain",
    rows: |options| {
        options.sizes_or(&SIZES, &QUICK).len()
            * formats(options).iter().map(|format| variants(*format).len()).sum::<usize>()
    },
    run,
};

fn formats(options: &BenchOptions) -> Vec<ChainFormat> {
    let asked: Vec<_> = options.formats.iter().filter_map(|name| name.parse().ok()).collect();
    if asked.is_empty() { vec![ChainFormat::Rgba8, ChainFormat::Rgba16F] } else { asked }
}

/// A row of the table.
pub(super) struct Variant {
    pub name: String,
    pub settings: MipChainSettings,
    /// From an encoded picture, level 0 made on the way: what the glass asks for.
    pub glass: bool,
}

/// Every method, the ladder with every M, and what our own pass costs with parts of it left out.
pub(super) fn variants(format: ChainFormat) -> Vec<Variant> {
    let of = |settings: MipChainSettings| Variant { name: name_of(&settings), settings, glass: false };
    let ours = |filter| of(MipChainSettings { filter, format, ..Default::default() });
    let mut all: Vec<_> = methods(format, &MipChainSettings::default()).into_iter().map(of).collect();
    let less = |what: &str, change: fn(&mut MipChainSettings)| {
        let mut variant = ours(Filter::Box);
        change(&mut variant.settings);
        Variant { name: format!("{}, {what}", variant.name), ..variant }
    };
    all.push(less("no shuffles", |settings| settings.shuffles = false));
    all.push(less("no sampler filter", |settings| settings.hardware_filter = false));
    // Levels that one tier makes: what the tail costs.
    all.push(less("4 levels", |settings| settings.levels = 4));
    if format == ChainFormat::Rgba16F {
        all.push(Variant { name: "glass (single_pass tent)".into(), glass: true, ..ours(Filter::Tent) });
    }
    all
}

/// The worst level's RMS against the exact mean of the area of each texel, in steps of 1/255 of what is stored.
fn error_steps(made: &[Plane], exact: &[Plane], levels: u32) -> f64 {
    let pairs = made.iter().zip(exact).take(levels as usize);
    pairs.map(|(made, exact)| made.rms(exact) * 255.0).fold(0.0, f64::max)
}

fn run(bed: &mut Bed, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let technique = MipChain::new(bed.gpu())?;
    for size in options.sizes_or(&SIZES, &QUICK) {
        // Larger ones take the CPU too long; the oracle tries them.
        let small = u64::from(size[0]) * u64::from(size[1]) <= 10_000_000;
        for format in formats(options) {
            let [reads, writes] = bytes_moved(size, &MipChainSettings { format, ..Default::default() });
            let probe = bed.traffic_probe(reads, writes, options.reps(), BENCH_CACHES)?;
            let (texels, top) = level_zero(size, format);
            let chain = upload(bed, size, format, &texels)?;
            let picture = bed.picture(size, &test_picture(size))?;
            let exact = small.then(|| top.exact_chain(chain.mips()));
            let mut twins: Vec<(Filter, Vec<Plane>)> = Vec::new();
            for Variant { name, settings, glass } in variants(format) {
                let record = |frame: &mut Frame| match glass {
                    true => technique.record(frame, &settings, &picture.mip(0), &chain),
                    false => technique.levels(frame, &settings, &chain, None),
                };
                let gpu_us = bed.measure(options.reps(), BENCH_CACHES, record)?;
                let (mut checked, mut error) = (false, None);
                if let Some(exact) = &exact {
                    let levels = chain.mips().min(settings.levels);
                    let read = bed.run(|frame| frame.read_mips(&chain))?.read::<u8>()?;
                    let made = planes(size, chain.mips(), format, &read);
                    error = Some(error_steps(&made, exact, levels));
                    if !twins.iter().any(|(filter, _)| *filter == settings.filter) {
                        twins.push((settings.filter, top.clone().chain(settings.filter, chain.mips())));
                    }
                    let twin = twins.iter().find(|(filter, _)| *filter == settings.filter);
                    let close = |(level, (made, twin)): (u32, (&Plane, &Plane))| {
                        worst(format, made, twin) <= bound(&settings, level)
                    };
                    let pairs = |twin: &Vec<Plane>| (0..levels).zip(made.iter().zip(twin)).all(close);
                    checked = settings.method != Method::Blit && twin.is_some_and(|(_, twin)| pairs(twin));
                }
                let case = format!("{}x{} {}", size[0], size[1], format.name());
                let bytes = if glass { reads / 2 + reads + writes } else { reads + writes };
                let (variant, probe_us, error_steps) = (name, Some(probe.median), error);
                each(Row { case, variant, gpu_us, bytes, probe_us, error_steps, checked });
            }
        }
    }
    Ok(())
}
