//! Options and rows of a benchmark.

use super::{Caches, Spread, TestBench};
use std::str::FromStr;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchOptions {
    pub sizes: Vec<[u32; 2]>,
    pub formats: Vec<String>,
    pub reps: Option<usize>,
    pub quick: bool,
    /// One row, as its benchmark nests them; empty: all rows.
    pub only: &'static [&'static str],
}

impl BenchOptions {
    pub fn formats_or<T: FromStr + Copy>(&self, all: &[T]) -> Vec<T> {
        // Formats that this bench lacks belong to another: the command line rejects those that none has.
        let asked: Vec<T> = self.formats.iter().filter_map(|name| name.parse().ok()).collect();
        if asked.is_empty() { all.to_vec() } else { asked }
    }

    /// `depth`: the level of nesting.
    pub fn takes(&self, depth: usize, name: &str) -> bool {
        self.only.get(depth).is_none_or(|only| *only == name)
    }

    pub fn reps(&self) -> usize {
        self.reps.unwrap_or(if self.quick { 5 } else { 50 })
    }

    pub fn sizes_or(&self, all: &[[u32; 2]], quick: &[[u32; 2]]) -> Vec<[u32; 2]> {
        match (self.sizes.is_empty(), self.quick) {
            (false, _) => self.sizes.clone(),
            (true, false) => all.to_vec(),
            (true, true) => quick.to_vec(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub case: String,
    pub variant: String,
    pub gpu_us: Spread,
    /// Minimum traffic: each input once, each output once.
    pub bytes: u64,
    /// Time to move these bytes without any other work, measured in the same run.
    pub probe_us: Option<f64>,
    /// Error of the result in steps of 1/255, if measured.
    pub error_steps: Option<f64>,
    pub checked: bool,
}

type Run = fn(&mut TestBench, &BenchOptions, &mut dyn FnMut(Row)) -> anyhow::Result<()>;

#[derive(Clone, Copy)]
pub struct Bench {
    pub name: &'static str,
    pub formats: fn() -> Vec<&'static str>,
    pub rows: fn(&BenchOptions) -> usize,
    pub run: Run,
}

pub const BENCH_CACHES: Caches = Caches::Cold;
