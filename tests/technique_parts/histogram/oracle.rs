//! Reference implementation of the histogram, and the sizes of the comparison.

use super::{BINS_MOST, Histogram, HistogramSettings};
use meniscus::{
    gpu::{Gpu, mip_size},
    lab::{Case, Effort, Oracle, TestBench, Verdict},
    techniques::Technique as _,
};

/// Pixels by brightness, `count` bins; `rgba`: 8 bits a channel.
pub fn histogram(rgba: &[u8], count: u32) -> Vec<u32> {
    let mut bins = vec![0; count as usize];
    for texel in rgba.chunks_exact(4) {
        let brightness = texel[..3].iter().map(|v| u32::from(*v)).sum::<u32>() / 3;
        bins[(brightness * count / 256) as usize] += 1;
    }
    bins
}

/// A picture without two equal neighbours.
pub fn test_picture([width, height]: [u32; 2]) -> Vec<u8> {
    (0..width * height).flat_map(|i| [i % 251, i / 7 % 256, i * 31 % 256, 255].map(|v| v as u8)).collect()
}

pub struct Counts;

impl Oracle for Counts {
    const NAME: &'static str = "counts";
    type Input = ([u32; 2], u32);
    type Output = Vec<u32>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Self::Input>> {
        let sizes = [[1, 1], [17, 9], [64, 64], [255, 129], mip_size([1920, 1080], 1)];
        let few = if effort == Effort::Quick { 4 } else { 5 };
        let case = |size: [u32; 2], count| Case { name: format!("{size:?}, {count} bins"), input: (size, count) };
        sizes[..few].iter().flat_map(|size| [1, 16, BINS_MOST].map(|count| case(*size, count))).collect()
    }

    fn cpu((size, count): &Self::Input) -> Vec<u32> {
        histogram(&test_picture(*size), *count)
    }

    fn gpu(bench: &mut TestBench, (size, count): &Self::Input) -> anyhow::Result<Vec<u32>> {
        let picture = bench.picture(*size, &test_picture(*size))?;
        let mut technique = Histogram::new(bench.gpu())?;
        let settings = HistogramSettings { bins: *count, ..Default::default() };
        let bins = bench.run(|frame| technique.record(frame, &settings, &picture.mip(0)))?;
        Ok(bench.read_buffer::<u32>(&bins)?[..*count as usize].to_vec())
    }

    fn agree(_: &Self::Input, cpu: &Vec<u32>, gpu: &Vec<u32>) -> Verdict {
        let wrong = cpu.iter().zip(gpu).filter(|(a, b)| a != b).count() + cpu.len().abs_diff(gpu.len());
        Verdict::at_most("bins that differ", wrong as f64, 0.0)
    }
}
