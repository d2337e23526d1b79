//! Court: a terrace above hills in low sun. An arcade on the right, a balustrade and cypresses on the left, a basin with a knot of
//! iridescent metal in the middle, and objects of very different materials on plinths around it.

use super::{
    EMBER_LIGHT, FOCUS, Materials, TILE_LIGHT, floor, grounds, knot_on_foot, lanterns, moved, planters, things, turned,
};
use crate::world::baked::Assembly;
use crate::world::shape::{disc, ellipsoid, lathe};
use crate::world::{Lamp, Viewpoint, World};
use base::job::Progress;
use glam::{Mat4, Quat, Vec2, Vec3};

fn home() -> Viewpoint {
    Viewpoint {
        target: Vec3::new(0.15, 1.18, -0.6),
        orbit: 11.0,
        height: 6.5,
        distance: 9.2,
        angle: 35.0,
        ..Viewpoint::default()
    }
}

pub fn court(progress: &Progress) -> Result<World, String> {
    let mut stage = Assembly::new();
    let m = Materials::new(&mut stage)?;
    stage.add(floor(), m.floor);
    basin(&mut stage, &m);
    gallery(&mut stage, &m);
    grounds::arcade(&mut stage, &m);
    grounds::around(&mut stage, &m);
    let basin = (0..6_u8).map(|k| {
        let turn = Vec2::from_angle(f32::from(k) * std::f32::consts::FRAC_PI_3);
        Lamp::lantern(Vec3::new(-0.35 + 2.1 * turn.x, 0.3, -3.4 + 2.1 * turn.y), 2.5, TILE_LIGHT)
    });
    let embers = Lamp::lantern(Vec3::new(2.95, 0.85, -0.35), 3.0, EMBER_LIGHT);
    let lamps = lanterns(grounds::lamp_places()).chain(basin).chain([embers]).collect();
    Ok(World { focus: FOCUS, lamps, ..stage.finish(home(), progress)? })
}

fn basin(stage: &mut Assembly, m: &Materials) {
    let at = moved(-0.35, 0.0, -3.4);
    let rim = lathe(
        96,
        3,
        &[
            &[[1.92, 0.0], [1.92, 0.10]],
            &[[1.92, 0.10], [1.90, 0.115], [1.80, 0.12]],
            &[[1.80, 0.12], [1.755, 0.15], [1.74, 0.25], [1.77, 0.34], [1.82, 0.38]],
            &[[1.82, 0.38], [1.845, 0.41], [1.82, 0.44], [1.70, 0.45], [1.58, 0.44], [1.56, 0.415], [1.58, 0.39]],
            &[[1.58, 0.39], [1.58, 0.15]],
        ],
    );
    let band = lathe(112, 1, &[&[[1.752, 0.155], [1.752, 0.335]]]).uv_by(|c| Vec2::new(c.uv.x * 10.5, c.uv.y * 0.18));
    stage.add(rim.placed(at), m.basin);
    stage.add(band.placed(at), m.mosaic);
    let wave = |p: Vec2| {
        let r = p.length();
        0.0035 * (r * 34.0).sin() * (-(r - 0.4) * 1.3).exp().min(1.0)
            + 0.0016 * (p.x * 11.0 + p.y * 5.0).sin()
            + 0.0013 * (p.y * 13.0 - p.x * 7.0).sin()
    };
    stage.add(disc(80, 30, 1.58, wave).placed(at * moved(0.0, 0.30, 0.0)), m.water);
    knot_on_foot(stage, m, at);
}

fn gallery(stage: &mut Assembly, m: &Materials) {
    let stands = [
        (-3.55, -0.9, 0.60, 0.62),
        (-2.35, 0.75, 0.66, 0.50),
        (-0.95, 1.75, 0.54, 0.66),
        (0.62, 2.05, 0.62, 0.52),
        (2.02, 1.15, 0.74, 0.46),
        (2.95, -0.35, 0.60, 0.56),
        (3.05, -2.6, 0.50, 0.40),
    ];
    for (k, (x, z, side, height)) in stands.into_iter().enumerate() {
        let turn = [8.0, 14.0, -6.0, 9.0, -14.0, -8.0, 0.0][k];
        stage.add(
            things::plinth(side, height).named("plinth").placed(turned(x, 0.0, z, turn)),
            if k % 2 == 0 { m.pale } else { m.stone },
        );
    }
    let on = |k: usize, turn: f32| turned(stands[k].0, stands[k].3, stands[k].1, turn);
    stage.add(things::vase().named("vase").placed(on(0, 0.0)), m.white);
    let [cushion, piping] = things::cushion();
    stage.add(cushion.named("cushion").placed(on(1, 30.0) * moved(0.0, 0.148, 0.0)), m.velvet);
    stage.add(piping.placed(on(1, 30.0) * moved(0.0, 0.148, 0.0)), m.piping);
    stage.add(ellipsoid(Vec3::splat(0.085), 40, 28).named("ball").placed(on(1, 0.0) * moved(0.0, 0.325, 0.0)), m.wax);
    stage.add(things::hare().named("hare").placed(on(2, 38.0)), m.jade);
    stage.add(things::bowl().named("bowl").placed(on(3, 0.0)), m.wood);
    let fruits = [
        (0.10, 0.105, 0.02, 0.085, 0.0, true),
        (-0.09, 0.105, 0.08, 0.080, 0.0, true),
        (-0.03, 0.11, -0.11, 0.084, 0.0, true),
        (0.03, 0.215, 0.02, 0.070, 0.35, false),
        (-0.13, 0.165, -0.04, 0.062, 0.35, false),
        (0.13, 0.175, -0.09, 0.062, 0.35, false),
    ];
    for (k, (x, y, z, radius, nib, orange)) in fruits.into_iter().enumerate() {
        let roll = Mat4::from_quat(Quat::from_euler(glam::EulerRot::YXZ, k as f32 * 2.1, 1.2, k as f32 * 0.7));
        let fruit = things::fruit(radius, nib).placed(on(3, 0.0) * moved(x, y, z) * roll);
        stage.add(fruit, if orange { m.orange } else { m.lemon });
    }
    stage.add(things::pebble().named("pebble").placed(on(4, 24.0) * moved(0.0, 0.225, 0.0)), m.paint);
    stage.add(things::vessel().named("vessel").placed(on(5, 0.0)), m.ember);
    let [gong, frame] = things::gong();
    stage.add(gong.named("gong").placed(on(6, -16.0)), m.brushed);
    stage.add(frame.named("frame").placed(on(6, -16.0)), m.dark_wood);
    stage.add(ellipsoid(Vec3::splat(0.36), 64, 40).named("ball").at(1.72, 0.36, 3.35), m.chrome);
    let cup = lathe(
        40,
        3,
        &[
            &[[0.0, 0.0], [0.10, 0.0]],
            &[
                [0.10, 0.0],
                [0.105, 0.012],
                [0.04, 0.035],
                [0.025, 0.10],
                [0.04, 0.15],
                [0.105, 0.20],
                [0.135, 0.30],
                [0.13, 0.38],
            ],
            &[[0.13, 0.38], [0.126, 0.384], [0.121, 0.378], [0.124, 0.30], [0.09, 0.21], [0.0, 0.19]],
        ],
    );
    stage.add(cup.named("cup").placed(on(3, 0.0) * moved(0.78, -0.52, 0.72)), m.copper);
    stage.add(
        things::vase().named("vase").placed(turned(-4.55, 0.0, 1.35, 0.0) * Mat4::from_scale(Vec3::splat(0.9))),
        m.rose,
    );
    planters(
        stage,
        m,
        &[(-2.55, 3.55, 1.0), (-4.95, -3.2, 1.15), (-4.95, -8.4, 1.15), (3.35, -5.4, 1.0), (3.35, -10.6, 1.0)],
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::MaterialKind;

    #[test]
    fn every_kind_is_there_and_nothing_is_too_much() {
        let world = court(&Progress::default()).unwrap();
        for &kind in MaterialKind::built_in() {
            let seen = world.instances.iter().any(|i| world.materials[i.material as usize].kind == kind as u32);
            assert!(seen, "{kind:?}");
        }
        assert!((150_000..430_000).contains(&world.triangle_count()), "{}", world.triangle_count());
        assert_eq!(world, court(&Progress::default()).unwrap(), "the same every time");
        let sky = |v: &crate::world::Vertex| v.color >> 24;
        assert!(
            world.geometry.vertices.iter().any(|v| sky(v) < 60) && world.geometry.vertices.iter().any(|v| sky(v) > 250)
        );
    }
}
