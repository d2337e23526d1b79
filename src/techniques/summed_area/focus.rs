//! Depth of field from tables: each pixel gathers from its own box, or spreads its light over it; and blurs by three boxes.

use super::{
    Precision, SummedArea, SummedAreaSettings,
    methods::Rooms,
    table::{Numbers, Source},
    views::Planes,
};
use crate::{
    gpu::{Format, Frame, Image, ImageDesc, ImageView, Resource, Result, Sampler, Use},
    gpu_struct,
    techniques::FrameContext,
};
use glam::UVec2;

crate::choices! {
    /// How depth of field is made.
    pub enum FocusBy {
        /// Each pixel is the mean of its own box.
        Gather = "gather",
        /// Each pixel's light is spread over its box: what is sharp does not bleed into what is not.
        Spread = "spread",
    }
}

gpu_struct! {
    /// Push constants of `summed_area/focus.comp` and `spread.comp`, as in `coc.glsl`.
    struct FocusPush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        scale: f32,
        widest: f32,
        near: f32,
        focus: f32,
        lines_pitch: u32,
        lines_plane: u32,
    }
}

gpu_struct! {
    /// Push constants of `summed_area/box.comp`.
    struct BoxPush { full: UVec2, pitch: u32, plane: u32, radius: u32, part: f32, scale: f32 }
}

/// Rooms of what is blurred.
const BLURRED: Rooms = Rooms { table: "table of light", means: "means of light" };
/// Boxes one after the other: three are nearly a Gaussian.
const BOXES: u32 = 3;

/// The whole number that linear light of 1 becomes, so that no box of this radius reaches 2^32.
pub(super) fn unit_for(radius: u32) -> f32 {
    let side = f64::from(2 * radius + 1);
    (4_294_967_000.0 / (side * side)).floor().min(65535.0) as f32
}

/// Radius, and the part of the box one pixel wider, of boxes of which [`BOXES`] have this sigma together. A box of radius r has the
/// variance r (r + 1) / 3 along each axis; two mixed have their mixed variance.
pub(super) fn box_for(sigma: f32) -> (u32, f32) {
    let variance = f64::from(sigma * sigma) / f64::from(BOXES);
    let of = |radius: u32| f64::from(radius) * f64::from(radius + 1) / 3.0;
    let radius = (((12.0 * variance + 1.0).sqrt() - 1.0) / 2.0) as u32;
    // A root may be off by a bit.
    let radius = if of(radius) > variance { radius.saturating_sub(1) } else { radius };
    let part = (variance - of(radius)) / (of(radius + 1) - of(radius));
    (radius, part.clamp(0.0, 1.0) as f32)
}

impl SummedArea {
    /// Blurs `light` (linear, 0..1) by boxes from tables, which take the same time at any `sigma` (pixels): nearly a Gaussian. Boxes are
    /// cut off at the border. The result is linear light and stays as it is until the next call.
    ///
    /// # Errors
    /// A table too large for a storage buffer; what the GPU floor says.
    pub fn blur(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        light: &ImageView,
        sigma: f32,
    ) -> Result<ImageView> {
        let size = light.size();
        let images = self.blurred_images(size)?;
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let (radius, part) = box_for(sigma);
        let mut from = light.clone();
        for turn in 0..BOXES {
            let unit = unit_for(radius + 1);
            let source = Source { numbers: Numbers::Channels(from, unit), size, scale: 1.0 / unit };
            let table = self.table_of(frame, &exact, &source, BLURRED)?;
            let layout = table.layout;
            let pipeline = self.shop.pipeline::<BoxPush>("box.comp", layout.lookup(), None)?;
            let to = images[turn as usize % 2].mip(0);
            let push = BoxPush {
                full: UVec2::from_array(size),
                pitch: layout.pitch,
                plane: layout.plane,
                radius,
                part,
                scale: layout.scale,
            };
            let pass = frame.compute("summed_area/box", &pipeline).bind_named([
                ("Table", Resource::from(&table.words)),
                ("Means", (&table.means).into()),
                ("result", (&to).into()),
            ]);
            pass.push(&push).dispatch(size)?;
            from = to;
        }
        Ok(from)
    }

    fn blurred_images(&mut self, size: [u32; 2]) -> Result<[Image; 2]> {
        if let Some(images) = self.blurred.as_ref().filter(|images| images[0].size() == size) {
            return Ok(images.clone());
        }
        let image = || {
            let desc = ImageDesc::new("summed_area boxes", size, Format::Rgba16F, &[Use::Sample, Use::Storage]);
            Image::new(&self.shop.gpu, desc)
        };
        let images = [image()?, image()?];
        Ok(self.blurred.insert(images).clone())
    }

    /// Depth of field over the whole of `picture`.
    pub(super) fn view_focus(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<()> {
        let light = context.chain.mip(0);
        let world = context.world.as_ref().map(|world| (&world.depth, world.camera.near));
        self.focus(frame, settings, &light, world, picture)
    }

    /// The same of linear `light`; `world`: depth and the distance of the near plane.
    pub(super) fn focus(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        light: &ImageView,
        world: Option<(&ImageView, f32)>,
        picture: &ImageView,
    ) -> Result<()> {
        let size = light.size();
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let below = light.clone().through(Sampler::NearestClamp);
        let depth = world.map_or_else(|| below.clone(), |(depth, _)| depth.clone().through(Sampler::NearestClamp));
        let lines = Planes::new(size, 4);
        let widest = settings.focus_blur;
        let push = FocusPush {
            full: UVec2::from_array(size),
            pitch: 0,
            plane: 0,
            scale: 0.0,
            widest,
            near: world.map_or(1.0, |(_, near)| near),
            focus: if world.is_some() { settings.focus_distance } else { settings.focus_row },
            lines_pitch: lines.pitch,
            lines_plane: lines.plane,
        };
        let has_depth = ("HAS_DEPTH", u32::from(world.is_some()));
        let (source, variant) = match settings.focus_by {
            FocusBy::Gather => {
                let unit = unit_for(widest as u32 + 1);
                let numbers = Numbers::Channels(light.clone(), unit);
                (Source { numbers, size, scale: 1.0 / unit }, "gather")
            }
            FocusBy::Spread => {
                let words = self.shop.room("corners", lines.bytes())?;
                frame.fill("summed_area/no corners", &words, 0)?;
                let pipeline = self.shop.pipeline::<FocusPush>("spread.comp", vec![has_depth], None)?;
                let pass = frame.compute("summed_area/spread", &pipeline);
                let pass = pass.bind_named([("below", below.clone().into()), ("depth", depth.clone().into())]);
                pass.bind("Lines", &words).push(&push).dispatch(size)?;
                let (pitch, plane, channels) = (lines.pitch, lines.plane, lines.planes);
                (Source { numbers: Numbers::Words { words, pitch, plane, channels }, size, scale: 1.0 }, "spread")
            }
        };
        let table = self.table_of(frame, &exact, &source, BLURRED)?;
        let layout = table.layout;
        let mut constants = if variant == "gather" { layout.lookup() } else { vec![] };
        if variant == "gather" {
            constants.push(has_depth);
        }
        let pipeline = self.shop.pipeline::<FocusPush>(format!("focus.comp:{variant}"), constants, None)?;
        let push = FocusPush { pitch: layout.pitch, plane: layout.plane, scale: layout.scale, ..push };
        let pass = frame.compute("summed_area/view", &pipeline).bind_named([
            ("below", below.into()),
            ("depth", depth.into()),
            ("Table", Resource::from(&table.words)),
            ("Means", (&table.means).into()),
            ("picture", picture.into()),
        ]);
        pass.push(&push).dispatch(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_boxes_have_the_variance_asked_for() {
        for sigma in [0.3f32, 0.6, 1.0, 2.0, 3.9, 16.0, 64.0] {
            let (radius, part) = box_for(sigma);
            let of = |radius: u32| {
                (-(radius as i64)..=radius as i64).map(|x| (x * x) as f64).sum::<f64>() / f64::from(2 * radius + 1)
            };
            let variance = 3.0 * (of(radius) * f64::from(1.0 - part) + of(radius + 1) * f64::from(part));
            assert!((variance / f64::from(sigma * sigma) - 1.0).abs() < 1e-5, "sigma {sigma}: {variance}");
        }
    }

    #[test]
    fn no_box_overflows() {
        for radius in 0..=300u32 {
            let area = u64::from(2 * radius + 1).pow(2);
            assert!(unit_for(radius) as u64 * area < 1 << 32, "{radius}");
        }
        assert_eq!(unit_for(100), 65535.0);
    }
}
