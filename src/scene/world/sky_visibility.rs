//! Per-vertex sky visibility, baked from depth maps rendered from many directions.
//!
//! Depth maps from the sky's side (as for shadows, Williams 1978) answer for every vertex at once what rays answer one by one.

use glam::Vec3;
use std::f32::consts::TAU;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

const DIRECTIONS: u32 = 40;
/// Largest side of a map.
const SIZE: usize = 768;
/// Approximate limit of texels covered by all triangles in one map.
const TEXELS: f32 = 2e8;
/// Of the occluders, for indirect light.
const ALBEDO: f32 = 0.5;
const ONE: f32 = 4096.0;

/// Spread evenly over the upper hemisphere (a Fibonacci spiral).
fn direction(k: u32) -> Vec3 {
    let y = (k as f32 + 0.5) / DIRECTIONS as f32;
    let (sin, cos) = (k as f32 * (TAU * 0.618_034)).sin_cos();
    let flat = (1.0 - y * y).sqrt();
    Vec3::new(flat * cos, y, flat * sin)
}

struct Map {
    across: [Vec3; 2],
    along: Vec3,
    middle: Vec3,
    /// Texels per metre.
    scale: f32,
    size: usize,
    depth: Vec<f32>,
}

impl Map {
    fn new(along: Vec3, middle: Vec3, radius: f32, size: usize, depth: Vec<f32>) -> Self {
        let (x, y) = along.any_orthonormal_pair();
        Self { across: [x, y], along, middle, scale: size as f32 * 0.5 / radius, size, depth }
    }

    /// Texels, texels, metres towards the sky.
    fn point(&self, at: Vec3) -> [f32; 3] {
        let from = at - self.middle;
        let texels = |axis: Vec3| from.dot(axis) * self.scale + self.size as f32 * 0.5;
        [texels(self.across[0]), texels(self.across[1]), from.dot(self.along)]
    }

    /// Texels whose centre it covers.
    fn draw(&mut self, triangle: &[Vec3; 3]) {
        let [a, b, c] = triangle.map(|at| self.point(at));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area.abs() < 1e-9 {
            return;
        }
        let range = |axis: usize| {
            let (low, high) = (a[axis].min(b[axis]).min(c[axis]) - 0.5, a[axis].max(b[axis]).max(c[axis]) - 0.5);
            (low.ceil().max(0.0) as usize, (high.floor() + 1.0).clamp(0.0, self.size as f32) as usize)
        };
        let ((left, right), (top, bottom)) = (range(0), range(1));
        let per_x = [(b[1] - c[1]) / area, (c[1] - a[1]) / area];
        let per_y = [(c[0] - b[0]) / area, (a[0] - c[0]) / area];
        for y in top..bottom {
            let row = &mut self.depth[y * self.size..(y + 1) * self.size];
            let down = y as f32 + 0.5 - c[1];
            for (x, texel) in row.iter_mut().enumerate().take(right).skip(left) {
                let right = x as f32 + 0.5 - c[0];
                let u = per_x[0] * right + per_y[0] * down;
                let v = per_x[1] * right + per_y[1] * down;
                let w = 1.0 - u - v;
                if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                    *texel = texel.max(u * a[2] + v * b[2] + w * c[2]);
                }
            }
        }
    }

    /// Number of unoccluded texels of the four about a point.
    fn open(&self, at: Vec3) -> u32 {
        let [x, y, depth] = self.point(at);
        let (x, y) = ((x - 0.5).floor(), (y - 0.5).floor());
        if !(x >= 0.0 && y >= 0.0 && x < (self.size - 1) as f32 && y < (self.size - 1) as f32) {
            return 4;
        }
        let first = y as usize * self.size + x as usize;
        let four = [first, first + 1, first + self.size, first + self.size + 1];
        four.iter().map(|texel| u32::from(self.depth[*texel] <= depth)).sum()
    }
}

/// Number of maps that all triangles cover together, in their largest projection.
fn covered(occluders: &[[Vec3; 3]], radius: f32) -> f32 {
    let area = |[a, b, c]: &[Vec3; 3]| 0.5 * f64::from((*b - *a).cross(*c - *a).length());
    let all: f64 = occluders.iter().map(area).sum();
    (2.0 * all / f64::from(2.0 * radius).powi(2)) as f32
}

/// Sky visibility of `points` (position and normal), 0..1, weighted by the cosine, including light reflected by
/// occluders, which are two-sided. If `report` (progress) returns false, the result is invalid.
pub fn seen(points: &[(Vec3, Vec3)], occluders: &[[Vec3; 3]], report: &(dyn Fn(f32) -> bool + Sync)) -> Vec<f32> {
    if points.is_empty() || occluders.is_empty() {
        return vec![1.0; points.len()];
    }
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for at in occluders.as_flattened() {
        (low, high) = (low.min(*at), high.max(*at));
    }
    let (middle, radius) = ((low + high) * 0.5, ((high - low).length() * 0.5).max(1e-6));
    let size = ((12.0 * (occluders.len() as f32).sqrt()) as usize).clamp(96, SIZE);
    let size = size.min(((TEXELS / covered(occluders, radius).max(1.0)).sqrt() as usize).max(96));
    // Bias: a texel's slope and its width.
    let away = 1.6 * 2.0 * radius / size as f32;
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(DIRECTIONS as usize) as u32;
    let done = AtomicU32::new(0);
    let part = |core: u32| {
        let mut sums = vec![[0_u32; 2]; points.len()];
        let mut depth = vec![];
        for k in (core..DIRECTIONS).step_by(cores as usize) {
            depth.clear();
            depth.resize(size * size, f32::NEG_INFINITY);
            let mut map = Map::new(direction(k), middle, radius, size, depth);
            for triangle in occluders {
                map.draw(triangle);
            }
            for ((at, normal), sum) in points.iter().zip(&mut sums) {
                let weight = ((normal.dot(map.along).max(0.0) + 0.02) * ONE) as u32;
                sum[0] += weight * map.open(*at + *normal * away + map.along * away);
                sum[1] += weight * 4;
            }
            depth = map.depth;
            if !report((done.fetch_add(1, Relaxed) + 1) as f32 / DIRECTIONS as f32) {
                break;
            }
        }
        sums
    };
    let mut sums = vec![[0_u32; 2]; points.len()];
    std::thread::scope(|scope| {
        let part = &part;
        let parts: Vec<_> = (0..cores).map(|core| scope.spawn(move || part(core))).collect();
        for part in parts {
            for (sum, more) in sums.iter_mut().zip(part.join().unwrap_or_default()) {
                *sum = [sum[0] + more[0], sum[1] + more[1]];
            }
        }
    });
    let bounced = |(sum, (_, normal)): (&[u32; 2], &(Vec3, Vec3))| {
        let open = sum[0] as f32 / (sum[1] as f32).max(1.0);
        // Downward surfaces see the ground, which is about half hidden by the object itself.
        let open = open + (0.55 - open).max(0.0) * (-normal.y).clamp(0.0, 1.0);
        // More than one bounce (after Jimenez et al. 2016, for a grey surface).
        open / (1.0 - ALBEDO * (1.0 - open))
    };
    sums.iter().zip(points).map(bounced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f32, y: f32) -> [[Vec3; 3]; 2] {
        let at = |x: f32, z: f32| Vec3::new(x * half, y, z * half);
        [[at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, 1.0)], [at(-1.0, -1.0), at(1.0, 1.0), at(1.0, -1.0)]]
    }

    #[test]
    fn below_a_roof_there_is_no_sky_beside_a_wall_half_of_it() {
        let up = |x: f32, y: f32| (Vec3::new(x, y, 0.0), Vec3::Y);
        let roof: Vec<_> = square(5.0, 2.0).into_iter().chain(square(9.0, 0.0)).collect();
        let sky = seen(&[up(0.0, 0.0), up(8.0, 0.0), up(0.0, 2.0)], &roof, &|_| true);
        assert!(sky[0] < 0.25 && sky[1] > 0.6 && sky[2] > 0.99, "{sky:?}");
        let wall = square(9.0, 0.0).map(|t| t.map(|at| Vec3::new(at.y, at.x, at.z)));
        let half = 0.5 / (1.0 - ALBEDO * 0.5);
        let beside = seen(&[up(0.5, -1.0), up(-0.5, -1.0)], &wall, &|_| true);
        assert!(beside.iter().all(|sky| (sky - half).abs() < 0.08), "{beside:?}, wanted {half}");
    }

    #[test]
    fn depth_is_that_of_the_plane() {
        let mut map = Map::new(Vec3::new(0.3, 0.9, -0.2).normalize(), Vec3::ZERO, 4.0, SIZE, vec![-9.0; SIZE * SIZE]);
        let [a, b, c] = [Vec3::new(-1.0, 0.3, 1.0), Vec3::new(1.5, 0.2, 0.8), Vec3::new(0.2, 1.0, -1.7)];
        map.draw(&[a, b, c]);
        for (u, v) in [(0.3, 0.3), (0.1, 0.8), (0.7, 0.2), (0.05, 0.05)] {
            let [x, y, depth] = map.point(a * (1.0 - u - v) + b * u + c * v);
            let found = map.depth[y as usize * SIZE + x as usize];
            assert!((found - depth).abs() < 0.02, "{found} {depth}");
        }
        let covered = map.depth.iter().filter(|depth| **depth > -9.0).count() as f32;
        let area = (b - a).cross(c - a).dot(map.along).abs() * 0.5 * map.scale * map.scale;
        assert!((covered / area - 1.0).abs() < 0.01, "{covered} {area}");
    }

    #[test]
    fn nothing_in_the_way_is_all_sky() {
        assert_eq!(seen(&[(Vec3::ZERO, Vec3::Y)], &[], &|_| true), [1.0]);
        assert_eq!(seen(&[], &square(1.0, 0.0), &|_| true), [0.0; 0]);
        assert!((0..DIRECTIONS).all(|k| (direction(k).length() - 1.0).abs() < 1e-5 && direction(k).y > 0.0));
    }
}
