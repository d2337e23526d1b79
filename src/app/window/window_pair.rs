//! B beside A in the window: another state of the settings in the same frames.

use crate::presets::LoadedPreset;
use ab::{Pair, PairDifference, PairInput, PairLayout, PairTimes, TimeRow, split};
use anyhow::Result;
use base::job::Job;
use base::timing::FrameTiming;
use glam::Vec2;
use glass::GlassSettings;
use gpu::{Frame, Gpu, HotReload, ImageView, Shaders, SharedPipelines};
use lab::BreakInfo;
use renderer::{Background, FrameParams, LoadMode, Renderer, WorldLoader};
use scene::{Lens, LensGlass, Source};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use technique::{FrameRead, Output};
use techniques::Settings;
use ui::pair_state::PairState;

/// Least time between two comparisons of the pictures.
const COMPARE_EVERY: Duration = Duration::from_millis(400);
/// Enough for an interval, in a few seconds also on a software driver.
const MEASURED_FRAMES: u32 = 2 * 16;

pub struct WindowPair {
    b: Option<StateB>,
    rests: bool,
    /// It outlives a B: one that comes back is shown as before.
    layout: PairLayout,
    gpu: Arc<Gpu>,
    /// B has the pipelines that A already has.
    _pipelines: Arc<SharedPipelines>,
}

struct StateB {
    pair: Pair,
    side: SideB,
    shaders: Option<ShadersB>,
    times: PairTimes,
    rows: Vec<TimeRow>,
    techniques: Vec<TimeRow>,
    /// Settings of A and pixels of the window that the times are of.
    timed: Option<(Settings, Vec2)>,
    frames_left: u32,
    progress: Progress,
    comparison: Comparison,
    broken: Option<&'static BreakInfo>,
}

#[derive(Clone, Copy, Debug)]
struct Progress {
    /// The pictures are equal once both have begun in the same frame.
    awaits_step: bool,
    is_unfinished: bool,
    has_changed: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { awaits_step: true, is_unfinished: true, has_changed: true }
    }
}

#[derive(Clone, PartialEq)]
pub struct SideB {
    pub settings: Settings,
    pub glasses: Vec<LensGlass>,
    pub shaders: Option<PathBuf>,
    pub preset: Option<LoadedPreset>,
}

impl SideB {
    pub fn lay(&mut self, section: &str, values: toml::Table) -> Result<(), String> {
        let values = toml::Table::from_iter([(section.to_owned(), values.into())]);
        self.settings.lay(values.clone())?;
        self.glasses.iter_mut().for_each(|glass| GlassSettings::lay_over(&values, glass));
        Ok(())
    }
}

struct ShadersB {
    gpu: Arc<Gpu>,
    _hot_reload: Option<HotReload>,
}

#[derive(Default)]
struct Comparison {
    pending: Option<[FrameRead; 2]>,
    job: Option<Job<Result<PairDifference>>>,
    last: Option<PairDifference>,
    read: Option<(u64, Instant)>,
    newest: u64,
}

impl WindowPair {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let layout = PairLayout::Split(0.5);
        Self { b: None, rests: false, layout, gpu: gpu.clone(), _pipelines: gpu.share_pipelines() }
    }

    pub fn layout(&self) -> PairLayout {
        self.layout
    }

    /// `load` paints the built-in scenes of B; `changed` is called when a shader in its folder was edited. After an
    /// error B stays.
    pub fn follow(
        &mut self,
        side: Option<&SideB>,
        a: &Settings,
        load: impl Fn() -> LoadMode,
        changed: impl Fn() + Send + 'static,
    ) -> Result<()> {
        let Some(side) = side.cloned() else {
            self.b = None;
            return Ok(());
        };
        match &mut self.b {
            Some(b) if b.broken.is_none() && b.side.shaders == side.shaders => {
                b.side = side;
                b.forget();
                b.side.settings.scene.take_camera(&a.scene);
                if b.side.settings == *a {
                    b.progress = Progress::default();
                    b.pair.restart();
                }
            }
            _ => {
                let shaders = match &side.shaders {
                    Some(folder) => {
                        let gpu = self.gpu.with_shaders(folder, false)?;
                        let watched = HotReload::new(&gpu, folder, changed);
                        let _hot_reload =
                            watched.inspect_err(|why| log::info!("shaders of B are not watched: {why}")).ok();
                        Some(ShadersB { gpu, _hot_reload })
                    }
                    None => None,
                };
                self.b = Some(StateB::new(&self.gpu, side, shaders, load)?);
            }
        }
        Ok(())
    }

    /// B is A with something dropped.
    pub fn set_break(
        &mut self,
        broken: Option<&'static BreakInfo>,
        settings: Settings,
        load: impl Fn() -> LoadMode,
    ) -> Result<()> {
        let before = self.b.take_if(|b| b.broken.is_some());
        let Some(info) = broken else { return Ok(()) };
        let shaders = ShadersB { gpu: self.gpu.with_edits(info.edits), _hot_reload: None };
        if before.is_none() {
            self.layout = PairLayout::Lens;
        }
        let side = SideB { settings: settings.broken_by(info), glasses: Vec::new(), shaders: None, preset: None };
        let b = StateB::new(&self.gpu, side, Some(shaders), load)?;
        self.b = Some(StateB { broken, ..b });
        Ok(())
    }

    pub fn shaders(&self) -> Option<&Shaders> {
        Some(&self.b.as_ref()?.shaders.as_ref()?.gpu.shaders)
    }

    /// `of_a`: settings of another picture, and its pixels.
    pub fn set_pace(&mut self, rests: bool, of_a: Option<(&Settings, Vec2)>) {
        self.rests = rests;
        let Some((b, (settings, size))) = self.b.as_mut().zip(of_a) else { return };
        if let Some(broken) = b.broken {
            b.side.settings = settings.broken_by(broken);
        }
        if b.timed.as_ref().is_none_or(|(of, at)| of != settings || *at != size) {
            b.timed = Some((settings.clone(), size));
            b.time(b.frames_left > 0);
        }
    }

    pub fn set_layout(&mut self, layout: PairLayout) {
        self.layout = layout;
    }

    pub fn measure(&mut self) {
        self.b.iter_mut().for_each(|b| b.time(true));
    }

    pub fn is_on(&self) -> bool {
        self.b.is_some()
    }

    pub fn is_split(&self) -> bool {
        self.b.is_some() && matches!(self.layout, PairLayout::Split(_))
    }

    pub fn is_measuring(&self) -> bool {
        self.b.as_ref().is_some_and(|b| b.frames_left > 0)
    }

    pub fn renderer(&mut self) -> Option<&mut Renderer> {
        Some(self.b.as_mut()?.pair.renderer())
    }

    pub fn state(&self) -> Option<PairState<'_>> {
        let b = self.b.as_ref()?;
        let part = 1.0 - b.frames_left as f32 / MEASURED_FRAMES as f32;
        Some(PairState {
            is_ready: b.is_ready(),
            awaits_step: b.progress.awaits_step,
            is_unfinished: b.progress.is_unfinished,
            broken: b.broken.map(|broken| broken.of),
            edits_b: false,
            other: &b.side.settings,
            layout: self.layout,
            shaders: b.side.shaders.as_deref(),
            difference: b.comparison.last.as_ref(),
            rows: &b.rows,
            techniques: &b.techniques,
            measured_part: (b.frames_left > 0).then_some(part),
        })
    }

    pub fn record(
        &mut self,
        frame: &mut Frame,
        renderer: &mut Renderer,
        params: &FrameParams<'_>,
        is_new: bool,
        target: &ImageView,
    ) -> Result<()> {
        let Some(b) = &mut self.b else { return Ok(renderer.record(frame, params, target)?) };
        b.side.settings.scene.take_camera(&params.settings.scene);
        let settings = b.side.settings.clone();
        let settings = if self.rests { settings.resting() } else { settings };
        let is_ready = b.is_ready();
        let layout = match self.layout {
            _ if !is_ready || b.progress.awaits_step => PairLayout::OnlyA,
            PairLayout::Split(_) => PairLayout::Split(params.split),
            layout => layout,
        };
        let lenses = b.lenses(params.lenses, params.used.is_some());
        let other = FrameParams { settings: &settings, lenses: &lenses, ..*params };
        let changes = [renderer.changes(), b.pair.renderer_ref().changes()];
        let input = PairInput { renderer: &mut *renderer, a: params, b: &other, size_b: target.size(), layout };
        let [picture_a, picture_b] = b.pair.record(frame, input, target)?;
        let of_b = b.pair.renderer_ref();
        let has_changed = changes != [renderer.changes(), of_b.changes()];
        let is_unfinished = renderer.is_unfinished(params.settings) || of_b.is_unfinished(&b.side.settings);
        let awaits_step = !b.pair.is_comparable() && (is_unfinished || has_changed);
        b.progress = Progress { awaits_step, is_unfinished, has_changed };
        if is_new || has_changed {
            b.comparison.newest = frame.number();
        }
        if is_ready && !awaits_step { b.comparison.read(frame, [&picture_a, &picture_b]) } else { Ok(()) }
    }

    pub fn on_timing(&mut self, timing: &FrameTiming, a: &mut Renderer) -> Result<(FrameTiming, bool)> {
        let [own, _] = split(timing);
        let Some(b) = &mut self.b else {
            a.on_timing(&own)?;
            return Ok((own, false));
        };
        b.pair.on_timing(timing, a)?;
        let mut is_new = b.comparison.advance(timing.frame)?;
        if b.frames_left > 0 && b.is_ready() && !b.progress.awaits_step && !timing.compiles {
            match self.gpu.untimed() {
                Some(_) => b.times.push(&timing.clone().without_gpu_times()),
                None => b.times.push(timing),
            }
            b.frames_left -= 1;
            if b.frames_left == 0 {
                (b.rows, b.techniques) = (b.times.rows(), b.times.techniques());
            }
            is_new = true;
        }
        Ok((own, is_new))
    }

    pub fn due_in(&self) -> Option<Duration> {
        let b = self.b.as_ref()?;
        let renderer = b.pair.renderer_ref();
        if !b.is_ready() || renderer.is_incremental() || !b.pair.is_comparable() && b.progress.has_changed {
            return Some(Duration::ZERO);
        }
        let is_behind = b.comparison.pending.is_some() || b.comparison.job.is_some() || b.comparison.is_behind();
        is_behind.then_some(COMPARE_EVERY / 4)
    }

    pub fn is_unfinished(&self) -> bool {
        self.b.as_ref().is_some_and(|b| b.pair.renderer_ref().is_unfinished(&b.side.settings))
    }

    pub fn refinement(&self) -> Option<f32> {
        self.b.as_ref().and_then(|b| b.pair.renderer_ref().refinement(&b.side.settings))
    }
}

impl StateB {
    fn new(gpu: &Arc<Gpu>, side: SideB, shaders: Option<ShadersB>, load: impl Fn() -> LoadMode) -> Result<Self> {
        let gpu_b = shaders.as_ref().map_or(gpu, |shaders| &shaders.gpu);
        let pair = Pair::new([gpu, gpu_b], Background::new(None, load()), WorldLoader::new(None, load()))?;
        Ok(Self {
            pair,
            side,
            shaders,
            times: PairTimes::default(),
            rows: Vec::new(),
            techniques: Vec::new(),
            timed: None,
            frames_left: 0,
            progress: Progress::default(),
            comparison: Comparison::default(),
            broken: None,
        })
    }

    /// Pieces of a motif have one glass.
    fn lenses(&self, of_a: &[Lens], is_motif: bool) -> Vec<Lens> {
        let SideB { settings, glasses, .. } = &self.side;
        // Lenses added since B was pinned have B's glass; a break has A's everywhere.
        let beyond = (!glasses.is_empty()).then(|| settings.glass.lens_glass());
        let glass = |index: usize, lens: &Lens| {
            glasses.get(if is_motif { 0 } else { index }).copied().or(beyond).unwrap_or(lens.glass)
        };
        of_a.iter().enumerate().map(|(index, lens)| Lens { glass: glass(index, lens), ..*lens }).collect()
    }

    fn is_ready(&self) -> bool {
        let world = self.pair.renderer_ref().last_frame().map(|(_, context)| context.world.is_some());
        let has_picture = || self.pair.renderer_ref().changes() > 0;
        world == Some(true) || self.side.settings.scene.source == Source::Picture && has_picture()
    }

    fn forget(&mut self) {
        self.comparison = Comparison::default();
        self.time(false);
    }

    /// From the beginning, or not at all.
    fn time(&mut self, measures: bool) {
        (self.rows, self.techniques) = Default::default();
        self.frames_left = if measures { MEASURED_FRAMES } else { 0 };
        self.times.clear();
    }
}

impl Comparison {
    fn read(&mut self, frame: &mut Frame, [a, b]: [&ImageView; 2]) -> Result<()> {
        let is_due = self.read.is_none_or(|(_, at)| at.elapsed() >= COMPARE_EVERY);
        if is_due && self.is_behind() && self.pending.is_none() && self.job.is_none() {
            self.pending = Some([Output::from(a).read(frame)?, Output::from(b).read(frame)?]);
            self.read = Some((frame.number(), Instant::now()));
        }
        Ok(())
    }

    fn is_behind(&self) -> bool {
        self.read.is_none_or(|(frame, _)| frame < self.newest)
    }

    fn advance(&mut self, ended: u64) -> Result<bool> {
        if let Some([a, b]) = self.pending.take_if(|reads| reads[0].frame() <= ended) {
            let pictures = [a.picture()?, b.picture()?];
            self.job = Some(Job::spawn("compare A and B", move |_| PairDifference::of(pictures)));
        }
        let Some(outcome) = self.job.as_mut().and_then(Job::poll) else { return Ok(false) };
        self.job = None;
        if let Ok(Ok(difference)) = outcome {
            self.last = Some(difference);
        }
        Ok(true)
    }
}
