//! egui rendering by egui-ash-renderer on this layer.
use super::{
    Format, Gpu, Image, ImageView,
    access::Access,
    egui_cache::{PanelDraw, UiLayer},
    egui_damage::within,
    egui_textures::{TextureChanges, Textures},
    error::{Error, Result},
    frame::Frame,
};
use ash::{Device, vk};
use egui::ClippedPrimitive;
use egui_ash_renderer::{
    DynamicRendering, Options, RenderMode, Renderer, RendererError, RendererResult, allocator::Allocator,
};
use gpu_allocator::{MemoryLocation, vulkan::Allocation};
use std::sync::Arc;

/// Two vertex buffers for each possible frame on the GPU and for the one being recorded.
const ROUND: usize = 8;

pub struct Drawing {
    pub marks: Vec<ClippedPrimitive>,
    pub panels: Vec<ClippedPrimitive>,
    pub textures: TextureChanges,
    pub pixels_per_point: f32,
}

pub struct Painter {
    renderer: Option<Renderer<Memory>>,
    target: Format,
    textures: Textures,
    pending: TextureChanges,
    layer: UiLayer,
    gpu: Arc<Gpu>,
}

impl Painter {
    pub fn new(gpu: &Arc<Gpu>, target: Format) -> Result<Self> {
        let (textures, pending, layer) = (Textures::new(gpu)?, TextureChanges::default(), UiLayer::new(gpu));
        let mut painter = Self { renderer: None, target, textures, pending, layer, gpu: gpu.clone() };
        painter.renderer = Some(renderer(gpu, target)?);
        Ok(painter)
    }

    /// Takes over a painter's textures on another device: egui sends each once.
    pub fn take_textures(&mut self, of: &mut Self) {
        self.pending = of.textures.take();
        self.pending.append(std::mem::take(&mut of.pending));
    }

    pub fn skip(&mut self, drawing: Drawing) {
        self.pending.append(drawing.textures);
    }

    pub fn retarget(&mut self, target: Format) -> Result<()> {
        if self.target == target {
            return Ok(());
        }
        self.gpu.wait_idle()?;
        self.target = target;
        let mut new = renderer(&self.gpu, target)?;
        self.textures.add_to(&mut new);
        self.renderer = Some(new);
        Ok(())
    }

    pub fn paint(&mut self, frame: &mut Frame, target: &Image, drawing: Drawing) -> Result<()> {
        let Drawing { mut marks, mut panels, textures: newer, pixels_per_point: scale } = drawing;
        let Some(renderer) = &mut self.renderer else { return Ok(()) };
        let mut textures = std::mem::take(&mut self.pending);
        textures.append(newer);
        let same_textures = !self.textures.update(frame, renderer, textures)?;
        self.textures.rename(&mut marks);
        self.textures.rename(&mut panels);
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
        let mut touches = self.textures.touches(frame);
        touches.push((target.into(), Access::Color));
        frame.raw(name, &touches, |gpu, cmd| {
            // SAFETY: the command buffer is being recorded, outside of rendering; the frame keeps textures and target, which contains all
            // of `clears`.
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
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.gpu.wait_to_drop();
        drop(self.renderer.take());
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

fn emptied(part: [i32; 4], size: [u32; 2]) -> Option<vk::ClearRect> {
    let [right, bottom] = size.map(|size| size as i32);
    let [left, top] = [part[0].clamp(0, right), part[1].clamp(0, bottom)];
    let [width, height] = [part[2].min(right) - left, part[3].min(bottom) - top];
    let extent = vk::Extent2D { width: width.max(0) as u32, height: height.max(0) as u32 };
    let rect = vk::Rect2D { offset: vk::Offset2D { x: left, y: top }, extent };
    (width > 0 && height > 0).then_some(vk::ClearRect { rect, base_array_layer: 0, layer_count: 1 })
}

pub(super) fn failed(error: RendererError) -> Error {
    Error::Pass { pass: "ui".into(), problem: error.to_string() }
}

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

    fn create_image(&mut self, _: &Device, _: u32, _: u32) -> RendererResult<(vk::Image, Allocation)> {
        Err(RendererError::Allocator("all textures are the application's own".into()))
    }

    fn destroy_buffer(&mut self, device: &Device, buffer: vk::Buffer, memory: Allocation) -> RendererResult<()> {
        // SAFETY: the renderer has released it, and its frame has completed: see `ROUND`.
        unsafe { device.destroy_buffer(buffer, None) };
        self.0.free(Some(memory));
        Ok(())
    }

    fn destroy_image(&mut self, _: &Device, _: vk::Image, _: Allocation) -> RendererResult<()> {
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

    use crate::{Frames, ImageDesc, Use};

    fn open() -> (Painter, Frames, Image) {
        let gpu = Gpu::headless(true).unwrap();
        let desc = ImageDesc::new("target", [173, 131], Format::Rgba8, &[Use::Color, Use::Sample]);
        let target = Image::new(&gpu, desc).unwrap();
        (Painter::new(&gpu, target.format()).unwrap(), Frames::new(&gpu, 1), target)
    }

    fn shown(texts: &[&str], moved_at: Option<usize>, skipped: Option<usize>) -> (Vec<u8>, bool) {
        let (mut painter, mut frames, mut target) = open();
        let ctx = egui::Context::default();
        ctx.all_styles_mut(|style| {
            style.animation_time = 0.0;
            style.visuals.window_fill = egui::Color32::from_black_alpha(120);
        });
        let mut picture = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            if moved_at == Some(index) {
                let mut other = open();
                other.0.take_textures(&mut painter);
                (painter, frames, target) = other;
            }
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
                Drawing { marks: Vec::new(), panels, textures: output.textures_delta.into(), pixels_per_point: scale };
            if skipped == Some(index) {
                painter.skip(drawing);
                continue;
            }
            let (read, _) = frames
                .once(|frame| -> Result<_> {
                    frame.clear("clear", &target.mip(0), [0.2, 0.5, 0.7, 1.0])?;
                    painter.paint(frame, &target, drawing)?;
                    frame.read_image(&target.mip(0))
                })
                .unwrap();
            picture = read.read::<u8>().unwrap();
        }
        (picture, painter.layer.is_painted())
    }

    #[test]
    fn panels_painted_in_part_look_as_if_painted_whole() {
        let many = ["17", "12", "12", "12", "12"];
        let (before, _) = shown(&many, None, None);
        let (whole, _) = shown(&["17", "17", "17", "17", "17"], None, None);
        let (part, is_painted) = shown(&[&many[..], &["17"]].concat(), None, None);
        assert!(is_painted, "a figure is little");
        assert!(whole == part);
        assert!(whole != before);
    }

    #[test]
    fn another_device_shows_the_same_panels() {
        let texts = ["17", "12", "17"];
        let (stayed, _) = shown(&texts, None, None);
        for at in [1, 2] {
            // Later frames are composited from a layer, which rounds once more.
            let moved = shown(&texts, Some(at), None).0;
            let apart = stayed.iter().zip(&moved).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(apart.is_some_and(|apart| apart <= 2), "{at}: {apart:?}");
        }
    }

    #[test]
    fn a_frame_that_is_not_drawn_loses_no_glyph() {
        let texts = ["17", "%&", "%&"];
        let (drawn, _) = shown(&texts, None, None);
        let apart = |other: &[u8]| drawn.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(u8::MAX);
        assert!(apart(&shown(&["17", "17", "17"], None, None).0) > 50);
        for moved_at in [None, Some(1), Some(2)] {
            let found = apart(&shown(&texts, moved_at, Some(1)).0);
            assert!(found <= 2, "{moved_at:?}: {found}");
        }
    }
}
