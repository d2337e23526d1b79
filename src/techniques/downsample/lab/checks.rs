//! Checks of every method against the CPU reference: awkward sizes, ratios that do not divide, both lights.

use super::{
    bound::{Driver, ResultFormat, parts, verdict},
    figures,
    reference::{self, Bytes, Plane, Rows},
};
use crate::{
    downsampler::Downsample,
    passes::methods::{BlockReads, ChainSource, DownsampleInput, sums_request},
    plan,
    settings::{DownsampleSettings, Light, Method},
};
use base::half;
use glam::DVec4;
use gpu::{Buffer, Format, Gpu, Image, ImageDesc, Memory, Use, full_chain, mip_size};
use lab::{Case, Effort, Reference, TestBench, Verdict, test_picture};
use technique::{Sums, Technique};

pub struct MethodCase {
    method: Method,
    light: Light,
    sizes: Vec<SizeCase>,
    /// Forced way of reading blocks; otherwise the device's.
    reads: Option<BlockReads>,
    driver: Driver,
}

/// Size of the picture, ratio, size of the result.
type SizeCase = ([u32; 2], u32, [u32; 2]);

/// Odd sides, ratios that divide and do not, single rows and pixels, nothing to do, results that cover very many
/// pixels.
const SIZES: [SizeCase; 11] = [
    ([1, 1], 8, [0, 0]),
    ([2, 2], 2, [0, 0]),
    ([31, 17], 2, [0, 0]),
    ([97, 61], 4, [0, 0]),
    ([192, 64], 32, [0, 0]),
    ([200, 130], 64, [0, 0]),
    ([100, 75], 2, [37, 29]),
    ([257, 129], 2, [3, 2]),
    ([40, 40], 2, [40, 40]),
    ([300, 300], 2, [2, 1]),
    ([1, 90], 2, [1, 7]),
];

type Values = Vec<Vec<DVec4>>;

pub struct Methods;

fn settings_of(input: &MethodCase, (_, ratio, size): SizeCase) -> DownsampleSettings {
    DownsampleSettings { method: input.method, light: input.light, ratio, size, ..Default::default() }
}

fn bytes<'a>(input: &MethodCase, size: [u32; 2], rgba: &'a [u8]) -> Bytes<'a> {
    Bytes { size, rgba, linear: input.light == Light::Linear }
}

impl Reference for Methods {
    const NAME: &'static str = "methods";
    type Input = MethodCase;
    type Output = Values;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<MethodCase>> {
        let mut sizes = SIZES.to_vec();
        if effort == Effort::Full {
            let sides = [1, 3, 16, 33, 127];
            for from in sides.into_iter().flat_map(|w| sides.map(|h| [w, h])) {
                sizes.extend([2, 16].map(|ratio| (from, ratio, [0, 0])));
                sizes.extend([[1, 1], [3, 5], [126, 2]].map(|size| (from, 2, size)));
            }
            sizes.extend([([2048, 2048], 32, [0, 0]), ([1919, 1079], 2, [640, 359]), ([4096, 4096], 2, [1, 1])]);
        }
        let both = |method: &Method| [Light::Linear, Light::Encoded].map(|light| (*method, light));
        let case = |(method, light): (Method, Light)| {
            let (mut sizes, mut driver) = (sizes.clone(), Driver::of(gpu, light));
            if method == Method::Table {
                // The reference's own tables: decoded here, and of whole numbers that are fine enough.
                sizes.retain(|(from, ratio, size)| {
                    let settings = DownsampleSettings { ratio: *ratio, size: *size, ..Default::default() };
                    plan::unit(*from, plan::result_size(&settings, *from), 65535) == 65535.0
                });
            }
            if matches!(method, Method::Table | Method::MipChain) {
                // Neither reads the picture.
                driver.decoding = 0.0;
            }
            let name = format!("{} {}, {} sizes", method.name(), light.name(), sizes.len());
            Case::new(name, MethodCase { method, light, sizes, reads: None, driver })
        };
        Method::ALL.iter().flat_map(both).map(case).collect()
    }

    fn cpu(input: &MethodCase) -> Values {
        let each = |size_case: &SizeCase| {
            let (from, ..) = *size_case;
            let to = plan::result_size(&settings_of(input, *size_case), from);
            let plane = if input.method == Method::MipChain {
                let mut plane = reference::read_from_chain(&chain_of(from), to);
                if input.light == Light::Encoded {
                    plane.texels.iter_mut().for_each(encode);
                }
                plane
            } else {
                reference::downsampled(input.method, &bytes(input, from, &test_picture(from)), to)
            };
            plane.texels
        };
        input.sizes.iter().map(each).collect()
    }

    fn gpu(bench: &mut TestBench, input: &MethodCase) -> anyhow::Result<Values> {
        let mut technique = Downsample::new(bench.gpu())?;
        technique.passes.forced_reads = input.reads;
        let mut results = Vec::new();
        for size_case in &input.sizes {
            let (from, ..) = *size_case;
            let settings = settings_of(input, *size_case);
            let picture = bench.picture(from, &test_picture(from))?.mip(0);
            let chain = match input.method {
                Method::MipChain => Some(ChainSource { chain: upload(bench, &chain_of(from))?, is_tent: false }),
                _ => None,
            };
            let sums = match sums_request(&settings, &picture) {
                Some(request) => Some(sums_of(bench, &bytes(input, from, &test_picture(from)), request.unit)?),
                None => None,
            };
            let source = DownsampleInput { picture: &picture, chain, sums };
            // Twice, so that what no invocation writes is found: all images hold something else in between.
            bench.run(|frame| {
                technique.record(frame, &settings, &source)?;
                technique.passes.spoil(frame)
            })?;
            let result = bench.run(|frame| technique.record(frame, &settings, &source))?;
            results.push(figures::read(bench, &result, input.light)?.texels);
        }
        Ok(results)
    }

    fn agree(input: &MethodCase, cpu: &Values, gpu: &Values) -> Verdict {
        let bound = |size_case: &SizeCase| {
            ResultFormat::by(&settings_of(input, *size_case), input.reads, size_case.0).bound(input.driver)
        };
        let bounds: Vec<f64> = input.sizes.iter().map(bound).collect();
        let parts = parts(cpu, gpu, input.light, &bounds);
        let mut verdict = verdict(&parts, &bounds);
        if let Some(place) = parts.worst().filter(|_| !verdict.passed).and_then(|worst| place(input, worst, cpu, gpu)) {
            verdict.text += &place;
        }
        verdict
    }
}

/// Position and value of number `worst` of all results.
fn place(input: &MethodCase, worst: usize, cpu: &Values, gpu: &Values) -> Option<String> {
    let mut at = worst / 4;
    let pairs = input.sizes.iter().zip(cpu.iter().zip(gpu));
    for (size_case, (expected, result)) in pairs {
        if let (Some(expected), Some(result)) = (expected.get(at), result.get(at)) {
            let to = plan::result_size(&settings_of(input, *size_case), size_case.0);
            let (x, y) = (at % to[0] as usize, at / to[0] as usize);
            return Some(format!(
                ", worst at {x},{y} of {to:?} from {:?}: {result:?}, expected {expected:?}",
                size_case.0
            ));
        }
        at = at.checked_sub(expected.len())?;
    }
    None
}

/// Blocks by each [`BlockReads`], also those that the device would not choose itself.
///
/// The sampler's mean of four is tried on GPUs alone. No software driver uses it here, and Mesa 25.0.7 on 4 lanes once
/// was off by 63.75 steps of 255, more than any places between these pixels can make, and agreed in 700 runs after
/// that. What is done with means of four is tried everywhere, by fetches.
pub struct Blocks;

impl Reference for Blocks {
    const NAME: &'static str = "blocks";
    type Input = MethodCase;
    type Output = Values;

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<MethodCase>> {
        let sizes: Vec<SizeCase> = [2, 4, 8, 16, 32].map(|ratio| ([160, 96], ratio, [0, 0])).into();
        let read_modes =
            [("pixel by pixel", BlockReads::Pixels), ("fours", BlockReads::Fours), ("sampler", BlockReads::Sampler)];
        let read_modes =
            read_modes.into_iter().filter(|(_, reads)| *reads != BlockReads::Sampler || !gpu.policy().runs_on_cpu);
        let case = |(name, reads): (&str, BlockReads)| {
            [Light::Linear, Light::Encoded].map(|light| {
                Case::new(
                    format!("{}, {name}", light.name()),
                    MethodCase {
                        method: Method::AreaCompute,
                        light,
                        sizes: sizes.clone(),
                        reads: Some(reads),
                        driver: Driver::of(gpu, light),
                    },
                )
            })
        };
        read_modes.flat_map(case).collect()
    }

    fn cpu(input: &MethodCase) -> Values {
        Methods::cpu(input)
    }

    fn gpu(bench: &mut TestBench, input: &MethodCase) -> anyhow::Result<Values> {
        Methods::gpu(bench, input)
    }

    fn agree(input: &MethodCase, cpu: &Values, gpu: &Values) -> Verdict {
        Methods::agree(input, cpu, gpu)
    }
}

/// Unrelated levels, so that a wrong one is found.
fn chain_of(from: [u32; 2]) -> Vec<Plane> {
    let level = |level: u32| {
        let size = mip_size(from, level);
        let rgba: Vec<u8> = test_picture(size).iter().map(|byte| byte.rotate_left(level)).collect();
        let value = |texel: &[u8; 4]| {
            DVec4::from_array(texel.map(|byte| half::to_f64(half::from_f64(f64::from(byte) / 255.0))))
        };
        Plane { size, texels: rgba.as_chunks().0.iter().map(value).collect() }
    };
    (0..full_chain(from)).map(level).collect()
}

fn upload(bench: &mut TestBench, levels: &[Plane]) -> anyhow::Result<Image> {
    let desc = ImageDesc::new("chain", levels[0].size, Format::Rgba16F, &[Use::Sample]).mips(levels.len() as u32);
    let image = Image::new(bench.gpu(), desc)?;
    for (level, plane) in (0..).zip(levels) {
        let halves: Vec<u16> = plane.texels.iter().flat_map(|texel| texel.to_array().map(half::from_f64)).collect();
        bench.run(|frame| frame.upload(&image.mip(level), &halves))?;
    }
    Ok(image)
}

/// With something else between rows.
fn sums_of(bench: &mut TestBench, picture: &Bytes<'_>, unit: f32) -> anyhow::Result<Sums> {
    let [w, h] = picture.size.map(|n| n as usize);
    let pitch = w + 3;
    let mut words = vec![0xDEAD_BEEF_u32; pitch * h * 4];
    for (channel, table) in words.chunks_exact_mut(pitch * h).enumerate() {
        let mut above = vec![0u32; w];
        for (y, to) in table.chunks_exact_mut(pitch).enumerate() {
            let mut sum = 0u32;
            for (x, texel) in picture.row(y).iter().enumerate() {
                sum = sum.wrapping_add((texel[channel] * f64::from(unit)).round() as u32);
                above[x] = above[x].wrapping_add(sum);
                to[x] = above[x];
            }
        }
    }
    let buffer = Buffer::new(bench.gpu(), "sums", words.len() as u64 * 4, Memory::Device)?;
    bench.run(|frame| frame.upload_buffer(&buffer, &words))?;
    Ok(Sums { words: buffer, size: picture.size, pitch: pitch as u32, plane: (pitch * h) as u32, unit })
}

fn encode(value: &mut DVec4) {
    let of = |light: f64| f64::from(base::srgb::encode(light as f32));
    *value = DVec4::new(of(value.x), of(value.y), of(value.z), value.w);
}
