//! Checks of the scans: every one over every awkward length, bit for bit.

use super::scan_reference::segmented;
use crate::{
    passes::scan::{Array, Scan, bytes_for},
    technique::SummedArea,
};
use gpu::{Buffer, Frame, Gpu, Memory, Result};
use lab::{Case, Effort, Reference, TestBench, Verdict, words_apart};
use std::sync::{Arc, Mutex, PoisonError};
use technique::Technique;

pub(super) fn noise(count: usize, seed: u32) -> Vec<u32> {
    let next = |at: usize| {
        let mut x = (at as u32).wrapping_add(seed.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B9);
        x ^= x >> 15;
        x = x.wrapping_mul(0x2C1B_3C6D);
        x ^ x >> 13
    };
    (0..count).map(next).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Flags {
    None,
    First,
    Last,
    All,
    Some(u32),
}

impl Flags {
    pub fn of(self, count: usize) -> Vec<u32> {
        let flag = |at: usize| match self {
            Self::None => false,
            Self::First => at == 0,
            Self::Last => at + 1 == count,
            Self::All => true,
            Self::Some(mean) => noise(1, at as u32 ^ 0x5EED)[0].is_multiple_of(mean),
        };
        (0..count).map(|at| u32::from(flag(at))).collect()
    }
}

pub struct Scans;

pub struct ScanCase {
    scan: Scan,
    count: u32,
    flags: Flags,
    padded: bool,
}

pub(super) fn shared_technique(bench: &mut TestBench) -> anyhow::Result<Arc<Mutex<SummedArea>>> {
    Ok(bench.kept(|gpu| SummedArea::new(gpu).map(Mutex::new))?)
}

pub(super) fn run_shared<R>(
    bench: &mut TestBench,
    technique: &Mutex<SummedArea>,
    record: impl FnOnce(&mut Frame, &mut SummedArea) -> Result<R>,
) -> anyhow::Result<R> {
    let mut technique = technique.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(bench.run(|frame| record(frame, &mut technique))?)
}

/// The words beyond its end are not zero.
pub(super) fn upload(bench: &mut TestBench, values: &[u32]) -> anyhow::Result<Buffer> {
    let buffer = Buffer::new(bench.gpu(), "array", bytes_for(values.len() as u32), Memory::Device)?;
    bench.run(|frame| {
        frame.fill("setup/beyond", &buffer, 0xABAD_1DEA)?;
        frame.upload_buffer(&buffer, values)
    })?;
    Ok(buffer)
}

impl Reference for Scans {
    const NAME: &'static str = "scans";
    type Input = ScanCase;
    type Output = Vec<u32>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<ScanCase>> {
        let mut counts = vec![1, 33, 257, 2049, 8193, 66_000];
        if effort == Effort::Full {
            counts.extend(3..=30);
            counts.extend([
                31,
                32,
                255,
                513,
                8191,
                63,
                64,
                65,
                256,
                511,
                512,
                2047,
                2048,
                8192,
                16_385,
                65_536,
                524_289,
                1 << 20,
                3_000_001,
            ]);
        }
        let mut cases = Vec::new();
        for &scan in Scan::ALL {
            for &count in &counts {
                let plain = ScanCase { scan, count, flags: Flags::None, padded: count % 2 == 1 };
                cases.push(Case::new(format!("{} of {count}", scan.name()), plain));
                if scan != Scan::Segmented || effort == Effort::Quick && ![33, 66_000].contains(&count) {
                    continue;
                }
                for flags in [Flags::First, Flags::Last, Flags::All, Flags::Some(3), Flags::Some(5000)] {
                    let name = format!("{} of {count}, flags {flags:?}", scan.name());
                    cases.push(Case::new(name, ScanCase { scan, count, flags, padded: false }));
                }
            }
        }
        cases
    }

    fn cpu(input: &ScanCase) -> Vec<u32> {
        let count = input.count as usize;
        segmented(&noise(count, input.count), &input.flags.of(count))
    }

    fn gpu(bench: &mut TestBench, input: &ScanCase) -> anyhow::Result<Vec<u32>> {
        let count = input.count as usize;
        let source = upload(bench, &noise(count, input.count))?;
        let flags = upload(bench, &input.flags.of(count))?;
        let target = upload(bench, &vec![0x5EED_5EED; count])?;
        let technique = shared_technique(bench)?;
        let array =
            Array { source: &source, flags: Some(&flags), target: &target, count: input.count, padded: input.padded };
        run_shared(bench, &technique, |frame, technique| technique.scan(frame, input.scan, &array))?;
        let mut result: Vec<u32> = bench.read_buffer(&target)?;
        result.truncate(count);
        Ok(result)
    }

    fn agree(_: &ScanCase, cpu: &Vec<u32>, gpu: &Vec<u32>) -> Verdict {
        Verdict::none("words that differ", words_apart(cpu, gpu))
    }
}
