//! Frame sequence from the scene to the target. It contains no Vulkan.

use super::{
    active_view::{ActiveView, ViewPlacement},
    background::Background,
    laboratory::Laboratory,
    params::FrameParams,
    plan::FramePlan,
    sort_payoff::sample,
    subject::subject,
    targets::{Layer, Targets, upload},
    world::{Redrawn, WorldRenderer},
    world_loader::WorldLoader,
};
use crate::{
    base::{boxes::Boxes, timing::FrameTiming},
    gpu::{Format, Frame, Gpu, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler},
    scene::{
        Source,
        world::{Camera, Viewpoint},
    },
    techniques::{
        Boxed, Daylight, FrameContext, Output, Report, Settings, Technique, Techniques,
        downsample::{Downsample, DownsampleInput},
        glass::{BoxesWanted, GlassInput, JudgeInput, LiquidGlass, SceneLight},
        mip_chain::Filter,
        particles::{Ground, Particles},
        pixel_sort::{Keys, PixelSort},
        shade::Shade,
    },
};
use glam::{UVec2, Vec3};
use std::sync::Arc;

/// State that outlives a frame.
pub struct Renderer {
    gpu: Arc<Gpu>,
    pub(super) techniques: Techniques,
    show: PipelineCache<Format, RasterPipeline>,
    pub(super) targets: Targets,
    background: Background,
    world: WorldRenderer,
    /// The backdrop is the last drawn world.
    pub(super) world_below: bool,
    /// The view below the panels, if one fills the window.
    pub(super) seen_below: Option<&'static str>,
    /// The world has particles.
    has_particles: bool,
    /// The world's last drawn picture, while it is reprojected.
    toned: Option<ImageView>,
    /// Results of the last frame.
    context: Option<FrameContext>,
    makes_all_levels: bool,
    chained: Chained,
    /// Active while methods of downsampling are compared.
    laboratory: Laboratory,
}

/// Valid part of the picture's chain.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Chained {
    Whole,
    /// The region read by the glass: left, top, right, bottom; pixels.
    Part([i32; 4]),
}

impl Chained {
    /// Whether `part`, or all of it, is valid.
    fn has(self, part: Option<[i32; 4]>) -> bool {
        match (self, part) {
            (Self::Whole, _) => true,
            (Self::Part(_), None) => false,
            (Self::Part(has), Some(part)) => {
                has[0] <= part[0] && has[1] <= part[1] && has[2] >= part[2] && has[3] >= part[3]
            }
        }
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
            world: WorldRenderer::new(worlds),
            world_below: false,
            seen_below: None,
            has_particles: false,
            toned: None,
            context: None,
            makes_all_levels: false,
            chained: Chained::Whole,
            laboratory: Laboratory::default(),
        })
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
        self.laboratory.on_timing(&self.gpu, timing.frame, &mut self.techniques.downsample)?;
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
        let is_behind = self.world.seen_from().is_some();
        self.world_below && (is_behind || self.techniques.reflections.is_unfinished() || gathers())
    }

    /// Whether the last recorded frame drew a part of the world's next picture that is not complete yet.
    #[must_use]
    pub fn is_in_steps(&self) -> bool {
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
        let mut all = self.techniques.tables(settings, self.world_below);
        all.extend(self.world.table().filter(|_| self.world_below));
        all
    }

    /// Size and state of the displayed content, as text.
    #[must_use]
    pub fn subject(&self, settings: &Settings) -> String {
        let has_file = [self.background.file().is_some(), self.world.worlds.has_file()];
        subject(settings, self.targets.size(), has_file, self.world.state().filter(|_| self.world_below))
    }

    /// Panels cover everything right of and below this point: views with several parts stay within the rest.
    pub fn keep_within(&mut self, free_px: UVec2) {
        self.techniques.glass.keep_within(free_px.x);
        self.techniques.summed_area.keep_within(free_px);
    }

    /// Builds all levels of the picture's chain from now on, regardless of the glass: outputs are read.
    pub fn make_all_levels(&mut self) {
        self.makes_all_levels = true;
        self.techniques.reflections.keep_masks();
        self.techniques.particles.make_all();
    }

    /// A technique's named output of the last recorded frame: valid until another frame is recorded, and before the GPU has finished it
    /// only for passes of that frame. `None` if that frame lacks it.
    #[must_use]
    pub fn output(&self, technique: &str, name: &str) -> Option<Output> {
        self.techniques.output((technique, name), self.context.as_ref()?)
    }

    /// Records one frame into `target`.
    pub fn record(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<()> {
        let settings = params.settings;
        let fresh = self.lay_backdrop(frame, params, target)?;
        if self.techniques.is_comparing() {
            let subject = self.subject(settings);
            self.techniques.set_subject(frame.number(), &subject, settings, self.world_below);
        }
        // All levels if something reads the chain itself, else those that the glass reads.
        let all = params.view.is_some() || self.techniques.glass.is_measuring() || self.makes_all_levels;
        let needed = if all { u32::MAX } else { settings.glass.levels_needed(params.scale) };
        let needed =
            if params.plates.is_empty() { needed } else { needed.max(LiquidGlass::levels_of_plates(params.scale)) };
        let new_chain = self.targets.fit_levels(settings.mip_chain.levels.min(needed))?;
        let background = self.targets.background()?;
        let picture = background.picture.mip(0);
        self.techniques.mip_chain.measure(frame, &settings.mip_chain, &picture)?;
        let again = fresh || new_chain || settings.mip_chain.every_frame;
        let is_whole = all || settings.downsample.every_frame || !params.plates.is_empty();
        let part = LiquidGlass::readable(&settings.glass, params.lenses, params.scale, picture.size());
        let part = part.filter(|_| !is_whole);
        if again || !self.chained.has(part) {
            // A lens that leaves the valid region at rest is being moved: it will need all of it.
            let part = part.filter(|_| again);
            let chain = (&settings.mip_chain, &picture, &background.chain);
            let is_part = self.techniques.mip_chain.record_near(frame, chain.0, chain.1, chain.2, part)?;
            self.chained = part.filter(|_| is_part).map_or(Chained::Whole, Chained::Part);
        }
        self.techniques.summed_area.measure(frame, &settings.summed_area, &picture)?;
        if settings.summed_area.every_frame {
            self.techniques.summed_area.record(frame, &settings.summed_area, &picture)?;
        }
        self.techniques.glass.pass_time(params.seconds);
        if settings.pixel_sort.every_frame
            && !settings.views_world(PixelSort::ID)
            && params.view.is_none_or(|view| view.technique != PixelSort::ID)
        {
            let ids = self.techniques.pixel_sort.input(frame, &settings.pixel_sort, target.size())?;
            self.techniques.pixel_sort.record(frame, &settings.pixel_sort, &ids, Keys::Whole)?;
        }
        let context = self.context(frame, params)?;
        self.laboratory.record(frame, settings, &context.picture, &mut self.techniques.downsample)?;
        if settings.downsample.every_frame || self.makes_all_levels {
            self.techniques.downsample.record(frame, &settings.downsample, &DownsampleInput::of(&context))?;
        }
        match params.view {
            None => self.present(frame, params, target, None)?,
            Some(view) => self.present_view(frame, params, view, &context, target)?,
        }
        self.compare_blurs(frame, params)?;
        self.panels(frame, params, target, fresh)?;
        self.context = Some(context);
        Ok(())
    }

    /// Everything drawn before the glass.
    fn context(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<FrameContext> {
        let world = self.world.drawn().filter(|_| params.draws_world()).cloned();
        let background = self.targets.background()?;
        let (picture, chain) = (background.picture.mip(0), background.chain.clone());
        let chain_is_tent = params.settings.mip_chain.filter == Filter::Tent;
        let (lenses, scale) = (params.lenses.to_vec(), params.scale);
        let boxes = params.view.filter(|view| view.technique == LiquidGlass::ID).and_then(|view| {
            self.techniques.glass.boxes_to_compare(
                view.view.name,
                &params.settings.glass,
                &lenses,
                scale,
                picture.size(),
            )
        });
        let boxed = self.boxed(frame, params, &chain.mip(0), boxes)?;
        let views_downsample = params.view.is_some_and(|view| view.technique == Downsample::ID);
        let sums = match Downsample::sums_wanted(&params.settings.downsample, &picture) {
            Some(wanted) if views_downsample || params.settings.downsample.every_frame || self.makes_all_levels => {
                self.techniques.summed_area.sums(frame, &params.settings.summed_area, wanted)?
            }
            _ => None,
        };
        Ok(FrameContext { picture, chain, chain_is_tent, lenses, scale, world, boxed, sums })
    }

    /// Draws the backdrop: the world, or the flat picture until a world is available. True if it changed.
    fn lay_backdrop(&mut self, frame: &mut Frame, params: &FrameParams<'_>, target: &ImageView) -> Result<bool> {
        let settings = params.settings;
        if self.targets.fit(target) {
            self.background.forget();
            self.world_below = false;
        }
        let shows_world = settings.scene.source == Source::World;
        let knows_world = self.world.resident().is_some();
        if knows_world {
            self.move_particles(frame, params)?; // before all else, so that the compute queue has the whole frame for it
        }
        let redrawn = match params.draws_world() {
            true => {
                // Particles move in each frame.
                let in_steps = params.plan.in_steps && !self.has_particles;
                let params = FrameParams { plan: FramePlan { in_steps, ..params.plan }, ..*params };
                self.world.draw(&mut self.techniques, frame, &params, target.size())?
            }
            false => None,
        };
        if !knows_world {
            self.move_particles(frame, params)?;
        }
        let background = self.targets.background()?;
        if let (true, Some(redrawn), Some(drawn)) = (shows_world, redrawn, self.world.drawn()) {
            let camera = self.world.seen_from().unwrap_or(drawn.camera);
            let daylight = Shade::daylight(&settings.shade, &drawn.camera, drawn.sun, &drawn.shadow);
            self.techniques.glass.light_by(Some(scene_light(&camera, drawn.sun, &daylight)));
            let has_changed = self.techniques.particles.has_changed(&settings.particles, &daylight);
            if redrawn != Redrawn::No || has_changed || !self.world_below {
                let is_known = redrawn == Redrawn::Place && !has_changed && self.world_below;
                let toned = self.toned.take().filter(|_| is_known);
                // Their own layer: the world below them is not shaded again.
                let shown = drawn.shown();
                let joined = match toned {
                    Some(_) => None,
                    None => self.techniques.particles.draw(frame, &settings.particles, &shown, &daylight)?,
                };
                let light = joined.as_ref().unwrap_or(&shown.light);
                let (shade, picture) = (&mut self.techniques.shade, background.picture.mip(0));
                if let Some(now) = self.world.seen_from() {
                    let toned = match toned {
                        Some(toned) => toned,
                        None => shade.tone_apart(frame, &settings.shade, light, picture.format())?,
                    };
                    let moved = self.techniques.antialias.reproject(frame, &settings.antialias, &toned, &now)?;
                    shade.enlarge(frame, &settings.shade, moved.as_ref().unwrap_or(&toned), &picture)?;
                    self.toned = Some(toned);
                } else {
                    shade.tone(frame, &settings.shade, light, &picture)?;
                }
                self.background.forget();
                if !std::mem::replace(&mut self.world_below, true) {
                    self.techniques.glass.forget_measured();
                }
                return Ok(true);
            }
            return Ok(false);
        }
        self.world_below = false;
        self.techniques.glass.light_by(None);
        let fresh = self.background.fresh(settings.scene.motif, settings.scene.fit, target.size());
        if let Some(picture) = &fresh {
            upload(frame, background, picture)?;
            self.techniques.glass.forget_measured();
        }
        Ok(fresh.is_some())
    }

    /// Advances the particles by a step, concurrently with the drawing of the state before.
    fn move_particles(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<()> {
        let (settings, had_some) = (params.settings, self.has_particles);
        let world = self.world.resident().filter(|_| params.draws_world());
        let fountain = (!self.world.worlds.has_file()).then(|| settings.scene.place.fountain()).flatten();
        let ground = world.map(|resident| Ground { focus: resident.world.focus, fountain });
        let is_viewed = params.view.is_some_and(|view| view.technique == Particles::ID);
        let particles = &mut self.techniques.particles;
        self.has_particles = particles.step(frame, &settings.particles, ground, params.seconds, is_viewed)?;
        if had_some && !self.has_particles {
            self.world_below = false; // they are in the picture still
        }
        Ok(())
    }

    /// Draws the picture, then the glass over it; the glass shows `below` instead, if given.
    fn present(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        target: &ImageView,
        below: Option<&Layer>,
    ) -> Result<()> {
        let background = self.targets.background()?.clone();
        self.show(frame, "renderer/picture", &background.picture.mip(0), target, None)?;
        let seen = below.unwrap_or(&background);
        let (picture, behind) = (seen.picture.mip(0), background.picture.mip(0));
        let (own, lenses, scale, size) = (&params.settings.glass, params.lenses, params.scale, picture.size());
        // A view is seen through clear glass, whatever the preset.
        let clear = below.is_some().then(|| own.cleared());
        let settings = clear.as_ref().unwrap_or(own);
        let boxes = LiquidGlass::boxes(settings, lenses, scale, size);
        let boxed = self.boxed(frame, params, &seen.chain.mip(0), boxes)?;
        let (chain, around, boxed) = (&seen.chain, &background.chain, boxed.as_ref());
        let below = GlassInput { picture: &picture, chain, behind: &behind, around, boxed };
        self.techniques.glass.press(params.press);
        self.techniques.glass.record(frame, settings, lenses, scale, below, target)
    }

    /// Draws the blur comparison over everything else.
    fn compare_blurs(&mut self, frame: &mut Frame, params: &FrameParams<'_>) -> Result<()> {
        let (settings, lenses, scale) = (&params.settings.glass, params.lenses, params.scale);
        let background = self.targets.background()?.clone();
        let boxes = self.techniques.glass.boxes_to_measure(settings, lenses, scale, background.picture.size());
        let boxed = self.boxed(frame, params, &background.chain.mip(0), boxes)?;
        let below = JudgeInput { chain: &background.chain, boxed: boxed.as_ref() };
        self.techniques.glass.measure(frame, settings, lenses, scale, below)
    }

    /// Blurs `light` by tables for the glass.
    fn boxed(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        light: &ImageView,
        wanted: Option<BoxesWanted>,
    ) -> Result<Option<Boxed>> {
        let Some(BoxesWanted { sigma, part }) = wanted else { return Ok(None) };
        let settings = &params.settings.summed_area;
        self.techniques.summed_area.blur(frame, settings, light, Boxes::of(sigma), part)
    }

    fn present_view(
        &mut self,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        active: ActiveView,
        context: &FrameContext,
        target: &ImageView,
    ) -> Result<()> {
        let settings = params.settings;
        let layer = self.targets.view()?.clone();
        let picture = layer.picture.mip(0);
        if !self.techniques.draw_view(frame, (active.technique, active.view.name), settings, context, &picture)? {
            return self.present(frame, params, target, None);
        }
        match active.place {
            ViewPlacement::Full => self.show(frame, "renderer/view", &picture, target, None),
            ViewPlacement::Lens => {
                self.techniques.mip_chain.record(frame, &settings.mip_chain, &picture, &layer.chain)?;
                self.present(frame, params, target, Some(&layer))
            }
            ViewPlacement::Split => {
                self.present(frame, params, target, None)?;
                let [width, height] = target.size().map(|n| n as i32);
                let line = (params.split.clamp(0.0, 1.0) * width as f32) as i32;
                self.show(frame, "renderer/view", &picture, target, Some([line, 0, width, height]))
            }
        }
    }

    /// Copies an encoded picture to the target, texel for texel.
    fn show(
        &mut self,
        frame: &mut Frame,
        pass: &str,
        picture: &ImageView,
        target: &ImageView,
        only: Option<[i32; 4]>,
    ) -> Result<()> {
        let format = target.format();
        if only.is_none() && picture.format() == format && target.image().takes_copies() {
            return frame.copy(pass, picture, target);
        }
        let pipeline = self.show.get(format, |format| {
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "renderer/show.frag"].map(String::from).to_vec(),
                color: vec![*format],
                constants: vec![("TARGET_IS_SRGB".into(), u32::from(format.is_srgb()))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)
        })?;
        let source = picture.clone().through(Sampler::NearestClamp);
        let mut draw = pipeline.draw(3).bind("picture", source);
        if let Some(only) = only {
            draw = draw.scissor(only);
        }
        frame.raster(pass).color(target, None).draw(draw).finish()
    }
}

/// The sun relative to the camera. After sunset its glow remains on the horizon below which it set, in the sky's colour.
fn scene_light(camera: &Camera, sun: Vec3, daylight: &Daylight) -> SceneLight {
    let [right, up] = camera.axes();
    let sun = Vec3::new(sun.x, sun.y.max(0.02), sun.z).normalize_or(Vec3::Y);
    let all = daylight.sun + daylight.sky;
    let color = if all.max_element() > 0.0 { all / all.max_element() } else { Vec3::ONE };
    SceneLight { toward: Vec3::new(sun.dot(right), sun.dot(up), sun.dot(right.cross(up))), color }
}
