//! Timed trials on libtest-mimic: named tests that are made from a list at run time.

use libtest_mimic::{Arguments, Completion, Conclusion, Failed, Trial};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Duration from which a time is marked: the trial needs a reason, or a shorter run.
const SLOW: Duration = Duration::from_secs(10);

/// A poisoned lock is still consistent: each list here is changed in one step.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Named tests in the order in which they are started.
#[derive(Default)]
pub struct Trials {
    pub all: Vec<Trial>,
    times: Arc<Mutex<Vec<(Duration, String)>>>,
}

impl Trials {
    pub fn add(&mut self, name: String, run: impl FnOnce() -> Result<Completion, Failed> + Send + 'static) {
        let (times, own) = (self.times.clone(), name.clone());
        self.all.push(Trial::ignorable_test(name, move || {
            let begin = Instant::now();
            let result = run();
            locked(&times).push((begin.elapsed(), own));
            result
        }));
    }

    /// Runs those selected by the arguments and prints the duration of each, the slowest first.
    pub fn run(self, arguments: &Arguments) -> Conclusion {
        let conclusion = libtest_mimic::run(arguments, self.all);
        let mut times = std::mem::take(&mut *locked(&self.times));
        times.sort_by(|a, b| b.cmp(a));
        for (time, name) in &times {
            println!("time {:7.2} s  {name}{}", time.as_secs_f64(), if *time >= SLOW { "  (slow)" } else { "" });
        }
        conclusion
    }
}
