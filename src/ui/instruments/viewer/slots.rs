//! Places of the pinned panels: none overlaps another, since a picture is seen through a hole in its panel.

use crate::theme;
use egui::{Pos2, Rect, Vec2, vec2};

/// Columns and rows over the free part of the window; the outer ones are at its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    free: Rect,
    panel: Vec2,
    count: [usize; 2],
    /// Another place, which is taken first.
    own: Option<Rect>,
    /// Is covered last.
    kept: Option<Pos2>,
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.shrink(0.1).intersects(*b)
}

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
    fn rect(&self, slot: usize) -> Rect {
        let [columns, rows] = self.count;
        let pitch = |space: f32, panel: f32, count: usize| (space - panel) / (count.max(2) - 1) as f32;
        let x = (slot / rows) as f32 * pitch(self.free.width(), self.panel.x, columns);
        let y = (slot % rows) as f32 * pitch(self.free.height(), self.panel.y, rows);
        let corner = self.free.left_bottom() + vec2(x, -y - self.panel.y);
        Rect::from_min_size(corner, self.panel)
    }

    fn covers(&self, place: &Rect) -> bool {
        self.kept.is_some_and(|kept| place.contains(kept))
    }

    pub fn all(&self) -> Vec<Rect> {
        let slots = (0..self.count[0] * self.count[1]).map(|slot| self.rect(slot));
        let mut all: Vec<Rect> = self.own.into_iter().chain(slots).collect();
        all.sort_by_key(|place| self.covers(place));
        all
    }

    /// A place stays as long as it is free; another is the nearest one, or `None` where none is left.
    pub fn assign<'a>(&self, panels: impl Iterator<Item = &'a mut Option<Rect>>) {
        let mut panels: Vec<&mut Option<Rect>> = panels.collect();
        let is_full = self.place(&mut panels);
        if !is_full && panels.iter().any(|place| place.is_none()) {
            panels.iter_mut().for_each(|place| **place = None);
            self.place(&mut panels);
        }
    }

    /// Whether no place is left.
    fn place(&self, panels: &mut [&mut Option<Rect>]) -> bool {
        let all = self.all();
        let is_free = |place: &Rect| {
            let is_within = self.free.expand(1.0).contains_rect(*place) || all.contains(place);
            is_within && (!self.covers(place) || all.iter().all(|other| self.covers(other)))
        };
        let mut taken: Vec<Rect> = Vec::new();
        let mut without = Vec::new();
        for panel in panels {
            let stays = |place: &Rect| is_free(place) && !taken.iter().any(|other| overlap(other, place));
            match panel.filter(stays) {
                Some(place) => taken.push(place),
                None => without.push(panel),
            }
        }
        for panel in without {
            let last = panel.map(|place| place.center());
            let left = all.iter().filter(|place| !taken.iter().any(|other| overlap(other, place)));
            let away = |place: &Rect| last.map_or(0.0, |last| place.center().distance(last));
            let nearest = left.min_by(|a, b| self.covers(a).cmp(&self.covers(b)).then(away(a).total_cmp(&away(b))));
            **panel = nearest.copied();
            taken.extend(**panel);
        }
        taken.len() >= all.len()
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
            let rects = Slots::new(free, vec2(348.0, 352.0)).all();
            for (index, rect) in rects.iter().enumerate() {
                assert!(rects[..index].iter().all(|other| !overlap(other, rect)), "{size} {index}");
                assert!(rects.len() == 1 || free.expand(0.1).contains_rect(*rect), "{size} {rect}");
            }
            assert_eq!(rects[0].left_bottom(), free.left_bottom());
        }
    }

    const PANEL: Vec2 = vec2(100.0, 100.0);

    #[test]
    fn panels_keep_their_places_while_those_are_free() {
        let slots = |left, size| Slots::new(Rect::from_min_size(pos2(left, 0.0), size), PANEL);
        let whole = slots(0.0, vec2(230.0, 230.0));
        let place = |slot| Some(whole.rect(slot));
        let elsewhere = Some(Rect::from_min_size(pos2(900.0, 0.0), PANEL));
        let mut panels = [None, place(3), None, elsewhere, place(3)];
        whole.assign(panels.iter_mut());
        assert_eq!(panels, [place(0), place(3), place(1), place(2), None]);
        // Another panel opens at the left, and then over all.
        let mut panels = [place(0), place(2)];
        slots(120.0, vec2(110.0, 230.0)).assign(panels.iter_mut());
        assert_eq!(panels[1], place(2), "it is not where the other panel is");
        assert_eq!(panels[0].unwrap().min, pos2(120.0, 0.0), "the other place");
        let mut panels = [place(0), place(1)];
        slots(0.0, vec2(240.0, 240.0)).assign(panels.iter_mut());
        assert_eq!(panels, [place(0), place(1)], "more room moves nothing");
    }

    #[test]
    fn a_clicked_pixel_is_covered_last() {
        let slots =
            |own, kept| Slots::new(Rect::from_min_size(Pos2::ZERO, vec2(100.0, 230.0)), PANEL).around(own, kept);
        let own = Rect::from_min_size(pos2(300.0, 0.0), PANEL);
        let plain = slots(None, None);
        let (low, high) = (Some(plain.rect(0)), Some(plain.rect(1)));
        let mut panels = [low, None, None, None];
        slots(Some(own), Some(pos2(50.0, 200.0))).assign(panels.iter_mut());
        assert_eq!(panels, [high, Some(own), low, None]);
        let mut panels = [low];
        Slots::new(Rect::from_min_size(Pos2::ZERO, PANEL), PANEL)
            .around(None, Some(pos2(50.0, 50.0)))
            .assign(panels.iter_mut());
        assert_eq!(panels[0].unwrap().min, Pos2::ZERO, "there is no other place");
    }
}
