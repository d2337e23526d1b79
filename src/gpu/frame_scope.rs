//! Scopes of a frame: prefix, sharing, other shaders.

use super::{Gpu, frame::Frame};
use base::timing::PictureStep;
use std::{mem::replace, sync::Arc};

impl Frame {
    pub fn prefixed<T>(&mut self, prefix: &'static str, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = replace(&mut self.prefix, prefix);
        let done = passes(self);
        self.prefix = before;
        done
    }

    pub fn shared<T>(&mut self, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = replace(&mut self.is_shared, true);
        let done = passes(self);
        self.is_shared = before;
        done
    }

    pub fn for_view<T>(&mut self, of_view: bool, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.of_view;
        self.of_view |= of_view;
        let done = passes(self);
        self.of_view = before;
        done
    }

    pub fn note_picture(&mut self, step: PictureStep) {
        if let Some(in_flight) = self.in_flight.as_mut().filter(|_| self.prefix.is_empty()) {
            in_flight.picture = Some(step);
        }
    }

    pub fn with_gpu<T>(&mut self, gpu: &Arc<Gpu>, passes: impl FnOnce(&mut Self) -> T) -> T {
        let before = replace(&mut self.gpu, gpu.clone());
        let done = passes(self);
        self.gpu = before;
        done
    }
}
