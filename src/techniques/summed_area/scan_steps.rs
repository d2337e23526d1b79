//! Steps of each scan: the words that each word is the sum of.

use super::passes::scan::Scan;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Zero,
    /// Word of the step before at this place.
    Previous(usize),
    Input(usize),
}

/// Operations at the same time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub title: &'static str,
    /// By place: what is added up there.
    pub terms: Vec<[Term; 2]>,
    /// Places of shared memory that the lanes access at the same time, one instruction after the other; none where
    /// values stay in registers.
    pub accesses: Vec<Vec<usize>>,
}

impl Step {
    fn new(title: &'static str, length: usize) -> Self {
        Self { title, terms: (0..length).map(|at| [Term::Previous(at), Term::Zero]).collect(), accesses: Vec::new() }
    }

    fn add(&mut self, to: usize, from: usize) {
        self.terms[to] = [Term::Previous(from), Term::Previous(to)];
    }

    /// By place: number of lanes that access the same bank at the same time; 1 without conflict, 0 without access.
    /// `padded`: a word is left out after every `banks` words.
    pub fn conflicts(&self, banks: usize, padded: bool) -> Vec<u32> {
        let bank = |at: usize| if padded { (at + at / banks) % banks } else { at % banks };
        let mut worst = vec![0; self.terms.len()];
        // As many lanes as banks at a time.
        for places in self.accesses.iter().flat_map(|places| places.chunks(banks)) {
            for &at in places {
                let mut same: Vec<_> = places.iter().filter(|other| bank(**other) == bank(at)).collect();
                same.sort_unstable();
                same.dedup();
                worst[at] = worst[at].max(same.len() as u32);
            }
        }
        worst
    }
}

/// The source document's flags, repeated.
pub(super) fn flags(length: usize) -> Vec<u32> {
    (0..length).map(|at| u32::from(matches!(at % 5, 0 | 2))).collect()
}

/// Words of a block in the pictures of scans by blocks and by tiles.
pub(super) const SMALL_BLOCK: usize = 4;

/// `length`: a power of two and at least 8.
pub(super) fn steps(scan: Scan, length: usize) -> Vec<Step> {
    match scan {
        Scan::HillisSteele => doubling(length, |_, _| true),
        Scan::KoggeStone => without_memory(doubling(length, |_, _| true)),
        Scan::LadnerFischer => without_memory(halves(length, length)),
        Scan::Blelloch => sweeps(length),
        Scan::Blocks => by_blocks(length),
        Scan::Segmented => doubling_with_flags(length),
        Scan::SinglePass => by_tiles(length),
    }
}

fn without_memory(mut steps: Vec<Step>) -> Vec<Step> {
    steps.iter_mut().for_each(|step| step.accesses.clear());
    steps
}

fn doubling(length: usize, allowed: impl Fn(usize, usize) -> bool) -> Vec<Step> {
    let backs = std::iter::successors(Some(1), |back| Some(back * 2)).take_while(|back| *back < length);
    let one = |back: usize| {
        let mut step = Step::new("add the word before", length);
        let lanes: Vec<_> = (back..length).filter(|at| allowed(*at, back)).collect();
        lanes.iter().for_each(|at| step.add(*at, at - back));
        step.accesses = vec![lanes.iter().map(|at| at - back).collect(), lanes];
        step
    };
    backs.map(one).collect()
}

/// Not across a flag: a sum that has met one is complete.
fn doubling_with_flags(length: usize) -> Vec<Step> {
    let flags = flags(length);
    // First word of the sum of each place.
    let begins: Vec<usize> = (0..length).map(|at| (0..=at).rev().find(|i| flags[*i] != 0).unwrap_or(0)).collect();
    doubling(length, |at, back| at - back >= begins[at])
}

/// Ladner and Fischer: the upper half of every group gets what the lower half ends with; in groups up to `most`.
fn halves(length: usize, most: usize) -> Vec<Step> {
    let sizes = std::iter::successors(Some(1), |half| Some(half * 2)).take_while(|half| *half < most);
    let one = |half: usize| {
        let mut step = Step::new("add the lower half's sum", length);
        let lanes: Vec<_> = (0..length).filter(|at| at & half != 0).collect();
        lanes.iter().for_each(|at| step.add(*at, (at & !(half - 1)) - 1));
        step.accesses = vec![lanes.iter().map(|at| (at & !(half - 1)) - 1).collect(), lanes];
        step
    };
    sizes.map(one).collect()
}

/// Blelloch: up, the root set to 0, down; then each word's own is added to what is before it.
pub(super) fn sweeps(length: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let pairs = |reach: usize| (reach - 1..length).step_by(2 * reach).map(move |left| (left, left + reach));
    let both =
        |reach: usize| vec![pairs(reach).map(|pair| pair.0).collect(), pairs(reach).map(|pair| pair.1).collect()];
    let mut reach = 1;
    while reach < length {
        let mut step = Step::new("up-sweep", length);
        pairs(reach).for_each(|(left, right)| step.add(right, left));
        step.accesses = both(reach);
        steps.push(step);
        reach *= 2;
    }
    let mut root = Step::new("clear the root", length);
    root.terms[length - 1] = [Term::Zero; 2];
    root.accesses = vec![vec![length - 1]];
    steps.push(root);
    while reach > 1 {
        reach /= 2;
        let mut step = Step::new("down-sweep", length);
        for (left, right) in pairs(reach) {
            step.terms[left] = [Term::Previous(right), Term::Zero];
            step.terms[right] = [Term::Previous(left), Term::Previous(right)];
        }
        step.accesses = both(reach);
        steps.push(step);
    }
    let mut own = Step::new("add own word", length);
    own.terms = (0..length).map(|at| [Term::Previous(at), Term::Input(at)]).collect();
    own.accesses = vec![(0..length).collect()];
    steps.push(own);
    steps
}

/// Blocks by themselves, their sums, and those added back.
fn by_blocks(length: usize) -> Vec<Step> {
    let mut steps = without_memory(serial(length));
    let ends: Vec<usize> = (SMALL_BLOCK - 1..length).step_by(SMALL_BLOCK).collect();
    let mut back = 1;
    while back < ends.len() {
        let mut step = Step::new("scan the blocks' sums", length);
        (back..ends.len()).for_each(|block| step.add(ends[block], ends[block - back]));
        step.accesses = vec![(back..ends.len()).map(|block| ends[block - back]).collect()];
        steps.push(step);
        back *= 2;
    }
    let mut step = Step::new("add the blocks before", length);
    let others = (SMALL_BLOCK..length).filter(|at| at % SMALL_BLOCK != SMALL_BLOCK - 1);
    others.for_each(|at| step.add(at, at / SMALL_BLOCK * SMALL_BLOCK - 1));
    steps.push(step);
    steps
}

fn serial(length: usize) -> Vec<Step> {
    let one = |nth: usize| {
        let mut step = Step::new("scan each block", length);
        (nth..length).step_by(SMALL_BLOCK).for_each(|at| step.add(at, at - 1));
        step
    };
    (1..SMALL_BLOCK).map(one).collect()
}

/// Tiles by themselves, at the same time; then each gets the sum of those before it.
fn by_tiles(length: usize) -> Vec<Step> {
    let mut steps = without_memory(halves(length, SMALL_BLOCK));
    for tile in (SMALL_BLOCK..length).step_by(SMALL_BLOCK) {
        let mut step = Step::new("look back a tile", length);
        (tile..tile + SMALL_BLOCK).for_each(|at| step.add(at, tile - 1));
        steps.push(step);
    }
    steps
}
