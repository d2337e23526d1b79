//! Built-in pictures: a lake at dusk with type and charts on it, a white page, a dark page. Painted procedurally, at any size.

mod background;
mod canvas;
mod clip_frames;
mod desk;
mod fitting;
mod framing;
mod grid;
mod icons;
mod land;
mod lettering;
pub(in crate::scene) mod noise;
mod pages;
mod path;
mod shore;
mod sky;
mod widgets;
pub(super) use framing::{Framing, unit_px};

pub use background::{Background, Fresh, LoadMode};
pub use clip_frames::ClipFrame;
pub use lettering::{Face, OffsetPen, Style};

use glam::Vec3;

use crate::base::picture::Picture;
use canvas::Canvas;

crate::choices! {
    /// What a built-in picture shows.
    pub enum Motif {
        /// A lake at dusk, with a title, icons and test charts.
        Dusk = "dusk",
        /// A white page of print: small dark type, a figure, a table.
        Paper = "paper",
        /// A dark page: lines of code in colours.
        Code = "code",
    }
}

pub fn paint(motif: Motif, size: [u32; 2]) -> Picture {
    let size = size.map(|side| side.max(1));
    match motif {
        Motif::Dusk => dusk(size),
        Motif::Paper => pages::paper(size),
        Motif::Code => pages::code(size),
    }
}

fn dusk(size: [u32; 2]) -> Picture {
    let mut canvas = scenery(scenery_size(size)).enlarged(size);
    widgets::desktop(&mut canvas);
    canvas.picture()
}

/// Larger pictures have their scenery enlarged: it is soft, and to paint all of its pixels would take seconds.
const MOST_SCENERY: f32 = 2560.0 * 1440.0;

fn scenery_size(size: [u32; 2]) -> [u32; 2] {
    let factor = (MOST_SCENERY / (size[0] as f32 * size[1] as f32)).sqrt().min(1.0);
    size.map(|side| ((side as f32 * factor).round() as u32).max(1))
}

fn scenery(size: [u32; 2]) -> Canvas {
    let view = Framing::new(size);
    let mut canvas = Canvas::new(size, Vec3::ZERO);
    sky::heaven(&mut canvas, &view);
    sky::stars(&mut canvas, &view);
    land::mountains(&mut canvas, &view);
    shore::far_forest(&mut canvas, &view);
    land::glare(&mut canvas, &view);
    shore::lake(&mut canvas, &view);
    canvas.rows(|_, row| {
        let bright = row.iter_mut().filter(|light| light.max_element() >= KNEE);
        bright.for_each(|light| *light = light.map(shoulder));
    });
    shore::foreground(&mut canvas, &view);
    canvas
}

const KNEE: f32 = 0.7;

/// Compresses light over 1 instead of clipping it: the sun keeps a soft edge.
fn shoulder(light: f32) -> f32 {
    if light < KNEE { light } else { KNEE + (1.0 - KNEE) * (1.0 - (-(light - KNEE) / (1.0 - KNEE)).exp()) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::base::difference::compare;

    /// `cargo run --example paint -- assets/textures/dusk.png` writes the stored picture.
    #[test]
    fn the_kept_picture_is_the_painted_one() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/textures/dusk.png");
        let kept = Picture::load(&file).unwrap();
        let painted = paint(Motif::Dusk, kept.size);
        let difference = compare(&kept, &painted).unwrap();
        assert!(difference.max <= 1, "{difference}");
        assert_eq!(kept.size, [2560, 1440]);
    }

    #[test]
    fn every_motif_can_be_painted_at_any_size() {
        for motif in Motif::ALL.iter().copied() {
            for size in [[1, 1], [1, 90], [333, 1], [64, 48], [50, 111], [0, 7]] {
                let picture = paint(motif, size);
                assert_eq!(picture.size, size.map(|side| side.max(1)));
                assert_eq!(picture.rgba.len(), picture.size[0] as usize * picture.size[1] as usize * 4);
                assert!(picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255));
            }
            assert_eq!(paint(motif, [64, 48]), paint(motif, [64, 48]));
        }
    }

    #[test]
    fn large_pictures_have_their_scenery_enlarged() {
        for (size, painted) in [([640, 360], [640, 360]), ([3840, 2160], [2560, 1440]), ([7680, 4320], [2560, 1440])] {
            assert_eq!(scenery_size(size), painted);
        }
        let mut small = Canvas::new([8, 4], Vec3::ZERO);
        small.rows(|y, row| {
            row.iter_mut().zip(0_u8..).for_each(|(light, x)| *light = Vec3::new(x.into(), y as f32, 1.0))
        });
        small.enlarged([16, 8]).rows(|y, row| {
            if y == 3 {
                assert_eq!((row[5], row[0]), (Vec3::new(2.25, 1.25, 1.0), Vec3::new(0.0, 1.25, 1.0)));
            }
        });
    }

    #[test]
    fn the_sky_has_no_bands() {
        let picture = paint(Motif::Dusk, [640, 360]);
        let changes = (1..640).filter(|x| picture.pixel(*x, 150) != picture.pixel(x - 1, 150)).count();
        assert!(changes > 320, "{changes} of 639");
    }
}
