//! Places of the pinned panels: none overlaps another, since a picture is seen through a hole in its panel.

use crate::theme;
use egui::{Pos2, Rect, Vec2, vec2};

/// Columns and rows over the free part of the window; the outer ones are at its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    free: Rect,
    panel: Vec2,
    count: [usize; 2],
}

impl Slots {
    /// At least one, even where it does not fit.
    pub fn new(free: Rect, panel: Vec2) -> Self {
        let fit = |space: f32, panel: f32| ((space + theme::GAP) / (panel + theme::GAP)).floor().max(1.0) as usize;
        Self { free, panel, count: [fit(free.width(), panel.x), fit(free.height(), panel.y)] }
    }

    /// Columns from the left, each from the bottom.
    pub fn rect(&self, slot: usize) -> Rect {
        let [columns, rows] = self.count;
        let pitch = |space: f32, panel: f32, count: usize| (space - panel) / (count.max(2) - 1) as f32;
        let x = (slot / rows) as f32 * pitch(self.free.width(), self.panel.x, columns);
        let y = (slot % rows) as f32 * pitch(self.free.height(), self.panel.y, rows);
        let corner = self.free.left_bottom() + vec2(x, -y - self.panel.y);
        Rect::from_min_size(corner, self.panel)
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.count[0] * self.count[1]
    }

    pub fn nearest(&self, at: Pos2) -> usize {
        let distance = |slot: &usize| self.rect(*slot).center().distance_sq(at);
        self.all().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    }

    /// Gives each panel without a valid slot the first free one; `None` where none is left.
    pub fn assign<'a>(&self, panels: impl Iterator<Item = &'a mut Option<usize>>) {
        let mut free: Vec<usize> = self.all().collect();
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
            let rects: Vec<Rect> = slots.all().map(|slot| slots.rect(slot)).collect();
            for (index, rect) in rects.iter().enumerate() {
                assert!(rects[..index].iter().all(|other| !other.shrink(0.1).intersects(*rect)), "{size} {index}");
                assert_eq!(slots.nearest(rect.center()), index);
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
}
