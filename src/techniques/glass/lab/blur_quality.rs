//! Comparison of the blurs with a true Gaussian, on the GPU: as PSNR, SSIM and as times.

use super::blur_judge::{Blurred, Judge, TRUTH_COLUMNS, TRUTH_ROWS};
use super::blur_similarity::Similarity;
use crate::frost::blur::kawase;
use crate::frost::preblur::{Read, pairs_needed, preblur};
use crate::frost::{Area, Frost, PREBLURS};
use crate::passes::BlurInput;
use crate::passes::variants::shader_blur;
use crate::settings::Blur;
use base::timing::{FrameTiming, PassId, technique_of};
use glam::{UVec2, Vec2};
use gpu::{Buffer, Delayed, Frame, Memory, ReadBack, Result};
use lab::{Alternative, Card, Cell, Column, Comparison, Pareto};
use std::collections::HashMap;

/// Pixels.
const MEASURED: UVec2 = UVec2::new(256, 192);
const ERROR_PASS: PassId = PassId::new("glass/error");

const FIGURES: [Column; 3] = [
    Column::new(
        "PSNR (dB)",
        "Peak signal-to-noise ratio against a true Gaussian: higher is better; above 40 dB hardly anyone sees a difference.",
    ),
    Column::new("SSIM", "Structural similarity to the true Gaussian, 1 at most"),
    Column::new(
        "samples",
        "Texture reads per pixel; before the plus those of one look, after it those of what is made beforehand.",
    ),
];

#[derive(Default)]
pub struct BlurComparison {
    judge: Judge,
    pub comparison: Comparison,
    pending: Delayed<(f32, UVec2, Vec<ReadBack>)>,
    /// Sigma, and dB in the order of [`Blur::ALL`].
    done: Option<(f32, Vec<f64>)>,
    timed: Option<(f32, UVec2)>,
    timed_psnr_db: Vec<f64>,
    rounds: usize,
    boxed_by: Option<PassId>,
    similarity: Similarity,
    /// The frost is that of the preset frosted.
    pub(super) is_of_preset: bool,
}

impl BlurComparison {
    /// One sum a workgroup, in the order of [`Blur::ALL`].
    pub fn record_errors(
        &mut self,
        frame: &mut Frame,
        frost: &mut Frost,
        input: BlurInput,
        sigma: f32,
        area: Area,
    ) -> Result<Vec<ReadBack>> {
        let truth = self.judge.truth(frame, input.chain, sigma, area)?;
        let extent = area.1 - area.0;
        let groups = extent.map(|n| n.div_ceil(16));
        let mut reads = Vec::new();
        let (before, first) = Blur::ALL.split_at(self.rounds % Blur::ALL.len());
        self.rounds += 1;
        for blur in first.iter().chain(before) {
            let Blurred { push, frosted, chain } = self.judge.blurred(frame, frost, input, *blur, (sigma, area))?;
            let sums =
                Buffer::new(frame.gpu(), "glass errors", u64::from(groups.element_product()) * 4, Memory::Device)?;
            let pipeline = self.judge.pipeline(frame.gpu(), "glass/error.comp", shader_blur(*blur))?;
            let pass = frame.compute(ERROR_PASS.part(blur.name()), &pipeline).bind("frosted", frosted);
            let pass = pass.bind("chain", chain).bind("truth", truth.clone()).bind("sums", &sums);
            pass.push(&push).dispatch(extent.to_array())?;
            reads.push((*blur, frame.read_buffer(&sums)?));
        }
        reads.sort_by_key(|(blur, _)| *blur as usize);
        Ok(reads.into_iter().map(|(_, read)| read).collect())
    }

    pub fn measure(
        &mut self,
        frame: &mut Frame,
        frost: &mut Frost,
        below: BlurInput,
        sigma: f32,
        center: Vec2,
    ) -> Result<()> {
        let area = measured_area(center, UVec2::from_array(below.chain.size()));
        let extent = area.1 - area.0;
        if self.comparison.begin(frame.number(), &format!("{sigma} {extent}"), alternatives()) {
            (self.timed, self.done) = (Some((sigma, extent)), None);
            self.timed_psnr_db.clear();
            // Before the passes that are timed.
            self.similarity.record(&self.judge, frame, frost, below, sigma, area)?;
        }
        let reads = self.record_errors(frame, frost, below, sigma, area)?;
        self.boxed_by = below.boxed.map(|boxed| boxed.passes);
        self.pending.put(frame.number(), (sigma, extent, reads));
        Ok(())
    }

    pub fn forget(&mut self) {
        self.done = None;
        self.pending.forget();
    }

    pub fn is_pending(&self) -> bool {
        self.pending.is_pending() || self.comparison.is_active()
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.similarity.on_timing(timing.frame)?;
        let Some((sigma, extent, reads)) = self.pending.take(timing.frame) else { return Ok(()) };
        if self.done.as_ref().is_none_or(|(of, _)| *of != sigma) {
            let psnr = |read: &ReadBack| Ok(psnr(&read.read()?, extent));
            self.done = Some((sigma, reads.iter().map(psnr).collect::<Result<_>>()?));
        }
        if self.timed == Some((sigma, extent)) && self.comparison.is_active() {
            self.timed_psnr_db = self.psnr_db();
        }
        if !timing.compiles && self.timed == Some((sigma, extent)) {
            let times = times(timing, self.boxed_by);
            for (index, blur) in Blur::ALL.iter().enumerate() {
                self.comparison.add(timing.frame, index, times.get(blur.name()).copied().flatten());
            }
        }
        Ok(())
    }

    pub fn psnr_db(&self) -> Vec<f64> {
        self.done.as_ref().map_or(Vec::new(), |(_, all)| all.clone())
    }

    pub fn card(&self) -> Card {
        let Some((sigma, extent)) = self.timed else {
            return Card { progress: self.comparison.progress(), ..Card::default() };
        };
        let (psnr_db, ssim) = (&self.timed_psnr_db, self.similarity.ssim());
        let cells = |index: usize, _: &Alternative| {
            let samples = Blur::ALL.get(index).map_or(String::new(), |blur| taps(*blur, sigma));
            let in_all: f64 = samples.split('+').filter_map(|part| part.trim().parse::<f64>().ok()).sum();
            let similar = Cell::number(ssim.get(index).copied(), 4);
            vec![Cell::number(psnr_db.get(index).copied(), 1), similar, Cell::new(in_all, samples)]
        };
        let mut card = Card::of(&self.comparison, "blur", &FIGURES, &cells);
        let sigma_px = (f64::from(sigma) * 100.0).round() / 100.0;
        let of = if self.is_of_preset { ", the frost of the preset frosted, since the lens has none" } else { "" };
        let size = format!("{} x {} px around the first lens", extent.x, extent.y);
        card.subject = format!("{}, sigma {sigma_px:?} px{of}, {size}", card.subject);
        card.answer = Some(self.comparison.verdict_of_quality(psnr_db));
        card.pareto = Some(Pareto::of(&self.comparison, "a true Gaussian", &|row| psnr_db.get(row).copied()));
        card
    }
}

fn alternatives() -> Vec<Alternative> {
    Blur::ALL.iter().map(|blur| Alternative::new(blur.name()).titled(blur.title())).collect()
}

/// dB of display values, at most 120; NaN if a sum is NaN.
pub fn psnr(sums: &[f32], extent: UVec2) -> f64 {
    let sum: f64 = sums.iter().map(|v| f64::from(*v)).sum();
    // `clamp` keeps NaN, `max` would make it the best value.
    -10.0 * (sum / (3.0 * f64::from(extent.element_product()))).clamp(1e-12, f64::MAX).log10()
}

/// Texture reads per pixel: for a look, and beforehand.
pub fn taps(blur: Blur, sigma: f32) -> String {
    match blur {
        Blur::Box81 => "81".into(),
        Blur::Trilinear => "1".into(),
        Blur::Bicubic => "8".into(),
        Blur::Kawase => {
            let steps = kawase(sigma, 16).steps as i32;
            let part = (1.0 - 0.25_f32.powi(steps)) / 3.0;
            format!("1 + {:.1}", part * 5.0 + part * 4.0 * 8.0)
        }
        Blur::Preblur => {
            let plan = preblur(sigma, Read::Spline, 16, UVec2::splat(1 << 15));
            let before = 2.0 * (2 * pairs_needed(&plan.weights) + 1) as f32 / 4_f32.powi(plan.level as i32);
            format!("4 + {:.1}", before)
        }
        // Two boxes, four corners, three colours, three times; making the tables is not counted.
        Blur::Table => "1 + 72".into(),
    }
}

pub fn area_around(center: Vec2, extent: UVec2, size: UVec2) -> Area {
    let most = (size - extent.min(size)).as_vec2();
    let low = (center - extent.as_vec2() * 0.5).clamp(Vec2::ZERO, most).floor().as_uvec2();
    (low, (low + extent).min(size))
}

pub fn measured_area(center: Vec2, size: UVec2) -> Area {
    area_around(center, MEASURED.min(size), size)
}

/// Microseconds: its error pass and the passes since the previous one. Boxes are blurred before all.
fn times(timing: &FrameTiming, boxed_by: Option<PassId>) -> HashMap<&str, Option<f64>> {
    let mut found = HashMap::new();
    let (mut sum, mut boxed, mut is_for_lens) = (Some(0.0), None, false);
    for pass in &timing.passes {
        if boxed_by.is_some_and(|boxed_by| boxed_by.is(pass)) {
            let before = if is_for_lens { Some(0.0) } else { boxed.unwrap_or(Some(0.0)) };
            (boxed, is_for_lens) = (Some(before.zip(pass.gpu_us).map(|(a, b)| a + b)), false);
            continue;
        }
        is_for_lens |= boxed.is_some() && technique_of(&pass.name) == technique_of(ERROR_PASS.as_ref());
        if TRUTH_ROWS.is(pass) || TRUTH_COLUMNS.is(pass) {
            sum = Some(0.0);
            continue;
        }
        if PREBLURS.iter().any(|id| id.is(pass)) {
            sum = sum.zip(pass.gpu_us).map(|(a, b)| a + b);
        }
        if let Some(name) = ERROR_PASS.part_of(pass) {
            let beforehand = if name == Blur::Table.name() { boxed.flatten() } else { sum };
            found.insert(name, beforehand.zip(pass.gpu_us).map(|(a, b)| a + b));
            sum = Some(0.0);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    #[test]
    fn every_figure_is_in_its_column() {
        let mut judge = BlurComparison::default();
        judge.comparison.request(std::time::Instant::now());
        judge.comparison.set_subject(0, "640 x 360 px");
        judge.comparison.begin(0, "", alternatives());
        judge.comparison.add(0, 0, Some(120.4));
        judge.timed = Some((7.0, MEASURED));
        judge.timed_psnr_db = vec![31.46; Blur::ALL.len()];
        judge.done = Some((7.0, vec![31.46; Blur::ALL.len()]));
        let card = judge.card();
        assert_eq!(card.subject, "640 x 360 px, sigma 7.0 px, 256 x 192 px around the first lens");
        let heads: Vec<&str> = card.tables[0].columns.iter().map(|column| column.name).collect();
        assert_eq!(heads, ["blur", "time", "quartiles", "PSNR (dB)", "SSIM", "samples"]);
        let row = |name: &str| {
            let row = card.tables[0].rows.iter().find(|row| row.name == name).unwrap();
            row.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(row("box81"), ["120 µs", "120 to 120 µs", "31.5", "—", "81"]);
        assert_eq!(row("bicubic"), ["—", "—", "31.5", "—", "8"]);
        assert_eq!(judge.psnr_db().len(), Blur::ALL.len());
        let front = card.pareto.unwrap().sentence().unwrap();
        assert_eq!(front, "81-tap box: no other is both faster and closer to a true Gaussian.", "those with a time");
    }

    #[test]
    fn times_are_those_of_each_way() {
        let pass = |name: &str, us| PassTiming { name: name.into(), gpu_us: Some(us), ..PassTiming::default() };
        let timing = FrameTiming {
            passes: vec![
                pass("tables/blur/sums", 9000.0),
                pass("glass/preblur_rows", 1000.0),
                pass("tables/blur/sums", 128.0),
                pass("read back/control", 9000.0),
                pass("tables/blur/box", 256.0),
                pass("glass/truth_rows", 500.0),
                pass("glass/truth_columns", 500.0),
                pass("glass/error box81", 1.0),
                pass("glass/kawase_down", 2.0),
                pass("glass/kawase_up", 4.0),
                pass("glass/error kawase", 8.0),
                pass("glass/halve", 16.0),
                pass("glass/preblur_rows", 32.0),
                pass("mip_chain/level 1", 9000.0),
                pass("glass/error preblur", 64.0),
                PassTiming { gpu_us: None, ..pass("glass/error bicubic", 0.0) },
                pass("glass/error table", 512.0),
            ],
            ..FrameTiming::default()
        };
        let expected = [
            ("box81", Some(1.0)),
            ("kawase", Some(14.0)),
            ("preblur", Some(112.0)),
            ("bicubic", None),
            ("table", Some(896.0)),
        ];
        assert_eq!(times(&timing, Some(PassId::new("tables/blur"))), HashMap::from(expected));
    }

    #[test]
    fn psnr_is_of_a_pixel_s_channels_and_knows_what_is_no_number() {
        assert!((psnr(&[0.5, 0.1], UVec2::new(5, 4)) - 20.0).abs() < 1e-6);
        assert_eq!(psnr(&[0.0], UVec2::ONE), 120.0);
        assert!(psnr(&[0.0, f32::NAN], UVec2::ONE).is_nan());
    }
}
