//! Glass over a pixel, and its final value, in its story.

use super::reference::{
    Glass, GlassScene,
    blur::lod_from_sigma,
    cross_section::RayPencil,
    lens::Below,
    optics::{Row, SHARP_SIGMA, Sight},
    outline::{Edge, band, coverage},
    picture::{Level, Picture},
    source,
};
use super::replay::section_figure;
use crate::PassSettings as _;
use crate::passes::stack::{GlassStack, LensBody};
use crate::settings::{Blur, GLOW, GlassSettings, LightFrom, Mode, SceneLight, by_container};
use glam::{DVec2, UVec2, Vec2, Vec3};
use media::array::Array;
use scene::Press;
use serde_json::{Value, json};
use technique::{
    Clause, Fact, FrameContext, Output, Step, StepInfo, StoryLine, StoryPixel, Texel, all_numbers, size_of_array,
};

/// Steps of 1/255, as in the checks for 99 of 100 pixels.
const OF_PICTURE: f64 = 0.0;
pub const OF_SOURCE: f64 = 2.0;
const OF_LENS: f64 = 4.0;
/// Added by the pre-blur, which the reference replaces by a Gaussian.
const OF_PREBLUR: f64 = 2.6;

const LENS: &[&str] = &["lens", "source"];
const BLUR: &[&str] = &["preblur_rows", "preblur_columns", "halve", "kawase_down", "kawase_up"];

pub const STEPS: &[StepInfo] = &[
    StepInfo::new("lens", Clause::Glass, &["luminance_adaptation", "lens", "source"])
        .lines(&["Edge lens_edge(", "Layers layers("])
        .picture("picture"),
    StepInfo::new("refraction", Clause::Glass, LENS)
        .off("glass.bevel_height=0")
        .lines(&["vec3 refracted_background(", "Layers layers("]),
    StepInfo::new("frost", Clause::Glass, BLUR).off("glass.frost=0").lines(&[
        "sum += (textureLod(source, uv + off",
        "vec3 read(vec2 uv)",
        "vec3 sum = textureLod(source, uv + h",
    ]),
    StepInfo::new("final value", Clause::Glass, LENS).lines(&["vec3 finished(", "Layers layers("]),
];

pub fn evidence(brightness: Option<Output>, context: &FrameContext) -> Vec<(&'static str, Output)> {
    let brightness = brightness.map(|output| ("brightness", output));
    [("picture", (&context.picture).into())].into_iter().chain(brightness).collect()
}

pub type Conditions = (Option<SceneLight>, Option<Press>);

/// Where green light comes from, if one glass is over the pixel.
pub fn looks_at(conditions: Conditions, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Option<[u32; 2]> {
    let stack = stack_of(settings, pixel);
    let [LensBody { settings, .. }] = stack.bodies() else { return None };
    if settings.mode == Mode::Source {
        return None;
    }
    let scene = scene(conditions, settings, pixel);
    let (plan, frag) = (Glass::new(&scene), middle(pixel));
    let edge = plan.edge(frag);
    if coverage(edge.d) == 0.0 {
        return None;
    }
    let [_, green, _] = Bent::of(&plan, &edge, frag).colors;
    let size = pixel.context.picture.size().map(|side| f64::from(side.max(1)));
    Some([0, 1].map(|axis| green[axis].clamp(0.0, size[axis] - 1.0) as u32))
}

fn middle(pixel: &StoryPixel<'_>) -> Vec2 {
    UVec2::from_array(pixel.at).as_vec2() + 0.5
}

pub fn explain(conditions: Conditions, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
    let Some(array) = pixel.array("picture") else { return Vec::new() };
    let (Some(below), Some(shown)) = (pixel.texel("picture"), pixel.shown()) else { return Vec::new() };
    let frag = middle(pixel);
    let Some(first) = pixel.context.lenses.first() else { return vec![final_value(&shown, &below, None)] };
    let Some(picture) = picture_of(array) else { return Vec::new() };
    let stack = stack_of(settings, pixel);
    let [LensBody { settings, .. }] = stack.bodies() else {
        let note =
            "Lenses of different glass are in this frame; the steps of a pixel are told where all have the same.";
        let facts = vec![Fact::texel("picture below the glass", &below, 3), Fact::texel("value", &shown, 3)];
        return vec![Step::new("final value", facts).note(note)];
    };
    if settings.mode == Mode::Source {
        let value = source::shade(&picture, frag, first.center, settings.source_blur()).map(|color| (color, OF_SOURCE));
        return vec![final_value(&shown, &below, value)];
    }
    let scene = scene(conditions, settings, pixel);
    let plan = Glass::new(&scene);
    let edge = plan.edge(frag);
    let mut steps = vec![lens(&plan, &edge, frag)];
    if coverage(edge.d) > 0.0 {
        let section = RayPencil::new(settings, &pixel.context.lenses, pixel.context.scale).at(frag);
        let figure = section.map(|section| section_figure(&section));
        steps.push(Step { figure, ..Bent::of(&plan, &edge, frag).step(&plan, frag) });
        steps.push(frost(settings, &plan, &edge));
    }
    let bound = of_lens(&plan);
    // The frame's chain may have another filter than the reference's.
    let value = Below::new(&picture, &plan).shade(&plan, frag).map(|color| (color, bound));
    let last = final_value(&shown, &below, value);
    steps.push(match (pixel.context.chain_is_tent, value) {
        (false, Some(_)) => {
            last.note("The reference implementation reads levels of the tent filter, this frame has others.")
        }
        (true, Some(_)) => {
            last.note("Where the bevel squeezes a hard edge, one pixel in a hundred may differ by more than the bound.")
        }
        _ => last,
    });
    steps
}

pub fn of_lens(glass: &Glass) -> f64 {
    if glass.frost > SHARP_SIGMA && glass.blur == Blur::Preblur { OF_LENS + OF_PREBLUR } else { OF_LENS }
}

pub fn picture_of(array: &Array) -> Option<Picture> {
    let size = UVec2::from_array(size_of_array(array)?);
    let numbers = all_numbers(array);
    let texel = |c: &[f64; 4]| Vec3::from_array([0, 1, 2].map(|at| c[at] as f32 / 255.0));
    let texels: Vec<Vec3> = numbers.as_chunks::<4>().0.iter().map(texel).collect();
    (texels.len() as u32 == size.element_product()).then(|| Picture::new(Level { size, texels }))
}

pub fn stack_of(settings: &GlassSettings, pixel: &StoryPixel<'_>) -> GlassStack {
    let context = pixel.context;
    GlassStack::new(settings, &context.lenses, context.scale, context.picture.size())
}

pub fn scene((light, press): Conditions, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> GlassScene {
    let states = pixel.array("brightness").map(all_numbers).unwrap_or_default();
    let mut bright = vec![0.5; pixel.context.lenses.len()];
    for ((at, _), [_, _, own, _]) in by_container(&pixel.context.lenses).into_iter().zip(states.as_chunks::<4>().0) {
        bright[at] = *own as f32;
    }
    let light = light.filter(|_| settings.light == LightFrom::Scene);
    let press = press.map(|press| Press { strength: press.strength * GLOW, ..press });
    GlassScene { bright, light, press, ..GlassScene::new(settings, &pixel.context.lenses, pixel.context.scale) }
}

fn place(at: DVec2) -> [f64; 2] {
    at.to_array()
}

fn lens(glass: &Glass, edge: &Edge, frag: Vec2) -> Step {
    let distance = |lens: &super::reference::outline::Lens| lens.edge(frag.as_dvec2(), glass.magnify).d;
    let all = glass.lenses.iter().map(distance).enumerate();
    let nearest = all.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(index, _)| index);
    let is_shadowed = glass.dropped(frag).d < 3.0 * f64::from(glass.light.shadow.sigma);
    let region = match edge.d {
        d if coverage(d) == 0.0 && is_shadowed => "shadow",
        d if coverage(d) == 0.0 => "outside",
        d if band(d, glass.light.rim_width.into()) > 0.0 => "rim",
        d if -d >= edge.bevel + 0.5 => "face",
        _ => "bevel",
    };
    let facts = vec![
        Fact::cpu("nearest lens", nearest),
        Fact::cpu("region", region),
        Fact::cpu_numbers("distance to the edge, px (negative inside)", &[edge.d]),
        Fact::cpu_numbers("direction outwards", &place(edge.n)),
        Fact::cpu_numbers("width of the bevel, px", &[edge.bevel]),
        Fact::cpu_numbers("part of the pixel that is glass", &[coverage(edge.d).into()]),
    ];
    let summary = match region {
        "outside" => String::new(),
        "shadow" => "dimmed by the lens beside it".to_owned(),
        _ => format!("seen through the {region} of the glass"),
    };
    Step::new("lens", facts).summary(summary)
}

/// The ways of the light that a pixel of the glass shows.
struct Bent {
    /// Where red, green and blue come from, in their mean.
    colors: [DVec2; 3],
    /// `None` on the face, which is flat.
    row: Option<(Sight, Row)>,
    base: DVec2,
    n: DVec2,
}

impl Bent {
    fn of(glass: &Glass, edge: &Edge, frag: Vec2) -> Self {
        let base = frag.as_dvec2() + edge.pull;
        if Glass::is_face(edge) {
            return Self { colors: [base; 3], row: None, base, n: DVec2::ZERO };
        }
        let (sight, n) = glass.sight(edge);
        let row = glass.row(edge, &sight);
        let mean = |c: usize| {
            let weights = row.looks.iter().map(|(x, weight)| (*x, f64::from(weight[c])));
            let (sum, all) = weights.fold((0.0, 0.0), |(sum, all), (x, weight)| (sum + x * weight, all + weight));
            if all > 0.0 { sum / all } else { 0.0 }
        };
        let colors = [0, 1, 2].map(|c| base - n * (sight.offset + mean(c)));
        Self { colors, row: Some((sight, row)), base, n }
    }

    fn step(&self, glass: &Glass, frag: Vec2) -> Step {
        let names = ["red from", "green from", "blue from"].into_iter().zip(self.colors);
        let colors = names.map(|(name, at)| Fact::cpu_numbers(name, &place(at)));
        let [_, green, _] = self.colors;
        let summary = match green.distance(frag.as_dvec2()) {
            bent if bent < 0.5 => "not bent".to_owned(),
            bent => format!("bent by {bent:.0} px"),
        };
        let Some((sight, row)) = &self.row else {
            let step = Step::new("refraction", colors.collect()).summary(summary).at(Some(place(green)));
            return step.note("The face is flat: the ray goes straight down.");
        };
        let at = |x: f64| self.base - self.n * (sight.offset + x);
        let mut facts = vec![
            Fact::cpu_numbers("height of the surface, px", &[glass.optics.height * sight.surface.h]),
            Fact::cpu_numbers("slope", &[sight.surface.s]),
            Fact::cpu_numbers("way inwards, px", &[sight.offset]),
            Fact::cpu_numbers("pixels of the picture across it", &[sight.stretch]),
        ];
        facts.extend(colors);
        let look =
            |(x, weight): &(f64, Vec3)| json!({ "at": place(at(*x)), "weights": weight.to_array().map(f64::from) });
        let looks: Vec<Value> = row.looks.iter().map(look).collect();
        let most = row.looks.iter().fold(0.0_f32, |most, (_, weight)| most.max(weight.max_element())).max(1e-6);
        let line = |(x, weight): &(f64, Vec3)| StoryLine {
            from: place(frag.as_dvec2()),
            to: place(at(*x)),
            color: (*weight / most * 255.0).to_array().map(|c| c.clamp(0.0, 255.0) as u8),
        };
        let lines = row.looks.iter().filter(|(_, weight)| weight.max_element() > 0.0).map(line).collect();
        let text = format!("{} of red, green and blue along the direction of the edge", looks.len());
        facts.push(Fact::cpu("taps", looks).said(text));
        Step::new("refraction", facts).lines(lines).summary(summary).at(Some(place(green)))
    }
}

fn frost(settings: &GlassSettings, glass: &Glass, edge: &Edge) -> Step {
    let extra = if Glass::is_face(edge) {
        0.0
    } else {
        let (sight, _) = glass.sight(edge);
        glass.row(edge, &sight).extra
    };
    let sigma = glass.frost.hypot(extra);
    let method = if glass.frost <= SHARP_SIGMA { "one trilinear tap" } else { settings.blur.name() };
    let facts = vec![
        Fact::cpu_numbers("frost, px", &[glass.frost]),
        Fact::cpu_numbers("blur by the bevel, px", &[extra]),
        Fact::cpu("method", method),
        Fact::cpu_numbers("mip level", &[lod_from_sigma(sigma as f32).into()]),
    ];
    let summary = if sigma > SHARP_SIGMA { format!("blurred over {sigma:.0} px") } else { String::new() };
    Step::new("frost", facts).summary(summary)
}

/// Encoded colour and its bound.
fn final_value(shown: &Texel, below: &Texel, expected: Option<(Vec3, f64)>) -> Step {
    let (cpu, bound) = match expected {
        Some((color, bound)) => {
            (color.clamp(Vec3::ZERO, Vec3::ONE).to_array().map(|c| (f64::from(c) * 255.0).round()), bound)
        }
        None => (below.color(), OF_PICTURE),
    };
    let value = Fact::texel("value", shown, 3).against(&cpu, bound);
    Step::new("final value", vec![Fact::texel("picture below the glass", below, 3), value])
}
