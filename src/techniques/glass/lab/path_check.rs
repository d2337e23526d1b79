//! Check of the fields of paths against a brute-force reference: regions as dense polygons, without the reader, the union and the curves that the
//! program takes.

use crate::lens::outline::{outline_of, problem_of};
use crate::lens::shape::Lenses;
use crate::text::fields::Fields;
use base::settings::ShortText;
use glam::{DVec2, Vec2};
use gpu::Gpu;
use lab::{Case, Effort, Reference, TestBench, Verdict};
use media::difference::Errors;
use scene::LensOutline;
use std::f64::consts::TAU;

pub struct PathOracle;

/// A path, and what it fills by definition: polygons of points on its curves, by other formulas.
pub struct PathCase {
    text: String,
    parts: Vec<Vec<DVec2>>,
    is_odd: bool,
    /// Half the side of the lens, pixels.
    half: f32,
}

fn part(points: &[[f64; 2]]) -> Vec<DVec2> {
    points.iter().copied().map(DVec2::from_array).collect()
}

/// Clockwise on the screen where `turn` is 1.
fn ellipse(center: [f64; 2], radii: [f64; 2], angle: f64, turn: f64) -> Vec<DVec2> {
    const POINTS: u32 = 1024;
    let point = |at: u32| {
        let t = turn * TAU * f64::from(at) / f64::from(POINTS);
        DVec2::from_angle(angle).rotate(DVec2::new(radii[0] * t.cos(), radii[1] * t.sin())) + DVec2::from_array(center)
    };
    (0..POINTS).map(point).collect()
}

fn cubic([a, b, c, d]: [[f64; 2]; 4]) -> Vec<DVec2> {
    const POINTS: u32 = 1000;
    let [a, b, c, d] = [a, b, c, d].map(DVec2::from_array);
    let point = |at: u32| {
        let t = f64::from(at) / f64::from(POINTS);
        let s = 1.0 - t;
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    };
    (0..=POINTS).map(point).collect()
}

fn five_tips() -> [[f64; 2]; 5] {
    std::array::from_fn(|at| {
        let angle = TAU * (2 * at) as f64 / 5.0;
        [angle.sin(), -angle.cos()]
    })
}

fn data(points: &[[f64; 2]]) -> String {
    let pairs: Vec<String> = points.iter().map(|[x, y]| format!("{x} {y}")).collect();
    format!("M{}Z", pairs.join("L"))
}

fn cases_of_data() -> Vec<(&'static str, String, Vec<Vec<DVec2>>, bool)> {
    let tips = five_tips();
    let square = |x: f64, y: f64, side: f64| [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
    let reversed = |points: [[f64; 2]; 4]| [points[3], points[2], points[1], points[0]];
    let (outer, inner) = (square(0.0, 0.0, 10.0), square(3.0, 2.0, 4.0));
    let both = |inner: &[[f64; 2]]| (data(&outer) + &data(inner), vec![part(&outer), part(inner)]);
    let (same, same_parts) = both(&inner);
    let (hole, hole_parts) = both(&reversed(inner));
    let loops = [[0.0, 0.0], [4.0, 3.0], [-3.0, 3.0], [1.0, 0.0]];
    let tiny = square(5.0, -7.0, 1.0).map(|p| p.map(|part| part * 1e-9));
    let huge = square(5.0, -7.0, 1.0).map(|p| p.map(|part| part * 1e30));
    vec![
        ("a hole that turns the other way", hole, hole_parts.clone(), false),
        ("a square in a square that turns the same way", same.clone(), same_parts.clone(), false),
        ("a hole by the even-odd rule", format!("evenodd {same}"), same_parts, true),
        ("a pentagram, filled", data(&tips), vec![part(&tips)], false),
        ("a pentagram with a hole", format!("evenodd{}", data(&tips)), vec![part(&tips)], true),
        (
            "squares that overlap and share an edge",
            data(&square(0.0, 0.0, 4.0)) + &data(&square(2.0, 1.0, 4.0)) + &data(&square(6.0, 1.0, 3.0)),
            vec![part(&square(0.0, 0.0, 4.0)), part(&square(2.0, 1.0, 4.0)), part(&square(6.0, 1.0, 3.0))],
            false,
        ),
        ("arcs", "M-2 0A2 1 30 1 1 2 0 2 1 30 0 1 -2 0Z m1 0".to_owned(), vec![arc_ellipse()], false),
        (
            "a ring of arcs",
            "M1 0A1 1 0 0 1 -1 0A1 1 0 0 1 1 0ZM.5 0A.5.5 0 0 0 -.5 0 .5.5 0 0 0 .5 0Z".to_owned(),
            vec![ellipse([0.0; 2], [1.0; 2], 0.0, 1.0), ellipse([0.0; 2], [0.5; 2], 0.0, -1.0)],
            false,
        ),
        ("a cubic curve that crosses itself", "M0 0C4 3 -3 3 1 0".to_owned(), vec![cubic(loops)], false),
        (
            "edges of no length and a point",
            "M0 0L0 0 0 0 3 0 3 0C3 0 3 0 3 0L3 2Q3 2 3 2L0 2ZM9 9ZM1 1".to_owned(),
            vec![part(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [0.0, 2.0]])],
            false,
        ),
        ("a path far below one", data(&tiny), vec![part(&tiny)], false),
        ("a path far above one", data(&huge), vec![part(&huge)], false),
        (
            "relative commands, the next part begins where the last did",
            "m1 1h4v4h-4zl2 -3 2 3t0 0z".to_owned(),
            vec![part(&square(1.0, 1.0, 4.0)), part(&[[1.0, 1.0], [3.0, -2.0], [5.0, 1.0]])],
            false,
        ),
    ]
}

/// Half axes 2 to 1, turned by 30 degrees, about the origin and through (2, 0): radii too small for both ends of an arc
/// grow by the same factor.
fn arc_ellipse() -> Vec<DVec2> {
    let angle = TAU / 12.0;
    let own = DVec2::from_angle(-angle).rotate(DVec2::new(2.0, 0.0));
    let growth = (0.5 * own.x).hypot(own.y);
    ellipse([0.0; 2], [2.0 * growth, growth], angle, 1.0)
}

/// Its parity is that of the crossings.
fn winding(parts: &[Vec<DVec2>], p: DVec2) -> i32 {
    let mut turns = 0;
    for points in parts {
        for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
            if (a.y <= p.y) != (b.y <= p.y) && a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y) > p.x {
                turns += if b.y > a.y { 1 } else { -1 };
            }
        }
    }
    turns
}

fn fills(parts: &[Vec<DVec2>], is_odd: bool, p: DVec2) -> bool {
    let turns = winding(parts, p);
    if is_odd { turns % 2 != 0 } else { turns != 0 }
}

fn to_edge(p: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let along = b - a;
    let part = ((p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (p - a - along * part).length()
}

impl PathCase {
    fn has_arcs(&self) -> bool {
        self.text.contains('A')
    }

    /// Texels, rows from the top.
    fn field(&self) -> Vec<f32> {
        // Longest side 2, around the middle of the filled box.
        let points = || self.parts.iter().flatten();
        let low = points().fold(DVec2::MAX, |low, p| low.min(*p));
        let high = points().fold(DVec2::MIN, |high, p| high.max(*p));
        let unit = 2.0 / (high - low).max_element();
        let half = 0.5 * (high - low) * unit;
        let px = f64::from(self.half) / half.max_element();
        let scale = super::reference::words::Field::scale_of(px, half.as_vec2());
        let size = (2.0 * (half.as_vec2().as_dvec2() + 0.12) * scale).ceil().as_uvec2();
        let place = |p: &DVec2| (*p - 0.5 * (low + high)) * unit * scale + 0.5 * size.as_dvec2();
        let parts: Vec<Vec<DVec2>> = self.parts.iter().map(|part| part.iter().map(place).collect()).collect();
        let border = border(&parts, self.is_odd);
        let texel = |at: u32| {
            let p = DVec2::new(f64::from(at % size.x), f64::from(at / size.x)) + 0.5;
            let least = border.iter().map(|edge| to_edge(p, *edge)).fold(f64::MAX, f64::min);
            if fills(&parts, self.is_odd, p) { -least as f32 } else { least as f32 }
        };
        (0..size.element_product()).map(texel).collect()
    }
}

/// Edges cut where they cross others, with the region on one side alone.
fn border(parts: &[Vec<DVec2>], is_odd: bool) -> Vec<[DVec2; 2]> {
    let edges: Vec<[DVec2; 2]> =
        parts.iter().flat_map(|part| part.iter().zip(part.iter().cycle().skip(1)).map(|(a, b)| [*a, *b])).collect();
    let mut border = Vec::new();
    for [a, b] in edges.iter().filter(|[a, b]| a != b) {
        let along = *b - *a;
        let mut cuts = vec![0.0, 1.0];
        for [c, d] in &edges {
            let (to, other) = (*c - *a, *d - *c);
            let across = along.perp_dot(other);
            let (t, u) = (to.perp_dot(other) / across, to.perp_dot(along) / across);
            if across != 0.0 && (0.0..=1.0).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&u) {
                cuts.push(t);
            }
            // Edges on one line are cut at each other's ends.
            for end in [c, d] {
                let part = (*end - *a).dot(along) / along.length_squared();
                if (0.0..=1.0).contains(&part) && (*a + along * part - *end).length() < 1e-9 {
                    cuts.push(part);
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        for ends in cuts.windows(2).filter(|ends| ends[1] - ends[0] > 1e-9) {
            let [from, to] = [ends[0], ends[1]].map(|t| *a + along * t);
            let side = along.perp().normalize() * 1e-6;
            let middle = 0.5 * (from + to);
            if fills(parts, is_odd, middle + side) != fills(parts, is_odd, middle - side) {
                border.push([from, to]);
            }
        }
    }
    border
}

impl Reference for PathOracle {
    const NAME: &'static str = "fields of paths";
    type Input = PathCase;
    type Output = Vec<f32>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<PathCase>> {
        let half = if effort == Effort::Full { 60.0 } else { 19.0 };
        let case =
            |(name, text, parts, is_odd): (&str, String, _, _)| Case::new(name, PathCase { text, parts, is_odd, half });
        cases_of_data().into_iter().map(case).collect()
    }

    fn cpu(case: &PathCase) -> Vec<f32> {
        case.field()
    }

    fn gpu(bench: &mut TestBench, case: &PathCase) -> anyhow::Result<Vec<f32>> {
        let path = ShortText::from(&*case.text);
        let outline = LensOutline { path, ..LensOutline::default() }.sized(Vec2::splat(case.half));
        let own = scene::Lens { outline, ..Default::default() };
        let lens = outline_of(&own, 1.0);
        anyhow::ensure!(lens.letters.is_some(), "no outline: {:?}", problem_of(&own));
        let lenses = Lenses { lens: vec![lens], melt: 0.0 };
        let mut fields = Fields::new(bench.gpu());
        let made = bench.run(|frame| fields.record(frame, lenses.lens.iter()))?;
        Ok(bench.read_buffer(&made)?)
    }

    fn agree(case: &PathCase, cpu: &Vec<f32>, gpu: &Vec<f32>) -> Verdict {
        if cpu.len() != gpu.len() {
            return Verdict::that(false, format!("{} texels; expected {}", gpu.len(), cpu.len()));
        }
        // On the border the sign is as it rounds.
        let sided = |d: &[f32]| d.iter().map(|d| if d.abs() < 1e-3 { 0.0 } else { *d }).collect::<Vec<_>>();
        // Derived: chords are within 1e-5 of half the side, at most 136 texels: 1.4e-3 of a texel each. The rest rounds places
        // in f32, 136 x 2^-24, a few times a distance.
        let mut most = [1e-3, 2e-3, 4e-3];
        if case.has_arcs() {
            // Arcs are cubic curves of a quarter turn at most, off by 2.73e-4 of the radius: half the side, 2.26 texels
            // a pixel.
            let texels = 2.26 * f64::from(case.half);
            most = most.map(|bound| bound + 2.8e-4 * texels);
        }
        Verdict::within("distance, texels", &Errors::between(&sided(cpu), &sided(gpu)), most)
    }
}
