//! Example technique: histogram of the picture's brightness.

pub mod oracle;

use meniscus::{
    base::{array::Element, timing::FrameTiming},
    gpu::{Buffer, ComputePipeline, Delayed, Error, Frame, Gpu, ImageView, Memory, ReadBack, Result, Sampler},
    gpu_struct,
    lab::{BENCH_CACHES, Bench, BenchOptions, Check, Row, TestBench},
    settings,
    techniques::{FrameContext, Legend, Output, OutputInfo, Report, Stage, Technique, ViewInfo},
};
use std::sync::Arc;

/// Largest number of bins.
pub const BINS_MOST: u32 = 64;

settings! {
    /// How many pixels have each brightness.
    pub struct HistogramSettings {
        /// Bins from black to white.
        bins: u32 = 16, range(1, 64);
        /// Read the counts back and show them as a table.
        measure: bool = false;
    }
}

gpu_struct! {
    /// Push constants of both shaders.
    struct BinsPush { count: u32 }
}

/// Histogram of a picture.
pub struct Histogram {
    count: ComputePipeline,
    view: ComputePipeline,
    bins: Buffer,
    /// Bins of the last frame.
    used: u32,
    pending: Delayed<(u32, ReadBack)>,
    counts: Option<Vec<u32>>,
}

impl Technique for Histogram {
    const ID: &'static str = "histogram";
    const TITLE: &'static str = "Histogram";
    const DOC: &'static str = "Counts the pixels of each brightness with atomic additions.";
    const STAGE: Stage = Stage::Picture;
    const VIEWS: &'static [ViewInfo] =
        &[ViewInfo::new("bars", "Bars", "A bar for each bin, from black on the left to white.", Legend::None)];
    const OUTPUTS: &'static [OutputInfo] = &[OutputInfo {
        name: "bins",
        doc: "Pixels by brightness, from black to white.",
        elements: &[Element::U32],
        shape: "bins",
        needs: "any picture",
    }];
    type Settings = HistogramSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pipeline = |shader| ComputePipeline::new(gpu, shader, &[])?.with_push::<BinsPush>();
        Ok(Self {
            count: pipeline("gpu/histogram.comp")?,
            view: pipeline("gpu/histogram_view.comp")?,
            bins: Buffer::new(gpu, "histogram bins", 4 * u64::from(BINS_MOST), Memory::Device)?,
            used: 0,
            pending: Delayed::default(),
            counts: None,
        })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &HistogramSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        if name != "bars" {
            return Err(Error::Pass { pass: "histogram/view".into(), problem: format!("no view {name}") });
        }
        let bins = self.record(frame, settings, &context.picture)?;
        let pass = frame.compute("histogram/view", &self.view).bind("Bins", &bins).bind("picture", picture);
        pass.push(&BinsPush { count: settings.bins }).dispatch(picture.size())?;
        Ok(true)
    }

    fn output(&self, name: &str, _: &FrameContext) -> Option<Output> {
        let shape = vec![self.used as usize];
        (name == "bins" && self.used > 0).then(|| Output::Buffer {
            buffer: self.bins.clone(),
            element: Element::U32,
            shape,
        })
    }

    fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        if let Some((count, read)) = self.pending.take(timing.frame) {
            let mut counts = read.read::<u32>()?;
            counts.truncate(count as usize);
            self.counts = Some(counts);
        }
        Ok(())
    }

    fn wants_frame(&self) -> bool {
        self.pending.is_pending()
    }

    fn table(&self) -> Option<Report> {
        let counts = self.counts.as_ref()?;
        let rows = counts.iter().enumerate().map(|(bin, count)| vec![bin.to_string(), count.to_string()]).collect();
        Some(Report { title: "Pixels by brightness".into(), head: vec!["bin", "pixels"], rows })
    }

    fn checks() -> Vec<Check> {
        vec![Check::of::<oracle::Counts>()]
    }

    fn benches() -> Vec<Bench> {
        vec![Bench { name: "count", formats: Vec::new, rows: |options| sizes(options).len(), run: bench }]
    }
}

impl Histogram {
    /// Counts the pixels of `picture`; the buffer has `settings.bins` words, valid until the next call.
    pub fn record(&mut self, frame: &mut Frame, settings: &HistogramSettings, picture: &ImageView) -> Result<Buffer> {
        frame.fill("histogram/clear", &self.bins, 0)?;
        let picture = picture.clone().through(Sampler::NearestClamp);
        let pass = frame.compute("histogram/count", &self.count).bind("picture", picture.clone());
        pass.bind("Bins", &self.bins).push(&BinsPush { count: settings.bins }).dispatch(picture.size())?;
        self.used = settings.bins;
        if settings.measure && !self.pending.is_pending() {
            let read = frame.read_buffer(&self.bins)?;
            self.pending.put(frame.number(), (settings.bins, read));
        }
        Ok(self.bins.clone())
    }
}

fn sizes(options: &BenchOptions) -> Vec<[u32; 2]> {
    options.sizes_or(&[[1920, 1080], [3840, 2160]], &[[64, 64]])
}

fn bench(bench: &mut TestBench, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let mut technique = Histogram::new(bench.gpu())?;
    let settings = HistogramSettings::default();
    for size in sizes(options) {
        let (rgba, bytes) = (oracle::test_picture(size), 4 * u64::from(size[0]) * u64::from(size[1]));
        let picture = bench.picture(size, &rgba)?;
        let probe = bench.traffic_probe(bytes, 0, options.reps(), BENCH_CACHES)?;
        let record = |frame: &mut Frame| technique.record(frame, &settings, &picture.mip(0)).map(drop);
        let gpu_us = bench.measure(options.reps(), BENCH_CACHES, record)?;
        let found = bench.read_buffer::<u32>(&technique.bins)?[..settings.bins as usize].to_vec();
        each(Row {
            case: format!("{}x{}", size[0], size[1]),
            variant: "atomics".into(),
            gpu_us,
            bytes,
            probe_us: Some(probe.median),
            error_steps: None,
            checked: found == oracle::histogram(&rgba, settings.bins),
        });
    }
    Ok(())
}
