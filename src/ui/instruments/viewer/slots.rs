//! Places of the pinned panels: none overlaps another, since a picture is seen through a hole in its panel.

use crate::theme;
use egui::{Pos2, Rect, Vec2, vec2};

/// Columns and rows over the free part of the window; the outer ones are at its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    free: Rect,
    panel: Vec2,
    count: [usize; 2],
    /// A place of its own, which is taken first.
    own: Option<Rect>,
    /// Is covered last.
    kept: Option<Pos2>,
}

const OWN: usize = usize::MAX;

impl Slots {
    /// At least one, even where it does not fit.
    pub fn new(free: Rect, panel: Vec2) -> Self {
        let fit = |space: f32, panel: f32| ((space + theme::GAP) / (panel + theme::GAP)).floor().max(1.0) as usize;
        let count = [fit(free.width(), panel.x), fit(free.height(), panel.y)];
        Self { free, panel, count, own: None, kept: None }
    }

    pub fn around(self, own: Option<Rect>, kept: Option<Pos2>) -> Self {
        Self { own, kept, ..self }
    }

    /// Columns from the left, each from the bottom.
    pub fn rect(&self, slot: usize) -> Rect {
        if let Some(own) = self.own.filter(|_| slot == OWN) {
            return own;
        }
        let [columns, rows] = self.count;
        let pitch = |space: f32, panel: f32, count: usize| (space - panel) / (count.max(2) - 1) as f32;
        let x = (slot / rows) as f32 * pitch(self.free.width(), self.panel.x, columns);
        let y = (slot % rows) as f32 * pitch(self.free.height(), self.panel.y, rows);
        let corner = self.free.left_bottom() + vec2(x, -y - self.panel.y);
        Rect::from_min_size(corner, self.panel)
    }

    fn all(&self) -> Vec<usize> {
        let own = self.own.map(|_| OWN);
        let mut all: Vec<usize> = own.into_iter().chain(0..self.count[0] * self.count[1]).collect();
        all.sort_by_key(|slot| self.kept.is_some_and(|kept| self.rect(*slot).contains(kept)));
        all
    }

    /// Gives each panel without a valid slot the first free one; `None` where none is left.
    pub fn assign<'a>(&self, panels: impl Iterator<Item = &'a mut Option<usize>>) {
        let mut free = self.all();
        let mut without = Vec::new();
        for panel in panels {
            match panel.and_then(|slot| free.iter().position(|free| *free == slot)) {
                Some(at) => drop(free.remove(at)),
                None => without.push(panel),
            }
        }
        let mut free = free.into_iter();
        without.into_iter().for_each(|panel| *panel = free.next());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn slots_fill_the_space_and_do_not_overlap() {
        for size in [vec2(100.0, 50.0), vec2(348.0, 352.0), vec2(940.0, 776.0), vec2(2000.0, 1100.0)] {
            let free = Rect::from_min_size(pos2(12.0, 12.0), size);
            let slots = Slots::new(free, vec2(348.0, 352.0));
            let rects: Vec<Rect> = slots.all().into_iter().map(|slot| slots.rect(slot)).collect();
            for (index, rect) in rects.iter().enumerate() {
                assert!(rects[..index].iter().all(|other| !other.shrink(0.1).intersects(*rect)), "{size} {index}");
                assert!(rects.len() == 1 || free.expand(0.1).contains_rect(*rect), "{size} {rect}");
            }
            assert_eq!(rects[0].left_bottom(), free.left_bottom());
        }
    }

    #[test]
    fn panels_keep_their_slots_while_those_exist() {
        let slots = |size| Slots::new(Rect::from_min_size(Pos2::ZERO, size), vec2(100.0, 100.0));
        let mut panels = [None, Some(3), None, Some(9), Some(3)];
        slots(vec2(230.0, 230.0)).assign(panels.iter_mut());
        assert_eq!(panels, [Some(0), Some(3), Some(1), Some(2), None]);
        slots(vec2(100.0, 230.0)).assign(panels.iter_mut());
        assert_eq!(panels, [Some(0), None, Some(1), None, None]);
    }

    #[test]
    fn a_clicked_pixel_is_covered_last() {
        let slots = |own, kept| {
            Slots::new(Rect::from_min_size(Pos2::ZERO, vec2(100.0, 230.0)), vec2(100.0, 100.0)).around(own, kept)
        };
        let own = Rect::from_min_size(pos2(300.0, 0.0), vec2(100.0, 100.0));
        let mut panels = [None; 4];
        slots(Some(own), Some(pos2(50.0, 200.0))).assign(panels.iter_mut());
        assert_eq!(panels, [Some(OWN), Some(1), Some(0), None]);
        slots(None, None).assign(panels.iter_mut());
        assert_eq!(panels, [None, Some(1), Some(0), None], "its own place is gone");
    }
}
