//! Benchmarks of the accumulation, beside the bytes that it must move.

use crate::{
    accumulator::Antialias,
    input::{AntialiasInput, Change},
    settings::AntialiasSettings,
};
use base::half;
use glam::Vec2;
use gpu::{Format, Image, ImageDesc, Use};
use lab::{Bench, BenchRun, Row};
use scene::world::{Camera, Viewpoint};
use technique::Technique;

const SIZES: [[u32; 2]; 3] = [[1920, 1080], [2560, 1440], [3840, 2160]];
/// Part of each side that the light has.
const SCALES: [f32; 3] = [1.0, 0.67, 0.5];
const FILTERS: [(&str, bool); 2] = [("catmull_rom", false), ("bilinear", true)];

pub const RESOLVE: Bench = Bench::new("resolve", &SIZES, measure);

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let (gpu, whole) = (run.bench.gpu().clone(), run.size);
    for scale in SCALES {
        let size = whole.map(|side| ((side as f32 * scale).round() as u32).max(1));
        let image = |name: &str, format| Image::new(&gpu, ImageDesc::new(name, size, format, &[Use::Sample]));
        let [light, ids, depth] =
            [image("light", Format::Rgba16F)?, image("ids", Format::R32U)?, image("depth", Format::R32F)?]
                .map(|image| image.mip(0));
        run.bench.run(|frame| {
            frame.clear("setup/clear", &light, [0.5; 4])?;
            frame.clear("setup/clear", &ids, [0.0; 4])?;
            frame.clear("setup/clear", &depth, [0.01; 4])
        })?;
        // Light, IDs and depth of each sample; history and its surface of each pixel, read and written.
        let (samples, pixels) = (u64::from(size[0]) * u64::from(size[1]), run.pixels());
        let (reads, writes) = (16 * samples + 16 * pixels, 16 * pixels);
        let probe = run.copy_us(reads, writes)?;
        for (filter, bilinear) in FILTERS {
            let settings = AntialiasSettings { bilinear, ..Default::default() };
            let mut technique = Antialias::new(&gpu)?;
            let mut orbit = 0.0;
            let gpu_us = run.measure(&mut |frame| {
                orbit += 0.1;
                let camera = Viewpoint { orbit, ..Viewpoint::default() }.camera();
                let camera = Camera { shift: Vec2::splat(0.2), ..camera };
                let input =
                    AntialiasInput { light: &light, ids: &ids, depth: &depth, camera: &camera, exposure: 0.25, whole };
                technique.record(frame, &settings, &input, Change::Moved).map(drop)
            })?;
            // All light is the same, so its mean is, too.
            let even = half::from_f64(0.5);
            let resolved: Vec<[u16; 4]> = match &technique.history {
                Some(history) => run.bench.read(&history.read()[0])?,
                None => Vec::new(),
            };
            let is_even = |texel: &[u16; 4]| texel[..3].iter().all(|half| half.abs_diff(even) <= 4);
            let is_right = resolved.len() as u64 == pixels && resolved.iter().all(is_even);
            let case = run.case(&format!("from {}x{}", size[0], size[1]));
            let row = Row::new(case, format!("{filter}, an even picture"), gpu_us, reads + writes);
            run.row(row.beside(probe).checked(is_right));
        }
    }
    Ok(())
}
