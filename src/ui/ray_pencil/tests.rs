//! Tests of the figure: labels apart and whole, in both themes, at all widths. With `MENISCUS_PICTURES=DIR` its pictures are written there.

use super::{show, size};
use crate::base::picture::Picture;
use crate::base::settings::ShortText;
use crate::scene::{Lens, Shape as Outline};
use crate::techniques::glass::{CrossSection, GlassSettings, Preset, RayPencil};
use crate::ui::{appearance, panel_picture, theme};
use egui::{Color32, Context, Pos2, RawInput, Rect, Shape, vec2};
use egui_kittest::kittest::Queryable as _;
use glam::Vec2;

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
    let words = Lens { text: ShortText::from("Aa"), weight: 0.05, ..whole };
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

fn drawn(ctx: &Context, width: f32, section: &CrossSection) -> egui::FullOutput {
    let screen = Rect::from_min_size(Pos2::ZERO, vec2(width, 900.0));
    let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
    ctx.run_ui(input, |root| {
        show(root, section);
    })
}

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

/// Pixels within an eighth of a colour.
fn count(picture: &Picture, color: Color32) -> usize {
    let is_near = |texel: &&[u8]| color.to_array().iter().zip(&texel[..3]).all(|(a, b)| a.abs_diff(*b) < 32);
    picture.rgba.chunks_exact(4).filter(is_near).count()
}

fn picture(width: f32, section: &CrossSection, is_light: bool) -> Picture {
    const MARGIN: i8 = 12;
    panel_picture::draw(size(width) + egui::Vec2::splat(2.0 * f32::from(MARGIN)), 2.0, is_light, |ui| {
        egui::Frame::new().inner_margin(MARGIN).show(ui, |ui| {
            show(ui, section);
        });
    })
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
                let file = folder.join(format!("ray_pencil-{number:02}-{name}-{theme}.png"));
                std::fs::write(file, canvas.encode_png().unwrap()).unwrap();
            }
            // Green is drawn last but one, so blue and red are seen at least in their lanes and dots.
            for color in super::COLORS {
                let mut shape = Shape::circle_filled(Pos2::ZERO, 1.0, color);
                if is_light {
                    appearance::lighten(&mut shape, 1.0);
                }
                let Shape::Circle(circle) = shape else { unreachable!() };
                let count = count(&canvas, circle.fill);
                assert!(count > 30, "{name} at {at}, light {is_light}: {count} pixels of {color:?}");
            }
        }
    }
}
