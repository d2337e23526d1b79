//! Pictures of panels without a GPU: triangles over a colour, blended as the renderer does.

use super::{appearance, theme};
use crate::base::picture::Picture;
use egui::epaint::{ClippedShape, ImageData, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, Pos2, RawInput, Rect, TextureId, Ui, pos2, vec2};
use std::collections::BTreeMap;

/// Ground of panels in a dark theme and in a light one.
const DARK: Color32 = Color32::from_rgb(16, 18, 25);
const LIGHT: Color32 = Color32::from_rgb(236, 238, 242);

/// The drawing of `show` in `size` points, at `scale` pixels a point.
#[must_use]
pub fn draw(size: egui::Vec2, scale: f32, is_light: bool, mut show: impl FnMut(&mut Ui)) -> Picture {
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
    if is_light {
        shapes.iter_mut().for_each(|clipped| appearance::lighten(&mut clipped.shape));
    }
    let mut canvas = Canvas::new(size, scale, if is_light { LIGHT } else { DARK });
    if let Some(font) = textures.get(&TextureId::default()) {
        canvas.draw(&ctx, shapes, font);
    }
    canvas.picture()
}

/// A picture of shapes.
struct Canvas {
    size: [usize; 2],
    scale: f32,
    texels: Vec<[f32; 3]>,
}

/// Red, green, blue and opacity, 0 to 1.
fn parts(color: Color32) -> [f32; 4] {
    color.to_array().map(|byte| f32::from(byte) / 255.0)
}

/// Bilinear read of a texture.
fn sample(texture: &ColorImage, uv: Pos2) -> [f32; 4] {
    let [width, height] = texture.size;
    let at = vec2(uv.x * width as f32 - 0.5, uv.y * height as f32 - 0.5);
    let texel = |x: f32, y: f32| {
        let [x, y] = [(x.max(0.0) as usize).min(width - 1), (y.max(0.0) as usize).min(height - 1)];
        parts(texture.pixels[y * width + x])
    };
    let (left, top) = (at.x.floor(), at.y.floor());
    let mix = |a: [f32; 4], b: [f32; 4], part: f32| [0, 1, 2, 3].map(|c| a[c] + (b[c] - a[c]) * part);
    let row = |y: f32| mix(texel(left, y), texel(left + 1.0, y), at.x - left);
    mix(row(top), row(top + 1.0), at.y - top)
}

impl Canvas {
    fn new(size: egui::Vec2, scale: f32, ground: Color32) -> Self {
        let size = [(size.x * scale) as usize, (size.y * scale) as usize];
        let [red, green, blue, _] = parts(ground);
        Self { size, scale, texels: vec![[red, green, blue]; size[0] * size[1]] }
    }

    fn draw(&mut self, ctx: &Context, shapes: Vec<ClippedShape>, texture: &ColorImage) {
        for clipped in ctx.tessellate(shapes, self.scale) {
            let Primitive::Mesh(mesh) = &clipped.primitive else { continue };
            for corners in mesh.indices.chunks_exact(3) {
                self.triangle([0, 1, 2].map(|at| mesh.vertices[corners[at] as usize]), clipped.clip_rect, texture);
            }
        }
    }

    fn triangle(&mut self, [a, b, c]: [Vertex; 3], clip: Rect, texture: &ColorImage) {
        let area =
            |[a, b, c]: [Vertex; 3]| (b.pos - a.pos).x * (c.pos - a.pos).y - (b.pos - a.pos).y * (c.pos - a.pos).x;
        let corners = if area([a, b, c]) < 0.0 { [a, c, b] } else { [a, b, c] };
        let area = area(corners);
        let [a, b, c] = corners.map(|corner| corner.pos);
        let bounds = Rect::from_points(&[a, b, c]).intersect(clip);
        if area == 0.0 || !bounds.is_positive() {
            return;
        }
        let range = |low: f32, high: f32, most: usize| {
            (low * self.scale).floor().max(0.0) as usize..((high * self.scale).ceil().max(0.0) as usize).min(most)
        };
        let rows = range(bounds.top(), bounds.bottom(), self.size[1]);
        let columns = range(bounds.left(), bounds.right(), self.size[0]);
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let p = pos2((x as f32 + 0.5) / self.scale, (y as f32 + 0.5) / self.scale);
            let side = |from: Pos2, to: Pos2| ((to - from).x * (p - from).y - (to - from).y * (p - from).x) / area;
            let sides = [(b, c), (c, a), (a, b)].map(|(from, to)| (side(from, to), to - from));
            // A pixel on the border of two triangles belongs to one of them.
            let is_inside = |(side, along): &(f32, egui::Vec2)| {
                *side > 0.0 || *side == 0.0 && (along.y < 0.0 || along.y == 0.0 && along.x > 0.0)
            };
            if !sides.iter().all(is_inside) || !clip.contains(p) {
                continue;
            }
            let mean = |of: &dyn Fn(&Vertex) -> f32| -> f32 {
                corners.iter().zip(sides).map(|(corner, (weight, _))| of(corner) * weight).sum()
            };
            let uv = pos2(mean(&|corner| corner.uv.x), mean(&|corner| corner.uv.y));
            let texel = sample(texture, uv);
            let [red, green, blue, alpha] = [0, 1, 2, 3].map(|c| mean(&|corner| parts(corner.color)[c]) * texel[c]);
            let below = &mut self.texels[y * self.size[0] + x];
            *below = [0, 1, 2].map(|c| [red, green, blue][c] + below[c] * (1.0 - alpha));
        }
    }

    fn picture(&self) -> Picture {
        let byte = |part: f32| (255.0 * part).round().clamp(0.0, 255.0) as u8;
        let rgba = self.texels.iter().flat_map(|[red, green, blue]| [byte(*red), byte(*green), byte(*blue), 255]);
        Picture { size: self.size.map(|side| side as u32), rgba: rgba.collect() }
    }
}
