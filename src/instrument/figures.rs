//! Figures of one channel of a captured image: range, percentiles, NaN and infinities.

use crate::picture::is_unsigned;
use gpu::{Buffer, ComputePipeline, Frame, Gpu, Image, Memory, Result, Sampler, gpu_consts, gpu_struct};
use std::sync::Arc;
use technique::{FrameRead, Output, all_words};

gpu_consts! { "instrument/figures.comp":
    /// Leading bits of a float that select its bucket: sign, exponent, two bits of the mantissa.
    const BUCKET_BITS: u32 = 11;
}

const BUCKETS: usize = 1 << BUCKET_BITS;
const HEADER: usize = 5;
/// Workgroups at most: each flushes its buckets once.
const GROUPS_MOST: u64 = 256;
const GROUP: u64 = 256;

gpu_struct! {
    struct FiguresPush { channel: u32 }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    pub range: Option<[f64; 2]>,
    pub numbers: u32,
    pub nans: u32,
    pub infinities: u32,
    /// By order of the numbers; a bucket spans a quarter of a power of two.
    pub buckets: Vec<u32>,
}

fn float_of_key(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key & !(1 << 31) } else { !key })
}

impl Figures {
    pub(super) fn of(read: &FrameRead, is_unsigned: bool) -> Result<Self> {
        let words = all_words(&read.array()?);
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let number = |key: u32| if is_unsigned { f64::from(key) } else { f64::from(float_of_key(key)) };
        let range = (word(4) > 0).then(|| [number(!word(0)), number(word(1))]);
        let buckets = words.get(HEADER..).unwrap_or_default().to_vec();
        Ok(Self { range, numbers: word(4), nans: word(2), infinities: word(3), buckets })
    }

    /// The number below which this part (0 to 1) of all numbers is, to a quarter of a power of two.
    pub fn percentile(&self, part: f64) -> Option<f64> {
        let [least, most] = self.range?;
        let wanted = part * f64::from(self.numbers);
        let mut below = 0.0;
        for (bucket, count) in self.buckets.iter().enumerate().filter(|(_, count)| **count > 0) {
            let after = below + f64::from(*count);
            if after >= wanted {
                let [low, high] = Self::bounds(bucket);
                let number = low + (high - low) * ((wanted - below) / f64::from(*count)).clamp(0.0, 1.0);
                return Some(number.clamp(least, most));
            }
            below = after;
        }
        Some(most)
    }

    pub fn bounds(bucket: usize) -> [f64; 2] {
        let first = (bucket as u32) << (32 - BUCKET_BITS);
        let last = first | u32::MAX >> BUCKET_BITS;
        [first, last].map(|key| f64::from(float_of_key(key).clamp(f32::MIN, f32::MAX)))
    }
}

pub struct FiguresPass {
    floats: ComputePipeline,
    integers: ComputePipeline,
    words: Buffer,
}

impl FiguresPass {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = |variant: &str| {
            ComputePipeline::new(gpu, &format!("instrument/figures.comp:{variant}"), &[])?.with_push::<FiguresPush>()
        };
        let bytes = 4 * (HEADER + BUCKETS) as u64;
        let words = Buffer::new(gpu, "instrument figures", bytes, Memory::Device)?;
        Ok(Self { floats: pipeline("floats")?, integers: pipeline("integers")?, words })
    }

    pub fn record(&self, frame: &mut Frame, image: &Image, channel: u32) -> Result<FrameRead> {
        let is_unsigned = is_unsigned(image.format());
        let pipeline = if is_unsigned { &self.integers } else { &self.floats };
        let [width, height] = image.size().map(u64::from);
        let groups = (width * height).div_ceil(GROUP).min(GROUPS_MOST) as u32;
        frame.fill("instrument/figures clear", &self.words, 0)?;
        let pass = frame.compute("instrument/figures", pipeline);
        let pass = pass.bind("texels", image.mip(0).through(Sampler::NearestClamp)).bind("Figures", &self.words);
        pass.push(&FiguresPush { channel }).dispatch_groups([groups, 1, 1])?;
        Output::words(&self.words).read(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{Format, ImageDesc, Use};
    use lab::TestBench;

    fn key_of_float(value: f32) -> u32 {
        let bits = value.to_bits();
        if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
    }

    fn reference(numbers: impl Iterator<Item = f64> + Clone) -> Figures {
        let finite = || numbers.clone().filter(|number| number.is_finite());
        let mut buckets = vec![0; BUCKETS];
        finite().for_each(|number| buckets[(key_of_float(number as f32) >> (32 - BUCKET_BITS)) as usize] += 1);
        let range = finite().next().map(|_| [finite().fold(f64::MAX, f64::min), finite().fold(f64::MIN, f64::max)]);
        let nans = numbers.clone().filter(|number| number.is_nan()).count() as u32;
        let infinities = numbers.clone().filter(|number| number.is_infinite()).count() as u32;
        Figures { range, numbers: finite().count() as u32, nans, infinities, buckets }
    }

    #[test]
    fn figures_are_those_of_the_cpu() {
        let mut bench = TestBench::validated();
        let pass = FiguresPass::new(&bench.gpu().clone()).unwrap();
        for size in [[1, 1], [16, 16], [17, 31], [257, 3], [300, 290]] {
            let count = size[0] * size[1];
            let float = |i: u32| match i % 13 {
                2 if count > 1 => f32::NAN,
                4 => f32::NEG_INFINITY,
                5 => -0.0,
                6 => -1e-20 * i as f32,
                7 => 3e30,
                n => n as f32 - i as f32 / 100.0,
            };
            let texels: Vec<f32> = (0..count).map(float).collect();
            let image = bench.image(ImageDesc::new("f", size, Format::R32F, &[Use::Sample]), &texels).unwrap();
            let read = bench.run(|frame| pass.record(frame, &image, 0)).unwrap();
            let found = Figures::of(&read, false).unwrap();
            assert_eq!(found, reference(texels.iter().map(|x| f64::from(*x))), "{size:?}");
            let texels: Vec<[u32; 2]> = (0..count).map(|i| [i, i.wrapping_mul(0x9E37_79B9)]).collect();
            let image = bench.image(ImageDesc::new("u", size, Format::Rg32U, &[Use::Sample]), &texels).unwrap();
            let read = bench.run(|frame| pass.record(frame, &image, 1)).unwrap();
            assert_eq!(
                Figures::of(&read, true).unwrap(),
                reference(texels.iter().map(|x| f64::from(x[1]))),
                "{size:?}"
            );
        }
    }

    #[test]
    fn percentiles_are_within_a_bucket() {
        let figures = reference((0..1000).map(f64::from));
        for part in [0.0, 0.01, 0.5, 0.99, 1.0] {
            let (found, wanted) = (figures.percentile(part).unwrap(), 999.0 * part);
            assert!((found - wanted).abs() <= 0.25 * wanted + 1.0, "{part}: {found}, {wanted}");
        }
        let nothing = reference([f64::NAN].into_iter());
        assert_eq!((nothing.percentile(0.5), nothing.nans), (None, 1));
    }
}
