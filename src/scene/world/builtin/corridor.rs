//! Corridor: two large mirrors in bronze that face each other across the court, slightly off parallel.

use super::{EMBER_LIGHT, FOCUS, Materials, floor, grounds, lanterns, moved, planters, things, turned};
use crate::world::baked::Assembly;
use crate::world::shape::{Cells, Shape, block_of, ellipsoid, grid};
use crate::world::{Lamp, Material, Viewpoint, World};
use base::job::Progress;
use glam::{Mat4, Vec3, Vec4};

/// Reflectance of silvered glass: lowest for blue and red, so that images of images turn green.
const GLASS: [f32; 3] = [0.93, 0.95, 0.92];
/// From parallel.
const TILT_DEGREES: f32 = 1.5;
/// Middle of the corridor, half of its width, and half of its length.
const MIDDLE: Vec3 = Vec3::new(-0.75, 0.0, -4.0);
const HALF_GAP: f32 = 2.15;
const HALF_LENGTH: f32 = 4.1;
/// Lower and upper end of the glass.
const GLASS_LOW: f32 = 0.32;
const GLASS_HIGH: f32 = 2.55;

fn home() -> Viewpoint {
    Viewpoint {
        target: Vec3::new(-0.55, 1.28, -5.9),
        orbit: 24.0,
        height: 5.0,
        distance: 3.55,
        angle: 56.0,
        ..Viewpoint::default()
    }
}

pub fn corridor(progress: &Progress) -> Result<World, String> {
    let mut stage = Assembly::new();
    let m = Materials::new(&mut stage)?;
    let [r, g, b] = GLASS;
    let glass = stage.material(
        "mirror",
        Material { base: Vec4::new(r, g, b, 1.0), metallic: 1.0, roughness: 0.01, ..Material::default() },
    );
    stage.add(floor(), m.floor);
    let middle = Mat4::from_translation(MIDDLE);
    let tilt = Mat4::from_rotation_y(TILT_DEGREES.to_radians());
    let far = middle * moved(0.0, 0.0, -HALF_GAP);
    let near = middle * moved(0.0, 0.0, HALF_GAP) * Mat4::from_rotation_y(std::f32::consts::PI) * tilt;
    for at in [far, near] {
        wall(&mut stage, &m, glass, at);
    }
    between(&mut stage, &m);
    grounds::around(&mut stage, &m);
    let embers = Lamp::lantern(MIDDLE + Vec3::new(-2.75, 0.42, -1.1), 3.0, EMBER_LIGHT);
    let lamps = lanterns(LAMPS.map(|x| MIDDLE + Vec3::new(x, 2.62, 0.0)).to_vec()).chain([embers]).collect();
    Ok(World { focus: FOCUS, lamps, ..stage.finish(home(), progress)? })
}

const LAMPS: [f32; 3] = [-2.3, 0.4, 3.1];

fn wall(stage: &mut Assembly, m: &Materials, glass: u32, at: Mat4) {
    let stone = |low: [f32; 3], high: [f32; 3], bevel: f32, cells| -> Shape {
        block_of(low.into(), high.into(), bevel, cells).named("frame").placed(at)
    };
    let long = HALF_LENGTH;
    stage.add(stone([-long - 0.25, 0.0, -0.42], [long + 0.25, GLASS_HIGH + 0.30, -0.02], 0.015, [40, 12, 2]), m.stone);
    stage.add(stone([-long - 0.32, 0.0, -0.46], [long + 0.32, 0.20, 0.10], 0.02, [40, 2, 3]), m.pale);
    let top = GLASS_HIGH + 0.24;
    stage.add(stone([-long - 0.34, top, -0.52], [long + 0.34, top + 0.15, 0.12], 0.03, [40, 2, 3]), m.pale);
    let pane = grid(Cells::new(24, 8).coarse(24, 8), |u, v| {
        Vec3::new(long * (2.0 * u - 1.0), GLASS_LOW + (GLASS_HIGH - GLASS_LOW) * v, 0.0)
    });
    stage.add(pane.placed(at).shadeless(), glass);
    let bar = |low: [f32; 3], high: [f32; 3], cells| stone(low, high, 0.014, cells);
    for (low, high) in [(GLASS_LOW - 0.10, GLASS_LOW + 0.02), (GLASS_HIGH - 0.02, GLASS_HIGH + 0.10)] {
        stage.add(bar([-long - 0.10, low, -0.03], [long + 0.10, high, 0.055], [60, 1, 1]), m.bronze);
    }
    for k in 0..4 {
        let x = long * (2.0 * k as f32 / 3.0 - 1.0);
        stage.add(bar([x - 0.06, GLASS_LOW - 0.10, -0.03], [x + 0.06, GLASS_HIGH + 0.10, 0.05], [1, 24, 1]), m.bronze);
        stage.add(
            ellipsoid(Vec3::new(0.085, 0.085, 0.05), 24, 14).placed(at * moved(x, GLASS_HIGH + 0.04, 0.05)),
            m.brushed,
        );
    }
}

fn between(stage: &mut Assembly, m: &Materials) {
    let at = |x: f32, y: f32, z: f32, degrees: f32| Mat4::from_translation(MIDDLE) * turned(x, y, z, degrees);
    stage.add(things::plinth(0.54, 0.62).named("plinth").placed(at(0.15, 0.0, -0.55, 12.0)), m.pale);
    stage.add(ellipsoid(Vec3::splat(0.33), 72, 44).named("ball").placed(at(0.15, 0.95, -0.55, 0.0)), m.chrome);
    stage.add(things::plinth(0.50, 0.42).named("plinth").placed(at(-1.55, 0.0, -0.25, -9.0)), m.stone);
    stage.add(things::hare().named("hare").placed(at(-1.55, 0.42, -0.25, 50.0)), m.jade);
    stage.add(things::vase().named("vase").placed(at(1.75, 0.0, -1.05, 0.0)), m.rose);
    stage.add(things::vessel().named("vessel").placed(at(-2.75, 0.0, -1.1, 0.0)), m.ember);
    stage.add(things::pebble().named("pebble").placed(at(1.15, 0.23, 0.75, 110.0)), m.paint);
    let [glass, metal] = things::lantern();
    let lamps = |material: u32| -> Vec<(Mat4, u32)> { LAMPS.map(|x| (at(x, 2.62, 0.0, 20.0 * x), material)).to_vec() };
    stage.instances(glass, lamps(m.lamp), false);
    stage.instances(metal.named("lantern"), lamps(m.bronze), false);
    for x in LAMPS {
        let beam = block_of(Vec3::new(x - 0.05, 2.62, -2.3), Vec3::new(x + 0.05, 2.72, 2.3), 0.012, [1, 1, 20]);
        stage.add(beam.placed(Mat4::from_translation(MIDDLE)), m.dark_wood);
    }
    let [x, z] = [MIDDLE.x, MIDDLE.z];
    planters(stage, m, &[(x - 3.5, z + 0.2, 0.95), (x + 3.0, z - 0.4, 1.0), (x - 0.9, z + 1.15, 0.7)]);
}
