//! Checks of a technique on the GPU, against a reference implementation or for a property, for tests, `verify` and `bench`.

use super::TestBench;
use crate::{base::difference::Errors, gpu::Gpu};
use std::ops::ControlFlow;

/// Extent of the tried cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// The difficult ones: seconds on a software driver.
    Quick,
    /// All.
    Full,
}

/// A named input.
pub struct Case<I> {
    /// For example `255x129`.
    pub name: String,
    /// The input.
    pub input: I,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whether both agree within the bounds.
    pub passed: bool,
    /// Compared quantity, worst error and its bound.
    pub text: String,
}

impl Verdict {
    /// Passes if `error` is at most `bound`; NaN does not pass.
    #[must_use]
    pub fn at_most(what: &str, error: f64, bound: f64) -> Self {
        Self { passed: error <= bound, text: format!("{what} {error:.4} (at most {bound})") }
    }

    /// Passes if `found` is at least `least`: two empty results agree, and prove nothing.
    #[must_use]
    pub fn at_least(what: &str, found: f64, least: f64) -> Self {
        Self { passed: found >= least, text: format!("{what} {found:.4} (at least {least})") }
    }

    /// Passes if mean, 99th percentile and maximum of the errors are at most `[mean, p99, max]`.
    #[must_use]
    pub fn within(what: &str, errors: &Errors, most: [f64; 3]) -> Self {
        let found = [errors.mean(), errors.part(0.99), errors.max()];
        let passed = found.iter().zip(most).all(|(found, most)| *found <= most);
        let [mean, p99, max] = most.map(|most| if most < f64::MAX { most.to_string() } else { "any".into() });
        Self { passed, text: format!("{what} {errors} (at most {mean}, {p99}, {max})") }
    }

    /// Both must pass.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { passed: self.passed && other.passed, text: format!("{}, {}", self.text, other.text) }
    }
}

/// A reference implementation, and its comparison with the GPU.
pub trait Reference {
    /// Name below the technique's, for example `tent`.
    const NAME: &'static str;
    /// Input of both.
    type Input;
    /// Output of both.
    type Output;

    /// The inputs to try, without those that the device does not support.
    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>>;
    /// The reference implementation: std and glam only.
    fn cpu(input: &Self::Input) -> Self::Output;
    /// The same on the GPU.
    fn gpu(bench: &mut TestBench, input: &Self::Input) -> anyhow::Result<Self::Output>;
    /// Compares both outputs.
    fn agree(input: &Self::Input, cpu: &Self::Output, gpu: &Self::Output) -> Verdict;
}

/// A property of results on the GPU that holds without a reference implementation.
pub trait Property {
    /// Name below the technique's, for example `furnace`.
    const NAME: &'static str;
    /// Whether results are compared with a reference implementation's.
    const HAS_REFERENCE: bool = false;
    /// Input of a run.
    type Input;
    /// Results of a run.
    type Output;

    /// The inputs to try, without those that the device does not support.
    fn cases(gpu: &Gpu, effort: Effort) -> Vec<Case<Self::Input>>;
    /// Runs on the GPU.
    fn run(bench: &mut TestBench, input: &Self::Input) -> anyhow::Result<Self::Output>;
    /// Whether the property holds.
    fn verdict(input: &Self::Input, output: &Self::Output) -> Verdict;
    /// The verdict on several outputs of one input.
    fn judge(input: &Self::Input) -> impl FnMut(&Self::Output) -> Verdict {
        move |output| Self::verdict(input, output)
    }
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

    fn judge(input: &R::Input) -> impl FnMut(&R::Output) -> Verdict {
        let mut cpu = None;
        move |output| R::agree(input, cpu.get_or_insert_with(|| R::cpu(input)), output)
    }
}

/// The outcome of one case.
pub struct Outcome {
    /// Name of the case.
    pub case: String,
    /// The verdict; an error on the GPU counts as failed.
    pub verdict: Verdict,
    /// Total number of cases.
    pub cases: usize,
}

type Run = fn(&mut TestBench, Effort, &mut dyn FnMut(Outcome) -> ControlFlow<()>);

/// A type-erased property or reference, for lists, with its requirements on a test harness.
#[derive(Clone, Copy)]
pub struct Check {
    /// [`Property::NAME`].
    pub name: &'static str,
    /// [`Property::HAS_REFERENCE`].
    pub has_reference: bool,
    /// Whether one of its shaders has subgroup operations: it is run at every subgroup size.
    pub depends_on_subgroups: bool,
    /// Whether it records raster passes.
    pub raster: Raster,
    run: Run,
    #[cfg(test)]
    pub(super) with_garbage: super::garbage::GarbageRun,
}

/// Use of raster passes by a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raster {
    /// On no device.
    Never,
    /// Where raster passes work and are faster than dispatches.
    Optional,
    /// On every device.
    Required,
}

impl Check {
    /// Of the property or reference `P`.
    #[must_use]
    pub fn of<P: Property>() -> Self {
        Self {
            name: P::NAME,
            has_reference: P::HAS_REFERENCE,
            depends_on_subgroups: false,
            raster: Raster::Never,
            run: run::<P>,
            #[cfg(test)]
            with_garbage: super::garbage::tried::<P>,
        }
    }

    /// Marks that its shaders have subgroup operations.
    #[must_use]
    pub fn depends_on_subgroups(self) -> Self {
        Self { depends_on_subgroups: true, ..self }
    }

    /// Marks that it records raster passes.
    #[must_use]
    pub fn draws(self) -> Self {
        Self { raster: Raster::Required, ..self }
    }

    /// Marks that it records raster passes where they work, dispatches elsewhere.
    #[must_use]
    pub fn may_draw(self) -> Self {
        Self { raster: Raster::Optional, ..self }
    }

    /// Tries every case and passes each outcome to `each`.
    pub fn run(&self, bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome)) {
        self.run_until(bench, effort, &mut |outcome| {
            each(outcome);
            ControlFlow::Continue(())
        });
    }

    /// The same until `each` breaks it off.
    pub fn run_until(&self, bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome) -> ControlFlow<()>) {
        (self.run)(bench, effort, each);
    }
}

fn run<P: Property>(bench: &mut TestBench, effort: Effort, each: &mut dyn FnMut(Outcome) -> ControlFlow<()>) {
    let all = P::cases(bench.gpu(), effort);
    let cases = all.len();
    for Case { name, input } in all {
        let verdict = match P::run(bench, &input) {
            Ok(output) => P::verdict(&input, &output),
            Err(e) => {
                bench.forget();
                Verdict { passed: false, text: format!("{e:#}") }
            }
        };
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
