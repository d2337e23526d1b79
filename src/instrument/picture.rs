//! Picture of a captured image in a rectangle of the target.

use crate::{
    base::srgb,
    gpu::{Format, Frame, Gpu, Image, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler},
    gpu_consts, gpu_struct,
};
use glam::{IVec2, Vec2};
use std::sync::Arc;

gpu_consts! { "instrument/picture.frag":
    const COLOUR: u32 = 0;
    const GREY: u32 = 1;
    const RAMP: u32 = 2;
    const HASH: u32 = 3;
}

/// Display of a texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureLook {
    /// Red, green and blue of floats as linear light, of encoded bytes as they are.
    #[default]
    Colour,
    /// One channel from black to white.
    Grey,
    /// One channel by a colour scale.
    Ramp,
    /// One channel's bits, each value with a colour of its own.
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
    /// Push constants of `instrument/picture.frag`.
    struct PicturePush { origin: Vec2, step: f32, low: f32, high: f32, look: u32, channel: u32 }
}

/// Part of an image, and its display.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PictureView {
    /// Display of a texel.
    pub look: PictureLook,
    /// The displayed channel, 0 to 3; not for colours.
    pub channel: u32,
    /// Values shown as black and as white.
    pub range: [f32; 2],
    /// The texel at the centre of the rectangle's first pixel.
    pub origin: Vec2,
    /// Texels from one pixel to the next: below 1 magnifies.
    pub step: f32,
}

/// Pipelines, by target format, whether texels are integers, and whether they are encoded colours.
pub struct Pictures {
    gpu: Arc<Gpu>,
    pipelines: PipelineCache<(Format, bool, bool), RasterPipeline>,
}

/// Whether shaders read the texels as integers.
#[must_use]
pub fn is_unsigned(format: Format) -> bool {
    matches!(format, Format::R16U | Format::R32U | Format::Rg32U | Format::Rgba32U)
}

/// Whether texels are encoded colours that shaders read undecoded.
#[must_use]
pub fn is_encoded(format: Format) -> bool {
    matches!(format, Format::Rgba8 | Format::Bgra8)
}

/// Encoded colour of a texel whose channels shaders read as `bits`, as `instrument/picture.frag` draws it.
#[must_use]
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
            let word = crate::techniques::pixel_sort::reference::key_of(bits[channel]);
            [0, 8, 16].map(|shift| 0.25 + 0.75 * (word >> shift & 255) as f32 / 255.0)
        }
    }
}

/// The colour scale of [`PictureLook::Ramp`].
const SCALE: [[f32; 3]; 5] =
    [[16.0, 18.0, 60.0], [40.0, 90.0, 190.0], [50.0, 170.0, 140.0], [235.0, 200.0, 70.0], [250.0, 250.0, 240.0]];

impl Pictures {
    /// Compiles nothing yet.
    #[must_use]
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipelines: PipelineCache::default() }
    }

    /// Draws mip 0 of `image` into the pixels `rect` (left, top, right, bottom) of `target`.
    ///
    /// # Errors
    /// Those of the GPU.
    pub fn draw(
        &self,
        frame: &mut Frame,
        image: &Image,
        view: &PictureView,
        rect: [i32; 4],
        target: &ImageView,
    ) -> Result<()> {
        let format = image.format();
        let key = (target.format(), is_unsigned(format), is_encoded(format));
        let pipeline = self.pipelines.get(key, |(target, is_unsigned, is_encoded)| {
            let variant = if *is_unsigned { "integers" } else { "floats" };
            let desc = RasterDesc {
                shaders: vec!["include/screen.vert".into(), format!("instrument/picture.frag:{variant}")],
                color: vec![*target],
                constants: vec![
                    ("TARGET_IS_SRGB".into(), u32::from(target.is_srgb())),
                    ("IS_ENCODED".into(), u32::from(*is_encoded)),
                ],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<PicturePush>()
        })?;
        let PictureView { look, channel, range: [low, high], origin, step } = *view;
        let origin = origin - step * IVec2::new(rect[0], rect[1]).as_vec2();
        let push = PicturePush { origin, step, low, high, look: look.number(), channel };
        let texels = image.mip(0).through(Sampler::NearestClamp);
        let draw = pipeline.draw(3).bind("texels", texels).push(&push).scissor(rect);
        frame.raster("instrument/picture").color(target, None).draw(draw).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gpu::{ImageDesc, Use},
        lab::TestBench,
    };

    const SIZE: [u32; 2] = [37, 23];

    /// Every look of floats (NaN and infinities among them), of integers and of encoded bytes, magnified, reduced and moved out of the image, against the CPU;
    /// pixels outside of the rectangle stay as they are.
    #[test]
    fn pictures_are_those_of_the_cpu() {
        let mut bench = TestBench::on(&Gpu::headless(true).unwrap()).unwrap();
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
                // A byte as a float may have another last bit.
                if format == Format::Rgba8 && look == PictureLook::Hash {
                    continue;
                }
                for (origin, step) in [([0.0, 0.0], 1.0), ([-3.3, 2.2], 0.31), ([1.5, 0.5], 2.0)] {
                    let (range, channel) = ([0.1, 1.4], n as u32);
                    let view = PictureView { look, channel, range, origin: origin.into(), step };
                    let desc = ImageDesc::new("target", [61, 47], Format::Rgba8, &[Use::Color]);
                    let target = bench.image(desc, &vec![[9u8; 4]; 61 * 47]).unwrap().mip(0);
                    let rect = [5, 3, 50, 40];
                    bench.run(|frame| pictures.draw(frame, &image, &view, rect, &target)).unwrap();
                    let found: Vec<[u8; 4]> = bench.read(&target).unwrap();
                    for (pixel, found) in found.iter().enumerate() {
                        let at = IVec2::new(pixel as i32 % 61, pixel as i32 / 61);
                        let is_drawn = at.x >= rect[0] && at.y >= rect[1] && at.x < rect[2] && at.y < rect[3];
                        if !is_drawn {
                            assert_eq!(*found, [9; 4], "{format:?} {look:?} {at}");
                            continue;
                        }
                        let texel = (view.origin + view.step * (at - IVec2::new(rect[0], rect[1])).as_vec2()).floor();
                        let is_inside = texel.cmpge(Vec2::ZERO).all() && texel.x < 37.0 && texel.y < 23.0;
                        let bits = || texels[(texel.y as u32 * SIZE[0] + texel.x as u32) as usize];
                        let wanted = if is_inside {
                            color_of(bits(), format == Format::Rgba32U, format == Format::Rgba8, &view)
                        } else {
                            [0.02; 3]
                        };
                        for (found, wanted) in found.iter().zip(wanted) {
                            // Rounding to 8 bits, and the last bits of pow: one step.
                            let error = (f32::from(*found) - 255.0 * wanted).abs();
                            assert!(error <= 1.0, "{format:?} {look:?} {at} {texel}: {found}, {}", 255.0 * wanted);
                        }
                    }
                }
            }
        }
    }
}
