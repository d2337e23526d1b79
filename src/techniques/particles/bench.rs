//! Benchmarks of a step beside its bandwidth floor, of all pairs of bodies beside the device's arithmetic, and of the splats.

use super::{
    blocks::ParticleState,
    check_fixture::{Fixture, ground},
    passes::{Painters, sums_bytes},
    reference::{self, BODIES, MOTES, QUIET},
    settings::Draw,
    system::{BYTES, FLOP_OF_PAIR, Movers},
};
use crate::{
    gpu::{Buffer, ComputePipeline, Frame, Memory},
    gpu_struct,
    lab::{BENCH_CACHES, Bench, BenchOptions, Caches, Row, TestBench},
};
use anyhow::Result;

gpu_struct! {
    struct PeakPush { steps: u32, factor: f32 }
}

const SIZES: [[u32; 2]; 1] = [[2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
/// Multiplications with an addition by each thread of the probe, and its threads.
const PEAK_STEPS: u32 = 4096;
const PEAK_THREADS: u32 = 1 << 20;

pub const PARTICLES: Bench = Bench { name: "particles", formats: Vec::new, rows: |_| 4, run: rows };

fn rows(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> Result<()> {
    let (many, bodies) = if options.quick { (10_000, 1024) } else { (1_000_000, bodies_of(bench)) };
    for (name, kind) in [("motes", MOTES), ("quiet", QUIET)] {
        each(step(bench, options, name, kind, many)?);
    }
    each(pairs(bench, options, bodies)?);
    for size in options.sizes_or(&SIZES, &QUICK).into_iter().take(1) {
        for method in [Draw::Splat, Draw::Discs] {
            each(splats(bench, options, many, (method, size))?);
        }
    }
    Ok(())
}

fn bodies_of(bench: &TestBench) -> u32 {
    bench.gpu().policy().bodies_most
}

fn two(bench: &TestBench, count: u32) -> Result<[Buffer; 2]> {
    let state = |name| Buffer::new(bench.gpu(), name, BYTES * u64::from(count), Memory::Device);
    Ok([state("particles from")?, state("particles to")?])
}

/// The caches hold something else before each run: 32 bytes are read and 32 written for each particle.
fn step(bench: &mut TestBench, options: &BenchOptions, name: &str, kind: u32, count: u32) -> Result<Row> {
    let mut movers = Movers::new(bench.gpu());
    let [from, to] = two(bench, count)?;
    let motion = ground().motion(count);
    let next = motion.after(0.016, 3);
    bench.run(|frame| movers.record(frame, kind, true, &motion, [&to, &from]))?;
    let bytes = BYTES * u64::from(count);
    let probe = bench.traffic_probe(bytes, bytes, options.reps(), BENCH_CACHES)?.median;
    let gpu_us =
        bench.measure(options.reps(), BENCH_CACHES, |frame| movers.record(frame, kind, false, &next, [&from, &to]))?;
    let (first, after): (Vec<ParticleState>, Vec<ParticleState>) = (bench.read_buffer(&from)?, bench.read_buffer(&to)?);
    let (motion_reference, flow) = (next.reference(), reference::flow());
    let wrong = (0..count as usize).filter(|i| {
        let kind = reference::kind_of(kind, *i as u32, &motion_reference);
        let expected = reference::step(kind, first[*i].into(), &motion_reference, &flow);
        (expected.position - after[*i].position).length().is_nan()
            || (expected.position - after[*i].position).length() > 1e-3
    });
    Ok(Row {
        case: format!("step of {count}"),
        variant: name.into(),
        gpu_us,
        bytes: 2 * bytes,
        probe_us: Some(probe),
        error_steps: None,
        checked: wrong.count() <= count as usize / 1000,
    })
}

/// As many flop as the pairs have, by a kernel that only multiplies and adds; microseconds.
fn peak_us(bench: &mut TestBench, options: &BenchOptions, flop: f64) -> Result<f64> {
    let pipeline = ComputePipeline::new(bench.gpu(), "particles/peak.comp", &[])?.with_push::<PeakPush>()?;
    let sink = Buffer::new(bench.gpu(), "peak", 16, Memory::Device)?;
    let threads = if options.quick || bench.gpu().policy().is_slow { 1 << 12 } else { PEAK_THREADS };
    let push = PeakPush { steps: PEAK_STEPS, factor: 0.5 };
    let spread = bench.measure(options.reps(), Caches::Warm, |frame: &mut Frame| {
        let pass = frame.compute("particles/peak", &pipeline).bind("Sink", &sink).push(&push);
        pass.dispatch_groups([threads / 256, 1, 1])
    })?;
    let done = f64::from(threads) * f64::from(PEAK_STEPS) * 16.0;
    Ok(spread.median * flop / done)
}

fn pairs(bench: &mut TestBench, options: &BenchOptions, count: u32) -> Result<Row> {
    let mut movers = Movers::new(bench.gpu());
    let [from, to] = two(bench, count)?;
    let motion = ground().motion(count).after(0.004, 1);
    let bodies = reference::discs(count, ground().middle(), motion.metre);
    let states: Vec<ParticleState> = bodies.iter().copied().map(ParticleState::from).collect();
    bench.run(|frame| frame.upload_buffer(&from, &states))?;
    let flop = FLOP_OF_PAIR as f64 * f64::from(count) * f64::from(count);
    let probe = peak_us(bench, options, flop)?;
    let gpu_us = bench
        .measure(options.reps(), Caches::Warm, |frame| movers.record(frame, BODIES, false, &motion, [&from, &to]))?;
    // Mutual attraction does not move the whole.
    let after: Vec<ParticleState> = bench.read_buffer(&to)?;
    let gained = |(a, b): (&ParticleState, &ParticleState)| {
        (b.velocity - a.velocity).as_dvec3() * f64::from(f32::from_bits(a.seed))
    };
    let pulls: Vec<_> = states.iter().zip(&after).map(gained).collect();
    let momentum = pulls.iter().sum::<glam::DVec3>().length() / pulls.iter().map(|pull| pull.length()).sum::<f64>();
    Ok(Row {
        case: format!("{count} bodies, all pairs"),
        variant: format!(
            "{:.2} Tflop/s, {:.0} % of the probe's",
            flop / gpu_us.median / 1e6,
            100.0 * probe / gpu_us.median
        ),
        gpu_us,
        bytes: 2 * BYTES * u64::from(count),
        probe_us: Some(probe),
        error_steps: None,
        // Velocities are rounded before they are compared: a step is short.
        checked: momentum <= 1e-4,
    })
}

/// The clearing of the sums included.
fn splats(bench: &mut TestBench, options: &BenchOptions, count: u32, (method, size): (Draw, [u32; 2])) -> Result<Row> {
    let gpu = bench.gpu().clone();
    let (mut movers, painters) = (Movers::new(&gpu), Painters::new(&gpu));
    let [state, other] = two(bench, count)?;
    let motion = ground().motion(count);
    bench.run(|frame| movers.record(frame, MOTES, true, &motion, [&other, &state]))?;
    let stage = bench.run(|frame| Fixture::new(frame, size))?;
    let [width, height] = size.map(u64::from);
    let sums = Buffer::new(&gpu, "particle sums", sums_bytes(size), Memory::Device)?;
    let scene = stage.scene(&gpu, MOTES, &state, count);
    let bytes = [BYTES * u64::from(count), 16 * width * height];
    let probe = bench.traffic_probe(bytes[0], bytes[1], options.reps(), BENCH_CACHES)?.median;
    let gpu_us = bench.measure(options.reps(), BENCH_CACHES, |frame| painters.splat(frame, method, &scene, &sums))?;
    let first_sums: Vec<u32> = bench.read_buffer(&sums)?;
    bench.run(|frame| painters.splat(frame, method, &scene, &sums))?;
    let second: Vec<u32> = bench.read_buffer(&sums)?;
    Ok(Row {
        case: format!("{}x{} splat of {count}", size[0], size[1]),
        variant: if method == Draw::Discs { "motes, discs" } else { "motes" }.into(),
        gpu_us,
        bytes: bytes[0] + bytes[1],
        probe_us: Some(probe),
        error_steps: None,
        checked: first_sums == second && first_sums.iter().any(|sum| *sum > 0),
    })
}
