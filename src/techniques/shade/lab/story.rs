//! Material, light and tone of a pixel, in its story.

use super::reference::{
    kinds::{PixelShading, shaded, shaded_parts},
    light::Surroundings,
    map::Sky,
    sky,
    sky_picture::{MAP_SPREAD, picture_radiance},
    tone::{grain, toned},
};
use crate::{
    Shade, ShadeSettings,
    frame::{ChoicesBlock, SceneBlock},
    passes::{
        shading::{LIST, RASTER},
        tone::TONE,
    },
    views::KINDS,
};
use glam::Vec3;
use scene::world::{IN_SUN, MaterialKind, World};
use serde_json::json;
use technique::{
    Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel, StoryPoint, Texel, all_words,
};

/// Relative bound, at least of a tenth of white paper's light. At edges of patterns rounding may pick the other side.
const OF_LIGHT: f64 = 0.02;
const LEAST: f64 = 0.1;
/// In steps of 1/255: half a step of rounding, and the curve's.
const OF_TONE: f64 = 0.75;

/// Above, the light of a metal's surface hardly counts beside what it mirrors.
const SMOOTH: f32 = 0.3;

impl Explains for Shade {
    const STEPS: &'static [StepInfo] = &[
        StepInfo::new("material", Clause::Light, &[]).lines(&["float sun_seen("]),
        StepInfo::new("light before mirrors", Clause::Light, &[]).picture("before mirrors"),
        StepInfo::new("light", Clause::Light, &["sky light", "sky map", "sky mirrors"]),
        StepInfo::new("exposure and tone", Clause::Light, &["tone", "enlarge"])
            .lines(&["vec3 curved(", "vec3 enlarged("]),
    ];

    fn points() -> Vec<StoryPoint> {
        let mut shading: Vec<String> = [LIST, RASTER].map(String::from).into();
        shading.extend(KINDS.iter().flat_map(|(_, name)| [LIST.part(name), RASTER.part(name)]));
        let mut writers = shading.clone();
        writers.push("shade/background".into());
        vec![
            StoryPoint::of("before mirrors", &writers, "hdr"),
            StoryPoint::of("scene", &writers, "scene"),
            StoryPoint::of("choices", &shading, "choices"),
            StoryPoint::of("mirrors", &shading, "mirrors"),
            StoryPoint::of("exposed", &[TONE.into()], "hdr"),
        ]
    }

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let Some(world) = &context.world else { return Vec::new() };
        let images = [
            ("ids", &world.ids),
            ("shadow", &world.shadow.depth),
            ("light", &world.light),
            ("picture", &context.picture),
        ];
        images.map(|(name, image)| (name, image.into())).into()
    }

    fn explain(&self, settings: &ShadeSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let (Some(drawn), Some(ids)) = (pixel.context.world.as_ref(), pixel.texel("ids")) else { return Vec::new() };
        let world = &drawn.resident.world;
        let id = world.triangle_of(ids.numbers[0] as u32).map(|_| ids.numbers[0] as u32);
        let mut steps = Vec::new();
        match (block::<SceneBlock>(pixel, "scene"), block::<ChoicesBlock>(pixel, "choices")) {
            (Some(scene), Some(choices)) => {
                let (sky, shadow) = (around(self, &scene), pixel.array("shadow").map(all_words).unwrap_or_default());
                let shadow: Vec<f32> = shadow.into_iter().map(f32::from_bits).collect();
                let is_whole = shadow.len() as f32 == scene.shadow_side * scene.shadow_side;
                let shadow = if is_whole { shadow.as_slice() } else { &[] };
                let around = Surroundings { weight: choices.weight, world, scene: &scene, sky: &sky, shadow };
                let is_mirror = is_mirror(pixel, choices.apart != 0);
                let shown = |id| material(world, id, &shaded_parts(&around, id, ids.at), is_mirror, pixel);
                steps.extend(id.map(shown));
                let is_void = ids.numbers[0] == 0.0;
                let light = match id {
                    Some(id) => Some(shaded(&around, id, ids.at)),
                    None if is_void => Some(background(self, &scene, ids.at)),
                    None => None,
                };
                steps.extend(light_step(pixel, &scene, is_mirror && !is_void, light));
            }
            _ => steps.push(Step::new("light before mirrors", vec![]).note("The world was not shaded in this frame.")),
        }
        steps.extend(pixel.texel("light").map(|light| Step::new("light", vec![Fact::texel("light", &light, 3)])));
        steps.extend(tone_step(self, settings, pixel));
        steps
    }
}

fn around(shade: &Shade, scene: &SceneBlock) -> Sky {
    match shade.sky.picture() {
        Some(picture) => Sky::of(|d| picture_radiance(&picture.levels, d, MAP_SPREAD)),
        None => Sky::new(scene),
    }
}

fn block<T: bytemuck::AnyBitPattern>(pixel: &StoryPixel<'_>, name: &'static str) -> Option<T> {
    pixel.array(name)?.bytes.get(..size_of::<T>()).map(bytemuck::pod_read_unaligned)
}

fn background(shade: &Shade, scene: &SceneBlock, at: [u32; 2]) -> Vec3 {
    let ray = scene.ray(at);
    match shade.sky.picture() {
        Some(picture) => picture_radiance(&picture.levels, ray.normalize(), scene.ray_right.length()),
        None => sky::background(scene, ray.normalize()),
    }
}

fn numbers(light: Vec3) -> [f64; 3] {
    light.to_array().map(f64::from)
}

fn is_mirror(pixel: &StoryPixel<'_>, apart: bool) -> bool {
    apart && pixel.texel("mirrors").is_some_and(|mirror| mirror.numbers[0] > 0.0)
}

/// The pass that shades its kind, or all kinds.
fn shading_pass(kind: &str, pixel: &StoryPixel<'_>) -> Vec<String> {
    let own = [LIST.part(kind), RASTER.part(kind), LIST.into(), RASTER.into()];
    own.into_iter().find(|name| pixel.texels.passes.contains(name)).into_iter().collect()
}

fn material(world: &World, id: u32, parts: &PixelShading, is_mirror: bool, pixel: &StoryPixel<'_>) -> Step {
    let number = parts.surface.material;
    let kind = MaterialKind::ALL.get(parts.kind as usize).and_then(|kind| KINDS.get(*kind as usize));
    let name = kind.map_or("unknown", |(_, name)| *name);
    let direct = numbers(parts.direct);
    let facts = vec![
        Fact::cpu("material", json!({ "number": number, "kind": name })).said(format!("{number}, {name}")),
        Fact::cpu_numbers("metallic", &[world.materials[number as usize].metallic.into()]),
        Fact::cpu_numbers("albedo", &numbers(parts.albedo)),
        Fact::cpu_numbers("roughness", &[parts.roughness.into()]),
        Fact::cpu_numbers("normal", &numbers(parts.normal)),
        Fact::cpu_numbers("position, m", &numbers(parts.surface.position)),
        Fact::cpu_numbers("texture coordinates", &parts.surface.uv[0].to_array().map(f64::from)),
        Fact::cpu_numbers("part of the sun that is seen", &[parts.light.open.into()]),
        Fact::cpu_numbers("part of the sky that is seen", &[parts.light.sky.into()]),
        Fact::cpu_numbers("light of the sun", &direct),
        Fact::cpu_numbers("all other light", &numbers(parts.radiance - parts.direct)),
    ];
    let metallic = world.materials[number as usize].metallic;
    let at = parts.surface.position;
    let toward = pixel.context.world.as_ref().map_or(Vec3::Y, |drawn| drawn.sun);
    let lit = || world.sunlight(id, at, parts.surface.normal, toward);
    let sun = match parts.light.open {
        // What it mirrors is said in place of it.
        _ if metallic >= 0.5 && parts.roughness < SMOOTH => {
            if is_mirror {
                String::new()
            } else {
                "reflects the sky alone".into()
            }
        }
        open if open < 1.0 => match (open <= 0.0, lit()) {
            (true, lit) if lit == IN_SUN => "in shadow".into(),
            (true, shadow) => shadow,
            (false, lit) if lit == IN_SUN => "at the edge of a shadow".into(),
            (false, shadow) => shadow.replacen("in ", "at the edge of ", 1),
        },
        _ => IN_SUN.into(),
    };
    Step { passes: shading_pass(name, pixel), ..Step::new("material", facts) }
        .summary(sun)
        .note("By the reference implementation; light is that which leaves the surface, before haze.")
}

fn light_step(pixel: &StoryPixel<'_>, scene: &SceneBlock, is_mirror: bool, expected: Option<Vec3>) -> Option<Step> {
    let light = pixel.texel("before mirrors")?;
    let fact = Fact::texel("light", &light, 3);
    let step = |fact: Fact| Step::new("light before mirrors", vec![fact]);
    Some(match expected {
        _ if is_mirror => step(fact).note(
            "What the mirror shows is traced, and is not in it; the reference implementation has the sky in its place, so that both are \
             not compared.",
        ),
        Some(expected) => {
            let least = LEAST * f64::from(scene.white);
            let bound = OF_LIGHT * f64::from(expected.max_element()).max(least);
            step(fact.against(&numbers(expected), bound))
                .note("Bound: 2 % of the light, or of a tenth of white paper's. At edges of patterns and shadows rounding may decide.")
        }
        None => step(fact),
    })
}

fn tone_step(shade: &Shade, settings: &ShadeSettings, pixel: &StoryPixel<'_>) -> Option<Step> {
    let (light, shown) = (pixel.texel("exposed")?, pixel.texel("picture")?);
    let exposure = shade.exposure(settings);
    let given = Fact::texel("light", &light, 3);
    let exposed = Fact::cpu_numbers("exposure", &[exposure.into()])
        .said(format!("times {exposure:.4}, then {}", settings.tone.name()));
    let value = Fact::texel("display value", &shown, 3);
    let size = pixel.array("exposed").and_then(technique::size_of_array)?;
    if size != pixel.context.picture.size() {
        let step = Step::new("exposure and tone", vec![given, exposed, value]);
        return Some(step.note("The picture is enlarged from fewer pixels of the world; not compared."));
    }
    let value = value.against(&display_value(&light, settings, exposure), OF_TONE);
    Some(Step::new("exposure and tone", vec![given, exposed, value]))
}

fn display_value(light: &Texel, settings: &ShadeSettings, exposure: f32) -> [f64; 3] {
    let all = Vec3::from_array(light.color().map(|c| c as f32));
    let step = if settings.dither { grain(light.at[0], light.at[1]) } else { 0.0 };
    numbers((toned(all * exposure, settings.tone) * 255.0 + step).clamp(Vec3::ZERO, Vec3::splat(255.0)))
}
