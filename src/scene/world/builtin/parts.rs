//! Parts that several built-in worlds share.

use super::super::Lamp;
use super::super::baked::Assembly;
use super::super::shape::{Cells, Shape, crown, grid, knot, lathe};
use super::materials::Materials;
use super::things;
use glam::{Mat4, Vec2, Vec3};

pub const FLOOR: [Vec2; 2] = [Vec2::new(-5.8, -15.0), Vec2::new(4.0, 7.0)];

/// Without the hills.
pub const FOCUS: [Vec3; 2] = [Vec3::new(-10.2, -0.6, -17.0), Vec3::new(9.0, 7.5, 8.5)];

pub const LANTERN_LIGHT: Vec3 = Vec3::new(2.6, 1.45, 0.62);

pub const EMBER_LIGHT: Vec3 = Vec3::new(0.34, 0.15, 0.045);

pub const TILE_LIGHT: Vec3 = Vec3::new(0.05, 0.07, 0.06);

pub fn lanterns(places: Vec<Vec3>) -> impl Iterator<Item = Lamp> {
    places.into_iter().map(|at| Lamp::lantern(at - 0.15 * Vec3::Y, 8.0, LANTERN_LIGHT))
}

pub fn floor() -> Shape {
    let [low, high] = FLOOR;
    grid(Cells::new(72, 112).coarse(72, 112), |u, v| {
        let z = high.y + (low.y - high.y) * if v < 0.72 { v / 0.72 * 0.56 } else { 0.56 + (v - 0.72) / 0.28 * 0.44 };
        Vec3::new(low.x + (high.x - low.x) * u, 0.0, z)
    })
    .uv_by(|corner| Vec2::new(corner.position.x, corner.position.z))
}

pub fn moved(x: f32, y: f32, z: f32) -> Mat4 {
    Mat4::from_translation(Vec3::new(x, y, z))
}

pub fn turned(x: f32, y: f32, z: f32, degrees: f32) -> Mat4 {
    moved(x, y, z) * Mat4::from_rotation_y(degrees.to_radians())
}

pub fn knot_on_foot(stage: &mut Assembly, m: &Materials, at: Mat4) {
    let foot = lathe(
        48,
        4,
        &[
            &[[0.46, 0.2], [0.46, 0.42], [0.40, 0.46]],
            &[[0.40, 0.46], [0.30, 0.50], [0.20, 0.62], [0.165, 0.80], [0.20, 0.94], [0.26, 0.99]],
            &[[0.26, 0.99], [0.28, 1.02], [0.26, 1.05], [0.0, 1.06]],
        ],
    );
    stage.add(foot.named("foot").placed(at), m.green);
    let sculpture = knot([2.0, 5.0], 0.66, Vec2::new(0.17, 0.105), 300, 26);
    stage.add(sculpture.named("knot").placed(at * turned(0.0, 1.92, 0.0, 24.0)), m.knot);
}

pub fn planters(stage: &mut Assembly, m: &Materials, pots: &[(f32, f32, f32)]) {
    let [pot, earth] = things::planter();
    let placed = |height: f32, turn: fn(f32, f32) -> f32, material: u32| -> Vec<(Mat4, u32)> {
        let place = |(x, z, scale): &(f32, f32, f32)| {
            (turned(*x, height * scale, *z, turn(*x, *z)) * Mat4::from_scale(Vec3::splat(*scale)), material)
        };
        pots.iter().map(place).collect()
    };
    stage.instances(pot.named("pot"), placed(0.0, |x, _| x * 50.0, m.clay), true);
    stage.instances(earth, placed(0.0, |x, _| x * 50.0, m.earth), true);
    let bush = crown(Vec3::new(0.46, 0.40, 0.46), 700, 0.12, 0.24, 5);
    stage.instances(bush, placed(0.85, |_, z| z * 40.0, m.leaf), false);
    let petals = crown(Vec3::new(0.47, 0.42, 0.47), 130, 0.07, 0.5, 9);
    stage.instances(petals, placed(0.87, |_, z| z * 70.0, m.blossom), false);
}
