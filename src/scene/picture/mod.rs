//! Built-in pictures, at any size: a lake at dusk with type and charts on it, a white page, a dark page, and what is below motifs of use.

mod background;
pub mod canvas;
mod clip_frames;
mod desk;
mod fitting;
mod icons;
mod lettering;
pub mod noise;
mod pages;
pub mod path;
mod waves;
mod widgets;

pub use background::{Background, Fresh, LoadMode};
pub use clip_frames::ClipFrame;
pub use icons::mask as icon_mask;
pub use lettering::{Face, OffsetPen, Style};

use canvas::Canvas;
use media::{
    picture::Picture,
    resample::{Crop, cover},
};

base::choices! {
    /// What a built-in picture shows.
    pub enum Motif {
        /// A lake at dusk, with a title, icons and test charts.
        Dusk = "dusk",
        /// A white page of print: small dark type, a figure, a table.
        Paper = "paper",
        /// A dark page: lines of code in colours.
        Code = "code",
        /// A phone's list of 60 cards of glass, which scrolls with the picture below it.
        List = "list",
        /// A dock of 12 tiles of glass, which grow under the pointer.
        Dock = "dock",
        /// A keyboard of 48 keys of glass.
        Keyboard = "keyboard",
        /// A control centre: switches and sliders of glass.
        Controls = "controls",
    }
}

pub fn paint(motif: Motif, size: [u32; 2]) -> Picture {
    let size = size.map(|side| side.max(1));
    match motif {
        Motif::Dusk => dusk(size),
        Motif::Paper => pages::paper(size),
        Motif::Code => pages::code(size),
        Motif::List => waves::paint(&waves::SEA, size, size[1]),
        Motif::Keyboard => waves::paint(&waves::EMBER, size, size[1]),
        Motif::Dock => scenery(size).picture(),
        Motif::Controls => waves::paint(&waves::MOSS, size, size[1]),
    }
}

/// The picture that scrolls with a motif, if it does: its lower border meets its upper one.
pub fn paint_strip(motif: Motif, size: [u32; 2]) -> Picture {
    let size = size.map(|side| side.max(1));
    match motif {
        Motif::List => waves::paint(&waves::SEA, [size[0], 2 * size[1]], size[1]),
        _ => paint(motif, size),
    }
}

/// Until the first picture is drawn: `ground`, enlarged, with the program's name.
pub fn poster(ground: &Picture, size: [u32; 2]) -> Picture {
    let mut canvas = cover(&Canvas::of(ground), size.map(|side| side.max(1)), Crop::Middle);
    widgets::name(&mut canvas);
    canvas.picture()
}

/// A lake at dusk without type and charts, 2560x1440, painted by examples/scenery.
const SCENERY: &[u8] = include_bytes!("../../../assets/textures/dusk.png");

const GREY: [u8; 4] = [40, 40, 48, 255];

fn scenery(size: [u32; 2]) -> Canvas {
    let scenery = Picture::decode(SCENERY).unwrap_or_else(|_| Picture::from_fn([1, 1], |_, _| GREY));
    cover(&Canvas::of(&scenery), size, Crop::Middle)
}

fn dusk(size: [u32; 2]) -> Picture {
    let mut canvas = scenery(size);
    widgets::desktop(&mut canvas);
    canvas.picture()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_name_on_a_poster_can_be_read_on_any_ground() {
        for (level, ink) in [(0, 255), (90, 255), (170, 255), (255, 20)] {
            let ground = Picture::from_fn([16, 9], |_, _| [level, level, level, 255]);
            let picture = poster(&ground, [320, 180]);
            assert_eq!(picture.size, [320, 180]);
            let inked = picture.rgba.chunks_exact(4).filter(|pixel| pixel[0].abs_diff(ink) < 16).count();
            assert!((150..6000).contains(&inked), "{level}: {inked} pixels");
        }
        assert_eq!(poster(&Picture::from_fn([1, 1], |_, _| GREY), [0, 3]).size, [1, 3]);
    }

    #[test]
    fn the_sky_has_no_bands() {
        let picture = paint(Motif::Dusk, [640, 360]);
        let changes = (1..640).filter(|x| picture.pixel(*x, 150) != picture.pixel(x - 1, 150)).count();
        assert!(changes > 320, "{changes} of 639");
    }
}
