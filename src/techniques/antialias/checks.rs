//! Checks of the accumulation against the CPU reference, on synthetic samples.

use super::{
    Antialias, AntialiasInput, AntialiasSettings, Change,
    history::{FrameBlock, History},
    reference::{HistorySample, Samples, compressed},
    reproject_checks::Reproject,
    views::VIEWS,
};
use crate::scene::world::VisibilityId;
use crate::{
    base::{difference::Errors, half},
    gpu::{Format, Gpu, Image, ImageDesc, ImageView, Use},
    lab::{Case, Check, Effort, Property, TestBench, Verdict},
    scene::world::{Camera, Viewpoint},
    techniques::{DrawnBy, Technique, ViewInfo},
};
use glam::{IVec2, UVec2, Vec2, Vec3, Vec4};

/// All checks.
pub(super) fn all() -> Vec<Check> {
    vec![Check::of::<Resolve>().may_draw(), Check::of::<Reproject>().may_draw()]
}

/// Consecutive frames against the reference, which continues from the GPU's result of the one before; and the views of each.
struct Resolve;

/// Sizes of light and picture, that of the picture while the camera moves, and settings.
struct Trial {
    size: [u32; 2],
    whole: [u32; 2],
    moving: [u32; 2],
    settings: AntialiasSettings,
}

/// Frames of a trial: what changes, and the camera's place along its way.
const FRAMES: [(Change, f32); 13] = [
    (Change::Other, 0.0),
    (Change::Moved, 1.0),
    (Change::Moved, 1.6),
    (Change::Moved, 1.9),
    (Change::Moved, 2.0),
    (Change::Moved, 2.1),
    (Change::Moved, 2.2),
    (Change::None, 2.2),
    (Change::None, 2.2),
    (Change::Other, 5.0),
    (Change::None, 5.0),
    (Change::None, 5.0),
    (Change::Moved, 90.0),
];
const EXPOSURE: f32 = 0.3;

/// Input and result of a frame of this size: its uniforms as the history makes them, its samples, the history before and after, and its
/// views.
pub struct FrameResults {
    whole: [u32; 2],
    block: FrameBlock,
    scene: FrameSamples,
    before: (Vec<Vec4>, Vec<[u32; 2]>),
    after: (Vec<Vec4>, Vec<[u32; 2]>),
    views: Vec<Vec<[u8; 4]>>,
}

/// A frame's samples, rows from the top.
#[derive(Clone)]
pub struct FrameSamples {
    light: Vec<Vec4>,
    ids: Vec<u32>,
    /// As the depth buffer has it.
    pub depth: Vec<f32>,
}

/// 0..1.
pub fn noise(x: u32, y: u32, of: u32) -> f32 {
    let mut word = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ of.wrapping_mul(0xC2B2_AE3D);
    word = (word ^ word >> 15).wrapping_mul(0x2C1B_3C6D);
    word = (word ^ word >> 12).wrapping_mul(0x297A_2D39);
    (word ^ word >> 15) as f32 / u32::MAX as f32
}

/// Position after `at` steps.
pub fn camera(at: f32) -> Camera {
    Viewpoint { orbit: 0.7 * at, height: 12.0 + 0.3 * at, ..Viewpoint::default() }.camera()
}

impl FrameSamples {
    /// Bumps of light with sparks among them, bars in front of a slope, and sky.
    pub fn new([width, height]: [u32; 2], frame: u32, at: f32, near: f32) -> Self {
        let pixels = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let uv =
            |(x, y): (u32, u32)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / Vec2::new(width as f32, height as f32);
        let bar = |p: (u32, u32)| (uv(p).x * 7.0 + 0.07 * at).fract() < 0.3;
        let is_sky = |p: (u32, u32)| uv(p).y < 0.2 && !bar(p);
        let light = pixels().map(|(x, y)| {
            let spark = if noise(x, y, frame) > 0.97 { 60.0 } else { 1.0 };
            let wave = (9.0 * uv((x, y)) + Vec2::splat(frame as f32)).map(f32::sin);
            let rgb = Vec3::new(1.2 + wave.x, 1.1 + wave.y, 1.5 - wave.x * wave.y) * (0.5 + noise(x, y, 7 + frame));
            (spark * if bar((x, y)) { 0.2 * rgb } else { rgb }).extend(1.0)
        });
        let depth = pixels().map(|p| match () {
            () if is_sky(p) => 0.0,
            () if bar(p) => near / 5.0,
            () => near / (6.0 + 9.0 * (1.0 - uv(p).y)),
        });
        let ids = pixels().map(|p| match () {
            () if is_sky(p) => 0,
            () if bar(p) => VisibilityId::new(2, 5).0,
            () => VisibilityId::new(8 + (uv(p) * 6.0).as_uvec2().dot(UVec2::new(1, 6)), 1).0,
        });
        let rounded = |c: Vec4| c.map(|x| half::to_f64(half::from_f64(f64::from(x))) as f32);
        Self { light: light.map(rounded).collect(), ids: ids.collect(), depth: depth.collect() }
    }

    fn images(&self, bench: &mut TestBench, size: [u32; 2]) -> anyhow::Result<[ImageView; 3]> {
        let desc = |name: &str, format| ImageDesc::new(name, size, format, &[Use::Sample]);
        let halves: Vec<[u16; 4]> =
            self.light.iter().map(|c| c.to_array().map(|x| half::from_f64(f64::from(x)))).collect();
        let light = bench.image(desc("light", Format::Rgba16F), &halves)?.mip(0);
        let ids = bench.image(desc("ids", Format::R32U), &self.ids)?.mip(0);
        let depth = bench.image(desc("depth", Format::R32F), &self.depth)?.mip(0);
        Ok([light, ids, depth])
    }
}

fn read(bench: &mut TestBench, history: &History) -> anyhow::Result<(Vec<Vec4>, Vec<[u32; 2]>)> {
    let [light, surfaces] = history.read();
    let texels: Vec<[u16; 4]> = bench.read(&light)?;
    let light = texels.iter().map(|t| Vec4::from_array(t.map(|half| half::to_f64(half) as f32)));
    Ok((light.collect(), bench.read(&surfaces)?))
}

/// Whether meshlets are equal, and depths but for the last bit: images may truncate half floats.
fn is_alike(a: [u32; 2], b: [u32; 2]) -> bool {
    let depth = |of: u32, place: u32| of >> (16 * place) & 0xFFFF;
    a[1] == b[1] && (0..2).all(|place| depth(a[0], place).abs_diff(depth(b[0], place)) <= 1)
}

impl Property for Resolve {
    const NAME: &'static str = "resolve";
    type Input = Trial;
    type Output = Vec<FrameResults>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<Trial>> {
        let sizes = [
            [[131, 61], [131, 61], [131, 61]],
            [[43, 24], [129, 72], [129, 72]],
            [[43, 24], [129, 71], [65, 36]],
            [[1, 1], [1, 1], [1, 1]],
            [[33, 17], [33, 17], [33, 17]],
            [[50, 30], [64, 31], [64, 31]],
            [[1, 1], [3, 3], [3, 3]],
            [[2, 1], [5, 3], [3, 2]],
            [[1, 40], [1, 41], [1, 41]],
            [[64, 64], [64, 64], [64, 64]],
            [[50, 32], [99, 63], [50, 32]],
        ];
        let least = if effort == Effort::Full { sizes.len() } else { 6 };
        let case = |(i, [size, whole, moving]): (usize, [[u32; 2]; 3])| {
            let settings = AntialiasSettings {
                samples: if i == 0 { 64 } else { 5 },
                frames: [16.0, 30.0][i % 2],
                reach: [1.25, 0.7][i / 2 % 2],
                reject: i % 4 != 3,
                bilinear: i % 3 == 2,
                drawn_by: DrawnBy::Compute,
            };
            let small =
                if moving == whole { String::new() } else { format!(", {}x{} while it moves", moving[0], moving[1]) };
            let name = format!("{}x{} from {}x{}{small}", whole[0], whole[1], size[0], size[1]);
            let drawn = AntialiasSettings { drawn_by: DrawnBy::Raster, ..settings.clone() };
            [(name.clone(), settings), (format!("{name}, drawn"), drawn)]
                .map(|(name, settings)| Case { name, input: Trial { size, whole, moving, settings } })
        };
        sizes.into_iter().take(least).enumerate().flat_map(case).collect()
    }

    fn run(bench: &mut TestBench, trial: &Trial) -> anyhow::Result<Self::Output> {
        let mut technique = Antialias::new(bench.gpu())?;
        let pixels = (trial.whole[0] * trial.whole[1]) as usize;
        let mut before = (vec![Vec4::ZERO; pixels], vec![[0; 2]; pixels]);
        // The history's CPU part, which computes the shader's uniforms.
        let mut seen = None;
        let mut all = Vec::new();
        for (number, (change, at)) in (0..).zip(FRAMES) {
            let steady = camera(at);
            let camera = Camera { shift: technique.shift(&trial.settings, change, &steady), ..steady };
            let scene = FrameSamples::new(trial.size, number, at, camera.near);
            let [light, ids, depth] = scene.images(bench, trial.size)?;
            let (exposure, kept) = (EXPOSURE, technique.history.as_ref().map_or(trial.whole, History::size));
            let whole = if change == Change::Moved { trial.moving } else { trial.whole };
            let picture = Image::new(bench.gpu(), ImageDesc::new("view", whole, Format::Rgba8, &[Use::Storage]))?;
            let input = AntialiasInput { light: &light, ids: &ids, depth: &depth, camera: &camera, exposure, whole };
            let comes_to_rest = technique.at_rest == 0;
            bench.run(|frame| technique.record(frame, &trial.settings, &input, change).map(drop))?;
            let Some(history) = &technique.history else { anyhow::bail!("no history") };
            let block = History::block_after((&mut seen, kept), &trial.settings, &input, change, comes_to_rest);
            let after = read(bench, history)?;
            let mut views = Vec::new();
            for view in 0..VIEWS.len() {
                let Some(joined) = &technique.joined else { anyhow::bail!("nothing was recorded") };
                bench.run(|frame| joined.view(frame, &technique.pipelines, view as u32, &picture.mip(0)))?;
                views.push(bench.read(&picture.mip(0))?);
            }
            all.push(FrameResults {
                whole,
                block,
                scene,
                before: std::mem::replace(&mut before, after.clone()),
                after,
                views,
            });
        }
        Ok(all)
    }

    fn verdict(trial: &Trial, found: &Self::Output) -> Verdict {
        let frames = Verdict::at_most("frames too few", FRAMES.len().abs_diff(found.len()) as f64, 0.0);
        let (mut lights, mut counts, mut surfaces, mut unclear) = (Vec::new(), Vec::new(), 0, 0.0_f64);
        let mut views: Vec<Vec<f64>> = vec![Vec::new(); VIEWS.len()];
        let mut kinds = [0_usize; 3];
        for found in found {
            let samples = Samples {
                frame: &found.block,
                light: &found.scene.light,
                ids: &found.scene.ids,
                depth: &found.scene.depth,
                history: &found.before.0,
                surfaces: &found.before.1,
                is_sharp: !trial.settings.bilinear,
            };
            let at = |i: usize| IVec2::new((i as u32 % found.whole[0]) as i32, (i as u32 / found.whole[0]) as i32);
            let wanted: Vec<HistorySample> = (0..found.after.0.len()).map(|i| samples.gathered(at(i))).collect();
            unclear = unclear.max(wanted.iter().filter(|of| of.is_unclear).count() as f64 / wanted.len() as f64);
            let exposure = found.block.exposure;
            for (i, wanted) in wanted.iter().enumerate().filter(|(_, wanted)| !wanted.is_unclear) {
                let kind = [wanted.rejected > 0.0, wanted.clamped > 0.01, wanted.before > 0.5];
                kinds.iter_mut().zip(kind).for_each(|(n, is)| *n += usize::from(is));
                let (light, surface) = (found.after.0[i], found.after.1[i]);
                let apart = compressed(wanted.color, exposure) - compressed(light.truncate(), exposure);
                lights.push(f64::from(apart.abs().max_element()));
                counts.push(f64::from(light.w / wanted.samples - 1.0));
                // At rest the surfaces stay those of the frame before.
                let stays = found.block.rests > 0.0 && trial.size == found.whole;
                let expected = if stays { found.before.1[i] } else { wanted.surface };
                surfaces += usize::from(!is_alike(surface, expected));
                for (view, (errors, texels)) in VIEWS.iter().zip(views.iter_mut().zip(&found.views)) {
                    let color = Vec3::from_array([0, 1, 2].map(|c| f32::from(texels[i][c])));
                    errors.push(f64::from((super::views::color(view, wanted) - color).abs().max_element()));
                }
            }
        }
        let is_large = trial.whole[0] * trial.whole[1] > 1000;
        let all = frames
            // GPUs read between texels in steps of 1/256, which next to a spark is much.
            .and(Verdict::within("light", &Errors::of(lights), [1e-3, 4e-3, 5e-2]))
            .and(Verdict::within("samples", &Errors::of(counts), [1e-3, 8e-3, 2e-2]))
            .and(Verdict::at_most("other surfaces", surfaces as f64, 0.0))
            .and(Verdict::at_most("decided by rounding", unclear, if is_large { 0.4 } else { 0.8 }));
        let of_view = |verdict: Verdict, (view, errors): (&ViewInfo, Vec<f64>)| {
            verdict.and(Verdict::within(view.name, &Errors::of(errors), [0.6, 2.0, 64.0]))
        };
        let all = VIEWS.iter().zip(views).fold(all, of_view);
        let least = |verdict: Verdict, (what, n): (&str, usize)| {
            verdict.and(Verdict::at_most(what, if is_large { 40.0 - n as f64 } else { 0.0 }, 0.0))
        };
        ["too few rejected", "too few clamped", "too few kept"].into_iter().zip(kinds).fold(all, least)
    }
}
