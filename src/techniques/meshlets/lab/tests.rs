//! Tests of freezing and figures.

use super::checks;
use crate::{Meshlets, MeshletsSettings, passes::culling::DRAWN, scene_buffers};
use gpu::{Frame, Frames, Gpu};
use lab::TestBench;
use scene::world::{Camera, GpuScene, Viewpoint, VisibilityId, World};
use std::sync::Arc;
use technique::Technique;

fn crowd() -> Arc<World> {
    Arc::new(scene_buffers::crowd(40, 14).unwrap())
}

fn agree(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).filter(|(a, b)| a != b).count() <= 2
}

fn from(orbit: f32, distance: f32) -> Camera {
    Viewpoint { orbit, distance, ..Viewpoint::default() }.camera()
}

#[test]
fn freezing_keeps_what_is_drawn() {
    let mut bench = TestBench::validated();
    let gpu = bench.gpu().clone();
    let world = bench.run(|frame| GpuScene::new(frame, crowd())).unwrap();
    for by in checks::paths(&gpu) {
        let mut technique = Meshlets::new(&gpu).unwrap();
        let free = MeshletsSettings { by, ..Default::default() };
        let frozen = MeshletsSettings { freeze: true, ..free.clone() };
        let size = [160, 90];
        let (before, _) = checks::draw(&mut bench, &mut technique, &free, &world, &from(10.0, 9.0), size).unwrap();
        let fates = |bench: &mut TestBench, technique: &Meshlets| -> Vec<u32> {
            bench.read_buffer(&technique.history.as_ref().unwrap().fates).unwrap()
        };
        let was = fates(&mut bench, &technique);
        let (same, _) = checks::draw(&mut bench, &mut technique, &frozen, &world, &from(10.0, 9.0), size).unwrap();
        assert!(agree(&before, &same), "from where it was frozen nothing is missing");
        let (behind, _) = checks::draw(&mut bench, &mut technique, &frozen, &world, &from(190.0, 9.0), size).unwrap();
        let drawn = |id: &u32| VisibilityId(*id).meshlet().is_none_or(|meshlet| DRAWN >> was[meshlet] & 1 == 1);
        assert!(behind.iter().all(drawn), "only what was drawn before");
        let (all, _) =
            checks::draw(&mut bench, &mut Meshlets::new(&gpu).unwrap(), &free, &world, &from(190.0, 9.0), size)
                .unwrap();
        assert!(!agree(&all, &behind), "from behind something is missing");
        assert_eq!(fates(&mut bench, &technique), was);
        let (thawed, _) = checks::draw(&mut bench, &mut technique, &free, &world, &from(190.0, 9.0), size).unwrap();
        assert!(agree(&thawed, &all));
    }
}

#[test]
fn figures_arrive_and_add_up() {
    let gpu = Gpu::headless(true).unwrap();
    let mut frames = Frames::new(&gpu, 1);
    let (world, _) = frames.once(|frame| GpuScene::new(frame, crowd())).unwrap();
    let mut technique = Meshlets::new(&gpu).unwrap();
    assert!(technique.table().is_none());
    for step in 0..3 {
        let settings = MeshletsSettings::default();
        let camera = from(10.0 + step as f32, 9.0);
        let record = |frame: &mut Frame| technique.record(frame, &settings, &world, &camera, [160, 90]).map(drop);
        let ((), timing) = frames.once(record).unwrap();
        technique.on_timing(&timing).unwrap();
        let counts = technique.counts().unwrap();
        assert_eq!(counts.total(), world.world.meshlet_instances.len() as u64, "{counts:?}");
        assert_eq!(counts.drawn[0] == 0, step == 0, "{counts:?}");
        assert!(step == 0 || counts.drawn[1] < counts.drawn[0], "{counts:?}");
        assert!(counts.listed.is_none_or(|n| n > 0 && n <= counts.triangles[0] + counts.triangles[1]), "{counts:?}");
    }
    let report = technique.table().unwrap();
    assert!(report.rows.iter().all(|row| row.len() == report.head.len()));
}
