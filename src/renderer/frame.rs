//! Frame sequence from the scene to the target. It contains no Vulkan.

use super::{
    Background, clip_upload::ClipUpload, downsample_inputs::DownsampleInputs, params::FrameParams, sort_payoff::sample,
    subject::subject, targets::Targets, world::WorldRenderer, world_loader::WorldLoader,
};
use crate::{
    base::timing::FrameTiming,
    gpu::{Format, Frame, Gpu, ImageView, PipelineCache, RasterPipeline, Result},
    scene::{Rerun, world::Viewpoint},
    techniques::{
        FrameContext, Report, Settings, Technique as _, Techniques,
        downsample::{self, Downsample, DownsampleInput, MethodInputs},
        glass::LiquidGlass,
        mip_chain::Filter,
        pixel_sort::{Keys, PixelSort},
    },
};
use glam::UVec2;
use std::sync::Arc;

/// State that outlives a frame.
pub struct Renderer {
    pub(super) gpu: Arc<Gpu>,
    pub(super) techniques: Techniques,
    pub(super) show: PipelineCache<Format, RasterPipeline>,
    pub(super) targets: Targets,
    pub(super) background: Background,
    pub(super) clip: ClipUpload,
    pub(super) world: WorldRenderer,
    pub(super) below: Below,
    /// The world's last drawn picture, while it is reprojected.
    pub(super) toned: Option<ImageView>,
    /// Results of the last frame.
    context: Option<FrameContext>,
    /// Outputs are read.
    reads_outputs: bool,
    chain: ChainState,
}

/// Picture under the glass and the panels.
#[derive(Default)]
pub(super) struct Below {
    /// It is the last drawn world.
    pub is_world: bool,
    /// It contains particles.
    pub has_particles: bool,
    /// Frames in which it was drawn again.
    pub changes: u64,
    /// It is a frame of a clip.
    pub is_clip: bool,
}

/// Mip chain of the picture.
struct ChainState {
    filter: Filter,
    /// Valid region of level 0: left, top, right, bottom; pixels. `None`: all of it.
    region: Option<[i32; 4]>,
}

impl ChainState {
    /// Whether `region`, or all of it, is valid.
    fn has(&self, region: Option<[i32; 4]>) -> bool {
        let contains = |has: [i32; 4], part: [i32; 4]| {
            has[0] <= part[0] && has[1] <= part[1] && has[2] >= part[2] && has[3] >= part[3]
        };
        self.region.is_none_or(|has| region.is_some_and(|part| contains(has, part)))
    }
}

impl Renderer {
    /// Creates every pipeline that does not depend on the target's format.
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
            world: WorldRenderer::new(worlds),
            below: Below::default(),
            toned: None,
            context: None,
            reads_outputs: false,
            chain: ChainState { filter: Filter::Tent, region: None },
        })
    }

    /// Forgets what outlives a frame and changes a picture: two renderers that restart in one frame are equal from then on.
    pub fn restart(&mut self) {
        self.world.restart();
        self.techniques.restart();
    }

    /// Source of the background picture.
    pub fn background(&mut self) -> &mut Background {
        &mut self.background
    }

    /// Source of the world.
    pub fn worlds(&mut self) -> &mut WorldLoader {
        &mut self.world.worlds
    }

    /// Initial viewpoint of the world.
    #[must_use]
    pub fn home(&self) -> Viewpoint {
        self.world.resident().map_or_else(Viewpoint::default, |resident| resident.world.viewpoint)
    }

    /// Takes the techniques' measurements from a finished frame.
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.world.on_timing(timing);
        if let Some((sort_us, shading_us)) = sample(timing).filter(|_| !timing.compiles) {
            self.techniques.pixel_sort.add_shading(timing.frame, sort_us, shading_us);
        }
        let (gpu, filter) = (&self.gpu, self.chain.filter);
        let inputs = |size| Ok(Box::new(DownsampleInputs::new(gpu, size, filter)?) as Box<dyn MethodInputs>);
        self.techniques.downsample.compare_next(gpu, timing.frame, inputs)?;
        self.techniques.on_timing(timing)
    }

    /// Whether frames are recorded to compare methods.
    #[must_use]
    pub fn is_comparing(&mut self) -> bool {
        self.techniques.is_comparing()
    }

    /// Whether a measurement needs another frame.
    #[must_use]
    pub fn is_measuring(&self) -> bool {
        self.techniques.wants_frame()
    }

    /// Whether another frame of the same scene would improve the picture: more traced mirrors, with
    /// [`MirrorPace::Shares`](super::MirrorPace::Shares), or smoother edges, if [`FramePlan::gathers`].
    #[must_use]
    pub fn is_unfinished(&self, settings: &Settings) -> bool {
        let gathers = || self.world.is_gathering(&self.techniques, settings);
        let is_behind = self.world.reprojected_to().is_some();
        self.below.is_world && (is_behind || self.techniques.reflections.is_unfinished() || gathers())
    }

    /// Number of recorded frames in which the picture under the glass was drawn again: while it stays the same, so does that picture.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.below.changes
    }

    /// Whether the last recorded frame drew a part of the world's next picture that is not complete yet.
    #[must_use]
    pub fn is_incremental(&self) -> bool {
        self.world.is_making()
    }

    /// Progress of the first picture of a world, 0 to 1, if that takes several frames: the next one is due at once.
    #[must_use]
    pub fn beginning(&self) -> Option<f32> {
        self.world.beginning()
    }

    /// The techniques' counters: the id of each, and its table.
    #[must_use]
    pub fn reports(&self, settings: &Settings) -> Vec<(&'static str, Report)> {
        let mut all = self.techniques.tables(settings, self.below.is_world);
        all.extend(self.world.table().filter(|_| self.below.is_world));
        all
    }

    /// Size and state of the displayed content, as text.
    #[must_use]
    pub fn subject(&self, settings: &Settings) -> String {
        let has_file = [self.background.has_file(), self.world.worlds.has_file()];
        subject(settings, self.targets.size(), has_file, self.world.state().filter(|_| self.below.is_world))
    }

    /// Panels cover everything right of and below this point: views with several parts stay within the rest.
    pub fn keep_within(&mut self, free_px: UVec2) {
        self.techniques.glass.keep_within(free_px.x);
        self.techniques.summed_area.keep_within(free_px);
    }

    /// Outputs (technique and name) are read from all later frames: what no other part of the frame needs is made for them, too.
    pub fn prepare_outputs(&mut self, wanted: &[(&str, &str)]) {
        self.reads_outputs = !wanted.is_empty();
        self.techniques.prepare_outputs(wanted);
    }

    /// The techniques, and the results of the last recorded frame: valid until another frame is recorded, and before the GPU has finished
    /// it only for passes of that frame.
    #[must_use]
    pub fn last_frame(&self) -> Option<(&Techniques, &FrameContext)> {
        Some((&self.techniques, self.context.as_ref()?))
    }

    /// Records one frame into `target`.
    pub fn record(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        let settings = params.settings;
        let is_new = self.draw_backdrop(frame, params, target)?;
        self.below.changes += u64::from(is_new);
        self.set_subject(frame, settings);
        let picture = self.targets.background()?.picture.mip(0);
        self.techniques.mip_chain.measure(frame, &settings.mip_chain, &picture)?;
        self.reduce(frame, params, is_new)?;
        self.techniques.summed_area.measure(frame, &settings.summed_area, &picture)?;
        if settings.summed_area.every_frame {
            self.techniques.summed_area.record(frame, &settings.summed_area, &picture)?;
        }
        #[cfg(feature = "histogram")]
        self.techniques.histogram.record(frame, &settings.histogram, &picture)?;
        self.techniques.glass.pass_time(params.seconds);
        self.sort_cells(frame, params, target)?;
        let context = self.context(frame, params)?;
        let content = (settings.scene.source, settings.scene.motif, settings.scene.fit, settings.mip_chain.filter);
        self.techniques.downsample.compare(frame, &settings.downsample, &format!("{content:?}"), &picture)?;
        if settings.scene.rerun.includes(Rerun::Downsample) || self.reads_outputs {
            self.techniques.downsample.record(frame, &settings.downsample, &DownsampleInput::of(&context))?;
        }
        match params.view {
            None => self.present(frame, params, target, None)?,
            Some(view) => self.present_view(frame, params, view, &context, target)?,
        }
        self.compare_blurs(frame, params)?;
        self.panels(frame, params, target, is_new)?;
        self.context = Some(context);
        Ok(())
    }

    /// Passes size and state of the picture to running comparisons.
    fn set_subject(&mut self, frame: &Frame, settings: &Settings) {
        if self.techniques.is_comparing() {
            let subject = self.subject(settings);
            self.techniques.set_subject(frame.number(), &subject, settings, self.below.is_world);
        }
    }

    /// Builds the picture's mip chain, as far as it is read: all of it if a view, a measurement or an output reads it, else the levels and
    /// the region that the glass reads.
    fn reduce(&mut self, frame: &mut Frame, params: &FrameParams<'_>, is_new: bool) -> Result<()> {
        let (settings, size) = (params.settings, self.targets.size());
        let is_whole = params.view.is_some() || self.techniques.glass.is_measuring() || self.reads_outputs;
        let needs = LiquidGlass::needs(&settings.glass, params.lenses, params.scale, size, !params.plates.is_empty());
        let levels = if is_whole { u32::MAX } else { needs.levels };
        let is_remade = self.targets.fit_levels(settings.mip_chain.levels.min(levels))?;
        let background = self.targets.background()?;
        let again = is_new || is_remade || settings.scene.rerun.includes(Rerun::MipChain);
        let region = needs.region.filter(|_| !is_whole && !settings.scene.rerun.includes(Rerun::Downsample));
        if again || !self.chain.has(region) {
            // A lens that leaves the valid region at rest is being moved: it will need all of it.
            let region = region.filter(|_| again);
            let (picture, chain) = (background.picture.mip(0), &background.chain);
            let mips = &self.techniques.mip_chain;
            let is_part = mips.record_near(frame, &settings.mip_chain, &picture, chain, region)?;
            self.chain = ChainState { filter: settings.mip_chain.filter, region: region.filter(|_| is_part) };
        }
        Ok(())
    }

    /// Sorts synthetic cells for timings, if no world and no view does.
    fn sort_cells(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        let (settings, sort) = (params.settings, &mut self.techniques.pixel_sort);
        let is_viewed = params.view.is_some_and(|view| view.technique == PixelSort::ID);
        if settings.scene.rerun.includes(Rerun::PixelSort) && !settings.views_world(PixelSort::ID) && !is_viewed {
            let ids = sort.input(frame, &settings.pixel_sort, target.size())?;
            sort.record(frame, &settings.pixel_sort, &ids, Keys::Whole)?;
        }
        Ok(())
    }

    /// Results of the frame before the glass.
    fn context(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<FrameContext> {
        let (settings, lenses, scale) = (params.settings, params.lenses.to_vec(), params.scale);
        let world = self.world.drawn().filter(|_| params.draws_world()).cloned();
        let background = self.targets.background()?;
        let (picture, chain) = (background.picture.mip(0), background.chain.clone());
        let chain_is_tent = settings.mip_chain.filter == Filter::Tent;
        let viewed = |id| params.view.filter(|view| view.technique == id);
        let boxes = viewed(LiquidGlass::ID).and_then(|view| {
            let glass = &self.techniques.glass;
            glass.boxes_to_compare(view.view.name, &settings.glass, &lenses, scale, picture.size())
        });
        let boxed = self.boxed(frame, params, &chain.mip(0), boxes)?;
        let is_reduced =
            viewed(Downsample::ID).is_some() || settings.scene.rerun.includes(Rerun::Downsample) || self.reads_outputs;
        let sums = match downsample::sums_request(&settings.downsample, &picture).filter(|_| is_reduced) {
            Some(wanted) => self.techniques.summed_area.sums(frame, &settings.summed_area, wanted)?,
            None => None,
        };
        Ok(FrameContext { picture, chain, chain_is_tent, lenses, scale, world, boxed, sums })
    }
}
