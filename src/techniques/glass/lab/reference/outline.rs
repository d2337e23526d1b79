//! Outline: distance, direction and curvature at a point, by the gauge function in `f64`.

use super::words::Words;

use glam::{DMat2, DVec2, Vec2};

/// A rectangle whose corners are quarters of a superellipse, or words.
#[derive(Clone, Debug)]
pub struct Lens {
    /// Pixels.
    pub center: DVec2,
    pub half: DVec2,
    pub corner: DVec2,
    /// To the window.
    pub frame: DMat2,
    pub exponent: f64,
    pub bevel: f64,
    /// 0..1, of the picture below.
    pub bright: f32,
    pub words: Option<Words>,
    pub container: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Pixels, negative inside.
    pub d: f64,
    /// Away from the glass; shorter than 1 where outlines meet.
    pub n: DVec2,
    pub bevel: f64,
    /// Magnifies about the centre.
    pub pull: DVec2,
    /// Curvature of the line of equal distance: turn of `n`, radians per pixel.
    pub curl: f64,
    /// 0..1, of the picture below.
    pub bright: f32,
}

impl Lens {
    /// `bevel`: at most `part` of the shorter side, or a quarter of the thickest stroke.
    pub fn new(lens: &scene::Lens, scale: f32, bevel: f64, part: f64, bright: f32) -> Lens {
        let half = lens.half(scale).max(Vec2::ONE).as_dvec2();
        let words = Words::of(&lens.outline, half);
        // Words or a path without an outline: the shape remains.
        let shape = if words.is_some() { lens.outline } else { lens.outline.shape_alone() };
        let widest = words.as_ref().map_or(2.0 * part * half.min_element(), |words| 0.5 * words.depth());
        Lens {
            center: lens.center.as_dvec2(),
            half,
            corner: shape.corner(scale).max(Vec2::ONE).as_dvec2(),
            frame: lens.stretch().as_dmat2() * DMat2::from_angle(lens.angle().into()),
            exponent: f64::from(shape.exponent).clamp(2.0, 10.0),
            bevel: bevel.min(widest),
            bright,
            words,
            container: lens.container,
        }
    }

    /// In units of the half axes.
    pub fn relative(&self, point: DVec2) -> DVec2 {
        self.frame.inverse() * (point - self.center) / self.half
    }

    pub fn edge(&self, point: DVec2, magnify: f64) -> Edge {
        let own = self.frame.inverse() * (point - self.center);
        let (d, n, curl) = match &self.words {
            Some(words) => words.edge(own, self.frame),
            None => self.corner_edge(own),
        };
        Edge { d, n, bevel: self.bevel, pull: (self.center - point) * (1.0 - 1.0 / magnify), curl, bright: self.bright }
    }

    /// (|x|^n + |y|^n)^(1/n).
    fn gauge(&self, u: DVec2) -> f64 {
        (u.x.abs().powf(self.exponent) + u.y.abs().powf(self.exponent)).powf(self.exponent.recip())
    }

    /// Taubin's distance and its next term, in units of the corner that `own`, pixels from the centre, is beyond.
    fn corner_edge(&self, own: DVec2) -> (f64, DVec2, f64) {
        let side = DVec2::new(1.0_f64.copysign(own.x), 1.0_f64.copysign(own.y));
        let past = (own.abs() - (self.half - self.corner)) / self.corner;
        // The inverse transpose of the frame.
        let window = |slope: DVec2| self.frame.inverse().transpose() * (slope * side / self.corner);
        if past.max_element() <= 0.0 {
            return inner_edge(past, window);
        }
        let u = past.max(DVec2::splat(1e-9));
        let (n, g) = (self.exponent, self.gauge(u));
        let slope = DVec2::new((u.x / g).powf(n - 1.0), (u.y / g).powf(n - 1.0));
        let pulled = window(slope);
        let (length, ahead) = (pulled.length(), pulled.normalize());
        let first = (g - 1.0) / length;
        if past.min_element() < 0.0 {
            return (first, ahead, 0.0); // beside a straight part
        }
        // Second derivative of the gauge where the ray through the point meets the outline.
        let second = |way: DVec2| {
            const STEP: f64 = 1e-4;
            let (on, by) = (u / g, self.frame.inverse() * way / self.corner * side);
            let step = STEP / by.length();
            let at = |k: f64| self.gauge(on + by * (k * step));
            (at(1.0) - 2.0 * at(0.0) + at(-1.0)) / (step * step) / length
        };
        let curve = second(ahead);
        let next = 0.5 * curve * first * first / (1.0 + curve * first.abs() + first * first / 64.0);
        // Lines of equal gauge are the outline scaled by it.
        (first + next, ahead, second(ahead.perp()) / g.max(0.05))
    }
}

/// The nearest side counts; where two are about as near, a rounded joint.
fn inner_edge(past: DVec2, window: impl Fn(DVec2) -> DVec2) -> (f64, DVec2, f64) {
    let (near, far) = (past.max_element(), past.min_element());
    let (inwards, between) = (-near, near - far);
    let joint = if inwards > 0.0 { (1.0 - between / inwards).max(0.0) } else { 0.0 };
    let g = near + 0.25 * joint * joint * inwards;
    let share = DVec2::new(1.0 - 0.5 * joint, 0.5 * joint);
    let share = if past.x >= past.y { share } else { DVec2::new(share.y, share.x) };
    let pulled = window(share);
    let length = pulled.length() / share.length();
    ((g - 1.0) / length, pulled / length, 0.0)
}

/// All lenses: those of each container melt, and the nearest container is seen.
pub fn edge(lenses: &[Lens], point: DVec2, melt: f64, magnify: f64) -> Edge {
    let mut containers: Vec<(Option<u32>, Edge)> = Vec::new();
    for lens in lenses {
        let own = lens.edge(point, magnify);
        match containers.iter_mut().find(|(container, _)| *container == lens.container) {
            Some((_, edge)) => *edge = melted(*edge, own, melt),
            None => containers.push((lens.container, own)),
        }
    }
    let nearest = containers.into_iter().map(|(_, edge)| edge).reduce(|a, b| if a.d <= b.d { a } else { b });
    nearest.unwrap_or(Edge { d: f64::MAX, n: DVec2::ZERO, bevel: 1.0, pull: DVec2::ZERO, curl: 0.0, bright: 0.5 })
}

/// Quilez' quadratic minimum, over a distance that falls with the square of the cosine between both gradients.
fn melted(a: Edge, b: Edge, melt: f64) -> Edge {
    let (near, far) = if a.d <= b.d { (a, b) } else { (b, a) };
    let cosine = a.n.normalize_or_zero().dot(b.n.normalize_or_zero()).max(0.0);
    let (gap, melt) = (far.d - near.d, melt * (1.0 - cosine * cosine));
    if gap >= melt {
        return near;
    }
    let part = 0.5 * (melt - gap) / melt;
    Edge {
        d: near.d - part * part * melt,
        n: near.n.lerp(far.n, part),
        bevel: near.bevel + (far.bevel - near.bevel) * part,
        pull: near.pull.lerp(far.pull, part),
        curl: near.curl + (far.curl - near.curl) * part,
        bright: near.bright + (far.bright - near.bright) * part as f32,
    }
}

/// An edge one pixel wide.
pub fn coverage(d: f64) -> f32 {
    (0.5 - d).clamp(0.0, 1.0) as f32
}

/// Part of the pixel within `width` pixels inwards of the edge.
pub fn band(d: f64, width: f64) -> f32 {
    ((0.5 - d).min(width) - (-d - 0.5).max(0.0)).clamp(0.0, 1.0) as f32
}
