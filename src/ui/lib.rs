//! Panels over the picture. They depend on settings, timings and plain facts, not on Vulkan or the window: the application passes a
//! [`UiState`] every frame and handles the returned actions. Lengths without a unit are points.

mod anchors;
pub mod appearance;
mod clip_bar;
mod controls;
mod cost_grid;
pub mod device;
mod dock;
mod figure_table;
mod files;
pub mod frame_rate;
mod head;
mod help;
pub mod instruments;
pub mod keys;
mod layout;
pub mod lens_menu;
pub mod lens_nodes;
mod limits;
pub mod manipulator;
mod measurement;
pub mod messages;
pub mod names;
pub mod orbit;
mod overlay;
mod page;
pub mod pair_key;
pub mod pair_state;
#[cfg(test)]
mod panel_layout_tests;
pub mod panel_rects;
#[cfg(test)]
mod panel_tests;
mod panels;
pub mod part_nodes;
pub mod preferences;
pub mod presets;
pub mod regions;
pub mod replay;
mod report;
mod scene_strip;
mod search;
pub mod settings;
mod sheet;
mod sheet_chooser;
mod sheet_table;
#[cfg(test)]
mod sheet_tests;
mod state;
#[cfg(test)]
mod test_fixture;
#[cfg(test)]
mod tests;
pub mod theme;
mod thumbnails;
pub mod timings;
mod tour;
pub mod view_labels;
mod view_pictures;
#[cfg(test)]
mod view_tests;
pub mod views;

pub use device::Device;
pub use files::KINDS as FILE_KINDS;
pub use frame_rate::{FrameRate, Rate};
pub use layout::outside;
pub use messages::{About, Level, Messages};
pub use panels::{SavedPanels, Ui};
pub use preferences::Preferences;
pub use presets::{Extent, PresetAction, PresetName};
pub use scene_strip::built_in_scene;
pub use state::{
    ClipAction, ClipState, LensState, Loading, MeasurementState, OpenFiles, PanelKey, PresetState, RecordingStage,
    RecordingState, SceneState, UiAction, UiState, ViewState,
};
pub use timings::Timings;
pub use view_labels::Strip;
pub use view_pictures::picture_of_view;
