//! The pixels around one beside the GPU's final image.

use super::{
    region::{Region, bytes},
    subject::Subject,
};
use crate::lab::reference::lens::Below;
use crate::lab::reference::{Glass, source};
use crate::lab::story;
use crate::lab::story::OF_SOURCE;
use crate::settings::SourceBlur;
use glam::{DVec2, DVec4, Vec2, Vec3};
use media::array::Array;
use technique::{MemoryComparison, PixelPairs, ReplayStep, StoryPixel, texel_of};

const COMPARED: [usize; 2] = [24, 16];
/// Steps of 255 for any pixel, as the checks have them: mode "source", a lens. The story has those for 99 of 100.
const WORST: [f64; 2] = [8.0, 32.0];

type Compared = Result<(ReplayStep, MemoryComparison), String>;

pub(super) fn of_source(subject: &Subject<'_>, center: Vec2, blur: SourceBlur, shown: &Array) -> Compared {
    compare(subject, shown, [OF_SOURCE, WORST[0]], &|at| source::shade(subject.picture, at.as_vec2(), center, blur))
}

pub(super) fn of_lens(subject: &Subject<'_>, (glass, below): (&Glass, &Below<'_>), pixel: &StoryPixel<'_>) -> Compared {
    if !pixel.context.chain_is_tent {
        return Err("This frame has levels of the filter \"box\", and the steps are those of \"tent\".".into());
    }
    compare(subject, &pixel.texels.shown, [story::of_lens(glass), WORST[1]], &|at| below.shade(glass, at.as_vec2()))
}

/// `shade`: encoded; none where the picture stays.
fn compare(
    subject: &Subject<'_>,
    shown: &Array,
    [most, worst]: [f64; 2],
    shade: &dyn Fn(DVec2) -> Option<Vec3>,
) -> Compared {
    let region = Region::pixels(subject.frag.as_dvec2(), subject.picture.size().to_array(), COMPARED);
    let mut pairs = Vec::new();
    for at in region.middles() {
        let place = at.floor().as_uvec2();
        let texel = texel_of(shown, place.to_array()).ok_or("The final image was not read.")?;
        let plain = || subject.picture.encoded.clamped(place.as_ivec2());
        let cpu = shade(at).unwrap_or_else(plain).clamp(Vec3::ZERO, Vec3::ONE);
        let [red, green, blue] = texel.color();
        pairs.push([(cpu * 255.0).round().as_dvec3().extend(0.0), DVec4::new(red, green, blue, 0.0)]);
    }
    let own = region.place(subject.frag.as_dvec2()).map(|at| at as usize);
    let both = PixelPairs { columns: region.columns, own, pairs };
    let (largest, count) = (both.largest(), both.pairs.len());
    let over = |limit: f64| both.differing(&|_| limit);
    // One in a hundred may be between both bounds.
    let differing = if over(most).len() * 100 > count { over(most) } else { over(worst) };
    let same = count - both.differing(&|_| 0.0).len();
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
    let shown = |value: DVec4| bytes((value / 255.0).truncate().as_vec3());
    let titles = ["Reference implementation".to_owned(), "GPU: the final image".to_owned()];
    let grids = both.grids(titles, &differing, &shown).into();
    let sentence = "The pixels around this one as the reference implementation has them and as the GPU has drawn them; those that rounding does not explain are marked.";
    let here = both.pairs.get(own[1] * region.columns + own[0]);
    let figures = here.map(|[cpu, gpu]| {
        let text = |color: &DVec4| shown(*color).map(|channel| channel.to_string()).join(" ");
        vec![("here", text(cpu)), ("GPU", text(gpu)), ("may be off by, 99 of 100", format!("{most} steps of 255"))]
    });
    let step = ReplayStep::compared(sentence, grids).figures(figures.unwrap_or_default());
    Ok((step, MemoryComparison { text, differing }))
}
