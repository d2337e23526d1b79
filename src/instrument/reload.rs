//! Effect of an edited shader on its passes: times before and after, and texels that differ.

use crate::{
    base::text::{change, micros},
    base::timing::FrameTiming,
    gpu::{
        CapturePoint, Captured, Frame, Gpu, PassCapture, PassResource, PassResources, ReadBack, ResourceShape, Result,
        ShaderReload,
    },
    lab::{Change, ChangeVerdict, Spread},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// Version in use, phase by phase: the one after the edit is measured before and after the other, so that a drift of the clocks adds to
/// both. Equal contents in the first and the last phase prove that nothing else changed them.
const IS_AFTER: [bool; 3] = [true, false, true];
/// Timed frames of each phase.
const TIMED: [usize; 3] = [8, 16, 8];
/// The frame of a phase whose contents are read: its pipelines are in use.
const READ_FRAME: u32 = 3;
/// Frames of a phase at most: those in which the driver compiles do not count.
const FRAMES_MOST: u32 = 64;
/// Time of a phase at most, its first frames excluded.
const PHASE_MOST: Duration = Duration::from_secs(4);
/// Frames in which a pass that uses the shader is looked for.
const LISTED_FRAMES: u32 = 4;
/// Passes whose contents are compared.
const COMPARED_MOST: usize = 8;

/// A resource that is compared: number of bytes of a texel or word, and its contents by phase.
struct Compared {
    point: CapturePoint,
    name: String,
    unit: usize,
    is_image: bool,
    read: [Option<ReadBack>; 3],
}

/// A measurement in progress.
struct Run {
    reloads: Vec<ShaderReload>,
    /// Passes that use the shaders; empty until they are known.
    passes: BTreeSet<String>,
    compared: Vec<Compared>,
    /// Frames of a still picture lack them.
    repeats: bool,
    phase: usize,
    /// Recorded frames of the phase, and those that have ended.
    frames: u32,
    ended: u32,
    since: Instant,
    /// Phase of each recorded frame, by its number.
    phases: BTreeMap<u64, usize>,
    times: [Vec<f64>; 3],
}

/// Follows edits of shaders. Without one it records nothing.
#[derive(Default)]
pub struct ReloadWatch {
    run: Option<Run>,
    line: Option<String>,
}

impl ReloadWatch {
    /// Measures the effect of these reloads, together with those that are being measured.
    pub fn begin(&mut self, gpu: &Gpu, reloads: Vec<ShaderReload>) {
        let broken: BTreeSet<String> = gpu.shaders.errors().into_iter().map(|(name, _)| name).collect();
        let mut reloads: Vec<_> = reloads.into_iter().filter(|reload| !broken.contains(&reload.name)).collect();
        if reloads.is_empty() {
            return;
        }
        if let Some(run) = self.run.take() {
            let is_edited_again = |old: &ShaderReload| reloads.iter().any(|new| new.name == old.name);
            let others: Vec<_> = run.reloads.into_iter().filter(|old| !is_edited_again(old)).collect();
            if !IS_AFTER[run.phase] {
                others.iter().for_each(|reload| gpu.shaders.use_version(reload, true));
            }
            reloads.extend(others);
        }
        self.run = Some(Run {
            reloads,
            passes: BTreeSet::new(),
            compared: Vec::new(),
            repeats: false,
            phase: 0,
            frames: 0,
            ended: 0,
            since: Instant::now(),
            phases: BTreeMap::new(),
            times: Default::default(),
        });
    }

    /// Whether frames are measured: another one follows.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Whether the next frame must record passes that it could omit: those that use the shaders are among them.
    #[must_use]
    pub fn repeats_passes(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.repeats)
    }

    /// The result, once.
    pub fn take_line(&mut self) -> Option<String> {
        self.line.take()
    }

    /// Resources that the next frame must capture.
    #[must_use]
    pub fn points(&self) -> Vec<CapturePoint> {
        let is_due = |run: &&Run| !run.passes.is_empty() && run.frames == READ_FRAME;
        let run = self.run.as_ref().filter(is_due);
        run.map(|run| run.compared.iter().map(|one| one.point.clone()).collect()).unwrap_or_default()
    }

    /// After the passes of a frame, all of which are in `capture`.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn record(&mut self, frame: &mut Frame, capture: &PassCapture) -> Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        if run.passes.is_empty() {
            run.list(capture.passes());
            run.repeats |= run.passes.is_empty() && run.frames >= LISTED_FRAMES / 2;
            if run.passes.is_empty() && run.frames >= LISTED_FRAMES {
                self.line = Some(format!("{}: no pass of this frame uses it", run.title()));
                self.run = None;
            }
            return Ok(());
        }
        let ran = |pass: &String| capture.passes().iter().any(|known| known.pass == *pass);
        run.repeats |= !run.passes.iter().all(ran);
        run.phases.insert(frame.number(), run.phase);
        if run.frames == READ_FRAME {
            run.since = Instant::now();
            for (point, captured) in capture.captured() {
                let Some(one) = run.compared.iter_mut().find(|one| one.point == *point) else { continue };
                one.read[run.phase] = match captured {
                    Some(Captured::Image(image)) => Some(frame.read_image(&image.mip(0))?),
                    Some(Captured::Buffer(read)) => Some(read.clone()),
                    None => None,
                };
            }
        }
        run.frames += 1;
        Ok(())
    }

    /// Takes the timing of a finished frame, and goes on to the next phase when this one has enough.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn on_timing(&mut self, gpu: &Gpu, timing: &FrameTiming) -> Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        if let Some(phase) = run.phases.remove(&timing.frame) {
            run.ended += u32::from(phase == run.phase);
            let us = timing.passes.iter().filter(|pass| run.passes.contains(&pass.name)).map(|pass| pass.gpu_us);
            let whole = us.flatten().reduce(|a, b| a + b);
            run.times[phase].extend(whole.filter(|_| !timing.compiles));
        }
        let is_enough = run.times[run.phase].len() >= TIMED[run.phase];
        let is_late = run.ended >= FRAMES_MOST || run.since.elapsed() > PHASE_MOST;
        // Contents are read when their frame has ended.
        if run.passes.is_empty() || run.ended <= READ_FRAME || !(is_enough || is_late) {
            return Ok(());
        }
        if run.phase + 1 < IS_AFTER.len() {
            run.phase += 1;
            (run.frames, run.ended, run.since) = (0, 0, Instant::now());
            let is_after = IS_AFTER[run.phase];
            run.reloads.iter().for_each(|reload| gpu.shaders.use_version(reload, is_after));
        } else {
            self.line = Some(run.line()?);
            self.run = None;
        }
        Ok(())
    }
}

impl Run {
    /// Looks for the passes.
    fn list(&mut self, passes: &[PassResources]) {
        self.frames += 1;
        let uses = |pass: &&PassResources| {
            let shaders = || pass.pipelines.iter().flat_map(|pipeline| pipeline.shaders());
            self.reloads.iter().any(|reload| shaders().any(|shader| *shader == reload.name))
        };
        let found: Vec<&PassResources> = passes.iter().filter(uses).collect();
        if found.is_empty() {
            return;
        }
        self.passes = found.iter().map(|pass| pass.pass.clone()).collect();
        let points = self.passes.iter().filter_map(|name| {
            let mut resources = found.iter().filter(|pass| pass.pass == *name).flat_map(|pass| &pass.resources);
            compared(name, &mut resources)
        });
        self.compared = points.take(COMPARED_MOST).collect();
        (self.frames, self.since) = (0, Instant::now());
    }

    /// The edited file.
    fn title(&self) -> String {
        let files: BTreeSet<&str> = self.reloads.iter().map(|reload| reload.file.as_str()).collect();
        match files.len() {
            1 => files.into_iter().collect(),
            count => format!("{count} files"),
        }
    }

    fn line(&self) -> Result<String> {
        let passes = match self.passes.iter().next() {
            Some(only) if self.passes.len() == 1 => only.clone(),
            _ => format!("{} passes", self.passes.len()),
        };
        let mut after = [self.times[0].as_slice(), &self.times[2]].concat();
        let [before, after] = [&mut self.times[1].clone(), &mut after].map(|times| Spread::of(times));
        let times = if before.n == 0 || after.n == 0 { "not timed".into() } else { times_text(&before, &after) };
        let contents = self.compared.iter().map(Compared::text).collect::<Result<Vec<_>>>()?;
        let contents = if contents.is_empty() { "nothing to compare".into() } else { contents.join(", ") };
        Ok(format!("{}: {passes} {times}; {contents}", self.title()))
    }
}

/// `1.20 ms -> 0.98 ms (-18 %, between -0.25 ms and -0.19 ms)`.
fn times_text(before: &Spread, after: &Spread) -> String {
    let compared = Change::new(before, after);
    let both = format!("{} -> {}", micros(before.median), micros(after.median));
    match compared.verdict {
        ChangeVerdict::Noisy => format!("{both} (too noisy to tell)"),
        ChangeVerdict::Same => format!("{both} (the same within 3 % or 1 µs)"),
        ChangeVerdict::Slower | ChangeVerdict::Faster => {
            let [low, high] = compared.interval_us.map(micros);
            format!("{both} ({}, between {low} and {high})", change(compared.difference_us / before.median, 0))
        }
    }
}

/// What of a pass is compared: the first image that it writes, else the first buffer.
fn compared(pass: &str, resources: &mut dyn Iterator<Item = &PassResource>) -> Option<Compared> {
    let written: Vec<&PassResource> = resources.filter(|resource| resource.is_written).collect();
    let image = |one: &&&PassResource| matches!(one.shape, ResourceShape::Image { can_be_copied: true, .. });
    let buffer = |one: &&&PassResource| matches!(one.shape, ResourceShape::Buffer { .. });
    let chosen = written.iter().find(image).or_else(|| written.iter().find(buffer))?;
    let (unit, is_image) = match &chosen.shape {
        ResourceShape::Image { format, .. } => (format.bytes() as usize, true),
        ResourceShape::Buffer { .. } => (4, false),
    };
    let (point, name) = (CapturePoint::new(pass, &chosen.binding), chosen.name.clone());
    Some(Compared { point, name, unit, is_image, read: Default::default() })
}

impl Compared {
    fn text(&self) -> Result<String> {
        let what = if self.is_image { "texels" } else { "words" };
        let name = &self.name;
        let bytes = |phase: usize| self.read[phase].as_ref().map(ReadBack::read::<u8>).transpose();
        let (Some(first), Some(before), Some(last)) = (bytes(0)?, bytes(1)?, bytes(2)?) else {
            return Ok(format!("{name} was not read"));
        };
        if first != last {
            return Ok(format!("{name} changes from frame to frame by itself"));
        }
        let units = || before.chunks(self.unit).zip(last.chunks(self.unit));
        let differ = units().filter(|(before, after)| before != after).count();
        Ok(format!("{differ} of {} {what} of {name} differ", units().count()))
    }
}
