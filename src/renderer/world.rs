//! World part of a frame: IDs, sorted list, shading, tone map. Only after a change.

use super::{
    frame_spacing::FrameSpacing,
    incremental_world::{DrawnWorld, Made, Making, Plan, WorldCacheKey},
    params::FrameParams,
    plan::MirrorPace,
    sort_payoff::Way,
    subject::WorldState,
    world_loader::WorldLoader,
};
use crate::{
    base::{text, timing::FrameTiming},
    gpu::{Error, Frame, Result},
    scene::{
        AntialiasMode,
        world::{Camera, GpuScene, Shadow, World},
    },
    techniques::{
        Report, Settings, Techniques, WorldFrame,
        antialias::{Change, reaches},
        meshlets::MeshletsSettings,
        reflections::MirrorInput,
        shade::{By, ShadeInput},
    },
};
use glam::{Vec2, Vec3};

/// Kind of change in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redrawn {
    /// No change.
    No,
    /// The light changed.
    Light,
    /// The same light from another viewpoint.
    Place,
}

/// The sun's shadow map, and its key.
struct Sunlit {
    of: (Vec3, MeshletsSettings),
    shadow: Shadow,
}

/// The displayed world, and its drawn picture.
pub(super) struct WorldRenderer {
    /// Source of the world.
    pub worlds: WorldLoader,
    resident: Option<GpuScene>,
    drawn: Option<DrawnWorld>,
    sunlit: Option<Sunlit>,
    /// The next picture, if it takes several frames.
    making: Option<Making>,
    /// Spacing of the pictures.
    pace: FrameSpacing,
    /// The camera of the last frame, and whether it moved since the frame before.
    asked: Option<Camera>,
    moves: bool,
    /// Viewpoint for reprojection of the drawn picture, if it differs from its own.
    seen_from: Option<Camera>,
    /// The camera's jitter when mirrors were traced last.
    traced_at: Vec2,
    /// No picture was complete yet.
    is_first: bool,
    /// Small steps of the first picture per frame: more if the driver already has its shaders.
    at_once: u32,
}

/// A frame with steps of a first picture that took at most this long, microseconds, has hardly waited for a compiler: the next one takes
/// twice as many.
const SHORT_US: f64 = 250_000.0;
const AT_ONCE_MOST: u32 = 16;

impl WorldRenderer {
    pub fn new(worlds: WorldLoader) -> Self {
        let (resident, drawn, making, pace, sunlit, asked, seen_from) = Default::default();
        let (traced_at, is_first, at_once, moves) = (Vec2::ZERO, true, 1, false);
        Self { worlds, resident, drawn, making, pace, sunlit, asked, moves, seen_from, traced_at, is_first, at_once }
    }

    /// The world on the GPU, if loaded.
    pub fn resident(&self) -> Option<&GpuScene> {
        self.resident.as_ref()
    }

    /// State of the drawn world.
    pub fn state(&self) -> Option<WorldState> {
        self.drawn.as_ref().map(|drawn| WorldState {
            size: drawn.key.size,
            mirrors: drawn.key.mirrors,
            moves: self.moves,
        })
    }

    /// The last drawn picture.
    pub fn drawn(&self) -> Option<&WorldFrame> {
        self.drawn.as_ref().map(|drawn| &drawn.frame)
    }

    /// Viewpoint for reprojection, if it differs from that of the picture: the camera is ahead of it.
    pub fn seen_from(&self) -> Option<Camera> {
        self.seen_from
    }

    /// Whether the next picture is incomplete.
    pub fn is_making(&self) -> bool {
        self.making.is_some() || self.beginning().is_some()
    }

    /// Takes the timing of a finished frame.
    pub fn on_timing(&mut self, timing: &FrameTiming) {
        if self.is_first && self.making.is_some() {
            let us: f64 = timing.passes.iter().map(|pass| pass.cpu_us + pass.gpu_us.unwrap_or_default()).sum();
            self.at_once = if us < SHORT_US { (2 * self.at_once).min(AT_ONCE_MOST) } else { 1 };
        }
    }

    /// Table of the world's size.
    pub fn table(&self) -> Option<(&'static str, Report)> {
        self.resident().map(|resident| ("scene", report(&resident.world)))
    }

    /// Draws the world for a target of `size` if it has changed; returns the change. `None` while no world is loaded.
    pub fn draw(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        size: [u32; 2],
    ) -> Result<Option<Redrawn>> {
        let settings = params.settings;
        let Some(world) = self.worlds.now(&settings.scene) else { return Ok(None) };
        let world = match self.resident.take() {
            Some(resident) if std::sync::Arc::ptr_eq(&resident.world, &world) => resident,
            _ => {
                (self.drawn, self.making, self.sunlit) = (None, None, None);
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
        let is_measured = techniques.pixel_sort.is_measuring() || techniques.reflections.is_measuring();
        let lasts = !settings.scene.every_frame && !is_measured;
        let before = self.asked.replace(steady);
        self.moves = before.is_some_and(|before| before != steady);
        let change = match self.drawn.as_ref().map_or(Change::Other, |drawn| drawn.key.change(&key)) {
            // Images contain parts of another picture.
            Change::None if self.making.is_some() => Change::Moved,
            change => change,
        };
        let gathers = params.plan.gathers && self.is_gathering(techniques, settings);
        if change == Change::None && lasts && !gathers {
            let was_reprojected = self.seen_from.take().is_some();
            let is_other = self.go_on(techniques, frame, params)? || was_reprojected;
            return Ok(Some(if is_other { Redrawn::Light } else { Redrawn::No }));
        }
        let is_slow = |drawn: &DrawnWorld| {
            before.is_some_and(|before| before != steady && reaches(&drawn.frame.camera, &before, &steady))
        };
        let in_steps = params.plan.in_steps
            && change == Change::Moved
            && lasts
            && settings.scene.antialias == AntialiasMode::Temporal
            && !params.views_world()
            && self.drawn.as_ref().is_some_and(is_slow);
        if in_steps {
            return self.draw_in_steps(techniques, frame, params, (key, steady)).map(Some);
        }
        if self.is_first && params.plan.in_steps && lasts && !params.views_world() {
            return self.draw_first(techniques, frame, params, (key, steady));
        }
        (self.making, self.seen_from) = (None, None);
        let mut making = self.begin(techniques, frame, params, (key, steady), change)?;
        let drawn = loop {
            match making.go_on(techniques, frame, params, &mut self.traced_at, false)? {
                Made::Part(more) => making = more,
                Made::Whole(drawn) => break drawn,
            }
        };
        self.has_drawn(drawn);
        Ok(Some(Redrawn::Light))
    }

    fn has_drawn(&mut self, drawn: DrawnWorld) {
        log::debug!("the world is drawn: {} x {} pixels", drawn.key.size[0], drawn.key.size[1]);
        (self.drawn, self.is_first) = (Some(drawn), false);
    }

    /// Draws a small part of the very first picture in each frame: a driver that compiles a shader when it first runs takes seconds for all
    /// of them, and the window would freeze. Nothing of it is shown before it is complete.
    fn draw_first(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        (key, steady): (WorldCacheKey, Camera),
    ) -> Result<Option<Redrawn>> {
        let Some(mut making) = self.making.take().filter(|making| making.key().change(&key) != Change::Other) else {
            let resident = self.resident.clone();
            if let Some(resident) = resident.filter(|_| self.sunlit.is_none()) {
                self.shadow(techniques, frame, params.settings, &resident, params.settings.scene.sun())?;
            } else {
                self.making = Some(self.begin(techniques, frame, params, (key, steady), Change::Other)?);
            }
            return Ok(None);
        };
        for _ in 0..self.at_once {
            making = match making.go_on(techniques, frame, params, &mut self.traced_at, true)? {
                Made::Part(making) => making,
                Made::Whole(drawn) => {
                    self.has_drawn(drawn);
                    return Ok(Some(Redrawn::Light));
                }
            };
        }
        self.making = Some(making);
        Ok(None)
    }

    /// Progress of the first picture, 0 to 1, while it takes several frames.
    pub fn beginning(&self) -> Option<f32> {
        let is_begun = self.is_first && self.resident.is_some() && (self.sunlit.is_some() || self.making.is_some());
        is_begun.then(|| self.making.as_ref().map_or(0.0, Making::part))
    }

    /// Draws a step of the picture in progress, or the first one of the next; meanwhile the last one is reprojected to `steady`.
    fn draw_in_steps(
        &mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        (key, steady): (WorldCacheKey, Camera),
    ) -> Result<Redrawn> {
        let antialias = &params.settings.antialias;
        // Before the next picture's depths replace them.
        if let Some(drawn) = self.drawn.as_mut().filter(|drawn| !drawn.is_kept) {
            techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
            drawn.is_kept = true;
        }
        self.seen_from = Some(steady);
        self.pace.frame(params.seconds);
        let Some(making) = self.making.take().filter(|making| making.key().change(&key) != Change::Other) else {
            if !self.pace.waits() {
                self.making = Some(self.begin(techniques, frame, params, (key, steady), Change::Moved)?);
            }
            return Ok(Redrawn::Place);
        };
        match making.go_on(techniques, frame, params, &mut self.traced_at, false)? {
            Made::Part(making) => {
                self.making = Some(making);
                Ok(Redrawn::Place)
            }
            Made::Whole(drawn) => {
                techniques.antialias.keep(frame, antialias, &drawn.frame.depth, &drawn.frame.camera)?;
                self.drawn = Some(DrawnWorld { is_kept: true, ..drawn });
                self.pace.whole();
                Ok(Redrawn::Light)
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
    ) -> Result<Making> {
        let (settings, small, size) = (params.settings, key.size, key.target);
        let Some(resident) = self.resident.clone() else {
            return Err(Error::Pass { pass: "world".into(), problem: "there is none".into() });
        };
        // While nothing moves each frame adds samples; otherwise only if frames are accumulated.
        let (samples, gathers) = match settings.scene.antialias {
            AntialiasMode::Temporal => (true, true),
            AntialiasMode::Rest => (change != Change::Moved && small == size, small == size),
            AntialiasMode::Off => (false, false),
        };
        let antialias = &settings.antialias;
        let shift = if samples { techniques.antialias.shift(antialias, change, &steady) } else { Vec2::ZERO };
        let moves = change == Change::Moved && techniques.antialias.goes_on(&steady);
        let whole = antialias.joined.size(frame.gpu(), moves, small, size);
        let part = small[1] as f32 / if samples { whole[1] } else { size[1] } as f32;
        let detail = if samples { techniques.antialias.detail(antialias, change, part) } else { 1.0 };
        let way = match settings.shade.by {
            By::Raster => Way::Raster,
            By::List => Way::List,
        };
        let way = match techniques.pixel_sort.shading_turn(frame.number()) {
            Some(true) => Way::List,
            Some(false) => Way::Raster,
            None => way,
        };
        let sun = settings.scene.sun();
        let shadow = self.shadow(techniques, frame, settings, &resident, sun)?;
        let camera = Camera { shift, ..steady };
        let plan = Plan { key, change, resident, camera, sun, shadow, way, samples, gathers, whole, detail };
        Making::begin(techniques, frame, params, plan)
    }

    /// Whether another frame would improve the antialiasing of a world at rest.
    pub fn is_gathering(&self, techniques: &Techniques, settings: &Settings) -> bool {
        self.drawn.as_ref().is_some_and(|drawn| drawn.gathers)
            && techniques.antialias.is_unfinished(&settings.antialias)
            && !techniques.reflections.is_unfinished()
    }

    /// Continues unfinished mirrors without a change of the scene. Returns whether the light changed.
    fn go_on(&mut self, techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>) -> Result<bool> {
        let (Some(drawn), Some(shaded)) = (&mut self.drawn, techniques.shade.last()) else { return Ok(false) };
        if params.plan.mirror_scale == 0.0 || params.plan.mirror_pace == MirrorPace::Paused {
            return Ok(false);
        }
        let input = MirrorInput { world: &drawn.frame.resident, ids: &drawn.frame.ids, shaded: &shaded };
        let settings = &params.settings.reflections;
        let is_other = match drawn.key.mirrors {
            Some(_) if params.plan.mirror_pace == MirrorPace::AtOnce => false,
            Some(scale) => techniques.reflections.go_on(frame, settings, &input, scale)?,
            // Mirrors traced at once wait for their kernels, too.
            None => techniques.reflections.warm_up(frame, settings, &input).map(|()| false)?,
        };
        if is_other {
            self.traced_at = drawn.frame.camera.shift;
        }
        if let Some((layers, solid)) = drawn.layers.as_ref().filter(|_| is_other) {
            let scene = ShadeInput::of(&drawn.frame);
            drawn.frame.light = techniques.shade.lay_over(frame, &scene, layers, solid)?;
        }
        if is_other && params.settings.scene.antialias != AntialiasMode::Off {
            let resolved = techniques.antialias.again(frame, &drawn.frame.light)?;
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
        if let Some(sunlit) = self.sunlit.as_ref().filter(|sunlit| sunlit.of == of) {
            return Ok(sunlit.shadow.clone());
        }
        let shadow = techniques.meshlets.shadow(frame, &settings.meshlets, world, sun)?;
        self.sunlit = Some(Sunlit { of, shadow: shadow.clone() });
        Ok(shadow)
    }
}

/// Table of a world's size.
fn report(world: &World) -> Report {
    let rows = [
        ("meshes", world.meshes.len() as u64),
        ("instances", world.instances.len() as u64),
        ("meshlets in all", world.placed.len() as u64),
        ("triangles in all", world.triangle_count()),
        ("materials", world.materials.len() as u64),
        ("textures", world.textures.len() as u64),
    ];
    let mut rows: Vec<_> = rows.map(|(what, number)| vec![what.into(), text::thousands(number)]).into();
    rows.push(vec!["texels".into(), text::bytes(4 * world.texels.len() as u64)]);
    Report { title: "World".into(), head: vec!["what", "number"], rows }
}
