//! Outlines, and their exact coverage of each pixel.

use glam::Vec2;

/// Parts with the same winding may overlap.
#[derive(Clone, Debug, Default)]
pub struct Path {
    edges: Vec<[Vec2; 2]>,
    start: Vec2,
    at: Vec2,
}

impl Path {
    pub fn move_to(&mut self, p: Vec2) {
        self.close();
        (self.start, self.at) = (p, p);
    }

    pub fn line_to(&mut self, p: Vec2) {
        self.edges.push([self.at, p]);
        self.at = p;
    }

    pub fn curve_to(&mut self, a: Vec2, b: Vec2, p: Vec2) {
        const PIECES: usize = 12;
        let from = self.at;
        for i in 1..=PIECES {
            let t = i as f32 / PIECES as f32;
            let s = 1.0 - t;
            self.line_to(from * (s * s * s) + a * (3.0 * s * s * t) + b * (3.0 * s * t * t) + p * (t * t * t));
        }
    }

    pub fn quad_to(&mut self, a: Vec2, p: Vec2) {
        let from = self.at;
        self.curve_to(from + (a - from) * (2.0 / 3.0), p + (a - p) * (2.0 / 3.0), p);
    }

    pub fn close(&mut self) {
        if self.at != self.start {
            self.line_to(self.start);
        }
    }

    pub fn polygon(points: &[Vec2]) -> Self {
        let mut path = Self::default();
        let next = |i: usize| points[(i + 1) % points.len()];
        let area: f32 = points.iter().enumerate().map(|(i, p)| p.perp_dot(next(i))).sum();
        let mut forward = points.iter();
        let mut backward = points.iter().rev();
        for i in 0..points.len() {
            let point = if area >= 0.0 { forward.next() } else { backward.next() };
            let Some(point) = point else { break };
            if i == 0 { path.move_to(*point) } else { path.line_to(*point) }
        }
        path.close();
        path
    }

    pub fn rectangle(low: Vec2, high: Vec2) -> Self {
        Self::polygon(&[low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)])
    }

    /// |x/a|^n + |y/b|^n = 1 (Lamé 1818): 2 is an ellipse, 5 the shape of an icon.
    pub fn superellipse(centre: Vec2, half: Vec2, exponent: f32) -> Self {
        let points: Vec<Vec2> = (0..160)
            .map(|i| {
                let (sin, cos) = (i as f32 / 160.0 * std::f32::consts::TAU).sin_cos();
                let bent = |x: f32| x.abs().powf(2.0 / exponent).copysign(x);
                centre + Vec2::new(bent(cos), bent(sin)) * half
            })
            .collect();
        Self::polygon(&points)
    }

    pub fn disc(centre: Vec2, radius: f32) -> Self {
        Self::superellipse(centre, Vec2::splat(radius), 2.0)
    }

    pub fn rounded(low: Vec2, high: Vec2, radius: f32) -> Self {
        let mut points = Vec::new();
        for (quarter, sign) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].into_iter().enumerate() {
            let sign = Vec2::new(sign.0, sign.1);
            let corner = (low + high) / 2.0 + sign * ((high - low) / 2.0 - radius);
            for i in 0..=24 {
                let (sin, cos) = ((quarter as f32 + i as f32 / 24.0) * std::f32::consts::FRAC_PI_2).sin_cos();
                let bent = |x: f32| x.abs().powf(2.0 / 2.5).copysign(x);
                points.push(corner + Vec2::new(bent(cos), bent(sin)) * radius);
            }
        }
        Self::polygon(&points)
    }

    pub fn stroke(points: &[Vec2], width: f32) -> Self {
        let mut path = Self::default();
        for pair in points.windows(2) {
            let side = (pair[1] - pair[0]).normalize_or_zero().perp() * (width / 2.0);
            path.add(Self::polygon(&[pair[0] + side, pair[1] + side, pair[1] - side, pair[0] - side]));
        }
        for point in points {
            path.add(Self::disc(*point, width / 2.0));
        }
        path
    }

    pub fn ring(centre: Vec2, radius: f32, width: f32) -> Self {
        let mut path = Self::disc(centre, radius + width / 2.0);
        path.cut(Self::disc(centre, radius - width / 2.0));
        path
    }

    pub fn add(&mut self, other: Self) {
        self.edges.extend(other.edges);
    }

    pub fn cut(&mut self, other: Self) {
        self.edges.extend(other.edges.into_iter().map(|[a, b]| [b, a]));
    }

    pub fn placed(mut self, scale: f32, offset: Vec2) -> Self {
        self.edges.iter_mut().flatten().for_each(|p| *p = *p * scale + offset);
        self
    }

    pub fn bounds(&self) -> Option<(Vec2, Vec2)> {
        let mut points = self.edges.iter().flatten().copied();
        let first = points.next()?;
        Some(points.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
    }

    /// Every edge adds to each row the signed area between it and the row's right end, as differences; a running sum
    /// gives the winding number times the covered area.
    pub fn coverage(&self, size: [u32; 2]) -> Option<Coverage> {
        let (low, high) = self.bounds()?;
        let limit = Vec2::new(size[0] as f32, size[1] as f32);
        let (low, high) = (low.floor().clamp(Vec2::ZERO, limit), high.ceil().clamp(Vec2::ZERO, limit));
        let (width, height) = ((high.x - low.x) as usize, (high.y - low.y) as usize);
        if width == 0 || height == 0 {
            return None;
        }
        let mut sums = vec![0.0f32; (width + 2) * height];
        for [a, b] in &self.edges {
            add_edge(&mut sums, width, height, *a - low, *b - low);
        }
        let mut values = Vec::with_capacity(width * height);
        for row in sums.chunks_exact(width + 2) {
            let mut sum = 0.0;
            values.extend(row[..width].iter().map(|difference| {
                sum += difference;
                sum.abs().min(1.0)
            }));
        }
        Some(Coverage { x: low.x as u32, y: low.y as u32, width, values })
    }
}

/// Row by row, 0 to 1.
pub struct Coverage {
    pub x: u32,
    pub y: u32,
    pub width: usize,
    pub values: Vec<f32>,
}

fn add_edge(sums: &mut [f32], width: usize, height: usize, a: Vec2, b: Vec2) {
    if a.y == b.y {
        return;
    }
    let (sign, top, bottom) = if a.y < b.y { (1.0, a, b) } else { (-1.0, b, a) };
    let slope = (bottom.x - top.x) / (bottom.y - top.y);
    let first = top.y.max(0.0);
    let last = bottom.y.min(height as f32);
    let mut y = first;
    while y < last {
        let row = y as usize;
        let next = last.min((row + 1) as f32);
        let (x0, x1) = (top.x + (y - top.y) * slope, top.x + (next - top.y) * slope);
        let (left, right) = if x0 < x1 { (x0, x1) } else { (x1, x0) };
        add_span(&mut sums[row * (width + 2)..][..width + 2], width, left, right, sign * (next - y));
        y = next;
    }
}

fn add_span(row: &mut [f32], width: usize, left: f32, right: f32, rise: f32) {
    let limit = width as f32;
    let (left, right) = (left.clamp(0.0, limit), right.clamp(0.0, limit));
    let first = left as usize;
    let last = (right.ceil() as usize).max(first + 1);
    if last == first + 1 {
        let covered = 1.0 - ((left + right) / 2.0 - first as f32);
        row[first] += rise * covered;
        row[first + 1] += rise * (1.0 - covered);
        return;
    }
    let per_pixel = rise / (right - left);
    let mut before = 0.0;
    for (x, covered) in row.iter_mut().enumerate().take(last).skip(first) {
        let (from, to) = (left.max(x as f32), right.min((x + 1) as f32));
        let passed = (to - from) * per_pixel;
        let here = passed * (1.0 - ((from + to) / 2.0 - x as f32));
        *covered += here + before;
        before = passed - here;
    }
    row[last] += before;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(path: &Path, size: [u32; 2]) -> f32 {
        path.coverage(size).map_or(0.0, |coverage| coverage.values.iter().sum())
    }

    #[test]
    fn coverage_sums_to_the_area() {
        let size = [200, 200];
        let centre = Vec2::new(100.3, 99.6);
        assert!((area(&Path::disc(centre, 40.7), size) - std::f32::consts::PI * 40.7 * 40.7).abs() < 5.0);
        let ring = std::f32::consts::PI * (31.0 * 31.0 - 29.0 * 29.0);
        assert!((area(&Path::ring(centre, 30.0, 2.0), size) - ring).abs() < 1.0);
        for shift in 0..10 {
            let low = Vec2::splat(3.0 + shift as f32 * 0.1);
            let square = Path::rectangle(low, low + 7.25);
            assert!((area(&square, size) - 7.25 * 7.25).abs() < 1e-2);
        }
    }

    #[test]
    fn coverage_is_clipped_to_the_picture() {
        assert!((area(&Path::disc(Vec2::ZERO, 10.0), [100, 100]) - std::f32::consts::PI * 25.0).abs() < 0.5);
        assert!(
            (area(&Path::disc(Vec2::new(100.0, 50.0), 10.0), [100, 100]) - std::f32::consts::PI * 50.0).abs() < 0.5
        );
        assert!(Path::disc(Vec2::new(300.0, 50.0), 10.0).coverage([100, 100]).is_none());
        assert!(Path::default().coverage([100, 100]).is_none());
    }

    #[test]
    fn overlapping_pieces_count_once() {
        let mut twice = Path::disc(Vec2::splat(50.0), 20.0);
        twice.add(Path::disc(Vec2::splat(50.0), 10.0));
        assert!((area(&twice, [100, 100]) - area(&Path::disc(Vec2::splat(50.0), 20.0), [100, 100])).abs() < 1e-2);
    }
}
