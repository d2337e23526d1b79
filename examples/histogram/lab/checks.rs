//! Checks of counts and view against the reference implementation.

use super::{Histogram, HistogramSettings, reference};
use crate::BINS_MOST;
use gpu::{Buffer, Format, Gpu, Image, ImageDesc, Memory, Use, mip_size};
use lab::{Case, Effort, Property, Reference, TestBench, Verdict, words_apart};
use technique::Technique as _;

/// A picture without two equal neighbours.
pub fn picture([width, height]: [u32; 2]) -> Vec<u8> {
    (0..width * height).flat_map(|i| [i % 251, i / 7 % 256, i * 31 % 256, 255].map(|v| v as u8)).collect()
}

/// Sizes with partial workgroups, each with one bin and up to all of them.
pub struct Counts;

impl Reference for Counts {
    const NAME: &'static str = "counts";
    type Input = ([u32; 2], u32);
    type Output = Vec<u32>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let sizes = [[1, 1], [17, 9], [64, 64], [255, 129], mip_size([1920, 1080], 1)];
        let few = if effort == Effort::Quick { 4 } else { 5 };
        let case = |size: [u32; 2], count| Case::new(format!("{size:?}, {count} bins"), (size, count));
        sizes[..few].iter().flat_map(|size| [1, 16, BINS_MOST].map(|count| case(*size, count))).collect()
    }

    fn cpu((size, count): &Self::Input) -> Vec<u32> {
        reference::histogram(&picture(*size), *count)
    }

    fn gpu(bench: &mut TestBench, (size, count): &Self::Input) -> anyhow::Result<Vec<u32>> {
        let picture = bench.picture(*size, &picture(*size))?;
        let mut technique = Histogram::new(bench.gpu())?;
        bench.run(|frame| technique.record(frame, &HistogramSettings { bins: *count }, &picture.mip(0)))?;
        let mut bins = bench.read_buffer::<u32>(&technique.bins)?;
        bins.truncate(*count as usize);
        Ok(bins)
    }

    fn agree(_: &Self::Input, cpu: &Vec<u32>, gpu: &Vec<u32>) -> Verdict {
        Verdict::none("bins that differ", words_apart(cpu, gpu))
    }
}

/// Each bar of the view is as high as its count: whole columns of 16 pixels, a bar of count `n` of `most` covers `n / most` of them.
pub struct Bars;

impl Property for Bars {
    const NAME: &'static str = "bars";
    /// Counts of the bins.
    type Input = Vec<u32>;
    /// Colours of the view, rows from the top.
    type Output = Vec<[u8; 4]>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let all = [vec![16], vec![0, 8, 16, 4], vec![2; 16]];
        all.map(|input| Case::new(format!("{} bins", input.len()), input)).into()
    }

    fn run(bench: &mut TestBench, counts: &Self::Input) -> anyhow::Result<Self::Output> {
        let gpu = bench.gpu().clone();
        let technique = Histogram::new(&gpu)?;
        let bins = Buffer::new(&gpu, "bins", 4 * u64::from(BINS_MOST), Memory::Device)?;
        let mut padded = counts.clone();
        padded.resize(BINS_MOST as usize, 0);
        let desc = ImageDesc::new("view", [SIDE, SIDE], Format::Rgba8, &[Use::Storage]);
        let view = Image::new(&gpu, desc)?;
        bench.run(|frame| {
            frame.upload_buffer(&bins, &padded)?;
            technique.draw(frame, &bins, counts.len() as u32, &view.mip(0))
        })?;
        Ok(bench.read(&view.mip(0))?)
    }

    fn verdict(counts: &Self::Input, view: &Self::Output) -> Verdict {
        let most = counts.iter().copied().max().unwrap_or(1);
        let color = |at: usize| {
            let (x, y) = (at as u32 % SIDE, at as u32 / SIDE);
            let height = counts[(x as usize * counts.len()) / SIDE as usize] * SIDE / most;
            if SIDE - y <= height { [255, 204, 51, 255] } else { [0, 0, 0, 255] }
        };
        let wrong = view.iter().enumerate().filter(|(at, texel)| **texel != color(*at)).count();
        Verdict::at_least("pixels", view.len() as f64, f64::from(SIDE * SIDE)).and_none("that differ", wrong)
    }
}

const SIDE: u32 = 16;
