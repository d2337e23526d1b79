//! Scene: the picture or world under the glass, and the lenses.

mod glass_panel;
mod interaction;
mod lens;
mod lens_glass;
pub mod motif;
pub mod picture;
mod presets;
mod settings;
pub mod spring;
pub mod world;

pub use glass_panel::{GlassPanel, GlassPanelKind, Press};
pub use interaction::HandSettings;
pub use lens::Lens;
pub use lens_glass::{
    Blur, GlassSettings, LensGlass, LensOutline, LightFrom, Material, Mode, OpticsModel, Preset, Shape,
};
pub use settings::{AntialiasMode, Drift, Fit, Place, Rerun, SceneSettings, Source};
