//! Reference, checks and benchmark of the histogram.

mod checks;
mod reference;

use super::{Histogram, HistogramSettings};
use gpu::Frame;
use lab::{Bench, BenchRun, Check};
use technique::{Benches, Checks, Technique as _};

impl Checks for Histogram {
    const CHECKS: &'static [Check] = &[Check::of::<checks::Counts>(), Check::of::<checks::Bars>()];
}

impl Benches for Histogram {
    const BENCHES: &'static [Bench] = &[Bench::new("count", &[[1920, 1080], [3840, 2160]], measure).quick([64, 64])];
}

fn measure(run: &mut BenchRun<'_>) -> anyhow::Result<()> {
    let mut technique = Histogram::new(run.bench.gpu())?;
    let settings = HistogramSettings::default();
    let (rgba, bytes) = (checks::picture(run.size), [4 * run.pixels(), 0]);
    let picture = run.bench.picture(run.size, &rgba)?;
    let mut record = |frame: &mut Frame| technique.record(frame, &settings, &picture.mip(0));
    let row = run.timed(run.case(""), "atomics", bytes, &mut record)?;
    let found = run.bench.read_buffer::<u32>(&technique.bins)?[..settings.bins as usize].to_vec();
    let is_right = found == reference::histogram(&rgba, settings.bins);
    run.row(row.checked(is_right));
    Ok(())
}
