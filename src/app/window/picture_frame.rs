//! Place of the picture under the glass in the window: what a lens keeps when the window's size or its panels change.

use glam::{DVec2, Vec2};
use scene::Fit;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PictureKind {
    World,
    Painted,
    File([u32; 2], Fit),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureFrame {
    pub kind: PictureKind,
    middle: Vec2,
    unit: Vec2,
    /// Of a lens that was not moved. H moves the centre of a world, and such a lens with it.
    pub composed: Vec2,
    pub shift: Vec2,
}

impl PictureFrame {
    /// Right border of the part without the dock, as it is and with the dock shown.
    pub fn new(kind: PictureKind, area_px: Vec2, beside_px: [f32; 2]) -> Self {
        let [beside, beside_shown] = beside_px.map(|right| Vec2::new(right, area_px.y) / 2.0);
        let still = Self { kind, middle: area_px / 2.0, unit: area_px, composed: beside_shown, shift: Vec2::ZERO };
        match kind {
            PictureKind::World => Self {
                middle: beside,
                unit: Vec2::splat(area_px.y),
                composed: beside,
                shift: beside - beside_shown,
                ..still
            },
            PictureKind::Painted => still,
            PictureKind::File(size, fit) => {
                let by_axis = area_px / Vec2::new(size[0].max(1) as f32, size[1].max(1) as f32);
                let scale = match fit {
                    Fit::Cover => by_axis.max_element(),
                    Fit::Contain => by_axis.min_element(),
                };
                Self { unit: Vec2::splat(scale), ..still }
            }
        }
    }

    pub fn place(&self, at_px: Vec2) -> DVec2 {
        (at_px.as_dvec2() - self.middle.as_dvec2()) / self.unit.max(Vec2::splat(f32::MIN_POSITIVE)).as_dvec2()
    }

    pub fn pixel(&self, place: DVec2) -> Vec2 {
        (self.middle.as_dvec2() + place * self.unit.as_dvec2()).as_vec2()
    }

    pub fn scaled(self, by: f32) -> Self {
        let Self { kind, middle, unit, composed, shift } = self;
        Self { kind, middle: middle * by, unit: unit * by, composed: composed * by, shift: shift * by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    #[test]
    fn a_place_in_the_picture_is_the_same_in_any_window() {
        let windows = [(vec2(900.0, 600.0), 560.0), (vec2(1600.0, 1000.0), 1260.0), (vec2(333.0, 777.0), 333.0)];
        for kind in [
            PictureKind::World,
            PictureKind::Painted,
            PictureKind::File([4000, 3000], Fit::Cover),
            PictureKind::File([64, 360], Fit::Contain),
        ] {
            let frames = windows.map(|(area, beside)| PictureFrame::new(kind, area, [beside; 2]));
            for at in [vec2(0.0, 0.0), vec2(450.0, 300.0), vec2(899.0, 17.0)] {
                let place = frames[0].place(at);
                for frame in frames {
                    let back = frames[0].pixel(frame.place(frame.pixel(place)));
                    assert!((back - at).abs().max_element() < 1e-3, "{kind:?}: {at} and {back}");
                }
            }
        }
    }

    #[test]
    fn a_file_keeps_its_texels_under_a_lens() {
        let kind = PictureKind::File([200, 100], Fit::Cover);
        let [small, wide] =
            [vec2(200.0, 100.0), vec2(400.0, 100.0)].map(|area| PictureFrame::new(kind, area, [area.x; 2]));
        assert_eq!(wide.pixel(small.place(vec2(150.0, 50.0))), vec2(300.0, 50.0));
        assert_eq!(wide.pixel(small.place(vec2(100.0, 75.0))), vec2(200.0, 100.0));
    }

    #[test]
    fn the_dock_moves_the_centre_of_a_world_alone() {
        let area = vec2(1280.0, 720.0);
        let of = |kind, beside: f32| PictureFrame::new(kind, area, [beside, 928.0]);
        let place = of(PictureKind::World, 928.0).place(vec2(500.0, 300.0));
        assert_eq!(of(PictureKind::World, 1280.0).pixel(place), vec2(676.0, 300.0));
        assert_eq!(of(PictureKind::World, 1280.0).composed, vec2(640.0, 360.0));
        assert_eq!(of(PictureKind::Painted, 1280.0), of(PictureKind::Painted, 928.0));
        assert_eq!(of(PictureKind::Painted, 1280.0).composed, vec2(464.0, 360.0));
    }
}
