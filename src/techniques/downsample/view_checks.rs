//! Checks of the views: the result, its error and the contributing pixels, in the colours of the legends.

use super::{
    downsampler::Downsample,
    figures,
    passes::DownsampleInput,
    plan,
    reference::{self, Bytes, Plane},
    settings::{DownsampleSettings, Light, Method},
    views::VIEWS,
};
use crate::{
    base::{difference::Errors, srgb},
    gpu::{Format, Gpu, Image, ImageDesc, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict, test_picture},
    techniques::{Technique, ViewInfo},
};
use glam::{DVec4, Vec3};

pub struct Views;

pub struct ViewInput {
    from: [u32; 2],
    settings: DownsampleSettings,
}

pub struct ViewPictures {
    /// As displayed: 0..1.
    result: Vec<Vec3>,
    /// By view: red, green and blue of each pixel, 0..255.
    views: Vec<Vec<f32>>,
    /// Contribution of a single bright pixel at each of [`ViewInput::impulses`] to the whole result, 1 being its fair
    /// share.
    impulses: Vec<f64>,
}

impl ViewInput {
    fn to(&self) -> [u32; 2] {
        plan::result_size(&self.settings, self.from)
    }

    /// Spread over the picture, borders and corners among them.
    fn impulses(&self) -> Vec<[u32; 2]> {
        let [w, h] = self.from;
        let spread = (0..6).map(|i| [(7 + 13 * i) % w, (3 + 11 * i) % h]);
        spread.chain([[0, 0], [w - 1, h / 2], [w / 2, h - 1]]).collect()
    }
}

fn black_but(size: [u32; 2], bright: Option<[u32; 2]>) -> Vec<u8> {
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| Some([x, y])));
    pixels.flat_map(|at| if at == bright { [255; 4] } else { [0, 0, 0, 255] }).collect()
}

impl Reference for Views {
    const NAME: &'static str = "views";
    type Input = ViewInput;
    type Output = ViewPictures;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<ViewInput>> {
        let quick = [
            ([96, 64], Method::Bilinear, 8, [0, 0], Light::Linear),
            ([75, 50], Method::Lanczos3, 2, [20, 13], Light::Linear),
            ([96, 64], Method::Tap13, 8, [0, 0], Light::Linear),
            ([70, 45], Method::Kawase, 2, [19, 9], Light::Linear),
            ([61, 37], Method::Nearest, 4, [0, 0], Light::Encoded),
            // Pixels count four times their share: the only ones between 2 and 8.
            ([46, 30], Method::Nearest, 2, [0, 0], Light::Encoded),
            // Some pixels have negative weights.
            ([75, 50], Method::Bicubic, 8, [0, 0], Light::Linear),
        ];
        let others = Method::ALL.iter().filter(|method| !matches!(method, Method::MipChain | Method::Table));
        let full = others.map(|method| ([75, 50], *method, 4, [0, 0], Light::Linear));
        let mut all = quick.to_vec();
        all.extend(full.filter(|_| effort == Effort::Full));
        let case = |(from, method, ratio, size, light): ([u32; 2], Method, u32, [u32; 2], Light)| Case {
            name: format!("{} {} of {}x{}", method.name(), light.name(), from[0], from[1]),
            input: ViewInput {
                from,
                settings: DownsampleSettings { method, ratio, size, light, ..Default::default() },
            },
        };
        all.into_iter().map(case).collect()
    }

    fn cpu(input: &ViewInput) -> ViewPictures {
        let rgba = test_picture(input.from);
        let source = Bytes { size: input.from, rgba: &rgba, linear: input.settings.light == Light::Linear };
        let result = shown(&reference::downsampled(input.settings.method, &source, input.to()), input.settings.light);
        ViewPictures { result, views: Vec::new(), impulses: Vec::new() }
    }

    fn gpu(bench: &mut TestBench, input: &ViewInput) -> anyhow::Result<ViewPictures> {
        let mut technique = Downsample::new(bench.gpu())?;
        let settings = &input.settings;
        let mut result_of = |bench: &mut TestBench, rgba: &[u8]| -> anyhow::Result<Vec<Vec3>> {
            let picture = bench.picture(input.from, rgba)?.mip(0);
            let source = DownsampleInput { picture: &picture, chain: None, sums: None };
            let result = bench.run(|frame| technique.record(frame, settings, &source))?;
            let plane = figures::read(bench, &result, settings.light)?;
            Ok(plane.texels.iter().map(|texel| texel.truncate().as_vec3()).collect())
        };
        let fair = f64::from(input.from[0] * input.from[1]) / f64::from(input.to()[0] * input.to()[1]);
        let mut impulses = Vec::new();
        for at in input.impulses() {
            let sum: f64 =
                result_of(bench, &black_but(input.from, Some(at)))?.iter().map(|value| f64::from(value.y)).sum();
            impulses.push(sum * fair);
        }
        let rgba = test_picture(input.from);
        let result = result_of(bench, &rgba)?.into_iter().map(|value| as_shown(value, settings.light)).collect();
        let picture = bench.picture(input.from, &rgba)?.mip(0);
        let view = Image::new(bench.gpu(), ImageDesc::new("view", input.from, Format::Rgba8, &[Use::Storage]))?.mip(0);
        let mut views = Vec::new();
        for info in VIEWS {
            let source = DownsampleInput { picture: &picture, chain: None, sums: None };
            bench.run(|frame| technique.view(frame, info.name, settings, &source, &view))?;
            let texels: Vec<[u8; 4]> = bench.read(&view)?;
            views.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        Ok(ViewPictures { result, views, impulses })
    }

    fn agree(input: &ViewInput, cpu: &ViewPictures, gpu: &ViewPictures) -> Verdict {
        let complete = gpu.views.len() == VIEWS.len() && gpu.result.len() == cpu.result.len();
        let missing = Verdict::at_most("views missing", f64::from(u8::from(!complete)), 0.0);
        if !complete {
            return missing;
        }
        let settings = &input.settings;
        let weights = reference::pixel_weights(settings.method, input.from, input.to(), (32, false));
        // Bytes hold no small part of one bright pixel.
        let impulses = input.impulses();
        let weight = |[x, y]: &[u32; 2]| weights.texels[(y * input.from[0] + x) as usize];
        let off =
            Errors::of(impulses.iter().map(weight).zip(&gpu.impulses).map(|(expected, result)| expected - result));
        let most = if settings.light == Light::Encoded { 0.1 } else { 0.02 };
        let lit = Verdict::within("impulses", &off, [most, most, most]);
        let rgba = test_picture(input.from);
        let exact = reference::downsampled(
            Method::AreaCompute,
            &Bytes { size: input.from, rgba: &rgba, linear: settings.light == Light::Linear },
            input.to(),
        );
        let exact = shown(&exact, settings.light);
        let pixels = || (0..input.from[1]).flat_map(|y| (0..input.from[0]).map(move |x| [x, y]));
        let one = |(view, result): (&ViewInfo, &Vec<f32>)| {
            let colors = pixels().flat_map(|at| color(input, view, (gpu, &exact, &weights, &rgba), at).to_array());
            let expected: Vec<f32> = colors.collect();
            // A step of the exact mean is eight in the picture.
            let most = if view.name == "difference" { [0.4, 1.1, 2.0] } else { [0.4, 1.1, 1.1] };
            Verdict::within(view.name, &Errors::between(&expected, result), most)
        };
        VIEWS.iter().zip(&gpu.views).map(one).fold(missing.and(lit), Verdict::and)
    }
}

fn as_shown(value: Vec3, light: Light) -> Vec3 {
    let encoded = |value: f32| if light == Light::Linear { srgb::encode(value) } else { value };
    Vec3::from_array(value.to_array().map(|value| encoded(value).clamp(0.0, 1.0)))
}

fn shown(plane: &Plane, light: Light) -> Vec<Vec3> {
    plane.texels.iter().map(|texel: &DVec4| as_shown(texel.truncate().as_vec3(), light)).collect()
}

/// 0..255, from the result that the GPU made, the exact mean, the counts and the picture.
fn color(
    input: &ViewInput,
    view: &ViewInfo,
    (gpu, exact, weights, rgba): (&ViewPictures, &[Vec3], &Plane<f64>, &[u8]),
    at: [u32; 2],
) -> Vec3 {
    let (from, to) = (input.from, input.to());
    let over = [0, 1].map(|axis| (2 * at[axis] + 1) * to[axis] / (2 * from[axis]));
    let result = (over[1] * to[0] + over[0]) as usize;
    let pixel = (at[1] * from[0] + at[0]) as usize;
    match view.name {
        "result" => gpu.result[result] * 255.0,
        "difference" => {
            let apart = (gpu.result[result] - exact[result]) * 255.0;
            // Sixteen steps of 255 to either side, to the nearest whole number.
            Vec3::from_array(apart.to_array().map(|apart| (127.0 + 8.0 * apart).clamp(0.0, 255.0)))
        }
        "read" => {
            let sort = match weights.texels[pixel] {
                weight if weight < -0.001 => 1,
                weight if weight <= 0.001 => 0,
                weight if weight < 0.5 => 2,
                weight if weight <= 2.0 => 3,
                weight if weight <= 8.0 => 4,
                _ => 5,
            };
            let block = [0, 1].map(|axis| at[axis] * to[axis] / from[axis]);
            let lighter = if (block[0] ^ block[1]) & 1 != 0 { 0.1 } else { 0.0 };
            let color = view.legend.swatch(sort).lerp(Vec3::splat(255.0), lighter);
            let below = Vec3::from_array([0, 1, 2].map(|channel| f32::from(rgba[4 * pixel + channel])));
            color.lerp(below, 0.25)
        }
        _ => Vec3::NAN,
    }
}
