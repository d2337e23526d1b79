//! World part of a frame: IDs, sorted list, shading, tone map. Only after a change.

use super::{
    frame_spacing::FrameSpacing,
    incremental_world::{Advance, IncrementalWorld, Plan, WorldCacheKey, WorldPicture},
    params::FrameParams,
    plan::MirrorPace,
    subject::WorldState,
    world_loader::WorldLoader,
};
use crate::{
    base::timing::FrameTiming,
    gpu::{Error, Frame, Result},
    scene::{
        AntialiasMode, Rerun,
        world::{Camera, GpuScene, Shadow, World},
    },
    techniques::{
        Report, Settings, Techniques, WorldFrame,
        antialias::{Change, accumulation_size, can_reproject},
        meshlets::MeshletsSettings,
        reflections::MirrorInput,
        shade::{By, ShadeInput},
    },
};
use glam::{Vec2, Vec3};

/// Kind of change in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redraw {
    /// No change.
    None,
    /// The light changed.
    Light,
    /// The same light from another viewpoint.
    Viewpoint,
}

/// The sun's shadow map, and its key.
struct ShadowCache {
    of: (Vec3, MeshletsSettings),
    shadow: Shadow,
}

/// The displayed world, and its drawn picture.
pub(super) struct WorldRenderer {
    /// Source of the world.
    pub worlds: WorldLoader,
    resident: Option<GpuScene>,
    drawn: Option<WorldPicture>,
    shadow_cache: Option<ShadowCache>,
    /// The next picture, if it takes several frames.
    next: Option<IncrementalWorld>,
    /// Spacing of the pictures.
    pace: FrameSpacing,
    /// The camera of the last frame, and whether it moved since the frame before.
    last_camera: Option<Camera>,
    moves: bool,
    /// Viewpoint for reprojection of the drawn picture, if it differs from its own.
    reprojected_to: Option<Camera>,
    /// The camera's jitter when mirrors were traced last.
    traced_shift: Vec2,
    /// Pictures that are still to be drawn in small steps, where the driver compiles shaders when they first run: the first one, which has
    /// only what it needs, and one more that has all.
    small_left: u32,
    /// Small steps of these pictures per frame: more if the driver already has its shaders.
    first_steps: u32,
}

/// A frame with steps of a first picture that took at most this long, microseconds, has hardly waited for a compiler: the next one takes
/// twice as many.
const SHORT_US: f64 = 250_000.0;
const FIRST_STEPS_MOST: u32 = 16;
/// `small_left` before the first picture, and before the second.
const FIRST: u32 = 2;
const SECOND: u32 = 1;

impl WorldRenderer {
    pub fn new(worlds: WorldLoader) -> Self {
        let (resident, drawn, next, pace, shadow_cache, last_camera, reprojected_to) = Default::default();
        let (traced_shift, small_left, first_steps, moves) = (Vec2::ZERO, FIRST, 1, false);
        Self {
            worlds,
            resident,
            drawn,
            next,
            pace,
            shadow_cache,
            last_camera,
            moves,
            reprojected_to,
            traced_shift,
            small_left,
            first_steps,
        }
    }

    /// The world on the GPU, if loaded.
    pub fn resident(&self) -> Option<&GpuScene> {
        self.resident.as_ref()
    }

    /// State of the drawn world.
    pub fn state(&self) -> Option<WorldState> {
        let key = &self.drawn.as_ref()?.key;
        Some(WorldState { size: key.size, mirrors: key.mirrors, moves: self.moves })
    }

    /// The last drawn picture.
    pub fn drawn(&self) -> Option<&WorldFrame> {
        self.drawn.as_ref().map(|drawn| &drawn.frame)
    }

    /// Viewpoint for reprojection, if it differs from that of the picture: the camera is ahead of it.
    pub fn reprojected_to(&self) -> Option<Camera> {
        self.reprojected_to
    }

    /// Draws a new picture next, which depends on no frame before it.
    pub fn restart(&mut self) {
        (self.drawn, self.next, self.last_camera, self.reprojected_to) = Default::default();
        (self.pace, self.moves, self.traced_shift) = Default::default();
    }

    /// Whether the next picture is incomplete.
    pub fn is_making(&self) -> bool {
        self.next.is_some() || self.beginning().is_some()
    }

    /// Takes the timing of a finished frame.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        if self.small_left > 0 && self.next.is_some() {
            let us: f64 = timing.passes.iter().map(|pass| pass.cpu_us + pass.gpu_us.unwrap_or_default()).sum();
            self.first_steps = if us < SHORT_US { (2 * self.first_steps).min(FIRST_STEPS_MOST) } else { 1 };
        }
    }

    /// Table of the world's size.
    pub fn table(&self) -> Option<(&'static str, Report)> {
        let rows = |world: &World| world.counts().into_iter().map(Vec::from).collect();
        let report = |world| Report { title: "World".into(), head: vec!["what", "number"], rows: rows(world) };
        self.resident().map(|resident| ("scene", report(&resident.world)))
    }

    /// Draws the world for a target of `size` if it has changed; returns the change. `None` while no world is loaded.
    pub fn draw(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        size: [u32; 2],
    ) -> Result<Option<Redraw>> {
        let settings = params.settings;
        let Some(world) = self.worlds.now(&settings.scene) else { return Ok(None) };
        techniques.shade.set_sky(frame, self.worlds.sky())?;
        let world = match self.resident.take() {
            Some(resident) if std::sync::Arc::ptr_eq(&resident.world, &world) => resident,
            _ => {
                (self.drawn, self.next, self.shadow_cache) = (None, None, None);
                GpuScene::new(frame, world)?
            }
        };
        self.resident = Some(world.clone());
        let steady = settings.scene.viewpoint(world.world.viewpoint, params.drifted_s).camera();
        let steady = Camera { center: params.center, ..steady };
        if params.plan.mirror_scale == 0.0 {
            techniques.reflections.pause();
        }
        let traces = params.plan.mirror_scale > 0.0
            && techniques.reflections.is_ready(frame, &settings.reflections, &world.world, self.worlds.wake())?;
        let mirrors = traces.then_some(params.plan.mirror_scale);
        let key = WorldCacheKey::new(params, steady, size, mirrors);
        let lasts = !settings.scene.rerun.includes(Rerun::World) && !measures_world(techniques);
        let before = self.last_camera.replace(steady);
        self.moves = before.is_some_and(|before| before != steady);
        let change = match self.drawn.as_ref().map_or(Change::Other, |drawn| drawn.key.change(&key)) {
            // Images contain parts of another picture.
            Change::None if self.next.is_some() => Change::Moved,
            change => change,
        };
        let gathers = params.plan.gathers && self.is_gathering(techniques, settings);
        let is_second = self.small_left == SECOND && before == Some(steady);
        if change == Change::None && lasts && !gathers && !is_second {
            let was_reprojected = self.reprojected_to.take().is_some();
            let is_other = self.continue_mirrors(techniques, frame, params)? || was_reprojected;
            return Ok(Some(if is_other { Redraw::Light } else { Redraw::None }));
        }
        let is_slow = |drawn: &WorldPicture| {
            before.is_some_and(|before| before != steady && can_reproject(&drawn.frame.camera, &before, &steady))
        };
        let is_incremental = params.plan.is_incremental
            && change == Change::Moved
            && lasts
            && settings.scene.antialias == AntialiasMode::Temporal
            && !params.views_world()
            && self.drawn.as_ref().is_some_and(is_slow);
        if is_incremental && !is_second {
            return self.draw_incrementally(techniques, frame, params, (key, steady)).map(Some);
        }
        let is_small = self.small_left == FIRST || is_second;
        if is_small && params.plan.is_incremental && lasts && !params.views_world() {
            return self.draw_first(techniques, frame, params, (key, steady));
        }
        (self.next, self.reprojected_to) = (None, None);
        let mut next = self.begin(techniques, frame, params, (key, steady), change)?;
        let drawn = loop {
            match next.advance(techniques, frame, params, &mut self.traced_shift, false)? {
                Advance::Partial(more) => next = more,
                Advance::Complete(drawn) => break drawn,
            }
        };
        self.store(drawn);
        Ok(Some(Redraw::Light))
    }

    fn store(&mut self, drawn: WorldPicture) {
        log::debug!("the world is drawn: {} x {} pixels", drawn.key.size[0], drawn.key.size[1]);
        (self.drawn, self.small_left) = (Some(drawn), 0);
    }

    /// Draws a small part of one of the first pictures in each frame: a driver that compiles a shader when it first runs takes seconds for
    /// all of them, and the window would freeze. Nothing of it is shown before it is complete.
    fn draw_first(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        (key, steady): (WorldCacheKey, Camera),
    ) -> Result<Option<Redraw>> {
        let is_first = self.small_left == FIRST;
        let unfinished = if is_first { None } else { Some(Redraw::None) };
        let Some(mut next) = self.next.take().filter(|next| next.key().change(&key) != Change::Other) else {
            let resident = self.resident.clone();
            if let Some(resident) = resident.filter(|_| self.shadow_cache.is_none()) {
                techniques.shade.make_ahead(&params.settings.shade.of_picture(is_first), &resident);
                techniques.meshlets.list_all(is_first);
                self.shadow(techniques, frame, params.settings, &resident, params.settings.scene.sun())?;
            } else {
                let change = if is_first { Change::Other } else { Change::None };
                self.next = Some(self.begin(techniques, frame, params, (key, steady), change)?);
            }
            return Ok(unfinished);
        };
        for _ in 0..self.first_steps {
            next = match next.advance(techniques, frame, params, &mut self.traced_shift, true)? {
                Advance::Partial(next) => next,
                Advance::Complete(drawn) => {
                    self.store(drawn);
                    self.small_left = if is_first { SECOND } else { 0 };
                    return Ok(Some(Redraw::Light));
                }
            };
        }
        self.next = Some(next);
        Ok(unfinished)
    }

    /// Progress of the first picture, 0 to 1, while it takes several frames.
    pub fn beginning(&self) -> Option<f32> {
        let is_begun =
            self.small_left == FIRST && self.resident.is_some() && (self.shadow_cache.is_some() || self.next.is_some());
        is_begun.then(|| self.next.as_ref().map_or(0.0, IncrementalWorld::progress))
    }

    /// Draws a step of the picture in progress, or the first one of the next; meanwhile the last one is reprojected to `steady`.
    fn draw_incrementally(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        (key, steady): (WorldCacheKey, Camera),
    ) -> Result<Redraw> {
        let antialias = &params.settings.antialias;
        self.small_left = 0;
        // Before the next picture's depths replace them.
        if let Some(drawn) = self.drawn.as_mut().filter(|drawn| !drawn.has_stored_depth) {
            techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
            drawn.has_stored_depth = true;
        }
        self.reprojected_to = Some(steady);
        self.pace.frame(params.seconds);
        let Some(next) = self.next.take().filter(|next| next.key().change(&key) != Change::Other) else {
            if !self.pace.waits() {
                self.next = Some(self.begin(techniques, frame, params, (key, steady), Change::Moved)?);
            }
            return Ok(Redraw::Viewpoint);
        };
        match next.advance(techniques, frame, params, &mut self.traced_shift, false)? {
            Advance::Partial(next) => {
                self.next = Some(next);
                Ok(Redraw::Viewpoint)
            }
            Advance::Complete(drawn) => {
                techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
                self.drawn = Some(WorldPicture { has_stored_depth: true, ..drawn });
                self.pace.whole();
                Ok(Redraw::Light)
            }
        }
    }

    /// Plans the next picture, and draws its visibility.
    fn begin(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        (key, steady): (WorldCacheKey, Camera),
        change: Change,
    ) -> Result<IncrementalWorld> {
        let (settings, small, size) = (params.settings, key.size, key.target);
        let Some(resident) = self.resident.clone() else {
            return Err(Error::Pass { pass: "world".into(), problem: "there is none".into() });
        };
        // While nothing moves each frame adds samples; otherwise only if frames are accumulated.
        let is_first = self.small_left == FIRST && params.plan.is_incremental;
        let (samples, gathers) = match settings.scene.antialias {
            AntialiasMode::Temporal if is_first => (false, true),
            AntialiasMode::Temporal => (true, true),
            AntialiasMode::Rest => (change != Change::Moved && small == size, small == size),
            AntialiasMode::Off => (false, false),
        };
        let antialias = &settings.antialias;
        let shift = if samples { techniques.antialias.shift(antialias, change, &steady) } else { Vec2::ZERO };
        let moves = change == Change::Moved && techniques.antialias.continues_for(&steady);
        let whole = accumulation_size(frame.gpu(), moves, small, size);
        let part = small[1] as f32 / if samples { whole[1] } else { size[1] } as f32;
        let detail = if samples { techniques.antialias.detail(antialias, change, part) } else { 1.0 };
        let by = match techniques.pixel_sort.shading_turn(frame.number()) {
            Some(true) => By::List,
            Some(false) => By::Raster,
            None if is_first => By::Raster,
            None => settings.shade.by,
        };
        let sun = settings.scene.sun();
        techniques.meshlets.list_all(is_first);
        let shadow = self.shadow(techniques, frame, settings, &resident, sun)?;
        let camera = Camera { shift, ..steady };
        let plan = Plan { key, change, resident, camera, sun, shadow, by, is_first, samples, gathers, whole, detail };
        IncrementalWorld::begin(techniques, frame, params, plan)
    }

    /// Whether another frame would improve the antialiasing of a world at rest.
    pub fn is_gathering(&self, techniques: &Techniques, settings: &Settings) -> bool {
        self.drawn.as_ref().is_some_and(|drawn| drawn.gathers)
            && techniques.antialias.is_unfinished(&settings.antialias)
            && !techniques.reflections.is_unfinished()
    }

    /// Continues unfinished mirrors without a change of the scene. Returns whether the light changed.
    fn continue_mirrors(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
    ) -> Result<bool> {
        let (Some(drawn), Some(shaded)) = (&mut self.drawn, techniques.shade.last()) else { return Ok(false) };
        if params.plan.mirror_scale == 0.0 || params.plan.mirror_pace == MirrorPace::Paused {
            return Ok(false);
        }
        let input = MirrorInput {
            world: &drawn.frame.resident,
            ids: &drawn.frame.ids,
            shaded: &shaded,
            lists: &techniques.pixel_sort,
        };
        let settings = &params.settings.reflections;
        let is_other = match drawn.key.mirrors {
            Some(_) if params.plan.mirror_pace == MirrorPace::AtOnce => false,
            Some(scale) => techniques.reflections.go_on(frame, settings, &input, scale)?,
            // Mirrors traced at once wait for their kernels, too.
            None => techniques.reflections.warm_up(frame, settings, &input).map(|()| false)?,
        };
        if is_other {
            self.traced_shift = drawn.frame.camera.shift;
        }
        if let Some((layers, solid)) = drawn.layers.as_ref().filter(|_| is_other) {
            let scene = ShadeInput::of(&drawn.frame);
            drawn.frame.light = techniques.shade.lay_over(frame, &scene, layers, solid)?;
        }
        if is_other && params.settings.scene.antialias != AntialiasMode::Off {
            let resolved = techniques.antialias.repeat_with_light(frame, &drawn.frame.light)?;
            drawn.frame.resolved = resolved.unwrap_or_else(|| drawn.frame.light.clone());
        }
        Ok(is_other)
    }

    fn shadow(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        settings: &Settings,
        world: &GpuScene,
        sun: Vec3,
    ) -> Result<Shadow> {
        let of = (sun, settings.meshlets.clone());
        if let Some(shadow_cache) = self.shadow_cache.as_ref().filter(|shadow_cache| shadow_cache.of == of) {
            return Ok(shadow_cache.shadow.clone());
        }
        let shadow = techniques.meshlets.shadow(frame, &settings.meshlets, world, sun)?;
        self.shadow_cache = Some(ShadowCache { of, shadow: shadow.clone() });
        Ok(shadow)
    }
}

/// Whether one of the techniques is measured with the whole world, which is drawn again in each frame meanwhile.
pub(super) fn measures_world(techniques: &Techniques) -> bool {
    techniques.pixel_sort.is_measuring() || techniques.reflections.is_measuring()
}
