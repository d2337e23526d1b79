//! Checks of the views: each pixel has the colour that its legend gives to its meshlet.

use super::{
    By, Meshlets, MeshletsSettings,
    checks::{cameras, draw, paths},
    scene_buffers,
    views::{CULLED, PATH, VIEWS},
};
use crate::gpu_consts;
use crate::{
    base::{difference::Errors, half},
    gpu::{Format, Gpu, Image, ImageDesc, Use},
    lab::{Case, Effort, Property, TestBench, Verdict},
    scene::world::{Camera, GpuScene, VisibilityId, World},
    techniques::ViewInfo,
};
use anyhow::Context as _;
use glam::{DVec2, Vec3};
use std::sync::Arc;

/// All views of a crowd; of what was culled by one test at a time, for only then it is known by what.
pub struct Views;

/// A crowd seen by one path.
pub struct ViewInput {
    world: Arc<World>,
    by: By,
    shows: ViewContent,
}

/// Content of a view.
#[derive(Clone, Copy)]
enum ViewContent {
    /// Every view but that of culling.
    Drawn,
    /// Instances culled by only one test, by its number: drawn from one camera, seen from another.
    Culled(usize),
}

/// A picture, and its visibility buffer.
pub struct Shot {
    view: ViewInfo,
    picture: Vec<[u8; 4]>,
    ids: Vec<u32>,
    depths: Vec<f32>,
    /// Colours of the views that have a layer of their own.
    layer: Vec<Vec3>,
    opacity: Vec<f32>,
}

const SIZE: [u32; 2] = [131, 75];

gpu_consts! { "meshlets/view.comp":
    const SKY: Vec3 = Vec3::new(0.055, 0.065, 0.085);
}

const OPACITY: f32 = 0.30;

impl Property for Views {
    const NAME: &'static str = "views";
    type Input = Result<ViewInput, String>;
    type Output = Vec<Shot>;

    fn cases(gpu: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let crowd = scene_buffers::crowd(40, 14).map(Arc::new);
        let all = [ViewContent::Drawn, ViewContent::Culled(0), ViewContent::Culled(1), ViewContent::Culled(2)];
        let case = |by: By, shows: ViewContent| {
            let what = match shows {
                ViewContent::Drawn => "what is drawn",
                ViewContent::Culled(0) => "out of the frustum",
                ViewContent::Culled(1) => "facing away",
                ViewContent::Culled(_) => "occluded",
            };
            let input = crowd.clone().map(|world| ViewInput { world, by, shows });
            Case { name: format!("{} {what}", by.name()), input }
        };
        paths(gpu).into_iter().flat_map(|by| all.map(|shows| case(by, shows))).collect()
    }

    fn run(bench: &mut TestBench, look: &Self::Input) -> anyhow::Result<Vec<Shot>> {
        let ViewInput { world, by, shows } = look.as_ref().map_err(|e| anyhow::anyhow!("{e}"))?;
        let mut technique = Meshlets::listing(bench.gpu(), super::LIST_MAX)?;
        let world = bench.run(|frame| GpuScene::new(frame, world.clone()))?;
        let mut settings = MeshletsSettings { by: *by, ..Default::default() };
        let [drawn_from, from] = shows.cameras();
        if let ViewContent::Culled(test) = shows {
            [settings.frustum, settings.cone, settings.occlusion] = [0, 1, 2].map(|i| i == *test);
            for _ in 0..3 {
                draw(bench, &mut technique, &settings, &world, &drawn_from, SIZE)?;
            }
            settings.freeze = true;
        }
        let mut shots = Vec::new();
        for view in VIEWS.iter().filter(|view| (view.name == CULLED) == matches!(shows, ViewContent::Culled(_))) {
            let picture = Image::new(bench.gpu(), ImageDesc::new("picture", SIZE, Format::Rgba8, &[Use::Storage]))?;
            bench.run(|frame| technique.view(frame, view.name, &settings, &world, &from, &picture.mip(0)))?;
            let targets = technique.targets.first().context("nothing was drawn")?;
            let (ids, depths) = (targets.ids.mip(0), targets.depth.mip(0));
            let layer: Vec<[u16; 4]> = match technique.images.layer.get().filter(|_| view.name != "depth") {
                Some(layer) => bench.read(&layer.mip(0))?,
                None => Vec::new(),
            };
            let number = |bits: u16| half::to_f64(bits) as f32;
            shots.push(Shot {
                view: *view,
                picture: bench.read(&picture.mip(0))?,
                ids: bench.read(&ids)?,
                depths: bench.read(&depths)?,
                layer: layer.iter().map(|t| Vec3::new(number(t[0]), number(t[1]), number(t[2]))).collect(),
                opacity: layer.iter().map(|t| number(t[3])).collect(),
            });
        }
        Ok(shots)
    }

    fn verdict(look: &Self::Input, shots: &Vec<Shot>) -> Verdict {
        let Ok(look) = look else { return Verdict { passed: false, text: "no world".into() } };
        let (all, [_, from]) = (VIEWS.len() as f64 - 1.0, look.shows.cameras());
        let expected = if matches!(look.shows, ViewContent::Drawn) { all } else { 1.0 };
        let counts = Verdict::at_most("views missing", (expected - shots.len() as f64).abs(), 0.0);
        let one = |shot: &Shot| {
            let expected = (0..shot.ids.len()).flat_map(|at| match shot.view.name {
                PATH => drawn_by(look, &from, shot, at).to_array(),
                _ => expected_color(&look.world, &from, shot, at).to_array(),
            });
            let actual = shot.picture.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from));
            let errors = Errors::between(&expected.collect::<Vec<_>>(), &actual.collect::<Vec<_>>());
            let verdict = Verdict::within(shot.view.name, &errors, [0.5, 1.1, 2.1]);
            match look.shows {
                ViewContent::Drawn => verdict,
                ViewContent::Culled(test) => verdict.and(swatch_of(shot, test)),
            }
        };
        shots.iter().map(one).fold(counts, Verdict::and)
    }
}

impl ViewContent {
    /// Camera of the draw, and camera of the view: instances culled by one test are in sight there.
    fn cameras(self) -> [Camera; 2] {
        let which = match self {
            Self::Drawn => [0, 0],
            Self::Culled(0) => [2, 0],
            Self::Culled(_) => [0, 3],
        };
        which.map(|which| cameras()[which].1)
    }
}

/// Checks that a pixel with one layer of culled instances has the colour that the legend gives to the test.
fn swatch_of(shot: &Shot, test: usize) -> Verdict {
    let single = shot.layer.iter().zip(&shot.opacity).filter(|(_, opacity)| (**opacity - OPACITY).abs() < 2e-3);
    let expected = shot.view.legend.swatch(test);
    let errors = Errors::of(
        single.map(|(color, opacity)| f64::from((*color / *opacity * 255.0 - expected).abs().max_element())),
    );
    Verdict::within("colour of the test", &errors, [2.0; 3])
}

/// The colour of pixel `at`, 0..255.
fn expected_color(world: &World, camera: &Camera, shot: &Shot, at: usize) -> Vec3 {
    let (id, legend) = (shot.ids[at], &shot.view.legend);
    let layer = shot.layer.get(at).copied().unwrap_or(Vec3::NAN);
    let drawn = |word: u32| match id {
        0 => SKY,
        _ => color_of(word) * (0.35 + 0.65 * facing(world, camera, id)) * edge(&shot.ids, at),
    };
    match shot.view.name {
        "ids" => drawn(VisibilityId(id).meshlet_key()) * 255.0,
        "triangles" => drawn(id) * 255.0,
        // From 16 times the near plane's distance on, seven octaves.
        "depth" if id != 0 => {
            let depth = shot.depths.get(at).copied().unwrap_or(f32::NAN);
            legend.ramp(((1.0 / depth).log2() - 4.0) / 7.0)
        }
        "overdraw" if layer.x < 0.5 => Vec3::ZERO,
        "overdraw" => legend.ramp(layer.x.log2() / 4.0),
        "depth" => Vec3::ZERO,
        _ => {
            let under = match id {
                0 => SKY,
                _ => Vec3::splat((0.10 + 0.28 * facing(world, camera, id)) * edge(&shot.ids, at)),
            };
            let over = layer + under * (1.0 - shot.opacity.get(at).map_or(1.0, |opacity| opacity.min(1.0)));
            over.clamp(Vec3::ZERO, Vec3::ONE) * 255.0
        }
    }
}

/// The colour of pixel `at` by what drew it, 0..255. Where rounding may decide, the one that was found, if it is one of them.
fn drawn_by(look: &ViewInput, camera: &Camera, shot: &Shot, at: usize) -> Vec3 {
    let id = shot.ids[at];
    if id == 0 {
        return SKY * 255.0;
    }
    let swatches = match look.by {
        By::Mesh => 0..=0,
        By::Compute => match ways_of(&look.world, camera, id) {
            Some(ways) => ways,
            None => return Vec3::NAN,
        },
        _ => 1..=1,
    };
    let light = (0.35 + 0.65 * facing(&look.world, camera, id)) * edge(&shot.ids, at);
    let actual = shot.picture.get(at).map_or(Vec3::NAN, |t| Vec3::new(t[0].into(), t[1].into(), t[2].into()));
    let colors = swatches.map(|swatch| shot.view.legend.swatch(swatch) * light);
    colors.min_by(|a, b| a.distance(actual).total_cmp(&b.distance(actual))).unwrap_or(Vec3::NAN)
}

/// Pixels in its bounds up to which one lane draws a triangle, and the side from which it is drawn by tiles (shaders/meshlets/cover.glsl).
const LANE_MOST: i64 = 32;

gpu_consts! { "meshlets/cover.glsl":
    const NARROW: f64 = 64.0;
}

/// Ways in which compute may draw a triangle, however its corners are rounded: the first and the last of the swatches of one lane,
/// several, and tiles. None where the ID names no triangle.
fn ways_of(world: &World, camera: &Camera, id: u32) -> Option<std::ops::RangeInclusive<usize>> {
    let clip_from_world = camera.block(SIZE).clip_from_world.as_dmat4();
    let clips = world.corners_of(id)?.map(|corner| clip_from_world * corner.as_dvec3().extend(1.0));
    let [size, near] = [DVec2::new(f64::from(SIZE[0]), f64::from(SIZE[1])), DVec2::splat(f64::from(camera.near))];
    if clips.iter().any(|clip| clip.w <= near.x * 1.001) {
        return Some(4..=4);
    }
    let pixels = clips.map(|clip| (clip.truncate().truncate() / clip.w + 1.0) * 0.5 * size);
    let (low, high) = (pixels[0].min(pixels[1]).min(pixels[2]), pixels[0].max(pixels[1]).max(pixels[2]));
    let way = |round: f64| {
        let many = ((high + round).min(size) - 0.5).floor() - ((low - round).max(DVec2::ZERO) - 0.5).ceil() + 1.0;
        let is_large = (high - low).max_element() + 2.0 * round >= NARROW;
        if is_large { 4 } else { 2 + usize::from(many.x.max(0.0) as i64 * many.y.max(0.0) as i64 > LANE_MOST) }
    };
    Some(way(-0.01)..=way(0.01))
}

/// A colour for a number.
pub(super) fn color_of(word: u32) -> Vec3 {
    let word = (word ^ word >> 16).wrapping_mul(0x7FEB_352D);
    let word = (word ^ word >> 15).wrapping_mul(0x846C_A68B);
    let word = word ^ word >> 16;
    let turn = (word & 0xFFFF) as f32 / 65536.0;
    let channel = |third: f32| (((turn + third / 3.0).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    let pure = Vec3::new(channel(0.0), channel(2.0), channel(1.0));
    let (pale, light) = ((word >> 16 & 0xFF) as f32 / 255.0, (word >> 24) as f32 / 255.0);
    pure.lerp(Vec3::ONE, 0.25 + 0.25 * pale) * (0.75 + 0.25 * light)
}

/// Cosine between the triangle of an ID and the direction to the eye, 0 to 1; no number where there is no such triangle.
fn facing(world: &World, camera: &Camera, id: u32) -> f32 {
    let Some(corner) = world.corners_of(id) else { return f32::NAN };
    let normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    let to_eye = camera.eye - (corner[0] + corner[1] + corner[2]) / 3.0;
    (normal.dot(to_eye) / (normal.length() * to_eye.length())).abs()
}

/// Darker where a triangle ends, darker still where a meshlet does.
fn edge(ids: &[u32], at: usize) -> f32 {
    let (x, y) = (at as u32 % SIZE[0], at as u32 / SIZE[0]);
    let id_at = |x: u32, y: u32| ids[(y.min(SIZE[1] - 1) * SIZE[0] + x.min(SIZE[0] - 1)) as usize];
    let next = [id_at(x + 1, y), id_at(x, y + 1)];
    match next {
        _ if next.iter().any(|next| VisibilityId(*next).meshlet() != VisibilityId(ids[at]).meshlet()) => 0.45,
        _ if next.iter().any(|next| *next != ids[at]) => 0.80,
        _ => 1.0,
    }
}
