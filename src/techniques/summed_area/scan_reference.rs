//! CPU reference of scans: plain sums, and each algorithm step by step, with the words that each word is made from.

use super::scan::Scan;

/// Modulo 2^32; sums restart at words whose flag is not 0. Flags may be missing.
pub(super) fn segmented(values: &[u32], flags: &[u32]) -> Vec<u32> {
    let mut sum = 0u32;
    let next = |(at, value): (usize, &u32)| {
        let begins = flags.get(at).is_some_and(|flag| *flag != 0);
        sum = if begins { *value } else { sum.wrapping_add(*value) };
        sum
    };
    values.iter().enumerate().map(next).collect()
}

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
fn sweeps(length: usize) -> Vec<Step> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The source document's example.
    const SOURCE: [u32; 8] = [3, 1, 7, 0, 4, 1, 6, 3];

    /// Words after every step, the input first.
    fn replay(steps: &[Step], input: &[u32]) -> Vec<Vec<u32>> {
        let mut all = vec![input.to_vec()];
        for step in steps {
            let values = &all[all.len() - 1];
            let value = |term: &Term| match *term {
                Term::Zero => 0,
                Term::Previous(at) => values[at],
                Term::Input(at) => input[at],
            };
            let next = step.terms.iter().map(|[a, b]| value(a).wrapping_add(value(b))).collect();
            all.push(next);
        }
        all
    }

    #[test]
    fn every_scan_ends_with_the_sums() {
        for length in [8, 16, 64] {
            let input: Vec<u32> = (0..length as u32).map(|at| at.wrapping_mul(0x9E37_79B9) >> 3).collect();
            for scan in Scan::ALL {
                let all = replay(&steps(*scan, length), &input);
                let flags = if *scan == Scan::Segmented { flags(length) } else { vec![] };
                assert_eq!(all[all.len() - 1], segmented(&input, &flags), "{scan:?} of {length}");
            }
        }
    }

    #[test]
    fn sweeps_are_those_of_the_source() {
        let all = replay(&sweeps(8), &SOURCE);
        assert_eq!(all[3], [3, 4, 7, 11, 4, 5, 6, 25], "up");
        assert_eq!(all[4][7], 0, "root");
        assert_eq!(all[7], [0, 3, 4, 11, 11, 15, 16, 22], "down");
        assert_eq!(all[8], segmented(&SOURCE, &[]));
    }

    #[test]
    fn steps_and_additions_are_as_many_as_the_books_say() {
        let count = |scan| {
            let all = steps(scan, 32);
            let is_sum = |terms: &&[Term; 2]| terms[1] != Term::Zero;
            (all.len(), all.iter().map(|step| step.terms.iter().filter(is_sum).count()).sum::<usize>())
        };
        assert_eq!(count(Scan::KoggeStone), (5, 31 + 30 + 28 + 24 + 16));
        assert_eq!(count(Scan::LadnerFischer), (5, 5 * 16));
        // 31 up, 31 down, and each one's own.
        assert_eq!(count(Scan::Blelloch), (5 + 1 + 5 + 1, 31 + 31 + 32));
    }

    #[test]
    fn a_gap_takes_the_conflicts_away() {
        let all = sweeps(32);
        let worst = |step: &Step, padded| step.conflicts(8, padded).into_iter().max().unwrap_or(0);
        // Of eight banks those at a distance of 2, 4, 8 and 16.
        assert_eq!(all.iter().take(4).map(|step| worst(step, false)).collect::<Vec<_>>(), [2, 4, 4, 2]);
        assert!(all.iter().all(|step| worst(step, true) <= 2));
        assert!(steps(Scan::KoggeStone, 32).iter().all(|step| worst(step, false) == 0), "registers have no banks");
    }

    #[test]
    fn flags_are_held_wherever_they_are() {
        let values = [5, 6, 7, 8];
        assert_eq!(segmented(&values, &[1, 0, 1, 0]), [5, 11, 7, 15]);
        assert_eq!(segmented(&values, &[0, 0, 0, 1]), [5, 11, 18, 8]);
        assert_eq!(segmented(&values, &[0; 4]), segmented(&values, &[]));
        assert_eq!(segmented(&values, &[9; 4]), values);
        assert_eq!(segmented(&[u32::MAX, 2], &[]), [u32::MAX, 1]);
    }
}
