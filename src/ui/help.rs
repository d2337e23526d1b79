//! Help: what the keys and the mouse do, and the pages of the techniques, shown beside the dock to be read.

use egui::{Button, RichText, ScrollArea, Ui};

use super::{fold, markdown, theme};
use crate::techniques::Info;

/// Keys and what they do.
const KEYS: [(&str, &str); 26] = [
    ("Drag", "Move the lens"),
    ("Drag a dot", "Size; with Shift the shape stays"),
    ("Drag the ring", "Turn; with Shift by steps of 15°"),
    ("Alt + drag", "Turn, from anywhere on the lens"),
    ("Wheel", "Size of the lens"),
    ("Ctrl + wheel", "Frost"),
    ("Two fingers", "Move, size and turn"),
    ("Drag beside it", "Go round the scene; two fingers zoom"),
    ("Right drag", "Pan, as with Shift beside a lens"),
    ("Wheel beside it", "Nearer or farther"),
    ("F", "Let the camera drift by itself, or stop it"),
    ("Arrows", "Move by 1 px, with Shift by 10"),
    ("Q, E", "Turn by 1°, with Shift by 10°"),
    ("N", "New lens, up to 8; near ones melt"),
    ("Del", "Remove the lens, if it is not the last"),
    ("Tab", "Next lens"),
    ("R", "One lens and the camera, as they were"),
    ("Space", "Source mode against our lens"),
    ("Esc", "Give up the drag; close a page"),
    ("1 ... 9", "Preset of this number"),
    ("H", "Hide or show the panels"),
    ("F1", "This help"),
    ("Ctrl + Q", "Quit"),
    ("F12", "Capture a frame (RenderDoc)"),
    ("Drop a file", "Picture, scene (.glb) or preset"),
    ("Double click", "On a setting's name: its default"),
];

/// Which page is open.
#[derive(Debug, Default)]
pub struct Help {
    /// Id of the technique whose page is open.
    pub page: Option<String>,
}

impl Help {
    /// The keys, and a button for each page.
    pub fn show(&mut self, ui: &mut Ui, infos: &[Info]) {
        ui.label(theme::caption("Pages"));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(5.0, 5.0);
            for info in infos.iter().filter(|info| !info.doc.is_empty()) {
                let is_open = self.page.as_deref() == Some(info.id);
                if ui.add(Button::new(info.title).selected(is_open)).clicked() {
                    self.page = (!is_open).then(|| info.id.to_owned());
                }
            }
        });
        ui.add_space(8.0);
        ui.label(theme::caption("Keys and mouse"));
        for (key, what) in KEYS {
            ui.horizontal_top(|ui| {
                let width = ui.available_width() * 0.36 - 6.0;
                ui.scope(|ui| {
                    ui.set_width(width);
                    ui.label(RichText::new(key).color(theme::ACCENT));
                });
                ui.add(egui::Label::new(what).wrap());
            });
        }
    }

    /// The open page: heading and text, in a space of its own.
    pub fn page(&mut self, ui: &mut Ui, title: &str, source: &str) {
        ui.horizontal(|ui| {
            ui.label(theme::caption(title));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if fold::sign(ui, "×", 17.0, "Close the page") {
                    self.page = None;
                }
            });
        });
        ScrollArea::vertical().id_salt(title).auto_shrink([false, false]).show(ui, |ui| {
            markdown::show(ui, source);
        });
    }
}
