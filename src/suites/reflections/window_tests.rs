//! Test of reflections prepared while frames go on.

use crate::{
    gpu::Gpu,
    techniques::reflections::{BOUNCE, BOUNCES},
};
use std::sync::Arc;

#[test]
fn reflections_come_while_frames_go_on_at_once_or_in_shares() {
    use crate::renderer::{Background, FrameParams, FramePlan, LoadMode, MirrorPace, Renderer, WorldLoader};
    let gpu = Gpu::headless(true).unwrap();
    let size = [96, 54];
    let works = ["queues", "words"].map(|work| format!("reflections.work={work}"));
    let has = gpu.has(crate::gpu::Feature::RayQuery);
    let hardware = works.iter().filter(|_| has).map(|work| (work, "hardware", MirrorPace::AtOnce));
    let usual = [MirrorPace::AtOnce, MirrorPace::Shares].map(|pace| (&works[0], "shader", pace));
    for (work, traversal, mirror_pace) in usual.into_iter().chain(hardware) {
        let go_on = || LoadMode::Background(Arc::new(|| ()));
        let worlds = WorldLoader::new(None, go_on());
        let mut renderer = Renderer::new(&gpu, Background::new(None, go_on()), worlds).unwrap();
        let traversal_set = format!("reflections.traversal={traversal}");
        let settings = crate::ab::test_stage::settings(&["scene.antialias=off", work, &traversal_set]);
        let plan = FramePlan { mirror_pace, gathers: false, ..FramePlan::WHOLE };
        let params = FrameParams { plan, ..FrameParams::of(&settings, &[]) };
        let uses = [crate::gpu::Use::Color];
        let target = crate::gpu::ImageDesc::new("target", size, crate::gpu::Format::Rgba8, &uses);
        let target = crate::gpu::Image::new(&gpu, target).unwrap().mip(0);
        let mut frames = crate::gpu::Frames::new(&gpu, 1);
        // Mirrors that are switched off during their construction request nothing.
        let plan = FramePlan { mirror_scale: 0.0, ..FramePlan::WHOLE };
        let off = FrameParams { plan, ..FrameParams::of(&settings, &[]) };
        let mut asks = |params: &FrameParams<'_>, renderer: &mut Renderer| {
            frames.once(|frame| renderer.record(frame, params, &target)).unwrap();
            renderer.is_unfinished(&settings)
        };
        let begun = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            asks(&params, &mut renderer)
        });
        assert!(!begun || !asks(&off, &mut renderer), "{mirror_pace:?} {work} {traversal}");
        let traced = (0..600).any(|_| {
            let ((), timing) = frames.once(|frame| renderer.record(frame, &params, &target)).unwrap();
            renderer.on_timing(&timing).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(10));
            let bounce = timing.passes.iter().any(|pass| [BOUNCE, BOUNCES].iter().any(|id| id.is(pass)));
            bounce && !renderer.is_unfinished(&settings)
        });
        assert!(traced, "{mirror_pace:?} {work} {traversal}");
    }
}
