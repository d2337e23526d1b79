//! Composition of the pictures of A and B.

use gpu::{
    Format, Frame, Gpu, ImageView, PipelineCache, RasterDesc, RasterPipeline, Result, Sampler, gpu_consts, gpu_struct,
};
use std::sync::Arc;

gpu_consts! { "ab/compose.frag":
    const ONLY_A: u32 = 0;
    const ONLY_B: u32 = 1;
    const LENS: u32 = 2;
    const SPLIT: u32 = 3;
    const DIFFERENCE: u32 = 4;
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PairLayout {
    OnlyA,
    OnlyB,
    #[default]
    Lens,
    /// A left of a line, B right of it; its place from 0 (left) to 1 (right).
    Split(f32),
    /// Absolute difference of the encoded colours, times this.
    Difference(f32),
}

impl PairLayout {
    fn number(self) -> u32 {
        match self {
            Self::OnlyA => ONLY_A,
            Self::OnlyB => ONLY_B,
            Self::Lens => LENS,
            Self::Split(_) => SPLIT,
            Self::Difference(_) => DIFFERENCE,
        }
    }
}

gpu_struct! {
    struct ComposePush { layout_of_both: u32, line: u32, gain: f32 }
}

pub struct Composition {
    gpu: Arc<Gpu>,
    pipelines: PipelineCache<Format, RasterPipeline>,
}

impl Composition {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipelines: PipelineCache::default() }
    }

    /// A and `coverage` have the size of `target`; B is scaled to it by its nearest texel. `coverage`: red is the
    /// glass' part of a pixel.
    pub fn draw(
        &self,
        frame: &mut Frame,
        [a, b, coverage]: [&ImageView; 3],
        layout: PairLayout,
        target: &ImageView,
    ) -> Result<()> {
        let pipeline = self.pipelines.get(target.format(), |format| {
            let desc = RasterDesc {
                shaders: ["include/screen.vert", "ab/compose.frag"].map(String::from).to_vec(),
                color: vec![*format],
                constants: vec![("TARGET_IS_SRGB".into(), u32::from(format.is_srgb()))],
                ..Default::default()
            };
            RasterPipeline::new(&self.gpu, desc)?.with_push::<ComposePush>()
        })?;
        let (mut line, mut gain) = (0, 1.0);
        match layout {
            PairLayout::Split(at) => line = (at.clamp(0.0, 1.0) * target.size()[0] as f32) as u32,
            PairLayout::Difference(by) => gain = by,
            _ => {}
        }
        let push = ComposePush { layout_of_both: layout.number(), line, gain };
        let nearest = |view: &ImageView| view.clone().through(Sampler::NearestClamp);
        let draw = pipeline.draw(3).bind("picture_a", nearest(a)).bind("picture_b", nearest(b));
        let draw = draw.bind("coverage", nearest(coverage)).push(&push);
        frame.raster("ab/compose").color(target, None).draw(draw).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{ImageDesc, Use};
    use lab::TestBench;

    #[test]
    fn pictures_are_composed_as_on_the_cpu() {
        let mut bench = TestBench::validated();
        let gpu = bench.gpu().clone();
        let composition = Composition::new(&gpu);
        let noise = |seed: u32, count: u32| -> Vec<[u8; 4]> {
            let word =
                |i: u32| (i.wrapping_mul(0x9E37_79B9) ^ seed.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35);
            (0..count).map(|i| (word(i) ^ word(i) >> 15).to_le_bytes()).collect()
        };
        let layouts = [
            PairLayout::OnlyA,
            PairLayout::OnlyB,
            PairLayout::Lens,
            PairLayout::Split(0.0),
            PairLayout::Split(0.43),
            PairLayout::Split(1.0),
            PairLayout::Difference(1.0),
            PairLayout::Difference(8.0),
        ];
        for size in [[1u32, 1], [7, 5], [64, 33]] {
            for size_b in [size, [size[0] * 2 + 1, size[1] * 3], [size[0].div_ceil(2), size[1].div_ceil(3)]] {
                let [a, b, cover] = [(1, size), (2, size_b), (3, size)].map(|(seed, [w, h])| noise(seed, w * h));
                let mut image = |texels: &[[u8; 4]], size| {
                    bench.image(ImageDesc::new("picture", size, Format::Rgba8, &[Use::Sample]), texels).unwrap().mip(0)
                };
                let views = [image(&a, size), image(&b, size_b), image(&cover, size)];
                let desc = ImageDesc::new("target", size, Format::Rgba8, &[Use::Color]);
                let target = gpu::Image::new(&gpu, desc).unwrap().mip(0);
                for layout in layouts {
                    bench.run(|frame| composition.draw(frame, views.each_ref(), layout, &target)).unwrap();
                    let found: Vec<[u8; 4]> = bench.read(&target).unwrap();
                    for (i, found) in found.iter().enumerate() {
                        let [x, y] = [i as u32 % size[0], i as u32 / size[0]];
                        // The texel whose span contains the pixel's middle.
                        let place = |at: u32, from: u32, to: u32| {
                            ((f64::from(at) + 0.5) * f64::from(to) / f64::from(from)) as u32
                        };
                        let [bx, by] = [place(x, size[0], size_b[0]), place(y, size[1], size_b[1])];
                        let (a, b) = (a[i], b[(by * size_b[0] + bx) as usize]);
                        for channel in 0..3 {
                            let [a, b] = [a, b].map(|texel| f64::from(texel[channel]));
                            let wanted = match layout {
                                PairLayout::OnlyA => a,
                                PairLayout::OnlyB => b,
                                PairLayout::Lens => a + (b - a) * f64::from(cover[i][0]) / 255.0,
                                PairLayout::Split(at) => {
                                    if x < (at * size[0] as f32) as u32 {
                                        a
                                    } else {
                                        b
                                    }
                                }
                                PairLayout::Difference(gain) => ((a - b).abs() * f64::from(gain)).min(255.0),
                            };
                            // Copies and differences are exact. A mixture is rounded once, by hardware that may be off
                            // by 0.6 of a step (Direct3D 11.3, 3.2.3.6).
                            let bound = if layout == PairLayout::Lens { 0.602 } else { 0.002 };
                            let error = (f64::from(found[channel]) - wanted).abs();
                            assert!(error <= bound, "{size:?} {size_b:?} {layout:?} {x},{y}: {found:?}, {wanted}");
                        }
                    }
                }
            }
        }
    }
}
