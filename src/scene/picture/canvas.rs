//! Canvas of linear light for painting a picture.

use std::sync::LazyLock;

use glam::{Vec2, Vec3};

use super::path::Path;
use base::{srgb, threads::share};
use media::{picture::Picture, resample::Raster};

#[derive(Clone)]
pub struct Canvas {
    pub size: [u32; 2],
    pub light: Vec<Vec3>,
}

pub fn colour(hex: u32) -> Vec3 {
    let part = |shift: u32| srgb::LINEAR_OF_BYTE[(hex >> shift & 255) as usize];
    Vec3::new(part(16), part(8), part(0))
}

impl Canvas {
    pub fn new(size: [u32; 2], light: Vec3) -> Self {
        Self { size, light: vec![light; size[0] as usize * size[1] as usize] }
    }

    pub fn of(picture: &Picture) -> Self {
        let linear = |byte: u8| srgb::LINEAR_OF_BYTE[usize::from(byte)];
        let light = |pixel: &[u8]| Vec3::new(linear(pixel[0]), linear(pixel[1]), linear(pixel[2]));
        Self { size: picture.size, light: picture.rgba.chunks_exact(4).map(light).collect() }
    }

    pub fn rows(&mut self, work: impl Fn(u32, &mut [Vec3]) + Sync) {
        let (width, all) = (self.size[0] as usize, self.light.len());
        share(self.light.chunks_mut(width).enumerate(), all, |(y, row)| work(y as u32, row));
    }

    pub fn over(&mut self, x: u32, y: u32, light: Vec3, alpha: f32) {
        if x < self.size[0] && y < self.size[1] {
            let pixel = &mut self.light[y as usize * self.size[0] as usize + x as usize];
            *pixel = pixel.lerp(light, alpha);
        }
    }

    pub fn fill_with(&mut self, path: &Path, paint: impl Fn(Vec2) -> (Vec3, f32)) {
        let Some(coverage) = path.coverage(self.size) else { return };
        for (row, values) in coverage.values.chunks_exact(coverage.width).enumerate() {
            let y = coverage.y + row as u32;
            for (column, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                let x = coverage.x + column as u32;
                let (light, alpha) = paint(Vec2::new(x as f32 + 0.5, y as f32 + 0.5));
                self.over(x, y, light, alpha * value);
            }
        }
    }

    pub fn fill(&mut self, path: &Path, light: Vec3, alpha: f32) {
        self.fill_with(path, |_| (light, alpha));
    }

    pub fn shadow(&mut self, low: Vec2, high: Vec2, radius: f32, blur: f32, alpha: f32) {
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0 - radius);
        let (from, to) = ((low - blur).max(Vec2::ZERO), (high + blur).max(Vec2::ZERO));
        for y in from.y as u32..(to.y as u32 + 1).min(self.size[1]) {
            for x in from.x as u32..(to.x as u32 + 1).min(self.size[0]) {
                let d = (Vec2::new(x as f32 + 0.5, y as f32 + 0.5) - middle).abs() - half;
                let distance = d.max(Vec2::ZERO).length() + d.max_element().min(0.0) - radius;
                let depth = (0.5 - distance / (2.0 * blur)).clamp(0.0, 1.0);
                self.over(x, y, Vec3::ZERO, alpha * depth * depth * (3.0 - 2.0 * depth));
            }
        }
    }

    /// With dither (interleaved gradient noise, Jimenez 2014): a gradient over a whole sky has steps many pixels wide.
    pub fn picture(&self) -> Picture {
        let width = self.size[0] as usize;
        let mut rgba = vec![255; self.light.len() * 4];
        let fraction = |x: f32| x - (x as u32) as f32;
        let rows = rgba.chunks_mut(width * 4).zip(self.light.chunks(width)).enumerate();
        share(rows, self.light.len(), |(y, (bytes, row))| {
            for (x, (pixel, light)) in bytes.chunks_exact_mut(4).zip(row).enumerate() {
                let threshold = fraction(52.982_918 * fraction(0.067_110_56 * x as f32 + 0.005_837_15 * y as f32));
                for (byte, linear) in pixel.iter_mut().zip(light.to_array()) {
                    let exact = encoded(linear);
                    let nearest = (exact + 0.5) as u8;
                    let is_flat = (exact - f32::from(nearest)).abs() < 0.02;
                    *byte = if is_flat { nearest } else { (exact + threshold) as u8 };
                }
            }
        });
        Picture { size: self.size, rgba }
    }
}

impl Raster for Canvas {
    type Pixel = Vec3;

    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: u32) -> impl Fn(usize) -> [f32; 3] {
        let width = self.size[0] as usize;
        let row = &self.light[y as usize * width..][..width];
        move |at| row[at].to_array()
    }

    fn pixel_of(light: [f32; 3]) -> Vec3 {
        light.into()
    }

    fn of_pixels(size: [u32; 2], light: Vec<Vec3>) -> Self {
        Self { size, light }
    }
}

/// From a table, within 3e-4 of a step.
fn encoded(linear: f32) -> f32 {
    const STEPS: usize = 1 << 14;
    static ENCODED: LazyLock<Vec<f32>> =
        LazyLock::new(|| (0..=STEPS + 1).map(|i| srgb::encode(i as f32 / STEPS as f32) * 255.0).collect());
    let place = linear.clamp(0.0, 1.0) * STEPS as f32;
    let at = (place as usize).min(STEPS);
    ENCODED[at] + (ENCODED[at + 1] - ENCODED[at]) * (place - at as f32)
}
