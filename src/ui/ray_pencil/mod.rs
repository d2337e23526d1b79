//! Ray pencil: figure of the cross-section of the glass through a pixel, with its measures.

mod figure;
mod labels;
mod looks;
#[cfg(test)]
mod tests;

use crate::techniques::glass::{Blur, CrossSection};
use crate::ui::theme;
use egui::{Align2, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2};
use figure::Figure;
use labels::{COLORS, LINE, Labels};

/// Points; the rest of a wider panel is left free.
const WIDEST: f32 = 420.0;
/// Points over the glass for the view ray and the normal.
const SKY: f32 = 52.0;
/// Greatest height of glass and gap, as a fraction of the width.
const HIGH: f32 = 0.5;
const LINES: usize = 3;

/// Depends on the width alone, so that a panel does not change while the pointer moves.
pub fn size(width: f32) -> Vec2 {
    let width = width.min(WIDEST);
    vec2(width, LINE + 4.0 + SKY + HIGH * width + figure::BELOW + looks::HEIGHT + 4.0 + LINES as f32 * LINE)
}

/// To scale, with equal angles; left is the window's left, or its top if the cut is steep.
pub fn show(ui: &mut Ui, section: &CrossSection) -> Response {
    let (area, response) = ui.allocate_exact_size(size(ui.available_width()), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, summary(section)));
    if !ui.is_rect_visible(area) {
        return response;
    }
    let painter = ui.painter_at(area);
    let mut labels = Labels::new(&painter, area);
    let legend = Rect::from_min_size(area.min, vec2(area.width(), LINE + 4.0));
    let plot = Rect::from_min_size(legend.left_bottom(), vec2(area.width(), SKY + HIGH * area.width()));
    let looks_area =
        Rect::from_min_size(plot.left_bottom() + vec2(0.0, figure::BELOW), vec2(area.width(), looks::HEIGHT));
    let figure = Figure::new(section, plot, SKY);
    indices(section, legend, &mut labels, &painter);
    compass(section, pos2(legend.right() - 9.0, legend.center().y), figure.is_mirrored(), &painter);
    labels.keep_free(legend);
    figure.draw(&mut labels, &painter);
    looks::draw(section, looks_area, &figure, &mut labels, &painter);
    let mut line = looks_area.left_bottom() + vec2(0.0, 4.0);
    for text in texts(section) {
        labels.write(&text, theme::QUIET, &[(line, Align2::LEFT_TOP)]);
        line.y += LINE;
    }
    response
}

fn summary(section: &CrossSection) -> String {
    let [first, second, third] = texts(section);
    format!("Ray pencil: {}, {first}, {second}, {third}", figure::moved(section))
}

fn texts(section: &CrossSection) -> [String; LINES] {
    let (point, blur, footprint) = (&section.point, &section.blur, &section.footprint);
    let degrees = |angle: f64| angle.to_degrees();
    let bent = degrees(section.rays[1].refraction);
    let mirrored = if footprint.stretch < 0.0 { ", mirrored" } else { "" };
    let looks = if section.taps.len() == 1 { "1 look".into() } else { format!("{} looks", section.taps.len()) };
    [
        format!("{:.1}\u{b0} in, {bent:.1}\u{b0} below \u{b7} slope {:.2}", degrees(point.incidence), point.slope),
        format!("{looks} \u{b7} {:.2} px across{mirrored}", footprint.stretch.abs()),
        format!("{} \u{b7} blur {:.2} px: frost {:.2}, bevel {:.2}", read(section), blur.sigma, blur.frost, blur.extra),
    ]
}

/// A mip level, or the method of the frost.
fn read(section: &CrossSection) -> String {
    let blur = &section.blur;
    match blur.method {
        Blur::Box81 => "81 taps".into(),
        _ if blur.part >= 1.0 && blur.method != Blur::Trilinear => "frosted".into(),
        _ => format!("level {:.2}", blur.level),
    }
}

fn indices(section: &CrossSection, row: Rect, labels: &mut Labels<'_>, painter: &egui::Painter) {
    let mut at = row.left_center();
    let mut write = |at: Pos2, text: &str, color| {
        let area = labels.write(text, color, &[(at, Align2::LEFT_CENTER)]);
        area.map_or(at.x, |area| area.right())
    };
    at.x = write(at, "n", theme::QUIET) + 8.0;
    let [red, green, blue] = section.rays.map(|ray| ray.index);
    if red == blue {
        write(at, &format!("{green:.3}"), theme::TEXT);
        return;
    }
    for (index, color) in [red, green, blue].into_iter().zip(COLORS) {
        painter.circle_filled(pos2(at.x + 3.0, at.y), 3.0, color);
        at.x = write(at + vec2(10.0, 0.0), &format!("{index:.3}"), color) + 10.0;
    }
}

/// Direction of the figure's right on the screen.
fn compass(section: &CrossSection, middle: Pos2, is_mirrored: bool, painter: &egui::Painter) {
    let along = if is_mirrored { -section.along } else { section.along };
    let ahead = vec2(along.x as f32, along.y as f32);
    let stroke = Stroke::new(1.2, theme::TEXT);
    painter.circle_stroke(middle, 8.0, Stroke::new(1.0, theme::RAIL));
    painter.add(Shape::line_segment([middle - 5.5 * ahead, middle + 5.5 * ahead], stroke));
    let tip = middle + 5.5 * ahead;
    for side in [1.0, -1.0] {
        painter.line_segment([tip, tip - 3.2 * ahead + side * 2.4 * ahead.rot90()], stroke);
    }
}
