//! Tests of the figure: labels apart and whole, in both themes, at all widths. With `MENISCUS_PICTURES=DIR` its pictures are written there.

use super::{show, size};
use crate::base::settings::ShortText;
use crate::scene::{Lens, Shape as Outline};
use crate::techniques::glass::{CrossSection, GlassSettings, Preset, RayPencil};
use crate::ui::{appearance, theme};
use egui::epaint::{ClippedShape, ImageData, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, Pos2, RawInput, Rect, Shape, TextureId, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glam::Vec2;

/// Widths at which the figure is to look good.
const WIDTHS: [f32; 3] = [280.0, 340.0, 420.0];

struct Case {
    name: &'static str,
    pencil: RayPencil,
}

fn cases() -> Vec<Case> {
    let lens = |outline, half: [f32; 2], angle| Lens {
        center: Vec2::new(256.0, 192.0),
        half: Vec2::from(half),
        shape: outline,
        exponent: 2.5,
        radius: 30.0,
        angle,
        ..Lens::default()
    };
    let whole = lens(Outline::Superellipse, [190.0, 120.0], 0.0);
    let preset = |preset: Preset| {
        let mut settings = GlassSettings::default();
        preset.apply(&mut settings);
        settings
    };
    let case =
        |name, settings: GlassSettings, lens: Lens| Case { name, pencil: RayPencil::new(&settings, &[lens], 1.0) };
    let plain = GlassSettings::default();
    let words = Lens { text: ShortText::from("Aa").unwrap_or_default(), weight: 0.05, ..whole };
    vec![
        case("clear", plain.clone(), whole),
        case("prism", preset(Preset::Prism), lens(Outline::Capsule, [190.0, 60.0], 0.8)),
        case("frosted", preset(Preset::Frosted), lens(Outline::Rounded, [150.0, 100.0], -0.4)),
        case("words", preset(Preset::Words), words),
        case("flat", GlassSettings { bevel_height: 0.0, ..plain.clone() }, whole),
        case("low", GlassSettings { bevel_height: 12.0, gap: 0.0, ..plain.clone() }, whole),
        case("nothing", GlassSettings { bevel_height: 0.0, gap: 0.0, ..plain.clone() }, whole),
        case("high", GlassSettings { bevel_height: 400.0, gap: 400.0, ..plain.clone() }, whole),
        case("enlarged", GlassSettings { magnify: 3.0, ..plain.clone() }, whole),
        case("tiny", plain, lens(Outline::Capsule, [9.0, 6.0], 0.3)),
    ]
}

fn context() -> Context {
    let ctx = Context::default();
    theme::install(&ctx);
    ctx
}

/// Shapes of the figure at the left top of a window, and its textures.
fn drawn(ctx: &Context, width: f32, section: &CrossSection) -> egui::FullOutput {
    let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, 900.0));
    let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
    ctx.run_ui(input, |root| {
        show(root, section);
    })
}

/// Texts and their areas.
fn texts<'a>(shapes: impl Iterator<Item = &'a Shape>) -> Vec<(String, Rect)> {
    let of = |shape: &Shape| match shape {
        Shape::Text(text) => vec![(text.galley.text().to_owned(), shape.visual_bounding_rect())],
        Shape::Vec(inner) => texts(inner.iter()),
        _ => Vec::new(),
    };
    shapes.flat_map(of).collect()
}

#[test]
fn labels_are_whole_and_apart() {
    let ctx = context();
    let mut seen = 0;
    for case in cases() {
        let pixels = (0..34 * 24).map(|at| Vec2::new((at % 34 * 12) as f32 + 58.5, (at / 34 * 12) as f32 + 60.5));
        let near = (0..40).map(|at| Vec2::new(246.5 + at as f32 * 0.5, 190.5));
        let sections: Vec<_> = pixels.chain(near).filter_map(|at| case.pencil.at(at)).collect();
        assert!(sections.len() > 20, "{}: {}", case.name, sections.len());
        for section in sections.iter().step_by(sections.len().div_ceil(60)) {
            for width in WIDTHS {
                let mut output = drawn(&ctx, width, section);
                output.textures_delta.clear();
                let all = texts(output.shapes.iter().map(|clipped| &clipped.shape));
                let area = Rect::from_min_size(Pos2::ZERO, size(width));
                let place = format!("{} at {}, {width} points: {all:?}", case.name, section.at);
                for (at, (text, rect)) in all.iter().enumerate() {
                    assert!(area.expand(0.5).contains_rect(*rect), "{text:?}: {place}");
                    let over = all[..at].iter().find(|(_, other)| other.shrink(0.3).intersects(rect.shrink(0.3)));
                    assert!(over.is_none(), "{text:?} over {over:?}: {place}");
                }
                for part in ["n", "glass\n", "gap\n", "\u{b0}", "displaced", "\u{b0} below", "across", "blur"] {
                    assert!(all.iter().any(|(text, _)| text.contains(part)), "no {part:?}: {place}");
                }
                let angle = format!("{:.1}\u{b0}", section.point.incidence.to_degrees());
                assert!(all.iter().any(|(text, _)| *text == angle), "no {angle}: {place}");
                seen += 1;
            }
        }
    }
    assert!(seen > 600, "{seen}");
}

#[test]
fn a_reader_of_the_screen_is_given_the_figures() {
    let section = cases()[0].pencil.at(Vec2::new(90.5, 180.5)).unwrap();
    let label = super::summary(&section);
    let start = format!("Ray pencil: displaced {:.1} px", section.displacement.length());
    assert!(label.starts_with(&start), "{label}");
    let builder = egui_kittest::Harness::builder().with_size([320.0, 500.0]);
    let mut harness = builder.build_ui(move |ui| {
        show(ui, &section);
    });
    harness.run();
    let area = harness.get_by_label(&label).rect();
    assert!((area.size() - size(area.width())).length() < 1.0 && area.width() > 280.0, "{area:?}");
}

/// A picture of shapes: triangles over a colour, as the renderer blends them.
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

    fn triangle(&mut self, corners: [Vertex; 3], clip: Rect, texture: &ColorImage) {
        let [a, b, c] = corners.map(|corner| corner.pos);
        let area = (b - a).x * (c - a).y - (b - a).y * (c - a).x;
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
            let p = pos2(x as f32 + 0.5, y as f32 + 0.5) / self.scale;
            let p = pos2(p.x, p.y);
            let side = |from: Pos2, to: Pos2| ((to - from).x * (p - from).y - (to - from).y * (p - from).x) / area;
            let weights = [side(b, c), side(c, a), side(a, b)];
            // A pixel on the border of two triangles belongs to one of them.
            let is_inside = weights.iter().all(|weight| *weight >= 0.0) && clip.contains(p);
            if !is_inside {
                continue;
            }
            let mean = |of: &dyn Fn(&Vertex) -> f32| -> f32 {
                corners.iter().zip(weights).map(|(corner, weight)| of(corner) * weight).sum()
            };
            let uv = pos2(mean(&|corner| corner.uv.x), mean(&|corner| corner.uv.y));
            let texel = sample(texture, uv);
            let [red, green, blue, alpha] = [0, 1, 2, 3].map(|c| mean(&|corner| parts(corner.color)[c]) * texel[c]);
            let below = &mut self.texels[y * self.size[0] + x];
            *below = [0, 1, 2].map(|c| [red, green, blue][c] + below[c] * (1.0 - alpha));
        }
    }

    /// Pixels within an eighth of a colour.
    fn count(&self, color: Color32) -> usize {
        let [red, green, blue, _] = parts(color);
        let is_near = |texel: &&[f32; 3]| [red, green, blue].iter().zip(**texel).all(|(a, b)| (a - b).abs() < 0.125);
        self.texels.iter().filter(is_near).count()
    }

    fn write(&self, path: &std::path::Path) {
        let bytes = self.texels.iter().flatten().map(|part| (255.0 * part).round().clamp(0.0, 255.0) as u8).collect();
        image::RgbImage::from_raw(self.size[0] as u32, self.size[1] as u32, bytes).unwrap().save(path).unwrap();
    }
}

/// The figure at twice its size on a panel.
fn picture(width: f32, section: &CrossSection, is_light: bool) -> Canvas {
    const MARGIN: f32 = 12.0;
    let ctx = context();
    let scale = 2.0;
    ctx.set_pixels_per_point(scale);
    // The first frame makes the font's texture at another scale.
    let mut textures = std::collections::BTreeMap::new();
    let mut shapes = Vec::new();
    for _ in 0..3 {
        let mut output = drawn(&ctx, width, section);
        for (id, delta) in output.textures_delta.set.iter().flat_map(|(id, all)| all.iter().map(move |new| (*id, new)))
        {
            let ImageData::Color(new) = &delta.image;
            match (delta.pos, textures.get_mut(&id)) {
                (Some([left, top]), Some(image)) => {
                    let image: &mut ColorImage = image;
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
    for clipped in &mut shapes {
        clipped.shape.translate(vec2(MARGIN, MARGIN));
        clipped.clip_rect = clipped.clip_rect.translate(vec2(MARGIN, MARGIN));
        if is_light {
            appearance::lighten(&mut clipped.shape);
        }
    }
    let ground = if is_light { Color32::from_rgb(236, 238, 242) } else { Color32::from_rgb(16, 18, 25) };
    let mut canvas = Canvas::new(size(width) + 2.0 * vec2(MARGIN, MARGIN), scale, ground);
    canvas.draw(&ctx, shapes, &textures[&TextureId::default()]);
    canvas
}

#[test]
fn the_picture_shows_rays_of_three_colours() {
    let folder = std::env::var_os("MENISCUS_PICTURES").map(std::path::PathBuf::from);
    let places = [
        ("clear", Vec2::new(90.5, 180.5)),
        ("clear", Vec2::new(70.5, 192.5)),
        ("clear", Vec2::new(256.5, 192.5)),
        ("prism", Vec2::new(380.5, 290.5)),
        ("frosted", Vec2::new(180.5, 140.5)),
        ("words", Vec2::new(130.5, 190.5)),
        ("flat", Vec2::new(90.5, 180.5)),
        ("low", Vec2::new(424.5, 180.5)),
        ("high", Vec2::new(90.5, 180.5)),
        ("enlarged", Vec2::new(256.5, 90.5)),
        ("tiny", Vec2::new(251.5, 191.5)),
    ];
    let cases = cases();
    for (number, (name, at)) in places.into_iter().enumerate() {
        let pencil = &cases.iter().find(|case| case.name == name).unwrap().pencil;
        let section = (0..60).find_map(|step| pencil.at(at + step as f32)).unwrap();
        let width = WIDTHS[number % 3];
        for is_light in [false, true] {
            let canvas = picture(width, &section, is_light);
            if let Some(folder) = &folder {
                let theme = if is_light { "light" } else { "dark" };
                std::fs::create_dir_all(folder).unwrap();
                canvas.write(&folder.join(format!("ray_pencil-{number:02}-{name}-{theme}.png")));
            }
            // Green is drawn last but one, so blue and red are seen at least in their lanes and dots.
            for color in super::COLORS {
                let mut shape = Shape::circle_filled(Pos2::ZERO, 1.0, color);
                if is_light {
                    appearance::lighten(&mut shape);
                }
                let Shape::Circle(circle) = shape else { unreachable!() };
                let count = canvas.count(circle.fill);
                assert!(count > 30, "{name} at {at}, light {is_light}: {count} pixels of {color:?}");
            }
        }
    }
}
