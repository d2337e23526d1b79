//! Signals that end the program. A recording keeps the frames so far, a window closes; all else leaves no part of a file.

use super::failure::Failure;
use base::file::remove_parts;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::time::{Duration, Instant};

const EXIT: i32 = 128;
/// `timeout` signals its child, then the group of both.
const SAME_REQUEST: Duration = Duration::from_secs(1);

static IS_RECORDING: AtomicBool = AtomicBool::new(false);
static ARRIVED: AtomicI32 = AtomicI32::new(0);

/// `end` begins an orderly end, if there can be one. Call before any thread is started: the threads of drivers must not
/// take the signals.
pub fn watch(end: impl Fn(i32) -> bool + Send + 'static) {
    let mut begun: Option<Instant> = None;
    let handle = move |signal: i32| {
        let is_same = begun.is_some_and(|begun| begun.elapsed() < SAME_REQUEST);
        if is_same || begun.is_none() && end(signal) {
            begun.get_or_insert_with(Instant::now);
            return false;
        }
        remove_parts();
        true
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

pub fn interrupt_recording(signal: i32) -> bool {
    let is_recording = IS_RECORDING.load(SeqCst);
    if is_recording {
        ARRIVED.store(signal, SeqCst);
    }
    is_recording
}

pub fn have_arrived() -> bool {
    ARRIVED.load(SeqCst) != 0
}

pub fn failure(why: impl std::fmt::Display) -> Failure {
    Failure::ended((EXIT + ARRIVED.load(SeqCst)) as u8, why)
}

/// All that end a process by default, but those of faults, which may not be blocked (POSIX, `pthread_sigmask`), and that
/// of a closed pipe, which is an error of the write.
#[cfg(unix)]
fn ends_by_default(signal: nix::sys::signal::Signal) -> bool {
    const OTHERS: &str = "SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGCONT SIGCHLD SIGURG SIGWINCH SIGINFO SIGKILL \
                          SIGFPE SIGILL SIGSEGV SIGBUS SIGPIPE";
    OTHERS.split(' ').all(|name| name != signal.as_str())
}

#[cfg(unix)]
fn listen(mut handle: impl FnMut(i32) -> bool + Send + 'static) -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal, raise};
    // What the parent ignores (`nohup`) stays ignored, and what a library handles stays its own.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask =
        |name: &str| status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix(name)?.trim(), 16).ok());
    let taken = ["SigIgn:", "SigCgt:"].into_iter().filter_map(mask).fold(0, |all, mask| all | mask);
    let is_heard = |signal: &Signal| ends_by_default(*signal) && taken >> (*signal as i32 - 1) & 1 == 0;
    let signals: SigSet = Signal::iterator().filter(is_heard).collect();
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
fn listen(mut handle: impl FnMut(i32) -> bool + Send + 'static) -> Result<(), ctrlc::Error> {
    const INTERRUPT: i32 = 2;
    ctrlc::set_handler(move || {
        if handle(INTERRUPT) {
            std::process::exit(EXIT + INTERRUPT);
        }
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::ends_by_default;
    use nix::sys::signal::Signal;

    #[test]
    fn every_signal_that_ends_a_process_is_heard() {
        let heard: Vec<&str> = Signal::iterator().filter(|one| ends_by_default(*one)).map(Signal::as_str).collect();
        let ending =
            "SIGHUP SIGINT SIGQUIT SIGTRAP SIGABRT SIGUSR1 SIGUSR2 SIGALRM SIGTERM SIGXCPU SIGXFSZ SIGVTALRM SIGPROF";
        ending.split(' ').for_each(|name| assert!(heard.contains(&name), "{name} is not in {heard:?}"));
        let others = "SIGKILL SIGSTOP SIGCHLD SIGCONT SIGTSTP SIGWINCH SIGPIPE SIGSEGV SIGBUS";
        others.split(' ').for_each(|name| assert!(!heard.contains(&name), "{name} is in {heard:?}"));
    }
}
