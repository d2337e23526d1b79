//! Checks of blurs by tables: boxes, and depth of field.

use super::scan_checks::{noise, run_shared, shared_technique};
use crate::{
    passes::focus::focus,
    settings::{FocusBy, SummedAreaSettings},
    technique::SummedArea,
};
use base::{
    boxes::{self, Part},
    half::{from_f64, to_f64},
    srgb::{decode, encode},
};
use gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Use};
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use std::sync::PoisonError;
use technique::BoxBlur;

const SIZE: [u32; 2] = [150, 90];

/// Flat parts, edges, lines and noise, opaque.
fn test_picture(size: [u32; 2]) -> Vec<u8> {
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

/// Red, green and blue of each pixel, 0..255.
fn draw(
    bench: &mut TestBench,
    record: impl FnOnce(&mut Frame, &mut SummedArea, &ImageView) -> Result<()>,
) -> anyhow::Result<Vec<f32>> {
    let picture = Image::new(bench.gpu(), ImageDesc::new("view", SIZE, Format::Rgba8, &[Use::Storage]))?.mip(0);
    let technique = shared_technique(bench)?;
    run_shared(bench, &technique, |frame, technique| record(frame, technique, &picture))?;
    let texels: Vec<[u8; 4]> = bench.read(&picture)?;
    Ok(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect())
}

/// Cut off at the border: columns and rows.
fn around(size: [usize; 2], [x, y]: [usize; 2], radius: usize) -> [std::ops::Range<usize>; 2] {
    [x.saturating_sub(radius)..(x + radius + 1).min(size[0]), y.saturating_sub(radius)..(y + radius + 1).min(size[1])]
}

/// The mean of linear light over a box between two whole radii.
fn box_mean(light: &[[f64; 3]], at: [usize; 2], (radius, part): (usize, f64)) -> [f64; 3] {
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
        let case = |(sigma, part): (f32, Part)| Case::new(format!("sigma {sigma} of {part:?}"), (sigma, part));
        parts.into_iter().map(case).collect()
    }

    fn cpu((sigma, part): &Self::Input) -> Vec<f32> {
        let light = light(&test_picture(SIZE));
        let texel = |[x, y]: [u32; 2]| light[(y * SIZE[0] + x) as usize];
        shown(boxes::Boxes::of(*sigma).blur(SIZE, texel, *part))
    }

    fn gpu(bench: &mut TestBench, (sigma, part): &Self::Input) -> anyhow::Result<Vec<f32>> {
        let chain = light_image(bench, SIZE, &test_picture(SIZE))?;
        let technique = shared_technique(bench)?;
        let mut technique = technique.lock().unwrap_or_else(PoisonError::into_inner);
        let (settings, boxes) = (SummedAreaSettings::default(), boxes::Boxes::of(*sigma));
        let blurred = bench.run(|frame| technique.blur(frame, &settings, &chain.mip(0), boxes, *part))?;
        let Some(BoxBlur { light, first, size, .. }) = blurred else { anyhow::bail!("nothing was made") };
        let (texels, width) = (bench.read::<[u16; 4]>(&light)?, light.size()[0] as usize);
        anyhow::ensure!(first == part[0], "it begins at {first:?}");
        let rows = texels.chunks_exact(width).take(size[1] as usize).flat_map(|row| &row[..size[0] as usize]);
        Ok(shown(rows.map(|t| [0, 1, 2].map(|c| to_f64(t[c]))).collect()))
    }

    /// Derived: rounded to half floats three times, by 2^-11 of the light at most each time: at white, where a display value
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

pub struct Focus;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Distances {
    Ramp,
    /// Distances of two planes, and nothing beyond.
    Planes,
    /// Leaves of a few pixels, nothing in the gaps between them.
    Leaves,
}

pub struct FocusCase {
    by: FocusBy,
    distances: Distances,
}

const NEAR: f32 = 0.1;

impl Distances {
    fn distance(self, [x, y]: [usize; 2]) -> f32 {
        match self {
            Self::Leaves => {
                let is_leaf = (x / 3 * 5 + y / 2 * 3) % 7 < 4;
                if is_leaf { 6.0 } else { f32::INFINITY }
            }
            _ if x < 60 && y > 20 => 3.0,
            _ if y > 30 => 8.0 + x as f32 * 0.02,
            _ => f32::INFINITY,
        }
    }
}

impl FocusCase {
    fn settings(&self) -> SummedAreaSettings {
        SummedAreaSettings {
            focus_by: self.by,
            focus_blur: 11.0,
            focus_distance: 3.0,
            focus_row: 0.3,
            ..Default::default()
        }
    }

    /// As in `coc.glsl`.
    fn radius(&self, [x, y]: [usize; 2]) -> f64 {
        let settings = self.settings();
        let part = if self.distances != Distances::Ramp {
            (1.0 - NEAR / self.distances.distance([x, y]) / NEAR * settings.focus_distance).abs()
        } else {
            (((y as f32 + 0.5) / SIZE[1] as f32 - settings.focus_row).abs() * 2.0 - 0.1).max(0.0)
        };
        f64::from(part.min(1.0) * settings.focus_blur)
    }

    /// As in `focus.comp`.
    fn smooth_radius(&self, at: [usize; 2]) -> f64 {
        let own = self.radius(at);
        if self.distances == Distances::Ramp {
            return own;
        }
        let [x, y] = around(SIZE.map(|n| n as usize), at, self.settings().focus_blur as usize + 1);
        let radii = y.flat_map(|y| x.clone().map(move |x| [x, y])).map(|at| self.radius(at));
        let (sum, squares) = radii.fold((0.0, 0.0), |(sum, squares), r| (sum + r, squares + r * r));
        (squares / sum.max(1e-9)).min(own + own * own / 4.0)
    }

    fn gather(&self, radius: impl Fn([usize; 2]) -> f64) -> Vec<f32> {
        let (light, [w, h]) = (light(&test_picture(SIZE)), SIZE.map(|n| n as usize));
        let split = |radius: f64| (radius.floor() as usize, radius.fract());
        let mean = |at: usize| box_mean(&light, [at % w, at / w], split(radius([at % w, at / w])));
        shown((0..w * h).map(mean).collect())
    }
}

/// Mean difference of values from the mean of their neighbours.
fn fine_detail(shown: &[f32]) -> f64 {
    let beside = 3;
    let middle = (beside..shown.len() - beside).map(|i| shown[i] - 0.5 * (shown[i - beside] + shown[i + beside]));
    Errors::of(middle.map(|v| f64::from(v.abs()))).mean()
}

impl Reference for Focus {
    const NAME: &'static str = "focus";
    type Input = FocusCase;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<FocusCase>> {
        let case = |by: &FocusBy, (name, distances): (&str, Distances)| {
            Case::new(format!("{}, {name}", by.name()), FocusCase { by: *by, distances })
        };
        let all = [("a ramp", Distances::Ramp), ("by depth", Distances::Planes), ("leaves", Distances::Leaves)];
        FocusBy::ALL.iter().flat_map(|by| all.map(|distances| case(by, distances))).collect()
    }

    fn cpu(input: &FocusCase) -> Vec<f32> {
        let (light, [w, h]) = (light(&test_picture(SIZE)), SIZE.map(|n| n as usize));
        let split = |at: usize| {
            let radius = input.radius([at % w, at / w]);
            (radius.floor() as usize, radius.fract())
        };
        if input.by == FocusBy::Gather {
            return input.gather(|at| input.smooth_radius(at));
        }
        // Light, and its weight, over each pixel's box.
        let mut sums = vec![[0.0; 4]; w * h];
        for (at, light) in light.iter().enumerate() {
            let (radius, part) = split(at);
            for (radius, share) in [(radius, 1.0 - part), (radius + 1, part)] {
                let weight = share / ((2 * radius + 1) as f64).powi(2);
                let [x, y] = around([w, h], [at % w, at / w], radius);
                for place in y.flat_map(|y| x.clone().map(move |x| y * w + x)) {
                    (0..3).for_each(|c| sums[place][c] += light[c] * weight);
                    sums[place][3] += weight;
                }
            }
        }
        shown(sums.into_iter().map(|sum| [0, 1, 2].map(|c| sum[c] / sum[3])).collect())
    }

    fn gpu(bench: &mut TestBench, input: &FocusCase) -> anyhow::Result<Vec<f32>> {
        let chain = light_image(bench, SIZE, &test_picture(SIZE))?;
        let [w, h] = SIZE.map(|n| n as usize);
        let depths: Vec<f32> = (0..w * h).map(|at| NEAR / input.distances.distance([at % w, at / w])).collect();
        let depth = bench.image(ImageDesc::new("depth", SIZE, Format::R32F, &[Use::Sample]), &depths)?;
        let (depth, settings) = (depth.mip(0), input.settings());
        let world = (input.distances != Distances::Ramp).then_some((&depth, NEAR));
        draw(bench, |frame, technique, picture| {
            focus(&mut technique.tables, frame, &settings, &chain.mip(0), world, picture)
        })
    }

    /// A radius next to a whole number may fall to either side; both blend to the same. Derived: a conversion to bytes is
    /// right to 0.6 steps (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP), to half of that in the mean; light in whole numbers
    /// of 65535 is off by half of one, next to black 12.92 x 0.5 x 255 / 65535 = 0.03 steps, and powers by 0.01.
    fn agree(input: &FocusCase, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        let verdict = Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), [0.34, 0.64, 0.64]);
        if (input.by, input.distances) != (FocusBy::Gather, Distances::Leaves) {
            return verdict;
        }
        // A mean over each pixel's own box shows the leaves' outlines. Light that is spread has 0.516 of its fine
        // detail, which is the picture's.
        let outlines = fine_detail(&input.gather(|at| input.radius(at)));
        verdict.and_at_most("part of the outlines that is left", fine_detail(gpu) / outlines, 0.52)
    }
}
