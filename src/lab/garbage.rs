//! Checks on a device that returns garbage: none may panic, and none may pass.

use super::{Case, Check, Effort, Oracle, TestBench};
use crate::gpu::{Garbage, Gpu};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What [`Check`] keeps of an oracle for this.
pub(super) type Tried = fn(&TestBench, Amount, &mut Vec<String>);

/// What is read back beside zeros.
const OTHERS: [Garbage; 3] = [Garbage::Ones, Garbage::Noise, Garbage::Small];

/// Which cases are tried, and with what.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// Cases of each check: those of one check differ in sizes and settings, and read the same way.
    cases: usize,
    /// Zeros, which are most like a result, and the others of these.
    others: &'static [Garbage],
}

/// Tries cases of `O` with kinds of garbage and adds to `wrong` what panics, and what passes altogether. Single cases may pass: where
/// nothing is to be drawn, zeros are right.
pub(super) fn tried<O: Oracle>(bench: &TestBench, amount: Amount, wrong: &mut Vec<String>) {
    let all = O::cases(bench.gpu(), Effort::Quick);
    let step = all.len().div_ceil(amount.cases).max(1);
    let kinds = [Garbage::Zeros].into_iter().chain(amount.others.iter().copied());
    let mut passed: Vec<_> = kinds.map(|garbage| (garbage, Vec::new())).collect();
    let mut tried = 0;
    for Case { name, input } in all.into_iter().step_by(step) {
        let cpu = O::cpu(&input);
        tried += 1;
        for (seed, (garbage, passed)) in (tried as u64..).zip(&mut passed) {
            let judged = || {
                bench.gpu().fail_with(*garbage, seed);
                // A bench of its own: what an unwound case has left is not used again.
                let mut bench = TestBench::on(bench.gpu())?;
                Ok::<_, anyhow::Error>(O::agree(&input, &cpu, &O::gpu(&mut bench, &input)?))
            };
            match catch_unwind(AssertUnwindSafe(judged)) {
                Err(_) => wrong.push(format!("{} {name}: panicked on {garbage:?}", O::NAME)),
                Ok(Ok(verdict)) if verdict.passed => passed.push(format!("{name}: {}", verdict.text)),
                Ok(_) => {}
            }
        }
    }
    for (garbage, passed) in passed.iter().filter(|(_, passed)| tried > 0 && passed.len() == tried) {
        wrong.push(format!("{} passed on {garbage:?}: {}", O::NAME, passed.join("; ")));
    }
}

/// What panics or passes among `checks` on a device that returns garbage, a line each. With [`Effort::Quick`] each check gets one case, zeros
/// and one other kind of garbage in turn.
pub fn wrong_on_garbage(checks: Vec<Check>, effort: Effort) -> Vec<String> {
    let bench = TestBench::on(&Gpu::headless(false).unwrap()).unwrap();
    let mut wrong = vec![];
    for (check, other) in checks.into_iter().zip((0..OTHERS.len()).cycle()) {
        let amount = match effort {
            Effort::Quick => Amount { cases: 1, others: &OTHERS[other..=other] },
            Effort::Full => Amount { cases: 3, others: &OTHERS },
        };
        (check.with_garbage)(&bench, amount, &mut wrong);
    }
    wrong
}
