//! `shaders/shade/tone.frag` on the CPU.

use crate::{base::srgb::encode, techniques::shade::Tone};
use glam::{Vec2, Vec3};

const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);

fn film(c: Vec3) -> Vec3 {
    let (inset, outset, low, range, pivot, grey, slope) = (0.16, 0.15, -10.0, 16.5, 10.0 / 16.5, 0.48, 2.75);
    let c = c.lerp(Vec3::splat(c.dot(LUMINANCE)), inset);
    let (shoulder, toe): (f32, f32) = (2.0, 1.8);
    let (top, bottom): (f32, f32) = (slope * (1.0 - pivot), slope * pivot);
    let reach = |far: f32, room: f32, power: f32| far / ((far / room).powf(power) - 1.0).powf(1.0 / power);
    let (up, down) = (reach(top, 1.0 - grey, shoulder), reach(bottom, grey, toe));
    let curve = c.map(|c| {
        let x = (((c.max(1e-9) / 0.18).log2() - low) / range).clamp(0.0, 1.0) - pivot;
        let y = slope * x;
        let (reach, power) = if y < 0.0 { (down, toe) } else { (up, shoulder) };
        grey + y / (1.0 + (y.abs() / reach).max(1e-9).powf(power)).powf(1.0 / power)
    });
    ((curve - outset * curve.dot(LUMINANCE)) / (1.0 - outset)).clamp(Vec3::ZERO, Vec3::ONE)
}

/// The encoded colour of light that was already exposed; without dither.
pub fn toned(light: Vec3, tone: Tone) -> Vec3 {
    let linear = match tone {
        Tone::Film => return film(light),
        Tone::Aces => {
            let c = light * 0.6;
            c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14)
        }
        Tone::Reinhard => {
            let l = light.dot(LUMINANCE);
            light * ((1.0 + l / 16.0) / (1.0 + l))
        }
        Tone::None => light,
    };
    linear.clamp(Vec3::ZERO, Vec3::ONE).map(encode)
}

/// The grain of a pixel, in steps of 1/255: -0.5 to 0.5.
pub fn grain(x: u32, y: u32) -> f32 {
    let inner = (0.067_110_56 * x as f32 + 0.005_837_15 * y as f32).fract();
    (52.982_918 * inner).fract() - 0.5
}

fn squeezed(c: Vec3) -> Vec3 {
    c / (1.0 + c.max_element())
}

/// Exposed light at `pixel` of a picture of which `scale` texels of `light` make a pixel: Catmull-Rom, cut to the four
/// texels around.
pub fn upscaled(light: &[Vec3], size: [u32; 2], pixel: [u32; 2], scale: Vec2) -> Vec3 {
    let at = (Vec2::new(pixel[0] as f32, pixel[1] as f32) + 0.5) * scale - 0.5;
    let (low, f) = (at.floor(), at - at.floor());
    let weights = |f: f32| {
        let (f2, f3) = (f * f, f * f * f);
        [-0.5 * f3 + f2 - 0.5 * f, 1.5 * f3 - 2.5 * f2 + 1.0, -1.5 * f3 + 2.0 * f2 + 0.5 * f, 0.5 * f3 - 0.5 * f2]
    };
    let texel = |x: i32, y: i32| {
        let (x, y) = (x.clamp(0, size[0] as i32 - 1) as u32, y.clamp(0, size[1] as i32 - 1) as u32);
        squeezed(light[(y * size[0] + x) as usize])
    };
    let (across, along) = (weights(f.x), weights(f.y));
    let (mut sum, mut least, mut most) = (Vec3::ZERO, Vec3::ONE, Vec3::ZERO);
    for (j, down) in along.into_iter().enumerate() {
        for (i, right) in across.into_iter().enumerate() {
            let here = texel(low.x as i32 + i as i32 - 1, low.y as i32 + j as i32 - 1);
            sum += here * (right * down);
            if (1..3).contains(&i) && (1..3).contains(&j) {
                (least, most) = (least.min(here), most.max(here));
            }
        }
    }
    let c = sum.clamp(least, most);
    c / (1.0 - c.max_element()).max(1e-4)
}
