//! RenderDoc's place on a system on which it does not run.
use std::{convert::Infallible, path::PathBuf};

pub struct Capture(Infallible);

impl Capture {
    pub fn attached() -> Result<Self, String> {
        Err("RenderDoc does not run on this system; Xcode captures frames of MoltenVK".into())
    }

    pub fn trigger(&mut self) {
        match self.0 {}
    }

    pub fn start(&mut self) {
        match self.0 {}
    }

    pub fn end(&mut self) -> Result<PathBuf, String> {
        match self.0 {}
    }
}
