//! Comparison of the methods on the current picture: time, passes, bytes, ratio to the minimum, worst error.

use crate::{
    SummedArea,
    passes::methods::TableBuffers,
    settings::{Input, SummedAreaSettings},
    table::{Layout, Method, Precision, Table, bytes, passes},
    table_builder::TableBuilder,
};
use base::timing::{FrameTiming, PassId};
use glam::UVec2;
use gpu::{Buffer, Frame, ImageView, Memory, ReadBack, Result, gpu_struct};
use lab::{Alternative, Card, Cell, Column, Rounds};

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
const MEASURED: TableBuffers = TableBuffers { table: "measured table", means: "measured means", ..TableBuffers::SHOWN };
const EXACT: TableBuffers = TableBuffers { table: "exact table", means: "no means", ..TableBuffers::SHOWN };

const COLUMNS: [Column; 3] = [
    Column::new("error", "Worst error of a box mean, in steps of 1/255"),
    Column::new("passes", "Passes of the recorder"),
    Column::new("MiB", "Bytes read and written"),
];

struct Subject {
    size: [u32; 2],
    precision: Precision,
    input: Input,
    radius: u32,
}

pub struct MethodComparison {
    pub rounds: Rounds,
    subject: Option<Subject>,
}

impl Default for MethodComparison {
    fn default() -> Self {
        Self { rounds: Rounds::new(MARK, ERROR), subject: None }
    }
}

/// Least bytes read and written: the picture, and the table.
fn least(layout: &Layout) -> [u64; 2] {
    let pixels = layout.full.into_iter().map(u64::from).product::<u64>();
    [4 * pixels, 4 * pixels * u64::from(layout.channels)]
}

impl MethodComparison {
    pub fn on_timing(&mut self, timing: &FrameTiming) -> Result<()> {
        self.rounds.on_timing(timing, &|worst| {
            let worst = worst.read::<u32>()?.first().copied();
            Ok(worst.map(|bits| f64::from(f32::from_bits(bits)) * 255.0))
        })
    }

    pub fn card(&self) -> Card {
        let Some(Subject { size, precision, input, radius }) = &self.subject else {
            return Card { progress: self.rounds.comparison.progress(), ..Card::default() };
        };
        let planes = if *input == Input::Rgba { 4 } else { 1 };
        let mut card = self.rounds.card(&COLUMNS, &|index, error| {
            let Some(method) = Method::ALL.get(index) else { return Vec::new() };
            let moved = bytes(*method, *size, 4).iter().sum::<u64>() * planes;
            vec![Cell::number(error, 4), Cell::number(Some(passes(*method, *size) as f64), 0), Cell::mib(Some(moved))]
        });
        card.subject = format!("{}, {}, {}", card.subject, input.title(), precision.title());
        let side = 2 * radius + 1;
        card.notes.push(format!("The error is that of means over {side} x {side} pixels."));
        card
    }

    pub fn measure(
        &mut self,
        technique: &mut SummedArea,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        picture: &ImageView,
    ) -> Result<()> {
        let tables = &mut technique.tables;
        if !self.rounds.goes_on() {
            return Ok(());
        }
        let (size, precision, input, radius) = (picture.size(), settings.precision, settings.input, settings.radius);
        let source = tables.source_of(settings, picture);
        let methods = Method::ALL.iter().map(|method| Alternative::new(method.name()).titled(method.title())).collect();
        let key = format!("{size:?} {} {} {radius}", precision.name(), input.name());
        if self.rounds.begin(frame, &key, methods, least(&Layout::new(&source, Precision::U32)))? {
            self.subject = Some(Subject { size, precision, input, radius });
        }
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let truth = if self.rounds.is_first() { Some(tables.build(frame, &exact, &source, EXACT)?) } else { None };
        self.rounds.record(frame, &mut |frame, index| {
            let settings = SummedAreaSettings { method: Method::ALL[index], ..settings.clone() };
            let table = tables.build(frame, &settings, &source, MEASURED)?;
            truth.as_ref().map(|truth| worst_error(tables, frame, &table, truth, radius)).transpose()
        })
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
