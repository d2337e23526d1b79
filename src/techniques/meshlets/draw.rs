//! The two paths from meshlets to pixels: task and mesh shaders, or compute passes that list triangles and a vertex shader that
//! finds them. Both draw the same triangles at the same places.

use super::{
    culling::{CullPush, History, ListPush, Phase},
    eye::Eye,
};
use crate::{
    gpu::{
        Blend, Buffer, ComputePipeline, Format, Frame, Gpu, ImageView, PipelineCache, RasterDesc, RasterPipeline,
        Result,
    },
    scene::world::{Instance, Meshlet, Placed, Resident, Vertex},
};
use std::sync::Arc;

/// How meshlets become triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    Mesh,
    Vertex,
}

/// What is drawn into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawKind {
    /// Visibility values and depth.
    Ids,
    /// Depth alone, of both sides of every triangle.
    Shadow,
    /// One more for every fragment.
    Overdraw,
    /// Colours by fate, see-through, of both sides.
    Fates,
}

/// Format of what [`DrawKind::Overdraw`] and [`DrawKind::Fates`] draw into.
pub const LAYER: Format = Format::Rgba16F;
/// Workgroups in a row of those that go over all meshlet instances.
const ROW: u32 = 32768;
/// Workgroups that every device can dispatch in a row.
const GROUPS_MOST: u32 = 65_535;
/// Away from the sun by so many steps of the depth format, and by so many times the depth's slope over a texel.
const SHADOW_BIAS: [f32; 2] = [-4.0, -1.5];

/// Pipelines, made when they are first needed.
pub struct Pipelines {
    gpu: Arc<Gpu>,
    /// Lists are read as texels where they fit, not as words: quicker on software drivers, and the picture is the same.
    pub texels: bool,
    cull: ComputePipeline,
    lists: PipelineCache<(bool, [u32; 3])>,
    draws: PipelineCache<(Path, DrawKind, bool), RasterPipeline>,
}

/// What a pass draws, and from where.
pub struct Seen<'a> {
    pub world: &'a Resident,
    pub history: &'a History,
    pub eye: &'a Buffer,
    pub pyramid: &'a Buffer,
    pub path: Path,
    /// Leave out triangles that cover no pixel before they reach the rasterizer (vertex path).
    pub lists_less: bool,
}

/// Where it is drawn to; cleared by the first pass.
pub struct Onto<'a> {
    pub kind: DrawKind,
    pub color: Option<&'a ImageView>,
    pub depth: Option<&'a ImageView>,
    pub is_clear: bool,
}

impl Pipelines {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let cull = ComputePipeline::new(gpu, "meshlets/cull.comp", &[])?.with_push::<CullPush>()?;
        let cull = cull.with_struct::<Eye>("Eye")?.with_struct::<Placed>("PlacedMeshlets")?;
        let cull = cull.with_struct::<Meshlet>("Meshlets")?.with_struct::<Instance>("Instances")?;
        let texels = gpu.facts().is_software();
        Ok(Self { gpu: gpu.clone(), texels, cull, lists: PipelineCache::default(), draws: PipelineCache::default() })
    }

    fn reads_texels(&self, seen: &Seen<'_>) -> bool {
        self.texels && seen.world.has_texels && seen.history.has_texels
    }

    fn list(&self, kind: DrawKind, seen: &Seen<'_>, loops: bool) -> Result<ComputePipeline> {
        let cull_back = matches!(kind, DrawKind::Ids | DrawKind::Overdraw);
        let key = (self.reads_texels(seen), [cull_back, seen.lists_less, loops].map(u32::from));
        self.lists.get(key, |(texels, [cull_back, cull_triangles, loops])| {
            let constants = [("CULL_BACK", *cull_back), ("CULL_TRIANGLES", *cull_triangles), ("LOOPS", *loops)];
            let shader = if *texels { "meshlets/list.comp:texels" } else { "meshlets/list.comp:words" };
            let made = ComputePipeline::new(&self.gpu, shader, &constants)?.with_push::<ListPush>()?;
            if *texels { Ok(made) } else { made.with_struct::<Vertex>("Vertices") }
        })
    }

    fn draw(&self, path: Path, kind: DrawKind, texels: bool) -> Result<RasterPipeline> {
        self.draws.get((path, kind, texels), |_| self.make_draw(path, kind, texels))
    }

    fn make_draw(&self, path: Path, kind: DrawKind, texels: bool) -> Result<RasterPipeline> {
        let (mut shaders, variant) = match path {
            Path::Mesh => (vec!["meshlets/meshlets.task".to_owned(), "meshlets/meshlets.mesh".into()], "mesh"),
            Path::Vertex if texels => (vec!["meshlets/pull.vert:texels".to_owned()], "vertex"),
            Path::Vertex => (vec!["meshlets/pull.vert:words".to_owned()], "vertex"),
        };
        match kind {
            DrawKind::Ids => shaders.push(format!("meshlets/ids.frag:{variant}")),
            DrawKind::Overdraw => shaders.push("meshlets/overdraw.frag".into()),
            DrawKind::Fates => shaders.push(format!("meshlets/fates.frag:{variant}")),
            DrawKind::Shadow => {}
        }
        RasterPipeline::new(
            &self.gpu,
            RasterDesc {
                shaders,
                color: match kind {
                    DrawKind::Ids => vec![Format::R32U],
                    DrawKind::Overdraw | DrawKind::Fates => vec![LAYER],
                    DrawKind::Shadow => vec![],
                },
                depth: matches!(kind, DrawKind::Ids | DrawKind::Shadow).then_some(Format::Depth32F),
                blend: match kind {
                    DrawKind::Overdraw => Blend::Add,
                    DrawKind::Fates => Blend::Premultiplied,
                    _ => Blend::None,
                },
                cull_back: matches!(kind, DrawKind::Ids | DrawKind::Overdraw),
                depth_bias: if kind == DrawKind::Shadow { SHADOW_BIAS } else { [0.0; 2] },
                ..Default::default()
            },
        )
    }

    /// Draws what `phase` picks.
    pub fn record(&mut self, frame: &mut Frame, seen: &Seen<'_>, phase: Phase, onto: &mut Onto<'_>) -> Result<()> {
        let (pass, goes) = (if phase == Phase::Second { 2 } else { 1 }, seen.history.chunks.len() as u32);
        if goes == 0 && !onto.is_clear {
            return self.finish(frame, "meshlets/clear", onto, None);
        }
        for (index, chunk) in (0..).zip(&seen.history.chunks) {
            let slot = index + if phase == Phase::Second { goes } else { 0 };
            let push = phase.push(*chunk, slot);
            let draw = match seen.path {
                Path::Mesh => self.mesh(seen, &push, onto.kind)?,
                Path::Vertex => self.listed(frame, seen, &push, onto.kind, pass)?,
            };
            self.finish(frame, &format!("meshlets/draw {pass}"), onto, Some(draw))?;
        }
        Ok(())
    }

    fn finish(&self, frame: &mut Frame, name: &str, onto: &mut Onto<'_>, draw: Option<crate::gpu::Draw>) -> Result<()> {
        let mut pass = frame.raster(name);
        if let Some(color) = onto.color {
            pass = pass.color(color, (!onto.is_clear).then_some([0.0; 4]));
        }
        if let Some(depth) = onto.depth {
            pass = pass.depth(depth, (!onto.is_clear).then_some(0.0));
        }
        onto.is_clear = true;
        match draw {
            Some(draw) => pass.draw(draw).finish(),
            None => pass.finish(),
        }
    }

    fn mesh(&self, seen: &Seen<'_>, push: &CullPush, kind: DrawKind) -> Result<crate::gpu::Draw> {
        let (world, history) = (seen.world, seen.history);
        let groups = push.count.div_ceil(32);
        let draw = self.draw(Path::Mesh, kind, false)?.draw_mesh([groups.min(ROW), groups.div_ceil(ROW), 1]);
        let draw = draw
            .bind_named(world.bindings())
            .bind("Eye", seen.eye)
            .bind("Fates", &history.fates)
            .bind("Pyramid", seen.pyramid);
        Ok(draw.bind("Work", &history.work).push(push))
    }

    fn listed(
        &mut self,
        frame: &mut Frame,
        seen: &Seen<'_>,
        push: &CullPush,
        kind: DrawKind,
        pass: u32,
    ) -> Result<crate::gpu::Draw> {
        let (world, history) = (seen.world, seen.history);
        let groups = push.count.div_ceil(64);
        frame
            .compute(format!("meshlets/cull {pass}"), &self.cull)
            .bind_named(world.bindings())
            .bind("Eye", seen.eye)
            .bind("Fates", &history.fates)
            .bind("Pyramid", seen.pyramid)
            .bind("Work", &history.work)
            .bind("Listed", &history.listed)
            .push(push)
            .dispatch_groups([groups.min(ROW), groups.div_ceil(ROW), 1])?;
        let list = self.list(kind, seen, push.count > GROUPS_MOST)?;
        frame
            .compute(format!("meshlets/list {pass}"), &list)
            .bind_named(world.bindings())
            .bind("Eye", seen.eye)
            .bind("Work", &history.work)
            .bind("Listed", &history.listed)
            .bind("Draws", &history.draws)
            .bind("List", &history.list)
            .bind("Corners", &history.corners)
            .push(&ListPush { slot: push.slot })
            .dispatch_indirect(&history.work, History::dispatch_at(push.slot))?;
        let draw = self.draw(Path::Vertex, kind, self.reads_texels(seen))?;
        let draw = draw.draw_indirect(&history.draws, 16 * u64::from(push.slot), 1);
        let draw = draw.bind("List", &history.list).bind("Corners", &history.corners);
        Ok(if kind == DrawKind::Fates { draw.bind("Fates", &history.fates) } else { draw })
    }
}
