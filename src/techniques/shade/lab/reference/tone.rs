//! CPU reference of `shaders/shade/tone.frag` and `enlarge.frag`.

use crate::Tone;
use base::srgb::encode;
use glam::{UVec2, Vec3};
use gpu::gpu_consts;

gpu_consts! { "include/luma.glsl":
    const LUMA: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
}

fn film(c: Vec3) -> Vec3 {
    let (inset, outset, low, range, pivot, grey, slope) = (0.16, 0.15, -10.0, 16.5, 10.0 / 16.5, 0.48, 2.75);
    let c = c.lerp(Vec3::splat(c.dot(LUMA)), inset);
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
    ((curve - outset * curve.dot(LUMA)) / (1.0 - outset)).clamp(Vec3::ZERO, Vec3::ONE)
}

pub fn toned(light: Vec3, tone: Tone) -> Vec3 {
    let linear = match tone {
        Tone::Film => return film(light),
        Tone::Aces => {
            let c = light * 0.6;
            c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14)
        }
        Tone::Reinhard => {
            let l = light.dot(LUMA);
            light * ((1.0 + l / 16.0) / (1.0 + l))
        }
        Tone::None => light,
    };
    linear.clamp(Vec3::ZERO, Vec3::ONE).map(encode)
}

/// In steps of 1/255: -0.5 to 0.5.
pub fn grain(x: u32, y: u32) -> f32 {
    let inner = (0.067_110_56 * x as f32 + 0.005_837_15 * y as f32).fract();
    (52.982_918 * inner).fract() - 0.5
}

pub fn enlarged(small: &[Vec3], from: [u32; 2], to: [u32; 2], pixel: [u32; 2]) -> Vec3 {
    let scale = UVec2::from_array(from).as_vec2() / UVec2::from_array(to).as_vec2();
    let at = (UVec2::from_array(pixel).as_vec2() + 0.5) * scale - 0.5;
    let (low, f) = (at.floor(), at - at.floor());
    let texel = |right: i32, down: i32| {
        let near = |at: f32, step: i32, size: u32| (at as i32 + step).clamp(0, size as i32 - 1) as u32;
        small[(near(low.y, down, from[1]) * from[0] + near(low.x, right, from[0])) as usize]
    };
    texel(0, 0).lerp(texel(1, 0), f.x).lerp(texel(0, 1).lerp(texel(1, 1), f.x), f.y)
}
