//! Benchmark of overlapping lenses by number of layers.

use super::glass_on_glass::{agrees, lenses_of, over_picture, renderer, stair};
use crate::{
    gpu::{Format, Image, ImageDesc, Use},
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
    renderer::FrameParams,
    scene::Preset,
    techniques::glass::GlassStack,
};
use anyhow::Result;

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
const STYLES: [Preset; 4] = [Preset::Clear, Preset::Tinted, Preset::Amber, Preset::Ice];

pub const LAYERS: Bench =
    Bench { name: "layers", formats: Vec::new, rows: |options| sizes(options).len() * STYLES.len(), run };

fn sizes(options: &BenchOptions) -> Vec<[u32; 2]> {
    options.sizes_or(&SIZES, &QUICK)
}

fn run(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> Result<()> {
    for size in sizes(options) {
        let (mut renderer, settings) = (renderer(bench)?, over_picture());
        let scale = size[0] as f32 / 1280.0;
        let target = Image::new(bench.gpu(), ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]))?.mip(0);
        // The lenses keep their places: a further one costs what its layer costs.
        let all = lenses_of(&stair(&STYLES, size, scale));
        for count in 1..=STYLES.len() {
            let lenses = &all[..count];
            let params = FrameParams { scale, ..FrameParams::of(&settings, lenses) };
            let layers = GlassStack::new(&settings.glass, lenses, scale, size).layers();
            bench.run(|frame| renderer.record(frame, &params, &target))?;
            let gpu_us =
                bench.measure(options.reps(), BENCH_CACHES, |frame| renderer.record(frame, &params, &target))?;
            let pixels = u64::from(size[0]) * u64::from(size[1]);
            each(Row {
                case: format!("{}x{}", size[0], size[1]),
                variant: format!("{count} of different glass, {layers} layers"),
                gpu_us,
                // The picture is copied: to the target, and before that to the lower layers, if there are some.
                bytes: pixels * 8 * if layers > 1 { 2 } else { 1 },
                probe_us: None,
                error_steps: None,
                checked: agrees(bench, &STYLES[..count])?,
            });
        }
    }
    Ok(())
}
