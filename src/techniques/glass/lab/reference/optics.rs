//! Surface and optics in `f64`: the bevel's profile, Snell's law for a ray from straight above, and the row of looks of a pixel.

use glam::{DVec2, Vec3};

const MAX_SLOPE: f64 = 9.0;
/// Pixels.
const RIM_DEPTH: f64 = 0.35;
/// Pixels.
pub const SHARP_SIGMA: f64 = 0.5;

/// Lengths are pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optics {
    /// Index for green.
    pub eta: f64,
    /// Difference of the index between green and either end of the spectrum.
    pub spread: f64,
    /// Of the face over the edge.
    pub height: f64,
    pub profile: f64,
    /// Between the edge and the picture.
    pub gap: f64,
    /// Most looks of a pixel; 1: no dispersion.
    pub taps: u32,
    /// The system's glass: width of the bevel at which the displacement at the edge is `height`.
    pub displaces: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// From the edge (0) to the face (1).
    pub t: f64,
    /// Part of the bevel's height.
    pub h: f64,
    /// Outwards, pixels per pixel.
    pub s: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// In the middle of the pixel.
    pub surface: Surface,
    /// Pixels inwards to the middle of what the pixel shows.
    pub offset: f64,
    /// Pixels of the picture across it; negative: mirrored.
    pub stretch: f64,
    /// Pixels inwards to where the rays of outer side, middle and inner side meet the picture.
    pub meets: [f64; 3],
}

/// Along the direction in which the bevel squeezes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Pixels from the middle; weights of red, green, blue.
    pub looks: Vec<(f64, Vec3)>,
    /// Blur beyond the frost.
    pub extra: f64,
}

/// Not further out than the rim.
pub fn read_depth(d: f64) -> f64 {
    (-d).max(RIM_DEPTH)
}

/// Unit, outwards and upwards.
pub fn normal(s: f64) -> DVec2 {
    DVec2::new(s, 1.0).normalize()
}

/// Unit, outwards and upwards, from straight above: Snell's law by vectors.
pub fn refracted(s: f64, eta: f64) -> DVec2 {
    let normal = normal(s);
    let (ratio, cosine) = (eta.recip(), normal.y);
    let sine = ratio * (1.0 - cosine * cosine).sqrt();
    DVec2::new(0.0, -ratio) + normal * (ratio * cosine - (1.0 - sine * sine).sqrt())
}

/// Per pixel of depth, from straight above.
pub fn travel(s: f64, eta: f64) -> f64 {
    let ray = refracted(s, eta);
    ray.x / ray.y
}

/// Where a quarter circle as wide and `height` high is lower than its top: `height` times 1 less the cosine of the arc.
pub fn displaced(d: f64, bevel: f64, height: f64) -> f64 {
    let from_face = (1.0 + d.min(-0.35) / bevel).clamp(0.0, 1.0);
    height * (1.0 - from_face.asin().cos())
}

/// `j`: pixels, negative where mirrored.
pub fn footprint_sigma(j: f64) -> f64 {
    let squeezed = 0.45 * (j.abs() - 1.0).max(0.0);
    if j < 0.0 { squeezed.max(-0.36 * j) } else { squeezed }
}

/// Schlick's, less its value at normal incidence.
pub fn fresnel(s: f64, eta: f64) -> f64 {
    let normal = ((eta - 1.0) / (eta + 1.0)).powi(2);
    let cosine = s.atan().cos();
    (1.0 - normal) * (1.0 - cosine).powi(5)
}

impl Optics {
    /// `tilt`: length of the outline's direction.
    pub fn surface(&self, d: f64, bevel: f64, tilt: f64) -> Surface {
        let (q, t) = (self.profile, (-d / bevel).max(RIM_DEPTH / bevel).min(1.0));
        // h^q + (1 - t)^q = 1, and its derivative.
        let h = (1.0 - (1.0 - t).powf(q)).powf(q.recip());
        let rise = ((1.0 - t) / h).powf(q - 1.0);
        Surface { t, h, s: (self.height / bevel * tilt * rise).min(MAX_SLOPE) }
    }

    pub fn depth(&self, h: f64) -> f64 {
        self.height * h + self.gap
    }

    /// Pixels between the ends of the spectrum, by its slope at green.
    pub fn split(&self, at: &Surface) -> f64 {
        const STEP: f64 = 1e-5;
        let [less, more] = [-STEP, STEP].map(|by| travel(at.s, self.eta + by));
        (more - less) / STEP * self.spread * self.depth(at.h)
    }

    /// The middle and both sides, none further out than the rim.
    pub fn sight(&self, d: f64, bevel: f64, tilt: f64) -> Sight {
        let trace = |d: f64| {
            let way = match self.displaces {
                Some(width) => displaced(d, bevel, self.height * bevel / width) * tilt,
                None => {
                    let at = self.surface(d, bevel, tilt);
                    travel(at.s, self.eta) * self.depth(at.h)
                }
            };
            (read_depth(d), read_depth(d) + way)
        };
        let [(from_z, from), (_, middle), (to_z, to)] = [d + 0.5, d, d - 0.5].map(trace);
        let stretch = ((middle - from).abs() + (to - middle).abs()) / (to_z - from_z).max(0.25);
        Sight {
            surface: self.surface(d, bevel, tilt),
            offset: 0.25 * from + 0.5 * middle + 0.25 * to + d,
            stretch: if to < from { -stretch } else { stretch },
            meets: [from + d, middle + d, to + d],
        }
    }

    /// `across`: stretch along the outline. Each colour weighs looks by a biweight, whose variance is a seventh of its
    /// half width squared.
    pub fn row(&self, sight: &Sight, across: f64, frost: f64) -> Row {
        // Detail narrower than half the frost is hidden.
        let hidden = 0.5 * (frost - SHARP_SIGMA).max(0.0);
        let beyond = |x: f64| (x * x - hidden * hidden).max(0.0).sqrt();
        let (blur, side) = (footprint_sigma(sight.stretch), footprint_sigma(across));
        let parted = beyond(self.split(&sight.surface));
        // A colour's share of the spectrum is a triangle 3/4 of it wide.
        let width = (7.0 * (beyond(blur).powi(2) + (0.153 * parted).powi(2))).sqrt().max(1e-3);
        let reach = 0.25 * parted + width;
        let least = if parted >= 0.25 { 3.0 } else { 1.0 };
        let count = (1.6 * reach).ceil().max(least).min(f64::from(self.taps));
        if count == 1.0 {
            return Row { looks: vec![(0.0, Vec3::ONE)], extra: blur.max(side) };
        }
        let gap = 2.0 * reach / count;
        let look = |i: u32| {
            let x = (f64::from(i) + 0.5) * gap - reach;
            let weight = |at: f64| (1.0 - ((x - at * 0.25 * parted) / width).powi(2)).max(0.0).powi(2) as f32;
            (x, Vec3::from([-1.0, 0.0, 1.0].map(weight)))
        };
        // A level whose texels are as wide fills the gap between two looks.
        Row { looks: (0..count as u32).map(look).collect(), extra: (0.5 * gap * gap - 0.5).max(side * side).sqrt() }
    }
}
