//! Distance field of the outline of words. Texels hold the signed distance in texels from their middle to the nearest
//! curve. A cubic B-spline, whose slope has no jumps, reads between them: it blurs by a third of a texel's variance,
//! nothing on a straight edge, a quarter of a texel at a sharp corner.

use glam::{Mat2, UVec2, Vec2};
use std::sync::{Arc, OnceLock};

/// Quadratic, monotonic in y: end, control point, end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve(pub [Vec2; 3]);

/// In parts of the letters' size.
#[derive(Debug)]
pub struct Outline {
    /// From the middle of the box, y down.
    pub curves: Vec<Curve>,
    /// Half of the box, weight included.
    pub half: Vec2,
    /// Extension beyond the curves.
    pub weight: f32,
    /// For the sorting of tiles.
    coarse: OnceLock<Arc<Field>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub size: UVec2,
    /// Texels for the letters' size.
    pub scale: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub grid: Grid,
    /// Signed, texels, negative inside; rows from the top.
    pub distance: Vec<f32>,
}

#[derive(Clone, Debug)]
pub struct Letters {
    pub outline: Arc<Outline>,
    /// Pixels of the lens' own frame for the letters' size.
    pub px: f32,
    /// The GPU makes a finer one ([`Letters::grid`]).
    pub field: Arc<Field>,
}

const MARGIN: f32 = 0.12;
const MOST_TEXELS: f32 = 4.0 * 1024.0 * 1024.0;
const COARSE: f32 = 48.0;
/// At least; up to 1.19 times as many, so that few sizes need another field.
const TEXELS_PER_PX: f32 = 1.9;

impl Outline {
    /// Moves the middle of the box to the origin; `None` without curves.
    pub fn new(curves: impl IntoIterator<Item = [Vec2; 3]>, weight: f32) -> Option<Outline> {
        let curves: Vec<Curve> = curves.into_iter().flat_map(monotone).collect();
        let first = curves.first()?.0[0];
        // Between its ends a curve turns neither way.
        let ends = curves.iter().flat_map(|Curve([a, _, c])| [*a, *c]);
        let (low, high) = ends.fold((first, first), |(low, high), p| (low.min(p), high.max(p)));
        let curves = curves.iter().map(|curve| curve.placed(1.0, -0.5 * (low + high))).collect();
        let half = (0.5 * (high - low) + weight).max(Vec2::splat(1e-3));
        Some(Outline { curves, half, weight, coarse: OnceLock::new() })
    }

    /// `scale`: texels for the letters' size; fewer if the field would be too large.
    pub fn grid(&self, scale: f32) -> Grid {
        let whole = 2.0 * (self.half + MARGIN);
        let scale = scale.min((MOST_TEXELS / (whole.x * whole.y)).sqrt());
        Grid { size: (whole * scale).ceil().as_uvec2().max(UVec2::splat(8)), scale }
    }

    pub fn coarse(&self) -> Arc<Field> {
        self.coarse.get_or_init(|| Arc::new(Field::new(self, self.grid(COARSE)))).clone()
    }
}

impl Letters {
    pub fn fitting(outline: Arc<Outline>, half: Vec2) -> Letters {
        let px = (half / outline.half).min_element();
        let field = outline.coarse();
        Letters { outline, px, field }
    }

    /// Pixels.
    pub fn depth(&self) -> f32 {
        let deepest = self.field.distance.iter().copied().fold(0.0, f32::min);
        (self.outline.weight - deepest / self.field.grid.scale) * self.px
    }

    pub fn grid(&self) -> Grid {
        let steps = (4.0 * (self.px * TEXELS_PER_PX).max(1.0).log2()).ceil();
        self.outline.grid((0.25 * steps).exp2())
    }

    #[cfg(test)]
    pub fn refined(&self) -> Letters {
        Letters { field: Arc::new(Field::new(&self.outline, self.grid())), ..self.clone() }
    }

    pub fn texels_per_px(&self, grid: Grid) -> f32 {
        grid.scale / self.px
    }

    pub fn weight(&self, grid: Grid) -> f32 {
        self.outline.weight * grid.scale
    }
}

impl PartialEq for Letters {
    fn eq(&self, other: &Letters) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline) && self.px == other.px && self.field.grid == other.field.grid
    }
}

impl Curve {
    fn at(&self, t: f32) -> Vec2 {
        let [a, b, c] = self.0;
        a + t * (2.0 * (b - a) + t * (a - 2.0 * b + c))
    }

    fn placed(&self, scale: f32, by: Vec2) -> Curve {
        Curve(self.0.map(|p| p * scale + by))
    }

    /// The chord's distance, less and more the curve's largest deviation.
    fn bounds(&self, p: Vec2) -> (f32, f32) {
        let [a, b, c] = self.0;
        let (chord, way) = (c - a, p - a);
        let part = (way.dot(chord) / chord.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let (far, height) = ((way - chord * part).length(), 0.5 * (b - 0.5 * (a + c)).length());
        (far - height, far + height)
    }

    /// The best of five places, refined by Newton's method, but no farther than the next place.
    fn square_distance(&self, p: Vec2) -> f32 {
        let [a, b, c] = self.0;
        let (speed, bend, way) = (2.0 * (b - a), a - 2.0 * b + c, a - p);
        let square = |t: f32| (way + t * (speed + t * bend)).length_squared();
        let (mut best, mut least) = (0.0, square(0.0));
        for i in 1..=4 {
            let t = 0.25 * i as f32;
            let found = square(t);
            if found < least {
                (best, least) = (t, found);
            }
        }
        let (low, high) = ((best - 0.25).max(0.0), (best + 0.25).min(1.0));
        let mut t = best;
        for _ in 0..4 {
            let (to, along) = (way + t * (speed + t * bend), speed + 2.0 * t * bend);
            let steep = along.length_squared() + 2.0 * to.dot(bend);
            let step = to.dot(along) / if steep > 0.0 { steep.max(1e-12) } else { along.length_squared().max(1e-12) };
            t = (t - step).clamp(low, high);
        }
        least.min(square(t))
    }

    fn winding(&self, p: Vec2) -> i32 {
        let [a, b, c] = self.0;
        let turn = i32::from(a.y <= p.y && c.y > p.y) - i32::from(c.y <= p.y && a.y > p.y);
        // Without cancellation where the bend is small.
        let (half, bend, from) = (b.y - a.y, a.y - 2.0 * b.y + c.y, a.y - p.y);
        let root = (half * half - bend * from).max(0.0).sqrt();
        let t = -from / (half + if turn < 0 { -root } else { root });
        if turn != 0 && self.at(t.clamp(0.0, 1.0)).x > p.x { turn } else { 0 }
    }
}

/// Parts turn by little more than a right angle.
pub fn monotone([a, b, c]: [Vec2; 3]) -> Vec<Curve> {
    let turns = |a: f32, b: f32, c: f32| (a - b) / (a - 2.0 * b + c);
    let mut cuts = vec![turns(a.x, b.x, c.x), turns(a.y, b.y, c.y)];
    cuts.retain(|t| *t > 1e-4 && *t < 1.0 - 1e-4);
    cuts.sort_by(f32::total_cmp);
    let (mut parts, mut rest, mut done) = (Vec::new(), [a, b, c], 0.0);
    for cut in cuts {
        let [a, b, c] = rest;
        let t = (cut - done) / (1.0 - done);
        let (first, second) = (a.lerp(b, t), b.lerp(c, t));
        let middle = first.lerp(second, t);
        parts.push(Curve([a, first, middle]));
        (rest, done) = ([middle, second, c], cut);
    }
    parts.push(Curve(rest));
    let flat = |Curve([a, b, c]): Curve| Curve([a, Vec2::new(b.x, b.y.clamp(a.y.min(c.y), a.y.max(c.y))), c]);
    parts.into_iter().map(flat).collect()
}

impl Field {
    /// Skips curves that are too far from a part of a row.
    pub fn new(outline: &Outline, grid: Grid) -> Field {
        let middle = 0.5 * grid.size.as_vec2();
        let curves: Vec<_> = outline.curves.iter().map(|curve| curve.placed(grid.scale, middle)).collect();
        const ROW: u32 = 8;
        let mut distance = Vec::with_capacity((grid.size.x * grid.size.y) as usize);
        for y in 0..grid.size.y {
            let height = y as f32 + 0.5;
            let crosses = |Curve([a, _, c]): &&Curve| (a.y <= height) != (c.y <= height);
            let passing: Vec<_> = curves.iter().filter(crosses).collect();
            for first in (0..grid.size.x).step_by(ROW as usize) {
                let last = (first + ROW).min(grid.size.x);
                let center = Vec2::new(0.5 * (first + last) as f32, height);
                let bounds: Vec<_> = curves.iter().map(|curve| curve.bounds(center)).collect();
                let reach = bounds.iter().map(|(_, far)| *far).fold(f32::MAX, f32::min) + ROW as f32;
                let near = curves.iter().zip(&bounds).filter(|(_, (near, _))| *near <= reach);
                let near: Vec<_> = near.map(|(curve, _)| curve).collect();
                for x in first..last {
                    let p = Vec2::new(x as f32 + 0.5, height);
                    let square = near.iter().map(|curve| curve.square_distance(p)).fold(f32::MAX, f32::min);
                    let turns: i32 = passing.iter().map(|curve| curve.winding(p)).sum();
                    distance.push(if turns != 0 { -square.sqrt() } else { square.sqrt() });
                }
            }
        }
        Field { grid, distance }
    }
}

/// Of four texels, for a point at `f` between the middle two: value and slope.
fn spline(f: f32) -> [[f32; 4]; 2] {
    let r = 1.0 - f;
    [
        [r * r * r, 4.0 - 3.0 * f * f * (2.0 - f), 4.0 - 3.0 * r * r * (2.0 - r), f * f * f].map(|w| w / 6.0),
        [-r * r, f * (3.0 * f - 4.0), r * (4.0 - 3.0 * r), f * f].map(|w| w * 0.5),
    ]
}

/// `way`: from the middle, pixels. Between strokes the slope is shorter than 1. Beyond the field the nearest point of
/// its border is taken.
pub fn letters_edge(letters: &Letters, unit_from_window: Mat2, way: Vec2) -> (f32, Vec2) {
    let Field { grid, distance } = &*letters.field;
    let size = grid.size.as_vec2();
    let texels: Mat2 = unit_from_window * letters.texels_per_px(*grid);
    let at = texels * way + 0.5 * size;
    let known = at.clamp(Vec2::splat(2.0), size - 2.0);
    let whole = (known - 0.5).floor();
    let part = known - 0.5 - whole;
    let (across, rows) = (spline(part.x), spline(part.y));
    let low = whole.as_uvec2() - 1;
    let (mut d, mut slope) = (0.0, Vec2::ZERO);
    for row in 0..4 {
        let first = ((low.y + row as u32) * grid.size.x + low.x) as usize;
        let here = &distance[first..first + 4];
        let sums = across.map(|weights| weights.iter().zip(here).map(|(w, d)| w * d).sum::<f32>());
        let down = rows.map(|weights| weights[row]);
        d += down[0] * sums[0];
        slope += Vec2::new(down[0] * sums[1], down[1] * sums[0]);
    }
    if at != known {
        let beyond = at - (known - slope * d);
        d = beyond.length().max(1e-6);
        slope = beyond / d;
    }
    let steep = slope.length();
    let pulled = texels.transpose() * slope;
    let scale = if steep > 1e-3 { pulled.length() / steep } else { texels.determinant().abs().sqrt() };
    ((d - letters.weight(*grid)) / scale, pulled / scale)
}
