//! What other threads tell the window.

use super::stage::Stage;
use crate::base::picture::Picture;
use crate::gpu::HotReload;
use std::path::Path;
use winit::event_loop::EventLoopProxy;

/// News from another thread.
#[derive(Debug)]
pub enum Wake {
    /// A picture was read, or why it could not be.
    Picture(Result<Picture, String>),
    /// Shaders were compiled anew, or could not be.
    Shaders,
}

/// Watches the shaders of the source tree, where this program still lies beside it.
pub fn watch_shaders(stage: &Stage, wake: EventLoopProxy<Wake>) -> Option<HotReload> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let changed = move || {
        // Nobody waits for it where the window was closed meanwhile.
        let _ = wake.send_event(Wake::Shaders);
    };
    HotReload::new(stage.gpu(), &folder, changed).inspect_err(|why| log::info!("shaders are not watched: {why}")).ok()
}
