//! CPU against GPU: oracles, the bed on which their GPU halves run, and benchmarks.

mod bed;
mod bench;
mod oracle;
mod probe;

pub use bed::{Bed, Caches, Spread, UNCOUNTED};
pub use bench::{BENCH_CACHES, Bench, BenchOptions, Row};
pub use oracle::{Case, Check, Effort, Oracle, Outcome, Verdict};
pub use probe::Probe;
