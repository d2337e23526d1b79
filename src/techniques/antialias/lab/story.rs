//! Samples and weight of a pixel, in its story.

use super::reference::{HistorySample, Samples, compressed};
use crate::{
    Antialias, AntialiasSettings,
    passes::{history::FrameBlock, resolve::RESOLVE},
};
use glam::{IVec2, Vec3, Vec4};
use media::array::Array;
use serde_json::json;
use technique::{
    Agreement, Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel, StoryPoint, Texel,
    all_numbers, all_words, size_of_array,
};

/// Of the compressed light, and relative of the number of samples: the check's bounds for 99 of 100 pixels.
const OF_LIGHT: f64 = 4e-3;
const OF_SAMPLES: f64 = 8e-3;

const INPUTS: [&str; 6] = ["light", "ids", "depth", "history", "surfaces", "frame"];

const PASSES: &[&str] = &["front", "reproject", "around", "resolve"];

impl Explains for Antialias {
    const STEPS: &'static [StepInfo] = &[StepInfo::new("antialiasing", Clause::Antialiasing, PASSES)
        .off("scene.antialias=off")
        .lines(&["Gathered gathered(", "vec3 color = old.rgb + added"])
        .picture("resolved")];

    fn points() -> Vec<StoryPoint> {
        let passes = ["antialias/around".to_owned(), RESOLVE.into()];
        INPUTS.map(|name| StoryPoint::of(name, &passes, name)).into()
    }

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let world = context.world.iter().filter(|world| world.resolved.image().name() != world.light.image().name());
        world.map(|world| ("resolved", (&world.resolved).into())).collect()
    }

    fn explain(&self, settings: &AntialiasSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let Some(resolved) = pixel.texel("resolved") else { return Vec::new() };
        let Some(count) = resolved.channel(3) else { return Vec::new() };
        let samples = count.numbers[0];
        let weight = Fact::cpu_numbers("weight of this frame", &[1.0 / samples.max(1.0)]);
        let (count, light) = (Fact::texel("samples", &count, 1), Fact::texel("light", &resolved, 3));
        let step = |count: Fact, light: Fact, more: Vec<Fact>| {
            let summary = match samples.round() {
                count if count > 1.0 => format!("mean of {count} samples"),
                _ => "a single sample".into(),
            };
            Step::new("antialiasing", [count, weight.clone(), light].into_iter().chain(more).collect()).summary(summary)
        };
        let Some(inputs) = Inputs::of(pixel) else {
            return vec![step(count, light, vec![]).note("No sample was added in this frame.")];
        };
        let frame = inputs.frame;
        let shift = Fact::cpu_numbers("place of the sample in its pixel", &frame.shift.to_array().map(f64::from));
        if frame.rests > 0.0 && frame.size == frame.whole {
            let note = "Nothing moves: samples are averaged in floats, in an image of their own; not compared.";
            return vec![step(count, light, vec![shift]).note(note)];
        }
        let all = inputs.samples(!settings.bilinear);
        let Some(expected) = all.as_ref().map(|all| all.pixel(IVec2::from_array(resolved.at.map(|n| n as i32)))) else {
            return vec![step(count, light, vec![shift])];
        };
        let more = [
            shift,
            Fact::cpu_numbers("samples before", &[expected.before.into()]),
            Fact::cpu_numbers("part of the history that was rejected", &[expected.rejected.into()]),
            Fact::cpu_numbers("motion, px", &expected.motion.to_array().map(f64::from)),
        ];
        if expected.is_unclear {
            return vec![
                step(count, light, more.into()).note("Rounding decides what of the history counts; not compared."),
            ];
        }
        let light = compared(light, &resolved, &expected, frame.exposure);
        let wanted = f64::from(expected.samples);
        let count = count.against(&[wanted], OF_SAMPLES * wanted);
        vec![
            step(count, light, more.into())
                .note("The light is compared after the compression by which samples are averaged."),
        ]
    }
}

fn compared(light: Fact, resolved: &Texel, expected: &HistorySample, exposure: f32) -> Fact {
    let shown = Vec3::from_array(resolved.color().map(|c| c as f32));
    let apart = compressed(expected.color, exposure) - compressed(shown, exposure);
    // `max_element` drops NaN.
    let difference = if apart.is_nan() { f64::NAN } else { f64::from(apart.abs().max_element()) };
    let verdict = Agreement { equal: difference <= OF_LIGHT, difference, bound: OF_LIGHT };
    light.judged(json!(expected.color.to_array().map(f64::from)), verdict)
}

struct Inputs {
    frame: FrameBlock,
    light: Vec<Vec4>,
    ids: Vec<u32>,
    depth: Vec<f32>,
    history: Vec<Vec4>,
    surfaces: Vec<[u32; 2]>,
}

impl Inputs {
    fn of(pixel: &StoryPixel<'_>) -> Option<Self> {
        let [light, ids, depth, history, surfaces, frame] = INPUTS.map(|name| pixel.array(name));
        let bytes = frame?.bytes.get(..size_of::<FrameBlock>())?;
        let colors = |array: Option<&Array>| -> Vec<Vec4> {
            let numbers = array.map(all_numbers).unwrap_or_default();
            numbers.as_chunks::<4>().0.iter().map(|texel| Vec4::from_array(texel.map(|n| n as f32))).collect()
        };
        let frame: FrameBlock = bytemuck::pod_read_unaligned(bytes);
        let of_size = |array: Option<&Array>| array.and_then(size_of_array).map(|size| size.map(|n| n as f32));
        let is_whole = of_size(light) == Some(frame.size.to_array()) && of_size(history) == Some(frame.kept.to_array());
        is_whole.then(|| Self {
            frame,
            light: colors(light),
            ids: ids.map(all_words).unwrap_or_default(),
            depth: depth.map(all_words).unwrap_or_default().into_iter().map(f32::from_bits).collect(),
            history: colors(history),
            surfaces: surfaces.map(all_words).unwrap_or_default().as_chunks::<2>().0.to_vec(),
        })
    }

    fn samples(&self, is_sharp: bool) -> Option<Samples<'_>> {
        let Self { frame, light, ids, depth, history, surfaces } = self;
        let is_whole = [ids.len(), depth.len()] == [light.len(); 2] && surfaces.len() == history.len();
        is_whole.then_some(Samples { frame, light, ids, depth, history, surfaces, is_sharp })
    }
}
