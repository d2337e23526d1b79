//! Titles, colours and order of the owners of passes.

use super::super::theme;
use crate::base::timing::technique_of;
use crate::techniques::{Info, Stage};

/// Owners of passes outside of techniques.
const IMAGE: &str = "renderer";
const PANELS: &str = "ui";

/// Titles, colours and order of the passes' owners. They follow from the list of techniques and never change at run time.
pub(in crate::ui) struct Owners<'a>(pub &'a [Info]);

impl Owners<'_> {
    pub fn title(&self, id: &str) -> String {
        match id {
            PANELS => "Panels".into(),
            IMAGE => "Final image".into(),
            id => {
                let info = self.0.iter().find(|info| info.id == id);
                info.map_or_else(|| crate::base::text::title(id), |info| info.title.to_owned())
            }
        }
    }

    /// Display name of a pass: `Mip chain: single pass` for `mip_chain/single_pass`.
    pub fn pass_title(&self, path: &str) -> String {
        let title = self.title(technique_of(path));
        match path.split_once('/') {
            Some((_, pass)) => format!("{title}: {}", pass.replace('_', " ")),
            None => title,
        }
    }

    pub fn color(&self, id: &str) -> egui::Color32 {
        let known = self.0.iter().map(|info| info.id).chain([IMAGE, PANELS]);
        let place = known.clone().position(|known| known == id);
        let other = || known.count() + usize::from(id.bytes().fold(0, u8::wrapping_add) % 2);
        theme::line_color(place.unwrap_or_else(other))
    }

    /// The image is presented before the glass is drawn over it; the panels are last. What comes and goes is below them and moves no other.
    pub fn order(&self, id: &str) -> (u8, usize) {
        match self.0.iter().position(|info| info.id == id) {
            Some(place) if self.0[place].stage != Stage::Glass => (0, place),
            Some(place) => (2, place),
            None if id == IMAGE => (1, 0),
            None => (3, usize::from(id != PANELS)),
        }
    }
}
