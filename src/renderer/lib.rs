//! Renderer: the frame sequence, its targets, and their contents.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod active_view;
mod backdrop;
mod clip_upload;
mod frame;
mod frame_spacing;
mod incremental_world;
#[cfg(feature = "lab")]
mod lab;
mod panels;
mod plan;
mod present;
mod strip;
mod subject;
mod targets;
mod world;
mod world_loader;

pub use active_view::{ActiveView, ViewPlacement};
pub use frame::{Backdrop, FrameParams, Renderer};
#[cfg(feature = "lab")]
pub use lab::DownsampleInputs;
pub use plan::{FramePlan, MirrorPace, PlanInput, Repeat, WindowPace};
pub use scene::picture::{Background, LoadMode};
pub use world_loader::WorldLoader;
