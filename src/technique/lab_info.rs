//! Description of what proves and shows a technique, for lists and panels.

use crate::story::StepInfo;
use lab::{Bench, BreakInfo, Card, Check, SourceTable};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    pub label: &'static str,
    pub doc: &'static str,
    /// Choice of which the table's rows are values; empty if none.
    pub chooses: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    pub id: &'static str,
    pub measures: Measures,
    pub why_not: Option<String>,
    pub card: Card,
}

#[derive(Clone, Copy)]
pub struct LabInfo {
    pub checks: &'static [Check],
    pub benches: &'static [Bench],
    pub source_tables: &'static [SourceTable],
    pub breaks: &'static [BreakInfo],
    pub measures: Option<Measures>,
    /// Steps of the story of a pixel.
    pub story: &'static [StepInfo],
    /// Empty if it has no steps.
    pub replays: &'static str,
}

impl LabInfo {
    pub const NONE: Self =
        Self { checks: &[], benches: &[], source_tables: &[], breaks: &[], measures: None, story: &[], replays: "" };
}
