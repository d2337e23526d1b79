//! Checks of partial updates and repeatability: stale counters, or workgroups that arrive too early, would break them.

use super::{
    bound::ChainBounds,
    check_fixture::{builder, clear, upload},
    reference::{Rows, chain as reference_chain},
    texels::{Texels, level_zero, levels_of, worst},
};
use crate::{
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
    tier::Filter,
};
use gpu::{Buffer, ComputePipeline, Gpu, Memory, full_chain, mip_size};
use lab::{Case, Effort, Property, TestBench, Verdict};

pub struct PartialChain;

/// Size, part, levels, filter, method.
type PartialChainInput = ([u32; 2], [u32; 4], u32, Filter, Method);

const METHODS: [Method; 2] = [Method::SinglePass, Method::Strips];

impl Property for PartialChain {
    const NAME: &'static str = "part";
    const HAS_REFERENCE: bool = true;
    type Input = PartialChainInput;
    type Output = Vec<u8>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<PartialChainInput>> {
        let table = [
            ([700, 500], [200, 100, 333, 291], 5, Filter::Tent),
            ([700, 500], [0, 0, 1, 1], 9, Filter::Tent),
            ([641, 479], [600, 400, 641, 479], 6, Filter::Box),
            ([1100, 70], [1000, 3, 1100, 70], 11, Filter::Box),
            ([512, 512], [130, 250, 131, 500], 4, Filter::Box),
            // All of it, but not down to one texel: the last tier has many tiles.
            ([902, 611], [0, 0, 902, 611], 6, Filter::Box),
            ([902, 611], [0, 0, 902, 611], 6, Filter::Tent),
        ];
        let case = |input: PartialChainInput| {
            let ([w, h], part, levels, filter, method) = input;
            let variant = format!("{} {}", method.name(), filter.name());
            Case::new(format!("{part:?} of {w}x{h}, {levels} levels, {variant}"), input)
        };
        let of = |(size, part, levels, filter)| METHODS.map(|method| (size, part, levels, filter, method));
        table.into_iter().flat_map(of).map(case).collect()
    }

    fn run(bench: &mut TestBench, (size, part, levels, filter, method): &PartialChainInput) -> anyhow::Result<Vec<u8>> {
        let chain = upload(bench, *size, FORMAT, &level_zero(*size, FORMAT))?;
        let settings = MipChainSettings { method: *method, filter: *filter, levels: *levels, ..Default::default() };
        let builder = builder(bench)?;
        let whole = MipChainSettings { levels: 16, ..settings.clone() };
        let (result, after) = bench.run(|frame| {
            // Twice, and then a whole one: no counter may be left over.
            builder.levels(frame, &settings, &chain, Some(*part))?;
            builder.levels(frame, &settings, &chain, Some(*part))?;
            let read = frame.read_mips(&chain)?;
            clear(frame, &chain)?;
            builder.levels(frame, &whole, &chain, None)?;
            Ok((read, frame.read_mips(&chain)?))
        })?;
        let after = after.read()?;
        let after = levels_of(*size, chain.mips(), FORMAT, &after);
        let part = part_of(&whole, &after)?;
        anyhow::ensure!(part <= 1.0, "the whole chain after it is off by {part} of what rounding may add");
        Ok(result.read()?)
    }

    fn verdict((size, part, levels, filter, method): &PartialChainInput, read: &Vec<u8>) -> Verdict {
        let top = level_zero(*size, FORMAT);
        let reference = reference_chain(&Texels { size: *size, format: FORMAT, bytes: &top }, *filter, *levels);
        let result = levels_of(*size, *levels, FORMAT, read);
        if result.len() != reference.len() + 1 {
            let text = format!("{} levels came back, expected {}", result.len(), reference.len() + 1);
            return Verdict::that(false, text);
        }
        let settings = MipChainSettings { method: *method, filter: *filter, levels: *levels, ..Default::default() };
        let bounds = bounds(&settings, *size);
        let mut worst = 0f64;
        for (level, (a, b)) in (1..).zip(reference.iter().zip(&result[1..])) {
            let bound = bounds.bound(level);
            let axis = |axis: usize| {
                let scale = f64::from(a.size[axis]) / f64::from(size[axis]);
                let from = (f64::from(part[axis]) * scale + 1e-9).floor() as u32;
                let to = (f64::from(part[axis + 2]) * scale - 1e-9).ceil() as u32;
                from as usize..to.clamp(from + 1, a.size[axis]) as usize
            };
            for y in axis(1) {
                let (a, b) = (a.row(y), b.row(y));
                for x in axis(0) {
                    let off = (a[x] - b[x]).abs();
                    let part = if off.is_finite() { off.max_element() * 255.0 / bound } else { f64::INFINITY };
                    worst = worst.max(part);
                }
            }
        }
        Verdict::at_most("worst texel, of what rounding may add", worst, 1.0)
    }
}

fn bounds(settings: &MipChainSettings, size: [u32; 2]) -> ChainBounds<'_> {
    ChainBounds { settings, size, from_picture: false, exact_places: false }
}

/// The worst texel of a chain, level 0 first, in units of its bound.
fn part_of(settings: &MipChainSettings, read: &[Texels<'_>]) -> anyhow::Result<f64> {
    let Some((top, levels)) = read.split_first() else { anyhow::bail!("no level came back") };
    let reference = reference_chain(top, settings.filter, full_chain(top.size));
    anyhow::ensure!(reference.len() == levels.len(), "{} levels came back, expected {}", levels.len(), reference.len());
    Ok(bounds(settings, top.size).worst_part(reference.iter().zip(levels).map(|(a, b)| worst(FORMAT, a, b))))
}

const FORMAT: ChainFormat = ChainFormat::Rgba16F;

/// A chain after one without a number anywhere: nothing may be read that this chain has not written.
pub struct StaleLevels;

impl Property for StaleLevels {
    const NAME: &'static str = "stale";
    const HAS_REFERENCE: bool = true;
    type Input = ([u32; 2], Filter, Method);
    type Output = Vec<u8>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let mut sizes = vec![[640, 360], [321, 180]];
        if effort == Effort::Full {
            sizes.extend([[1280, 720], [1919, 1079], [2560, 1440], [2048, 2048], [1000, 1000], [4095, 130]]);
        }
        let of = |size: [u32; 2]| {
            METHODS.into_iter().flat_map(move |method| [Filter::Box, Filter::Tent].map(|filter| (size, filter, method)))
        };
        let case = |input: Self::Input| {
            let ([w, h], filter, method) = input;
            Case::new(format!("{w}x{h} {} {}", method.name(), filter.name()), input)
        };
        sizes.into_iter().flat_map(of).map(case).collect()
    }

    fn run(bench: &mut TestBench, (size, filter, method): &Self::Input) -> anyhow::Result<Vec<u8>> {
        let top = level_zero(*size, FORMAT);
        let chain = upload(bench, *size, FORMAT, &top)?;
        let settings = MipChainSettings { method: *method, filter: *filter, ..Default::default() };
        let builder = builder(bench)?;
        let read = bench.run(|frame| {
            frame.clear("setup/clear", &chain.all(), [f32::NAN; 4])?;
            builder.levels(frame, &settings, &chain, None)?;
            frame.upload(&chain.mip(0), &top)?;
            clear(frame, &chain)?;
            builder.levels(frame, &settings, &chain, None)?;
            frame.read_mips(&chain)
        })?;
        Ok(read.read()?)
    }

    fn verdict((size, filter, method): &Self::Input, read: &Vec<u8>) -> Verdict {
        PartialChain::verdict(&(*size, [0, 0, size[0], size[1]], full_chain(*size), *filter, *method), read)
    }
}

/// The same chain, made many times, is equal although workgroups arrive in any order.
pub struct Repeats;

impl Property for Repeats {
    const NAME: &'static str = "again";
    const HAS_REFERENCE: bool = true;
    type Input = ([u32; 2], Filter, Method, usize);
    /// Texels that differ; and the worst of the first chain in units of its bound: chains of nothing are all the same.
    type Output = (u32, f64);

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let (runs, large) = match effort {
            Effort::Quick => (40, 0),
            Effort::Full if gpu.policy().is_slow => (400, 0),
            Effort::Full => (2500, 500),
        };
        let table = [
            ([511, 259], Filter::Tent, Method::SinglePass, runs),
            ([640, 384], Filter::Box, Method::SinglePass, runs),
            ([1023, 130], Filter::Box, Method::SinglePass, runs),
            ([257, 300], Filter::Tent, Method::SinglePass, runs),
            ([511, 259], Filter::Tent, Method::Strips, runs / 4),
            ([2560, 1440], Filter::Tent, Method::Strips, large),
            ([2560, 1440], Filter::Tent, Method::SinglePass, large),
            ([2560, 1440], Filter::Box, Method::SinglePass, large),
            ([1919, 1079], Filter::Box, Method::SinglePass, large),
            ([4096, 4096], Filter::Box, Method::SinglePass, large),
        ];
        let case = |input: Self::Input| {
            let ([w, h], filter, method, runs) = input;
            Case::new(format!("{w}x{h} {} {}, {runs} runs", method.name(), filter.name()), input)
        };
        table.into_iter().filter(|(.., runs)| *runs > 0).map(case).collect()
    }

    fn run(bench: &mut TestBench, (size, filter, method, runs): &Self::Input) -> anyhow::Result<Self::Output> {
        let bytes = level_zero(*size, FORMAT);
        let reference = upload(bench, *size, FORMAT, &bytes)?;
        let chain = upload(bench, *size, FORMAT, &bytes)?;
        let settings = MipChainSettings { method: *method, filter: *filter, ..Default::default() };
        let builder = builder(bench)?;
        let compare = ComputePipeline::new(bench.gpu(), "mip_chain/compare.comp", &[])?;
        let count = Buffer::new(bench.gpu(), "differences", 4, Memory::Device)?;
        bench.run(|frame| {
            frame.fill("setup/differences", &count, 0)?;
            builder.levels(frame, &settings, &reference, None)
        })?;
        for done in (0..*runs).step_by(50) {
            bench.run(|frame| {
                for _ in done..(done + 50).min(*runs) {
                    clear(frame, &chain)?;
                    builder.levels(frame, &settings, &chain, None)?;
                    let pass = frame.compute("mip_chain/compare", &compare).bind("one", reference.all());
                    pass.bind("other", chain.all()).bind("Count", &count).dispatch(mip_size(*size, 1))?;
                }
                Ok(())
            })?;
        }
        let read = bench.run(|frame| frame.read_mips(&reference))?.read()?;
        anyhow::ensure!(read.iter().any(|byte| *byte != 0), "every level is zero; expected the chain of a picture");
        let part = part_of(&settings, &levels_of(*size, reference.mips(), FORMAT, &read))?;
        let Some(count) = bench.read_buffer::<u32>(&count)?.first().copied() else { anyhow::bail!("no count") };
        Ok((count, part))
    }

    fn verdict(_: &Self::Input, (differ, part): &Self::Output) -> Verdict {
        let all = Verdict::at_most("texels that differ", f64::from(*differ), 0.0);
        all.and_at_most("worst texel of the first, of what rounding may add", *part, 1.0)
    }
}
