//! Test of every technique's checks on a device that returns garbage.

use crate::{
    lab::{Effort, wrong_on_garbage},
    techniques::INFOS,
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// No check panics, and none passes, whatever the device returns. Longer than ten seconds: it creates the scenes and pipelines of every
/// check.
#[test]
fn garbage_fails_every_check() {
    let effort = if std::env::var_os("MENISCUS_FULL_ORACLES").is_some() { Effort::Full } else { Effort::Quick };
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut wrong = vec![];
        while let Some(info) = INFOS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let checks = super::checks(info);
            wrong.extend(wrong_on_garbage(checks, effort).into_iter().map(|line| format!("{}/{line}", info.id)));
        }
        wrong
    };
    let wrong = thread::scope(|scope| {
        let workers = [(); 2].map(|()| scope.spawn(worker));
        workers.map(|worker| worker.join().unwrap()).concat()
    });
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
