//! RenderDoc: one frame is captured when it is attached to the program.
use renderdoc::{RenderDoc, V141};

/// RenderDoc's interface, if it has loaded itself into this program.
pub struct Capture(RenderDoc<V141>);

impl Capture {
    /// Ask after the device was made: RenderDoc's layer comes with the instance. The error says how to attach it.
    pub fn attached() -> Result<Self, String> {
        RenderDoc::new().map(Self).map_err(|_| {
            "RenderDoc is not attached; start the program from RenderDoc, or with ENABLE_VULKAN_RENDERDOC_CAPTURE=1 \
             (docs/profiling.md)"
                .into()
        })
    }

    /// The next presented frame is captured.
    pub fn trigger(&mut self) {
        self.0.trigger_capture();
    }

    /// Starts a capture that has no window.
    pub fn start(&mut self) {
        self.0.start_frame_capture(std::ptr::null(), std::ptr::null());
    }

    /// Ends it; the file that was written.
    pub fn end(&mut self) -> Result<std::path::PathBuf, String> {
        self.0.end_frame_capture(std::ptr::null(), std::ptr::null());
        let last = self.0.get_num_captures().checked_sub(1).ok_or("RenderDoc wrote no capture")?;
        let (path, _) = self.0.get_capture(last).ok_or("RenderDoc does not name its capture")?;
        Ok(path)
    }
}
