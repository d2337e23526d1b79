//! Small test worlds with rays that are difficult for them.

use base::job::Progress;
use glam::{Mat4, Vec3, Vec4};
use gpu::gpu_struct;
use scene::{
    Place,
    world::{AlphaMode, Builder, Corner, Material, MaterialKind, Viewpoint, World, built_in},
};
use std::{
    f32::consts::{FRAC_PI_2, PI, TAU},
    sync::Arc,
};

pub(super) struct Soup {
    pub name: &'static str,
    pub world: Arc<World>,
    pub rays: Vec<CastRay>,
    /// Part of the rays that may meet what only rounding decides. Observed: worst 6e-4 (Mesa 25.0.7).
    pub excused: f64,
    pub closed: bool,
}

impl Soup {
    fn new(name: &'static str, world: World, rays: Vec<CastRay>) -> Self {
        Self { name, world: world.into(), rays, excused: 0.01, closed: false }
    }
}

struct Dice(u32);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let x = (self.0 >> (self.0 >> 28).wrapping_add(4)) ^ self.0;
        (x.wrapping_mul(277_803_737) >> 8) as f32 / 16_777_216.0
    }

    fn within(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.roll() - 0.5, self.roll() - 0.5, self.roll() - 0.5) * size
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let at = self.within(2.0);
            if (0.1..1.0).contains(&at.length()) {
                return at.normalize();
            }
        }
    }
}

pub(super) fn mesh(builder: &mut Builder, points: &[Vec3]) -> u32 {
    let corners = points.iter().map(|at| Corner { position: *at, ..Corner::default() }).collect();
    builder.mesh(corners, (0..points.len() as u32).collect()).unwrap_or_default()
}

/// Closed, of radius 1, `around` by `around / 2` cells; and its corners.
fn ball(builder: &mut Builder, around: u32, seen_from_within: bool) -> (u32, Vec<Vec3>) {
    let down = around / 2;
    let mut corners = vec![];
    for y in 0..=down {
        for x in 0..around {
            let (a, b) = (x as f32 / around as f32 * TAU, y as f32 / down as f32 * PI);
            corners.push(Vec3::new(b.sin() * a.cos(), b.cos(), b.sin() * a.sin()));
        }
    }
    let mut indices = vec![];
    for y in 0..down {
        for x in 0..around {
            let at = |x: u32, y: u32| y * around + x % around;
            indices.extend([at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y), at(x + 1, y + 1), at(x, y + 1)]);
        }
    }
    if seen_from_within {
        indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
    }
    let made = corners.iter().map(|at| Corner { position: *at, normal: *at, ..Corner::default() }).collect();
    (builder.mesh(made, indices).unwrap_or_default(), corners)
}

fn placed(builder: &mut Builder, mesh: u32, at: Mat4) {
    of(builder, mesh, at, 0);
}

pub(super) fn of(builder: &mut Builder, mesh: u32, at: Mat4, material: u32) {
    if let Err(problem) = builder.place(mesh, at, material) {
        log::error!("soup: {problem}");
    }
}

fn seen(builder: Builder, target: Vec3, [orbit, height, distance, angle]: [f32; 4]) -> World {
    builder.finish(Viewpoint { target, orbit, height, distance, angle, ..Viewpoint::default() })
}

fn moved(x: f32, y: f32, z: f32) -> Mat4 {
    Mat4::from_translation(Vec3::new(x, y, z))
}

fn matt(color: Vec3) -> Material {
    Material { base: color.extend(1.0), roughness: 0.8, ..Material::default() }
}

fn empty() -> Builder {
    let mut builder = Builder::new();
    builder.material(Material::default());
    builder
}

fn all_around(dice: &mut Dice, count: usize, size: f32) -> Vec<CastRay> {
    let mut rays: Vec<_> =
        (0..count).map(|_| CastRay { origin: dice.within(2.0 * size), direction: dice.direction() }).collect();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for sign in [1.0, -1.0] {
            rays.extend((0..count / 12).map(|_| CastRay { origin: dice.within(2.0 * size), direction: axis * sign }));
            let flat = Vec3::ONE - axis;
            let leaning = |dice: &mut Dice| (dice.direction() * flat).normalize_or(axis);
            rays.extend((0..count / 12).map(|_| CastRay { origin: dice.within(2.0 * size), direction: leaning(dice) }));
        }
    }
    rays
}

fn ten() -> Soup {
    let (mut builder, mut dice) = (empty(), Dice(7));
    let points: Vec<Vec3> = (0..30).map(|_| dice.within(4.0)).collect();
    let soup = mesh(&mut builder, &points);
    placed(&mut builder, soup, Mat4::IDENTITY);
    let mut rays = all_around(&mut dice, 900, 3.0);
    for corner in points.chunks_exact(3) {
        let direction = (corner[1] - corner[0]).normalize();
        rays.push(CastRay { origin: corner[0].lerp(corner[2], 0.4) - direction * 5.0, direction });
    }
    Soup::new("ten triangles", builder.finish(Viewpoint::default()), rays)
}

fn facing() -> Soup {
    let (mut builder, mut dice) = (empty(), Dice(11));
    let [a, b, c, d] =
        [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]].map(|[x, y]: [f32; 2]| Vec3::new(x, y, 0.0));
    let square = mesh(&mut builder, &[a, b, c, a, c, d]);
    placed(&mut builder, square, Mat4::from_translation(Vec3::Z * -1.5));
    placed(&mut builder, square, Mat4::from_translation(Vec3::Z * 1.5) * Mat4::from_rotation_y(PI));
    let mut rays = vec![];
    for k in 0..600 {
        let side = if k % 2 == 0 { -1.5 } else { 1.5 };
        let origin = Vec3::new(dice.within(3.6).x, dice.within(3.6).y, side);
        let direction = (Vec3::NEG_Z * side + dice.within(1.0)).normalize();
        rays.push(CastRay { origin: origin - Vec3::Z * side * 1e-4, direction });
    }
    Soup::new("facing mirrors", builder.finish(Viewpoint::default()), rays)
}

fn coincident() -> Soup {
    let (mut builder, mut dice) = (empty(), Dice(13));
    let points: Vec<Vec3> = (0..12).map(|_| dice.within(4.0)).collect();
    let soup = mesh(&mut builder, &points);
    let twice = mesh(&mut builder, &[&points[..], &points[..]].concat());
    for mesh in [soup, twice, soup] {
        placed(&mut builder, mesh, Mat4::IDENTITY);
    }
    let rays = all_around(&mut dice, 480, 3.0);
    Soup::new("coincident", builder.finish(Viewpoint::default()), rays)
}

fn instances() -> Soup {
    let (mut builder, mut dice) = (empty(), Dice(17));
    let (ball, _) = ball(&mut builder, 12, false);
    for k in 0..9 {
        let size = Vec3::new(0.3 + dice.roll(), 0.3 + dice.roll(), if k % 3 == 0 { -0.7 } else { 0.5 });
        let turn = Mat4::from_rotation_y(k as f32) * Mat4::from_rotation_x(0.7 * k as f32);
        placed(&mut builder, ball, Mat4::from_translation(dice.within(5.0)) * turn * Mat4::from_scale(size));
    }
    placed(&mut builder, ball, Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)));
    let rays = all_around(&mut dice, 480, 3.0);
    Soup::new("instances", builder.finish(Viewpoint::default()), rays)
}

fn room() -> Soup {
    let (mut builder, mut dice) = (empty(), Dice(19));
    let (ball, corners) = ball(&mut builder, 24, true);
    let at = Mat4::from_translation(Vec3::new(13.0, -7.0, 5.0)) * Mat4::from_rotation_y(0.4);
    placed(&mut builder, ball, at);
    let mut rays = vec![];
    for pair in corners.windows(2) {
        for to in [pair[0], pair[0].lerp(pair[1], 0.5), pair[0].lerp(pair[1], dice.roll())] {
            let origin = at.transform_point3(dice.within(0.8));
            rays.push(CastRay { origin, direction: (at.transform_point3(to) - origin).normalize() });
        }
    }
    // All of them run along edges.
    Soup { excused: 1.0, closed: true, ..Soup::new("closed room", builder.finish(Viewpoint::default()), rays) }
}

fn many() -> Soup {
    let mut dice = Dice(23);
    let world = built_in(Place::Many, 40, &Progress::default());
    let rays = all_around(&mut dice, 240, 4.0);
    Soup::new("many", world, rays)
}

pub(super) fn soups(full: bool) -> Vec<Soup> {
    let mut all = vec![ten(), facing(), coincident(), instances(), room()];
    all.extend(full.then(many));
    all
}

pub(super) fn square(builder: &mut Builder) -> u32 {
    let corner = |x: f32, y: f32| Corner { position: Vec3::new(x, y, 0.0), normal: Vec3::Z, ..Corner::default() };
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    builder.mesh(corners, vec![0, 1, 2, 0, 2, 3]).unwrap_or_default()
}

pub(super) fn metal(color: Vec3, roughness: f32) -> Material {
    Material { base: color.extend(1.0), metallic: 1.0, roughness, ..Material::default() }
}

pub fn mirror_room() -> World {
    let mut builder = Builder::new();
    let (ball, square) = (ball(&mut builder, 28, false).0, square(&mut builder));
    let floor = builder.material(Material { roughness: 0.1, ..matt(Vec3::new(0.5, 0.45, 0.4)) });
    let glass = builder.material(metal(Vec3::new(0.93, 0.95, 0.92), 0.0));
    let chrome = builder.material(metal(Vec3::splat(0.85), 0.03));
    let red = builder.material(matt(Vec3::new(0.6, 0.12, 0.08)));
    let lamp = builder.material(Material { emissive: Vec3::new(4.0, 2.5, 1.0), ..matt(Vec3::ONE) });
    let flat = Mat4::from_rotation_x(-FRAC_PI_2) * Mat4::from_scale(Vec3::splat(4.0));
    of(&mut builder, square, flat, floor);
    let wide = Mat4::from_scale(Vec3::new(2.5, 1.2, 1.0));
    of(&mut builder, square, moved(0.0, 1.3, -1.6) * wide, glass);
    let turned = Mat4::from_rotation_y(PI + 0.026);
    of(&mut builder, square, moved(0.0, 1.3, 2.4) * turned * wide, glass);
    for (x, y, z, size, material) in [
        (0.0, 0.45, 0.0, 0.45, chrome),
        (-0.9, 0.3, 0.4, 0.3, red),
        (0.8, 0.25, -0.5, 0.25, lamp),
        (1.2, 0.2, 0.6, 0.2, red),
    ] {
        of(&mut builder, ball, moved(x, y, z) * Mat4::from_scale(Vec3::splat(size)), material);
    }
    let target = Vec3::new(0.0, 0.7, -0.6);
    seen(builder, target, [12.0, 7.0, 2.7, 60.0])
}

/// A perfect plane mirror facing +z, the first instance, before a veined floor, balls and a lamp; and its z.
pub fn plane_mirror() -> (World, f32) {
    plane_mirror_behind(0)
}

/// The same behind `holes` panes close to the mirror, wholly cut out.
pub fn plane_mirror_behind(holes: u32) -> (World, f32) {
    const PLANE: f32 = -1.6;
    let mut builder = Builder::new();
    let (ball, square) = (ball(&mut builder, 40, false).0, square(&mut builder));
    let glass = builder.material(metal(Vec3::ONE, 0.0));
    let veined =
        Material { kind: MaterialKind::Marble as u32, second: Vec3::new(0.1, 0.12, 0.2), ..matt(Vec3::splat(0.7)) };
    let floor = builder.material(Material { parameters: Vec4::new(0.03, 1.0, 0.0, 0.0), ..veined });
    let chrome = builder.material(metal(Vec3::splat(0.85), 0.03));
    let red = builder.material(Material { roughness: 0.03, ..matt(Vec3::new(0.6, 0.12, 0.08)) });
    let lamp = builder.material(Material { emissive: Vec3::new(4.0, 2.5, 1.0), ..matt(Vec3::ONE) });
    of(&mut builder, square, moved(0.0, 1.3, PLANE) * Mat4::from_scale(Vec3::new(2.5, 1.2, 1.0)), glass);
    let flat = Mat4::from_rotation_x(-FRAC_PI_2) * Mat4::from_scale(Vec3::splat(9.0));
    of(&mut builder, square, flat, floor);
    for (x, y, z, size, material) in [
        (0.0, 0.45, 0.3, 0.45, chrome),
        (-1.1, 0.4, -0.4, 0.4, red),
        (0.9, 0.25, -0.7, 0.25, lamp),
        (-2.0, 0.8, 2.5, 0.8, red),
    ] {
        of(&mut builder, ball, moved(x, y, z) * Mat4::from_scale(Vec3::splat(size)), material);
    }
    let hole = Material { base: Vec4::ZERO, flags: AlphaMode::Mask as u32, cutoff: 0.5, ..Material::default() };
    let hole = if holes > 0 { builder.material(hole) } else { 0 };
    for k in 0..holes {
        let turned = Mat4::from_rotation_y(PI) * Mat4::from_scale(Vec3::splat(6.0));
        of(&mut builder, square, moved(0.0, 1.3, PLANE + 0.3 + 0.1 * k as f32) * turned, hole);
    }
    let target = Vec3::new(0.0, 1.0, -0.6);
    (seen(builder, target, [12.0, 7.0, 2.7, 60.0]), PLANE)
}

/// Two mirrors that face each other and reflect `part` of the light, with a camera between them.
pub fn dim_mirrors(part: f32) -> World {
    let mut builder = Builder::new();
    let square = square(&mut builder);
    let glass = builder.material(metal(Vec3::splat(part), 0.0));
    let away = |turn: f32| {
        Mat4::from_rotation_y(turn) * Mat4::from_translation(Vec3::Z * -1.5) * Mat4::from_scale(Vec3::splat(9.0))
    };
    of(&mut builder, square, away(0.0), glass);
    of(&mut builder, square, away(PI), glass);
    seen(builder, Vec3::ZERO, [0.0, 0.0, 0.5, 20.0])
}

/// Emission of the furnace: exact in half floats.
pub const GLOW: Vec3 = Vec3::new(2.0, 1.0, 0.5);

/// Perfect mirrors in a closed room that glows evenly: every path is equally bright.
pub fn furnace() -> World {
    let mut builder = Builder::new();
    let inner = ball(&mut builder, 40, true).0;
    let (ball, square) = (ball(&mut builder, 40, false).0, square(&mut builder));
    let room = builder.material(Material { emissive: GLOW, ..metal(Vec3::ZERO, 1.0) });
    let mirror = builder.material(metal(Vec3::ONE, 0.0));
    of(&mut builder, inner, Mat4::from_scale(Vec3::splat(12.0)), room);
    of(&mut builder, square, moved(0.0, 0.0, -1.2), mirror);
    let turned = Mat4::from_rotation_y(PI + 0.1);
    of(&mut builder, square, moved(0.4, 0.0, 2.2) * turned, mirror);
    for x in [-0.55, 0.6] {
        of(&mut builder, ball, moved(x, -0.2, 0.3) * Mat4::from_scale(Vec3::splat(0.45)), mirror);
    }
    seen(builder, Vec3::ZERO, [25.0, 10.0, 3.2, 55.0])
}

pub struct TiledRoom {
    pub world: World,
    pub middle: Vec3,
    pub glow: Vec<Vec3>,
}

pub fn tiled_room() -> TiledRoom {
    const TILES: i32 = 7;
    let mut builder = Builder::new();
    let (ball, square) = (ball(&mut builder, 14, false).0, square(&mut builder));
    let chrome = builder.material(metal(Vec3::ONE, 0.0));
    let (middle, mut glow) = (Vec3::new(0.3, 0.2, -0.1), vec![Vec3::ZERO]);
    of(&mut builder, ball, Mat4::from_translation(middle), chrome);
    let colors: Vec<Vec3> =
        (0..27).map(|i| Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32) + 0.5).collect();
    let materials: Vec<u32> =
        colors.iter().map(|color| builder.material(Material { emissive: *color, ..metal(Vec3::ZERO, 1.0) })).collect();
    let (quarter, half) = (FRAC_PI_2, PI);
    let walls = [Mat4::from_rotation_x(quarter), Mat4::from_rotation_x(-quarter)];
    let walls = walls.into_iter().chain([0.0, quarter, half, -quarter].map(Mat4::from_rotation_y));
    for (wall, turn) in walls.enumerate() {
        for tile in 0..TILES * TILES {
            let at = |k: i32| (2 * k - TILES + 1) as f32;
            let moved = Mat4::from_translation(Vec3::new(at(tile % TILES), at(tile / TILES), -(TILES as f32)));
            let color = (7 * tile + 5 * (tile / TILES) + 11 * wall as i32) as usize % colors.len();
            of(&mut builder, square, turn * moved, materials[color]);
            glow.push(colors[color]);
        }
    }
    let target = middle + Vec3::new(0.1, 0.0, 0.0);
    let world = seen(builder, target, [25.0, 14.0, 2.6, 50.0]);
    TiledRoom { world, middle, glow }
}

/// A closed ball of perfect mirrors, seen from within, far from the origin: no ray leaves it.
pub fn mirror_cell() -> World {
    let mut builder = Builder::new();
    let (round, middle) = (32, Vec3::new(900.0, 0.0, 700.0));
    let point = |x: u32, y: u32| {
        let (a, b) = (x as f32 / round as f32 * TAU, y as f32 / round as f32 * TAU);
        Vec3::new(b.sin() * a.cos(), b.cos(), b.sin() * a.sin())
    };
    let mut corners = vec![];
    for (y, x) in (0..round / 2).flat_map(|y| (0..round).map(move |x| (y, x))) {
        let [a, b, c, d] = [point(x, y), point(x + 1, y), point(x + 1, y + 1), point(x, y + 1)];
        for side in [[a, c, b], [a, d, c]] {
            let normal = (side[1] - side[0]).cross(side[2] - side[0]);
            if normal.length() > 1e-6 {
                corners.extend(side.map(|position| Corner {
                    position,
                    normal: normal.normalize(),
                    ..Corner::default()
                }));
            }
        }
    }
    let numbers = (0..corners.len() as u32).collect();
    let cell = builder.mesh(corners, numbers).unwrap_or_default();
    let mirror = builder.material(metal(Vec3::ONE, 0.0));
    of(&mut builder, cell, Mat4::from_translation(middle), mirror);
    seen(builder, middle, [0.0, 0.0, 0.4, 70.0])
}

pub fn coated_balls() -> World {
    let mut builder = Builder::new();
    let ball = ball(&mut builder, 96, false).0;
    let coat = |strength: f32| Vec4::new(0.01, 0.0, 0.0, strength);
    let painted =
        |base: Material| Material { kind: MaterialKind::CarPaint as u32, second: base.base.truncate(), ..base };
    let matt = Material {
        base: Vec4::new(0.02, 0.02, 0.03, 1.0),
        roughness: 0.9,
        parameters: coat(1.0),
        ..Material::default()
    };
    let bright = Material { parameters: coat(1.0), ..metal(Vec3::new(0.9, 0.3, 0.2), 0.05) };
    let dull = Material { parameters: coat(0.6), ..metal(Vec3::new(0.2, 0.6, 0.9), 0.6) };
    for (material, x) in [matt, bright, dull].into_iter().zip([-4.5, 0.0, 4.5]) {
        let material = builder.material(painted(material));
        of(&mut builder, ball, Mat4::from_translation(Vec3::X * x), material);
    }
    seen(builder, Vec3::ZERO, [0.0, 12.0, 9.0, 50.0])
}

gpu_struct! {
    pub struct CastRay {
        pub origin: Vec3,
        pub direction: Vec3,
    }
}
