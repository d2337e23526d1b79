//! Frame sequence from the scene to the target.

use super::{
    Background,
    active_view::{ActiveView, ViewPlacement},
    clip_upload::ClipUpload,
    plan::{FramePlan, Repeat},
    strip::Strip,
    subject::subject,
    targets::Targets,
    world::{WorldRenderer, measures_world},
    world_loader::WorldLoader,
};
use base::timing::FrameTiming;
use downsample::{Downsample, DownsampleInput};
use glam::{UVec2, Vec2};
use glass::{GlassSettings, GlassStack, LiquidGlass, SceneLight};
use gpu::{Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterPipeline, Result};
use mip_chain::Filter;
use pixel_sort::{Keys, PixelSort};
use reflections::{Rate, Reflections, SAMPLES_APART};
use scene::{GlassPanel, Lens, Press, Rerun, Source, motif::UseFrame, world::Viewpoint};
use std::sync::Arc;
use technique::{FrameContext, Report, Stage, Technique as _, WorldFrame};
use techniques::{Settings, Techniques};

/// Besides the target.
pub struct FrameParams<'a> {
    pub settings: &'a Settings,
    /// Bottom one first; pixels.
    pub lenses: &'a [Lens],
    pub plates: &'a [GlassPanel],
    /// Opaque panels: low and high corners, pixels.
    pub sheets: &'a [[Vec2; 2]],
    pub press: Option<Press>,
    /// A motif of use, whose pieces `lenses` are.
    pub used: Option<&'a UseFrame>,
    pub view: Option<ActiveView>,
    /// 0 (left) to 1 (right).
    pub split: f32,
    /// Pixels per unit of the settings' lengths.
    pub scale: f32,
    /// After one second all animations have ended.
    pub seconds: f32,
    /// Of the world's centre, from the picture's middle, in halves of its sides, right and down.
    pub center: Vec2,
    pub drifted_s: f32,
    pub plan: FramePlan,
}

impl<'a> FrameParams<'a> {
    pub fn of(settings: &'a Settings, lenses: &'a [Lens]) -> Self {
        Self {
            settings,
            lenses,
            plates: &[],
            sheets: &[],
            press: None,
            used: None,
            view: None,
            split: 0.5,
            scale: 1.0,
            seconds: 1.0,
            center: Vec2::ZERO,
            drifted_s: 0.0,
            plan: FramePlan::WHOLE,
        }
    }

    pub(super) fn views_world(&self) -> bool {
        self.view.is_some_and(|view| self.settings.views_world(view.technique))
    }

    pub(super) fn draws_world(&self) -> bool {
        self.settings.scene.source == Source::World || self.views_world()
    }
}

pub struct Renderer {
    pub(super) gpu: Arc<Gpu>,
    pub(super) techniques: Techniques,
    pub(super) show: PipelineCache<Format, RasterPipeline>,
    pub(super) targets: Targets,
    pub(super) background: Background,
    pub(super) clip: ClipUpload,
    pub(super) strip: Strip,
    pub(super) world: WorldRenderer,
    pub(super) below: Below,
    pub(super) toned: Option<ImageView>,
    context: Option<FrameContext>,
    /// [`changes`](Self::changes) of the renderer that draws the picture under the glass; `None`: its own.
    shared: Option<u64>,
    reads_outputs: bool,
    pub(super) chain: ChainState,
}

#[derive(Default)]
pub(super) struct Below {
    pub is_world: bool,
    pub has_particles: bool,
    pub changes: u64,
    pub is_clip: bool,
    pub is_new: bool,
}

#[derive(Clone)]
pub struct Backdrop {
    picture: Image,
    world: Option<WorldFrame>,
    light: Option<SceneLight>,
    changes: u64,
    is_new: bool,
}

pub(super) struct ChainState {
    pub filter: Filter,
    /// Pixels of level 0: left, top, right, bottom; `None`: all.
    region: Option<[i32; 4]>,
}

impl ChainState {
    fn has(&self, region: Option<[i32; 4]>) -> bool {
        let contains = |has: [i32; 4], part: [i32; 4]| {
            has[0] <= part[0] && has[1] <= part[1] && has[2] >= part[2] && has[3] >= part[3]
        };
        self.region.is_none_or(|has| region.is_some_and(|part| contains(has, part)))
    }
}

impl Renderer {
    pub fn new(gpu: &Arc<Gpu>, background: Background, worlds: WorldLoader) -> Result<Self> {
        let techniques = Techniques::new(gpu)?;
        let targets = Targets::new(gpu);
        Ok(Self {
            gpu: gpu.clone(),
            techniques,
            show: PipelineCache::default(),
            targets,
            background,
            clip: ClipUpload::default(),
            strip: Strip::default(),
            world: WorldRenderer::new(worlds),
            below: Below::default(),
            toned: None,
            context: None,
            shared: None,
            reads_outputs: false,
            chain: ChainState { filter: Filter::Tent, region: None },
        })
    }

    pub fn restart(&mut self) {
        self.world.restart();
        self.techniques.restart(&|_| true);
    }

    pub fn restart_technique(&mut self, technique: &str) {
        self.techniques.restart(&|id| id == technique);
    }

    pub fn glass(&self) -> &LiquidGlass {
        &self.techniques.glass
    }

    pub fn background(&mut self) -> &mut Background {
        &mut self.background
    }

    pub fn worlds(&mut self) -> &mut WorldLoader {
        &mut self.world.worlds
    }

    pub fn home(&self) -> Viewpoint {
        self.world.home
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.world.on_timing(timing);
        #[cfg(feature = "lab")]
        self.read_times(timing)?;
        self.techniques.on_timing(timing)?;
        #[cfg(feature = "lab")]
        self.mark_compared();
        Ok(())
    }

    pub fn is_comparing(&mut self) -> bool {
        self.techniques.is_comparing()
    }

    pub fn measures_bounces(&self) -> bool {
        self.techniques.reflections.is_measuring()
    }

    pub fn redraws_to_measure(&self) -> bool {
        measures_world(&self.techniques)
    }

    pub fn is_measuring(&self) -> bool {
        self.techniques.wants_frame() || self.below.is_world && self.world.is_compared()
    }

    pub fn is_unfinished(&self, settings: &Settings) -> bool {
        let gathers = || self.world.is_gathering(&self.techniques, settings);
        let is_behind = self.world.reprojected_to().is_some();
        self.below.is_world && (is_behind || self.techniques.reflections.is_unfinished() || gathers())
    }

    /// Finished part of the samples and mirror rays, 0 to 1.
    pub fn refinement(&self, settings: &Settings) -> Option<f32> {
        if !self.is_unfinished(settings) {
            return None;
        }
        if self.world.reprojected_to().is_some() {
            return Some(0.0);
        }
        let techniques = &self.techniques;
        let samples = [techniques.antialias.samples_at_rest(), settings.antialias.samples];
        let samples = if self.world.gathers() { samples } else { [0; 2] };
        Some(refined(samples, techniques.reflections.traced_part()))
    }

    pub fn changes(&self) -> u64 {
        self.below.changes
    }

    pub fn is_incremental(&self) -> bool {
        self.world.is_making()
    }

    /// Progress of a world's first picture, 0 to 1, while it takes several frames.
    pub fn beginning(&self) -> Option<f32> {
        self.world.beginning()
    }

    pub fn reports(&self, settings: &Settings) -> Vec<(&'static str, Report)> {
        let mut all = self.techniques.tables(settings, self.below.is_world);
        all.extend(self.world.table().filter(|_| self.below.is_world));
        all.extend(self.rays_in_motion(settings).filter(|_| self.below.is_world).map(|(rate, why)| {
            let (title, head) = ("Mirrors in motion".into(), vec!["rays", "reason"]);
            (Reflections::ID, Report { title, head, rows: vec![vec![rate.title(), why]] })
        }));
        all
    }

    pub fn rays_in_motion(&self, settings: &Settings) -> Option<(Rate, String)> {
        let has_queues = self.techniques.reflections.has_queues(&settings.reflections);
        self.world.moving_plan()?.rays_in_motion(settings, has_queues)
    }

    pub fn shared_rays(&self) -> Option<bool> {
        self.techniques.reflections.shared_rays()
    }

    pub fn forget_world(&mut self) {
        self.world.restart();
    }

    pub fn subject(&self, settings: &Settings) -> String {
        let has_file = [self.background.has_file(), self.world.worlds.has_file()];
        subject(settings, self.targets.size(), has_file, self.world.state().filter(|_| self.below.is_world))
    }

    /// Views with several parts stay left of and above this point, where no panel is.
    pub fn keep_within(&mut self, free_px: UVec2) {
        self.techniques.summed_area.keep_within(free_px);
    }

    pub fn prepare_outputs(&mut self, wanted: &[(&str, &str)]) {
        self.reads_outputs = !wanted.is_empty();
        self.techniques.prepare_outputs(wanted);
    }

    /// Valid until another frame is recorded; before the GPU has finished only for passes of that frame.
    pub fn last_frame(&self) -> Option<(&Techniques, &FrameContext)> {
        Some((&self.techniques, self.context.as_ref()?))
    }

    pub fn record(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        let backdrop = self.record_backdrop(frame, params, target)?;
        self.record_over(frame, params, &backdrop, target)
    }

    pub fn record_backdrop(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        target: &ImageView,
    ) -> Result<Backdrop> {
        #[cfg(feature = "lab")]
        self.begin_comparisons(frame.number());
        if self.shared.take().is_some() {
            self.targets.drop_background();
            self.background.forget();
            self.below.is_world = false;
        }
        let is_new = self.draw_backdrop(frame, params, target)?;
        self.below.changes += u64::from(is_new);
        let world = self.world.drawn().filter(|_| params.draws_world()).cloned();
        let (picture, light) = (self.targets.background()?.picture.clone(), self.techniques.glass.light);
        Ok(Backdrop { picture, world, light, changes: self.below.changes, is_new })
    }

    pub fn share_backdrop(&mut self, target: &ImageView, backdrop: &Backdrop) -> Result<Backdrop> {
        self.targets.fit(target);
        self.targets.share_background(&backdrop.picture)?;
        let is_first = self.shared.is_none();
        let is_new = self.shared.replace(backdrop.changes) != Some(backdrop.changes);
        if is_first {
            #[cfg(feature = "lab")]
            self.techniques.comparisons.glass.forget();
        }
        self.below = Below { changes: self.below.changes + u64::from(is_new), ..Below::default() };
        self.techniques.glass.light = backdrop.light;
        Ok(Backdrop { is_new, ..backdrop.clone() })
    }

    /// Equal pictures under the glass of two frames of one size: one renderer can draw it for both.
    pub fn shares_backdrop(a: &FrameParams<'_>, b: &FrameParams<'_>) -> bool {
        let dependencies = |params: &FrameParams<'_>| {
            let settings = params.settings;
            let shift_px = params.used.map(|used| used.shift_px);
            (
                Settings { particles: settings.particles.clone(), ..settings.of_stage(Stage::World) },
                params.plan,
                shift_px,
            )
        };
        let is_from_one_place = a.center == b.center && a.drifted_s == b.drifted_s && a.seconds == b.seconds;
        is_from_one_place && !a.views_world() && !b.views_world() && dependencies(a) == dependencies(b)
    }

    pub fn adopt_glass(&mut self, other: &Self) {
        self.techniques.glass.adopt_adaptation(&other.techniques.glass);
    }

    pub fn record_over(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        backdrop: &Backdrop,
        target: &ImageView,
    ) -> Result<()> {
        let (settings, is_new) = (params.settings, backdrop.is_new);
        self.below.is_new = is_new;
        self.set_subject(frame, settings);
        let picture = self.targets.background()?.picture.mip(0);
        // The text of a motif has veils of its own pieces.
        let unshaded = params.used.map(|_| GlassSettings { legible: false, ..settings.glass.clone() });
        let glass = unshaded.as_ref().unwrap_or(&settings.glass);
        let stack = GlassStack::new(glass, params.lenses, params.scale, picture.size());
        self.reduce(frame, params, &stack, is_new)?;
        #[cfg(feature = "lab")]
        self.time_methods(frame, settings, &picture)?;
        if settings.summed_area.every_frame {
            self.techniques.summed_area.record(frame, &settings.summed_area, &picture)?;
        }
        #[cfg(feature = "histogram")]
        self.techniques.histogram.record(frame, &settings.histogram, &picture)?;
        self.techniques.glass.pass_time(params.seconds);
        self.sort_cells(frame, params, target)?;
        let context = self.context(frame, params, backdrop.world.clone())?;
        if settings.scene.rerun.includes(Rerun::Downsample) || self.reads_outputs {
            self.techniques.downsample.record(frame, &settings.downsample, &DownsampleInput::of(&context))?;
        }
        let shows_contrast = params.view.is_some_and(|view| view.view.name == glass::TEXT_CONTRAST.name);
        let has_marks = shows_contrast || params.view.is_none_or(|view| view.place != ViewPlacement::Full);
        let marks = params.used.filter(|_| has_marks);
        let marked = marks.map(|used| self.targets.ground().map(|ground| (used, ground.mip(0)))).transpose()?;
        let onto = marked.as_ref().map_or(target, |(_, ground)| ground);
        match params.view {
            None => self.present(frame, params, &stack, onto, None)?,
            Some(view) => self.present_view(frame, params, &stack, view, &context, onto)?,
        }
        match &marked {
            Some((used, ground)) => {
                self.techniques.glass.inks.vote(frame, &used.marks, settings.glass.legible, ground)?;
                self.show(frame, "renderer/ground", ground, target, None)?;
                if shows_contrast {
                    self.techniques.glass.inks.draw_contrast(frame, ground, target)?;
                }
                self.techniques.glass.inks.draw(frame, target)?;
            }
            None => self.techniques.glass.inks.forget(),
        }
        #[cfg(feature = "lab")]
        self.compare_blurs(frame, params)?;
        self.context = Some(context);
        Ok(())
    }

    fn set_subject(&mut self, frame: &Frame, settings: &Settings) {
        if self.techniques.is_comparing() {
            let subject = self.subject(settings);
            self.techniques.set_subject(frame.number(), &subject, settings, self.below.is_world);
        }
    }

    /// The whole chain if a view, a measurement or an output reads it, else what the glass reads.
    fn reduce(&mut self, frame: &mut Frame, params: &FrameParams<'_>, stack: &GlassStack, is_new: bool) -> Result<()> {
        let settings = params.settings;
        let is_whole = params.view.is_some() || self.reads_outputs;
        #[cfg(feature = "lab")]
        let is_whole = is_whole || self.techniques.comparisons.glass.comparison.is_active();
        let needs = stack.needs(self.targets.size(), !params.plates.is_empty());
        let levels = if is_whole { u32::MAX } else { needs.levels };
        let is_remade = self.targets.fit_levels(settings.mip_chain.levels.min(levels))?;
        let background = self.targets.background()?;
        let again = is_new || is_remade || settings.scene.rerun.includes(Rerun::MipChain);
        let region = needs.region.filter(|_| !is_whole && !settings.scene.rerun.includes(Rerun::Downsample));
        let has_all = self.chain.has(region);
        if again || !has_all || params.plan.repeat != Repeat::Nothing {
            let region = match (again, has_all) {
                (true, _) => region,
                // A lens that leaves the valid region is being moved: it will need all of it.
                (false, false) => None,
                (false, true) => self.chain.region,
            };
            let (picture, chain) = (background.picture.mip(0), &background.chain);
            let mips = &self.techniques.mip_chain;
            let is_part = mips.record_near(frame, &settings.mip_chain, &picture, chain, region)?;
            self.chain = ChainState { filter: settings.mip_chain.filter, region: region.filter(|_| is_part) };
        }
        Ok(())
    }

    fn sort_cells(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        let (settings, sort) = (params.settings, &mut self.techniques.pixel_sort);
        let is_viewed = params.view.is_some_and(|view| view.technique == PixelSort::ID);
        if settings.scene.rerun.includes(Rerun::PixelSort) && !settings.views_world(PixelSort::ID) && !is_viewed {
            let ids = sort.input(frame, &settings.pixel_sort, target.size())?;
            sort.record(frame, &settings.pixel_sort, &ids, Keys::Whole)?;
        }
        Ok(())
    }

    fn context(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        world: Option<WorldFrame>,
    ) -> Result<FrameContext> {
        let (settings, lenses, scale) = (params.settings, params.lenses.to_vec(), params.scale);
        let background = self.targets.background()?;
        let (picture, chain) = (background.picture.mip(0), background.chain.clone());
        let chain_is_tent = settings.mip_chain.filter == Filter::Tent;
        let viewed = |id| params.view.filter(|view| view.technique == id);
        let is_reduced = settings.scene.rerun.includes(Rerun::Downsample) || self.reads_outputs;
        let of_view = !is_reduced && viewed(Downsample::ID).is_some();
        let sums = match downsample::sums_request(&settings.downsample, &picture).filter(|_| is_reduced || of_view) {
            Some(wanted) => {
                let sums = &mut self.techniques.summed_area;
                frame.for_view(of_view, |frame| sums.sums(frame, &settings.summed_area, wanted))?
            }
            None => None,
        };
        Ok(FrameContext { picture, chain, chain_is_tent, lenses, scale, world, sums })
    }
}

/// Each tracing counts as much as the samples that share it.
fn refined([taken, of]: [u32; 2], traced: Option<f32>) -> f32 {
    let taken = taken.min(of);
    let Some(traced) = traced else { return taken as f32 / of.max(1) as f32 };
    let tracings = |samples: u32| 1 + samples.min(of.saturating_sub(1)).saturating_sub(1) / SAMPLES_APART;
    let all = of + SAMPLES_APART * tracings(of);
    let done = taken as f32 + SAMPLES_APART as f32 * ((tracings(taken) - 1) as f32 + traced);
    (done / all as f32).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::refined;

    #[test]
    fn refinement_grows_until_all_samples_and_mirrors_are_there() {
        for of in [1, 2, 5, 6, 7, 16, 64] {
            let mut last = -1.0;
            let mut grows = |part: f32| {
                assert!(part > last && part <= 1.0, "{part} after {last}, {of} samples");
                last = part;
            };
            for taken in 1..=of {
                let begins = taken == 1 || taken > 5 && taken % 5 == 1 && taken < of;
                let parts: &[f32] = if begins { &[0.0, 0.3, 1.0] } else { &[1.0] };
                parts.iter().for_each(|part| grows(refined([taken, of], Some(*part))));
            }
            assert_eq!(last, 1.0, "{of} samples");
            assert_eq!([0, of].map(|taken| refined([taken, of], None)), [0.0, 1.0]);
        }
        assert_eq!([0.0, 0.25, 1.0].map(|part| refined([0, 0], Some(part))), [0.0, 0.25, 1.0], "no samples are joined");
    }
}
