//! Test bench: a device without a window.

use super::probe::Probe;
use base::{
    stats,
    timing::{FrameTiming, PassId},
};
use gpu::{
    Buffer, ComputePipeline, Format, Frame, Frames, Gpu, Image, ImageDesc, ImageView, Memory, Options, Result,
    SharedPipelines, Use,
};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::Arc,
    time::Instant,
};

pub struct TestBench {
    frames: Frames,
    gpu: Arc<Gpu>,
    spin: ComputePipeline,
    flush: Option<Buffer>,
    clocks: Clocks,
    kept: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    _pipelines: Arc<SharedPipelines>,
}

#[derive(Clone, Copy, Default)]
struct Clocks {
    best_us: Option<f64>,
    busy: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub p95: f64,
    pub n: usize,
    /// 95 % interval of the median, microseconds.
    pub interval: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    pub cpu_us: f64,
    pub gpu_us: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caches {
    Warm,
    Cold,
}

/// Prefix of passes that [`TestBench::measure`] does not count.
const UNCOUNTED: &str = "setup/";

/// Number of runs from which a warm-up pays off.
const WARMED: usize = 20;
/// Milliseconds of work before a measurement, and after a possible idle time.
const WARM_UP_MS: u128 = 100;
const WARM_UP_IDLE_MS: u128 = 800;
/// A pause after which clocks may have dropped.
const IDLE_MS: u128 = 20;
/// Milliseconds after which the warm-up ends in any case.
const WARM_UP_MOST_MS: u128 = 4000;
/// The clocks are up when the spin takes at most this multiple of its shortest time.
const CLOCKS_UP: f64 = 1.03;

/// More than any GPU's last-level cache.
const FLUSH_BYTES: u64 = 192 << 20;

impl TestBench {
    pub fn new(options: &Options) -> Result<Self> {
        Self::on(&Gpu::new(options)?)
    }

    pub fn on(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipelines = gpu.share_pipelines();
        let spin = ComputePipeline::new(gpu, "lab/spin.comp", &[])?;
        let (frames, gpu, clocks) = (Frames::new(gpu, 1), gpu.clone(), Clocks::default());
        Ok(Self { frames, gpu, spin, flush: None, clocks, kept: HashMap::new(), _pipelines: pipelines })
    }

    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }

    /// Pipelines are created once, not for every case.
    pub fn kept<T: Any + Send + Sync>(&mut self, make: impl FnOnce(&Arc<Gpu>) -> Result<T>) -> Result<Arc<T>> {
        let known = self.kept.get(&TypeId::of::<T>()).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            return Ok(known);
        }
        let made = Arc::new(make(&self.gpu)?);
        self.kept.insert(TypeId::of::<T>(), made.clone());
        Ok(made)
    }

    /// A frame that was not submitted may have left them incomplete.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    /// Rows from the top, tightly packed, in mip 0.
    pub fn image<T: bytemuck::NoUninit>(&mut self, desc: ImageDesc, texels: &[T]) -> Result<Image> {
        let image = Image::new(&self.gpu, desc)?;
        self.run(|frame| frame.upload(&image.mip(0), texels))?;
        Ok(image)
    }

    /// In the renderer's format: sampled encoded or decoded.
    pub fn picture(&mut self, size: [u32; 2], rgba: &[u8]) -> Result<Image> {
        let desc = ImageDesc::new("picture", size, Format::Rgba8, &[Use::Sample, Use::Storage]);
        self.image(desc.aliases(&[Format::Rgba8Srgb]), rgba)
    }

    pub fn run<R>(&mut self, record: impl FnOnce(&mut Frame) -> Result<R>) -> Result<R> {
        Ok(self.frames.once(record)?.0)
    }

    pub fn timed<R>(&mut self, record: impl FnOnce(&mut Frame) -> Result<R>) -> Result<(R, Took)> {
        let began = Instant::now();
        let (made, timing) = self.frames.once(record)?;
        Ok((made, Took { cpu_us: began.elapsed().as_secs_f64() * 1e6, gpu_us: span_us(&timing) }))
    }

    pub fn read<T: bytemuck::AnyBitPattern>(&mut self, view: &ImageView) -> Result<Vec<T>> {
        self.run(|frame| frame.read_image(view))?.read()
    }

    pub fn read_buffer<T: bytemuck::AnyBitPattern>(&mut self, buffer: &Buffer) -> Result<Vec<T>> {
        self.run(|frame| frame.read_buffer(buffer))?.read()
    }

    /// Runs `record` `reps` times after two uncounted runs. A run's time is from the first timestamp of its counted passes to the last. An
    /// idle device is kept busy first until its clocks are up, and is busy before each run, so that all measurements use the same clocks.
    pub fn measure(
        &mut self,
        reps: usize,
        caches: Caches,
        mut record: impl FnMut(&mut Frame) -> Result<()>,
    ) -> Result<Spread> {
        let buffer = self.flush_buffer()?;
        let clocked = reps >= WARMED && !self.gpu.policy().runs_on_cpu;
        self.frames.once(&mut record)?;
        if clocked {
            self.warm_up()?;
        }
        let (mut times, spin) = (Vec::new(), self.spin.clone());
        for rep in 0..=reps {
            let ((), timing) = self.frames.once(|frame| {
                if clocked {
                    spun(frame, &spin, &buffer)?;
                }
                if caches == Caches::Cold {
                    frame.fill(format!("{UNCOUNTED}flush"), &buffer, rep as u32)?;
                }
                record(frame)
            })?;
            if rep >= 1 {
                times.extend(span_us(&timing));
            }
        }
        self.clocks.busy = Some(Instant::now());
        Ok(Spread::of(&mut times))
    }

    fn flush_buffer(&mut self) -> Result<Buffer> {
        let buffer = match self.flush.take() {
            Some(buffer) => buffer,
            None => Buffer::new(&self.gpu, "cache flush", FLUSH_BYTES, Memory::Device)?,
        };
        Ok(self.flush.insert(buffer).clone())
    }

    fn warm_up(&mut self) -> Result<()> {
        let (buffer, spin, started) = (self.flush_buffer()?, self.spin.clone(), Instant::now());
        let idle = self.clocks.busy.is_none_or(|busy| busy.elapsed().as_millis() > IDLE_MS);
        let least = if idle { WARM_UP_IDLE_MS } else { WARM_UP_MS };
        loop {
            let ((), timing) = self.frames.once(|frame| {
                for word in 0..8 {
                    spun(frame, &spin, &buffer)?;
                    frame.fill(format!("{UNCOUNTED}warm up"), &buffer, word)?;
                }
                Result::Ok(())
            })?;
            let spins = timing.passes.iter().filter(|pass| SPIN.is(pass)).filter_map(|pass| pass.gpu_us);
            let now = spins.fold(f64::INFINITY, f64::min);
            let best = self.clocks.best_us.map_or(now, |best| best.min(now));
            self.clocks.best_us = Some(best);
            let gone = started.elapsed().as_millis();
            if gone >= least && now <= best * CLOCKS_UP || gone >= WARM_UP_MOST_MS {
                return Ok(());
            }
        }
    }

    pub fn traffic_probe(&mut self, read_bytes: u64, write_bytes: u64, reps: usize, caches: Caches) -> Result<Spread> {
        let probe = Probe::new(&self.gpu, read_bytes, write_bytes)?;
        self.run(|frame| frame.fill("setup/source", &probe.source, 7))?;
        self.measure(reps, caches, |frame| probe.record(frame))
    }
}

const SPIN: PassId = PassId::new("setup/spin");

fn spun(frame: &mut Frame, spin: &ComputePipeline, sink: &Buffer) -> Result<()> {
    frame.compute(SPIN, spin).bind("Sink", sink).dispatch_groups([1024, 1, 1])
}

/// `None` if one of the counted passes has no time.
fn span_us(timing: &FrameTiming) -> Option<f64> {
    let counted = timing.passes.iter().filter(|pass| !pass.name.starts_with(UNCOUNTED));
    let spans = counted.map(|pass| Some((pass.gpu_start_us?, pass.gpu_start_us? + pass.gpu_us?)));
    let whole = spans.reduce(|a, b| a.zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))));
    whole.flatten().map(|(from, to)| to - from)
}

impl Spread {
    /// Of these times, which are sorted for it.
    pub fn of(times: &mut [f64]) -> Self {
        let min = times.iter().copied().fold(f64::INFINITY, f64::min);
        let (p95, interval) = (stats::percentile(times, 0.95), stats::median_interval(times));
        let min = if min.is_finite() { min } else { 0.0 };
        Self { median: stats::median(times), min, p95, n: times.len(), interval }
    }
}

#[cfg(any(test, feature = "fixtures"))]
#[allow(clippy::unwrap_used, reason = "for tests alone")]
impl TestBench {
    /// A message of validation fails the test that drops the device.
    pub fn validated() -> Self {
        Self::on(&Gpu::headless(true).unwrap()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing_marks::pass;

    #[test]
    fn a_spread_has_median_min_and_p95() {
        let mut times: Vec<f64> = (0..=100).rev().map(|us| f64::from(us) + 3.0).collect();
        let interval = [42.0, 64.0];
        assert_eq!(Spread::of(&mut times), Spread { median: 53.0, min: 3.0, p95: 98.0, n: 101, interval });
        let none = Spread::of(&mut []);
        assert!(none.median.is_nan() && none.p95.is_nan() && none.min == 0.0 && none.n == 0);
    }

    #[test]
    fn a_run_lasts_from_its_first_counted_pass_to_its_last() {
        let passes = vec![pass("setup/flush", 0.0, 90.0), pass("b", 130.0, 20.0), pass("a", 100.0, 10.0)];
        let mut timing = FrameTiming { passes, ..FrameTiming::default() };
        assert_eq!(span_us(&timing), Some(50.0));
        timing.passes[1].gpu_us = None;
        assert_eq!(span_us(&timing), None, "what has no time may be the longest");
        assert_eq!(span_us(&FrameTiming::default()), None);
    }
}
