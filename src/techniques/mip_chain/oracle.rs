//! The chain on the CPU, in f64.

use super::{MipChain, MipChainSettings, chain_for};
use crate::{
    gpu::{Gpu, mip_size},
    lab::{Bed, Case, Effort, Oracle, Verdict},
    techniques::Technique,
};
use glam::DVec4;

/// A plane of linear values.
#[derive(Clone)]
pub struct Plane {
    /// Texels.
    pub size: [u32; 2],
    /// Row by row.
    pub texels: Vec<DVec4>,
}

impl Plane {
    fn at(&self, x: i64, y: i64) -> DVec4 {
        let [w, h] = self.size.map(i64::from);
        self.texels[(y.clamp(0, h - 1) * w + x.clamp(0, w - 1)) as usize]
    }

    /// Bilinear, clamped to the edge; `x` and `y` in texels, texel 0 from 0 to 1.
    fn bilinear(&self, x: f64, y: f64) -> DVec4 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (i, j) = (x.floor(), y.floor());
        let (fx, fy) = (x - i, y - j);
        let (i, j) = (i as i64, j as i64);
        let top = self.at(i, j).lerp(self.at(i + 1, j), fx);
        top.lerp(self.at(i, j + 1).lerp(self.at(i + 1, j + 1), fx), fy)
    }

    /// The next level by the tent.
    #[must_use]
    pub fn tent(&self) -> Self {
        let size = mip_size(self.size, 1);
        let scale = [0, 1].map(|axis| f64::from(self.size[axis]) / f64::from(size[axis]));
        let texel = |x: u32, y: u32| {
            let (cx, cy) = ((f64::from(x) + 0.5) * scale[0], (f64::from(y) + 0.5) * scale[1]);
            let taps = [(-0.75, -0.75), (0.75, -0.75), (-0.75, 0.75), (0.75, 0.75)];
            taps.into_iter().map(|(dx, dy)| self.bilinear(cx + dx, cy + dy)).sum::<DVec4>() * 0.25
        };
        let texels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).collect();
        Self { size, texels }
    }
}

/// The linear plane of an encoded picture.
#[must_use]
pub fn decoded(size: [u32; 2], rgba: &[u8]) -> Plane {
    let channel = |v: u8| f64::from(crate::base::srgb::decode(f32::from(v) / 255.0));
    let texel = |t: &[u8]| DVec4::new(channel(t[0]), channel(t[1]), channel(t[2]), f64::from(t[3]) / 255.0);
    Plane { size, texels: rgba.chunks_exact(4).map(texel).collect() }
}

/// Noise, checker and a bright corner: hard edges and odd borders.
#[must_use]
pub fn test_picture(size: [u32; 2]) -> Vec<u8> {
    let texel = |x: u32, y: u32| {
        let noise = (x.wrapping_mul(0x9E37_79B9) ^ y.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35) >> 8;
        let checker = if (x / 4 + y / 4).is_multiple_of(2) { 255 } else { 12 };
        let corner = if x + 3 > size[0] && y + 3 > size[1] { 255 } else { 0 };
        [(noise & 255) as u8, checker, (noise >> 8 & 255) as u8 | corner, 255]
    };
    (0..size[1]).flat_map(|y| (0..size[0]).flat_map(move |x| texel(x, y))).collect()
}

/// Every level of the default method against f64.
pub struct Tent;

/// Errors of the hardware's bilinear weights (8 bits of fraction) and of half floats.
const BOUND_STEPS: f64 = 0.6;

impl Oracle for Tent {
    const NAME: &'static str = "tent";
    type Input = [u32; 2];
    type Output = Vec<Plane>;

    fn cases(_: &Gpu, effort: Effort) -> Vec<Case<[u32; 2]>> {
        let mut sizes = vec![[1, 1], [2, 1], [1, 3], [3, 3], [5, 7], [64, 64], [129, 31], [255, 129], [130, 128]];
        if effort == Effort::Full {
            sizes.extend([[1, 4096], [4096, 3], [1919, 1079], [1280, 720]]);
        }
        sizes.into_iter().map(|size| Case { name: format!("{}x{}", size[0], size[1]), input: size }).collect()
    }

    fn cpu(size: &[u32; 2]) -> Vec<Plane> {
        let mut levels = vec![decoded(*size, &test_picture(*size))];
        while levels[levels.len() - 1].size != [1, 1] {
            levels.push(levels[levels.len() - 1].tent());
        }
        levels
    }

    fn gpu(bed: &mut Bed, size: &[u32; 2]) -> anyhow::Result<Vec<Plane>> {
        let picture = bed.picture(*size, &test_picture(*size))?;
        let chain = chain_for(bed.gpu(), "chain", *size)?;
        let technique = MipChain::new(bed.gpu())?;
        bed.run(|frame| technique.record(frame, &MipChainSettings::default(), &picture.mip(0), &chain))?;
        let level = |bed: &mut Bed, level| -> anyhow::Result<Plane> {
            let halves = bed.read::<[u16; 4]>(&chain.mip(level))?;
            let texels = halves.iter().map(|h| DVec4::from_array(h.map(crate::base::half::to_f64))).collect();
            Ok(Plane { size: chain.mip(level).size(), texels })
        };
        (0..chain.mips()).map(|l| level(bed, l)).collect()
    }

    fn agree(_: &[u32; 2], cpu: &Vec<Plane>, gpu: &Vec<Plane>) -> Verdict {
        if cpu.len() != gpu.len() {
            return Verdict { passed: false, text: format!("{} levels, expected {}", gpu.len(), cpu.len()) };
        }
        let worst = |(a, b): (&Plane, &Plane)| {
            a.texels.iter().zip(&b.texels).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max)
        };
        let error = cpu.iter().zip(gpu).map(worst).fold(0.0, f64::max) * 255.0;
        Verdict::at_most("worst texel, 8-bit steps", error, BOUND_STEPS)
    }
}
