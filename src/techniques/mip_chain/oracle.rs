//! The chain against its twin: every method, filter, format and size, and as the glass asks for it.

use super::{
    ChainFormat, Filter, Method, MipChain, MipChainSettings, chain_for, chain_of,
    repeats::{Again, Part},
    twin::{Plane, decode, decoded, encode, in_parallel, test_picture},
    variants::name_of,
};
use crate::{
    base::half,
    gpu::{Gpu, Image, Use, full_chain, mip_size},
    lab::{Bed, Case, Check, Effort, Oracle, Verdict},
    techniques::Technique,
};
use glam::DVec4;
use std::sync::Arc;

/// All oracles.
pub(super) fn checks() -> Vec<Check> {
    vec![Check::of::<Levels>(), Check::of::<Blur>(), Check::of::<Part>(), Check::of::<Again>()]
}

/// What [`Levels`] tries: chains of several sizes and one format, each made by several methods.
#[derive(Clone)]
pub struct Chains {
    format: ChainFormat,
    methods: Vec<MipChainSettings>,
    sizes: Vec<[u32; 2]>,
    /// Steps that the driver's own decoding of sRGB may be off: software drivers approximate it.
    decoding: f64,
}

/// Chains by size, then by level.
type Twins = Arc<Vec<Vec<Plane>>>;

/// Every level of chains made by every method, against f64.
pub struct Levels;

/// Sizes that are odd at some level, fill tiles exactly, or just do not.
const AWKWARD: [[u32; 2]; 14] = [
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
    [129, 31],
    [255, 129],
    [300, 1],
];

fn variants() -> Vec<MipChainSettings> {
    let of = |method, filter, levels_per_dispatch, format| MipChainSettings {
        method,
        filter,
        levels_per_dispatch,
        format,
        ..Default::default()
    };
    let half = ChainFormat::Rgba16F;
    let mut all = vec![of(Method::SinglePass, Filter::Box, 5, half), of(Method::SinglePass, Filter::Tent, 5, half)];
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
        [Method::SinglePass, Method::Ladder, Method::PerLevel].map(|method| {
            let filter = if method == Method::SinglePass { Filter::Tent } else { Filter::Box };
            MipChainSettings { method, filter, format, ..Default::default() }
        })
    };
    let mut all: Vec<_> = others.flat_map(each).collect();
    let boxed = ChainFormat::ALL.iter().map(|format| MipChainSettings {
        filter: Filter::Box,
        format: *format,
        shuffles: false,
        ..Default::default()
    });
    all.extend(boxed);
    all
}

/// Level 0 in a format: its bytes, and the values that the GPU reads from them.
pub(super) fn level_zero(size: [u32; 2], format: ChainFormat) -> (Vec<u8>, Plane) {
    let bytes = test_picture(size);
    match format {
        ChainFormat::Srgb8 => (bytes.clone(), decoded(size, &bytes)),
        ChainFormat::Rgba8 | ChainFormat::Bgra8 => {
            let texel = |t: &[u8]| {
                let v = DVec4::from_array([t[0], t[1], t[2], t[3]].map(|v| f64::from(v) / 255.0));
                if format == ChainFormat::Bgra8 { DVec4::new(v.z, v.y, v.x, v.w) } else { v }
            };
            let texels = bytes.chunks_exact(4).map(texel).collect();
            (bytes, Plane { size, texels })
        }
        ChainFormat::Rgba16F => {
            let halves: Vec<[u16; 4]> =
                decoded(size, &bytes).texels.iter().map(|t| t.to_array().map(half::from_f64)).collect();
            let texels = halves.iter().map(|h| DVec4::from_array(h.map(half::to_f64))).collect();
            (bytemuck::cast_slice(&halves).to_vec(), Plane { size, texels })
        }
        ChainFormat::R32F => {
            let floats: Vec<f32> = decoded(size, &bytes).texels.iter().map(|t| t.x as f32).collect();
            let texels = floats.iter().map(|v| DVec4::new(f64::from(*v), 0.0, 0.0, 1.0)).collect();
            (bytemuck::cast_slice(&floats).to_vec(), Plane { size, texels })
        }
    }
}

/// Levels of a chain as they lie in memory, as values.
pub(super) fn planes(size: [u32; 2], levels: u32, format: ChainFormat, bytes: &[u8]) -> Vec<Plane> {
    let width = format.image().bytes() as usize;
    let texel = |t: &[u8]| match format {
        ChainFormat::Rgba16F => {
            DVec4::from_array([0, 2, 4, 6].map(|i| half::to_f64(u16::from_le_bytes([t[i], t[i + 1]]))))
        }
        ChainFormat::R32F => DVec4::new(f64::from(f32::from_le_bytes([t[0], t[1], t[2], t[3]])), 0.0, 0.0, 1.0),
        _ => {
            let v = [t[0], t[1], t[2], t[3]].map(|v| f64::from(v) / 255.0);
            match format {
                ChainFormat::Bgra8 => DVec4::new(v[2], v[1], v[0], v[3]),
                ChainFormat::Srgb8 => DVec4::new(decode(v[0]), decode(v[1]), decode(v[2]), v[3]),
                _ => DVec4::from_array(v),
            }
        }
    };
    let (mut at, mut planes) = (0, Vec::new());
    for level in 0..levels {
        let size = mip_size(size, level);
        let count = (size[0] * size[1]) as usize;
        planes.push(Plane { size, texels: bytes[at..at + count * width].chunks_exact(width).map(texel).collect() });
        at += count * width;
    }
    planes
}

/// Worst difference of two planes, in 8-bit steps of what the format holds.
pub(super) fn worst(format: ChainFormat, a: &Plane, b: &Plane) -> f64 {
    let encoded = |v: DVec4| match format {
        ChainFormat::Srgb8 => DVec4::new(encode(v.x), encode(v.y), encode(v.z), v.w),
        _ => v,
    };
    let of = |(a, b): (&DVec4, &DVec4)| {
        let d = (encoded(*a) - encoded(*b)).abs();
        if d.is_finite() { d.max_element() } else { f64::INFINITY }
    };
    a.texels.iter().zip(&b.texels).map(of).fold(0.0, f64::max) * 255.0
}

/// What the twin expects of a method.
pub(super) fn expected(settings: &MipChainSettings, top: Plane) -> Vec<Plane> {
    let levels = full_chain(top.size);
    if settings.method != Method::Blit {
        return top.chain(settings.filter, levels);
    }
    let mut chain = vec![top];
    for level in 1..levels as usize {
        chain.push(chain[level - 1].blitted());
    }
    chain
}

/// The most that level `level` may be off, in 8-bit steps. A single pass rounds once; the others read rounded levels; the
/// weights of a blit have 8 bits.
pub(super) fn bound(settings: &MipChainSettings, level: u32) -> f64 {
    let eight_bits = !matches!(settings.format, ChainFormat::Rgba16F | ChainFormat::R32F);
    let once = if eight_bits { 0.75 } else { 0.2 };
    let again = f64::from(level.saturating_sub(1));
    // A step of the sRGB curve's steep end is a larger one at its flat end, so rounding may grow on the way.
    let step = match settings.format {
        ChainFormat::Srgb8 => 1.0,
        _ if eight_bits => 0.5,
        _ => 0.1,
    };
    match settings.method {
        Method::SinglePass => once,
        Method::Blit => once + 1.0 * f64::from(level),
        _ => once + step * again,
    }
}

/// A chain whose level 0 is `bytes`.
pub(super) fn upload(bed: &mut Bed, size: [u32; 2], format: ChainFormat, bytes: &[u8]) -> anyhow::Result<Image> {
    let chain = chain_of(bed.gpu(), "chain", size, format, full_chain(size), &[Use::Color])?;
    bed.run(|frame| frame.upload(&chain.mip(0), bytes))?;
    Ok(chain)
}

impl Oracle for Levels {
    const NAME: &'static str = "levels";
    type Input = Chains;
    /// By method, then by size, then by level.
    type Output = Vec<Twins>;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Chains>> {
        let (mut cases, software) = (Vec::new(), gpu.facts().kind == "software");
        let all: Vec<_> =
            variants().into_iter().chain(formats()).filter(|settings| is_possible(gpu, settings)).collect();
        let mut add =
            |format: ChainFormat, which: &dyn Fn(&MipChainSettings) -> bool, what: &str, sizes: &[[u32; 2]]| {
                let mut methods: Vec<_> =
                    all.iter().filter(|settings| settings.format == format && which(settings)).cloned().collect();
                if super::single_pass::is_faulty(gpu) {
                    let falls = |method| matches!(method, Method::SinglePass | Method::Ladder);
                    methods.iter_mut().filter(|s| falls(s.method)).for_each(|s| s.method = Method::PerLevel);
                }
                let decoding = if format == ChainFormat::Srgb8 && software { 0.5 } else { 0.0 };
                if !methods.is_empty() {
                    let name = format!("{} {what}, {} ways", format.name(), methods.len());
                    cases.push(Case { name, input: Chains { format, methods, sizes: sizes.to_vec(), decoding } });
                }
            };
        let quick = |settings: &MipChainSettings| {
            effort == Effort::Full
                || match settings.method {
                    // A software driver takes seconds to compile each of these.
                    Method::Ladder => settings.format == ChainFormat::Rgba16F && settings.levels_per_dispatch % 4 == 2,
                    Method::PerLevel => settings.filter == Filter::Box && settings.format != ChainFormat::Bgra8,
                    Method::SinglePass => {
                        settings.shuffles && matches!(settings.format, ChainFormat::Rgba16F | ChainFormat::Srgb8)
                    }
                    _ => true,
                }
        };
        for format in ChainFormat::ALL {
            add(*format, &quick, "awkward sizes", &AWKWARD);
        }
        if effort == Effort::Full {
            for width in 1..=130 {
                let sizes: Vec<_> = (1..=130).map(|height| [width, height]).collect();
                add(ChainFormat::Rgba16F, &|_| true, &format!("{width}x1..130"), &sizes);
            }
            for size in [[1, 4096], [4096, 3], [1919, 1079], [1280, 720], [2048, 2048], [4096, 4096], [4095, 4095]] {
                if size[0].max(size[1]) > gpu.facts().max_side {
                    continue;
                }
                let heavy = size[0] * size[1] > 5_000_000;
                for format in ChainFormat::ALL.iter().filter(|format| !heavy || **format == ChainFormat::Rgba16F) {
                    let which =
                        |s: &MipChainSettings| !heavy || s.method == Method::SinglePass || s.levels_per_dispatch == 6;
                    add(*format, &which, &format!("{}x{}", size[0], size[1]), &[size]);
                }
            }
        }
        cases
    }

    fn cpu(input: &Chains) -> Self::Output {
        let mut known: Vec<((Filter, bool), Twins)> = Vec::new();
        let twin = |settings: &MipChainSettings| {
            let key = (settings.filter, settings.method == Method::Blit);
            if let Some((_, twin)) = known.iter().find(|(of, _)| *of == key) {
                return twin.clone();
            }
            let of = |size: &[u32; 2]| expected(settings, level_zero(*size, input.format).1);
            let twin = Arc::new(in_parallel(&input.sizes, of));
            known.push((key, twin.clone()));
            twin
        };
        input.methods.iter().map(twin).collect()
    }

    fn gpu(bed: &mut Bed, input: &Chains) -> anyhow::Result<Self::Output> {
        let (technique, format) = (MipChain::new(bed.gpu())?, input.format);
        let texels = in_parallel(&input.sizes, |size| level_zero(*size, format).0);
        let mut found = Vec::new();
        // A software driver compiles while a frame runs, and a frame has its time.
        let at_once = if bed.gpu().facts().kind == "software" { 4 } else { 130 };
        for settings in &input.methods {
            let mut made = Vec::new();
            for (sizes, texels) in input.sizes.chunks(at_once).zip(texels.chunks(at_once)) {
                let mut chains = Vec::new();
                for size in sizes {
                    chains.push(chain_of(bed.gpu(), "chain", *size, format, full_chain(*size), &[Use::Color])?);
                }
                let read = bed.run(|frame| {
                    let mut read = Vec::new();
                    for (chain, texels) in chains.iter().zip(texels) {
                        frame.upload(&chain.mip(0), texels)?;
                        technique.levels(frame, settings, chain, None)?;
                        read.push(frame.read_mips(chain)?);
                    }
                    Ok(read)
                })?;
                for (read, size) in read.iter().zip(sizes) {
                    made.push(planes(*size, full_chain(*size), format, &read.read::<u8>()?));
                }
            }
            found.push(Arc::new(made));
        }
        Ok(found)
    }

    fn agree(input: &Chains, cpu: &Self::Output, gpu: &Self::Output) -> Verdict {
        let mut passed = cpu.len() == gpu.len();
        // By level: the worst error over all methods and sizes. Where a bound is broken, which.
        let (mut levels, mut broken) = (Vec::<f64>::new(), String::new());
        for ((settings, cpu), gpu) in input.methods.iter().zip(cpu).zip(gpu) {
            passed &= cpu.len() == gpu.len();
            for (cpu, gpu) in cpu.iter().zip(gpu.iter()) {
                for (level, (a, b)) in cpu.iter().zip(gpu).enumerate().skip(1) {
                    levels.resize(levels.len().max(level), 0.0);
                    let error = worst(input.format, a, b);
                    levels[level - 1] = levels[level - 1].max(error);
                    let bound = bound(settings, level as u32) + input.decoding;
                    if error > bound || error.is_nan() {
                        passed = false;
                        let [w, h] = cpu[0].size;
                        broken = format!(
                            "; {} at {w}x{h}, level {level}: {error:.3}, at most {bound:.2}",
                            name_of(settings)
                        );
                    }
                }
            }
        }
        let levels: Vec<_> = levels.iter().map(|error| format!("{error:.3}")).collect();
        Verdict { passed, text: format!("worst texel by level, 8-bit steps: {}{broken}", levels.join(" ")) }
    }
}

/// Mesa's software driver dies in its own compiler when anything is drawn or blitted on 16 lanes.
fn is_possible(gpu: &Gpu, settings: &MipChainSettings) -> bool {
    let facts = gpu.facts();
    let draws = matches!(settings.method, Method::Raster | Method::Blit);
    !(draws && facts.kind == "software" && facts.subgroup.size == 16)
}

/// The chain as the glass asks for it, level 0 made on the way.
pub struct Blur;

impl Oracle for Blur {
    const NAME: &'static str = "blur source";
    type Input = [u32; 2];
    type Output = Vec<Plane>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<[u32; 2]>> {
        let mut sizes = vec![[1, 1], [3, 2], [64, 64], [200, 77], [321, 180]];
        if effort == Effort::Full {
            sizes.extend([[1280, 720], [1919, 1079], [2560, 1440]]);
        }
        sizes.into_iter().map(|size| Case { name: format!("{}x{}", size[0], size[1]), input: size }).collect()
    }

    fn cpu(size: &[u32; 2]) -> Vec<Plane> {
        expected(&MipChainSettings::default(), decoded(*size, &test_picture(*size)))
    }

    fn gpu(bed: &mut Bed, size: &[u32; 2]) -> anyhow::Result<Vec<Plane>> {
        let picture = bed.picture(*size, &test_picture(*size))?;
        let (technique, chain) = (MipChain::new(bed.gpu())?, chain_for(bed.gpu(), "chain", *size, 16)?);
        let read = bed.run(|frame| {
            technique.record_part(frame, &MipChainSettings::default(), &picture.mip(0), &chain, None)?;
            frame.read_mips(&chain)
        })?;
        Ok(planes(*size, chain.mips(), ChainFormat::Rgba16F, &read.read::<u8>()?))
    }

    fn agree(_: &[u32; 2], cpu: &Vec<Plane>, gpu: &Vec<Plane>) -> Verdict {
        let half = ChainFormat::Rgba16F;
        // Software drivers decode sRGB roughly: that is their affair. The levels are judged from the level 0 that there is.
        let decoding = worst(half, &cpu[0], &gpu[0]);
        let twin = expected(&MipChainSettings::default(), gpu[0].clone());
        let error = twin.iter().zip(gpu).map(|(a, b)| worst(half, a, b)).fold(0.0, f64::max);
        Verdict::at_most("decoding, 8-bit steps", decoding, 0.5).and(Verdict::at_most("worst texel", error, 0.6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Feature, Options};
    use std::collections::BTreeSet;

    /// The single pass without what a device may lack.
    #[test]
    fn fallbacks_agree() {
        for lacking in [Feature::SubgroupShuffle, Feature::MemoryModel, Feature::ImageIndexing] {
            let options = Options { validate: true, without: BTreeSet::from([lacking]), ..Default::default() };
            let gpu = Gpu::new(&options).unwrap();
            if crate::techniques::mip_chain::single_pass::is_faulty(&gpu) {
                return;
            }
            let messages = gpu.messages();
            let mut bed = Bed::on(&gpu).unwrap();
            let settings = MipChainSettings { filter: Filter::Box, ..Default::default() };
            let (format, methods) = (settings.format, vec![settings]);
            let input = Chains { format, methods, sizes: vec![[96, 160], [255, 129]], decoding: 0.0 };
            let made = Levels::gpu(&mut bed, &input).unwrap();
            let verdict = Levels::agree(&input, &Levels::cpu(&input), &made);
            assert!(verdict.passed, "without {lacking:?}: {}", verdict.text);
            drop((bed, gpu));
            assert_eq!(messages.all(), Vec::<String>::new());
        }
    }
}
