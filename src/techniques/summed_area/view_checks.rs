//! Checks of the uses of tables: the views, the steps of a scan, blurs by boxes.

use super::{
    reference::Plane,
    scan::Scan,
    scan_checks::{noise, shared_technique},
    scan_reference::{replay, steps},
    settings::{Input, SummedAreaSettings},
    table::Precision,
    technique::SummedArea,
};
use crate::{
    base::{
        boxes::{self, Part},
        difference::Errors,
        half::{from_f64, to_f64},
        srgb::{decode, encode},
    },
    gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict},
    techniques::{BoxBlur, FrameContext},
};
use std::sync::PoisonError;

/// Flat parts, edges, lines and noise, opaque.
pub(super) fn test_picture(size: [u32; 2]) -> Vec<u8> {
    let [w, h] = size.map(|n| n as usize);
    let noise = noise(w * h, 3);
    let texel = |at: usize| {
        let (x, y) = (at % w, at / w);
        let flat = if x < w / 3 { [230, 228, 220] } else { [40, 90, 160] };
        let busy = [(noise[at] >> 24) as u8, if (x / 3 + y / 3) % 2 == 0 { 255 } else { 8 }, (x * 255 / w) as u8];
        let [r, g, b] = if y > h / 2 && x > w / 2 { busy } else { flat };
        [r, g, b, 255]
    };
    (0..w * h).flat_map(texel).collect()
}

fn luma(rgba: &[u8], size: [u32; 2]) -> Plane {
    let at = |x: usize, y: usize| {
        let texel = &rgba[4 * (y * size[0] as usize + x)..];
        (54 * u32::from(texel[0]) + 183 * u32::from(texel[1]) + 19 * u32::from(texel[2]) + 128) / 256
    };
    Plane::from_fn(size, at)
}

/// Linear light as half floats hold it.
pub(super) fn light(rgba: &[u8]) -> Vec<[f64; 3]> {
    let linear = |byte: u8| to_f64(from_f64(f64::from(decode(f32::from(byte) / 255.0))));
    rgba.chunks_exact(4).map(|t| [t[0], t[1], t[2]].map(linear)).collect()
}

pub(super) fn light_image(bench: &mut TestBench, size: [u32; 2], rgba: &[u8]) -> Result<Image> {
    let texels: Vec<u16> = light(rgba).iter().flat_map(|[r, g, b]| [*r, *g, *b, 1.0].map(from_f64)).collect();
    let desc = ImageDesc::new("light", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
    bench.image(desc, bytemuck::cast_slice::<u16, [u16; 4]>(&texels))
}

pub(super) fn context(bench: &mut TestBench, size: [u32; 2], rgba: &[u8]) -> anyhow::Result<FrameContext> {
    let (picture, chain) = (bench.picture(size, rgba)?, light_image(bench, size, rgba)?);
    Ok(FrameContext {
        picture: picture.mip(0),
        chain,
        chain_is_tent: true,
        lenses: vec![],
        scale: 1.0,
        world: None,
        boxed: None,
        sums: None,
    })
}

fn canvas(bench: &TestBench, size: [u32; 2]) -> Result<Image> {
    Image::new(bench.gpu(), ImageDesc::new("view", size, Format::Rgba8, &[Use::Storage]))
}

/// Red, green and blue of each pixel, 0..255.
pub(super) fn draw(
    bench: &mut TestBench,
    size: [u32; 2],
    record: impl FnOnce(&mut Frame, &mut SummedArea, &ImageView) -> Result<()>,
) -> anyhow::Result<Vec<f32>> {
    let texels = canvas_of(bench, size, record)?;
    Ok(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect())
}

pub(super) fn canvas_of(
    bench: &mut TestBench,
    size: [u32; 2],
    record: impl FnOnce(&mut Frame, &mut SummedArea, &ImageView) -> Result<()>,
) -> anyhow::Result<Vec<[u8; 4]>> {
    let (technique, picture) = (shared_technique(bench)?, canvas(bench, size)?);
    let mut technique = technique.lock().unwrap_or_else(PoisonError::into_inner);
    bench.run(|frame| record(frame, &mut technique, &picture.mip(0)))?;
    Ok(bench.read(&picture.mip(0))?)
}

/// Cut off at the border: columns and rows.
pub(super) fn around(size: [usize; 2], [x, y]: [usize; 2], radius: usize) -> [std::ops::Range<usize>; 2] {
    [x.saturating_sub(radius)..(x + radius + 1).min(size[0]), y.saturating_sub(radius)..(y + radius + 1).min(size[1])]
}

/// Colour of the deviation's view where a variance is negative.
const NEGATIVE: [f32; 3] = [255.0, 0.0, 153.0];

pub struct Views;

pub struct ViewInput {
    name: &'static str,
    size: [u32; 2],
    settings: SummedAreaSettings,
}

impl Reference for Views {
    const NAME: &'static str = "views";
    type Input = ViewInput;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<ViewInput>> {
        let case = |name: &'static str, size: [u32; 2], settings: SummedAreaSettings| Case {
            name: format!("{name} {}x{} {}", size[0], size[1], settings.precision.name()),
            input: ViewInput { name, size, settings },
        };
        let usual = SummedAreaSettings { radius: 3, ..Default::default() };
        let wide = SummedAreaSettings { radius: 127, ..Default::default() };
        let with = |precision| SummedAreaSettings { precision, ..usual.clone() };
        let mut cases = vec![
            case("mean", [67, 41], SummedAreaSettings { input: Input::Rgba, ..usual.clone() }),
            case("mean", [67, 41], wide.clone()),
            case("deviation", [67, 41], usual.clone()),
            case("deviation", [67, 41], wide),
            case("deviation", [67, 41], with(Precision::F32)),
            case("threshold", [97, 41], usual.clone()),
            // A value equal to the mean of a flat part is not darker than it.
            case("threshold", [97, 41], SummedAreaSettings { percent: 100, ..usual.clone() }),
            case("guided", [67, 41], usual.clone()),
            case("error", [67, 41], usual.clone()),
        ];
        for precision in [Precision::F32, Precision::HalfOffset, Precision::MeanOffset, Precision::Centred] {
            cases.push(case("mean", [66, 41], with(precision)));
        }
        cases
    }

    fn cpu(input: &ViewInput) -> Vec<f32> {
        let rgba = test_picture(input.size);
        let plane = luma(&rgba, input.size);
        let [w, h] = plane.size;
        let radius = if input.name == "threshold" { (w / 16).max(1) } else { input.settings.radius as usize };
        let mean_of = |plane: &Plane, at: [usize; 2]| {
            let [x, y] = around(plane.size, at, radius);
            plane.sum(x.clone(), y.clone()) as f64 / (x.len() * y.len()) as f64
        };
        let squares = Plane { size: plane.size, numbers: plane.numbers.iter().map(|l| l * l).collect() };
        // For values 0..1.
        let variance = |at: [usize; 2]| (mean_of(&squares, at) - mean_of(&plane, at).powi(2)) / 65025.0;
        let line = |at: [usize; 2]| {
            let (mean, variance) = (mean_of(&plane, at) / 255.0, variance(at));
            let slope = variance / (variance + f64::from(input.settings.edge).powi(2));
            [slope, mean * (1.0 - slope)]
        };
        let lines: Vec<[f64; 2]> = match input.name {
            "guided" => (0..w * h).map(|at| line([at % w, at / w])).collect(),
            _ => Vec::new(),
        };
        let pixel = |at: usize| {
            let (place, texel) = ([at % w, at / w], &rgba[4 * at..4 * at + 3]);
            let color: [f64; 3] = match input.name {
                "mean" if input.settings.input == Input::Rgba => [0, 1, 2].map(|channel| {
                    let plane = Plane::from_fn(input.size, |x, y| u32::from(rgba[4 * (y * w + x) + channel]));
                    mean_of(&plane, place)
                }),
                "mean" => [mean_of(&plane, place); 3],
                "deviation" => [2.0 * variance(place).max(0.0).sqrt() * 255.0; 3],
                "threshold" => {
                    let percent = f64::from(input.settings.percent);
                    let is_dark =
                        100.0 * f64::from(plane.at(place[0], place[1])) < percent * mean_of(&plane, place) - 1e-9;
                    [if is_dark { 0.0 } else { 255.0 }; 3]
                }
                "guided" => {
                    let [x, y] = around(plane.size, place, radius);
                    let mut sum = [0.0; 2];
                    for at in y.clone().flat_map(|y| x.clone().map(move |x| y * w + x)) {
                        sum = [sum[0] + lines[at][0], sum[1] + lines[at][1]];
                    }
                    let [a, b] = sum.map(|sum| sum / (x.len() * y.len()) as f64);
                    let own = f64::from(plane.at(place[0], place[1]));
                    [0, 1, 2].map(|channel| a * own + b * 255.0 + f64::from(texel[channel]) - own)
                }
                // Whole numbers have no error.
                _ => [0.0; 3],
            };
            color.map(|c| c.clamp(0.0, 255.0) as f32)
        };
        (0..w * h).flat_map(pixel).collect()
    }

    fn gpu(bench: &mut TestBench, input: &ViewInput) -> anyhow::Result<Vec<f32>> {
        let context = context(bench, input.size, &test_picture(input.size))?;
        draw(bench, input.size, |frame, technique, picture| {
            technique.view(frame, input.name, &input.settings, &context, picture)
        })
    }

    /// Tables of floats lose a little even here: in flat parts the root of what is left of a variance. Where that is
    /// negative the view says so, and there is nothing to compare.
    fn agree(input: &ViewInput, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        if input.name == "deviation" && input.settings.precision != Precision::U32 {
            let both = cpu.chunks_exact(3).zip(gpu.chunks_exact(3)).filter(|(_, result)| result[..] != NEGATIVE);
            let (expected, result): (Vec<&[f32]>, Vec<&[f32]>) = both.unzip();
            let errors = Errors::between(&expected.concat(), &result.concat());
            return Verdict::within("steps of 1/255 where not negative", &errors, [3.0, 10.0, 40.0]);
        }
        let most = match input.name {
            "threshold" | "error" => [0.0, 0.0, 0.0],
            _ => [0.4, 0.7, 1.0],
        };
        Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), most)
    }
}

/// Words of a row of the test picture.
pub(super) fn row_of(size: [u32; 2], settings: &SummedAreaSettings) -> Vec<u32> {
    let (plane, length) = (luma(&test_picture(size), size), settings.view_words as usize);
    let row = (settings.view_row * plane.size[1] as f32) as usize;
    (0..length).map(|at| plane.at((2 * at + 1) * plane.size[0] / (2 * length), row)).collect()
}

/// The words after each step of a scan, as the picture of it shows.
pub struct Steps;

impl Reference for Steps {
    const NAME: &'static str = "steps";
    type Input = (Scan, u32);
    type Output = Vec<Vec<u32>>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<(Scan, u32)>> {
        let case =
            |(scan, words): (Scan, u32)| Case { name: format!("{} of {words}", scan.name()), input: (scan, words) };
        Scan::ALL.iter().flat_map(|scan| [(*scan, 16), (*scan, 64)]).map(case).collect()
    }

    fn cpu((scan, words): &(Scan, u32)) -> Vec<Vec<u32>> {
        let settings = SummedAreaSettings { view_words: *words, view_row: 0.75, ..Default::default() };
        replay(&steps(*scan, *words as usize), &row_of(SIZE, &settings))
    }

    fn gpu(bench: &mut TestBench, (scan, words): &(Scan, u32)) -> anyhow::Result<Vec<Vec<u32>>> {
        let context = context(bench, SIZE, &test_picture(SIZE))?;
        let settings = SummedAreaSettings { scan: *scan, view_words: *words, view_row: 0.75, ..Default::default() };
        draw(bench, SIZE, |frame, technique, picture| technique.view(frame, "scan", &settings, &context, picture))?;
        let (length, count) = (*words as usize, steps(*scan, *words as usize).len() + 1);
        let technique = shared_technique(bench)?;
        let values = technique.lock().unwrap_or_else(PoisonError::into_inner).tables.scratch.buffer("values", 4)?;
        let result: Vec<u32> = bench.read_buffer(&values)?;
        Ok(result.chunks_exact(length).take(count).map(<[u32]>::to_vec).collect())
    }

    fn agree(_: &(Scan, u32), cpu: &Vec<Vec<u32>>, gpu: &Vec<Vec<u32>>) -> Verdict {
        let wrong = cpu.iter().zip(gpu).filter(|(a, b)| a != b).count() + cpu.len().abs_diff(gpu.len());
        Verdict::at_most("steps that differ", wrong as f64, 0.0)
    }
}

pub(super) const SIZE: [u32; 2] = [150, 90];

/// The mean of linear light over a box between two whole radii.
pub(super) fn box_mean(light: &[[f64; 3]], at: [usize; 2], (radius, part): (usize, f64)) -> [f64; 3] {
    let size = SIZE.map(|n| n as usize);
    let whole = |radius: usize| {
        let [x, y] = around(size, at, radius);
        let mut sum = [0.0; 3];
        for texel in y.clone().flat_map(|y| x.clone().map(move |x| &light[y * size[0] + x])) {
            sum = [0, 1, 2].map(|c| sum[c] + texel[c]);
        }
        sum.map(|sum| sum / (x.len() * y.len()) as f64)
    };
    let (a, b) = (whole(radius), whole(radius + 1));
    [0, 1, 2].map(|c| a[c] * (1.0 - part) + b[c] * part)
}

pub struct Boxes;

impl Reference for Boxes {
    const NAME: &'static str = "boxes";
    type Input = (f32, Part);
    /// Display values, 0..255.
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let whole = [[0, 0], SIZE.map(|n| n as i32)];
        let parts = [
            (0.4, whole),
            (2.0, whole),
            (9.3, whole),
            // Wider than the picture, so that it is mirrored more than once.
            (60.0, whole),
            (3.1, [[40, 30], [71, 52]]),
            (3.1, [[-20, -9], [11, 14]]),
            (5.0, [[139, 70], [180, 101]]),
            (4.0, [[60, -40], [64, -20]]),
        ];
        let case =
            |(sigma, part): (f32, Part)| Case { name: format!("sigma {sigma} of {part:?}"), input: (sigma, part) };
        parts.into_iter().map(case).collect()
    }

    fn cpu((sigma, part): &Self::Input) -> Vec<f32> {
        let light = light(&test_picture(SIZE));
        let texel = |[x, y]: [u32; 2]| light[(y * SIZE[0] + x) as usize];
        shown(boxes::Boxes::of(*sigma).blur(SIZE, texel, *part))
    }

    fn gpu(bench: &mut TestBench, (sigma, part): &Self::Input) -> anyhow::Result<Vec<f32>> {
        let context = context(bench, SIZE, &test_picture(SIZE))?;
        let technique = shared_technique(bench)?;
        let mut technique = technique.lock().unwrap_or_else(PoisonError::into_inner);
        let (settings, boxes) = (SummedAreaSettings::default(), boxes::Boxes::of(*sigma));
        let blurred = bench.run(|frame| technique.blur(frame, &settings, &context.chain.mip(0), boxes, *part))?;
        let Some(BoxBlur { light, first, size, .. }) = blurred else { anyhow::bail!("nothing was made") };
        let (texels, width) = (bench.read::<[u16; 4]>(&light)?, light.size()[0] as usize);
        anyhow::ensure!(first == part[0], "it begins at {first:?}");
        let rows = texels.chunks_exact(width).take(size[1] as usize).flat_map(|row| &row[..size[0] as usize]);
        Ok(shown(rows.map(|t| [0, 1, 2].map(|c| to_f64(t[c]))).collect()))
    }

    /// Rounded to half floats three times, by 2^-11 of the light at most each time: at white, where a display value
    /// moves by 0.44 of that, 0.165 steps together; a fifth of it on average. The table's whole numbers add less than a
    /// hundredth.
    fn agree(_: &Self::Input, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), [0.04, 0.12, 0.175])
    }
}

/// Display values, 0..255.
pub(super) fn shown(light: Vec<[f64; 3]>) -> Vec<f32> {
    light.into_iter().flat_map(|c| c.map(|c| encode((c as f32).clamp(0.0, 1.0)) * 255.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{comparison::worst_error, methods::TableBuffers, table::Source},
        *,
    };
    use crate::techniques::Technique;
    use std::sync::Mutex;

    /// Large bright pictures: the worst mean of 3x3 by precision, and variances below zero.
    #[test]
    fn whole_numbers_are_exact_where_floats_are_not() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let mut bench = TestBench::on(&gpu).unwrap();
        let technique = Mutex::new(SummedArea::new(&gpu).unwrap());
        let size = [1400, 1100];
        let rgba: Vec<u8> =
            noise(1400 * 1100, 9).iter().flat_map(|n| [200 + (n >> 28) as u8; 3].into_iter().chain([255])).collect();
        let picture = bench.picture(size, &rgba).unwrap();
        let mut worst = |precision| {
            let mut technique = technique.lock().unwrap();
            let read = bench
                .run(|frame| {
                    let settings = SummedAreaSettings { precision, ..Default::default() };
                    let exact = SummedAreaSettings::default();
                    let table = technique.record(frame, &settings, &picture.mip(0))?;
                    let source = Source::luma(&picture.mip(0));
                    let buffers = TableBuffers { table: "truth", means: "no means", ..TableBuffers::SHOWN };
                    let truth = technique.tables.build(frame, &exact, &source, buffers)?;
                    worst_error(&mut technique.tables, frame, &table, &truth, 1)
                })
                .unwrap();
            f64::from(f32::from_bits(read.read::<u32>().unwrap()[0])) * 255.0
        };
        let [u32s, f32s, centred, mean] =
            [Precision::U32, Precision::F32, Precision::Centred, Precision::MeanOffset].map(&mut worst);
        println!("worst mean of 3x3: u32 {u32s}, f32 {f32s}, centred {centred}, mean {mean}");
        assert!(u32s < 1e-4 && f32s > 0.5 && centred < f32s && mean < centred && mean > u32s);
        drop((bench, technique, picture, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
