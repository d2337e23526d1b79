//! Ray pencil: the cross-section of the glass through a pixel, with its rays, its footprint and its looks at the picture.

use super::blur::{lod_from_sigma, part_of_method};
use super::glass::{Glass, GlassScene};
use super::optics::{footprint_sigma, normal, read_depth, refracted};
use super::outline::{Edge, coverage, edge};
use crate::settings::{Blur, GlassSettings, Mode};
use glam::{DVec2, Vec2};
use scene::Lens;
use std::array::from_fn;

/// Making it lays out words; [`at`](Self::at) is cheap.
#[derive(Clone, Debug)]
pub struct RayPencil {
    mode: Mode,
    glass: Glass,
}

/// A cut at right angles to the edge, and what happens in it to the light that a pixel shows.
///
/// Lengths are pixels of the window. A [`DVec2`] is the way along the cut from the pixel's middle, positive into the
/// glass, and the height over the picture. A ray bends once, at the surface; below, `gap` included, it goes on
/// straight.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossSection {
    /// The pixel's middle in the window.
    pub at: DVec2,
    /// Unit, in the window, from the nearest edge into the glass.
    pub along: DVec2,
    pub bevel: f64,
    /// Of the lower face over the picture.
    pub gap: f64,
    /// In the order of x: the lens, and others or further strokes that the cut meets.
    pub bodies: Vec<Body>,
    pub point: SurfacePoint,
    /// Red, green, blue.
    pub rays: [ColorRay; 3],
    pub footprint: Footprint,
    /// By which a magnifying face reads elsewhere, in the window. Places in the cut are without it.
    pub pull: DVec2,
    /// In the window, to the middle of what is shown, `pull` included.
    pub displacement: DVec2,
    pub taps: Vec<Tap>,
    pub blur: TapBlur,
}

/// Its lower face is straight, at the height `gap`.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// In the order of x. At an edge it begins or ends at the lower face.
    pub surface: Vec<DVec2>,
    /// Otherwise the glass goes on beyond what was traced.
    pub ends_at_edge: [bool; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// At the very rim a little further in than the pixel.
    pub place: DVec2,
    pub normal: DVec2,
    /// Outwards, pixels per pixel.
    pub slope: f64,
    /// Radians between the view ray, from straight above, and the normal.
    pub incidence: f64,
    /// Over the lower face.
    pub thickness: f64,
    /// To the nearest edge, positive inside.
    pub inside: f64,
    /// Nothing but the flat face.
    pub is_face: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorRay {
    pub index: f64,
    /// Where it enters the glass.
    pub from: DVec2,
    /// Unit, downwards.
    pub direction: DVec2,
    /// Radians to the normal.
    pub refraction: f64,
    /// x on the picture.
    pub landing: f64,
    /// x of the mean of this colour's looks: over the whole pixel, with less dispersion where frost hides it.
    pub shown: f64,
}

/// Between the rays of the pixel's outer and inner side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Green, outer and inner: where it enters the glass, where it meets the picture.
    pub sides: [[DVec2; 2]; 2],
    /// x, around which the looks are.
    pub center: f64,
    /// Pixels of the picture; negative: mirrored.
    pub stretch: f64,
    /// Blur that this needs.
    pub sigma: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tap {
    pub x: f64,
    /// In the window's picture, `pull` included.
    pub at: DVec2,
    /// Red, green, blue; those of all looks add up to 1.
    pub weights: [f64; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TapBlur {
    /// Sigma.
    pub frost: f64,
    /// Sigma that the bevel adds, so that nothing between two looks is left out.
    pub extra: f64,
    /// Of both.
    pub sigma: f64,
    /// Of a trilinear read of this blur.
    pub level: f64,
    pub method: Blur,
    /// By the method; the rest is the trilinear read.
    pub part: f64,
}

/// Pixels.
const LEAST_REACH: f64 = 80.0;
const STEPS: u32 = 384;
/// Ways inwards, where the surface is steep.
const NEAR_EDGE: [f64; 10] = [0.2, 0.35, 0.5, 0.75, 1.1, 1.6, 2.4, 3.6, 5.4, 8.0];

impl RayPencil {
    pub fn new(settings: &GlassSettings, lenses: &[Lens], scale: f32) -> Self {
        Self { mode: settings.mode, glass: Glass::new(&GlassScene::new(settings, lenses, scale)) }
    }

    fn has_glass(&self, at: Vec2) -> bool {
        at.is_finite() && coverage(self.glass.edge(at).d) > 0.0
    }

    /// `at`: pixels of the window. Nothing without glass, in the mode "source" and for the system's glass, which has no
    /// rays.
    pub fn at(&self, at: Vec2) -> Option<CrossSection> {
        let has_rays = self.mode == Mode::Lens && self.glass.system.is_none();
        (has_rays && self.has_glass(at)).then(|| self.glass.cross_section(at.as_dvec2(), &self.glass.edge(at)))
    }
}

impl CrossSection {
    /// Of an x on the picture such as [`ColorRay::landing`]; `pull` included.
    pub fn in_picture(&self, x: f64) -> DVec2 {
        self.at + self.pull + self.along * x
    }

    pub fn top(&self) -> f64 {
        let heights = self.bodies.iter().flat_map(|body| &body.surface).map(|place| place.y);
        heights.fold(self.point.place.y, f64::max)
    }

    /// Least and largest x of rays, landings and looks.
    pub fn extent(&self) -> [f64; 2] {
        let rays = self.rays.iter().flat_map(|ray| [ray.from.x, ray.landing]);
        let sides = self.footprint.sides.iter().flatten().map(|place| place.x);
        let all = rays.chain(sides).chain(self.taps.iter().map(|tap| tap.x));
        all.fold([0.0; 2], |[low, high], x| [low.min(x), high.max(x)])
    }
}

impl Glass {
    fn edge_at(&self, place: DVec2) -> Edge {
        edge(&self.lenses, place, self.melt, self.magnify)
    }

    fn entry(&self, d: f64, x: f64, e: &Edge) -> DVec2 {
        let surface = self.optics.surface(d, e.bevel, e.n.length());
        DVec2::new(x + d + read_depth(d), self.optics.depth(surface.h))
    }

    fn cross_section(&self, at: DVec2, e: &Edge) -> CrossSection {
        let (sight, outwards) = self.sight(e);
        // Opposite outlines have no direction.
        let along = (-outwards).normalize_or(DVec2::X);
        let (slope, place) = (sight.surface.s, self.entry(e.d, 0.0, e));
        let facing = normal(slope);
        let (taps, extra) = self.taps(at, e, along);
        let shown = |color: usize| taps.iter().map(|tap| tap.x * tap.weights[color]).sum();
        let ray = |color: usize| {
            // Red and blue are half-way between green and the ends of the spectrum.
            let index = self.optics.eta + 0.5 * (color as f64 - 1.0) * self.optics.spread;
            let ray = refracted(slope, index);
            let direction = DVec2::new(-ray.x, ray.y);
            ColorRay {
                index,
                from: place,
                direction,
                refraction: facing.dot(-ray).clamp(-1.0, 1.0).acos(),
                landing: place.x + place.y * direction.x / -direction.y,
                shown: shown(color),
            }
        };
        let side = |by: f64, meets: f64| [self.entry(e.d - by, by, e), DVec2::new(meets, 0.0)];
        let center = sight.offset * outwards.length();
        let footprint = Footprint {
            sides: [side(-0.5, sight.meets[0]), side(0.5, sight.meets[2])],
            center,
            stretch: sight.stretch,
            sigma: footprint_sigma(sight.stretch),
        };
        let mut section = CrossSection {
            at,
            along,
            bevel: e.bevel,
            gap: self.optics.gap,
            bodies: Vec::new(),
            point: SurfacePoint {
                place,
                normal: DVec2::new(-facing.x, facing.y),
                slope,
                incidence: slope.atan(),
                thickness: place.y - self.optics.gap,
                inside: -e.d,
                is_face: Glass::is_face(e),
            },
            rays: from_fn(ray),
            footprint,
            pull: e.pull,
            displacement: e.pull + along * center,
            blur: self.blur_of(extra),
            taps,
        };
        let [low, high] = section.extent();
        let deep = 2.0 * (self.optics.depth(1.0) + e.bevel);
        section.bodies = self.bodies(at, along, LEAST_REACH.max(deep).max(1.2 * high.max(-low) + e.bevel));
        section
    }

    /// And the blur that the bevel adds to each.
    fn taps(&self, at: DVec2, e: &Edge, along: DVec2) -> (Vec<Tap>, f64) {
        let tap = |x: f64, weights: [f64; 3]| Tap { x, at: at + e.pull + along * x, weights };
        if Glass::is_face(e) {
            return (vec![tap(0.0, [1.0; 3])], 0.0);
        }
        let (sight, outwards) = self.sight(e);
        let row = self.row(e, &sight);
        let color = |weight: glam::Vec3, color: usize| f64::from(weight[color]);
        let sums: [f64; 3] = from_fn(|c| row.looks.iter().map(|(_, weight)| color(*weight, c)).sum());
        let part = |weight: glam::Vec3| from_fn(|c| color(weight, c) / sums[c].max(f64::MIN_POSITIVE));
        let look = |(x, weight): &(f64, glam::Vec3)| tap((sight.offset + x) * outwards.length(), part(*weight));
        (row.looks.iter().map(look).collect(), row.extra)
    }

    fn blur_of(&self, extra: f64) -> TapBlur {
        let sigma = self.frost.hypot(extra);
        TapBlur {
            frost: self.frost,
            extra,
            sigma,
            level: lod_from_sigma(sigma as f32).into(),
            method: self.blur,
            part: part_of_method(self.blur, self.frost, extra),
        }
    }

    fn bodies(&self, at: DVec2, along: DVec2, reach: f64) -> Vec<Body> {
        let d = |x: f64| self.edge_at(at + along * x).d;
        let x_of = |step: u32| (f64::from(2 * step) / f64::from(STEPS) - 1.0) * reach;
        let mut bodies = Vec::new();
        let (mut start, mut before) = (None, (x_of(0), d(x_of(0)) <= 0.0));
        if before.1 {
            start = Some((before.0, false));
        }
        for step in 1..=STEPS {
            let now = (x_of(step), d(x_of(step)) <= 0.0);
            if now.1 != before.1 {
                let x = border(&d, before, now.0);
                match start.take() {
                    Some(from) => bodies.extend(self.body(at, along, [from, (x, true)])),
                    None => start = Some((x, true)),
                }
            }
            before = now;
        }
        bodies.extend(start.and_then(|from| self.body(at, along, [from, (before.0, false)])));
        bodies
    }

    /// `ends`: x, and whether it is an edge.
    fn body(&self, at: DVec2, along: DVec2, ends: [(f64, bool); 2]) -> Option<Body> {
        let [(low, starts), (high, stops)] = ends;
        if high <= low {
            return None;
        }
        let pieces = ((high - low) * 1.5).clamp(8.0, f64::from(STEPS)).ceil() as u32;
        let evenly = (0..=pieces).map(|piece| low + (high - low) * f64::from(piece) / f64::from(pieces));
        let near = NEAR_EDGE.into_iter().flat_map(|way| [starts.then_some(low + way), stops.then_some(high - way)]);
        let mut all: Vec<f64> = evenly.chain(near.flatten()).filter(|x| (low..=high).contains(x)).collect();
        all.sort_by(f64::total_cmp);
        let place = |x: f64| {
            let e = self.edge_at(at + along * x);
            DVec2::new(x, self.optics.depth(self.optics.surface(e.d, e.bevel, e.n.length()).h))
        };
        let lower = |(x, is_edge): (f64, bool)| is_edge.then(|| DVec2::new(x, self.optics.gap));
        let surface = lower(ends[0]).into_iter().chain(all.into_iter().map(place)).chain(lower(ends[1])).collect();
        Some(Body { surface, ends_at_edge: [starts, stops] })
    }
}

fn border(d: &impl Fn(f64) -> f64, from: (f64, bool), to: f64) -> f64 {
    let (mut same, mut other) = (from.0, to);
    for _ in 0..40 {
        let middle = 0.5 * (same + other);
        if (d(middle) <= 0.0) == from.1 { same = middle } else { other = middle }
    }
    0.5 * (same + other)
}
