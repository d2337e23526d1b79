//! Mip levels over a pixel, in its story.

use super::reference::taps;
use crate::{MipChain, MipChainSettings, settings::Method};
use base::srgb::{decode, encode};
use media::array::Array;
use technique::{
    Agreement, Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel, Texel, size_of_array,
    texel_of,
};

pub(super) const LEVELS: [&str; 16] = [
    "level 0", "level 1", "level 2", "level 3", "level 4", "level 5", "level 6", "level 7", "level 8", "level 9",
    "level 10", "level 11", "level 12", "level 13", "level 14", "level 15",
];
/// Two levels are rounded to half floats, by some devices downwards.
const PART: f64 = 1.0 / 512.0;
/// In steps of the encoded picture.
const STEPS: f64 = 0.5;
const LEAST: f64 = 1.0 / 65536.0;

const PASSES: &[&str] = &["linear", "level", "single pass", "ladder", "strips", "reduce"];

impl Explains for MipChain {
    const STEPS: &'static [StepInfo] =
        &[StepInfo::new("mip chain", Clause::Glass, PASSES).lines(&["Taps taps(", "VALUE mean_of_four("])];

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let levels = (0..context.chain.mips()).zip(LEVELS).map(|(level, name)| (name, context.chain.mip(level).into()));
        [("picture", (&context.picture).into())].into_iter().chain(levels).collect()
    }

    fn explain(&self, settings: &MipChainSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let (Some(picture), Some(light)) = (pixel.texel("picture"), pixel.texel("level 0")) else { return Vec::new() };
        let linear = picture.color().map(|byte| f64::from(decode(byte as f32 / 255.0)));
        let first = compared(Fact::texel("linear light, level 0", &light, 3), &light, &linear, &picture);
        let mut facts = vec![Fact::texel("picture below the glass", &picture, 3), first];
        for pair in LEVELS.windows(2) {
            let (Some(above), Some(texel)) = (pixel.array(pair[0]), pixel.texel(pair[1])) else { break };
            let fact = Fact::texel(pair[1], &texel, 3);
            let size = pixel.array(pair[1]).and_then(size_of_array);
            let cpu = size
                .and_then(|size| reduced(settings, above, size, texel.at))
                .filter(|_| settings.method != Method::Blit);
            facts.push(match cpu {
                Some(cpu) => fact.against(&cpu, bound(&cpu)),
                None => fact,
            });
        }
        vec![
            Step::new("mip chain", facts)
                .note("Each level is compared with the mean, by the filter, of the GPU's level before it; level 0 with the picture, in steps of its encoding."),
        ]
    }
}

/// As steps of the encoding: devices decode within less than half of one.
fn compared(fact: Fact, light: &Texel, linear: &[f64; 3], picture: &Texel) -> Fact {
    let steps = |(light, byte): (&f64, &f64)| (255.0 * f64::from(encode(*light as f32)) - byte).abs();
    // `max` drops NaN.
    let worst = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    let difference = light.color().iter().zip(&picture.color()).map(steps).fold(0.0, worst);
    fact.judged(linear.to_vec(), Agreement { equal: difference <= STEPS, difference, bound: STEPS })
}

fn bound(expected: &[f64]) -> f64 {
    PART * expected.iter().copied().fold(LEAST / PART, f64::max)
}

fn reduced(settings: &MipChainSettings, above: &Array, size: [u32; 2], at: [u32; 2]) -> Option<[f64; 3]> {
    let from = size_of_array(above)?;
    let [columns, rows] =
        [0, 1].map(|axis| taps(settings.filter, from[axis], size[axis]).swap_remove(at[axis] as usize));
    let mut sum = [0.0; 3];
    for (y, down) in (rows.first..).zip(&rows.weights) {
        for (x, along) in (columns.first..).zip(&columns.weights) {
            let texel = texel_of(above, [x as u32, y as u32])?;
            sum.iter_mut().zip(&texel.numbers).for_each(|(sum, number)| *sum += down * along * number);
        }
    }
    Some(sum)
}
