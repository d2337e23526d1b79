//! Checks of the chain against its CPU reference: every method, filter, format and size, and as the glass requests it.

use super::{
    bound::{ChainBounds, STORED_LIGHT},
    check_fixture::{builder, clear, clear_all},
    reference::{Plane, Rows, blit_chain, chain},
    texels::{Texels, level_zero, levels_of, worst},
    variants::name_of,
};
use crate::{
    images::{chain_for, chain_of},
    passes::single_pass::is_faulty,
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
    tier::Filter,
};
use base::threads::in_parallel;
use gpu::{Gpu, Use, full_chain};
use lab::{Case, Effort, Property, TestBench, Verdict, test_picture};
use std::sync::Arc;

#[derive(Clone)]
pub struct LevelsInput {
    format: ChainFormat,
    methods: Vec<MipChainSettings>,
    sizes: Vec<[u32; 2]>,
    cpu_sampler: bool,
}

pub struct Levels;

/// Odd at some level, tiles filled exactly, or just not.
const AWKWARD: [[u32; 2]; 20] = [
    [1, 1],
    [2, 1],
    [1, 3],
    [3, 3],
    [5, 7],
    [16, 16],
    [31, 130],
    [64, 64],
    [65, 127],
    [79, 80],
    [96, 160],
    [200, 136],
    [376, 88],
    [112, 432],
    [106, 50],
    [129, 31],
    [144, 144],
    [2100, 1],
    [255, 129],
    [300, 1],
];

const FEWER: [[u32; 2]; 4] = [[576, 328], [250, 190], [1000, 72], [333, 7]];
const ALL: u32 = 16;

fn variants() -> Vec<MipChainSettings> {
    let of = |method, filter, levels_per_dispatch, format| MipChainSettings {
        method,
        filter,
        levels_per_dispatch,
        format,
        ..Default::default()
    };
    let half = ChainFormat::Rgba16F;
    let mut all = Vec::new();
    for method in [Method::SinglePass, Method::Strips] {
        all.extend([Filter::Box, Filter::Tent].map(|filter| of(method, filter, 5, half)));
    }
    all.extend((1..=6).map(|m| of(Method::Ladder, Filter::Box, m, half)));
    all.push(of(Method::Ladder, Filter::Tent, 3, half));
    all.extend([Filter::Box, Filter::Tent].map(|filter| of(Method::PerLevel, filter, 5, half)));
    all.push(of(Method::Raster, Filter::Box, 5, half));
    all.push(of(Method::Blit, Filter::Box, 5, half));
    all
}

fn formats() -> Vec<MipChainSettings> {
    let others = ChainFormat::ALL.iter().filter(|format| **format != ChainFormat::Rgba16F);
    let each = |format: &ChainFormat| {
        let format = *format;
        [Method::SinglePass, Method::Strips, Method::Ladder, Method::PerLevel].map(|method| {
            let tent = matches!(method, Method::SinglePass | Method::Strips);
            let filter = if tent { Filter::Tent } else { Filter::Box };
            MipChainSettings { method, filter, format, ..Default::default() }
        })
    };
    let mut all: Vec<_> = others.flat_map(each).collect();
    let boxed = ChainFormat::ALL.iter().map(|format| MipChainSettings {
        method: Method::SinglePass,
        filter: Filter::Box,
        format: *format,
        shuffles: false,
        ..Default::default()
    });
    all.extend(boxed);
    all
}

fn expected(settings: &MipChainSettings, top: &dyn Rows) -> Vec<Plane> {
    let levels = full_chain(top.size());
    if settings.method == Method::Blit { blit_chain(top, levels) } else { chain(top, settings.filter, levels) }
}

fn texels_in(sizes: &[[u32; 2]]) -> usize {
    sizes.iter().map(|size| size[0] as usize * size[1] as usize).sum()
}

// Longer than ten seconds: every method, filter and format is compiled for itself.
impl Property for Levels {
    const NAME: &'static str = "levels";
    const HAS_REFERENCE: bool = true;
    type Input = LevelsInput;
    /// Chains by method and size, as stored.
    type Output = Vec<Vec<Vec<u8>>>;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<LevelsInput>> {
        let (mut cases, cpu_sampler) = (Vec::new(), gpu.policy().runs_on_cpu);
        let all: Vec<_> =
            variants().into_iter().chain(formats()).filter(|settings| is_possible(gpu, settings)).collect();
        let mut add =
            |format: ChainFormat, which: &dyn Fn(&MipChainSettings) -> bool, what: &str, sizes: &[[u32; 2]], levels| {
                let requested = all.iter().filter(|settings| settings.format == format && which(settings));
                let mut methods: Vec<_> = requested.map(|s| MipChainSettings { levels, ..s.clone() }).collect();
                methods.iter_mut().for_each(|s| s.hardware_filter &= !cpu_sampler);
                if is_faulty(gpu) {
                    let falls = |method| matches!(method, Method::SinglePass | Method::Strips | Method::Ladder);
                    methods.iter_mut().filter(|s| falls(s.method)).for_each(|s| s.method = Method::PerLevel);
                }
                if !methods.is_empty() {
                    let name = format!("{} {what}, {} ways", format.name(), methods.len());
                    cases.push(Case::new(name, LevelsInput { format, methods, sizes: sizes.to_vec(), cpu_sampler }));
                }
            };
        let quick = |settings: &MipChainSettings| {
            effort == Effort::Full
                || match settings.method {
                    // A software driver takes seconds to compile each of these.
                    Method::Ladder => settings.format == ChainFormat::Rgba16F && settings.levels_per_dispatch % 4 == 2,
                    Method::PerLevel => settings.filter == Filter::Box && settings.format != ChainFormat::Bgra8,
                    Method::SinglePass | Method::Strips => {
                        settings.shuffles && matches!(settings.format, ChainFormat::Rgba16F | ChainFormat::Srgb8)
                    }
                    _ => true,
                }
        };
        for format in ChainFormat::ALL {
            add(*format, &quick, "awkward sizes", &AWKWARD, ALL);
        }
        // A last tier may then make a single level, in several tiles.
        let ours = |s: &MipChainSettings| matches!(s.method, Method::SinglePass | Method::Strips) && quick(s);
        for levels in [3, 5, 6, 8] {
            add(ChainFormat::Rgba16F, &ours, &format!("{levels} levels"), &FEWER, levels);
        }
        // More blocks than workgroups: each makes two, and the last of a row has only one.
        let blocks = |s: &MipChainSettings| s.method == Method::SinglePass && s.filter == Filter::Box && quick(s);
        add(ChainFormat::Rgba16F, &blocks, "8128x320", &[[8128, 320]], ALL);
        if effort == Effort::Full {
            for width in 1..=130 {
                let sizes: Vec<_> = (1..=130).map(|height| [width, height]).collect();
                add(ChainFormat::Rgba16F, &|_| true, &format!("{width}x1..130"), &sizes, ALL);
            }
            for size in [
                [1, 4096],
                [4096, 3],
                [8192, 1],
                [4288, 16],
                [16, 7680],
                [4128, 8],
                [1280, 1024],
                [1919, 1079],
                [1280, 720],
                [2560, 1440],
                [2048, 2048],
                [4096, 4096],
                [4095, 4095],
            ] {
                if size[0].max(size[1]) > gpu.info().max_side {
                    continue;
                }
                let heavy = size[0] * size[1] > 5_000_000;
                for format in ChainFormat::ALL.iter().filter(|format| !heavy || **format == ChainFormat::Rgba16F) {
                    let ours = |method| matches!(method, Method::SinglePass | Method::Strips);
                    let which = |s: &MipChainSettings| !heavy || ours(s.method) || s.levels_per_dispatch == 6;
                    add(*format, &which, &format!("{}x{}", size[0], size[1]), &[size], ALL);
                }
            }
        }
        cases
    }

    fn run(bench: &mut TestBench, input: &LevelsInput) -> anyhow::Result<Self::Output> {
        let (builder, format, methods) = (builder(bench)?, input.format, &input.methods);
        let texels = texels_in(&input.sizes);
        let tops = in_parallel(&input.sizes, texels, |size| level_zero(*size, format));
        // A software driver compiles while a frame runs, and a frame has its time; synchronization validation goes
        // through all that a frame has touched at each barrier.
        let at_once = if bench.gpu().policy().is_slow { 4 } else { 64 };
        let mut results = vec![Vec::new(); methods.len()];
        for (sizes, tops) in input.sizes.chunks(at_once).zip(tops.chunks(at_once)) {
            let mut chains = Vec::new();
            for size in sizes {
                chains.push(chain_of(bench.gpu(), "chain", *size, format, full_chain(*size), &[Use::Color])?);
            }
            bench.run(|frame| chains.iter().zip(tops).try_for_each(|(chain, top)| frame.upload(&chain.mip(0), top)))?;
            for (settings, results) in methods.iter().zip(&mut results) {
                let read = bench.run(|frame| {
                    let mut read = Vec::new();
                    for chain in &chains {
                        clear(frame, chain)?;
                        builder.levels(frame, settings, chain, None)?;
                        read.push(frame.read_mips(chain)?);
                    }
                    Ok(read)
                })?;
                for bytes in in_parallel(&read, texels, |read| read.read::<u8>()) {
                    results.push(bytes?);
                }
            }
        }
        Ok(results)
    }

    fn verdict(input: &LevelsInput, chains: &Self::Output) -> Verdict {
        let mut complete = chains.len() == input.methods.len();
        // By level: the worst error over all sizes and all methods but the blit, whose filter is the driver's.
        let (mut levels, mut blit, mut broken) = (Vec::<f64>::new(), 0f64, String::new());
        for ((settings, reference), chains) in input.methods.iter().zip(references(input)).zip(chains) {
            let errors = errors(input, settings.levels, &reference, chains);
            complete &= errors.len() == input.sizes.len();
            let mut beyond = Vec::new();
            for (size, errors) in input.sizes.iter().zip(errors) {
                complete &= errors.len() + 1 == full_chain(*size).min(settings.levels) as usize;
                levels.resize(levels.len().max(errors.len()), 0.0);
                let exact_places = input.cpu_sampler;
                let bounds = ChainBounds { settings, size: *size, from_picture: false, exact_places };
                for (level, error) in (1..).zip(errors) {
                    let worst = if settings.method == Method::Blit { &mut blit } else { &mut levels[level - 1] };
                    *worst = worst.max(error);
                    let bound = bounds.bound(level as u32);
                    if error > bound || error.is_nan() {
                        let [w, h] = size;
                        beyond.push((error - bound, format!("{error:.3} at {w}x{h}, level {level}")));
                    }
                }
            }
            let worst = beyond.iter().max_by(|a, b| a.0.total_cmp(&b.0));
            if let (Some((_, first)), Some((_, worst))) = (beyond.first(), worst) {
                let plain = if settings.shuffles { "" } else { ", no shuffles" };
                let (variant, count) = (name_of(settings), beyond.len());
                broken +=
                    &format!("; {variant}{plain}: {count} levels beyond their bound, first {first}, worst {worst}");
            }
        }
        let levels: Vec<_> = levels.iter().map(|error| format!("{error:.3}")).collect();
        let mut text = format!("worst texel by level, 8-bit steps: {}", levels.join(" "));
        if blit > 0.0 {
            text += &format!("; blit {blit:.3}");
        }
        if !complete {
            text += "; levels are missing";
        }
        Verdict::that(complete && broken.is_empty(), text + &broken)
    }
}

/// Chains by size.
type Chains = Arc<Vec<Vec<Plane>>>;

/// By method.
fn references(input: &LevelsInput) -> Vec<Chains> {
    let mut known: Vec<((Filter, bool), Chains)> = Vec::new();
    let format = input.format;
    let reference = |settings: &MipChainSettings| {
        let key = (settings.filter, settings.method == Method::Blit);
        if let Some((_, reference)) = known.iter().find(|(of, _)| *of == key) {
            return reference.clone();
        }
        let of =
            |size: &[u32; 2]| expected(settings, &Texels { size: *size, format, bytes: &level_zero(*size, format) });
        let reference = Arc::new(in_parallel(&input.sizes, texels_in(&input.sizes), of));
        known.push((key, reference.clone()));
        reference
    };
    input.methods.iter().map(reference).collect()
}

fn errors(input: &LevelsInput, levels: u32, references: &[Vec<Plane>], read: &[Vec<u8>]) -> Vec<Vec<f64>> {
    let all: Vec<_> = input.sizes.iter().zip(references).zip(read).collect();
    // One large chain is divided by rows, not by chains.
    let size = if all.len() > 1 { texels_in(&input.sizes) } else { 0 };
    in_parallel(&all, size, |((size, reference), read)| {
        let result = levels_of(**size, full_chain(**size), input.format, read);
        reference
            .iter()
            .zip(result.iter().skip(1))
            .take(levels as usize - 1)
            .map(|(reference, result)| worst(input.format, reference, result))
            .collect()
    })
}

fn is_possible(gpu: &Gpu, settings: &MipChainSettings) -> bool {
    gpu.policy().can_draw || !matches!(settings.method, Method::Raster | Method::Blit)
}

pub struct Blur;

impl Property for Blur {
    const NAME: &'static str = "blur source";
    const HAS_REFERENCE: bool = true;
    type Input = ([u32; 2], Method);
    type Output = Vec<u8>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let mut sizes = vec![[1, 1], [3, 2], [64, 64], [200, 77], [321, 180]];
        if effort == Effort::Full {
            sizes.extend([[1280, 720], [1919, 1079], [2560, 1440]]);
        }
        let each = |size: [u32; 2]| [Method::Auto, Method::SinglePass, Method::Strips].map(|method| (size, method));
        let case =
            |([w, h], method): ([u32; 2], Method)| Case::new(format!("{w}x{h} {}", method.name()), ([w, h], method));
        sizes.into_iter().flat_map(each).map(case).collect()
    }

    fn run(bench: &mut TestBench, (size, method): &Self::Input) -> anyhow::Result<Vec<u8>> {
        let picture = bench.picture(*size, &test_picture(*size))?;
        let (builder, chain) = (builder(bench)?, chain_for(bench.gpu(), "chain", *size, 16)?);
        let settings = MipChainSettings { method: *method, ..Default::default() };
        let read = bench.run(|frame| {
            clear_all(frame, &chain)?;
            match method {
                Method::Auto => {
                    builder.record_near(frame, &settings, &picture.mip(0), &chain, None)?;
                }
                _ => builder.record_part(frame, &settings, &picture.mip(0), &chain, None)?,
            }
            frame.read_mips(&chain)
        })?;
        Ok(read.read()?)
    }

    fn verdict((size, method): &Self::Input, chain: &Vec<u8>) -> Verdict {
        let half = ChainFormat::Rgba16F;
        let picture = Texels { size: *size, format: ChainFormat::Srgb8, bytes: &test_picture(*size) };
        let result = levels_of(*size, full_chain(*size), half, chain);
        let Some((top, levels)) = result.split_first() else {
            return Verdict::that(false, "no level came back");
        };
        // Derived. Drivers decode sRGB roughly (an H200 to within 0.96 of a step of linear light): Direct3D allows half a step
        // (D3D11_SRGB_TO_FLOAT_TOLERANCE_IN_ULP), and half floats add their rounding. The levels are judged from the
        // stored level 0.
        let decoding = worst(ChainFormat::Srgb8, &picture, top);
        let reference = expected(&MipChainSettings::default(), top);
        let complete = reference.len() == levels.len();
        let settings = MipChainSettings { method: *method, ..Default::default() };
        let bounds = ChainBounds { settings: &settings, size: *size, from_picture: true, exact_places: false };
        let part = bounds.worst_part(reference.iter().zip(levels).map(|(a, b)| worst(half, a, b)));
        let part = if complete { part } else { f64::INFINITY };
        let verdict = Verdict::at_most("decoding, encoded steps", decoding, 0.5 + STORED_LIGHT);
        verdict.and_at_most("worst texel, of what rounding may add", part, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{Feature, Options};
    use std::collections::BTreeSet;

    /// Without optional device features.
    #[test]
    fn fallbacks_agree() {
        for lacking in [Feature::SubgroupShuffle, Feature::MemoryModel, Feature::ImageIndexing] {
            let options = Options { validate: true, without: BTreeSet::from([lacking]), ..Default::default() };
            let gpu = Gpu::new(&options).unwrap();
            if is_faulty(&gpu) {
                return;
            }
            let mut bench = TestBench::on(&gpu).unwrap();
            let of = |(method, filter)| MipChainSettings { method, filter, ..Default::default() };
            let methods = [(Method::SinglePass, Filter::Box), (Method::Strips, Filter::Tent)].map(of).to_vec();
            let format = ChainFormat::Rgba16F;
            let sizes = vec![[96, 160], [255, 129]];
            let input = LevelsInput { format, methods, sizes, cpu_sampler: gpu.policy().runs_on_cpu };
            let result = Levels::run(&mut bench, &input).unwrap();
            let verdict = Levels::verdict(&input, &result);
            assert!(verdict.passed, "without {lacking:?}: {}", verdict.text);
        }
    }
}
