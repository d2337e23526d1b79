//! Baseline of a device: copies of several sizes, and its clock.

use super::{probe::Probe, test_bench::Spread};
use base::{
    file::{read_bounded, write_atomically},
    stats::median,
    timing::PassId,
};
use gpu::{Buffer, ComputePipeline, DeviceInfo, Frame, Frames, Gpu, Memory, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Bytes read and written by each copy, half of them read: from less than the first cache to more than the last one.
const SIZES: [u64; 5] = [64 << 10, 1 << 20, 8 << 20, 64 << 20, 512 << 20];
const SIZES_LEAST: usize = 4;
const SMALL_MOST: u64 = 64 << 20;
const MEMORY_LEAST: u64 = 4 << 30;
const RUNS_MOST: usize = 15;
const BUDGET: Duration = Duration::from_millis(800);
const WARM_UP: Duration = Duration::from_millis(200);
const FILE_BYTES: u64 = 1 << 16;

pub const CLOCK_PASS: PassId = PassId::new("instrument/clock");

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeCopy {
    pub bytes: u64,
    pub us: f64,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceProbe {
    device: String,
    driver: String,
    /// With the clocks up; `None` on a device without clocks that rise.
    clock_us: Option<f64>,
    copies: Vec<ProbeCopy>,
}

pub struct ClockPass {
    pipeline: ComputePipeline,
    sink: Buffer,
}

impl ClockPass {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = ComputePipeline::new(gpu, "lab/spin.comp", &[])?;
        Ok(Self { pipeline, sink: Buffer::new(gpu, "clock sink", 16, Memory::Device)? })
    }

    /// One workgroup, which leaves the rest of the device to others.
    pub fn record(&self, frame: &mut Frame) -> Result<()> {
        frame.compute(CLOCK_PASS, &self.pipeline).bind("Sink", &self.sink).dispatch_groups([1, 1, 1])
    }
}

impl DeviceProbe {
    pub fn kept_or_measured(gpu: &Arc<Gpu>, folder: Option<&Path>) -> anyhow::Result<Self> {
        let file = folder.map(|folder| file_of(folder, gpu.info()));
        if let Some(kept) = file.as_deref().and_then(|file| Self::read(file, gpu.info())) {
            return Ok(kept);
        }
        let measured = Self::measure(gpu)?;
        if let Some(file) = file
            && let Err(why) = measured.write(&file)
        {
            log::info!("the bandwidth of this device is not kept: {why:#}");
        }
        Ok(measured)
    }

    /// `None` if it belongs to another device.
    pub fn read(file: &Path, facts: &DeviceInfo) -> Option<Self> {
        let bytes = read_bounded(file, FILE_BYTES, "").ok()?;
        let probe: Self = toml::from_str(std::str::from_utf8(&bytes).ok()?).ok()?;
        let is_positive = |us: f64| us.is_finite() && us > 0.0;
        // A file that is cut off between two copies is one as well.
        let count = probe.copies.len();
        let is_sane = (SIZES_LEAST..=SIZES.len()).contains(&count)
            && probe.copies.iter().map(|copy| copy.bytes).eq(SIZES[..count].iter().copied())
            && probe.copies.iter().all(|copy| is_positive(copy.us))
            && probe.clock_us.is_none_or(is_positive);
        (is_sane && probe.device == facts.name && probe.driver == facts.driver).then_some(probe)
    }

    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        write_atomically(file, toml::to_string(self)?.as_bytes())
    }

    pub fn measure(gpu: &Arc<Gpu>) -> anyhow::Result<Self> {
        let (began, mut frames, raises) = (Instant::now(), Frames::new(gpu, 1), !gpu.policy().runs_on_cpu);
        let clock = ClockPass::new(gpu)?;
        let mut clock_us = Vec::new();
        let mut run_clock = |frames: &mut Frames| -> Result<()> {
            let ((), timing) = frames.once(|frame| clock.record(frame))?;
            clock_us.extend(timing.us_of(&[CLOCK_PASS]));
            Ok(())
        };
        let has_memory = raises && gpu.info().memory_bytes >= MEMORY_LEAST;
        let sizes: Vec<u64> = SIZES.into_iter().filter(|bytes| has_memory || *bytes <= SMALL_MOST).collect();
        let mut copies = Vec::new();
        for (nth, bytes) in sizes.iter().enumerate() {
            let probe = Probe::new(gpu, bytes / 2, bytes / 2)?;
            frames.once(|frame| frame.fill("setup/source", &probe.source, 7))?;
            while raises && nth == 0 && began.elapsed() < WARM_UP {
                frames.once(|frame| (0..8).try_for_each(|_| probe.record(frame)))?;
                run_clock(&mut frames)?;
            }
            // What is left of the time is shared by the copies that are left.
            let until = began.elapsed() + BUDGET.saturating_sub(began.elapsed()) / (sizes.len() - nth) as u32;
            let mut times = Vec::new();
            for rep in 0..=RUNS_MOST {
                // Twice: the first one finds other data in the caches than the second, which passes of a frame seldom do.
                let ((), timing) = frames.once(|frame| (0..2).try_for_each(|_| probe.record(frame)))?;
                let last = timing.passes.last().and_then(|pass| pass.gpu_us);
                times.extend(last.filter(|us| rep > 0 && *us > 0.0));
                if raises {
                    run_clock(&mut frames)?;
                }
                if rep >= 3 && began.elapsed() > until {
                    break;
                }
            }
            let us = Spread::of(&mut times).median;
            anyhow::ensure!(us.is_finite(), "the device has no timestamps");
            copies.push(ProbeCopy { bytes: *bytes, us });
        }
        let clock_us = Some(median(&mut clock_us)).filter(|us| raises && us.is_finite() && *us > 0.0);
        let facts = gpu.info();
        Ok(Self { device: facts.name.clone(), driver: facts.driver.clone(), clock_us, copies })
    }

    pub fn clock_us(&self) -> Option<f64> {
        self.clock_us
    }

    pub fn copies(&self) -> &[ProbeCopy] {
        &self.copies
    }

    /// Time of a copy that reads and writes `bytes` in all, microseconds: between two sizes by a straight line of logarithms, below the
    /// smallest one its time, above the largest one its bandwidth.
    pub fn us(&self, bytes: u64) -> f64 {
        let (Some(first), Some(last)) = (self.copies.first(), self.copies.last()) else { return f64::NAN };
        if bytes <= first.bytes {
            return first.us;
        }
        if bytes >= last.bytes {
            return last.us * bytes as f64 / last.bytes as f64;
        }
        let pair = self.copies.windows(2).find(|pair| bytes < pair[1].bytes);
        let Some([low, high]) = pair.and_then(|pair| <[ProbeCopy; 2]>::try_from(pair).ok()) else { return last.us };
        let along = (bytes as f64 / low.bytes as f64).ln() / (high.bytes as f64 / low.bytes as f64).ln();
        low.us * (high.us / low.us).powf(along)
    }

    /// Relative to a copy of as many bytes.
    pub fn part(&self, bytes: u64, us: f64) -> Option<f64> {
        let part = self.us(bytes) / us;
        (bytes > 0 && us > 0.0 && part.is_finite()).then_some(part)
    }

    #[cfg(any(test, feature = "fixtures"))]
    pub fn sample(clock_us: Option<f64>, copies: &[(u64, f64)]) -> Self {
        let copies = copies.iter().map(|(bytes, us)| ProbeCopy { bytes: *bytes, us: *us }).collect();
        Self { device: "device".into(), driver: "driver".into(), clock_us, copies }
    }
}

fn file_of(folder: &Path, facts: &DeviceInfo) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let name: String = format!("{}-{}", facts.name, facts.driver).chars().map(plain).take(120).collect();
    folder.join(format!("probe-{name}.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    #[test]
    fn times_between_two_copies_are_on_a_line_of_logarithms() {
        let probe = DeviceProbe::sample(None, &[(1000, 2.0), (100_000, 8.0), (1_000_000, 80.0)]);
        let near = |bytes, us: f64| assert!((probe.us(bytes) - us).abs() < 1e-9, "{bytes}: {}", probe.us(bytes));
        near(1, 2.0);
        near(1000, 2.0);
        near(10_000, 4.0);
        near(100_000, 8.0);
        near(1_000_000, 80.0);
        near(2_000_000, 160.0);
        assert_eq!(probe.part(100_000, 16.0), Some(0.5));
        assert_eq!(probe.part(2_000_000, 100.0), Some(1.6), "faster than the copy");
        assert_eq!((probe.part(0, 16.0), probe.part(8, 0.0)), (None, None));
    }

    #[test]
    fn a_file_is_read_again_and_a_broken_one_is_nothing() {
        let gpu = Gpu::headless(false).unwrap();
        let folder = Folder::new("device-probe");
        let measured = DeviceProbe::kept_or_measured(&gpu, Some(&folder.0.join("made"))).unwrap();
        assert!(measured.copies().len() >= 4 && measured.copies().iter().all(|copy| copy.us > 0.0), "{measured:?}");
        let file = file_of(&folder.0.join("made"), gpu.info());
        assert_eq!(DeviceProbe::read(&file, gpu.info()), Some(measured.clone()));
        assert_eq!(DeviceProbe::kept_or_measured(&gpu, Some(&folder.0.join("made"))).unwrap(), measured, "it is kept");
        let text = fs::read_to_string(&file).unwrap();
        let other = DeviceInfo { driver: "other".into(), ..gpu.info().clone() };
        assert_eq!(DeviceProbe::read(&file, &other), None);
        for broken in [
            String::new(),
            "\0\u{1}garbage".into(),
            text[..text.len() / 2].into(),
            text.replace("us = ", "us = -"),
            text.replace("bytes = 65536", "bytes = 67108864"),
            text.clone() + "more = 1\n",
        ] {
            fs::write(&file, &broken).unwrap();
            assert_eq!(DeviceProbe::read(&file, gpu.info()), None, "{broken}");
        }
        DeviceProbe::kept_or_measured(&gpu, Some(&folder.0.join("made"))).unwrap();
        assert!(DeviceProbe::read(&file, gpu.info()).is_some(), "it is measured again");
    }
}
