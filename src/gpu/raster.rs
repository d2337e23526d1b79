//! Raster pipelines and raster passes (dynamic rendering).
use super::{
    Gpu,
    access::{Access, Stages},
    bind::{Bound, Resource, ResourceUse, binding_methods},
    buffer::Buffer,
    error::{Context, Error, Result},
    format::Format,
    frame::{Frame, bind},
    image::ImageView,
    layout::GpuStruct,
    pipeline::{LivePipeline, Program, pipeline_methods},
    pipeline_recipe::PipelineRecipe,
    pipeline_statistics::Purpose,
    shaders::ShaderSource,
    spec_constants::Constants,
    usage::UsedFeatures,
    vertex_input::{self, VertexLayout},
};
use ash::vk;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Blend {
    #[default]
    None,
    /// `source + destination * (1 - source alpha)`.
    Premultiplied,
    /// `source + destination`.
    Add,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RasterDesc {
    pub shaders: Vec<String>,
    pub color: Vec<Format>,
    /// Tested by "greater" (reversed depth) and written.
    pub depth: Option<Format>,
    pub vertices: Option<VertexLayout>,
    pub points: bool,
    pub constants: Vec<(String, u32)>,
    pub blend: Blend,
    pub cull_back: bool,
    /// In steps of the format, and as a factor of the slope over a pixel.
    pub depth_bias: [f32; 2],
}

#[derive(Clone)]
pub struct RasterPipeline(Arc<LivePipeline>);

impl RasterPipeline {
    pub fn new(gpu: &Arc<Gpu>, desc: RasterDesc) -> Result<Self> {
        Ok(Self(LivePipeline::new(gpu, PipelineRecipe::raster(desc))?))
    }

    pub fn simple(gpu: &Arc<Gpu>, shaders: [&str; 2], color: Format) -> Result<Self> {
        let shaders = shaders.map(String::from).to_vec();
        Self::new(gpu, RasterDesc { shaders, color: vec![color], ..Default::default() })
    }

    pipeline_methods!();

    pub fn draw(&self, vertices: u32) -> Draw {
        Draw {
            program: self.0.program(),
            bound: Bound::default(),
            command: Command::Vertices(vertices, 1),
            vertices: None,
            takes_vertices: self.0.recipe.takes_vertices(),
            scissor: None,
        }
    }

    pub fn draw_instanced(&self, vertices: u32, instances: u32) -> Draw {
        Draw { command: Command::Vertices(vertices, instances), ..self.draw(0) }
    }

    /// Commands of four integers, from `offset` bytes on.
    pub fn draw_indirect(&self, buffer: &Buffer, offset: u64, count: u32) -> Draw {
        Draw { command: Command::Indirect(buffer.clone(), offset, count), ..self.draw(0) }
    }

    pub fn draw_mesh(&self, groups: [u32; 3]) -> Draw {
        Draw { command: Command::Mesh(groups), ..self.draw(0) }
    }
}

pub(super) fn make(
    gpu: &Arc<Gpu>,
    all: &Arc<PipelineRecipe>,
    desc: &RasterDesc,
    source: ShaderSource,
    purpose: Purpose,
) -> Result<Program> {
    let stages: Vec<_> = desc.shaders.iter().map(|name| gpu.shaders.stage(name, source)).collect::<Result<_>>()?;
    Constants::all_known(&gpu.shaders, &stages, &desc.constants)?;
    let interface = gpu.shaders.interface(&stages)?;
    let constants: Vec<_> = stages.iter().map(|stage| Constants::of(stage, &desc.constants)).collect();
    let special: Vec<_> = constants.iter().map(Constants::info).collect();
    let (bindings, attributes) = vertex_input::describe(&stages, desc.vertices.as_ref())?;
    let (set, layout) = interface.layouts(&gpu.device)?;
    let modules: Vec<_> = stages.iter().map(|stage| super::shader_module(gpu, stage)).collect::<Result<_>>()?;
    let infos: Vec<_> = stages
        .iter()
        .zip(&modules)
        .zip(&special)
        .map(|((stage, module), special)| {
            vk::PipelineShaderStageCreateInfo::default()
                .stage(stage.stages.shader())
                .module(*module)
                .name(c"main")
                .specialization_info(special)
        })
        .collect();
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let topology = if desc.points { vk::PrimitiveTopology::POINT_LIST } else { vk::PrimitiveTopology::TRIANGLE_LIST };
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .line_width(1.0)
        .cull_mode(if desc.cull_back { vk::CullModeFlags::BACK } else { vk::CullModeFlags::NONE })
        .depth_bias_enable(desc.depth_bias != [0.0; 2])
        .depth_bias_constant_factor(desc.depth_bias[0])
        .depth_bias_slope_factor(desc.depth_bias[1]);
    let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(desc.depth.is_some())
        .depth_write_enable(desc.depth.is_some())
        .depth_compare_op(vk::CompareOp::GREATER);
    let mut blend = vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)
        .blend_enable(desc.blend != Blend::None)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .color_blend_op(vk::BlendOp::ADD)
        .alpha_blend_op(vk::BlendOp::ADD);
    let over = if desc.blend == Blend::Add { vk::BlendFactor::ONE } else { vk::BlendFactor::ONE_MINUS_SRC_ALPHA };
    blend = blend.dst_color_blend_factor(over).dst_alpha_blend_factor(over);
    let attachments = vec![blend; desc.color.len()];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default()
        .dynamic_states(&[vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR]);
    let formats: Vec<_> = desc.color.iter().map(|f| f.raw()).collect();
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats)
        .depth_attachment_format(desc.depth.map_or(vk::Format::UNDEFINED, Format::raw));
    let (flags, cache) = gpu.creation(purpose);
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&infos)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(layout)
        .flags(flags)
        .push_next(&mut rendering);
    if stages.iter().any(|stage| stage.stages == Stages::VERTEX) {
        info = info.vertex_input_state(&input).input_assembly_state(&assembly);
    }
    // SAFETY: the device is alive and every struct lives until the call returns.
    let make = || unsafe { gpu.device.create_graphics_pipelines(cache, &[info], None) };
    #[cfg(any(test, feature = "fixtures"))]
    let make = || if super::garbage::is_on() { Ok(vec![vk::Pipeline::null()]) } else { make() };
    let made = make();
    for module in modules {
        unsafe { gpu.device.destroy_shader_module(module, None) };
    }
    let raw = made.map_err(|(_, e)| e).context(&interface.name).map(|made| made[0]).inspect_err(|_| unsafe {
        gpu.device.destroy_pipeline_layout(layout, None);
        gpu.device.destroy_descriptor_set_layout(set, None);
    })?;
    let chosen = desc.constants.iter().map(|(name, value)| (name.clone(), value.to_string()));
    let formats = desc.color.iter().map(|format| ("color".to_owned(), format!("{format:?}").to_lowercase()));
    gpu.note_statistics(raw, purpose, &desc.shaders, chosen.chain(formats));
    gpu.name(raw, &interface.name);
    Ok(Program::of(gpu, interface, all.clone(), raw, layout, set, [1; 3]))
}

#[derive(Clone)]
enum Command {
    Vertices(u32, u32),
    Indirect(Buffer, u64, u32),
    Mesh([u32; 3]),
}

#[must_use = "a draw does nothing until it is given to a pass"]
pub struct Draw {
    program: Arc<Program>,
    bound: Bound,
    command: Command,
    vertices: Option<Buffer>,
    takes_vertices: bool,
    scissor: Option<[i32; 4]>,
}

impl Draw {
    binding_methods!();

    pub fn vertices(mut self, buffer: &Buffer) -> Self {
        self.vertices = Some(buffer.clone());
        self
    }

    /// Pixels: left, top, right, bottom (excluded), clipped to the target.
    pub fn scissor(mut self, rectangle: [i32; 4]) -> Self {
        self.scissor = Some(rectangle);
        self
    }
}

pub(super) type ColorTarget = (ImageView, Option<[f32; 4]>);
pub(super) type DepthTarget = (ImageView, Option<f32>);

#[must_use = "a pass does nothing until it is finished"]
pub struct Raster<'f> {
    pub(super) frame: &'f mut Frame,
    name: String,
    color: Vec<ColorTarget>,
    depth: Option<DepthTarget>,
    draws: Vec<Draw>,
}

impl Frame {
    pub fn raster(&mut self, name: impl Into<String>) -> Raster<'_> {
        Raster { frame: self, name: name.into(), color: Vec::new(), depth: None, draws: Vec::new() }
    }
}

impl Raster<'_> {
    pub fn color(mut self, target: &ImageView, clear: Option<[f32; 4]>) -> Self {
        self.color.push((target.clone(), clear));
        self
    }

    pub fn depth(mut self, target: &ImageView, clear: Option<f32>) -> Self {
        self.depth = Some((target.clone(), clear));
        self
    }

    pub fn draw(mut self, draw: Draw) -> Self {
        self.draws.push(draw);
        self
    }

    pub fn finish(self) -> Result<()> {
        let Self { frame, name, color, depth, draws } = self;
        let refuse = |problem: &str| Error::Pass { pass: name.clone(), problem: problem.into() };
        let all = color.iter().map(|(view, _)| view).chain(depth.iter().map(|(view, _)| view));
        let size = all.clone().next().map(ImageView::size).ok_or_else(|| refuse("no attachment"))?;
        if all.into_iter().any(|view| view.size() != size) {
            return Err(refuse("attachments differ in size"));
        }
        let mut touches: Vec<_> =
            color.iter().map(|(view, _)| ResourceUse { resource: view.into(), how: Access::Color }).collect();
        touches.extend(depth.iter().map(|(view, _)| ResourceUse { resource: view.into(), how: Access::Depth }));
        for draw in &draws {
            touches.extend(draw.bound.touches(&name, &draw.program.interface)?);
            if draw.takes_vertices != draw.vertices.is_some() {
                return Err(refuse("vertices given or not, the pipeline takes the other"));
            }
            let vertices =
                draw.vertices.iter().map(|buffer| ResourceUse { resource: buffer.into(), how: Access::Vertex });
            touches.extend(vertices);
            if let Command::Indirect(buffer, ..) = &draw.command {
                touches.push(ResourceUse { resource: buffer.into(), how: Access::Indirect });
            }
            frame.keep(draw.program.clone());
            frame.declare(&draw.bound, &draw.program);
        }
        frame.declare_targets(&color, depth.as_ref(), draws.iter().map(|draw| &*draw.program));
        frame.gpu.usage.note(UsedFeatures { draws: true, subgroups: false });
        let attachment = |view: &ImageView, how: Access, clear: Option<vk::ClearValue>| -> Result<_> {
            let load = if clear.is_some() { vk::AttachmentLoadOp::CLEAR } else { vk::AttachmentLoadOp::LOAD };
            Ok(vk::RenderingAttachmentInfo::default()
                .image_view(view.raw()?)
                .image_layout(how.scope().layout)
                .load_op(load)
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(clear.unwrap_or_default()))
        };
        let colors: Vec<_> = color
            .iter()
            .map(|(view, clear)| {
                let value = clear.map(|float32| vk::ClearValue { color: vk::ClearColorValue { float32 } });
                attachment(view, Access::Color, value)
            })
            .collect::<Result<_>>()?;
        let depths = depth.as_ref().map(|(view, clear)| {
            let value = |depth| vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth, stencil: 0 } };
            attachment(view, Access::Depth, clear.map(value))
        });
        let depths = depths.transpose()?;
        let [width, height] = size;
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } };
        let mut info = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&colors);
        if let Some(depth) = &depths {
            info = info.depth_attachment(depth);
        }
        let viewport =
            [vk::Viewport { width: width as f32, height: height as f32, max_depth: 1.0, ..Default::default() }];
        frame.pass(&name, &touches, |gpu, cmd, slot| {
            // SAFETY: the frame keeps everything accessed; rendering is ended on every path.
            unsafe {
                gpu.device.cmd_begin_rendering(cmd, &info);
                gpu.device.cmd_set_viewport(cmd, 0, &viewport);
                let done = draws.iter().try_for_each(|draw| {
                    gpu.device.cmd_set_scissor(cmd, 0, &[draw.scissor.map_or(area, |s| cut(s, size))]);
                    bind(gpu, cmd, slot, &draw.program, &draw.bound, Stages::FRAGMENT)?;
                    if let Some(buffer) = &draw.vertices {
                        gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[buffer.0.raw], &[0]);
                    }
                    record(gpu, cmd, &draw.command)
                });
                gpu.device.cmd_end_rendering(cmd);
                done
            }
        })
    }
}

fn record(gpu: &Gpu, cmd: vk::CommandBuffer, command: &Command) -> Result<()> {
    // SAFETY: called inside rendering, with a pipeline bound.
    unsafe {
        match command {
            Command::Vertices(vertices, instances) => gpu.device.cmd_draw(cmd, *vertices, *instances, 0, 0),
            Command::Indirect(buffer, offset, count) => {
                for index in 0..u64::from(*count) {
                    gpu.device.cmd_draw_indirect(cmd, buffer.0.raw, offset + 16 * index, 1, 16);
                }
            }
            Command::Mesh(groups) => {
                let mesh = gpu.mesh.as_ref().ok_or_else(|| Error::NoDevice("the device has no mesh shaders".into()))?;
                mesh.cmd_draw_mesh_tasks(cmd, groups[0], groups[1], groups[2]);
            }
        }
    }
    Ok(())
}

fn cut(scissor: [i32; 4], size: [u32; 2]) -> vk::Rect2D {
    let [right, bottom] = size.map(|n| n as i32);
    let (x, y) = (scissor[0].clamp(0, right), scissor[1].clamp(0, bottom));
    let (width, height) = (scissor[2].clamp(x, right) - x, scissor[3].clamp(y, bottom) - y);
    vk::Rect2D {
        offset: vk::Offset2D { x, y },
        extent: vk::Extent2D { width: width.unsigned_abs(), height: height.unsigned_abs() },
    }
}
