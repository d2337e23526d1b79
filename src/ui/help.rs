//! Help tab: keys and mouse, and the pages of the techniques beside the dock.

use egui::{Button, RichText, Ui};

use super::source_tables::{self, SourceTables};
use super::tour::{self, Tour};
use super::{page::PageFigures, settings::collapsing, theme};
use crate::techniques::Info;

/// Keys and what they do.
pub(super) const KEYS: [(&str, &str); 45] = [
    ("Drag", "Move the lens"),
    ("Drag a dot", "Resize; Shift keeps the proportions"),
    ("Drag the ring", "Rotate; Shift snaps to 15°"),
    ("Alt + drag", "Rotate from anywhere on the lens"),
    ("Wheel", "Resize the lens"),
    ("Ctrl + wheel", "Change the frost"),
    ("Two fingers", "Move, resize and rotate"),
    ("Drag background", "Orbit; two fingers zoom"),
    ("Right drag", "Pan the camera (or Shift + drag)"),
    ("Wheel over background", "Zoom the camera"),
    ("F", "Pause or resume camera drift"),
    ("Arrows", "Move by 1 px; Shift: by 10 px"),
    ("Q, E", "Rotate by 1°; Shift: by 10°"),
    ("N, or + beside a lens", "New lens, up to 8; close ones merge"),
    ("Right click on a lens", "A menu with what keys do"),
    ("Del", "Remove the lens, unless it is the last"),
    ("Tab", "Select the next lens"),
    ("Page Up, Page Down", "Bring the lens forward, send it backward: a lens refracts those of other glass below it"),
    ("R", "Reset lens and camera"),
    ("Space", "Glass: Meniscus or reference"),
    ("Click a thumbnail", "A view through the lens; Shift: full screen, Alt: split; again: back"),
    ("V, Shift + V", "Next view, previous view"),
    ("F6, Ctrl + Tab", "Keyboard focus into the panels and back; Tab moves it there"),
    ("F3, F5", "Controls, device"),
    (
        "F4",
        "Timings, with the focus on the first pass: Up and Down show the next, Right and Left fold, Enter pins, Esc ends",
    ),
    ("T", "Timeline: queues and CPU on one axis; a trace dropped on the window opens there"),
    ("Ctrl + Z", "Undo the last edit: setting, lens, camera, view, preset or file"),
    ("Ctrl + Shift + Z", "Redo it; the mouse's back and forward buttons undo and redo, too"),
    ("Ctrl + plus, minus, 0", "Larger and smaller text, text as at first"),
    ("Ctrl + F", "Search views, settings and pages"),
    ("I", "Inspect pixels: a loupe; a click tells the story of a pixel"),
    ("B", "The present settings become B, beside A; again: no B. Space shows A or B"),
    ("0", "The final image: no view"),
    ("Esc", "Cancel the drag; close a page, steps, a story, the inspector, pinned passes, the view"),
    ("1 ... 9", "Load the preset with this number"),
    ("H", "Show or hide the panels"),
    ("F1", "This help"),
    ("Ctrl + Q", "Quit"),
    ("F2", "Save a picture; dropped on the window it restores all settings"),
    ("F9", "Record the window as a video (.y4m) until F9 is pressed again"),
    ("F11, Alt + Enter", "Fill the screen, and back"),
    ("F12", "Capture a frame (RenderDoc)"),
    ("Ctrl + O", "Open a file"),
    (
        "Drop a file",
        "Open a picture, moving picture (.gif, .y4m, a folder), scene (.glb), shape (.svg), preset or trace (.json)",
    ),
    ("Double-click a name", "Reset that setting to its default"),
];

/// Tooltip of the tour.
const TOUR: &str = "Short steps through the program, each done by your own hand";

/// The open page.
#[derive(Debug, Default)]
pub struct Help {
    /// Id of the technique whose page is open.
    pub page: Option<String>,
    /// Its figures.
    pub figures: PageFigures,
    pub(super) tables: SourceTables,
    pub(super) tour: Tour,
}

impl Help {
    /// Lists the keys, and a button for each page.
    pub fn show(&mut self, ui: &mut Ui, infos: &[Info]) {
        ui.label(theme::caption("Pages"));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(5.0, 5.0);
            if ui.add(Button::new(tour::TITLE).selected(self.tour.is_running())).on_hover_text(TOUR).clicked() {
                self.tour.toggle();
            }
            let pages = infos.iter().filter(|info| !info.doc.is_empty()).map(|info| (info.id, info.title));
            for (id, title) in pages.chain([(source_tables::PAGE, source_tables::TITLE)]) {
                let is_open = self.page.as_deref() == Some(id);
                if ui.add(Button::new(title).selected(is_open)).clicked() {
                    self.page = (!is_open).then(|| id.to_owned());
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
                    ui.add(egui::Label::new(RichText::new(key).color(theme::ACCENT)).wrap());
                });
                ui.add(egui::Label::new(what).wrap());
            });
        }
    }

    /// Heading of the open page.
    pub fn head(&mut self, ui: &mut Ui, title: &str) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).size(19.0).color(theme::STRONG));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if collapsing::cross(ui, "Close the page") {
                    self.page = None;
                }
            });
        });
    }
}
