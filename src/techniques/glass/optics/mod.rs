//! Reach of the rays: how far from a pixel the picture is read, and how coarsely.

pub mod surface;

use self::surface::{RIM_DEPTH, Surface, surface};
use super::frost::blur::SHARP_SIGMA;
use super::passes::uniforms::GlassBlock;
use super::system::displaced;
use gpu::gpu_consts;
use scene::OpticsModel;

gpu_consts! { "glass/optics.glsl":
    /// Pixels of blur per pixel of stretched footprint.
    const FOOTPRINT: f32 = 0.45;
    /// For a mirrored ray.
    const MIRRORED: f32 = 0.36;
}

/// Snell's law for a vertical ray, slope `s` and index `eta`, per unit of depth, with the unit vectors multiplied out.
fn travel(s: f32, eta: f32) -> f32 {
    let r = (eta * eta + s * s * (eta * eta - 1.0)).sqrt();
    s * (r - 1.0) / (s * s + r)
}

/// Pixels of glass and gap.
fn depth(h: f32, glass: &GlassBlock) -> f32 {
    glass.height * h + glass.gap
}

/// The derivative of [`travel`] by eta.
fn split(s: f32, h: f32, glass: &GlassBlock) -> f32 {
    let eta = glass.eta;
    let r = (eta * eta + s * s * (eta * eta - 1.0)).sqrt();
    let w = 1.0 + s * s;
    let q = s * s + r;
    2.0 * glass.spread * s * w * w * eta / (r * q * q) * depth(h, glass)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    pub surface: Surface,
    /// Pixels inwards to the middle of what the pixel shows.
    pub offset: f32,
    /// Pixels of the picture across a pixel; negative: mirrored.
    pub stretch: f32,
}

/// Traces the middle and both sides of the pixel: their difference is the footprint, also where the picture is folded
/// within a pixel.
pub fn sight(d: f32, bevel: f32, tilt: f32, glass: &GlassBlock, model: OpticsModel) -> Sight {
    if model == OpticsModel::System {
        return displaced_sight(d, bevel, tilt, glass);
    }
    let (outer_z, middle_z, inner_z) = ((-d - 0.5).max(RIM_DEPTH), (-d).max(RIM_DEPTH), (0.5 - d).max(RIM_DEPTH));
    let surface = surface(d, bevel, tilt, glass);
    let meets = |z: f32, s: &Surface| z + travel(s.s, glass.eta) * depth(s.h, glass);
    let traced = |d: f32, z: f32| meets(z, &self::surface(d, bevel, tilt, glass));
    let (from, middle, to) = (traced(d + 0.5, outer_z), meets(middle_z, &surface), traced(d - 0.5, inner_z));
    let way = ((middle - from).abs() + (to - middle).abs()) / (inner_z - outer_z).max(0.25);
    Sight { surface, offset: 0.25 * (from + to) + 0.5 * middle + d, stretch: if to < from { -way } else { way } }
}

/// The face is displaced by exactly 0.
fn displaced_sight(d: f32, bevel: f32, tilt: f32, glass: &GlassBlock) -> Sight {
    let sides = [0.5, 0.0, -0.5].map(|side| d + side);
    let inwards = sides.map(|d| (RIM_DEPTH + d).max(0.0));
    let way = [0, 1, 2].map(|at| inwards[at] + displaced(sides[at], bevel, tilt, glass.displacement));
    let (first, last) = (way[1] - way[0] + 0.5, way[2] - way[1] + 0.5);
    let stretch = (first.abs() + last.abs()) / (1.0 + inwards[2] - inwards[0]).max(0.25);
    Sight {
        surface: surface(d, bevel, tilt, glass),
        offset: 0.25 * (way[0] + way[2]) + 0.5 * way[1],
        stretch: if first + last < 0.0 { -stretch } else { stretch },
    }
}

/// Pixels on top of the frost. A mirrored picture moves against the lens, and needs some where an upright one needs
/// none.
pub fn footprint_sigma(j: f32) -> f32 {
    (FOOTPRINT * (j.abs() - 1.0)).max(-MIRRORED * j).max(0.0)
}

gpu_consts! { "glass/optics.glsl":
    /// In parts of the split: a triangle 3/4 of it wide.
    const COLOUR_SIGMA: f32 = 0.153;
}

/// Half the row of samples, pixels: footprint and spectrum, without detail hidden by the frost.
pub fn row_reach(sight: &Sight, glass: &GlassBlock) -> f32 {
    let hidden = 0.5 * (glass.frost - SHARP_SIGMA).max(0.0);
    let beyond = |x: f32| (x * x - hidden * hidden).max(0.0);
    let parted = beyond(split(sight.surface.s, sight.surface.h, glass)).sqrt();
    let width = (7.0 * (beyond(footprint_sigma(sight.stretch)) + (COLOUR_SIGMA * parted).powi(2))).sqrt();
    0.25 * parted + width.max(1e-3)
}

/// Pixels of blur that fill the gaps of the longest row.
pub fn widest_split(glass: &GlassBlock) -> f32 {
    let parted = (1..=36).map(|i| split(0.25 * i as f32, 1.0, glass)).fold(0.0, f32::max);
    let reach = (0.25 + 7.0_f32.sqrt() * COLOUR_SIGMA) * parted;
    0.5_f32.sqrt() * 2.0 * reach / glass.taps as f32
}
