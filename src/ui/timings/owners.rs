//! Titles, colours and order of the owners of passes.

use super::super::theme;
use ab::{OF_B, OF_BOTH};
use base::timing::{PassTiming, technique_of};
use technique::{Info, Stage};

const IMAGE: &str = "renderer";
pub(super) const PANELS: &str = "ui";
pub(super) const GLASS: &str = "glass";
/// Passes that only measure, check, or repeat work for a person who looks at it.
pub(super) const MEASUREMENTS: &str = "measurements";
/// Passes recorded for a view.
pub(super) const VIEW: &str = "view";

const MEASURING: [&str; 10] =
    ["measure", "error", "truth", "truth_rows", "truth_columns", "compare", "count", "tally", "replay", "replayed"];

/// Row of a pass: its technique, the view or the measurements.
pub(super) fn group_of(pass: &PassTiming) -> &str {
    group_of_named(&pass.name, pass.of_view)
}

pub(super) fn group_of_named(pass: &str, of_view: bool) -> &str {
    if of_view {
        return VIEW;
    }
    if let Some(of_pair) = [OF_B, OF_BOTH].into_iter().find(|of| pass.starts_with(of)) {
        return of_pair.trim_end();
    }
    let what = pass.split_once('/').map_or("", |(_, what)| what);
    let first = what.split([' ', '/']).next().unwrap_or_default();
    if MEASURING.contains(&first) || what == "clear counts" { MEASUREMENTS } else { technique_of(pass) }
}

pub(super) fn is_of_pair(group: &str) -> bool {
    [OF_B, OF_BOTH].iter().any(|of| of.trim_end() == group)
}

/// Titles, colours and order of the passes' owners. They follow from the list of techniques and never change at run time.
pub(crate) struct Owners<'a>(pub &'a [Info]);

impl Owners<'_> {
    pub fn title(&self, id: &str) -> String {
        if let Some(id) = id.strip_prefix(OF_B) {
            return format!("{OF_B}{}", self.title(id));
        }
        match id {
            PANELS => "Panels".into(),
            VIEW => "View".into(),
            IMAGE => "Final image".into(),
            MEASUREMENTS => "Measurements, steps".into(),
            id => {
                let info = self.0.iter().find(|info| info.id == id);
                info.map_or_else(|| base::text::title(id), |info| info.title.to_owned())
            }
        }
    }

    /// `Mip chain: single pass` for `mip_chain/single_pass`.
    pub fn pass_title(&self, path: &str) -> String {
        let title = self.title(technique_of(path));
        match path.split_once('/') {
            Some((_, pass)) => format!("{title}: {}", pass.replace('_', " ")),
            None => title,
        }
    }

    pub fn color(&self, id: &str) -> egui::Color32 {
        let id = id.strip_prefix(OF_B).unwrap_or(id);
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
