//! CPU reference of visibility, in double precision, triangle by triangle: std and glam only.
//!
//! Triangles are tested in homogeneous coordinates (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous
//! Coordinates", 1997), so nothing is clipped at the near plane. A rasterizer rounds corners to 1/256 of a pixel; where
//! that, or other rounding, may decide, the reference gives every right answer.

use super::alpha_coverage::Coverage;
use glam::{DMat4, DVec3, Mat4};
use scene::world::VisibilityId;
use scene::world::{AlphaMode, Camera, World};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub id: u32,
    pub depth: f64,
    pub slack: f64,
    /// Change of the depth over a pixel.
    pub slope: f64,
    pub is_sure: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pixel {
    pub hits: Vec<Hit>,
    pub may_be_empty: bool,
}

impl Pixel {
    pub fn of(hits: Vec<Hit>) -> Self {
        right_answers(hits)
    }

    pub fn allows(&self, id: u32, depth: f32) -> bool {
        if id == 0 {
            return self.may_be_empty && depth == 0.0;
        }
        self.hits.iter().any(|hit| hit.id == id && (f64::from(depth) - hit.depth).abs() <= hit.slack)
    }

    pub fn is_clear(&self) -> bool {
        self.hits.len() + usize::from(self.may_be_empty) == 1
    }
}

/// Pixels from a line within which its side is uncertain. Derived: either direction of rounding moves a corner by up to
/// 1/256 along each axis, 0.0055 in all; f32 adds what [`cover`] computes.
const EDGE: f64 = 0.01;
/// Relative depth difference within which either of two triangles may be in front. Observed, as all slack of depths here:
/// no pixel is wrong with it in the quick cases (Mesa 25.0.7).
const TIE: f64 = 1e-4;

struct CoverageModes {
    covers: &'static [AlphaMode],
    is_cut: bool,
}

const SOLID: CoverageModes = CoverageModes { covers: &[AlphaMode::Opaque, AlphaMode::Mask], is_cut: true };

struct RasterView {
    clip_from_world: DMat4,
    /// Smallest visible w; 0 without perspective.
    near: f64,
    /// Pixels of a length of 1 at distance 1.
    focal: f64,
    /// Largest coordinate of the eye, for rounding.
    reach: f64,
    both_sides: bool,
    size: [u32; 2],
    within: Option<[[u32; 2]; 2]>,
}

#[derive(Clone, Copy)]
struct Corner {
    /// Pixels times w, and w.
    at: DVec3,
    /// Depth times w.
    z: f64,
    reach: f64,
}

impl RasterView {
    fn by_camera(camera: &Camera, size: [u32; 2]) -> Self {
        Self {
            clip_from_world: camera.block(size).clip_from_world.as_dmat4(),
            near: f64::from(camera.near),
            focal: 0.5 * f64::from(size[1]) / (0.5 * f64::from(camera.angle)).tan(),
            reach: f64::from(camera.eye.abs().max_element()),
            both_sides: false,
            size,
            within: None,
        }
    }

    fn corner(&self, world: DVec3) -> Corner {
        let clip = self.clip_from_world * world.extend(1.0);
        let pixels = |x: f64, size: u32| 0.5 * (x + clip.w) * f64::from(size);
        let at = DVec3::new(pixels(clip.x, self.size[0]), pixels(clip.y, self.size[1]), clip.w);
        Corner { at, z: clip.z, reach: world.abs().max_element() }
    }

    fn hits(&self, world: &World, shown: &CoverageModes) -> Vec<Vec<Hit>> {
        let mut hits: Vec<Vec<Hit>> = vec![Vec::new(); (self.size[0] * self.size[1]) as usize];
        self.each_hit(world, shown, &mut |pixel, hit| hits[pixel].push(hit));
        hits
    }

    fn each_hit(&self, world: &World, shown: &CoverageModes, each: &mut dyn FnMut(usize, Hit)) {
        let coverage = Coverage::new(world, self.clip_from_world, self.size);
        let spans = world.spans().into_iter().filter(|(cover, _)| shown.covers.contains(cover));
        for index in spans.flat_map(|(_, [first, count])| first..first + count) {
            let placed = world.meshlet_instances[index as usize];
            let (instance, meshlet) =
                (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
            let [x, y, z, origin] = instance.world_from_mesh.map(|axis| axis.as_dvec3());
            let corner = |vertex: u32| {
                let vertex = world.geometry.meshlet_vertices[(meshlet.first_vertex + vertex) as usize];
                let at = world.geometry.vertices[vertex as usize].position.as_dvec3();
                self.corner(x * at.x + y * at.y + z * at.z + origin)
            };
            let corners: Vec<Corner> = (0..meshlet.vertices).map(corner).collect();
            for triangle in 0..meshlet.triangles {
                let packed = world.geometry.triangles[(meshlet.first_triangle + triangle) as usize];
                let id = VisibilityId::new(index, triangle).0;
                let of = [0, 8, 16].map(|shift| corners[(packed >> shift & 0xFF) as usize]);
                cover(self, of, &mut |pixel, hit| {
                    let here = if shown.is_cut { coverage.of(id, pixel) } else { Some(true) };
                    let is_sure = hit.is_sure && here == Some(true);
                    if here != Some(false) {
                        each(pixel, Hit { id, is_sure, ..hit });
                    }
                });
            }
        }
    }
}

pub fn covering(world: &World, camera: &Camera, size: [u32; 2], [first, last]: [[u32; 2]; 2]) -> Vec<Vec<Hit>> {
    let [columns, rows] = [0, 1].map(|axis| (last[axis] + 1).saturating_sub(first[axis]) as usize);
    let mut hits = vec![Vec::new(); columns * rows];
    let raster_view = RasterView { within: Some([first, last]), ..RasterView::by_camera(camera, size) };
    raster_view.each_hit(world, &SOLID, &mut |pixel, hit| {
        let [x, y] = [pixel % size[0] as usize - first[0] as usize, pixel / size[0] as usize - first[1] as usize];
        hits[y * columns + x].push(hit);
    });
    hits
}

pub fn pixel_at(world: &World, camera: &Camera, size: [u32; 2], at: [u32; 2]) -> Pixel {
    let mut hits = Vec::new();
    let raster_view = RasterView { within: Some([at, at]), ..RasterView::by_camera(camera, size) };
    raster_view.each_hit(world, &SOLID, &mut |_, hit| hits.push(hit));
    right_answers(hits)
}

pub fn barycentrics(world: &World, camera: &Camera, size: [u32; 2], id: u32, at: [u32; 2]) -> Option<DVec3> {
    let raster_view = RasterView::by_camera(camera, size);
    let [a, b, c] = world.corners_of(id)?.map(|corner| raster_view.corner(corner.as_dvec3()).at);
    let center = DVec3::new(f64::from(at[0]) + 0.5, f64::from(at[1]) + 0.5, 1.0);
    let weights = DVec3::new(b.cross(c).dot(center), c.cross(a).dot(center), a.cross(b).dot(center));
    let sum = weights.element_sum();
    (sum != 0.0).then(|| weights / sum)
}

pub fn rasterize(world: &World, camera: &Camera, size: [u32; 2]) -> Vec<Pixel> {
    RasterView::by_camera(camera, size).hits(world, &SOLID).into_iter().map(right_answers).collect()
}

/// For every pixel the transparent surfaces in front of all opaque ones, nearest first; `None` where uncertain.
pub fn layers(world: &World, camera: &Camera, size: [u32; 2]) -> Vec<Option<Vec<u32>>> {
    let raster_view = RasterView::by_camera(camera, size);
    let shown = CoverageModes { covers: &[AlphaMode::Blend], is_cut: true };
    let walls = raster_view.hits(world, &SOLID).into_iter().map(right_answers);
    let order = |(wall, mut hits): (Pixel, Vec<Hit>)| {
        let nearest = wall.hits.iter().map(|hit| hit.depth).fold(0.0, f64::max);
        let slack = wall.hits.iter().map(|hit| hit.slack).fold(0.0, f64::max);
        let is_clear = wall.is_clear() && hits.iter().all(|hit| (hit.depth - nearest).abs() > slack + hit.slack);
        hits.retain(|hit| hit.depth > nearest);
        hits.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        let apart = hits.windows(2).all(|pair| pair[0].depth - pair[1].depth > pair[0].slack + pair[1].slack);
        let is_sure = is_clear && apart && hits.iter().all(|hit| hit.is_sure);
        is_sure.then(|| hits.iter().map(|hit| hit.id).collect())
    };
    walls.zip(raster_view.hits(world, &shown)).map(order).collect()
}

/// For every texel of an orthographic map the least and the largest depth of the nearest triangle, both sides; `bias`
/// times the slope is subtracted.
pub fn nearest(world: &World, clip_from_world: &Mat4, side: u32, bias: f64) -> Vec<[f64; 2]> {
    let clip_from_world = clip_from_world.as_dmat4();
    // The shorter of the map's rows: most texels of a unit of the world.
    let focal = 0.5 * f64::from(side) * clip_from_world.row(0).truncate().length();
    let focal = focal.max(0.5 * f64::from(side) * clip_from_world.row(1).truncate().length());
    let raster_view =
        RasterView { clip_from_world, near: 0.0, focal, reach: 0.0, both_sides: true, size: [side; 2], within: None };
    let range = |hits: Vec<Hit>| {
        let low = hits.iter().filter(|hit| hit.is_sure).map(|hit| hit.depth - hit.slack - bias * hit.slope);
        let high = hits.iter().map(|hit| hit.depth + hit.slack);
        [low.fold(0.0, f64::max), high.fold(0.0, f64::max)]
    };
    raster_view.hits(world, &SOLID).into_iter().map(range).collect()
}

fn right_answers(mut hits: Vec<Hit>) -> Pixel {
    let sure = hits.iter().filter(|hit| hit.is_sure).map(|hit| hit.depth - hit.slack).fold(0.0, f64::max);
    hits.retain(|hit| hit.depth + hit.slack >= sure * (1.0 - TIE));
    Pixel { may_be_empty: sure == 0.0, hits }
}

fn cover(raster_view: &RasterView, of: [Corner; 3], each: &mut dyn FnMut(usize, Hit)) {
    let near = raster_view.near;
    let least_w = of.iter().map(|corner| corner.at.z).fold(f64::MAX, f64::min);
    if of.iter().all(|corner| corner.at.z < near * 0.999) {
        return;
    }
    let reach = of.iter().map(|corner| corner.reach).fold(raster_view.reach, f64::max);
    let edge = EDGE + 5e-7 * reach * raster_view.focal / least_w.max(near);
    let turned = |of: [Corner; 3]| {
        let v = of.map(|corner| corner.at);
        let lines = [v[1].cross(v[2]), v[2].cross(v[0]), v[0].cross(v[1])];
        (lines, v[0].dot(lines[0]), of)
    };
    let (mut lines, mut volume, mut of) = turned(of);
    if raster_view.both_sides && volume > 0.0 {
        (lines, volume, of) = turned([of[0], of[2], of[1]]);
    }
    let in_front = least_w > near;
    let (mut low, mut high) = match raster_view.within {
        Some([first, last]) => (first.map(f64::from), last.map(f64::from)),
        None => ([0.0; 2], raster_view.size.map(|n| f64::from(n) - 1.0)),
    };
    // Bound on the turn by rounding of corners: twice an area.
    let mut slack = 0.0;
    if in_front {
        let at = of.map(|corner| corner.at.truncate() / corner.at.z);
        let (least, most) = (at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]));
        low = [0, 1].map(|i| (least[i] - edge - 0.5).ceil().max(low[i]));
        high = [0, 1].map(|i| (most[i] + edge - 0.5).floor().min(high[i]));
        slack = 4.0 * edge * (most - least).element_sum() * of.iter().map(|corner| corner.at.z).product::<f64>();
    }
    // Counter-clockwise where y points up; y points down here.
    if volume >= slack || volume == 0.0 {
        return;
    }
    let is_front = volume < -slack;
    let normals = lines.map(|line| line.truncate().length());
    if normals.iter().any(|n| *n <= 0.0) {
        return;
    }
    let plane = (lines[0] * of[0].z + lines[1] * of[1].z + lines[2] * of[2].z) / volume;
    let slope = plane.truncate().length();
    let depths = of.map(|corner| corner.z / corner.at.z);
    let (nearest, farthest) = (depths.into_iter().fold(0.0, f64::max), depths.into_iter().fold(f64::MAX, f64::min));
    for y in low[1] as i64..=high[1] as i64 {
        for x in low[0] as i64..=high[0] as i64 {
            let center = DVec3::new(x as f64 + 0.5, y as f64 + 0.5, 1.0);
            let inside = [0, 1, 2].map(|i| -lines[i].dot(center) / normals[i]).into_iter().fold(f64::MAX, f64::min);
            let inside = if is_front { inside } else { inside.min(0.0) };
            let depth = plane.dot(center);
            if inside < -edge || depth <= 0.0 || depth > 1.0 + 1e-3 {
                continue;
            }
            let clamped = if in_front { depth.clamp(farthest, nearest) } else { depth };
            let slack = 1e-4 * clamped + (2.0 * edge * slope).min(if in_front { nearest - farthest } else { f64::MAX });
            let is_sure = is_front && inside > edge && depth < 1.0 - 1e-3;
            each(
                (y as u32 * raster_view.size[0] + x as u32) as usize,
                Hit { id: 0, depth: clamped, slack, slope, is_sure },
            );
        }
    }
}

pub fn pyramid(depth: &[f32], size: [u32; 2]) -> Vec<Vec<f32>> {
    let mut levels = Vec::new();
    for level in 1.. {
        let [width, height] = size.map(|n| n.div_ceil(1 << level));
        let mut texels = vec![f32::INFINITY; (width * height) as usize];
        for y in 0..size[1] {
            for x in 0..size[0] {
                let texel = &mut texels[((y >> level) * width + (x >> level)) as usize];
                *texel = texel.min(depth[(y * size[0] + x) as usize]);
            }
        }
        levels.push(texels);
        if width.max(height) == 1 {
            break;
        }
    }
    levels
}

pub struct Occlusion<'a> {
    pub camera: &'a Camera,
    pub size: [u32; 2],
    pub pyramid: &'a [f32],
    /// Offset of each level; that of level 0 is unused.
    pub level_first: &'a [u32],
}

/// Factor by which a sphere is assumed nearer, and pixels added on each side.
const NEARER: f64 = 1.0005;
const AROUND: f64 = 1.0;
/// Observed: with both one of 638 tests is not sure, and none is wrong (Mesa 25.0.7).
const NEARER_SLACK: f64 = 1e-4;
const AROUND_SLACK: f64 = 0.02;

impl Occlusion<'_> {
    /// The sphere's depth is multiplied by `nearer`; `None` where rounding may decide.
    pub fn is_hidden(&self, center: DVec3, radius: f64, nearer: f64) -> Option<bool> {
        let [right, up] = self.camera.axes().map(|axis| axis.as_dvec3());
        let from_eye = center - self.camera.eye.as_dvec3();
        let c = DVec3::new(right.dot(from_eye), -up.dot(from_eye), up.cross(right).dot(from_eye));
        let (radius, near) = (radius + 1e-6 * center.abs().element_sum(), f64::from(self.camera.near));
        let front = c.z - radius;
        if (front / (near * 1.01) - 1.0).abs() < 1e-3 {
            return None;
        }
        if front <= near * 1.01 {
            return Some(false);
        }
        let focal = 0.5 * f64::from(self.size[1]) / (0.5 * f64::from(self.camera.angle)).tan();
        // From the eye, a sphere fills the angles up to asin(r / distance) about its centre, in each of the two planes.
        let bounds = |axis: usize, around: f64| {
            let (x, last) = ([c.x, c.y][axis], f64::from(self.size[axis]) - 1.0);
            let shift = f64::from(self.camera.shift_px(self.size)[axis]);
            let (middle, half) = (x.atan2(c.z), (radius / x.hypot(c.z)).asin());
            let pixel = |angle: f64, more: f64| {
                (0.5 * (last + 1.0) + focal * angle.tan() - shift + more).clamp(0.0, last) as u32
            };
            [pixel(middle - half, -around), pixel(middle + half, around)]
        };
        let depth = near / front * nearer;
        let around = [AROUND - AROUND_SLACK, AROUND + AROUND_SLACK];
        let [across, down] = [0, 1].map(|axis| around.map(|around| bounds(axis, around)));
        let mut answers = Vec::new();
        for corners in 0..16 {
            let bit = |i: usize| corners >> i & 1;
            let from = [across[bit(0)][0], down[bit(1)][0]];
            let to = [across[bit(2)][1], down[bit(3)][1]];
            let farthest = f64::from(self.farthest(from, to));
            answers.extend([1.0 - NEARER_SLACK, 1.0 + NEARER_SLACK].map(|slack| depth * slack < farthest));
        }
        answers.iter().all(|answer| *answer == answers[0]).then_some(answers[0])
    }

    /// The first level at which the pixels span at most three texels each way.
    fn farthest(&self, from: [u32; 2], to: [u32; 2]) -> f32 {
        let levels = self.level_first.len() - 1;
        let fits = |level: &usize| [0, 1].iter().all(|i| (to[*i] >> level) - (from[*i] >> level) <= 2);
        let level = (1..levels).find(fits).unwrap_or(levels);
        let width = self.size[0].div_ceil(1 << level);
        let texels = (from[1] >> level..=to[1] >> level)
            .flat_map(|y| (from[0] >> level..=to[0] >> level).map(move |x| y * width + x));
        let depths = texels.map(|texel| self.pyramid.get((self.level_first[level] + texel) as usize).copied());
        depths.fold(1.0, |least, depth| least.min(depth.unwrap_or(f32::NEG_INFINITY)))
    }

    pub fn hides(&self, sphere: (DVec3, f64)) -> Option<bool> {
        self.is_hidden(sphere.0, sphere.1, NEARER)
    }
}

pub fn sphere_of(world: &World, placed: usize) -> (DVec3, f64) {
    let placed = world.meshlet_instances[placed];
    let (instance, meshlet) =
        (world.instances[placed.instance as usize], world.geometry.meshlets[placed.meshlet as usize]);
    let [x, y, z, origin] = instance.world_from_mesh.map(|axis| axis.as_dvec3());
    let (at, scale) = (meshlet.center.as_dvec3(), f64::from(instance.scale));
    let is_square = [x.dot(y), y.dot(z), z.dot(x)].iter().all(|dot| dot.abs() <= 1e-3 * scale * scale);
    let stretch = scale * if is_square { 1.001 } else { 1.7341 };
    (x * at.x + y * at.y + z * at.z + origin, f64::from(meshlet.radius) * stretch)
}
