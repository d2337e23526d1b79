//! Alternatives that are timed in turns: samples, when they suffice, and the verdict.

use crate::base::{stats::Quartiles, text::micros};
use std::time::{Duration, Instant};

/// Rounds before there is a verdict, and in how many of them one after another the samples must suffice. Simulated with uniform noise of ±80 % and
/// with log-normal noise of sigma 0.5, two equal alternatives get a verdict in less than 1 % of the runs; at the first of 8 rounds or more in which
/// the quartiles are apart it would be 10 %.
pub const ROUNDS_LEAST: usize = 12;
const ROUNDS_CLEAR: usize = 4;
/// Rounds after which there are no more.
const ROUNDS_MOST: usize = 64;
/// Time after the first sample, and after the request, in which there are rounds.
const LONGEST: Duration = Duration::from_secs(40);
const LONGEST_IN_ALL: Duration = Duration::from_secs(120);
/// Samples without a time after which a device is taken to have none.
const WITHOUT_TIME: usize = 32;
/// Quartiles this close to the median, as a part of it, need no more rounds.
const SETTLED: f64 = 0.05;

/// Results of this PSNR or more, dB, look like what they should.
const GOOD_DB: f64 = 40.0;

/// What the rounds are to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Which alternative is the fastest.
    Fastest,
    /// How long each takes.
    Settled,
}

/// How a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Quartiles are apart, or close to their medians.
    Clear,
    /// At the limit of rounds or time.
    Limit,
    /// On request.
    Stopped,
    /// The device gives no times.
    NoTimes,
}

/// State of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Progress {
    /// Nothing was asked for.
    #[default]
    Idle,
    /// It runs: rounds so far, and which part of its limits is used up.
    Running {
        /// Rounds of which every alternative has a sample.
        rounds: usize,
        /// From 0 to 1.
        part: f32,
    },
    /// It has ended.
    Done {
        /// Rounds that count.
        rounds: usize,
        /// Why.
        end: End,
    },
}

/// One of what is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alternative {
    /// As in settings.
    pub name: String,
    /// The device uses another one for it: it is timed, and no part of the verdict.
    pub is_substitute: bool,
    us: Vec<f64>,
}

impl Alternative {
    /// `name` as in settings.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// `is_substitute`: the device uses another one for it.
    #[must_use]
    pub fn substitute(mut self, is_substitute: bool) -> Self {
        self.is_substitute = is_substitute;
        self
    }

    /// Median and quartiles of its times, microseconds.
    #[must_use]
    pub fn times(&self) -> Option<Quartiles> {
        Quartiles::of(&self.us)
    }
}

/// What was found, in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The sentence.
    pub text: String,
    /// Whether what was asked for pays, where that is known.
    pub pays: Option<bool>,
}

impl Answer {
    /// Of what neither pays nor does not.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), pays: None }
    }
}

/// Times alternatives in turns until their quartiles are apart or a limit is reached. It is an action: it is requested, runs, and ends by itself or
/// on request. Frames record rounds while [`is_active`](Self::is_active).
#[derive(Clone, Debug)]
pub struct Comparison {
    goal: Goal,
    progress: Progress,
    requested: Option<Instant>,
    first: Option<Instant>,
    /// Size and state of what is measured.
    subject: String,
    /// What else the samples depend on.
    key: String,
    alternatives: Vec<Alternative>,
    turns: usize,
    without_time: usize,
    /// Rounds at the last check, and how many checks of new rounds ago the samples began to suffice.
    checked: usize,
    clear: usize,
}

impl Comparison {
    /// Nothing is measured before [`request`](Self::request).
    #[must_use]
    pub fn new(goal: Goal) -> Self {
        let (progress, subject, key, alternatives) = Default::default();
        let (turns, without_time, checked, clear) = Default::default();
        Self {
            goal,
            progress,
            requested: None,
            first: None,
            subject,
            key,
            alternatives,
            turns,
            without_time,
            checked,
            clear,
        }
    }

    /// Starts, or starts over.
    pub fn request(&mut self, now: Instant) {
        *self = Self::new(self.goal);
        self.progress = Progress::Running { rounds: 0, part: 0.0 };
        self.requested = Some(now);
    }

    /// Ends it with the samples that there are.
    pub fn stop(&mut self) {
        self.end(End::Stopped);
    }

    /// Whether frames are to record rounds.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(self.progress, Progress::Running { .. })
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Size and state of what is measured: samples of anything else do not count any more.
    pub fn set_subject(&mut self, subject: &str) {
        if self.is_active() && self.subject != subject {
            self.subject = subject.to_owned();
            self.forget_samples();
        }
    }

    /// Size and state of what was measured.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Before each round: what is compared, and what else the samples depend on. True where that is not what it was: nothing is measured of it
    /// yet.
    pub fn begin(&mut self, key: &str, alternatives: Vec<Alternative>) -> bool {
        let names = |all: &[Alternative]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        let is_other = self.key != key || names(&self.alternatives) != names(&alternatives);
        if is_other {
            (self.key, self.alternatives) = (key.to_owned(), alternatives);
            (self.without_time, self.checked, self.clear) = (0, 0, 0);
        }
        is_other
    }

    fn forget_samples(&mut self) {
        self.alternatives.iter_mut().for_each(|one| one.us.clear());
        (self.checked, self.clear) = (0, 0);
    }

    /// Which alternative has its turn now, where a frame times only one.
    pub fn turn(&mut self) -> usize {
        self.turns += 1;
        (self.turns - 1) % self.alternatives.len().max(1)
    }

    /// A sample of an alternative, microseconds; nothing where the device gave none.
    pub fn add(&mut self, alternative: usize, us: Option<f64>) {
        if !self.is_active() {
            return;
        }
        match (us.filter(|us| us.is_finite()), self.alternatives.get_mut(alternative)) {
            (Some(us), Some(one)) => one.us.push(us),
            _ => self.without_time += 1,
        }
    }

    /// After each round: ends it where the samples suffice, or a limit is reached.
    pub fn check(&mut self, now: Instant) {
        if !self.is_active() {
            return;
        }
        let rounds = self.rounds();
        if self.first.is_none() && self.alternatives.iter().any(|one| !one.us.is_empty()) {
            self.first = Some(now);
        }
        let part_of = |since: Option<Instant>, whole: Duration| {
            let elapsed = since.map_or(Duration::ZERO, |then| now.saturating_duration_since(then));
            elapsed.as_secs_f32() / whole.as_secs_f32()
        };
        let timed = part_of(self.first, LONGEST).max(part_of(self.requested, LONGEST_IN_ALL));
        let part = timed.max(rounds as f32 / ROUNDS_MOST as f32).min(1.0);
        self.progress = Progress::Running { rounds, part };
        if std::mem::replace(&mut self.checked, rounds) != rounds && rounds + ROUNDS_CLEAR > ROUNDS_LEAST {
            self.clear = if self.suffices() { self.clear + 1 } else { 0 };
        }
        if rounds >= ROUNDS_LEAST && self.clear >= ROUNDS_CLEAR {
            self.end(End::Clear);
        } else if self.without_time >= WITHOUT_TIME && self.alternatives.iter().all(|one| one.us.is_empty()) {
            self.end(End::NoTimes);
        } else if part >= 1.0 {
            self.end(End::Limit);
        }
    }

    fn end(&mut self, end: End) {
        if self.is_active() {
            self.progress = Progress::Done { rounds: self.rounds(), end };
        }
    }

    /// Rounds of which every alternative has a sample.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.alternatives.iter().map(|one| one.us.len()).min().unwrap_or(0)
    }

    fn suffices(&self) -> bool {
        match self.goal {
            Goal::Fastest => self.fastest(&|_| true).is_some_and(|(_, rivals)| rivals.is_empty()),
            Goal::Settled => {
                let is_settled = |times: Quartiles| times.high - times.low <= 2.0 * SETTLED * times.median;
                self.alternatives.iter().filter_map(Alternative::times).all(is_settled)
            }
        }
    }

    /// What is compared.
    #[must_use]
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// Of the alternatives that count the one with the least median, and those whose quartiles are not apart from its; nothing while one of them has
    /// no times.
    fn fastest(&self, counts: &dyn Fn(usize) -> bool) -> Option<(usize, Vec<usize>)> {
        let counts = self.alternatives.iter().enumerate().filter(|(index, one)| counts(*index) && !one.is_substitute);
        let all: Vec<(usize, Quartiles)> =
            counts.map(|(index, one)| Some((index, one.times()?))).collect::<Option<_>>()?;
        let (best, times) = *all.iter().min_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
        let rivals = all.iter().filter(|(index, other)| *index != best && times.overlaps(other));
        Some((best, rivals.map(|(index, _)| *index).collect()))
    }

    /// Median and quartiles of how much longer `a` takes than `b` in the same round.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Option<Quartiles> {
        let (a, b) = (self.alternatives.get(a)?, self.alternatives.get(b)?);
        Quartiles::of(&a.us.iter().zip(&b.us).map(|(a, b)| a - b).collect::<Vec<_>>())
    }

    /// Whether the quartiles of two alternatives are apart; nothing before there are enough rounds.
    #[must_use]
    pub fn are_apart(&self, a: usize, b: usize) -> Option<bool> {
        let times = |index: usize| self.alternatives.get(index)?.times();
        let (a, b) = (times(a)?, times(b)?);
        (self.rounds() >= ROUNDS_LEAST).then(|| !a.overlaps(&b))
    }

    /// The sentence that says why there is no verdict, where there is none.
    #[must_use]
    pub fn no_verdict(&self) -> Option<Answer> {
        let text = match self.progress {
            Progress::Idle | Progress::Running { .. } => "Measuring ...",
            Progress::Done { end: End::NoTimes, .. } => "This device gives no times.",
            Progress::Done { rounds, end: End::Stopped } if rounds < ROUNDS_LEAST => {
                "Stopped before there was a verdict."
            }
            Progress::Done { rounds, .. } if rounds < ROUNDS_LEAST => "Too few rounds in the time: no verdict.",
            Progress::Done { .. } => return None,
        };
        Some(Answer::plain(text))
    }

    /// Which alternative is the fastest; `title` of a name.
    #[must_use]
    pub fn verdict(&self, title: &dyn Fn(&str) -> String) -> Answer {
        self.no_verdict().unwrap_or_else(|| Answer::plain(self.sentence("", &|_| true, title)))
    }

    /// The same, and which is the fastest of those whose quality, dB, is good.
    #[must_use]
    pub fn verdict_of_quality(&self, title: &dyn Fn(&str) -> String, quality_db: &[f64]) -> Answer {
        let mut answer = self.verdict(title);
        let is_good = |index: usize| quality_db.get(index).is_some_and(|db| *db >= GOOD_DB);
        let good = (0..self.alternatives.len()).filter(|index| is_good(*index)).count();
        if self.no_verdict().is_none() && good > 0 && good < self.alternatives.len() {
            let among = format!("Of those of {GOOD_DB:.0} dB or more: ");
            answer.text = format!("{} {}", answer.text, self.sentence(&among, &is_good, title));
        }
        answer
    }

    fn sentence(&self, among: &str, counts: &dyn Fn(usize) -> bool, title: &dyn Fn(&str) -> String) -> String {
        let Some((best, rivals)) = self.fastest(counts) else { return format!("{among}no times.") };
        let name = |index: usize| title(&self.alternatives[index].name);
        let times = self.alternatives[best].times().map_or(String::new(), |times| spread(&times));
        let noisy = if among.is_empty() { "Too noisy to tell which is fastest" } else { "too noisy to tell" };
        match rivals.len() {
            0 => format!("{among}{} is fastest, {times}.", name(best)),
            1..=2 => {
                let names: Vec<String> = std::iter::once(best).chain(rivals).map(name).collect();
                format!("{among}{noisy}, {}.", names.join(", "))
            }
            more => format!("{among}{noisy}, {} and {more} others overlap.", name(best)),
        }
    }
}

/// Median and quartiles of a time: `12.3 ms (11.9 ms to 12.8 ms)`.
#[must_use]
pub fn spread(us: &Quartiles) -> String {
    format!("{} ({} to {})", micros(us.median), micros(us.low), micros(us.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Vec<Alternative> {
        ["one", "two"].map(Alternative::new).to_vec()
    }

    /// Rounds of times with this spread, in percent of their means.
    fn run(means: [f64; 2], spread: f64) -> Comparison {
        let mut comparison = Comparison::new(Goal::Fastest);
        let start = Instant::now();
        comparison.request(start);
        let mut noise = 12_345_u32;
        for round in 0..1000_u32 {
            if !comparison.is_active() {
                break;
            }
            comparison.begin("", two());
            for (index, mean) in means.into_iter().enumerate() {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let part = f64::from(noise >> 8) / f64::from(1 << 24) * 2.0 - 1.0;
                comparison.add(index, Some(mean * (1.0 + 0.01 * spread * part)));
            }
            comparison.check(start + Duration::from_millis(u64::from(10 * round)));
        }
        comparison
    }

    fn said(comparison: &Comparison) -> String {
        comparison.verdict(&|name| name.to_owned()).text
    }

    #[test]
    fn clear_times_end_it_soon_and_noisy_ones_have_no_verdict() {
        let clear = run([100.0, 150.0], 5.0);
        assert_eq!(clear.progress(), Progress::Done { rounds: ROUNDS_LEAST, end: End::Clear });
        assert!(said(&clear).starts_with("one is fastest, "), "{}", said(&clear));
        assert_eq!(clear.are_apart(0, 1), Some(true));
        let difference = clear.difference(1, 0).unwrap();
        assert!((40.0..60.0).contains(&difference.median) && difference.low > 0.0);
        let noisy = run([100.0, 101.0], 60.0);
        assert_eq!(noisy.progress(), Progress::Done { rounds: ROUNDS_MOST, end: End::Limit });
        assert!(said(&noisy).starts_with("Too noisy to tell which is fastest, "), "{}", said(&noisy));
        assert_eq!(noisy.are_apart(0, 1), Some(false));
    }

    /// The same two alternatives never get opposite verdicts, however noisy the machine.
    #[test]
    fn verdicts_never_contradict_each_other() {
        for spread in [0.0, 1.0, 5.0, 20.0, 40.0, 80.0] {
            for (means, right) in [([100.0, 130.0], "one is"), ([130.0, 100.0], "two is"), ([100.0, 100.0], "none")] {
                let said = said(&run(means, spread));
                let is_noisy = said.starts_with("Too noisy");
                assert!(is_noisy || said.starts_with(right) || spread == 0.0 && right == "none", "{spread}: {said}");
            }
        }
    }

    #[test]
    fn the_fastest_of_good_quality_is_named_too() {
        let comparison = run([100.0, 150.0], 5.0);
        let said = |quality_db: &[f64]| comparison.verdict_of_quality(&|name| name.to_owned(), quality_db).text;
        assert!(said(&[20.0, 60.0]).contains("Of those of 40 dB or more: two is fastest, "), "{}", said(&[20.0, 60.0]));
        for none_or_all in [[20.0, 20.0], [60.0, 60.0]] {
            assert!(!said(&none_or_all).contains("Of those"));
        }
    }

    #[test]
    fn it_can_be_stopped_and_requested_again() {
        let mut comparison = Comparison::new(Goal::Fastest);
        assert!(!comparison.is_active());
        let start = Instant::now();
        comparison.add(0, Some(1.0));
        assert_eq!(comparison.rounds(), 0, "nothing was asked for");
        comparison.request(start);
        assert!(comparison.begin("k", two()) && !comparison.begin("k", two()));
        (0..2).for_each(|index| comparison.add(index, Some(7.0)));
        comparison.check(start);
        assert!(matches!(comparison.progress(), Progress::Running { rounds: 1, .. }));
        comparison.stop();
        assert_eq!(comparison.progress(), Progress::Done { rounds: 1, end: End::Stopped });
        assert_eq!(said(&comparison), "Stopped before there was a verdict.");
        comparison.stop();
        comparison.request(start);
        assert_eq!((comparison.rounds(), comparison.progress()), (0, Progress::Running { rounds: 0, part: 0.0 }));
    }

    #[test]
    fn samples_of_another_subject_do_not_count_and_time_ends_it() {
        let mut comparison = Comparison::new(Goal::Fastest);
        let start = Instant::now();
        comparison.request(start);
        comparison.set_subject("small");
        comparison.begin("", two());
        comparison.add(0, Some(1.0));
        comparison.set_subject("large");
        assert!(comparison.alternatives().iter().all(|one| one.times().is_none()));
        comparison.check(start);
        comparison.add(0, Some(1.0));
        comparison.check(start + LONGEST / 2);
        assert!(comparison.is_active());
        comparison.check(start + LONGEST + LONGEST / 2);
        assert_eq!(comparison.progress(), Progress::Done { rounds: 0, end: End::Limit });
        assert_eq!(said(&comparison), "Too few rounds in the time: no verdict.");
        comparison.set_subject("after");
        assert_eq!(comparison.subject(), "large", "a card keeps what it was of");
    }

    #[test]
    fn substitutes_are_no_part_of_the_verdict_and_devices_without_times_end_it() {
        let mut comparison = Comparison::new(Goal::Fastest);
        let start = Instant::now();
        comparison.request(start);
        let mut all = two();
        all.push(Alternative { is_substitute: true, ..Alternative::new("three") });
        comparison.begin("", all.clone());
        for _ in 0..ROUNDS_LEAST {
            (0..3).for_each(|index| comparison.add(index, Some([5.0, 9.0, 5.0][index])));
            comparison.check(start);
        }
        assert!(said(&comparison).starts_with("one is fastest"));
        comparison.request(start);
        comparison.begin("", all);
        (0..WITHOUT_TIME).for_each(|index| comparison.add(index % 3, None));
        comparison.check(start);
        assert_eq!(said(&comparison), "This device gives no times.");
    }
}
