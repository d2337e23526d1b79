//! Desktop content over the picture: a title, lines of text, icons, and charts that reveal every distortion.

use glam::{Vec2, Vec3};

use super::{
    canvas::{Canvas, colour},
    desk::Desk,
    icons,
    lettering::{Face, Style},
    path::Path,
};

const MARGIN: f32 = 140.0;
const TILE: f32 = 120.0;
const GAP: f32 = 36.0;
const COLUMNS: usize = 8;
const ICON_ROW: f32 = 598.0;
const CHART_ROW: f32 = 792.0;
const RULER: f32 = 952.0;
const WIDTH: f32 = COLUMNS as f32 * (TILE + GAP) - GAP;

fn desk(canvas: &mut Canvas) -> Desk<'_> {
    let unit_px = (canvas.size[1] as f32 / 1440.0).min(canvas.size[0] as f32 / (WIDTH + 2.0 * MARGIN));
    Desk { canvas, unit_px }
}

/// The title alone: white with a shadow, on paper dark.
pub fn name(canvas: &mut Canvas) {
    let above = &canvas.light[..canvas.light.len().div_ceil(4)];
    let mean = above.iter().map(|light| light.y).sum::<f32>() / above.len() as f32;
    let mut desk = desk(canvas);
    if mean > PAPER {
        desk.fill(title(&Face::new(Style::Light)), Vec3::splat(0.008), 1.0);
        return;
    }
    let [low, high] = [Vec2::new(MARGIN, 130.0), Vec2::new(MARGIN + 830.0, 310.0)].map(|at| at * desk.unit_px);
    desk.canvas.shadow(low, high, 90.0 * desk.unit_px, 150.0 * desk.unit_px, 0.6);
    desk.fill(title(&Face::new(Style::Light)), Vec3::ONE, 1.0);
}

/// Linear light.
const PAPER: f32 = 0.6;

fn title(face: &Face) -> Path {
    face.line("Meniscus", 208.0, -0.012, Vec2::new(MARGIN - 12.0, 304.0)).0
}

pub fn desktop(canvas: &mut Canvas) {
    let mut desk = desk(canvas);
    let unit_px = desk.unit_px;
    let (light, mono) = (Face::new(Style::Light), Face::new(Style::Mono));
    headline(&mut desk, &light, &mono);
    for (i, icon) in icons::ALL.iter().enumerate() {
        let low = Vec2::new(MARGIN + i as f32 * (TILE + GAP), ICON_ROW);
        let (middle, half) = (low + TILE / 2.0, Vec2::splat(TILE / 2.0));
        desk.lift(low, low + TILE, 30.0);
        let shape = Path::superellipse(middle, half, 5.0).placed(unit_px, Vec2::ZERO);
        let (top, bottom) = (colour(icon.top), colour(icon.bottom));
        desk.canvas.fill_with(&shape, |at| {
            let t = ((at.y / unit_px - low.y) / TILE).clamp(0.0, 1.0);
            (top.lerp(bottom, t), 1.0)
        });
        rim(&mut desk, Path::superellipse(middle, half, 5.0), Path::superellipse(middle, half - 1.6, 5.0), low.y);
        icon.draw(&mut desk, middle, 40.0);
        let base = Vec2::new(middle.x, low.y + TILE + 29.0);
        let half = light.line(icon.name, 19.0, 0.0, Vec2::ZERO).1 / 2.0 + 2.0;
        let (from, to) = (base - Vec2::new(half, 12.0), base + Vec2::new(half, 2.0));
        desk.canvas.shadow(from * unit_px, to * unit_px, 7.0 * unit_px, 15.0 * unit_px, 0.42);
        desk.centred(&light, icon.name, 19.0, base, Vec3::ONE, 0.95);
    }
    let wide = 2.0 * TILE + GAP;
    let charts: [fn(&mut Desk, Vec2, Vec2, &Path); 4] = [checkers, zone_plate, gratings, specimen];
    for (i, chart) in charts.into_iter().enumerate() {
        let low = Vec2::new(MARGIN + i as f32 * (wide + GAP), CHART_ROW);
        let (low, high) = desk.snapped(low, low + Vec2::new(wide, TILE));
        desk.lift(low, high, 30.0);
        chart(&mut desk, low, high, &Path::rounded(low, high, 30.0).placed(unit_px, Vec2::ZERO));
    }
    ruler(&mut desk, &mono);
}

fn headline(desk: &mut Desk, light: &Face, mono: &Face) {
    let at = |y: f32| Vec2::new(MARGIN, y);
    desk.fill(title(light), Vec3::ONE, 1.0);
    desk.text(light, "A drop of glass. Drag it, and the light bends after you.", 46.0, at(384.0), Vec3::ONE, 0.94);
    let end = desk.text(light, "n₁ sin θ₁ = n₂ sin θ₂", 34.0, at(458.0), colour(0xFFD9B8), 1.0);
    let aside = Vec2::new(MARGIN + end + 34.0, 458.0);
    desk.text(light, "Snell’s law: entering glass, light turns toward the normal.", 25.0, aside, Vec3::ONE, 0.85);
    desk.text(
        mono,
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 +-*/=()",
        19.0,
        at(504.0),
        Vec3::ONE,
        0.80,
    );
    desk.text(
        light,
        "Small type shows what a lens does to it: near the rim it is squeezed, doubled, turned about; in the middle it stands still.",
        17.0,
        at(538.0),
        Vec3::ONE,
        0.85,
    );
}

fn rim(desk: &mut Desk, mut outer: Path, inner: Path, top: f32) {
    outer.cut(inner);
    let unit = desk.unit_px;
    desk.canvas.fill_with(&outer.placed(unit, Vec2::ZERO), |at| {
        (Vec3::ONE, 0.10 + 0.45 * (1.0 - (at.y / unit - top) / TILE).clamp(0.0, 1.0).powi(2))
    });
}

fn checkers(desk: &mut Desk, low: Vec2, high: Vec2, shape: &Path) {
    let unit = desk.unit_px;
    let (start, end) = (low * unit, high * unit);
    let band = (end.x - start.x) / 4.0;
    let (dark, pale) = (colour(0x15152B), colour(0xF6F5FA));
    desk.canvas.fill_with(shape, |at| {
        let (x, y) = ((at.x - start.x) as u32, (at.y - start.y) as u32);
        let which = ((at.x - start.x) / band) as i32;
        let side = ((12.0 * unit / 2f32.powi(which)).round() as u32).max(1);
        (if (x / side + y / side).is_multiple_of(2) { dark } else { pale }, 1.0)
    });
}

fn zone_plate(desk: &mut Desk, low: Vec2, high: Vec2, shape: &Path) {
    let (middle, reach) = ((low + high) / 2.0 * desk.unit_px, (high.x - low.x) / 2.0 * desk.unit_px);
    let (dark, pale) = (colour(0x17173A), colour(0xFFF6EA));
    const FINEST: f32 = 0.40;
    desk.canvas.fill_with(shape, |at| {
        let r = (at - middle).length();
        let frequency = FINEST * r / reach;
        let contrast = ((0.5 - frequency) / 0.15).clamp(0.0, 1.0);
        let wave = (std::f32::consts::PI * FINEST / reach * r * r).cos();
        (pale.lerp(dark, 0.5 - 0.5 * wave * contrast), 1.0)
    });
}

fn gratings(desk: &mut Desk, low: Vec2, high: Vec2, shape: &Path) {
    desk.canvas.fill(shape, colour(0x0B0D2A), 0.86);
    let unit = desk.unit_px;
    let px = |units: f32| (units * unit).round().max(1.0);
    let mut x = (low.x * unit + px(22.0)).round();
    let (top, bottom) = ((low.y * unit + px(20.0)).round(), (high.y * unit - px(20.0)).round());
    for pitch in [12.0, 8.0, 6.0, 4.0, 3.0, 2.0] {
        let line = px(pitch / 2.0);
        let lines = (px(18.0) / (2.0 * line)).round().max(2.0) as usize;
        for _ in 0..lines {
            desk.canvas.fill(&Path::rectangle(Vec2::new(x, top), Vec2::new(x + line, bottom)), Vec3::ONE, 0.95);
            x += 2.0 * line;
        }
        x += px(4.0);
    }
    let centre = Vec2::new(high.x - 56.0, (low.y + high.y) / 2.0);
    const RAYS: usize = 36;
    for i in 0..RAYS {
        let ray = |i: f32| Vec2::from_angle(i / RAYS as f32 * std::f32::consts::TAU);
        let (from, to) = (ray(i as f32 - 0.25), ray(i as f32 + 0.25));
        let wedge = Path::polygon(&[centre + from * 6.0, centre + from * 38.0, centre + to * 38.0, centre + to * 6.0]);
        desk.fill(wedge, colour(0xFFC894), 0.96);
    }
}

fn specimen(desk: &mut Desk, low: Vec2, _high: Vec2, shape: &Path) {
    desk.canvas.fill(shape, colour(0xFAF8F4), 1.0);
    let (ink, light) = (colour(0x1B1B34), Face::new(Style::Light));
    let aside = desk.text(&light, "Ag", 84.0, low + Vec2::new(20.0, 83.0), ink, 1.0) + 34.0;
    let lines =
        ["Sphinx of black", "quartz, judge my", "vow: 12 345 lenses", "lie between the ink", "and whoever reads."];
    let mut y = low.y + 18.0;
    for (i, text) in lines.into_iter().enumerate() {
        let size = 17.0 - i as f32 * 1.3;
        y += size * 1.18;
        desk.text(&light, text, size, Vec2::new(low.x + aside, y), ink, 1.0);
    }
    let base = [Vec2::new(low.x + 16.0, low.y + 83.0), Vec2::new(low.x + aside - 12.0, low.y + 84.2)];
    desk.fill(Path::rectangle(base[0], base[1]), colour(0xE8506A), 0.8);
}

fn ruler(desk: &mut Desk, mono: &Face) {
    const STEPS: usize = 100;
    let unit = desk.unit_px;
    let line = unit.round().max(1.0);
    let top = (RULER * unit).round();
    for i in 0..=STEPS {
        let length = if i % 10 == 0 {
            24.0
        } else if i % 5 == 0 {
            16.0
        } else {
            9.0
        };
        let x = ((MARGIN + (WIDTH - 1.0) * i as f32 / STEPS as f32) * unit).round();
        let tick = Path::rectangle(Vec2::new(x, top), Vec2::new(x + line, top + (length * unit).round()));
        desk.canvas.fill(&tick, Vec3::ONE, 0.85);
        if i % 10 == 0 {
            desk.centred(mono, &i.to_string(), 15.0, Vec2::new(x / unit, RULER + 42.0), Vec3::ONE, 0.80);
        }
    }
}
