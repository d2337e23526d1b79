//! Outline: distance and direction to the edge of superellipses, capsules, rounded rectangles and letters, which may be rotated and may
//! merge.
//!
//! Lengths are pixels, x to the right and y down; the distance is negative inside.

use super::text_outline::{Letters, letters_edge};
use crate::gpu_consts;
use glam::{Mat2, Vec2};

gpu_consts! { "glass/lens.glsl":
    /// Most lenses one draw can hold; the same number as in `shaders/glass/lens.glsl`.
    pub const MAX_LENSES: usize = 8;
}

/// A rectangle whose corners are quarters of the superellipse `|x/corner.x|^n + |y/corner.y|^n = 1`, turned and stretched about its
/// centre. Where the corners are as large as the lens it is that superellipse; where they are squares as large as its shorter half
/// axis it is a capsule, whose ends are half circles if n is 2. Or letters in a rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// Centre in pixels from the top left.
    pub center: Vec2,
    /// Half axes in pixels, both above zero.
    pub half: Vec2,
    /// Half axes of the corners in pixels, above zero and at most those of the lens. Where both are smaller they are equal: only then
    /// the distance in the middle is a true one.
    pub corner: Vec2,
    /// From the lens' own upright frame to the window: its turn, clockwise on the screen since y points down, then its stretch.
    pub frame: Mat2,
    /// Exponent n, from 2 (round) to 10 (nearly square).
    pub exponent: f32,
    /// Bevel width of this lens, already limited to half its smaller half axis.
    pub bevel: f32,
    /// Assumed brightness of the picture below, 0 to 1; the GPU measures its own.
    pub bright: f32,
    /// Letters drawn in place of the rectangle.
    pub letters: Option<Letters>,
}

/// All lenses that melt into one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Lenses {
    /// The lenses; entries from `count` on are not read.
    pub lens: [Lens; MAX_LENSES],
    /// Number of lenses.
    pub count: usize,
    /// Distance in pixels below which two outlines reach for each other; 0 keeps them apart.
    pub melt: f32,
    /// Magnification of the face.
    pub magnify: f32,
}

/// Outline at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Signed distance to the outline in pixels.
    pub d: f32,
    /// Direction away from the glass; of length 1 for one lens, shorter in the valley between melting ones.
    pub n: Vec2,
    /// Width of the bevel here.
    pub bevel: f32,
    /// Shift in pixels that magnifies about the centre.
    pub pull: Vec2,
    /// Curvature of the line of equal distance through this point: turn of `n` in radians per pixel along it.
    pub curl: f32,
}

impl Lens {
    /// A superellipse that is not turned; the bevel is limited to half of the smaller half axis so that a face remains.
    pub fn upright(center: Vec2, half: Vec2, exponent: f32, bevel: f32) -> Lens {
        let bevel = bevel.min(half.min_element() * 0.5);
        Lens { center, half, corner: half, frame: Mat2::IDENTITY, exponent, bevel, bright: 0.5, letters: None }
    }

    /// The lens with other corners.
    pub fn with_corner(&self, corner: Vec2) -> Lens {
        Lens { corner, ..self.clone() }
    }

    /// The lens turned by `angle` radians.
    pub fn turned(&self, angle: f32) -> Lens {
        Lens { frame: Mat2::from_angle(angle), ..self.clone() }
    }

    /// The lens as it is, then multiplied by `stretch`, which is symmetric and of determinant 1.
    pub fn stretched(&self, stretch: Mat2) -> Lens {
        Lens { frame: stretch * self.frame, ..self.clone() }
    }

    /// The widest bevel that leaves a face: half the smaller half axis, or half the depth of the strokes.
    pub fn widest_bevel(&self) -> f32 {
        0.5 * self.letters.as_ref().map_or(self.half.min_element(), Letters::depth)
    }

    /// Half size of the upright rectangle around the lens.
    pub fn reach(&self) -> Vec2 {
        self.frame.x_axis.abs() * self.half.x + self.frame.y_axis.abs() * self.half.y
    }

    /// Takes a way in the window to the frame in which the half axes of the corners are 1.
    pub fn unit_from_window(&self) -> Mat2 {
        Mat2::from_diagonal(self.corner.recip()) * self.frame.inverse()
    }

    /// Half size, in that frame, of the box on whose corners the curved parts are centred: 0 for a superellipse.
    pub fn core(&self) -> Vec2 {
        (self.half - self.corner) / self.corner
    }
}

/// Distance and direction of one lens: the gauge function g of the superellipse (1 on the outline, homogeneous of degree
/// one) over the length of its gradient, which is the first-order distance of Taubin (1991), and near the edge the next
/// term, from the second derivative of g along the gradient: without it a tight corner is off by 0.04 px one pixel away.
/// Dividing by the larger coordinate first keeps every power between 0 and 1, so nothing overflows and the diagonals have
/// no seam. What is left of the lens between its corners is taken out first: there only the way beyond it counts, which is what
/// makes a rounded box of a circle (Quilez), and the outline is straight. Further in than the corners reach, the nearest side
/// counts; where two are about as near, lines of equal distance have corners that grow rounder inwards.
pub fn lens_edge(lens: &Lens, point: Vec2, magnify: f32) -> Edge {
    if let Some(letters) = &lens.letters {
        return letters_edge(letters, lens, point, magnify);
    }
    let unit = lens.unit_from_window();
    let p = unit * (point - lens.center);
    let away = p.abs();
    let core = lens.core();
    let past = away - core;
    let u = past.max(Vec2::ZERO);
    let is_straight = away.cmplt(core).any();
    let n = lens.exponent;
    // The guard keeps the centre finite: there the distance is about minus the half axis, and no direction is needed.
    let big = u.x.max(u.y).max(1e-6);
    let ratio = (u.x.min(u.y) / big).max(1e-6);
    let second_power = ratio.powf(n - 2.0);
    let small_power = second_power * ratio;
    let sum = 1.0 + small_power * ratio;
    let root = sum.powf(1.0 / n);
    // Both sides are farther than the corners reach: how far in, and how much each side counts.
    let within = (-past.max_element()).max(0.0);
    let joint = (within - (past.x - past.y).abs()).max(0.0) / within.max(1e-6);
    let g = big * root - within + 0.25 * joint * joint * within;
    let steep = root / sum;
    let other = if within > 0.0 { 0.5 * joint } else { steep * small_power };
    let major = if within > 0.0 { 1.0 - 0.5 * joint } else { steep };
    let along = if past.x >= past.y { Vec2::new(major, other) } else { Vec2::new(other, major) };
    let toward = Vec2::new(side(p.x), side(p.y));
    let slope = unit.transpose() * (along * toward);
    // Within, where two sides count, the slope is flatter and the direction shorter, as where lenses melt.
    let length = slope.length() / if within > 0.0 { along.length() } else { 1.0 };
    let ahead = slope / length;
    let first = (g - 1.0) / length;
    // The second derivative along `ahead`, taken where the ray from the centre meets the outline; the quadratic in the
    // divisor keeps the correction to the edge's surroundings.
    let way = unit * ahead * toward;
    let across = (way.x * u.y - way.y * u.x) / big;
    let side = unit * ahead.perp() * toward;
    let along_edge = (side.x * u.y - side.y * u.x) / big;
    let strength = if is_straight { 0.0 } else { (n - 1.0) * steep / sum * second_power * root / length };
    let curve = strength * across * across;
    // The same second derivative along the outline is its curvature; lines of equal g are the outline scaled by g.
    let curl = strength * along_edge * along_edge / g.max(0.05);
    let d = first + 0.5 * curve * first * first / (1.0 + curve * first.abs() + first * first / 64.0);
    Edge { d, n: ahead, bevel: lens.bevel, pull: (lens.center - point) * (1.0 - 1.0 / magnify), curl }
}

/// The union of two outlines rounded where they come nearer than `melt`: the quadratic smooth minimum (Quilez), whose
/// gradient is exactly the same blend of the two gradients.
pub fn melt_edges(a: Edge, b: Edge, melt: f32) -> Edge {
    let (near, far) = if a.d <= b.d { (a, b) } else { (b, a) };
    let h = (melt - (far.d - near.d)).max(0.0) / melt.max(1e-6);
    let w = 0.5 * h;
    Edge {
        d: near.d - h * h * melt * 0.25,
        n: near.n.lerp(far.n, w),
        bevel: near.bevel + (far.bevel - near.bevel) * w,
        pull: near.pull.lerp(far.pull, w),
        curl: near.curl + (far.curl - near.curl) * w,
    }
}

/// The outline of all lenses together at one point of the window.
pub fn edge(lenses: &Lenses, point: Vec2) -> Edge {
    let mut e = lens_edge(&lenses.lens[0], point, lenses.magnify);
    for lens in &lenses.lens[1..lenses.count.max(1)] {
        e = melt_edges(e, lens_edge(lens, point, lenses.magnify), lenses.melt);
    }
    e
}

/// Coverage of the pixel at distance `d`: an edge one pixel wide, whatever the shape.
pub fn coverage(d: f32) -> f32 {
    (0.5 - d).clamp(0.0, 1.0)
}

/// Part of the pixel in the band that reaches `width` pixels inwards from the edge.
pub fn band(d: f32, width: f32) -> f32 {
    ((0.5 - d).min(width) - (-d - 0.5).max(0.0)).clamp(0.0, 1.0)
}

fn side(x: f32) -> f32 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

impl Lenses {
    /// The array form of a few lenses; more than [`MAX_LENSES`] are cut off.
    pub fn new(some: &[Lens], melt: f32, magnify: f32) -> Lenses {
        let none = Lens::upright(Vec2::ZERO, Vec2::ONE, 2.0, 0.5);
        let count = some.len().min(MAX_LENSES);
        let lens = std::array::from_fn(|at| some.get(at).unwrap_or(&none).clone());
        Lenses { lens, count, melt, magnify }
    }

    /// The lenses in use.
    pub fn used(&self) -> &[Lens] {
        &self.lens[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(f32, f32); 4] = [(190.0, 120.0), (130.0, 130.0), (260.0, 60.0), (80.0, 300.0)];

    /// The outline in f64, by angle parameter.
    fn outline(a: f64, b: f64, n: f64, w: f64) -> (f64, f64) {
        let (c, s) = (w.cos(), w.sin());
        (a * c.signum() * c.abs().powf(2.0 / n), b * s.signum() * s.abs().powf(2.0 / n))
    }

    /// Distance to the outline by search: coarse over the quarter, then golden-section around the best. The quarter is
    /// walked from both axes, each up to the diagonal, where its own coordinate is a good measure of the way.
    fn numeric_distance(a: f64, b: f64, n: f64, x: f64, y: f64) -> f64 {
        let (x, y) = (x.abs(), y.abs());
        let search = |at: &dyn Fn(f64) -> f64| {
            let steps = 1500;
            let best =
                (0..=steps).map(|i| f64::from(i) / 1500.0).min_by(|&p, &q| at(p).total_cmp(&at(q))).unwrap_or(0.0);
            let (mut lo, mut hi) = ((best - 1.0 / 1500.0).max(0.0), (best + 1.0 / 1500.0).min(1.0));
            for _ in 0..60 {
                let (p, q) = (lo + 0.381966 * (hi - lo), lo + 0.618034 * (hi - lo));
                if at(p) < at(q) { hi = q } else { lo = p }
            }
            at(0.5 * (lo + hi))
        };
        let other = |v: f64| (1.0 - v.powf(n)).max(0.0).powf(1.0 / n);
        let distance =
            search(&|v| (a * v - x).hypot(b * other(v) - y)).min(search(&|v| (a * other(v) - x).hypot(b * v - y)));
        let inside = (x / a).powf(n) + (y / b).powf(n) < 1.0;
        if inside { -distance } else { distance }
    }

    #[test]
    fn distance_is_right_near_the_edge() {
        let mut worst = (0.0_f64, String::new());
        for (a, b) in SHAPES {
            for n in [2.0_f32, 3.0, 4.5, 6.0, 10.0] {
                let lens = Lens::upright(Vec2::ZERO, Vec2::new(a, b), n, 20.0);
                for i in 0..97 {
                    let w = i as f64 / 96.0 * std::f64::consts::FRAC_PI_2;
                    let (x, y) = outline(a.into(), b.into(), n.into(), w);
                    let e = lens_edge(&lens, Vec2::new(x as f32, y as f32), 1.0);
                    for off in [-1.0, -0.5, 0.0, 0.5, 1.0_f64] {
                        let (px, py) = (x + off * f64::from(e.n.x), y + off * f64::from(e.n.y));
                        let got = lens_edge(&lens, Vec2::new(px as f32, py as f32), 1.0).d;
                        let error = (f64::from(got) - numeric_distance(a.into(), b.into(), n.into(), px, py)).abs();
                        if error > worst.0 {
                            worst = (error, format!("a {a} b {b} n {n} at {px} {py}"));
                        }
                    }
                }
            }
        }
        assert!(worst.0 <= 0.005, "distance off by {} px: {}", worst.0, worst.1);
    }

    /// A capsule's distance in f64: that of the nearest corner's superellipse, or of the straight side beside it.
    fn capsule_distance(a: f64, b: f64, n: f64, x: f64, y: f64) -> f64 {
        let r = a.min(b);
        let (x, y) = ((x.abs() - (a - r)).max(0.0), (y.abs() - (b - r)).max(0.0));
        if n == 2.0 { x.hypot(y) - r } else { numeric_distance(r, r, n, x, y) }
    }

    fn capsule(a: f32, b: f32, n: f32) -> Lens {
        Lens::upright(Vec2::ZERO, Vec2::new(a, b), n, 20.0).with_corner(Vec2::splat(a.min(b)))
    }

    /// A point on a capsule's outline, and the direction away from it.
    fn on_capsule(a: f64, b: f64, n: f64, w: f64) -> (f64, f64) {
        let r = a.min(b);
        let (x, y) = outline(r, r, n, w);
        (x + (a - r) * w.cos().signum(), y + (b - r) * w.sin().signum())
    }

    #[test]
    fn a_capsule_is_two_straight_sides_and_round_ends() {
        for (a, b) in SHAPES {
            for n in [2.0_f32, 3.0, 10.0] {
                let lens = capsule(a, b, n);
                for i in 0..97 {
                    let w = f64::from(i) / 96.0 * std::f64::consts::TAU;
                    let (x, y) = on_capsule(a.into(), b.into(), n.into(), w);
                    let e = lens_edge(&lens, Vec2::new(x as f32, y as f32), 1.0);
                    for off in [-1.0, -0.5, 0.0, 0.5, 1.0_f64] {
                        let (px, py) = (x + off * f64::from(e.n.x), y + off * f64::from(e.n.y));
                        let got = lens_edge(&lens, Vec2::new(px as f32, py as f32), 1.0).d;
                        let want = capsule_distance(a.into(), b.into(), n.into(), px, py);
                        assert!((f64::from(got) - want).abs() < 0.005, "{a}x{b} n {n} at {x} {y}: {got} {want}");
                    }
                }
                // Along a straight side, anywhere: the distance to it, straight outwards, and no curvature.
                let (long, r) = (Vec2::new(a, b) - a.min(b), a.min(b));
                let across = if a > b { Vec2::Y } else { Vec2::X };
                for part in [-0.99, -0.3, 0.0, 0.4, 0.99_f32] {
                    for out in [-0.9 * r, -0.4 * r, 0.0, 5.0, 100.0] {
                        let e = lens_edge(&lens, long * part + across * (r + out), 1.0);
                        let far = (e.d - out).abs() < 1e-3 && (e.n - across).length() < 1e-4 && e.curl == 0.0;
                        assert!(far || a == b, "{a}x{b} n {n}: {e:?} at {part} and {out} px");
                    }
                }
            }
        }
    }

    #[test]
    fn the_distance_to_a_round_capsule_is_exact_everywhere() {
        for (a, b) in SHAPES {
            let lens = Lens { center: Vec2::new(31.0, -7.0), ..capsule(a, b, 2.0).turned(0.7) };
            let r = f64::from(a.min(b));
            for at in 0..40 * 40 {
                let p = Vec2::new((at % 40) as f32 - 19.7, (at / 40) as f32 - 20.3) * 20.0;
                let own = lens.frame.inverse() * (p - lens.center);
                let want = capsule_distance(a.into(), b.into(), 2.0, own.x.into(), own.y.into());
                let e = lens_edge(&lens, p, 1.0);
                assert!((f64::from(e.d) - want).abs() < 2e-3, "{a}x{b} at {p}: {} {want}", e.d);
                // The direction is that in which the distance grows, but for the middle, where it has none.
                if want > -0.95 * r {
                    let slope = |v: Vec2| (lens_edge(&lens, p + v, 1.0).d - lens_edge(&lens, p - v, 1.0).d) / 2.0;
                    let numeric = Vec2::new(slope(Vec2::X), slope(Vec2::Y));
                    assert!((numeric - e.n).length() < 0.02, "{a}x{b} at {p}: {numeric} {}", e.n);
                }
            }
        }
    }

    #[test]
    fn corners_as_large_as_the_lens_change_nothing() {
        let lens = Lens::upright(Vec2::new(3.0, 4.0), Vec2::new(190.0, 120.0), 4.5, 56.0).turned(0.3);
        assert_eq!((lens.core(), lens.with_corner(lens.half)), (Vec2::ZERO, lens));
        let round = capsule(90.0, 90.0, 3.0);
        assert_eq!(round, Lens::upright(Vec2::ZERO, Vec2::splat(90.0), 3.0, 20.0));
    }

    #[test]
    fn no_seam_on_the_diagonals() {
        // Along a circle the second difference of a smooth function falls with the square of the step, that of a seam (a
        // jump of the slope) only with the step itself.
        for n in [2.0, 3.0, 4.5, 10.0] {
            let lens = Lens::upright(Vec2::ZERO, Vec2::new(150.0, 150.0), n, 40.0);
            for radius in [100.0_f64, 150.0, 200.0] {
                let at = |w: f64| {
                    let p = Vec2::new((radius * w.cos()) as f32, (radius * w.sin()) as f32);
                    f64::from(lens_edge(&lens, p, 1.0).d)
                };
                let second = |step: f64| {
                    let w = std::f64::consts::FRAC_PI_4;
                    (at(w - step) - 2.0 * at(w) + at(w + step)).abs()
                };
                let (fine, coarse) = (second(0.01), second(0.02));
                assert!(fine < 0.32 * coarse + 3e-4, "n {n} radius {radius}: {fine} at the step, {coarse} at twice");
            }
        }
    }

    #[test]
    fn coverage_is_one_pixel_wide_everywhere() {
        for (a, b) in SHAPES {
            for n in [2.0_f32, 4.5, 10.0] {
                let lens = Lens::upright(Vec2::ZERO, Vec2::new(a, b), n, 20.0);
                for i in 0..33 {
                    let (x, y) = outline(a.into(), b.into(), n.into(), i as f64 / 32.0 * std::f64::consts::FRAC_PI_2);
                    let on = Vec2::new(x as f32, y as f32);
                    let e = lens_edge(&lens, on, 1.0);
                    let width: f32 = (-300..300)
                        .map(|k| {
                            let c = coverage(lens_edge(&lens, on + e.n * (k as f32 * 0.01), 1.0).d);
                            if c > 0.0 && c < 1.0 { 0.01 } else { 0.0 }
                        })
                        .sum();
                    assert!((width - 1.0).abs() < 0.06, "a {a} b {b} n {n} step {i}: {width}");
                }
            }
        }
    }

    #[test]
    fn center_is_deep_and_finite() {
        for (a, b) in SHAPES {
            for n in [2.0, 4.5, 10.0] {
                for p in [Vec2::ZERO, Vec2::new(1e-9, 0.0), Vec2::new(0.0, -1e-7), Vec2::new(0.3, 0.2)] {
                    let e = lens_edge(&Lens::upright(Vec2::ZERO, Vec2::new(a, b), n, 20.0), p, 1.3);
                    assert!(e.d.is_finite() && e.n.is_finite() && e.d <= -0.8 * a.min(b), "{e:?}");
                }
            }
        }
    }

    #[test]
    fn turning_turns_the_outline() {
        let lens = Lens::upright(Vec2::new(10.0, 20.0), Vec2::new(100.0, 50.0), 4.0, 20.0);
        let turned = lens.turned(std::f32::consts::FRAC_PI_2);
        let e = lens_edge(&lens, Vec2::new(110.0, 20.0), 1.0);
        let f = lens_edge(&turned, Vec2::new(10.0, 120.0), 1.0);
        assert!((e.d - f.d).abs() < 1e-3 && (f.n - Vec2::Y).length() < 1e-4, "{e:?} {f:?}");
        assert!((turned.reach() - Vec2::new(50.0, 100.0)).length() < 1e-3);
    }

    #[test]
    fn stretching_stretches_the_outline_and_keeps_the_distance_true() {
        let upright = Lens::upright(Vec2::new(7.0, -3.0), Vec2::new(120.0, 80.0), 4.5, 20.0);
        let long = Lens { center: upright.center, ..capsule(120.0, 80.0, 2.0) };
        let stretch = Mat2::from_cols(Vec2::new(1.12, 0.1), Vec2::new(0.1, (1.0 + 0.01) / 1.12));
        for (i, lens) in (0..64).flat_map(|i| [&upright, &long].map(|lens| (i, lens.turned(0.3).stretched(stretch)))) {
            let w = (f64::from(i) + 0.5) / 64.0 * std::f64::consts::TAU;
            let is_long = lens.corner != lens.half;
            let (x, y) = if is_long { on_capsule(120.0, 80.0, 2.0, w) } else { outline(120.0, 80.0, 4.5, w) };
            let on = lens.center + lens.frame * Vec2::new(x as f32, y as f32);
            let e = lens_edge(&lens, on, 1.0);
            assert!(e.d.abs() < 2e-3, "{on}: {e:?}");
            for off in [-1.0, 1.0] {
                let d = lens_edge(&lens, on + e.n * off, 1.0).d;
                assert!((d - off).abs() < 0.02, "{on}: {d} against {off}");
            }
            assert!(((on - lens.center).abs() - lens.reach()).max_element() < 1e-2);
        }
    }

    #[test]
    fn melting_has_the_gradient_it_says() {
        let l = |x: f32| Lens::upright(Vec2::new(x, 0.0), Vec2::new(100.0, 80.0), 4.0, 30.0);
        let lenses = Lenses::new(&[l(0.0), l(230.0)], 60.0, 1.0);
        for i in 0..60 {
            let p = Vec2::new(60.0 + 2.0 * i as f32, 70.0 + 0.3 * i as f32);
            let e = edge(&lenses, p);
            let numeric = |v: Vec2| (edge(&lenses, p + v * 0.25).d - edge(&lenses, p - v * 0.25).d) / 0.5;
            let g = Vec2::new(numeric(Vec2::X), numeric(Vec2::Y));
            // The first-order distance itself has a gradient of about one near the edge only.
            if e.d.abs() < 6.0 {
                assert!((g - e.n).length() < 0.08, "{p}: {g} against {}", e.n);
            }
            assert!(e.d <= lens_edge(&l(0.0), p, 1.0).d.min(lens_edge(&l(230.0), p, 1.0).d) + 1e-4);
        }
    }
}
