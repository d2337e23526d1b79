//! Devices that tests of whole frames take in turns: validation and compilation take longer than most of these tests.

#![allow(clippy::unwrap_used, reason = "for tests alone")]

use super::{Gpu, SharedPipelines};
use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

pub struct TestGpu {
    gpu: Arc<Gpu>,
    pipelines: Arc<SharedPipelines>,
}

static IDLE: Mutex<Vec<(Arc<Gpu>, Arc<SharedPipelines>)>> = Mutex::new(Vec::new());

pub fn test_gpu() -> TestGpu {
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let (gpu, pipelines) = idle.unwrap_or_else(|| {
        let gpu = Gpu::headless(true).unwrap();
        let pipelines = gpu.share_pipelines();
        (gpu, pipelines)
    });
    TestGpu { gpu, pipelines }
}

impl Deref for TestGpu {
    type Target = Arc<Gpu>;
    fn deref(&self) -> &Arc<Gpu> {
        &self.gpu
    }
}

impl Drop for TestGpu {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.gpu.messages().all(), Vec::<String>::new());
            let idle = (self.gpu.clone(), self.pipelines.clone());
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
        }
    }
}
