//! Verify command: every reference comparison on this machine's GPU.

use super::cli::{Common, VerifyOptions};
use super::device;
use super::failure::{Failure, OrFail as _};
use super::progress::Progress;
use super::{FirstError, crash_report, print};
use base::text::suggestion;
use lab::{Check, Effort, TestBench};

use serde_json::{Value, json};
use technique::Info;
use techniques::INFOS;

pub fn run(common: &Common, name: Option<&str>, options: &VerifyOptions) -> Result<(), Failure> {
    let checks = checks(name)?;
    if options.list {
        let names = checks.iter().map(|(info, check)| format!("{}/{}\n", info.id, check.name));
        return print(&names.collect::<String>());
    }
    let effort = if options.quick { Effort::Quick } else { Effort::Full };
    let mut bench = TestBench::new(&device::options(common)?).map_err(anyhow::Error::from)?;
    let (facts, messages) = (bench.gpu().info().clone(), bench.gpu().messages());
    crash_report::note_device(&facts);
    let mut said = FirstError::default();
    let missing = device::missing(&facts);
    said.note(print(&format!("{} ({}), Vulkan {}\nmissing: {missing}\n", facts.name, facts.driver, facts.api)));
    let mut rows: Vec<Value> = Vec::new();
    let mut passed = 0;
    let mut failed = 0;
    let mut progress = Progress::new(1);
    for (info, check) in checks {
        let name = format!("{}/{}", info.id, check.name);
        let kind = if check.has_reference { "reference" } else { "property" };
        if let Some(fault) = check.known_fault(&facts) {
            said.note(progress.print(&format!("{:<6} {name:<28} {fault}\n", "skip")));
            continue;
        }
        let (mut good, mut bad, mut last) = (0, 0, String::new());
        progress.begin_again(&name);
        check.run(&mut bench, effort, &mut |outcome| {
            let verdict = outcome.verdict;
            progress.step_of(outcome.cases);
            progress.report(&outcome.case);
            if verdict.passed {
                good += 1;
                last = verdict.text.clone();
            } else {
                bad += 1;
                said.note(progress.print(&format!("       FAILED {name} {}: {}\n", outcome.case, verdict.text)));
            }
            rows.push(json!({"technique": info.id, "check": check.name, "kind": kind, "case": outcome.case,
                                 "passed": verdict.passed, "text": verdict.text}));
        });
        let word = if bad == 0 { "ok" } else { "FAILED" };
        said.note(progress.print(&format!("{word:<6} {name:<28} {:>4} cases  {kind:<9}  {last}\n", good + bad)));
        passed += good;
        failed += bad;
    }
    progress.end();
    drop(bench);
    if let Some(file) = &common.json {
        let validation = json!({"enabled": common.validate, "messages": messages.len()});
        let all = json!({"device": device::json(&facts), "rows": rows, "passed": passed, "failed": failed, "validation": validation});
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    said.note(print(&format!("{passed} passed, {failed} failed\n")));
    if failed > 0 {
        return Err(Failure::failed(format!("{failed} of {} cases failed", passed + failed)));
    }
    device::unspoken(&messages)?;
    said.end()
}

fn checks(name: Option<&str>) -> Result<Vec<(&'static Info, Check)>, Failure> {
    let (technique, only) = match name.and_then(|name| name.split_once('/')) {
        Some((technique, check)) => (Some(technique), Some(check)),
        None => (name, None),
    };
    let all = chosen(technique)?
        .into_iter()
        .flat_map(|info| suites::checks(info).into_iter().map(move |check| (info, check)));
    let all: Vec<_> = all.collect();
    let Some(only) = only else { return Ok(all) };
    let hint = suggestion(only, all.iter().map(|(_, check)| check.name));
    let found: Vec<_> = all.into_iter().filter(|(_, check)| check.name == only).collect();
    if found.is_empty() {
        let technique = technique.unwrap_or_default();
        return Err(Failure::bad(format!(
            "{technique} has no check {only:?}{hint}; `meniscus verify --list` shows them"
        )));
    }
    Ok(found)
}

pub fn chosen(technique: Option<&str>) -> Result<Vec<&'static Info>, Failure> {
    let Some(name) = technique else { return Ok(INFOS.iter().collect()) };
    Ok(vec![techniques::typed_info(name).map_err(Failure::bad)?])
}
