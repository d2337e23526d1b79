//! Passes of every method that makes a table.

use crate::{
    pipelines::{Constants, LookbackBuffer, Scratch},
    settings::SummedAreaSettings,
    table::{Layout, Method, Numbers, Precision, SAID, Source, Table, doublings},
};
use glam::UVec2;
use gpu::{Buffer, Error, Format, Frame, Image, ImageDesc, Memory, Resource, Result, Sampler, Use, gpu_struct};

gpu_struct! {
    pub struct TablePush {
        size: UVec2,
        from_pitch: u32,
        to_pitch: u32,
        plane: u32,
        channels: u32,
        full: UVec2,
        words_pitch: u32,
        words_plane: u32,
        unit: f32,
        first: UVec2,
        scale: f32,
        step: UVec2,
        epoch: u32,
        grid: UVec2,
    }
}

/// As in `shaders/summed_area/means.glsl`.
const MEANS: u64 = 12;

pub struct TableResources {
    pub lookback: LookbackBuffer,
    nothing: Buffer,
    blank: Image,
}

#[derive(Clone, Copy)]
pub struct TableBuffers {
    pub table: &'static str,
    pub means: &'static str,
    pub passes: &'static str,
}

impl TableBuffers {
    pub const SHOWN: Self = Self { table: "table", means: "means", passes: "summed_area" };
}

impl TableResources {
    pub fn new(scratch: &Scratch) -> Result<Self> {
        let nothing = Buffer::new(&scratch.gpu, "summed_area nothing", 16, Memory::Device)?;
        let desc = ImageDesc::new("summed_area nothing", [1, 1], Format::Rgba8, &[Use::Sample]);
        Ok(Self { lookback: LookbackBuffer::default(), nothing, blank: Image::new(&scratch.gpu, desc)? })
    }

    pub fn record(
        &mut self,
        scratch: &mut Scratch,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        source: &Source,
        buffers: TableBuffers,
    ) -> Result<Table> {
        let layout = Layout::new(source, settings.precision);
        let limit = u64::from(scratch.gpu.info().storage_bytes);
        if layout.bytes() > limit || source.size.iter().any(|n| *n >= 1 << 16) {
            let [w, h] = source.size;
            let problem = format!(
                "a table of {w}x{h} and {} planes takes {} bytes, the device shows a shader at most {limit}",
                layout.planes,
                layout.bytes()
            );
            return Err(Error::Pass { pass: "summed_area/table".into(), problem });
        }
        let words = scratch.buffer(buffers.table, layout.bytes())?;
        let means = scratch.buffer(buffers.means, MEANS * 4)?;
        let table = Table { words, means, layout };
        let passes = buffers.passes;
        let mut recording = TableRecording { resources: self, scratch, frame, settings, source, table: &table, passes };
        if settings.precision == Precision::MeanOffset {
            recording.mean()?;
        }
        match settings.method {
            Method::SinglePass => recording.single_pass()?,
            Method::TwoPass => recording.two_pass()?,
            Method::Doubling => recording.doubling()?,
            Method::Transpose => recording.transpose()?,
            Method::ScanRowBrlt => recording.scan_and_transpose(true)?,
            Method::BrltScanRow => recording.scan_and_transpose(false)?,
            Method::ScanRowColumn => recording.rows_columns()?,
        }
        Ok(table)
    }
}

struct TableRecording<'a> {
    resources: &'a mut TableResources,
    scratch: &'a mut Scratch,
    frame: &'a mut Frame,
    settings: &'a SummedAreaSettings,
    source: &'a Source,
    table: &'a Table,
    passes: &'static str,
}

struct Pass<'a> {
    name: &'static str,
    shader: String,
    constants: Constants,
    subgroup: Option<u32>,
    bound: Vec<(&'static str, &'a Buffer)>,
    push: TablePush,
    groups: [u32; 3],
}

impl TableRecording<'_> {
    fn push(&self) -> TablePush {
        let layout = &self.table.layout;
        let (words_pitch, words_plane) = match &self.source.numbers {
            Numbers::Words { pitch, plane, .. } => (*pitch, *plane),
            _ => (0, 0),
        };
        TablePush {
            size: UVec2::from_array(layout.size),
            from_pitch: layout.pitch,
            to_pitch: layout.pitch,
            plane: layout.plane,
            channels: layout.channels,
            full: UVec2::from_array(layout.full),
            words_pitch,
            words_plane,
            unit: if let Numbers::Channels { unit, .. } = &self.source.numbers { *unit } else { 255.0 },
            first: UVec2::from_array(self.source.first),
            scale: layout.scale,
            step: UVec2::ZERO,
            epoch: 0,
            grid: UVec2::from_array(layout.grid()),
        }
    }

    fn is_float(&self) -> (&'static str, u32) {
        ("FLOAT", u32::from(self.settings.precision.is_float()))
    }

    fn source_constants(&self) -> Constants {
        let precision = self.settings.precision;
        let source = match &self.source.numbers {
            Numbers::Words { .. } => 0,
            Numbers::Luma(_) => 1,
            Numbers::LumaAndSquare(_) => 2,
            Numbers::Channels { .. } => 3,
        };
        let centred = u32::from(precision == Precision::Centred);
        vec![self.is_float(), ("SOURCE", source), ("OFFSET", precision.offset()), ("CENTRED", centred)]
    }

    fn reads(&self, from: Option<&Buffer>) -> Constants {
        let mut constants = self.source_constants();
        constants.push(("FIRST", u32::from(from.is_none())));
        constants
    }

    fn padded(&self) -> (&'static str, u32) {
        ("PADDED", u32::from(self.settings.padding))
    }

    fn between(&mut self) -> Result<Buffer> {
        self.scratch.buffer("between passes", self.table.layout.bytes())
    }

    fn run(&mut self, pass: Pass<'_>) -> Result<()> {
        let pipeline = self.scratch.pipeline::<TablePush>(pass.shader, pass.constants, pass.subgroup)?;
        let nothing = &self.resources.nothing;
        let (words, picture) = match &self.source.numbers {
            Numbers::Words { words, .. } => (words, self.resources.blank.mip(0)),
            Numbers::Luma(view) | Numbers::LumaAndSquare(view) | Numbers::Channels { view, .. } => {
                (nothing, view.clone())
            }
        };
        let mut bound: Vec<(&str, Resource)> = vec![
            ("picture", picture.through(Sampler::NearestClamp).into()),
            ("Words", words.into()),
            ("Means", (&self.table.means).into()),
            ("From", nothing.into()),
        ];
        bound.extend(pass.bound.iter().map(|(name, buffer)| (*name, Resource::from(*buffer))));
        let recorded = self.frame.compute(self.named(pass.name), &pipeline).bind_named(bound);
        recorded.push(&pass.push).dispatch_groups(pass.groups)
    }

    /// Tables for others have names of their own: "summed_area/blur/table".
    fn named(&self, name: &str) -> String {
        name.replacen(TableBuffers::SHOWN.passes, self.passes, 1)
    }

    fn step(
        &mut self,
        name: &'static str,
        (shader, constants, subgroup): (String, Constants, Option<u32>),
        from: Option<&Buffer>,
        to: &Buffer,
        push: TablePush,
        groups: [u32; 2],
    ) -> Result<()> {
        let mut all = self.reads(from);
        all.extend(constants);
        let mut bound = vec![("To", to)];
        bound.extend(from.map(|from| ("From", from)));
        let groups = [groups[0], groups[1], self.table.layout.planes];
        self.run(Pass { name, shader, constants: all, subgroup, bound, push, groups })
    }

    fn mean(&mut self) -> Result<()> {
        let (table, push) = (self.table, self.push());
        self.frame.fill(self.named("summed_area/no sums"), &table.means, 0)?;
        let [w, h] = table.layout.full;
        let constants = self.source_constants().into_iter().filter(|(name, _)| *name == "SOURCE").collect();
        let groups = [w.div_ceil(256), h.div_ceil(8), table.layout.channels];
        let bound = vec![("Totals", &table.means)];
        let shader = "mean.comp".into();
        self.run(Pass {
            name: "summed_area/sum",
            shader,
            constants,
            subgroup: None,
            bound: bound.clone(),
            push,
            groups,
        })?;
        let (shader, constants, groups) = ("mean_done.comp".into(), vec![], [1, 1, 1]);
        self.run(Pass { name: "summed_area/mean", shader, constants, subgroup: None, bound, push, groups })
    }

    fn single_pass(&mut self) -> Result<()> {
        let (table, layout) = (self.table, self.table.layout);
        let [across, down] = layout.grid();
        let tiles = across * down;
        let gpu = self.scratch.gpu.clone();
        let run = self.resources.lookback.next(&gpu, self.frame, u64::from(tiles) * u64::from(layout.planes) * SAID)?;
        let (variant, subgroup) = self.scratch.features.lookback_variant();
        let mut constants = self.source_constants();
        constants.push(("DIAGONAL", u32::from(!self.settings.by_rows)));
        constants.extend([("TURNS", self.scratch.features.wait_turns), ("SILENT", self.scratch.features.silent_group)]);
        self.run(Pass {
            name: "summed_area/single pass",
            shader: format!("tiles.comp:{variant}"),
            constants,
            subgroup,
            bound: vec![("To", &table.words), ("Posts", &run.words), ("Control", &run.control)],
            push: TablePush { epoch: run.epoch, ..self.push() },
            groups: [tiles, layout.planes, 1],
        })
    }

    fn two_pass(&mut self) -> Result<()> {
        let (table, layout, push) = (self.table, self.table.layout, self.push());
        let [across, down] = layout.grid();
        let planes = layout.planes;
        let tile_sums = u64::from(across * down) * u64::from(planes) * SAID;
        let tile_sums = self.scratch.buffer("what tiles say", tile_sums * 4)?;
        let (ending, subgroup) = self.scratch.features.shuffles(32);
        let constants = self.source_constants();
        let groups = [across, down, planes];
        let shader = format!("tiles.comp:sums{ending}");
        let bound = vec![("Said", &tile_sums)];
        self.run(Pass {
            name: "summed_area/sums",
            shader,
            constants: constants.clone(),
            subgroup,
            bound,
            push,
            groups,
        })?;
        let directions = [("summed_area/left", "left", down), ("summed_area/up", "up", (across * 128).div_ceil(256))];
        for (name, variant, groups) in directions {
            let (shader, constants) = (format!("block_prefix.comp:{variant}"), vec![self.is_float()]);
            let (bound, groups) = (vec![("Said", &tile_sums)], [groups, 1, planes]);
            self.run(Pass { name, shader, constants, subgroup: None, bound, push, groups })?;
        }
        let shader = format!("tiles.comp:table{ending}");
        let bound = vec![("Said", &tile_sums), ("To", &table.words)];
        self.run(Pass { name: "summed_area/table", shader, constants, subgroup, bound, push, groups })
    }

    fn doubling(&mut self) -> Result<()> {
        let (table, layout, between) = (self.table, self.table.layout, self.between()?);
        let (steps, mut from) = (doublings(layout.size), None);
        let groups = [layout.size[0].div_ceil(32), layout.size[1].div_ceil(8)];
        for (at, step) in steps.iter().enumerate() {
            let to = if (steps.len() - at) % 2 == 1 { &table.words } else { &between };
            let push = TablePush { step: *step, ..self.push() };
            self.step("summed_area/doubling", ("doubling.comp".into(), vec![], None), from.as_ref(), to, push, groups)?;
            from = Some(to.clone());
        }
        Ok(())
    }

    /// `transposes`: it writes columns.
    fn axis_push(&self, is_transposed: bool, transposes: bool) -> TablePush {
        let (layout, push) = (self.table.layout, self.push());
        let pitch = |is_transposed: bool| if is_transposed { layout.transposed_pitch } else { layout.pitch };
        let size = if is_transposed { UVec2::new(push.size.y, push.size.x) } else { push.size };
        TablePush { size, from_pitch: pitch(is_transposed), to_pitch: pitch(is_transposed != transposes), ..push }
    }

    fn transpose(&mut self) -> Result<()> {
        let (table, between) = (self.table, self.between()?);
        for is_transposed in [false, true] {
            let from = is_transposed.then_some(&table.words);
            let rows = self.axis_push(is_transposed, false);
            let scan = ("rows_tree.comp".into(), vec![self.padded()], None);
            self.step("summed_area/rows", scan, from, &between, rows, [rows.size.y, 1])?;
            let turn = ("transpose.comp".into(), vec![self.padded()], None);
            let groups = [rows.size.x.div_ceil(32), rows.size.y.div_ceil(32)];
            self.step(
                "summed_area/transpose",
                turn,
                Some(&between),
                &table.words,
                self.axis_push(is_transposed, true),
                groups,
            )?;
        }
        Ok(())
    }

    fn scan_and_transpose(&mut self, scans_first: bool) -> Result<()> {
        let (table, between) = (self.table, self.between()?);
        let (variant, lanes) = if scans_first {
            let (ending, lanes) = self.scratch.features.shuffles(32);
            (format!("scan_row{ending}"), lanes)
        } else {
            ("turn".into(), None)
        };
        for is_transposed in [false, true] {
            let push = self.axis_push(is_transposed, true);
            let how = (format!("brlt.comp:{variant}"), vec![self.padded()], lanes);
            let (from, to) = if is_transposed { (Some(&between), &table.words) } else { (None, &between) };
            self.step("summed_area/rows", how, from, to, push, [push.size.y.div_ceil(32), 1])?;
        }
        Ok(())
    }

    fn rows_columns(&mut self) -> Result<()> {
        let (table, between, push) = (self.table, self.between()?, self.push());
        let (ending, lanes) = self.scratch.features.shuffles(32);
        let rows = (format!("lines.comp:rows{ending}"), vec![], lanes);
        self.step("summed_area/rows", rows, None, &between, push, [push.size.y.div_ceil(8), 1])?;
        let columns = ("lines.comp:columns".into(), vec![], None);
        self.step("summed_area/columns", columns, Some(&between), &table.words, push, [push.size.x.div_ceil(32), 1])
    }
}
