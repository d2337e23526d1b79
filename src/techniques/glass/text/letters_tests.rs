//! Test of the box and the depth of words.

use super::letters::Letters;
use crate::lab::text_outline_check::words;
use crate::lens::outline::outline_of;
use crate::lens::shape::{Lens, lens_edge};
use glam::Vec2;

fn fine(text: &str, half: Vec2, weight: f32) -> (Lens, Letters) {
    let lens = outline_of(&words(text, Vec2::ZERO, half, weight), 1.0);
    let letters = lens.letters.as_ref().unwrap().refined();
    (Lens { letters: Some(letters.clone()), ..lens }, letters)
}

fn around(half: Vec2, step: f32) -> impl Iterator<Item = Vec2> {
    let count = (half / step).ceil().as_ivec2() + 3;
    (-count.y..=count.y)
        .flat_map(move |y| (-count.x..=count.x).map(move |x| Vec2::new(x as f32 * step + 0.13, y as f32 * step - 0.29)))
}

#[test]
fn words_fit_their_box_and_have_strokes() {
    for (text, half) in
        [("Aa", Vec2::new(190.0, 120.0)), ("I", Vec2::new(190.0, 20.0)), ("mmmm", Vec2::new(50.0, 300.0))]
    {
        let (lens, letters) = fine(text, half, 0.045);
        let fits = letters.outline.half * letters.px - half;
        assert!(fits.max_element().abs() < 1e-3, "{text}: touches one pair of sides, within the other: {fits}");
        let deepest = around(half, 1.0).map(|p| -lens_edge(&lens, p).d).fold(0.0, f32::max);
        let depth = letters.depth();
        assert!((depth - deepest).abs() < 0.06 * depth + 1.0, "{text}: {depth} {deepest}");
        assert!(lens.widest_bevel() <= 0.5 * depth);
    }
}
