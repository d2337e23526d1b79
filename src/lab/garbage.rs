//! Checks on a device that returns garbage: none may panic, and none may pass.

use super::{Case, Check, Effort, Property, TestBench};
use crate::gpu::{Garbage, Gpu};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A [`Check`]'s function for this.
pub(super) type GarbageRun = fn(&TestBench, &[Garbage], &mut Vec<String>);

/// Garbage besides zeros.
const OTHERS: [Garbage; 3] = [Garbage::Ones, Garbage::Noise, Garbage::Small];

/// Largest number of cases per check: those of one check differ in sizes and settings, and read the same way.
const CASES: usize = 3;

/// Tries cases of `P` with zeros, which are most like a result, and with `others`, with each until a case fails on it. Adds checks that
/// panic or pass altogether to `wrong`. Single cases may pass: for an empty picture, zeros are correct.
pub(super) fn tried<P: Property>(bench: &TestBench, others: &[Garbage], wrong: &mut Vec<String>) {
    let all = P::cases(bench.gpu(), Effort::Quick);
    let step = all.len().div_ceil(CASES).max(1);
    let mut seeds = 1..;
    // With the cases that have passed on each.
    let mut left: Vec<(Garbage, Vec<String>)> =
        [Garbage::Zeros].iter().chain(others).map(|garbage| (*garbage, Vec::new())).collect();
    for Case { name, input } in all.into_iter().step_by(step) {
        let mut judge = P::judge(&input);
        left.retain_mut(|(garbage, passed)| {
            let mut judged = || {
                bench.gpu().fail_with(*garbage, seeds.next().unwrap_or_default());
                // A new bench: state of an unwound case is not reused.
                let output = P::run(&mut TestBench::on(bench.gpu())?, &input)?;
                Ok::<_, anyhow::Error>(judge(&output))
            };
            match catch_unwind(AssertUnwindSafe(&mut judged)) {
                Err(_) => wrong.push(format!("{} {name}: panicked on {garbage:?}", P::NAME)),
                Ok(Ok(verdict)) if verdict.passed => {
                    passed.push(format!("{name}: {}", verdict.text));
                    return true;
                }
                Ok(_) => {}
            }
            false
        });
    }
    for (garbage, passed) in left.iter().filter(|(_, passed)| !passed.is_empty()) {
        wrong.push(format!("{} passed on {garbage:?}: {}", P::NAME, passed.join("; ")));
    }
}

/// The checks that panic or pass on a device that returns garbage, a line each. With [`Effort::Quick`] each check gets zeros and one other
/// kind of garbage in turn.
pub fn wrong_on_garbage(checks: Vec<Check>, effort: Effort) -> Vec<String> {
    let bench = TestBench::on(&Gpu::headless(false).unwrap()).unwrap();
    let mut wrong = vec![];
    for (check, other) in checks.into_iter().zip((0..OTHERS.len()).cycle()) {
        let others = match effort {
            Effort::Quick => &OTHERS[other..=other],
            Effort::Full => &OTHERS,
        };
        (check.with_garbage)(&bench, others, &mut wrong);
    }
    wrong
}
