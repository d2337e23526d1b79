//! Steps of a workgroup on one tile, next to the GPU's memory.

use super::{
    context::FrameContext,
    replay_drawing::Drawing,
    story::StoryPixel,
    technique::{NamedOutputs, Technique},
};
use glam::DVec4;
use gpu::Frame;

/// A technique that shows its work step by step.
pub trait Replays: Technique {
    /// What the steps show.
    const SHOWS: &'static str;

    /// After the last frame, which made `context`: what [`replay`](Self::replay) must read.
    fn record_replay(
        &self,
        frame: &mut Frame,
        settings: &Self::Settings,
        context: &FrameContext,
    ) -> gpu::Result<NamedOutputs>;
    /// The error is a sentence.
    fn replay(&self, settings: &Self::Settings, pixel: &StoryPixel<'_>) -> Result<Replay, String>;
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    pub technique: &'static str,
    pub tiles: TilePlace,
    pub steps: Vec<ReplayStep>,
    pub items: Vec<String>,
    pub comparisons: Vec<MemoryComparison>,
    /// The first sentence says what the frame runs and what the steps explain.
    pub note: String,
}

/// Not everything can be replayed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// Empty if it runs nothing of the technique.
    pub runs: String,
    pub when: &'static str,
    pub shown: String,
}

impl Variant {
    pub fn same(runs: impl Into<String>) -> Self {
        let runs = runs.into();
        Self { shown: runs.clone(), runs, when: "" }
    }

    pub fn note(&self, more: &str) -> String {
        let Self { runs, when, shown } = self;
        let sentence = match () {
            () if runs.is_empty() => format!("The frame runs nothing of this; these steps explain {shown}."),
            () if runs == shown => format!("The frame runs {runs}{when}, and these steps explain that."),
            () => format!("The frame runs {runs}{when}; these steps explain {shown}."),
        };
        if more.is_empty() { sentence } else { format!("{sentence} {more}") }
    }
}

impl Replay {
    pub fn new(tiles: TilePlace, steps: Vec<ReplayStep>, comparisons: Vec<MemoryComparison>, note: String) -> Self {
        Self { technique: "", tiles, steps, items: Vec::new(), comparisons, note }
    }

    pub fn items(self, items: Vec<String>) -> Self {
        Self { items, ..self }
    }

    /// For steps that name none, except the last, which compares.
    pub fn timed(mut self, passes: &[&str]) -> Self {
        let count = self.steps.len().saturating_sub(1);
        for step in self.steps[..count].iter_mut().filter(|step| step.passes.is_empty()) {
            step.passes = passes.iter().map(|pass| (*pass).to_owned()).collect();
        }
        self
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TilePlace {
    pub at: [u32; 2],
    pub count: [u32; 2],
    pub size: [f64; 2],
    pub name: &'static str,
}

impl TilePlace {
    /// The tile of `side` texels at a texel of an image of `size` texels, which is below `whole` pixels.
    pub fn of(texel: [u32; 2], side: [u32; 2], size: [u32; 2], whole: [u32; 2]) -> Self {
        let count = [0, 1].map(|axis| size[axis].div_ceil(side[axis].max(1)).max(1));
        Self {
            at: [0, 1].map(|axis| (texel[axis] / side[axis].max(1)).min(count[axis] - 1)),
            count,
            size: [0, 1].map(|axis| f64::from(side[axis]) * f64::from(whole[axis]) / f64::from(size[axis].max(1))),
            name: "tile",
        }
    }

    pub fn number(&self) -> usize {
        self.at[1] as usize * self.count[0] as usize + self.at[0] as usize
    }

    /// A pixel of the final image, of `whole` pixels, within the tile at a column and row.
    pub fn pixel_of(&self, tile: [u32; 2], whole: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|axis| {
            let tile = f64::from(tile[axis].min(self.count[axis].saturating_sub(1)));
            let [from, to] = [tile, tile + 1.0].map(|edge| (edge * self.size[axis]).min(f64::from(whole[axis])));
            (0.5 * (from + to)) as u32
        })
    }
}

impl StoryPixel<'_> {
    /// The tile of `side` texels at the pixel, in an image of `size` texels.
    pub fn tiles(&self, side: [u32; 2], size: [u32; 2]) -> TilePlace {
        TilePlace::of(self.place(size), side, size, self.context.picture.size())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayStep {
    pub name: String,
    /// At most four short sentences.
    pub sentence: String,
    /// Grids of the same title stay where they are.
    pub grids: Vec<Grid>,
    pub arrows: Vec<Arrow>,
    pub figures: Vec<(&'static str, String)>,
    /// Or the first words of their names; their time is the step's cost.
    pub passes: Vec<String>,
}

impl ReplayStep {
    pub fn new(name: impl Into<String>, sentence: impl Into<String>, grids: Vec<Grid>) -> Self {
        Self { name: name.into(), sentence: sentence.into(), grids, ..Self::default() }
    }

    pub fn compared(sentence: impl Into<String>, grids: Vec<Grid>) -> Self {
        Self::new("Compare with the GPU", sentence, grids)
    }

    pub fn arrows(self, arrows: Vec<Arrow>) -> Self {
        Self { arrows, ..self }
    }

    pub fn figures(self, figures: Vec<(&'static str, String)>) -> Self {
        Self { figures, ..self }
    }

    pub fn passes<const N: usize>(self, passes: [&str; N]) -> Self {
        Self { passes: passes.map(str::to_owned).into(), ..self }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    pub title: String,
    pub columns: usize,
    pub cells: Vec<Cell>,
    /// Column, row, columns and rows.
    pub outlines: Vec<[usize; 4]>,
    pub aspect: f32,
    pub is_wide: bool,
    pub drawings: Vec<Drawing>,
}

impl Grid {
    pub fn new(title: impl Into<String>, columns: usize, cells: Vec<Cell>) -> Self {
        Self { title: title.into(), columns: columns.max(1), cells, aspect: 1.0, ..Self::default() }
    }

    pub fn paper(title: impl Into<String>, [columns, rows]: [usize; 2]) -> Self {
        Self::new(title, columns, vec![Cell::default(); columns.max(1) * rows])
    }

    pub fn drawn(self, drawings: Vec<Drawing>) -> Self {
        Self { drawings, ..self }
    }

    pub fn aspect(self, aspect: f32) -> Self {
        Self { aspect, ..self }
    }

    pub fn wide(self) -> Self {
        Self { is_wide: true, ..self }
    }

    pub fn grouped(mut self, columns: usize, rows: usize) -> Self {
        let across = self.columns.div_ceil(columns.max(1));
        let group = |at: usize| {
            let [column, row] = [at % across * columns, at / across * rows];
            [column, row, columns.min(self.columns - column), rows.min(self.rows() - row)]
        };
        self.outlines = (0..across * self.rows().div_ceil(rows.max(1))).map(group).collect();
        self
    }

    pub fn ungrouped(self) -> Self {
        Self { outlines: Vec::new(), ..self }
    }

    pub fn rows(&self) -> usize {
        self.cells.len().div_ceil(self.columns)
    }

    pub fn wrong(mut self, places: &[usize]) -> Self {
        for place in places {
            if let Some(cell) = self.cells.get_mut(*place) {
                cell.role = Role::Wrong;
            }
        }
        self
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    pub color: [u8; 3],
    pub role: Role,
    pub text: String,
    /// Index in [`Replay::items`]: a cell of the next step with the same one is where that goes.
    pub item: Option<u32>,
}

impl Cell {
    pub fn new(color: [u8; 3], text: impl Into<String>) -> Self {
        Self { color, role: Role::Idle, text: text.into(), item: None }
    }

    pub fn words(text: impl Into<String>, role: Role) -> Self {
        Self::new([44, 50, 62], text).role(role)
    }

    pub fn item(color: [u8; 3], item: usize) -> Self {
        Self { item: Some(item as u32), ..Self::new(color, "") }
    }

    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    #[default]
    Empty,
    Idle,
    Active,
    Faded,
    Wrong,
}

/// Number of the grid, and of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: [usize; 2],
    pub to: [usize; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryComparison {
    pub text: String,
    /// Places that differ; where the numbers of words differ, those that only one has.
    pub differing: Vec<usize>,
}

impl MemoryComparison {
    /// Of `what`, a plural, bit for bit.
    pub fn of(what: &str, cpu: &[u32], gpu: &[u32]) -> Self {
        let both = 0..cpu.len().max(gpu.len());
        let differing: Vec<usize> = both.filter(|place| cpu.get(*place) != gpu.get(*place)).collect();
        let word = |words: &[u32], place: usize| words.get(place).map_or("none".into(), |word| format!("{word:#010x}"));
        let text = match differing.first() {
            None => format!("Equal to the GPU's {} {what}, bit for bit", gpu.len()),
            Some(place) => format!(
                "{} of {} {what} differ from the GPU's; the first is number {place}: {} here, {} there",
                differing.len(),
                cpu.len().max(gpu.len()),
                word(cpu, *place),
                word(gpu, *place)
            ),
        };
        Self { text, differing }
    }

    pub fn is_equal(&self) -> bool {
        self.differing.is_empty()
    }

    /// `what` about the `count` places, if there are any.
    pub fn with(self, count: usize, what: &str) -> Self {
        if count == 0 { self } else { Self { text: format!("{}; {count} {what}", self.text), ..self } }
    }
}

/// Pixels of the reference implementation and of the GPU, in steps of 255.
pub struct PixelPairs {
    pub columns: usize,
    /// Column and row of the pixel whose steps are shown.
    pub own: [usize; 2],
    pub pairs: Vec<[DVec4; 2]>,
}

impl PixelPairs {
    /// NaN is more than anything.
    pub fn off(&self, at: usize) -> f64 {
        let apart = (self.pairs[at][0] - self.pairs[at][1]).abs();
        if apart.is_nan() { f64::INFINITY } else { apart.max_element() }
    }

    pub fn largest(&self) -> f64 {
        (0..self.pairs.len()).map(|at| self.off(at)).fold(0.0, f64::max)
    }

    pub fn differing(&self, bound: &dyn Fn(usize) -> f64) -> Vec<usize> {
        (0..self.pairs.len()).filter(|at| self.off(*at) > bound(*at)).collect()
    }

    /// Both with their mean of red, green and blue, those that differ marked. `color`: of a value in steps of 255.
    pub fn grids(&self, titles: [String; 2], differing: &[usize], color: &dyn Fn(DVec4) -> [u8; 3]) -> [Grid; 2] {
        let [left, top] = self.own.map(|at| at as f32);
        [0, 1].map(|side| {
            let cell = |pair: &[DVec4; 2]| {
                Cell::new(color(pair[side]), format!("{:.0}", pair[side].truncate().element_sum() / 3.0))
            };
            let grid = Grid::new(titles[side].clone(), self.columns, self.pairs.iter().map(cell).collect());
            grid.wrong(differing).drawn(vec![Drawing::frame([left, top], [left + 1.0, top + 1.0])])
        })
    }
}

/// First of `shown` of `all` places around one.
pub fn first_around(at: usize, shown: usize, all: usize) -> usize {
    at.saturating_sub(shown / 2).min(all.saturating_sub(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_name_the_first_difference() {
        let all = MemoryComparison::of("words", &[1, 2, 3], &[1, 2, 3]);
        assert_eq!((all.text.as_str(), all.is_equal()), ("Equal to the GPU's 3 words, bit for bit", true));
        let wrong = MemoryComparison::of("words", &[1, 2, 3], &[1, 7, 3, 4]);
        assert_eq!(wrong.differing, [1, 3]);
        let text = "2 of 4 words differ from the GPU's; the first is number 1: 0x00000002 here, 0x00000007 there";
        assert_eq!(wrong.text, text);
        assert!(!MemoryComparison::of("words", &[1], &[]).is_equal());
    }

    #[test]
    fn tiles_are_found_by_pixel_and_pixels_by_tile() {
        // An image of half the window's size.
        let tiles = TilePlace::of([70, 3], [64, 64], [97, 55], [194, 110]);
        assert_eq!((tiles.at, tiles.count, tiles.size), ([1, 0], [2, 1], [128.0, 128.0]));
        assert_eq!(tiles.number(), 1);
        assert_eq!(tiles.pixel_of([0, 0], [194, 110]), [64, 55]);
        assert_eq!(tiles.pixel_of([9, 9], [194, 110]), [161, 55], "clamped to the last one");
    }

    #[test]
    fn what_is_shown_is_within_the_whole() {
        for (at, expected) in [(0, 0), (50, 20), (99, 40)] {
            assert_eq!(first_around(at, 60, 100), expected);
        }
        assert_eq!(first_around(5, 60, 10), 0);
    }

    #[test]
    fn groups_cover_the_grid_and_no_more() {
        let grid = Grid::new("words", 10, vec![Cell::default(); 25]).grouped(4, 2);
        assert_eq!(grid.rows(), 3);
        assert_eq!(grid.outlines, [[0, 0, 4, 2], [4, 0, 4, 2], [8, 0, 2, 2], [0, 2, 4, 1], [4, 2, 4, 1], [8, 2, 2, 1]]);
    }
}
