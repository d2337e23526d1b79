//! Benchmarks of a step beside its bandwidth floor, of all pairs of bodies beside the device's arithmetic, and of the splats.

use super::{
    check_fixture::{Fixture, ground},
    reference::{self, BODIES, MOTES, QUIET},
};
use crate::{
    blocks::ParticleState,
    passes::{
        draw::{Painters, sums_bytes},
        step::{BYTES, FLOP_OF_PAIR, Movers},
    },
    settings::Draw,
};
use anyhow::Result;
use gpu::{Buffer, ComputePipeline, Frame, Memory, gpu_struct};
use lab::{Bench, BenchRun, Caches, Row, TestBench};

gpu_struct! {
    struct PeakPush { steps: u32, factor: f32 }
}

const QUICK: [[u32; 2]; 1] = [[320, 180]];
/// Multiplications with an addition by each thread of the probe, and its threads.
const PEAK_STEPS: u32 = 4096;
const PEAK_THREADS: u32 = 1 << 20;

pub const PARTICLES: Bench = Bench::new("particles", &[], measure);

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    let (many, bodies) =
        if run.options.quick { (10_000, 1024) } else { (1_000_000, run.bench.gpu().policy().bodies_most) };
    for (name, kind) in [("motes", MOTES), ("quiet", QUIET)] {
        step(run, name, kind, many)?;
    }
    pairs(run, bodies)?;
    for size in run.options.sizes_or(&[[2560, 1440]], &QUICK).into_iter().take(1) {
        for method in [Draw::Splat, Draw::Discs] {
            splats(run, many, method, size)?;
        }
    }
    Ok(())
}

fn two(bench: &TestBench, count: u32) -> Result<[Buffer; 2]> {
    let state = |name| Buffer::new(bench.gpu(), name, BYTES * u64::from(count), Memory::Device);
    Ok([state("particles from")?, state("particles to")?])
}

/// The caches hold something else before each run: 32 bytes are read and 32 written for each particle.
fn step(run: &mut BenchRun<'_>, name: &str, kind: u32, count: u32) -> Result<()> {
    let mut movers = Movers::new(run.bench.gpu());
    let [from, to] = two(run.bench, count)?;
    let motion = ground().motion(count);
    let next = motion.after(0.016, 3);
    run.bench.run(|frame| movers.record(frame, kind, true, &motion, [&to, &from]))?;
    let bytes = BYTES * u64::from(count);
    let row = run.timed(format!("step of {count}"), name, [bytes; 2], &mut |frame| {
        movers.record(frame, kind, false, &next, [&from, &to])
    })?;
    let first: Vec<ParticleState> = run.bench.read_buffer(&from)?;
    let after: Vec<ParticleState> = run.bench.read_buffer(&to)?;
    let (motion_reference, flow) = (next.reference(), reference::flow());
    let wrong = (0..count as usize).filter(|i| {
        let kind = reference::kind_of(kind, *i as u32, &motion_reference);
        let expected = reference::step(kind, first[*i].into(), &motion_reference, &flow);
        (expected.position - after[*i].position).length().is_nan()
            || (expected.position - after[*i].position).length() > 1e-3
    });
    run.row(row.checked(wrong.count() <= count as usize / 1000));
    Ok(())
}

/// As many flop as the pairs have, by a kernel that only multiplies and adds; microseconds.
fn peak_us(run: &mut BenchRun<'_>, flop: f64) -> Result<f64> {
    let bench = &mut *run.bench;
    let pipeline = ComputePipeline::new(bench.gpu(), "particles/peak.comp", &[])?.with_push::<PeakPush>()?;
    let sink = Buffer::new(bench.gpu(), "peak", 16, Memory::Device)?;
    let threads = if run.options.quick || bench.gpu().policy().is_slow { 1 << 12 } else { PEAK_THREADS };
    let push = PeakPush { steps: PEAK_STEPS, factor: 0.5 };
    let spread = bench.measure(run.options.reps(), Caches::Warm, |frame: &mut Frame| {
        let pass = frame.compute("particles/peak", &pipeline).bind("Sink", &sink).push(&push);
        pass.dispatch_groups([threads / 256, 1, 1])
    })?;
    let done = f64::from(threads) * f64::from(PEAK_STEPS) * 16.0;
    Ok(spread.median * flop / done)
}

fn pairs(run: &mut BenchRun<'_>, count: u32) -> Result<()> {
    let mut movers = Movers::new(run.bench.gpu());
    let [from, to] = two(run.bench, count)?;
    let motion = ground().motion(count).after(0.004, 1);
    let bodies = reference::discs(count, ground().middle(), motion.metre);
    let states: Vec<ParticleState> = bodies.iter().copied().map(ParticleState::from).collect();
    run.bench.run(|frame| frame.upload_buffer(&from, &states))?;
    let flop = FLOP_OF_PAIR as f64 * f64::from(count) * f64::from(count);
    let probe = peak_us(run, flop)?;
    let record = |frame: &mut Frame| movers.record(frame, BODIES, false, &motion, [&from, &to]);
    let gpu_us = run.bench.measure(run.options.reps(), Caches::Warm, record)?;
    // Mutual attraction does not move the whole.
    let after: Vec<ParticleState> = run.bench.read_buffer(&to)?;
    let gained = |(a, b): (&ParticleState, &ParticleState)| {
        (b.velocity - a.velocity).as_dvec3() * f64::from(f32::from_bits(a.seed))
    };
    let pulls: Vec<_> = states.iter().zip(&after).map(gained).collect();
    let momentum = pulls.iter().sum::<glam::DVec3>().length() / pulls.iter().map(|pull| pull.length()).sum::<f64>();
    let (rate, part) = (flop / gpu_us.median / 1e6, 100.0 * probe / gpu_us.median);
    let variant = format!("{rate:.2} Tflop/s, {part:.0} % of the probe's");
    let row = Row::new(format!("{count} bodies, all pairs"), variant, gpu_us, 2 * BYTES * u64::from(count));
    // Velocities are rounded before they are compared: a step is short.
    run.row(row.beside(probe).checked(momentum <= 1e-4));
    Ok(())
}

/// The clearing of the sums included.
fn splats(run: &mut BenchRun<'_>, count: u32, method: Draw, size: [u32; 2]) -> Result<()> {
    let gpu = run.bench.gpu().clone();
    let (mut movers, painters) = (Movers::new(&gpu), Painters::new(&gpu));
    let [state, other] = two(run.bench, count)?;
    let motion = ground().motion(count);
    run.bench.run(|frame| movers.record(frame, MOTES, true, &motion, [&other, &state]))?;
    let stage = run.bench.run(|frame| Fixture::new(frame, size))?;
    let [width, height] = size.map(u64::from);
    let sums = Buffer::new(&gpu, "particle sums", sums_bytes(size), Memory::Device)?;
    let scene = stage.scene(&gpu, MOTES, &state, count);
    let bytes = [BYTES * u64::from(count), 16 * width * height];
    let case = format!("{}x{} splat of {count}", size[0], size[1]);
    let variant = if method == Draw::Discs { "motes, discs" } else { "motes" };
    let row = run.timed(case, variant, bytes, &mut |frame| painters.splat(frame, method, &scene, &sums))?;
    let first_sums: Vec<u32> = run.bench.read_buffer(&sums)?;
    run.bench.run(|frame| painters.splat(frame, method, &scene, &sums))?;
    let second: Vec<u32> = run.bench.read_buffer(&sums)?;
    let is_right = first_sums == second && first_sums.iter().any(|sum| *sum > 0);
    run.row(row.checked(is_right));
    Ok(())
}
