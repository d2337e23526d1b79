//! Benchmarks of the glass: the lens by area and by blur, and the 81 taps of the source.

use super::checks::{Fixture, GlassKind, Input, planned, test_picture};
use super::reference::GlassScene;
use crate::bin;
use crate::lens::tiles::{Part, Spans};
use crate::passes::Passes;
use crate::passes::source_half_extent;
use crate::settings::{Blur, GlassSettings, Preset, SourceBlur};
use glam::{UVec2, Vec2};
use lab::{Bench, BenchRun, Row};
use scene::Lens;
use technique::DrawnBy;

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const CHECKED: [u32; 2] = [480, 270];
/// The reference folds all lenses over every pixel.
const CHECKED_MANY: [u32; 2] = [160, 90];

struct Case {
    name: &'static str,
    preset: Preset,
    blur: Blur,
    part: f32,
    count: u32,
    /// Each in a container, over the whole window.
    apart: bool,
    /// Small lenses are mostly shadow.
    shadow: bool,
    taps: u32,
    bounds: bool,
    by: DrawnBy,
}

const PLAIN: Case = Case {
    name: "",
    preset: Preset::Clear,
    blur: Blur::Preblur,
    part: 1.0,
    count: 1,
    apart: false,
    shadow: true,
    taps: 9,
    bounds: true,
    by: DrawnBy::Auto,
};

const LENSES: [Case; 31] = [
    Case { part: 0.25, ..PLAIN },
    Case { part: 0.5, ..PLAIN },
    PLAIN,
    Case { name: ", as a draw", by: DrawnBy::Raster, ..PLAIN },
    Case { name: ", as a dispatch", by: DrawnBy::Compute, ..PLAIN },
    Case { part: 2.0, ..PLAIN },
    Case { name: ", whole window", bounds: false, ..PLAIN },
    Case { name: ", 2 lenses", part: 0.5, count: 2, ..PLAIN },
    Case { name: ", 4 lenses", part: 0.5, count: 4, ..PLAIN },
    Case { name: ", 8 lenses", part: 0.5, count: 8, ..PLAIN },
    Case { name: ", 4 of the same area", part: 0.5, ..apart(4) },
    Case { name: ", 16 of the same area", part: 0.25, ..apart(16) },
    Case { name: ", 64 of the same area", part: 0.125, ..apart(64) },
    Case { name: ", 256 of the same area", part: 0.0625, ..apart(256) },
    Case { name: ", 1024 of the same area", part: 0.03125, ..apart(1024) },
    Case { name: ", no shadow", shadow: false, ..PLAIN },
    Case { name: ", 64 of the same area, no shadow", part: 0.125, shadow: false, ..apart(64) },
    Case { name: ", 1024 of the same area, no shadow", part: 0.03125, shadow: false, ..apart(1024) },
    Case { name: ", 1024 of the same area, frosted", part: 0.03125, preset: Preset::Frosted, ..apart(1024) },
    Case { name: ", one look, no dispersion", taps: 1, ..PLAIN },
    Case { name: ", 5 looks at most", taps: 5, ..PLAIN },
    Case { preset: Preset::Prism, ..PLAIN },
    Case { preset: Preset::Tinted, ..PLAIN },
    Case { preset: Preset::Loupe, ..PLAIN },
    FROSTED,
    Case { name: ", as a draw", by: DrawnBy::Raster, ..FROSTED },
    Case { name: ", as a dispatch", by: DrawnBy::Compute, ..FROSTED },
    Case { blur: Blur::Kawase, ..FROSTED },
    Case { blur: Blur::Bicubic, ..FROSTED },
    Case { blur: Blur::Trilinear, ..FROSTED },
    Case { blur: Blur::Box81, ..FROSTED },
];

const fn apart(count: u32) -> Case {
    Case { count, apart: true, ..PLAIN }
}

const FROSTED: Case = Case { preset: Preset::Frosted, ..PLAIN };

impl Case {
    fn scene(&self, size: [u32; 2]) -> GlassScene {
        let settings = GlassSettings { blur: self.blur, taps: self.taps, ..Default::default() }.styled(self.preset);
        let settings = GlassSettings { shadow: if self.shadow { settings.shadow } else { 0.0 }, ..settings };
        let scale = scale_for(size);
        let window = Vec2::new(size[0] as f32, size[1] as f32);
        let columns = if self.apart { self.count.isqrt() } else { self.count.min(4) };
        let rows = self.count.div_ceil(columns);
        let lens = |at: u32| {
            let place = Vec2::new((at % columns) as f32 + 0.5, (at / columns) as f32 + 0.5);
            let lens = settings.placed(window * place / Vec2::new(columns as f32, rows as f32)).scaled(self.part);
            Lens { container: self.apart.then_some(at), ..lens }
        };
        let scene = GlassScene::new(&settings, &(0..self.count).map(lens).collect::<Vec<_>>(), scale);
        GlassScene { is_bounded: self.bounds, ..scene }
    }
}

pub const LENS: Bench = Bench::new("lens", &SIZES, measure_lens);
pub const SOURCE: Bench = Bench::new("source", &SIZES, measure_source);

fn scale_for(size: [u32; 2]) -> f32 {
    (size[0] as f32 / 1280.0).min(size[1] as f32 / 720.0).max(0.05)
}

fn measure_lens(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let size = UVec2::from_array(run.size);
    let stage = Fixture::new(run.bench, &test_picture(size))?;
    let mut passes = Passes::new(run.bench.gpu())?;
    let target = stage.target.mip(0);
    for case in &LENSES {
        passes.by = case.by;
        let glass = planned(&case.scene(run.size));
        let scope = bin::scope(&glass, size, false);
        let spans = scope.map_or_else(Spans::default, |scope| bin::bins(&glass, &scope, size).spans);
        let touched: u64 = Part::ALL.iter().map(|part| spans.pixels(*part)).sum();
        let pixels = if case.bounds { touched } else { run.pixels() };
        let probe = run.copy_us(pixels * 8, pixels * 4)?;
        let gpu_us = run.measure(&mut |frame| passes.record_lens(frame, stage.below(None), &glass, &target))?;
        let wide = glass.lenses.lens[0].reach() * 2.0;
        let checked = if case.count > 8 { CHECKED_MANY } else { CHECKED };
        let is_right = Input::lens(UVec2::from_array(checked), case.scene(checked)).agrees(run.bench)?;
        let name = run.case(&format!("lens {:.0}x{:.0}", wide.x, wide.y));
        let variant = format!("{} {}{}", case.preset.name(), case.blur.name(), case.name);
        run.row(Row::new(name, variant, gpu_us, pixels * 12).beside(probe).checked(is_right));
    }
    Ok(())
}

fn measure_source(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let size = UVec2::from_array(run.size);
    let stage = Fixture::new(run.bench, &test_picture(size))?;
    let mut passes = Passes::new(run.bench.gpu())?;
    let target = stage.target.mip(0);
    let middle = size.as_vec2() * 0.5;
    for blur in SourceBlur::ALL {
        let side = 2.0 * source_half_extent(middle * 2.0);
        let pixels = (side * side) as u64;
        let probe = run.copy_us(pixels * 4, pixels * 4)?;
        let gpu_us =
            run.measure(&mut |frame| passes.record_source(frame, stage.below(None), middle, *blur, &target))?;
        let is_right = Input::new(size, GlassKind::Source(middle, *blur)).agrees(run.bench)?;
        let case = run.case(&format!("source {side:.0}x{side:.0}"));
        run.row(Row::new(case, blur.name(), gpu_us, pixels * 8).beside(probe).checked(is_right));
    }
    Ok(())
}
