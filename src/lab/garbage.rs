//! Checks on a device that returns garbage: none may panic, and none may pass.

use super::{Case, Check, Effort, Oracle, TestBench};
use crate::gpu::{Garbage, Gpu};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Cases tried of each check: those of one check differ in sizes and settings, and read the same way.
const CASES: usize = 3;

/// What [`Check`] keeps of an oracle for this.
pub(super) type Tried = fn(&TestBench, &mut Vec<String>);

/// Tries cases of `O` with every kind of garbage and adds to `wrong` what panics, and what passes altogether. Single cases may pass: where
/// nothing is to be drawn, zeros are right.
pub(super) fn tried<O: Oracle>(bench: &TestBench, wrong: &mut Vec<String>) {
    let all = O::cases(bench.gpu(), Effort::Quick);
    let step = all.len().div_ceil(CASES).max(1);
    let mut passed = Garbage::ALL.map(|garbage| (garbage, Vec::new()));
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

/// What panics or passes among `checks` on a device that returns garbage, a line each.
pub fn wrong_on_garbage(checks: Vec<Check>) -> Vec<String> {
    let bench = TestBench::on(&Gpu::headless(false).unwrap()).unwrap();
    let mut wrong = vec![];
    for check in checks {
        let began = std::time::Instant::now();
        (check.with_garbage)(&bench, &mut wrong);
        println!("{}: {:.1} s", check.name, began.elapsed().as_secs_f64());
    }
    wrong
}
