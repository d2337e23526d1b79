//! Tests of cross-sections: Snell's law, looks as the reference takes them, surfaces of awkward outlines.

use super::cross_section::{CrossSection, RayPencil};
use super::lens::Below;
use super::outline::coverage;
use super::picture::{Level, Picture, encoded_from_linear};
use super::{Glass, GlassScene};
use crate::{Blur, GlassSettings, Mode, OpticsModel, Preset};
use base::settings::ShortText;
use glam::{DVec2, UVec2, Vec2, Vec3};
use scene::{Lens, LensOutline, Shape};
use std::sync::LazyLock;

const SIDE: u32 = 512;

struct Case {
    name: String,
    settings: GlassSettings,
    lenses: Vec<Lens>,
}

impl Case {
    fn new(name: &str, settings: GlassSettings, lenses: Vec<Lens>) -> Case {
        Case { name: name.into(), settings, lenses }
    }

    fn glass(&self) -> Glass {
        Glass::new(&GlassScene::new(&self.settings, &self.lenses, 1.0))
    }

    fn pencil(&self) -> RayPencil {
        RayPencil::new(&self.settings, &self.lenses, 1.0)
    }

    fn pixels(&self) -> Vec<Vec2> {
        let grid = (0..17 * 17).map(|at| Vec2::new((at % 17 * 30) as f32 + 4.5, (at / 17 * 30) as f32 + 6.5));
        let row = (0..SIDE).step_by(3).map(|x| Vec2::new(x as f32 + 0.5, 257.5));
        grid.chain(row).collect()
    }

    fn sections(&self) -> Vec<CrossSection> {
        let pencil = self.pencil();
        self.pixels().into_iter().filter_map(|at| pencil.at(at)).collect()
    }
}

fn shaped(shape: Shape, half: [f32; 2], angle: f32) -> Lens {
    let angle = angle.to_degrees();
    let outline = LensOutline { shape, exponent: 2.0, radius: 24.0, angle, ..LensOutline::default() };
    Lens { center: Vec2::new(251.3, 258.8), outline: outline.sized(Vec2::from(half)), ..Lens::default() }
}

/// A small bevel: what it shows is inside the window.
fn base() -> GlassSettings {
    let (bevel_width, bevel_height) = (30.0, 34.0);
    GlassSettings { bevel_width, bevel_height, gap: 40.0, half_width: 120.0, half_height: 84.0, ..Default::default() }
}

fn awkward_outlines() -> Vec<Case> {
    let text = ShortText::from("Aa");
    let plain = shaped(Shape::Superellipse, [170.0, 110.0], 0.3);
    let words = Lens { outline: LensOutline { text, weight: 0.06, ..plain.outline }, ..plain };
    let strained = Lens { strain: Vec2::new(0.2, -0.15), ..shaped(Shape::Superellipse, [130.0, 70.0], 1.1) };
    let near = Lens { center: Vec2::new(160.0, 250.0), ..shaped(Shape::Superellipse, [60.0, 60.0], 0.0) };
    let other = Lens { center: Vec2::new(300.0, 262.0), ..shaped(Shape::Rounded, [75.0, 50.0], 0.4) };
    vec![
        Case::new("pill", base(), vec![shaped(Shape::Capsule, [140.0, 40.0], 0.0)]),
        Case::new("turned pill", base(), vec![shaped(Shape::Capsule, [140.0, 40.0], -0.7)]),
        Case::new("rounded", base(), vec![shaped(Shape::Rounded, [110.0, 80.0], 0.5)]),
        Case::new("strained", base(), vec![strained]),
        Case::new("melted", GlassSettings { melt: 45.0, ..base() }, vec![near, other]),
        Case::new("words", base(), vec![words]),
        Case::new("tiny", base(), vec![shaped(Shape::Superellipse, [6.0, 4.0], 0.2)]),
    ]
}

fn materials() -> Vec<Case> {
    let lens = || vec![shaped(Shape::Superellipse, [120.0, 84.0], 0.2)];
    // The system's glass has no rays.
    let of_snell = |(_, settings): &(Preset, GlassSettings)| settings.optics == OpticsModel::Snell;
    let mut cases: Vec<Case> = Preset::ALL
        .iter()
        .map(|&preset| (preset, base().styled(preset)))
        .filter(of_snell)
        .map(|(preset, settings)| {
            let placed = settings.placed(Vec2::splat(256.0)).scaled(0.6);
            Case::new(preset.name(), settings, vec![placed])
        })
        .collect();
    let mut add = |name: &str, settings| cases.push(Case::new(name, settings, lens()));
    add("no thickness", GlassSettings { bevel_height: 0.0, ..base() });
    add("no gap", GlassSettings { gap: 0.0, ..base() });
    add("nothing", GlassSettings { gap: 0.0, bevel_height: 0.0, ..base() });
    add("one look", GlassSettings { taps: 1, ..base() });
    add("air", GlassSettings { ior: 1.0, ..base() });
    add("densest", GlassSettings { ior: 2.5, abbe: 1.0, taps: 16, ..base() });
    add("wide bevel", GlassSettings { bevel_width: 400.0, bevel_height: 400.0, gap: 0.0, ..base() });
    add("narrow bevel", GlassSettings { bevel_width: 1.0, ..base() });
    add("enlarged", GlassSettings { magnify: 1.6, ..base() });
    add("made smaller", GlassSettings { magnify: 0.7, ..base() });
    add("calm", GlassSettings { reduced_transparency: true, ..base() });
    cases
}

/// Of all cases, each once for all tests: a section takes milliseconds.
static SECTIONS: LazyLock<Vec<(Case, Vec<CrossSection>)>> = LazyLock::new(|| {
    let with_sections = |case: Case| {
        let sections = case.sections();
        assert!(sections.len() > 3, "{}: {} pixels", case.name, sections.len());
        (case, sections)
    };
    awkward_outlines().into_iter().chain(materials()).map(with_sections).collect()
});

fn cross(a: DVec2, b: DVec2) -> f64 {
    a.perp_dot(b).abs()
}

#[test]
fn rays_obey_snells_law_and_go_straight_on() {
    for (case, sections) in SECTIONS.iter() {
        for section in sections {
            let told = || format!("{}: {section:?}", case.name);
            let point = &section.point;
            assert!((point.normal.length() - 1.0).abs() < 1e-12 && point.normal.y > 0.0, "{}", told());
            // The slope falls outwards, against x.
            assert!((point.normal.x / point.normal.y + point.slope).abs() < 1e-9, "{}", told());
            let entry = cross(point.normal, DVec2::Y);
            assert!((point.incidence.sin() - entry).abs() < 1e-12, "{}", told());
            for ray in &section.rays {
                let inside = cross(point.normal, ray.direction);
                assert!((ray.direction.length() - 1.0).abs() < 1e-12 && ray.direction.y < 0.0, "{}", told());
                assert!((entry - ray.index * inside).abs() < 1e-12, "{}", told());
                assert!((ray.refraction - inside.asin()).abs() < 1e-6, "{}", told());
                let way = ray.from.y / -ray.direction.y;
                let landing = ray.from + way * ray.direction;
                assert!(landing.y.abs() < 1e-9 && (landing.x - ray.landing).abs() < 1e-9, "{}", told());
            }
            let [red, green, blue] = section.rays.map(|ray| ray.index);
            assert!((red + blue - 2.0 * green).abs() < 1e-12 && red <= green, "{}", told());
        }
    }
}

/// A ramp: what a look reads is its place. Every blur keeps a ramp.
#[test]
fn the_reference_shows_what_the_looks_say() {
    const SLOPE: f32 = 0.8 / SIDE as f32;
    let ramp = |v: f32| 0.1 + SLOPE * v;
    let picture = |axis: usize| {
        let texel = |at: u32| {
            let place = Vec2::new((at % SIDE) as f32 + 0.5, (at / SIDE) as f32 + 0.5);
            encoded_from_linear(Vec3::splat(ramp(place[axis])))
        };
        Picture::new(Level { size: UVec2::splat(SIDE), texels: (0..SIDE * SIDE).map(texel).collect() })
    };
    let pictures = [picture(0), picture(1)];
    let blurs = Blur::ALL.iter().map(|&blur| {
        let lens = shaped(Shape::Superellipse, [120.0, 84.0], 0.2);
        Case::new(blur.name(), GlassSettings { frost: 3.0, blur, ..base() }, vec![lens])
    });
    let mut compared = 0;
    for case in
        awkward_outlines().into_iter().chain(materials().into_iter().filter(|case| case.name != "calm")).chain(blurs)
    {
        let (rim, gloss, caustic, mirror, adaptive) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let (saturation, tint_part, body) = (1.0, 0.0, [1.0; 3]);
        let base = case.settings.clone();
        let settings = GlassSettings { rim, gloss, caustic, mirror, adaptive, saturation, tint_part, body, ..base };
        let case = Case { settings, ..case };
        let glass = case.glass();
        let below = [0, 1].map(|axis| Below::new(&pictures[axis], &glass));
        for section in case.sections().into_iter().step_by(2) {
            let margin = 4.0 * section.blur.sigma + section.blur.level.ceil().exp2() * 2.0;
            let room = margin..f64::from(SIDE) - margin;
            if !section.taps.iter().all(|tap| room.contains(&tap.at.x) && room.contains(&tap.at.y)) {
                continue;
            }
            compared += 1;
            let frag = section.at.as_vec2();
            let e = glass.edge(frag);
            for (axis, below) in below.iter().enumerate() {
                let shown = below.inside(&glass, frag, &e);
                for color in 0..3 {
                    let place: f64 = section.taps.iter().map(|tap| tap.weights[color] * tap.at[axis]).sum();
                    let shown = f64::from((shown[color] - 0.1) / SLOPE);
                    assert!((shown - place).abs() < 0.04, "{}: {shown} {place} {section:?}", case.name);
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn there_is_a_section_where_there_is_glass() {
    for (case, sections) in SECTIONS.iter() {
        let glass = case.glass();
        let mut sections = sections.iter().map(|section| section.at.as_vec2()).peekable();
        for at in case.pixels() {
            let is_glass = coverage(glass.edge(at).d) > 0.0;
            assert_eq!(sections.next_if_eq(&at).is_some(), is_glass, "{} at {at}", case.name);
        }
    }
    let lens = [shaped(Shape::Capsule, [80.0, 40.0], 0.0)];
    let middle = lens[0].center;
    let at = |settings: &GlassSettings, lenses: &[Lens], at| RayPencil::new(settings, lenses, 1.0).at(at);
    assert!(at(&base(), &lens, middle).is_some());
    assert!(at(&base(), &[], middle).is_none());
    assert!(at(&base(), &lens, Vec2::NAN).is_none());
    assert!(at(&GlassSettings { mode: Mode::Source, ..base() }, &lens, middle).is_none());
}

fn height_at(section: &CrossSection, x: f64) -> Option<f64> {
    let pairs = section.bodies.iter().flat_map(|body| body.surface.windows(2));
    let mut pairs = pairs.filter(|pair| pair[0].x <= x && x <= pair[1].x && pair[0].x < pair[1].x);
    pairs.next().map(|pair| pair[0].lerp(pair[1], (x - pair[0].x) / (pair[1].x - pair[0].x)).y)
}

#[test]
fn surfaces_are_whole_and_hold_the_pixel() {
    for (case, sections) in SECTIONS.iter() {
        let glass = case.glass();
        let is_exact = matches!(case.name.as_str(), "pill" | "turned pill");
        for section in sections {
            let told = || format!("{}: {section:?}", case.name);
            let (gap, top) = (section.gap, section.gap + glass.optics.height + 1e-9);
            let mut last = f64::MIN;
            for body in &section.bodies {
                assert!(body.surface.iter().all(|place| (gap - 1e-9..=top).contains(&place.y)), "{}", told());
                assert!(body.surface.is_sorted_by(|a, b| a.x <= b.x) && body.surface[0].x >= last, "{}", told());
                last = body.surface[body.surface.len() - 1].x;
                let ends = [body.surface.first(), body.surface.last()];
                for end in ends.into_iter().zip(body.ends_at_edge).filter_map(|(end, is_edge)| end.filter(|_| is_edge))
                {
                    let d = glass.edge((section.at + section.along * end.x).as_vec2()).d;
                    assert!(end.y == gap && d.abs() < 1e-3, "{d}: {}", told());
                }
            }
            if section.point.inside > 2.0 {
                let place = section.point.place;
                let height = height_at(section, place.x).unwrap_or(f64::NAN);
                assert!((height - place.y).abs() < 0.02 * (1.0 + glass.optics.height), "{height}: {}", told());
                let [before, after] = [-0.8, 0.8].map(|by| height_at(section, place.x + by).unwrap_or(f64::NAN));
                let rise = (after - before) / 1.6;
                let bound = 0.06 + 0.06 * section.point.slope;
                assert!(!is_exact || (rise - section.point.slope).abs() < bound, "{rise}: {}", told());
            }
        }
    }
}
