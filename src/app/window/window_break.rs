//! Break in the window, and the check that notices it.

use super::user_event::UserEvent;
use base::job::{self, Job};
use gpu::{Gpu, Options, ShaderEdit};
use lab::{Break, BreakInfo, Check, Effort, TestBench};

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use technique::Info;
use techniques::Settings;
use ui::{BreakState, CheckRun};
use winit::event_loop::EventLoopProxy;

pub struct WindowBreak {
    now: Option<(&'static Info, &'static BreakInfo)>,
    lacks: Vec<&'static str>,
    check: String,
    run: CheckRun,
    job: Option<(Job<CheckRun>, Receiver<[usize; 2]>)>,
    device: String,
    wake: EventLoopProxy<UserEvent>,
}

impl WindowBreak {
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

    pub fn of(&self) -> Break {
        self.now.map_or(Break::None, |(_, info)| info.of)
    }

    pub fn set(&mut self, of: Break) -> Option<&'static BreakInfo> {
        self.now = techniques::broken(of);
        self.check = self.now.map_or(String::new(), |(info, broken)| format!("{}/{}", info.id, broken.check));
        (self.run, self.job) = (CheckRun::Idle, None);
        self.now.map(|(_, broken)| broken)
    }

    pub fn state(&mut self, settings: &Settings) -> Option<BreakState<'_>> {
        let (_, info) = self.now?;
        self.lacks = settings.lacks(info.shows_with);
        let BreakInfo { of, look_for, .. } = *info;
        Some(BreakState { of, sentence: of.doc(), look_for, check: &self.check, lacks: &self.lacks, run: &self.run })
    }

    pub fn shown_in(&self, settings: &Settings) -> Settings {
        let lacks = self.now.map_or(Vec::new(), |(_, info)| settings.lacks(info.shows_with));
        settings.with_arguments(&lacks)
    }

    pub fn run_check(&mut self) {
        let Some((info, broken)) = self.now else { return };
        let Some(check) = suites::checks(info).into_iter().find(|check| check.name == broken.check) else { return };
        let (send, cases) = channel();
        let (device, wake, ended) = (self.device.clone(), self.wake.clone(), self.wake.clone());
        let edits = broken.edits;
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
