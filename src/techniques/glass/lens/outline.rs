//! Outlines of lenses as the formulas need them. Those of words and paths are cached.

use super::shape;
use crate::text::fonts;
use crate::text::letters::{Letters, Outline};
use crate::text::path_shape::PathShape;
use base::settings::{Settings as _, ShortText};
use glam::Vec2;
use scene::{GlassSettings, Lens, LensOutline};
use skrifa::outline::OutlinePen;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

pub fn outline_of(lens: &Lens, scale: f32) -> shape::Lens {
    let curves = curved_outline_of(&lens.outline);
    let whole = match &curves {
        Some(_) => box_of(lens, scale),
        None => box_of(&Lens { outline: lens.outline.shape_alone(), ..*lens }, scale),
    };
    shape::Lens { letters: curves.map(|outline| Letters::fitting(outline, whole.half)), ..whole }
}

pub fn box_of(lens: &Lens, scale: f32) -> shape::Lens {
    let half = lens.half(scale).max(Vec2::ONE);
    let whole = shape::Lens::upright(lens.center, half, lens.outline.exponent.clamp(2.0, 10.0), 1.0)
        .with_corner(lens.outline.corner(scale).max(Vec2::ONE))
        .turned(lens.angle())
        .stretched(lens.stretch());
    shape::Lens { id: lens.id, ..whole }
}

struct TextLayout {
    text: ShortText,
    weight: u32,
    fonts: u64,
    outline: Option<Arc<Outline>>,
    missing: Option<String>,
}

const KEPT: usize = 16;

static OUTLINES: LazyLock<Mutex<Vec<TextLayout>>> = LazyLock::new(Mutex::default);

fn curved_outline_of(own: &LensOutline) -> Option<Arc<Outline>> {
    match () {
        () if own.has_text() => with_words(own.text, own.weight, |words| words.outline.clone()),
        () if own.has_path() => with_path(own.path, |path| path.outline.as_ref().ok().cloned()),
        () => None,
    }
}

/// Around the middle of their box, in parts of the letters' size; half that box with the weight; the weight.
pub fn curves_of(own: &LensOutline) -> Option<(Vec<[Vec2; 3]>, Vec2, f32)> {
    let outline = curved_outline_of(own)?;
    Some((outline.curves.iter().map(|curve| curve.0).collect(), outline.half, outline.weight))
}

/// The box of a path becomes that of its outline, and as large as it was.
pub fn fit_box(settings: &mut GlassSettings) {
    let own = settings.outline();
    let Some(drawn) = curved_outline_of(&own).filter(|_| own.has_path()) else { return };
    let by = (own.half().element_product() / drawn.half.element_product()).sqrt();
    let [low, high] = GlassSettings::range("half_width").unwrap_or([0.0, f32::MAX]);
    let half = (drawn.half * by).clamp(Vec2::splat(low), Vec2::splat(high));
    (settings.half_width, settings.half_height) = half.into();
}

/// Missing characters, or the fault of the font file or a path. Takes this font for words.
pub fn problem_of_outlines(font: &str, lenses: &[Lens]) -> Option<String> {
    let unread = fonts::choose(font).err();
    unread.or_else(|| lenses.iter().find_map(problem_of))
}

pub fn choose_font(path: &str) -> Result<(), String> {
    fonts::choose(path)
}

pub fn check_paths(lenses: &[Lens]) -> Result<(), String> {
    lenses.iter().try_for_each(check_path)
}

pub fn problem_of(Lens { outline, .. }: &Lens) -> Option<String> {
    match () {
        () if outline.has_text() => with_words(outline.text, 0.0, |words| words.missing.clone()),
        () if outline.has_path() => {
            with_path(outline.path, |path| path.outline.as_ref().err().or(path.note.as_ref()).cloned())
        }
        () => None,
    }
}

fn check_path(Lens { outline, .. }: &Lens) -> Result<(), String> {
    if outline.has_path() {
        with_path(outline.path, |path| path.outline.as_ref().map(|_| ()).map_err(Clone::clone))
    } else {
        Ok(())
    }
}

struct PathLayout {
    path: ShortText,
    outline: Result<Arc<Outline>, String>,
    note: Option<String>,
}

static PATHS: LazyLock<Mutex<Vec<PathLayout>>> = LazyLock::new(Mutex::default);

pub fn reread_paths() {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

fn with_path<T>(text: ShortText, read: impl FnOnce(&PathLayout) -> T) -> T {
    kept(&PATHS, |path| path.path == text, || laid_out_path(text), read)
}

/// From a list that keeps those used last.
fn kept<L, T>(
    all: &Mutex<Vec<L>>,
    is_it: impl Fn(&L) -> bool,
    make: impl FnOnce() -> L,
    read: impl FnOnce(&L) -> T,
) -> T {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    let one = match all.iter().position(is_it) {
        Some(at) => all.remove(at),
        None => make(),
    };
    if all.len() >= KEPT {
        all.remove(0);
    }
    let answer = read(&one);
    all.push(one);
    answer
}

fn laid_out_path(path: ShortText) -> PathLayout {
    let (outline, note) = match PathShape::read(&path) {
        Ok(shape) => {
            let outline = Outline::new(shape.curves, 0.0).map(Arc::new);
            (outline.ok_or_else(|| "glass.path: it fills nothing".to_owned()), shape.note)
        }
        Err(why) => (Err(why), None),
    };
    PathLayout { path, outline, note }
}

fn with_words<T>(text: ShortText, weight: f32, read: impl FnOnce(&TextLayout) -> T) -> T {
    let (bits, fonts) = (weight.to_bits(), fonts::generation());
    let is_it = |words: &TextLayout| (words.text, words.weight, words.fonts) == (text, bits, fonts);
    let make = || {
        let (outline, missing) = laid_out(&text, weight);
        TextLayout { text, weight: bits, fonts, outline: outline.map(Arc::new), missing }
    };
    kept(&OUTLINES, is_it, make, read)
}

/// Outlines come in steps of a 64th.
const SIZE: f32 = 2048.0;

fn laid_out(text: &str, weight: f32) -> (Option<Outline>, Option<String>) {
    let mut pen = Pen::default();
    let missing = fonts::trace(text.trim(), SIZE, 1.2 * weight, &mut pen);
    let outline = Outline::new(pen.curves.into_iter().map(|curve| curve.map(|p| p / SIZE)), weight);
    let blank = || outline.is_none().then(|| format!("glass.text \"{text}\": its characters have no outline"));
    let missing = missing.or_else(blank);
    (outline, missing)
}

/// Quadratic curves for a cubic one: off by 4e-4 of a quarter circle's radius (sqrt(3) / 36 of the third difference
/// over the cube of the number).
const CUBIC: u8 = 4;

#[derive(Default)]
struct Pen {
    curves: Vec<[Vec2; 3]>,
    start: Vec2,
    at: Vec2,
}

impl Pen {
    fn to(&mut self, control: Vec2, end: Vec2) {
        if end != self.at {
            self.curves.push([self.at, control, end]);
            self.at = end;
        }
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close();
        (self.start, self.at) = (Vec2::new(x, y), Vec2::new(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let end = Vec2::new(x, y);
        self.to(0.5 * (self.at + end), end);
    }

    fn quad_to(&mut self, ax: f32, ay: f32, x: f32, y: f32) {
        self.to(Vec2::new(ax, ay), Vec2::new(x, y));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (start, a, b, end) = (self.at, Vec2::new(ax, ay), Vec2::new(bx, by), Vec2::new(x, y));
        let point = |t: f32| {
            let s = 1.0 - t;
            s * s * s * start + 3.0 * s * t * (s * a + t * b) + t * t * t * end
        };
        let slope = |t: f32| {
            let s = 1.0 - t;
            3.0 * (s * s * (a - start) + 2.0 * s * t * (b - a) + t * t * (end - b))
        };
        let length = 1.0 / f32::from(CUBIC);
        for piece in 0..CUBIC {
            let (from, to) = (f32::from(piece) * length, f32::from(piece + 1) * length);
            let (first, last) = (point(from), if piece + 1 == CUBIC { end } else { point(to) });
            self.to(0.5 * (first + last) + 0.25 * length * (slope(from) - slope(to)), last);
        }
    }

    fn close(&mut self) {
        let start = self.start;
        self.line_to(start.x, start.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_curve_is_followed_closely() {
        // A quarter circle as fonts have it, off by 2.7e-4.
        const K: f32 = 0.552_284_8;
        let mut pen = Pen::default();
        pen.move_to(1.0, 0.0);
        pen.curve_to(1.0, K, K, 1.0, 0.0, 1.0);
        assert_eq!(pen.curves.len(), usize::from(CUBIC));
        for [a, b, c] in &pen.curves {
            for step in 0..=8_u8 {
                let t = f32::from(step) / 8.0;
                let at = (1.0 - t) * ((1.0 - t) * *a + t * *b) + t * ((1.0 - t) * *b + t * *c);
                assert!((at.length() - 1.0).abs() < 7e-4, "{at}");
            }
        }
        assert_eq!(pen.curves.last().map(|[.., end]| *end), Some(Vec2::Y));
    }
}
