//! egui rendering: egui-ash-renderer on this layer's memory and frames.
//!
//! egui-ash-renderer is one of the packages that this project is built on: it stays, even if alternatives exist.
use super::{
    Format, Gpu, Image, ImageView,
    access::{Access, Queue},
    egui_cache::{PanelDraw, UiLayer},
    egui_damage::within,
    error::{Context, Error, Result},
    frame::Frame,
};
use ash::{Device, vk};
use egui::{ClippedPrimitive, ColorImage, TextureId, TextureOptions, TexturesDelta, epaint::ImageDelta};
use egui_ash_renderer::{
    DynamicRendering, Options, RenderMode, Renderer, RendererError, RendererResult, allocator::Allocator,
};
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::{collections::HashMap, sync::Arc};

/// Vertex buffers in rotation: one per possible frame on the GPU, and for the one being recorded; two for each.
const ROUND: usize = 8;

type Texture = (ColorImage, TextureOptions);

/// Output of egui: clipped meshes, in points.
pub struct Drawing {
    /// Below the panels: shapes that move with the lenses.
    pub marks: Vec<ClippedPrimitive>,
    /// Panels, which stay unchanged for many frames.
    pub panels: Vec<ClippedPrimitive>,
    /// Changed textures.
    pub textures: TexturesDelta,
    /// Pixels per point.
    pub pixels_per_point: f32,
}

/// Renderer of egui's meshes.
pub struct Painter {
    renderer: Option<Renderer<Memory>>,
    target: Format,
    pool: vk::CommandPool,
    /// Every texture in full: see [`Painter::update`].
    whole: HashMap<TextureId, Texture>,
    /// Textures that earlier frames may still read.
    unused: Vec<TextureId>,
    layer: UiLayer,
    gpu: Arc<Gpu>,
}

impl Painter {
    /// For targets of this format.
    pub fn new(gpu: &Arc<Gpu>, target: Format) -> Result<Self> {
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(gpu.probe.families[Queue::Graphics as usize])
            .flags(vk::CommandPoolCreateFlags::TRANSIENT);
        // SAFETY: the device is alive.
        let pool = unsafe { gpu.device.create_command_pool(&info, None) }.context("vkCreateCommandPool")?;
        gpu.name(pool, "ui texture uploads");
        let (whole, unused) = Default::default();
        let layer = UiLayer::new(gpu);
        let mut painter = Self { renderer: None, target, pool, whole, unused, layer, gpu: gpu.clone() };
        painter.renderer = Some(renderer(gpu, target)?);
        Ok(painter)
    }

    /// Changes the format of the targets: a window on another screen may have another one.
    pub fn retarget(&mut self, target: Format) -> Result<()> {
        if self.target == target {
            return Ok(());
        }
        self.gpu.wait_idle()?;
        self.target = target;
        let mut new = renderer(&self.gpu, target)?;
        let queue = self.gpu.raw_queue(Queue::Graphics);
        for (id, (whole, options)) in &self.whole {
            new.set_texture(queue, self.pool, *id, &ImageDelta::full(whole.clone(), *options)).map_err(failed)?;
        }
        self.renderer = Some(new);
        Ok(())
    }

    /// Draws over the content of `target`.
    pub fn paint(&mut self, frame: &mut Frame, target: &Image, drawing: Drawing) -> Result<()> {
        let Drawing { mut marks, panels, textures, pixels_per_point: scale } = drawing;
        let same_textures = !self.update(textures)?;
        let target = target.mip(0);
        let mut way = self.layer.way(&panels, scale, same_textures);
        if way == PanelDraw::Onto {
            marks.extend(panels);
            return self.draw(frame, "ui", &target, &[], scale, &marks);
        }
        self.draw(frame, "ui", &target, &[], scale, &marks)?;
        let image = self.layer.image(&target)?;
        if !self.layer.is_painted() {
            way = PanelDraw::Layer;
        }
        match way {
            PanelDraw::Layer => {
                let [width, height] = target.size().map(|size| size as i32);
                self.draw(frame, "ui/layer", &image.mip(0), &[[0, 0, width, height]], scale, &panels)?;
            }
            PanelDraw::Parts(parts) => {
                let painted = within(&panels, &parts, scale);
                self.draw(frame, "ui/layer", &image.mip(0), &parts, scale, &painted)?;
            }
            PanelDraw::Onto | PanelDraw::Lay => {}
        }
        self.layer.lay(frame, &image, &target)
    }

    /// Draws over the content of `target`, after clearing the pixel rectangles `clear`.
    fn draw(
        &mut self,
        frame: &mut Frame,
        name: &str,
        target: &ImageView,
        clear: &[[i32; 4]],
        scale: f32,
        primitives: &[ClippedPrimitive],
    ) -> Result<()> {
        let Some(renderer) = self.renderer.as_mut().filter(|_| !clear.is_empty() || !primitives.is_empty()) else {
            return Ok(());
        };
        let [width, height] = target.size();
        let extent = vk::Extent2D { width, height };
        let empty = [vk::ClearAttachment::default().aspect_mask(vk::ImageAspectFlags::COLOR)];
        let clears: Vec<vk::ClearRect> = clear.iter().filter_map(|part| emptied(*part, target.size())).collect();
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(target.raw()?)
            .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let info = vk::RenderingInfo::default().render_area(extent.into()).layer_count(1).color_attachments(&color);
        frame.raw(name, &[(target.into(), Access::Color)], |gpu, cmd| {
            // SAFETY: the command buffer is being recorded, outside of rendering; the frame keeps the target, which contains all of
            // `clears`.
            unsafe {
                gpu.device.cmd_begin_rendering(cmd, &info);
                if !clears.is_empty() {
                    gpu.device.cmd_clear_attachments(cmd, &empty, &clears);
                }
            }
            let drawn = renderer.cmd_draw(cmd, extent, scale, primitives);
            // SAFETY: rendering was begun above.
            unsafe { gpu.device.cmd_end_rendering(cmd) };
            drawn.map_err(failed)
        })
    }

    /// Both updating and freeing wait for the device: they are rare (a new glyph, a closed panel), and the renderer immediately replaces
    /// and destroys what frames on the GPU may still read. Returns whether anything was done.
    fn update(&mut self, mut textures: TexturesDelta) -> Result<bool> {
        if self.unused.is_empty() && textures.set.is_empty() {
            self.unused.extend(textures.free.drain());
            return Ok(false);
        }
        self.gpu.wait_idle()?;
        let Some(renderer) = &mut self.renderer else { return Ok(true) };
        for id in self.unused.drain(..) {
            self.whole.remove(&id);
            renderer.free_texture(id).map_err(failed)?;
        }
        let queue = self.gpu.raw_queue(Queue::Graphics);
        for (id, deltas) in textures.set.drain() {
            for delta in deltas {
                merge(&mut self.whole, id, &delta)?;
            }
            // A partial update would start from an undefined layout: always the whole picture.
            if let Some((whole, options)) = self.whole.get(&id) {
                let delta = ImageDelta::full(whole.clone(), *options);
                renderer.set_texture(queue, self.pool, id, &delta).map_err(failed)?;
            }
        }
        self.unused.extend(textures.free.drain());
        Ok(true)
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.gpu.wait_to_drop();
        drop(self.renderer.take());
        // SAFETY: the device is idle.
        unsafe { self.gpu.device.destroy_command_pool(self.pool, None) };
    }
}

fn renderer(gpu: &Arc<Gpu>, target: Format) -> Result<Renderer<Memory>> {
    let rendering = DynamicRendering {
        color_attachment_format: target.raw(),
        depth_attachment_format: None,
        stencil_attachment_format: None,
    };
    let options = Options { in_flight_frames: ROUND, srgb_framebuffer: target.is_srgb(), ..Default::default() };
    let mode = RenderMode::DynamicRendering(rendering);
    Renderer::with_allocator(Memory(gpu.clone()), gpu.device.clone(), mode, options).map_err(failed)
}

/// A rectangle of pixels (left, top, right, bottom), clipped to an image.
fn emptied(part: [i32; 4], size: [u32; 2]) -> Option<vk::ClearRect> {
    let [right, bottom] = size.map(|size| size as i32);
    let [left, top] = [part[0].clamp(0, right), part[1].clamp(0, bottom)];
    let [width, height] = [part[2].min(right) - left, part[3].min(bottom) - top];
    let extent = vk::Extent2D { width: width.max(0) as u32, height: height.max(0) as u32 };
    let rect = vk::Rect2D { offset: vk::Offset2D { x: left, y: top }, extent };
    (width > 0 && height > 0).then_some(vk::ClearRect { rect, base_array_layer: 0, layer_count: 1 })
}

/// Applies a change to the full copy of the texture.
fn merge(whole: &mut HashMap<TextureId, Texture>, id: TextureId, delta: &ImageDelta) -> Result<()> {
    let egui::ImageData::Color(part) = &delta.image;
    let Some([x, y]) = delta.pos else {
        whole.insert(id, ((**part).clone(), delta.options));
        return Ok(());
    };
    let misplaced = || Error::Pass { pass: "ui".into(), problem: "a part of a texture is outside it".into() };
    let (whole, _) = whole.get_mut(&id).ok_or_else(misplaced)?;
    let [width, height] = whole.size;
    if x + part.width() > width || y + part.height() > height {
        return Err(misplaced());
    }
    for row in 0..part.height() {
        let from = row * part.width();
        let to = (y + row) * width + x;
        whole.pixels[to..to + part.width()].copy_from_slice(&part.pixels[from..from + part.width()]);
    }
    Ok(())
}

fn failed(error: RendererError) -> Error {
    Error::Pass { pass: "ui".into(), problem: error.to_string() }
}

/// The renderer's allocator, in the device's memory.
struct Memory(Arc<Gpu>);

impl Memory {
    fn allocate(
        &self,
        name: &str,
        needs: vk::MemoryRequirements,
        place: MemoryLocation,
        linear: bool,
    ) -> RendererResult<Allocation> {
        self.0.allocate(name, needs, place, linear).map_err(|error| RendererError::Allocator(error.to_string()))
    }
}

impl Allocator for Memory {
    type Allocation = Allocation;

    fn create_buffer(
        &mut self,
        device: &Device,
        size: usize,
        usage: vk::BufferUsageFlags,
    ) -> RendererResult<(vk::Buffer, Allocation)> {
        let info = vk::BufferCreateInfo::default().size(size.max(4) as u64).usage(usage);
        // SAFETY (this block): the device is alive; the buffer is destroyed by `destroy_buffer`.
        unsafe {
            let buffer = device.create_buffer(&info, None)?;
            self.0.name(buffer, "ui buffer");
            let needs = device.get_buffer_memory_requirements(buffer);
            let memory = self.allocate("ui buffer", needs, MemoryLocation::CpuToGpu, true)?;
            device.bind_buffer_memory(buffer, memory.memory(), memory.offset())?;
            Ok((buffer, memory))
        }
    }

    fn create_image(&mut self, device: &Device, width: u32, height: u32) -> RendererResult<(vk::Image, Allocation)> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .format(vk::Format::R8G8B8A8_SRGB)
            .usage(vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED)
            .samples(vk::SampleCountFlags::TYPE_1);
        // SAFETY (this block): the device is alive; the image is destroyed by `destroy_image`.
        unsafe {
            let image = device.create_image(&info, None)?;
            self.0.name(image, "ui texture");
            let needs = device.get_image_memory_requirements(image);
            let memory = self.allocate("ui texture", needs, MemoryLocation::GpuOnly, false)?;
            device.bind_image_memory(image, memory.memory(), memory.offset())?;
            Ok((image, memory))
        }
    }

    fn destroy_buffer(&mut self, device: &Device, buffer: vk::Buffer, memory: Allocation) -> RendererResult<()> {
        // SAFETY: the renderer has released it, and its frame has completed: see `ROUND`.
        unsafe { device.destroy_buffer(buffer, None) };
        self.0.free(Some(memory));
        Ok(())
    }

    fn destroy_image(&mut self, device: &Device, image: vk::Image, memory: Allocation) -> RendererResult<()> {
        // SAFETY: the device is idle whenever textures are replaced or freed.
        unsafe { device.destroy_image(image, None) };
        self.0.free(Some(memory));
        Ok(())
    }

    fn update_buffer<T: Copy>(&mut self, _: &Device, memory: &mut Allocation, data: &[T]) -> RendererResult<()> {
        let short = || RendererError::Allocator("the buffer cannot be written".into());
        let bytes = size_of_val(data);
        let room = memory.mapped_slice_mut().filter(|room| room.len() >= bytes).ok_or_else(short)?;
        // SAFETY: `room` holds at least as many bytes as `data`; they do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr().cast::<u8>(), room.as_mut_ptr(), bytes) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Color32;

    #[test]
    fn parts_are_laid_over_the_whole() {
        let mut whole = HashMap::new();
        let id = TextureId::Managed(0);
        let options = TextureOptions::LINEAR;
        merge(&mut whole, id, &ImageDelta::full(ColorImage::filled([3, 2], Color32::BLACK), options)).unwrap();
        let part = ColorImage::filled([2, 1], Color32::WHITE);
        merge(&mut whole, id, &ImageDelta::partial([1, 1], part.clone(), options)).unwrap();
        let white: Vec<bool> = whole[&id].0.pixels.iter().map(|pixel| *pixel == Color32::WHITE).collect();
        assert_eq!(white, [false, false, false, false, true, true]);
        assert!(merge(&mut whole, id, &ImageDelta::partial([2, 1], part.clone(), options)).is_err());
        assert!(merge(&mut whole, TextureId::Managed(5), &ImageDelta::partial([0, 0], part, options)).is_err());
    }

    /// The picture after each of these texts was shown for a frame, and whether the panels are on the layer then.
    fn shown(texts: &[&str]) -> (Vec<u8>, bool) {
        use crate::gpu::{Frames, ImageDesc, Use};
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let desc = ImageDesc::new("target", [173, 131], Format::Rgba8, &[Use::Color, Use::Sample]);
        let (target, mut frames) = (Image::new(&gpu, desc).unwrap(), Frames::new(&gpu, 1));
        let mut painter = Painter::new(&gpu, target.format()).unwrap();
        let ctx = egui::Context::default();
        ctx.all_styles_mut(|style| {
            style.animation_time = 0.0;
            // Painting twice on the same place would be visible.
            style.visuals.window_fill = egui::Color32::from_black_alpha(120);
        });
        let mut picture = Vec::new();
        for text in texts {
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                egui::Window::new("0123456789").fixed_pos([7.3, 5.1]).show(ui.ctx(), |ui| {
                    ui.label("all figures: 1, 2, 7");
                    ui.label(*text);
                    ui.label("below");
                });
            });
            let scale = 1.3;
            let panels = ctx.tessellate(output.shapes, scale);
            let drawing =
                Drawing { marks: Vec::new(), panels, textures: output.textures_delta, pixels_per_point: scale };
            let (read, _) = frames
                .once(|frame| -> Result<_> {
                    frame.clear("clear", &target.mip(0), [0.2, 0.5, 0.7, 1.0])?;
                    painter.paint(frame, &target, drawing)?;
                    frame.read_image(&target.mip(0))
                })
                .unwrap();
            picture = read.read::<u8>().unwrap();
        }
        let is_painted = painter.layer.is_painted();
        drop((painter, frames, target, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
        (picture, is_painted)
    }

    #[test]
    fn panels_painted_in_part_look_as_if_painted_whole() {
        // All glyphs exist before: a new one changes the texture.
        let many = ["17", "12", "12", "12", "12"];
        let (before, _) = shown(&many);
        let (whole, _) = shown(&["17", "17", "17", "17", "17"]);
        let (part, is_painted) = shown(&[&many[..], &["17"]].concat());
        assert!(is_painted, "a figure is little");
        assert!(whole == part);
        assert!(whole != before);
    }
}
