//! B beside A in the frames of `headless --b`.

use super::arguments::Assignment;
use super::failure::Failure;
use super::headless_options::PairOptions;
use super::session::Session;
use super::text_table::Table;
use ab::{Pair, PairDifference, PairInput, PairLayout, PairTimes, TimeRow};
use anyhow::Result;
use base::text;
use base::timing::FrameTiming;
use glass::GlassSettings;
use gpu::{Frame, Gpu, ImageView};
use lab::BreakInfo;
use media::difference::Difference;
use renderer::{Background, FrameParams, Renderer, WorldLoader};
use scene::Lens;
use serde_json::{Value, json};
use std::sync::Arc;
use technique::{FrameRead, Output};
use techniques::{Settings, Techniques};

pub struct HeadlessPair {
    pair: Pair,
    settings: Settings,
    differing: Vec<toml::Table>,
    sizes: [[u32; 2]; 2],
    size: Option<[u32; 2]>,
    pictures: Option<[FrameRead; 2]>,
    pub broken: Option<&'static BreakInfo>,
}

pub struct PairReport {
    rows: Vec<TimeRow>,
    sizes: [[u32; 2]; 2],
    difference: PairDifference,
}

impl HeadlessPair {
    pub fn new(
        gpu: &Arc<Gpu>,
        session: &Session,
        options: &PairOptions,
        (background, worlds): (impl Fn() -> Background, impl Fn() -> WorldLoader),
    ) -> Result<Option<Self>> {
        let broken = techniques::broken(session.settings.lab.r#break);
        if let Some((info, broken)) = broken {
            if options.has_b() {
                let why = "lab.break and --b both make a B; expected one of them";
                return Err(Failure::bad(why).into());
            }
            log::info!("{}: {} Noticed by: verify {}/{}", broken.of.name(), broken.of.doc(), info.id, broken.check);
        } else if !options.has_b() {
            return Ok(None);
        }
        let broken = broken.map(|(_, broken)| broken);
        let PairOptions { b: differing, b_size, b_shaders } = options;
        let differing: Vec<_> = differing.iter().map(|Assignment(table)| table.clone()).collect();
        let mut settings = broken.map_or(session.settings.clone(), |broken| session.settings.broken_by(broken));
        for table in &differing {
            settings.lay(table.clone()).map_err(|why| Failure::bad(format!("--b {why}")))?;
        }
        if let Some(why) = Techniques::unsupported(&settings, gpu) {
            return Err(Failure::bad(format!("--b: {why}")).into());
        }
        let size = b_size.map(|size| size.0.to_array());
        if let Some([width, height]) = size.filter(|size| size.iter().any(|side| *side > gpu.info().max_side)) {
            let most = gpu.info().max_side;
            let why = format!("--b-size {width}x{height}: {} draws at most {most}x{most} pixels", gpu.info().name);
            return Err(Failure::bad(format!("{why}; expected that or less")).into());
        }
        let refuse = |why| Failure::bad(format!("--b-shaders {why}"));
        let gpu_b = b_shaders.as_ref().map(|folder| gpu.with_shaders(folder, true).map_err(refuse)).transpose()?;
        let gpu_b = gpu_b.or(broken.map(|broken| gpu.with_edits(broken.edits)));
        let gpu_b = gpu_b.as_ref().unwrap_or(gpu);
        let pair = Pair::new([gpu, gpu_b], background(), worlds())?;
        Ok(Some(Self { pair, settings, differing, sizes: [[0; 2]; 2], size, pictures: None, broken }))
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn change_glass(&self, lenses: &mut [Lens]) {
        for values in &self.differing {
            lenses.iter_mut().for_each(|lens| GlassSettings::lay_over(values, &mut lens.glass));
        }
    }

    pub fn background(&mut self) -> &mut Background {
        self.pair.renderer().background()
    }

    pub fn record(
        &mut self,
        frame: &mut Frame,
        renderer: &mut Renderer,
        a: &FrameParams<'_>,
        b: &FrameParams<'_>,
        is_last: bool,
        target: &ImageView,
    ) -> Result<()> {
        self.sizes = [target.size(), self.size.unwrap_or(target.size())];
        let input = PairInput { renderer, a, b, size_b: self.sizes[1], layout: PairLayout::Lens };
        let [picture_a, picture_b] = self.pair.record(frame, input, target)?;
        if is_last {
            self.pictures = Some([Output::from(picture_a).read(frame)?, Output::from(picture_b).read(frame)?]);
        }
        Ok(())
    }

    pub fn on_timing(&mut self, timing: &FrameTiming, a: &mut Renderer) -> Result<()> {
        Ok(self.pair.on_timing(timing, a)?)
    }

    pub fn report(&self, timings: &[FrameTiming]) -> Result<PairReport> {
        let mut times = PairTimes::default();
        timings.iter().for_each(|timing| times.push(timing));
        let Some([a, b]) = &self.pictures else { anyhow::bail!("no frame was recorded") };
        let difference = PairDifference::of([a.picture()?, b.picture()?])?;
        Ok(PairReport { rows: times.rows(), sizes: self.sizes, difference })
    }
}

impl PairReport {
    /// Microseconds; `psnr_db` is null for equal pictures. `is_scaled`: compared at the size of A.
    pub fn json(&self) -> Value {
        let row = |row: &TimeRow| {
            let difference = row.difference.map(|difference| {
                let verdict = row.a_us.map(|us| difference.verdict(us));
                json!({
                    "median_us": difference.median_us, "interval_us": difference.interval_us,
                    "n": difference.n, "verdict": verdict,
                })
            });
            let pass = if row.pass.is_empty() { "all passes" } else { &row.pass };
            json!({ "pass": pass, "a_us": row.a_us, "b_us": row.b_us, "difference": difference })
        };
        let PairDifference { numbers: Difference { mean, max, psnr_db, worst }, ssim, .. } = self.difference;
        let psnr_db = psnr_db.is_finite().then_some(psnr_db);
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let picture = json!({ "mean": mean, "max": max, "psnr_db": psnr_db, "ssim": ssim, "worst": worst });
        let [a, b] = self.sizes;
        json!({ "size": b, "is_scaled": a != b, "picture": picture, "passes": rows })
    }

    pub fn table(&self) -> String {
        let mut table = Table::new(&["pass", "A", "B", "B - A", "95 % interval", ""]);
        let time = |us: Option<f64>| us.map_or("-".into(), text::micros);
        let signed = |us: f64| if us < 0.0 { format!("-{}", text::micros(-us)) } else { text::micros(us) };
        for TimeRow { pass, a_us, b_us, difference } in &self.rows {
            let name = if pass.is_empty() { "all passes".into() } else { pass.clone() };
            let (by, interval, verdict) = match (difference, a_us) {
                (Some(difference), Some(a_us)) => {
                    let [low, high] = difference.interval_us.map(signed);
                    (signed(difference.median_us), format!("{low} to {high}"), difference.verdict(*a_us))
                }
                (_, Some(_)) => ("-".into(), "-".into(), "only A"),
                _ if b_us.is_some() => ("-".into(), "-".into(), "only B"),
                _ => ("-".into(), "-".into(), "not timed"),
            };
            table.row([name, time(*a_us), time(*b_us), by, interval, verdict.into()]);
        }
        let PairDifference { numbers, ssim, .. } = self.difference;
        let [a, [width, height]] = self.sizes;
        let scaled = if a == [width, height] {
            String::new()
        } else {
            format!(" B is of {width}x{height}, compared at {}x{} by its nearest pixels.", a[0], a[1])
        };
        let picture = if numbers.max == 0 {
            "Pictures of A and B: equal.".into()
        } else {
            format!("Pictures of A and B: {numbers}, SSIM {ssim:.5}.")
        };
        format!("{}{picture}{scaled}\n", table.text())
    }
}
