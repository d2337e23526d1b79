//! Card of the shown view: what it shows, its legend, and where it is: below the lens, full screen or split.

use egui::{Color32, Mesh, Pos2, Rect, Sense, Shape, Ui, pos2, vec2};

use super::PanelKey;
use super::keys::{self, Shortcut};
use super::{names::in_panel_names, settings::collapsing, theme};
use renderer::{ActiveView, ViewPlacement};
use technique::{Info, Legend, ViewInfo};

/// `step` is 1 or -1; "no view" is one of the views.
pub fn next(infos: &[Info], shown: Option<ActiveView>, step: isize) -> Option<ActiveView> {
    let place = shown.map_or(ViewPlacement::Lens, |shown| shown.place);
    let of = |info: &Info| info.views.iter().map(|view| (info.id, *view)).collect::<Vec<_>>();
    let all: Vec<_> = infos.iter().flat_map(of).collect();
    let is_shown = |(technique, view): &(&'static str, ViewInfo)| {
        shown.is_some_and(|shown| shown.technique == *technique && shown.view.name == view.name)
    };
    let now = all.iter().position(is_shown).map_or(0, |at| at + 1);
    let next = (now as isize + step).rem_euclid(all.len() as isize + 1) as usize;
    next.checked_sub(1).map(|at| ActiveView { technique: all[at].0, view: all[at].1, place })
}

/// Least width of a legend.
pub const LEGEND_ROOM: f32 = 110.0;

/// Length of a colour ramp, and the least gap between the words at its ends.
const RAMP: f32 = 260.0;
const APART: f32 = 16.0;
/// Greatest width of the choice of a placement.
const SEGMENTS: f32 = 220.0;

const PLACES: [(ViewPlacement, &str, &str); 3] = [
    (ViewPlacement::Lens, "Lens", "The view lies under the glass, which is clear whatever the preset says"),
    (ViewPlacement::Full, "Full screen", "The view fills the window"),
    (ViewPlacement::Split, "Split", "The view fills the window to the right of a divider that you can drag"),
];

/// Title, sentence, legend and placement. Returns what is chosen.
pub(super) fn card(ui: &mut Ui, shown: ActiveView, width: f32) -> Option<Option<ActiveView>> {
    ui.set_max_width(width);
    let ActiveView { view, mut place, .. } = shown;
    let is_closed = ui.horizontal(|ui| {
        ui.label(theme::heading(view.title));
        collapsing::cross(ui, &keys::hint("Back to the final image", Shortcut::Panel(PanelKey::FinalImage)))
    });
    let doc = in_panel_names(view.doc);
    theme::note(ui, sentence(&doc)).on_hover_text(doc.as_str());
    legend(ui, &view, width);
    ui.scope(|ui| {
        ui.set_max_width(width.min(SEGMENTS));
        collapsing::segments(ui, &mut place, &PLACES);
    });
    match is_closed.inner {
        true => Some(None),
        false => (place != shown.place).then_some(Some(ActiveView { place, ..shown })),
    }
}

fn sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| &text[..=first.len()])
}

fn legend(ui: &mut Ui, view: &ViewInfo, width: f32) {
    match view.legend {
        Legend::None => {}
        Legend::Swatches(swatches) => {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(12.0, 3.0);
                for (color, label) in swatches {
                    swatch(ui, *color, label, width);
                }
            });
        }
        Legend::Ramp { stops, low, high } => {
            // If the words at the ends have no room side by side, the second ones are below the first.
            let font = theme::font(theme::SMALL);
            let words = |text: &str| ui.painter().layout(text.to_owned(), font.clone(), theme::TEXT, width);
            let (low_words, high_words) = (words(low), words(high));
            let both = low_words.size().x + APART + high_words.size().x;
            if !view.ticks.is_empty() {
                ui.add_space(9.0);
            }
            let (rect, _) = ui.allocate_exact_size(vec2(width.min(both.max(RAMP)), 10.0), Sense::hover());
            ui.painter().add(gradient(rect, stops));
            let lines = if both <= width { 0.0 } else { low_words.size().y };
            let size = vec2(rect.width(), lines + high_words.size().y);
            let (below, response) = ui.allocate_exact_size(size, Sense::hover());
            let high_at = below.right_bottom() - high_words.size();
            ui.painter().galley(below.left_top(), low_words, theme::TEXT);
            ui.painter().galley(high_at, high_words, theme::TEXT);
            ticks(ui, rect, view.ticks);
            let spoken = format!("from {low} to {high}");
            theme::speak(&response, egui::WidgetType::Label, &spoken);
        }
    }
}

/// The first at the left end and the last at the right one.
fn ticks(ui: &Ui, rect: Rect, ticks: &[&str]) {
    let last = ticks.len().saturating_sub(1).max(1);
    // Figures that would touch are left out.
    let ticks = if rect.width() < 24.0 * ticks.len() as f32 { &[] } else { ticks };
    for (at, text) in ticks.iter().enumerate() {
        let x = egui::lerp(rect.x_range(), at as f32 / last as f32);
        let color = Color32::from_black_alpha(150);
        ui.painter().vline(
            x.clamp(rect.left() + 0.5, rect.right() - 0.5),
            rect.y_range(),
            egui::Stroke::new(1.0, color),
        );
        let align = match at {
            0 => egui::Align2::LEFT_BOTTOM,
            at if at == last => egui::Align2::RIGHT_BOTTOM,
            _ => egui::Align2::CENTER_BOTTOM,
        };
        ui.painter().text(pos2(x, rect.top() - 1.0), align, text, theme::font(theme::SMALL), theme::TEXT);
    }
}

/// A line never breaks between colour and label.
fn swatch(ui: &mut Ui, color: [u8; 3], label: &str, width: f32) {
    const MARK: f32 = 18.0;
    let text = egui::WidgetText::from(label);
    let text = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), width - MARK, egui::TextStyle::Body);
    let size = vec2(MARK + text.size().x, text.size().y.max(16.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    theme::speak(&response, egui::WidgetType::Label, label);
    let square = Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(12.0, 12.0));
    theme::swatch(ui, square, color);
    ui.painter().galley(pos2(rect.left() + MARK, rect.center().y - text.size().y / 2.0), text, theme::TEXT);
}

fn gradient(rect: Rect, colors: &[[u8; 3]]) -> Shape {
    let mut mesh = Mesh::default();
    let spans = colors.len().saturating_sub(1).max(1);
    for (index, color) in colors.iter().chain(colors.last().filter(|_| colors.len() == 1)).enumerate() {
        let x = egui::lerp(rect.x_range(), index as f32 / spans as f32);
        let corners: [Pos2; 2] = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        corners.into_iter().for_each(|corner| mesh.colored_vertex(corner, theme::rgb(*color)));
        if index > 0 {
            let at = 2 * index as u32;
            mesh.add_triangle(at - 2, at - 1, at);
            mesh.add_triangle(at - 1, at, at + 1);
        }
    }
    mesh.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use techniques::INFOS;

    #[test]
    fn a_card_has_the_first_sentence() {
        assert_eq!(sentence("One of 4.5:1. Two."), "One of 4.5:1.");
        for view in INFOS.iter().flat_map(|info| info.views) {
            let first = sentence(view.doc);
            assert!(first.ends_with('.') && !first.contains(". ") && first.len() > 12, "{}: {first}", view.title);
        }
    }
}
