//! The pixels around one beside the GPU's final image.

use super::{
    region::{Region, bytes, colored, framed},
    subject::Subject,
};
use crate::{
    base::array::Array,
    techniques::{
        Grid, MemoryComparison, ReplayStep, StoryPixel,
        glass::{
            reference::{Glass, lens::Below, optics::SHARP_SIGMA, source},
            settings::{Blur, SourceBlur},
        },
        texel_of,
    },
};
use glam::{DVec2, Vec2, Vec3};

const COMPARED: [usize; 2] = [24, 16];
/// Steps of 255 for 99 of 100 pixels and for any, as the checks have them: mode "source", a lens.
const OF_SOURCE: [f32; 2] = [2.0, 8.0];
const OF_LENS: [f32; 2] = [4.0, 32.0];
/// Added by a pre-blur, which the reference replaces by a Gaussian.
const OF_PREBLUR: f32 = 2.6;
const OF_PREBLUR_BILINEAR: f32 = 6.4;

type Compared = Result<(ReplayStep, MemoryComparison), String>;

pub(super) fn of_source(subject: &Subject<'_>, center: Vec2, blur: SourceBlur, shown: &Array) -> Compared {
    compare(subject, shown, OF_SOURCE, |at| source::shade(subject.picture, at.as_vec2(), center, blur))
}

pub(super) fn of_lens(subject: &Subject<'_>, (glass, below): (&Glass, &Below<'_>), pixel: &StoryPixel<'_>) -> Compared {
    if !pixel.context.chain_is_tent {
        return Err("This frame has levels of the filter \"box\", and the steps are those of \"tent\".".into());
    }
    let [most, worst] = OF_LENS;
    let added = match glass.blur {
        _ if glass.frost <= SHARP_SIGMA => 0.0,
        Blur::Preblur => OF_PREBLUR,
        Blur::PreblurBilinear => OF_PREBLUR_BILINEAR,
        _ => 0.0,
    };
    compare(subject, &pixel.texels.shown, [most + added, worst], |at| below.shade(glass, at.as_vec2()))
}

/// `shade`: encoded; none where the picture stays.
fn compare(
    subject: &Subject<'_>,
    shown: &Array,
    [most, worst]: [f32; 2],
    shade: impl Fn(DVec2) -> Option<Vec3>,
) -> Compared {
    let region = Region::pixels(subject.frag.as_dvec2(), subject.picture.size().to_array(), COMPARED);
    let mut pairs = Vec::new();
    for at in region.middles() {
        let place = at.floor().as_uvec2();
        let texel = texel_of(shown, place.to_array()).ok_or("The final image was not read.")?;
        let plain = || subject.picture.encoded.clamped(place.as_ivec2());
        let cpu = shade(at).unwrap_or_else(plain).clamp(Vec3::ZERO, Vec3::ONE);
        let gpu = Vec3::from_array(texel.color().map(|channel| channel as f32));
        pairs.push(((cpu * 255.0).round(), gpu));
    }
    let off = |(cpu, gpu): &(Vec3, Vec3)| {
        let apart = (*cpu - *gpu).abs();
        if apart.is_nan() { f32::INFINITY } else { apart.max_element() }
    };
    let over = |limit: f32| (0..pairs.len()).filter(|at| off(&pairs[*at]) > limit).collect::<Vec<usize>>();
    // One in a hundred may be between both bounds.
    let differing = if over(most).len() * 100 > pairs.len() { over(most) } else { over(worst) };
    let largest = pairs.iter().map(off).fold(0.0, f32::max);
    let same = pairs.iter().filter(|pair| off(pair) == 0.0).count();
    let count = pairs.len();
    let steps = if largest == 1.0 { "a step".to_owned() } else { format!("up to {largest} steps") };
    let text = match differing.len() {
        0 if same == count => format!("Equal to the GPU's {count} pixels, bit for bit"),
        0 => format!(
            "{same} of the GPU's {count} pixels have the same bytes, others are {steps} of 255 apart: samplers have 8 bits between texels, and levels are half floats"
        ),
        n => format!(
            "{n} of the GPU's {count} pixels are {steps} of 255 away, more than the {most} that roundings explain: a view over the picture would do that"
        ),
    };
    let own = region.place(subject.frag.as_dvec2()).map(|at| at as usize);
    let grid = |title: &str, of: &dyn Fn(&(Vec3, Vec3)) -> Vec3| {
        let cells = pairs.iter().map(|pair| {
            let color = of(pair) / 255.0;
            let mut cell = colored(color);
            cell.text = format!("{:.0}", 255.0 * color.element_sum() / 3.0);
            cell
        });
        let mut grid = Grid::new(title, region.columns, cells.collect()).wrong(&differing);
        grid.drawings.push(framed(own));
        grid
    };
    let grids =
        vec![grid("Reference implementation", &|(cpu, _)| *cpu), grid("GPU: the final image", &|(_, gpu)| *gpu)];
    let sentence = "The pixels around this one as the reference implementation has them and as the GPU has drawn them; those that rounding does not explain are marked.";
    let here = pairs.get(own[1] * region.columns + own[0]);
    let figures = here.map(|(cpu, gpu)| {
        let text = |color: &Vec3| bytes(*color / 255.0).map(|channel| channel.to_string()).join(" ");
        vec![("here", text(cpu)), ("GPU", text(gpu)), ("may be off by, 99 of 100", format!("{most} steps of 255"))]
    });
    let step = ReplayStep::compared(sentence, grids).figures(figures.unwrap_or_default());
    Ok((step, MemoryComparison { text, differing }))
}
