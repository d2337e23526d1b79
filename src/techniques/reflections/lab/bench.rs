//! Benchmarks of the stencil alone: the read-only test by storage, and each way of finding the work.

use super::reference::stencil::{self, first_value};
use crate::{
    ReflectionsSettings, Storage, Work,
    passes::mask::{Bounces, SizeResources},
    pipelines::Pipelines,
    uniforms::{PlanBlock, SizeBuffers, groups_of},
};
use anyhow::Result;
use lab::{Bench, BenchRun, Row, TestBench};

const LIVE: [u32; 2] = [0, 10];
const DEPTH: u32 = 6;

pub const STENCIL: Bench = Bench::new("stencil", &[[2560, 1440]], measure);

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    let (pipelines, options) = (Pipelines::new(run.bench.gpu()), run.options);
    for every in LIVE {
        let words = if every == 0 { "none" } else { "some" };
        let takes = |storage: &&Storage| options.takes(0, words) && options.takes(1, storage.name());
        for storage in Storage::ALL.iter().filter(takes) {
            test(run, &pipelines, *storage, every)?;
        }
    }
    for work in Work::by_mask().filter(|work| options.takes(0, work.name())) {
        ways(run, &pipelines, work, Storage::Bits)?;
    }
    for storage in [Storage::Bytes, Storage::U32] {
        if options.takes(0, Work::Words.name()) && options.takes(1, storage.name()) {
            ways(run, &pipelines, Work::Words, storage)?;
        }
    }
    Ok(())
}

fn held(bench: &mut TestBench, settings: &ReflectionsSettings, size: [u32; 2]) -> Result<SizeResources> {
    let plan = PlanBlock::new(settings, bench.gpu().policy(), size, size);
    Ok(SizeResources { plan, room: SizeBuffers::fitting(bench.gpu(), None, &plan)? })
}

fn test(run: &mut BenchRun<'_>, pipelines: &Pipelines, storage: Storage, every: u32) -> Result<()> {
    let settings = ReflectionsSettings { storage, ..Default::default() };
    let held = held(run.bench, &settings, run.size)?;
    let items = held.plan.words * 32;
    let is_live = |item: u32| every > 0 && first_value(item).is_multiple_of(every);
    let word = |word: u32| match storage {
        Storage::Bits => (0..32).fold(0, |bits, bit| bits | u32::from(is_live(32 * word + bit)) << bit),
        Storage::Bytes => (0..4).fold(0, |bytes, byte| bytes | u32::from(is_live(4 * word + byte)) << (8 * byte)),
        Storage::U32 => u32::from(is_live(word)),
    };
    let words = held.plan.words * storage.stride();
    let mask: Vec<u32> = (0..words).map(word).collect();
    let zeros = vec![0u32; items as usize];
    run.bench.run(|frame| {
        frame.upload_buffer(&held.room.work, &mask)?;
        frame.upload_buffer(&held.room.state, &zeros)
    })?;
    let pipeline = pipelines.plain("read")?;
    let mut record = |frame: &mut gpu::Frame| {
        let plan = frame.data("plan", &[held.plan])?;
        let pass = frame.compute("reflections/read", &pipeline).bind("plan", plan);
        pass.bind("Work", &held.room.work).bind("State", &held.room.state).dispatch_groups(groups_of(held.plan.words))
    };
    let bytes = 4 * u64::from(words) + 8 * u64::from(items.checked_div(every).unwrap_or(0));
    let probe = run.copy_us(bytes, 0)?;
    let gpu_us = run.measure(&mut record)?;
    run.bench.run(|frame| frame.upload_buffer(&held.room.state, &zeros))?;
    run.bench.run(record)?;
    let state: Vec<u32> = run.bench.read_buffer(&held.room.state)?;
    let is_right = (0..items).zip(&state).all(|(item, times)| *times == u32::from(is_live(item)));
    let live = if every > 0 { format!("1 of {every} live") } else { "none live".into() };
    let variant = format!("{}, {:.1} G calls/s", storage.name(), f64::from(items) / gpu_us.median / 1e3);
    let row = Row::new(run.case(&format!("test, {live}")), variant, gpu_us, bytes);
    run.row(row.beside(probe).checked(is_right));
    Ok(())
}

fn ways(run: &mut BenchRun<'_>, pipelines: &Pipelines, work: Work, storage: Storage) -> Result<()> {
    let settings = ReflectionsSettings { depth: DEPTH, work, storage, ..Default::default() };
    let size = run.size;
    let held = held(run.bench, &settings, size)?;
    let items = held.plan.words * 32;
    let first: Vec<u32> = (0..items).map(first_value).collect();
    let pipeline = pipelines.by_words("stencil")?;
    let mut record = |frame: &mut gpu::Frame| {
        let plan = frame.data("plan", &[held.plan])?;
        held.mark(frame, pipelines, "stencil_mark", &plan, &[])?;
        held.bounce(frame, &pipeline, Bounces::Together, &plan, &[])
    };
    run.bench.run(|frame| frame.upload_buffer(&held.room.state, &first))?;
    let gpu_us = run.measure(&mut record)?;
    run.bench.run(|frame| {
        frame.upload_buffer(&held.room.state, &first)?;
        record(frame)
    })?;
    let mut state: Vec<u32> = run.bench.read_buffer(&held.room.state)?;
    state.truncate(items as usize);
    let inside = |item: u32| {
        let (word, bit) = (item / 32, item % 32);
        word % held.plan.blocks_across * 8 + bit % 8 < size[0] && word / held.plan.blocks_across * 4 + bit / 8 < size[1]
    };
    let is_right = state == stencil::run(items, inside, DEPTH, DEPTH).0;
    let name =
        if storage == Storage::Bits { work.name().into() } else { format!("{}, {}", work.name(), storage.name()) };
    let bytes = 4 * u64::from(items) + 4 * u64::from(items / 2);
    let row = Row::new(run.case(&format!("{DEPTH} bounces")), name, gpu_us, bytes);
    run.row(row.checked(is_right));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::BenchOptions;

    #[test]
    fn every_row_is_right() {
        let mut bench = TestBench::validated();
        let options = BenchOptions { sizes: vec![[61, 47]], formats: vec![], reps: Some(1), quick: true, only: &[] };
        let mut found = vec![];
        STENCIL.run(&mut bench, &options, &mut |row| found.push(row)).unwrap();
        let wrong: Vec<_> = found.iter().filter(|row| !row.checked).map(|row| (&row.case, &row.variant)).collect();
        assert_eq!((wrong, found.len()), (vec![], Storage::ALL.len() * LIVE.len() + Work::by_mask().count() + 2));
    }
}
