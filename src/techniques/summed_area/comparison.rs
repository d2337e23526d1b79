//! Comparison of the methods on the current picture: time, passes, bytes, ratio to the minimum, worst error.

use super::{
    methods::TableBuffers,
    settings::{Input, SummedAreaSettings},
    table::{Layout, Method, Precision, Table, bytes, passes},
    table_builder::TableBuilder,
};
use crate::{
    base::{
        stats,
        text::micros,
        timing::{FrameTiming, PassId},
    },
    gpu::{Buffer, Delayed, Frame, ImageView, Memory, ReadBack, Result},
    gpu_struct,
    lab::{Alternative, Card, Cell, Column, Comparison, Goal, Probe, between_marks},
};
use glam::UVec2;

gpu_struct! {
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

const MARK: PassId = PassId::new("summed_area/measure");
const ERROR: PassId = PassId::new("summed_area/error");
const FLOOR: &str = "floor";
const MIB: f64 = 1024.0 * 1024.0;
const MEASURED: TableBuffers = TableBuffers { table: "measured table", means: "measured means", ..TableBuffers::SHOWN };
const EXACT: TableBuffers = TableBuffers { table: "exact table", means: "no means", ..TableBuffers::SHOWN };

const COLUMNS: [Column; 4] = [
    Column::new("x minimum", "Times as long as it takes to move the least data that any method must move"),
    Column::new("error", "Worst error of a box mean, in steps of 1/255"),
    Column::new("passes", "Passes of the recorder"),
    Column::new("MiB", "Bytes read and written"),
];

struct MethodVariant {
    method: Method,
    /// In steps of 1/255, once known.
    error: Option<f64>,
}

struct Run {
    size: [u32; 2],
    probe: Probe,
    mark: Buffer,
    rounds: usize,
}

struct MethodResults {
    size: [u32; 2],
    precision: Precision,
    input: Input,
    radius: u32,
    variants: Vec<MethodVariant>,
    floor_us: Vec<f64>,
}

pub(super) struct MethodComparison {
    pub comparison: Comparison,
    run: Option<Run>,
    /// By frame, the worst error of some methods.
    pending: Delayed<Vec<(usize, ReadBack)>>,
    results: Option<MethodResults>,
}

impl Default for MethodComparison {
    fn default() -> Self {
        let (run, pending, results) = Default::default();
        Self { comparison: Comparison::new(Goal::Fastest), run, pending, results }
    }
}

/// Least bytes read and written: the picture, and the table.
fn least(layout: &Layout) -> [u64; 2] {
    let pixels = layout.full.into_iter().map(u64::from).product::<u64>();
    [4 * pixels, 4 * pixels * u64::from(layout.channels)]
}

impl MethodComparison {
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        let errors = self.pending.take(timing.frame).filter(|_| self.comparison.counts(timing.frame));
        let (Some(errors), Some(results)) = (errors, &mut self.results) else { return Ok(()) };
        for (index, read) in &errors {
            let worst = read.read::<u32>()?.first().copied();
            if let Some(variant) = results.variants.get_mut(*index) {
                variant.error = worst.map(|bits| f64::from(f32::from_bits(bits)) * 255.0);
            }
        }
        if timing.compiles {
            return Ok(());
        }
        let times = between_marks(timing, MARK, |pass| !ERROR.is(pass));
        let time = |name: &str| times.iter().find(|(of, _)| *of == name).map(|(_, us)| *us);
        results.floor_us.extend(time(FLOOR));
        for (index, variant) in results.variants.iter().enumerate() {
            self.comparison.add(timing.frame, index, time(variant.method.name()));
        }
        Ok(())
    }

    pub fn is_pending(&self) -> bool {
        self.comparison.is_active() || self.pending.is_pending()
    }

    pub fn card(&self) -> Card {
        let Some(results) = &self.results else {
            return Card { progress: self.comparison.progress(), ..Card::default() };
        };
        let floor = (!results.floor_us.is_empty()).then(|| stats::median(&mut results.floor_us.clone()));
        let planes = if results.input == Input::Rgba { 4 } else { 1 };
        let cells = |index: usize, alternative: &Alternative| {
            let Some(variant) = results.variants.get(index) else { return Vec::new() };
            let ratio = alternative.times().zip(floor).filter(|(_, floor)| *floor > 0.0);
            let moved = bytes(variant.method, results.size, 4).iter().sum::<u64>() * planes;
            vec![
                Cell::number(ratio.map(|(us, floor)| us.median / floor), 1),
                Cell::number(variant.error, 4),
                Cell::number(Some(passes(variant.method, results.size) as f64), 0),
                Cell::number(Some(moved as f64 / MIB), 1),
            ]
        };
        let mut card = Card::of(&self.comparison, "method", &COLUMNS, cells);
        card.subject = format!("{}, {}, {}", card.subject, results.input.title(), results.precision.title());
        card.answer = Some(self.comparison.verdict());
        let side = 2 * results.radius + 1;
        card.notes.push(format!("The minimum here: {}.", floor.map_or("not known".into(), micros)));
        card.notes.push(format!("The error is that of means over {side} x {side} pixels."));
        card
    }

    pub fn measure(
        &mut self,
        tables: &mut TableBuilder,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        picture: &ImageView,
    ) -> Result<()> {
        if !self.comparison.is_active() {
            self.run = None;
            return Ok(());
        }
        let (size, precision, input, radius) = (picture.size(), settings.precision, settings.input, settings.radius);
        let [reads, writes] = least(&Layout::new(&tables.source_of(settings, picture), Precision::U32));
        let gpu = &tables.scratch.gpu;
        let mut run = match self.run.take().filter(|run| run.size == size) {
            Some(run) => run,
            None => Run {
                size,
                probe: Probe::new(gpu, reads, writes)?,
                mark: Buffer::new(gpu, "mark", 4, Memory::Device)?,
                rounds: 0,
            },
        };
        let variant = |method: &Method| MethodVariant { method: *method, error: None };
        let variants: Vec<MethodVariant> = Method::ALL.iter().map(variant).collect();
        let alternative =
            |variant: &MethodVariant| Alternative::new(variant.method.name()).titled(variant.method.title());
        let key = format!("{size:?} {} {} {radius}", precision.name(), input.name());
        if self.comparison.begin(frame.number(), &key, variants.iter().map(alternative).collect()) {
            run.rounds = 0;
            self.results = Some(MethodResults { size, precision, input, radius, variants, floor_us: Vec::new() });
        }
        let done = self.record_round(tables, frame, settings, picture, &mut run);
        self.run = Some(run);
        done
    }

    /// Each round begins with another method: none always follows the same one.
    fn record_round(
        &mut self,
        tables: &mut TableBuilder,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        picture: &ImageView,
        run: &mut Run,
    ) -> Result<()> {
        let source = tables.source_of(settings, picture);
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let truth = if run.rounds == 0 { Some(tables.build(frame, &exact, &source, EXACT)?) } else { None };
        frame.fill(MARK.part(FLOOR), &run.mark, 0)?;
        run.probe.record(frame)?;
        let mut reads = Vec::new();
        for turn in 0..Method::ALL.len() {
            let index = (turn + run.rounds) % Method::ALL.len();
            let method = Method::ALL[index];
            frame.fill(MARK.part(method.name()), &run.mark, 0)?;
            let settings = SummedAreaSettings { method, ..settings.clone() };
            let table = tables.resources.record(&mut tables.scratch, frame, &settings, &source, MEASURED)?;
            if let Some(truth) = &truth {
                reads.push((index, worst_error(tables, frame, &table, truth, settings.radius)?));
            }
        }
        frame.fill(MARK.part("end"), &run.mark, 0)?;
        self.pending.put(frame.number(), reads);
        run.rounds += 1;
        Ok(())
    }
}

/// As the bits of a float.
pub(super) fn worst_error(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    table: &Table,
    truth: &Table,
    radius: u32,
) -> Result<ReadBack> {
    let worst = Buffer::new(&tables.scratch.gpu, "worst error", 4, Memory::Device)?;
    frame.fill(ERROR, &worst, 0)?;
    let layout = &table.layout;
    let pipeline = tables.scratch.pipeline::<ErrorPush>("error.comp", layout.lookup(), None)?;
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
