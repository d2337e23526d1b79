//! Benchmark of frost by tables against the pre-blur, by its width.

use super::glass_table::{LensOverTable, lens_at};
use anyhow::Result;
use glam::Vec2;
use glass::{Blur, GlassSettings};
use gpu::Frame;
use lab::{Bench, BenchRun};

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const FROSTS: [f32; 3] = [2.0, 7.0, 32.0];
const BLURS: [Blur; 2] = [Blur::Table, Blur::Preblur];
/// Largest mean difference between the two, steps of 255: both are nearly a Gaussian.
const APART: f64 = 1.0;

pub const FROST: Bench = Bench::new("frost", &SIZES, measure);

fn measure(run: &mut BenchRun<'_>) -> Result<()> {
    let size = run.size;
    let mut glazed = LensOverTable::new(run.bench, size)?;
    let scale = size[0] as f32 / 1280.0;
    for frost in FROSTS {
        let mut pictures = Vec::new();
        let mut rows = Vec::new();
        for blur in BLURS {
            let settings = GlassSettings { frost, blur, adaptive: 0.0, ..Default::default() };
            let lens = lens_at(&settings, Vec2::new(size[0] as f32, size[1] as f32) * 0.5);
            let half = lens.half(scale);
            let pixels = (4.0 * half.x * half.y) as u64;
            let case = run.case(&format!("lens {:.0}x{:.0}", 2.0 * half.x, 2.0 * half.y));
            let variant = format!("frost {frost:.0} {}", blur.name());
            let mut record = |frame: &mut Frame| glazed.record(frame, &settings, &lens, scale);
            rows.push(run.timed(case, &variant, [pixels * 8, pixels * 4], &mut record)?);
            pictures.push(run.bench.read::<[u8; 4]>(&glazed.target)?);
        }
        let apart = |a: &[u8; 4], b: &[u8; 4]| (0..3).map(|c| f64::from(a[c].abs_diff(b[c]))).sum::<f64>() / 3.0;
        let sum: f64 = pictures[0].iter().zip(&pictures[1]).map(|(a, b)| apart(a, b)).sum();
        let mean = sum / (rows[0].bytes as f64 / 12.0);
        rows.into_iter().for_each(|row| run.row(row.error(mean).checked(mean <= APART)));
    }
    Ok(())
}
