//! GPU time of a step: that of the pass that it is a part of.

use base::text::micros;
use technique::{Replay, ReplayStep};

/// GPU microseconds of a pass, where it was timed.
pub type Times<'a> = &'a dyn Fn(&str) -> Option<f64>;

#[derive(Debug, PartialEq)]
pub struct StepCost {
    /// The steps that take the time.
    pub of: String,
    pub us: String,
    pub hint: String,
}

impl StepCost {
    /// `None` if no pass of a frame does it.
    pub fn of(replay: &Replay, number: usize, times: Times<'_>) -> Option<Self> {
        let step = replay.steps.get(number).filter(|step| !step.passes.is_empty())?;
        let timed = |step: &ReplayStep| step.passes.iter().find_map(|pass| Some((pass.clone(), times(pass)?)));
        let Some((pass, us)) = timed(step) else {
            let hint = format!("No frame has timed {} yet", step.passes.join(" or "));
            return Some(Self { of: "GPU time".into(), us: "not timed".into(), hint });
        };
        let is_same = |at: &usize| timed(&replay.steps[*at]).is_some_and(|(other, _)| other == pass);
        let all: Vec<usize> = (0..replay.steps.len()).filter(is_same).collect();
        let range = |part: &[usize]| match part {
            [first, .., last] => format!("{} to {}", first + 1, last + 1),
            one => one.first().map(|one| (one + 1).to_string()).unwrap_or_default(),
        };
        let ranges: Vec<String> = all.chunk_by(|a, b| a + 1 == *b).map(range).collect();
        let of = match all.len() {
            ..=1 => "GPU time, whole picture".to_owned(),
            _ => format!("GPU time of steps {}, whole picture", ranges.join(", ")),
        };
        let hint = format!("Pass {pass}, for the whole picture, in a frame in which it ran");
        Some(Self { of, us: micros(us), hint })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_one_pass_have_its_time_together() {
        let step = |passes: &[&str]| ReplayStep {
            passes: passes.iter().map(|pass| (*pass).to_owned()).collect(),
            ..ReplayStep::default()
        };
        let two = || step(&["a/two"]);
        let steps = vec![step(&["a/one"]), step(&["a/two 2", "a/two"]), two(), step(&["a/three"]), step(&[]), two()];
        let replay = Replay { technique: "a", steps, ..Replay::default() };
        let times =
            |pass: &str| [("a/one", 2.0), ("a/two", 30.0)].into_iter().find(|(of, _)| *of == pass).map(|(_, us)| us);
        let of = |number| StepCost::of(&replay, number, &times).map(|cost| (cost.of, cost.us));
        assert_eq!(of(0), Some(("GPU time, whole picture".into(), micros(2.0))));
        for number in [1, 2, 5] {
            assert_eq!(of(number), Some(("GPU time of steps 2 to 3, 6, whole picture".into(), micros(30.0))));
        }
        assert_eq!(of(3), Some(("GPU time".into(), "not timed".into())));
        assert_eq!(of(4), None);
    }
}
