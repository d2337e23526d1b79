//! Options and rows of a benchmark.

use super::{Caches, Spread, TestBench};
use std::str::FromStr;

/// User options.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchOptions {
    /// Sizes in pixels; empty: the technique's own list.
    pub sizes: Vec<[u32; 2]>,
    /// Format names; empty: the technique's own list.
    pub formats: Vec<String>,
    /// Runs counted for each row; `None`: the technique's default.
    pub reps: Option<usize>,
    /// Seconds instead of minutes: few runs of small cases.
    pub quick: bool,
    /// Names of one row, as its benchmark nests them; empty: all rows.
    pub only: &'static [&'static str],
}

impl BenchOptions {
    /// The chosen formats, else `all`.
    #[must_use]
    pub fn formats_or<T: FromStr + Copy>(&self, all: &[T]) -> Vec<T> {
        // Formats that this bench lacks belong to another: the command line rejects those that none has.
        let asked: Vec<T> = self.formats.iter().filter_map(|name| name.parse().ok()).collect();
        if asked.is_empty() { all.to_vec() } else { asked }
    }

    /// Whether rows of this name are measured, `depth` being the level of nesting.
    #[must_use]
    pub fn takes(&self, depth: usize, name: &str) -> bool {
        self.only.get(depth).is_none_or(|only| *only == name)
    }

    /// Number of runs.
    #[must_use]
    pub fn reps(&self) -> usize {
        self.reps.unwrap_or(if self.quick { 5 } else { 50 })
    }

    /// The chosen sizes, else `all`, or `quick` with that option.
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
    /// Measured time.
    pub gpu_us: Spread,
    /// Minimum traffic in bytes: each input once, each output once.
    pub bytes: u64,
    /// Time to move these bytes without any other work, measured in the same run.
    pub probe_us: Option<f64>,
    /// Error of the result in steps of 1/255, if measured.
    pub error_steps: Option<f64>,
    /// Whether its result was compared with the reference implementation's and agreed.
    pub checked: bool,
}

type Run = fn(&mut TestBench, &BenchOptions, &mut dyn FnMut(Row)) -> anyhow::Result<()>;

/// A benchmark of a technique.
#[derive(Clone, Copy)]
pub struct Bench {
    /// Name below the technique's.
    pub name: &'static str,
    /// The supported formats.
    pub formats: fn() -> Vec<&'static str>,
    /// Number of rows of [`run`](Self::run), for the progress bar.
    pub rows: fn(&BenchOptions) -> usize,
    /// Measures and reports row by row.
    pub run: Run,
}

/// All bench rows are measured with cold caches.
pub const BENCH_CACHES: Caches = Caches::Cold;
