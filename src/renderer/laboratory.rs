//! Downsampling laboratory: every method on the current picture, with the inputs from other techniques.

use crate::{
    base::{
        picture::Picture,
        stats::Quartiles,
        text::{change, micros},
    },
    gpu::{Delayed, Format, Frame, Gpu, Image, ImageView, ReadBack, Result},
    lab::{Alternative, BenchOptions, Card, Cell, Column, Comparison, Scatter, TestBench},
    scene::{
        Fit, Source,
        picture::{Motif, paint},
    },
    techniques::{
        Report, Settings, Sums, SumsWanted, Technique,
        downsample::{ChainSource, Downsample, DownsampleSettings, Figures, Handed, Light, Material, Method, Trial},
        mip_chain::{self, Filter, MipChain, MipChainSettings},
        summed_area::{SummedArea, SummedAreaSettings},
    },
};
use std::sync::Arc;

/// Above this, results differ from the exact mean by rounding alone.
const MOST_DB: f64 = 100.0;

/// What the figures depend on.
#[derive(Clone, PartialEq)]
struct Subject {
    settings: DownsampleSettings,
    filter: Filter,
    size: [u32; 2],
    scene: (Source, Motif, Fit),
}

impl Subject {
    fn new(settings: &Settings, size: [u32; 2]) -> Self {
        let (scene, filter) = (&settings.scene, settings.mip_chain.filter);
        // The displayed method is one of all.
        let settings =
            DownsampleSettings { method: Method::AreaCompute, every_frame: false, ..settings.downsample.clone() };
        Self { settings, filter, size, scene: (scene.source, scene.motif, scene.fit) }
    }
}

/// Runs the comparison of the methods: one method after each finished frame, on a copy of the picture.
#[derive(Default)]
pub(super) struct Laboratory {
    asked: Option<Subject>,
    picture: Delayed<(Subject, Format, ReadBack)>,
    run: Option<Run>,
}

/// A measurement.
struct Run {
    subject: Subject,
    bench: TestBench,
    material: Material,
    others: Others,
    /// In the order of the methods; those that ran.
    trials: Vec<Trial>,
    /// Index of the next one, after all ran once.
    turn: usize,
    /// Host time of later frames, microseconds.
    cpu_us: Vec<Vec<f64>>,
}

/// Builds mip chains of one size, and tables.
struct Others {
    technique: MipChain,
    chain: Image,
    filter: Filter,
    tables: SummedArea,
}

impl Others {
    fn new(gpu: &Arc<Gpu>, size: [u32; 2], filter: Filter) -> Result<Self> {
        Ok(Self {
            technique: MipChain::new(gpu)?,
            chain: mip_chain::chain_for(gpu, "measured chain", size, 16)?,
            filter,
            tables: SummedArea::new(gpu)?,
        })
    }
}

impl Handed for Others {
    fn chain(&mut self, frame: &mut Frame, picture: &ImageView) -> Result<ChainSource> {
        let settings = MipChainSettings { filter: self.filter, ..Default::default() };
        self.technique.record(frame, &settings, picture, &self.chain)?;
        Ok(ChainSource { chain: self.chain.clone(), is_tent: self.filter == Filter::Tent })
    }

    fn sums(&mut self, frame: &mut Frame, wanted: SumsWanted) -> Result<Option<Sums>> {
        self.tables.sums(frame, &SummedAreaSettings::default(), wanted)
    }
}

impl Laboratory {
    /// Requests a copy of the picture if a comparison runs without one.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &Settings,
        picture: &ImageView,
        downsample: &mut Downsample,
    ) -> Result<()> {
        let (comparison, card) = downsample.measured();
        if !comparison.is_active() {
            *self = Self::default();
            return Ok(());
        }
        let subject = Subject::new(settings, picture.size());
        let key = format!("{:?} {:?} {:?}", subject.size, subject.scene, subject.settings);
        let is_new = comparison.begin(frame.number(), &key, alternatives());
        if !is_new && self.asked.as_ref() == Some(&subject) {
            return Ok(());
        }
        (self.run, *card) = (None, Card::default());
        self.picture.put(frame.number(), (subject.clone(), picture.format(), frame.read_image(picture)?));
        self.asked = Some(subject);
        Ok(())
    }

    /// Measures the next method. Called between frames: its own frames are recorded, submitted and waited for here.
    pub fn on_timing(&mut self, gpu: &Arc<Gpu>, ended: u64, downsample: &mut Downsample) -> Result<()> {
        let (comparison, card) = downsample.measured();
        if let Some((subject, format, read)) = self.picture.take(ended) {
            let mut rgba: Vec<u8> = read.read()?;
            if format.encoded() == Format::Bgra8 {
                rgba.chunks_exact_mut(4).for_each(|texel| texel.swap(0, 2));
            }
            if self.asked.as_ref() == Some(&subject) {
                self.run = Some(Run::new(gpu, subject, &rgba)?);
            }
            return Ok(());
        }
        if let Some(run) = &mut self.run {
            if comparison.is_active() {
                run.next(comparison, ended)?;
            }
            *card = run.card(comparison);
        }
        Ok(())
    }
}

const COLUMNS: [Column; 7] = [
    Column::new(
        "PSNR (dB)",
        "Peak signal-to-noise ratio against the exact mean: higher is better; above 40 dB hardly anyone sees a difference",
    ),
    Column::new("SSIM", "Structural similarity to the exact mean, 1 at most"),
    Column::new("ringing", "How far brightness goes beyond the darkest and brightest pixel around, in steps of 255"),
    Column::new("brighter", "How much brighter the whole result is than the picture"),
    Column::new("flicker", "How much the result changes when the picture moves by a pixel, in steps of 255"),
    Column::new("CPU later", "To record, submit and wait for a later frame, median"),
    Column::new("CPU first", "The same for the first frame, everything that the method needs being made"),
];

impl Run {
    fn new(gpu: &Arc<Gpu>, subject: Subject, rgba: &[u8]) -> Result<Self> {
        let mut bench = TestBench::on(gpu)?;
        let material = Material::new(&mut bench, &subject.settings, subject.size, rgba)?;
        let others = Others::new(gpu, subject.size, subject.filter)?;
        let cpu_us = vec![Vec::new(); Method::ALL.len()];
        Ok(Self { subject, bench, material, others, trials: Vec::new(), turn: 0, cpu_us })
    }

    /// Each method runs once and is evaluated; then they are timed in turns.
    fn next(&mut self, comparison: &mut Comparison, ended: u64) -> Result<()> {
        if let Some(method) = Method::ALL.get(self.trials.len()) {
            let trial = self.material.trial(&mut self.bench, *method, &mut self.others)?;
            self.trials.push(trial);
            return Ok(());
        }
        let turn = self.turn;
        self.turn = (turn + 1) % self.trials.len();
        let took = self.material.time(&mut self.bench, &mut self.trials[turn], &mut self.others)?;
        comparison.add(ended, turn, took.gpu_us);
        self.cpu_us[turn].push(took.cpu_us);
        Ok(())
    }

    fn card(&self, comparison: &Comparison) -> Card {
        let cells = |index: usize, _: &Alternative| {
            let Some((trial, quality)) = self.trials.get(index).and_then(|trial| Some((trial, trial.quality?))) else {
                return vec![Cell::none(); COLUMNS.len()];
            };
            // Right after the times: the technique's verdict reads it there.
            let psnr_db = match quality.psnr_db < MOST_DB {
                true => Cell::number(Some(quality.psnr_db), 1),
                false => Cell::new(quality.psnr_db, format!("> {MOST_DB:.0}")),
            };
            vec![
                psnr_db,
                Cell::number(quality.ssim, 4),
                Cell::number(Some(quality.ringing), 1),
                Cell::new(quality.brighter, change(quality.brighter, 2)),
                Cell::number(Some(quality.flicker), 2),
                Cell::us(Quartiles::of(&self.cpu_us[index]).map(|us| us.median)),
                Cell::us(Some(trial.first_cpu)),
            ]
        };
        let mut card = Card::of(comparison, "method", &COLUMNS, cells);
        let [w, h] = self.material.result_size();
        let light = light_name(self.subject.settings.light);
        card.subject = format!("{}, to {w} x {h} px, {light}", card.subject);
        let points = comparison.alternatives().iter().zip(&self.trials).filter_map(|(one, trial)| {
            Some((one.title.clone(), [one.times()?.median, trial.quality?.psnr_db.min(MOST_DB)]))
        });
        card.scatter = Some(Scatter { across: "GPU time", up: "PSNR (dB)", points: points.collect() });
        card
    }
}

fn alternatives() -> Vec<Alternative> {
    Method::ALL.iter().map(|method| Alternative::new(method.name()).titled(method.title())).collect()
}

fn light_name(light: Light) -> &'static str {
    match light {
        Light::Linear => "linear light",
        Light::Encoded => "encoded values",
    }
}

/// Figures of the source article for 2048x2048 to 64x64: milliseconds on CPU and GPU.
struct Quoted {
    name: &'static str,
    /// Of the first frame, if the article gives them.
    first: Option<[f64; 2]>,
    later: [f64; 2],
}

impl Quoted {
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

fn report(material: &Material, subject: &Subject, done: &[Figures]) -> Report {
    let ([w, h], [made_w, made_h]) = (subject.size, material.result_size());
    let title = format!(
        "{w}x{h} to {made_w}x{made_h}, {}; CPU: record, submit and wait, first and later frames; quality against the exact mean; the \
         source's figures are of another machine",
        light_name(subject.settings.light)
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
        row.extend(match Quoted::of(figures.method) {
            Some(Quoted { name, first, later }) => {
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
    let rgba = painted(size).rgba;
    // A run with warm-up and cold caches, except on a software driver, where it would take minutes.
    let reps = (!options.quick && !bench.gpu().policy().is_slow).then(|| options.reps());
    let one = |light: &Light| {
        let settings = DownsampleSettings { ratio, light: *light, ..Default::default() };
        let subject =
            Subject { settings, filter: Filter::Box, size, scene: (Source::Picture, Motif::Dusk, Fit::Cover) };
        let mut bench = TestBench::on(bench.gpu())?;
        let material = Material::new(&mut bench, &subject.settings, size, &rgba)?;
        let mut others = Others::new(bench.gpu(), size, subject.filter)?;
        let mut measured = |method: &Method| material.measure(&mut bench, *method, reps, &mut others);
        let done = Method::ALL.iter().map(&mut measured).collect::<Result<Vec<_>>>()?;
        Ok(report(&material, &subject, &done))
    };
    Light::ALL.iter().rev().map(one).collect()
}

fn painted(size: [u32; 2]) -> Picture {
    paint(Motif::Dusk, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::downsample::{Quality, Timing};

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
        let subject = Subject {
            settings,
            filter: Filter::Box,
            size: [64, 48],
            scene: (Source::Picture, Motif::Dusk, Fit::Cover),
        };
        let mut run = Run::new(&gpu, subject, &painted([64, 48]).rgba).unwrap();
        let done =
            vec![figures(Method::AreaCompute, Some(7.5), f64::INFINITY), figures(Method::RasterChain, None, 41.26)];
        let report = super::report(&run.material, &run.subject, &done);
        assert!(report.title.starts_with("64x48 to 16x12, linear light"), "{}", report.title);
        assert_eq!(report.head.len(), report.rows[0].len());
        let own = ["12.0 ms", "900 µs", "7.50 µs", "> 100", "0.9877", "1.2", "-1.25 %", "2.50"];
        assert_eq!(report.rows[0][1..9], own);
        assert_eq!(report.rows[0][9..], ["area, compute", "—", "900 µs", "—", "900 µs"]);
        assert_eq!(report.rows[1][3..5], ["—", "41.3"]);
        assert_eq!(report.rows[1][9..], ["raster chain", "9.80 ms", "9.30 ms", "1.40 ms", "1.50 ms"]);
        // The card: every method runs once, then they are timed in turns.
        let mut comparison = Comparison::new(crate::lab::Goal::Fastest);
        comparison.request(std::time::Instant::now());
        comparison.begin(0, "", alternatives());
        for _ in 0..3 * Method::ALL.len() {
            run.next(&mut comparison, 0).unwrap();
        }
        assert!(comparison.alternatives().iter().all(|one| one.times().is_some_and(|us| us.count == 2)));
        let card = run.card(&comparison);
        let area = card.tables[0].rows.iter().find(|row| row.name == Method::AreaCompute.name()).unwrap();
        let psnr_db = card.tables[0].columns.iter().position(|column| column.name == "PSNR (dB)").unwrap();
        assert_eq!(psnr_db, 3, "the deciding columns come first");
        assert!(area.cells[psnr_db - 1].value.unwrap() > 45.0 && area.cells.len() == card.tables[0].columns.len() - 1);
        assert_eq!(card.scatter.unwrap().points.len(), Method::ALL.len());
        drop((run, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }

    /// The whole laboratory on a small picture: exact methods are exact, those that skip pixels are worse and flicker more.
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
