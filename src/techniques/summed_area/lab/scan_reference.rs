//! CPU reference of scans: plain sums; every scan's steps end with them.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        passes::scan::Scan,
        scan_steps::{Step, Term, flags, steps, sweeps},
    };

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
}
