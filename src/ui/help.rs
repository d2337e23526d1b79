//! Help tab: keys and mouse, and the pages of the techniques beside the dock.

use egui::{Button, Label, RichText, Ui};

use super::instruments;
use super::keys::Group;
use super::layout::named;
use super::tour::{self, Tour};
use super::{page::PageFigures, settings::collapsing, theme};
use technique::Info;

const LICENCES: &str = "Meniscus: MIT or Apache-2.0, at your choice. NOTICES.txt, which comes with it, has its libraries and fonts and their licences.";

#[derive(Debug, Default)]
pub struct Help {
    /// Technique whose page is open.
    pub page: Option<String>,
    pub figures: PageFigures,
    pub(super) tour: Tour,
}

impl Help {
    pub fn show(&mut self, ui: &mut Ui, infos: &[Info]) {
        ui.label(theme::caption("Pages"));
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(5.0, 5.0);
            if ui.add(Button::new(tour::TITLE).selected(self.tour.is_running())).on_hover_text(tour::HINT).clicked() {
                self.tour.toggle();
            }
            let pages = infos.iter().map(|info| (info.id, info.title, info.doc));
            let pages = pages.chain(instruments::INFOS.iter().map(|info| (info.id, info.title, info.page)));
            for (id, title, _) in pages.filter(|(.., text)| !text.is_empty()) {
                let is_open = self.page.as_deref() == Some(id);
                if ui.add(Button::new(title).selected(is_open)).clicked() {
                    self.page = (!is_open).then(|| id.to_owned());
                }
            }
        });
        ui.add_space(8.0);
        for (group, title) in Group::ALL {
            ui.label(theme::caption(title));
            for line in instruments::lines().filter(|line| line.group == group) {
                named(ui, theme::key(&line.name()), Label::new(line.text()));
            }
            ui.add_space(8.0);
        }
        ui.label(theme::caption("Licences"));
        theme::note(ui, LICENCES);
    }

    pub fn head(&mut self, ui: &mut Ui, title: &str) {
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).size(theme::TITLE).color(theme::STRONG));
            theme::from_right(ui, |ui| {
                if collapsing::cross(ui, "Close the page") {
                    self.page = None;
                }
            });
        });
    }
}
