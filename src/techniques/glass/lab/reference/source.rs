//! Mode "source": the fragment shader of the original article, unchanged, with its faults.

use super::blur::lod_from_sigma;
use super::picture::{Picture, encoded_from_linear};
use crate::settings::SourceBlur;
use glam::{Vec2, Vec3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layers {
    /// The superellipse sum, 1e-4 on the outline.
    pub f: f32,
    /// Body.
    pub rb1: f32,
    /// Thin inner border.
    pub rb2: f32,
    /// Band for the light.
    pub rb3: f32,
    /// Part of the glass.
    pub transition: f32,
    /// Uv of the read.
    pub lens: Vec2,
    pub gradient: f32,
}

/// Pixels, of 81 bilinear taps.
pub const SOURCE_SIGMA: f32 = 1.33;

/// `frag` and `mouse`, the lens' centre: pixels from the top left.
pub fn layers(frag: Vec2, mouse: Vec2, size: Vec2) -> Layers {
    let uv = frag / size;
    let m2 = (uv - mouse / size) * 2.0;
    let f = eighth(m2.x * size.x / size.y) + eighth(m2.y);
    let rb1 = clamp1((1.0 - f * 10000.0) * 8.0);
    let rb2 = clamp1((0.95 - f * 9500.0) * 16.0) - clamp1((0.9 - f * 9500.0) * 16.0);
    let rb3 = clamp1((1.5 - f * 11000.0) * 2.0) - clamp1((1.0 - f * 11000.0) * 2.0);
    let sum = clamp1(rb1 + rb2);
    let transition = sum * sum * (3.0 - 2.0 * sum);
    let lens = (uv - 0.5) * (1.0 - f * 5000.0) + 0.5;
    let gradient = clamp1((m2.y.clamp(0.0, 0.2) + 0.1) / 2.0) + clamp1(((-m2.y).clamp(-1000.0, 0.2) * rb3 + 0.1) / 2.0);
    Layers { f, rb1, rb2, rb3, transition, lens, gradient }
}

/// Encoded; nothing where the picture stays.
pub fn shade(picture: &Picture, frag: Vec2, mouse: Vec2, blur: SourceBlur) -> Option<Vec3> {
    let size = picture.size().as_vec2();
    let l = layers(frag, mouse, size);
    if l.transition <= 0.0 {
        return None;
    }
    let blurred = match blur {
        SourceBlur::Box81 => {
            let mut sum = Vec3::ZERO;
            for x in -4..=4 {
                for y in -4..=4 {
                    sum += picture.encoded.sample_clamped(l.lens + Vec2::new(x as f32, y as f32) * 0.5 / size);
                }
            }
            sum / 81.0
        }
        SourceBlur::Mips => encoded_from_linear(picture.sample(l.lens * size, lod_from_sigma(SOURCE_SIGMA))),
    };
    let lighting = (blurred + l.rb1 * l.gradient + l.rb2 * 0.3).clamp(Vec3::ZERO, Vec3::ONE);
    Some(picture.encoded.sample_clamped(frag / size).lerp(lighting, l.transition))
}

/// By squaring: pow is undefined for negative x.
fn eighth(x: f32) -> f32 {
    let x2 = x * x;
    let x4 = x2 * x2;
    x4 * x4
}

fn clamp1(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}
