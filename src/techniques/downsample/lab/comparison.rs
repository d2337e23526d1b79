//! Comparison of the methods on the current picture: each runs once and is evaluated, then they are timed in turns.

use super::figures::{Material, MethodInputs, Trial};
use crate::settings::{DownsampleSettings, Light, Method};
use base::{stats::Quartiles, text::change};
use gpu::{Delayed, Frame, Gpu, ImageView, Result};
use lab::{Alternative, Card, Cell, Column, Comparison, Pareto, TestBench};
use std::sync::Arc;
use technique::{FrameRead, Output};

/// Above this, results differ from the exact mean by rounding alone.
pub const MOST_DB: f64 = 100.0;

/// Column of the PSNR in a row: after the two times.
const PSNR: usize = 2;

#[derive(Clone, PartialEq)]
struct Subject {
    settings: DownsampleSettings,
    size: [u32; 2],
    content: String,
}

/// Measures one method after each finished frame, on a copy of the picture, in frames of its own.
#[derive(Default)]
pub struct MethodComparison {
    pub comparison: Comparison,
    card: Card,
    subject: Option<Subject>,
    picture: Delayed<(Subject, FrameRead)>,
    run: Option<Run>,
}

impl MethodComparison {
    pub fn card(&self) -> Card {
        let mut card = self.card.clone();
        card.progress = self.comparison.progress();
        let rows = card.tables.iter().flat_map(|table| &table.rows);
        let psnr_db: Vec<f64> =
            rows.map(|row| row.cells.get(PSNR).and_then(|cell| cell.value).unwrap_or(0.0)).collect();
        card.answer = Some(self.comparison.verdict_of_quality(&psnr_db));
        card
    }

    /// If a comparison runs without one.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        content: &str,
        picture: &ImageView,
    ) -> Result<()> {
        if !self.comparison.is_active() {
            (self.subject, self.run) = (None, None);
            self.picture.forget();
            return Ok(());
        }
        // The displayed method is one of all.
        let settings = DownsampleSettings { method: Method::AreaCompute, ..settings.clone() };
        let subject = Subject { settings, size: picture.size(), content: content.to_owned() };
        let key = format!("{:?} {content} {:?}", subject.size, subject.settings);
        let is_new = self.comparison.begin(frame.number(), &key, alternatives());
        if is_new || self.subject.as_ref() != Some(&subject) {
            (self.run, self.card) = (None, Card::default());
            self.picture.put(frame.number(), (subject.clone(), Output::from(picture).read(frame)?));
            self.subject = Some(subject);
        }
        Ok(())
    }

    /// Called between frames: its own frames are recorded, submitted and waited for here. `inputs` makes the inputs for
    /// a picture size.
    pub fn on_timing(
        &mut self,
        gpu: &Arc<Gpu>,
        frame: u64,
        inputs: impl FnOnce([u32; 2]) -> Result<Box<dyn MethodInputs>>,
    ) -> Result<()> {
        if let Some((subject, read)) = self.picture.take(frame) {
            let rgba = read.picture()?.rgba;
            if self.subject.as_ref() == Some(&subject) {
                let inputs = inputs(subject.size)?;
                self.run = Some(Run::new(gpu, subject, &rgba, inputs)?);
            }
        } else if let Some(run) = &mut self.run {
            if self.comparison.is_active() {
                run.next(&mut self.comparison, frame)?;
            }
            self.card = run.card(&self.comparison);
        }
        Ok(())
    }
}

struct Run {
    subject: Subject,
    bench: TestBench,
    material: Material,
    inputs: Box<dyn MethodInputs>,
    /// In the order of the methods; those that ran.
    trials: Vec<Trial>,
    /// Index of the next one, after all ran once.
    turn: usize,
    /// Host time of later frames, microseconds.
    cpu_us: Vec<Vec<f64>>,
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
    fn new(gpu: &Arc<Gpu>, subject: Subject, rgba: &[u8], inputs: Box<dyn MethodInputs>) -> Result<Self> {
        let mut bench = TestBench::on(gpu)?;
        let material = Material::new(&mut bench, &subject.settings, subject.size, rgba)?;
        let cpu_us = vec![Vec::new(); Method::ALL.len()];
        Ok(Self { subject, bench, material, inputs, trials: Vec::new(), turn: 0, cpu_us })
    }

    fn next(&mut self, comparison: &mut Comparison, ended: u64) -> Result<()> {
        if let Some(method) = Method::ALL.get(self.trials.len()) {
            let trial = self.material.trial(&mut self.bench, *method, self.inputs.as_mut())?;
            self.trials.push(trial);
            return Ok(());
        }
        let turn = self.turn;
        self.turn = (turn + 1) % self.trials.len();
        let took = self.material.time(&mut self.bench, &mut self.trials[turn], self.inputs.as_mut())?;
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
        let mut card = Card::of(comparison, "method", &COLUMNS, &cells);
        let [w, h] = self.material.result_size();
        let light = light_name(self.subject.settings.light);
        card.subject = format!("{}, to {w} x {h} px, {light}", card.subject);
        card.pareto = Some(Pareto::of(comparison, "the exact mean", &|index| {
            Some(self.trials.get(index)?.quality?.psnr_db.min(MOST_DB))
        }));
        card
    }
}

fn alternatives() -> Vec<Alternative> {
    Method::ALL.iter().map(|method| Alternative::new(method.name()).titled(method.title())).collect()
}

pub fn light_name(light: Light) -> &'static str {
    match light {
        Light::Linear => "linear light",
        Light::Encoded => "encoded values",
    }
}
