//! CPU reference of visibility, in double precision, triangle by triangle: std and glam only.
//!
//! Triangles are tested in homogeneous coordinates (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous
//! Coordinates", 1997), so what crosses the near plane needs no clipping. A rasterizer moves corners onto a grid of 1/256
//! of a pixel; where that, or rounding, may decide, more than one answer is right, and the reference gives all of them.

use super::alpha_coverage::Coverage;
use crate::scene::world::VisibilityId;
use crate::scene::world::{AlphaMode, Camera, World};
use glam::{DMat4, DVec3, Mat4};

/// A triangle that may be seen in a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its visibility value.
    pub id: u32,
    /// Its depth in the pixel's centre.
    pub depth: f64,
    /// Tolerance of the depth.
    pub slack: f64,
    /// Change of the depth over a pixel.
    pub slope: f64,
    /// Whether no rounding could keep it from covering the centre.
    pub is_sure: bool,
}

/// The right answers for one pixel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pixel {
    /// Triangles that may be the one seen.
    pub hits: Vec<Hit>,
    /// Whether nothing may be seen.
    pub may_be_empty: bool,
}

impl Pixel {
    /// Of all triangles that may cover the centre.
    #[must_use]
    pub fn of(hits: Vec<Hit>) -> Self {
        right_answers(hits)
    }

    /// Whether a visibility value and a depth are right.
    #[must_use]
    pub fn allows(&self, id: u32, depth: f32) -> bool {
        if id == 0 {
            return self.may_be_empty && depth == 0.0;
        }
        self.hits.iter().any(|hit| hit.id == id && (f64::from(depth) - hit.depth).abs() <= hit.slack)
    }

    /// Whether there is one right answer only.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.hits.len() + usize::from(self.may_be_empty) == 1
    }
}

/// Distance from a line, in pixels, within which its side is uncertain.
const EDGE: f64 = 0.01;
/// Parts of the depth within which two triangles may both be in front.
const TIE: f64 = 1e-4;

/// Coverage modes that count, and whether alpha is looked up pixel by pixel.
struct CoverageModes {
    covers: &'static [AlphaMode],
    is_cut: bool,
}

/// Surfaces that hide everything behind them.
const SOLID: CoverageModes = CoverageModes { covers: &[AlphaMode::Opaque, AlphaMode::Mask], is_cut: true };

/// From where triangles are seen, and how.
struct RasterView {
    clip_from_world: DMat4,
    /// Smallest w that is seen; 0 without perspective.
    near: f64,
    /// Pixels that something of length 1 has at distance 1.
    focal: f64,
    /// Largest coordinate of the eye: what is subtracted from the world's.
    reach: f64,
    both_sides: bool,
    size: [u32; 2],
    /// First and last pixel of interest.
    within: Option<[[u32; 2]; 2]>,
}

/// A corner of a triangle.
#[derive(Clone, Copy)]
struct Corner {
    /// Pixels times w, and w.
    at: DVec3,
    /// Depth times w.
    z: f64,
    /// Its largest coordinate in the world.
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

    /// For every pixel, row by row from the top, the triangles that may cover its centre.
    fn hits(&self, world: &World, shown: &CoverageModes) -> Vec<Vec<Hit>> {
        let mut hits: Vec<Vec<Hit>> = vec![Vec::new(); (self.size[0] * self.size[1]) as usize];
        self.each_hit(world, shown, &mut |pixel, hit| hits[pixel].push(hit));
        hits
    }

    /// Calls `each` for every pixel and triangle that may cover its centre.
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
                    // If it is uncertain, either is correct.
                    let is_sure = hit.is_sure && here == Some(true);
                    if here != Some(false) {
                        each(pixel, Hit { id, is_sure, ..hit });
                    }
                });
            }
        }
    }
}

/// For each pixel from the first to the last, row by row, the solid triangles that may cover its centre, hidden ones among them.
#[must_use]
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

/// The right answers for the pixel `at`.
#[must_use]
pub fn pixel_at(world: &World, camera: &Camera, size: [u32; 2], at: [u32; 2]) -> Pixel {
    let mut hits = Vec::new();
    let raster_view = RasterView { within: Some([at, at]), ..RasterView::by_camera(camera, size) };
    raster_view.each_hit(world, &SOLID, &mut |_, hit| hits.push(hit));
    right_answers(hits)
}

/// Weights of the corners of a triangle in the centre of the pixel `at`, in the world; nothing for an invalid visibility value.
#[must_use]
pub fn barycentrics(world: &World, camera: &Camera, size: [u32; 2], id: u32, at: [u32; 2]) -> Option<DVec3> {
    let raster_view = RasterView::by_camera(camera, size);
    let [a, b, c] = world.corners_of(id)?.map(|corner| raster_view.corner(corner.as_dvec3()).at);
    let center = DVec3::new(f64::from(at[0]) + 0.5, f64::from(at[1]) + 0.5, 1.0);
    let weights = DVec3::new(b.cross(c).dot(center), c.cross(a).dot(center), a.cross(b).dot(center));
    let sum = weights.element_sum();
    (sum != 0.0).then(|| weights / sum)
}

/// The right answers for every pixel, row by row from the top.
#[must_use]
pub fn rasterize(world: &World, camera: &Camera, size: [u32; 2]) -> Vec<Pixel> {
    RasterView::by_camera(camera, size).hits(world, &SOLID).into_iter().map(right_answers).collect()
}

/// For every pixel the transparent surfaces in front of all opaque ones, nearest first; nothing where the order, or whether something is
/// there, is not sure.
#[must_use]
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

/// For every pixel the least and the largest number of fragments of front faces, nothing left out.
#[must_use]
pub fn fragments(world: &World, camera: &Camera, size: [u32; 2]) -> Vec<[usize; 2]> {
    let count = |hits: Vec<Hit>| [hits.iter().filter(|hit| hit.is_sure).count(), hits.len()];
    let all = CoverageModes { covers: &[AlphaMode::Opaque, AlphaMode::Mask, AlphaMode::Blend], is_cut: false };
    RasterView::by_camera(camera, size).hits(world, &all).into_iter().map(count).collect()
}

/// For every texel of a map without perspective the least and the largest depth that are right for the nearest of all
/// triangles, seen from both sides; `bias` times the depth's slope is taken off.
#[must_use]
pub fn nearest(world: &World, clip_from_world: &Mat4, side: u32, bias: f64) -> Vec<[f64; 2]> {
    let clip_from_world = clip_from_world.as_dmat4();
    // The length of the shorter of the map's rows: what a unit of the world is at most.
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

/// Hits that are not behind a certain one.
fn right_answers(mut hits: Vec<Hit>) -> Pixel {
    let sure = hits.iter().filter(|hit| hit.is_sure).map(|hit| hit.depth - hit.slack).fold(0.0, f64::max);
    hits.retain(|hit| hit.depth + hit.slack >= sure * (1.0 - TIE));
    Pixel { may_be_empty: sure == 0.0, hits }
}

/// Calls `each` for every pixel whose centre the triangle covers or may cover.
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
            // A sliver that may have turned: it is anywhere near its lines.
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

/// The depth pyramid by its definition: for each level from 1 on, the least depth of the up to 2^level x 2^level pixels below.
#[must_use]
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

/// Whether bounding spheres are behind the drawn surfaces, as culling tests it with the depth pyramid.
pub struct Occlusion<'a> {
    /// Camera.
    pub camera: &'a Camera,
    /// Pixels.
    pub size: [u32; 2],
    /// All levels from 1 on, one after the other.
    pub pyramid: &'a [f32],
    /// Offset of each level; that of level 0 is not used.
    pub level_first: &'a [u32],
}

/// Factor by which a sphere is assumed nearer, and pixels that are added on each side of it.
const NEARER: f64 = 1.0005;
const AROUND: f64 = 1.0;
/// Rounding tolerance of either.
const NEARER_SLACK: f64 = 1e-4;
const AROUND_SLACK: f64 = 0.02;

impl Occlusion<'_> {
    /// Whether a sphere (centre, radius) is hidden if its depth is multiplied by `nearer`; nothing where rounding may decide.
    #[must_use]
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

    /// The least depth in the texels over some pixels, of the first level at which these are at most three across and down.
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

    /// The same for a bounding sphere of culling.
    #[must_use]
    pub fn hides(&self, sphere: (DVec3, f64)) -> Option<bool> {
        self.is_hidden(sphere.0, sphere.1, NEARER)
    }
}

/// The bounding sphere in the world of meshlet instance `placed`: centre and radius.
#[must_use]
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
