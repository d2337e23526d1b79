//! GPU layer, the only user of `ash`: device, resources with access tracking, and the recorder that derives barriers, labels and timestamps
//! from the bindings of passes.
//!
//! Binding declares access: a pass can access a resource only by binding it by name, and the SPIR-V determines whether the shader reads or
//! writes it, so a barrier cannot be forgotten. The state is stored in the resource and outlives the frame.

#![allow(unsafe_code, reason = "calls of Vulkan")]

mod acceleration;
mod access;
mod bind;
mod buffer;
#[cfg_attr(target_os = "macos", path = "capture_absent.rs")]
mod capture;
pub mod consts;
mod delayed;
mod device;
mod device_fault;
mod device_list;
mod device_policy;
mod egui;
mod egui_cache;
mod egui_damage;
mod egui_textures;
mod embedded_shaders;
mod error;
mod features;
mod format;
mod frame;
mod frame_in_flight;
mod frame_scope;
mod frames;
#[cfg(any(test, feature = "fixtures"))]
mod garbage;
mod hot_reload;
mod image;
mod image_slot;
mod instance;
mod invocations;
pub mod layout;
mod lazy_pipelines;
mod memory;
mod opened_device;
mod ownership;
mod pass_capture;
mod pass_traffic;
mod pipeline;
mod pipeline_cache_file;
mod pipeline_recipe;
mod pipeline_statistics;
mod portability;
mod present_fences;
mod queue_wait;
mod raster;
pub mod records;
mod sampler;
mod shader;
pub mod shader_compiler;
mod shader_edits;
mod shader_folder;
mod shader_text;
mod shaders;
mod shared_pipelines;
mod spec_constants;
mod swapchain;
mod time_axis;
mod transfer;
mod usage;
mod vertex_input;
mod workgroup;

#[cfg(test)]
mod queue_tests;
#[cfg(any(test, feature = "fixtures"))]
mod test_device;
#[cfg(test)]
mod tests;

pub use acceleration::{BottomLevels, PlacedMesh, TopLevel};
pub use access::Queue;
pub use bind::Resource;
pub use buffer::{Buffer, Memory};
pub use capture::Capture;
pub use delayed::Delayed;
pub use device::{DeviceInfo, Gpu, Options};
pub use device_list::list;
pub use device_policy::DevicePolicy;
pub use egui::{Drawing, Painter};
pub use egui_textures::TextureChanges;
pub use embedded_shaders::text as embedded_text;
pub use error::{Error, Result};
pub use features::Feature;
pub use format::Format;
pub use frame::{Compute, Frame};
pub use frames::Frames;
#[cfg(any(test, feature = "fixtures"))]
pub use garbage::Garbage;
pub use hot_reload::HotReload;
pub use image::{Image, ImageDesc, ImageView, Use, full_chain, mip_size};
pub use image_slot::ImageSlot;
pub use instance::Messages;
pub use invocations::{InvocationQuery, Invocations};
pub use layout::GpuStruct;
pub use lazy_pipelines::{PipelineCache, PipelinesAhead, is_making_ahead};
pub use pass_capture::{CapturePoint, Captured, PassCapture, PassResource, PassResources, ResourceShape};
pub use pipeline::ComputePipeline;
pub use pipeline_recipe::PipelineRecipe;
pub use pipeline_statistics::{PipelineStatistics, ProgramStatistics};
pub use raster::{Blend, Draw, Raster, RasterDesc, RasterPipeline};
pub use sampler::Sampler;
pub use shader_edits::ShaderEdit;
pub use shader_folder::ShaderFolder;
pub use shader_text::{ConstantOrigin, ShaderConstant, ShaderText};
pub use shaders::Shaders;
pub use shared_pipelines::SharedPipelines;
pub use swapchain::{DisplaySettings, PresentMode, Swapchain, Target};
#[cfg(any(test, feature = "fixtures"))]
pub use test_device::{TestGpu, test_gpu};
pub use transfer::ReadBack;
pub use usage::UsedFeatures;
pub use vertex_input::VertexLayout;

use ash::vk;
use error::Context;

fn shader_module(gpu: &Gpu, stage: &shader::ShaderStage) -> Result<vk::ShaderModule> {
    let info = vk::ShaderModuleCreateInfo::default().code(&stage.words);
    // SAFETY: the device is alive; the words are compiler output.
    let module = unsafe { gpu.device.create_shader_module(&info, None) }.context(&stage.name)?;
    gpu.name(module, &stage.name);
    Ok(module)
}
