//! Shade for legible text: WCAG contrast of cells of 8 by 8 pixels.

use super::blur::lod_from_sigma;
use super::glass::{Glass, Ink};
use super::light::LUMA;
use super::luminance_adaptation::gain;
use super::picture::Picture;
use glam::{IVec2, Vec2, Vec3};

/// WCAG 1.4.3.
pub const CONTRAST: f32 = 4.5;
/// Pixels.
pub const CELL: i32 = 8;
/// Linear light.
const SHADE: Vec3 = Vec3::new(0.010, 0.012, 0.017);
/// Cells around the picture that a glass may show.
const AROUND: i32 = 32;

/// Mean and a standard deviation of 4 by 4 looks through the glass.
fn bright_parts(picture: &Picture, glass: &Glass, middle: Vec2) -> f32 {
    let bright = glass.edge(middle).bright;
    let light = glass.system.and_then(|system| system.frost_light).unwrap_or(glass.frost);
    let lod = lod_from_sigma((glass.frost + (light - glass.frost) * f64::from(bright)) as f32);
    let offset = |i: u8| Vec2::new(f32::from(i % 4), f32::from(i / 4)) * 2.0 - 3.0;
    let look = |i| picture.sample(middle + offset(i), lod).dot(LUMA).clamp(0.0, 1.0);
    let looks: [f32; 16] = std::array::from_fn(|i| look(i as u8));
    let mean = looks.iter().sum::<f32>() / 16.0;
    let variance = looks.iter().map(|y| (y - mean).powi(2)).sum::<f32>() / 16.0;
    let (tone, y) = (&glass.light.tone, (mean + variance.sqrt()).min(1.0));
    if let Some(system) = &glass.system {
        return system.body[0].lerp(&system.body[1], bright).through(Vec3::splat(y)).dot(LUMA);
    }
    let absorbed = y * tone.body.dot(LUMA);
    let tinted = absorbed * (1.0 - tone.part) + tone.tint.dot(LUMA) * tone.part;
    tinted * gain(tone.adaptive, bright)
}

/// For a ground of luminance `y`.
fn needed(y: f32, text: f32) -> f32 {
    // (text + 0.05) / (ground + 0.05) is the contrast.
    let limit = (text + 0.05) / CONTRAST - 0.05;
    ((y - limit) / (y - SHADE.dot(LUMA)).max(1e-4)).clamp(0.0, 1.0)
}

/// At the corners of all cells.
pub struct Shades {
    /// Corners, from [`AROUND`] cells left of the picture on.
    width: i32,
    parts: Vec<f32>,
}

impl Shades {
    /// A corner has the most that one of its four cells needs.
    pub fn new(picture: &Picture, glass: &Glass, ink: &Ink) -> Shades {
        let size = picture.size().as_ivec2() / CELL + 2 * AROUND;
        let cell = |at: IVec2| {
            let middle = ((at - AROUND) * CELL).as_vec2() + 0.5 * CELL as f32;
            ink.strength * needed(bright_parts(picture, glass, middle), ink.luminance)
        };
        let places = (0..size.y).flat_map(|y| (0..size.x).map(move |x| IVec2::new(x, y)));
        let cells: Vec<f32> = places.clone().map(cell).collect();
        let corner = |at: IVec2| {
            let around = [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|way| (at + IVec2::from(way)).max(IVec2::ZERO));
            around.iter().map(|at| cells[(at.y * size.x + at.x) as usize]).fold(0.0, f32::max)
        };
        Shades { width: size.x, parts: places.map(corner).collect() }
    }

    pub fn at(&self, point: Vec2) -> f32 {
        let place = point / CELL as f32 + AROUND as f32;
        let (low, part) = (place.floor().as_ivec2(), place - place.floor());
        let corner =
            |x: i32, y: i32| self.parts.get(((low.y + y) * self.width + low.x + x) as usize).copied().unwrap_or(0.0);
        let across = |y| corner(0, y) * (1.0 - part.x) + corner(1, y) * part.x;
        across(0) * (1.0 - part.y) + across(1) * part.y
    }

    pub fn over(&self, c: Vec3, point: Vec2) -> Vec3 {
        c.lerp(SHADE, self.at(point))
    }
}
