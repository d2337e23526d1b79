//! Picture of a captured image in a rectangle of the target.

use base::srgb;
use glam::{IVec2, Vec2};
use gpu::{
    ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageSlot, ImageView, PipelineCache, RasterDesc,
    RasterPipeline, Result, Sampler, Use, gpu_consts, gpu_struct,
};
use std::sync::Arc;

pub(super) const MAKE: &str = "instrument/make picture";

gpu_consts! { "instrument/picture.comp":
    const COLOUR: u32 = 0;
    const GREY: u32 = 1;
    const RAMP: u32 = 2;
    const HASH: u32 = 3;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureLook {
    /// Floats as linear light, encoded bytes as they are.
    #[default]
    Colour,
    Grey,
    Ramp,
    /// One channel's bits, a colour for each value.
    Hash,
}

impl PictureLook {
    fn number(self) -> u32 {
        match self {
            Self::Colour => COLOUR,
            Self::Grey => GREY,
            Self::Ramp => RAMP,
            Self::Hash => HASH,
        }
    }
}

gpu_struct! {
    struct PicturePush { origin: Vec2, step: f32, low: f32, high: f32, look: u32, channel: u32 }
}

gpu_struct! {
    struct PlacePush { corner: IVec2 }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PictureView {
    pub look: PictureLook,
    /// 0 to 3; not for colours.
    pub channel: u32,
    /// Values shown as black and as white.
    pub range: [f32; 2],
    /// The texel at the centre of the rectangle's first pixel.
    pub origin: Vec2,
    /// Texels from one pixel to the next: below 1 magnifies.
    pub step: f32,
}

pub struct Pictures {
    gpu: Arc<Gpu>,
    /// By whether texels are integers, whether they are encoded colours, and whether the picture has blue first.
    make: PipelineCache<[bool; 3], ComputePipeline>,
    place: PipelineCache<Format, RasterPipeline>,
}

#[derive(Default)]
pub struct Picture {
    slot: ImageSlot,
    of: Option<(PictureView, bool)>,
}

/// Shaders read the texels as integers.
pub fn is_unsigned(format: Format) -> bool {
    matches!(format, Format::R32U | Format::Rg32U | Format::Rgba32U)
}

/// Encoded colours that shaders read undecoded.
pub fn is_encoded(format: Format) -> bool {
    matches!(format, Format::Rgba8 | Format::Bgra8)
}

/// As `instrument/picture.comp` draws a texel whose channels shaders read as `bits`.
pub(super) fn color_of(bits: [u32; 4], is_unsigned: bool, is_encoded: bool, view: &PictureView) -> [f32; 3] {
    let value = |bits: u32| if is_unsigned { bits as f32 } else { f32::from_bits(bits) };
    let channel = view.channel as usize;
    let looked_at = if view.look == PictureLook::Colour { &bits[..3] } else { &bits[channel..=channel] };
    if view.look != PictureLook::Hash && !is_unsigned {
        if looked_at.iter().any(|bits| f32::from_bits(*bits).is_nan()) {
            return [1.0, 0.0, 0.8];
        }
        if looked_at.iter().any(|bits| f32::from_bits(*bits).is_infinite()) {
            return [0.0, 0.85, 1.0];
        }
    }
    let place = |value: f32| ((value - view.range[0]) / (view.range[1] - view.range[0])).clamp(0.0, 1.0);
    match view.look {
        PictureLook::Colour if is_encoded => [0, 1, 2].map(|i| place(value(bits[i]))),
        PictureLook::Colour => [0, 1, 2].map(|i| srgb::encode(place(value(bits[i])))),
        PictureLook::Grey => [place(value(bits[channel])); 3],
        PictureLook::Ramp => {
            let at = place(value(bits[channel])) * 4.0;
            let low = at.floor().min(3.0);
            let (a, b, part) = (SCALE[low as usize], SCALE[low as usize + 1], at - low);
            [0, 1, 2].map(|i| (a[i] + (b[i] - a[i]) * part) / 255.0)
        }
        PictureLook::Hash if bits[channel] == 0 => [0.0; 3],
        PictureLook::Hash => {
            let word = pixel_sort::key_of(bits[channel]);
            [0, 8, 16].map(|shift| 0.25 + 0.75 * (word >> shift & 255) as f32 / 255.0)
        }
    }
}

const SCALE: [[f32; 3]; 5] =
    [[16.0, 18.0, 60.0], [40.0, 90.0, 190.0], [50.0, 170.0, 140.0], [235.0, 200.0, 70.0], [250.0, 250.0, 240.0]];

impl Pictures {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), make: PipelineCache::default(), place: PipelineCache::default() }
    }

    /// Mip 0 of `image` in the pixels `rect` (left, top, right, bottom). `is_new`: the image has other texels than
    /// those of `picture`.
    pub fn draw(
        &self,
        frame: &mut Frame,
        picture: &mut Picture,
        (image, is_new): (&Image, bool),
        view: &PictureView,
        rect: [i32; 4],
        target: &ImageView,
    ) -> Result<()> {
        let [left, top, right, bottom] = rect;
        let (size, [width, height]) = ([right - left, bottom - top], target.size().map(|side| side as i32));
        if size[0] <= 0 || size[1] <= 0 {
            return Ok(());
        }
        let is_within = left >= 0 && top >= 0 && right <= width && bottom <= height;
        let has_bytes = is_encoded(target.format().encoded());
        let is_copied = is_within && has_bytes && target.image().takes_copies();
        let is_blue_first = is_copied && matches!(target.format(), Format::Bgra8 | Format::Bgra8Srgb);
        let desc = ImageDesc::new(
            "instrument picture",
            size.map(|side| side as u32),
            Format::Rgba8,
            &[Use::Storage, Use::Sample],
        );
        let before = picture.slot.get().map(Image::size);
        let made = picture.slot.fit(&self.gpu, desc)?;
        let of = Some((*view, is_blue_first));
        if is_new || before != Some(made.size()) || picture.of != of {
            self.make(frame, image, view, is_blue_first, &made)?;
            picture.of = of;
        }
        if is_copied {
            return frame.copy_to("instrument/picture", &made.mip(0), target, [left as u32, top as u32]);
        }
        let pipeline = self.place.get(target.format(), |target| {
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "instrument/place.frag"].map(String::from).to_vec(),
                color: vec![*target],
                constants: vec![("TARGET_IS_SRGB".into(), u32::from(target.is_srgb()))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<PlacePush>()
        })?;
        let push = PlacePush { corner: IVec2::new(left, top) };
        let texels = made.mip(0).through(Sampler::NearestClamp);
        let draw = pipeline.draw(3).bind("picture", texels).push(&push).scissor(rect);
        frame.raster("instrument/picture").color(target, None).draw(draw).finish()
    }

    fn make(
        &self,
        frame: &mut Frame,
        image: &Image,
        view: &PictureView,
        is_blue_first: bool,
        made: &Image,
    ) -> Result<()> {
        let format = image.format();
        let key = [is_unsigned(format), is_encoded(format), is_blue_first];
        let pipeline = self.make.get(key, |[is_unsigned, is_encoded, is_blue_first]| {
            let variant = if *is_unsigned { "integers" } else { "floats" };
            let constants = [("BLUE_FIRST", u32::from(*is_blue_first)), ("IS_ENCODED", u32::from(*is_encoded))];
            let shader = format!("instrument/picture.comp:{variant}");
            ComputePipeline::new(&self.gpu, &shader, &constants)?.with_push::<PicturePush>()
        })?;
        let PictureView { look, channel, range: [low, high], origin, step } = *view;
        let push = PicturePush { origin, step, low, high, look: look.number(), channel };
        let texels = image.mip(0).through(Sampler::NearestClamp);
        let pass = frame.compute(MAKE, &pipeline).bind("texels", texels);
        pass.bind("picture", made.mip(0)).push(&push).dispatch(made.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{ImageDesc, Use};
    use lab::TestBench;

    const SIZE: [u32; 2] = [37, 23];

    /// Every look of floats (NaN and infinities among them), of integers and of encoded bytes, magnified, reduced and
    /// moved out of the image; pixels outside of the rectangle stay.
    #[test]
    fn pictures_are_those_of_the_cpu() {
        let mut bench = TestBench::validated();
        let gpu = bench.gpu().clone();
        let pictures = Pictures::new(&gpu);
        let count = SIZE[0] * SIZE[1];
        let float = |i: u32| match i % 11 {
            3 => f32::NAN,
            5 => f32::INFINITY,
            7 => -2.0,
            n => n as f32 * 0.13 + i as f32 / count as f32,
        };
        let floats: Vec<[u32; 4]> = (0..count).map(|i| [i, i + 3, i + 6, i + 1].map(|i| float(i).to_bits())).collect();
        let integers: Vec<[u32; 4]> =
            (0..count).map(|i| [i, i * i, i / 7, if i % 3 == 0 { 0 } else { u32::MAX - i }]).collect();
        let bytes: Vec<[u8; 4]> = (0..count).map(|i| [i, i * 5, i * 3, i * 7].map(|i| i as u8)).collect();
        let encoded: Vec<[u32; 4]> = bytes.iter().map(|t| t.map(|byte| (f32::from(byte) / 255.0).to_bits())).collect();
        for (format, texels) in [(Format::Rgba32F, &floats), (Format::Rgba32U, &integers), (Format::Rgba8, &encoded)] {
            let desc = ImageDesc::new("texels", SIZE, format, &[Use::Sample]);
            let image = if format == Format::Rgba8 { bench.image(desc, &bytes) } else { bench.image(desc, texels) };
            let image = image.unwrap();
            for (n, look) in
                [PictureLook::Colour, PictureLook::Grey, PictureLook::Ramp, PictureLook::Hash].into_iter().enumerate()
            {
                if format == Format::Rgba8 && look == PictureLook::Hash {
                    continue;
                }
                let within = [5, 3, 50, 40];
                let targets = [
                    (Format::Rgba8, within),
                    (Format::Bgra8, within),
                    (Format::Bgra8Srgb, within),
                    (Format::Rgba8, [-4, 3, 50, 60]),
                    (Format::Rgba8Srgb, [-4, 3, 50, 60]),
                ];
                let views = [([0.0, 0.0], 1.0), ([-3.3, 2.2], 0.31), ([1.5, 0.5], 2.0)];
                for ((target, rect), (origin, step)) in targets.into_iter().flat_map(|t| views.map(|view| (t, view))) {
                    let (range, channel) = ([0.1, 1.4], n as u32);
                    let view = PictureView { look, channel, range, origin: origin.into(), step };
                    let wanted = |texel: Vec2| {
                        let is_inside = texel.cmpge(Vec2::ZERO).all() && texel.x < 37.0 && texel.y < 23.0;
                        let bits = || texels[(texel.y as u32 * SIZE[0] + texel.x as u32) as usize];
                        match is_inside {
                            true => color_of(bits(), format == Format::Rgba32U, format == Format::Rgba8, &view),
                            false => [0.02; 3],
                        }
                    };
                    let found = drawn(&mut bench, &pictures, (&image, &view), rect, target);
                    for (pixel, found) in found.iter().enumerate() {
                        let at = IVec2::new(pixel as i32 % 61, pixel as i32 / 61);
                        let is_drawn = at.x >= rect[0] && at.y >= rect[1] && at.x < rect[2] && at.y < rect[3];
                        let texel = (view.origin + view.step * (at - IVec2::new(rect[0], rect[1])).as_vec2()).floor();
                        let wanted = if is_drawn { wanted(texel) } else { [9.0 / 255.0; 3] };
                        for (found, wanted) in found.iter().zip(wanted) {
                            // Rounding to 8 bits, and the last bits of pow: one step, and another where the target
                            // encodes.
                            let error = (f32::from(*found) - 255.0 * wanted).abs();
                            let bound =
                                if !is_drawn { 0.0 } else { 1.0 + f32::from(u8::from(target == Format::Rgba8Srgb)) };
                            assert!(error <= bound, "{format:?} {look:?} {target:?} {at}: {found}, {}", 255.0 * wanted);
                        }
                    }
                }
            }
        }
    }

    fn drawn(
        bench: &mut TestBench,
        pictures: &Pictures,
        (image, view): (&Image, &PictureView),
        rect: [i32; 4],
        format: Format,
    ) -> Vec<[u8; 3]> {
        let desc = ImageDesc::new("target", [61, 47], format, &[Use::Color]);
        let target = bench.image(desc, &vec![[9u8; 4]; 61 * 47]).unwrap().mip(0);
        let mut picture = Picture::default();
        bench.run(|frame| pictures.draw(frame, &mut picture, (image, true), view, rect, &target)).unwrap();
        let order = if matches!(format, Format::Bgra8 | Format::Bgra8Srgb) { [2, 1, 0] } else { [0, 1, 2] };
        bench.read::<[u8; 4]>(&target).unwrap().iter().map(|texel| order.map(|channel| texel[channel])).collect()
    }

    #[test]
    fn a_picture_is_kept_until_something_changes() {
        let mut bench = TestBench::validated();
        let pictures = Pictures::new(&bench.gpu().clone());
        let mut image = |grey: u8| {
            let desc = ImageDesc::new("texels", [8, 8], Format::Rgba8, &[Use::Sample]);
            bench.image(desc, &vec![[grey; 4]; 64]).unwrap()
        };
        let (first, second) = (image(100), image(200));
        let desc = ImageDesc::new("target", [16, 16], Format::Rgba8, &[Use::Color]);
        let target = bench.image(desc, &vec![[0u8; 4]; 256]).unwrap().mip(0);
        let mut picture = Picture::default();
        let view = PictureView { range: [0.0, 1.0], step: 1.0, ..PictureView::default() };
        let double = PictureView { range: [0.0, 2.0], ..view };
        for (image, is_new, view, rect, grey) in [
            (&first, true, view, [0, 0, 4, 4], 100),
            (&second, false, view, [3, 2, 7, 6], 100),
            (&second, false, double, [3, 2, 7, 6], 100),
            (&first, false, double, [3, 2, 8, 6], 50),
            (&second, true, double, [3, 2, 8, 6], 100),
            (&second, false, view, [9, 9, 9, 12], 0),
        ] {
            bench.run(|frame| pictures.draw(frame, &mut picture, (image, is_new), &view, rect, &target)).unwrap();
            let texels: Vec<[u8; 4]> = bench.read(&target).unwrap();
            let at = rect[1] as usize * 16 + rect[0] as usize;
            assert_eq!(texels[at][0], grey, "{rect:?}");
        }
    }
}
