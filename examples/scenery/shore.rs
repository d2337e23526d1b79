//! Lake with its reflections, and the trees around it.

use glam::{Vec2, Vec3};

use scene::picture::{
    canvas::{Canvas, colour},
    noise::{Dice, fractal, noise, step},
    path::Path,
};

use crate::{
    framing::Framing,
    grid::Grid,
    land,
    parts::rows_below,
    sky::{SUN, WATER},
};

pub fn far_forest(canvas: &mut Canvas, view: &Framing) {
    let (low, high) = (view.unit(Vec2::ZERO).x, view.unit(Vec2::new(view.size[0] as f32, 0.0)).x);
    for (row, (fog, shade, grow)) in
        [(0.34, 0x2A2456, 0.7), (0.17, 0x1A1740, 0.85), (0.04, 0x0C0C26, 1.0)].into_iter().enumerate()
    {
        let top = |x: f32| WATER - bank_height(x, row as u32) * (1.15 - 0.25 * row as f32);
        let light = |x: f32| colour(shade).lerp(land::air(x) * 0.34, fog);
        let mut points: Vec<Vec2> = (0..=((high - low) / 4.0) as usize + 2)
            .map(|i| low - 4.0 + i as f32 * 4.0)
            .map(|x| Vec2::new(x, top(x)))
            .collect();
        points.push(Vec2::new(high + 20.0, WATER));
        points.push(Vec2::new(low - 20.0, WATER));
        let ground = Path::polygon(&points).placed(view.unit_px, view.origin());
        canvas.fill_with(&ground, |p| (light(view.unit(p).x), 1.0));
        let mut dice = Dice::new(300 + row as u32);
        let mut x = -4000.0;
        while x < 6600.0 {
            x += dice.between(2.5, 8.0) * grow;
            let (size, lean) = (dice.between(0.35, 1.0).powi(2) * 34.0 + 5.0, dice.between(-0.6, 0.6));
            if x < low - 40.0 || x > high + 40.0 {
                continue;
            }
            let grove = 0.62 + 0.5 * step(-0.3, 0.4, fractal(Vec2::new(x / 150.0, 9.0 + row as f32), 3, 320));
            let tree = small_conifer(Vec2::new(x, top(x) + 1.5), size * grow * grove, lean, &mut dice);
            canvas.fill(&tree.placed(view.unit_px, view.origin()), light(x), 1.0);
        }
    }
}

fn bank_height(x: f32, row: u32) -> f32 {
    let swell = fractal(Vec2::new(x / 420.0, row as f32 * 3.7), 4, 310 + row);
    let away = step(60.0, 700.0, (x - SUN.x).abs());
    (9.0 + 13.0 * away + 26.0 * swell * (0.4 + 0.6 * away) - 3.0 * (2.0 - row as f32)).max(1.5)
}

fn small_conifer(foot: Vec2, size: f32, lean: f32, dice: &mut Dice) -> Path {
    const TIERS: usize = 7;
    let mut sides = [Vec::new(), Vec::new()];
    for (sign, side) in [-1.0, 1.0].into_iter().zip(&mut sides) {
        for tier in 1..=TIERS {
            let t = tier as f32 / TIERS as f32;
            let half = size * 0.17 * t.powf(0.85) * dice.between(0.8, 1.2);
            let y = foot.y - size * (1.0 - t) + size * 0.02;
            let x = foot.x + lean * (1.0 - t);
            side.push(Vec2::new(x + sign * half, y));
            side.push(Vec2::new(x + sign * half * 0.62, y - size * 0.025));
        }
    }
    let [left, right] = sides;
    let mut points = vec![Vec2::new(foot.x + lean, foot.y - size)];
    points.extend(right);
    points.extend(left.into_iter().rev());
    Path::polygon(&points)
}

pub fn lake(canvas: &mut Canvas, view: &Framing) {
    let size = Vec2::from_array(canvas.size.map(|side| side as f32));
    let first = ((WATER * view.unit_px + 0.5) as usize).max(1);
    let streak = |p: Vec2| step(-0.25, 0.3, fractal(p / Vec2::new(900.0, 60.0), 3, 350));
    let spacing = Vec2::new(40.0, 3.0).max(Vec2::splat(1.0 / view.unit_px));
    let streaks = Grid::new(view.unit(Vec2::new(0.5, first as f32)), view.unit(size), spacing, 1e5, streak);
    let octaves = [(1.0, 330), (2.1, 331), (4.3, 332), (8.9, 333), (17.0, 334)]
        .map(|(scale, seed)| (Vec2::new(0.42, 1.0) * scale, 0.5 / f32::sqrt(scale), seed));
    let deep = colour(0x0C1238) * 0.9;
    // Pixels from one evaluation of the ripples to the next: noise takes most of the time.
    let apart = ((2.0 * view.unit_px) as usize).max(1);
    rows_below(canvas, first, |above, y, row| {
        let depth = view.unit(Vec2::new(0.0, y as f32 + 0.5)).y - WATER;
        let nearness = depth / (depth + 60.0);
        let away = 1.0 / (depth + 14.0);
        let streaks = streaks.line(WATER + depth);
        let mirrored = WATER - depth * 1.12 - 3.0;
        let (begins, sinks) = (step(0.0, 40.0, depth), step(0.0, 420.0, depth));
        let ripple_at = |x: usize| -> f32 {
            let wave = Vec2::new((view.unit(Vec2::new(x as f32 + 0.5, 0.0)).x - 1280.0) * away * 9.0, 2600.0 * away);
            octaves.iter().map(|(scale, share, seed)| share * noise(wave * *scale, *seed)).sum()
        };
        let ripples: Vec<f32> = (0..row.len().div_ceil(apart) + 1).map(|i| ripple_at(i * apart)).collect();
        let (mist, glint) = (0.10 * (-depth / 2.5).exp(), 0.95 - 0.5 * step(0.0, 380.0, depth));
        for (x, pixel) in row.iter_mut().enumerate() {
            let p = view.unit(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
            let (before, part) = (x / apart, (x % apart) as f32 / apart as f32);
            let ripple = ripples[before] * (1.0 - part) + ripples[before + 1] * part;
            let calm = begins * (0.35 + 0.65 * streaks.at(p.x));
            let push = ripple * calm * (4.0 + 46.0 * nearness);
            let column = above.column(view.px(Vec2::new(p.x + 0.22 * push, 0.0)).x);
            let mut sum = Vec3::ZERO;
            const GLINTS: usize = 5;
            for i in 0..GLINTS {
                let spread = (i as f32 / (GLINTS - 1) as f32 - 0.5) * (3.0 + 26.0 * nearness) * calm;
                sum += column((mirrored + push + spread).clamp(4.0, WATER - 1.0) * view.unit_px);
            }
            let reflected = sum / GLINTS as f32;
            let fresnel = 0.90 - 0.42 * sinks - 0.10 * ripple.clamp(-1.0, 1.0) * calm;
            let mut out = deep.lerp(reflected, fresnel.clamp(0.0, 1.0));
            let path = (-((p.x - SUN.x) / (26.0 + 0.30 * depth)).powi(2)).exp();
            let crest = step(0.12, 0.75, ripple);
            out += colour(0xFFC890) * (path * crest * glint + 0.10 * path);
            *pixel = out.lerp(land::air(p.x), mist);
        }
    });
}

pub fn foreground(canvas: &mut Canvas, view: &Framing) {
    let (low, high) = (view.unit(Vec2::ZERO).x, view.unit(Vec2::new(view.size[0] as f32, 0.0)).x);
    let (dark, darker) = (colour(0x0A0C24), colour(0x05061A));
    let left = [(10.0, 560.0_f32), (150.0, 330.0), (92.0, 430.0), (262.0, 235.0), (345.0, 150.0), (205.0, 205.0)];
    let right =
        [(30.0, 700.0), (150.0, 470.0), (245.0, 560.0), (330.0, 300.0), (415.0, 210.0), (500.0, 135.0), (90.0, 380.0)];
    let trees = left.iter().map(|(x, size)| (low + x, *size)).chain(right.iter().map(|(x, size)| (high - x, *size)));
    for (i, (x, size)) in trees.enumerate() {
        let foot = Vec2::new(x, ground(x, low, high) + 14.0);
        let shade = dark.lerp(darker, (size / 600.0_f32).min(1.0));
        for piece in conifer(foot, size, &mut Dice::new(400 + i as u32)) {
            canvas.fill(&piece.placed(view.unit_px, view.origin()), shade, 1.0);
        }
    }
    let mut points: Vec<Vec2> = (0..=((high - low) / 3.0) as usize + 2)
        .map(|i| low - 3.0 + i as f32 * 3.0)
        .map(|x| Vec2::new(x, ground(x, low, high)))
        .collect();
    points.push(Vec2::new(high + 20.0, 1470.0));
    points.push(Vec2::new(low - 20.0, 1470.0));
    canvas.fill(&Path::polygon(&points).placed(view.unit_px, view.origin()), darker, 1.0);
    grass(canvas, view, low, high, darker);
}

fn ground(x: f32, low: f32, high: f32) -> f32 {
    let side = (1.0 - (x - low) / 760.0).max(1.0 - (high - x) / 900.0).max(0.0);
    let side = side * side * (3.0 - 2.0 * side.min(1.0));
    1418.0 - 74.0 * side + 15.0 * fractal(Vec2::new(x / 130.0, 0.0), 5, 360)
}

fn grass(canvas: &mut Canvas, view: &Framing, low: f32, high: f32, light: Vec3) {
    let mut dice = Dice::new(500);
    let mut x = low - 10.0;
    while x < high + 10.0 {
        x += dice.between(1.2, 5.5);
        let tuft = 0.5 + fractal(Vec2::new(x / 60.0, 7.0), 3, 370);
        let length = dice.between(8.0, 34.0) * tuft.max(0.15);
        let lean = dice.between(-0.45, 0.6) * length;
        let foot = Vec2::new(x, ground(x, low, high) + 3.0);
        let tip = foot + Vec2::new(lean, -length);
        let bend = foot + Vec2::new(lean * 0.25, -length * 0.62);
        let half = Vec2::new(dice.between(0.7, 1.3), 0.0);
        let blade = Path::polygon(&[foot - half, bend - half * 0.7, tip, bend + half * 0.7, foot + half]);
        canvas.fill(&blade.placed(view.unit_px, view.origin()), light, 1.0);
    }
}

fn conifer(foot: Vec2, size: f32, dice: &mut Dice) -> Vec<Path> {
    let top = foot - Vec2::new(dice.between(-4.0, 4.0), size);
    let girth = size * 0.014;
    let mut pieces = vec![Path::polygon(&[
        foot - Vec2::new(girth, 0.0),
        top - Vec2::new(0.8, 0.0),
        top - Vec2::new(0.0, 6.0),
        top + Vec2::new(0.8, 0.0),
        foot + Vec2::new(girth, 0.0),
    ])];
    let whorls = (size / 7.5) as usize + 8;
    for whorl in 0..whorls {
        let t = (whorl as f32 + dice.roll() * 0.7) / whorls as f32;
        let reach = size * 0.235 * (0.06 + 0.94 * t.powf(0.85)) * step(1.06, 0.90, t).max(0.35);
        for side in [-1.0, 1.0] {
            for _ in 0..2 {
                let start = top.lerp(foot, (t * 0.95 + dice.between(-0.012, 0.012)).clamp(0.0, 1.0));
                let length = reach * dice.between(0.55, 1.05);
                let droop = dice.between(0.12, 0.42) + 0.25 * t;
                branch(start, side, length, droop, dice, &mut pieces);
            }
        }
    }
    pieces
}

fn branch(start: Vec2, side: f32, length: f32, droop: f32, dice: &mut Dice, pieces: &mut Vec<Path>) {
    let along = |t: f32| start + Vec2::new(side * length * t, length * (droop * t - 0.20 * t * t * t));
    let half = |t: f32| (0.35 + 0.024 * length * (1.0 - t)).max(0.3);
    const STEPS: usize = 5;
    let edge = |sign: f32| {
        (0..=STEPS).map(move |i| i as f32 / STEPS as f32).map(move |t| along(t) + Vec2::new(0.0, sign * half(t)))
    };
    let mut outline: Vec<Vec2> = edge(-1.0).collect();
    outline.extend(edge(1.0).collect::<Vec<_>>().into_iter().rev());
    pieces.push(Path::polygon(&outline));
    let twigs = (length / 4.2) as usize + 2;
    for twig in 0..twigs {
        let t = (twig as f32 + dice.roll()) / twigs as f32;
        let from = along(t);
        let hang = length * dice.between(0.10, 0.26) * (1.15 - t);
        let tip = from + Vec2::new(side * hang * dice.between(0.25, 0.95), hang * dice.between(0.25, 1.0));
        let wide = Vec2::new(side * (0.6 + 0.12 * hang), 0.0);
        pieces.push(Path::polygon(&[from - wide, tip, from + wide]));
    }
}
