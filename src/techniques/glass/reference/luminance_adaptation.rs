//! Adaptation of the glass to the brightness of the picture below it, and the measurement of that brightness.

use super::light::LUMA;
use super::outline::Lens;
use super::picture::Picture;
use glam::{DVec2, Vec2};

/// Powers of two by which the glass lightens a dark picture and darkens a bright one.
const LIGHTER: f32 = 0.10;
const DARKER: f32 = 0.16;
/// Shift of the brightness at which the rim turns dark, either way.
const LEAN: f32 = 0.3;

/// Places across and down a lens at which is looked, and the part of the half axes that they cover.
const PLACES: u16 = 8;
const SPREAD: f64 = 0.85;
/// Perceived mean brightness above which the picture below a lens counts as bright, and below which as dark: of Snell's glass, and of the
/// system's. Between the two it stays as it was: a lens at the border of a page does not flicker.
const TURNS: [f32; 2] = [0.62, 0.50];
const TURNS_OF_SYSTEM: [f32; 2] = [0.40, 0.30];

/// State of one lens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State {
    /// Mean brightness as it is seen, 0 to 1.
    pub mean: f32,
    /// Brightness class of the picture below the lens: 0 dark, 1 bright.
    pub side: f32,
    /// The same during the transition from one to the other.
    pub bright: f32,
}

/// Mean brightness below a lens: luminance from a small mip level at 8 by 8 places, encoded as it is seen.
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
    /// The next state, and the brightness that the glass is given; without one before it is there at once. `follow` is the part
    /// of the way between dark and bright that it goes now.
    pub fn next(before: Option<State>, mean: f32, follow: f32, is_system: bool) -> (State, f32) {
        let [bright, dark] = if is_system { TURNS_OF_SYSTEM } else { TURNS };
        let first = if mean > 0.5 * (bright + dark) { 1.0 } else { 0.0 };
        let before = before.unwrap_or(State { mean, side: first, bright: first });
        let side = match mean {
            _ if mean > bright => 1.0,
            _ if mean < dark => 0.0,
            _ => before.side,
        };
        let now = before.bright + (side - before.bright).clamp(-follow, follow);
        (State { mean, side, bright: now }, now * now * (3.0 - 2.0 * now))
    }
}

/// Estimated brightness of the picture at a pixel, 0 to 1: that of the lens, blended where lenses are near each other.
pub fn brightness(lenses: &[Lens], frag: Vec2) -> f32 {
    if let [one] = lenses {
        return one.bright;
    }
    let weight = |lens: &Lens| (-8.0 * lens.relative(frag.as_dvec2()).length_squared().min(12.0)).exp2();
    let sum: f64 = lenses.iter().map(|lens| weight(lens) * f64::from(lens.bright)).sum();
    (sum / lenses.iter().map(weight).sum::<f64>().max(1e-30)) as f32
}

/// Factor of glass of this adaptivity on the picture seen through it.
pub fn gain(adaptive: f32, bright: f32) -> f32 {
    (adaptive * (LIGHTER + (-DARKER - LIGHTER) * bright)).exp2()
}

/// Offset of the surrounding brightness before the rim is lit or darkened by it.
pub fn lean(adaptive: f32, bright: f32) -> f32 {
    adaptive * LEAN * (2.0 * bright - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_with_hysteresis_and_takes_its_time() {
        let next = |before, mean, follow| State::next(before, mean, follow, false);
        let (mut state, given) = next(None, 0.3, 0.0);
        assert_eq!((state.side, given), (0.0, 0.0), "at first it is there at once");
        for mean in [0.55, 0.61, 0.51] {
            state = next(Some(state), mean, 0.1).0;
            assert_eq!((state.side, state.bright), (0.0, 0.0), "between the bounds it stays");
        }
        state = next(Some(state), 0.63, 0.1).0;
        assert_eq!((state.side, state.bright), (1.0, 0.1));
        for _ in 0..20 {
            state = next(Some(state), 0.55, 0.1).0;
        }
        assert_eq!((state.side, state.bright), (1.0, 1.0), "and comes to rest exactly");
        assert_eq!(next(Some(state), 0.4, 1.0).1, 0.0);
        assert_eq!(State::next(Some(state), 0.31, 1.0, true).1, 1.0, "the system's glass turns dark later");
    }

    #[test]
    fn without_adaptivity_nothing_changes_and_with_it_bright_pictures_darken() {
        for bright in [0.0, 0.5, 1.0] {
            assert_eq!((gain(0.0, bright), lean(0.0, bright)), (1.0, 0.0));
        }
        assert!(gain(1.0, 1.0) < 0.95 && gain(1.0, 0.0) > 1.05);
        assert!(lean(1.0, 1.0) > 0.0 && lean(1.0, 0.0) < 0.0);
    }
}
