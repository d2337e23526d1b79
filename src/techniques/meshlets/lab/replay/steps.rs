//! Steps of a cluster: from its place in the visibility image through its tests to its IDs.

use super::{
    super::{
        culling_reference::NormalCone,
        reference::{Hit, Pixel, sphere_of},
    },
    canvas,
    cluster::TileOfIds,
};
use crate::{
    passes::culling::{
        DRAWN_UNSEEN, FACES_AWAY, OCCLUDED, OUT_OF_FRUSTUM, SEEN, TEST_CONE, TEST_FRUSTUM, TEST_OCCLUSION,
    },
    views::{self, color_of},
};
use scene::world::VisibilityId;
use std::collections::BTreeMap;
use technique::{Cell, Drawing, Grid, MemoryComparison, ReplayStep, Role};

const PLANES: [&str; 5] = ["left", "right", "top", "bottom", "near"];
const AROUND: u32 = 3;
const DARK: [u8; 3] = [36, 40, 50];
const CULL: [&str; 1] = ["meshlets/cull"];
const DRAW: [&str; 2] = ["meshlets/draw", "meshlets/raster"];

pub struct Steps<'a> {
    pub tile: &'a TileOfIds<'a>,
    pub group: [usize; 2],
}

impl Steps<'_> {
    pub fn all(&self, compared: &MemoryComparison) -> Vec<ReplayStep> {
        let culling = [Some(self.frustum()), Some(self.cone()), self.pyramid(), self.occlusion(), self.workgroup()];
        let culling = culling.into_iter().flatten();
        let drawn = [self.triangles(), self.covered(), self.end(compared)];
        [self.ids(), self.cluster()].into_iter().chain(culling).chain(drawn).collect()
    }

    fn pixels(&self, title: &str, cell: impl Fn(usize, u32) -> Cell) -> Grid {
        let cells =
            self.tile.ids.iter().enumerate().map(|(place, id)| Cell { item: Some(place as u32), ..cell(place, *id) });
        Grid::new(title, self.tile.extent[0] as usize, cells.collect())
    }

    fn is_own(&self, id: u32) -> bool {
        VisibilityId(id).meshlet() == Some(self.tile.chosen)
    }

    fn ids(&self) -> ReplayStep {
        let seen = self.tile.seen();
        let own = seen.get(&self.tile.chosen).copied().unwrap_or_default();
        let grid = self.pixels("IDs of the tile, a colour for each cluster", |_, id| match id {
            0 => Cell::new(DARK, ""),
            id => Cell::new(rgb(VisibilityId(id).meshlet_key()), "").role(if self.is_own(id) {
                Role::Idle
            } else {
                Role::Faded
            }),
        });
        let sentence = format!(
            "Each pixel has one word, the number of a cluster and of a triangle in it: {} clusters are seen in this tile, and these steps follow cluster {}, the bright one, which has {own} of its {} pixels.",
            seen.len(),
            self.tile.chosen,
            self.tile.ids.len()
        );
        ReplayStep::new("IDs of the tile", sentence, vec![grid])
    }

    fn cluster(&self) -> ReplayStep {
        let world = self.tile.frame.world;
        let placed = world.meshlet_instances[self.tile.chosen];
        let meshlet = world.geometry.meshlets[placed.meshlet as usize];
        let (center, radius) = sphere_of(world, self.tile.chosen);
        let grid = canvas::on_screen(self.tile, rgb);
        let sentence = format!(
            "Cluster {} is meshlet {} of instance {}: {} triangles that share {} vertices, with a sphere around them, so that one thread can reject all of them at once.",
            self.tile.chosen, placed.meshlet, placed.instance, meshlet.triangles, meshlet.vertices
        );
        let far = (center - self.tile.frame.camera.eye.as_dvec3()).length();
        let figures = vec![("radius", format!("{radius:.3} m")), ("distance of its centre", format!("{far:.2} m"))];
        ReplayStep::new("Cluster", sentence, vec![grid]).figures(figures)
    }

    fn frustum(&self) -> ReplayStep {
        let culling = self.tile.culling();
        let sphere = sphere_of(self.tile.frame.world, self.tile.chosen);
        let distances = culling.frustum.distances(sphere.0).map(|distance| distance / sphere.1);
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let cell = |distance: &f64| {
            let role = if *distance == least { Role::Active } else { Role::Idle };
            Cell::new(if *distance < -1.0 { swatch(0) } else { DARK }, format!("{distance:+.1}")).role(role)
        };
        let title = format!("Distance in radii: {}", PLANES.join(", "));
        let planes = Grid::new(title, PLANES.len(), distances.iter().map(cell).collect()).aspect(2.4);
        let nearest = distances.iter().position(|distance| *distance == least).map_or("", |plane| PLANES[plane]);
        let verdict = match (self.tile.tests & TEST_FRUSTUM != 0, culling.frustum.excludes(sphere)) {
            (false, _) => "the test is off, and it stays".to_owned(),
            (true, Some(true)) => format!("it is more than a radius behind the plane at the {nearest}, and is culled"),
            (true, Some(false)) => {
                "it is a radius behind none, so a part may be in the picture, and it stays".to_owned()
            }
            (true, None) => "it is a radius behind one, to within what rounding decides".to_owned(),
        };
        let sentence = format!(
            "A thread compares the distance of the sphere's centre from five planes around the picture with its radius: {verdict}."
        );
        ReplayStep::new("Against the frustum", sentence, vec![canvas::from_above(self.tile), planes]).passes(CULL)
    }

    fn cone(&self) -> ReplayStep {
        let cone = NormalCone::of(self.tile.frame.world, self.tile.frame.camera, self.tile.chosen);
        let grid = canvas::across_cone(self.tile, cone.as_ref());
        let Some(cone) = cone else {
            let why = "The normals of its triangles differ too much, or its instance is scaled unevenly, so that no cone holds them and it stays.";
            return ReplayStep::new("Against the cone", why, vec![grid]).passes(CULL);
        };
        let verdict = match (self.tile.tests & TEST_CONE != 0, cone.faces_away()) {
            (false, _) => "the test is off, and it stays",
            (true, Some(true)) => "it is, and the cluster is culled",
            (true, Some(false)) => "it is not: a triangle may show its front, and the cluster stays",
            (true, None) => "rounding decides",
        };
        let half = cone.sine.clamp(-1.0, 1.0).asin().to_degrees();
        let sentence = format!(
            "All normals are within {half:.0} degrees of an axis. Every triangle is back-facing if the vector from the eye to the sphere's centre, projected on this axis, is at least (sin {half:.0}° + 0.004) * distance + radius, the limit; 0.004 is for rounding. Here {verdict}."
        );
        let figures = vec![
            ("along the axis", format!("{:.3} m", cone.along)),
            ("limit", format!("{:.3} m", cone.needed)),
            ("distance", format!("{:.3} m", cone.far)),
        ];
        ReplayStep::new("Against the cone", sentence, vec![grid]).figures(figures).passes(CULL)
    }

    fn depth(&self, depth: f32) -> [u8; 3] {
        if depth <= 0.0 {
            return DARK;
        }
        // As the view of depth: 16 to 2048 times the near plane.
        views::VIEWS[2].legend.ramp((-depth.log2() - 4.0) / 7.0).to_array().map(|channel| channel.round() as u8)
    }

    fn pyramid(&self) -> Option<ReplayStep> {
        let levels = self.tile.levels();
        if levels.is_empty() {
            return None;
        }
        let mut grids =
            vec![self.pixels("Depth of the tile, near is bright", |place, _| {
                Cell::new(self.depth(self.tile.depth[place]), "")
            })];
        for (level, (columns, _, texels)) in (1..).zip(&levels) {
            let cells = texels.iter().map(|depth| Cell::new(self.depth(*depth), "")).collect();
            grids.push(Grid::new(format!("Level {level}"), *columns as usize, cells));
        }
        let sentence = "Culling by occlusion has two phases. The first has drawn the clusters that were visible in the last frame, where they pass the tests before. Each texel of the pyramid over its depth (Hi-Z) is the farthest of 2x2 below, so that one texel is a bound for all pixels below it. Depth is the near plane's distance / distance: larger is nearer.";
        Some(ReplayStep::new("Depth pyramid", sentence, grids).passes(["meshlets/pyramid"]))
    }

    fn occlusion(&self) -> Option<ReplayStep> {
        let (Some(_), Some([low, high])) = (self.tile.frame.pyramid, canvas::bounds_px(self.tile)) else { return None };
        let (level, [from, to]) = self.tile.tested_level(low.map(|at| at as u32), high.map(|at| at as u32));
        let first = from.map(|at| at.saturating_sub(AROUND));
        let size = self.tile.frame.size.map(|side| side.div_ceil(1 << level));
        let end = [0, 1].map(|axis| (to[axis] + AROUND + 1).min(size[axis]));
        let is_read = |at: [u32; 2]| (0..2).all(|axis| (from[axis]..=to[axis]).contains(&at[axis]));
        let places: Vec<[u32; 2]> = (first[1]..end[1]).flat_map(|y| (first[0]..end[0]).map(move |x| [x, y])).collect();
        let texel = |at: [u32; 2]| self.tile.texel(level, at).unwrap_or_default();
        let cell = |at: &[u32; 2]| {
            let role = if is_read(*at) { Role::Active } else { Role::Faded };
            Cell::new(self.depth(texel(*at)), format!("{:.4}", texel(*at))).role(role)
        };
        let columns = (end[0].saturating_sub(first[0])).max(1) as usize;
        let scale = 1.0 / f64::from(1_u32 << level);
        let origin = first.map(|at| f64::from(at) / scale);
        let drawing: Vec<Drawing> = canvas::outline_over(self.tile, origin, scale).into_iter().collect();
        let grid = Grid::new(
            format!("Level {level} of the pyramid around the sphere"),
            columns,
            places.iter().map(cell).collect(),
        )
        .drawn(drawing);
        let farthest = places.iter().filter(|at| is_read(**at)).map(|at| texel(*at)).fold(1.0, f32::min);
        let sphere = sphere_of(self.tile.frame.world, self.tile.chosen);
        let camera = self.tile.frame.camera;
        let [right, up] = camera.axes().map(|axis| axis.as_dvec3());
        let front = up.cross(right).dot(sphere.0 - camera.eye.as_dvec3()) - sphere.1;
        let nearest = f64::from(camera.near) / front;
        let hidden = self.tile.culling().occlusion.as_ref().and_then(|occlusion| occlusion.hides(sphere));
        let verdict = match (self.tile.tests & TEST_OCCLUSION != 0, hidden) {
            (false, _) => "the test is off, and it stays",
            (true, Some(true)) => "all of it is behind what is drawn, and it is culled",
            (true, Some(false)) => "a part may be in front of something, and it stays",
            (true, None) => "rounding decides",
        };
        let sentence = format!(
            "The second phase tests every cluster against the pyramid, those of the first phase for the next frame. The sphere is {:.0}x{:.0} pixels large, at most three texels of level {level} wide. It is occluded if the depth of its nearest point is smaller, which is farther, than that of the farthest of these texels. Here {verdict}.",
            high[0] - low[0] + 1.0,
            high[1] - low[1] + 1.0
        );
        let figures =
            vec![("depth of its nearest point", format!("{nearest:.5}")), ("farthest texel", format!("{farthest:.5}"))];
        Some(ReplayStep::new("Against the pyramid", sentence, vec![grid]).figures(figures).passes(CULL))
    }

    fn workgroup(&self) -> Option<ReplayStep> {
        let results = self.tile.frame.results?;
        let [first, count] = self.group;
        let result = |placed: usize| results.get(placed).copied().unwrap_or_default();
        let base = self.tile.ids.len() + self.tile.triangles().len();
        let cell = |placed: usize| {
            let role = if placed == self.tile.chosen { Role::Active } else { Role::Idle };
            let item = Some((base + placed - first) as u32);
            Cell { item, ..Cell::new(result_color(result(placed)), placed.to_string()).role(role) }
        };
        let lanes = Grid::new("Threads: a cluster each", 8, (first..first + count).map(cell).collect()).aspect(1.9);
        let is_drawn = |placed: &usize| matches!(result(*placed), SEEN | DRAWN_UNSEEN);
        let mut drawn: Vec<Cell> = (first..first + count).filter(is_drawn).map(cell).collect();
        let kept = drawn.len();
        drawn.resize(count, Cell::default());
        let list = Grid::new("List of those that are drawn", 8, drawn).aspect(1.9);
        let culled = |one: u32| (first..first + count).filter(|placed| result(*placed) == one).count().to_string();
        let sentence = format!(
            "A workgroup tests {count} clusters, a thread each, and those that stay are appended to a list, with one atomic for the workgroup: {kept} of {count} are drawn, here in the order of the threads."
        );
        let figures = vec![
            ("outside, blue", culled(OUT_OF_FRUSTUM)),
            ("facing away, orange", culled(FACES_AWAY)),
            ("occluded, red", culled(OCCLUDED)),
            ("drawn in phase 1, now occluded, grey", culled(DRAWN_UNSEEN)),
        ];
        Some(ReplayStep::new("List of clusters", sentence, vec![lanes, list]).figures(figures).passes(CULL))
    }

    fn own_hits(&self, place: usize) -> impl Iterator<Item = &Hit> {
        self.tile.hits[place].iter().filter(|hit| self.is_own(hit.id))
    }

    fn triangles(&self) -> ReplayStep {
        let mut pixels: BTreeMap<u32, usize> = BTreeMap::new();
        for hit in (0..self.tile.ids.len()).flat_map(|place| self.own_hits(place)) {
            *pixels.entry(hit.id).or_default() += 1;
        }
        let eye = self.tile.frame.camera.eye.as_dvec3();
        let is_front = |id: u32| {
            self.tile.frame.world.corners_of(id).is_some_and(|corners| {
                let [a, b, c] = corners.map(|corner| corner.as_dvec3());
                (b - a).cross(c - a).dot(a - eye) < 0.0
            })
        };
        let base = self.tile.ids.len();
        let all = self.tile.triangles();
        let cell = |(number, id): (usize, &u32)| {
            let role = match (pixels.contains_key(id), is_front(*id)) {
                (true, _) => Role::Active,
                (false, true) => Role::Idle,
                (false, false) => Role::Faded,
            };
            let text = pixels.get(id).map_or(String::new(), usize::to_string);
            Cell { item: Some((base + number) as u32), text, ..Cell::new(rgb(*id), "").role(role) }
        };
        let list = Grid::new(
            "Triangles: pixels of the tile that each covers; dark: back-facing",
            12,
            all.iter().enumerate().map(cell).collect(),
        );
        let [left, top] = self.tile.corner.map(f64::from);
        let lines = canvas::triangles_over(self.tile, rgb, |at| [(at[0] - left) as f32, (at[1] - top) as f32]);
        let grid = self.pixels("Triangles over the pixels of the tile", |_, _| Cell::default()).drawn(lines);
        let backs = all.iter().filter(|id| !is_front(**id)).count();
        let sentence = format!(
            "A workgroup transforms each vertex once, and each thread takes a triangle: {backs} of {} are back-facing and left out, and {} cover the centre of at least one pixel of this tile.",
            all.len(),
            pixels.len()
        );
        ReplayStep::new("Triangles", sentence, vec![grid, list]).passes(DRAW)
    }

    fn covered(&self) -> ReplayStep {
        let (mut front, mut hidden) = (0, 0);
        let cells: Vec<Cell> = (0..self.tile.ids.len())
            .map(|place| {
                let right = Pixel::of(self.tile.hits[place].clone());
                let seen = right.hits.iter().find(|hit| self.is_own(hit.id));
                match (seen, self.own_hits(place).next()) {
                    (Some(hit), _) => {
                        front += 1;
                        Cell::new(rgb(hit.id), "")
                    }
                    (None, Some(hit)) => {
                        hidden += 1;
                        Cell::new(rgb(hit.id), "").role(Role::Faded)
                    }
                    (None, None) => Cell::default(),
                }
            })
            .collect();
        let grid = self.pixels("Pixels of the cluster, a colour for each triangle", |place, _| cells[place].clone());
        let sentence = format!(
            "Depth and ID of each covered pixel are written where nothing is nearer: the cluster covers {} pixels of this tile, is in front in {front}; {hidden} others, dark here, are behind another one.",
            front + hidden
        );
        ReplayStep::new("Depth and IDs", sentence, vec![grid]).passes(DRAW)
    }

    fn end(&self, compared: &MemoryComparison) -> ReplayStep {
        let grid = self.pixels("IDs of the tile, a colour for each triangle", |_, id| match id {
            0 => Cell::new(DARK, "").role(Role::Empty),
            id => Cell::new(rgb(id), ""),
        });
        let grid = grid.wrong(&compared.differing);
        let sentence =
            "The reference tests all triangles of the scene in double precision; pixels that differ are marked.";
        ReplayStep::compared(sentence, vec![grid])
    }
}

fn rgb(word: u32) -> [u8; 3] {
    color_of(word).to_array().map(|channel| (255.0 * channel).round() as u8)
}

fn swatch(at: usize) -> [u8; 3] {
    views::VIEWS[4].legend.swatch(at).to_array().map(|channel| channel as u8)
}

fn result_color(result: u32) -> [u8; 3] {
    match result {
        OUT_OF_FRUSTUM => swatch(0),
        FACES_AWAY => swatch(1),
        OCCLUDED => swatch(2),
        SEEN => [51, 184, 115],
        DRAWN_UNSEEN => [140, 140, 140],
        _ => DARK,
    }
}
