//! Light and high-contrast themes of the panels, derived from the dark one: from its shapes, so that no widget knows of them.

use egui::ecolor::Color32;
use egui::{Shape, epaint::shape_transform::adjust_colors};

/// Fraction of its lightness that a bright colour keeps: dark enough for text.
const DARK: f32 = 0.8;

/// Converts shapes painted for dark panels to the light theme. Meshes, shadows and pictures keep their colours.
pub fn lighten(shape: &mut Shape) {
    match shape {
        Shape::Vec(all) => all.iter_mut().for_each(lighten),
        Shape::Mesh(_) => {}
        Shape::Rect(rect) if rect.blur_width > 0.0 || rect.brush.is_some() => {}
        shape => adjust_colors(shape, |color| *color = turned(*color)),
    }
}

/// Least opacity of an outline in high contrast.
const OUTLINE: u8 = 170;
/// Fills above this opacity are backgrounds.
const BACKGROUND: u8 = 60;

/// Converts shapes painted for dark panels to high contrast. Fills of widgets, graphs, shadows and pictures keep their
/// colours.
pub fn strengthen(shape: &mut Shape) {
    match shape {
        Shape::Vec(all) => all.iter_mut().for_each(strengthen),
        Shape::Rect(rect) if rect.blur_width > 0.0 || rect.brush.is_some() => {}
        Shape::Rect(rect) => {
            let is_background = rect.fill.a() >= BACKGROUND && rect.fill.intensity() < 0.2;
            rect.fill = if is_background { Color32::BLACK } else { rect.fill };
            rect.stroke.color = outlined(rect.stroke.color);
        }
        Shape::LineSegment { stroke, .. } => stroke.color = outlined(stroke.color),
        Shape::Text(_) => adjust_colors(shape, |color| *color = toward_white(*color)),
        _ => {}
    }
}

fn outlined(color: Color32) -> Color32 {
    let is_veil = color.a() > 0 && color.a() < OUTLINE && [color.r(), color.g(), color.b()] == [color.a(); 3];
    if is_veil { Color32::from_white_alpha(OUTLINE) } else { color }
}

fn toward_white(color: Color32) -> Color32 {
    let [red, green, blue, alpha] = color.to_array();
    if color == Color32::PLACEHOLDER || alpha == 0 {
        return color;
    }
    // White of the same opacity has the alpha in each channel.
    let half = |channel: u8| channel.midpoint(alpha);
    Color32::from_rgba_premultiplied(half(red), half(green), half(blue), alpha)
}

/// Exchanges the distances from white and black: same hue and opacity.
fn turned(color: Color32) -> Color32 {
    if color == Color32::PLACEHOLDER || color.a() == 0 {
        return color;
    }
    let [red, green, blue, alpha] = color.to_srgba_unmultiplied().map(|byte| f32::from(byte) / 255.0);
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    // Hue and saturation of the HSL model.
    let (lightness, chroma) = (0.5 * (most + least), most - least);
    let room = 1.0 - (2.0 * lightness - 1.0).abs();
    let saturation = if room > 1e-3 { chroma / room } else { 0.0 };
    let turned = if lightness > 0.5 { DARK * (1.0 - lightness) } else { 1.0 - lightness };
    let chroma_now = saturation * (1.0 - (2.0 * turned - 1.0).abs());
    let by = if chroma > 1e-3 { chroma_now / chroma } else { 0.0 };
    let byte = |channel: f32| (255.0 * (turned + (channel - lightness) * by)).round().clamp(0.0, 255.0) as u8;
    Color32::from_rgba_unmultiplied(byte(red), byte(green), byte(blue), (255.0 * alpha).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::super::theme::{self, tests::luminance};
    use super::*;
    use glass::BRIGHT_GROUND;

    #[test]
    fn pictures_keep_their_colours() {
        let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(9.0, 9.0));
        let plain = egui::epaint::RectShape::filled(rect, 2.0, Color32::WHITE);
        let mut shapes = [plain.clone().with_texture(egui::TextureId::Managed(1), rect), plain].map(Shape::Rect);
        shapes.iter_mut().for_each(lighten);
        let fills = shapes.map(|shape| if let Shape::Rect(rect) = shape { rect.fill } else { Color32::RED });
        assert_eq!(fills[0], Color32::WHITE);
        assert!(fills[1].r() < 60);
    }

    #[test]
    fn text_can_be_read_on_bright_panels() {
        use theme::{ACCENT, BAD, DIM, GOOD, PANEL, QUIET, STRONG, TEXT, WARN};
        let sheet = luminance(Color32::BLACK.blend(turned(PANEL)));
        for text in [TEXT, STRONG, QUIET, DIM, ACCENT, BAD, WARN, GOOD] {
            let contrast = (BRIGHT_GROUND.min(sheet) + 0.05) / (luminance(turned(text)) + 0.05);
            assert!(contrast >= 4.5, "{text:?} as {:?}: {contrast}", turned(text));
        }
    }

    #[test]
    fn high_contrast_is_seven_to_one() {
        use egui::epaint::{RectShape, StrokeKind};
        use theme::{ACCENT, BAD, DIM, GOOD, PANEL, QUIET, STRONG, TEXT, WARN};
        let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(9.0, 9.0));
        let strong = |fill, stroke: Color32| {
            let mut shape = Shape::Rect(RectShape::new(rect, 2.0, fill, (1.0, stroke), StrokeKind::Inside));
            strengthen(&mut shape);
            let Shape::Rect(shape) = shape else { panic!("{shape:?}") };
            (shape.fill, shape.stroke.color)
        };
        let veil = Color32::from_white_alpha(26);
        assert_eq!(strong(PANEL, veil), (Color32::BLACK, Color32::from_white_alpha(OUTLINE)));
        assert_eq!(strong(veil, ACCENT), (veil, ACCENT), "a button, and the ring around it");
        assert_eq!(strong(Color32::TRANSPARENT, Color32::TRANSPARENT), (Color32::TRANSPARENT, Color32::TRANSPARENT));
        // The lightest fill of a widget, on black.
        let lightest = luminance(Color32::BLACK.blend(Color32::from_white_alpha(60)));
        for text in [TEXT, STRONG, QUIET, DIM, ACCENT, BAD, WARN, GOOD] {
            let contrast = |ground: f32| (luminance(toward_white(text)) + 0.05) / (ground + 0.05);
            assert!(contrast(0.0) >= 7.0 && contrast(lightest) >= 4.5, "{text:?}: {}", contrast(lightest));
        }
    }

    #[test]
    fn opacity_is_kept_and_bright_colours_become_dark() {
        assert_eq!(turned(Color32::from_white_alpha(40)), Color32::from_black_alpha(40));
        assert_eq!(turned(Color32::from_black_alpha(40)), Color32::from_white_alpha(40));
        assert_eq!(
            [turned(Color32::TRANSPARENT), turned(Color32::PLACEHOLDER)],
            [Color32::TRANSPARENT, Color32::PLACEHOLDER]
        );
        let mut mesh = egui::Mesh::default();
        mesh.add_colored_rect(egui::Rect::EVERYTHING, Color32::RED);
        let mut shape = Shape::Vec(vec![Shape::from(mesh.clone())]);
        lighten(&mut shape);
        assert_eq!(shape, Shape::Vec(vec![Shape::from(mesh)]), "a legend's colours");
    }
}
