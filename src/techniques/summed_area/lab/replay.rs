//! Replay of a table's square of 32x32 words: the method's scans and transpositions, step by step.

use super::{lookback_replay::Lookback, reference::Plane};
use crate::{
    SummedArea, SummedAreaSettings,
    passes::{
        methods::{TableBuffers, TableResources},
        scan::Scan,
    },
    pipelines::Scratch,
    scan_steps::{Step, Term, steps},
    settings::Input,
    table::{Layout, Method, Precision, Source},
};
use gpu::Frame;
use media::array::Element;
use technique::{
    Arrow, Cell, FrameContext, Grid, MemoryComparison, NamedOutputs, Output, Replay, ReplayStep, Replays, Role,
    StoryPixel, TilePlace, Variant, all_words, size_of_array,
};

/// Also the banks of shared memory.
const SIDE: usize = 32;
/// The column whose read is shown in transpositions.
const COLUMN: usize = 5;

/// Of luma, in whole numbers.
fn exact(settings: &SummedAreaSettings) -> SummedAreaSettings {
    SummedAreaSettings { precision: Precision::U32, input: Input::Luminance, ..settings.clone() }
}

impl Replays for SummedArea {
    const SHOWS: &'static str =
        "A square of the table by the chosen method: scans, transpositions, bank conflicts, carries.";

    /// `None` where the device has no buffer so large.
    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs> {
        const BUFFERS: TableBuffers =
            TableBuffers { table: "replayed table", means: "no means", passes: "summed_area/replayed" };
        let (settings, source) = (exact(settings), Source::luma(&context.picture));
        if !self.tables.fits(&source) {
            return Ok(Vec::new());
        }
        let mut scratch = Scratch::new(&self.tables.scratch.gpu, self.tables.scratch.features);
        let mut resources = TableResources::new(&scratch)?;
        let table = resources.record(&mut scratch, frame, &settings, &source, BUFFERS)?;
        let Layout { full, pitch, .. } = table.layout;
        let rows = Output::Rows {
            buffer: table.words.clone(),
            element: Element::U32,
            pitch: pitch as usize,
            size: full.map(|side| side as usize),
        };
        Ok(vec![("picture", (&context.picture).into()), ("table", rows)])
    }

    fn replay(&self, settings: &SummedAreaSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
        let (picture, table) = (pixel.array("picture"), pixel.array("table"));
        let (Some(picture), Some(table)) = (picture, table) else {
            return Err("The device has no buffer large enough for the table of this picture.".into());
        };
        let size = size_of_array(picture).filter(|size| {
            let all = size[0] as usize * size[1] as usize;
            all > 0
                && picture.bytes.len() == 4 * all
                && size_of_array(table) == Some(*size)
                && table.bytes.len() == 4 * all
        });
        let size = size.ok_or("The table does not have the size of the picture.")?;
        let tiles = TilePlace { name: "square", ..pixel.tiles([SIDE as u32; 2], size) };
        let luma = |x: usize, y: usize| {
            let texel = &picture.bytes[4 * (y * size[0] as usize + x)..][..3];
            (54 * u32::from(texel[0]) + 183 * u32::from(texel[1]) + 19 * u32::from(texel[2]) + 128) / 256
        };
        let plane = Plane::from_fn(size, luma);
        let mut square = Square::new(&plane, tiles.at, settings.padding);
        square.run(settings.method);
        let gpu = all_words(table);
        let places = square.places();
        let gpu: Vec<u32> = places.iter().map(|[x, y]| gpu[y * size[0] as usize + x]).collect();
        let comparison = MemoryComparison::of("words of the table", &square.words(), &gpu);
        square.end(&comparison);
        let items = square.items();
        let note = note(settings);
        Ok(Replay::new(tiles, square.steps, vec![comparison], note).items(items).timed(&["summed_area/replayed"]))
    }
}

/// What the frame runs, and what these steps do otherwise.
fn note(chosen: &SummedAreaSettings) -> String {
    let name = |of: &SummedAreaSettings| {
        format!("the method {}: {}, {}", of.method.title(), of.input.title(), of.precision.title())
    };
    let (runs, shown) = (name(chosen), name(&exact(chosen)));
    let mut notes = Vec::new();
    if runs != shown {
        notes.push("Every word of a table of luma in whole numbers can be compared.");
    }
    if matches!(chosen.method, Method::SinglePass | Method::TwoPass) {
        notes.push(
            "Four squares side by side are a tile. On the GPU 256 threads hold a tile, 4x4 words each: rows are scanned over the sums of four words, columns are added within a thread and then over the eight strips. The sums are the same as here.",
        );
    }
    if chosen.method == Method::SinglePass {
        notes.push(
            "The rounds of the look-back are an example by the reference implementation; on a GPU their number depends on when other workgroups publish.",
        );
    }
    Variant { runs, when: " where something needs a table", shown }.note(&notes.join(" "))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Rows(Scan),
    Columns(Scan),
    /// Columns, each by a thread.
    Serial,
    /// Through shared memory.
    Transposition,
}

fn phases(method: Method) -> Vec<Phase> {
    use Phase::{Columns, Rows, Serial, Transposition};
    match method {
        Method::SinglePass | Method::TwoPass | Method::ScanRowColumn => vec![Rows(Scan::KoggeStone), Serial],
        Method::Doubling => vec![Rows(Scan::HillisSteele), Columns(Scan::HillisSteele)],
        Method::Transpose => vec![Rows(Scan::Blelloch), Transposition, Rows(Scan::Blelloch), Transposition],
        Method::ScanRowBrlt => vec![Rows(Scan::LadnerFischer), Transposition, Rows(Scan::LadnerFischer), Transposition],
        Method::BrltScanRow => vec![Transposition, Serial, Transposition, Serial],
    }
}

struct Square<'a> {
    plane: &'a Plane,
    corner: [usize; 2],
    /// Columns and rows that the picture has of it.
    part: [usize; 2],
    /// Row by row; 0 beyond the picture.
    values: Vec<u32>,
    is_transposed: bool,
    padded: bool,
    steps: Vec<ReplayStep>,
}

impl<'a> Square<'a> {
    fn new(plane: &'a Plane, tile: [u32; 2], padded: bool) -> Self {
        let corner = tile.map(|at| at as usize * SIDE);
        let part = [0, 1].map(|axis| (plane.size[axis] - corner[axis]).min(SIDE));
        let value = |at: usize| {
            let [x, y] = [at % SIDE, at / SIDE];
            if x < part[0] && y < part[1] { plane.at(corner[0] + x, corner[1] + y) } else { 0 }
        };
        let values = (0..SIDE * SIDE).map(value).collect();
        Self { plane, corner, part, values, is_transposed: false, padded, steps: Vec::new() }
    }

    fn item(&self, cell: usize) -> Option<usize> {
        let [x, y] = if self.is_transposed { [cell / SIDE, cell % SIDE] } else { [cell % SIDE, cell / SIDE] };
        (x < self.part[0] && y < self.part[1]).then_some(y * SIDE + x)
    }

    fn cell(&self, cell: usize, most: u32) -> Cell {
        match self.item(cell) {
            None => Cell::default(),
            Some(item) => {
                let value = self.values[cell];
                Cell { text: value.to_string(), ..Cell::item(color(value, most), item) }
            }
        }
    }

    fn grid(&self, active: impl Fn(usize) -> bool) -> Grid {
        let most = self.values.iter().copied().max().unwrap_or(1);
        let cell = |at: usize| {
            let cell = self.cell(at, most);
            if cell.role == Role::Idle && active(at) { cell.role(Role::Active) } else { cell }
        };
        let title = if self.is_transposed { "Square, transposed" } else { "Square of 32x32 words" };
        Grid::new(title, SIDE, (0..SIDE * SIDE).map(cell).collect())
    }

    fn push(&mut self, name: &str, sentence: impl Into<String>, grids: Vec<Grid>) -> &mut ReplayStep {
        self.steps.push_mut(ReplayStep::new(base::text::sentence(name), sentence, grids))
    }

    fn run(&mut self, method: Method) {
        let [columns, rows] = self.part;
        let read = format!(
            "A warp reads a square of {columns}x{rows} words of the picture's luma, 0 to 255. Every word is to become the sum of all words of the picture at or left of it and at or above it."
        );
        let grid = self.grid(|_| false);
        self.push("Read the square", read, vec![grid]);
        for phase in phases(method) {
            match phase {
                Phase::Rows(scan) => self.scan(scan, false),
                Phase::Columns(scan) => self.scan(scan, true),
                Phase::Serial => self.serial(),
                Phase::Transposition => self.transpose(),
            }
        }
        let whole = self.plane.table();
        if method == Method::SinglePass {
            self.steps.extend(Lookback::new(&whole, self.corner).steps());
        }
        self.carry(&whole, method);
    }

    /// `down`: columns.
    fn scan(&mut self, scan: Scan, down: bool) {
        let input = self.values.clone();
        let place = |line: usize, at: usize| if down { at * SIDE + line } else { line * SIDE + at };
        let lines = self.part[usize::from(down == self.is_transposed)];
        let shown = lines / 2;
        for (number, step) in steps(scan, SIDE).into_iter().enumerate() {
            let before = self.values.clone();
            let changed = |at: usize| step.terms[at] != [Term::Previous(at), Term::Zero];
            for line in 0..SIDE {
                let value = |term: Term| match term {
                    Term::Zero => 0,
                    Term::Previous(at) => before[place(line, at)],
                    Term::Input(at) => input[place(line, at)],
                };
                for (at, [a, b]) in step.terms.iter().enumerate() {
                    self.values[place(line, at)] = value(*a).wrapping_add(value(*b));
                }
            }
            let square = self.grid(|cell| changed(if down { cell / SIDE } else { cell % SIDE }));
            let line = if down { "Column" } else { "Row" };
            let [old, new] =
                [&before, &self.values].map(|values| (0..SIDE).map(|at| values[place(shown, at)]).collect());
            let (lanes, arrows) =
                lanes(&format!("{line} {shown}: words before the step and after it"), [old, new], &step);
            let sentence = sentence_of(&step, if down { "column" } else { "row" });
            let first = if number == 0 { format!("{} scan. ", scan.title()) } else { String::new() };
            let title = match (step.title, reach(&step)) {
                ("add the word before", far @ 2..) => format!("add the word {far} before"),
                (title, _) => title.to_owned(),
            };
            self.push(&title, format!("{first}{sentence}"), vec![square, lanes]).arrows = arrows;
        }
    }

    fn serial(&mut self) {
        for at in SIDE..SIDE * SIDE {
            self.values[at] = self.values[at].wrapping_add(self.values[at - SIDE]);
        }
        let grid = self.grid(|cell| cell >= SIDE);
        let (name, what) = match self.is_transposed {
            true => ("add up rows", "a row of the picture, a column of the transposed square,"),
            false => ("add up columns", "a column"),
        };
        let sentence = format!(
            "Each thread holds {what} in its registers and adds it up word by word: 31 additions, one after the other, without any exchange between threads."
        );
        self.push(name, sentence, vec![grid]);
    }

    /// Rows are written to shared memory, columns are read.
    fn transpose(&mut self) {
        let pitch = SIDE + usize::from(self.padded);
        let most = self.values.iter().copied().max().unwrap_or(1);
        let bank = |row: usize, column: usize| (row * pitch + column) % SIDE;
        let meet = (0..SIDE).filter(|row| bank(*row, COLUMN) == bank(0, COLUMN)).count();
        let memory = |role: &dyn Fn(usize, usize) -> Option<Role>| {
            let cell = |at: usize| {
                let [column, row] = [at % pitch, at / pitch];
                if column >= SIDE {
                    return Cell::default();
                }
                let cell = self.cell(row * SIDE + column, most);
                match role(column, row).filter(|_| cell.role == Role::Idle) {
                    Some(role) => Cell { text: bank(row, column).to_string(), ..cell.role(role) },
                    None => cell,
                }
            };
            let gap = if self.padded { ", a word after each row" } else { "" };
            let title = format!("Shared memory [32][{pitch}]{gap}; banks of one access");
            Grid::new(title, pitch, (0..pitch * SIDE).map(cell).collect())
        };
        let write = memory(&|_, row| (row == COLUMN).then_some(Role::Active));
        let role = if meet > 1 { Role::Wrong } else { Role::Active };
        let mut read = memory(&|column, _| (column == COLUMN).then_some(role));
        read.cells.iter_mut().for_each(|cell| cell.item = None);
        let rows = "The threads write a row of the square at a time to shared memory: 32 neighbouring words are in 32 banks, which serve them at the same time.";
        self.push("write rows", rows, vec![write]);
        let banks = match meet {
            1 => "The word after each row moves every row to the next bank: the 32 words of a column are in 32 banks, which serve them at the same time".to_owned(),
            n => format!("Without padding all {n} words of a column are in one bank, which serves them one after the other: {n} accesses instead of one"),
        };
        let columns = format!(
            "Each thread now reads a row of the square, so that with each instruction the warp reads a column of shared memory. {banks}."
        );
        let old = std::mem::take(&mut self.values);
        self.values = (0..SIDE * SIDE).map(|at| old[at % SIDE * SIDE + at / SIDE]).collect();
        self.is_transposed = !self.is_transposed;
        let grid = self.grid(|cell| cell / SIDE == COLUMN);
        self.push("read columns", columns, vec![grid, read]).figures =
            vec![("threads that meet in a bank", meet.to_string())];
    }

    /// What is left of the square and above it.
    fn carry(&mut self, table: &Plane, method: Method) {
        let [left, top] = self.corner;
        let sum = |x: usize, y: usize| match (x.checked_sub(1), y.checked_sub(1)) {
            (Some(x), Some(y)) => table.at(x, y),
            _ => 0,
        };
        let before: Vec<u32> = (0..self.part[1]).map(|y| sum(left, top + y + 1).wrapping_sub(sum(left, top))).collect();
        let above: Vec<u32> = (0..self.part[0]).map(|x| sum(left + x + 1, top)).collect();
        for (y, before) in before.iter().enumerate() {
            for (x, above) in above.iter().enumerate() {
                let word = &mut self.values[y * SIDE + x];
                *word = word.wrapping_add(before.wrapping_add(*above));
            }
        }
        let most = before.iter().chain(&above).copied().max().unwrap_or(1);
        let line = |sums: &[u32]| -> Vec<Cell> {
            let cell = |at: usize| sums.get(at).map(|sum| Cell::new(color(*sum, most), sum.to_string()));
            (0..SIDE).map(|at| cell(at).unwrap_or_default()).collect()
        };
        let carried = [line(&before), line(&above)].concat();
        let title = "Carried in: above, from the left for each row; below, from above for each column";
        let carried = Grid::new(title, SIDE, carried);
        let how = match method {
            Method::SinglePass => {
                "The look-back has found what is left of the tile in each row and above it in each column; the squares left of this one in the tile are added to the first"
            }
            Method::TwoPass => {
                "A first pass adds up every tile, a second one the tiles before each, so that no tile waits"
            }
            Method::Doubling => {
                "The passes over the whole picture go on with the words 32, 64 and more places before, first in the row, then in the column; what they add is shown here at once"
            }
            _ => {
                "A row is longer than a warp: each square passes its last sums on to the next one in the row, and then in the column"
            }
        };
        let sentence = format!(
            "{how}. A word is its sum in the square, plus all that is left of the square in its rows so far, plus all that is above the square up to its column, the corner above and left included."
        );
        let grid = self.grid(|_| false);
        self.push("carry", sentence, vec![grid, carried.aspect(1.5).wide()]);
    }

    fn places(&self) -> Vec<[usize; 2]> {
        let [columns, rows] = self.part;
        (0..rows)
            .flat_map(|y| (0..columns).map(move |x| [x, y]))
            .map(|[x, y]| [self.corner[0] + x, self.corner[1] + y])
            .collect()
    }

    fn words(&self) -> Vec<u32> {
        let [columns, rows] = self.part;
        (0..rows).flat_map(|y| (0..columns).map(move |x| y * SIDE + x)).map(|at| self.values[at]).collect()
    }

    fn end(&mut self, compared: &MemoryComparison) {
        let place = |place: &usize| place / self.part[0] * SIDE + place % self.part[0];
        let wrong: Vec<usize> = compared.differing.iter().map(place).collect();
        let grid = self.grid(|_| false).wrong(&wrong);
        let sentence = "The GPU has made the table of the whole picture, and its words of this square are compared, modulo 2^32; words that differ are marked.";
        self.steps.push(ReplayStep::compared(sentence, vec![grid]));
    }

    fn items(&self) -> Vec<String> {
        let [left, top] = self.corner;
        (0..SIDE * SIDE).map(|at| format!("word of pixel {}, {}", left + at % SIDE, top + at / SIDE)).collect()
    }
}

/// Words of a line before and after a step, an empty row between them, with arrows from its addends.
fn lanes(title: &str, [before, after]: [Vec<u32>; 2], step: &Step) -> (Grid, Vec<Arrow>) {
    let most = after.iter().copied().max().unwrap_or(1);
    let is_changed = |at: usize| step.terms[at] != [Term::Previous(at), Term::Zero];
    let word = |value: u32, role| Cell::new(color(value, most), value.to_string()).role(role);
    let role = |at: usize| if is_changed(at) { Role::Active } else { Role::Idle };
    let mut cells: Vec<Cell> = before.iter().map(|value| word(*value, Role::Idle)).collect();
    cells.extend(vec![Cell::default(); SIDE]);
    cells.extend(after.iter().enumerate().map(|(at, value)| word(*value, role(at))));
    let mut arrows = Vec::new();
    for (to, terms) in step.terms.iter().enumerate() {
        for term in terms {
            if let Term::Previous(from) = term
                && *from != to
            {
                arrows.push(Arrow { from: [1, *from], to: [1, 2 * SIDE + to] });
            }
        }
    }
    (Grid::new(title, SIDE, cells).aspect(1.5).wide(), arrows)
}

fn reach(step: &Step) -> usize {
    let all = step.terms.iter().enumerate().filter_map(|(to, terms)| match terms[0] {
        Term::Previous(from) if from < to => Some(to - from),
        _ => None,
    });
    all.max().unwrap_or_default()
}

fn sentence_of(step: &Step, line: &str) -> String {
    let far = reach(step);
    match step.title {
        "add the word before" => format!(
            "Each word adds the word {far} places before it in its {line}: a word now is the sum of up to {} words, and the distance doubles with each step.",
            2 * far
        ),
        "add the lower half's sum" => format!(
            "In groups of {} words the upper half adds the last sum of the lower one, which is complete: half of the threads add, the others already have their sums.",
            2 * far
        ),
        "up-sweep" => format!("Up the tree: of each pair the right word adds the left one, {far} before it, and becomes the sum of both."),
        "clear the root" => "The last word, the sum of all, becomes 0: nothing is before the first word.".into(),
        "down-sweep" => "Down the tree: the left of each pair takes the right one's sum, and the right one adds what the left one had, so that each is the sum of all before it.".into(),
        "add own word" => format!("Each word of the {line} adds its own value to the sum of those before it, which it lacks."),
        other => format!("Step of the scan along the {line}: {other}."),
    }
}

/// Dark for 0, bright for the largest.
fn color(value: u32, most: u32) -> [u8; 3] {
    let part = (f64::from(value) / f64::from(most.max(1))).sqrt();
    let stops = [[34.0, 40.0, 66.0], [52.0, 140.0, 170.0], [245.0, 226.0, 120.0]];
    let (low, rest) = if part < 0.5 { (0, 2.0 * part) } else { (1, 2.0 * part - 1.0) };
    [0, 1, 2]
        .map(|channel| (stops[low][channel] + (stops[low + 1][channel] - stops[low][channel]) * rest).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_takes_the_conflicts_of_a_transposition_away() {
        let plane = Plane::from_fn([32, 32], |x, _| x as u32);
        let wrong = |padded| {
            let mut square = Square::new(&plane, [0, 0], padded);
            square.transpose();
            let cells = square.steps.iter().flat_map(|step| &step.grids).flat_map(|grid| &grid.cells);
            cells.filter(|cell| cell.role == Role::Wrong).count()
        };
        assert_eq!([wrong(false), wrong(true)], [32, 0]);
    }
}
