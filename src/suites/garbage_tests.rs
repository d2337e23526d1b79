//! Every technique's checks on a device that returns garbage.

use gpu::{Garbage, Gpu};
use lab::TestBench;
use techniques::INFOS;

/// No check panics, and none passes, whatever the device returns. Longer than ten seconds: it creates the scenes of every check.
#[test]
fn garbage_fails_every_check() {
    let bench = TestBench::on(&Gpu::headless(false).unwrap()).unwrap();
    let others = [Garbage::Ones, Garbage::Noise, Garbage::Small].into_iter().cycle();
    let checks = INFOS.iter().flat_map(|info| super::checks(info).into_iter().map(|check| (info.id, check)));
    let wrong: Vec<String> = checks
        .zip(others)
        .flat_map(|((id, check), other)| {
            // Zeros are most like a result.
            let wrong = check.with_garbage(&bench, &[Garbage::Zeros, other]);
            wrong.into_iter().map(move |line| format!("{id}/{line}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
