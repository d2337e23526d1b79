//! Parts of a picture, and the same result every time: what counters that are left over, or workgroups that arrive too
//! early, would break.

use super::{
    ChainFormat, Filter, MipChain, MipChainSettings,
    oracle::{level_zero, planes, upload, worst},
    twin::Plane,
};
use crate::{
    gpu::{Buffer, ComputePipeline, Gpu, Place, mip_size},
    lab::{Bed, Case, Effort, Oracle, Verdict},
    techniques::Technique,
};

/// A part of the picture: what lies over it is as right as in a whole chain.
pub struct Part;

/// Size, part, levels, filter.
type PartInput = ([u32; 2], [u32; 4], u32, Filter);

impl Oracle for Part {
    const NAME: &'static str = "part";
    type Input = PartInput;
    type Output = Vec<Plane>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<PartInput>> {
        let table = [
            ([700, 500], [200, 100, 333, 291], 5, Filter::Tent),
            ([700, 500], [0, 0, 1, 1], 9, Filter::Tent),
            ([641, 479], [600, 400, 641, 479], 6, Filter::Box),
            ([1100, 70], [1000, 3, 1100, 70], 11, Filter::Box),
            ([512, 512], [130, 250, 131, 500], 4, Filter::Box),
        ];
        let case = |input: PartInput| {
            let ([w, h], part, levels, filter) = input;
            Case { name: format!("{part:?} of {w}x{h}, {levels} levels, {}", filter.name()), input }
        };
        table.into_iter().map(case).collect()
    }

    fn cpu((size, _, levels, filter): &PartInput) -> Vec<Plane> {
        level_zero(*size, ChainFormat::Rgba16F).1.chain(*filter, *levels)
    }

    fn gpu(bed: &mut Bed, (size, part, levels, filter): &PartInput) -> anyhow::Result<Vec<Plane>> {
        let format = ChainFormat::Rgba16F;
        let chain = upload(bed, *size, format, &level_zero(*size, format).0)?;
        let settings = MipChainSettings { filter: *filter, levels: *levels, ..Default::default() };
        let technique = MipChain::new(bed.gpu())?;
        let whole = MipChainSettings { levels: 16, ..settings.clone() };
        let read = bed.run(|frame| {
            // Twice, and then a whole one: no counter may be left over.
            technique.levels(frame, &settings, &chain, Some(*part))?;
            technique.levels(frame, &settings, &chain, Some(*part))?;
            let read = frame.read_mips(&chain)?;
            technique.levels(frame, &whole, &chain, None)?;
            Ok((read, frame.read_mips(&chain)?))
        })?;
        let all = planes(*size, chain.mips(), format, &read.1.read::<u8>()?);
        let twin = all[0].clone().chain(*filter, chain.mips());
        let error = all.iter().zip(&twin).map(|(a, b)| worst(format, a, b)).fold(0.0, f64::max);
        anyhow::ensure!(error < 0.6, "the whole chain after it is off by {error} steps");
        Ok(planes(*size, chain.mips(), format, &read.0.read::<u8>()?).into_iter().take(*levels as usize).collect())
    }

    fn agree((size, part, ..): &PartInput, cpu: &Vec<Plane>, gpu: &Vec<Plane>) -> Verdict {
        let mut error = 0f64;
        for (a, b) in cpu.iter().zip(gpu) {
            let axis = |axis: usize| {
                let scale = f64::from(a.size[axis]) / f64::from(size[axis]);
                let from = (f64::from(part[axis]) * scale + 1e-9).floor() as u32;
                let to = (f64::from(part[axis + 2]) * scale - 1e-9).ceil() as u32;
                from..to.clamp(from + 1, a.size[axis])
            };
            for y in axis(1) {
                for x in axis(0) {
                    let at = (y * a.size[0] + x) as usize;
                    let off = (a.texels[at] - b.texels[at]).abs().max_element() * 255.0;
                    error = if off.is_finite() { error.max(off) } else { f64::INFINITY };
                }
            }
        }
        // A device that falls back to a dispatch for each level rounds again at each.
        Verdict::at_most("worst texel, 8-bit steps", error, 0.6)
    }
}

/// The same chain many times: workgroups arrive in any order, and the result is always the same.
pub struct Again;

impl Oracle for Again {
    const NAME: &'static str = "again";
    type Input = ([u32; 2], Filter, usize);
    type Output = u32;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let runs = match effort {
            Effort::Quick => 40,
            Effort::Full if gpu.facts().kind == "software" => 400,
            Effort::Full => 2500,
        };
        let table = [
            ([511, 259], Filter::Tent),
            ([640, 384], Filter::Box),
            ([1023, 130], Filter::Box),
            ([257, 300], Filter::Tent),
        ];
        let case = |(size, filter): ([u32; 2], Filter)| {
            let name = format!("{}x{} {}, {runs} runs", size[0], size[1], filter.name());
            Case { name, input: (size, filter, runs) }
        };
        table.into_iter().map(case).collect()
    }

    fn cpu(_: &Self::Input) -> u32 {
        0
    }

    fn gpu(bed: &mut Bed, (size, filter, runs): &Self::Input) -> anyhow::Result<u32> {
        let format = ChainFormat::Rgba16F;
        let bytes = level_zero(*size, format).0;
        let reference = upload(bed, *size, format, &bytes)?;
        let chain = upload(bed, *size, format, &bytes)?;
        let settings = MipChainSettings { filter: *filter, ..Default::default() };
        let technique = MipChain::new(bed.gpu())?;
        let compare = ComputePipeline::new(bed.gpu(), "mip_chain/compare.comp", &[])?;
        let count = Buffer::new(bed.gpu(), "differences", 4, Place::Device)?;
        bed.run(|frame| {
            frame.fill("setup/differences", &count, 0)?;
            technique.levels(frame, &settings, &reference, None)
        })?;
        for done in (0..*runs).step_by(50) {
            bed.run(|frame| {
                for _ in done..(done + 50).min(*runs) {
                    technique.levels(frame, &settings, &chain, None)?;
                    let pass = frame.compute("mip_chain/compare", &compare).bind("one", reference.all());
                    pass.bind("other", chain.all()).bind("Count", &count).dispatch(mip_size(*size, 1))?;
                }
                Ok(())
            })?;
        }
        Ok(bed.read_buffer::<u32>(&count)?[0])
    }

    fn agree(_: &Self::Input, cpu: &u32, gpu: &u32) -> Verdict {
        Verdict::at_most("texels that differ", f64::from(*gpu), f64::from(*cpu))
    }
}
