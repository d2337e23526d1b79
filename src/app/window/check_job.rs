//! Check that an instrument requests: it runs on a device of its own, next to the window.

use super::user_event::UserEvent;
use base::job::{self, Job};
use gpu::{Gpu, Options, ShaderEdit};
use instrument::{CheckRequest, CheckRun};
use lab::{Check, Effort, TestBench};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use winit::event_loop::EventLoopProxy;

pub struct CheckJob {
    asked: Option<CheckRequest>,
    run: CheckRun,
    job: Option<(Job<CheckRun>, Receiver<[usize; 2]>)>,
    device: String,
    wake: EventLoopProxy<UserEvent>,
}

impl CheckJob {
    pub fn new(device: &str, wake: EventLoopProxy<UserEvent>) -> Self {
        Self { asked: None, run: CheckRun::Idle, job: None, device: device.to_owned(), wake }
    }

    /// What was requested on the last device is over.
    pub fn move_to(&mut self, device: &str) {
        (self.device, self.run, self.job) = (device.to_owned(), CheckRun::Idle, None);
    }

    pub fn state(&self) -> &CheckRun {
        &self.run
    }

    /// Whether its state is another one.
    pub fn follow(&mut self, asked: Option<CheckRequest>) -> bool {
        if std::mem::replace(&mut self.asked, asked) == asked {
            return false;
        }
        (self.run, self.job) = (CheckRun::Idle, None);
        asked.into_iter().for_each(|asked| self.start(asked));
        true
    }

    fn start(&mut self, asked: CheckRequest) {
        let Some((info, broken)) = techniques::broken(asked.of) else { return };
        let Some(check) = suites::checks(info).into_iter().find(|check| check.name == broken.check) else { return };
        let (send, cases) = channel();
        let (device, wake, ended) = (self.device.clone(), self.wake.clone(), self.wake.clone());
        let edits = if asked.is_mended { &[] } else { broken.edits };
        let job = Job::spawn("check", move |progress| run(&check, edits, device, progress, &send, &wake));
        job.on_end(move || drop(ended.send_event(UserEvent::Measured)));
        (self.run, self.job) = (CheckRun::Running { done: 0, of: 0 }, Some((job, cases)));
    }

    pub fn update(&mut self) {
        let Some((job, cases)) = &mut self.job else { return };
        if let Some(ended) = job.poll() {
            (self.run, self.job) = (ended.unwrap_or_else(CheckRun::Refused), None);
        } else if let Some([done, of]) = cases.try_iter().last() {
            self.run = CheckRun::Running { done, of };
        }
    }
}

fn run(
    check: &Check,
    edits: &'static [ShaderEdit],
    device: String,
    progress: &job::Progress,
    cases: &Sender<[usize; 2]>,
    wake: &EventLoopProxy<UserEvent>,
) -> CheckRun {
    let opened = Gpu::new(&Options { gpu: Some(device), ..Options::default() }).map(|gpu| gpu.with_edits(edits));
    let mut bench = match opened.and_then(|gpu| TestBench::on(&gpu)) {
        Ok(bench) => bench,
        Err(why) => return CheckRun::Refused(why.to_string()),
    };
    let (mut done, mut failed) = (0, None);
    check.run_until(&mut bench, Effort::Quick, &mut |outcome| {
        done += 1;
        if !outcome.verdict.passed {
            failed = Some(CheckRun::Failed { case: outcome.case, text: outcome.verdict.text });
        }
        let is_closed = cases.send([done, outcome.cases]).is_err() || wake.send_event(UserEvent::Measured).is_err();
        if failed.is_some() || is_closed || progress.is_cancelled() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    failed.unwrap_or(CheckRun::Passed { cases: done })
}
