//! Laboratory: checks, benchmarks and comparisons.

mod bench;
mod broken;
mod card;
mod change;
mod check;
mod comparison;
mod device_probe;
mod driver_faults;
#[cfg(any(test, feature = "fixtures"))]
mod garbage;
mod pareto;
mod probe;
mod rounds;
mod source_table;
mod test_bench;
mod test_picture;
mod timing_marks;

pub use bench::{BENCH_CACHES, Bench, BenchOptions, BenchRun, Row};
pub use broken::{Break, BreakInfo, LabSettings};
pub use card::{Card, CardRow, CardTable, Cell, Column};
pub use change::{Change, ChangeVerdict};
pub use check::{Case, Check, Effort, Outcome, Property, Raster, Reference, Verdict, words_apart};
pub use comparison::{Alternative, Answer, Comparison, End, Goal, Progress, spread};
pub use device_probe::{CLOCK_PASS, ClockPass, DeviceProbe, ProbeCopy};
pub use pareto::{Pareto, ParetoPoint};
pub use rounds::Rounds;
pub use source_table::{SourceFigures, SourceRow, SourceTable, source_row};
pub use test_bench::{Caches, Spread, TestBench, Took};
pub use test_picture::test_picture;
#[cfg(any(test, feature = "fixtures"))]
pub use timing_marks::pass;
