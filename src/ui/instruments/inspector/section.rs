//! Cross-section of the glass through a pixel: the figure of its steps, and its measures.

use crate::{replay, theme};
use egui::{Align2, FontId, Sense, Ui, Vec2, WidgetInfo, WidgetType, vec2};
use glass::{Blur, CrossSection, section_figure};

/// Points; the rest of a wider panel is left free.
const WIDEST: f32 = 420.0;
/// Height of both grids over their width.
const HIGH: f32 = 0.72;
/// Height of their titles with the room between them, and of a line of text.
const TITLES: f32 = 52.0;
const LINE: f32 = 14.0;
const LINES: usize = 4;

/// Depends on the width alone, so that a panel does not change while the pointer moves.
pub fn size(width: f32) -> Vec2 {
    let width = width.min(WIDEST);
    vec2(width, HIGH * width + TITLES + LINES as f32 * LINE)
}

pub fn show(ui: &mut Ui, section: &CrossSection) {
    let (area, response) = ui.allocate_exact_size(size(ui.available_width()), Sense::hover());
    let lines = lines(section);
    let spoken = format!("Cross-section: {}", lines.join(", "));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, &spoken));
    if !ui.is_rect_visible(area) {
        return;
    }
    let painter = ui.painter_at(area);
    let (figure, below) = area.split_top_bottom_at_y(area.bottom() - LINES as f32 * LINE);
    replay::draw_figure(&painter, figure, &section_figure(section), None);
    for (number, line) in lines.into_iter().enumerate() {
        let at = below.left_top() + vec2(0.0, number as f32 * LINE);
        painter.text(at, Align2::LEFT_TOP, line, FontId::proportional(10.5), theme::QUIET);
    }
}

fn lines(section: &CrossSection) -> [String; LINES] {
    let (point, blur, stretch) = (&section.point, &section.blur, section.footprint.stretch);
    let [red, green, blue] = section.rays.map(|ray| ray.index);
    let index = if red == blue { format!("n {green:.3}") } else { format!("n {red:.3}, {green:.3}, {blue:.3}") };
    let [incidence, bent] = [point.incidence, section.rays[1].refraction].map(f64::to_degrees);
    let mirrored = if stretch < 0.0 { ", mirrored" } else { "" };
    let looks = if section.taps.len() == 1 { "1 look".into() } else { format!("{} looks", section.taps.len()) };
    // A mip level, or the method of the frost.
    let read = match blur.method {
        Blur::Box81 => "81 taps".into(),
        _ if blur.part >= 1.0 && blur.method != Blur::Trilinear => "frosted".into(),
        _ => format!("level {:.2}", blur.level),
    };
    [
        format!("{index} \u{b7} glass {:.1} px, gap {:.1} px", point.thickness, section.gap),
        format!("{incidence:.1}\u{b0} in, {bent:.1}\u{b0} below \u{b7} slope {:.2}", point.slope),
        format!(
            "{looks} \u{b7} {:.2} px across{mirrored} \u{b7} displaced {:.1} px",
            stretch.abs(),
            section.displacement.length()
        ),
        format!("{read} \u{b7} blur {:.2} px: frost {:.2}, bevel {:.2}", blur.sigma, blur.frost, blur.extra),
    ]
}
