//! egui's triangles on the GPU.

use crate::gpu::{self, Blend, Format, Frame, Gpu, Image, ImageDesc, RasterDesc, RasterPipeline, Sampler, Use, View};
use crate::gpu_struct;
use anyhow::{Context as _, Result, ensure};
use egui::epaint::{ImageDelta, Primitive};
use egui::{ClippedPrimitive, ColorImage, Rect, TextureFilter, TextureId, TexturesDelta};
use glam::Vec2;
use std::collections::HashMap;
use std::sync::Arc;

gpu_struct! {
    /// As `UiVertex` in shaders/ui/ui.vert.
    struct UiVertex { at: Vec2, uv: Vec2, color: u32 }
}

gpu_struct! {
    /// Push constants of shaders/ui/ui.vert and ui.frag.
    struct UiPush { size: Vec2, first_index: u32, first_vertex: u32, target_is_srgb: u32 }
}

/// What egui wants drawn.
pub struct Drawing {
    /// Clipped meshes, in points.
    pub primitives: Vec<ClippedPrimitive>,
    /// Changed textures.
    pub textures: TexturesDelta,
    /// Pixels of a point.
    pub pixels_per_point: f32,
}

/// A texture of egui's, and what it holds: changes come in parts.
struct Texture {
    image: Image,
    whole: ColorImage,
    sampler: Sampler,
}

/// Draws what egui tessellated.
pub struct Painter {
    gpu: Arc<Gpu>,
    pipelines: HashMap<Format, RasterPipeline>,
    textures: HashMap<TextureId, Texture>,
}

impl Painter {
    /// With no texture yet.
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipelines: HashMap::new(), textures: HashMap::new() }
    }

    /// Draws over what `target` holds.
    ///
    /// # Errors
    /// What the GPU floor says; a texture that egui changes or draws with without having made it.
    pub fn paint(&mut self, frame: &mut Frame, target: &View, drawing: Drawing) -> Result<()> {
        let Drawing { primitives, mut textures, pixels_per_point } = drawing;
        for (id, deltas) in textures.set.drain() {
            self.change(frame, id, &deltas)?;
        }
        self.draw(frame, target, &primitives, pixels_per_point)?;
        // Frames on the GPU hold on to what they still read.
        for id in textures.free.drain() {
            self.textures.remove(&id);
        }
        Ok(())
    }

    fn change(&mut self, frame: &mut Frame, id: TextureId, deltas: &[ImageDelta]) -> Result<()> {
        for delta in deltas {
            let egui::ImageData::Color(part) = &delta.image;
            let sampler = match delta.options.magnification {
                TextureFilter::Nearest => Sampler::NearestClamp,
                TextureFilter::Linear => Sampler::LinearClamp,
            };
            match (delta.pos, self.textures.get_mut(&id)) {
                (Some(at), Some(texture)) => lay(&mut texture.whole, part, at)?,
                (Some(_), None) => anyhow::bail!("a part of the unknown texture {id:?}"),
                (None, Some(texture)) if texture.whole.size == part.size => {
                    (texture.whole, texture.sampler) = ((**part).clone(), sampler);
                }
                (None, _) => {
                    let size = part.size.map(|side| side as u32);
                    let desc = ImageDesc::new("ui texture", size, Format::Rgba8, &[Use::Sample]);
                    let image = Image::new(&self.gpu, desc)?;
                    self.textures.insert(id, Texture { image, whole: (**part).clone(), sampler });
                }
            }
        }
        if let Some(texture) = self.textures.get(&id) {
            let texels: Vec<[u8; 4]> = texture.whole.pixels.iter().map(egui::Color32::to_array).collect();
            frame.upload(&texture.image.mip(0), &texels)?;
        }
        Ok(())
    }

    fn draw(&mut self, frame: &mut Frame, target: &View, primitives: &[ClippedPrimitive], scale: f32) -> Result<()> {
        let (mut vertices, mut indices): (Vec<UiVertex>, Vec<u32>) = Default::default();
        let [width, height] = target.size();
        let size = Vec2::new(width as f32, height as f32) / scale;
        let target_is_srgb = u32::from(target.format().is_srgb());
        let mut pieces = Vec::new();
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let clip = clipped(*clip_rect, scale, [width, height]);
            if mesh.indices.is_empty() || clip[0] >= clip[2] || clip[1] >= clip[3] {
                continue;
            }
            let (first_index, first_vertex) = (indices.len() as u32, vertices.len() as u32);
            indices.extend(&mesh.indices);
            vertices.extend(mesh.vertices.iter().map(|vertex| UiVertex {
                at: Vec2::new(vertex.pos.x, vertex.pos.y),
                uv: Vec2::new(vertex.uv.x, vertex.uv.y),
                color: u32::from_le_bytes(vertex.color.to_array()),
            }));
            let push = UiPush { size, first_index, first_vertex, target_is_srgb };
            pieces.push((mesh.texture_id, mesh.indices.len() as u32, clip, push));
        }
        if pieces.is_empty() {
            return Ok(());
        }
        let (vertices, indices) = (frame.data("ui vertices", &vertices)?, frame.data("ui indices", &indices)?);
        let pipeline = self.pipeline(target.format())?;
        let mut pass = frame.raster("ui").color(target, None);
        for (id, count, clip, push) in pieces {
            let texture =
                self.textures.get(&id).with_context(|| format!("egui draws with the unknown texture {id:?}"))?;
            let picture = texture.image.mip(0).through(texture.sampler);
            let draw = pipeline.draw(count).bind("Vertices", &vertices).bind("Indices", &indices);
            pass = pass.draw(draw.bind("picture", picture).push(&push).scissor(clip));
        }
        Ok(pass.finish()?)
    }

    fn pipeline(&mut self, target: Format) -> gpu::Result<RasterPipeline> {
        if let Some(pipeline) = self.pipelines.get(&target) {
            return Ok(pipeline.clone());
        }
        let desc = RasterDesc {
            shaders: vec!["ui/ui.vert".into(), "ui/ui.frag".into()],
            color: vec![target],
            blend: Blend::Premultiplied,
            ..Default::default()
        };
        let made = RasterPipeline::new(&self.gpu, desc)?.with_push::<UiPush>()?.with_struct::<UiVertex>("Vertices")?;
        self.pipelines.insert(target, made.clone());
        Ok(made)
    }
}

/// Points to pixels: left, top, right, bottom, cut to the target.
fn clipped(clip: Rect, scale: f32, size: [u32; 2]) -> [i32; 4] {
    let pixel = |points: f32, most: u32| ((points * scale).round() as i32).clamp(0, most as i32);
    let [width, height] = size;
    [pixel(clip.min.x, width), pixel(clip.min.y, height), pixel(clip.max.x, width), pixel(clip.max.y, height)]
}

/// Lays a changed part over a texture.
fn lay(whole: &mut ColorImage, part: &ColorImage, [x, y]: [usize; 2]) -> Result<()> {
    let [width, height] = whole.size;
    ensure!(x + part.width() <= width && y + part.height() <= height, "a part of a texture lies outside it");
    for row in 0..part.height() {
        let (from, to) = (row * part.width(), (y + row) * width + x);
        whole.pixels[to..to + part.width()].copy_from_slice(&part.pixels[from..from + part.width()]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Frames;
    use egui::{Color32, Pos2};

    #[test]
    fn parts_are_laid_over_the_whole() {
        let mut whole = ColorImage::filled([3, 2], Color32::BLACK);
        let part = ColorImage::filled([2, 1], Color32::WHITE);
        lay(&mut whole, &part, [1, 1]).unwrap();
        let white: Vec<bool> = whole.pixels.iter().map(|pixel| *pixel == Color32::WHITE).collect();
        assert_eq!(white, [false, false, false, false, true, true]);
        assert!(lay(&mut whole, &part, [2, 1]).is_err());
    }

    #[test]
    fn clips_are_cut_to_the_target() {
        let rect = |a, b, c, d| Rect::from_min_max(Pos2::new(a, b), Pos2::new(c, d));
        assert_eq!(clipped(rect(1.2, 2.0, 3.0, 4.0), 2.0, [100, 100]), [2, 4, 6, 8]);
        assert_eq!(clipped(Rect::EVERYTHING, 1.5, [10, 20]), [0, 0, 10, 20]);
        assert_eq!(clipped(rect(-5.0, -5.0, -1.0, 50.0), 1.0, [10, 20]), [0, 0, 0, 20]);
        assert_eq!(clipped(Rect::NOTHING, 1.0, [10, 20]), [10, 20, 0, 0]);
    }

    /// A white half-covering rectangle over black, clipped; then the same texture changed in part while frames may still read it.
    #[test]
    fn what_egui_paints_arrives_and_validation_is_content() {
        let gpu = Gpu::headless(true).unwrap();
        let messages = gpu.messages();
        let mut frames = Frames::new(&gpu, 3);
        let target = Image::new(&gpu, ImageDesc::new("target", [64, 32], Format::Rgba8, &[Use::Color])).unwrap();
        let ctx = egui::Context::default();
        let mut painter = Painter::new(&gpu);
        let mut read = Vec::new();
        for text in ["", "a", "new letters: äöü"] {
            let screen = rect_of([32.0, 16.0]);
            let mut input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
            input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(2.0);
            let output = ctx.run_ui(input, |ui| {
                let painter = ui.painter().with_clip_rect(rect_of([8.0, 16.0]));
                painter.rect_filled(screen, 0.0, Color32::from_white_alpha(128));
                ui.label(text);
            });
            let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
            assert_eq!(output.pixels_per_point, 2.0);
            let drawing = Drawing { primitives, textures: output.textures_delta, pixels_per_point: 2.0 };
            let mut frame = frames.begin().unwrap();
            frame.raster("clear").color(&target.mip(0), Some([0.0, 0.0, 0.0, 1.0])).finish().unwrap();
            painter.paint(&mut frame, &target.mip(0), drawing).unwrap();
            read.push(frame.read_image(&target.mip(0)).unwrap());
            frames.submit(frame).unwrap();
        }
        frames.wait().unwrap();
        let texels: Vec<[u8; 4]> = read[0].read().unwrap();
        assert_eq!(texels[31 * 64 + 2], [128, 128, 128, 255]);
        assert_eq!(texels[31 * 64 + 60], [0, 0, 0, 255], "clipped");
        assert!(read[2].read::<[u8; 4]>().unwrap().iter().filter(|texel| texel[0] > 0).count() > texels.len() / 4);
        drop((read, painter, target, frames, gpu));
        assert_eq!(messages.all(), Vec::<String>::new());
    }

    fn rect_of([width, height]: [f32; 2]) -> Rect {
        Rect::from_min_max(Pos2::ZERO, Pos2::new(width, height))
    }
}
