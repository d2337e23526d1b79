//! Pipelines shared by equal requests on a device.
use super::{Gpu, pipeline::ComputePipeline, raster::RasterPipeline};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// While one of these is alive, equal requests on its device share a pipeline. Checks create a technique for each of their cases, and
/// validation and compilation of its pipelines take longer than the cases.
#[derive(Default)]
pub struct SharedPipelines {
    compute: Mutex<Vec<ComputePipeline>>,
    raster: Mutex<Vec<RasterPipeline>>,
}

/// A kind of pipeline.
pub(super) trait Shareable: Clone {
    /// Its parameters.
    type Recipe: PartialEq;
    fn recipe(&self) -> &Self::Recipe;
    fn list(shared: &SharedPipelines) -> &Mutex<Vec<Self>>;
}

impl Shareable for ComputePipeline {
    type Recipe = super::pipeline::Recipe;
    fn recipe(&self) -> &Self::Recipe {
        self.own_recipe()
    }
    fn list(shared: &SharedPipelines) -> &Mutex<Vec<Self>> {
        &shared.compute
    }
}

impl Shareable for RasterPipeline {
    type Recipe = super::raster::RasterDesc;
    fn recipe(&self) -> &Self::Recipe {
        self.own_recipe()
    }
    fn list(shared: &SharedPipelines) -> &Mutex<Vec<Self>> {
        &shared.raster
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Shares pipelines until the last of the returned handles is dropped.
    #[must_use]
    pub fn share_pipelines(&self) -> Arc<SharedPipelines> {
        let mut shared = locked(&self.shared);
        shared.upgrade().unwrap_or_else(|| {
            let new = Arc::default();
            *shared = Arc::downgrade(&new);
            new
        })
    }

    /// The shared pipeline with these parameters, if any.
    pub(super) fn shared<P: Shareable>(&self, recipe: &P::Recipe) -> Option<P> {
        let shared = locked(&self.shared).upgrade()?;
        locked(P::list(&shared)).iter().find(|made| made.recipe() == recipe).cloned()
    }

    /// Shares a new pipeline if sharing is enabled.
    pub(super) fn share<P: Shareable>(&self, made: P) -> P {
        if let Some(shared) = locked(&self.shared).upgrade() {
            locked(P::list(&shared)).push(made.clone());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pipelines_are_shared() {
        let gpu = Gpu::headless(true).unwrap();
        let times = |times| ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", times)]).unwrap();
        assert!(!times(1).is_same(&times(1)));
        let shared = gpu.share_pipelines();
        let first = times(1);
        assert!(first.is_same(&times(1)) && !first.is_same(&times(2)));
        drop((shared, gpu.share_pipelines()));
        assert!(!first.is_same(&times(1)), "none is left");
    }
}
