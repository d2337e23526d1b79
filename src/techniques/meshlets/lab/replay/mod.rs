//! Replay of one cluster in a tile: its tests, its triangles, its IDs.

mod canvas;
mod cluster;
mod steps;

use self::{
    cluster::{Evidence, TILE, TileOfIds},
    steps::Steps,
};
use crate::{pass::Path, settings::MeshletsSettings, visibility::Meshlets};
use gpu::Frame;
use technique::{
    FrameContext, MemoryComparison, NamedOutputs, Output, Replay, Replays, StoryPixel, Variant, WorldFrame, all_words,
};

impl Replays for Meshlets {
    const SHOWS: &'static str = "One cluster of one tile: sphere, cone, pyramid, triangles, IDs.";

    fn record_replay(
        &self,
        _: &mut Frame,
        settings: &MeshletsSettings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs> {
        let Some(world) = &context.world else { return Ok(Vec::new()) };
        let mut read: NamedOutputs = vec![("ids", (&world.ids).into()), ("depth", (&world.depth).into())];
        let (Some(history), Some(targets)) = (&self.history, self.targets.first()) else { return Ok(read) };
        let is_of_frame = self.drawn.as_ref().is_some_and(|drawn| {
            (&drawn.camera, drawn.size, &drawn.settings) == (&world.camera, world.ids.size(), settings)
        });
        // Frozen results belong to another camera.
        if is_of_frame && !settings.freeze {
            read.push(("results", Output::words(&history.fates)));
            if settings.occlusion {
                read.push(("pyramid", Output::words(&targets.pyramid)));
            }
        }
        Ok(read)
    }

    fn replay(&self, settings: &MeshletsSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let drawn = pixel.context.world.as_ref().ok_or("No 3D scene was drawn in this frame.")?;
        let (size, read) = (drawn.ids.size(), |name| pixel.array(name).map(all_words));
        let whole = |words: &Vec<u32>| words.len() == size[0] as usize * size[1] as usize;
        let (Some(ids), Some(depth)) = (read("ids").filter(whole), read("depth").filter(whole)) else {
            return Err("The IDs of this frame were not read.".into());
        };
        let world = &drawn.resident.world;
        if world.meshlet_instances.is_empty() {
            return Err("The scene has no cluster.".into());
        }
        let tiles = pixel.tiles([TILE; 2], size);
        let pyramid = read("pyramid").map(|words| words.into_iter().map(f32::from_bits).collect::<Vec<f32>>());
        let results = read("results");
        let evidence = Evidence {
            world,
            camera: &drawn.camera,
            size,
            ids: &ids,
            depth: &depth,
            results: results.as_deref(),
            pyramid: pyramid.as_deref(),
        };
        let tile = TileOfIds::new(evidence, settings.tests(), tiles.at, pixel.place(size));
        let comparisons = comparisons(&tile);
        let group = group_of(self, tile.chosen);
        let lanes = (group[0]..group[0] + group[1]).map(|placed| format!("cluster {placed}"));
        let items = tile.items().into_iter().chain(lanes).collect();
        let steps = Steps { tile: &tile, group }.all(&comparisons[0]);
        let note = variant(self, settings, drawn).note("");
        Ok(Replay::new(tiles, steps, comparisons, note).items(items))
    }
}

fn variant(meshlets: &Meshlets, settings: &MeshletsSettings, world: &WorldFrame) -> Variant {
    let tests = |of: &MeshletsSettings| {
        let all = [(of.frustum, "frustum"), (of.cone, "backface cones"), (of.occlusion, "occlusion")];
        let on: Vec<&str> = all.iter().filter(|(is_on, _)| *is_on).map(|(_, name)| *name).collect();
        if on.is_empty() { "no culling".to_owned() } else { format!("culling by {}", on.join(", ")) }
    };
    let shown = tests(settings);
    let Some(drawn) = meshlets.drawn.as_ref().filter(|drawn| drawn.camera == world.camera) else {
        return Variant { shown, ..Variant::default() };
    };
    let path = match drawn.path {
        Path::Mesh => "mesh shaders",
        Path::Vertex => "vertex shaders",
        Path::Compute => "a compute shader",
    };
    let runs = tests(&drawn.settings);
    let [runs, shown] = [runs, shown].map(|tests| format!("{path} with {tests}"));
    Variant { runs, when: "", shown }
}

fn group_of(meshlets: &Meshlets, placed: usize) -> [usize; 2] {
    let lanes = match meshlets.drawn.as_ref().map(|drawn| drawn.path) {
        Some(Path::Mesh) => 32,
        _ => 64,
    };
    let chunks = meshlets.history.iter().flat_map(|history| &history.chunks);
    let mut spans = chunks.map(|chunk| [chunk.first, chunk.count].map(|number| number as usize));
    match spans.find(|[first, count]| (*first..first + count).contains(&placed)) {
        Some([from, count]) => {
            let first = from + (placed - from) / lanes * lanes;
            [first, lanes.min(from + count - first)]
        }
        None => [placed, 1],
    }
}

fn comparisons(tile: &TileOfIds<'_>) -> Vec<MemoryComparison> {
    let (cpu, unsure) = tile.expected_ids();
    let ids = MemoryComparison::of("IDs of this tile", &cpu, &tile.ids);
    let mut all = vec![ids.with(unsure, "pixels have more than one right ID, at edges that rounding decides")];
    if let Some((cpu, gpu, unsure)) = tile.expected_results() {
        let results = MemoryComparison::of("culling results of clusters over this tile", &cpu, &gpu);
        all.push(results.with(unsure, "more are within rounding of a limit"));
    }
    if let Some((cpu, gpu)) = tile.expected_pyramid() {
        all.push(MemoryComparison::of("texels of the pyramid over this tile, from its level 2 on", &cpu, &gpu));
    }
    all
}
