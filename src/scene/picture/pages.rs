//! Two pages of text, one light and one dark, on which faults of the glass show that a picture hides.

use glam::{Vec2, Vec3};

use super::{
    canvas::{Canvas, colour},
    desk::Desk,
    lettering::{Face, Style},
    path::Path,
};
use media::picture::Picture;

const TITLE: &str = "On the bending of light";
const INTRO: &str = "A ray that meets a piece of glass slows down. If it meets the surface head on, that is all that happens; if it \
     meets it at a slant, one side of the wave is held back before the other, and the ray turns.";
const TEXT: [&str; 6] = [
    "How far it turns is a matter of one number. The index of refraction says how many times slower light is in the glass than \
     in a vacuum: 1.33 for water, about 1.52 for a window, 2.42 for diamond. The sines of the two angles, each taken from the \
     normal, stand in the inverse ratio of the two indices. Ibn Sahl knew it in 984 and cut lenses by it; Snell found it again.",
    "A flat pane shifts what lies behind it and leaves it otherwise alone. A curved one does not. Where the surface is tilted, \
     the ray leaves its way, and the eye, which knows nothing of this, puts the thing where the ray seems to come from. So a \
     drop of water on print makes large letters, and its rim gathers in a narrow ring all that lies around.",
    "The index is not the same for every colour. Blue is held back more than red, and a steep rim therefore draws a thin \
     rainbow along every edge. Abbe gave this a number too, small for glass that scatters colours widely and large for glass \
     that keeps them together.",
    "Some of the light never enters. A twenty-fifth comes back from a pane seen straight on, more at a slant, and all of it at \
     the horizon; this is why a lake shows the sky far out and its stones near the shore. On a drop the rim is always seen at \
     a slant, so it is the rim that shines.",
    "Rough glass sends each ray to a slightly different place. What lies close behind stays legible and what lies far behind \
     dissolves. A blur is the sum of many such rays, and because light adds, it must be summed as light: half of white and \
     half of black is a grey far brighter than the middle of the scale that a screen is given.",
    "Last comes the shadow. Glass takes away little light but moves it, and where it has been moved from, the table is darker. \
     A bright line runs along the inner edge of that shadow, for the light has to go somewhere.",
];

fn desk(canvas: &mut Canvas) -> Desk<'_> {
    let [width, height] = canvas.size.map(|side| side as f32);
    // A very wide picture shows the top only: its whole height would be thousands of words wide.
    let unit_px = (height / 1440.0).max(width / 12_000.0).min(width / 1600.0);
    Desk { canvas, unit_px }
}

pub fn paper(size: [u32; 2]) -> Picture {
    let mut canvas = Canvas::new(size, colour(0xFDFCF9));
    let mut desk = desk(&mut canvas);
    let face = Face::new(Style::Light);
    let ink = colour(0x16161C);
    let width = size[0] as f32 / desk.unit_px;
    desk.text(&face, TITLE, 104.0, Vec2::new(132.0, 214.0), ink, 1.0);
    let mut y = 292.0;
    for line in face.wrap(INTRO, (width - 280.0).min(1500.0) / 36.0) {
        desk.text(&face, &line, 36.0, Vec2::new(138.0, y), colour(0x50505C), 1.0);
        y += 50.0;
    }
    let (top, gutter) = (y + 30.0, 76.0);
    let columns = ((width - 276.0 + gutter) / (600.0 + gutter)).floor().max(1.0);
    let measure = (width - 276.0 + gutter) / columns - gutter;
    rule(&mut desk, Vec2::new(138.0, top - 44.0), width - 276.0, ink);
    let mut lines = Vec::new();
    let mut texts = TEXT.iter().cycle();
    for column in 0..columns as u32 {
        let x = 138.0 + column as f32 * (measure + gutter);
        y = if column < 2 { figure(&mut desk, &face, Vec2::new(x, top), measure, column == 0) } else { top + 24.0 };
        while y < 1350.0 {
            let Some(line) = lines.pop() else {
                let next = texts.next().map_or_else(Vec::new, |text| face.wrap(text, measure / 25.0));
                lines = next.into_iter().rev().collect();
                y += 16.0 * f32::from(u8::from(y > top + 24.0 && column > 1 || y > top + 304.0));
                continue;
            };
            desk.text(&face, &line, 25.0, Vec2::new(x, y), ink, 1.0);
            y += 37.0;
        }
    }
    canvas.picture()
}

fn rule(desk: &mut Desk, from: Vec2, length: f32, ink: Vec3) {
    let high = (1.4 * desk.unit_px).round().max(1.0) / desk.unit_px;
    let from = (from * desk.unit_px).round() / desk.unit_px;
    desk.fill(Path::rectangle(from, from + Vec2::new(length, high)), ink, 0.85);
}

fn figure(desk: &mut Desk, face: &Face, low: Vec2, width: f32, rays: bool) -> f32 {
    let ink = colour(0x16161C);
    if !rays {
        let rows = [
            ("vacuum", "1.000", "–"),
            ("water", "1.333", "55.8"),
            ("crown glass", "1.517", "64.2"),
            ("flint glass", "1.620", "36.4"),
            ("diamond", "2.417", "55.3"),
        ];
        let mut y = low.y + 24.0;
        for (i, (name, index, abbe)) in [("", "index", "Abbe number")].into_iter().chain(rows).enumerate() {
            desk.text(face, name, 25.0, Vec2::new(low.x, y), ink, 1.0);
            desk.text(face, index, 25.0, Vec2::new(low.x + width * 0.45, y), ink, 1.0);
            desk.text(face, abbe, 25.0, Vec2::new(low.x + width * 0.72, y), ink, 1.0);
            rule(desk, Vec2::new(low.x, y + 10.0), width, if i == 0 { ink } else { colour(0xB8B8C4) });
            y += 40.0;
        }
        return y + 24.0;
    }
    let middle = low + Vec2::new(width * 0.42, 110.0);
    let focus = middle + Vec2::new(width * 0.46, 0.0);
    let half = 104.0;
    let bulge = |t: f32| 38.0 * (1.0 - t * t);
    let side = |sign: f32| {
        (0..=12).map(move |i| i as f32 / 6.0 - 1.0).map(move |t| middle + Vec2::new(sign * bulge(t), t * half))
    };
    let outline: Vec<Vec2> = side(-1.0).chain(side(1.0).collect::<Vec<_>>().into_iter().rev()).collect();
    desk.fill(Path::polygon(&outline), colour(0xBFE3F4), 0.75);
    for i in -4..=4 {
        let t = i as f32 / 5.0;
        let (enter, leave) =
            (middle + Vec2::new(-bulge(t), t * half), middle + Vec2::new(bulge(t * 0.93), t * half * 0.93));
        let beyond = focus + (focus - leave) * 0.22;
        let ray = [Vec2::new(low.x, enter.y), enter, leave, beyond];
        desk.fill(Path::stroke(&ray, 1.5), colour(0xE0483A), 0.95);
    }
    let mut closed = outline.clone();
    closed.push(outline[0]);
    desk.fill(Path::stroke(&closed, 2.0), ink, 1.0);
    desk.fill(Path::disc(focus, 4.5), ink, 1.0);
    desk.text(face, "F", 25.0, focus + Vec2::new(-6.0, -16.0), ink, 1.0);
    desk.text(face, "Parallel rays meet at the focus.", 21.0, low + Vec2::new(0.0, 252.0), colour(0x50505C), 1.0);
    low.y + 304.0
}

pub fn code(size: [u32; 2]) -> Picture {
    let mut canvas = Canvas::new(size, colour(0x12141C));
    let mut desk = desk(&mut canvas);
    let (face, light) = (Face::new(Style::Mono), Face::new(Style::Light));
    let width = size[0] as f32 / desk.unit_px;
    desk.text(&light, "lens.rs", 30.0, Vec2::new(138.0, 72.0), colour(0xD8DCEC), 1.0);
    rule(&mut desk, Vec2::new(0.0, 100.0), width, colour(0x323848));
    let mut y = 148.0;
    for (number, line) in SOURCE.lines().cycle().enumerate() {
        if y > 1420.0 {
            break;
        }
        let label = format!("{:>3}", number + 1);
        desk.text(&face, &label, 23.0, Vec2::new(48.0, y), colour(0x4A5068), 1.0);
        let mut x = 138.0;
        for (word, light) in coloured(line) {
            x += desk.text(&face, word, 23.0, Vec2::new(x, y), light, 1.0);
        }
        y += 35.0;
    }
    let mut y = 130.0;
    for line in SOURCE.lines().cycle().take(300) {
        if y > 1420.0 || width < 1500.0 {
            break;
        }
        let mut x = width - 420.0;
        for (word, light) in coloured(line) {
            x += desk.text(&face, word, 7.0, Vec2::new(x, y), light, 0.85);
        }
        y += 10.0;
    }
    canvas.picture()
}

fn coloured(line: &str) -> Vec<(&str, Vec3)> {
    const KEYWORDS: [&str; 12] =
        ["fn", "let", "if", "else", "pub", "struct", "impl", "return", "for", "in", "const", "mut"];
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let length = if rest.starts_with("//") {
            rest.len()
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        let hex = match piece {
            comment if comment.starts_with("//") => 0x6E7A94,
            key if KEYWORDS.contains(&key) => 0xC792EA,
            number if first.is_ascii_digit() && !number.is_empty() => 0xF7A26C,
            _ if first.is_uppercase() => 0xFFCB6B,
            _ if after.starts_with('(') => 0x82AAFF,
            _ if word(first) => 0xD8DCEC,
            _ => 0x89DDFF,
        };
        pieces.push((piece, colour(hex)));
        rest = after;
    }
    pieces
}

const SOURCE: &str = "// A lens: a rounded box whose border slopes down to nothing.
pub struct Lens {
    center: Vec2,   // in pixels
    half: Vec2,     // half its width and height
    exponent: f32,  // 2 is an ellipse, more is squarer
    bevel: f32,     // how wide the slope is
    ior: f32,       // how much slower light is inside
}

impl Lens {
    fn depth(self, at: Vec2) -> f32 {
        let p = (at - self.center).abs() / self.half;
        let gauge = (p.x.powf(self.exponent) + p.y.powf(self.exponent)).powf(1.0 / self.exponent);
        (1.0 - gauge) * self.half.min_element()
    }

    fn slope(self, depth: f32) -> f32 {
        let t = (depth / self.bevel).clamp(0.0, 1.0);
        (1.0 - t) / (1.0 - (1.0 - t) * (1.0 - t)).sqrt().max(0.05)
    }

    fn bend(self, at: Vec2, inward: Vec2) -> Vec2 {
        let depth = self.depth(at);
        if depth < 0.0 {
            return at;
        }
        let incidence = self.slope(depth).atan();
        let refracted = (incidence.sin() / self.ior).asin();
        let shift = (incidence - refracted).tan() * self.bevel;
        at + inward * shift
    }
}

const RED: f32 = 1.512;
const GREEN: f32 = 1.520;
const BLUE: f32 = 1.531;
";
