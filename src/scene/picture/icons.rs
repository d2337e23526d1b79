//! Icons, each drawn around a centre, about 1 unit of `size` to every side: eight in colours, and others of one.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::{
    canvas::{Canvas, colour},
    desk::Desk,
    path::Path,
};

pub struct Icon {
    pub name: &'static str,
    pub top: u32,
    pub bottom: u32,
    draw: fn(&mut Pen),
}

pub const ALL: [Icon; 8] = [
    Icon { name: "Aperture", top: 0xFF9A62, bottom: 0xEE3F62, draw: aperture },
    Icon { name: "Compass", top: 0x5CC8FF, bottom: 0x1B62F2, draw: compass },
    Icon { name: "Night", top: 0x6C66E8, bottom: 0x262373, draw: night },
    Icon { name: "Sound", top: 0xFF78B8, bottom: 0xB82C9C, draw: sound },
    Icon { name: "Water", top: 0x4FE6D4, bottom: 0x0B8FA6, draw: water },
    Icon { name: "Post", top: 0xFFD45C, bottom: 0xF58A1F, draw: post },
    Icon { name: "Growth", top: 0x86E77C, bottom: 0x169A58, draw: growth },
    Icon { name: "Prism", top: 0x3A3D5E, bottom: 0x10111F, draw: prism },
];

/// Of one colour, after those of [`ALL`].
const PLAIN: [fn(&mut Pen); 9] = [gem, cloud, sun, clock, plane, waves, lock, torch, play];

/// Coverage of an icon, by its number, in a square of `side` pixels. Other colours than white are left out.
pub fn mask(icon: usize, side: u32) -> Vec<u8> {
    let mut canvas = Canvas::new([side; 2], Vec3::ZERO);
    let plain = PLAIN.get(icon.wrapping_sub(ALL.len()));
    if let Some(draw) = ALL.get(icon).map(|icon| &icon.draw).or(plain) {
        let mut desk = Desk { canvas: &mut canvas, unit_px: 1.0 };
        let middle = Vec2::splat(0.5 * side as f32);
        draw(&mut Pen { desk: &mut desk, middle, size: 0.5 * side as f32 / REACH });
    }
    canvas.light.iter().map(|light| (light.min_element().clamp(0.0, 1.0) * 255.0).round() as u8).collect()
}

/// What an icon takes beyond its unit.
const REACH: f32 = 1.16;

fn polar(angle: f32, radius: f32) -> Vec2 {
    Vec2::from_angle(angle) * radius
}

impl Icon {
    pub fn draw(&self, desk: &mut Desk, middle: Vec2, size: f32) {
        (self.draw)(&mut Pen { desk, middle, size });
    }
}

struct Pen<'a, 'desk> {
    desk: &'a mut Desk<'desk>,
    middle: Vec2,
    size: f32,
}

impl Pen<'_, '_> {
    fn fill(&mut self, path: Path, light: Vec3, alpha: f32) {
        self.desk.fill(path.placed(self.size, self.middle), light, alpha);
    }

    fn white(&mut self, path: Path, alpha: f32) {
        self.fill(path, Vec3::ONE, alpha);
    }
}

fn aperture(pen: &mut Pen) {
    let mut path = Path::ring(Vec2::ZERO, 0.92, 0.11);
    pen.white(path, 1.0);
    path = Path::default();
    for i in 0..6 {
        let angle = i as f32 / 6.0 * TAU - 0.35;
        path.add(Path::stroke(&[polar(angle, 0.90), polar(angle + 1.16, 0.40)], 0.09));
    }
    pen.white(path, 1.0);
}

fn compass(pen: &mut Pen) {
    pen.white(Path::ring(Vec2::ZERO, 0.95, 0.09), 1.0);
    let mut ticks = Path::default();
    for i in 0..24 {
        let inner = if i % 6 == 0 { 0.70 } else { 0.80 };
        let angle = i as f32 / 24.0 * TAU;
        ticks.add(Path::stroke(&[polar(angle, inner), polar(angle, 0.86)], 0.035));
    }
    pen.white(ticks, 0.9);
    let (north, east) = (polar(-PI / 3.2, 0.72), polar(-PI / 3.2 + PI / 2.0, 0.17));
    pen.fill(Path::polygon(&[north, east, -east]), colour(0xFF4D4D), 1.0);
    pen.white(Path::polygon(&[-north, east, -east]), 1.0);
    pen.fill(Path::disc(Vec2::ZERO, 0.07), colour(0x1B4FB0), 1.0);
}

fn night(pen: &mut Pen) {
    let (outer, inner, apart) = (0.82f32, 0.66f32, 0.40f32);
    let x = (outer * outer - inner * inner + apart * apart) / (2.0 * apart);
    let y = (outer * outer - x * x).max(0.0).sqrt();
    let (a, b) = (y.atan2(x), y.atan2(x - apart));
    let arc = |from: f32, to: f32, radius: f32, centre: f32| {
        (0..=48).map(move |i| Vec2::new(centre, 0.0) + polar(from + (to - from) * i as f32 / 48.0, radius))
    };
    let turn = Vec2::from_angle(-0.55);
    let points: Vec<Vec2> = arc(a, TAU - a, outer, 0.0)
        .chain(arc(TAU - b, b, inner, apart))
        .map(|p| turn.rotate(p) + Vec2::new(-0.10, 0.08))
        .collect();
    pen.white(Path::polygon(&points), 1.0);
    for (x, y, radius) in [(0.42, -0.36, 0.24), (0.74, 0.06, 0.14), (0.20, 0.06, 0.10)] {
        let points: Vec<Vec2> = (0..8)
            .map(|i| Vec2::new(x, y) + polar(i as f32 / 8.0 * TAU, if i % 2 == 0 { radius } else { radius * 0.28 }))
            .collect();
        pen.white(Path::polygon(&points), 0.95);
    }
}

fn sound(pen: &mut Pen) {
    let mut path = Path::default();
    for (i, height) in [0.20, 0.48, 0.86, 0.58, 0.95, 0.40, 0.16].into_iter().enumerate() {
        let x = (i as f32 - 3.0) * 0.29;
        path.add(Path::stroke(&[Vec2::new(x, -height), Vec2::new(x, height)], 0.145));
    }
    pen.white(path, 1.0);
}

fn water(pen: &mut Pen) {
    let mut drop = Path::default();
    drop.move_to(Vec2::new(0.0, -1.0));
    drop.curve_to(Vec2::new(0.18, -0.62), Vec2::new(0.68, -0.22), Vec2::new(0.68, 0.28));
    drop.curve_to(Vec2::new(0.68, 0.66), Vec2::new(0.38, 0.96), Vec2::new(0.0, 0.96));
    drop.curve_to(Vec2::new(-0.38, 0.96), Vec2::new(-0.68, 0.66), Vec2::new(-0.68, 0.28));
    drop.curve_to(Vec2::new(-0.68, -0.22), Vec2::new(-0.18, -0.62), Vec2::new(0.0, -1.0));
    pen.white(drop, 1.0);
    let shine: Vec<Vec2> =
        (0..=16).map(|i| Vec2::new(0.0, 0.28) + polar(0.25 + i as f32 / 16.0 * 1.25, 0.46)).collect();
    pen.fill(Path::stroke(&shine, 0.11), colour(0x18A5B4), 1.0);
}

fn post(pen: &mut Pen) {
    pen.white(Path::rounded(Vec2::new(-0.98, -0.68), Vec2::new(0.98, 0.68), 0.2), 1.0);
    let flap = [Vec2::new(-0.80, -0.46), Vec2::new(-0.10, 0.10), Vec2::new(0.10, 0.10), Vec2::new(0.80, -0.46)];
    let mut fold = Path::stroke(&flap, 0.085);
    fold.add(Path::stroke(&[Vec2::new(-0.80, 0.48), Vec2::new(-0.30, 0.02)], 0.07));
    fold.add(Path::stroke(&[Vec2::new(0.80, 0.48), Vec2::new(0.30, 0.02)], 0.07));
    pen.fill(fold, colour(0xF2962C), 1.0);
}

fn growth(pen: &mut Pen) {
    let points =
        [(-0.92, 0.50), (-0.46, 0.06), (-0.08, 0.30), (0.40, -0.40), (0.92, -0.72)].map(|(x, y)| Vec2::new(x, y));
    let mut line = Path::stroke(&points, 0.11);
    for point in points {
        line.add(Path::disc(point, 0.13));
    }
    pen.white(line, 1.0);
    let mut grid = Path::default();
    for i in 0..5 {
        let y = -0.84 + i as f32 * 0.42;
        grid.add(Path::stroke(&[Vec2::new(-0.98, y), Vec2::new(0.98, y)], 0.028));
    }
    pen.white(grid, 0.55);
}

fn prism(pen: &mut Pen) {
    let corners = [Vec2::new(0.0, -0.80), Vec2::new(0.78, 0.58), Vec2::new(-0.78, 0.58)];
    let (enter, leave) = (Vec2::new(-0.36, -0.14), Vec2::new(0.33, -0.20));
    pen.white(Path::stroke(&[Vec2::new(-1.12, 0.22), enter], 0.05), 1.0);
    for (i, hex) in [0xFF3B4E, 0xFF8A2B, 0xFFE14A, 0x4CE38A, 0x38A8FF, 0x8A5BFF].into_iter().enumerate() {
        let spread = i as f32 - 2.5;
        let (from, to) = (leave + Vec2::new(0.021, 0.037) * spread, Vec2::new(1.14, 0.10 + 0.125 * spread));
        let side = Vec2::new(0.0, 0.066);
        let start = Vec2::new(0.0, 0.024);
        pen.fill(Path::polygon(&[from - start, to - side, to + side, from + start]), colour(hex), 1.0);
        pen.fill(Path::stroke(&[enter, from], 0.018), colour(hex), 0.55);
    }
    let [a, b, c] = corners;
    pen.white(Path::stroke(&[a, b, c, a], 0.07), 1.0);
}

fn lines(pen: &mut Pen, points: &[(f32, f32)], width: f32) {
    let points: Vec<Vec2> = points.iter().map(|(x, y)| Vec2::new(*x, *y)).collect();
    pen.white(Path::stroke(&points, width), 1.0);
}

fn arc(middle: Vec2, radius: f32, [from, to]: [f32; 2]) -> Vec<Vec2> {
    (0..=32).map(|i| middle + polar(from + (to - from) * i as f32 / 32.0, radius)).collect()
}

fn gem(pen: &mut Pen) {
    let girdle = -0.24;
    lines(pen, &[(-0.56, -0.78), (0.56, -0.78), (0.98, girdle), (0.0, 0.88), (-0.98, girdle), (-0.56, -0.78)], 0.11);
    lines(pen, &[(-0.98, girdle), (0.98, girdle)], 0.09);
    lines(pen, &[(0.0, -0.78), (-0.38, girdle), (0.0, 0.88), (0.38, girdle), (0.0, -0.78)], 0.07);
}

fn cloud(pen: &mut Pen) {
    let mut all = Path::rounded(Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.66), 0.33);
    all.add(Path::disc(Vec2::new(-0.28, -0.06), 0.48));
    all.add(Path::disc(Vec2::new(0.40, 0.08), 0.36));
    pen.white(all, 1.0);
}

fn sun(pen: &mut Pen) {
    let mut all = Path::disc(Vec2::ZERO, 0.44);
    for i in 0..8 {
        let angle = i as f32 / 8.0 * TAU;
        all.add(Path::stroke(&[polar(angle, 0.68), polar(angle, 0.96)], 0.13));
    }
    pen.white(all, 1.0);
}

fn clock(pen: &mut Pen) {
    pen.white(Path::ring(Vec2::ZERO, 0.90, 0.12), 1.0);
    lines(pen, &[(0.0, -0.58), (0.0, 0.0), (0.40, 0.24)], 0.12);
}

fn plane(pen: &mut Pen) {
    lines(pen, &[(0.0, -0.86), (0.0, 0.78)], 0.24);
    for side in [-1.0, 1.0] {
        let wing = [(0.0, -0.30), (0.96 * side, 0.26), (0.96 * side, 0.44), (0.0, 0.16)];
        let tail = [(0.0, 0.48), (0.40 * side, 0.78), (0.40 * side, 0.92), (0.0, 0.80)];
        for part in [wing, tail] {
            pen.white(Path::polygon(&part.map(|(x, y)| Vec2::new(x, y))), 1.0);
        }
    }
}

fn waves(pen: &mut Pen) {
    let source = Vec2::new(0.0, 0.62);
    pen.white(Path::disc(source, 0.15), 1.0);
    for radius in [0.50, 0.92, 1.34] {
        pen.white(Path::stroke(&arc(source, radius, [-0.75 * PI, -0.25 * PI]), 0.15), 1.0);
    }
}

fn lock(pen: &mut Pen) {
    pen.white(Path::rounded(Vec2::new(-0.62, -0.08), Vec2::new(0.62, 0.86), 0.16), 1.0);
    let mut shackle = arc(Vec2::new(0.0, -0.36), 0.40, [-PI, 0.0]);
    shackle.insert(0, Vec2::new(-0.40, 0.0));
    shackle.push(Vec2::new(0.40, 0.0));
    pen.white(Path::stroke(&shackle, 0.14), 1.0);
}

fn torch(pen: &mut Pen) {
    let head = [(-0.46, -0.92), (0.46, -0.92), (0.46, -0.66), (0.24, -0.26), (-0.24, -0.26), (-0.46, -0.66)];
    pen.white(Path::polygon(&head.map(|(x, y)| Vec2::new(x, y))), 1.0);
    pen.white(Path::rounded(Vec2::new(-0.24, -0.16), Vec2::new(0.24, 0.94), 0.10), 1.0);
}

fn play(pen: &mut Pen) {
    pen.white(Path::polygon(&[Vec2::new(-0.50, -0.78), Vec2::new(0.82, 0.0), Vec2::new(-0.50, 0.78)]), 1.0);
}
