//! Renderer: the frame sequence, its targets, and their contents.

mod active_view;
mod backdrop;
mod clip_upload;
mod downsample_inputs;
mod frame;
mod frame_spacing;
mod incremental_world;
mod measurements;
mod panels;
mod params;
mod plan;
mod present;
mod sort_payoff;
mod subject;
mod targets;
mod world;
mod world_loader;

pub use crate::scene::picture::{Background, LoadMode};
pub use active_view::{ActiveView, ViewPlacement};
pub use downsample_inputs::DownsampleInputs;
pub use frame::{Backdrop, Renderer};
pub use params::FrameParams;
pub use plan::{FramePlan, MirrorPace, PlanInput, Repeat, WindowPace};
pub use world_loader::WorldLoader;
