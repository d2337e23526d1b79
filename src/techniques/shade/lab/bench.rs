//! Benchmarks of shading by list and by raster.

use super::{
    check_fixture::SUN,
    lists::{Order, list_of, scrambled},
    reference::gallery::gallery,
};
use crate::{Shade, ShadeInput, ShadeSettings, Work};
use gpu::{Format, ImageDesc, Use};
use lab::{Bench, BenchRun};
use media::pixels::pixels_of;
use scene::world::{GpuScene, VisibilityId, World};
use std::sync::Arc;
use technique::Technique;

const WEIGHTS: [u32; 3] = [1, 4, 8];
const CELL: u32 = 100;

pub const SHADE: Bench = Bench::new("shade", &[[2560, 1440]], measure);

fn cells(world: &World, size: [u32; 2]) -> Vec<u32> {
    let side = (CELL as f32).sqrt();
    let point = |x: i32, y: i32| {
        let word = scrambled((x + 2) as u32 ^ scrambled((y + 2) as u32));
        (word, x as f32 + (word & 0xFFFF) as f32 / 65536.0, y as f32 + (word >> 16) as f32 / 65536.0)
    };
    let id = |[x, y]: [u32; 2]| {
        let (u, v) = ((x as f32 + 0.5) / side, (y as f32 + 0.5) / side);
        let (mut nearest, mut word) = (f32::INFINITY, 0);
        for j in v as i32 - 2..=v as i32 + 2 {
            for i in u as i32 - 2..=u as i32 + 2 {
                let (here, px, py) = point(i, j);
                let far = (px - u).powi(2) + (py - v).powi(2);
                if far < nearest {
                    (nearest, word) = (far, here);
                }
            }
        }
        let instance = scrambled(word) % world.meshlet_instances.len() as u32;
        let meshlet = world.geometry.meshlets[world.meshlet_instances[instance as usize].meshlet as usize];
        VisibilityId::new(instance, scrambled(x ^ y << 16) % meshlet.triangles.min(8)).0
    };
    pixels_of(size).map(id).collect()
}

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let mut shade = Shade::new(run.bench.gpu())?;
    let world = Arc::new(gallery(64));
    let resident = run.bench.run(|frame| GpuScene::new(frame, world.clone()))?;
    let camera = world.viewpoint.camera();
    let scene = ShadeInput { world: &resident, camera: &camera, sun: SUN.normalize(), shadow: None, detail: 1.0 };
    let (size, pixels) = (run.size, run.pixels());
    let ids = cells(&world, size);
    let id_image = run.bench.image(ImageDesc::new("ids", size, Format::R32U, &[Use::Sample]), &ids)?.mip(0);
    let works = [
        ("raster 8x4", Work::Raster),
        ("list, in rows", Work::List(list_of(run.bench, size, &ids, Order::Rows, false)?)),
        ("list, shuffled", Work::List(list_of(run.bench, size, &ids, Order::Shuffled, false)?)),
        ("list, sorted", Work::List(list_of(run.bench, size, &ids, Order::Sorted, false)?)),
    ];
    for weight in WEIGHTS {
        let settings = ShadeSettings { weight, ..Default::default() };
        let mut rows = vec![];
        let mut first: Option<Vec<u16>> = None;
        for (variant, work) in &works {
            let bytes = [4 * pixels * if matches!(work, Work::Raster) { 1 } else { 2 }, 8 * pixels];
            let case = run.case(&format!("cells of {CELL} px, weight {weight}"));
            let row = run.timed(case, variant, bytes, &mut |frame| {
                shade.record(frame, &settings, &scene, &id_image, work).map(drop)
            })?;
            rows.push((row, work));
        }
        // Afterwards, since a GPU that waits lowers its clocks.
        for (row, work) in rows {
            let hdr = run.bench.run(|frame| shade.record(frame, &settings, &scene, &id_image, work))?;
            let light = run.bench.read(&hdr)?;
            let first = first.get_or_insert_with(|| light.clone());
            run.row(row.checked(*first == light));
        }
    }
    Ok(())
}
