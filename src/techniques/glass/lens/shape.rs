//! Outline: distance (pixels, negative inside) to the edge of superellipses, capsules, rounded rectangles and letters,
//! rotated and merging.

use crate::text::letters::{Letters, letters_edge};
use glam::{Mat2, Vec2};

/// Lenses of a picture.
pub const MOST_LENSES: usize = 2048;

/// Corners are quarters of the superellipse `|x/corner.x|^n + |y/corner.y|^n = 1`, turned and stretched about the
/// centre: as large as the lens a superellipse, as the shorter half axis a capsule. Or letters in a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    pub center: Vec2,
    /// Above zero.
    pub half: Vec2,
    /// Above zero, at most `half`. Where both are smaller they are equal: only then the distance in the middle is true.
    pub corner: Vec2,
    /// Turn, clockwise, then stretch.
    pub frame: Mat2,
    /// 2 (round) to 10 (nearly square).
    pub exponent: f32,
    /// At most half the smaller half axis.
    pub bevel: f32,
    /// 0..1; the GPU measures its own.
    pub bright: f32,
    pub letters: Option<Letters>,
    /// Lenses of one number melt.
    pub container: u32,
    /// As in the scene.
    pub id: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lenses {
    /// At most [`MOST_LENSES`]; those of one container follow each other.
    pub lens: Vec<Lens>,
    /// Pixels; 0 keeps outlines apart.
    pub melt: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub d: f32,
    pub n: Vec2,
    pub bevel: f32,
}

impl Lens {
    pub fn upright(center: Vec2, half: Vec2, exponent: f32, bevel: f32) -> Lens {
        let bevel = bevel.min(half.min_element() * 0.5);
        Lens {
            center,
            half,
            corner: half,
            frame: Mat2::IDENTITY,
            exponent,
            bevel,
            bright: 0.5,
            letters: None,
            container: 0,
            id: None,
        }
    }

    pub fn with_corner(&self, corner: Vec2) -> Lens {
        Lens { corner, ..self.clone() }
    }

    pub fn turned(&self, angle: f32) -> Lens {
        Lens { frame: Mat2::from_angle(angle), ..self.clone() }
    }

    /// `stretch`: symmetric, of determinant 1.
    pub fn stretched(&self, stretch: Mat2) -> Lens {
        Lens { frame: stretch * self.frame, ..self.clone() }
    }

    /// Leaves a face: half the smaller half axis, or half the depth of the strokes.
    pub fn widest_bevel(&self) -> f32 {
        0.5 * self.letters.as_ref().map_or(self.half.min_element(), Letters::depth)
    }

    /// Half size of the upright rectangle around it.
    pub fn reach(&self) -> Vec2 {
        self.frame.x_axis.abs() * self.half.x + self.frame.y_axis.abs() * self.half.y
    }

    pub fn unit_from_window(&self) -> Mat2 {
        Mat2::from_diagonal(self.corner.recip()) * self.frame.inverse()
    }

    /// Half size of the box on whose corners the curved parts are centred, in that frame.
    pub fn core(&self) -> Vec2 {
        (self.half - self.corner) / self.corner
    }
}

/// The gauge g of the superellipse (1 on the outline, homogeneous of degree one) over the length of its gradient: the
/// first-order distance of Taubin (1991), and near the edge the next term, without which a tight corner is off by 0.04
/// px one pixel away. Dividing by the larger coordinate keeps every power between 0 and 1. The straight part between
/// corners is taken out first, as for the rounded box of Quilez; further in than the corners the nearest side counts,
/// or a rounded joint of two.
pub fn lens_edge(lens: &Lens, point: Vec2) -> Edge {
    if let Some(letters) = &lens.letters {
        let (d, n) = letters_edge(letters, lens.unit_from_window(), point - lens.center);
        return Edge { d, n, bevel: lens.bevel };
    }
    let unit = lens.unit_from_window();
    let p = unit * (point - lens.center);
    let away = p.abs();
    let core = lens.core();
    let past = away - core;
    let u = past.max(Vec2::ZERO);
    let is_straight = away.cmplt(core).any();
    let n = lens.exponent;
    let big = u.x.max(u.y).max(1e-6);
    let ratio = (u.x.min(u.y) / big).max(1e-6);
    let second_power = ratio.powf(n - 2.0);
    let small_power = second_power * ratio;
    let sum = 1.0 + small_power * ratio;
    let root = sum.powf(1.0 / n);
    let within = (-past.max_element()).max(0.0);
    let joint = (within - (past.x - past.y).abs()).max(0.0) / within.max(1e-6);
    let g = big * root - within + 0.25 * joint * joint * within;
    let steep = root / sum;
    let other = if within > 0.0 { 0.5 * joint } else { steep * small_power };
    let major = if within > 0.0 { 1.0 - 0.5 * joint } else { steep };
    let along = if past.x >= past.y { Vec2::new(major, other) } else { Vec2::new(other, major) };
    let toward = Vec2::new(side(p.x), side(p.y));
    let slope = unit.transpose() * (along * toward);
    // Where two sides count the slope is flatter, as where lenses melt.
    let length = slope.length() / if within > 0.0 { along.length() } else { 1.0 };
    let ahead = slope / length;
    let first = (g - 1.0) / length;
    // The second derivative along `ahead` where the ray from the centre meets the outline; the quadratic in the divisor
    // keeps the correction near the edge.
    let way = unit * ahead * toward;
    let across = (way.x * u.y - way.y * u.x) / big;
    let strength = if is_straight { 0.0 } else { (n - 1.0) * steep / sum * second_power * root / length };
    let curve = strength * across * across;
    let d = first + 0.5 * curve * first * first / (1.0 + curve * first.abs() + first * first / 64.0);
    Edge { d, n: ahead, bevel: lens.bevel }
}

/// Quilez; where the gradients align the outlines reach for each other less.
fn melt_edges(a: Edge, b: Edge, melt: f32) -> Edge {
    let aligned = (a.n.dot(b.n) / (a.n.length() * b.n.length()).max(1e-6)).max(0.0);
    let melt = melt * (1.0 - aligned * aligned);
    let (near, far) = if a.d <= b.d { (a, b) } else { (b, a) };
    let h = (melt - (far.d - near.d)).max(0.0) / melt.max(1e-6);
    let w = 0.5 * h;
    let bevel = near.bevel + (far.bevel - near.bevel) * w;
    Edge { d: near.d - h * h * melt * 0.25, n: near.n.lerp(far.n, w), bevel }
}

/// Of the nearest container.
pub fn edge_of<'a>(lenses: impl IntoIterator<Item = &'a Lens>, melt: f32, point: Vec2) -> Edge {
    let far = Edge { d: 1e9, n: Vec2::ZERO, bevel: 1.0 };
    let nearer = |a: Edge, b: Edge| if a.d <= b.d { a } else { b };
    let (mut inner, mut outer, mut container) = (far, far, None);
    for lens in lenses {
        let own = lens_edge(lens, point);
        if container == Some(lens.container) {
            inner = melt_edges(inner, own, melt);
        } else {
            (inner, outer, container) = (own, nearer(outer, inner), Some(lens.container));
        }
    }
    nearer(outer, inner)
}

pub fn edge(lenses: &Lenses, point: Vec2) -> Edge {
    edge_of(&lenses.lens, lenses.melt, point)
}

fn side(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
