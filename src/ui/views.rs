//! The view picker: a technique's pictures of its inner workings, full screen, below the lens or split; and their legend.

use egui::{Align2, Color32, ComboBox, Mesh, Pos2, Rect, Sense, Shape, Ui, pos2, vec2};

use super::{auto, fold, theme};

/// Where a view is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Over the whole window.
    #[default]
    Full,
    /// Below the lens, refracted.
    Lens,
    /// On one side of a line that can be dragged.
    Split,
}

/// A view as picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// Id of the technique whose picture it is.
    pub technique: String,
    /// Name of the picture.
    pub view: String,
    /// Where it is shown.
    pub place: Place,
}

/// A picture that a technique offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// Its name, as after the slash of `--view glass/distance`.
    pub name: &'static str,
    /// What it shows.
    pub doc: &'static str,
}

/// What the colours of a view mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// What is shown.
    pub title: String,
    /// The colours.
    pub key: Key,
}

/// The colours of a legend, as sRGB.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A colour each.
    Swatches(Vec<([u8; 3], String)>),
    /// A range of colours, evenly spaced from the lowest value to the highest.
    Gradient {
        /// At least one.
        colors: Vec<[u8; 3]>,
        /// What the first colour stands for, with its unit.
        min: String,
        /// What the last colour stands for, with its unit.
        max: String,
    },
    /// The picture speaks for itself.
    None,
}

/// Shows the picker; `offers` are id, title and pictures of each technique. Gives the new pick when it changed.
pub fn picker(ui: &mut Ui, offers: &[(&str, &str, &[Offer])], shown: Option<&Pick>) -> Option<Option<Pick>> {
    let mut pick = shown.cloned();
    let text = match shown {
        None => "The picture itself".to_owned(),
        Some(pick) => {
            let title =
                offers.iter().find(|(id, ..)| *id == pick.technique).map_or(pick.technique.as_str(), |offer| offer.1);
            format!("{title}: {}", auto::title(&pick.view))
        }
    };
    let place = shown.map_or(Place::Lens, |pick| pick.place);
    let combo = ComboBox::from_id_salt("view")
        .width(ui.available_width())
        .selected_text(text)
        .truncate()
        .icon(fold::combo_icon);
    let response = combo.show_ui(ui, |ui| {
        ui.selectable_value(&mut pick, None, "The picture itself")
            .on_hover_text("No view: none of their passes is recorded");
        for (id, title, views) in offers.iter().filter(|(_, _, views)| !views.is_empty()) {
            ui.add_space(3.0);
            ui.label(theme::caption(title));
            for view in *views {
                let here = Pick { technique: id.to_string(), view: view.name.into(), place };
                let hint = format!("{}\n--view {id}/{}", view.doc, view.name);
                ui.selectable_value(&mut pick, Some(here), auto::title(view.name)).on_hover_text(hint);
            }
        }
    });
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, "View"));
    if let Some(pick) = &mut pick {
        let places = [
            (Place::Lens, "Below the lens", "The lens lies over the view and refracts it"),
            (Place::Full, "Full", "The view fills the window"),
            (Place::Split, "Split", "The view is on one side of a line that can be dragged"),
        ];
        fold::segments(ui, &mut pick.place, &places);
    }
    (pick.as_ref() != shown).then_some(pick)
}

/// Draws a legend, at most `width` points wide.
pub fn legend(ui: &mut Ui, legend: &Legend, width: f32) {
    ui.set_max_width(width);
    ui.label(theme::heading(&legend.title));
    match &legend.key {
        Key::Swatches(swatches) => {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(12.0, 3.0);
                for (color, label) in swatches {
                    swatch(ui, *color, label, width);
                }
            });
        }
        Key::Gradient { colors, min, max } => {
            let (rect, _) = ui.allocate_exact_size(vec2(width.min(260.0), 10.0), Sense::hover());
            ui.painter().add(gradient(rect, colors));
            let (below, response) = ui.allocate_exact_size(vec2(rect.width(), 14.0), Sense::hover());
            let font = egui::FontId::monospace(11.0);
            ui.painter().text(below.left_center(), Align2::LEFT_CENTER, min, font.clone(), theme::TEXT);
            ui.painter().text(below.right_center(), Align2::RIGHT_CENTER, max, font, theme::TEXT);
            let spoken = format!("from {min} to {max}");
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &spoken));
        }
        Key::None => {}
    }
}

/// Colour and label as one thing, so that a line never ends between them.
fn swatch(ui: &mut Ui, color: [u8; 3], label: &str, width: f32) {
    const MARK: f32 = 18.0;
    let text = egui::WidgetText::from(label);
    let text = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), width - MARK, egui::TextStyle::Body);
    let size = vec2(MARK + text.size().x, text.size().y.max(16.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, label));
    let square = Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(12.0, 12.0));
    ui.painter().rect_filled(square, 3.0, opaque(color));
    ui.painter().galley(pos2(rect.left() + MARK, rect.center().y - text.size().y / 2.0), text, theme::TEXT);
}

fn opaque([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

fn gradient(rect: Rect, colors: &[[u8; 3]]) -> Shape {
    let mut mesh = Mesh::default();
    let spans = colors.len().saturating_sub(1).max(1);
    for (index, color) in colors.iter().chain(colors.last().filter(|_| colors.len() == 1)).enumerate() {
        let x = egui::lerp(rect.x_range(), index as f32 / spans as f32);
        let corners: [Pos2; 2] = [pos2(x, rect.top()), pos2(x, rect.bottom())];
        corners.into_iter().for_each(|corner| mesh.colored_vertex(corner, opaque(*color)));
        if index > 0 {
            let at = 2 * index as u32;
            mesh.add_triangle(at - 2, at - 1, at);
            mesh.add_triangle(at - 1, at, at + 1);
        }
    }
    mesh.into()
}
