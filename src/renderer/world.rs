//! World part of a frame, drawn after a change only.

use super::{
    frame::FrameParams,
    frame_spacing::FrameSpacing,
    incremental_world::{Advance, IncrementalWorld, Plan, WorldCacheKey, WorldPicture},
    plan::{FramePlan, MirrorPace, Repeat},
    subject::WorldState,
    world_loader::WorldLoader,
};
use antialias::{Change, accumulation_size, can_reproject};
use base::timing::{FrameTiming, PictureStep};
use glam::{Vec2, Vec3};
use gpu::{Error, Frame, Result};
use meshlets::MeshletsSettings;
use reflections::MirrorInput;
use scene::{
    AntialiasMode, Rerun,
    world::{Camera, GpuScene, Shadow, Viewpoint, World},
};
use shade::{By, ShadeInput};
use technique::{Report, WorldFrame};
use techniques::{Settings, Techniques};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redraw {
    None,
    Light,
    Viewpoint,
    Repeat,
}

struct ShadowCache {
    of: (Vec3, MeshletsSettings),
    shadow: Shadow,
}

pub(super) struct WorldRenderer {
    pub worlds: WorldLoader,
    resident: Option<GpuScene>,
    pub home: Viewpoint,
    drawn: Option<WorldPicture>,
    shadow_cache: Option<ShadowCache>,
    next: Option<IncrementalWorld>,
    pace: FrameSpacing,
    last_camera: Option<Camera>,
    moves: bool,
    moving_plan: Option<FramePlan>,
    reprojected_to: Option<Camera>,
    traced_shift: Vec2,
    /// Pictures still to be drawn in small steps on drivers that compile shaders late: the first has only what it
    /// needs, one more has all.
    small_left: u32,
    first_steps: u32,
    /// The newest picture was begun for a comparison, which may shade it otherwise: one more follows.
    is_compared: bool,
}

/// Microseconds: a frame this short has hardly waited for a compiler, and the next one takes twice as many steps.
const SHORT_US: f64 = 250_000.0;
const FIRST_STEPS_MOST: u32 = 16;
const FIRST: u32 = 2;
const SECOND: u32 = 1;

impl WorldRenderer {
    pub fn new(worlds: WorldLoader) -> Self {
        Self {
            worlds,
            resident: None,
            home: Viewpoint::default(),
            drawn: None,
            shadow_cache: None,
            next: None,
            pace: FrameSpacing::default(),
            last_camera: None,
            moves: false,
            moving_plan: None,
            reprojected_to: None,
            traced_shift: Vec2::ZERO,
            small_left: FIRST,
            first_steps: 1,
            is_compared: false,
        }
    }

    pub fn resident(&self) -> Option<&GpuScene> {
        self.resident.as_ref()
    }

    pub fn state(&self) -> Option<WorldState> {
        let key = &self.drawn.as_ref()?.plan.key;
        Some(WorldState { size: key.size, mirrors: key.mirrors, moves: self.moves })
    }

    pub fn moving_plan(&self) -> Option<&FramePlan> {
        self.moving_plan.as_ref()
    }

    pub fn drawn(&self) -> Option<&WorldFrame> {
        self.drawn.as_ref().map(|drawn| &drawn.frame)
    }

    pub fn reprojected_to(&self) -> Option<Camera> {
        self.reprojected_to
    }

    pub fn restart(&mut self) {
        (self.drawn, self.next, self.last_camera, self.reprojected_to) = Default::default();
        (self.pace, self.moves, self.traced_shift) = Default::default();
    }

    pub fn is_compared(&self) -> bool {
        self.is_compared
    }

    pub fn is_making(&self) -> bool {
        self.next.is_some() || self.beginning().is_some()
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        if self.small_left > 0 && self.next.is_some() {
            let us: f64 = timing.passes.iter().map(|pass| pass.cpu_us + pass.gpu_us.unwrap_or_default()).sum();
            self.first_steps = if us < SHORT_US { (2 * self.first_steps).min(FIRST_STEPS_MOST) } else { 1 };
        }
    }

    pub fn table(&self) -> Option<(&'static str, Report)> {
        let rows = |world: &World| world.counts().into_iter().map(Vec::from).collect();
        let report = |world| Report { title: "World".into(), head: vec!["what", "number"], rows: rows(world) };
        self.resident().map(|resident| ("scene", report(&resident.world)))
    }

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
        self.home = world.world.home(size, params.center);
        let steady = settings.scene.viewpoint(self.home, params.drifted_s).camera();
        let steady = Camera { center: params.center, ..steady };
        if params.plan.mirror_scale == 0.0 {
            techniques.reflections.pause();
        }
        let traces = params.plan.mirror_scale > 0.0
            && techniques.reflections.is_ready(frame, &settings.reflections, &world.world, self.worlds.wake())?;
        let mirrors = traces.then_some(params.plan.mirror_scale);
        let key = WorldCacheKey::new(params, steady, size, mirrors);
        let lasts = !settings.scene.rerun.includes(Rerun::World) && !measures_world(techniques) && !self.is_compared;
        let before = self.last_camera.replace(steady);
        self.moves = before.is_some_and(|before| before != steady);
        let change = match self.drawn.as_ref().map_or(Change::Other, |drawn| drawn.plan.key.change(&key)) {
            Change::None if self.next.is_some() => Change::Moved,
            change => change,
        };
        if change == Change::Moved && mirrors.is_some() {
            self.moving_plan = Some(params.plan);
        }
        let gathers = params.plan.gathers && self.is_gathering(techniques, settings);
        let is_second = self.small_left == SECOND && before == Some(steady);
        let is_looked_at = params.plan.repeat != Repeat::Nothing;
        if change == Change::None && lasts && is_looked_at {
            self.repeat(techniques, frame, params)?;
            let was_reprojected = self.reprojected_to.take().is_some();
            return Ok(Some(if was_reprojected { Redraw::Light } else { Redraw::Repeat }));
        }
        if change == Change::None && lasts && !gathers && !is_second {
            let was_reprojected = self.reprojected_to.take().is_some();
            let is_other = self.continue_mirrors(techniques, frame, params)? || was_reprojected;
            return Ok(Some(if is_other { Redraw::Light } else { Redraw::None }));
        }
        let is_slow = |drawn: &WorldPicture| {
            before.is_some_and(|before| before != steady && can_reproject(&drawn.frame.camera, &before, &steady))
        };
        let is_incremental = params.plan.is_incremental
            && !is_looked_at
            && change == Change::Moved
            && lasts
            && settings.scene.antialias == AntialiasMode::Temporal
            && !params.views_world()
            && self.drawn.as_ref().is_some_and(is_slow);
        if is_incremental && !is_second {
            return self.draw_incrementally(techniques, frame, params, key, steady).map(Some);
        }
        let is_small = self.small_left == FIRST || is_second;
        if is_small && params.plan.is_incremental && lasts && !params.views_world() {
            return self.draw_first(techniques, frame, params, key, steady);
        }
        (self.next, self.reprojected_to) = (None, None);
        frame.note_picture(PictureStep::Whole);
        let mut next = self.begin(techniques, frame, params, key, steady, change)?;
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
        log::debug!("the world is drawn: {} x {} pixels", drawn.plan.key.size[0], drawn.plan.key.size[1]);
        (self.drawn, self.small_left) = (Some(drawn), 0);
    }

    fn repeat(&mut self, techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>) -> Result<()> {
        let Some(drawn) = &self.drawn else { return Ok(()) };
        let plan = Plan { repeat: params.plan.repeat, ..drawn.plan.clone() };
        techniques.meshlets.list_all(plan.is_first);
        let mut again = IncrementalWorld::begin(techniques, frame, params, plan)?;
        while let Advance::Partial(more) = again.advance(techniques, frame, params, &mut self.traced_shift, false)? {
            again = more;
        }
        Ok(())
    }

    /// Such a driver takes seconds for all shaders, and the window would freeze.
    fn draw_first(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        key: WorldCacheKey,
        steady: Camera,
    ) -> Result<Option<Redraw>> {
        let is_first = self.small_left == FIRST;
        let unfinished = if is_first { None } else { Some(Redraw::None) };
        let was_begun = self.next.is_some();
        let Some(mut next) = self.next.take().filter(|next| next.key().change(&key) != Change::Other) else {
            let resident = self.resident.clone();
            if let Some(resident) = resident.filter(|_| self.shadow_cache.is_none()) {
                techniques.shade.make_ahead(&params.settings.shade.of_picture(is_first), &resident);
                techniques.meshlets.list_all(is_first);
                self.shadow(techniques, frame, params.settings, &resident, params.settings.scene.sun())?;
                frame.note_picture(PictureStep::First);
            } else {
                let goes_on = is_first && !was_begun;
                frame.note_picture(if goes_on { PictureStep::Next } else { PictureStep::First });
                let change = if is_first { Change::Other } else { Change::None };
                self.next = Some(self.begin(techniques, frame, params, key, steady, change)?);
            }
            return Ok(unfinished);
        };
        frame.note_picture(PictureStep::Next);
        for _ in 0..self.first_steps {
            next = match next.advance(techniques, frame, params, &mut self.traced_shift, true)? {
                Advance::Partial(next) => next,
                Advance::Complete(drawn) => {
                    frame.note_picture(PictureStep::Last);
                    self.store(drawn);
                    self.small_left = if is_first { SECOND } else { 0 };
                    return Ok(Some(Redraw::Light));
                }
            };
        }
        self.next = Some(next);
        Ok(unfinished)
    }

    pub fn beginning(&self) -> Option<f32> {
        let is_begun =
            self.small_left == FIRST && self.resident.is_some() && (self.shadow_cache.is_some() || self.next.is_some());
        is_begun.then(|| self.next.as_ref().map_or(0.0, IncrementalWorld::progress))
    }

    fn draw_incrementally(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        key: WorldCacheKey,
        steady: Camera,
    ) -> Result<Redraw> {
        let antialias = &params.settings.antialias;
        self.small_left = 0;
        if let Some(drawn) = self.drawn.as_mut().filter(|drawn| !drawn.has_stored_depth) {
            techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
            drawn.has_stored_depth = true;
        }
        self.reprojected_to = Some(steady);
        self.pace.frame(params.seconds);
        let Some(next) = self.next.take().filter(|next| next.key().change(&key) != Change::Other) else {
            if !self.pace.waits() {
                frame.note_picture(PictureStep::First);
                self.next = Some(self.begin(techniques, frame, params, key, steady, Change::Moved)?);
            }
            return Ok(Redraw::Viewpoint);
        };
        match next.advance(techniques, frame, params, &mut self.traced_shift, false)? {
            Advance::Partial(next) => {
                frame.note_picture(PictureStep::Next);
                self.next = Some(next);
                Ok(Redraw::Viewpoint)
            }
            Advance::Complete(drawn) => {
                frame.note_picture(PictureStep::Last);
                techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
                self.drawn = Some(WorldPicture { has_stored_depth: true, ..drawn });
                self.pace.whole();
                Ok(Redraw::Light)
            }
        }
    }

    fn begin(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        key: WorldCacheKey,
        steady: Camera,
        change: Change,
    ) -> Result<IncrementalWorld> {
        self.is_compared = measures_world(techniques);
        let (settings, small, size) = (params.settings, key.size, key.target);
        let Some(resident) = self.resident.clone() else {
            return Err(Error::Pass { pass: "world".into(), problem: "there is none".into() });
        };
        // While nothing moves each frame adds samples.
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
        let by = match techniques.pixel_sort.shading_turn() {
            Some(true) => By::List,
            Some(false) => By::Raster,
            None if is_first => By::Raster,
            None => settings.shade.by,
        };
        let sun = settings.scene.sun();
        techniques.meshlets.list_all(is_first);
        let shadow = self.shadow(techniques, frame, settings, &resident, sun)?;
        let camera = Camera { shift, ..steady };
        let repeat = Repeat::Nothing;
        let plan =
            Plan { key, change, resident, camera, sun, shadow, by, is_first, samples, gathers, whole, detail, repeat };
        IncrementalWorld::begin(techniques, frame, params, plan)
    }

    pub fn gathers(&self) -> bool {
        self.drawn.as_ref().is_some_and(|drawn| drawn.plan.gathers)
    }

    pub fn is_gathering(&self, techniques: &Techniques, settings: &Settings) -> bool {
        self.gathers()
            && techniques.antialias.is_unfinished(&settings.antialias)
            && !techniques.reflections.is_unfinished()
    }

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
        let is_other = match drawn.plan.key.mirrors {
            Some(_) if params.plan.mirror_pace == MirrorPace::AtOnce => false,
            Some(scale) => techniques.reflections.go_on(frame, settings, &input, scale)?,
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

pub(super) fn measures_world(techniques: &Techniques) -> bool {
    techniques.pixel_sort.is_measuring() || techniques.reflections.is_measuring()
}
