//! Checks of the glass against its CPU reference, over a small picture with gradients, bars, a checker and a disc.

pub use super::check_fixture::{Fixture, Pixels, boxed_of, bytes, chain_of, drawn, painted, test_picture};
use super::reference::lens::Below;
use super::reference::outline::{band, coverage};
use super::reference::picture::Picture;
use super::reference::{self, GlassScene, Ink, source};
use crate::PassSettings as _;
use crate::passes::{BinnedBy, Passes};
use crate::settings::{Blur, Glass, GlassSettings, OpticsModel, Preset, SceneLight, SourceBlur, by_container};
use crate::text::contrast::Legible;
use glam::{UVec2, Vec2, Vec3};
use gpu::{Format, Gpu, Image, ImageDesc, ImageView, Use};
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use scene::picture::Motif;
use scene::{Press, Shape};
use std::sync::OnceLock;
use technique::DrawnBy;

const SIZE: UVec2 = UVec2::new(480, 300);

pub fn planned(scene: &GlassScene) -> Glass {
    let mut glass = scene.settings.glass(&scene.lenses, scene.scale);
    if glass.optics == OpticsModel::Snell || glass.needs_brightness {
        let mut lenses = glass.lenses.clone();
        let brights = by_container(&scene.lenses).into_iter().map(|(at, _)| scene.bright.get(at).copied());
        lenses.lens.iter_mut().zip(brights).for_each(|(lens, bright)| lens.bright = bright.unwrap_or(lens.bright));
        glass = glass.with_lenses(lenses);
    }
    if let Some(light) = &scene.light {
        glass = glass.lit_by(light);
    }
    if let Some(Press { at, strength }) = scene.press {
        glass = glass.pressed(at, strength);
    }
    if let Some(Ink { luminance, strength }) = scene.ink {
        glass = glass.shaded(Legible { strength, ..Legible::of_ink(luminance) });
    }
    Glass { is_bounded: scene.is_bounded, ..glass }
}

#[derive(Clone, Debug)]
pub enum GlassKind {
    /// Bodies of each frame; the last one is compared.
    Lens(Vec<Vec<GlassScene>>),
    Source(Vec2, SourceBlur),
}

pub struct Input {
    pub picture: Picture,
    pub what: GlassKind,
    shaded: OnceLock<Vec<Option<Shaded>>>,
}

/// A pixel of the reference, if it is not the picture's.
#[derive(Clone, Copy)]
struct Shaded {
    value: Vec3,
    on_rim: bool,
}

impl Input {
    pub fn new(size: UVec2, what: GlassKind) -> Input {
        Input::over(test_picture(size), what)
    }

    pub fn over(picture: Picture, what: GlassKind) -> Input {
        Input { picture, what, shaded: OnceLock::new() }
    }

    pub fn lens(size: UVec2, scene: GlassScene) -> Input {
        Input::new(size, lens(scene))
    }

    fn frames(&self) -> &[Vec<GlassScene>] {
        match &self.what {
            GlassKind::Lens(frames) => frames,
            GlassKind::Source(..) => &[],
        }
    }

    fn glasses(&self) -> impl Iterator<Item = reference::Glass> {
        self.frames().last().into_iter().flatten().map(reference::Glass::new)
    }

    fn shaded(&self) -> &[Option<Shaded>] {
        self.shaded.get_or_init(|| {
            let size = self.picture.size();
            let place = |at: usize| Vec2::new((at as u32 % size.x) as f32 + 0.5, (at as u32 / size.x) as f32 + 0.5);
            let mut all = vec![None; size.element_product() as usize];
            if let GlassKind::Source(mouse, blur) = self.what {
                for (at, pixel) in all.iter_mut().enumerate() {
                    let value = source::shade(&self.picture, place(at), mouse, blur);
                    *pixel = value.map(|value| Shaded { value, on_rim: false });
                }
            }
            for glass in self.glasses() {
                let below = Below::new(&self.picture, &glass);
                for (at, pixel) in all.iter_mut().enumerate() {
                    let Some(value) = below.shade(&glass, place(at)) else { continue };
                    let on_rim = band(glass.edge(place(at)).d, glass.light.rim_width.into()) > 0.0;
                    *pixel = Some(Shaded { value: value.clamp(Vec3::ZERO, Vec3::ONE), on_rim });
                }
            }
            all
        })
    }

    pub fn by_reference(&self) -> Pixels {
        let mut level = self.picture.encoded.clone();
        for (texel, shaded) in level.texels.iter_mut().zip(self.shaded()) {
            *texel = shaded.map_or(*texel, |shaded| shaded.value);
        }
        bytes(&level)
    }

    pub fn by_gpu(&self, bench: &mut TestBench) -> anyhow::Result<Pixels> {
        let stage = Fixture::new(bench, &self.picture)?;
        self.draw(bench, &stage, (DrawnBy::Auto, BinnedBy::Auto), &stage.target.mip(0))
    }

    pub fn draw(
        &self,
        bench: &mut TestBench,
        stage: &Fixture,
        by: (DrawnBy, BinnedBy),
        target: &ImageView,
    ) -> anyhow::Result<Pixels> {
        let mut passes = Passes::new(bench.gpu())?;
        (passes.by, passes.binned_by) = by;
        let ordered = |mut pixels: Pixels| {
            if target.format() == Format::Bgra8 {
                pixels.iter_mut().for_each(|texel| texel.swap(0, 2));
            }
            pixels
        };
        let below = ordered(bytes(&self.picture.encoded));
        for bodies in self.frames() {
            let glasses: Vec<Glass> = bodies.iter().map(planned).collect();
            let wanted = glasses.first().and_then(|glass| glass.boxes(self.picture.size().to_array()));
            let boxed = boxed_of(bench, &self.picture, wanted)?;
            let groups = passes.groups(glasses, target);
            bench.run(|frame| {
                frame.upload(target, &below)?;
                passes.begin();
                let input = stage.below(boxed.as_ref());
                let mut rooms = groups.iter().enumerate();
                rooms.try_for_each(|(room, group)| passes.record_bodies(frame, room, input, group, target))
            })?;
        }
        if let GlassKind::Source(mouse, blur) = self.what {
            bench.run(|frame| passes.record_source(frame, stage.below(None), mouse, blur, target))?;
        }
        Ok(ordered(bench.read(target)?))
    }

    pub fn agrees(&self, bench: &mut TestBench) -> anyhow::Result<bool> {
        Ok(self.verdict(&self.by_reference(), &self.by_gpu(bench)?).passed)
    }

    /// The rim is judged by itself; pixels outside the glass are the picture's own, bit for bit.
    pub fn verdict(&self, reference: &Pixels, gpu: &Pixels) -> Verdict {
        let (mut rim, mut rest, mut strayed) = (Vec::new(), Vec::new(), 0);
        for ((g, t), shaded) in gpu.iter().zip(reference).zip(self.shaded()) {
            let errors = (0..3).map(|c| f64::from(g[c].abs_diff(t[c])));
            match shaded {
                None => strayed += usize::from(g != t),
                Some(Shaded { on_rim: true, .. }) => rim.extend(errors),
                Some(_) => rest.extend(errors),
            }
        }
        let frostiest = self.glasses().max_by(|a, b| a.frost.total_cmp(&b.frost));
        let of_lens = |glass| [OF_RIM, OF_REST].map(|bound| with_blur(bound, &glass));
        let [of_rim, of_rest] = frostiest.map_or([OF_SOURCE; 2], of_lens);
        let judged = [("rim, 8-bit steps", rim, of_rim), ("the rest", rest, of_rest)];
        let judged = judged.into_iter().filter(|(_, errors, _)| !errors.is_empty());
        let strayed = Verdict::none("changed pixels outside", strayed);
        judged.fold(strayed, |all, (what, errors, bound)| all.and(Verdict::within(what, &Errors::of(errors), bound)))
    }
}

/// A check of pictures against the reference: its name, its cases, and what the GPU draws.
macro_rules! picture_check {
    ($oracle:ident, $name:literal, $cases:path, $gpu:path) => {
        pub struct $oracle;

        impl lab::Reference for $oracle {
            const NAME: &'static str = $name;
            type Input = Input;
            type Output = Pixels;

            fn cases(_: &gpu::Gpu, effort: lab::Effort) -> Vec<lab::Case<Input>> {
                $cases(effort)
            }

            fn cpu(input: &Input) -> Pixels {
                input.by_reference()
            }

            fn gpu(bench: &mut lab::TestBench, input: &Input) -> anyhow::Result<Pixels> {
                $gpu(input, bench)
            }

            fn agree(input: &Input, cpu: &Pixels, gpu: &Pixels) -> lab::Verdict {
                input.verdict(cpu, gpu)
            }
        }
    };
}
pub(super) use picture_check;

picture_check!(LensOracle, "lens", lens_cases, Input::by_gpu);
picture_check!(SourceOracle, "source", source_cases, Input::by_gpu);

/// 8-bit steps: mean, 99th percentile, maximum. Observed: worst 0.06, 1, 1 (Mesa 25.0.7). A sampler rounds its place
/// along two axes and between two levels to 1/256: between black and white 3/256 of linear light, 28 steps next to black.
const OF_SOURCE: [f64; 3] = [0.5, 2.0, 8.0];
/// Behind the bevel a squeezed edge moves by a part of a pixel where a driver's filter rounds. Observed: worst 0.08, 1, 7
/// at the rim, and 0.30, 4, 20 in the rest (Mesa 25.0.7); the largest is derived: those 28 steps, and both are rounded.
pub const OF_RIM: [f64; 3] = [0.5, 4.0, 16.0];
pub const OF_REST: [f64; 3] = [0.5, 4.0, 32.0];

/// A bound plus the error of the pre-blur, which is compared with the Gaussian. The page has 66 dB in the mean, 52 over
/// the worst picture. At 60 dB the root mean square is 255 * 10^(-dB/20) steps; the mean is no more, and by Chebyshev at
/// most 1 % of the pixels exceed ten times that.
pub fn with_blur([mean, most_of_99, worst]: [f64; 3], glass: &reference::Glass) -> [f64; 3] {
    let rms = if glass.frost > 0.5 && glass.blur == Blur::Preblur { 0.26 } else { 0.0 };
    [mean + rms, most_of_99 + 10.0 * rms, worst]
}

fn lens_cases(effort: Effort) -> Vec<Case<Input>> {
    let mut cases = of_presets(effort);
    let over = |(name, scene): (String, GlassScene)| Case::new(name, Input::lens(SIZE, scene));
    cases.extend(of_shapes().into_iter().chain(of_lights()).map(over));
    let (edges, inner) = (
        [("clear", 0.5, 1.0, [3.0, 214.0]), ("frosted", 7.0, 1.0, [330.0, 2.0])],
        [("pulled together", 3.0, 0.5, [100.0, 110.0]), ("barely frosted", 0.7, 1.2, [9.0, 90.0])],
    );
    for (name, frost, magnify, center) in edges.into_iter().chain(inner) {
        let (settings, center) = (GlassSettings { frost, magnify, ..Default::default() }, Vec2::from(center));
        let scene = GlassScene::new(&settings, &[settings.placed(center).scaled(0.6)], 1.0);
        let input = Input::lens(UVec2::new(333, 217), scene);
        cases.push(Case::new(format!("{name} at {center} of 333x217"), input));
    }
    // Both sides of the size from which the system's bevel and frost grow.
    let large = [("small", 150.0), ("between", 200.0), ("large", 330.0)].map(|(name, half_width)| {
        let settings = GlassSettings::default().styled(Preset::SystemRegular);
        let settings = GlassSettings { half_width, half_height: 120.0, ..settings };
        (format!("{name} regular glass"), GlassScene::one(&settings, Vec2::new(251.3, 147.8), 0.6))
    });
    cases.extend(large.into_iter().map(over));
    cases
}

fn lens(scene: GlassScene) -> GlassKind {
    GlassKind::Lens(vec![vec![scene]])
}

fn of_presets(effort: Effort) -> Vec<Case<Input>> {
    let mut cases = Vec::new();
    for preset in Preset::ALL {
        for blur in Blur::ALL {
            // The other blurs differ in frosted glass only.
            let frosted = *preset == Preset::Frosted || (effort == Effort::Full && *preset == Preset::Tinted);
            if *blur != Blur::Preblur && !frosted {
                continue;
            }
            let settings = GlassSettings { blur: *blur, ..Default::default() }.styled(*preset);
            let scene = GlassScene::one(&settings, Vec2::new(251.3, 147.8), 0.6);
            cases.push(Case::new(format!("{} {}", preset.name(), blur.name()), Input::lens(SIZE, scene)));
        }
    }
    let motifs = effort.of(&[Motif::Dusk, Motif::Paper, Motif::Code], 1);
    for motif in motifs {
        let picture = painted(*motif, SIZE);
        for preset in Preset::ALL {
            let settings = GlassSettings::default().styled(*preset);
            // Paths are clear glass.
            if !settings.path.is_empty() {
                continue;
            }
            let what = lens(GlassScene::one(&settings, Vec2::new(205.6, 151.2), 0.6));
            let name = format!("{} over {}", preset.name(), motif.name());
            cases.push(Case::new(name, Input::over(picture.clone(), what)));
        }
    }
    cases
}

/// They cover the same pixels at any scale.
fn turned(scale: f32) -> [scene::Lens; 2] {
    let settings = GlassSettings::default();
    let at =
        |x, y, size: f32, angle: f32| settings.placed(Vec2::new(x, y)).scaled(size / scale).turned(angle.to_degrees());
    [at(150.0, 140.0, 0.5, 0.3), at(330.0, 170.0, 0.45, -0.5)]
}

fn of_shapes() -> Vec<(String, GlassScene)> {
    let settings = GlassSettings::default();
    let [left, right] = turned(0.7);
    let strained =
        |at: usize, lens: scene::Lens| scene::Lens { strain: Vec2::from_angle(1.0 + at as f32) * 0.18, ..lens };
    let two = GlassScene::new(&settings, &[left, right], 0.7);
    let strained_two = GlassScene::new(&settings, &[strained(0, left), strained(1, right)], 0.7);
    let long = GlassSettings {
        half_width: 150.0,
        half_height: 44.0,
        shape: Shape::Capsule,
        exponent: 2.0,
        // Wide enough that the curvature of the ends shows.
        gap: 180.0,
        ..settings.clone()
    };
    let capsule = strained(0, long.placed(Vec2::new(190.0, 120.0))).scaled(1.0 / 0.7).turned(0.3_f32.to_degrees());
    let with_capsule = GlassScene::new(&long, &[capsule, right], 0.7);
    let (shape, radius, half_width) = (Shape::Rounded, 24.0, 170.0);
    let tile = GlassSettings { shape, radius, exponent: 2.0, half_width, ..settings };
    let one = strained(1, tile.placed(Vec2::new(260.0, 150.0))).turned(0.2_f32.to_degrees());
    let tiles = GlassScene::new(&tile, &[one, turned(1.0)[0]], 1.0);
    // Tiles of the face lie within reach of the rim's light.
    let narrow =
        GlassSettings { half_width: 150.0, half_height: 24.0, bevel_width: 2.0, shape, radius, ..tile.clone() };
    let narrow = GlassScene::new(&narrow, &[narrow.placed(Vec2::new(230.0, 150.0))], 1.0);
    [
        ("a narrow bevel", narrow),
        ("two, turned and melting", two),
        ("two, strained, over dark and bright", GlassScene { bright: vec![0.0, 1.0], ..strained_two }),
        ("a capsule, strained, melting with a superellipse", GlassScene { bright: vec![1.0, 0.0], ..with_capsule }),
        ("a rounded rectangle, strained", GlassScene::new(&tile, &[one], 1.0)),
        ("a rounded rectangle, melting", GlassScene { bright: vec![0.5, 1.0], ..tiles }),
    ]
    .map(|(name, scene)| (name.into(), scene))
    .into()
}

fn of_lights() -> Vec<(String, GlassScene)> {
    let settings = GlassSettings::default();
    let one = |settings: &GlassSettings| GlassScene::one(settings, Vec2::new(251.3, 147.8), 0.6);
    let jade = GlassSettings { body: [0.35, 0.8, 0.0], gloss: 1.0, caustic: 0.6, ..settings.clone() };
    let suns = [("low sun from the right", [0.9, 0.1, 0.4]), ("sun behind the glass", [-0.1, 0.3, -0.95])];
    let lit = |(name, toward): (&str, [f32; 3])| {
        let light = SceneLight { toward: Vec3::from(toward).normalize(), color: Vec3::new(1.0, 0.6, 0.3) };
        (format!("absorbing, {name}"), GlassScene { light: Some(light), ..one(&jade) })
    };
    let texts = [("white text", 0.0, 1.0, 1.0), ("grey text, frosted", 7.0, 1.0, 0.4), ("pressed", 2.0, 1.2, 0.7)];
    let labelled = |(name, frost, magnify, luminance): (&str, f32, f32, f32)| {
        let settings = GlassSettings { frost, magnify, body: [0.9, 0.95, 1.0], tint_part: 0.1, ..settings.clone() };
        let press = (name == "pressed").then_some(Press { at: Vec2::new(280.0, 120.0), strength: 0.8 });
        let ink = Some(Ink { luminance, strength: 0.9 });
        (format!("legible: {name}"), GlassScene { press, ink, ..one(&settings) })
    };
    let solid = GlassSettings { reduced_transparency: true, ..settings.clone() };
    let solid = ("reduced transparency".into(), one(&solid));
    suns.map(lit).into_iter().chain(texts.map(labelled)).chain([solid]).collect()
}

fn source_cases(effort: Effort) -> Vec<Case<Input>> {
    let mut cases = Vec::new();
    let sizes = [SIZE, UVec2::new(333, 517), UVec2::new(1280, 720)];
    for size in sizes.into_iter().take(if effort == Effort::Full { 3 } else { 1 }) {
        let at = [Vec2::new(0.5, 0.5), Vec2::new(0.2, 0.27), Vec2::new(0.98, 0.01)];
        for mouse in at.map(|part| (part * size.as_vec2()).floor() + 0.3) {
            for blur in SourceBlur::ALL {
                let name = format!("{}x{} at {},{} {}", size.x, size.y, mouse.x, mouse.y, blur.name());
                cases.push(Case::new(name, Input::new(size, GlassKind::Source(mouse, *blur))));
            }
        }
    }
    cases
}

pub struct DistanceOracle;

impl Reference for DistanceOracle {
    const NAME: &'static str = "distance";
    type Input = GlassScene;
    /// Side of the edge (-1 inside, 1 outside, 0 within 2 px of it), and coverage in 8-bit steps.
    type Output = Vec<(i8, u8)>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<GlassScene>> {
        let (whole, capsule, rounded) = (Shape::Superellipse, Shape::Capsule, Shape::Rounded);
        let shapes = [
            (rounded, 170.0, 110.0, 2.0, -10.0),
            (rounded, 180.0, 40.0, 4.0, 0.0),
            (whole, 190.0, 120.0, 4.5, 0.0),
            (whole, 130.0, 130.0, 2.0, 0.0),
            (whole, 190.0, 30.0, 10.0, 0.0),
            (capsule, 190.0, 55.0, 2.0, 0.0),
            (capsule, 40.0, 140.0, 3.5, 25.0),
        ];
        let case = |(shape, a, b, exponent, angle): (Shape, f32, f32, f32, f32)| {
            let shaped = GlassSettings { half_width: a, half_height: b, shape, exponent, angle, ..Default::default() };
            let input = GlassScene::one(&shaped, Vec2::new(240.3, 150.4), 1.0);
            Case::new(format!("{} {a}x{b} exponent {exponent}", shape.name()), input)
        };
        shapes.map(case).into()
    }

    fn cpu(scene: &GlassScene) -> Vec<(i8, u8)> {
        let glass = reference::Glass::new(scene);
        let pixel = |at| {
            let d = glass.edge(UVec2::new(at % SIZE.x, at / SIZE.x).as_vec2() + 0.5).d;
            (if d.abs() <= 2.0 { 0 } else { d.signum() as i8 }, (coverage(d) * 255.0).round() as u8)
        };
        (0..SIZE.x * SIZE.y).map(pixel).collect()
    }

    fn gpu(bench: &mut TestBench, scene: &GlassScene) -> anyhow::Result<Vec<(i8, u8)>> {
        let (mut passes, glass) = (Passes::new(bench.gpu())?, planned(scene));
        let mut read = |bench: &mut TestBench, view| -> anyhow::Result<Pixels> {
            let desc = ImageDesc::new("view", SIZE.to_array(), Format::Rgba8, &[Use::Storage]);
            let picture = Image::new(bench.gpu(), desc)?;
            bench.run(|frame| passes.record_view(frame, view, &glass, Vec2::ZERO, &picture.mip(0)))?;
            Ok(bench.read(&picture.mip(0))?)
        };
        let (distance, cover) = (read(bench, 0)?, read(bench, 1)?);
        let side = |c: &[u8; 4]| if c[2] > c[0] { -1 } else { 1 };
        Ok(distance.iter().zip(&cover).map(|(d, c)| (side(d), c[0])).collect())
    }

    fn agree(_: &GlassScene, cpu: &Vec<(i8, u8)>, gpu: &Vec<(i8, u8)>) -> Verdict {
        let wrong = cpu.iter().zip(gpu).filter(|(c, g)| c.0 != 0 && c.0 != g.0).count();
        let cover = cpu.iter().zip(gpu).map(|(c, g)| c.1.abs_diff(g.1)).max().unwrap_or(0);
        let sides = Verdict::at_most("pixels on the wrong side", wrong as f64, 0.0);
        // Both are rounded to bytes, by 0.5 and 0.6 steps (D3D11_FLOAT32_TO_INTEGER_TOLERANCE_IN_ULP). Distances of up to
        // 300 px in f32, 12 roundings: 300 x 12 x 2^-24 px, at 255 steps a pixel 0.06.
        sides.and(Verdict::at_most("coverage, 8-bit steps", f64::from(cover), 1.2))
    }
}
