//! Benchmarks: their declaration, the run of one size, and its rows.

use super::{Caches, Cell, Spread, TestBench};
use gpu::{Frame, Result};
use std::str::FromStr;

pub const BENCH_CACHES: Caches = Caches::Cold;

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

impl Row {
    pub fn new(case: impl Into<String>, variant: impl Into<String>, gpu_us: Spread, bytes: u64) -> Self {
        let (case, variant) = (case.into(), variant.into());
        Self { case, variant, gpu_us, bytes, probe_us: None, error_steps: None, checked: false }
    }

    pub fn beside(self, probe_us: f64) -> Self {
        Self { probe_us: Some(probe_us), ..self }
    }

    pub fn error(self, steps: f64) -> Self {
        Self { error_steps: Some(steps), ..self }
    }

    pub fn checked(self, checked: bool) -> Self {
        Self { checked, ..self }
    }

    /// Time of a copy of as many bytes, as a part of this time.
    pub fn share_of_copy(&self) -> Cell {
        self.probe_us.map_or_else(Cell::none, |probe| Cell::share(probe / self.gpu_us.median))
    }
}

type Measure = fn(&mut BenchRun<'_>) -> anyhow::Result<()>;

#[derive(Clone, Copy)]
pub struct Bench {
    pub name: &'static str,
    pub formats: fn() -> Vec<&'static str>,
    /// Empty: it is measured once, whatever the sizes.
    sizes: &'static [[u32; 2]],
    quick: [u32; 2],
    measure: Measure,
}

impl Bench {
    pub const fn new(name: &'static str, sizes: &'static [[u32; 2]], measure: Measure) -> Self {
        Self { name, formats: Vec::new, sizes, quick: [320, 180], measure }
    }

    pub const fn quick(self, quick: [u32; 2]) -> Self {
        Self { quick, ..self }
    }

    pub const fn formats(self, formats: fn() -> Vec<&'static str>) -> Self {
        Self { formats, ..self }
    }

    pub fn sizes(&self, options: &BenchOptions) -> Vec<[u32; 2]> {
        if self.sizes.is_empty() { vec![[0; 2]] } else { options.sizes_or(self.sizes, &[self.quick]) }
    }

    pub fn run(&self, bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
        self.sizes(options).into_iter().try_for_each(|size| self.run_at(size, bench, options, each))
    }

    pub fn run_at(
        &self,
        size: [u32; 2],
        bench: &mut TestBench,
        options: &BenchOptions,
        each: &mut dyn FnMut(Row),
    ) -> anyhow::Result<()> {
        (self.measure)(&mut BenchRun { bench, options, size, each })
    }
}

pub struct BenchRun<'a> {
    pub bench: &'a mut TestBench,
    pub options: &'a BenchOptions,
    pub size: [u32; 2],
    each: &'a mut dyn FnMut(Row),
}

impl BenchRun<'_> {
    pub fn pixels(&self) -> u64 {
        self.size.into_iter().map(u64::from).product()
    }

    /// `what` after the size.
    pub fn case(&self, what: &str) -> String {
        format!("{}x{} {what}", self.size[0], self.size[1]).trim_end().to_owned()
    }

    /// With cold caches.
    pub fn measure(&mut self, record: &mut dyn FnMut(&mut Frame) -> Result<()>) -> Result<Spread> {
        self.bench.measure(self.options.reps(), BENCH_CACHES, record)
    }

    /// Median time to move the bytes without other work, microseconds.
    pub fn copy_us(&mut self, reads: u64, writes: u64) -> Result<f64> {
        Ok(self.bench.traffic_probe(reads, writes, self.options.reps(), BENCH_CACHES)?.median)
    }

    /// A row beside a copy of as many bytes, read and written.
    pub fn timed(
        &mut self,
        case: String,
        variant: &str,
        [reads, writes]: [u64; 2],
        record: &mut dyn FnMut(&mut Frame) -> Result<()>,
    ) -> Result<Row> {
        let probe = self.copy_us(reads, writes)?;
        Ok(Row::new(case, variant, self.measure(record)?, reads + writes).beside(probe))
    }

    pub fn row(&mut self, row: Row) {
        (self.each)(row);
    }
}
