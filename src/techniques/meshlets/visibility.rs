//! Visibility buffer and shadow map of a world in a frame.

use super::{
    figures::{Counts, Figures},
    pass::{DrawKind, PassTarget, PassView, Path},
    passes::{
        compute::Compute,
        culling::{DRAWN, EVERYTHING, History, LAYERS, Phase, TEST_OCCLUSION},
        draw::Pipelines,
        targets::{LayerTargets, Pyramid, Targets, at_once, no_images},
    },
    path_autotune::Auto,
    settings::{By, MeshletsSettings},
    view_uniforms::{Eye, ViewPush},
};
use glam::Vec3;
use gpu::{Buffer, ComputePipeline, Feature, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, Memory, Result, Use};
use scene::world::{Camera, GpuScene, MESHLET_TRIANGLES, Shadow};
use std::sync::Arc;

#[derive(Clone)]
pub struct Visibility {
    /// R32U: [`VisibilityId`](scene::world::VisibilityId). Can be sampled and read as a storage image.
    pub ids: ImageView,
    /// Near plane's distance over the distance ahead; 0 where empty. Can be sampled.
    pub depth: ImageView,
    /// Nearest first; `None` without transparent surfaces.
    pub layers: Option<[ImageView; LAYERS]>,
}

#[derive(Clone, PartialEq)]
pub(super) struct ImageKey {
    pub(super) camera: Camera,
    pub(super) size: [u32; 2],
    pub(super) settings: MeshletsSettings,
    pub(super) path: Path,
}

pub struct Meshlets {
    pub(super) gpu: Arc<Gpu>,
    pub(super) pipelines: Pipelines,
    pub(super) pyramid: Pyramid,
    pub(super) view: ComputePipeline,
    pub(super) list_max: u64,
    pub(super) history: Option<History>,
    pub(super) targets: Vec<Targets>,
    pub(super) drawn: Option<ImageKey>,
    pub(super) auto: Auto,
    pub(super) images: Images,
    pub(super) nothing: Buffer,
    pub(super) figures: Figures,
}

#[derive(Default)]
pub(super) struct Images {
    pub(super) shadow: ImageSlot,
    pub(super) layer: ImageSlot,
}

const SIZES: usize = 2;

impl Meshlets {
    pub(super) fn listing(gpu: &Arc<Gpu>, list_max: u64) -> Result<Self> {
        let view = ComputePipeline::new(gpu, "meshlets/view.comp", &[])?.with_push::<ViewPush>()?;
        Ok(Self {
            gpu: gpu.clone(),
            pipelines: Pipelines::new(gpu)?,
            pyramid: Pyramid::new(gpu, at_once(gpu))?,
            view: view.with_struct::<Eye>("Eye")?,
            list_max: list_max.max(MESHLET_TRIANGLES as u64),
            history: None,
            targets: Vec::new(),
            drawn: None,
            auto: Auto::default(),
            images: Images::default(),
            nothing: Buffer::new(gpu, "meshlets nothing", 4, Memory::Device)?,
            figures: Figures::default(),
        })
    }

    pub(super) fn by_words(mut self) -> Self {
        (self.pipelines.texels, self.pipelines.compute.wide) = (false, false);
        self
    }

    /// Slower, but pictures are equal also where depths are.
    pub fn list_in_order(&mut self, in_order: bool) {
        self.pipelines.in_order = in_order && self.gpu.policy().runs_on_cpu;
    }

    pub fn list_all(&mut self, lists_all: bool) {
        self.pipelines.lists_all = lists_all;
    }

    pub(super) fn path(&self, by: By) -> Path {
        let there = self.gpu.has(Feature::MeshShader);
        match by {
            By::Mesh if there => Path::Mesh,
            By::Auto | By::Compute if there && !self.gpu.policy().runs_on_cpu => Path::Mesh,
            _ => Path::Vertex,
        }
    }

    fn ids_path(&mut self, by: By, size: [u32; 2], masked: u32) -> Path {
        let policy = self.gpu.policy();
        let fits = Compute::fits(&self.gpu, size, masked);
        let is_compute = match by {
            _ if !policy.can_draw => true,
            By::Auto if fits && !policy.runs_on_cpu => {
                let chunks = self.history.as_ref().map_or(&[][..], |history| &history.chunks);
                let is_made = self.auto.has_tried_both() || self.pipelines.compute.make_ahead(chunks);
                is_made && self.auto.is_compute()
            }
            by => by == By::Compute,
        };
        if is_compute && fits { Path::Compute } else { self.path(by) }
    }

    /// All paths give the same image, except where two triangles have the same depth.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &MeshletsSettings,
        world: &GpuScene,
        camera: &Camera,
        size: [u32; 2],
    ) -> Result<Visibility> {
        let size = size.map(|n| n.max(1));
        self.update_history(frame, world)?;
        let (path, others) = (self.ids_path(settings.by, size, world.world.masked), self.path(settings.by));
        self.fit(size, path)?;
        if world.world.blended > 0 {
            self.fit_layers(size)?;
        }
        let (Some(history), Some(targets)) = (&mut self.history, self.targets.first_mut()) else {
            return Err(no_images());
        };
        if path == Path::Compute {
            history.make_tiles(&self.gpu, self.list_max)?;
            self.pipelines.compute.clear(frame, targets)?;
        }
        history.clear(frame)?;
        let eye = frame.data("meshlets eye", &[Eye::of_camera(camera, size, &targets.levels)])?;
        let (ids, depth) = (targets.ids.mip(0), targets.depth.mip(0));
        let is_frozen = settings.freeze && history.is_known;
        let tests = settings.tests();
        let culls_triangles = settings.triangles;
        let (pyramid, pixels) = (&targets.pyramid, targets.pixels.as_ref());
        let pass_view = PassView { world, history, eye: &eye, pyramid, path, pixels, culls_triangles };
        let mut target = PassTarget { kind: DrawKind::Ids, color: Some(&ids), depth: Some(&depth), is_clear: false };
        let phase = if is_frozen { Phase::Select(DRAWN) } else { Phase::First(tests) };
        self.pipelines.record(frame, &pass_view, phase, &mut target)?;
        if !is_frozen && tests & TEST_OCCLUSION != 0 {
            self.pyramid.record(frame, targets)?;
            self.pipelines.record(frame, &pass_view, Phase::Second, &mut target)?;
        }
        if path == Path::Compute {
            self.pipelines.compute.resolve(frame, targets)?;
        }
        let mut layers = None;
        if let Some(layer_targets) = targets.layers.as_ref().filter(|_| world.world.blended > 0) {
            let first = if is_frozen { phase } else { Phase::First(tests & !TEST_OCCLUSION) };
            let pass_view = PassView { path: others, ..pass_view };
            self.pipelines.record_layers(frame, &pass_view, first, targets, layer_targets)?;
            layers = Some(layer_targets.ids.each_ref().map(|image| image.mip(0)));
        }
        let counts_fates = !(is_frozen || self.pipelines.lists_all && path == Path::Vertex);
        if counts_fates {
            let draws = (path == Path::Vertex).then_some(&history.draws);
            self.figures.request(frame, &history.work, draws, world.world.triangle_count())?;
            history.is_known = true;
        }
        self.drawn = Some(ImageKey { camera: *camera, size, settings: settings.clone(), path });
        if let Some(targets) = self.targets.first_mut() {
            targets.is_clear = path == Path::Compute;
        }
        if settings.by == By::Auto {
            self.auto.add_frame(frame.number(), path == Path::Compute);
        }
        Ok(Visibility { ids, depth, layers })
    }

    /// Of both sides, biased by a few steps and its slope.
    pub fn shadow(
        &mut self,
        frame: &mut Frame,
        settings: &MeshletsSettings,
        world: &GpuScene,
        sun: Vec3,
    ) -> Result<Shadow> {
        self.update_history(frame, world)?;
        let side = settings.shadow_side.min(self.gpu.info().max_side);
        let desc = ImageDesc::new("meshlets shadow", [side; 2], Format::Depth32F, &[Use::Depth, Use::Sample]);
        let depth = self.images.shadow.fit(&self.gpu, desc)?.mip(0);
        let path = self.path(settings.by);
        let Some(history) = &self.history else { return Err(no_images()) };
        history.clear(frame)?;
        let eye = Eye::of_sun(world.world.focus, sun, side);
        let block = frame.data("meshlets sun", &[eye])?;
        let culls_triangles = settings.triangles;
        let pass_view =
            PassView { world, history, eye: &block, pyramid: &self.nothing, path, pixels: None, culls_triangles };
        let mut target = PassTarget { kind: DrawKind::Shadow, color: None, depth: Some(&depth), is_clear: false };
        self.pipelines.record(frame, &pass_view, Phase::Select(EVERYTHING), &mut target)?;
        Ok(Shadow { depth, clip_from_world: eye.clip_from_world })
    }

    pub fn counts(&self) -> Option<Counts> {
        self.figures.counts()
    }

    pub(super) fn update_history(&mut self, frame: &mut Frame, world: &GpuScene) -> Result<()> {
        if self.history.as_ref().is_none_or(|history| !Arc::ptr_eq(&history.world, &world.world)) {
            self.history = Some(History::new(frame, world, self.list_max)?);
            (self.drawn, self.auto) = (None, Auto::default());
        }
        Ok(())
    }

    fn fit_layers(&mut self, size: [u32; 2]) -> Result<()> {
        match self.targets.first_mut() {
            Some(targets) if targets.layers.is_none() => {
                targets.layers = Some(LayerTargets::new(&self.gpu, size)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn fit(&mut self, size: [u32; 2], path: Path) -> Result<()> {
        let by_compute = path == Path::Compute;
        let fits = |targets: &Targets| targets.size == size && targets.pixels.is_some() == by_compute;
        let targets = match self.targets.iter().position(fits) {
            Some(0) => return Ok(()),
            Some(at) => self.targets.remove(at),
            None => Targets::new(&self.gpu, size, by_compute)?,
        };
        self.targets.insert(0, targets);
        self.targets.truncate(SIZES);
        Ok(())
    }
}
