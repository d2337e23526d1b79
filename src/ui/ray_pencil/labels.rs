//! Labels of the figure: fonts, colours, and places at which none overlaps another.

use crate::ui::theme;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Vec2};
use std::sync::Arc;

/// Points.
pub(super) const LINE: f32 = 14.0;

/// Red, green and blue, readable as text.
pub(super) const COLORS: [Color32; 3] = [theme::BAD, theme::GOOD, theme::ACCENT];

pub(super) fn font() -> FontId {
    FontId::proportional(10.5)
}

pub(super) struct Labels<'a> {
    painter: &'a Painter,
    bounds: Rect,
    taken: Vec<Rect>,
}

impl<'a> Labels<'a> {
    /// Texts are moved to whole pixels when they are drawn: a point at the right stays free.
    pub fn new(painter: &'a Painter, bounds: Rect) -> Self {
        Self { painter, bounds: bounds.with_max_x(bounds.right() - 1.0), taken: Vec::new() }
    }

    pub fn measure(&self, text: &str) -> Vec2 {
        self.layout(text, theme::TEXT).size()
    }

    fn layout(&self, text: &str, color: Color32) -> Arc<egui::Galley> {
        self.painter.layout_no_wrap(text.to_owned(), font(), color)
    }

    pub fn keep_free(&mut self, area: Rect) {
        self.taken.push(area);
    }

    /// Writes the text at the first of these places at which it is whole and over nothing else, perhaps moved to be whole.
    pub fn write(&mut self, text: &str, color: Color32, places: &[(Pos2, Align2)]) -> Option<Rect> {
        let galley = self.layout(text, color);
        let own = || places.iter().map(|(at, align)| align.anchor_size(*at, galley.size()));
        let moved = |area: Rect| {
            let corner = area.min.max(self.bounds.min).min((self.bounds.max - area.size()).max(self.bounds.min));
            Rect::from_min_size(corner, area.size())
        };
        let mut areas = own().chain(own().map(moved));
        let is_free =
            |area: &Rect| self.bounds.contains_rect(*area) && !self.taken.iter().any(|other| other.intersects(*area));
        let area = areas.find(is_free)?;
        self.painter.galley(area.min, galley, color);
        self.taken.push(area);
        Some(area)
    }
}
