//! Paths from meshlets to pixels: mesh shaders, listed triangles with a vertex shader, or compute.rs.

use super::{
    compute::Compute,
    culling::{Chunk, CullPush, DRAWN, History, LAYERS, ListPush, Phase},
    targets::{LayerTargets, Targets, no_images},
};
use crate::{
    pass::{DrawKind, GROUPS_MOST, OVERLAY, PassTarget, PassView, Path},
    view_uniforms::Eye,
};
use gpu::{
    Blend, ComputePipeline, Draw, Format, Frame, Gpu, Image, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler,
};
use scene::world::{AlphaMode, Instance, Material, Meshlet, MeshletInstance, Texture, Vertex};
use std::sync::Arc;

const ROW: u32 = 32768;
/// Steps of the depth format, and multiples of the slope over a texel.
const SHADOW_BIAS: [f32; 2] = [-4.0, -1.5];

pub struct Pipelines {
    gpu: Arc<Gpu>,
    /// Quicker on software drivers, same picture.
    pub texels: bool,
    /// Ties in depth do not depend on threads. For devices on which a workgroup is a thread.
    pub in_order: bool,
    /// One kernel less to compile.
    pub lists_all: bool,
    cull: ComputePipeline,
    pub compute: Compute,
    lists: PipelineCache<(bool, [u32; 3])>,
    draws: PipelineCache<(Path, DrawKind, [bool; 2]), RasterPipeline>,
}

impl Pipelines {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let cull = ComputePipeline::new(gpu, "meshlets/cull.comp", &[])?.with_push::<CullPush>()?;
        let cull = cull.with_struct::<Eye>("Eye")?.with_struct::<MeshletInstance>("MeshletInstances")?;
        let cull = cull.with_struct::<Meshlet>("Meshlets")?.with_struct::<Instance>("Instances")?;
        let texels = gpu.policy().runs_on_cpu;
        let (lists, draws) = (PipelineCache::default(), PipelineCache::default());
        let (in_order, lists_all, compute) = (false, false, Compute::new(gpu)?);
        Ok(Self { gpu: gpu.clone(), texels, in_order, lists_all, cull, compute, lists, draws })
    }

    fn reads_texels(&self, view: &PassView<'_>) -> bool {
        self.texels && view.world.has_texels && view.history.has_texels
    }

    fn list(&self, kind: DrawKind, view: &PassView<'_>, loops: bool, culls: bool) -> Result<ComputePipeline> {
        let cull_back = kind.shows_fronts() && culls;
        let key = (self.reads_texels(view), [cull_back, view.culls_triangles && culls, loops].map(u32::from));
        self.lists.get(key, |(texels, [cull_back, cull_triangles, loops])| {
            let constants = [("CULL_BACK", *cull_back), ("CULL_TRIANGLES", *cull_triangles), ("LOOPS", *loops)];
            let shader = if *texels { "meshlets/list.comp:texels" } else { "meshlets/list.comp:words" };
            let pipeline = ComputePipeline::new(&self.gpu, shader, &constants)?.with_push::<ListPush>()?;
            if *texels { Ok(pipeline) } else { pipeline.with_struct::<Vertex>("Vertices") }
        })
    }

    fn draw(&self, path: Path, kind: DrawKind, which: [bool; 2]) -> Result<RasterPipeline> {
        self.draws.get((path, kind, which), |_| self.make_draw(path, kind, which))
    }

    fn make_draw(&self, path: Path, kind: DrawKind, [texels, is_cut]: [bool; 2]) -> Result<RasterPipeline> {
        let (mut shaders, variant) = match path {
            Path::Mesh => (vec!["meshlets/meshlets.task".to_owned(), "meshlets/meshlets.mesh".into()], "mesh"),
            Path::Vertex if texels => (vec!["meshlets/pull.vert:texels".to_owned()], "vertex"),
            Path::Vertex | Path::Compute => (vec!["meshlets/pull.vert:words".to_owned()], "vertex"),
        };
        match kind {
            DrawKind::Ids if is_cut => shaders.push(format!("meshlets/masked.frag:{variant}")),
            DrawKind::Shadow if is_cut => shaders.push(format!("meshlets/masked.frag:{variant}_sun")),
            DrawKind::Ids => shaders.push(format!("meshlets/ids.frag:{variant}")),
            DrawKind::Layer => shaders.push(format!("meshlets/layer.frag:{variant}")),
            DrawKind::Overdraw => shaders.push("meshlets/overdraw.frag".into()),
            DrawKind::Fates => shaders.push(format!("meshlets/fates.frag:{variant}")),
            DrawKind::Shadow => {}
        }
        let reads_materials = is_cut || kind == DrawKind::Layer;
        let pipeline = RasterPipeline::new(
            &self.gpu,
            RasterDesc {
                shaders,
                color: match kind {
                    DrawKind::Ids | DrawKind::Layer => vec![Format::R32U],
                    DrawKind::Overdraw | DrawKind::Fates => vec![OVERLAY],
                    DrawKind::Shadow => vec![],
                },
                depth: (!matches!(kind, DrawKind::Overdraw | DrawKind::Fates)).then_some(Format::Depth32F),
                blend: match kind {
                    DrawKind::Overdraw => Blend::Add,
                    DrawKind::Fates => Blend::Premultiplied,
                    _ => Blend::None,
                },
                cull_back: kind.shows_fronts(),
                depth_bias: if kind == DrawKind::Shadow { SHADOW_BIAS } else { [0.0; 2] },
                constants: if reads_materials {
                    vec![("BY_SUN".into(), u32::from(kind == DrawKind::Shadow))]
                } else {
                    vec![]
                },
                ..Default::default()
            },
        )?;
        if !reads_materials {
            return Ok(pipeline);
        }
        pipeline.with_struct::<Eye>("Eye")?.with_struct::<Material>("Materials")?.with_struct::<Texture>("Textures")
    }

    pub fn record(
        &mut self,
        frame: &mut Frame,
        view: &PassView<'_>,
        phase: Phase,
        target: &mut PassTarget<'_>,
    ) -> Result<()> {
        let (pass, chunk_count) = (if phase == Phase::Second { 2 } else { 1 }, view.history.chunks.len() as u32);
        let can = view.path == Path::Compute || self.gpu.policy().can_draw;
        for (index, chunk) in (0..).zip(&view.history.chunks).filter(|_| can) {
            if chunk.cover == AlphaMode::Blend && matches!(target.kind, DrawKind::Ids | DrawKind::Shadow) {
                continue;
            }
            let slot = index + if phase == Phase::Second { chunk_count } else { 0 };
            let push = phase.push(*chunk, slot);
            let draw = match view.path {
                Path::Mesh => self.mesh(view, &push, target.kind, chunk.cover)?,
                Path::Compute => {
                    self.cull(frame, view, &push, pass)?;
                    let Some(pixels) = view.pixels else { return Err(no_images()) };
                    self.compute.record(frame, view, &push, chunk.cover, pass, pixels)?;
                    continue;
                }
                Path::Vertex => {
                    self.list_triangles(frame, view, &push, target.kind, pass)?;
                    self.listed(view, push.slot, target.kind, chunk.cover)?
                }
            };
            self.finish(frame, &format!("meshlets/draw {pass}"), target, Some(draw))?;
        }
        if !target.is_clear && view.path != Path::Compute {
            return self.finish(frame, "meshlets/clear", target, None);
        }
        Ok(())
    }

    pub fn record_layers(
        &mut self,
        frame: &mut Frame,
        view: &PassView<'_>,
        first: Phase,
        targets: &Targets,
        layers: &LayerTargets,
    ) -> Result<()> {
        let chunks: Vec<(u32, Chunk)> = (0..)
            .zip(view.history.chunks.iter().copied())
            .filter(|(_, chunk)| chunk.cover == AlphaMode::Blend)
            .collect();
        let nearest = |image: &Image| image.mip(0).through(Sampler::NearestClamp);
        let [_, nothing] = &layers.depths;
        let pass = frame.raster("meshlets/no layer").color(&layers.ids[LAYERS - 1].mip(0), Some([0.0; 4]));
        pass.depth(&nothing.mip(0), Some(1.0)).finish()?;
        for layer in 0..LAYERS {
            let [depth, nearer] = [0, 1].map(|k| &layers.depths[(layer + k) % 2]);
            let nearer_ids = &layers.ids[(layer + LAYERS - 1) % LAYERS];
            let (ids, depth) = (layers.ids[layer].mip(0), depth.mip(0));
            let mut target =
                PassTarget { kind: DrawKind::Layer, color: Some(&ids), depth: Some(&depth), is_clear: false };
            for (index, chunk) in &chunks {
                let once = chunks.len() == 1 && layer > 0;
                let slot = view.history.layer_slot(*index, if once { 0 } else { layer as u32 });
                let phase = if layer == 0 { first } else { Phase::Select(DRAWN) };
                let push = phase.push(*chunk, slot);
                let draw = match view.path {
                    Path::Mesh => self.mesh(view, &push, DrawKind::Layer, chunk.cover)?,
                    Path::Vertex | Path::Compute => {
                        if !once {
                            self.list_triangles(frame, view, &push, DrawKind::Layer, 1)?;
                        }
                        self.listed(view, slot, DrawKind::Layer, chunk.cover)?
                    }
                };
                let draw = draw.bind("solid_depth", nearest(&targets.depth));
                let draw = draw.bind("nearer_depth", nearest(nearer)).bind("nearer_ids", nearest(nearer_ids));
                let draw = self.gpu.policy().can_draw.then_some(draw);
                self.finish(frame, &format!("meshlets/layer {}", layer + 1), &mut target, draw)?;
            }
        }
        Ok(())
    }

    fn finish(&self, frame: &mut Frame, name: &str, target: &mut PassTarget<'_>, draw: Option<Draw>) -> Result<()> {
        let mut pass = frame.raster(name);
        if let Some(color) = target.color {
            pass = pass.color(color, (!target.is_clear).then_some([0.0; 4]));
        }
        if let Some(depth) = target.depth {
            pass = pass.depth(depth, (!target.is_clear).then_some(0.0));
        }
        target.is_clear = true;
        match draw {
            Some(draw) => pass.draw(draw).finish(),
            None => pass.finish(),
        }
    }

    fn mesh(&self, view: &PassView<'_>, push: &CullPush, kind: DrawKind, cover: AlphaMode) -> Result<Draw> {
        let (world, history) = (view.world, view.history);
        let groups = push.count.div_ceil(32);
        let draw = self.draw(Path::Mesh, kind, [false, kind.cuts(cover)])?.draw_mesh([
            groups.min(ROW),
            groups.div_ceil(ROW),
            1,
        ]);
        let draw = draw
            .bind_named(world.bindings())
            .bind("Eye", view.eye)
            .bind("Fates", &history.fates)
            .bind("Pyramid", view.pyramid);
        Ok(draw.bind("Work", &history.work).push(push))
    }

    fn cull(&self, frame: &mut Frame, view: &PassView<'_>, push: &CullPush, pass: u32) -> Result<()> {
        let (world, history) = (view.world, view.history);
        let groups = if self.in_order { 1 } else { push.count.div_ceil(64) };
        frame
            .compute(format!("meshlets/cull {pass}"), &self.cull)
            .bind_named(world.bindings())
            .bind("Eye", view.eye)
            .bind("Fates", &history.fates)
            .bind("Pyramid", view.pyramid)
            .bind("Work", &history.work)
            .bind("Listed", &history.listed)
            .push(push)
            .dispatch_groups([groups.min(ROW), groups.div_ceil(ROW), 1])
    }

    fn list_triangles(
        &mut self,
        frame: &mut Frame,
        view: &PassView<'_>,
        push: &CullPush,
        kind: DrawKind,
        pass: u32,
    ) -> Result<()> {
        let (world, history) = (view.world, view.history);
        let lists_all = self.lists_all && push.count <= GROUPS_MOST;
        if lists_all {
            history.list_all(frame, push.first, push.count)?;
        } else {
            self.cull(frame, view, push, pass)?;
        }
        let loops = !lists_all && (self.in_order || push.count > GROUPS_MOST);
        let list = self.list(kind, view, loops, !lists_all)?;
        let slot = push.slot;
        let pass = frame
            .compute(format!("meshlets/list {pass}"), &list)
            .bind_named(world.bindings())
            .bind("Eye", view.eye)
            .bind("Work", &history.work)
            .bind("Listed", &history.listed)
            .bind("Draws", &history.draws)
            .bind("List", &history.list)
            .bind("Corners", &history.corners)
            .push(&ListPush { slot });
        match (lists_all, self.in_order) {
            (true, _) => pass.dispatch_groups([push.count, 1, 1]),
            (_, true) => pass.dispatch_groups([1, 1, 1]),
            _ => pass.dispatch_indirect(&history.work, History::dispatch_at(slot)),
        }
    }

    fn listed(&self, view: &PassView<'_>, slot: u32, kind: DrawKind, cover: AlphaMode) -> Result<Draw> {
        let history = view.history;
        let is_cut = kind.cuts(cover);
        let draw = self.draw(Path::Vertex, kind, [self.reads_texels(view), is_cut])?;
        let mut draw = draw.draw_indirect(&history.draws, 16 * u64::from(slot), 1);
        draw = draw.bind("List", &history.list).bind("Corners", &history.corners);
        if is_cut {
            draw = draw.bind_named(view.world.bindings()).bind("Eye", view.eye);
        }
        Ok(if kind == DrawKind::Fates { draw.bind("Fates", &history.fates) } else { draw })
    }
}
