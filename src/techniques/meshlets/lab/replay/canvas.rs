//! Drawings of a cluster on squared paper: on the screen, from above, and across its cone.

use super::{
    super::{culling_reference::NormalCone, reference::sphere_of},
    cluster::TileOfIds,
};
use glam::{DVec2, DVec3};
use technique::{Drawing, Grid};

const PAPER: [usize; 2] = [36, 24];
/// Followed cluster's sphere, others, frustum and limits, the eye's ray, the cone.
pub const SPHERE: [u8; 3] = [255, 210, 120];
const OTHER: [u8; 3] = [96, 110, 140];
const LIMIT: [u8; 3] = [110, 190, 255];
const RAY: [u8; 3] = [255, 255, 255];
const CONE: [u8; 3] = [255, 140, 200];

struct Paper {
    middle: DVec2,
    scale: f64,
}

impl Paper {
    fn around(points: impl IntoIterator<Item = DVec2>) -> Self {
        let [low, high] = points
            .into_iter()
            .fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)]);
        let size = (high - low).max(DVec2::splat(1e-9));
        let scale = (0.88 * PAPER[0] as f64 / size.x).min(0.88 * PAPER[1] as f64 / size.y);
        Self { middle: 0.5 * (low + high), scale }
    }

    fn at(&self, point: DVec2) -> [f32; 2] {
        let off = (point - self.middle) * self.scale;
        [(0.5 * PAPER[0] as f64 + off.x) as f32, (0.5 * PAPER[1] as f64 - off.y) as f32]
    }

    fn circle(&self, color: [u8; 3], center: DVec2, radius: f64) -> Drawing {
        Drawing::circle(color, self.at(center), (radius * self.scale) as f32)
    }

    fn line(&self, color: [u8; 3], points: impl IntoIterator<Item = DVec2>) -> Drawing {
        Drawing::line(color, points.into_iter().map(|at| self.at(at)))
    }
}

/// `None` where the eye is inside or a part is before the near plane.
fn outline_px(tile: &TileOfIds<'_>, placed: usize) -> Option<Vec<[f64; 2]>> {
    let (center, radius) = sphere_of(tile.frame.world, placed);
    let eye = tile.frame.camera.eye.as_dvec3();
    let (far, ahead) = ((center - eye).length(), (center - eye).normalize_or(DVec3::Z));
    if far <= radius {
        return None;
    }
    let middle = center - ahead * (radius * radius / far);
    let around = radius * (1.0 - (radius / far).powi(2)).sqrt();
    let (side, up) = ahead.any_orthonormal_pair();
    let point = |at: u32| {
        let (sin, cos) = (f64::from(at) * std::f64::consts::TAU / 64.0).sin_cos();
        tile.pixel_of(middle + around * (side * cos + up * sin))
    };
    (0..64).map(point).collect()
}

pub fn bounds_px(tile: &TileOfIds<'_>) -> Option<[[f64; 2]; 2]> {
    let points = outline_px(tile, tile.chosen)?;
    let clamped = |axis: usize, at: f64| at.clamp(0.0, f64::from(tile.frame.size[axis]) - 1.0);
    let low = [0, 1].map(|axis| points.iter().map(|at| at[axis]).fold(f64::INFINITY, f64::min));
    let high = [0, 1].map(|axis| points.iter().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max));
    Some([[clamped(0, low[0] - 1.0), clamped(1, low[1] - 1.0)], [clamped(0, high[0] + 1.0), clamped(1, high[1] + 1.0)]])
}

pub fn outline_over(tile: &TileOfIds<'_>, first: [f64; 2], scale: f64) -> Option<Drawing> {
    let points = outline_px(tile, tile.chosen)?;
    Some(Drawing::around(
        SPHERE,
        points.into_iter().map(|at| [0, 1].map(|axis| ((at[axis] - first[axis]) * scale) as f32)),
    ))
}

pub fn triangles_over(
    tile: &TileOfIds<'_>,
    color: impl Fn(u32) -> [u8; 3],
    to_cells: impl Fn([f64; 2]) -> [f32; 2],
) -> Vec<Drawing> {
    let triangle = |id: u32| {
        let corners = tile.frame.world.corners_of(id)?.map(|corner| tile.pixel_of(corner.as_dvec3()));
        let corners: Option<Vec<_>> = corners.into_iter().collect();
        Some(Drawing::around(color(id), corners?.into_iter().map(&to_cells)))
    };
    tile.triangles().into_iter().filter_map(triangle).collect()
}

pub fn on_screen(tile: &TileOfIds<'_>, color: impl Fn(u32) -> [u8; 3]) -> Grid {
    let flip = |at: [f64; 2]| DVec2::new(at[0], -at[1]);
    let mut points: Vec<DVec2> = outline_px(tile, tile.chosen).into_iter().flatten().map(flip).collect();
    let corners = tile.triangles().into_iter().filter_map(|id| tile.frame.world.corners_of(id)).flatten();
    points.extend(corners.filter_map(|corner| tile.pixel_of(corner.as_dvec3())).map(flip));
    let from = tile.corner.map(f64::from);
    let to = [0, 1].map(|axis| from[axis] + f64::from(tile.extent[axis]));
    let frame = [from, [to[0], from[1]], to, [from[0], to[1]]].map(flip);
    if points.is_empty() {
        points.extend(frame);
    }
    let paper = Paper::around(points);
    let triangles = triangles_over(tile, color, |at| paper.at(flip(at)));
    let mut drawing: Vec<Drawing> = triangles.into_iter().map(Drawing::filled).collect();
    let outline = outline_px(tile, tile.chosen).unwrap_or_default();
    drawing.push(Drawing::around(SPHERE, outline.into_iter().map(|at| paper.at(flip(at)))));
    drawing.push(Drawing::around(LIMIT, frame.map(|at| paper.at(at))));
    drawing.retain(|outline| outline.points.len() > 1);
    Grid::paper("The cluster on the screen, its sphere, and the edge of the tile in blue", PAPER).drawn(drawing)
}

pub fn from_above(tile: &TileOfIds<'_>) -> Grid {
    let (camera, size) = (tile.frame.camera, tile.frame.size);
    let [right, up] = camera.axes().map(|axis| axis.as_dvec3());
    let (ahead, eye) = (up.cross(right), camera.eye.as_dvec3());
    let on = |at: DVec3| DVec2::new(right.dot(at - eye), ahead.dot(at - eye));
    let followed = sphere_of(tile.frame.world, tile.chosen);
    let others = tile.seen().into_keys().filter(|placed| *placed != tile.chosen);
    let others: Vec<(DVec3, f64)> = others.map(|placed| sphere_of(tile.frame.world, placed)).collect();
    let far = on(followed.0).y + followed.1;
    let reach = others.iter().map(|(center, radius)| on(*center).y + radius).fold(far, f64::max).max(0.1);
    // The picture's edges, half a picture from its middle, less where it is shifted.
    let half = (0.5 * f64::from(camera.angle)).tan() * f64::from(size[0]) / f64::from(size[1].max(1));
    let shift = 2.0 * f64::from(camera.shift_px(size).x) / f64::from(size[0].max(1));
    let edges = [-1.0, 1.0].map(|side| half * (side + shift));
    let (middle, around) = (on(followed.0), DVec2::splat(followed.1));
    let paper = Paper::around([
        DVec2::ZERO,
        DVec2::new(edges[0] * reach, reach),
        DVec2::new(edges[1] * reach, reach),
        middle - around,
        middle + around,
    ]);
    let mut drawing: Vec<Drawing> =
        others.iter().map(|(center, radius)| paper.circle(OTHER, on(*center), *radius)).collect();
    drawing.extend(edges.map(|edge| paper.line(LIMIT, [DVec2::ZERO, DVec2::new(edge * reach, reach) * 1.5])));
    drawing.push(paper.circle(SPHERE, middle, followed.1).filled());
    Grid::paper("From above: the eye below, the edges of what it sees, spheres of the tile's clusters", PAPER)
        .drawn(drawing)
}

pub fn across_cone(tile: &TileOfIds<'_>, cone: Option<&NormalCone>) -> Grid {
    let (center, _) = sphere_of(tile.frame.world, tile.chosen);
    let ray = (center - tile.frame.camera.eye.as_dvec3()).normalize_or(DVec3::Z);
    let axis = cone.map_or(ray, |cone| cone.axis);
    let side = (axis - ray * axis.dot(ray)).normalize_or(ray.any_orthonormal_vector());
    let on = |direction: DVec3| DVec2::new(ray.dot(direction), side.dot(direction));
    let paper = Paper::around([DVec2::new(-2.2, -1.2), DVec2::new(1.4, 1.2)]);
    let normals = tile.triangles().into_iter().filter_map(|id| tile.frame.world.corners_of(id)).map(|corners| {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        (b - a).cross(c - a).normalize_or_zero()
    });
    let mut drawing: Vec<Drawing> = normals.map(|normal| paper.line(OTHER, [DVec2::ZERO, on(normal)])).collect();
    drawing.push(paper.circle(SPHERE, DVec2::ZERO, 1.0));
    if let Some(cone) = cone {
        let half = cone.sine.clamp(-1.0, 1.0).asin();
        let axis = on(cone.axis);
        let edge = |turn: f64| 1.25 * DVec2::from_angle(turn).rotate(axis);
        drawing.push(paper.line(CONE, [edge(half), DVec2::ZERO, edge(-half)]));
        drawing.push(paper.line(CONE, [DVec2::ZERO, 1.1 * axis]));
    }
    let tip = DVec2::new(-1.0, 0.0);
    drawing.push(paper.line(RAY, [DVec2::new(-2.2, 0.0), tip]));
    drawing.push(paper.line(RAY, [tip - DVec2::new(0.12, 0.06), tip, tip - DVec2::new(0.12, -0.06)]));
    Grid::paper("The eye's ray in white, normals of the triangles in grey, their cone and its axis in pink", PAPER)
        .drawn(drawing)
}
