//! Scaling of a picture to cover a size or to fit into it, in linear light.

use std::{collections::VecDeque, thread};

use super::{
    light_picture::{LightPicture, MOST_LIGHT},
    picture::Picture,
    srgb,
};

/// The part of a picture to keep if its aspect ratio differs from the target's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crop {
    /// The middle.
    Middle,
    /// The part at the top left corner.
    TopLeft,
}

/// A picture whose rows can be scaled.
trait Source: Sync {
    /// Width and height.
    fn size(&self) -> [u32; 2];
    /// Row `y` scaled along x: three linear values per target pixel.
    fn scale_row(&self, columns: &[Taps], y: u32) -> Vec<f32>;
}

impl Source for Picture {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn scale_row(&self, columns: &[Taps], y: u32) -> Vec<f32> {
        let linear = &*srgb::LINEAR_OF_BYTE;
        let width = self.size[0] as usize;
        let row = &self.rgba[y as usize * width * 4..][..width * 4];
        let light = |at: usize| [0, 1, 2].map(|channel| linear[usize::from(row[at * 4 + channel])]);
        summed(columns, light)
    }
}

impl Source for LightPicture {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn scale_row(&self, columns: &[Taps], y: u32) -> Vec<f32> {
        let width = self.size[0] as usize;
        let row = &self.texels[y as usize * width..][..width];
        summed(columns, |at| row[at])
    }
}

fn summed(columns: &[Taps], light: impl Fn(usize) -> [f32; 3]) -> Vec<f32> {
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

/// A pixel from linear light.
type Convert<O> = fn([f32; 3]) -> O;

fn display_pixel(light: [f32; 3]) -> [u8; 4] {
    let [r, g, b] = light.map(srgb::byte_of_linear);
    [r, g, b, 255]
}

/// Splines overshoot.
fn light_texel(light: [f32; 3]) -> [f32; 3] {
    light.map(|value| value.clamp(0.0, MOST_LIGHT))
}

/// Scales the picture, keeping its aspect ratio, until it just covers `size`, and crops it by `crop`. A picture of exactly that size is
/// returned bit for bit. Shrinking averages areas, enlarging uses a Catmull-Rom spline; both in linear light.
pub fn cover(picture: &Picture, size: [u32; 2], crop: Crop) -> Picture {
    let size = size.map(|side| side.max(1));
    if picture.size == size {
        return picture.clone();
    }
    Picture { size, rgba: covered(picture, size, crop, display_pixel).into_flattened() }
}

/// The same of light.
pub fn cover_light(picture: &LightPicture, size: [u32; 2], crop: Crop) -> LightPicture {
    let size = size.map(|side| side.max(1));
    if picture.size == size {
        return picture.clone();
    }
    LightPicture { size, texels: covered(picture, size, crop, light_texel) }
}

fn covered<O: Copy + Send>(picture: &impl Source, size: [u32; 2], crop: Crop, convert: Convert<O>) -> Vec<O> {
    // Source pixels per target pixel, the same along both axes.
    let ratio = |axis: usize| f64::from(picture.size()[axis]) / f64::from(size[axis]);
    scaled(picture, size, [ratio(0).min(ratio(1)); 2], crop, convert)
}

/// Scales the picture, keeping its aspect ratio, until it just fits into `size`, and centres it on `border`. Scaled as by [`cover`].
pub fn contain(picture: &Picture, size: [u32; 2], border: [u8; 4]) -> Picture {
    let size = size.map(|side| side.max(1));
    if picture.size == size {
        return picture.clone();
    }
    Picture { size, rgba: contained(picture, size, border, display_pixel).into_flattened() }
}

/// The same of light.
pub fn contain_light(picture: &LightPicture, size: [u32; 2], border: [f32; 3]) -> LightPicture {
    let size = size.map(|side| side.max(1));
    if picture.size == size {
        return picture.clone();
    }
    LightPicture { size, texels: contained(picture, size, border, light_texel) }
}

fn contained<O: Copy + Send>(picture: &impl Source, size: [u32; 2], border: O, convert: Convert<O>) -> Vec<O> {
    let ratio = |axis: usize| f64::from(picture.size()[axis]) / f64::from(size[axis]);
    let scale = ratio(0).max(ratio(1));
    // Whole pixels, at least one; the shorter side's scale follows.
    let inner = [0, 1].map(|axis| ((f64::from(picture.size()[axis]) / scale).round() as u32).clamp(1, size[axis]));
    let scale = [0, 1].map(|axis| f64::from(picture.size()[axis]) / f64::from(inner[axis]));
    let whole = scaled(picture, inner, scale, Crop::Middle, convert);
    if inner == size {
        return whole;
    }
    let low = [0, 1].map(|axis| (size[axis] - inner[axis]) / 2);
    let [width, row] = [size[0], inner[0]].map(|side| side as usize);
    let mut all = vec![border; size[0] as usize * size[1] as usize];
    for (y, pixels) in whole.chunks_exact(row).enumerate() {
        let at = (low[1] as usize + y) * width + low[0] as usize;
        all[at..at + row].copy_from_slice(pixels);
    }
    all
}

/// A part of the picture at `size` pixels, each of which spans `scale` source pixels.
fn scaled<O: Copy + Send>(
    picture: &impl Source,
    size: [u32; 2],
    scale: [f64; 2],
    crop: Crop,
    convert: Convert<O>,
) -> Vec<O> {
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
    let mut all = vec![convert([0.0; 3]); size[0] as usize * size[1] as usize];
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    let band = (size[1] as usize).div_ceil(threads);
    thread::scope(|scope| {
        for (rows, out) in taps[1].chunks(band).zip(all.chunks_mut(band * size[0] as usize)) {
            let columns = &taps[0];
            scope.spawn(move || fill_rows(picture, columns, rows, out, convert));
        }
    });
    all
}

/// Filter taps of one target pixel along one axis: source pixels from `first` on, with weights that sum to 1.
struct Taps {
    first: u32,
    weights: Vec<f32>,
}

impl Taps {
    /// For the target pixel that spans `scale` of `count` source pixels from `start` on.
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
        // Clamped to the border pixel.
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

/// The cubic through its samples with the slope of their neighbours (Catmull and Rom 1974), as a kernel of the distance.
fn catmull_rom(x: f64) -> f64 {
    match x {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    }
}

/// A band of target rows. Source rows, already scaled along x, are kept while the next target row may need them, so the memory is a few
/// rows however large the picture is.
fn fill_rows<O>(picture: &impl Source, columns: &[Taps], rows: &[Taps], out: &mut [O], convert: Convert<O>) {
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
            scaled.push_back(picture.scale_row(columns, next));
            next += 1;
        }
        sum.fill(0.0);
        for (weight, source) in row.weights.iter().zip(&scaled) {
            for (sum, value) in sum.iter_mut().zip(source) {
                *sum += weight * value;
            }
        }
        for (pixel, sum) in out.iter_mut().zip(sum.chunks_exact(3)) {
            *pixel = convert([sum[0], sum[1], sum[2]]);
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
    fn the_same_size_is_the_same_picture() {
        let picture = noise([37, 21]);
        assert_eq!(cover(&picture, [37, 21], Crop::Middle), picture);
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
    fn halving_averages_light() {
        let checker =
            Picture::from_fn([8, 8], |x, y| if (x + y) % 2 == 0 { [255, 255, 255, 255] } else { [0, 0, 0, 255] });
        // Half the light of white is byte 188.
        assert_eq!(cover(&checker, [4, 4], Crop::Middle), Picture::from_fn([4, 4], |_, _| [188, 188, 188, 255]));
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
        assert!(crate::base::difference::compare(&mirror(&tall), &flipped).unwrap().max <= 1);
    }

    #[test]
    fn light_is_scaled_as_display_values_are() {
        let picture = noise([60, 40]);
        let linear = |byte: u8| srgb::LINEAR_OF_BYTE[usize::from(byte)];
        let texels = picture.rgba.chunks_exact(4).map(|p| [linear(p[0]), linear(p[1]), linear(p[2])]).collect();
        let light = LightPicture { size: picture.size, texels };
        let bytes =
            |light: &LightPicture| -> Vec<u8> { light.texels.iter().flat_map(|texel| display_pixel(*texel)).collect() };
        for size in [[60, 40], [31, 20], [100, 90], [7, 40]] {
            let covered = cover_light(&light, size, Crop::Middle);
            assert_eq!((covered.size, bytes(&covered)), (size, cover(&picture, size, Crop::Middle).rgba), "{size:?}");
            let whole = contain_light(&light, size, [linear(9); 3]);
            assert_eq!((whole.size, bytes(&whole)), (size, contain(&picture, size, [9, 9, 9, 255]).rgba), "{size:?}");
        }
    }

    fn mirror(picture: &Picture) -> Picture {
        Picture::from_fn(picture.size, |x, y| picture.pixel(picture.size[0] - 1 - x, picture.size[1] - 1 - y))
    }
}
