//! Steps of a tile: its pixels and words before, in and after each bounce.

use super::tile::{LANES, LANES_OF_WORD, LIVE_WORDS, Tile, color_of, density};
use crate::{
    passes::mask::{BOUNCES, MARK, pass_of},
    uniforms::WORD,
};
use std::collections::{BTreeMap, BTreeSet};
use technique::{Cell, Grid, MemoryComparison, ReplayStep, Role};

const WORDS_ACROSS: usize = 8;
pub(super) const OTHERS: [u8; 3] = [170, 172, 178];

pub struct Steps<'a> {
    pub(super) tile: Tile<'a>,
    /// Lanes of a ballot; `None` where words are assembled in shared memory.
    ballot: Option<u32>,
    pub(super) takers: &'a [u32],
    pub(super) places: BTreeMap<u32, usize>,
    passes_of: FramePasses,
    steps: Vec<ReplayStep>,
}

#[derive(Clone, Copy)]
pub enum FramePasses {
    Queues,
    Together,
    Apart,
}

impl<'a> Steps<'a> {
    pub fn new(tile: Tile<'a>, ballot: Option<u32>, takers: &'a [u32], passes_of: FramePasses) -> Self {
        let places = tile.pixels.iter().enumerate().map(|(place, item)| (*item, place)).collect();
        Self { tile, ballot, takers, places, passes_of, steps: Vec::new() }
    }

    pub fn all(mut self, compared: &MemoryComparison) -> Vec<ReplayStep> {
        self.mirrors();
        self.mark();
        let goes_on = self.tile.trace[0].call.finishes;
        for bounce in 0..self.tile.plan.depth as usize {
            let count = self.alive(bounce);
            if bounce == 0 || count > 0 && !goes_on {
                self.find(bounce);
            }
            if count > 0 && (bounce == 0 || !goes_on) {
                self.test(bounce);
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

    pub(super) fn alive(&self, bounce: usize) -> usize {
        self.tile.pixels.iter().filter(|item| self.is_alive(**item, bounce)).count()
    }

    pub(super) fn is_alive(&self, item: u32, bounce: usize) -> bool {
        self.tile.bounces[item as usize] as usize > bounce
    }

    pub(super) fn live_words(&self, bounce: usize) -> usize {
        self.tile.words.iter().filter(|word| self.tile.flags(**word, bounce) != 0).count()
    }

    pub(super) fn push_in_bounce(&mut self, step: ReplayStep, bounce: usize) {
        let passes = match self.passes_of {
            FramePasses::Queues => Vec::new(),
            FramePasses::Together => vec![BOUNCES.into()],
            FramePasses::Apart => vec![pass_of(bounce as u32), BOUNCES.into()],
        };
        self.steps.push(ReplayStep { passes, ..step });
    }

    pub(super) fn cell(&self, item: u32, role: Role) -> Cell {
        let bounces = self.tile.bounces[item as usize];
        let role = if bounces == 0 { Role::Empty } else { role };
        match self.places.get(&item) {
            Some(place) => Cell { item: Some(*place as u32), ..Cell::new(color_of(bounces), "").role(role) },
            None => Cell::new(OTHERS, "").role(role),
        }
    }

    fn pixels(&self, role: impl Fn(u32) -> Role) -> Grid {
        let cells = self.tile.pixels.iter().map(|item| self.cell(*item, role(*item))).collect();
        let grid = Grid::new("Pixels of the tile, by number of bounces", self.tile.columns, cells);
        match self.tile.plan.mapping {
            1 => Grid { title: format!("{}; outlined: a word", grid.title), ..grid }.grouped(8, 4),
            _ => self.outlined(grid),
        }
    }

    fn outlined(&self, mut grid: Grid) -> Grid {
        grid.title += "; outlined: a word, or its part here";
        for (row, items) in self.tile.pixels.chunks(self.tile.columns).enumerate() {
            let mut first = 0;
            for part in items.chunk_by(|a, b| a / WORD == b / WORD) {
                grid.outlines.push([first, row, part.len(), 1]);
                first += part.len();
            }
        }
        grid
    }

    pub(super) fn words(&self, bounce: usize, role: impl Fn(usize, u32) -> Role) -> Grid {
        let cell = |(place, word): (usize, &u32)| {
            let flags = self.tile.flags(*word, bounce);
            let text = flags.count_ones().to_string();
            let item = Some((self.tile.pixels.len() + place) as u32);
            Cell { text, item, ..Cell::new(density(flags.count_ones()), "").role(role(place, flags)) }
        };
        let cells = self.tile.words.iter().enumerate().map(cell).collect();
        Grid::new("Words of the mask: number of live pixels, bright: 32", WORDS_ACROSS, cells).aspect(1.6)
    }

    fn mirrors(&mut self) {
        let count = self.alive(0);
        let all = self.tile.pixels.len();
        let grid = self.pixels(|_| Role::Idle).ungrouped();
        let grid = Grid { title: "Pixels of the tile, by number of bounces".into(), ..grid };
        let sentence = format!(
            "The shading has left out the light of {count} of this tile's {all} pixels, which are mirrors. Each of them will trace a ray, as often as it meets another mirror. No pixel knows yet how often that is."
        );
        let most = self.tile.pixels.iter().map(|item| self.tile.bounces[*item as usize]).max().unwrap_or_default();
        let figures = vec![("mirrors", count.to_string()), ("most bounces of a pixel", most.to_string())];
        let legend = (1..=most.max(1)).map(|bounces| Cell::new(color_of(bounces), bounces.to_string()));
        let legend = Grid::new("Colours: number of bounces", most.max(1) as usize, legend.collect()).aspect(1.6);
        self.steps.push(ReplayStep::new("Mirrors of the tile", sentence, vec![grid, legend]).figures(figures));
    }

    fn mark(&mut self) {
        let [all, live] = [self.tile.words.len(), self.live_words(0)];
        let sentence = format!(
            "32 threads test whether their pixels are mirrors. Their answers become the bits of a word, {}. {} of {all} words are 0 from the start.",
            self.how_joined(),
            all - live
        );
        let step = self.masked("Mark the mirrors", 0, sentence);
        self.steps.push(step.passes([MARK.as_ref()]));
    }

    fn how_joined(&self) -> String {
        match self.ballot {
            Some(WORD) => "by one ballot of a subgroup of 32".into(),
            Some(lanes) if lanes < WORD => {
                format!(
                    "by {} ballots of subgroups of {lanes}, moved to their places and joined in shared memory",
                    WORD / lanes
                )
            }
            _ => "each set by an atomic OR in shared memory".into(),
        }
    }

    fn masked(&self, name: impl Into<String>, bounce: usize, sentence: String) -> ReplayStep {
        let before = bounce.saturating_sub(1);
        let pixels = self.pixels(|item| if self.tile.is_live(item, bounce) { Role::Idle } else { Role::Faded });
        let words = self.words(bounce, |place, flags| {
            let had = self.tile.flags(self.tile.words[place], before);
            match (flags, had == flags) {
                (0, _) => Role::Empty,
                (_, true) => Role::Idle,
                (_, false) => Role::Active,
            }
        });
        let live = self.tile.pixels.iter().filter(|item| self.tile.is_live(**item, bounce)).count();
        let all = self.tile.words.len();
        let figures = vec![
            ("live pixels", live.to_string()),
            ("words that are 0", format!("{} of {all}", all - self.live_words(bounce))),
        ];
        let mut grids = vec![pixels, words];
        grids.extend(self.ballot_of(bounce));
        ReplayStep::new(name, sentence, grids).figures(figures)
    }

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
        let title = format!("Votes for word {word}, thread 0 at the left: {flags:#010x}{}", parts.unwrap_or_default());
        let grid = Grid::new(title, LANES_OF_WORD, (0..WORD).map(vote).collect());
        Some(grid.aspect(1.2).grouped(lanes.unwrap_or(WORD) as usize, 1).wide())
    }

    fn trace(&mut self, bounce: usize) {
        let finishes = self.tile.trace[0].call.finishes;
        let rows = self.rows(if finishes { 0 } else { bounce });
        let rows: Vec<Vec<u32>> =
            rows.into_iter().filter(|row| row.iter().any(|item| self.is_alive(*item, bounce))).collect();
        let role = |item: u32| match (self.is_alive(item, bounce), self.is_alive(item, bounce + 1)) {
            (true, true) => Role::Active,
            (true, false) => Role::Idle,
            (false, _) => Role::Faded,
        };
        let threads = self.threads(&rows, role);
        let mut pixels = self.pixels(role).ungrouped();
        pixels.title = "Pixels of the tile".into();
        pixels.cells.iter_mut().for_each(|cell| cell.item = None);
        let [now, then] = [bounce, bounce + 1].map(|bounce| self.alive(bounce));
        let fate = if bounce + 1 == self.tile.plan.depth as usize {
            format!("This is the last bounce that is allowed: all {now} end, at a mirror with the sky's map")
        } else if then == 0 {
            format!("All {now} end at a surface or in the sky")
        } else {
            format!(
                "{then} of {now} meet another mirror and go on, framed here; the others end at a surface or in the sky"
            )
        };
        let idle = match finishes {
            true if bounce > 0 => {
                " A thread follows its pixel to the end; threads that have ended wait for the others of their workgroup."
            }
            true => " A thread follows its pixel to the end within this dispatch.",
            false => "",
        };
        let sentence = format!("Each live pixel's thread traces its ray. {fate}.{idle}");
        let busy = rows.iter().flatten().filter(|item| self.is_alive(**item, bounce)).count();
        let part = 100.0 * busy as f64 / (rows.len() * LANES_OF_WORD).max(1) as f64;
        let figures = vec![
            ("rays of this tile", now.to_string()),
            ("threads with work, of these workgroups", format!("{part:.0}%")),
        ];
        let name = format!("Bounce {}: trace", bounce + 1);
        let step = ReplayStep::new(name, sentence, vec![threads, pixels]).figures(figures);
        self.push_in_bounce(step, bounce);
    }

    fn vote(&mut self, bounce: usize) {
        let call = &self.tile.trace[bounce - 1].call;
        let empty = self.live_words(bounce - 1) - self.live_words(bounce);
        let emptied = match empty {
            1 => "1 more word of this tile is 0".to_owned(),
            n => format!("{n} more words of this tile are 0"),
        };
        let next = match self.tile.trace[bounce].call.way {
            LIVE_WORDS => " Words that are not 0 go on the list of the next bounce.",
            LANES => {
                " Pixels that go on are appended to the list of the next bounce: one atomic add reserves places for the workgroup, and the votes of lower threads are counted for the place of each."
            }
            _ => "",
        };
        let sentence = match call.way {
            LANES => format!(
                "A thread whose ray has ended clears its bit by an atomic AND, since threads of other workgroups work on the same word. {emptied}.{next}"
            ),
            _ => format!(
                "The 32 threads of a word vote on who goes on, {}, and one of them stores the word. {emptied}.{next}",
                self.how_joined()
            ),
        };
        let last = if call.finishes { self.last_bounce() } else { bounce };
        let step = self.masked(format!("Bounce {last}: write the mask"), bounce, sentence);
        self.push_in_bounce(step, bounce - 1);
    }

    fn last_bounce(&self) -> usize {
        (1..=self.tile.plan.depth as usize).take_while(|bounce| self.alive(bounce - 1) > 0).last().unwrap_or(1)
    }

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
            let is_last = bounce + 1 == self.tile.trace.len();
            let item = is_last.then(|| (self.tile.pixels.len() + place) as u32);
            Cell { text: count.to_string(), item, ..Cell::new(density(count), "").role(role) }
        };
        let grid = |bounce: usize| {
            let title = match bounce + 1 == self.tile.trace.len() {
                true => "Words after the last bounce".to_owned(),
                false => format!("Words before bounce {}", bounce + 1),
            };
            Grid::new(title, WORDS_ACROSS, (0..columns).map(|place| cell(bounce, place)).collect()).aspect(1.6)
        };
        let grids = (0..self.tile.trace.len()).map(grid).collect();
        let sentence = "The GPU has run the same bounces. Its masks, dispatches and lists are compared with these; words that differ are marked.";
        self.steps.push(ReplayStep::compared(sentence, grids));
    }
}
