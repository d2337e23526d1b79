//! Times and quality of every way to downsample.

use base::text::{change, micros};
use downsample::{
    DownsampleSettings, Light, Method,
    lab::{Figures, MOST_DB, Material, SOURCE_COLUMNS, SOURCE_ROWS, light_name},
};
use gpu::Result;
use lab::{BenchOptions, Cell, Column, SourceFigures, SourceRow, SourceTable, TestBench};
use mip_chain::Filter;
use renderer::DownsampleInputs;
use scene::picture::{Motif, paint};
use technique::Report;

fn report([w, h]: [u32; 2], material: &Material, light: Light, done: &[Figures]) -> Report {
    let [made_w, made_h] = material.result_size();
    let title = format!(
        "{w}x{h} to {made_w}x{made_h}, {}; CPU: record, submit and wait, first and later frames; quality against the exact mean",
        light_name(light)
    );
    let head = vec!["method", "CPU first", "CPU later", "GPU", "PSNR (dB)", "SSIM", "ringing", "brighter", "flicker"];
    let row = |figures: &Figures| {
        let (timing, quality) = (&figures.timing, &figures.quality);
        vec![
            figures.method.name().into(),
            micros(timing.first_cpu),
            micros(timing.later_cpu.median),
            timing.gpu.map_or("—".into(), |us| micros(us.median)),
            if quality.psnr_db < MOST_DB { format!("{:.1}", quality.psnr_db) } else { format!("> {MOST_DB:.0}") },
            quality.ssim.map_or("—".into(), |ssim| format!("{ssim:.4}")),
            format!("{:.1}", quality.ringing),
            change(quality.brighter, 2),
            format!("{:.2}", quality.flicker),
        ]
    };
    Report { title, head, rows: done.iter().map(row).collect() }
}

fn sizes(options: &BenchOptions) -> ([u32; 2], u32) {
    if options.quick { ([256, 256], 32) } else { ([2048, 2048], 32) }
}

pub fn quality_tables(bench: &TestBench, options: &BenchOptions) -> anyhow::Result<Vec<Report>> {
    let (size, ratio) = sizes(options);
    let rgba = paint(Motif::Dusk, size).rgba;
    // A run with warm-up and cold caches, except on a software driver, where it would take minutes.
    let reps = (!options.quick && !bench.gpu().policy().is_slow).then(|| options.reps());
    let one = |light: &Light| {
        let settings = DownsampleSettings { ratio, light: *light, ..Default::default() };
        let mut bench = TestBench::on(bench.gpu())?;
        let material = Material::new(&mut bench, &settings, size, &rgba)?;
        let mut inputs = DownsampleInputs::new(bench.gpu(), size, Filter::Box)?;
        let mut measured = |method: &Method| material.measure(&mut bench, *method, reps, &mut inputs);
        let done = Method::ALL.iter().map(&mut measured).collect::<Result<Vec<_>>>()?;
        Ok(report(size, &material, *light, &done))
    };
    Light::ALL.iter().rev().map(one).collect()
}

pub const TIMES: SourceTable = SourceTable {
    name: "times",
    title: "Downsampling by CPU and GPU time",
    source: "\"Image downsampling\", a comparison in OpenGL and Vulkan",
    machine: "Measured by host clock, query pools and Nsight, 2048x2048 pixels to 64x64; device unknown.",
    measures: "CPU is to record, submit and wait by the host's clock. The mip chain averages light, all others encoded bytes.",
    columns: &SOURCE_COLUMNS,
    here: &[
        Column::new("CPU first", "First frame: everything that the method needs is created"),
        Column::new("CPU later", "Median of later frames"),
        Column::new("PSNR (dB)", "Quality against the exact mean"),
    ],
    rows: &SOURCE_ROWS,
    measure: times,
};

fn times(bench: &mut TestBench, options: &BenchOptions, row: &SourceRow) -> anyhow::Result<SourceFigures> {
    let (size, ratio) = sizes(options);
    let method = Method::ALL.iter().find(|method| row.only.first() == Some(&method.name()));
    let Some(method) = method else { anyhow::bail!("there is no such method") };
    let settings = DownsampleSettings { ratio, light: Light::Encoded, ..Default::default() };
    let material = Material::new(bench, &settings, size, &paint(Motif::Dusk, size).rgba)?;
    let mut inputs = DownsampleInputs::new(bench.gpu(), size, Filter::Box)?;
    let Figures { timing, quality, .. } = material.measure(bench, *method, Some(options.reps()), &mut inputs)?;
    let (us, psnr) = (|us: f64| Cell::us(Some(us)), quality.psnr_db);
    let psnr = Cell::new(psnr, if psnr < MOST_DB { format!("{psnr:.1}") } else { format!("> {MOST_DB:.0}") });
    let [[w, h], [to_w, to_h]] = [size, material.result_size()];
    Ok(SourceFigures {
        case: format!("{w}x{h} to {to_w}x{to_h}, {}", light_name(Light::Encoded)),
        variant: method.name().to_owned(),
        gpu_us: timing.gpu.unwrap_or_default(),
        cells: vec![us(timing.first_cpu), us(timing.later_cpu.median), psnr],
        checked: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downsample::lab::MethodComparison;
    use gpu::test_gpu;

    #[test]
    fn methods_run_once_and_then_in_turns() {
        let gpu = test_gpu();
        let (mut bench, size) = (TestBench::on(&gpu).unwrap(), [64, 48]);
        let settings = DownsampleSettings { ratio: 4, ..Default::default() };
        let picture = bench.picture(size, &paint(Motif::Dusk, size).rgba).unwrap();
        let mut state = MethodComparison::default();
        state.comparison.request(std::time::Instant::now());
        let number = bench.run(|frame| {
            state.record(frame, &settings, "dusk", &picture.mip(0))?;
            Result::Ok(frame.number())
        });
        let number = number.unwrap();
        for _ in 0..=3 * Method::ALL.len() {
            let inputs = |size| Result::Ok(Box::new(DownsampleInputs::new(&gpu, size, Filter::Box)?) as Box<_>);
            state.on_timing(&gpu, number, inputs).unwrap();
        }
        let timed = state.comparison.alternatives().to_vec();
        assert!(timed.iter().all(|one| one.times().is_some_and(|us| us.count == 2)));
        let card = state.card();
        let area = card.tables[0].rows.iter().find(|row| row.name == Method::AreaCompute.name()).unwrap();
        let psnr_db = card.tables[0].columns.iter().position(|column| column.name == "PSNR (dB)").unwrap();
        assert_eq!(psnr_db, 3, "the deciding columns come first");
        assert!(area.cells[psnr_db - 1].value.unwrap() > 45.0 && area.cells.len() == card.tables[0].columns.len() - 1);
        assert_eq!(card.pareto.unwrap().points.len(), Method::ALL.len());
    }

    #[test]
    fn downsample_methods_differ() {
        let gpu = test_gpu();
        let bench = TestBench::on(&gpu).unwrap();
        let options = BenchOptions { sizes: vec![], formats: vec![], reps: Some(1), quick: true, only: &[] };
        let tables = quality_tables(&bench, &options).unwrap();
        assert_eq!(tables.len(), 2);
        for table in &tables {
            let of = |method: Method, column: usize| {
                let row = table.rows.iter().find(|row| row[0] == method.name()).unwrap();
                row[column].trim_start_matches("> ").parse::<f64>().unwrap()
            };
            assert_eq!(table.rows.len(), Method::ALL.len());
            assert!(of(Method::AreaFragment, 4) > 45.0, "{table:?}");
            assert!(of(Method::Nearest, 4) + 5.0 < of(Method::AreaFragment, 4), "{table:?}");
            assert!(of(Method::Nearest, 8) > 1.5 * of(Method::AreaFragment, 8), "{table:?}");
        }
    }
}
