//! Work on a thread of its own: result, progress, cancellation, and a callback at the end.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
        mpsc::{Receiver, TryRecvError, channel},
    },
    thread::{Builder, JoinHandle},
    time::Duration,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("reading it was cancelled")]
pub struct Cancelled;

#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Work>);

#[derive(Debug, Default)]
struct Work {
    /// In thousandths.
    done: AtomicU32,
    is_cancelled: AtomicBool,
}

impl Progress {
    pub fn part(&self) -> f32 {
        self.0.done.load(Relaxed) as f32 / 1000.0
    }

    pub fn report(&self, part: f32) {
        self.0.done.fetch_max((part.clamp(0.0, 1.0) * 1000.0) as u32, Relaxed);
    }

    pub fn check(&self, part: f32) -> Result<(), Cancelled> {
        self.report(part);
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Relaxed)
    }
}

pub type Outcome<T> = Result<T, String>;

/// `name` also begins the message about a panic.
pub fn spawn_detached<T>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
    done: impl FnOnce(Outcome<T>) + Send + 'static,
) -> Option<JoinHandle<()>> {
    let run = move || {
        done(catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown");
            let line = format!("{name}: internal error: {}", text.lines().collect::<Vec<_>>().join(" "));
            log::error!("{line}");
            line
        }));
    };
    Builder::new().name(name.into()).spawn(run).inspect_err(|why| log::error!("{name}: no thread: {why}")).ok()
}

/// Dropping it cancels the work; the thread ends by itself.
pub struct Job<T> {
    progress: Progress,
    outcome: Receiver<Outcome<T>>,
    end: Arc<Mutex<End>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct End {
    is_reached: bool,
    then: Option<Box<dyn FnOnce() + Send>>,
}

fn reach(end: &Mutex<End>) -> Option<Box<dyn FnOnce() + Send>> {
    let mut end = end.lock().unwrap_or_else(PoisonError::into_inner);
    end.is_reached = true;
    end.then.take()
}

impl<T: Send + 'static> Job<T> {
    pub fn spawn(name: &'static str, work: impl FnOnce(&Progress) -> T + Send + 'static) -> Self {
        let (send, outcome) = channel();
        let (progress, end) = (Progress::default(), Arc::<Mutex<End>>::default());
        let (followed, reached) = (progress.clone(), end.clone());
        let done = move |outcome| {
            let _ = send.send(outcome);
            drop(send);
            if let Some(then) = reach(&reached) {
                then();
            }
        };
        let thread = spawn_detached(name, move || work(&followed), done);
        if thread.is_none() {
            reach(&end);
        }
        Self { progress, outcome, end, thread }
    }

    /// On the job's thread, or at once.
    pub fn on_end(&self, then: impl FnOnce() + Send + 'static) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if end.is_reached {
            drop(end);
            return then();
        }
        end.then = Some(Box::new(then));
    }

    pub fn poll(&mut self) -> Option<Outcome<T>> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("the result is missing".into())),
        }
    }

    pub fn wait(&mut self, most: Duration) -> Option<Outcome<T>> {
        match self.outcome.recv_timeout(most) {
            Ok(outcome) => Some(outcome),
            Err(_) => self.poll(),
        }
    }

    pub fn join(&mut self) {
        let _ = self.thread.take().map(JoinHandle::join);
    }

    pub fn is_running(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn the_result_is_given_once_and_the_callback_is_called() {
        let (go, gate) = channel::<()>();
        let (send, ended) = channel();
        let again = send.clone();
        let mut job = Job::spawn("test", move |_| gate.recv_timeout(LONG).map(|()| 7));
        assert!(job.is_running() && job.poll().is_none() && job.wait(Duration::ZERO).is_none());
        job.on_end(move || send.send(1).unwrap());
        go.send(()).unwrap();
        assert_eq!(ended.recv_timeout(LONG), Ok(1));
        assert_eq!(job.poll(), Some(Ok(Ok(7))));
        assert!(job.poll().unwrap().is_err(), "it was taken");
        job.on_end(move || again.send(2).unwrap());
        assert_eq!(ended.try_recv(), Ok(2), "at once");
        job.join();
        assert!(!job.is_running());
    }

    #[test]
    fn progress_is_seen_and_a_cancelled_job_ends() {
        let (send, steps) = channel();
        let mut job = Job::spawn("test", move |progress| {
            progress.report(0.5);
            progress.report(0.25);
            send.send(()).unwrap();
            while progress.check(0.75).is_ok() {
                std::thread::yield_now();
            }
            progress.check(1.0)
        });
        steps.recv_timeout(LONG).unwrap();
        assert!(job.progress().part() >= 0.5);
        job.progress().cancel();
        assert_eq!(job.wait(LONG), Some(Ok(Err(Cancelled))));
        assert_eq!(job.progress().part(), 1.0);
    }

    #[test]
    fn a_panic_is_an_outcome() {
        let mut job = Job::<()>::spawn("test", |_| panic!("two\nlines {}", 2));
        assert_eq!(job.wait(LONG), Some(Err("test: internal error: two lines 2".into())));
        let (send, ended) = channel();
        spawn_detached("other", || panic!("no"), move |outcome: Outcome<()>| send.send(outcome).unwrap());
        assert_eq!(ended.recv_timeout(LONG), Ok(Err("other: internal error: no".into())));
    }

    #[test]
    fn a_job_dropped_while_it_runs_is_cancelled() {
        let (send, ended) = channel();
        let job = Job::spawn("test", move |progress| {
            while !progress.is_cancelled() {
                std::thread::yield_now();
            }
            send.send(()).unwrap();
        });
        drop(job);
        assert_eq!(ended.recv_timeout(LONG), Ok(()));
    }
}
