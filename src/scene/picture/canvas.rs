//! Canvas of linear light for painting a picture.

use std::thread;

use glam::{Vec2, Vec3};

use super::path::Path;
use crate::base::{picture::Picture, srgb};

/// Linear light, three values a pixel, rows from the top.
#[derive(Clone)]
pub struct Canvas {
    /// Width and height in pixels.
    pub size: [u32; 2],
    light: Vec<Vec3>,
}

/// Linear light of a colour written as 0xRRGGBB.
pub fn colour(hex: u32) -> Vec3 {
    let part = |shift: u32| srgb::LINEAR_OF_BYTE[(hex >> shift & 255) as usize];
    Vec3::new(part(16), part(8), part(0))
}

impl Canvas {
    /// All of one colour.
    pub fn new(size: [u32; 2], light: Vec3) -> Self {
        Self { size, light: vec![light; size[0] as usize * size[1] as usize] }
    }

    /// Replaces every pixel by `shade` of its centre (in pixels) and its light, on all cores.
    pub fn shade(&mut self, shade: impl Fn(Vec2, Vec3) -> Vec3 + Sync) {
        let width = self.size[0] as usize;
        self.rows(|y, row| {
            for (x, light) in row.iter_mut().enumerate().take(width) {
                *light = shade(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), *light);
            }
        });
    }

    /// Runs `work` on every row with its number, on all cores.
    pub fn rows(&mut self, work: impl Fn(u32, &mut [Vec3]) + Sync) {
        let width = self.size[0] as usize;
        let threads = thread::available_parallelism().map_or(1, usize::from).min(16);
        // Several bands per thread would balance the load; interleaving rows does it without bookkeeping.
        let mut shares: Vec<Vec<(u32, &mut [Vec3])>> = (0..threads).map(|_| Vec::new()).collect();
        for (y, row) in self.light.chunks_mut(width).enumerate() {
            shares[y % threads].push((y as u32, row));
        }
        thread::scope(|scope| {
            for share in shares {
                let work = &work;
                scope.spawn(move || share.into_iter().for_each(|(y, row)| work(y, row)));
            }
        });
    }

    /// Light at a position in pixels, bilinear between pixel centres, clamped at the border.
    pub fn sample(&self, p: Vec2) -> Vec3 {
        let last = Vec2::new(self.size[0] as f32 - 1.0, self.size[1] as f32 - 1.0);
        let p = (p - 0.5).clamp(Vec2::ZERO, last);
        let (base, next) = (p.floor(), (p.floor() + 1.0).min(last));
        let f = p - base;
        let at = |x: f32, y: f32| self.light[y as usize * self.size[0] as usize + x as usize];
        at(base.x, base.y).lerp(at(next.x, base.y), f.x).lerp(at(base.x, next.y).lerp(at(next.x, next.y), f.x), f.y)
    }

    /// Blends a colour over a pixel; outside the picture it has no effect.
    pub fn over(&mut self, x: u32, y: u32, light: Vec3, alpha: f32) {
        if x < self.size[0] && y < self.size[1] {
            let pixel = &mut self.light[y as usize * self.size[0] as usize + x as usize];
            *pixel = pixel.lerp(light, alpha);
        }
    }

    /// Adds light to a pixel; outside the picture it has no effect.
    pub fn add(&mut self, x: i32, y: i32, light: Vec3) {
        if (0..self.size[0] as i32).contains(&x) && (0..self.size[1] as i32).contains(&y) {
            self.light[y as usize * self.size[0] as usize + x as usize] += light;
        }
    }

    /// Fills a path (in pixels) with `paint` of a pixel's centre: colour and opacity.
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

    /// Fills a path (in pixels) with one colour.
    pub fn fill(&mut self, path: &Path, light: Vec3, alpha: f32) {
        self.fill_with(path, |_| (light, alpha));
    }

    /// A soft shadow of a rectangle with rounded corners (all in pixels).
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

    /// Converts to eight bits a channel. A gradient over a whole sky has steps many pixels wide, so the rounding is dithered with a pattern
    /// (interleaved gradient noise, Jimenez 2014) whose error averages out in every small neighbourhood.
    pub fn picture(&self) -> Picture {
        let width = self.size[0] as usize;
        let mut rgba = Vec::with_capacity(self.light.len() * 4);
        for (i, light) in self.light.iter().enumerate() {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            let threshold = (52.982_918 * (0.067_110_56 * x + 0.005_837_15 * y).fract()).fract();
            // Flat colours stay flat: white text and the fields of a chart are exact bytes already.
            let byte = |linear: f32| {
                let exact = srgb::encode(linear.clamp(0.0, 1.0)) * 255.0;
                if (exact - exact.round()).abs() < 0.02 { exact.round() as u8 } else { (exact + threshold) as u8 }
            };
            rgba.extend([byte(light.x), byte(light.y), byte(light.z), 255]);
        }
        Picture { size: self.size, rgba }
    }
}
