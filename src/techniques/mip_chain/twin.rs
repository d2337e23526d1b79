//! The chain on the CPU, in f64.

use super::plan::Filter;
use crate::gpu::mip_size;
use glam::DVec4;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A plane of linear values.
#[derive(Clone)]
pub struct Plane {
    /// Texels.
    pub size: [u32; 2],
    /// Row by row.
    pub texels: Vec<DVec4>,
}

/// Weights of texels `first..` (clamped to the level) for texel `i` of the next level; the level has `n`.
#[must_use]
pub fn taps(filter: Filter, i: u32, n: u32) -> (i64, Vec<f64>) {
    let (at, half, all) = (f64::from(i), f64::from(n / 2), f64::from(n));
    let area = match n {
        1 => vec![1.0],
        n if n % 2 == 1 => vec![(half - at) / all, half / all, (at + 1.0) / all],
        _ => vec![0.5, 0.5],
    };
    let first = 2 * i64::from(i);
    match filter {
        Filter::Box => (first, area),
        Filter::Tent => {
            let mut blurred = vec![0.0; area.len() + 2];
            for (at, weight) in area.iter().enumerate() {
                for (k, share) in [0.25, 0.5, 0.25].into_iter().enumerate() {
                    blurred[at + k] += share * weight;
                }
            }
            (first - 1, blurred)
        }
    }
}

impl Plane {
    /// The next level.
    #[must_use]
    pub fn next(&self, filter: Filter) -> Self {
        let [w, h] = self.size;
        let size = mip_size(self.size, 1);
        let axis = |made: u32, n: u32| -> Vec<Vec<(usize, f64)>> {
            let of = |i| {
                let (first, weights) = taps(filter, i, n);
                let place = |k: usize| (first + k as i64).clamp(0, i64::from(n) - 1) as usize;
                weights.into_iter().enumerate().map(|(k, weight)| (place(k), weight)).collect()
            };
            (0..made).map(of).collect()
        };
        let (columns, rows) = (axis(size[0], w), axis(size[1], h));
        let row = |y: usize| -> Vec<DVec4> {
            let texels = &self.texels[y * w as usize..(y + 1) * w as usize];
            columns.iter().map(|taps| taps.iter().map(|(x, weight)| texels[*x] * *weight).sum()).collect()
        };
        // Rows are used by at most two rows of the next level; a few are kept.
        let some = |rows: &&[Vec<(usize, f64)>]| {
            let mut known: Vec<(usize, Vec<DVec4>)> = Vec::new();
            let mut texels = Vec::with_capacity(size[0] as usize * rows.len());
            for taps in *rows {
                let mut sum = vec![DVec4::ZERO; size[0] as usize];
                for (y, weight) in taps {
                    if !known.iter().any(|(at, _)| at == y) {
                        known.push((*y, row(*y)));
                        if known.len() > 6 {
                            known.remove(0);
                        }
                    }
                    for (_, row) in known.iter().filter(|(at, _)| at == y) {
                        sum.iter_mut().zip(row).for_each(|(sum, texel)| *sum += *texel * *weight);
                    }
                }
                texels.extend(sum);
            }
            texels
        };
        // Small levels are not worth a thread.
        let texels = if w * h < 1 << 18 {
            some(&&rows[..])
        } else {
            in_parallel(&rows.chunks(64).collect::<Vec<_>>(), some).concat()
        };
        Self { size, texels }
    }

    /// The driver's own filter: bilinear at the middle of each texel, clamped to the edge.
    #[must_use]
    pub fn blitted(&self) -> Self {
        let size = mip_size(self.size, 1);
        let [w, h] = self.size.map(i64::from);
        let at = |x: i64, y: i64| self.texels[(y.clamp(0, h - 1) * w + x.clamp(0, w - 1)) as usize];
        let texel = |x: u32, y: u32| {
            let place =
                |i: u32, axis: usize| (f64::from(i) + 0.5) * f64::from(self.size[axis]) / f64::from(size[axis]) - 0.5;
            let (x, y) = (place(x, 0), place(y, 1));
            let (i, j) = (x.floor() as i64, y.floor() as i64);
            let top = at(i, j).lerp(at(i + 1, j), x - x.floor());
            top.lerp(at(i, j + 1).lerp(at(i + 1, j + 1), x - x.floor()), y - y.floor())
        };
        let texels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y))).map(|(x, y)| texel(x, y)).collect();
        Self { size, texels }
    }

    /// `self` and levels `1..levels`.
    #[must_use]
    pub fn chain(self, filter: Filter, levels: u32) -> Vec<Self> {
        let mut chain = vec![self];
        for level in 1..levels as usize {
            chain.push(chain[level - 1].next(filter));
        }
        chain
    }

    /// For every level the exact mean of the part of this plane that each texel covers.
    #[must_use]
    pub fn exact_chain(&self, levels: u32) -> Vec<Self> {
        std::thread::scope(|scope| {
            let made: Vec<_> =
                (0..levels).map(|level| scope.spawn(move || self.mean(mip_size(self.size, level)))).collect();
            made.into_iter().filter_map(|made| made.join().ok()).collect()
        })
    }

    fn mean(&self, size: [u32; 2]) -> Self {
        let [w, h] = self.size;
        // Which of `made` texels a texel of `n` falls into, with which share: two at the most.
        let shares = |n: u32, made: u32| -> Vec<[(usize, f64); 2]> {
            let scale = f64::from(made) / f64::from(n);
            let of = |i: u32| {
                let (from, to) = (f64::from(i) * scale, f64::from(i + 1) * scale);
                let first = (from + 1e-9).floor();
                let here = to.min(first + 1.0) - from;
                let last = made as usize - 1;
                [(first as usize, here), ((first as usize + 1).min(last), (scale - here).max(0.0))]
            };
            (0..n).map(of).collect()
        };
        let (columns, rows) = (shares(w, size[0]), shares(h, size[1]));
        let mut texels = vec![DVec4::ZERO; (size[0] * size[1]) as usize];
        for (row, source) in rows.iter().zip(self.texels.chunks_exact(w as usize)) {
            let mut sum = vec![DVec4::ZERO; size[0] as usize];
            for (shares, texel) in columns.iter().zip(source) {
                shares.iter().for_each(|(x, share)| sum[*x] += *texel * *share);
            }
            for (y, share) in row.iter().filter(|(_, share)| *share > 0.0) {
                let start = y * size[0] as usize;
                texels[start..].iter_mut().zip(&sum).for_each(|(texel, sum)| *texel += *sum * *share);
            }
        }
        Self { size, texels }
    }

    /// Root of the mean square difference over all channels but alpha.
    #[must_use]
    pub fn rms(&self, other: &Self) -> f64 {
        let square = |(a, b): (&DVec4, &DVec4)| (*a - *b).truncate().length_squared();
        let sum: f64 = self.texels.iter().zip(&other.texels).map(square).sum();
        (sum / (3.0 * self.texels.len().max(1) as f64)).sqrt()
    }
}

/// `work` of every item, in order, on all of the machine's cores.
pub(super) fn in_parallel<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            done.push((at, work(item)));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for other in others {
            // A thread that panicked leaves its items out: what compares them finds too few.
            all.extend(other.join().unwrap_or_default());
        }
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, done)| done).collect()
}

/// The linear plane of an encoded picture.
#[must_use]
pub fn decoded(size: [u32; 2], rgba: &[u8]) -> Plane {
    let table: Vec<f64> = (0..=255u8).map(|v| decode(f64::from(v) / 255.0)).collect();
    let texel = |t: &[u8]| {
        let [r, g, b] = [t[0], t[1], t[2]].map(|v| table[usize::from(v)]);
        DVec4::new(r, g, b, f64::from(t[3]) / 255.0)
    };
    Plane { size, texels: rgba.chunks_exact(4).map(texel).collect() }
}

/// Linear light of an sRGB-encoded value (IEC 61966-2-1), in f64.
#[must_use]
pub fn decode(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The way back.
#[must_use]
pub fn encode(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Noise, a checker, a zone plate and a bright corner: hard edges, every frequency and odd borders.
#[must_use]
pub fn test_picture(size: [u32; 2]) -> Vec<u8> {
    let plate = |x: u32, y: u32| {
        let [x, y] = [(x, 0), (y, 1)].map(|(at, axis)| f64::from(at) / f64::from(size[axis]));
        (127.5 + 127.0 * (0.25 * std::f64::consts::PI * (x * x + y * y) * f64::from(size[0].max(size[1]))).cos()) as u8
    };
    let texel = |x: u32, y: u32| {
        let noise = (x.wrapping_mul(0x9E37_79B9) ^ y.wrapping_mul(0x85EB_CA6B)).wrapping_mul(0xC2B2_AE35) >> 8;
        let checker = if (x / 4 + y / 4).is_multiple_of(2) { 255 } else { 12 };
        let corner = if x + 3 > size[0] && y + 3 > size[1] { 255 } else { 0 };
        [(noise & 255) as u8, checker, plate(x, y) | corner, 255]
    };
    (0..size[1]).flat_map(|y| (0..size[0]).flat_map(move |x| texel(x, y))).collect()
}
