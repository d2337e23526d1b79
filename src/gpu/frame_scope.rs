//! Scopes of a frame: passes under a prefix, or with another set of shaders.

use super::{Gpu, frame::Frame};
use std::{mem::replace, sync::Arc};

impl Frame {
    /// Records `passes` with `prefix` before their names.
    pub fn prefixed<T>(&mut self, prefix: &'static str, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = replace(&mut self.prefix, prefix);
        let done = passes(self);
        self.prefix = before;
        done
    }

    /// Records `passes` for another set of shaders of the same device.
    pub fn with_gpu<T>(&mut self, gpu: &Arc<Gpu>, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = replace(&mut self.gpu, gpu.clone());
        let done = passes(self);
        self.gpu = before;
        done
    }
}
