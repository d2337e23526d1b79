//! Checks of the simulation: a step against the CPU reference, bodies against double precision and conservation of momentum, splats in
//! any order, and every use of the queues against each other.

use super::{
    blocks::{Ground, LookBlock, MotionBlock, ParticleState},
    look_checks::{Drawn, Views},
    passes::{Painters, Scene},
    reference::{self, BODIES, FIREFLIES, MOTES, Particle, QUIET, SPRAY},
    settings::{Draw, Kind, ParticlesSettings},
    system::Movers,
};
use crate::{
    base::difference::Errors,
    gpu::{Buffer, Format, Frame, Gpu, Image, ImageDesc, Memory, Result, Use},
    lab::{Case, Check, Effort, Property, Reference, TestBench, Verdict},
    scene::world::{Camera, GpuScene, Shadow, World},
    techniques::{Daylight, Technique, WorldFrame},
};
use glam::{DVec3, Mat4, Vec2, Vec3};
use std::sync::Arc;

/// All checks.
pub fn all() -> Vec<Check> {
    vec![
        Check::of::<Steps>(),
        Check::of::<Bodies>(),
        Check::of::<Splats>().draws(),
        Check::of::<Queues>().draws(),
        Check::of::<Drawn>().draws(),
        Check::of::<Views>(),
    ]
}

/// Domain of the checks' particles: a fountain before the camera.
pub fn ground() -> Ground {
    let focus = [Vec3::new(-10.0, -0.6, -17.0), Vec3::new(9.0, 7.5, 8.5)];
    Ground { focus, fountain: Some((Vec3::new(-0.3, 0.3, -3.4), 1.1)) }
}

pub(super) fn states(particles: &[Particle]) -> Vec<ParticleState> {
    particles.iter().copied().map(ParticleState::from).collect()
}

pub(super) fn buffer(gpu: &Arc<Gpu>, count: u32) -> Result<Buffer> {
    Buffer::new(gpu, "particles", super::system::BYTES * u64::from(count), Memory::Device)
}

/// Result of a step on `first`.
fn stepped(
    bench: &mut TestBench,
    movers: &mut Movers,
    kind: u32,
    first: &[Particle],
    motion: &MotionBlock,
) -> Result<Vec<Particle>> {
    let (from, to) = (buffer(bench.gpu(), motion.count)?, buffer(bench.gpu(), motion.count)?);
    bench.run(|frame| {
        frame.upload_buffer(&from, &states(first))?;
        // A number in every place that the step must fill.
        frame.fill("fill", &to, 0x7FC0_0001)?;
        movers.record(frame, kind, false, motion, [&from, &to])
    })?;
    Ok(bench.read_buffer::<ParticleState>(&to)?.into_iter().map(Particle::from).collect())
}

/// First states and steps of what follows no other.
struct Steps;

/// Kind, how many, and whether the first state is compared, or a step.
type StepCase = (u32, u32, bool);

const DT: f32 = 0.021;

impl Reference for Steps {
    const NAME: &'static str = "step";
    type Input = StepCase;
    type Output = Vec<Particle>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<StepCase>> {
        let counts: &[u32] = if effort == Effort::Full { &[1, 255, 256, 257, 1_000_003] } else { &[1, 255, 257, 4099] };
        let kinds = [("motes", MOTES), ("spray", SPRAY), ("fireflies", FIREFLIES), ("quiet", QUIET)];
        let all = kinds.iter().flat_map(|kind| counts.iter().map(move |count| (kind, *count)));
        all.flat_map(|((name, kind), count)| {
            [true, false].map(|begins| {
                let what = if begins { "first state" } else { "step" };
                Case { name: format!("{count} {name}, {what}"), input: (*kind, count, begins) }
            })
        })
        .collect()
    }

    fn cpu((kind, count, begins): &StepCase) -> Vec<Particle> {
        let motion = ground().motion(*count);
        let first = reference::begin(*kind, *count, &motion.twin());
        if *begins {
            return first;
        }
        let (motion, flow) = (motion.after(DT, 5).twin(), reference::flow());
        let one = |(i, p): (usize, Particle)| {
            reference::step(reference::kind_of(*kind, i as u32, &motion), p, &motion, &flow)
        };
        first.into_iter().enumerate().map(one).collect()
    }

    fn gpu(bench: &mut TestBench, (kind, count, begins): &StepCase) -> anyhow::Result<Vec<Particle>> {
        let mut movers = Movers::new(bench.gpu());
        let motion = ground().motion(*count);
        if !begins {
            let first = reference::begin(*kind, *count, &motion.twin());
            return Ok(stepped(bench, &mut movers, *kind, &first, &motion.after(DT, 5))?);
        }
        let [from, to] = [buffer(bench.gpu(), *count)?, buffer(bench.gpu(), *count)?];
        bench.run(|frame| movers.record(frame, *kind, true, &motion, [&from, &to]))?;
        Ok(bench.read_buffer::<ParticleState>(&to)?.into_iter().map(Particle::from).collect())
    }

    fn agree(_: &StepCase, cpu: &Vec<Particle>, gpu: &Vec<Particle>) -> Verdict {
        if cpu.len() != gpu.len() {
            return Verdict::at_most("particles missing", 1.0, 0.0);
        }
        let pairs = || cpu.iter().zip(gpu);
        let far = |a: Vec3, b: Vec3| f64::from((a - b).length());
        // One that ends by a hair here and not there, or is by a hair in another cell, is another particle.
        let others =
            pairs().filter(|(a, b)| a.seed != b.seed || a.life != b.life || far(a.velocity, b.velocity) > 1e-3);
        let others = others.count() as f64 / cpu.len() as f64;
        let alike = || pairs().filter(|(a, b)| a.seed == b.seed && far(a.velocity, b.velocity) <= 1e-3);
        let positions = Errors::of(alike().map(|(a, b)| far(a.position, b.position)));
        let velocities = Errors::of(alike().map(|(a, b)| far(a.velocity, b.velocity)));
        Verdict::at_most("others", others, 1e-3)
            .and(Verdict::within("metres", &positions, [2e-6, 1e-5, 5e-5]))
            .and(Verdict::within("metres per second", &velocities, [2e-6, 1e-5, 1e-3]))
    }
}

/// All pairs: against double precision, and what pulls together pulls itself nowhere.
struct Bodies;

impl Reference for Bodies {
    const NAME: &'static str = "bodies";
    type Input = u32;
    type Output = Vec<DVec3>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<u32>> {
        let counts: &[u32] =
            if effort == Effort::Full { &[1, 255, 256, 257, 1000, 4096] } else { &[1, 255, 257, 1000] };
        counts.iter().map(|count| Case { name: format!("{count} bodies"), input: *count }).collect()
    }

    /// Velocity gained in a step.
    fn cpu(count: &u32) -> Vec<DVec3> {
        let motion = ground().motion(*count);
        let bodies = reference::discs(*count, Vec3::ZERO, motion.metre);
        reference::pulls(&bodies, motion.softening)
    }

    fn gpu(bench: &mut TestBench, count: &u32) -> anyhow::Result<Vec<DVec3>> {
        let motion = MotionBlock { dt: 1.0, ..ground().motion(*count) };
        // At rest: the velocity after a step of one second is the acceleration.
        let at_rest = |body| Particle { velocity: Vec3::ZERO, ..body };
        let bodies: Vec<_> = reference::discs(*count, Vec3::ZERO, motion.metre).into_iter().map(at_rest).collect();
        let mut movers = Movers::new(bench.gpu());
        let after = stepped(bench, &mut movers, BODIES, &bodies, &motion)?;
        let whole = |(a, b): (&Particle, &Particle)| {
            a.seed == b.seed && a.life == b.life && (a.position + b.velocity - b.position).length() < 1e-5
        };
        anyhow::ensure!(bodies.iter().zip(&after).all(whole), "mass, life or place is not kept");
        Ok(after.iter().map(|body| body.velocity.as_dvec3()).collect())
    }

    fn agree(count: &u32, cpu: &Vec<DVec3>, gpu: &Vec<DVec3>) -> Verdict {
        let metre = ground().motion(1).metre;
        let mass: Vec<f64> = reference::discs(*count, Vec3::ZERO, metre)
            .iter()
            .map(|body| f64::from(f32::from_bits(body.seed)))
            .collect();
        let typical = cpu.iter().map(|a| a.length()).sum::<f64>() / cpu.len() as f64;
        let errors = Errors::of(cpu.iter().zip(gpu).map(|(a, b)| (*a - *b).length() / typical.max(1e-9)));
        let weighed = || gpu.iter().zip(&mass).map(|(a, m)| *a * *m);
        let all = weighed().map(|pull| pull.length()).sum::<f64>();
        let momentum = weighed().sum::<DVec3>().length() / all.max(1e-12);
        Verdict::within("of the mean pull", &errors, [1e-6, 5e-6, 5e-5])
            .and(Verdict::at_most("momentum", momentum, 1e-5))
    }
}

/// An empty world in a low sun, for particles alone.
pub struct Stage {
    pub world: WorldFrame,
    pub daylight: Daylight,
}

impl Stage {
    /// For a picture of `size`.
    pub fn new(frame: &mut Frame, size: [u32; 2]) -> Result<Self> {
        let gpu = frame.gpu().clone();
        let image = |name: &str, size, format, value| -> Result<_> {
            let desc = ImageDesc::new(name, size, format, &[Use::Sample, Use::Color, Use::Storage]);
            Ok((Image::new(&gpu, desc)?.mip(0), [value; 4]))
        };
        let images = [
            image("ids", size, Format::R32U, 0.0)?,
            image("depth", size, Format::R32F, 0.1 / 9.0)?,
            image("light", size, Format::Rgba16F, 0.25)?,
            image("shadow", [32, 32], Format::R32F, 0.5)?,
        ];
        for (view, value) in &images {
            frame.clear("setup/clear", view, *value)?;
        }
        let [ids, depth, light, shadow] = images.map(|(view, _)| view);
        let eye = Vec3::new(1.5, 2.2, 5.2);
        let camera = Camera {
            eye,
            target: Vec3::new(0.0, 1.2, -2.0),
            angle: 0.7,
            near: 0.1,
            roll: 0.0,
            shift: Vec2::ZERO,
            center: Vec2::ZERO,
        };
        // Half of the lit particles are behind the map's one depth.
        let clip_from_world = Mat4::from_scale(Vec3::new(0.08, 0.08, 0.04)) * Mat4::from_translation(Vec3::Z * 14.0);
        let world = WorldFrame {
            resident: GpuScene::new(frame, Arc::new(World::default()))?,
            camera,
            sun: Vec3::new(-0.8, 0.4, 0.4).normalize(),
            shadow: Shadow { depth: shadow, clip_from_world },
            ids,
            depth,
            list: None,
            resolved: light.clone(),
            light,
        };
        let daylight =
            Daylight { sun: Vec3::new(14.0, 11.0, 8.0), sky: Vec3::new(0.2, 0.3, 0.5), white: 4.0, shadow_bias: 1e-3 };
        Ok(Self { world, daylight })
    }

    /// Scene with `state`.
    pub fn scene<'a>(&'a self, gpu: &Gpu, kind: u32, state: &'a Buffer, count: u32) -> Scene<'a> {
        let look = LookBlock::new(&self.world, &self.daylight, gpu.info(), false);
        Scene { kind, state, motion: ground().motion(count), look, world: &self.world }
    }
}

/// Sums of splats are the same in any order, bit for bit, and no light is lost between pixels.
struct Splats;

/// Sums: in the order given, and from the last to the first.
struct Sums {
    sums: [Vec<u32>; 2],
    /// Light of all sprites of the same particles, drawn as quads into half floats.
    quads: f64,
}

const SIZE: [u32; 2] = [133, 71];

impl Reference for Splats {
    const NAME: &'static str = "splat";
    type Input = (u32, u32);
    type Output = Option<Sums>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<(u32, u32)>> {
        let counts: &[u32] = if effort == Effort::Full { &[1, 255, 257, 1_000_003] } else { &[1, 255, 257, 20_011] };
        let kinds = [("motes", MOTES), ("fireflies", FIREFLIES)];
        let all = kinds.into_iter().flat_map(|kind| counts.iter().map(move |count| (kind, *count)));
        all.map(|((name, kind), count)| Case { name: format!("{count} {name}"), input: (kind, count) }).collect()
    }

    fn cpu(_: &(u32, u32)) -> Option<Sums> {
        None
    }

    fn gpu(bench: &mut TestBench, (kind, count): &(u32, u32)) -> anyhow::Result<Option<Sums>> {
        let gpu = bench.gpu().clone();
        let painters = Painters::new(&gpu);
        let motion = ground().motion(*count);
        let particles = reference::begin(*kind, *count, &motion.twin());
        let backwards: Vec<_> = particles.iter().rev().copied().collect();
        let stage = bench.run(|frame| Stage::new(frame, SIZE))?;
        let state = buffer(&gpu, *count)?;
        let sums = Buffer::new(&gpu, "sums", 16 * u64::from(SIZE[0] * SIZE[1]), Memory::Device)?;
        let mut found = Vec::new();
        for order in [&particles, &backwards] {
            bench.run(|frame| {
                frame.upload_buffer(&state, &states(order))?;
                painters.splat(frame, &stage.scene(&gpu, *kind, &state, *count), &sums)
            })?;
            found.push(bench.read_buffer::<u32>(&sums)?);
        }
        let mut layer = super::passes::Layer::fitting(&gpu, None, SIZE, SIZE)?;
        let scene = stage.scene(&gpu, *kind, &state, *count);
        bench.run(|frame| painters.draw(frame, Draw::Quads, &scene, &mut layer))?;
        let texels: Vec<u16> = bench.read(&layer.image.mip(0))?;
        let quads = texels.chunks_exact(4).map(|t| crate::base::half::to_f64(t[1])).sum();
        let [there, back] = [found.remove(0), found.remove(0)];
        Ok(Some(Sums { sums: [there, back], quads }))
    }

    fn agree((_, count): &(u32, u32), _: &Option<Sums>, gpu: &Option<Sums>) -> Verdict {
        let Some(Sums { sums: [there, back], quads }) = gpu else { return Verdict::at_most("nothing", 1.0, 0.0) };
        let differing = there.iter().zip(back).filter(|(a, b)| a != b).count();
        let green: f64 = there.chunks_exact(4).map(|sum| f64::from(sum[1]) / 4096.0).sum();
        let verdict = Verdict::at_most("sums that differ", differing as f64, 0.0);
        // One or a few may be outside; of many, splats and sprites send the same light, but for whole numbers and pixels' middles.
        let unlike = if *count > 1000 { (green / quads.max(1e-9) - 1.0).abs() } else { 0.0 };
        verdict.and(Verdict::at_most("part of the sprites' light", unlike, 0.15))
    }
}

/// Some frames of everything, by every way to use the queues: the same particles, bit for bit, and the same light.
struct Queues;

impl Property for Queues {
    const NAME: &'static str = "queues";
    type Input = Kind;
    type Output = Vec<(String, Vec<u32>, f64)>;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Kind>> {
        [Kind::Quiet, Kind::Nbody]
            .map(|kind| Case { name: format!("{} on both queues", kind.name()), input: kind })
            .into()
    }

    fn run(bench: &mut TestBench, kind: &Kind) -> anyhow::Result<Self::Output> {
        let gpu = bench.gpu().clone();
        let mut found = Vec::new();
        for draw in Draw::ALL {
            for (exclusive, async_compute) in [(false, false), (false, true), (true, false), (true, true)] {
                let settings = ParticlesSettings {
                    kind: *kind,
                    count: 1000,
                    draw: *draw,
                    exclusive,
                    async_compute,
                    // Bright enough for a thousand to be seen in the sum of all light.
                    brightness: 4.0,
                    ..Default::default()
                };
                let mut particles = super::Particles::new(&gpu)?;
                let stage = bench.run(|frame| Stage::new(frame, SIZE))?;
                let mut light = None;
                for _ in 0..5 {
                    light = bench.run(|frame| {
                        particles.step(frame, &settings, Some(ground()), 0.03, false)?;
                        particles.draw(frame, &settings, &stage.world, &stage.daylight)
                    })?;
                }
                let system = particles.system.as_ref().ok_or_else(|| anyhow::anyhow!("no particles"))?;
                let state = bench.read_buffer::<u32>(system.newest())?;
                let light = light.ok_or_else(|| anyhow::anyhow!("no light"))?;
                let texels: Vec<u16> = bench.read(&light)?;
                let sum: f64 = texels.iter().map(|half| crate::base::half::to_f64(*half)).sum();
                let name = format!("{} exclusive {exclusive} async {async_compute}", draw.name());
                found.push((name, state, sum));
            }
        }
        Ok(found)
    }

    fn verdict(_: &Kind, gpu: &Self::Output) -> Verdict {
        let Some((_, first, _)) = gpu.first() else { return Verdict::at_most("nothing", 1.0, 0.0) };
        let others = gpu.iter().filter(|(_, state, _)| state != first).count();
        let lit = gpu.chunks(4).all(|ways| {
            let near = |(_, _, sum): &(String, Vec<u32>, f64)| (sum / ways[0].2 - 1.0).abs() < 1e-3;
            let bare = 0.25 * 4.0 * f64::from(SIZE[0] * SIZE[1]);
            ways.iter().all(near) && ways[0].2 > bare * 1.0001
        });
        let dark = if lit { 0.0 } else { 1.0 };
        Verdict::at_most("ways with other particles", others as f64, 0.0).and(Verdict::at_most(
            "other light",
            dark,
            0.0,
        ))
    }
}
