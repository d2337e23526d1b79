//! A phone's list: 60 cards of glass that scroll together with the picture below them.

use super::scroll::Scroll;
use super::{Figure, Ink, Key, MARGIN, Piece, Stage, Use};
use crate::SceneSettings;
use crate::spring::Feel;
use glam::Vec2;

/// Points.
const CARD: Vec2 = Vec2::new(380.0, 70.0);
const GAP: f32 = 12.0;
const TOP: f32 = 112.0;
const NOTCH: f32 = 96.0;
const ARROW: f32 = 64.0;
const RADIUS: f32 = 22.0;

const DROP: usize = 4;
const PRISM: usize = 7;
const EYE: usize = 0;
const GEM: usize = 8;
const CLOUD: usize = 9;

/// Name, index of refraction for yellow light, what it is, icon.
const CLEAR_THINGS: [(&str, &str, &str, usize); 60] = [
    ("Helium", "1.00004", "Gas", CLOUD),
    ("Air", "1.0003", "Gas", CLOUD),
    ("Aerogel", "1.02", "Solid smoke", CLOUD),
    ("Liquid helium", "1.025", "Below 4.2 K", DROP),
    ("Liquid nitrogen", "1.20", "At 77 K", DROP),
    ("Ice", "1.309", "Crystal of water", GEM),
    ("Teflon AF", "1.31", "Clear plastic", PRISM),
    ("Methanol", "1.329", "Liquid", DROP),
    ("Water", "1.333", "Liquid", DROP),
    ("Vitreous humour", "1.336", "In the eye", EYE),
    ("Cryolite", "1.338", "Mineral", GEM),
    ("Sea water", "1.339", "Liquid", DROP),
    ("Acetone", "1.359", "Liquid", DROP),
    ("Ethanol", "1.361", "Liquid", DROP),
    ("Cornea", "1.376", "In the eye", EYE),
    ("Magnesium fluoride", "1.378", "Coating of lenses", GEM),
    ("Lens of the eye", "1.406", "In its middle", EYE),
    ("Silicone", "1.41", "Clear rubber", PRISM),
    ("Fluorite", "1.434", "Mineral", GEM),
    ("Opal", "1.45", "Gem", GEM),
    ("Fused silica", "1.458", "Glass", PRISM),
    ("Carbon tetrachloride", "1.460", "Liquid", DROP),
    ("Olive oil", "1.47", "Liquid", DROP),
    ("Turpentine", "1.472", "Liquid", DROP),
    ("Glycerol", "1.473", "Liquid", DROP),
    ("Pyrex", "1.474", "Glass", PRISM),
    ("Obsidian", "1.49", "Volcanic glass", PRISM),
    ("Acrylic", "1.49", "Clear plastic", PRISM),
    ("Sylvite", "1.490", "Mineral", GEM),
    ("Honey", "1.49", "Liquid", DROP),
    ("Toluene", "1.497", "Liquid", DROP),
    ("Benzene", "1.501", "Liquid", DROP),
    ("Crown glass BK7", "1.517", "Glass", PRISM),
    ("Immersion oil", "1.518", "For microscopes", DROP),
    ("Window glass", "1.52", "Glass", PRISM),
    ("Amber", "1.54", "Resin of trees", GEM),
    ("Quartz", "1.544", "Mineral", GEM),
    ("Rock salt", "1.544", "Mineral", GEM),
    ("Aquamarine", "1.57", "Gem", GEM),
    ("Polyester", "1.575", "Clear plastic", PRISM),
    ("Emerald", "1.58", "Gem", GEM),
    ("Polycarbonate", "1.585", "Clear plastic", PRISM),
    ("Polystyrene", "1.59", "Clear plastic", PRISM),
    ("Topaz", "1.62", "Gem", GEM),
    ("Flint glass F2", "1.620", "Glass", PRISM),
    ("Carbon disulphide", "1.628", "Liquid", DROP),
    ("Tourmaline", "1.63", "Gem", GEM),
    ("Calcite", "1.658", "It doubles what it shows", GEM),
    ("Peridot", "1.67", "Gem", GEM),
    ("Spinel", "1.718", "Gem", GEM),
    ("Dense flint SF10", "1.728", "Glass", PRISM),
    ("Diiodomethane", "1.74", "Liquid", DROP),
    ("Sapphire", "1.768", "Gem", GEM),
    ("Dense flint SF11", "1.785", "Glass", PRISM),
    ("Zircon", "1.925", "Gem", GEM),
    ("Cubic zirconia", "2.16", "Gem from a furnace", GEM),
    ("Sphalerite", "2.37", "Mineral", GEM),
    ("Diamond", "2.417", "Gem", GEM),
    ("Rutile", "2.616", "Mineral", GEM),
    ("Moissanite", "2.65", "Gem", GEM),
];

/// Largest offset, points.
pub fn longest(stage: &Stage) -> f32 {
    let all = TOP + CLEAR_THINGS.len() as f32 * (CARD.y + GAP) + stage.bottom();
    (all - stage.size().y).max(0.0)
}

fn page(stage: &Stage) -> f32 {
    (stage.size().y - stage.bottom() - CARD.y).max(CARD.y)
}

/// As if it were not scrolled: the frame shifts all of them.
pub fn pieces(stage: &Stage) -> Vec<Piece> {
    let (middle, room) = stage.room();
    let width = CARD.x.min(room.x);
    let left = middle.x - 0.5 * width;
    let card =
        |(index, (name, refraction, what, icon)): (usize, &(&'static str, &'static str, &'static str, usize))| {
            let low = Vec2::new(left, TOP + index as f32 * (CARD.y + GAP));
            let mut piece = Piece::new(low, Vec2::new(width, CARD.y), RADIUS);
            piece.icon(*icon, Vec2::new(38.0, 0.5 * CARD.y), 15.0);
            piece.text(*name, 18.5, Vec2::new(70.0, 31.0), 0.0);
            piece.mark(Ink::Voted, 0.85, Figure::text(*what, 13.5, Vec2::new(70.0, 51.0), 0.0));
            piece.text(*refraction, 20.0, Vec2::new(width - 24.0, 42.0), 1.0);
            piece
        };
    let mut title = Piece { is_glass: false, ..Piece::new(Vec2::new(left, 0.0), Vec2::new(width, TOP), 0.0) };
    title.text("Clear things", 38.0, Vec2::new(4.0, MARGIN + 48.0), 0.0);
    title.mark(
        Ink::Voted,
        0.9,
        Figure::text("and how many times slower light is in them", 14.5, Vec2::new(6.0, MARGIN + 72.0), 0.0),
    );
    std::iter::once(title).chain(CLEAR_THINGS.iter().enumerate().map(card)).collect()
}

pub fn drag(used: &mut Use, scene: &mut SceneSettings, stage: &Stage, feel: &Feel) {
    let (Some(held), Some(hand)) = (used.held, used.hand) else { return };
    if held.drags {
        if let Some(piece) = held.piece {
            used.pose_mut(piece).press.stop();
        }
        scene.scroll = Scroll::dragged(held.before + held.at.y - hand.y, longest(stage), feel);
    }
}

pub fn wheel(used: &mut Use, notches: f32, scene: &SceneSettings, stage: &Stage) -> bool {
    if notches.is_finite() && used.held.is_none() {
        used.scroll.seek(-notches.clamp(-20.0, 20.0) * NOTCH, scene.scroll, longest(stage));
    }
    true
}

pub fn key(used: &mut Use, key: Key, scene: &SceneSettings, stage: &Stage) -> bool {
    let longest = longest(stage);
    let by = match key {
        Key::Up => -ARROW,
        Key::Down => ARROW,
        Key::PageUp => -page(stage),
        Key::PageDown | Key::Act => page(stage),
        Key::Home => -2.0 * longest - 1.0,
        Key::End => 2.0 * longest + 1.0,
        _ => return false,
    };
    used.scroll.seek(by, scene.scroll, longest);
    true
}
