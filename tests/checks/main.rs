//! Every check of every technique on this machine's GPU: one trial each, named `technique/check`, under validation.
//!
//! `cargo test --test checks -- reflections/` runs those of one technique, `-- --exact reflections/plane` one of them, `-- --list` lists
//! them. Two environment variables select more, or other ones: `MENISCUS_FULL_ORACLES=1` tries every case as `meniscus verify` does,
//! `MENISCUS_CHECKS=subgroups` omits those that do not depend on the subgroup size.
//!
//! Every worker has its own device, created before the first trial and used for all trials of this worker. Mesa's software driver resets
//! its vector width for a moment at each new device; a shader that another thread compiles in that moment has lanes of two widths. So no
//! device is created while a trial runs, and no trial needs a process of its own.

#[path = "../trials/mod.rs"]
mod trials;

use gpu::{Gpu, Messages, UsedFeatures};
use lab::{Check, Effort, Raster, TestBench};
use libtest_mimic::{Arguments, Completion, Failed};
use std::{
    process::ExitCode,
    sync::{Arc, Mutex},
};
use techniques::INFOS;
use trials::{Trials, locked};

/// A device with its test bench and validation messages.
struct Worker {
    bench: TestBench,
    messages: Arc<Messages>,
}

impl Worker {
    fn new() -> anyhow::Result<Self> {
        let gpu = Gpu::headless(true)?;
        Ok(Self { messages: gpu.messages(), bench: TestBench::on(&gpu)? })
    }
}

/// The idle workers.
type Idle = Arc<Mutex<Vec<Worker>>>;

/// Runs one check with a worker; the worker is returned unless the check panics.
fn run(idle: &Idle, name: &str, check: Check, effort: Effort) -> Result<Completion, Failed> {
    let free = locked(idle).pop();
    // Earlier panics consumed their workers.
    let mut worker = free.map_or_else(Worker::new, Ok).map_err(|e| format!("no device: {e:#}"))?;
    let result = judge(&mut worker, name, check, effort);
    locked(idle).push(worker);
    result
}

fn judge(worker: &mut Worker, name: &str, check: Check, effort: Effort) -> Result<Completion, Failed> {
    if let Some(fault) = check.known_fault(worker.bench.gpu().info()) {
        return Ok(Completion::ignored_with(fault));
    }
    let spoken = worker.messages.len();
    worker.bench.gpu().take_used();
    let stops = std::env::var_os("MENISCUS_STOP_AT_FAILURE").is_some();
    let (mut cases, mut problems) = (0, Vec::new());
    check.run(&mut worker.bench, effort, &mut |outcome| {
        cases += 1;
        if !outcome.verdict.passed && stops {
            println!("\nfailed: {name}: {}: {}", outcome.case, outcome.verdict.text);
            std::process::exit(101);
        }
        if !outcome.verdict.passed {
            problems.push(format!("{}: {}", outcome.case, outcome.verdict.text));
        }
    });
    problems.extend(unmarked(check, worker.bench.gpu().take_used()));
    problems.extend(worker.messages.all().into_iter().skip(spoken).map(|message| format!("validation: {message}")));
    match (problems.is_empty(), cases) {
        (true, 0) => Ok(Completion::ignored_with("this device has none of its cases")),
        (true, _) => Ok(Completion::Completed),
        (false, _) => Err(problems.join("\n").into()),
    }
}

/// Unmarked features used by a check: the runs at other subgroup sizes would miss it, or would crash on a known fault.
fn unmarked(check: Check, used: UsedFeatures) -> impl Iterator<Item = String> {
    let draws = (used.draws && check.raster == Raster::Never)
        .then_some("it draws: expected .draws() or .may_draw() where the check is listed");
    let subgroups = (used.subgroups && !check.depends_on_subgroups)
        .then_some("its shaders have subgroup operations: expected .depends_on_subgroups() where the check is listed");
    draws.into_iter().chain(subgroups).map(str::to_owned)
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let only_subgroups = match std::env::var("MENISCUS_CHECKS").as_deref() {
        Err(_) | Ok("") => false,
        Ok("subgroups") => true,
        Ok(other) => {
            eprintln!("MENISCUS_CHECKS is {other:?}; expected \"subgroups\" or nothing");
            return ExitCode::from(2);
        }
    };
    let full = std::env::var_os("MENISCUS_FULL_ORACLES").is_some();
    let effort = if full { Effort::Full } else { Effort::Quick };
    let (idle, mut trials) = (Idle::default(), Trials::default());
    for info in INFOS {
        let checks = suites::checks(info);
        for check in checks.into_iter().filter(|check| check.depends_on_subgroups || !only_subgroups) {
            let (idle, name) = (idle.clone(), format!("{}/{}", info.id, check.name));
            trials.add(name.clone(), move || run(&idle, &name, check, effort));
        }
    }
    if !arguments.list {
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        let chosen = trials.all.iter().filter(|trial| !arguments.is_filtered_out(trial)).count();
        let workers = arguments.test_threads.unwrap_or(cores).min(chosen);
        match (0..workers).map(|_| Worker::new()).collect::<anyhow::Result<_>>() {
            Ok(workers) => *locked(&idle) = workers,
            Err(problem) => {
                eprintln!("error: no device to test on: {problem:#}");
                return ExitCode::FAILURE;
            }
        }
    }
    let conclusion = trials.run(&arguments);
    // Leaks are reported when a device is destroyed.
    let workers = std::mem::take(&mut *locked(&idle));
    let leaks = workers.into_iter().flat_map(|Worker { bench, messages }| {
        let spoken = messages.len();
        drop(bench);
        messages.all().into_iter().skip(spoken)
    });
    let leaks: Vec<String> = leaks.collect();
    if leaks.is_empty() {
        return conclusion.exit_code();
    }
    println!("error: validation, after the device was destroyed:\n{}", leaks.join("\n"));
    println!("test result: FAILED. 0 passed; 1 failed");
    ExitCode::FAILURE
}
