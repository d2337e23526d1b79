//! Break in the window, and the check that notices it.

use super::user_event::UserEvent;
use crate::base::job::{self, Job};
use crate::gpu::{Gpu, Options, ShaderEdit};
use crate::lab::{Break, BreakInfo, Check, Effort, TestBench};
use crate::suites;
use crate::techniques::{self, Info, Settings};
use crate::ui::{BreakState, CheckRun};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use winit::event_loop::EventLoopProxy;

/// The break, and its check.
pub struct WindowBreak {
    now: Option<(&'static Info, &'static BreakInfo)>,
    /// Settings that it needs to show.
    lacks: Vec<&'static str>,
    /// `technique/check`.
    check: String,
    run: CheckRun,
    job: Option<(Job<CheckRun>, Receiver<[usize; 2]>)>,
    device: String,
    wake: EventLoopProxy<UserEvent>,
}

impl WindowBreak {
    /// Nothing is dropped. `device`: name of the window's, for the check.
    pub fn new(device: &str, wake: EventLoopProxy<UserEvent>) -> Self {
        Self {
            now: None,
            lacks: Vec::new(),
            check: String::new(),
            run: CheckRun::Idle,
            job: None,
            device: device.to_owned(),
            wake,
        }
    }

    /// What is dropped.
    pub fn of(&self) -> Break {
        self.now.map_or(Break::None, |(_, info)| info.of)
    }

    /// Drops something else, or nothing; returns its description. A check that runs is cancelled.
    pub fn set(&mut self, of: Break) -> Option<&'static BreakInfo> {
        self.now = techniques::broken(of);
        self.check = self.now.map_or(String::new(), |(info, broken)| format!("{}/{}", info.id, broken.check));
        (self.run, self.job) = (CheckRun::Idle, None);
        self.now.map(|(_, broken)| broken)
    }

    /// For the panels; `settings`: those of the window.
    pub fn state(&mut self, settings: &Settings) -> Option<BreakState<'_>> {
        let (_, info) = self.now?;
        self.lacks = settings.lacks(info.shows_with);
        let BreakInfo { of, look_for, .. } = *info;
        Some(BreakState { of, sentence: of.doc(), look_for, check: &self.check, lacks: &self.lacks, run: &self.run })
    }

    /// The settings with what it needs to show.
    pub fn shown_in(&self, settings: &Settings) -> Settings {
        let lacks = self.now.map_or(Vec::new(), |(_, info)| settings.lacks(info.shows_with));
        settings.with_arguments(&lacks)
    }

    /// Runs the check with the broken shaders.
    pub fn run_check(&mut self) {
        let Some((info, broken)) = self.now else { return };
        let Some(check) = suites::checks(info).into_iter().find(|check| check.name == broken.check) else { return };
        let (send, cases) = channel();
        let (device, wake, ended) = (self.device.clone(), self.wake.clone(), self.wake.clone());
        let edits = broken.edits;
        let job = Job::spawn("check", move |progress| run(&check, edits, device, progress, &send, &wake));
        // Fails only if the window was closed meanwhile.
        job.on_end(move || drop(ended.send_event(UserEvent::Measured)));
        (self.run, self.job) = (CheckRun::Running { done: 0, of: 0 }, Some((job, cases)));
    }

    /// Takes what is finished of the check.
    pub fn update(&mut self) {
        let Some((job, cases)) = &mut self.job else { return };
        if let Some(ended) = job.poll() {
            (self.run, self.job) = (ended.unwrap_or_else(CheckRun::Refused), None);
        } else if let Some([done, of]) = cases.try_iter().last() {
            self.run = CheckRun::Running { done, of };
        }
    }
}

/// The first case that fails ends it.
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
        // Both fail only if the window was closed meanwhile.
        let is_closed = cases.send([done, outcome.cases]).is_err() || wake.send_event(UserEvent::Measured).is_err();
        if failed.is_some() || is_closed || progress.is_cancelled() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    failed.unwrap_or(CheckRun::Passed { cases: done })
}
