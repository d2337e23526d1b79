//! Replay of a tile's look-back in the single pass: who has posted what, and what the tile reads of it, turn by turn.

use super::reference::Plane;
use technique::{Arrow, Cell, Grid, ReplayStep, Role};

const TILE: [usize; 2] = [128, 32];
/// Workgroups that run at the same time in the replay; a GPU runs more, in no certain order.
const WORKERS: usize = 24;
/// Posts of a row that a turn reads at most.
const AHEAD: usize = 2;
/// The first two and the last ones.
const SHOWN: usize = 8;
const OWN: [u8; 3] = [250, 190, 90];
const ALL: [u8; 3] = [96, 190, 130];
const READER: [u8; 3] = [120, 160, 235];

/// What a tile has posted of its rows, or of its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
enum Post {
    #[default]
    Nothing,
    /// Its own sums.
    Aggregate,
    /// The sums of all before it and its own.
    Inclusive,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TileProgress {
    rows: Post,
    columns: Post,
    /// It has posted the sum of all words left of it.
    has_left: bool,
    is_started: bool,
    /// Distance of the next post to read, left and up, and whether the search has ended.
    back: [usize; 2],
    is_done: [bool; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Read {
    /// 0: left; 1: up.
    way: usize,
    from: usize,
    post: Post,
}

struct Turn {
    tiles: Vec<TileProgress>,
    reads: Vec<Read>,
}

pub(super) struct Lookback<'a> {
    table: &'a Plane,
    grid: [usize; 2],
    own: usize,
}

impl<'a> Lookback<'a> {
    pub fn new(table: &'a Plane, word: [usize; 2]) -> Self {
        let grid = [0, 1].map(|axis| table.size[axis].div_ceil(TILE[axis]));
        let [x, y] = [0, 1].map(|axis| word[axis] / TILE[axis]);
        Self { table, grid, own: y * grid[0] + x }
    }

    fn at(&self, tile: usize) -> [usize; 2] {
        [tile % self.grid[0], tile / self.grid[0]]
    }

    fn sum(&self, columns: [usize; 2], rows: [usize; 2]) -> u32 {
        let upto = |x: usize, y: usize| match (x.min(self.table.size[0]), y.min(self.table.size[1])) {
            (0, _) | (_, 0) => 0,
            (x, y) => self.table.at(x - 1, y - 1),
        };
        let [left, right] = columns;
        let [top, bottom] = rows;
        upto(right, bottom)
            .wrapping_sub(upto(left, bottom))
            .wrapping_sub(upto(right, top))
            .wrapping_add(upto(left, top))
    }

    /// Tiles in the order of their tickets: by anti-diagonals, so that each comes after those left of it and above it.
    fn order(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.grid[0] * self.grid[1]).collect();
        all.sort_by_key(|tile| (self.at(*tile)[0] + self.at(*tile)[1], self.at(*tile)[0]));
        all
    }

    fn turns(&self) -> Vec<Turn> {
        let (order, mut next) = (self.order(), 0);
        let mut tiles = vec![TileProgress { back: [1, 1], ..TileProgress::default() }; order.len()];
        let (mut running, mut turns): (Vec<usize>, Vec<Turn>) = (Vec::new(), Vec::new());
        while tiles[self.own].is_done != [true; 2] {
            while running.len() < WORKERS && next < order.len() {
                running.push(order[next]);
                next += 1;
            }
            let before = tiles.clone();
            let mut reads = Vec::new();
            for tile in &running {
                let own = self.advance(*tile, &before, &mut tiles[*tile]);
                if *tile == self.own {
                    reads = own;
                }
            }
            running.retain(|tile| tiles[*tile].is_done != [true; 2]);
            if tiles[self.own].is_started {
                turns.push(Turn { tiles: tiles.clone(), reads });
            }
        }
        turns
    }

    /// It sees the posts of the turns before.
    fn advance(&self, tile: usize, seen: &[TileProgress], now: &mut TileProgress) -> Vec<Read> {
        let [x, y] = self.at(tile);
        if !now.is_started {
            now.is_started = true;
            now.rows = if x == 0 { Post::Inclusive } else { Post::Aggregate };
            now.columns = if tile == 0 { Post::Inclusive } else { Post::Aggregate };
            return Vec::new();
        }
        let mut reads = Vec::new();
        for _ in 0..AHEAD {
            if now.is_done[0] || now.back[0] > x {
                break;
            }
            let from = tile - now.back[0];
            let post = seen[from].rows;
            reads.push(Read { way: 0, from, post });
            match post {
                Post::Nothing => break,
                Post::Aggregate => now.back[0] += 1,
                Post::Inclusive => now.is_done[0] = true,
            }
        }
        now.is_done[0] |= now.back[0] > x;
        if now.is_done[0] {
            (now.rows, now.has_left) = (Post::Inclusive, true);
        }
        if !now.is_done[1] && now.back[1] <= y {
            let from = tile - now.back[1] * self.grid[0];
            let is_whole = seen[from].columns == Post::Inclusive || seen[from].has_left;
            let post = if is_whole { seen[from].columns } else { Post::Nothing };
            reads.push(Read { way: 1, from, post });
            match post {
                Post::Nothing => {}
                Post::Aggregate => now.back[1] += 1,
                Post::Inclusive => now.is_done[1] = true,
            }
        }
        now.is_done[1] |= now.back[1] > y;
        if now.is_done == [true; 2] {
            now.columns = Post::Inclusive;
        }
        reads
    }

    /// What a read adds: to each of the 32 rows, or to each of the 128 columns.
    fn values(&self, read: &Read) -> Vec<u32> {
        let [from, own] = [read.from, self.own].map(|tile| self.at(tile));
        let span = |at: usize, axis: usize| [at * TILE[axis], (at + 1) * TILE[axis]];
        let is_own = read.post == Post::Aggregate;
        let value = |line: usize| match (read.way, read.post) {
            (_, Post::Nothing) => 0,
            (0, _) => {
                let [first, end] = span(from[0], 0);
                let row = own[1] * TILE[1] + line;
                self.sum([if is_own { first } else { 0 }, end], [row, row + 1])
            }
            (_, _) => {
                let [first, end] = span(from[1], 1);
                self.sum([0, own[0] * TILE[0] + line + 1], [if is_own { first } else { 0 }, end])
            }
        };
        (0..TILE[1 - read.way]).map(value).collect()
    }

    pub fn steps(&self) -> Vec<ReplayStep> {
        let turns = self.turns();
        let mut sums = [vec![0u32; TILE[1]], vec![0u32; TILE[0]]];
        let mut steps = Vec::new();
        for turn in &turns {
            for read in &turn.reads {
                for (sum, value) in sums[read.way].iter_mut().zip(self.values(read)) {
                    *sum = sum.wrapping_add(value);
                }
            }
            steps.push(self.step(turn, &sums, steps.len(), turns.len()));
        }
        if steps.len() > SHOWN {
            steps.drain(2..steps.len() + 2 - SHOWN);
        }
        steps
    }

    fn step(&self, turn: &Turn, sums: &[Vec<u32>; 2], number: usize, count: usize) -> ReplayStep {
        let grid = |title: &str, post: fn(&TileProgress) -> Post, way: usize| {
            let cell = |(tile, progress): (usize, &TileProgress)| {
                let post = post(progress);
                let (color, text) = match post {
                    Post::Nothing => ([0; 3], ""),
                    Post::Aggregate => (OWN, "own"),
                    Post::Inclusive => (ALL, "all"),
                };
                let is_read = turn.reads.iter().any(|read| read.way == way && read.from == tile);
                let cell = Cell::new(if tile == self.own { READER } else { color }, text);
                match (tile == self.own || is_read, post) {
                    (true, _) => cell.role(Role::Active),
                    (false, Post::Nothing) => Cell::default(),
                    (false, _) => cell.role(Role::Idle),
                }
            };
            Grid::new(title, self.grid[0], turn.tiles.iter().enumerate().map(cell).collect()).aspect(1.6)
        };
        let arrow = |read: &Read| Arrow { from: [read.way, read.from], to: [read.way, self.own] };
        let first = |sums: &[u32]| -> Vec<Cell> {
            let most = sums.iter().copied().max().unwrap_or(1).max(1);
            let cell = |sum: &u32| {
                let part = 0.25 + 0.75 * (f64::from(*sum) / f64::from(most)).sqrt();
                Cell::new(ALL.map(|channel| (f64::from(channel) * part) as u8), sum.to_string())
            };
            sums.iter().take(TILE[1]).map(cell).collect()
        };
        let known = [first(&sums[0]), first(&sums[1])].concat();
        let known = Grid::new(
            "Known so far: above, what is left of each of the 32 rows; below, what is above the first 32 of the 128 columns",
            TILE[1],
            known,
        );
        let grids = vec![
            grid("Posted of rows: own sums, or all", |tile| tile.rows, 0),
            grid("Posted of columns: own sums, or all", |tile| tile.columns, 1),
            known.aspect(1.5).wide(),
        ];
        let sentence = if turn.reads.is_empty() && number == 0 {
            "The tile, blue, posts the sums of its own rows and columns (orange, own), so that tiles after it need not wait until it knows everything before itself (green, all).".to_owned()
        } else {
            format!("{}.", [0, 1].map(|way| self.search(turn, way)).join(". "))
        };
        let figures = vec![
            ("rounds of reading", (count - 1).to_string()),
            ("workgroups that run together in this example", WORKERS.to_string()),
        ];
        let name = match number {
            0 => "Post the own sums".to_owned(),
            number => format!("Look back, round {number}"),
        };
        ReplayStep::new(name, sentence, grids).arrows(turn.reads.iter().map(arrow).collect()).figures(figures)
    }

    fn search(&self, turn: &Turn, way: usize) -> String {
        let (side, lanes) = [("Left", "32 threads"), ("Up", "128 threads")][way];
        let reads: Vec<&Read> = turn.reads.iter().filter(|read| read.way == way).collect();
        let is_done = turn.tiles[self.own].is_done[way];
        let Some(last) = reads.last() else {
            return format!("{side}: everything is known already");
        };
        let place = |read: &Read| {
            let [x, y] = self.at(read.from);
            format!("({x}, {y})")
        };
        match (last.post, is_done) {
            (Post::Inclusive, _) => format!(
                "{side}: {lanes} read the post of tile {}, which has the sum of everything up to it; the search ends",
                place(last)
            ),
            (Post::Aggregate, true) => {
                format!("{side}: {lanes} add the own sums of tile {}, the first one; the search ends", place(last))
            }
            (Post::Aggregate, false) => {
                format!("{side}: {lanes} add the own sums of tile {} and go on with the tile before it", place(last))
            }
            (Post::Nothing, _) => format!("{side}: tile {} has not posted yet and is read again", place(last)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_wait_only_for_earlier_tickets() {
        for size in [[1, 1], [128, 32], [129, 33], [700, 200], [130, 400], [1500, 31]] {
            let plane = Plane::from_fn(size, |x, y| (x as u32 * 37 + y as u32 * 101) % 256);
            let table = plane.table();
            let grid = [0, 1].map(|axis| (size[axis] as usize).div_ceil(TILE[axis]));
            for (x, y) in (0..grid[1]).flat_map(|y| (0..grid[0]).map(move |x| (x, y))) {
                let corner = [x * TILE[0], y * TILE[1]];
                let lookback = Lookback::new(&table, corner);
                let order = lookback.order();
                let ticket = |tile: usize| order.iter().position(|of| *of == tile).unwrap();
                let turns = lookback.turns();
                for read in turns.iter().flat_map(|turn| &turn.reads) {
                    assert!(ticket(read.from) < ticket(lookback.own), "{size:?}: {read:?}");
                }
                for pair in turns.windows(2) {
                    let moves = pair[0].tiles.iter().zip(&pair[1].tiles);
                    assert!(
                        moves.clone().all(|(a, b)| a.rows <= b.rows && a.columns <= b.columns),
                        "posts are not undone"
                    );
                }
                assert!(lookback.steps().len() <= SHOWN);
            }
        }
    }
}
