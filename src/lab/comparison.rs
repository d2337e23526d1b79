//! Comparison of alternatives timed in turns: samples, stopping rule, and verdict.

use base::{stats::Quartiles, text::micros};
use std::time::{Duration, Instant};

/// Rounds before there is a verdict, and number of consecutive rounds in which the samples must suffice. Simulated with uniform noise of
/// ±80 % and with log-normal noise of sigma 0.5, two equal alternatives get a verdict in less than 1 % of the runs; at the first of 8
/// rounds or more in which the quartiles are apart it would be 10 %.
const ROUNDS_LEAST: usize = 12;
const ROUNDS_CLEAR: usize = 4;
const ROUNDS_MOST: usize = 64;
/// Time limit of the rounds, after the first counted sample, and after the request.
const LONGEST: Duration = Duration::from_secs(40);
const LONGEST_IN_ALL: Duration = Duration::from_secs(120);
/// Samples without a time after which a device is assumed to have none.
const WITHOUT_TIME: usize = 32;
/// Relative distance of the quartiles from the median below which no more rounds are needed.
const SETTLED: f64 = 0.05;

/// PSNR in dB from which results look correct.
const GOOD_DB: f64 = 40.0;

/// Smaller differences of PSNR are none.
const LEAST_DB: f64 = 1.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    #[default]
    Fastest,
    Settled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Clear,
    Limit,
    Stopped,
    NoTimes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Progress {
    #[default]
    Idle,
    Running {
        rounds: usize,
        part: f32,
    },
    Done {
        rounds: usize,
        end: End,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alternative {
    pub name: String,
    pub title: String,
    /// The device substitutes another one: it is timed, but excluded from the verdict.
    pub is_substitute: bool,
    us: Vec<f64>,
}

impl Alternative {
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { title: name.clone(), name, ..Self::default() }
    }

    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    pub fn substitute(mut self, is_substitute: bool) -> Self {
        self.is_substitute = is_substitute;
        self
    }

    pub fn times(&self) -> Option<Quartiles> {
        Quartiles::of(&self.us)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    pub pays: Option<bool>,
}

impl Answer {
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), pays: None }
    }
}

/// Times alternatives in turns. Frames record rounds while [`is_active`](Self::is_active).
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    goal: Goal,
    progress: Progress,
    requested: Option<Instant>,
    first: Option<Instant>,
    subject: String,
    key: Option<String>,
    alternatives: Vec<Alternative>,
    since: u64,
    turns: usize,
    without_time: usize,
    /// Rounds at the last check, and consecutive checks in which the samples sufficed.
    checked: usize,
    clear: usize,
}

impl Comparison {
    pub fn new(goal: Goal) -> Self {
        Self { goal, ..Self::default() }
    }

    pub fn request(&mut self, now: Instant) {
        *self = Self::new(self.goal);
        self.progress = Progress::Running { rounds: 0, part: 0.0 };
        self.requested = Some(now);
    }

    pub fn stop(&mut self) {
        self.end(End::Stopped);
    }

    pub fn is_active(&self) -> bool {
        matches!(self.progress, Progress::Running { .. })
    }

    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// A change restarts the rounds.
    pub fn set_subject(&mut self, frame: u64, subject: &str) {
        if self.is_active() && self.subject != subject {
            (self.subject, self.key) = (subject.to_owned(), None);
            self.start_over(frame);
        }
    }

    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Called before each round. True if the alternatives, `key` or the subject changed: there are no measurements yet.
    pub fn begin(&mut self, frame: u64, key: &str, alternatives: Vec<Alternative>) -> bool {
        let names = |all: &[Alternative]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        let is_other = self.key.as_deref() != Some(key) || names(&self.alternatives) != names(&alternatives);
        if is_other {
            (self.key, self.alternatives) = (Some(key.to_owned()), alternatives);
            self.start_over(frame);
        }
        is_other
    }

    fn start_over(&mut self, frame: u64) {
        self.alternatives.iter_mut().for_each(|one| one.us.clear());
        (self.since, self.first) = (frame, None);
        (self.without_time, self.checked, self.clear) = Default::default();
    }

    /// Whether a frame's measurement has the current subject.
    pub fn counts(&self, frame: u64) -> bool {
        self.is_active() && frame >= self.since
    }

    /// The alternative to time now, if a frame times only one.
    pub fn turn(&mut self) -> usize {
        self.turns += 1;
        (self.turns - 1) % self.alternatives.len().max(1)
    }

    /// Microseconds; `None` if the device gave none.
    pub fn add(&mut self, frame: u64, alternative: usize, us: Option<f64>) {
        if !self.counts(frame) {
            return;
        }
        match (us.filter(|us| us.is_finite()), self.alternatives.get_mut(alternative)) {
            (Some(us), Some(one)) => one.us.push(us),
            _ => self.without_time += 1,
        }
    }

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

    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// Also those whose quartiles overlap its; `None` while one of them has no times.
    fn fastest(&self, counts: &dyn Fn(usize) -> bool) -> Option<(usize, Vec<usize>)> {
        let counts = self.alternatives.iter().enumerate().filter(|(index, one)| counts(*index) && !one.is_substitute);
        let all: Vec<(usize, Quartiles)> =
            counts.map(|(index, one)| Some((index, one.times()?))).collect::<Option<_>>()?;
        let (best, times) = *all.iter().min_by(|a, b| a.1.median.total_cmp(&b.1.median))?;
        let rivals = all.iter().filter(|(index, other)| *index != best && times.overlaps(other));
        Some((best, rivals.map(|(index, _)| *index).collect()))
    }

    pub fn difference(&self, a: usize, b: usize) -> Option<Quartiles> {
        let times = |index: usize| self.alternatives.get(index)?.times();
        let (a, b) = (times(a)?, times(b)?);
        let (low, median, high) = (a.low - b.high, a.median - b.median, a.high - b.low);
        Some(Quartiles { low, median, high, count: a.count.min(b.count) })
    }

    /// What `with` saves of `without`, or what is said where nothing is known of it; `noisy`: where their quartiles overlap. Not by
    /// [`ChangeVerdict`](super::ChangeVerdict): an interval has another probability where the rounds end as soon as it excludes zero.
    pub fn saved(
        &self,
        [without, with]: [usize; 2],
        noisy: &dyn Fn([Quartiles; 2]) -> String,
    ) -> Result<Quartiles, Answer> {
        if let Some(none) = self.no_verdict() {
            return Err(none);
        }
        let times = |index: usize| self.alternatives.get(index)?.times();
        match (times(without), times(with), self.difference(without, with)) {
            (Some(a), Some(b), Some(saved)) if !a.overlaps(&b) => Ok(saved),
            (Some(a), Some(b), _) => Err(Answer::plain(noisy([a, b]))),
            _ => Err(Answer::plain("No times.")),
        }
    }

    pub fn no_verdict(&self) -> Option<Answer> {
        let text = match self.progress {
            Progress::Idle | Progress::Running { .. } => "Measuring ...",
            Progress::Done { end: End::NoTimes, .. } => "This device gives no times.",
            Progress::Done { rounds, end: End::Stopped } if rounds < ROUNDS_LEAST => {
                "Stopped early: too few rounds to say which is fastest."
            }
            Progress::Done { rounds, .. } if rounds < ROUNDS_LEAST => {
                "Out of time: too few rounds to say which is fastest."
            }
            Progress::Done { .. } => return None,
        };
        Some(Answer::plain(text))
    }

    pub fn verdict(&self) -> Answer {
        self.no_verdict().unwrap_or_else(|| Answer::plain(self.sentence("", &|_| true)))
    }

    pub fn verdict_of_quality(&self, quality_db: &[f64]) -> Answer {
        let mut answer = self.verdict();
        let is_good = |index: usize| quality_db.get(index).is_some_and(|db| *db >= GOOD_DB);
        let good = (0..self.alternatives.len()).filter(|index| is_good(*index)).count();
        if self.no_verdict().is_none() && good > 0 && good < self.alternatives.len() {
            let more = match (self.fastest(&|_| true), self.fastest(&is_good)) {
                (Some(all), Some(good)) if all == good => {
                    let which = if all.1.is_empty() { "It has" } else { "All of these have" };
                    format!("{which} {GOOD_DB:.0} dB or more.")
                }
                _ => self.sentence(&format!("Of those of {GOOD_DB:.0} dB or more: "), &is_good),
            };
            answer.text = format!("{} {more}", answer.text);
        }
        if self.no_verdict().is_none()
            && let Some(more) = self.best(quality_db)
        {
            answer.text = format!("{} {more}", answer.text);
        }
        answer
    }

    /// The one of the highest quality, unless it alone is the fastest, too.
    fn best(&self, quality_db: &[f64]) -> Option<String> {
        let all = self.alternatives.iter().zip(quality_db).enumerate();
        let known = all.filter(|(_, (one, db))| db.is_finite() && !one.is_substitute);
        let (best, (one, db)) = known.max_by(|a, b| a.1.1.total_cmp(b.1.1))?;
        let (fastest, rivals) = self.fastest(&|_| true)?;
        let than = quality_db.get(fastest)?;
        let (title, other, times) = (&one.title, &self.alternatives[fastest].title, spread(&one.times()?));
        match best == fastest {
            true => (!rivals.is_empty()).then(|| format!("{title} is closest, {db:.1} dB.")),
            false => (*than + LEAST_DB < *db)
                .then(|| format!("{title} is closest, {db:.1} dB instead of {than:.1} dB with {other}, in {times}.")),
        }
    }

    fn sentence(&self, among: &str, counts: &dyn Fn(usize) -> bool) -> String {
        let Some((best, rivals)) = self.fastest(counts) else { return format!("{among}no times.") };
        let name = |index: usize| self.alternatives[index].title.as_str();
        let times = self.alternatives[best].times().map_or(String::new(), |times| spread(&times));
        let noisy = if among.is_empty() { "Too noisy to tell which is fastest" } else { "too noisy to tell" };
        match rivals.len() {
            0 => format!("{among}{} is fastest, {times}.", name(best)),
            1..=2 => {
                let names: Vec<&str> = std::iter::once(best).chain(rivals).map(name).collect();
                format!("{among}{noisy}, {}.", names.join(", "))
            }
            more => format!("{among}{noisy}, {} and {more} others overlap.", name(best)),
        }
    }
}

pub fn spread(us: &Quartiles) -> String {
    format!("{} ({} to {})", micros(us.median), micros(us.low), micros(us.high))
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
mod tests;
