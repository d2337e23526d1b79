//! Lazily created pipelines, keyed by variant.

use super::{Result, pipeline::ComputePipeline};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Clones share the cache, across threads too.
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
    /// The pipeline of `key`, created by `make` if missing. The cache is not locked meanwhile: if two threads create the same pipeline,
    /// both get the first finished one.
    ///
    /// # Errors
    /// Those of `make`; nothing is stored then, and the next call tries again.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> Result<P>) -> Result<P> {
        if let Some(made) = self.locked().get(&key) {
            return Ok(made.clone());
        }
        let made = make(&key)?;
        Ok(self.locked().entry(key).or_insert(made).clone())
    }

    /// Whether the pipeline of `key` exists.
    #[must_use]
    pub fn contains(&self, key: &K) -> bool {
        self.locked().contains_key(key)
    }

    /// Number of pipelines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.locked().len()
    }

    /// Whether none was asked for yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<K, P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Error;

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
