//! Tests of replays against the GPU's memory.

use ab::test_stage::{SIZE, Stage};
use base::markdown::{Block, blocks};
use gpu::test_gpu;
use media::pixels::pixels_of;
use technique::{Replay, StoryTexels};
use techniques::INFOS;

fn replay(stage: &Stage, texels: &StoryTexels, technique: &str, at: [u32; 2]) -> Replay {
    let (techniques, context) = stage.renderer.last_frame().unwrap();
    techniques.replay(technique, &stage.settings, texels.pixel(context, at)).unwrap()
}

fn pixels(stage: &Stage, texels: &StoryTexels, technique: &str) -> Vec<[u32; 2]> {
    let tiles = replay(stage, texels, technique, [0, 0]).tiles;
    pixels_of(tiles.count).map(|tile| tiles.pixel_of(tile, SIZE)).collect()
}

fn check_form(replay: &Replay) {
    assert!(replay.steps.len() > 2, "{}", replay.technique);
    assert!(replay.note.starts_with("The frame runs "), "{}: {}", replay.technique, replay.note);
    for step in &replay.steps {
        let sentences: Vec<&str> = step.sentence.split(". ").collect();
        let place = format!("{}: {}", replay.technique, step.name);
        assert!(
            step.sentence.ends_with('.') && sentences.len() <= 4 && sentences.iter().all(|one| one.len() < 240),
            "{place}: {}",
            step.sentence
        );
        assert!(!step.grids.is_empty() && step.grids.iter().all(|grid| !grid.title.is_empty()), "{place}");
        let items = step.grids.iter().flat_map(|grid| &grid.cells).filter_map(|cell| cell.item);
        assert!(items.max().is_none_or(|most| (most as usize) < replay.items.len()), "{place}");
        for arrow in &step.arrows {
            let is_there = |[grid, cell]: [usize; 2]| step.grids.get(grid).is_some_and(|grid| cell < grid.cells.len());
            assert!(is_there(arrow.from) && is_there(arrow.to), "{place}: {arrow:?}");
        }
    }
}

fn check(technique: &'static str, sets: &[&str], memory: &'static str) {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, sets);
    let mut texels = stage.evidence(Some(technique));
    let pixels = pixels(&stage, &texels, technique);
    for at in &pixels {
        let replay = replay(&stage, &texels, technique, *at);
        check_form(&replay);
        for comparison in &replay.comparisons {
            assert!(comparison.is_equal(), "{technique} {sets:?} at {at:?}: {}", comparison.text);
        }
    }
    let bytes = texels.arrays[&(technique, memory)].bytes.len();
    // The upper byte of half floats and floats, any of words.
    let upper = texels.arrays[&(technique, memory)].element.bytes() - 1;
    for place in [upper, (bytes / 3) | upper, bytes - 1] {
        texels.arrays.get_mut(&(technique, memory)).unwrap().bytes[place] ^= 0x04;
        let wrong = |at: &&[u32; 2]| {
            let replay = replay(&stage, &texels, technique, **at);
            let last = &replay.steps[replay.steps.len() - 1];
            let marked =
                || last.grids.iter().flat_map(|grid| &grid.cells).any(|cell| cell.role == technique::Role::Wrong);
            replay.comparisons.iter().any(|comparison| !comparison.is_equal()) && marked()
        };
        // Tiles and memory have one order, nearly: the first ones tried are near the byte.
        let (before, after) = pixels.split_at(pixels.len() * place / bytes);
        let is_noticed = after.iter().chain(before.iter().rev()).any(|at| wrong(&at));
        assert!(is_noticed, "{technique} {sets:?}: byte {place} of {bytes} is not noticed");
        texels.arrays.get_mut(&(technique, memory)).unwrap().bytes[place] ^= 0x04;
    }
}

#[test]
fn sorted_tiles_equal_the_gpus() {
    let scene = "scene.source=world";
    check("pixel_sort", &[scene], "entries");
    check("pixel_sort", &[scene, "shade.by=list", "pixel_sort.key=meshlet", "pixel_sort.packed=true"], "entries");
    check("pixel_sort", &["scene.source=picture", "pixel_sort.cell_area=20", "pixel_sort.empty=0.3"], "entries");
    check("pixel_sort", &[scene, "pixel_sort.short_list=true", "pixel_sort.resolve=false"], "entries");
}

#[test]
fn tiles_of_the_mip_chain_equal_the_gpus() {
    for sets in [&["mip_chain.filter=box"][..], &["mip_chain.filter=tent"], &["mip_chain.levels=3"]] {
        let sets: Vec<&str> = ["scene.source=picture"].iter().chain(sets).copied().collect();
        check("mip_chain", &sets, "level 1");
    }
}

#[test]
fn squares_of_the_table_equal_the_gpus() {
    for method in
        ["single_pass", "two_pass", "doubling", "transpose", "scan_row_brlt", "brlt_scan_row", "scan_row_column"]
    {
        let method = format!("summed_area.method={method}");
        check("summed_area", &["scene.source=picture", &method], "table");
    }
    check("summed_area", &["scene.source=world", "summed_area.padding=false"], "table");
}

#[test]
fn masks_of_the_mirrors_equal_the_gpus() {
    let sets = ["scene.source=world", "scene.place=corridor", "reflections.depth=4"];
    let others: [&[&str]; 9] = [
        &["reflections.work=words"],
        &["reflections.work=live_words", "reflections.mapping=linear"],
        &["reflections.work=lanes", "reflections.storage=bytes"],
        &["reflections.work=persistent"],
        &["reflections.work=fixed_loop", "reflections.storage=u32", "reflections.mapping=linear"],
        &["reflections.work=path"],
        &["reflections.work=sorted"],
        &["reflections.work=queues"],
        &["reflections.scale=0.5"],
    ];
    for other in others {
        check("reflections", &[&sets, other].concat(), "masks");
    }
    check("reflections", &["scene.source=world", "scene.place=diffuse", "reflections.work=words"], "masks");
}

#[test]
fn the_first_sentence_follows_what_the_frame_runs() {
    let gpu = test_gpu();
    let note = |technique: &'static str, sets: &[&str]| {
        let mut stage = Stage::new(&gpu, sets);
        let texels = stage.evidence(Some(technique));
        replay(&stage, &texels, technique, [33, 28]).note
    };
    let world = "scene.source=world";
    let same = "and these steps explain that.";
    let (fixed, free) = ("the sort with the same list every run", "the sort whose list has no fixed order");
    for (sets, first) in [
        (["shade.by=list", "pixel_sort.deterministic=true"], format!("The frame runs {fixed}, {same}")),
        (
            ["shade.by=list", "pixel_sort.deterministic=false"],
            format!("The frame runs {free}; these steps explain {fixed}."),
        ),
        (
            ["shade.by=raster", "pixel_sort.deterministic=true"],
            format!("The frame runs nothing of this; these steps explain {fixed}."),
        ),
    ] {
        let note = note("pixel_sort", &[&[world], &sets[..]].concat());
        assert!(note.starts_with(&first), "{sets:?}: {note}");
    }
    let chosen = "the work that the GPU chooses before each bounce";
    let auto = if gpu.policy().runs_on_cpu { "queues of rays by material" } else { chosen };
    for (work, runs, shown) in [
        ("auto", auto, chosen),
        ("sorted", "the work Sorted hits", "the work All words"),
        ("words", "the work All words", "the work All words"),
    ] {
        let work = format!("reflections.work={work}");
        let sets = [world, "scene.place=corridor", "reflections.trace=on", "reflections.depth=4", &work];
        let note = note("reflections", &sets);
        // Few pixels: one dispatch follows each of them to the end, where that is no other work.
        let at_once = "The frame runs one dispatch for all bounces";
        let first = if note.starts_with(at_once) && !runs.starts_with("queues") {
            at_once
        } else {
            &format!("The frame runs {runs}")
        };
        let last =
            if runs == shown && first != at_once { same.to_owned() } else { format!("; these steps explain {shown}.") };
        assert!(note.starts_with(first) && note.contains(&last), "{work}: {note}");
    }
}

#[test]
fn ids_of_a_cluster_equal_the_gpus() {
    let scene = "scene.source=world";
    check("meshlets", &[scene, "meshlets.by=compute"], "ids");
    check("meshlets", &[scene, "meshlets.by=vertex", "meshlets.occlusion=false"], "ids");
    check("meshlets", &[scene, "scene.place=court", "scene.render_scale=0.7"], "ids");
    check("meshlets", &[scene, "meshlets.by=mesh", "meshlets.cone=false", "meshlets.frustum=false"], "ids");
}

#[test]
fn particles_equal_the_gpus() {
    let sets = ["scene.source=world", "scene.place=court", "particles.count=3000"];
    for kind in ["quiet", "motes", "spray", "fireflies"] {
        let kind = format!("particles.kind={kind}");
        check("particles", &[&sets[..], &[&kind, "particles.async_compute=false"]].concat(), "after");
    }
    check("particles", &[&sets[..], &["particles.kind=motes"]].concat(), "after");
    check("particles", &[&sets[..], &["particles.kind=nbody", "particles.count=32"]].concat(), "after");
}

#[test]
fn results_of_downsampling_equal_the_gpus() {
    // Chains of bytes may be off by a step and a half for each level: of one level, so that four steps are noticed.
    for (method, light, ratio) in [
        ("area_compute", "encoded", 4),
        ("nearest", "linear", 4),
        ("lanczos3", "linear", 4),
        ("kawase", "encoded", 2),
        ("tap13", "linear", 8),
        ("mip_chain", "linear", 4),
        ("table", "encoded", 4),
    ] {
        let sets = [
            format!("downsample.method={method}"),
            format!("downsample.light={light}"),
            format!("downsample.ratio={ratio}"),
        ];
        let all = ["scene.source=picture", &sets[0], &sets[1], &sets[2]];
        check("downsample", &all, "result");
    }
    let odd = ["scene.source=picture", "downsample.size=[13, 31]", "downsample.method=tap13"];
    check("downsample", &odd, "result of the plate");
    let plate = ["scene.source=world", "downsample.source=zone_plate", "downsample.light=encoded"];
    check("downsample", &plate, "result");
}

#[test]
fn pixels_of_the_glass_equal_the_gpus() {
    let gpu = test_gpu();
    for sets in [
        &["glass.frost=0.5"][..],
        &["glass.frost=6"],
        &["glass.mode=source"],
        &["glass.mode=source", "glass.blur=box81"],
    ] {
        if sets[0] == "glass.mode=source" && !gpu.policy().can_draw {
            continue;
        }
        let sets: Vec<&str> = ["scene.source=picture", "scene.drift=false"].iter().chain(sets).copied().collect();
        let mut stage = Stage::new(&gpu, &sets);
        let mut texels = stage.evidence(Some("glass"));
        for at in
            [[50, 28], [33, 28], [68, 30], [50, 10], [50, 46], [30, 28], [24, 28], [0, 0], [SIZE[0] - 1, SIZE[1] - 1]]
        {
            let told = replay(&stage, &texels, "glass", at);
            check_form(&told);
            let drawings = told.steps.iter().flat_map(|step| &step.grids).flat_map(|grid| &grid.drawings);
            assert!(drawings.flat_map(|drawing| &drawing.points).flatten().all(|place| place.is_finite()), "{at:?}");
            assert!(told.steps.iter().all(|step| !step.sentence.contains("NaN")), "{at:?}");
            let [comparison] = &told.comparisons[..] else { panic!("one comparison") };
            assert!(comparison.is_equal(), "{sets:?} at {at:?}: {}", comparison.text);
            assert_eq!(told.tiles.at, at);
            let first = 4 * (at[1] as usize * SIZE[0] as usize + at[0] as usize);
            texels.shown.bytes[first + 1] ^= 0x80;
            let told = replay(&stage, &texels, "glass", at);
            assert!(!told.comparisons[0].is_equal(), "{sets:?} at {at:?}: a wrong byte is not noticed");
            let cells = told.steps[told.steps.len() - 1].grids.iter().flat_map(|grid| &grid.cells);
            assert!(cells.filter(|cell| cell.role == technique::Role::Wrong).count() > 0);
            texels.shown.bytes[first + 1] ^= 0x80;
        }
    }
}

#[test]
fn figures_of_pages_are_steps() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &["scene.source=world", "glass.frost=0.5"]);
    let mut count = 0;
    for info in INFOS {
        let figures = |block| if let Block::Figure(name) = block { Some(name) } else { None };
        let figures: Vec<&str> = blocks(info.doc).into_iter().filter_map(figures).collect();
        if figures.is_empty() {
            continue;
        }
        let texels = stage.evidence(Some(info.id));
        let steps = replay(&stage, &texels, info.id, [33, 28]).steps;
        for figure in figures {
            assert!(steps.iter().any(|step| step.name == figure), "{}: no step \"{figure}\"", info.id);
            count += 1;
        }
    }
    assert!(count > 12, "{count}");
}

#[test]
fn garbage_is_refused_or_differs() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &["scene.source=world"]);
    for info in INFOS.iter().filter(|info| !info.lab.replays.is_empty()) {
        let mut texels = stage.evidence(Some(info.id));
        let told = |stage: &Stage, texels: &StoryTexels| {
            let (techniques, context) = stage.renderer.last_frame().unwrap();
            techniques.replay(info.id, &stage.settings, texels.pixel(context, [50, 28]))
        };
        for fill in [0xFF, 0x7E, 0x00] {
            texels.arrays.values_mut().for_each(|array| array.bytes.fill(fill));
            let _ = told(&stage, &texels);
        }
        for array in texels.arrays.values_mut() {
            (array.shape, array.bytes) = (vec![0, 0], Vec::new());
        }
        let told = told(&stage, &texels);
        assert!(told.is_err(), "{}: replays nothing", info.id);
    }
}
