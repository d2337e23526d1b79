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
    /// Of a lens that was not moved.
    pub composed: Vec2,
}

impl PictureFrame {
    /// `beside_px`: right border of the part beside the dock, whether that is shown or not: a panel that comes or goes moves nothing.
    pub fn new(kind: PictureKind, area_px: Vec2, beside_px: f32) -> Self {
        let composed = Vec2::new(beside_px, area_px.y) / 2.0;
        let still = Self { kind, middle: area_px / 2.0, unit: area_px, composed };
        match kind {
            PictureKind::World => Self { middle: composed, unit: Vec2::splat(area_px.y), ..still },
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
        let Self { kind, middle, unit, composed } = self;
        Self { kind, middle: middle * by, unit: unit * by, composed: composed * by }
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
            let frames = windows.map(|(area, beside)| PictureFrame::new(kind, area, beside));
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
        let [small, wide] = [vec2(200.0, 100.0), vec2(400.0, 100.0)].map(|area| PictureFrame::new(kind, area, area.x));
        assert_eq!(wide.pixel(small.place(vec2(150.0, 50.0))), vec2(300.0, 50.0));
        assert_eq!(wide.pixel(small.place(vec2(100.0, 75.0))), vec2(200.0, 100.0));
    }
}
