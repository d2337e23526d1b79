//! Mountains: a height field seen from the lake, drawn column by column from near to far.

use glam::{Vec2, Vec3};

use super::{
    Framing,
    canvas::{Canvas, colour},
    noise::{fractal, noise, ridges, step},
    sky::{self, HORIZON, SUN},
};

/// Units on the picture of a kilometre at one kilometre's distance.
const FOCAL: f32 = 1700.0;
/// The eye's height over the lake, in km.
const EYE_KM: f32 = 0.05;
const NEAR_KM: f32 = 3.2;
const FAR_KM: f32 = 42.0;
const SLICES: usize = 480;
/// Largest step between slices on the picture, in units.
const FINEST: f32 = 1.6;
/// Columns per pixel: silhouettes are steep.
const FINER: usize = 2;

/// Height over the lake in km at a position (x to the right, z away, in km). `None` if it is certainly below `least`: most land is hidden
/// by nearer land, and the crests are expensive.
fn height_above(x: f32, z: f32, least: f32) -> Option<f32> {
    let place = Vec2::new(x, z);
    let bend = Vec2::new(fractal(place / 3.4, 3, 200), fractal(place / 3.4, 3, 210)) * 1.2;
    // Massifs composed for the picture: a large one on the right, lower ones on the left, hills between. Their tops are cusps.
    let peak = |cx: f32, cz: f32, radius: f32, height: f32| {
        let d = (place + 0.45 * bend - Vec2::new(cx, cz)) / Vec2::new(radius, radius * 1.2);
        height * (-(d.length_squared() + 0.012).sqrt()).exp()
    };
    let massif = peak(4.75, 10.4, 1.75, 2.55)
        + peak(7.4, 12.0, 1.9, 1.3)
        + peak(-0.7, 12.5, 2.2, 1.35)
        + peak(-6.2, 11.0, 2.4, 1.7);
    let hills = 0.10 + 0.012 * z + 0.16 * (0.5 + 0.5 * noise(place / 4.1, 240));
    // A valley leads to the sun.
    let along = x / z - (SUN.x - 1280.0) / FOCAL + 0.02 * noise(place / 2.7, 245);
    let valley = step(0.0, 0.20, along.abs()) * 0.80 + 0.20;
    let shore = step(NEAR_KM - 0.4, NEAR_KM + 2.8, z);
    let height = |crest: f32| ((hills + massif) * (0.34 + 0.98 * crest) * valley + 0.015) * shore;
    // The strengths of all octaves sum to less than 0.97.
    if height(0.97) < least {
        return None;
    }
    Some(height(ridges((place + bend) / 4.2, 7, 226)))
}

fn height_km(x: f32, z: f32) -> f32 {
    height_above(x, z, f32::MIN).unwrap_or(0.0)
}

/// Draws the mountains over the sky.
pub fn mountains(canvas: &mut Canvas, view: &Framing) {
    let columns = view.size[0] as usize * FINER;
    // Depths grow by a constant factor, so that slices are about equally far apart on the picture.
    let growth = (FAR_KM / NEAR_KM).powf(1.0 / SLICES as f32);
    let depths: Vec<f32> = (0..SLICES).map(|i| NEAR_KM * growth.powi(i as i32)).collect();
    let ray = |column: usize| (view.unit(Vec2::new((column as f32 + 0.5) / FINER as f32, 0.0)).x - 1280.0) / FOCAL;

    // Columns first, on all cores; then rows are filled from them.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    let mut strips: Vec<Vec<Vec<(f32, Vec3)>>> = Vec::new();
    std::thread::scope(|scope| {
        let share = columns.div_ceil(threads);
        let workers: Vec<_> = (0..threads)
            .map(|i| {
                let (depths, ray) = (&depths, &ray);
                scope.spawn(move || {
                    (i * share..((i + 1) * share).min(columns))
                        .map(|column| outline(ray(column), depths))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        strips.extend(workers.into_iter().filter_map(|worker| worker.join().ok()));
    });
    let outlines: Vec<Vec<(f32, Vec3)>> = strips.into_iter().flatten().collect();
    let top = |y: u32| view.unit(Vec2::new(0.0, y as f32)).y;
    canvas.rows(|y, row| {
        let (high, low) = (top(y), top(y + 1));
        for (x, pixel) in row.iter_mut().enumerate() {
            let mut sum = Vec3::ZERO;
            for outline in outlines.iter().skip(x * FINER).take(FINER) {
                sum += column_light(outline, high, low, *pixel);
            }
            *pixel = sum / FINER as f32;
        }
    });
}

/// The visible outline of a column: from the bottom up, heights on the picture (in units from the top) not hidden by nearer land, with the
/// land's light there.
struct Column {
    ray: f32,
    highest: f32,
    visible: Vec<(f32, Vec3)>,
}

fn outline(ray: f32, depths: &[f32]) -> Vec<(f32, Vec3)> {
    let mut column = Column { ray, highest: y_of(ray, NEAR_KM, f32::MAX), visible: Vec::new() };
    let mut before = (NEAR_KM, column.highest);
    for z in depths {
        let here = (*z, y_of(ray, *z, column.highest));
        column.rise(before, here, 7);
        before = here;
    }
    column.visible
}

impl Column {
    /// Advances from one depth and its height on the picture to the next. If the land rises steeply, the step spans many pixels: then it is
    /// halved, up to `halvings` times.
    fn rise(&mut self, from: (f32, f32), to: (f32, f32), halvings: u32) {
        if to.1 >= self.highest {
            return;
        }
        if self.highest.min(from.1.max(to.1)) - to.1 > FINEST && halvings > 0 {
            let z = (from.0 + to.0) / 2.0;
            let middle = (z, y_of(self.ray, z, self.highest));
            self.rise(from, middle, halvings - 1);
            self.rise(middle, to, halvings - 1);
        } else {
            self.highest = to.1;
            self.visible.push((to.1, land_light(Vec2::new(self.ray * to.0, to.0))));
        }
    }
}

/// Height on the picture, in units from the top, of the land in a direction at a distance; exact only from `highest` on.
fn y_of(ray: f32, z: f32, highest: f32) -> f32 {
    let least = EYE_KM + (HORIZON - highest) * z / FOCAL;
    height_above(ray * z, z, least).map_or(f32::MAX, |height| HORIZON - FOCAL * (height - EYE_KM) / z)
}

/// Mean light of a column between two heights on the picture, the sky above the land.
fn column_light(outline: &[(f32, Vec3)], high: f32, low: f32, sky: Vec3) -> Vec3 {
    let Some((crest, _)) = outline.last() else { return sky };
    if low <= *crest {
        return sky;
    }
    let land = (low - crest.max(high)) / (low - high);
    let middle = (crest.max(high) + low) / 2.0;
    // Heights fall along the outline: find the two that enclose the middle.
    let after = outline.partition_point(|(y, _)| *y > middle).clamp(1, outline.len() - 1.min(outline.len()));
    let after = after.min(outline.len() - 1);
    let ((y0, from), (y1, to)) = (outline[after.saturating_sub(1)], outline[after]);
    let t = if y0 > y1 { ((y0 - middle) / (y0 - y1)).clamp(0.0, 1.0) } else { 1.0 };
    // Between two slices far apart on the picture there is a hidden hollow: there the far one starts at once.
    let t = if y0 - y1 > 9.0 { 1.0 } else { t };
    sky.lerp(from.lerp(to, t), land)
}

/// Light of the land: rock and snow in the last sun, then the air between.
fn land_light(place: Vec2) -> Vec3 {
    let Vec2 { x, y: z } = place;
    let (reach, height) = (0.0026 * z, height_km(x, z));
    let slope = Vec2::new(height_km(x + reach, z) - height, height_km(x, z + reach) - height) / reach;
    let normal = Vec3::new(-slope.x, 1.0, -slope.y).normalize();
    let sun_x = (SUN.x - 1280.0) / FOCAL;
    // The sun is low behind the land and to the side; its light wraps around the crests more than in nature.
    let to_sun = Vec3::new(sun_x * 34.0 - place.x, 5.2, 9.0).normalize();
    // The lower slopes are in shadow already; the last light is on the tops.
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

/// Light of the air over the lake: peach under the sun, violet away from it. `x` in units.
pub fn air(x: f32) -> Vec3 {
    let aside = (x - SUN.x) / 330.0;
    let toward = 1.0 / (1.0 + aside * aside);
    let rose = sky::mixed(colour(0x5F4A9C), colour(0xE8709A), (toward * 1.6).min(1.0));
    sky::mixed(rose, colour(0xFFB68C), ((toward - 0.55) / 0.45).max(0.0))
}

/// Glare of the sun, also over the land.
pub fn glare(canvas: &mut Canvas, view: &Framing) {
    canvas.shade(|at, light| {
        let d = (view.unit(at) - SUN).length();
        if d > 900.0 {
            return light;
        }
        let glow = colour(0xFFC088) * (0.42 * (-d / 58.0).exp()) + colour(0xFF8A70) * (0.20 * (-d / 190.0).exp());
        // Screen blending, so that it never clips bright areas.
        light + glow * (Vec3::ONE - light.min(Vec3::ONE) * 0.75)
    });
}
