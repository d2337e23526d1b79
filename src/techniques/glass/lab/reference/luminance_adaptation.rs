//! Adaptation of the glass to the brightness of the picture below it, and the measurement of that brightness.

use super::light::LUMA;
use super::outline::Lens;
use super::picture::Picture;
use glam::DVec2;

/// Powers of two, for dark and for bright pictures.
const LIGHTER: f32 = 0.10;
const DARKER: f32 = 0.16;
/// Shift of the brightness at which the rim turns dark, either way.
const LEAN: f32 = 0.3;

/// Across and down a lens, and the part of the half axes that they cover.
const PLACES: u16 = 8;
const SPREAD: f64 = 0.85;
/// Perceived mean above which a picture is bright, and below which dark: Snell's glass, the system's. Between the two
/// it stays: no flicker at the border of a page.
const TURNS: [f32; 2] = [0.62, 0.50];
const TURNS_OF_SYSTEM: [f32; 2] = [0.40, 0.30];

const TURNS_AFTER_S: f32 = 0.5;
const FADES_S: f32 = 0.2;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Perceived, 0..1.
    pub mean: f32,
    /// 0 dark, 1 bright.
    pub side: f32,
    /// During the transition.
    pub bright: f32,
    pub opposed_s: f32,
}

/// Luminance of a small mip level at 8 by 8 places, encoded as it is seen.
pub fn mean(picture: &Picture, lens: &Lens) -> f32 {
    let window = |place: DVec2| lens.frame * (place * lens.half);
    // Two places are a quarter of the spread half axis apart.
    let wide = window(DVec2::X).length().max(window(DVec2::Y).length()) * SPREAD / 4.0;
    let lod = wide.max(1.0).log2() as f32;
    let place = |n: u16| ((f64::from(n) + 0.5) / 4.0 - 1.0) * SPREAD;
    let look = |n: u16| {
        let point = lens.center + window(DVec2::new(place(n % PLACES), place(n / PLACES)));
        picture.sample(point.as_vec2(), lod).dot(LUMA)
    };
    let places = PLACES * PLACES;
    let sum: f32 = (0..places).map(look).sum();
    (sum / f32::from(places)).clamp(0.0, 1.0).powf(1.0 / 2.2)
}

impl State {
    /// Without a state before, the brightness is there at once.
    pub fn next(before: Option<State>, mean: f32, seconds: f32, is_system: bool) -> (State, f32) {
        let [bright, dark] = if is_system { TURNS_OF_SYSTEM } else { TURNS };
        let first = if mean > 0.5 * (bright + dark) { 1.0 } else { 0.0 };
        let before = before.unwrap_or(State { mean, side: first, bright: first, opposed_s: 0.0 });
        let wanted = match mean {
            _ if mean > bright => 1.0,
            _ if mean < dark => 0.0,
            _ => before.side,
        };
        let opposed_s = if wanted == before.side { 0.0 } else { before.opposed_s + seconds };
        let (side, opposed_s) = if opposed_s >= TURNS_AFTER_S { (wanted, 0.0) } else { (before.side, opposed_s) };
        let now = before.bright + (side - before.bright).clamp(-seconds / FADES_S, seconds / FADES_S);
        (State { mean, side, bright: now, opposed_s }, now * now * (3.0 - 2.0 * now))
    }
}

pub fn gain(adaptive: f32, bright: f32) -> f32 {
    (adaptive * (LIGHTER + (-DARKER - LIGHTER) * bright)).exp2()
}

/// Added to the surrounding brightness before the rim is lit or darkened.
pub fn lean(adaptive: f32, bright: f32) -> f32 {
    adaptive * LEAN * (2.0 * bright - 1.0)
}
