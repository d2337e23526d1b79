//! Times and quality of downsampling beside the source article's own figures.

use crate::{
    base::text::{change, micros},
    gpu::Result,
    lab::{BenchOptions, TestBench},
    renderer::DownsampleInputs,
    scene::picture::{Motif, paint},
    techniques::{
        Report,
        downsample::{DownsampleSettings, Figures, Light, MOST_DB, Material, Method, light_name},
        mip_chain::Filter,
    },
};

/// Figures of the source article for 2048x2048 to 64x64: milliseconds on CPU and GPU.
struct SourceFigures {
    name: &'static str,
    /// Of the first frame, if the article gives them.
    first: Option<[f64; 2]>,
    later: [f64; 2],
}

impl SourceFigures {
    fn of(method: Method) -> Option<Self> {
        let (name, first, later) = match method {
            Method::MipChain => ("glGenerateMipmap", Some([10.8, 2.2]), [2.4, 2.1]),
            Method::RasterChain => ("raster chain", Some([9.8, 1.4]), [9.3, 1.5]),
            Method::BlitChain => ("Vulkan blits", Some([1.9, 1.5]), [1.8, 1.5]),
            Method::AreaCompute => ("area, compute", None, [0.9, 0.9]),
            _ => return None,
        };
        Some(Self { name, first, later })
    }
}

fn report([w, h]: [u32; 2], material: &Material, light: Light, done: &[Figures]) -> Report {
    let [made_w, made_h] = material.result_size();
    let title = format!(
        "{w}x{h} to {made_w}x{made_h}, {}; CPU: record, submit and wait, first and later frames; quality against the exact mean; the \
         source's figures are of another machine",
        light_name(light)
    );
    let mut head =
        vec!["method", "CPU first", "CPU later", "GPU", "PSNR (dB)", "SSIM", "ringing", "brighter", "flicker"];
    head.extend(["the source's", "CPU first", "CPU later", "GPU first", "GPU later"]);
    let row = |figures: &Figures| {
        let (timing, quality) = (&figures.timing, &figures.quality);
        let mut row = vec![
            figures.method.name().into(),
            micros(timing.first_cpu),
            micros(timing.later_cpu),
            timing.gpu.map_or("—".into(), micros),
            if quality.psnr_db < MOST_DB { format!("{:.1}", quality.psnr_db) } else { format!("> {MOST_DB:.0}") },
            quality.ssim.map_or("—".into(), |ssim| format!("{ssim:.4}")),
            format!("{:.1}", quality.ringing),
            change(quality.brighter, 2),
            format!("{:.2}", quality.flicker),
        ];
        let ms = |ms: f64| micros(1e3 * ms);
        row.extend(match SourceFigures::of(figures.method) {
            Some(SourceFigures { name, first, later }) => {
                let first = first.map(|both| both.map(ms));
                let [cpu, gpu] = first.unwrap_or_else(|| ["—".into(), "—".into()]);
                [name.into(), cpu, ms(later[0]), gpu, ms(later[1])]
            }
            None => ["—"; 5].map(String::from),
        });
        row
    };
    Report { title, head, rows: done.iter().map(row).collect() }
}

/// The source's table for this machine: 2048x2048 to 64x64, both lights, beside the source's own figures.
pub fn source_tables(bench: &TestBench, options: &BenchOptions) -> anyhow::Result<Vec<Report>> {
    let (size, ratio) = if options.quick { ([256, 256], 32) } else { ([2048, 2048], 32) };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gpu::Gpu,
        techniques::{
            Technique as _,
            downsample::{Downsample, Quality, Timing},
        },
    };

    fn figures(method: Method, gpu: Option<f64>, psnr_db: f64) -> Figures {
        let timing = Timing { first_cpu: 12_000.0, later_cpu: 900.0, gpu };
        let quality = Quality { psnr_db, ssim: Some(0.98765), ringing: 1.25, brighter: -0.0125, flicker: 2.5 };
        Figures { method, timing, quality }
    }

    #[test]
    fn downsample_figures_are_in_their_columns() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let settings = DownsampleSettings { ratio: 4, ..Default::default() };
        let (mut bench, size) = (TestBench::on(&gpu).unwrap(), [64, 48]);
        let material = Material::new(&mut bench, &settings, size, &paint(Motif::Dusk, size).rgba).unwrap();
        let done =
            vec![figures(Method::AreaCompute, Some(7.5), f64::INFINITY), figures(Method::RasterChain, None, 41.26)];
        let report = super::report(size, &material, Light::Linear, &done);
        assert!(report.title.starts_with("64x48 to 16x12, linear light"), "{}", report.title);
        assert_eq!(report.head.len(), report.rows[0].len());
        let own = ["12.0 ms", "900 µs", "7.50 µs", "> 100", "0.9877", "1.2", "-1.25 %", "2.50"];
        assert_eq!(report.rows[0][1..9], own);
        assert_eq!(report.rows[0][9..], ["area, compute", "—", "900 µs", "—", "900 µs"]);
        assert_eq!(report.rows[1][3..5], ["—", "41.3"]);
        assert_eq!(report.rows[1][9..], ["raster chain", "9.80 ms", "9.30 ms", "1.40 ms", "1.50 ms"]);
        drop((material, bench, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }

    #[test]
    fn methods_run_once_and_then_in_turns() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let (mut bench, size) = (TestBench::on(&gpu).unwrap(), [64, 48]);
        let settings = DownsampleSettings { ratio: 4, ..Default::default() };
        let picture = bench.picture(size, &paint(Motif::Dusk, size).rgba).unwrap();
        let mut technique = Downsample::new(&gpu).unwrap();
        technique.comparison().unwrap().request(std::time::Instant::now());
        let number = bench.run(|frame| {
            technique.compare(frame, &settings, "dusk", &picture.mip(0))?;
            Result::Ok(frame.number())
        });
        let number = number.unwrap();
        for _ in 0..=3 * Method::ALL.len() {
            let inputs = |size| Result::Ok(Box::new(DownsampleInputs::new(&gpu, size, Filter::Box)?) as Box<_>);
            technique.compare_next(&gpu, number, inputs).unwrap();
        }
        let timed = technique.comparison().unwrap().alternatives().to_vec();
        assert!(timed.iter().all(|one| one.times().is_some_and(|us| us.count == 2)));
        let card = technique.card();
        let area = card.tables[0].rows.iter().find(|row| row.name == Method::AreaCompute.name()).unwrap();
        let psnr_db = card.tables[0].columns.iter().position(|column| column.name == "PSNR (dB)").unwrap();
        assert_eq!(psnr_db, 3, "the deciding columns come first");
        assert!(area.cells[psnr_db - 1].value.unwrap() > 45.0 && area.cells.len() == card.tables[0].columns.len() - 1);
        assert_eq!(card.scatter.unwrap().points.len(), Method::ALL.len());
        drop((technique, picture, bench, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }

    /// All methods on a small picture: exact methods are exact, those that skip pixels are worse and flicker more.
    #[test]
    fn downsample_methods_differ() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let bench = TestBench::on(&gpu).unwrap();
        let options = BenchOptions { sizes: vec![], formats: vec![], reps: Some(1), quick: true };
        let tables = source_tables(&bench, &options).unwrap();
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
        drop((bench, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
