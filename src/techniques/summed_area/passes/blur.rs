//! Blurs from tables: three boxes, nearly a Gaussian, at the same cost for any width.

use super::{focus::unit_for, methods::TableBuffers};
use crate::{
    settings::SummedAreaSettings,
    table::{Numbers, Precision, Source},
    table_builder::TableBuilder,
};
use base::{
    boxes::{Boxes, Part},
    timing::PassId,
};
use glam::{IVec2, UVec2};
use gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Resource, Result, Sampler, Use, gpu_struct};
use std::sync::Arc;
use technique::BoxBlur;

gpu_struct! {
    struct BoxPush { full: UVec2, pitch: u32, plane: u32, radius: u32, part: f32, scale: f32, first: IVec2, extent: UVec2 }
}

const BLURRED: TableBuffers =
    TableBuffers { table: "table of light", means: "means of light", passes: "summed_area/blur" };
/// So that a growing lens seldom makes new ones.
const ROUNDED: u32 = 64;

/// Of `n` that are mirrored at both ends.
fn counted([low, high]: [i32; 2], reach: i32, n: i32) -> [i32; 2] {
    let [low, high] = [low - reach, high + reach];
    let begin = if low < 0 {
        0
    } else if high > n {
        low.min(2 * n - high)
    } else {
        low
    };
    let end = if high > n {
        n
    } else if low < 0 {
        high.max(-low)
    } else {
        high
    };
    [begin.clamp(0, n - 1), end.clamp(1, n)]
}

#[derive(Default)]
pub struct BoxBlurs {
    images: [Option<Image>; 3],
}

impl BoxBlurs {
    pub fn record(
        &mut self,
        tables: &mut TableBuilder,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        light: &ImageView,
        boxes: Boxes,
        part: Part,
    ) -> Result<Option<BoxBlur>> {
        let full = light.size().map(|n| n as i32);
        let axes = [0, 1].map(|i| counted([part[0][i], part[1][i]], boxes.reach() as i32, full[i]));
        let first = axes.map(|[low, _]| low);
        let size = axes.map(|[low, high]| (high - low) as u32);
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let unit = unit_for(boxes.radius + 1);
        let mut source = Source {
            numbers: Numbers::Channels { view: light.clone(), unit, count: 3 },
            size,
            first: first.map(|n| n as u32),
            scale: 1.0 / unit,
        };
        if !tables.fits(&source) {
            return Ok(None);
        }
        let shown = [0, 1].map(|i| (part[1][i] - part[0][i]).max(1) as u32);
        for turn in 1..=Boxes::TIMES {
            let is_last = turn == Boxes::TIMES;
            let extent = if is_last { shown } else { size };
            let to = self.image(frame.gpu(), if is_last { 2 } else { turn as usize % 2 }, extent)?;
            let table = tables.build(frame, &exact, &source, BLURRED)?;
            let layout = table.layout;
            let pipeline = tables.scratch.pipeline::<BoxPush>("box.comp", vec![], None)?;
            let corner = if is_last { [0, 1].map(|i| part[0][i] - first[i]) } else { [0, 0] };
            let push = BoxPush {
                full: UVec2::from_array(size),
                pitch: layout.pitch,
                plane: layout.plane,
                radius: boxes.radius,
                part: boxes.part,
                scale: layout.scale,
                first: IVec2::from_array(corner),
                extent: UVec2::from_array(extent),
            };
            let pass = frame.compute("summed_area/blur/box", &pipeline);
            let pass = pass.bind_named([
                ("Table", Resource::from(&table.words)),
                ("Means", (&table.means).into()),
                ("result", (&to).into()),
            ]);
            pass.push(&push).dispatch(extent)?;
            source = Source::of(Numbers::Channels { view: to.clone(), unit, count: 3 }, size, 1.0 / unit);
            if is_last {
                let light = to.through(Sampler::LinearClamp);
                return Ok(Some(BoxBlur { light, first: part[0], size: shown, passes: PassId::new(BLURRED.passes) }));
            }
        }
        Ok(None)
    }

    /// At least this large.
    fn image(&mut self, gpu: &Arc<Gpu>, at: usize, extent: [u32; 2]) -> Result<ImageView> {
        let had = self.images[at].as_ref().map_or([0, 0], Image::size);
        if let Some(image) = self.images[at].as_ref().filter(|_| extent[0] <= had[0] && extent[1] <= had[1]) {
            return Ok(image.mip(0));
        }
        let size = [0, 1].map(|i| had[i].max(extent[i]).next_multiple_of(ROUNDED));
        let desc = ImageDesc::new("summed_area boxes", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
        Ok(self.images[at].insert(Image::new(gpu, desc)?).mip(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_holds_the_mirror_images() {
        assert_eq!(counted([10, 20], 5, 100), [5, 25]);
        assert_eq!(counted([2, 20], 5, 100), [0, 25], "over the border by less than it goes the other way");
        assert_eq!(counted([-30, -20], 5, 100), [0, 35], "beyond it");
        assert_eq!(counted([90, 130], 5, 100), [65, 100]);
        assert_eq!(counted([-3, 103], 5, 100), [0, 100]);
        assert_eq!(counted([0, 7], 40, 7), [0, 7]);
    }
}
