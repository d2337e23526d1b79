//! Checks of the particles' appearance: every draw method and every view against the CPU reference.

use super::{
    check_fixture::{Fixture, buffer, ground, states},
    reference::{self, BODIES, FIREFLIES, MOTES, Particle, QUIET, SPRAY, hashed, kind_of},
};
use crate::{
    blocks::{LookBlock, MotionBlock},
    passes::draw::{Layer, Painters},
    settings::Draw,
    views::{STOPS, VIEWS},
};
use base::half;
use glam::{Vec2, Vec3, Vec4};
use gpu::{Buffer, Format, Gpu, Image, ImageDesc, Memory, Use};
use lab::{Case, Effort, Property, TestBench, Verdict};
use media::difference::Errors;
use std::f32::consts::{FRAC_PI_4, TAU};

const SIZE: [u32; 2] = [240, 150];
/// Constant value of the depth image, and the one depth of its shadow map.
const DEPTH: f32 = 0.1 / 9.0;
const SHADOW: f32 = 0.5;
/// The light and the alpha of its world, everywhere.
const WORLD: f32 = 0.25;

/// All over the view of [`Fixture`]'s camera, and beyond: near, far, behind surfaces, in shadow and out of it. Points
/// stay wholly inside: whether one whose middle is outside is drawn depends on the device.
fn cloud(kind: u32, count: u32, method: Draw) -> Vec<Particle> {
    let motion = ground().motion(count).reference();
    let mut all = reference::begin(kind, count, &motion);
    for (i, particle) in (0..).zip(&mut all) {
        let part = |salt: u32| (hashed(i * 16 + salt) >> 8) as f32 / 16_777_216.0;
        let (from, spread) = if method == Draw::Points { (1.5, 0.35) } else { (0.15, 1.1) };
        let ahead = from + 12.0 * part(1) * part(1);
        let aside = Vec2::new(part(2) - 0.5, part(3) - 0.5) * ahead * spread;
        // Nearly along the camera's view.
        let forward = Vec3::new(-1.5, -1.0, -7.2).normalize();
        particle.position = Vec3::new(1.5, 2.2, 5.2) + forward * ahead + Vec3::new(aside.x, aside.y, 0.0);
        particle.velocity = Vec3::new(part(4), part(5), part(6)) * 2.5;
        // Young, old and in between.
        particle.life = particle.life & 0xFFFF_0000 | (part(7) * 65_535.0) as u32;
    }
    all
}

fn smoothstep(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// As in `shaders/particles/look.glsl`.
struct Sprite {
    clip: Vec4,
    ahead: f32,
    diameter: f32,
    light: Vec4,
    soft: f32,
    rim: f32,
}

fn sun_at(look: &LookBlock, position: Vec3) -> f32 {
    let clip = look.shadow_from_world * position.extend(1.0);
    let outside = clip.x.abs() > 0.999 || clip.y.abs() > 0.999 || clip.z < 0.0;
    f32::from(u8::from(outside || clip.z + look.shadow_bias >= SHADOW))
}

fn scatter(cosine: f32, g: f32) -> f32 {
    (1.0 - g * g) / (1.0 + g * g - 2.0 * g * cosine).powf(1.5)
}

/// As in `shaders/particles/look.glsl`.
fn among(count: u32, usual: f32) -> f32 {
    (usual / count as f32).min(1.0).powf(0.7)
}

fn sprite_of(look: &LookBlock, motion: &MotionBlock, kind: u32, of: u32, p: &Particle) -> Sprite {
    let clip = look.clip_from_world * p.position.extend(1.0);
    let (age, size) = ((p.life & 0xFFFF) as f32 / 65536.0, (p.life >> 16) as f32 / 65535.0);
    let forward = (p.position - look.eye).normalize().dot(look.sun);
    let sun = look.sun_light * sun_at(look, p.position);
    let life = smoothstep(0.0, 0.12, age) * smoothstep(0.0, 0.12, 1.0 - age);
    let (metres, light, cover, fade, soft, rim) = match kind {
        MOTES => {
            let glint = 0.65 + 0.35 * (look.seconds * (0.7 + 2.0 * (size * 7.3).fract()) + 40.0 * size).sin();
            let light = sun * ((0.012 + 0.055 * scatter(forward, 0.62)) * glint) + look.sky * 0.02;
            (0.0025 + 0.0125 * size.powi(6), light, 0.0, life * (0.45 + 0.4 * size.powi(3)), 0.12, 0.0)
        }
        SPRAY => {
            let light = sun * (0.10 + 0.09 * scatter(forward, 0.7)) + look.sky * 0.9;
            (0.008 + 0.014 * size * size, light, 0.12, 0.7 * among(of, 3000.0), 0.04, 0.75)
        }
        FIREFLIES => {
            let beat = (look.seconds / (2.2 + 2.6 * size) + (p.seed & 1023) as f32 / 1024.0).fract();
            let flash = smoothstep(0.0, 0.10, beat) * (1.0 - smoothstep(0.22, 0.62, beat));
            let light = Vec3::new(0.62, 1.0, 0.16) * (look.white * 4.0 * flash);
            (0.06 + 0.04 * size, light, 0.0, life, 0.12, -1.0)
        }
        _ => {
            let quick = smoothstep(0.15, 1.1, p.velocity.length() / motion.metre);
            let light = Vec3::new(1.0, 0.30, 0.07).lerp(Vec3::new(0.22, 0.48, 1.0), quick) * (look.white * 0.6);
            (0.02 + 0.018 * size, light, 0.0, among(of, 500.0), 0.12, 0.0)
        }
    };
    let exact = 2.0 * metres * motion.metre * look.pixels / clip.w.max(look.near);
    let diameter = exact.max(1.5).min(look.most);
    let small = if exact < diameter { (exact / diameter).powi(2) } else { 1.0 };
    let light = (light * look.brightness).extend(cover) * (fade * small * smoothstep(2.0, 8.0, clip.w / look.near));
    Sprite { clip, ahead: clip.w, diameter, light, soft: soft * motion.metre, rim }
}

impl Sprite {
    /// Middle in pixels.
    fn place(&self, look: &LookBlock) -> Vec2 {
        (Vec2::splat(0.5) + 0.5 * Vec2::new(self.clip.x, self.clip.y) / self.clip.w) * look.size
    }

    fn profile(&self, r2: f32) -> f32 {
        let disc = (1.0 - r2).max(0.0);
        match self.rim < 0.0 {
            true => 0.08 * disc.powi(2) + 0.92 * disc.powi(16),
            false => disc.powi(2) * (1.0 - self.rim) + disc * (0.35 + 2.2 * r2 * r2) * self.rim,
        }
    }

    fn before(&self, near: f32) -> f32 {
        ((near / DEPTH - self.ahead) / self.soft + 0.5).clamp(0.0, 1.0)
    }

    fn add(&self, look: &LookBlock, method: Draw, layer: &mut [Vec4]) {
        if self.ahead < look.near {
            return;
        }
        let (middle, [w, h]) = (self.place(look), SIZE.map(|n| n as i32));
        let light = self.light * self.before(look.near);
        let mut put = |x: i32, y: i32, part: f32| {
            if (0..w).contains(&x) && (0..h).contains(&y) {
                // Whole numbers of a splat end there.
                layer[(y * w + x) as usize] += (light * part).min(Vec4::splat(64.0));
            }
        };
        if method == Draw::Splat {
            let mean = if self.rim < 0.0 { 0.08 / 3.0 + 0.92 / 17.0 } else { 1.0 / 3.0 };
            let whole = (self.diameter * self.diameter * FRAC_PI_4 * mean).min(16.0);
            let low = (middle - 0.5).floor();
            let part = middle - 0.5 - low;
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let weight = |part: f32, second: i32| if second == 1 { part } else { 1.0 - part };
                put(low.x as i32 + dx, low.y as i32 + dy, whole * weight(part.x, dx) * weight(part.y, dy));
            }
            return;
        }
        let reach = 0.5 * self.diameter;
        let (low, high) = ((middle - reach).floor().as_ivec2(), (middle + reach).ceil().as_ivec2());
        for (x, y) in (low.y..high.y).flat_map(|y| (low.x..high.x).map(move |x| (x, y))) {
            let r2 = ((Vec2::new(x as f32, y as f32) + 0.5 - middle) / reach).length_squared();
            put(x, y, self.profile(r2));
        }
    }
}

pub struct DrawMethods;

pub struct Crowd {
    kind: u32,
    count: u32,
    method: Draw,
}

impl Property for DrawMethods {
    const NAME: &'static str = "drawn";
    const HAS_REFERENCE: bool = true;
    type Input = Crowd;
    /// Input of the shaders, the layer, and the world's light with it.
    type Output = (LookBlock, [Vec<Vec4>; 2]);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Crowd>> {
        let kinds =
            [("motes", MOTES), ("spray", SPRAY), ("fireflies", FIREFLIES), ("bodies", BODIES), ("quiet", QUIET)];
        let methods = [Draw::Quads, Draw::Points, Draw::Discs, Draw::Splat].into_iter();
        let case = |name: &str, kind, count, method: Draw| {
            Case::new(format!("{count} {name} as {}", method.name()), Crowd { kind, count, method })
        };
        let few = methods.flat_map(|method| kinds.map(|(name, kind)| case(name, kind, COUNT, method)));
        // A number at which each sends less light.
        let many = kinds.map(|(name, kind)| case(name, kind, MANY, Draw::Splat));
        few.chain(many).collect()
    }

    fn run(bench: &mut TestBench, &Crowd { kind, count, method }: &Crowd) -> anyhow::Result<Self::Output> {
        let (gpu, particles) = (bench.gpu().clone(), cloud(kind, count, method));
        let (painters, state) = (Painters::new(&gpu), buffer(&gpu, count)?);
        let stage = bench.run(|frame| Fixture::new(frame, SIZE))?;
        let mut scene = stage.scene(&gpu, kind, &state, count);
        (scene.look.seconds, scene.look.brightness, scene.look.most) = (1.7, 0.8, 40.0);
        let mut layer = Layer::fitting(&gpu, None, SIZE, SIZE)?;
        // Nothing of the frames before may be left: of other sprites, of particles that were elsewhere, of the same.
        let aside: Vec<_> = particles.iter().map(|p| Particle { position: p.position + 0.4 * Vec3::X, ..*p }).collect();
        let frames = [(Draw::Quads, &aside), (method, &aside), (method, &particles), (method, &particles)];
        for (method, particles) in frames {
            bench.run(|frame| {
                frame.upload_buffer(&state, &states(particles))?;
                painters.draw(frame, method, &scene, &stage.world.light, &mut layer)
            })?;
        }
        let mut read = |image: &Image| -> anyhow::Result<Vec<Vec4>> {
            let texels: Vec<[u16; 4]> = bench.read(&image.mip(0))?;
            Ok(texels.iter().map(|texel| Vec4::from_array(texel.map(half::to_f32))).collect())
        };
        Ok((scene.look, [read(&layer.image)?, read(&layer.joined)?]))
    }

    fn verdict(
        &Crowd { kind, count, method }: &Crowd,
        (look, [actual, joined]): &(LookBlock, [Vec<Vec4>; 2]),
    ) -> Verdict {
        let motion = ground().motion(count);
        let mut expected = vec![Vec4::ZERO; actual.len()];
        for (i, particle) in (0..).zip(&cloud(kind, count, method)) {
            let of = kind_of(kind, i, &motion.reference());
            // As many as the stage has, or the part of them that is of this kind.
            let many = if kind == QUIET { count - motion.split } else { count };
            sprite_of(look, &motion, of, many, particle).add(look, method, &mut expected);
        }
        let brightest = expected.iter().map(|light| light.max_element()).fold(0.0, f32::max);
        let lit = expected.iter().filter(|light| light.max_element() > 1e-3 * brightest).count();
        // Of the light there, and a hundredth of the brightest: half floats are added up one after the other, whole
        // numbers are cut off, and a driver may know the place of a corner to a 256th of a pixel. Observed: worst 6e-4,
        // 0.014, 0.018 (Mesa 25.0.7).
        let error = |(a, b): (&Vec4, &Vec4)| {
            f64::from((*a - *b).abs().max_element() / (a.max_element() + 0.01 * brightest).max(1e-9))
        };
        let errors = Errors::of(expected.iter().zip(actual).map(error));
        // A surface behind a drop is covered in part; the sum is a half float again. Derived: it is cut off by up to 2^-10,
        // by half of that in the mean; a product that is rounded as well, once more.
        let behind = Vec4::splat(WORLD);
        let apart = |(layer, joined): (&Vec4, &Vec4)| {
            let sum = (behind * (1.0 - layer.w.clamp(0.0, 1.0)) + *layer).truncate();
            f64::from(((sum - joined.truncate()).abs() / sum).max_element().max((joined.w - WORLD).abs()))
        };
        let together = Errors::of(actual.iter().zip(joined).map(apart));
        Verdict::within("of the light", &errors, [0.001, 0.02, 0.05])
            .and(Verdict::within("of that and the world's", &together, [0.0005, 0.001, 0.002]))
            .and(Verdict::at_least("lit pixels", lit as f64, 50.0))
    }
}

const COUNT: u32 = 600;
const MANY: u32 = 20_000;
/// Particles of a tile, for the view of tiles.
const TILE: u32 = 64;

pub struct Views;

impl Property for Views {
    const NAME: &'static str = "views";
    /// Its number in [`VIEWS`].
    type Input = usize;
    /// Input of the shaders, and red, green and blue of each pixel, 0..255.
    type Output = (LookBlock, Vec<Vec3>);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<usize>> {
        VIEWS.iter().enumerate().map(|(view, info)| Case::new(info.name, view)).collect()
    }

    fn run(bench: &mut TestBench, view: &usize) -> anyhow::Result<Self::Output> {
        let (gpu, particles) = (bench.gpu().clone(), cloud(BODIES, COUNT, Draw::Quads));
        let (painters, state) = (Painters::new(&gpu), buffer(&gpu, COUNT)?);
        let stage = bench.run(|frame| Fixture::new(frame, SIZE))?;
        let picture = Image::new(&gpu, ImageDesc::new("view", SIZE, Format::Rgba8, &[Use::Storage]))?;
        let tallies = Buffer::new(&gpu, "tallies", 8 * u64::from(SIZE[0] * SIZE[1]), Memory::Device)?;
        let scene = stage.scene(&gpu, BODIES, &state, COUNT);
        bench.run(|frame| {
            frame.upload_buffer(&state, &states(&particles))?;
            painters.view(frame, *view as u32, TILE, &scene, &tallies, &picture.mip(0))
        })?;
        let texels: Vec<[u8; 4]> = bench.read(&picture.mip(0))?;
        let rgb = |texel: &[u8; 4]| Vec3::new(texel[0].into(), texel[1].into(), texel[2].into());
        Ok((scene.look, texels.iter().map(rgb).collect()))
    }

    /// A particle next to a pixel's border may fall to either side: it changes nine pixels. Derived: places of up to 240
    /// pixels in f32 are off by 10 x 240 x 2^-24 = 1.4e-4 pixels, so that 600 particles have 0.3 such ones, and hardly ever
    /// more than three.
    fn verdict(view: &usize, (look, actual): &(LookBlock, Vec<Vec3>)) -> Verdict {
        let metre = ground().motion(COUNT).metre;
        let [w, h] = SIZE.map(|n| n as i32);
        // Their number, the sum of their figures, and the highest tile.
        let mut tallies = vec![(0u32, 0f32, 0u32); actual.len()];
        for (i, p) in (0..).zip(&cloud(BODIES, COUNT, Draw::Quads)) {
            let clip = look.clip_from_world * p.position.extend(1.0);
            let at = (Vec2::splat(0.5) + 0.5 * Vec2::new(clip.x, clip.y) / clip.w) * look.size;
            if clip.w < look.near || at.cmplt(Vec2::ZERO).any() || at.cmpge(look.size).any() {
                continue;
            }
            let figure = match view {
                1 => ((p.life & 0xFFFF) >> 8) as f32 / 255.0,
                _ => (p.velocity.length() / metre).min(8.0) / 4.0,
            };
            for (dx, dy) in (-1..2).flat_map(|dy| (-1..2).map(move |dx| (dx, dy))) {
                let (x, y) = (at.x as i32 + dx, at.y as i32 + dy);
                if (0..w).contains(&x) && (0..h).contains(&y) {
                    let tally = &mut tallies[(y * w + x) as usize];
                    *tally = (tally.0 + 1, tally.1 + figure, tally.2.max(i / TILE));
                }
            }
        }
        let color = |&(count, sum, tile): &(u32, f32, u32)| match view {
            _ if count == 0 => Vec3::ZERO,
            0 => ramp((count as f32).log2() / 8.0),
            3 => hue((tile * 5 % 16) as f32 / 16.0),
            _ => ramp(sum / count as f32),
        };
        let wrong =
            tallies.iter().zip(actual).filter(|(tally, actual)| (color(tally) - **actual).abs().max_element() > 3.0);
        let shown = tallies.iter().filter(|tally| tally.0 > 0).count();
        Verdict::at_most("pixels of another colour", wrong.count() as f64, 27.0).and(Verdict::at_least(
            "pixels with particles",
            shown as f64,
            1000.0,
        ))
    }
}

/// 0..1.
fn ramp(part: f32) -> Vec3 {
    let place = part.clamp(0.0, 1.0) * 4.0;
    let low = (place as usize).min(3);
    let stop = |at: usize| Vec3::from_array(STOPS[at].map(f32::from));
    stop(low).lerp(stop(low + 1), place - low as f32)
}

fn hue(part: f32) -> Vec3 {
    127.5 + 127.5 * Vec3::new(0.0, 0.33, 0.67).map(|shift| (TAU * (part + shift)).cos())
}
