//! Checks by reference or property, for tests, `verify` and `bench`.

use super::TestBench;
use gpu::Gpu;
use media::difference::{Errors, short};
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    Quick,
    Full,
}

impl Effort {
    pub fn of<T>(self, all: &[T], few: usize) -> &[T] {
        if self == Self::Full { all } else { &all[..few] }
    }
}

pub struct Case<I> {
    pub name: String,
    /// Without one the case fails, and says why.
    pub input: Result<I, String>,
}

impl<I> Case<I> {
    pub fn new(name: impl Into<String>, input: I) -> Self {
        Self::tried(name, Ok(input))
    }

    pub fn tried(name: impl Into<String>, input: Result<I, String>) -> Self {
        Self { name: name.into(), input }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub passed: bool,
    pub text: String,
}

impl Verdict {
    pub fn that(passed: bool, text: impl Into<String>) -> Self {
        Self { passed, text: text.into() }
    }

    /// NaN does not pass.
    pub fn at_most(what: &str, error: f64, bound: f64) -> Self {
        Self { passed: error <= bound, text: format!("{what} {} (at most {bound})", short(error)) }
    }

    pub fn none(what: &str, count: usize) -> Self {
        Self::at_most(what, count as f64, 0.0)
    }

    /// Two empty results agree, and prove nothing.
    pub fn at_least(what: &str, found: f64, least: f64) -> Self {
        Self { passed: found >= least, text: format!("{what} {} (at least {least})", short(found)) }
    }

    /// `[mean, p99, max]`.
    pub fn within(what: &str, errors: &Errors, most: [f64; 3]) -> Self {
        let found = [errors.mean(), errors.part(0.99), errors.max()];
        let passed = found.iter().zip(most).all(|(found, most)| *found <= most);
        let [mean, p99, max] = most;
        Self { passed, text: format!("{what} {errors} (at most {mean}, {p99}, {max})") }
    }

    pub fn and_at_most(self, what: &str, error: f64, bound: f64) -> Self {
        self.and(Self::at_most(what, error, bound))
    }

    pub fn and_none(self, what: &str, count: usize) -> Self {
        self.and(Self::none(what, count))
    }

    pub fn and(self, other: Self) -> Self {
        Self { passed: self.passed && other.passed, text: format!("{}, {}", self.text, other.text) }
    }
}

/// Places at which two arrays differ; those that only one has differ.
pub fn words_apart<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count() + a.len().abs_diff(b.len())
}

pub trait Reference {
    const NAME: &'static str;
    type Input;
    type Output;

    /// Without those that the device does not support.
    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>>;
    /// std and glam only.
    fn cpu(input: &Self::Input) -> Self::Output;
    fn gpu(bench: &mut TestBench, input: &Self::Input) -> anyhow::Result<Self::Output>;
    fn agree(input: &Self::Input, cpu: &Self::Output, gpu: &Self::Output) -> Verdict;
}

pub trait Property {
    const NAME: &'static str;
    const HAS_REFERENCE: bool = false;
    type Input;
    type Output;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>>;
    fn run(bench: &mut TestBench, input: &Self::Input) -> anyhow::Result<Self::Output>;
    fn verdict(input: &Self::Input, output: &Self::Output) -> Verdict;
}

impl<R: Reference> Property for R {
    const NAME: &'static str = R::NAME;
    const HAS_REFERENCE: bool = true;
    type Input = R::Input;
    type Output = R::Output;

    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<R::Input>> {
        R::cases(gpu, effort)
    }

    fn run(bench: &mut TestBench, input: &R::Input) -> anyhow::Result<R::Output> {
        R::gpu(bench, input)
    }

    fn verdict(input: &R::Input, output: &R::Output) -> Verdict {
        R::agree(input, &R::cpu(input), output)
    }
}

pub struct Outcome {
    pub case: String,
    /// An error on the GPU counts as failed.
    pub verdict: Verdict,
    pub cases: usize,
}

type Run = fn(&mut TestBench, Effort, &mut dyn FnMut(Outcome) -> ControlFlow<()>);

#[derive(Clone, Copy)]
pub struct Check {
    pub name: &'static str,
    pub has_reference: bool,
    /// It is run at every subgroup size.
    pub depends_on_subgroups: bool,
    pub raster: Raster,
    run: Run,
    #[cfg(any(test, feature = "fixtures"))]
    with_garbage: fn(&TestBench, &[gpu::Garbage]) -> Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raster {
    Never,
    /// Where raster passes work and are faster than dispatches.
    Optional,
    Required,
}

impl Check {
    pub const fn of<P: Property>() -> Self {
        Self {
            name: P::NAME,
            has_reference: P::HAS_REFERENCE,
            depends_on_subgroups: false,
            raster: Raster::Never,
            run: run::<P>,
            #[cfg(any(test, feature = "fixtures"))]
            with_garbage: super::garbage::tried::<P>,
        }
    }

    pub const fn depends_on_subgroups(self) -> Self {
        Self { depends_on_subgroups: true, ..self }
    }

    pub const fn draws(self) -> Self {
        Self { raster: Raster::Required, ..self }
    }

    pub const fn may_draw(self) -> Self {
        Self { raster: Raster::Optional, ..self }
    }

    /// What is wrong on a device that returns each kind of garbage.
    #[cfg(any(test, feature = "fixtures"))]
    pub fn with_garbage(&self, bench: &TestBench, kinds: &[gpu::Garbage]) -> Vec<String> {
        (self.with_garbage)(bench, kinds)
    }

    pub fn run(&self, bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome)) {
        self.run_until(bench, effort, &mut |outcome| {
            each(outcome);
            ControlFlow::Continue(())
        });
    }

    pub fn run_until(&self, bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome) -> ControlFlow<()>) {
        (self.run)(bench, effort, each);
    }
}

fn run<P: Property>(bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome) -> ControlFlow<()>) {
    let all = P::cases(bench.gpu(), effort);
    let cases = all.len();
    for Case { name, input } in all {
        let input = input.map_err(anyhow::Error::msg);
        let judged = input.and_then(|input| Ok(P::verdict(&input, &P::run(bench, &input)?)));
        let verdict = judged.unwrap_or_else(|e| {
            bench.forget();
            Verdict::that(false, format!("{e:#}"))
        });
        if each(Outcome { case: name, verdict, cases }).is_break() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_does_not_pass() {
        assert!(Verdict::at_most("error", 1.0, 1.0).passed && !Verdict::at_most("error", f64::NAN, 1.0).passed);
        let verdict = |errors: &[f64], most| Verdict::within("steps", &Errors::of(errors.iter().copied()), most).passed;
        assert!(verdict(&[1.0, 2.0, 3.0], [2.0, 3.0, 3.0]));
        assert!(!verdict(&[1.0, 2.0, 3.0], [1.9, 3.0, 3.0]));
        assert!(!verdict(&[1.0, 2.0, 3.0], [2.0, 2.9, 3.0]));
        assert!(!verdict(&[1.0, 2.0, 3.0], [2.0, 3.0, 2.9]));
        assert!(!verdict(&[1.0, f64::NAN, 3.0], [9.0, 9.0, 9.0]));
        assert!(!verdict(&[], [9.0, 9.0, 9.0]), "nothing was compared");
        let both = Verdict::at_most("a", 0.0, 1.0).and(Verdict::at_most("b", 2.0, 1.0));
        assert!(!both.passed && both.text.contains('a') && both.text.contains('b'));
    }
}
