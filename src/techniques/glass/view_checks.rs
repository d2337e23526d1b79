//! Checks of the views of the glass against the CPU reference, whose colours are those of the legends.

use super::checks::{boxed_of, chain_of, planned, test_picture};
use super::passes::{BoxBlurRequest, Passes};
use super::reference::blur::{Blurred, gaussian};
use super::reference::picture::{Picture, encoded_from_linear};
use super::reference::view::view;
use super::reference::{Glass, GlassScene};
use super::settings::{Blur, GlassSettings, Preset};
use super::views::{COMPARE, SHADE, VIEWS};
use super::{blur_judge::whole_numbers, blur_quality::area_around};
use crate::base::difference::Errors;
use crate::gpu::{Format, Gpu, Image, ImageDesc, Use};
use crate::lab::{Case, Effort, Reference, TestBench, Verdict};
use crate::scene::{Lens, Shape};
use crate::techniques::ViewInfo;
use glam::{UVec2, Vec2, Vec3};

const SIZE: UVec2 = UVec2::new(240, 136);

/// 0..255.
type Channels = Vec<f32>;

fn channels(colors: impl Iterator<Item = Vec3>) -> Channels {
    colors.flat_map(|c| c.clamp(Vec3::ZERO, Vec3::splat(255.0)).to_array()).collect()
}

fn pixels() -> impl Iterator<Item = Vec2> {
    (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| Vec2::new(x as f32, y as f32) + 0.5))
}

pub struct ViewOracle;

pub struct ViewInput {
    number: u32,
    view: ViewInfo,
    scene: GlassScene,
    mouse: Vec2,
}

impl Reference for ViewOracle {
    const NAME: &'static str = "views";
    type Input = ViewInput;
    type Output = Channels;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<ViewInput>> {
        let settings = GlassSettings { taps: 10, shadow: 0.3, magnify: 1.2, ..Default::default() };
        let center = Vec2::new(118.3, 66.4);
        // Straight sides, and a gap so wide that the curvature of the ends decides the squeeze.
        let capsule =
            GlassSettings { shape: Shape::Capsule, exponent: 2.0, half_height: 90.0, gap: 180.0, ..settings.clone() };
        let glass = |settings: &GlassSettings| {
            let lens = Lens { angle: 0.2, ..settings.placed(center, 0.4) };
            GlassScene::new(settings, &[lens], 0.4)
        };
        let (plain, capsule) = (glass(&settings), glass(&capsule));
        let shown = |name: String, (number, view): (u32, &ViewInfo), scene: &GlassScene| Case {
            name,
            input: ViewInput { number, view: *view, scene: scene.clone(), mouse: center },
        };
        let views = || (0..).zip(&VIEWS).filter(|(_, view)| view.name != COMPARE && view.name != SHADE.name);
        let of_capsule = views().filter(|(_, view)| ["footprint", "taps"].contains(&view.name));
        let of_capsule = of_capsule.map(|view| shown(format!("{} of a capsule", view.1.name), view, &capsule));
        let mut system = settings.clone();
        Preset::SystemClear.apply(&mut system);
        let system = glass(&system);
        let displaced = ["normal", "height", "offset", "footprint", "fresnel", "taps"];
        let of_system = views().filter(|(_, view)| displaced.contains(&view.name));
        let of_system = of_system.map(|view| shown(format!("{} of the system's glass", view.1.name), view, &system));
        views().map(|view| shown(view.1.name.into(), view, &plain)).chain(of_capsule).chain(of_system).collect()
    }

    fn cpu(shown: &ViewInput) -> Channels {
        let glass = Glass::new(&shown.scene);
        channels(pixels().map(|frag| view(&shown.view, &glass, shown.mouse, SIZE.as_vec2(), frag)))
    }

    fn gpu(bench: &mut TestBench, shown: &ViewInput) -> anyhow::Result<Channels> {
        let (mut passes, glass) = (Passes::new(bench.gpu())?, planned(&shown.scene));
        let picture = canvas(bench)?;
        bench.run(|frame| passes.record_view(frame, shown.number, &glass, shown.mouse, &picture.mip(0)))?;
        read(bench, &picture)
    }

    /// Lines, arrows and numbers of looks have edges, at which rounding may go either way.
    fn agree(_: &ViewInput, cpu: &Channels, gpu: &Channels) -> Verdict {
        Verdict::within("steps of 1/255", &Errors::between(cpu, gpu), [0.5, 1.1, 255.0])
    }
}

pub struct ComparisonOracle;

pub struct BlurCase {
    picture: Picture,
    sigma: f32,
}

const MIDDLE: Vec2 = Vec2::new(97.0, 61.0);

impl Reference for ComparisonOracle {
    const NAME: &'static str = "blurs compared";
    type Input = BlurCase;
    type Output = Channels;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<BlurCase>> {
        let sigmas: &[f32] = if effort == Effort::Full { &[2.0, 3.1, 5.0, 9.0, 20.0] } else { &[3.1, 9.0] };
        let case = |sigma: &f32| Case {
            name: format!("sigma {sigma}"),
            input: BlurCase { picture: test_picture(SIZE), sigma: *sigma },
        };
        sigmas.iter().map(case).collect()
    }

    fn cpu(compared: &BlurCase) -> Channels {
        let BlurCase { picture, sigma } = compared;
        let columns: Vec<Option<Blur>> = std::iter::once(None).chain(Blur::ALL.iter().copied().map(Some)).collect();
        let extent = SIZE / UVec2::new(columns.len() as u32, 2);
        let (corner, _) = area_around(MIDDLE, extent, SIZE);
        let truth = gaussian(&picture.chain[0], *sigma);
        let legend = VIEWS.iter().find(|view| view.name == COMPARE).map(|view| view.legend);
        let mark = |column| legend.map_or(Vec3::NAN, |legend| legend.swatch(column));
        let made = |blur: &Option<Blur>| blur.map(|blur| Blurred::new(picture, blur, (*sigma).into()));
        let columns: Vec<_> = columns.iter().map(made).collect();
        let pixel = |frag: Vec2| {
            let at = frag.as_uvec2();
            // Right of the last column the first one is repeated.
            let column = Some((at.x / extent.x) as usize).filter(|column| *column < columns.len()).unwrap_or(0);
            let within = UVec2::new(at.x % extent.x, at.y % extent.y);
            let (place, is_error) = (corner + within, at.y >= extent.y);
            let wanted = encoded_from_linear(truth.texels[(place.y * SIZE.x + place.x) as usize]);
            let found = columns.get(column).and_then(Option::as_ref).map_or(wanted, |blurred| {
                let light = blurred.at(place.as_vec2() + 0.5, (*sigma).into());
                encoded_from_linear(light.clamp(Vec3::ZERO, Vec3::ONE))
            });
            match (within.x == 0, is_error) {
                (true, _) => Vec3::ZERO,
                _ if within.x < 4 => mark(column),
                (_, true) => (0.5 + 8.0 * (found - wanted)) * 255.0,
                _ if within.y < 8 => mark(column),
                _ => found * 255.0,
            }
        };
        channels(pixels().map(pixel))
    }

    fn gpu(bench: &mut TestBench, compared: &BlurCase) -> anyhow::Result<Channels> {
        let chain = chain_of(bench, &compared.picture)?;
        let mut passes = Passes::new(bench.gpu())?;
        let picture = canvas(bench)?;
        let wanted = BoxBlurRequest::around(compared.sigma, whole_numbers(passes.judge.compared_area(MIDDLE, SIZE)));
        let boxed = boxed_of(bench, &compared.picture, Some(wanted))?;
        let boxed = boxed.as_ref();
        bench.run(|frame| passes.record_comparison(frame, &chain, compared.sigma, MIDDLE, boxed, &picture.mip(0)))?;
        read(bench, &picture)
    }

    /// Errors are shown eightfold. Pre-blurs are compared with the Gaussian, at 45 dB at least: the mean error is at
    /// most the root mean square, 1.43 steps.
    fn agree(_: &BlurCase, cpu: &Channels, gpu: &Channels) -> Verdict {
        let width = (SIZE.x / (Blur::ALL.len() as u32 + 1)) as usize;
        let is_preblur = |at: usize| {
            let column = at / 3 % SIZE.x as usize / width;
            let blur = column.checked_sub(1).and_then(|column| Blur::ALL.get(column));
            matches!(blur, Some(Blur::Preblur | Blur::PreblurBilinear))
        };
        let errors = |lower: bool, preblur: bool| {
            let some = |at: &usize| (*at >= cpu.len() / 2) == lower && is_preblur(*at) == preblur;
            let error = |at: usize| gpu.get(at).map_or(f64::NAN, |gpu| f64::from((gpu - cpu[at]).abs()));
            Errors::of((0..cpu.len()).filter(some).map(error))
        };
        Verdict::at_most("channels too many or too few", cpu.len().abs_diff(gpu.len()) as f64, 0.0)
            .and(Verdict::within("blurred, steps of 1/255", &errors(false, false), [0.4, 1.1, 2.1]))
            .and(Verdict::within("pre-blurred", &errors(false, true), [0.4 + 1.43, 255.0, 255.0]))
            .and(Verdict::within("errors, 8 times", &errors(true, false), [1.0, 4.0, 17.0]))
            .and(Verdict::within("of the pre-blurs", &errors(true, true), [1.0 + 8.0 * 1.43, 255.0, 255.0]))
    }
}

fn canvas(bench: &mut TestBench) -> anyhow::Result<Image> {
    Ok(Image::new(bench.gpu(), ImageDesc::new("view", SIZE.to_array(), Format::Rgba8, &[Use::Storage]))?)
}

fn read(bench: &mut TestBench, picture: &Image) -> anyhow::Result<Channels> {
    let texels: Vec<[u8; 4]> = bench.read(&picture.mip(0))?;
    Ok(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::reference::view::hue;
    use super::*;

    #[test]
    fn hues_are_those_of_the_legend() {
        let legend = VIEWS.iter().find(|view| view.name == "offset").unwrap().legend;
        for (at, way) in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].into_iter().enumerate() {
            assert!((hue(way) - legend.swatch(at)).abs().max_element() <= 1.0, "{way}: {}", hue(way));
        }
    }
}
