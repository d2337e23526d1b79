//! Benchmark of frost by tables against the pre-blur, by its width.

use super::glass_table::{LensOverTable, lens_at};
use crate::{
    lab::{BENCH_CACHES, Bench, BenchOptions, Row, TestBench},
    techniques::glass::{Blur, GlassSettings},
};
use anyhow::Result;
use glam::Vec2;

const SIZES: [[u32; 2]; 2] = [[1280, 720], [2560, 1440]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
const FROSTS: [f32; 3] = [2.0, 7.0, 32.0];
const BLURS: [Blur; 2] = [Blur::Table, Blur::Preblur];
/// Largest mean difference between the two, steps of 255: both are nearly a Gaussian.
const APART: f64 = 1.0;

pub const FROST: Bench =
    Bench { name: "frost", formats: Vec::new, rows: |options| sizes(options).len() * FROSTS.len() * BLURS.len(), run };

fn sizes(options: &BenchOptions) -> Vec<[u32; 2]> {
    options.sizes_or(&SIZES, &QUICK)
}

fn run(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> Result<()> {
    for size in sizes(options) {
        let mut glazed = LensOverTable::new(bench, size)?;
        let scale = size[0] as f32 / 1280.0;
        for frost in FROSTS {
            let mut pictures = Vec::new();
            let mut rows = Vec::new();
            for blur in BLURS {
                let settings = GlassSettings { frost, blur, adaptive: 0.0, ..Default::default() };
                let lens = lens_at(&settings, Vec2::new(size[0] as f32, size[1] as f32) * 0.5, scale);
                let pixels = 4.0 * lens.half.x * lens.half.y;
                let (reads, writes) = (pixels as u64 * 8, pixels as u64 * 4);
                let probe = bench.traffic_probe(reads, writes, options.reps(), BENCH_CACHES)?;
                let gpu_us = bench
                    .measure(options.reps(), BENCH_CACHES, |frame| glazed.record(frame, &settings, &lens, scale))?;
                pictures.push(bench.read::<[u8; 4]>(&glazed.target)?);
                rows.push(Row {
                    case: format!("{}x{} lens {:.0}x{:.0}", size[0], size[1], 2.0 * lens.half.x, 2.0 * lens.half.y),
                    variant: format!("frost {frost:.0} {}", blur.name()),
                    gpu_us,
                    bytes: reads + writes,
                    probe_us: Some(probe.median),
                    error_steps: None,
                    checked: false,
                });
            }
            let apart = |a: &[u8; 4], b: &[u8; 4]| (0..3).map(|c| f64::from(a[c].abs_diff(b[c]))).sum::<f64>() / 3.0;
            let sum: f64 = pictures[0].iter().zip(&pictures[1]).map(|(a, b)| apart(a, b)).sum();
            let mean = sum / (rows[0].bytes as f64 / 12.0);
            for row in rows {
                each(Row { error_steps: Some(mean), checked: mean <= APART, ..row });
            }
        }
    }
    Ok(())
}
