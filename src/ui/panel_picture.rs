//! Pictures of panels without a GPU: triangles over a colour, blended as the renderer does.

use super::theme;
use crate::base::picture::Picture;
use egui::epaint::{ClippedShape, ImageData, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, Pos2, RawInput, Rect, TextureId, Ui, pos2};
use glam::{Vec2, Vec4};
use std::collections::BTreeMap;

const GROUND: Color32 = Color32::from_rgb(16, 18, 25);

/// `scale`: pixels a point.
pub fn draw(size: egui::Vec2, scale: f32, mut show: impl FnMut(&mut Ui)) -> Picture {
    let ctx = Context::default();
    theme::install(&ctx);
    ctx.set_pixels_per_point(scale);
    let (mut textures, mut shapes) = (BTreeMap::<TextureId, ColorImage>::new(), Vec::new());
    // The first frame makes the font's texture at another scale.
    for _ in 0..3 {
        let screen = Rect::from_min_size(Pos2::ZERO, size);
        let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
        let mut output = ctx.run_ui(input, &mut show);
        let deltas = output.textures_delta.set.iter().flat_map(|(id, all)| all.iter().map(move |new| (*id, new)));
        for (id, delta) in deltas {
            let ImageData::Color(new) = &delta.image;
            match (delta.pos, textures.get_mut(&id)) {
                (Some([left, top]), Some(image)) => {
                    for (y, row) in new.pixels.chunks_exact(new.size[0]).enumerate() {
                        let first = (top + y) * image.size[0] + left;
                        image.pixels[first..first + row.len()].copy_from_slice(row);
                    }
                }
                _ => {
                    textures.insert(id, ColorImage::clone(new));
                }
            }
        }
        output.textures_delta.clear();
        shapes = std::mem::take(&mut output.shapes);
    }
    let mut canvas = Canvas::new(size, scale);
    if let Some(font) = textures.get(&TextureId::default()) {
        canvas.draw(&ctx, shapes, font);
    }
    canvas.picture()
}

struct Canvas {
    size: [usize; 2],
    scale: f32,
    texels: Vec<Vec4>,
}

fn parts(color: Color32) -> Vec4 {
    let [red, green, blue, alpha] = color.to_array();
    Vec4::new(f32::from(red), f32::from(green), f32::from(blue), f32::from(alpha)) / 255.0
}

fn sample(texture: &ColorImage, uv: Vec2) -> Vec4 {
    let [width, height] = texture.size;
    let at = uv * Vec2::new(width as f32, height as f32) - 0.5;
    let low = at.floor();
    let part = at - low;
    let texel = |x: f32, y: f32| {
        let (x, y) = (x.max(0.0) as usize, y.max(0.0) as usize);
        parts(texture.pixels[y.min(height - 1) * width + x.min(width - 1)])
    };
    let row = |y: f32| texel(low.x, y).lerp(texel(low.x + 1.0, y), part.x);
    row(low.y).lerp(row(low.y + 1.0), part.y)
}

#[derive(Clone, Copy)]
struct Corner {
    at: Vec2,
    uv: Vec2,
    color: Vec4,
}

impl From<Vertex> for Corner {
    fn from(vertex: Vertex) -> Self {
        let (at, uv) = (Vec2::new(vertex.pos.x, vertex.pos.y), Vec2::new(vertex.uv.x, vertex.uv.y));
        Self { at, uv, color: parts(vertex.color) }
    }
}

impl Canvas {
    fn new(size: egui::Vec2, scale: f32) -> Self {
        let size = [(size.x * scale) as usize, (size.y * scale) as usize];
        Self { size, scale, texels: vec![parts(GROUND); size[0] * size[1]] }
    }

    fn draw(&mut self, ctx: &Context, shapes: Vec<ClippedShape>, texture: &ColorImage) {
        for clipped in ctx.tessellate(shapes, self.scale) {
            let Primitive::Mesh(mesh) = &clipped.primitive else { continue };
            for corners in mesh.indices.chunks_exact(3) {
                let corners = [0, 1, 2].map(|at| Corner::from(mesh.vertices[corners[at] as usize]));
                self.triangle(corners, clipped.clip_rect, texture);
            }
        }
    }

    // Plain vectors in the loop: closures over arrays take ten times as long in a development build.
    fn triangle(&mut self, [a, b, c]: [Corner; 3], clip: Rect, texture: &ColorImage) {
        let area = (b.at - a.at).perp_dot(c.at - a.at);
        let (b, c, area) = if area < 0.0 { (c, b, -area) } else { (b, c, area) };
        let (low, high) = (a.at.min(b.at).min(c.at), a.at.max(b.at).max(c.at));
        let bounds = Rect::from_min_max(pos2(low.x, low.y), pos2(high.x, high.y)).intersect(clip);
        if area == 0.0 || !bounds.is_positive() {
            return;
        }
        let range = |low: f32, high: f32, most: usize| {
            (low * self.scale).floor().max(0.0) as usize..((high * self.scale).ceil().max(0.0) as usize).min(most)
        };
        let columns = range(bounds.left(), bounds.right(), self.size[0]);
        for y in range(bounds.top(), bounds.bottom(), self.size[1]) {
            for x in columns.clone() {
                let p = (Vec2::new(x as f32, y as f32) + 0.5) / self.scale;
                // A pixel on the border of two triangles belongs to one of them.
                let weight = |from: Vec2, to: Vec2| {
                    let (along, side) = (to - from, (to - from).perp_dot(p - from) / area);
                    let is_inside = side > 0.0 || side == 0.0 && (along.y < 0.0 || along.y == 0.0 && along.x > 0.0);
                    is_inside.then_some(side)
                };
                let Some(of_a) = weight(b.at, c.at) else { continue };
                let Some(of_b) = weight(c.at, a.at) else { continue };
                let Some(of_c) = weight(a.at, b.at) else { continue };
                if !clip.contains(pos2(p.x, p.y)) {
                    continue;
                }
                let uv = a.uv * of_a + b.uv * of_b + c.uv * of_c;
                let color = (a.color * of_a + b.color * of_b + c.color * of_c) * sample(texture, uv);
                let below = &mut self.texels[y * self.size[0] + x];
                *below = color + *below * (1.0 - color.w);
            }
        }
    }

    fn picture(&self) -> Picture {
        let byte = |part: f32| (255.0 * part).round().clamp(0.0, 255.0) as u8;
        let rgba = self.texels.iter().flat_map(|texel| [byte(texel.x), byte(texel.y), byte(texel.z), 255]);
        Picture { size: self.size.map(|side| side as u32), rgba: rgba.collect() }
    }
}
