//! Every method on the picture at hand, timed, with its passes, its bytes, the floor and its worst error.

use super::{
    Input, Method, Precision, SummedArea, SummedAreaSettings,
    methods::Rooms,
    table::{Layout, Table, bytes, passes},
};
use crate::{
    base::{stats, text::micros, timing::FrameTiming},
    gpu::{Buffer, Delayed, Frame, ImageView, Memory, ReadBack, Result},
    gpu_struct,
    lab::{Probe, between_marks},
    techniques::Report,
};
use glam::UVec2;

gpu_struct! {
    /// Push constants of `summed_area/error.comp`.
    struct ErrorPush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        true_pitch: u32,
        true_plane: u32,
        channels: u32,
        radius: u32,
        scale: f32,
    }
}

/// Frames that count.
const FRAMES: usize = 8;
const MARK: &str = "summed_area/measure ";
const ERROR: &str = "summed_area/error";
const FLOOR: &str = "floor";
const MIB: f64 = 1024.0 * 1024.0;
/// Tables of what is measured, and the exact one.
const MEASURED: Rooms = Rooms { table: "measured table", means: "measured means", ..Rooms::SHOWN };
const EXACT: Rooms = Rooms { table: "exact table", means: "no means", ..Rooms::SHOWN };

/// One method.
struct Way {
    method: Method,
    /// What stands in for it on this device.
    made_by: Method,
    us: Vec<f64>,
    /// Steps of 1/255, once it is known.
    error: Option<f64>,
}

/// What is measured, and what came of it so far.
pub(super) struct Run {
    size: [u32; 2],
    precision: Precision,
    input: Input,
    radius: u32,
    probe: Probe,
    mark: Buffer,
    ways: Vec<Way>,
    /// By frame, the worst error of each way; none in frames that are only timed.
    pending: Delayed<Vec<ReadBack>>,
    recorded: usize,
    ended: usize,
    floor_us: Vec<f64>,
}

/// Bytes that the least a method can do reads and writes: the picture, and the table.
fn least(layout: &Layout) -> [u64; 2] {
    let pixels = layout.full.into_iter().map(u64::from).product::<u64>();
    [4 * pixels, 4 * pixels * u64::from(layout.channels)]
}

impl Run {
    /// Takes what was measured out of a frame that has ended.
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let Some(errors) = self.pending.take(timing.frame) else { return Ok(()) };
        for (name, us) in between_marks(timing, MARK, |pass| pass != ERROR) {
            match self.ways.iter_mut().find(|way| way.method.name() == name) {
                Some(way) => way.us.push(us),
                None if name == FLOOR => self.floor_us.push(us),
                None => {}
            }
        }
        self.ended += 1;
        for (way, read) in self.ways.iter_mut().zip(&errors) {
            let worst = read.read::<u32>()?.first().copied();
            way.error = worst.map(|bits| f64::from(f32::from_bits(bits)) * 255.0);
        }
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.ended < FRAMES
    }

    /// What was measured so far: medians.
    pub fn report(&self) -> Report {
        let median = |us: &[f64]| (!us.is_empty()).then(|| stats::median(&mut us.to_vec()));
        let time = |us: Option<f64>| us.map_or("—".into(), micros);
        let floor = median(&self.floor_us);
        let row = |way: &Way| {
            let us = median(&way.us);
            let ratio = us.zip(floor).filter(|(_, floor)| *floor > 0.0).map(|(us, floor)| us / floor);
            let star = if way.made_by == way.method { "" } else { " *" };
            let planes = if self.input == Input::Rgba { 4 } else { 1 };
            let moved = bytes(way.made_by, self.size, 4).iter().sum::<u64>() * planes;
            vec![
                format!("{}{star}", way.method.name()),
                passes(way.made_by, self.size).to_string(),
                format!("{:.1}", moved as f64 / MIB),
                time(us),
                ratio.map_or("—".into(), |ratio| format!("{ratio:.1}")),
                way.error.map_or("—".into(), |error| format!("{error:.4}")),
            ]
        };
        let [w, h] = self.size;
        let star = self.ways.iter().find(|way| way.made_by != way.method);
        let star = star.map_or(String::new(), |way| format!("; * by {} on this driver", way.made_by.name()));
        let side = 2 * self.radius + 1;
        Report {
            title: format!(
                "{w}x{h} {} {}; minimum {}; error: worst mean of {side}x{side}, steps of 1/255{star}",
                self.input.name(),
                self.precision.name(),
                time(floor),
            ),
            head: vec!["method", "passes", "MiB", "time", "x minimum", "error"],
            rows: self.ways.iter().map(row).collect(),
        }
    }
}

impl SummedArea {
    /// With `settings.measure`: makes tables of `picture` by every method in [`FRAMES`] frames, each after the picture or a setting has
    /// changed. Without it: forgets what was measured.
    ///
    /// # Errors
    /// What the GPU floor says.
    pub fn measure(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, picture: &ImageView) -> Result<()> {
        if !settings.measure {
            self.run = None;
            return Ok(());
        }
        let fits = |run: &Run| {
            (run.size, run.precision, run.input, run.radius)
                == (picture.size(), settings.precision, settings.input, settings.radius)
        };
        let mut run = match self.run.take().filter(fits) {
            Some(run) => run,
            None => self.start(settings, picture)?,
        };
        let done = if run.recorded < FRAMES { self.record_ways(frame, settings, picture, &mut run) } else { Ok(()) };
        self.run = Some(run);
        done
    }

    fn start(&self, settings: &SummedAreaSettings, picture: &ImageView) -> Result<Run> {
        let gpu = &self.shop.gpu;
        let [reads, writes] = least(&Layout::new(&self.source_of(settings, picture), Precision::U32));
        let way =
            |method: &Method| Way { method: *method, made_by: self.made_by(*method), us: Vec::new(), error: None };
        Ok(Run {
            size: picture.size(),
            precision: settings.precision,
            input: settings.input,
            radius: settings.radius,
            probe: Probe::new(gpu, reads, writes)?,
            mark: Buffer::new(gpu, "mark", 4, Memory::Device)?,
            ways: Method::ALL.iter().map(way).collect(),
            pending: Delayed::default(),
            recorded: 0,
            ended: 0,
            floor_us: Vec::new(),
        })
    }

    fn record_ways(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        picture: &ImageView,
        run: &mut Run,
    ) -> Result<()> {
        let source = self.source_of(settings, picture);
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let truth = self.table_of(frame, &exact, &source, EXACT)?;
        frame.fill(&format!("{MARK}{FLOOR}"), &run.mark, 0)?;
        run.probe.record(frame)?;
        let mut reads = Vec::new();
        for way in &run.ways {
            frame.fill(&format!("{MARK}{}", way.method.name()), &run.mark, 0)?;
            let settings = SummedAreaSettings { method: way.made_by, ..settings.clone() };
            let table = self.maker.record(&mut self.shop, frame, &settings, &source, MEASURED)?;
            if run.recorded == 0 {
                reads.push(self.worst_error(frame, &table, &truth, settings.radius)?);
            }
        }
        frame.fill(&format!("{MARK}end"), &run.mark, 0)?;
        self.watch(frame)?;
        run.pending.put(frame.number(), reads);
        run.recorded += 1;
        Ok(())
    }

    /// The worst error of a box mean, as the bits of a float.
    pub(super) fn worst_error(
        &mut self,
        frame: &mut Frame,
        table: &Table,
        truth: &Table,
        radius: u32,
    ) -> Result<ReadBack> {
        let worst = Buffer::new(&self.shop.gpu, "worst error", 4, Memory::Device)?;
        frame.fill(ERROR, &worst, 0)?;
        let layout = &table.layout;
        let pipeline = self.shop.pipeline::<ErrorPush>("error.comp", layout.lookup(), None)?;
        let pass = frame.compute(ERROR, &pipeline).bind("Table", &table.words).bind("Truth", &truth.words);
        let push = ErrorPush {
            full: UVec2::from_array(layout.full),
            pitch: layout.pitch,
            plane: layout.plane,
            true_pitch: truth.layout.pitch,
            true_plane: truth.layout.plane,
            channels: layout.channels,
            radius,
            scale: layout.scale,
        };
        let groups = layout.full.map(|n| n.div_ceil(16));
        let pass = pass.bind("Means", &table.means).bind("Worst", &worst).push(&push);
        pass.dispatch_groups([groups[0], groups[1], 1])?;
        frame.read_buffer(&worst)
    }
}
