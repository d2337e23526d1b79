//! Taps of a pixel, magnified: one lane a colour, circles as large as their weights.

use super::figure::Figure;
use super::labels::{COLORS, LINE, Labels};
use crate::techniques::glass::CrossSection;
use crate::ui::theme;
use egui::{Align2, Color32, CornerRadius, Mesh, Painter, Rect, Stroke, StrokeKind, pos2, vec2};

/// Points; so are the next ones.
const LANE: f32 = 14.0;
/// Row of the footprint above the lanes.
const TOP: f32 = 9.0;
/// With the row of the scale below.
pub(super) const HEIGHT: f32 = TOP + 3.0 * LANE + 4.0 + LINE;
/// Start of the lines to the picture above the lanes.
const LINES: f32 = 9.0;
/// Largest circle.
const LARGEST: f32 = 5.5;

/// Between the picture and the lanes; it suits both themes.
const VEIL: Color32 = Color32::from_rgba_unmultiplied_const(158, 166, 182, 36);

/// Maps x from the footprint's middle to the screen.
struct Scale {
    middle: f64,
    origin: f32,
    /// Points of a pixel; negative if the cut is mirrored.
    points: f32,
}

impl Scale {
    fn at(&self, x: f64) -> f32 {
        self.origin + (x - self.middle) as f32 * self.points
    }
}

fn ends(section: &CrossSection) -> [f64; 2] {
    let sides = section.footprint.sides.map(|side| side[1].x);
    let landings = section.rays.map(|ray| ray.landing);
    let all = section.taps.iter().map(|tap| tap.x).chain(sides).chain(landings);
    let [low, high] = all.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
    let margin = (0.06 * (high - low)).max(0.5 * (1.5 - (high - low)));
    [low - margin, high + margin]
}

pub(super) fn draw(
    section: &CrossSection,
    area: Rect,
    figure: &Figure<'_>,
    labels: &mut Labels<'_>,
    painter: &Painter,
) {
    let [low, high] = ends(section);
    let well = Rect::from_min_size(area.min, vec2(area.width(), TOP + 3.0 * LANE + 2.0));
    let points = (well.width() - 4.0 * LARGEST) / (high - low) as f32;
    let signed = if figure.is_mirrored() { -points } else { points };
    let scale = Scale { middle: 0.5 * (low + high), origin: well.center().x, points: signed };
    callout(section, [low, high], well, figure, painter);
    painter.rect_filled(well, CornerRadius::same(6), Color32::from_black_alpha(70));
    let sides = section.footprint.sides.map(|side| scale.at(side[1].x));
    let footprint = Rect::from_x_y_ranges(
        sides[0].min(sides[1])..=sides[0].max(sides[1]),
        well.top() + 4.0..=well.top() + TOP - 2.0,
    );
    painter.rect_filled(footprint, 1.5, theme::QUIET);
    // Taps are evenly spaced.
    let apart = match &section.taps[..] {
        [first, second, ..] => (second.x - first.x).abs() as f32 * points,
        _ => f32::MAX,
    };
    let most = (0.48 * apart).clamp(2.0, LARGEST);
    let heaviest = section.taps.iter().flat_map(|tap| tap.weights).fold(1e-9, f64::max);
    for (index, (ray, color)) in section.rays.iter().zip(COLORS).enumerate() {
        let top = well.top() + TOP + LANE * index as f32;
        let landing = scale.at(ray.landing);
        painter.vline(landing, top + 0.5..=top + LANE - 0.5, Stroke::new(1.0, color.gamma_multiply(0.8)));
        for tap in &section.taps {
            let at = pos2(scale.at(tap.x), top + 0.5 * LANE);
            let weight = tap.weights[index] / heaviest;
            painter.circle(at, most * (weight.sqrt() as f32), color.gamma_multiply(0.75), Stroke::NONE);
            painter.circle_filled(at, 0.8, color.gamma_multiply(0.6));
        }
    }
    ruler(points, well, labels, painter);
}

fn callout(section: &CrossSection, ends: [f64; 2], well: Rect, figure: &Figure<'_>, painter: &Painter) {
    let shift = section.shift();
    let mut x = ends.map(|x| figure.across(x + shift));
    x.sort_by(f32::total_cmp);
    let [left, right] = x.map(|x| x.clamp(well.left(), well.right()));
    let top = well.top() - LINES;
    let mut mesh = Mesh::default();
    for corner in [pos2(left, top), pos2(right, top), well.left_top(), well.right_top()] {
        mesh.colored_vertex(corner, VEIL);
    }
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(1, 2, 3);
    painter.add(mesh);
    let mark = Rect::from_x_y_ranges(left - 1.0..=right + 1.0, figure.ground() - 4.0..=figure.ground() + 4.0);
    painter.rect_stroke(mark, 1.5, Stroke::new(1.0, theme::TEXT), StrokeKind::Outside);
}

fn ruler(points: f32, well: Rect, labels: &mut Labels<'_>, painter: &Painter) {
    let lengths = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
    let Some(length) = lengths.into_iter().find(|length| length * points >= 24.0) else { return };
    let y = well.bottom() + 2.0 + 0.5 * LINE;
    let right = well.right() - 1.0;
    let text = format!("{length} px");
    let written = labels.write(&text, theme::QUIET, &[(pos2(right, y), Align2::RIGHT_CENTER)]);
    let end = written.map_or(right, |area| area.left() - 5.0);
    let stroke = Stroke::new(1.0, theme::QUIET);
    let start = end - length * points;
    painter.hline(start..=end, y, stroke);
    for x in [start, end] {
        painter.vline(x, y - 3.0..=y + 3.0, stroke);
    }
    let mut at = well.left_bottom();
    at.y = y;
    labels.write("Looks and footprint", theme::QUIET, &[(at, Align2::LEFT_CENTER)]);
}
