//! What a benchmark is asked for, and the rows that it gives.

use super::{Caches, Spread, TestBench};
use std::str::FromStr;

/// What a person may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchOptions {
    /// Sizes in pixels; empty: the technique's own list.
    pub sizes: Vec<[u32; 2]>,
    /// Format names; empty: the technique's own list.
    pub formats: Vec<String>,
    /// Runs counted for each row; `None`: the technique's own number.
    pub reps: Option<usize>,
    /// Seconds instead of minutes: few runs of small cases.
    pub quick: bool,
}

impl BenchOptions {
    /// The chosen formats, else `all`.
    #[must_use]
    pub fn formats_or<T: FromStr + Copy>(&self, all: &[T]) -> Vec<T> {
        // Those that this bench does not have are another's: the command line refuses what none has.
        let asked: Vec<T> = self.formats.iter().filter_map(|name| name.parse().ok()).collect();
        if asked.is_empty() { all.to_vec() } else { asked }
    }

    /// Runs to count.
    #[must_use]
    pub fn reps(&self) -> usize {
        self.reps.unwrap_or(if self.quick { 5 } else { 50 })
    }

    /// The chosen sizes, else `all`, or `quick` when in a hurry.
    #[must_use]
    pub fn sizes_or(&self, all: &[[u32; 2]], quick: &[[u32; 2]]) -> Vec<[u32; 2]> {
        match (self.sizes.is_empty(), self.quick) {
            (false, _) => self.sizes.clone(),
            (true, false) => all.to_vec(),
            (true, true) => quick.to_vec(),
        }
    }
}

/// One measured variant of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// For example `2560x1440 rgba16f`.
    pub case: String,
    /// For example `per_level`.
    pub variant: String,
    /// What it took.
    pub gpu_us: Spread,
    /// Bytes that it must move at least: each input once, each output once.
    pub bytes: u64,
    /// What moving them takes with nothing to wait for, measured in the same run.
    pub probe_us: Option<f64>,
    /// How far the result is from what was asked for, in steps of 1/255, where that was measured.
    pub error_steps: Option<f64>,
    /// Whether its result was compared with the oracle's and agreed.
    pub checked: bool,
}

type Run = fn(&mut TestBench, &BenchOptions, &mut dyn FnMut(Row)) -> anyhow::Result<()>;

/// A benchmark of a technique.
#[derive(Clone, Copy)]
pub struct Bench {
    /// Name below the technique's.
    pub name: &'static str,
    /// The formats that may be asked for.
    pub formats: fn() -> Vec<&'static str>,
    /// Rows that [`run`](Self::run) will give, for the progress bar.
    pub rows: fn(&BenchOptions) -> usize,
    /// Measures and hands out row by row.
    pub run: Run,
}

/// Bench rows are measured so everywhere: the caches hold something else.
pub const BENCH_CACHES: Caches = Caches::Cold;
