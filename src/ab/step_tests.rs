//! Tests of B that is pinned while A runs: equal settings are equal in every frame, other shaders are not.

use super::test_stage::{self, at_rest, background, lens, renderer, target, with, worlds};
use super::{Pair, PairInput, PairLayout};
use base::{
    fixtures::Folder,
    timing::{FrameTiming, technique_of},
};
use gpu::{Frame, Frames, Gpu, ImageView, TestGpu, test_gpu};
use renderer::Renderer;
use std::{fs, path::Path, sync::Arc};
use technique::{FrameRead, Output};
use techniques::Settings;

const SIZE: [u32; 2] = [112, 64];

struct Run {
    renderer: Renderer,
    frames: Frames,
    target: ImageView,
    timing: FrameTiming,
    gpu: TestGpu,
}

impl Run {
    fn new() -> Self {
        let gpu = test_gpu();
        let (renderer, frames, target) = (renderer(&gpu), Frames::new(&gpu, 1), target(&gpu, SIZE).mip(0));
        Self { gpu, renderer, frames, target, timing: FrameTiming::default() }
    }

    fn pair(&self, of_b: &Arc<Gpu>) -> Pair {
        Pair::new([&self.gpu, of_b], background(), worlds()).unwrap()
    }

    fn alone(&mut self, settings: &Settings) {
        let Self { gpu, renderer, frames, target, .. } = self;
        let lenses = [lens(settings)];
        let params = at_rest(gpu, settings, &lenses, None);
        let record = |frame: &mut Frame| renderer.record(frame, &params, target);
        let ((), timing) = frames.once(record).unwrap();
        renderer.on_timing(&timing).unwrap();
    }

    fn both(&mut self, pair: &mut Pair, of_a: &Settings, of_b: &Settings) -> gpu::Result<[Vec<u8>; 2]> {
        let Self { gpu, renderer, frames, target, .. } = self;
        let lenses = [of_a, of_b].map(|settings| [lens(settings)]);
        let (a, b) = (at_rest(gpu, of_a, &lenses[0], None), at_rest(gpu, of_b, &lenses[1], None));
        let (reads, timing) = frames.once(|frame| {
            let input = PairInput { renderer, a: &a, b: &b, size_b: SIZE, layout: PairLayout::Split(0.5) };
            let [picture_a, picture_b] = pair.record(frame, input, target)?;
            gpu::Result::Ok([Output::from(&picture_a).read(frame)?, Output::from(&picture_b).read(frame)?])
        })?;
        pair.on_timing(&timing, renderer)?;
        self.timing = timing;
        Ok(reads.map(|read: FrameRead| read.array().unwrap().bytes))
    }
}

pub(super) fn settings(sets: &[&str]) -> Settings {
    test_stage::settings(&[&["glass.frost=3"], sets].concat())
}

const FRAMES: u32 = 8;
const READY: u32 = 600;

/// A has moved before, so its antialiasing has a history; mirrors are traced over several frames.
#[test]
fn equal_settings_are_equal_in_every_frame() {
    // The glass follows the brightness over frames in which the picture below it stays.
    for sets in [&["particles.kind=motes"][..], &["particles.kind=none", "reflections.trace=on", "glass.adaptive=0"]] {
        let mut run = Run::new();
        let of_b = settings(sets);
        for step in 0..7 {
            run.alone(&with(&of_b, &[&format!("scene.orbit={}", 0.7 * f64::from(step))]));
        }
        run.alone(&of_b);
        // Its first picture takes more frames where the driver compiles.
        for _ in 0..READY {
            if run.renderer.beginning().is_none() {
                break;
            }
            run.alone(&of_b);
        }
        let mut pair = run.pair(&run.gpu);
        let other = with(&of_b, &["shade.exposure=1.5"]);
        for (of_a, is_drawn_more) in [(&of_b, false), (&other, false), (&of_b, false), (&of_b, true)] {
            if is_drawn_more {
                run.alone(&with(&of_b, &["scene.rerun=world"]));
            }
            run.both(&mut pair, of_a, &of_b).unwrap();
            let waited = (0..READY).find(|_| {
                pair.is_comparable() && pair.renderer_ref().beginning().is_none() || {
                    run.both(&mut pair, of_a, &of_b).unwrap();
                    false
                }
            });
            assert_eq!(pair.shares_backdrop(), of_a == &of_b);
            assert!(waited.is_some(), "{sets:?}, equal: {}, drawn more: {is_drawn_more}", of_a == &of_b);
            assert!(of_a != &of_b || waited == Some(0), "{sets:?}: equal at once");
            let (mut pictures, mut changes, mut number) = (Vec::new(), None, 0);
            // A frame of a slow machine adds less: more of them until enough pictures differ.
            while number < FRAMES || of_a == &of_b && pictures.len() <= 3 && number < READY {
                let [a, b] = run.both(&mut pair, of_a, &of_b).unwrap();
                let before = changes.replace(run.renderer.changes());
                let is_same = pictures.last().is_none_or(|last| *last == a);
                assert!(is_same || before != changes, "{sets:?}: frame {number} has changed without notice");
                assert_eq!(a == b, of_a == &of_b, "{sets:?}: frame {number}");
                if !is_same || pictures.is_empty() {
                    pictures.push(a);
                }
                number += 1;
            }
            assert!(of_a != &of_b || pictures.len() > 3, "{sets:?}: {} of them are different", pictures.len());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn b_may_have_other_shaders() {
    let (folder, settings) = (Folder::new("shaders-of-b"), settings(&["scene.source=picture"]));
    copy(&Path::new(env!("MENISCUS_CHECKOUT")).join("shaders"), &folder.0);
    let (file, mut pictures) = (folder.0.join("glass/display.glsl"), Vec::new());
    let text = fs::read_to_string(&file).unwrap();
    let edited = text.replacen("vec4 written(vec3 encoded) {", "vec4 written(vec3 encoded) { encoded.g *= 0.5;", 1);
    assert_ne!(text, edited);
    let mut run = Run::new();
    for (text, is_strict) in [(edited.as_str(), true), ("#error broken\n", false), ("#error broken\n", true)] {
        fs::write(&file, text).unwrap();
        let of_b = run.gpu.with_shaders(&folder.0, is_strict).unwrap();
        let mut pair = run.pair(&of_b);
        let mut shown = Ok(Default::default());
        for _ in 0..READY {
            shown = run.both(&mut pair, &settings, &settings);
            if shown.is_err() || pair.is_in_step() && run.renderer.beginning().is_none() {
                break;
            }
        }
        let is_broken = text.starts_with("#error");
        match shown {
            Ok([a, b]) => {
                assert!(!(is_broken && is_strict));
                assert_eq!(a == b, is_broken, "{is_strict}: {:.60}", text);
                assert_eq!(of_b.shaders.errors().iter().any(|(_, why)| why.contains("broken")), is_broken);
                assert_eq!(run.gpu.shaders.errors(), []);
                pictures.push(a);
            }
            Err(why) => assert!(is_broken && is_strict && why.to_string().contains("broken"), "{why}"),
        }
    }
    assert_eq!(pictures.len(), 2);
    assert!(pictures[0] == pictures[1], "A has its own shaders");
}

fn backdrop_passes(timing: &FrameTiming) -> Vec<&str> {
    let draws = ["meshlets", "pixel_sort", "shade", "reflections", "antialias", "particles"];
    let names = timing.passes.iter().map(|pass| pass.name.as_str());
    names.filter(|name| draws.contains(&technique_of(name.strip_prefix(super::OF_B).unwrap_or(name)))).collect()
}

#[test]
fn pinning_draws_no_world_again() {
    let mut run = Run::new();
    let of_a = settings(&["particles.kind=none", "reflections.trace=on", "scene.drift=off", "glass.adaptive=0"]);
    run.alone(&of_a);
    for _ in 0..500 {
        if !run.renderer.is_unfinished(&of_a) && run.renderer.beginning().is_none() {
            break;
        }
        run.alone(&of_a);
    }
    assert!(!run.renderer.is_unfinished(&of_a), "A is complete");
    let mut pair = run.pair(&run.gpu);
    let differing = |set: &str| with(&of_a, &[set]);
    let mut picture = None;
    for (of_b, is_shared) in [
        (of_a.clone(), true),
        (differing("glass.frost=0"), true),
        (differing("shade.exposure=1.5"), false),
        (of_a.clone(), true),
    ] {
        let (mut of_b_passes, mut outside) = (0, 0);
        for number in 0..60 {
            let [a, b] = run.both(&mut pair, &of_a, &of_b).unwrap();
            let passes = backdrop_passes(&run.timing);
            let of_a_passes: Vec<_> = passes.iter().filter(|name| !name.starts_with(super::OF_B)).collect();
            let toned = ["shade/tone"]; // into a picture for A and B, in the first frame
            assert!(of_a_passes.iter().all(|name| number == 0 && toned.contains(name)), "{number}: {of_a_passes:?}");
            of_b_passes += passes.len() - of_a_passes.len();
            assert!(*picture.get_or_insert_with(|| a.clone()) == a, "{number}: the picture of A");
            assert_eq!(pair.shares_backdrop(), is_shared);
            assert_eq!(a == b, of_b == of_a || !is_shared && pair.renderer_ref().changes() == 0, "{number}");
            outside = (0..4 * SIZE[0] as usize).filter(|at| a[*at] != b[*at]).count();
        }
        assert_eq!(of_b_passes == 0, is_shared, "{of_b_passes} passes of the world of B");
        assert_eq!(outside == 0, is_shared, "{outside} bytes of the first row, which no lens reaches");
    }
}

#[test]
fn a_moving_world_is_drawn_once() {
    let mut run = Run::new();
    let mut pair = run.pair(&run.gpu);
    let mut times = super::PairTimes::default();
    let is_of_world = |row: &&super::TimeRow| technique_of(&row.pass) == "shade";
    // Frames in which the driver compiles have no times, and those of a slow machine do not always draw the world.
    let mut step = 0;
    while step < 4 || !times.rows().iter().any(|row| is_of_world(&row)) && step < READY {
        step += 1;
        let orbit = format!("scene.orbit={}", 0.7 * f64::from(step));
        let of_a = settings(&["particles.kind=none", &orbit]);
        let of_b = with(&of_a, &["glass.frost=0"]);
        run.both(&mut pair, &of_a, &of_b).unwrap();
        let passes = backdrop_passes(&run.timing);
        assert!(passes.iter().all(|name| !name.starts_with(super::OF_B)), "{passes:?}");
        assert!(pair.shares_backdrop());
        times.push(&run.timing);
    }
    let rows = times.rows();
    let world: Vec<_> = rows.iter().filter(is_of_world).collect();
    assert!(!world.is_empty() && world.iter().all(|row| row.a_us.is_some() && row.a_us == row.b_us), "{world:?}");
}
