//! Steps of a tile: its pixels and words before, in and after each bounce.

use super::{
    super::{reference::stencil::Dispatch, uniforms::WORD},
    tile::{AUTO, FIXED_LOOP, LANES, LANES_OF_WORD, LIVE_WORDS, PERSISTENT, Tile, color_of, density},
};
use crate::techniques::{Cell, Grid, MemoryComparison, ReplayStep, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Lanes in a row of their grid: two workgroups.
const ACROSS: usize = 64;
/// Words in a row of their grid.
const WORDS_ACROSS: usize = 8;
/// Most persistent workgroups that are shown.
const WORKERS: usize = 16;

/// The steps so far.
pub struct Steps<'a> {
    tile: Tile<'a>,
    /// Lanes of a ballot; none where words are put together in shared memory.
    ballot: Option<u32>,
    /// Who took which word of which bounce on the GPU.
    takers: &'a [u32],
    /// Place of each item among the pixels.
    places: BTreeMap<u32, usize>,
    steps: Vec<ReplayStep>,
}

impl<'a> Steps<'a> {
    pub fn new(tile: Tile<'a>, ballot: Option<u32>, takers: &'a [u32]) -> Self {
        let places = tile.pixels.iter().enumerate().map(|(place, item)| (*item, place)).collect();
        Self { tile, ballot, takers, places, steps: Vec::new() }
    }

    /// From the pixels to the comparison; `in_frame`: how the frame itself found the work.
    pub fn all(mut self, in_frame: &str, compared: &MemoryComparison) -> Vec<ReplayStep> {
        self.mirrors(in_frame);
        self.mark();
        let goes_on = self.tile.trace[0].call.finishes;
        for bounce in 0..self.tile.plan.depth as usize {
            let count = self.alive(bounce);
            if bounce == 0 || count > 0 && !goes_on {
                self.find(bounce);
            }
            if count > 0 {
                self.trace(bounce);
            }
            if count > 0 && !goes_on {
                self.vote(bounce + 1);
            }
        }
        if goes_on && self.alive(0) > 0 {
            self.vote(1);
        }
        self.end(compared);
        self.steps
    }

    /// Pixels of the tile whose rays are in a bounce.
    fn alive(&self, bounce: usize) -> usize {
        self.tile.pixels.iter().filter(|item| self.is_alive(**item, bounce)).count()
    }

    fn is_alive(&self, item: u32, bounce: usize) -> bool {
        self.tile.bounces[item as usize] as usize > bounce
    }

    fn live_words(&self, bounce: usize) -> usize {
        self.tile.words.iter().filter(|word| self.tile.flags(**word, bounce) != 0).count()
    }

    fn push(
        &mut self,
        name: impl Into<String>,
        sentence: String,
        grids: Vec<Grid>,
        figures: Vec<(&'static str, String)>,
    ) {
        self.steps.push(ReplayStep { name: name.into(), sentence, grids, arrows: Vec::new(), figures });
    }

    /// A pixel or a lane with an item.
    fn cell(&self, item: u32, role: Role) -> Cell {
        let bounces = self.tile.bounces[item as usize];
        let color = color_of(bounces);
        let item = self.places.get(&item).map(|place| *place as u32);
        Cell { item, ..Cell::new(color, "").role(if bounces == 0 { Role::Empty } else { role }) }
    }

    fn pixels(&self, role: impl Fn(u32) -> Role) -> Grid {
        let cells = self.tile.pixels.iter().map(|item| self.cell(*item, role(*item))).collect();
        let grid = Grid::new("Pixels of the tile, by number of bounces", self.tile.columns, cells);
        match self.tile.plan.mapping {
            1 => Grid { title: format!("{}; a word in each frame", grid.title), ..grid }.grouped(8, 4),
            _ => self.outlined(grid),
        }
    }

    /// Frames around the parts of words in rows.
    fn outlined(&self, mut grid: Grid) -> Grid {
        grid.title += "; a word, or its part here, in each frame";
        for (row, items) in self.tile.pixels.chunks(self.tile.columns).enumerate() {
            let mut first = 0;
            for part in items.chunk_by(|a, b| a / WORD == b / WORD) {
                grid.outlines.push([first, row, part.len(), 1]);
                first += part.len();
            }
        }
        grid
    }

    /// Words as numbers of their live items.
    fn words(&self, bounce: usize, role: impl Fn(usize, u32) -> Role) -> Grid {
        let cell = |(place, word): (usize, &u32)| {
            let flags = self.tile.flags(*word, bounce);
            let text = flags.count_ones().to_string();
            let item = Some((self.tile.pixels.len() + place) as u32);
            Cell { text, item, ..Cell::new(density(flags.count_ones()), "").role(role(place, flags)) }
        };
        let cells = self.tile.words.iter().enumerate().map(cell).collect();
        Grid::new("Words of the mask: live pixels of 32", WORDS_ACROSS, cells).aspect(1.6)
    }

    fn mirrors(&mut self, in_frame: &str) {
        let count = self.alive(0);
        let all = self.tile.pixels.len();
        let grid = self.pixels(|_| Role::Idle).ungrouped();
        let grid = Grid { title: "Pixels of the tile, by number of bounces".into(), ..grid };
        let sentence = format!(
            "The shading has left out the light of {count} of this tile's {all} pixels, which are mirrors: each will trace a ray, as often as it meets another mirror, but no pixel knows yet how often."
        );
        let most = self.tile.pixels.iter().map(|item| self.tile.bounces[*item as usize]).max().unwrap_or_default();
        let figures = vec![
            ("mirrors", count.to_string()),
            ("most bounces of a pixel", most.to_string()),
            ("in the frame itself", in_frame.to_owned()),
        ];
        self.push("Mirrors of the tile", sentence, vec![grid], figures);
    }

    /// The first mask.
    fn mark(&mut self) {
        let [all, live] = [self.tile.words.len(), self.live_words(0)];
        let sentence = format!(
            "32 threads ask whether their pixels are mirrors and make a word of their answers, {}: {} of {all} words are 0 from the start.",
            self.how_joined(),
            all - live
        );
        self.masked("Mark the mirrors", 0, sentence);
    }

    fn how_joined(&self) -> String {
        match self.ballot {
            Some(WORD) => "by one ballot of a subgroup of 32 lanes".into(),
            Some(lanes) if lanes < WORD => {
                format!(
                    "by {} ballots of {lanes} lanes each, moved to their places and joined in shared memory",
                    WORD / lanes
                )
            }
            _ => "bit by bit by an atomic OR in shared memory".into(),
        }
    }

    /// A mask with its pixels, its words, and the votes for one of them.
    fn masked(&mut self, name: impl Into<String>, bounce: usize, sentence: String) {
        let before = bounce.saturating_sub(1);
        let pixels = self.pixels(|item| match self.tile.trace[bounce].live[item as usize] {
            true => Role::Idle,
            false => Role::Faded,
        });
        let words = self.words(bounce, |place, flags| {
            let had = self.tile.flags(self.tile.words[place], before);
            match (flags, had == flags) {
                (0, _) => Role::Empty,
                (_, true) => Role::Idle,
                (_, false) => Role::Active,
            }
        });
        let figures = vec![
            (
                "live pixels",
                self.tile
                    .pixels
                    .iter()
                    .filter(|item| self.tile.trace[bounce].live[**item as usize])
                    .count()
                    .to_string(),
            ),
            (
                "words that are 0",
                format!("{} of {}", self.tile.words.len() - self.live_words(bounce), self.tile.words.len()),
            ),
        ];
        let mut grids = vec![pixels, words];
        grids.extend(self.ballot_of(bounce));
        self.push(name, sentence, grids, figures);
    }

    /// Votes for the word that has most of both answers, of those that were voted on.
    fn ballot_of(&self, bounce: usize) -> Option<Grid> {
        let mixed = |word: &&u32| {
            let ones = self.tile.flags(**word, bounce).count_ones();
            let voted = self.tile.flags(**word, bounce.saturating_sub(1)).count_ones();
            (ones.min(WORD - ones), voted)
        };
        let word = *self.tile.words.iter().filter(|word| mixed(word).1 > 0).max_by_key(mixed)?;
        let flags = self.tile.flags(word, bounce);
        if flags == 0 {
            return None;
        }
        let vote = |bit: u32| {
            let vote = flags >> bit & 1;
            let role = if vote == 1 { Role::Active } else { Role::Faded };
            Cell { text: vote.to_string(), ..self.cell(word * WORD + bit, role) }
        };
        let lanes = self.ballot.filter(|lanes| *lanes < WORD);
        let parts = lanes.map(|lanes| {
            let part = |part: u32| format!("{:x}", flags >> (part * lanes) & ((1 << lanes) - 1));
            format!(" = ballots {}", (0..WORD / lanes).map(part).collect::<Vec<_>>().join(", "))
        });
        let title = format!("Votes for word {word}, lane 0 at the left: {flags:#010x}{}", parts.unwrap_or_default());
        let grid = Grid::new(title, LANES_OF_WORD, (0..WORD).map(vote).collect());
        Some(grid.aspect(1.2).grouped(lanes.unwrap_or(WORD) as usize, 1).wide())
    }

    /// Items of the workgroups' threads, 32 of each.
    fn rows(&self, bounce: usize) -> Vec<Vec<u32>> {
        let items = |word: &u32| (word * WORD..(word + 1) * WORD).collect();
        let live = &self.tile.trace[bounce].live;
        match self.tile.trace[bounce].call.way {
            LANES => {
                let listed: Vec<u32> = (0..live.len() as u32).filter(|item| live[*item as usize]).collect();
                let is_here = |row: &&[u32]| row.iter().any(|item| self.places.contains_key(item));
                listed.chunks(LANES_OF_WORD).filter(is_here).map(<[u32]>::to_vec).collect()
            }
            LIVE_WORDS => {
                self.tile.words.iter().filter(|word| self.tile.flags(**word, bounce) != 0).map(items).collect()
            }
            _ => self.tile.words.iter().map(items).collect(),
        }
    }

    fn threads(&self, rows: &[Vec<u32>], role: impl Fn(u32) -> Role) -> Grid {
        let mut cells = Vec::new();
        for row in rows {
            cells.extend(row.iter().map(|item| self.cell(*item, role(*item))));
            cells.resize(cells.len().next_multiple_of(LANES_OF_WORD), Cell::default());
        }
        cells.resize(cells.len().next_multiple_of(ACROSS).max(ACROSS), Cell::default());
        Grid::new("Threads, a workgroup of 32 in each frame", ACROSS, cells).grouped(LANES_OF_WORD, 1)
    }

    /// How threads find the live pixels.
    fn find(&mut self, bounce: usize) {
        let call = self.tile.trace[bounce].call.clone();
        let rows = self.rows(bounce);
        let is_live = |item: u32| self.tile.trace[bounce].live[item as usize];
        let grid = self.threads(&rows, |item| if is_live(item) { Role::Idle } else { Role::Faded });
        let words = self.words(bounce, |_, flags| if flags == 0 { Role::Empty } else { Role::Active });
        let mut grids = vec![grid, words];
        grids.extend(self.workers(bounce));
        let sentence = self.finding(bounce, &call);
        let name = format!("Bounce {}: find the work ({})", bounce + 1, way_name(call.way));
        let all = &self.tile.trace[bounce].live;
        let words_live = all.chunks(LANES_OF_WORD).filter(|word| word.contains(&true)).count();
        let figures = vec![
            ("workgroups, whole picture", (call.groups[0] * call.groups[1]).to_string()),
            ("live words", format!("{words_live} of {}", self.tile.plan.words)),
            ("live pixels", call.lanes.to_string()),
        ];
        self.push(name, sentence, grids, figures);
    }

    fn finding(&self, bounce: usize, call: &Dispatch) -> String {
        let [all, live] = [self.tile.words.len(), self.live_words(bounce)];
        let empty = all - live;
        let groups = call.groups[0] * call.groups[1];
        let chosen = if self.tile.plan.way == AUTO { "The last workgroup before has chosen this: " } else { "" };
        let sentence = match call.way {
            _ if call.lanes == 0 => "No pixel of the whole picture is a mirror, and nothing is dispatched.".into(),
            LIVE_WORDS => format!(
                "words with a live pixel are on a list, and a workgroup is dispatched for each of these alone, {live} of this tile's {all}; the list has the order of its atomics, here that of the words."
            ),
            LANES => format!(
                "live pixels are on a list, and each takes a lane, so that all 32 of a workgroup have work; neighbours in a row need not be neighbours in the picture, and {} pixels of this tile take part.",
                self.alive(bounce)
            ),
            PERSISTENT => format!(
                "Workgroups stay, and each takes the next word from a counter until none is left, so that none waits for a slow one; {} took this tile's {all} words here, of which {empty} are 0 and cost a read and an atomic.",
                self.takers_of(bounce).len()
            ),
            FIXED_LOOP => format!(
                "Each of {groups} workgroups loops over eight words, without a counter; {empty} of this tile's {all} words are 0 and are skipped."
            ),
            _ => format!(
                "each word has a workgroup of 32 threads, which reads it first; {empty} of this tile's {all} words are 0, and their workgroups end at once, without a look at a ray."
            ),
        };
        let mut letters = sentence.chars();
        match (chosen, letters.next()) {
            ("", Some(first)) => first.to_uppercase().chain(letters).collect(),
            _ if call.lanes == 0 => sentence,
            _ => format!("{chosen}{sentence}"),
        }
    }

    /// Workgroups that took the tile's words on the GPU.
    fn takers_of(&self, bounce: usize) -> BTreeSet<u32> {
        let all = bounce * self.tile.plan.words as usize;
        self.tile.words.iter().filter_map(|word| self.takers.get(all + *word as usize).copied()).collect()
    }

    /// Which persistent workgroup, or which loop, took which word.
    fn workers(&self, bounce: usize) -> Option<Grid> {
        let call = &self.tile.trace[bounce].call;
        if !matches!(call.way, PERSISTENT | FIXED_LOOP) {
            return None;
        }
        let all = bounce * self.tile.plan.words as usize;
        let taken = self.tile.words.iter().map(|word| self.takers.get(all + *word as usize).copied());
        let mut takers: Vec<u32> = Vec::new();
        let mut rows: Vec<Option<usize>> = Vec::new();
        for taker in taken {
            let row = taker.and_then(|taker| {
                let known = takers.iter().position(|one| *one == taker);
                if known.is_none() && takers.len() < WORKERS {
                    takers.push(taker);
                    return Some(takers.len() - 1);
                }
                known
            });
            rows.push(row);
        }
        let columns = self.tile.words.len();
        let mut cells = vec![Cell::default(); columns * takers.len().max(1)];
        for (place, row) in rows.iter().enumerate() {
            let Some(row) = row else { continue };
            let flags = self.tile.flags(self.tile.words[place], bounce);
            let role = if flags == 0 { Role::Faded } else { Role::Active };
            let item = Some((self.tile.pixels.len() + place) as u32);
            cells[row * columns + place] = Cell { item, ..Cell::new(density(flags.count_ones()), "").role(role) };
        }
        let first: Vec<String> = takers.iter().take(6).map(u32::to_string).collect();
        let more = if takers.len() > first.len() { ", .." } else { "" };
        let title = format!(
            "Words in the order in which they were taken on this GPU, a row for a workgroup: {}{more}",
            first.join(", ")
        );
        Some(Grid::new(title, columns, cells).wide())
    }

    /// Rays of a bounce.
    fn trace(&mut self, bounce: usize) {
        let finishes = self.tile.trace[0].call.finishes;
        let rows = self.rows(if finishes { 0 } else { bounce });
        let rows: Vec<Vec<u32>> =
            rows.into_iter().filter(|row| row.iter().any(|item| self.is_alive(*item, bounce))).collect();
        let grid = self.threads(&rows, |item| match (self.is_alive(item, bounce), self.is_alive(item, bounce + 1)) {
            (true, true) => Role::Active,
            (true, false) => Role::Idle,
            (false, _) => Role::Faded,
        });
        let [now, then] = [bounce, bounce + 1].map(|bounce| self.alive(bounce));
        let is_last = bounce + 1 == self.tile.plan.depth as usize;
        let fate = match (then, is_last) {
            (_, true) => {
                format!("this is the last bounce that is allowed, and all {now} end, at a mirror with the sky's map")
            }
            (0, _) => format!("all {now} end at a surface or in the sky"),
            _ => format!(
                "{then} of {now} meet another mirror and go on, framed here, and the others end at a surface or in the sky"
            ),
        };
        let idle = match finishes {
            true if bounce > 0 => {
                "; a thread follows its pixel to the end, and lanes that have ended wait for the others of their workgroup"
            }
            true => "; a thread follows its pixel to the end within this dispatch",
            false => "",
        };
        let sentence = format!("Each live thread traces its ray: {fate}{idle}.");
        let lanes = rows.iter().flatten().filter(|item| self.is_alive(**item, bounce)).count();
        let part = 100.0 * lanes as f64 / (rows.len() * LANES_OF_WORD).max(1) as f64;
        let figures = vec![("rays", now.to_string()), ("lanes with work, of these workgroups", format!("{part:.0}%"))];
        self.push(format!("Bounce {}: trace", bounce + 1), sentence, vec![grid], figures);
    }

    /// The mask that a bounce leaves.
    fn vote(&mut self, bounce: usize) {
        let call = &self.tile.trace[bounce - 1].call;
        let empty = self.live_words(bounce - 1) - self.live_words(bounce);
        let emptied = match empty {
            1 => "1 word more is 0".to_owned(),
            n => format!("{n} words more are 0"),
        };
        let next = match self.tile.trace[bounce].call.way {
            LIVE_WORDS => ", and the others go on the list of the next bounce",
            LANES => {
                ", and those who go on take places on the list of the next bounce, by a count of the votes before theirs"
            }
            _ => "",
        };
        let sentence = match call.way {
            LANES => format!(
                "A thread whose ray has ended clears its bit by an atomic AND, since others work on the same word: {emptied}{next}."
            ),
            _ => format!(
                "The 32 threads of a word vote on who goes on, {}, and one stores it: {emptied}{next}.",
                self.how_joined()
            ),
        };
        self.masked(
            format!("Bounce {}: write the mask", if call.finishes { self.last_bounce() } else { bounce }),
            bounce,
            sentence,
        );
    }

    /// Number of the last bounce in which a ray of the tile is.
    fn last_bounce(&self) -> usize {
        (1..=self.tile.plan.depth as usize).take_while(|bounce| self.alive(bounce - 1) > 0).last().unwrap_or(1)
    }

    /// All masks, beside the GPU's.
    fn end(&mut self, compared: &MemoryComparison) {
        let (columns, stride) = (self.tile.words.len(), self.tile.stride());
        let wrong: BTreeSet<usize> = compared.differing.iter().map(|place| place / stride.max(1)).collect();
        let cell = |bounce: usize, place: usize| {
            let count = self.tile.flags(self.tile.words[place], bounce).count_ones();
            let role = match (wrong.contains(&(bounce * columns + place)), count) {
                (true, _) => Role::Wrong,
                (false, 0) => Role::Empty,
                (false, _) => Role::Idle,
            };
            let item = Some((self.tile.pixels.len() + place) as u32);
            Cell { text: count.to_string(), item, ..Cell::new(density(count), "").role(role) }
        };
        // A mask has whole rows.
        let rows = columns.div_ceil(ACROSS);
        let mut cells = Vec::new();
        for bounce in 0..self.tile.trace.len() {
            cells.extend((0..columns).map(|place| cell(bounce, place)));
            cells.resize(ACROSS * rows * (bounce + 1), Cell::default());
        }
        let title = "Words of the tile, a frame for the mask before each bounce and one for the end";
        let grid = Grid::new(title, ACROSS, cells).grouped(ACROSS, rows);
        let sentence = "The GPU has run the same bounces, and its masks, dispatches and lists are compared with these; words that differ are marked.";
        self.push("Compare with the GPU", sentence.into(), vec![grid], Vec::new());
    }
}

fn way_name(way: u32) -> &'static str {
    match way {
        LIVE_WORDS => "live words",
        LANES => "live pixels",
        PERSISTENT => "persistent workgroups",
        FIXED_LOOP => "eight words each",
        5 => "one dispatch",
        _ => "all words",
    }
}
