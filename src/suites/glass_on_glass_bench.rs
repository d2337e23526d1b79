//! Benchmark of overlapping lenses by number of layers.

use super::glass_on_glass::{agrees, lenses_of, over_picture, renderer, stair};
use anyhow::Result;
use glass::GlassStack;
use gpu::{Format, Image, ImageDesc, Use};
use lab::{Bench, BenchRun, Row};
use renderer::FrameParams;
use scene::Preset;

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const STYLES: [Preset; 4] = [Preset::Clear, Preset::Tinted, Preset::Amber, Preset::Ice];

pub const LAYERS: Bench = Bench::new("layers", &SIZES, measure);

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    let (mut renderer, settings) = (renderer(run.bench)?, over_picture());
    let (size, scale) = (run.size, run.size[0] as f32 / 1280.0);
    let target = Image::new(run.bench.gpu(), ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]))?.mip(0);
    // The lenses keep their places: a further one costs what its layer costs.
    let all = lenses_of(&stair(&STYLES, size));
    for count in 1..=STYLES.len() {
        let lenses = &all[..count];
        let params = FrameParams { scale, ..FrameParams::of(&settings, lenses) };
        let layers = GlassStack::new(&settings.glass, lenses, scale, size).layers();
        run.bench.run(|frame| renderer.record(frame, &params, &target))?;
        let gpu_us = run.measure(&mut |frame| renderer.record(frame, &params, &target))?;
        // The picture is copied: to the target, and before that to the lower layers, if there are some.
        let bytes = run.pixels() * 8 * if layers > 1 { 2 } else { 1 };
        let variant = format!("{count} of different glass, {layers} layers");
        let is_right = agrees(run.bench, &STYLES[..count])?;
        run.row(Row::new(run.case(""), variant, gpu_us, bytes).checked(is_right));
    }
    Ok(())
}
