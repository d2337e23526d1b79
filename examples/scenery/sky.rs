//! Sky at dusk: light from apricot to night, thin clouds, stars.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};

use scene::picture::{
    canvas::{Canvas, colour},
    noise::{Dice, cell, fractal, noise, step},
};

use crate::{framing::Framing, grid::Grid, parts::add};

/// In units from the top.
pub const HORIZON: f32 = 1000.0;
pub const WATER: f32 = 1020.0;
pub const SUN: Vec2 = Vec2::new(1628.0, 926.0);
const SUN_RADIUS: f32 = 47.0;

/// From the top (0) to the horizon (1).
const STOPS: [(f32, u32); 9] = [
    (0.00, 0x060A20),
    (0.20, 0x10184A),
    (0.38, 0x2A2A78),
    (0.54, 0x5A3B96),
    (0.68, 0x9B4A98),
    (0.79, 0xDB6488),
    (0.88, 0xF98F78),
    (0.95, 0xFFB882),
    (1.00, 0xFFD8A2),
];
const TABLE: usize = 2048;
static GRADIENT: LazyLock<Vec<Vec3>> = LazyLock::new(|| {
    (0..=TABLE)
        .map(|i| {
            let t = i as f32 / TABLE as f32;
            let above = STOPS.iter().position(|stop| stop.0 >= t).unwrap_or(STOPS.len() - 1).max(1);
            let ((t0, from), (t1, to)) = (STOPS[above - 1], STOPS[above]);
            let f = (t - t0) / (t1 - t0);
            mixed(colour(from), colour(to), f)
        })
        .collect()
});

/// In Oklab (Ottosson 2020), where blue and orange mix without grey.
pub fn mixed(from: Vec3, to: Vec3, f: f32) -> Vec3 {
    linear_of_oklab(oklab_of_linear(from).lerp(oklab_of_linear(to), f))
}

fn oklab_of_linear(c: Vec3) -> Vec3 {
    let lms = Vec3::new(
        0.412_221_46 * c.x + 0.536_332_55 * c.y + 0.051_445_995 * c.z,
        0.211_903_5 * c.x + 0.680_699_5 * c.y + 0.107_396_96 * c.z,
        0.088_302_46 * c.x + 0.281_718_85 * c.y + 0.629_978_7 * c.z,
    )
    .map(f32::cbrt);
    Vec3::new(
        0.210_454_26 * lms.x + 0.793_617_8 * lms.y - 0.004_072_047 * lms.z,
        1.977_998_5 * lms.x - 2.428_592_2 * lms.y + 0.450_593_7 * lms.z,
        0.025_904_037 * lms.x + 0.782_771_77 * lms.y - 0.808_675_77 * lms.z,
    )
}

fn linear_of_oklab(c: Vec3) -> Vec3 {
    let lms = Vec3::new(
        c.x + 0.396_337_78 * c.y + 0.215_803_76 * c.z,
        c.x - 0.105_561_346 * c.y - 0.063_854_17 * c.z,
        c.x - 0.089_484_18 * c.y - 1.291_485_5 * c.z,
    )
    .map(|v| v * v * v);
    Vec3::new(
        4.076_741_7 * lms.x - 3.307_711_6 * lms.y + 0.230_969_94 * lms.z,
        -1.268_438 * lms.x + 2.609_757_4 * lms.y - 0.341_319_38 * lms.z,
        -0.004_196_086_3 * lms.x - 0.703_418_6 * lms.y + 1.707_614_7 * lms.z,
    )
    .max(Vec3::ZERO)
}

fn clear(p: Vec2) -> Vec3 {
    let aside = ((p.x - SUN.x) / 1500.0).powi(2);
    let height = (p.y / HORIZON).clamp(0.0, 1.0);
    let t = height * (1.0 - 0.10 * aside / (1.0 + aside)) * (1.0 - 0.02 * (1.0 - height));
    let place = t * TABLE as f32;
    let at = (place as usize).min(TABLE - 1);
    let base = GRADIENT[at].lerp(GRADIENT[at + 1], place - at as f32);
    let d = (p - SUN) * Vec2::new(1.0, 1.25);
    let d = d.length();
    base + colour(0xFFB070) * (0.50 * (-d / 150.0).exp() + 0.20 * (-(d / 400.0).powf(1.6)).exp())
        + colour(0xFFF0C8) * (0.95 * (-d / 46.0).exp())
}

/// Units: cloud streaks are nine times as long as high.
const SPACING: Vec2 = Vec2::new(6.0, 2.0);
const MOST: f32 = 220_000.0;

pub fn heaven(canvas: &mut Canvas, view: &Framing) {
    let (low, high) = (view.unit(Vec2::splat(0.5)), view.unit(Vec2::from_array(view.size.map(|side| side as f32))));
    let spacing = SPACING.max(Vec2::splat(1.0 / view.unit_px));
    let light = |p: Vec2| sky(p, view.unit_px) + band_glow(p);
    let grid = Grid::new(low, Vec2::new(high.x, high.y.min(WATER)), spacing, MOST, light);
    let near = SUN_RADIUS + 3.0 + grid.spacing().length();
    canvas.rows(|y, row| {
        let height = view.unit(Vec2::new(0.0, y as f32 + 0.5)).y;
        if height > WATER {
            return;
        }
        let line = grid.line(height);
        for (x, pixel) in row.iter_mut().enumerate() {
            let p = view.unit(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            *pixel = if p.distance_squared(SUN) < near * near { light(p) } else { line.at(p.x) };
        }
    });
}

fn sky(p: Vec2, unit_px: f32) -> Vec3 {
    let clear = clear(p);
    let distance = (p - SUN).length();
    let disc = step(2.2, -2.2 - 0.5 / unit_px, distance - SUN_RADIUS);
    let limb = (distance / SUN_RADIUS).min(1.0).powi(4);
    let base = clear.lerp(Vec3::new(1.6, 1.32, 0.95).lerp(Vec3::new(1.35, 0.92, 0.46), limb), disc);
    let (alpha, light) = clouds(p, clear);
    base.lerp(light, alpha * (1.0 - 0.75 * disc))
}

fn clouds(p: Vec2, clear: Vec3) -> (f32, Vec3) {
    let near_sun = (-(p - SUN).length() / 300.0).exp();
    let lit =
        colour(0xFFC08A).lerp(colour(0xE0609A), step(0.0, 620.0, SUN.y - p.y)).lerp(colour(0xFFE2B4), near_sun * 0.8);
    let shaded = clear * 0.62 + colour(0x5B3A86) * 0.16;
    let mut cover: f32 = 0.0;
    let mut light = Vec3::ZERO;
    for (sheet, stretch, middle, depth, strength) in [
        (0, Vec2::new(1.0 / 560.0, 1.0 / 62.0), 640.0, 250.0, 0.75),
        (1, Vec2::new(1.0 / 900.0, 1.0 / 120.0), 330.0, 220.0, 0.30),
    ] {
        let seed = 40 + sheet * 20;
        let q = Vec2::new(p.x, p.y + 0.05 * p.x + 16.0 * noise(p / 410.0, seed));
        let band: f32 = (-((q.y - 0.05 * 1280.0 - middle) / depth).powi(2)).exp();
        if band < 0.004 {
            continue;
        }
        let warp = Vec2::new(fractal(q / 300.0, 3, seed + 1), fractal(q / 260.0, 3, seed + 4)) * Vec2::new(0.75, 0.45);
        let field = fractal(q * stretch + warp, 6, seed + 8);
        let broad = fractal(q / Vec2::new(1500.0, 520.0), 2, seed + 16);
        let density = step(-0.08, 0.62, field + 0.40 * broad).powf(1.4) * band * strength;
        let below = fractal((q + Vec2::new(0.0, 9.0)) * stretch + warp, 4, seed + 8);
        let edge = (0.55 + (field - below) * 3.2).clamp(0.0, 1.0);
        let tone = shaded.lerp(lit, edge * (0.55 + 0.45 * near_sun));
        light = light.lerp(tone, density / (density + cover).max(1e-4));
        cover = cover + density - cover * density;
    }
    (cover * 0.82, light)
}

pub fn stars(canvas: &mut Canvas, view: &Framing) {
    let (low, high) = (view.unit(Vec2::ZERO), view.unit(Vec2::new(view.size[0] as f32, 0.0)));
    const GRID: f32 = 15.0;
    for row in 0..(760.0 / GRID) as i32 {
        for column in (low.x / GRID) as i32 - 1..(high.x / GRID) as i32 + 1 {
            let roll = |what: u32| cell(column, row, 900 + what);
            let p = Vec2::new(column as f32 + roll(0), row as f32 + roll(1)) * GRID;
            let night = step(700.0, 60.0, p.y);
            let band = band_of(p);
            if roll(2) > (0.16 + 0.5 * band) * night {
                continue;
            }
            let strength = (0.07 + 0.40 * roll(3).powi(4) + 0.60 * roll(5).powi(36)) * (0.35 + 0.65 * night) * 1.7;
            let tint = Vec3::new(0.80, 0.88, 1.0).lerp(Vec3::new(1.0, 0.88, 0.72), roll(4));
            star(canvas, view, p, strength, tint);
        }
    }
    meteor(canvas, view);
}

fn band_of(p: Vec2) -> f32 {
    let along = Vec2::new(0.93, 0.37);
    let d = (p - Vec2::new(1500.0, 130.0)).perp_dot(along) + 60.0 * fractal(p / 330.0, 3, 70);
    (-(d / 120.0).powi(2)).exp()
}

fn band_glow(p: Vec2) -> Vec3 {
    let night = step(620.0, 80.0, p.y);
    if night == 0.0 {
        return Vec3::ZERO;
    }
    let lanes = 0.55 + 0.9 * fractal(p / Vec2::new(210.0, 150.0), 5, 77);
    colour(0x8FA0E8) * (0.055 * band_of(p) * lanes.clamp(0.0, 1.2) * night)
}

fn star(canvas: &mut Canvas, view: &Framing, p: Vec2, strength: f32, tint: Vec3) {
    let at = view.px(p);
    let wanted = (0.50 + 0.62 * strength.min(1.2)) * view.unit_px;
    let radius = wanted.max(0.48);
    let light = tint * strength * (wanted / radius).powi(2).max(0.3);
    let reach = (radius * 3.0).ceil() as i32;
    let middle = at.floor().as_ivec2();
    for y in -reach..=reach {
        for x in -reach..=reach {
            let d = (middle + glam::IVec2::new(x, y)).as_vec2() + 0.5 - at;
            add(canvas, middle.x + x, middle.y + y, light * (-d.length_squared() / (radius * radius)).exp());
        }
    }
    if strength > 1.0 {
        let length = (18.0 * strength * view.unit_px) as i32;
        for i in -length..=length {
            let fade = (1.0 - (i as f32 / length as f32).abs()).powi(4) * 0.22;
            add(canvas, middle.x + i, middle.y, light * fade);
            add(canvas, middle.x, middle.y + i, light * fade);
        }
    }
}

fn meteor(canvas: &mut Canvas, view: &Framing) {
    let (from, to) = (Vec2::new(1985.0, 120.0), Vec2::new(1748.0, 232.0));
    let mut dice = Dice::new(5);
    let pieces = (to.distance(from) * view.unit_px * 1.5) as usize;
    for i in 0..pieces {
        let t = i as f32 / pieces as f32;
        let glow = t.powi(3) * (0.55 + 0.1 * dice.roll());
        let at = view.px(from.lerp(to, t));
        let (base, f) = (at.floor(), at - at.floor());
        for (dx, dy, share) in
            [(0, 0, (1.0 - f.x) * (1.0 - f.y)), (1, 0, f.x * (1.0 - f.y)), (0, 1, (1.0 - f.x) * f.y), (1, 1, f.x * f.y)]
        {
            add(canvas, base.x as i32 + dx, base.y as i32 + dy, Vec3::new(0.9, 0.95, 1.0) * (glow * share));
        }
    }
}
