//! Surroundings of the court: the arcade, the terrace, the garden, the hills.

use super::materials::Materials;
use super::{moved, things, turned};
use crate::picture::noise::{fractal, ridges};
use crate::world::baked::Assembly;
use crate::world::shape::{Cells, Shape, arch, block, block_of, crown, disc, ellipsoid, fluted, grid, lathe};
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// Distance between columns, metres.
const BAY: f32 = 2.6;
const COLUMNS: u32 = 8;
const FIRST: Vec3 = Vec3::new(4.75, 0.30, 3.1);
/// Height at which arches start.
const SPRING: f32 = 2.92;

fn box_of(low: [f32; 3], high: [f32; 3], bevel: f32, cells: [u32; 3]) -> Shape {
    block_of(low.into(), high.into(), bevel, cells)
}

fn column() -> Shape {
    let base = block(Vec3::new(0.50, 0.08, 0.50), 0.012, [3, 1, 3]).at(0.0, 0.04, 0.0);
    let top = block(Vec3::new(0.50, 0.09, 0.50), 0.014, [3, 1, 3]).at(0.0, 2.575, 0.0);
    let feet = lathe(
        30,
        2,
        &[
            &[[0.235, 0.08], [0.25, 0.105], [0.235, 0.135]],
            &[[0.235, 0.135], [0.20, 0.15], [0.20, 0.165]],
            &[[0.215, 0.165], [0.225, 0.185], [0.205, 0.21]],
        ],
    );
    let shaft = fluted(80, 5, &[&[[0.178, 0.21], [0.183, 0.7], [0.178, 1.3], [0.165, 1.9], [0.152, 2.30]]], 10, 0.085);
    let head = lathe(
        30,
        3,
        &[
            &[[0.152, 2.30], [0.175, 2.315], [0.155, 2.335]],
            &[[0.155, 2.335], [0.157, 2.40], [0.19, 2.47], [0.235, 2.525], [0.24, 2.535]],
        ],
    );
    base.with(feet).with(shaft).with(head).with(top)
}

fn columns() -> impl Iterator<Item = u32> + Clone {
    (0..COLUMNS).map(|k| (k + COLUMNS / 2 - 1) % COLUMNS)
}

fn bays() -> impl Iterator<Item = u32> + Clone {
    columns().filter(|k| k + 1 < COLUMNS)
}

pub fn lamp_places() -> Vec<Vec3> {
    bays().map(|k| Vec3::new(6.1, 3.35, FIRST.z - (k as f32 + 0.5) * BAY)).collect()
}

pub fn arcade(stage: &mut Assembly, m: &Materials) {
    let z = |k: u32| FIRST.z - k as f32 * BAY;
    let last = z(COLUMNS - 1);
    let side = Mat4::from_rotation_y(-PI / 2.0);
    let columns = columns().map(|k| (moved(FIRST.x, FIRST.y, z(k)), m.pale));
    stage.instances(column().named("column"), columns.collect(), true);
    let arches = bays().map(|k| (moved(FIRST.x, SPRING, z(k) - 0.5 * BAY) * side, m.stone));
    stage.instances(arch(BAY, 1.62, 0.42, 1.04, 40).named("arch"), arches.collect(), true);
    let far = last - 0.6;
    let near = FIRST.z + 0.6;
    let top = SPRING + 1.62;
    stage.add(box_of([FIRST.x - 0.36, top, far], [FIRST.x + 0.4, top + 0.12, near], 0.02, [2, 1, 40]), m.pale);
    stage.add(box_of([FIRST.x - 0.46, top + 0.12, far], [8.4, top + 0.34, near], 0.03, [4, 1, 40]), m.pale);
    stage.add(box_of([FIRST.x + 0.21, top - 0.12, far], [8.2, top + 0.06, near], 0.01, [10, 1, 40]), m.dark_wood);
    stage.add(box_of([7.7, 1.55, far], [8.2, top, near], 0.01, [1, 12, 60]), m.plaster);
    let dado = grid(Cells::new(60, 8).coarse(60, 8), |u, v| Vec3::new(7.69, 0.45 + v * 1.1, far + u * (near - far)))
        .uv_by(|c| Vec2::new(c.position.z, c.position.y - 0.45) * 0.5);
    stage.add(dado, m.mosaic);
    stage.add(box_of([7.6, 0.3, far], [8.1, 0.45, near], 0.01, [1, 1, 40]), m.stone);
    stage.add(box_of([7.64, 1.55, far], [8.1, 1.62, near], 0.015, [1, 1, 40]), m.pale);
    stage.add(box_of([4.30, 0.15, far - 0.3], [8.4, 0.30, near + 0.2], 0.014, [24, 1, 90]), m.stone);
    stage.add(box_of([4.0, 0.0, far - 0.4], [8.4, 0.15, near + 0.5], 0.014, [2, 1, 90]), m.stone);
    stage.add(box_of([FIRST.x + 0.1, 0.3, far], [8.2, top, far + 0.3], 0.01, [8, 8, 1]), m.plaster);
    let [glass, metal] = things::lantern();
    let lamps = |material| lamp_places().into_iter().map(|at| (Mat4::from_translation(at), material)).collect();
    stage.instances(glass, lamps(m.lamp), false);
    stage.instances(metal.named("lantern"), lamps(m.bronze), true);
    stage.instances(lathe(6, 1, &[&[[0.008, -0.02], [0.008, 1.15]]]), lamps(m.bronze), false);
    let vine = crown(Vec3::new(0.75, 0.34, 0.95), 800, 0.13, 0.36, 21);
    let bunches = [(4.45, 4.72, 0.2, 1.0), (4.4, 4.55, -1.5, 0.8), (4.5, 4.8, -6.3, 1.1)];
    let bunch = |material, turn: f32| {
        bunches
            .map(|(x, y, z, size)| (turned(x, y, z, turn + z * 30.0) * Mat4::from_scale(Vec3::splat(size)), material))
            .to_vec()
    };
    stage.instances(vine, bunch(m.blossom, 0.0), false);
    stage.instances(crown(Vec3::new(0.78, 0.32, 0.98), 420, 0.14, 0.3, 22), bunch(m.leaf, 60.0), false);
}

pub fn around(stage: &mut Assembly, m: &Materials) {
    terrace(stage, m);
    garden(stage, m);
    distance(stage, m);
}

fn terrace(stage: &mut Assembly, m: &Materials) {
    stage.add(box_of([-6.4, -9.0, -16.2], [8.5, -0.012, 7.2], 0.02, [1, 1, 1]).shadeless(), m.stone);
    let (near, far) = (4.9, -15.4);
    stage.add(box_of([-6.0, -0.02, far], [-5.56, 0.16, near], 0.014, [3, 1, 80]), m.stone);
    stage.add(box_of([-6.02, 0.78, far], [-5.54, 0.90, near], 0.02, [3, 1, 80]), m.pale);
    let baluster = lathe(
        10,
        2,
        &[
            &[[0.085, 0.16], [0.085, 0.20]],
            &[[0.085, 0.20], [0.055, 0.225], [0.062, 0.27], [0.092, 0.36], [0.075, 0.47], [0.042, 0.57], [0.04, 0.63]],
            &[[0.04, 0.63], [0.062, 0.645], [0.045, 0.67], [0.05, 0.70], [0.08, 0.74], [0.08, 0.78]],
        ],
    );
    let count = 62;
    let z = |k: i32| near - 0.2 - k as f32 * 0.325;
    let standing = (0..count).map(|k| (k + count / 2) % count).filter(|k| k % 8 != 7);
    let mut balusters: Vec<_> = standing.map(|k| (moved(-5.78, 0.0, z(k)), m.pale)).collect();
    let across = (0..12).map(|k| (moved(-5.2 + k as f32 * 0.33, 0.30, -15.75), m.pale));
    let across_right = (0..9).map(|k| (moved(1.0 + k as f32 * 0.33, 0.30, -15.75), m.pale));
    balusters.extend(across.chain(across_right));
    stage.instances(baluster.named("baluster"), balusters, true);
    // Deeper than the rail: in one plane the order of drawing would decide.
    let post = block(Vec3::new(0.486, 0.98, 0.486), 0.02, [2, 4, 2]).at(0.0, 0.49, 0.0);
    let cap = block(Vec3::new(0.56, 0.07, 0.56), 0.015, [2, 1, 2]).at(0.0, 1.01, 0.0);
    let posts = [3, 0, 1, 2, 4, 5, 6, 7].map(|k: i32| (moved(-5.78, 0.0, z(k * 8 - 1)), m.pale));
    stage.instances(post.with(cap).named("post"), posts.to_vec(), true);
    let ball = ellipsoid(Vec3::splat(0.20), 26, 16).at(0.0, 1.24, 0.0);
    stage.instances(ball.named("ball"), posts.to_vec(), true);
    for k in 0..2 {
        let (up, back) = (0.15 * k as f32, -15.0 - 0.35 * k as f32);
        stage.add(box_of([-5.55, up, -16.1], [4.2, up + 0.15, back], 0.014, [40, 1, 3]), m.stone);
    }
    stage.add(box_of([-5.5, 0.30, -15.95], [-1.2, 0.46, -15.55], 0.014, [16, 1, 1]), m.stone);
    stage.add(box_of([0.55, 0.30, -15.95], [4.2, 0.46, -15.55], 0.014, [16, 1, 1]), m.stone);
    stage.add(box_of([-5.5, 1.08, -16.0], [-1.2, 1.20, -15.5], 0.02, [16, 1, 1]), m.pale);
    stage.add(box_of([0.55, 1.08, -16.0], [4.2, 1.20, -15.5], 0.02, [16, 1, 1]), m.pale);
    for x in [-1.62, 0.92] {
        stage.add(box_of([x - 0.32, 0.30, -16.05], [x + 0.32, 2.7, -15.45], 0.02, [3, 10, 3]), m.stone);
        stage.add(box_of([x - 0.38, 2.62, -16.1], [x + 0.38, 2.76, -15.4], 0.02, [3, 1, 3]), m.pale);
    }
    let gate = arch(3.18, 1.75, 0.5, 0.98, 48).at(-0.35, 2.76, -15.75);
    stage.add(gate.named("gate"), m.stone);
    stage.add(box_of([-2.1, 4.51, -16.15], [1.4, 4.70, -15.35], 0.03, [12, 1, 3]), m.pale);
}

fn garden(stage: &mut Assembly, m: &Materials) {
    let tree = crown(Vec3::new(0.80, 3.0, 0.80), 1300, 0.28, 0.2, 3);
    let trees = [
        (-8.3, -5.2, 1.15),
        (-7.9, -8.6, 1.0),
        (-8.8, -12.4, 1.25),
        (-9.4, -2.4, 1.05),
        (-4.9, -19.0, 1.2),
        (2.3, -19.5, 1.05),
        (-9.0, 9.5, 1.1),
    ];
    let placed = trees.map(|(x, z, size)| {
        (turned(x, -1.4 + 3.0 * size, z, z * 57.0) * Mat4::from_scale(Vec3::splat(size)), m.cypress)
    });
    stage.instances(tree, placed.to_vec(), false);
    let slope = grid(Cells::new(44, 44).coarse(44, 44), |u, v| {
        let p = Vec2::new((u - 0.5) * 120.0, (0.5 - v) * 120.0);
        let away = (p - p.clamp(Vec2::new(-6.0, -16.0), Vec2::new(8.0, 7.0))).length();
        Vec3::new(p.x, -1.5 - 0.0075 * away * away - 0.16 * away + 0.8 * fractal(p * 0.11, 3, 60), p.y)
    });
    stage.instances(slope.shadeless(), vec![(Mat4::IDENTITY, m.meadow)], true);
}

fn distance(stage: &mut Assembly, m: &Materials) {
    let sea = disc(48, 12, 3000.0, |_| -32.0);
    stage.instances(sea.shadeless(), vec![(Mat4::IDENTITY, m.sea)], false);
    let rows = [(90.0, 50.0, 15.0, 55.0), (230.0, 130.0, 42.0, 130.0), (620.0, 330.0, 120.0, 330.0)];
    for (k, (radius, depth, height, apart)) in rows.into_iter().enumerate() {
        let hill = grid(Cells::new(160, 10).coarse(160, 10), |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            let direction = Vec2::new(cos, -sin);
            let at = direction * (radius + depth * v);
            let crest = ridges(at / apart + 9.0 * k as f32, 3, 70 + k as u32);
            let open = 1.0 - 0.75 * (-(direction - Vec2::new(0.25, -0.97)).length_squared() * 4.0).exp();
            let broad = 0.5 + 0.5 * fractal(direction * 1.7 + 3.0 * k as f32, 2, 80 + k as u32);
            let rise = (v * PI).sin().max(0.0).powf(0.8) * (0.35 * broad + 0.25 + 0.5 * crest) * open;
            Vec3::new(at.x, -34.0 + (height + 33.0) * rise, at.y)
        });
        stage.instances(
            hill.flipped().shadeless(),
            vec![(Mat4::IDENTITY, [m.near_hills, m.hills, m.far_hills][k])],
            false,
        );
    }
}
