//! Lazily created pipelines, keyed by variant.

use super::{Result, pipeline::ComputePipeline};
use base::job::Job;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

static AHEAD: AtomicUsize = AtomicUsize::new(0);

pub fn is_making_ahead() -> bool {
    AHEAD.load(Ordering::Acquire) > 0
}

struct CountedAhead;

impl CountedAhead {
    fn new() -> Self {
        AHEAD.fetch_add(1, Ordering::AcqRel);
        Self
    }
}

impl Drop for CountedAhead {
    fn drop(&mut self) {
        AHEAD.fetch_sub(1, Ordering::AcqRel);
    }
}

pub struct PipelineCache<K, P = ComputePipeline>(Arc<Mutex<HashMap<K, P>>>);

impl<K, P> Default for PipelineCache<K, P> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, P> Clone for PipelineCache<K, P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K: Eq + Hash, P: Clone> PipelineCache<K, P> {
    /// Not locked meanwhile: two threads that create the same pipeline get the first finished one.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> Result<P>) -> Result<P> {
        if let Some(made) = self.locked().get(&key) {
            return Ok(made.clone());
        }
        let made = make(&key)?;
        Ok(self.locked().entry(key).or_insert(made).clone())
    }

    pub fn contains(&self, key: &K) -> bool {
        self.locked().contains_key(key)
    }

    pub fn len(&self) -> usize {
        self.locked().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Creates missing ones in this order on a thread. A failure ends it.
    pub fn make_ahead(
        &self,
        thread: &'static str,
        keys: Vec<K>,
        make: impl Fn(&K) -> Result<P> + Send + 'static,
    ) -> PipelinesAhead
    where
        K: Send + 'static,
        P: Send + 'static,
    {
        let (cache, counted) = (self.clone(), CountedAhead::new());
        PipelinesAhead(Job::spawn(thread, move |progress| {
            let _counted = counted;
            for key in keys.into_iter().take_while(|_| !progress.is_cancelled()) {
                if let Err(e) = cache.get(key, &make) {
                    return log::warn!("{thread}: a pipeline could not be made ahead: {e}");
                }
            }
        }))
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<K, P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A drop cancels the rest and waits: the thread uses the device.
pub struct PipelinesAhead(Job<()>);

impl PipelinesAhead {
    pub fn is_running(&self) -> bool {
        self.0.is_running()
    }

    pub fn finish(&mut self) {
        self.0.join();
    }
}

impl Drop for PipelinesAhead {
    fn drop(&mut self) {
        self.0.progress().cancel();
        self.0.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn each_is_made_once_and_a_failure_is_tried_again() {
        let cache = PipelineCache::<u32, String>::default();
        assert!(cache.is_empty());
        let fail = |_: &u32| Err(Error::Pass { pass: "p".into(), problem: "no".into() });
        assert!(cache.get(1, fail).is_err() && !cache.contains(&1));
        assert_eq!(cache.get(1, |key| Ok(format!("made {key}"))).unwrap(), "made 1");
        assert_eq!(cache.clone().get(1, fail).unwrap(), "made 1", "a clone is the same cache");
        assert_eq!(cache.get(2, |key| Ok(format!("made {key}"))).unwrap(), "made 2");
        assert_eq!(cache.len(), 2);
    }
}
