//! Pool: the court's terrace after rain, with a long basin of still water between the arcade and the balustrade.

use super::{EMBER_LIGHT, FOCUS, Materials, grounds, knot_on_foot, lanterns, moved, planters, things, turned};
use crate::world::baked::Assembly;
use crate::world::shape::{Cells, Shape, block_of, ellipsoid, grid};
use crate::world::{Lamp, Viewpoint, World};
use base::job::Progress;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::TAU;

const WATER: [Vec2; 2] = [Vec2::new(-2.35, -13.2), Vec2::new(1.65, 1.4)];
const RIM: f32 = 0.42;

fn home() -> Viewpoint {
    Viewpoint {
        target: Vec3::new(-0.1, 0.85, -2.6),
        orbit: 7.0,
        height: 6.0,
        distance: 9.4,
        angle: 38.0,
        ..Viewpoint::default()
    }
}

fn ground(low: Vec2, high: Vec2, cells: f32) -> Shape {
    let count = ((high - low) * cells).ceil().max(Vec2::ONE);
    let cells = Cells::new(count.x as u32, count.y as u32).coarse(8, 8);
    grid(cells, |u, v| Vec3::new(low.x + (high.x - low.x) * u, 0.0, high.y + (low.y - high.y) * v)).uv_by(flat)
}

fn flat(corner: &crate::world::Corner) -> Vec2 {
    Vec2::new(corner.position.x, corner.position.z)
}

fn puddle(at: Vec2, size: Vec2, turn: f32) -> Shape {
    grid(Cells::new(56, 4).coarse(56, 4), |u, v| {
        let angle = u * TAU;
        let edge = 1.0
            + 0.22 * (2.0 * angle + turn).sin()
            + 0.13 * (3.0 * angle - 2.1 * turn).sin()
            + 0.07 * (7.0 * angle + 3.3 * turn).sin();
        let (sin, cos) = angle.sin_cos();
        let out = size * Vec2::new(cos, -sin) * (edge * (1.0 - v));
        Vec3::new(at.x + out.x, 0.003, at.y + out.y)
    })
    .uv_by(flat)
    .shadeless()
}

pub fn pool(progress: &Progress) -> Result<World, String> {
    let mut stage = Assembly::new();
    let m = Materials::new(&mut stage)?;
    basin(&mut stage, &m);
    let [low, high] = super::FLOOR;
    let (inner_low, inner_high) = (WATER[0] - RIM, WATER[1] + RIM);
    for (from, to) in [
        (low, Vec2::new(inner_low.x, high.y)),
        (Vec2::new(inner_high.x, low.y), high),
        (Vec2::new(inner_low.x, inner_high.y), Vec2::new(inner_high.x, high.y)),
        (Vec2::new(inner_low.x, low.y), Vec2::new(inner_high.x, inner_low.y)),
    ] {
        stage.add(ground(from, to, 5.0), m.floor);
    }
    for (k, (x, z, wide, deep)) in [
        (-0.9, 3.35, 0.95, 0.62),
        (1.25, 2.75, 0.62, 0.42),
        (0.55, 4.75, 1.25, 0.55),
        (2.95, 0.9, 0.42, 1.05),
        (-3.55, 0.35, 0.40, 1.15),
        (-2.2, 5.0, 0.75, 0.5),
        (3.0, -3.6, 0.40, 0.9),
        (-3.6, -4.6, 0.45, 1.3),
    ]
    .into_iter()
    .enumerate()
    {
        stage.add(puddle(Vec2::new(x, z), Vec2::new(wide, deep), 1.7 * k as f32), m.wet);
    }
    things_around(&mut stage, &m);
    grounds::arcade(&mut stage, &m);
    grounds::around(&mut stage, &m);
    let embers = Lamp::lantern(Vec3::new(-3.3, 0.42, -1.6), 3.0, EMBER_LIGHT);
    let along = lanterns(rim_lanterns()).map(|lamp| Lamp { light: 0.3 * lamp.light, reach: 5.0, ..lamp });
    let lamps = lanterns(grounds::lamp_places()).chain(along).chain([embers]).collect();
    Ok(World { focus: FOCUS, lamps, ..stage.finish(home(), progress)? })
}

fn basin(stage: &mut Assembly, m: &Materials) {
    let [low, high] = WATER;
    let wave = |p: Vec2| {
        0.0011 * (p.x * 5.1 + p.y * 2.3).sin()
            + 0.0009 * (p.y * 6.7 - p.x * 3.9).sin()
            + 0.0007 * (p.y * 11.3 + p.x * 8.7).sin()
    };
    let water = grid(Cells::new(72, 200).coarse(72, 200), |u, v| {
        let at = Vec2::new(low.x + (high.x - low.x) * u, high.y + (low.y - high.y) * v);
        Vec3::new(at.x, 0.09 + wave(at), at.y)
    });
    stage.add(water.shadeless(), m.water);
    let top = 0.16;
    let stone = |low: [f32; 3], high: [f32; 3], cells| block_of(low.into(), high.into(), 0.02, cells);
    for (left, right) in [(low.x - RIM, low.x), (high.x, high.x + RIM)] {
        let side = stone([left, -0.4, low.y - RIM], [right, top, high.y + RIM], [3, 2, 90]);
        stage.add(side, m.pale);
    }
    for (back, front) in [(low.y - RIM, low.y), (high.y, high.y + RIM)] {
        stage.add(stone([low.x, -0.4, back], [high.x, top, front], [24, 2, 3]), m.pale);
    }
}

fn rim_lanterns() -> Vec<Vec3> {
    let rows = (0..4_u8).map(|k| 0.2 - 3.9 * f32::from(k));
    rows.flat_map(|z| [WATER[0].x - 0.5 * RIM, WATER[1].x + 0.5 * RIM].map(|x| Vec3::new(x, 0.7, z))).collect()
}

fn things_around(stage: &mut Assembly, m: &Materials) {
    knot_on_foot(stage, m, moved(-0.35, -0.18, -6.9));
    stage.add(ellipsoid(Vec3::splat(0.34), 64, 40).named("ball").at(-1.75, 0.34, 2.45), m.chrome);
    stage.add(ellipsoid(Vec3::splat(0.17), 48, 30).named("ball").at(-1.22, 0.17, 2.98), m.copper);
    stage.add(things::plinth(0.54, 0.46).named("plinth").placed(turned(2.25, 0.0, 2.1, -14.0)), m.stone);
    stage.add(things::hare().named("hare").placed(turned(2.25, 0.46, 2.1, -40.0)), m.jade);
    stage.add(things::vase().named("vase").placed(moved(2.55, 0.0, -1.1)), m.rose);
    stage.add(things::pebble().named("pebble").placed(turned(-3.35, 0.23, 2.0, 60.0)), m.paint);
    stage.add(things::vessel().named("vessel").placed(moved(-3.3, 0.0, -1.6)), m.ember);
    let [glass, metal] = things::lantern();
    let standing = |material| rim_lanterns().into_iter().map(|at| (Mat4::from_translation(at), material)).collect();
    stage.instances(glass, standing(m.lamp), false);
    stage.instances(metal.named("lantern"), standing(m.bronze), true);
    planters(
        stage,
        m,
        &[
            (-4.75, 1.6, 1.1),
            (-4.75, -3.4, 1.15),
            (-4.75, -8.4, 1.15),
            (3.25, -2.4, 0.95),
            (3.25, -7.4, 1.0),
            (3.25, -12.0, 1.0),
        ],
    );
}
