//! Placement of the names of a scatter plot's points.

use egui::{Pos2, Rect, Vec2, vec2};

#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'a> {
    pub space: Rect,
    /// The points, with their bars: no name covers one.
    pub dots: &'a [Rect],
    pub gap: f32,
}

impl Names<'_> {
    /// Rectangles for names, each for the dot of this index; the first have the first choice. Each is beside its dot on
    /// the side with more room, else on the other side, else moved up or down, where it may cover its dot.
    pub fn place(&self, names: &[(usize, Vec2)], mut taken: Vec<Rect>) -> Vec<Rect> {
        let mut placed = Vec::new();
        for (index, size) in names {
            let rect = self.one(self.dots[*index], *size, &taken);
            taken.push(rect);
            placed.push(rect);
        }
        placed
    }

    fn one(&self, dot: Rect, size: Vec2, taken: &[Rect]) -> Rect {
        let within = self.space.shrink(1.0);
        let at = |left: f32, middle: f32| Rect::from_min_size(Pos2::new(left, middle - 0.5 * size.y), size);
        let (right, left) = (dot.right() + self.gap, dot.left() - self.gap - size.x);
        let middle = (dot.center().x - 0.5 * size.x).min(within.right() - size.x).max(within.left());
        let sides = if dot.center().x < self.space.center().x { [right, left, middle] } else { [left, right, middle] };
        let is_free = |rect: &Rect| {
            let inner = rect.shrink2(vec2(1.0, 0.5));
            within.contains_rect(*rect)
                && !taken.iter().any(|other| other.intersects(inner))
                && !self.dots.iter().any(|other| other.intersects(inner))
        };
        // The nearest free place, above first.
        let lines = (0..32).flat_map(|step| [-0.5 * step as f32, 0.5 * step as f32]);
        let mut places = lines.flat_map(|lines| sides.map(|from| at(from, dot.center().y + lines * size.y)));
        places
            .find(is_free)
            .unwrap_or_else(|| at(middle, dot.center().y.clamp(within.top() + 7.0, within.bottom() - 7.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn names_do_not_collide_and_are_whole() {
        let names = [
            "Area compute",
            "Area fragment",
            "Raster chain",
            "Blit chain",
            "Mitchell",
            "Lanczos 3",
            "Mip chain",
            "Summed-area table",
        ];
        for (width, spread) in
            [240.0, 420.0, 700.0].into_iter().flat_map(|width| [0.05, 0.15, 0.3].map(|part| (width, part)))
        {
            let space = Rect::from_min_size(pos2(30.0, 50.0), vec2(width, 220.0));
            let dot = |i: usize| {
                let middle =
                    space.left_top() + vec2(width * (0.2 + spread * (i % 3) as f32), 60.0 + 24.0 * (i % 4) as f32);
                Rect::from_center_size(middle, vec2(8.0 + 3.0 * (i % 3) as f32, 6.0))
            };
            let dots: Vec<Rect> = (0..names.len()).map(dot).collect();
            let sizes: Vec<(usize, Vec2)> =
                names.iter().enumerate().map(|(i, name)| (i, vec2(5.8 * name.chars().count() as f32, 13.0))).collect();
            let taken = vec![Rect::from_min_size(space.left_bottom() - vec2(0.0, 14.0), vec2(40.0, 13.0))];
            let mut all = Names { space, dots: &dots, gap: 4.0 }.place(&sizes, taken.clone());
            assert_eq!(all.len(), names.len());
            for rect in &all {
                assert!(space.contains_rect(*rect), "{width} {spread}: {rect:?}");
                assert!(
                    !dots.iter().any(|dot| rect.shrink(1.0).intersects(*dot)),
                    "{width} {spread}: {rect:?} over a dot"
                );
            }
            all.extend(taken);
            for (index, rect) in all.iter().enumerate() {
                for other in &all[..index] {
                    assert!(!other.intersects(rect.shrink(1.0)), "{width} {spread}: {rect:?} over {other:?}");
                }
            }
        }
    }
}
