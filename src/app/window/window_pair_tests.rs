//! Tests of B in a window at rest, without the window.

use super::window_pair::{SideB, WindowPair};
use ab::test_stage::{at_rest, lens, settings, target};
use gpu::{Frame, Frames, test_gpu};
use renderer::{Background, LoadMode, Renderer, WorldLoader};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIZE: [u32; 2] = [96, 56];
const PATIENCE: Duration = Duration::from_secs(600);

fn load() -> LoadMode {
    LoadMode::Background(Arc::new(|| ()))
}

/// No difference is shown before both have the same samples and mirrors, and then it is 0.
#[test]
fn equal_settings_show_no_difference_at_any_time() {
    let gpu = test_gpu();
    let messages = gpu.messages();
    let target = target(&gpu, SIZE).mip(0);
    for sets in [&["reflections.trace=on"][..], &["reflections.trace=on", "scene.antialias=off"]] {
        let settings = settings(sets);
        let lenses = [lens(&settings)];
        let params = at_rest(&gpu, &settings, &lenses, None);
        let mut a = Renderer::new(&gpu, Background::new(None, load()), WorldLoader::new(None, load())).unwrap();
        let (mut pair, mut frames) = (WindowPair::new(&gpu), Frames::new(&gpu, 1));
        let (started, mut shown) = (Instant::now(), 0);
        loop {
            assert!(started.elapsed() < PATIENCE, "{sets:?}: {shown} frames with figures");
            let record = |frame: &mut Frame| pair.record(frame, &mut a, &params, false, &target);
            let ((), timing) = frames.once(record).unwrap();
            pair.on_timing(&timing, &mut a).unwrap();
            let has_world = a.last_frame().is_some_and(|(_, context)| context.world.is_some());
            let Some(state) = pair.state() else {
                if has_world && !a.is_unfinished(&settings) {
                    let b = SideB { settings: settings.clone(), glasses: Vec::new(), shaders: None, preset: None };
                    pair.follow(Some(&b), &settings, load, || ()).unwrap();
                }
                continue;
            };
            if let Some(difference) = state.difference.filter(|_| state.is_ready && !state.awaits_step) {
                assert_eq!(difference.numbers.max, 0, "{sets:?}: {:?}", difference.numbers);
                shown += 1;
            }
            if shown > 0 && !state.is_unfinished && !state.awaits_step && pair.due_in().is_none() {
                break;
            }
        }
    }
    drop((target, gpu));
    assert_eq!(messages.all(), Vec::<String>::new());
}
