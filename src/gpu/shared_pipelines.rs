//! Pipelines shared by equal requests on a device.
use super::{Gpu, pipeline::LivePipeline, pipeline_recipe::PipelineRecipe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// While one is alive, equal requests share a pipeline: checks create a technique for each case.
#[derive(Default)]
pub struct SharedPipelines(Mutex<Vec<Arc<LivePipeline>>>);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    pub fn share_pipelines(&self) -> Arc<SharedPipelines> {
        let mut shared = locked(&self.shared);
        shared.upgrade().unwrap_or_else(|| {
            let new = Arc::default();
            *shared = Arc::downgrade(&new);
            new
        })
    }

    pub(super) fn shared(&self, recipe: &PipelineRecipe) -> Option<Arc<LivePipeline>> {
        let shared = locked(&self.shared).upgrade()?;
        locked(&shared.0).iter().find(|made| *made.recipe == *recipe).cloned()
    }

    pub(super) fn share(&self, made: Arc<LivePipeline>) -> Arc<LivePipeline> {
        if let Some(shared) = locked(&self.shared).upgrade() {
            locked(&shared.0).push(made.clone());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ComputePipeline;

    #[test]
    fn equal_pipelines_are_shared() {
        let gpu = Gpu::headless(true).unwrap();
        let times = |times| ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", times)]).unwrap();
        let is_same = |a: &ComputePipeline, b: &ComputePipeline| Arc::ptr_eq(&a.0, &b.0);
        assert!(!is_same(&times(1), &times(1)));
        let shared = gpu.share_pipelines();
        let first = times(1);
        assert!(is_same(&first, &times(1)) && !is_same(&first, &times(2)));
        drop((shared, gpu.share_pipelines()));
        assert!(!is_same(&first, &times(1)), "none is left");
    }
}
