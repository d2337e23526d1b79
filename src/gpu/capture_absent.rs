//! RenderDoc's place on a system on which it does not run.
use std::{convert::Infallible, path::PathBuf};

/// RenderDoc's interface, which is never loaded into this process.
pub struct Capture(Infallible);

impl Capture {
    /// The error tells that there is none.
    pub fn attached() -> Result<Self, String> {
        Err("RenderDoc does not run on this system; Xcode captures frames of MoltenVK".into())
    }

    /// Captures the next presented frame.
    pub fn trigger(&mut self) {
        match self.0 {}
    }

    /// Starts a capture without a window.
    pub fn start(&mut self) {
        match self.0 {}
    }

    /// Ends it; returns the file.
    pub fn end(&mut self) -> Result<PathBuf, String> {
        match self.0 {}
    }
}
