//! Distance field of the outline of words, texel by texel in `f64`, and its reconstruction by a cubic B-spline.

use crate::lens::outline::curves_of;
use glam::{DMat2, DVec2, UVec2, Vec2};
use scene::LensOutline;

/// In parts of the letters' size.
const MARGIN: f64 = 0.12;

/// Texels, negative inside.
#[derive(Clone, Debug)]
pub struct Field {
    pub size: UVec2,
    /// Texels for the letters' size.
    pub scale: f64,
    /// Rows from the top.
    pub distance: Vec<f64>,
}

#[derive(Clone, Debug)]
pub struct Words {
    field: Field,
    /// Pixels for the letters' size.
    px: f64,
    /// Distance by which the letters extend beyond the curves, in parts of their size.
    weight: f64,
    depth: f64,
}

/// The best of nine places, refined by thirds.
fn square_distance([a, b, c]: [DVec2; 3], p: DVec2) -> f64 {
    let square = |t: f64| (a.lerp(b, t).lerp(b.lerp(c, t), t) - p).length_squared();
    let (mut best, mut least) = (0.0, square(0.0));
    for t in [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0] {
        let here = square(t);
        if here < least {
            (best, least) = (t, here);
        }
    }
    let (mut low, mut high) = (f64::max(best - 0.125, 0.0), f64::min(best + 0.125, 1.0));
    while high - low > 1e-5 {
        let third = (high - low) / 3.0;
        if square(low + third) < square(high - third) { high -= third } else { low += third }
    }
    square(0.5 * (low + high)).min(least)
}

/// The crossing of the line to the right.
fn winding([a, b, c]: [DVec2; 3], p: DVec2) -> i32 {
    if (a.y <= p.y) == (c.y <= p.y) {
        return 0;
    }
    let is_down = c.y > a.y;
    let turn = if is_down { 1 } else { -1 };
    // A curve is inside the box of its control points.
    if a.x.max(b.x).max(c.x) <= p.x {
        return 0;
    }
    if a.x.min(b.x).min(c.x) > p.x {
        return turn;
    }
    let at = |t: f64| a.lerp(b, t).lerp(b.lerp(c, t), t);
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-12 {
        let middle = 0.5 * (low + high);
        if (at(middle).y <= p.y) == is_down { low = middle } else { high = middle }
    }
    if at(low).x <= p.x { 0 } else { turn }
}

impl Field {
    /// Curves are monotonic in y, in parts of the letters' size around the middle of their box, whose half size with
    /// the weight is `half`.
    pub fn new(curves: &[[Vec2; 3]], half: Vec2, scale: f64) -> Field {
        let size = (2.0 * (half.as_dvec2() + MARGIN) * scale).ceil().as_uvec2().max(UVec2::splat(8));
        let middle = 0.5 * size.as_dvec2();
        let placed = |curve: &[Vec2; 3]| curve.map(|p| p.as_dvec2() * scale + middle);
        let curves: Vec<_> = curves.iter().map(placed).collect();
        let boxes: Vec<_> = curves.iter().map(|[a, b, c]| (a.min(*b).min(*c), a.max(*b).max(*c))).collect();
        // The nearest curve of the last texel, measured first, excludes most others by their boxes.
        let mut nearest = 0;
        let texel = |at: u32| {
            let p = DVec2::new(f64::from(at % size.x), f64::from(at / size.x)) + 0.5;
            let mut least = curves.get(nearest).map_or(f64::MAX, |curve| square_distance(*curve, p));
            let mut turns = 0;
            for (number, (curve, (low, high))) in curves.iter().zip(&boxes).enumerate() {
                if (p.clamp(*low, *high) - p).length_squared() < least {
                    let here = square_distance(*curve, p);
                    if here < least {
                        (least, nearest) = (here, number);
                    }
                }
                turns += winding(*curve, p);
            }
            if turns != 0 { -least.sqrt() } else { least.sqrt() }
        };
        Field { size, scale, distance: (0..size.element_product()).map(texel).collect() }
    }

    /// 1.9 to 2.26 texels a pixel, in steps of a quarter octave.
    pub fn scale_of(px: f64, half: Vec2) -> f64 {
        let steps = (4.0 * (1.9 * px).max(1.0).log2()).ceil();
        // At most 4 Mi texels.
        let whole = 2.0 * (half.as_dvec2() + MARGIN);
        (0.25 * steps).exp2().min((4.0 * 1024.0 * 1024.0 / (whole.x * whole.y)).sqrt())
    }

    /// Value, slope and second derivatives (xx, xy, yy) of the B-spline, two texels from the border at least.
    fn read(&self, at: DVec2) -> (f64, DVec2, [f64; 3]) {
        let whole = (at - 0.5).floor();
        let weights = |x: f64| {
            let (r, sign) = (x.abs(), x.signum());
            match r {
                _ if r >= 2.0 => [0.0; 3],
                _ if r >= 1.0 => [(2.0 - r).powi(3) / 6.0, -sign * (2.0 - r).powi(2) / 2.0, 2.0 - r],
                _ => [2.0 / 3.0 - r * r + r.powi(3) / 2.0, sign * (1.5 * r * r - 2.0 * r), 3.0 * r - 2.0],
            }
        };
        let (mut value, mut slope, mut bend) = (0.0, DVec2::ZERO, [0.0; 3]);
        for y in -1..=2 {
            for x in -1..=2 {
                let texel = whole + DVec2::new(f64::from(x), f64::from(y));
                let d = self.distance[texel.y as usize * self.size.x as usize + texel.x as usize];
                let ([u, du, ddu], [v, dv, ddv]) = (weights(at.x - 0.5 - texel.x), weights(at.y - 0.5 - texel.y));
                value += d * u * v;
                slope += d * DVec2::new(du * v, u * dv);
                bend = [bend[0] + d * ddu * v, bend[1] + d * du * dv, bend[2] + d * u * ddv];
            }
        }
        (value, slope, bend)
    }
}

impl Words {
    /// Nothing where they have no outline.
    pub fn of(lens: &LensOutline, half: DVec2) -> Option<Words> {
        let (curves, box_half, weight) = curves_of(lens)?;
        let px = (half / box_half.as_dvec2()).min_element();
        // The stroke's depth is that of a field 48 texels high.
        let coarse = Field::new(&curves, box_half, 48.0);
        let deepest = coarse.distance.iter().copied().fold(0.0, f64::min);
        let depth = (f64::from(weight) - deepest / 48.0) * px;
        let field = Field::new(&curves, box_half, Field::scale_of(px, box_half));
        Some(Words { field, px, weight: weight.into(), depth })
    }

    /// Half the thickest stroke, pixels.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// Distance, direction and curvature in the window; `own`: in the lens' frame. Beyond the field the outline's point
    /// nearest to its border is taken.
    pub fn edge(&self, own: DVec2, frame: DMat2) -> (f64, DVec2, f64) {
        let per_px = self.field.scale / self.px;
        let size = self.field.size.as_dvec2();
        let at = own * per_px + 0.5 * size;
        let known = at.clamp(DVec2::splat(2.0), size - 2.0);
        let (mut d, mut slope, bend) = self.field.read(known);
        let is_beyond = at != known;
        if is_beyond {
            let away = at - (known - slope * d);
            d = away.length().max(1e-6);
            slope = away / d;
        }
        d -= self.weight * self.field.scale;
        let window = frame.inverse().transpose() * slope * per_px;
        let steep = slope.length();
        // Texels for a pixel along the direction.
        let scale = if steep > 1e-3 { window.length() / steep } else { per_px / frame.determinant().abs().sqrt() };
        let along = slope.perp();
        let turn = bend[0] * along.x * along.x + 2.0 * bend[1] * along.x * along.y + bend[2] * along.y * along.y;
        let curl = (turn / steep.powi(3).max(0.125)).clamp(-0.15, 0.15) * scale;
        (d / scale, window / scale, if is_beyond { 0.0 } else { curl })
    }
}
