//! Parts of a canvas, painted on all cores.

use base::threads::share;
use glam::Vec3;
use scene::picture::canvas::Canvas;

/// In strips of columns: the first column, and the strip's part of each of the first `rows` rows.
pub fn strips(canvas: &mut Canvas, rows: usize, work: impl Fn(usize, &mut [&mut [Vec3]]) + Sync) {
    const WIDTH: usize = 32;
    let width = canvas.size[0] as usize;
    let mut strips: Vec<Vec<&mut [Vec3]>> = (0..width.div_ceil(WIDTH)).map(|_| Vec::new()).collect();
    for row in canvas.light.chunks_mut(width).take(rows) {
        strips.iter_mut().zip(row.chunks_mut(WIDTH)).for_each(|(strip, part)| strip.push(part));
    }
    share(strips.iter_mut().enumerate(), rows * width, |(strip, parts)| work(strip * WIDTH, parts));
}

/// With the row's number and the picture above it.
pub fn rows_below(canvas: &mut Canvas, first: usize, work: impl Fn(&Above, u32, &mut [Vec3]) + Sync) {
    let width = canvas.size[0] as usize;
    let first = first.min(canvas.size[1] as usize);
    let (above, below) = canvas.light.split_at_mut(first * width);
    let (above, all) = (Above { width, light: above }, below.len());
    share(below.chunks_mut(width).enumerate(), all, |(y, row)| work(&above, (first + y) as u32, row));
}

pub fn add(canvas: &mut Canvas, x: i32, y: i32, light: Vec3) {
    if (0..canvas.size[0] as i32).contains(&x) && (0..canvas.size[1] as i32).contains(&y) {
        canvas.light[y as usize * canvas.size[0] as usize + x as usize] += light;
    }
}

pub fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    share(results.iter_mut().enumerate(), usize::MAX, |(number, result)| *result = Some(work(number)));
    results.into_iter().flatten().collect()
}

pub struct Above<'a> {
    width: usize,
    light: &'a [Vec3],
}

impl Above<'_> {
    /// A column of pixels across, in pixels: its light by the position from the top, bilinear, clamped at the border.
    pub fn column(&self, across: f32) -> impl Fn(f32) -> Vec3 {
        let (width, height) = (self.width, self.light.len() / self.width);
        let across = (across - 0.5).clamp(0.0, (width - 1) as f32);
        let left = across as usize;
        let (right, part) = ((left + 1).min(width - 1), across - left as f32);
        move |down| {
            let down = (down - 0.5).clamp(0.0, (height - 1) as f32);
            let row = |y: usize| {
                let row = &self.light[y * width..][..width];
                row[left].lerp(row[right], part)
            };
            let y = down as usize;
            row(y).lerp(row((y + 1).min(height - 1)), down - y as f32)
        }
    }
}
