//! Evidence of a tile of the visibility image, and what the reference implementation expects there.

use super::super::{
    culling_reference::{Culling, Frustum},
    reference::{Hit, Occlusion, Pixel, covering, sphere_of},
};
use crate::view_uniforms::pyramid_of;
use glam::{DMat4, DVec3};
use scene::world::{Camera, VisibilityId, World};
use std::collections::{BTreeMap, BTreeSet};

pub const TILE: u32 = 64;

pub struct Evidence<'a> {
    pub world: &'a World,
    pub camera: &'a Camera,
    pub size: [u32; 2],
    pub ids: &'a [u32],
    pub depth: &'a [u32],
    pub results: Option<&'a [u32]>,
    pub pyramid: Option<&'a [f32]>,
}

pub struct TileOfIds<'a> {
    pub frame: Evidence<'a>,
    pub tests: u32,
    pub clip_from_world: DMat4,
    pub corner: [u32; 2],
    pub extent: [u32; 2],
    pub ids: Vec<u32>,
    pub depth: Vec<f32>,
    pub hits: Vec<Vec<Hit>>,
    pub chosen: usize,
    level_first: Vec<u32>,
}

impl<'a> TileOfIds<'a> {
    pub fn new(frame: Evidence<'a>, tests: u32, tile: [u32; 2], at: [u32; 2]) -> Self {
        let size = frame.size;
        let corner = tile.map(|at| at * TILE);
        let extent = [0, 1].map(|axis| TILE.min(size[axis].saturating_sub(corner[axis])));
        let places = (0..extent[1]).flat_map(|y| (0..extent[0]).map(move |x| [corner[0] + x, corner[1] + y]));
        let place = |[x, y]: [u32; 2]| y as usize * size[0] as usize + x as usize;
        let places: Vec<usize> = places.map(place).collect();
        let ids: Vec<u32> = places.iter().map(|place| frame.ids[*place]).collect();
        let depth = places.iter().map(|place| f32::from_bits(frame.depth[*place])).collect();
        let last = [0, 1].map(|axis| corner[axis] + extent[axis] - 1);
        let hits = covering(frame.world, frame.camera, size, [corner, last]);
        let clip_from_world = frame.camera.block(size).clip_from_world.as_dmat4();
        let (level_first, _) = pyramid_of(size);
        let mut tile = Self { frame, tests, clip_from_world, corner, extent, ids, depth, hits, chosen: 0, level_first };
        tile.chosen = tile.choice(tile.frame.ids[place(at)]);
        tile
    }

    /// The cluster of a pixel, else the one of most pixels of the tile, else the nearest to its middle.
    fn choice(&self, id: u32) -> usize {
        let count = self.frame.world.meshlet_instances.len();
        let valid = |id: u32| VisibilityId(id).meshlet().filter(|placed| *placed < count);
        if let Some(placed) = valid(id) {
            return placed;
        }
        let seen = self.seen();
        if let Some((placed, _)) = seen.iter().max_by_key(|(placed, pixels)| (**pixels, std::cmp::Reverse(**placed))) {
            return *placed;
        }
        let middle = [0, 1].map(|axis| f64::from(self.corner[axis]) + 0.5 * f64::from(self.extent[axis]));
        let off = |placed: &usize| {
            let at = self.pixel_of(sphere_of(self.frame.world, *placed).0);
            at.map_or(f64::INFINITY, |at| (at[0] - middle[0]).hypot(at[1] - middle[1]))
        };
        (0..count).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default()
    }

    pub fn seen(&self) -> BTreeMap<usize, usize> {
        let count = self.frame.world.meshlet_instances.len();
        let mut seen = BTreeMap::new();
        for placed in self.ids.iter().filter_map(|id| VisibilityId(*id).meshlet()).filter(|placed| *placed < count) {
            *seen.entry(placed).or_default() += 1;
        }
        seen
    }

    pub fn pixel_of(&self, at: DVec3) -> Option<[f64; 2]> {
        let clip = self.clip_from_world * at.extend(1.0);
        let on = |axis: usize| 0.5 * (clip[axis] / clip.w + 1.0) * f64::from(self.frame.size[axis]);
        (clip.w > f64::from(self.frame.camera.near)).then(|| [on(0), on(1)])
    }

    pub fn over(&self) -> BTreeSet<usize> {
        let focal = 0.5 * f64::from(self.frame.size[1]) / (0.5 * f64::from(self.frame.camera.angle)).tan();
        let eye = self.frame.camera.eye.as_dvec3();
        let is_over = |placed: &usize| {
            let (center, radius) = sphere_of(self.frame.world, *placed);
            let around = focal * radius / (center - eye).length().max(radius + 1e-9);
            self.pixel_of(center).is_some_and(|at| {
                (0..2).all(|axis| {
                    let from = f64::from(self.corner[axis]);
                    at[axis] + around > from && at[axis] - around < from + f64::from(self.extent[axis])
                })
            })
        };
        (0..self.frame.world.meshlet_instances.len()).filter(is_over).chain([self.chosen]).collect()
    }

    /// Where several IDs are right, the GPU's if it is one of them; and the number of such pixels.
    pub fn expected_ids(&self) -> (Vec<u32>, usize) {
        let mut unsure = 0;
        let expected = self.hits.iter().zip(&self.ids).map(|(hits, id)| {
            let right = Pixel::of(hits.clone());
            unsure += usize::from(!right.is_clear());
            let is_right = right.hits.iter().any(|hit| hit.id == *id) || *id == 0 && right.may_be_empty;
            if is_right { *id } else { right.hits.first().map_or(0, |hit| hit.id) }
        });
        (expected.collect(), unsure)
    }

    pub fn culling(&self) -> Culling<'_> {
        let Evidence { world, camera, size, pyramid, .. } = self.frame;
        let occlusion = pyramid.map(|pyramid| Occlusion { camera, size, pyramid, level_first: &self.level_first });
        Culling { world, camera, frustum: Frustum::of(camera, size), tests: self.tests, occlusion }
    }

    /// Expected and stored results, and how many depend on rounding.
    pub fn expected_results(&self) -> Option<(Vec<u32>, Vec<u32>, usize)> {
        let results = self.frame.results?;
        let culling = self.culling();
        let (mut cpu, mut gpu, mut unsure) = (Vec::new(), Vec::new(), 0);
        for placed in self.over() {
            let Some(expected) = culling.results_of(placed) else {
                unsure += 1;
                continue;
            };
            let stored = results.get(placed).copied().unwrap_or_default();
            cpu.push(if expected.contains(&stored) { stored } else { expected[0] });
            gpu.push(stored);
        }
        Some((cpu, gpu, unsure))
    }

    /// Columns, rows and texels of the pyramid over the tile, from level 1 down to one texel.
    pub fn levels(&self) -> Vec<(u32, u32, Vec<f32>)> {
        let Some(pyramid) = self.frame.pyramid else { return Vec::new() };
        let levels = (1..self.level_first.len()).take(6);
        let level = |level: usize| {
            let [width, height] = self.frame.size.map(|side| side.div_ceil(1 << level));
            let from = self.corner.map(|at| at >> level);
            let to = [0, 1]
                .map(|axis| (self.corner[axis] + self.extent[axis]).div_ceil(1 << level).min([width, height][axis]));
            let texel = |x: u32, y: u32| pyramid.get((self.level_first[level] + y * width + x) as usize).copied();
            let texels = (from[1]..to[1]).flat_map(|y| (from[0]..to[0]).map(move |x| (x, y)));
            (to[0] - from[0], to[1] - from[1], texels.map(|(x, y)| texel(x, y).unwrap_or_default()).collect())
        };
        levels.map(level).collect()
    }

    pub fn expected_pyramid(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        self.frame.pyramid?;
        let levels = self.levels();
        let (mut cpu, mut gpu) = (Vec::new(), Vec::new());
        for pair in levels.windows(2) {
            let [(above, rows_above, texels), (columns, rows, stored)] = pair else { continue };
            for (x, y) in (0..*rows).flat_map(|y| (0..*columns).map(move |x| (x, y))) {
                let below = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| (2 * x + i, 2 * y + j));
                let inside = below.into_iter().filter(|(x, y)| x < above && y < rows_above);
                let least = inside.map(|(x, y)| texels[(y * above + x) as usize]).fold(f32::INFINITY, f32::min);
                cpu.push(least.to_bits());
            }
            gpu.extend(stored.iter().map(|texel| texel.to_bits()));
        }
        Some((cpu, gpu))
    }

    /// The level at which the pixels span at most three texels, and the first and last column and row.
    pub fn tested_level(&self, from: [u32; 2], to: [u32; 2]) -> (usize, [[u32; 2]; 2]) {
        let fits = |level: &usize| [0, 1].iter().all(|axis| (to[*axis] >> level) - (from[*axis] >> level) <= 2);
        let last = self.level_first.len() - 1;
        let level = (1..last).find(fits).unwrap_or(last);
        (level, [from, to].map(|at| at.map(|at| at >> level)))
    }

    pub fn texel(&self, level: usize, [x, y]: [u32; 2]) -> Option<f32> {
        let [width, height] = self.frame.size.map(|side| side.div_ceil(1 << level));
        let place = self.level_first.get(level)? + y * width + x;
        (x < width && y < height).then(|| self.frame.pyramid?.get(place as usize).copied()).flatten()
    }

    pub fn triangles(&self) -> Vec<u32> {
        let placed = self.frame.world.meshlet_instances[self.chosen];
        let count = self.frame.world.geometry.meshlets[placed.meshlet as usize].triangles;
        (0..count).map(|triangle| VisibilityId::new(self.chosen as u32, triangle).0).collect()
    }

    pub fn items(&self) -> Vec<String> {
        let pixel = |(place, id): (usize, &u32)| {
            let [x, y] =
                [self.corner[0] + place as u32 % self.extent[0], self.corner[1] + place as u32 / self.extent[0]];
            match VisibilityId(*id).meshlet() {
                None => format!("pixel {x}, {y}: nothing"),
                Some(placed) => {
                    format!("pixel {x}, {y}: {id:#010x}, cluster {placed}, triangle {}", VisibilityId(*id).triangle())
                }
            }
        };
        let triangle = |id: u32| format!("triangle {}: {id:#010x}", VisibilityId(id).triangle());
        self.ids.iter().enumerate().map(pixel).chain(self.triangles().into_iter().map(triangle)).collect()
    }
}
