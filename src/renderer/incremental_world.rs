//! Picture of a world, in one frame or a step in each of several.

use super::{
    frame::FrameParams,
    plan::{MirrorPace, Repeat},
};
use antialias::{AntialiasInput, Change};
use glam::{Vec2, Vec3};
use gpu::{Frame, ImageView, Result};
use meshlets::{MeshletsSettings, Visibility};
use reflections::{Extent, MirrorInput};
use scene::{
    SceneSettings,
    world::{Camera, GpuScene, Shadow},
};
use shade::{By, LAYERS, ShadeInput, Shading, Work};
use technique::{MirrorlessShading, PixelList, Stage, WorldFrame};
use techniques::{Settings, Techniques};

#[derive(Clone, PartialEq)]
pub(super) struct WorldCacheKey {
    pub camera: Camera,
    pub size: [u32; 2],
    pub target: [u32; 2],
    /// Per side, relative to the world.
    pub mirrors: Option<f32>,
    /// Settings that the picture does not depend on have their defaults.
    settings: Settings,
}

impl WorldCacheKey {
    pub fn change(&self, now: &Self) -> Change {
        if self == now {
            return Change::None;
        }
        let looked_at = |key: &Self| {
            let SceneSettings { drift, render_scale, adapt, rerun, .. } = SceneSettings::default();
            let mut scene = SceneSettings { drift, render_scale, adapt, rerun, ..key.settings.scene.clone() };
            scene.reset_camera();
            Settings { scene, ..key.settings.clone() }
        };
        let is_same = self.target == now.target && looked_at(self) == looked_at(now);
        if is_same { Change::Moved } else { Change::Other }
    }
}

pub(super) struct WorldPicture {
    pub plan: Plan,
    pub frame: WorldFrame,
    pub layers: Option<([ImageView; LAYERS], ImageView)>,
    pub has_stored_depth: bool,
}

#[derive(Clone)]
pub(super) struct Plan {
    pub key: WorldCacheKey,
    pub change: Change,
    pub resident: GpuScene,
    pub camera: Camera,
    pub sun: Vec3,
    pub shadow: Shadow,
    pub by: By,
    /// On drivers that compile shaders at their first use: it draws only what it needs.
    pub is_first: bool,
    pub samples: bool,
    pub gathers: bool,
    pub whole: [u32; 2],
    pub detail: f32,
    /// Passes of a finished picture that are recorded once more.
    pub repeat: Repeat,
}

enum Step {
    Sort,
    Shade,
    Kinds(Shading),
    Mirror(MirrorlessShading),
    Join(ImageView),
}

pub(super) struct IncrementalWorld {
    plan: Plan,
    visibility: Visibility,
    list: Option<PixelList>,
    step: Step,
}

pub(super) enum Advance {
    Partial(IncrementalWorld),
    Complete(WorldPicture),
}

impl IncrementalWorld {
    pub fn begin(techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>, plan: Plan) -> Result<Self> {
        let settings = &params.settings.meshlets;
        let settings = &MeshletsSettings { occlusion: settings.occlusion && !plan.is_first, ..settings.clone() };
        techniques.meshlets.list_in_order(params.plan.is_exact);
        let visibility = techniques.meshlets.record(frame, settings, &plan.resident, &plan.camera, plan.key.size)?;
        Ok(Self { plan, visibility, list: None, step: Step::Sort })
    }

    pub fn key(&self) -> &WorldCacheKey {
        &self.plan.key
    }

    pub fn progress(&self) -> f32 {
        match &self.step {
            Step::Sort => 0.1,
            Step::Shade => 0.2,
            Step::Kinds(shading) => 0.3 + 0.6 * shading.part(),
            Step::Mirror(_) | Step::Join(_) => 0.9,
        }
    }

    /// `small`: only the list, the pixel lists of the material kinds, or one kind. `traced_shift`: the camera's jitter
    /// of the last mirrors.
    pub fn advance(
        mut self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        traced_shift: &mut Vec2,
        small: bool,
    ) -> Result<Advance> {
        loop {
            self.step = match self.step {
                Step::Sort => self.sort(techniques, frame, params)?,
                Step::Shade => self.shade(techniques, frame, params)?,
                Step::Kinds(mut shading) => {
                    techniques.shade.go_on(frame, &self.plan.resident, &mut shading)?;
                    self.step = Step::Sort;
                    self.after_light(techniques, frame, params, shading)?
                }
                Step::Mirror(ref shaded) => {
                    let shaded = shaded.clone();
                    Step::Join(self.mirror(techniques, frame, params, &shaded, traced_shift)?)
                }
                Step::Join(light) => {
                    let Self { plan, visibility, list, .. } = self;
                    return join(techniques, frame, params, plan, visibility, list, light).map(Advance::Complete);
                }
            };
            if small || matches!(self.step, Step::Mirror(_) | Step::Join(_)) {
                return Ok(Advance::Partial(self));
            }
        }
    }

    fn sort(&mut self, techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>) -> Result<Step> {
        let (settings, plan) = (params.settings, &self.plan);
        self.list = match plan.by {
            By::Raster => None,
            By::List => {
                let keys = settings.pixel_sort.keys(&plan.resident.material_of);
                let sorted = techniques.pixel_sort.record(frame, &settings.pixel_sort, &self.visibility.ids, keys)?;
                Some(PixelList::from(&sorted))
            }
        };
        Ok(Step::Shade)
    }

    fn shade(&self, techniques: &mut Techniques, frame: &mut Frame, params: &FrameParams<'_>) -> Result<Step> {
        let (plan, ids) = (&self.plan, &self.visibility.ids);
        let work = self.list.clone().map_or(Work::Raster, Work::List);
        let apart = plan.key.mirrors.is_some();
        let settings = params.settings.shade.of_picture(plan.is_first);
        let shading = techniques.shade.begin(frame, &settings, &plan.scene(), ids, &work, apart)?;
        self.after_light(techniques, frame, params, shading)
    }

    fn after_light(
        &self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        shading: Shading,
    ) -> Result<Step> {
        let Some(shaded) = shading.whole() else { return Ok(Step::Kinds(shading)) };
        if self.plan.key.mirrors.is_some() {
            return Ok(Step::Mirror(shaded.clone()));
        }
        if params.plan.mirror_scale > 0.0 {
            let (world, ids, lists) = (&self.plan.resident, &self.visibility.ids, &techniques.pixel_sort);
            let input = MirrorInput { world, ids, shaded, lists };
            techniques.reflections.warm_up(frame, &params.settings.reflections, &input)?;
        }
        Ok(Step::Join(shaded.light.clone()))
    }

    fn mirror(
        &self,
        techniques: &mut Techniques,
        frame: &mut Frame,
        params: &FrameParams<'_>,
        shaded: &MirrorlessShading,
        traced_shift: &mut Vec2,
    ) -> Result<ImageView> {
        let (plan, shift) = (&self.plan, self.plan.camera.shift);
        let (world, ids, lists) = (&plan.resident, &self.visibility.ids, &techniques.pixel_sort);
        let input = MirrorInput { world, ids, shaded, lists };
        let at_once = params.plan.mirror_pace == MirrorPace::AtOnce;
        let (reflections, of) = (&mut techniques.reflections, &params.settings.reflections);
        let scale = plan.key.mirrors.unwrap_or_default();
        match plan.repeat {
            Repeat::Nothing => {}
            Repeat::Passes => return reflections.repeat(frame, of, &input, scale, false),
            Repeat::Rays => return reflections.repeat(frame, of, &input, scale, true),
        }
        // Mirrors of other sample positions within the same pixels are cheaper to trace again.
        let again = plan.change == Change::None && !at_once;
        let antialias = &params.settings.antialias;
        let at_rest = [techniques.antialias.samples_at_rest(), antialias.samples];
        let known = if again { reflections.reuse(frame, of, &input, shift - *traced_shift, at_rest)? } else { None };
        if let Some(light) = known {
            return Ok(light);
        }
        *traced_shift = shift;
        let may_share = params.plan.may_share_rays && plan.samples && plan.change == Change::Moved;
        let shares = may_share && of.shares_rays(params.plan.auto_rays);
        let moving = shares.then_some(frame.number() as u32);
        reflections.record(frame, of, &input, Extent { scale, at_once, moving })
    }
}

impl Plan {
    fn scene(&self) -> ShadeInput<'_> {
        ShadeInput {
            world: &self.resident,
            camera: &self.camera,
            sun: self.sun,
            shadow: Some(&self.shadow),
            detail: self.detail,
        }
    }
}

fn join(
    techniques: &mut Techniques,
    frame: &mut Frame,
    params: &FrameParams<'_>,
    plan: Plan,
    visibility: Visibility,
    list: Option<PixelList>,
    light: ImageView,
) -> Result<WorldPicture> {
    let settings = params.settings;
    // Transparent layers are drawn over the finished light: mirrors come before, accumulation after.
    let layers = visibility.layers.map(|layers| (layers, light.clone()));
    let light = match &layers {
        Some((layers, solid)) => techniques.shade.lay_over(frame, &plan.scene(), layers, solid)?,
        None => light,
    };
    let (ids, depth) = (visibility.ids, visibility.depth);
    let resolved = if plan.repeat != Repeat::Nothing {
        techniques.antialias.repeat(frame)?.unwrap_or_else(|| light.clone())
    } else if plan.samples {
        let (camera, whole) = (&plan.camera, plan.whole);
        let exposure = techniques.shade.exposure(&settings.shade);
        let input = AntialiasInput { light: &light, ids: &ids, depth: &depth, camera, exposure, whole };
        techniques.antialias.record(frame, &settings.antialias, &input, plan.change)?
    } else {
        techniques.antialias.forget();
        light.clone()
    };
    let Plan { resident, camera, sun, shadow, .. } = plan.clone();
    let frame = WorldFrame { resident, camera, sun, shadow, ids, depth, list, light, resolved };
    Ok(WorldPicture { plan, frame, layers, has_stored_depth: false })
}

impl WorldCacheKey {
    pub fn new(params: &FrameParams<'_>, camera: Camera, target: [u32; 2], mirrors: Option<f32>) -> Self {
        let settings = params.settings;
        let scale = if params.views_world() { 1.0 } else { settings.scene.render_scale * params.plan.world_scale };
        let scaled = |side: u32| ((side as f32 * scale).round() as u32).clamp(1, side.max(1));
        let mut settings = settings.of_stage(Stage::World);
        // Another world has no picture yet. Until it is made, the last one is not drawn again.
        let SceneSettings { place, instances, .. } = SceneSettings::default();
        (settings.scene.place, settings.scene.instances) = (place, instances);
        Self { camera, size: target.map(scaled), target, mirrors, settings }
    }
}
