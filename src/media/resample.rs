//! Scaling of a picture to cover a size or to fit into it, in linear light.

use std::{collections::VecDeque, thread};

use super::pixels::{LightPicture, MOST_LIGHT, Picture};
use base::srgb;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crop {
    Middle,
    TopLeft,
}

pub trait Raster: Clone + Sync {
    type Pixel: Copy + Send;
    fn size(&self) -> [u32; 2];
    /// Linear light of a row, by column.
    fn row(&self, y: u32) -> impl Fn(usize) -> [f32; 3];
    fn pixel_of(light: [f32; 3]) -> Self::Pixel;
    fn of_pixels(size: [u32; 2], pixels: Vec<Self::Pixel>) -> Self;
}

impl Raster for Picture {
    type Pixel = [u8; 4];

    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: u32) -> impl Fn(usize) -> [f32; 3] {
        let linear = &*srgb::LINEAR_OF_BYTE;
        let width = self.size[0] as usize;
        let row = &self.rgba[y as usize * width * 4..][..width * 4];
        move |at| [0, 1, 2].map(|channel| linear[usize::from(row[at * 4 + channel])])
    }

    fn pixel_of(light: [f32; 3]) -> [u8; 4] {
        let [r, g, b] = light.map(srgb::byte_of_linear);
        [r, g, b, 255]
    }

    fn of_pixels(size: [u32; 2], pixels: Vec<[u8; 4]>) -> Self {
        Self { size, rgba: pixels.into_flattened() }
    }
}

impl Raster for LightPicture {
    type Pixel = [f32; 3];

    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn row(&self, y: u32) -> impl Fn(usize) -> [f32; 3] {
        let width = self.size[0] as usize;
        let row = &self.texels[y as usize * width..][..width];
        move |at| row[at]
    }

    fn pixel_of(light: [f32; 3]) -> [f32; 3] {
        light.map(|value| value.clamp(0.0, MOST_LIGHT))
    }

    fn of_pixels(size: [u32; 2], texels: Vec<[f32; 3]>) -> Self {
        Self { size, texels }
    }
}

fn scaled_row(light: impl Fn(usize) -> [f32; 3], columns: &[Taps]) -> Vec<f32> {
    let mut out = Vec::with_capacity(columns.len() * 3);
    for column in columns {
        let mut sum = [0.0; 3];
        for (weight, at) in column.weights.iter().zip(column.first as usize..) {
            let light = light(at);
            for channel in 0..3 {
                sum[channel] += weight * light[channel];
            }
        }
        out.extend(sum);
    }
    out
}

/// Source pixels per target pixel.
fn ratio(picture: &impl Raster, size: [u32; 2]) -> [f64; 2] {
    [0, 1].map(|axis| f64::from(picture.size()[axis]) / f64::from(size[axis]))
}

/// Keeps the aspect ratio and crops; a picture of exactly `size` is unchanged. Shrinking averages areas, enlarging uses
/// a Catmull-Rom spline, in linear light.
pub fn cover<R: Raster>(picture: &R, size: [u32; 2], crop: Crop) -> R {
    let size = size.map(|side| side.max(1));
    if picture.size() == size {
        return picture.clone();
    }
    let [across, down] = ratio(picture, size);
    R::of_pixels(size, scaled(picture, size, [across.min(down); 2], crop))
}

pub fn stretch<R: Raster>(picture: &R, size: [u32; 2]) -> R {
    R::of_pixels(size, scaled(picture, size, ratio(picture, size), Crop::TopLeft))
}

pub fn contain<R: Raster>(picture: &R, size: [u32; 2], border: [u8; 4]) -> R {
    let size = size.map(|side| side.max(1));
    if picture.size() == size {
        return picture.clone();
    }
    let [across, down] = ratio(picture, size);
    let scale = across.max(down);
    let inner = [0, 1].map(|axis| ((f64::from(picture.size()[axis]) / scale).round() as u32).clamp(1, size[axis]));
    let whole = scaled(picture, inner, ratio(picture, inner), Crop::Middle);
    let low = [0, 1].map(|axis| (size[axis] - inner[axis]) / 2);
    let [width, row] = [size[0], inner[0]].map(|side| side as usize);
    let border = R::pixel_of([0, 1, 2].map(|channel| srgb::LINEAR_OF_BYTE[usize::from(border[channel])]));
    let mut all = vec![border; width * size[1] as usize];
    for (y, pixels) in whole.chunks_exact(row).enumerate() {
        let at = (low[1] as usize + y) * width + low[0] as usize;
        all[at..at + row].copy_from_slice(pixels);
    }
    R::of_pixels(size, all)
}

fn scaled<R: Raster>(picture: &R, size: [u32; 2], scale: [f64; 2], crop: Crop) -> Vec<R::Pixel> {
    let source = picture.size().map(f64::from);
    let taps = [0, 1].map(|axis| {
        let scale = scale[axis];
        let origin = match crop {
            Crop::Middle => (source[axis] - f64::from(size[axis]) * scale) / 2.0,
            Crop::TopLeft => 0.0,
        };
        let count = picture.size()[axis];
        (0..size[axis]).map(|i| Taps::new(origin + f64::from(i) * scale, scale, count)).collect::<Vec<_>>()
    });
    let mut all = vec![R::pixel_of([0.0; 3]); size[0] as usize * size[1] as usize];
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let band = (size[1] as usize).div_ceil(threads);
    thread::scope(|scope| {
        for (rows, out) in taps[1].chunks(band).zip(all.chunks_mut(band * size[0] as usize)) {
            let columns = &taps[0];
            scope.spawn(move || fill_rows(picture, columns, rows, out));
        }
    });
    all
}

/// From `first` on; weights sum to 1.
struct Taps {
    first: u32,
    weights: Vec<f32>,
}

impl Taps {
    /// The target pixel spans `scale` of `count` source pixels from `start` on.
    fn new(start: f64, scale: f64, count: u32) -> Self {
        let last = i64::from(count) - 1;
        let (from, to, weight): (i64, i64, Box<dyn Fn(i64) -> f64>) = if scale > 1.0 {
            let end = start + scale;
            let overlap = move |i: i64| (end.min((i + 1) as f64) - start.max(i as f64)).max(0.0);
            (start.floor() as i64, end.ceil() as i64 - 1, Box::new(overlap))
        } else {
            let centre = start + scale / 2.0 - 0.5;
            let first = centre.floor() as i64 - 1;
            (first, first + 3, Box::new(move |i| catmull_rom((i as f64 - centre).abs())))
        };
        let first = from.clamp(0, last);
        let mut weights = vec![0.0; (to.clamp(0, last) - first + 1) as usize];
        for i in from..=to {
            weights[(i.clamp(0, last) - first) as usize] += weight(i) as f32;
        }
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Self { first: first as u32, weights }
    }
}

/// Catmull and Rom 1974: the cubic with the slope of the neighbours, as a kernel of the distance.
fn catmull_rom(x: f64) -> f64 {
    match x {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    }
}

/// Source rows scaled along x are kept while the next target row may need them.
fn fill_rows<R: Raster>(picture: &R, columns: &[Taps], rows: &[Taps], out: &mut [R::Pixel]) {
    let mut scaled: VecDeque<Vec<f32>> = VecDeque::new();
    let mut next = rows.first().map_or(0, |row| row.first);
    let mut first = next;
    let mut sum = vec![0.0f32; columns.len() * 3];
    for (row, out) in rows.iter().zip(out.chunks_exact_mut(columns.len())) {
        while first < row.first {
            scaled.pop_front();
            first += 1;
        }
        next = next.max(first);
        while next < row.first + row.weights.len() as u32 {
            scaled.push_back(scaled_row(picture.row(next), columns));
            next += 1;
        }
        sum.fill(0.0);
        for (weight, source) in row.weights.iter().zip(&scaled) {
            for (sum, value) in sum.iter_mut().zip(source) {
                *sum += weight * value;
            }
        }
        for (pixel, sum) in out.iter_mut().zip(sum.chunks_exact(3)) {
            *pixel = R::pixel_of([sum[0], sum[1], sum[2]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(size: [u32; 2]) -> Picture {
        let mut state = 1u32;
        Picture::from_fn(size, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8, 255]
        })
    }

    #[test]
    fn all_of_a_picture_fits_between_borders() {
        const BORDER: [u8; 4] = [1, 2, 3, 255];
        for (from, size, inner) in [
            ([30, 10], [60, 60], [60, 20]),
            ([10, 30], [60, 60], [20, 60]),
            ([300, 100], [60, 61], [60, 20]),
            ([64, 48], [64, 48], [64, 48]),
            ([64, 48], [32, 24], [32, 24]),
            ([9000, 1], [50, 50], [50, 1]),
            ([1, 1], [7, 3], [3, 3]),
        ] {
            let flat = Picture::from_fn(from, |_, _| [200, 30, 90, 255]);
            let whole = contain(&flat, size, BORDER);
            let low = [0, 1].map(|axis| (size[axis] - inner[axis]) / 2);
            let is_inside = |x: u32, y: u32| x.wrapping_sub(low[0]) < inner[0] && y.wrapping_sub(low[1]) < inner[1];
            let wanted = Picture::from_fn(size, |x, y| if is_inside(x, y) { [200, 30, 90, 255] } else { BORDER });
            assert_eq!(whole, wanted, "{from:?} in {size:?}");
        }
        let (picture, size) = (noise([40, 20]), [20, 30]);
        let (whole, half) = (contain(&picture, size, BORDER), cover(&picture, [20, 10], Crop::Middle));
        assert!((0..200).all(|i| whole.pixel(i % 20, 10 + i / 20) == half.pixel(i % 20, i / 20)));
    }

    #[test]
    fn one_colour_stays_one_colour_at_any_size() {
        for from in [[1, 1], [3, 7], [64, 48], [1, 500], [500, 1]] {
            let flat = Picture::from_fn(from, |_, _| [200, 30, 90, 255]);
            for size in [[1, 1], [5, 3], [64, 48], [63, 49], [200, 100], [2, 300]] {
                let covered = cover(&flat, size, Crop::Middle);
                assert_eq!(covered.size, size);
                assert_eq!(covered, Picture::from_fn(size, |_, _| [200, 30, 90, 255]), "{from:?} to {size:?}");
            }
        }
    }

    #[test]
    fn shrinking_keeps_the_mean_light() {
        let picture = noise([96, 96]);
        let mean = |picture: &Picture| {
            let sum: f64 = picture.rgba.iter().map(|byte| f64::from(srgb::LINEAR_OF_BYTE[usize::from(*byte)])).sum();
            sum / picture.rgba.len() as f64
        };
        for side in [95, 64, 50, 31, 7] {
            assert!((mean(&cover(&picture, [side, side], Crop::Middle)) - mean(&picture)).abs() < 2e-3, "{side}");
        }
    }

    #[test]
    fn the_middle_is_kept() {
        let wide =
            Picture::from_fn([30, 10], |x, _| if (10..20).contains(&x) { [0, 255, 0, 255] } else { [255, 0, 0, 255] });
        assert_eq!(cover(&wide, [10, 10], Crop::Middle), Picture::from_fn([10, 10], |_, _| [0, 255, 0, 255]));
        let left = cover(&wide, [10, 10], Crop::TopLeft);
        assert_eq!([left.pixel(0, 0), left.pixel(9, 9)], [wide.pixel(0, 0), wide.pixel(9, 9)]);
        let (tall, flipped) =
            (cover(&noise([10, 40]), [20, 20], Crop::Middle), cover(&mirror(&noise([10, 40])), [20, 20], Crop::Middle));
        assert!(crate::difference::compare(&mirror(&tall), &flipped).unwrap().max <= 1);
    }

    #[test]
    fn light_is_scaled_as_display_values_are() {
        let picture = noise([60, 40]);
        let linear = |byte: u8| srgb::LINEAR_OF_BYTE[usize::from(byte)];
        let texels = picture.rgba.chunks_exact(4).map(|p| [linear(p[0]), linear(p[1]), linear(p[2])]).collect();
        let light = LightPicture { size: picture.size, texels };
        let bytes = |light: &LightPicture| -> Vec<u8> {
            light.texels.iter().flat_map(|texel| Picture::pixel_of(*texel)).collect()
        };
        assert_eq!(cover(&picture, picture.size, Crop::Middle), picture);
        for size in [[60, 40], [31, 20], [100, 90], [7, 40]] {
            let covered = cover(&light, size, Crop::Middle);
            assert_eq!((covered.size, bytes(&covered)), (size, cover(&picture, size, Crop::Middle).rgba), "{size:?}");
            let whole = contain(&light, size, [9, 9, 9, 255]);
            assert_eq!((whole.size, bytes(&whole)), (size, contain(&picture, size, [9, 9, 9, 255]).rgba), "{size:?}");
        }
    }

    fn mirror(picture: &Picture) -> Picture {
        Picture::from_fn(picture.size, |x, y| picture.pixel(picture.size[0] - 1 - x, picture.size[1] - 1 - y))
    }
}
