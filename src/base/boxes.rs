//! Triple box blur as an approximation of a Gaussian: its widths, and a reference implementation.

/// [`Boxes::TIMES`] boxes of one width: means over squares of `2 radius + 1` pixels a side, mixed with those of two
/// more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boxes {
    pub radius: u32,
    /// Weight of the larger square, 0..1.
    pub part: f32,
}

/// First pixel of a part of a picture, and one past its last; may be outside.
pub type Part = [[i32; 2]; 2];

impl Boxes {
    pub const TIMES: u32 = 3;

    /// A box of radius r has the variance r (r + 1) / 3 along each axis; a mix of two has their mixed variance.
    pub fn of(sigma: f32) -> Self {
        let variance = f64::from(sigma * sigma) / f64::from(Self::TIMES);
        let of = |radius: u32| f64::from(radius) * f64::from(radius + 1) / 3.0;
        let radius = (((12.0 * variance + 1.0).sqrt() - 1.0) / 2.0) as u32;
        let radius = if of(radius) > variance { radius.saturating_sub(1) } else { radius };
        let part = (variance - of(radius)) / (of(radius + 1) - of(radius));
        Self { radius, part: part.clamp(0.0, 1.0) as f32 }
    }

    pub fn reach(self) -> u32 {
        Self::TIMES * (self.radius + 1)
    }

    /// Blurs a part of a picture of `size` pixels, mirrored at its border.
    pub fn blur(self, size: [u32; 2], texel: impl Fn([u32; 2]) -> [f64; 3], part: Part) -> Vec<[f64; 3]> {
        let reach = self.reach() as i32;
        let mut at = [part[0].map(|n| n - reach), part[1].map(|n| n + reach)];
        let mut now: Vec<[f64; 3]> =
            places(at).map(|place| texel([0, 1].map(|i| mirrored(place[i], size[i])))).collect();
        for _ in 0..Self::TIMES {
            let inner = [at[0].map(|n| n + self.radius as i32 + 1), at[1].map(|n| n - self.radius as i32 - 1)];
            let one = |radius: u32| mean(&mean(&now, at, radius, 0), at, radius, 1);
            let (narrow, wide, part) = (one(self.radius), one(self.radius + 1), f64::from(self.part));
            let [width, first] = [(at[1][0] - at[0][0]) as usize, self.radius as usize + 1];
            let place = |[x, y]: [i32; 2]| {
                (y - inner[0][1]) as usize * width + (x - inner[0][0]) as usize + first * (width + 1)
            };
            let mixed = |at: usize| [0, 1, 2].map(|c| narrow[at][c] * (1.0 - part) + wide[at][c] * part);
            now = places(inner).map(|at| mixed(place(at))).collect();
            at = inner;
        }
        now
    }
}

fn places(part: Part) -> impl Iterator<Item = [i32; 2]> {
    (part[0][1]..part[1][1]).flat_map(move |y| (part[0][0]..part[1][0]).map(move |x| [x, y]))
}

fn mirrored(at: i32, n: u32) -> u32 {
    let at = at.rem_euclid(2 * n as i32) as u32;
    if at < n { at } else { 2 * n - 1 - at }
}

/// Invalid nearer than `radius` to the border of the part.
fn mean(texels: &[[f64; 3]], part: Part, radius: u32, axis: usize) -> Vec<[f64; 3]> {
    let [width, height] = [0, 1].map(|i| (part[1][i] - part[0][i]) as usize);
    let (length, step, lines, next) = if axis == 0 { (width, 1, height, width) } else { (height, width, width, 1) };
    let (radius, share) = (radius as usize, 1.0 / f64::from(2 * radius + 1));
    let mut made = vec![[0.0; 3]; texels.len()];
    for line in 0..lines {
        let at = |k: usize| line * next + k * step;
        let mut sum = [0.0; 3];
        for k in 0..length {
            sum = [0, 1, 2].map(|c| sum[c] + texels[at(k)][c]);
            if k >= 2 * radius {
                made[at(k - radius)] = sum.map(|sum| sum * share);
                let gone = texels[at(k - 2 * radius)];
                sum = [0, 1, 2].map(|c| sum[c] - gone[c]);
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_boxes_have_the_variance_asked_for() {
        for sigma in [0.3f32, 0.6, 1.0, 2.0, 3.9, 16.0, 64.0] {
            let Boxes { radius, part } = Boxes::of(sigma);
            let of = |radius: u32| {
                (-(radius as i64)..=radius as i64).map(|x| (x * x) as f64).sum::<f64>() / f64::from(2 * radius + 1)
            };
            let variance = 3.0 * (of(radius) * f64::from(1.0 - part) + of(radius + 1) * f64::from(part));
            assert!((variance / f64::from(sigma * sigma) - 1.0).abs() < 1e-5, "sigma {sigma}: {variance}");
        }
    }

    #[test]
    fn light_is_spread_and_mirrored() {
        let (boxes, size) = (Boxes::of(2.3), [7, 5]);
        let dot = |[x, y]: [u32; 2]| [f64::from(u8::from(x == 1 && y == 0)), 0.5, 0.0];
        let whole = boxes.blur(size, dot, [[0, 0], [7, 5]]);
        assert_eq!(whole.len(), 35);
        let sum: f64 = whole.iter().map(|texel| texel[0]).sum();
        assert!((sum - 1.0).abs() < 1e-9 && whole.iter().all(|texel| (texel[1] - 0.5).abs() < 1e-12), "{sum}");
        let beyond = boxes.blur(size, dot, [[-3, 2], [0, 3]]);
        let inside = [2, 1, 0].map(|x| whole[2 * 7 + x]);
        assert!(beyond.iter().zip(inside).all(|(a, b)| (a[0] - b[0]).abs() < 1e-12), "{beyond:?} {inside:?}");
    }

    #[test]
    fn a_mean_is_that_of_its_square() {
        let (boxes, size) = (Boxes { radius: 1, part: 0.25 }, [21, 21]);
        let dot = |at: [u32; 2]| [if at == [10, 10] { 1.0 } else { 0.0 }; 3];
        let square = |radius: i32, [x, y]: [i32; 2]| {
            let inside = x.abs().max(y.abs()) <= radius;
            f64::from(u8::from(inside)) / f64::from(2 * radius + 1).powi(2)
        };
        let kernel = |at: [i32; 2]| 0.75 * square(1, at) + 0.25 * square(2, at);
        let all = || (-2..3).flat_map(|y| (-2..3).map(move |x| [x, y]));
        let via = |to: [i32; 2], each: &dyn Fn([i32; 2]) -> f64| {
            all().map(|by: [i32; 2]| kernel(by) * each([to[0] - by[0], to[1] - by[1]])).sum::<f64>()
        };
        for at in [[0, 0], [1, 3], [-5, 2], [6, 6], [-6, 0]] {
            let wanted = via(at, &|at| via(at, &kernel));
            let [x, y] = at.map(|n| n + 10);
            let found = boxes.blur(size, dot, [[x, y], [x + 1, y + 1]])[0][0];
            assert!((found - wanted).abs() < 1e-12, "{at:?}: {found} {wanted}");
        }
    }
}
