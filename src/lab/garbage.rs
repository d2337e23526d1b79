//! Checks on a device that returns garbage: none may panic, and none may pass.

use super::{Case, Effort, Property, TestBench};
use gpu::Garbage;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Cases of one check differ in sizes and settings, and read the same way.
const CASES: usize = 3;

/// What is wrong where a check panics, or passes all of its cases: for an empty picture, zeros are correct.
pub(super) fn tried<P: Property>(bench: &TestBench, kinds: &[Garbage]) -> Vec<String> {
    let all = P::cases(bench.gpu(), Effort::Quick);
    let step = all.len().div_ceil(CASES).max(1);
    let some: Vec<_> = all.into_iter().step_by(step).collect();
    kinds.iter().filter_map(|kind| tried_with::<P>(bench, &some, *kind)).collect()
}

fn tried_with<P: Property>(bench: &TestBench, some: &[Case<P::Input>], garbage: Garbage) -> Option<String> {
    let mut passed = Vec::new();
    for (seed, Case { name, input }) in (1..).zip(some) {
        Garbage::simulate(Some(garbage), seed);
        // A new bench: state of an unwound case is not reused.
        let verdict = catch_unwind(AssertUnwindSafe(|| {
            let input = input.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
            let output = P::run(&mut TestBench::on(bench.gpu())?, input)?;
            anyhow::Ok(P::verdict(input, &output))
        }));
        Garbage::simulate(None, seed);
        match verdict {
            Err(_) => return Some(format!("{} {name}: panicked on {garbage:?}", P::NAME)),
            Ok(Ok(verdict)) if verdict.passed => passed.push(format!("{name}: {}", verdict.text)),
            Ok(_) => return None,
        }
    }
    Some(format!("{} passed on {garbage:?}: {}", P::NAME, passed.join("; ")))
}
