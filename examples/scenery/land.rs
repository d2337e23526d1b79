//! Mountains: a height field seen from the lake, drawn column by column from near to far.

use std::sync::LazyLock;

use glam::{Vec2, Vec3, Vec4};

use scene::picture::{
    canvas::{Canvas, colour},
    noise::{fractal, noise, ridges, step},
};

use crate::{
    framing::Framing,
    grid::Grid,
    parts::{each, strips},
    sky::{self, HORIZON, SUN, WATER},
};

/// Units of a kilometre at one kilometre's distance.
const FOCAL: f32 = 1700.0;
const EYE_KM: f32 = 0.05;
const NEAR_KM: f32 = 3.2;
/// Slices are about equally far apart on the picture; the last is at 42 km.
const GROWTH: f32 = 1.005_38;
const SLICES: usize = 480;
/// Units.
const FINEST: f32 = 1.8;
/// Slopes are measured over this part of the depth.
const REACH: f32 = 0.0026;
const REACH_SLICES: f32 = 0.484;
/// Silhouettes are steep: up to two columns per pixel.
const MOST_COLUMNS: f32 = 2000.0;

/// Position of the crests in km, factor and offset of their heights.
fn relief(x: f32, z: f32) -> Vec4 {
    let place = Vec2::new(x, z);
    let bend = Vec2::new(fractal(place / 3.4, 3, 200), fractal(place / 3.4, 3, 210)) * 1.2;
    let peak = |cx: f32, cz: f32, radius: f32, height: f32| {
        let d = (place + 0.45 * bend - Vec2::new(cx, cz)) / Vec2::new(radius, radius * 1.2);
        height * (-(d.length_squared() + 0.012).sqrt()).exp()
    };
    let massif = peak(4.75, 10.4, 1.75, 2.55)
        + peak(7.4, 12.0, 1.9, 1.3)
        + peak(-0.7, 12.5, 2.2, 1.35)
        + peak(-6.2, 11.0, 2.4, 1.7);
    let hills = 0.10 + 0.012 * z + 0.16 * (0.5 + 0.5 * noise(place / 4.1, 240));
    let along = x / z - (SUN.x - 1280.0) / FOCAL + 0.02 * noise(place / 2.7, 245);
    let valley = step(0.0, 0.20, along.abs()) * 0.80 + 0.20;
    let shore = step(NEAR_KM - 0.4, NEAR_KM + 2.8, z);
    let crests = (place + bend) / 4.2;
    Vec4::new(crests.x, crests.y, (hills + massif) * valley * shore, 0.015 * shore)
}

/// km.
fn depth(slice: f32) -> f32 {
    NEAR_KM * GROWTH.powf(slice)
}

struct Land(Grid<Vec4>);

impl Land {
    fn new(low: f32, high: f32) -> Self {
        let end = Vec2::new(high, SLICES as f32 + REACH_SLICES);
        let relief = |at: Vec2| relief((at.x - 1280.0) / FOCAL * depth(at.y), depth(at.y));
        Self(Grid::new(Vec2::new(low, 0.0), end, Vec2::new(8.0, 4.0), 1e5, relief))
    }

    /// km; `None` if certainly below `least`: crests are expensive, and most land is hidden by nearer land.
    fn height_above(&self, x: f32, slice: f32, least: f32) -> Option<f32> {
        let relief = self.0.at(Vec2::new(x, slice));
        let height = |crest: f32| relief.z * (0.34 + 0.98 * crest) + relief.w;
        (height(0.97) >= least).then(|| height(ridges(relief.truncate().truncate(), 7, 226)))
    }

    fn light(&self, x: f32, place: &Place) -> Vec3 {
        let height = |x: f32, slice: f32| self.height_above(x, slice, f32::MIN).unwrap_or(place.height);
        let across = height(x + REACH * FOCAL, place.slice) - place.height;
        let away = height(1280.0 + (x - 1280.0) / (1.0 + REACH), place.slice + REACH_SLICES) - place.height;
        let at = Vec2::new((x - 1280.0) / FOCAL * place.z, place.z);
        land_light(at, place.height, Vec2::new(across, away) / (REACH * place.z))
    }
}

#[derive(Clone, Copy)]
struct Place {
    slice: f32,
    z: f32,
    /// Over the lake, in km.
    height: f32,
    /// Units from the top.
    y: f32,
}

/// From the bottom up: height in units from the top, light, and whether the land from the one before is visible.
struct Column<'a> {
    land: &'a Land,
    x: f32,
    highest: f32,
    is_hidden: bool,
    outline: Vec<(f32, Vec3, bool)>,
}

impl Column<'_> {
    fn outline_of(land: &Land, x: f32, depths: &[f32]) -> Vec<(f32, Vec3, bool)> {
        let mut column = Column { land, x, highest: f32::MAX, is_hidden: false, outline: Vec::new() };
        let mut before = column.place(0.0, NEAR_KM);
        column.highest = before.y;
        for (slice, z) in depths.iter().enumerate() {
            let here = column.place(slice as f32, *z);
            column.rise(&before, &here, 7);
            column.is_hidden |= here.y > column.highest;
            before = here;
        }
        column.outline
    }

    fn place(&self, slice: f32, z: f32) -> Place {
        let least = if self.highest == f32::MAX { f32::MIN } else { EYE_KM + (HORIZON - self.highest) * z / FOCAL };
        let height = self.land.height_above(self.x, slice, least);
        let y = height.map_or(f32::MAX, |height| HORIZON - FOCAL * (height - EYE_KM) / z);
        Place { slice, z, height: height.unwrap_or(least), y }
    }

    /// Steep land spans many pixels: then the step is halved, up to `halvings` times.
    fn rise(&mut self, from: &Place, to: &Place, halvings: u32) {
        if to.y >= self.highest {
            return;
        }
        if self.highest.min(from.y.max(to.y)) - to.y > FINEST && halvings > 0 {
            let middle = self.place((from.slice + to.slice) / 2.0, (from.z + to.z) / 2.0);
            self.rise(from, &middle, halvings - 1);
            self.rise(&middle, to, halvings - 1);
        } else {
            self.highest = to.y;
            self.outline.push((to.y, self.land.light(self.x, to), !self.is_hidden));
            self.is_hidden = false;
        }
    }
}

pub fn mountains(canvas: &mut Canvas, view: &Framing) {
    let (low, width) = (view.unit(Vec2::ZERO).x, view.size[0] as f32);
    let columns = (2.0 * width).min(MOST_COLUMNS).ceil();
    let spacing = width / view.unit_px / columns;
    let land = Land::new(low, low + spacing * columns + REACH * FOCAL);
    let depths: Vec<f32> = (0..SLICES).map(|slice| depth(slice as f32)).collect();
    let outlines =
        each(columns as usize, |column| Column::outline_of(&land, low + (column as f32 + 0.5) * spacing, &depths));
    let rows = (WATER * view.unit_px).ceil() as usize + 1;
    let top = |y: usize| view.unit(Vec2::new(0.0, y as f32)).y;
    strips(canvas, rows, |first, parts| {
        let mut sums = vec![(Vec3::ZERO, 0.0); parts.len()];
        for x in 0..parts.first().map_or(0, |part| part.len()) {
            sums.fill((Vec3::ZERO, 0.0));
            for position in [0.25, 0.75] {
                let place = (((first + x) as f32 + position) * columns / width - 0.5).clamp(0.0, columns - 1.0);
                let part = place - (place as usize) as f32;
                for (column, share) in [(place as usize, 1.0 - part), (place as usize + 1, part)] {
                    let Some(outline) = outlines.get(column).filter(|outline| share > 0.0 && !outline.is_empty())
                    else {
                        continue;
                    };
                    let crest = outline.last().map_or(f32::MAX, |(crest, ..)| *crest);
                    let mut after = 0;
                    for (y, sum) in sums.iter_mut().enumerate().rev() {
                        let (high, low) = (top(y), top(y + 1));
                        if low <= crest {
                            break;
                        }
                        let covered = 0.5 * share * (low - crest.max(high)) / (low - high);
                        let light = light_of(outline, &mut after, (crest.max(high) + low) / 2.0);
                        *sum = (sum.0 + light * covered, sum.1 + covered);
                    }
                }
            }
            for (part, (light, covered)) in parts.iter_mut().zip(&sums) {
                part[x] = part[x] * (1.0 - covered) + *light;
            }
        }
    });
}

fn light_of(outline: &[(f32, Vec3, bool)], after: &mut usize, y: f32) -> Vec3 {
    while *after + 1 < outline.len() && outline[*after].0 > y {
        *after += 1;
    }
    let (y1, to, is_visible) = outline[*after];
    let (y0, from, _) = outline[after.saturating_sub(1)];
    if is_visible && y0 > y1 { from.lerp(to, ((y0 - y) / (y0 - y1)).clamp(0.0, 1.0)) } else { to }
}

fn land_light(place: Vec2, height: f32, slope: Vec2) -> Vec3 {
    let normal = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
    let sun_x = (SUN.x - 1280.0) / FOCAL;
    let to_sun = Vec3::new(sun_x * 34.0 - place.x, 5.2, 9.0).normalize();
    let patches = fractal(place * 3.3, 4, 260);
    let lit = step(0.16, 0.95, height + 0.12 * patches);
    let direct = (normal.dot(to_sun) * 1.1 + 0.12).clamp(0.0, 1.0) * lit;
    let open = 0.5 + 0.5 * normal.y;
    let steep = 1.0 - normal.y;
    let snow = step(0.52, 1.0, height + 0.30 * patches - 0.5 * (steep - 0.30)) * step(0.80, 0.46, steep);
    let rock = colour(0x453C66).lerp(colour(0x6A5880), (0.5 + patches).clamp(0.0, 1.0));
    let forest = colour(0x1C2450) * (0.8 + 0.5 * noise(place * 21.0, 270));
    let ground = forest.lerp(rock, step(0.20, 0.60, height + 0.25 * patches));
    let albedo = ground.lerp(colour(0xF6EEFA), snow);
    let light = albedo * (colour(0xFF9A76) * (1.75 * direct) + colour(0x7478DC) * (0.58 * open));

    let distance = place.length();
    let haze = 1.0 - (-(distance - NEAR_KM).max(0.0) / 24.0).exp();
    let mist = 0.78 * (-height / 0.17).exp() * step(NEAR_KM + 0.4, NEAR_KM + 4.0, distance);
    let hidden = 1.0 - (1.0 - haze) * (1.0 - mist);
    light.lerp(air(place.x / place.y * FOCAL + 1280.0) * 0.80, hidden.min(0.96))
}

/// Peach under the sun, violet away from it. `x` in units.
pub fn air(x: f32) -> Vec3 {
    const STEPS: usize = 1024;
    static AIR: LazyLock<Vec<Vec3>> = LazyLock::new(|| {
        let air = |i| {
            let toward = i as f32 / STEPS as f32;
            let rose = sky::mixed(colour(0x5F4A9C), colour(0xE8709A), (toward * 1.6).min(1.0));
            sky::mixed(rose, colour(0xFFB68C), ((toward - 0.55) / 0.45).clamp(0.0, 1.0))
        };
        (0..=STEPS + 1).map(air).collect()
    });
    let aside = (x - SUN.x) / 330.0;
    let place = STEPS as f32 / (1.0 + aside * aside);
    let at = place as usize;
    AIR[at].lerp(AIR[at + 1], place - at as f32)
}

pub fn glare(canvas: &mut Canvas, view: &Framing) {
    const REACH: usize = 900;
    let glow = |d: usize| {
        let d = d as f32;
        colour(0xFFC088) * (0.42 * (-d / 58.0).exp()) + colour(0xFF8A70) * (0.20 * (-d / 190.0).exp())
    };
    let glow: Vec<Vec3> = (0..=REACH + 1).map(glow).collect();
    canvas.rows(|y, row| {
        for (x, light) in row.iter_mut().enumerate() {
            let d = (view.unit(Vec2::new(x as f32 + 0.5, y as f32 + 0.5)) - SUN).length();
            let at = d as usize;
            if at < REACH {
                let glow = glow[at].lerp(glow[at + 1], d - at as f32);
                *light += glow * (Vec3::ONE - light.min(Vec3::ONE) * 0.75);
            }
        }
    });
}
