//! Every way to make the chain, timed on the picture at hand, with its bytes, the floor and its error.

use super::{
    ChainFormat, Filter, MipChain, MipChainSettings, chain_of,
    pipelines::Recipe,
    variants::{bytes_moved, methods, name_of},
};
use crate::{
    base::{difference::largest, stats, text::micros, timing::FrameTiming},
    gpu::{
        Buffer, ComputePipeline, Delayed, Frame, Gpu, Image, ImageView, Memory, ReadBack, Result, Sampler, Use,
        full_chain, mip_size,
    },
    gpu_struct,
    lab::{Probe, between_marks},
    techniques::Report,
};
use std::sync::Arc;

gpu_struct! {
    /// Push constants of `mip_chain/error.comp`.
    struct ErrorPush { first: u32 }
}

/// Frames that count.
const FRAMES: usize = 8;
/// Levels whose error is taken; a texel of the next ones covers too much of the picture for one invocation.
const LEVELS: u32 = 6;
/// Passes of the judge begin so; the way's name follows.
const MARK: &str = "mip_chain/measure ";
const MIB: f64 = 1024.0 * 1024.0;
const ERROR: &str = "mip_chain/error";
const FLOOR: &str = "floor";

/// What is measured, and what came of it so far.
struct Run {
    format: ChainFormat,
    chain: Image,
    probe: Probe,
    mark: Buffer,
    ways: Vec<Way>,
    /// By frame, the sums of each way's levels; none in frames that are only timed.
    pending: Delayed<Vec<ReadBack>>,
    recorded: usize,
    ended: usize,
    floor_us: Vec<f64>,
}

struct Way {
    /// Of what was asked for.
    name: String,
    /// With the method that the device uses.
    settings: MipChainSettings,
    /// That is another one than was asked for.
    instead: bool,
    us: Vec<f64>,
    /// Root of the mean square of the worst level, in steps of 1/255, once it is known.
    error: Option<f64>,
}

/// The judge of the panel's table.
pub(super) struct Judge {
    error: ComputePipeline,
    run: Option<Run>,
}

impl Judge {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let error = ComputePipeline::new(gpu, "mip_chain/error.comp", &[])?.with_push::<ErrorPush>()?;
        Ok(Self { error, run: None })
    }

    /// Takes what was measured out of a frame that has ended.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        // Frames of a run that was given up meanwhile have marks of the same names.
        let Some(sums) = run.pending.take(timing.frame) else { return Ok(()) };
        for (name, us) in between_marks(timing, MARK, |pass| pass != ERROR) {
            match run.ways.iter_mut().find(|way| way.name == name) {
                Some(way) => way.us.push(us),
                None if name == FLOOR => run.floor_us.push(us),
                None => {}
            }
        }
        run.ended += 1;
        let (size, places) = (run.chain.size(), places(run.chain.size(), run.chain.mips()));
        for (way, sums) in run.ways.iter_mut().zip(&sums) {
            let sums = sums.read::<f32>()?;
            let rms = |(level, range): (u32, &[u32])| {
                let sum: f64 = sums[range[0] as usize..range[1] as usize].iter().map(|v| f64::from(*v)).sum();
                let texels: f64 = mip_size(size, level).into_iter().map(f64::from).product();
                (sum / (3.0 * texels)).sqrt() * 255.0
            };
            way.error = Some(largest((1..).zip(places.windows(2)).map(rms)));
        }
        Ok(())
    }

    /// Whether a measurement waits for another frame.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.ended < FRAMES)
    }

    /// What was measured so far: medians.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        let run = self.run.as_ref()?;
        let median = |us: &[f64]| (!us.is_empty()).then(|| stats::median(&mut us.to_vec()));
        let time = |us: Option<f64>| us.map_or("—".into(), micros);
        let floor = median(&run.floor_us);
        let row = |way: &Way| {
            let us = median(&way.us);
            let ratio = us.zip(floor).filter(|(_, floor)| *floor > 0.0).map(|(us, floor)| us / floor);
            let error = way.error.map_or("—".into(), |error| format!("{error:.2}"));
            let star = if way.instead { " *" } else { "" };
            vec![
                format!("{}{star}", way.name),
                time(us),
                format!("{:.1}", bytes_moved(run.chain.size(), &way.settings).iter().sum::<u64>() as f64 / MIB),
                ratio.map_or("—".into(), |ratio| format!("{ratio:.1}")),
                error,
            ]
        };
        let [w, h] = run.chain.size();
        let filters =
            if run.ways.iter().any(|way| way.settings.filter == Filter::Tent) { "; a tent blurs" } else { "" };
        let stars = run.ways.iter().find(|way| way.instead);
        let stars = stars.map_or(String::new(), |way| format!("; * by {} on this driver", way.settings.method.name()));
        Some(Report {
            title: format!(
                "{w}x{h} {}; MiB moved; floor {}; error: worst of levels 1..{LEVELS}, RMS in steps of 1/255{filters}{stars}",
                run.format.name(),
                time(floor),
            ),
            head: vec!["method", "time", "MiB", "x minimum", "error"],
            rows: run.ways.iter().map(row).collect(),
        })
    }
}

/// Workgroups that sum up a level.
fn groups(size: [u32; 2], level: u32) -> [u32; 2] {
    mip_size(size, level).map(|n| n.div_ceil(8))
}

/// Where each level's sums begin, and how many there are in all.
fn places(size: [u32; 2], levels: u32) -> Vec<u32> {
    let mut places = vec![0];
    for level in 1..levels.min(LEVELS + 1) {
        let [x, y] = groups(size, level);
        places.push(places[places.len() - 1] + x * y);
    }
    places
}

impl MipChain {
    /// With `settings.measure`: makes chains of `picture` by every method in [`FRAMES`] frames, each after the picture or
    /// the format has changed. Without it: forgets what was measured.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn measure(&mut self, frame: &mut Frame, settings: &MipChainSettings, picture: &ImageView) -> Result<()> {
        if !settings.measure {
            self.judge.run = None;
            return Ok(());
        }
        let fits = |run: &Run| run.chain.size() == picture.size() && run.format == settings.format;
        let mut run = match self.judge.run.take().filter(fits) {
            Some(run) => run,
            None => self.start(settings, picture.size())?,
        };
        let done = if run.recorded < FRAMES { self.record_ways(frame, picture, &mut run) } else { Ok(()) };
        self.judge.run = Some(run);
        done
    }

    fn start(&self, settings: &MipChainSettings, size: [u32; 2]) -> Result<Run> {
        let (gpu, format) = (self.gpu(), settings.format);
        let chain = chain_of(gpu, "measured chain", size, format, full_chain(size), &[Use::Color])?;
        let way = |asked: MipChainSettings| {
            let settings = MipChainSettings { levels: 16, ..self.as_made(&asked, &chain) };
            let instead = settings.method != asked.method;
            Way { name: name_of(&asked), settings, instead, us: Vec::new(), error: None }
        };
        let [reads, writes] = bytes_moved(size, &MipChainSettings { format, ..Default::default() });
        Ok(Run {
            format,
            probe: Probe::new(gpu, reads, writes)?,
            mark: Buffer::new(gpu, "mark", 4, Memory::Device)?,
            ways: methods(format, settings).into_iter().map(way).collect(),
            chain,
            pending: Delayed::default(),
            recorded: 0,
            ended: 0,
            floor_us: Vec::new(),
        })
    }

    fn record_ways(&self, frame: &mut Frame, picture: &ImageView, run: &mut Run) -> Result<()> {
        let (size, format) = (run.chain.size(), run.format);
        if run.recorded == 0 {
            let shader = format!("mip_chain/linear.comp:{}", format.variant());
            let linear = self.pipelines.get(Recipe { shader, constants: format.constants(), subgroup: None })?;
            let picture = super::linear_view(picture, format);
            let top = run.chain.mip(0).as_format(format.stored());
            frame.compute("mip_chain/linear", &linear).bind("picture", picture).bind("level", top).dispatch(size)?;
        }
        frame.fill(&format!("{MARK}{FLOOR}"), &run.mark, 0)?;
        run.probe.record(frame)?;
        let mut reads = Vec::new();
        for way in &run.ways {
            frame.fill(&format!("{MARK}{}", way.name), &run.mark, 0)?;
            self.levels(frame, &way.settings, &run.chain, None)?;
            if run.recorded > 0 {
                continue;
            }
            let places = places(size, run.chain.mips());
            let all = u64::from(places[places.len() - 1].max(1));
            let sums = Buffer::new(self.gpu(), "mip chain errors", all * 4, Memory::Device)?;
            for (level, first) in (1..).zip(&places[..places.len() - 1]) {
                let nearest = |level| run.chain.mip(level).through(Sampler::NearestClamp);
                let pass = frame.compute(ERROR, &self.judge.error).bind("top", nearest(0));
                let pass = pass.bind("level", nearest(level)).bind("Sums", &sums).push(&ErrorPush { first: *first });
                pass.dispatch(mip_size(size, level))?;
            }
            if places.len() > 1 {
                reads.push(frame.read_buffer(&sums)?);
            }
        }
        frame.fill(&format!("{MARK}end"), &run.mark, 0)?;
        run.pending.put(frame.number(), reads);
        run.recorded += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{base::timing::PassTiming, techniques::Technique};

    /// A frame in which the floor took 5 us and two ways 10 and 150 us, errors and marks not counted.
    #[test]
    fn every_figure_stands_in_its_row_and_column() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let mut technique = MipChain::new(&gpu).unwrap();
        let mut run = technique.start(&MipChainSettings::default(), [1024, 512]).unwrap();
        run.ways.iter_mut().find(|way| way.name == "per_level box").unwrap().error = Some(0.25);
        run.pending.put(0, vec![]);
        technique.judge.run = Some(run);
        let pass = |name: &str, from: f64, us: f64| PassTiming {
            name: name.into(),
            gpu_start_us: Some(from),
            gpu_us: Some(us),
            ..PassTiming::default()
        };
        let passes = vec![
            pass("mip_chain/linear", 0.0, 700.0),
            pass("mip_chain/measure floor", 700.0, 1.0),
            pass("probe", 701.0, 5.0),
            pass("mip_chain/measure per_level box", 710.0, 1.0),
            pass("mip_chain/level 1", 720.0, 4.0),
            pass("mip_chain/level 2", 726.0, 4.0),
            pass(ERROR, 740.0, 300.0),
            pass("mip_chain/measure ladder 3 box", 1100.0, 1.0),
            pass("mip_chain/ladder", 1110.0, 150.0),
            pass("mip_chain/measure end", 1300.0, 1.0),
        ];
        technique.on_timing(&FrameTiming { passes, ..FrameTiming::default() }).unwrap();
        let report = technique.table().unwrap();
        assert!(
            report.title.contains("1024x512 rgba16f") && report.title.contains("floor 5.00 µs"),
            "{}",
            report.title
        );
        assert_eq!(report.head, ["method", "time", "MiB", "x minimum", "error"]);
        let row =
            |way: &str| report.rows.iter().find(|row| row[0].split(" *").next() == Some(way)).unwrap()[1..].to_vec();
        assert_eq!(row("per_level box"), ["10.0 µs", "6.7", "2.0", "0.25"]);
        let ladder = row("ladder 3 box");
        assert_eq!([&ladder[0], &ladder[2], &ladder[3]], ["150 µs", "30.0", "—"]);
        assert_eq!(row("blit"), ["—", "6.7", "—", "—"]);
        assert!(technique.wants_frame(), "one frame of several");
        drop((technique, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }
}
