//! Signals that end a command without a window. A recording keeps the frames so far; all else leaves no part of a file.

use super::failure::Failure;
use crate::base::file::remove_parts;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

const EXIT: i32 = 128;

static IS_RECORDING: AtomicBool = AtomicBool::new(false);
static ARRIVED: AtomicI32 = AtomicI32::new(0);

/// Call before any thread is started: the threads of drivers must not take the signals.
pub fn watch() {
    let handle = |signal: i32| {
        let ends = !IS_RECORDING.load(SeqCst) || ARRIVED.swap(signal, SeqCst) != 0;
        if ends {
            remove_parts();
        }
        ends
    };
    if let Err(why) = listen(handle) {
        log::info!("signals are not handled: {why}");
    }
}

pub fn begin_recording() {
    IS_RECORDING.store(true, SeqCst);
}

pub fn end_recording() {
    IS_RECORDING.store(false, SeqCst);
}

pub fn have_arrived() -> bool {
    ARRIVED.load(SeqCst) != 0
}

pub fn failure(why: impl std::fmt::Display) -> Failure {
    Failure::ended((EXIT + ARRIVED.load(SeqCst)) as u8, why)
}

#[cfg(unix)]
fn listen(handle: impl Fn(i32) -> bool + Send + 'static) -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal, raise};
    // What the parent ignores (`nohup`) stays ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let is_heard = |signal: &Signal| ignored.unwrap_or(0) >> (*signal as i32 - 1) & 1 == 0;
    let signals: SigSet = [
        Signal::SIGINT,
        Signal::SIGTERM,
        Signal::SIGHUP,
        Signal::SIGUSR1,
        Signal::SIGUSR2,
        Signal::SIGALRM,
        Signal::SIGXCPU,
    ]
    .into_iter()
    .filter(is_heard)
    .collect();
    signals.thread_block()?;
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            if handle(signal as i32) {
                // The default action: an orderly exit would interrupt threads within drivers.
                let _ = signals.thread_unblock().and_then(|()| raise(signal));
            }
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
}

#[cfg(not(unix))]
fn listen(handle: impl Fn(i32) -> bool + Send + 'static) -> Result<(), ctrlc::Error> {
    const INTERRUPT: i32 = 2;
    ctrlc::set_handler(move || {
        if handle(INTERRUPT) {
            std::process::exit(EXIT + INTERRUPT);
        }
    })
}
