//! Times between marks in a frame.

use base::timing::{FrameTiming, PassId, PassTiming};

/// For each part of the pass `mark`: its name, and microseconds from the first timestamp after it to the last before
/// the next mark, over the passes selected by `counts`. `None` without times, and for the last mark.
pub fn between_marks<'t>(
    timing: &'t FrameTiming,
    mark: PassId,
    counts: impl Fn(&PassTiming) -> bool,
) -> Vec<(&'t str, f64)> {
    let marks = timing.passes.iter().enumerate().filter_map(|(at, pass)| Some((at, mark.part_of(pass)?)));
    let marks: Vec<_> = marks.collect();
    let time = |pair: &[(usize, &'t str)]| {
        let passes = timing.passes[pair[0].0 + 1..pair[1].0].iter().filter(|pass| counts(pass));
        let spans = passes.filter_map(|pass| Some((pass.gpu_start_us?, pass.gpu_start_us? + pass.gpu_us?)));
        let (from, to) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some((pair[0].1, to - from))
    };
    marks.windows(2).filter_map(time).collect()
}

#[cfg(any(test, feature = "fixtures"))]
pub fn pass(name: &str, from: f64, us: f64) -> PassTiming {
    PassTiming { name: name.into(), gpu_start_us: Some(from), gpu_us: Some(us), ..PassTiming::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_lasts_from_its_first_pass_to_its_last() {
        let passes = vec![
            pass("before", 0.0, 9.0),
            pass("m one", 10.0, 1.0),
            pass("a", 20.0, 5.0),
            pass("not this", 25.0, 90.0),
            pass("b", 130.0, 5.0),
            pass("m two", 140.0, 1.0),
            PassTiming { gpu_us: None, ..pass("c", 150.0, 0.0) },
            pass("m end", 160.0, 1.0),
            pass("d", 170.0, 5.0),
        ];
        let timing = FrameTiming { passes, ..FrameTiming::default() };
        assert_eq!(between_marks(&timing, PassId::new("m"), |pass| pass.name != "not this"), [("one", 115.0)]);
    }
}
