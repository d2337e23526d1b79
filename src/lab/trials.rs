//! What checks, times and breaks a technique.

use super::{Bench, BreakInfo, Check, SourceTable};

#[derive(Clone, Copy)]
pub struct Trials {
    pub checks: &'static [Check],
    pub benches: &'static [Bench],
    pub source_tables: &'static [SourceTable],
    pub breaks: &'static [BreakInfo],
}
