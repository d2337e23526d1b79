//! Steps of the work of a bounce: how threads find the live pixels, and what each tests first.

use super::{
    super::reference::stencil::Dispatch,
    steps::Steps,
    tile::{AUTO, FIXED_LOOP, LANES, LANES_OF_WORD, LIVE_WORDS, PERSISTENT, density},
};
use crate::uniforms::WORD;
use std::collections::BTreeSet;
use technique::{Cell, Grid, ReplayStep, Role};

const WORKERS: usize = 16;
const FEW: usize = 8;

impl Steps<'_> {
    pub(super) fn rows(&self, bounce: usize) -> Vec<Vec<u32>> {
        let items = |word: &u32| (word * WORD..(word + 1) * WORD).collect();
        match self.tile.trace[bounce].call.way {
            LANES => {
                let items = 0..self.tile.trace[bounce].live.len() as u32;
                let listed: Vec<u32> = items.filter(|item| self.tile.is_live(*item, bounce)).collect();
                let is_here = |row: &&[u32]| row.iter().any(|item| self.places.contains_key(item));
                listed.chunks(LANES_OF_WORD).filter(is_here).map(<[u32]>::to_vec).collect()
            }
            LIVE_WORDS => {
                self.tile.words.iter().filter(|word| self.tile.flags(**word, bounce) != 0).map(items).collect()
            }
            _ => self.tile.words.iter().map(items).collect(),
        }
    }

    pub(super) fn threads(&self, rows: &[Vec<u32>], role: impl Fn(u32) -> Role) -> Grid {
        let (is_few, across) = (rows.len() <= FEW, if rows.len() <= FEW { LANES_OF_WORD } else { 2 * LANES_OF_WORD });
        let mut cells = Vec::new();
        for row in rows {
            let role = |item: u32| if self.places.contains_key(&item) { role(item) } else { Role::Faded };
            cells.extend(row.iter().map(|item| self.cell(*item, role(*item))));
            cells.resize(cells.len().next_multiple_of(LANES_OF_WORD), Cell::default());
        }
        cells.resize(cells.len().next_multiple_of(across).max(across), Cell::default());
        let is_other = |item: &u32| !self.places.contains_key(item) && self.tile.bounces[*item as usize] > 0;
        let others = if rows.iter().flatten().any(is_other) { "; grey: pixels of other tiles" } else { "" };
        let title = format!("Threads; outlined: a workgroup of 32{others}");
        let grid = Grid { is_wide: is_few, ..Grid::new(title, across, cells) };
        grid.aspect(if is_few { 0.6 } else { 1.0 }).grouped(LANES_OF_WORD, 1)
    }

    pub(super) fn find(&mut self, bounce: usize) {
        let call = self.tile.trace[bounce].call.clone();
        let rows = self.rows(bounce);
        let is_live = |item: u32| self.tile.is_live(item, bounce);
        let grid = self.threads(&rows, |item| if is_live(item) { Role::Idle } else { Role::Faded });
        let words = self.words(bounce, |_, flags| if flags == 0 { Role::Empty } else { Role::Active });
        let mut grids = vec![grid, words];
        grids.extend(self.workers(bounce));
        let sentence = self.finding(bounce, &call);
        let name = format!("Bounce {}: find the work ({})", bounce + 1, way_name(call.way));
        let all = &self.tile.trace[bounce].live;
        let words_live = all.chunks(LANES_OF_WORD).filter(|word| word.contains(&true)).count();
        let [x, y, _] = call.groups;
        let needed = match call.way {
            LIVE_WORDS => call.words,
            LANES => call.lanes.div_ceil(WORD),
            FIXED_LOOP => self.tile.plan.words.div_ceil(8),
            PERSISTENT => self.tile.plan.words.min(self.tile.plan.workers),
            _ => self.tile.plan.words,
        };
        let dispatched = match x * y {
            0 => "none".to_owned(),
            all if all == needed => all.to_string(),
            all => format!("{needed}; {x} x {y} are dispatched, of which {} find no word", all - needed),
        };
        let figures = vec![
            ("workgroups, whole picture", dispatched),
            ("live words", format!("{words_live} of {}", self.tile.plan.words)),
            ("live pixels", call.lanes.to_string()),
        ];
        self.push_in_bounce(ReplayStep::new(name, sentence, grids).figures(figures), bounce);
    }

    fn finding(&self, bounce: usize, call: &Dispatch) -> String {
        let [all, live] = [self.tile.words.len(), self.live_words(bounce)];
        let empty = all - live;
        let groups = call.groups[0] * call.groups[1];
        let chosen = match (self.tile.plan.way == AUTO && call.lanes > 0, bounce) {
            (false, _) => "",
            (true, 0) => "Auto has chosen this way by the number of live pixels and words. ",
            (true, _) => {
                "Auto has chosen this way: the last workgroup of the bounce before counted the live pixels and words. "
            }
        };
        let sentence = match call.way {
            _ if call.lanes == 0 => "No pixel of the whole picture is a mirror, and nothing is dispatched.".into(),
            LIVE_WORDS => format!(
                "The words with a live pixel are on a list, and each of them has a workgroup: {live} of this tile's {all}. Workgroups append to the list by atomics, in another order each time; here it is sorted."
            ),
            LANES => format!(
                "The live pixels are on a list, and each has a thread, so that all 32 of a workgroup have work. Neighbours on the list can be far apart in the picture; {} are of this tile.",
                self.alive(bounce)
            ),
            PERSISTENT => format!(
                "Each workgroup takes the next word from a counter until none is left, so that none waits for a slow one. {} of them took this tile's {all} words here; {empty} of the words are 0 and cost an atomic and a read.",
                self.takers_of(bounce).len()
            ),
            FIXED_LOOP => format!(
                "Each of {groups} workgroups takes eight words in turn, without a counter. {empty} of this tile's {all} words are 0."
            ),
            _ => format!(
                "Each word has a workgroup of 32 threads, a thread for each pixel. {empty} of this tile's {all} words are 0."
            ),
        };
        format!("{chosen}{sentence}")
    }

    pub(super) fn test(&mut self, bounce: usize) {
        let call = self.tile.trace[bounce].call.clone();
        let rows = self.rows(bounce);
        let is_live = |item: u32| self.tile.is_live(item, bounce);
        let has_work = |row: &&Vec<u32>| row.iter().any(|item| is_live(*item));
        let busy: usize = rows.iter().map(|row| row.iter().filter(|item| is_live(**item)).count()).sum();
        let groups = rows.iter().filter(has_work).count();
        let (ended, idle) = (rows.len() - groups, LANES_OF_WORD * groups - busy);
        let grid = self.threads(&rows, |item| if is_live(item) { Role::Active } else { Role::Faded });
        let words = self.words(bounce, |_, flags| if flags == 0 { Role::Empty } else { Role::Idle });
        let read = match self.tile.stride() {
            1 => "Each thread reads the word of its workgroup and tests its own bit, word >> thread & 1",
            8 => "Each thread reads its own byte, and the 32 answers are joined to a word",
            _ => "Each thread reads its own flag of 32 bits, and the 32 answers are joined to a word",
        };
        let zero = match call.way {
            PERSISTENT | FIXED_LOOP => "If the word is 0, all 32 threads go on to the next word",
            _ => "If the word is 0, all 32 threads end",
        };
        let sentence = match call.way {
            LANES => format!(
                "Each thread reads its pixel from the list; no bit is tested. {idle} threads of these workgroups are beyond the end of the list."
            ),
            _ => format!(
                "{read}. {zero}: {ended} of {} here. A thread with a 0 in another word is idle until its workgroup ends: {idle} threads.",
                rows.len()
            ),
        };
        let figures = vec![
            ("workgroups with work", format!("{groups} of {}", rows.len())),
            ("threads with work in these", format!("{busy} of {}", LANES_OF_WORD * groups)),
        ];
        let what = if call.way == LANES { "read the list" } else { "test the stencil" };
        let name = format!("Bounce {}: {what}", bounce + 1);
        self.push_in_bounce(ReplayStep::new(name, sentence, vec![grid, words]).figures(figures), bounce);
    }

    fn takers_of(&self, bounce: usize) -> BTreeSet<u32> {
        let all = bounce * self.tile.plan.words as usize;
        self.tile.words.iter().filter_map(|word| self.takers.get(all + *word as usize).copied()).collect()
    }

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
