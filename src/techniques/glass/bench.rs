//! What the glass costs: our lens by area and by blur, the source's 81 taps.

use super::checks::{Drawn, Input, Stage, test_picture};
use super::oracle::shape::Lens;
use super::passes::Passes;
use super::settings::{Blur, GlassSettings, Preset, SourceBlur};
use super::tiles::{Part, spans};
use crate::gpu::Frame;
use crate::lab::{BENCH_CACHES, Bed, Bench, BenchOptions, Row};
use glam::{UVec2, Vec2};

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];

/// Preset, blur, and the lens' size as a part of the default's.
const LENSES: [(Preset, Blur, f32); 9] = [
    (Preset::Clear, Blur::Preblur, 1.0),
    (Preset::Clear, Blur::Preblur, 0.5),
    (Preset::Clear, Blur::Preblur, 2.0),
    (Preset::Prism, Blur::Preblur, 1.0),
    (Preset::Frosted, Blur::Preblur, 1.0),
    (Preset::Frosted, Blur::PreblurBilinear, 1.0),
    (Preset::Frosted, Blur::Trilinear, 1.0),
    (Preset::Frosted, Blur::Box81, 1.0),
    (Preset::Loupe, Blur::Preblur, 1.0),
];

/// Our lens.
pub const LENS: Bench = Bench { name: "lens", rows: |options| sizes(options).len() * LENSES.len(), run: run_lens };
/// The mode "source".
pub const SOURCE: Bench =
    Bench { name: "source", rows: |options| sizes(options).len() * SourceBlur::ALL.len(), run: run_source };

fn sizes(options: &BenchOptions) -> Vec<[u32; 2]> {
    options.sizes_or(&SIZES, &QUICK)
}

/// The scale at which the default lens fits a window of this size as it does 1280x720.
fn scale_for(size: [u32; 2]) -> f32 {
    (size[0] as f32 / 1280.0).min(size[1] as f32 / 720.0).max(0.05)
}

fn run_lens(bed: &mut Bed, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    for size in sizes(options) {
        let picture = test_picture(UVec2::from_array(size));
        let stage = Stage::new(bed, &picture)?;
        let mut passes = Passes::new(bed.gpu())?;
        let target = stage.target.mip(0);
        for (preset, blur, part) in LENSES {
            let mut settings = GlassSettings { blur, ..Default::default() };
            preset.apply(&mut settings);
            let scale = scale_for(size);
            let lens = settings.lens(Vec2::new(size[0] as f32, size[1] as f32) * 0.5, scale);
            let lens = Lens { half: lens.half * part, ..lens };
            let glass = settings.glass(&[lens], scale);
            let spans = spans(&glass.lenses, &glass.outskirts(), UVec2::from_array(size));
            let pixels: u64 = Part::ALL.iter().map(|part| spans.pixels(*part)).sum();
            // Each touched pixel: one texel of the chain at least, and one of the target.
            let (reads, writes) = (pixels * 8, pixels * 4);
            let probe = bed.traffic_probe(reads, writes, options.reps(), BENCH_CACHES)?;
            let record = |frame: &mut Frame| passes.record_lens(frame, stage.below(), &glass, &target);
            let gpu_us = bed.measure(options.reps(), BENCH_CACHES, record)?;
            let wide = lens.half * 2.0;
            each(Row {
                case: format!("{}x{} lens {:.0}x{:.0}", size[0], size[1], wide.x, wide.y),
                variant: format!("{} {}", preset.name(), blur.name()),
                gpu_us,
                bytes: reads + writes,
                probe_us: Some(probe.median),
                checked: Input::new(UVec2::from_array(size), Drawn::Lens(Box::new(glass.clone()))).agrees(bed)?,
            });
        }
    }
    Ok(())
}

fn run_source(bed: &mut Bed, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    for size in sizes(options) {
        let picture = test_picture(UVec2::from_array(size));
        let stage = Stage::new(bed, &picture)?;
        let mut passes = Passes::new(bed.gpu())?;
        let target = stage.target.mip(0);
        let middle = Vec2::new(size[0] as f32, size[1] as f32) * 0.5;
        for blur in SourceBlur::ALL {
            let side = 2.0 * super::oracle::source::half_extent(middle * 2.0);
            let pixels = (side * side) as u64;
            let probe = bed.traffic_probe(pixels * 4, pixels * 4, options.reps(), BENCH_CACHES)?;
            let record = |frame: &mut Frame| passes.record_source(frame, stage.below(), middle, *blur, &target);
            let gpu_us = bed.measure(options.reps(), BENCH_CACHES, record)?;
            each(Row {
                case: format!("{}x{} source {side:.0}x{side:.0}", size[0], size[1]),
                variant: blur.name().into(),
                gpu_us,
                bytes: pixels * 8,
                probe_us: Some(probe.median),
                checked: Input::new(UVec2::from_array(size), Drawn::Source(middle, *blur)).agrees(bed)?,
            });
        }
    }
    Ok(())
}
