//! CPU reference of shaders/antialias/gather.glsl.

use crate::passes::history::FrameBlock;
use base::half;
use glam::{IVec2, Vec2, Vec3, Vec4};
use gpu::gpu_consts;
use scene::world::VisibilityId;

pub struct Samples<'a> {
    pub frame: &'a FrameBlock,
    /// One entry per pixel of the light.
    pub light: &'a [Vec4],
    pub ids: &'a [u32],
    pub depth: &'a [f32],
    /// One entry per pixel of the size in `frame`.
    pub history: &'a [Vec4],
    pub surfaces: &'a [[u32; 2]],
    /// The history is read by Catmull and Rom's filter.
    pub is_sharp: bool,
}

/// As `Gathered` in gather.glsl.
#[derive(Clone, Copy, Debug)]
pub struct HistorySample {
    pub color: Vec3,
    pub samples: f32,
    pub before: f32,
    pub motion: Vec2,
    pub rejected: f32,
    pub clamped: f32,
    pub surface: [u32; 2],
    /// Rounding may decide otherwise.
    pub is_unclear: bool,
}

gpu_consts! { "antialias/gather.glsl":
    /// Colour range below which the history is read by the sampler alone.
    const FLAT: f32 = 0.006;
}

/// The fit to the film curve.
const CURVE: [f32; 3] = [0.0708, 0.5324, 0.1096];

pub fn compressed(light: Vec3, exposure: f32) -> Vec3 {
    let [p, q, r] = CURVE;
    (light * exposure).map(|c| c * (c + p) / (c * c + q * c + r))
}

/// The positive solution of y (c^2 + q c + r) = c (c + p), in double precision.
fn expanded(y: Vec3, exposure: f32) -> Vec3 {
    let [p, q, r] = CURVE.map(f64::from);
    let solved = y.map(|y| {
        let y = f64::from(y.min(0.9995));
        let (a, b) = (1.0 - y, p - q * y);
        (((b * b + 4.0 * a * r * y).sqrt() - b) / (2.0 * a)) as f32
    });
    solved / exposure
}

fn ycocg_of(c: Vec3) -> Vec3 {
    Vec3::new(0.25 * (c.x + c.z) + 0.5 * c.y, 0.5 * (c.x - c.z), 0.5 * c.y - 0.25 * (c.x + c.z))
}

fn rgb_of(c: Vec3) -> Vec3 {
    Vec3::new(c.x - c.z + c.y, c.x + c.z, c.x - c.z - c.y)
}

fn to_half(c: Vec3) -> Vec3 {
    c.map(half::rounded)
}

/// Of the four pixels around, `f` of the way from the second to the third.
pub fn catmull_rom(f: f32) -> [f32; 4] {
    let cubic = |x: f32| match x {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
    };
    [cubic(1.0 + f), cubic(f), cubic(1.0 - f), cubic(2.0 - f)]
}

fn is_near_integer(x: Vec2) -> bool {
    (x - x.round()).abs().min_element() < 2e-3
}

impl Samples<'_> {
    fn size(&self) -> IVec2 {
        self.frame.size.as_ivec2()
    }

    fn light_at(&self, at: IVec2) -> Vec3 {
        let at = at.clamp(IVec2::ZERO, self.size() - 1);
        ycocg_of(compressed(self.light[(at.y * self.size().x + at.x) as usize].truncate(), self.frame.exposure))
    }

    /// As the sampler reads the history: linear light, then compressed.
    fn history_at(&self, place: Vec2) -> Vec4 {
        let kept = self.frame.kept.as_ivec2();
        let place = place * (self.frame.kept / self.frame.whole);
        let (low, part) = ((place - 0.5).floor(), place - 0.5 - (place - 0.5).floor());
        let texel = |x: i32, y: i32| {
            let at = (low.as_ivec2() + IVec2::new(x, y)).clamp(IVec2::ZERO, kept - 1);
            self.history[(at.y * kept.x + at.x) as usize]
        };
        let row = |y: i32| texel(0, y).lerp(texel(1, y), part.x);
        let c = row(0).lerp(row(1), part.y);
        ycocg_of(compressed(c.truncate(), self.frame.exposure)).extend(c.w)
    }

    /// The four by four pixels without the corners: the middle two of each row and column as the sampler joins them.
    fn sharp_history_at(&self, place: Vec2) -> Vec4 {
        let low = (place - 0.5).floor() + 0.5;
        let [across, down] = (place - low).to_array().map(catmull_rom);
        let middle = |w: [f32; 4]| (w[1] + w[2], w[2] / (w[1] + w[2]));
        let ((wide, x), (high, y)) = (middle(across), middle(down));
        let spots = [
            (wide * high, Vec2::new(x, y)),
            (across[0] * high, Vec2::new(-1.0, y)),
            (across[3] * high, Vec2::new(2.0, y)),
            (wide * down[0], Vec2::new(x, -1.0)),
            (wide * down[3], Vec2::new(x, 2.0)),
        ];
        let sum: Vec3 = spots.iter().map(|(w, at)| *w * self.history_at(low + *at).truncate()).sum();
        let weights: f32 = spots.iter().map(|(w, _)| w).sum();
        (sum / weights).extend(self.history_at(low + Vec2::new(x, y)).w)
    }

    /// Stored light between the four pixels around a place.
    fn rounded_light_at(&self, place: Vec2) -> Vec3 {
        let low = (place - 0.5).floor();
        let texel = |x: i32, y: i32| to_half(self.light_at(low.as_ivec2() + IVec2::new(x, y)));
        let row = |y: i32| texel(0, y).lerp(texel(1, y), (place - 0.5 - low).x);
        row(0).lerp(row(1), (place - 0.5 - low).y)
    }

    /// Sums of the light and of its squares over 3x3 samples, and the nearest of the middle and the corners: depth and
    /// place.
    fn neighbourhood(&self, middle: IVec2) -> (Vec3, Vec3, (f32, IVec2)) {
        let (size, mut front) = (self.size(), (-1.0, middle));
        let (mut sum, mut squares) = (Vec3::ZERO, Vec3::ZERO);
        for (x, y) in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))) {
            let p = (middle + IVec2::new(x, y)).clamp(IVec2::ZERO, size - 1);
            let c = self.light_at(p);
            (sum, squares) = (sum + c, squares + c * c);
            let depth = self.depth[(p.y * size.x + p.x) as usize];
            if (x + y) % 2 == 0 && depth > front.0 {
                front = (depth, p);
            }
        }
        (sum, squares, front)
    }

    pub fn pixel(&self, at: IVec2) -> HistorySample {
        let (frame, size, whole) = (self.frame, self.size(), self.frame.whole.as_ivec2());
        let middle = at.as_vec2() + 0.5;
        let place = if size == whole { middle } else { middle * frame.size / frame.whole - frame.shift };
        let mut is_unclear = size != whole && is_near_integer(place);
        let nearest = place.floor().as_ivec2().clamp(IVec2::ZERO, size - 1);
        let (sum, squares, (depth, p)) = self.neighbourhood(nearest);
        let seen = (p.as_vec2() + 0.5 + frame.shift) / frame.size * 2.0 - 1.0;
        let clip = frame.before_from_now * Vec4::new(seen.x, seen.y, depth, 1.0);
        let motion =
            if clip.w > 0.0 { frame.moves * (Vec2::new(clip.x, clip.y) / clip.w - seen) } else { Vec2::splat(4.0) };
        let from = middle + 0.5 * motion * frame.whole;
        is_unclear |= frame.moves > 0.0 && is_near_integer(from);
        let index = |p: IVec2| (p.y * size.x + p.x) as usize;
        let own_depth = self.depth[index(nearest)];
        let own_seen = (nearest.as_vec2() + 0.5 + frame.shift) / frame.size * 2.0 - 1.0;
        let own_clip = frame.before_from_now * Vec4::new(own_seen.x, own_seen.y, own_depth, 1.0);
        let (kept, spot) = (frame.kept.as_ivec2(), from * (frame.kept / frame.whole));
        is_unclear |= frame.moves > 0.0 && frame.kept != frame.whole && is_near_integer(spot);
        let spot = spot.floor().as_ivec2().clamp(IVec2::ZERO, kept - 1);
        let surface_before = self.surfaces[(spot.y * kept.x + spot.x) as usize];
        let now = [(depth, clip, p, 0), (own_depth, own_clip, nearest, 1)];
        let mut surface = [0; 2];
        let (mut is_same, mut may_be_same) = (false, false);
        for (depth, clip, p, place) in now {
            let meshlet = VisibilityId(self.ids[index(p)]).meshlet_key() & 0x3FFF;
            surface[0] |= u32::from(half::from_f64(f64::from(depth))) << (16 * place);
            surface[1] |= meshlet << (14 * place);
            let depth_before = half::to_f32((surface_before[0] >> (16 * place)) as u16);
            let expected = clip.z / clip.w.max(1e-20);
            let apart = (depth_before - expected).abs() / depth_before.max(expected).max(1e-20);
            is_same |= apart <= 0.1 || surface_before[1] >> (14 * place) & 0x3FFF == meshlet;
            may_be_same |= (apart - 0.1).abs() < 2e-3;
        }
        let is_inside = from.cmpgt(Vec2::ZERO).all() && from.cmplt(frame.whole).all();
        is_unclear |= frame.moves > 0.0 && may_be_same;
        let rejected =
            if is_inside && is_same { 0.0 } else { frame.moves * if is_inside { frame.reject } else { 1.0 } };
        let mean = sum / 9.0;
        let deviation = (squares / 9.0 - mean * mean).max(Vec3::ZERO).map(f32::sqrt);
        let stored = |c: Vec3| if size == whole { c } else { to_half(c) };
        let (own, mean, deviation) = (stored(self.light_at(nearest)), stored(mean), stored(deviation));
        let spread = deviation * frame.reach;
        let is_flat = spread.max_element() < FLAT;
        let old = if self.is_sharp && !is_flat { self.sharp_history_at(from) } else { self.history_at(from) };
        let before = if old.w > 0.0 { old.w.min(frame.most) * (1.0 - rejected) } else { 0.0 };
        let room = spread + frame.rests * 1e4;
        let kept = if before > 0.0 { old.truncate().clamp(mean - room, mean + room) } else { own };
        let clamped = if before > 0.0 { (kept.x - old.x).abs() } else { 0.0 };
        let (color, samples) = if size == whole {
            ((before * kept + own) / (before + 1.0), before + 1.0)
        } else {
            let off = (nearest.as_vec2() + 0.5 - place) * frame.whole / frame.size;
            let part = (1.0 - off.length_squared()).max(0.0).powi(2);
            let rest = (1.0 - before - part).max(0.0);
            let sum = before * kept + part * own + rest * self.rounded_light_at(place);
            (sum / (before + part + rest), before + part + 0.1 * rest)
        };
        let light = expanded(rgb_of(color).max(Vec3::ZERO), frame.exposure).clamp(Vec3::ZERO, Vec3::splat(2000.0));
        HistorySample { color: light, samples, before, motion: middle - from, rejected, clamped, surface, is_unclear }
    }
}
