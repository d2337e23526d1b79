//! The outlines of lenses, as the formulas need them. Those of words are laid out once and kept.

use super::oracle::letters::{Letters, Outline};
use super::oracle::shape;
use crate::base::settings::ShortText;
use crate::scene::Lens;
use crate::scene::picture::{Face, Style};
use glam::Vec2;
use skrifa::outline::OutlinePen;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The outline of a lens. The bevel's width is the settings' affair.
pub fn outline_of(lens: &Lens) -> shape::Lens {
    let words = if lens.has_text() { outline_of_words(lens.text, lens.weight) } else { None };
    let whole = match &words {
        Some(_) => box_of(lens),
        // Nothing to be seen in the words: the shape remains.
        None => box_of(&Lens { text: ShortText::new(), ..*lens }),
    };
    shape::Lens { letters: words.map(|outline| Letters::fitting(outline, whole.half)), ..whole }
}

/// The outline of its shape, or of the box around its words.
pub fn box_of(lens: &Lens) -> shape::Lens {
    shape::Lens::upright(lens.center, lens.half.max(Vec2::ONE), lens.exponent.clamp(2.0, 10.0), 1.0)
        .with_corner(lens.corner().max(Vec2::ONE))
        .turned(lens.angle)
        .stretched(lens.stretch())
}

/// Outlines that were laid out last, with what they are of.
type Kept = Vec<((ShortText, u32), Option<Arc<Outline>>)>;

/// One for each of the most lenses, and as many that were there before.
const KEPT: usize = 16;

static OUTLINES: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The outline of some words; nothing where none of their letters has one.
fn outline_of_words(text: ShortText, weight: f32) -> Option<Arc<Outline>> {
    let key = (text, weight.to_bits());
    let mut kept = OUTLINES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(at) = kept.iter().position(|(known, _)| *known == key) {
        let found = kept.remove(at);
        kept.push(found.clone());
        return found.1;
    }
    let made = laid_out(&text, weight).map(Arc::new);
    if kept.len() >= KEPT {
        kept.remove(0);
    }
    kept.push((key, made.clone()));
    made
}

/// Size in which letters are traced: outlines come in steps of a 64th.
const SIZE: f32 = 2048.0;

fn laid_out(text: &str, weight: f32) -> Option<Outline> {
    // Heavier strokes need more room between the letters: enough that they touch softly.
    let mut pen = Pen::default();
    Face::new(Style::Any).trace(text.trim(), SIZE, 1.2 * weight, Vec2::ZERO, &mut pen);
    Outline::new(pen.curves.into_iter().map(|curve| curve.map(|p| p / SIZE)), weight)
}

/// Collects quadratic curves, the only ones that these faces have but for straight lines.
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
        // In halves, each as the quadratic curve with the same ends that lies in its middle.
        let (start, a, b, end) = (self.at, Vec2::new(ax, ay), Vec2::new(bx, by), Vec2::new(x, y));
        let (first, inner, last) = (start.midpoint(a), a.midpoint(b), b.midpoint(end));
        let (left, right) = (first.midpoint(inner), inner.midpoint(last));
        let control = |start: Vec2, a: Vec2, b: Vec2, end: Vec2| 0.25 * (3.0 * (a + b) - start - end);
        let middle = left.midpoint(right);
        self.to(control(start, first, left, middle), middle);
        self.to(control(middle, right, last, end), end);
    }

    fn close(&mut self) {
        let start = self.start;
        self.line_to(start.x, start.y);
    }
}
