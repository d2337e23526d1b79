//! Tests of transforms: poses, flattened bodies, scenes far from the origin, cameras, lights, haze.

use super::{
    light, shape,
    tests::{
        Folder, add, bytes, changed, corners, draft, floats, load, loaded, primitive, push, put_camera, refused,
        remove, skin, uri, with, world, world_in,
    },
    view,
};
use crate::{
    SceneSettings,
    world::{Camera, LampKind, World},
};
use base::job::Progress;
use glam::{DMat4, DVec3, Vec2, Vec3};
use serde_json::{Value, json};

fn bounds(world: &World) -> [Vec3; 2] {
    let all = corners(world);
    let points = all.as_flattened().iter().map(|(at, _)| *at);
    points.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
}

#[test]
fn morph_targets_have_the_weights_of_the_node_or_of_the_mesh() {
    let mut draft = draft();
    let up = add(&mut draft, &floats(&[0.0, 0.0, 2.0].repeat(4)), 5126, "VEC3", 4);
    primitive(&mut draft)["targets"] = json!([{"POSITION": 99}, {"POSITION": up}]);
    let depth = |draft: &Value| bounds(&world(draft)).map(|at| at.z);
    assert_eq!(depth(&draft), [0.0; 2], "no weight: the target is not even read");
    draft["meshes"][0]["weights"] = json!([0.0, 0.5]);
    assert_eq!(depth(&draft), [1.0; 2]);
    draft["nodes"][1]["weights"] = json!([0.0, 1.5]);
    assert_eq!(depth(&draft), [3.0; 2]);
    draft["nodes"][1]["weights"] = json!([1.0, 0.0]);
    refused(&draft, "morph target 0");
}

/// The second of two bones is bent, at the end of `bones` more.
fn bent(bones: usize, in_scene: bool) -> Value {
    let mut draft = draft();
    let bone_of_row = [[0; 8], [1, 0, 0, 0, 1, 0, 0, 0]];
    skin(&mut draft, bone_of_row.as_flattened(), json!([2 + bones, 3 + bones]));
    draft["nodes"][1]["skin"] = json!(0);
    let nodes = draft["nodes"].as_array_mut().unwrap();
    nodes.extend((0..bones).map(|k| json!({"children": [k + 3]})));
    nodes.push(json!({"translation": [0.0, 0.0, 7.0], "children": [3 + bones]}));
    nodes.push(json!({"translation": [0.0, 0.0, 1.0]}));
    if in_scene {
        draft["scenes"][0]["nodes"] = json!([0, 2]);
    }
    draft
}

#[test]
fn skins_are_drawn_in_the_pose_of_their_joints_however_deep() {
    for in_scene in [true, false] {
        for bones in [0, 100, 3000] {
            let world = world(&bent(bones, in_scene));
            let [low, high] = bounds(&world);
            assert_eq!((low, high), (Vec3::new(0.0, 0.0, 7.0), Vec3::new(1.0, 1.0, 8.0)), "{bones} {in_scene}");
            let (_, normal) = corners(&world)[0][0];
            assert!(normal.dot(Vec3::new(0.0, -1.0, 1.0).normalize()) > 0.99, "{normal}");
        }
    }
    let mut broken = bent(1, true);
    broken["skins"][0]["joints"] = json!([77]);
    let (world, said) = loaded(&broken);
    assert!(said.contains("skins that cannot be read") && bounds(&world)[0].x == 3.0, "{said}");
}

#[test]
fn flattened_bodies_are_drawn_and_lines_are_not() {
    let folder = Folder::new("load-flat");
    let scaled = |scale: [f64; 3]| load(&folder.write("a.gltf", with("/nodes/1/scale", json!(scale)).to_string()));
    let flat = scaled([2.0, 3.0, 0.0]).unwrap();
    assert_eq!(bounds(&flat), [Vec3::new(3.0, 0.0, 0.0), Vec3::new(5.0, 3.0, 0.0)]);
    assert!(corners(&flat).as_flattened().iter().all(|(_, normal)| normal.z > 0.999));
    assert!(scaled([0.0, 1.0, 1.0]).unwrap_err().to_string().contains("nothing to be seen"), "a line");
    let turn = DMat4::from_axis_angle(DVec3::new(0.3, -0.5, 0.8).normalize(), 1.1);
    let onto = |scale: DVec3| shape::flattening(&(turn * DMat4::from_scale(scale) * turn.inverse()));
    assert!(matches!(onto(DVec3::new(1e-4, 0.0, 1e-4)), shape::Flattening::Plane(_)));
    assert_eq!(onto(DVec3::new(0.0, 5.0, 0.0)), shape::Flattening::Nothing);
    assert_eq!(onto(DVec3::ZERO), shape::Flattening::Nothing);
    assert_eq!(onto(DVec3::new(1e-9, 2e-9, -1e-9)), shape::Flattening::Body);
}

#[test]
fn far_scenes_are_moved_to_the_origin_before_they_are_rounded() {
    let near = world(&draft());
    for far in [6_378_137.123_456_f64, 1e11] {
        let mut draft = draft();
        draft["nodes"][0]["translation"] = json!([far, -0.5 * far, far]);
        put_camera(&mut draft, 1);
        let world = world(&draft);
        let [low, high] = bounds(&world);
        // Double precision keeps 2e-16 of the distance.
        let close = (2e-16 * far * 4.0).max(1e-6) as f32;
        assert!((high - low - Vec3::new(1.0, 1.0, 0.0)).abs().max_element() <= close, "{low} {high}");
        assert!((low + high).length() < 1.0 && world.viewpoint.camera().eye.length() < 2.0, "{:?}", world.viewpoint);
        assert!((world.haze / near.haze - 1.0).abs() < 1e-5, "{} {}", world.haze, near.haze);
    }
    let (mut draft, mut bytes) = (draft(), bytes());
    for (k, number) in bytes[..48].chunks_exact_mut(4).enumerate() {
        let x = f32::from_le_bytes(number.try_into().unwrap()) + if k % 3 == 0 { 4_000_000.0 } else { 0.0 };
        number.copy_from_slice(&x.to_le_bytes());
    }
    draft["buffers"][0]["uri"] = json!(uri(&bytes));
    draft["nodes"][0]["translation"] = json!([-4_000_000.25, 0.0, 0.0]);
    draft["nodes"][1]["translation"] = json!([0.125, 0.0, 0.0]);
    let world = world(&draft);
    assert_eq!(bounds(&world), [Vec3::new(-0.125, 0.0, 0.0), Vec3::new(0.875, 1.0, 0.0)]);
    assert!(world.geometry.vertices.iter().all(|vertex| vertex.position.abs().max_element() <= 1.0));
}

#[test]
fn cameras_roll_look_straight_down_and_are_orthographic() {
    let mut draft = draft();
    put_camera(&mut draft, 1);
    let seen = |draft: &Value| {
        let camera = world(draft).viewpoint.camera();
        (camera, camera.axes())
    };
    for (axis, angle) in
        [(DVec3::Z, 0.7), (DVec3::X, -std::f64::consts::FRAC_PI_2), (DVec3::X, 1.2), (DVec3::new(0.5, -0.6, 0.4), 2.0)]
    {
        let turn = glam::DQuat::from_axis_angle(axis.normalize(), angle);
        draft["nodes"][0]["rotation"] = json!(turn.to_array());
        let (camera, [right, up]) = seen(&draft);
        let expected = [DVec3::X, DVec3::Y, DVec3::NEG_Z].map(|axis| (turn * axis).as_vec3());
        let forward = (camera.target - camera.eye).normalize();
        for (found, expected) in [right, up, forward].into_iter().zip(expected) {
            assert!(found.distance(expected) < 2e-3, "{axis} {angle}: {found}, expected {expected}");
        }
    }
    draft["nodes"][0]["rotation"] = json!([0.0, 0.0, 0.0, 1.0]);
    draft["nodes"][1]["translation"] = json!([2.0, 0.0, 0.0]);
    push(&mut draft, "nodes", json!({"camera": 0, "translation": [3.5, 0.5, 9.0]}));
    remove(&mut draft["nodes"][1], "camera");
    draft["scenes"][0]["nodes"] = json!([0, 2]);
    draft["cameras"] =
        json!([{"type": "orthographic", "orthographic": {"xmag": 2, "ymag": 0.5, "zfar": 9, "znear": 1}}]);
    let camera = seen(&draft).0;
    let block = camera.block([720, 720]);
    let row = |at: Vec3| {
        let clip = block.clip_from_world * at.extend(1.0);
        360.0 * clip.y / clip.w
    };
    for depth in [-0.7, 0.0, 0.7] {
        let [top, bottom] = [1.0, 0.0].map(|y| row(Vec3::new(3.5, y, depth)));
        assert!((bottom - top - 720.0).abs() < 2.0, "{depth}: {top} {bottom}");
    }
    let distance = |z: f32| camera.eye.z - z;
    assert!((distance(8.0) / camera.near - 1.0).abs() < 1e-4, "{} {}", distance(8.0), camera.near);
    let said = |draft: &Value| loaded(draft).1;
    assert_eq!(said(&draft), "");
    draft["cameras"][0]["orthographic"]["zfar"] = json!(8.9);
    let behind = "the far plane of the camera, behind which there is something";
    assert_eq!(said(&draft), behind);
    draft["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 0.5, "zfar": 8.9, "znear": 3.0}}]);
    assert_eq!(said(&draft), behind);
    let camera = seen(&draft).0;
    assert!((camera.near - 3.0).abs() < 1e-5, "{}", camera.near);
    draft["cameras"] = json!([{"type": "perspective", "perspective": {}}]);
    assert_eq!(said(&draft), "cameras that are not complete (1 camera)");
}

#[test]
fn lights_are_where_their_nodes_are() {
    let folder = Folder::new("load-lights");
    let lit = |light: Value, scale: f64| {
        let mut draft = draft();
        draft["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
        draft["extensionsRequired"] = json!(["KHR_lights_punctual"]);
        let lamp = json!({"KHR_lights_punctual": {"light": 0}});
        let lamp = json!({"extensions": lamp, "translation": [3.5, 0.5, 2.0], "rotation": [0.0, 1.0, 0.0, 0.0]});
        push(&mut draft, "nodes", lamp);
        push(&mut draft, "nodes", json!({"children": [0, 2], "scale": [scale, scale, scale]}));
        draft["scenes"][0]["nodes"] = json!([3]);
        world_in(&folder, &draft)
    };
    let at = |world: &World, x: f32, y: f32, z: f32| world.lamps[0].at(Vec3::new(x, y, z)).1;
    let point = lit(json!({"type": "point", "intensity": 3.0, "color": [1.0, 0.5, 0.0]}), 1.0);
    assert!((at(&point, 3.5, 0.5, 0.0) - Vec3::new(4.5, 2.25, 0.0)).length() < 1e-4);
    assert_eq!(point.lamps[0].kind, LampKind::Point as u32);
    assert_eq!(point.lit_lamps(0.0).len(), 1, "whatever the sun");
    let large = lit(json!({"type": "point", "intensity": 3e6, "color": [1.0, 0.5, 0.0]}), 1000.0);
    let [low, high] = large.bounds;
    let middle = 0.5 * (low + high);
    assert!((large.lamps[0].at(middle).1.x - 4.5).abs() < 0.05, "{}", large.lamps[0].at(middle).1);
    let ranged = lit(json!({"type": "point", "intensity": 3.0, "range": 4.0}), 1.0);
    assert!((at(&ranged, 3.5, 0.5, 0.0).x - 4.5 * (1.0 - 0.0625)).abs() < 1e-4);
    assert_eq!(at(&ranged, 3.5, 0.5, -2.1), Vec3::ZERO);
    let spot = json!({"type": "spot", "intensity": 3.0, "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.4}});
    let spot = lit(spot, 1.0);
    let between = at(&spot, 3.5 + 2.0 * 0.3_f32.tan(), 0.5, 4.0).x;
    assert!(between > 0.5 && between < 3.0, "{between}");
    let bright = lit(json!({"type": "directional", "intensity": 54e3, "color": [1.0, 0.5, 0.25]}), 1.0);
    let light = bright.lamps[0].light;
    assert!(light.x == 324e3 && light.y == 162e3, "the quad looks the other way: nothing is too bright");
    let mut all = bright;
    all.lamps[0].axis = Vec3::Z;
    let source = super::Source::open(&folder.0.join("a.gltf"), &Progress::default()).unwrap();
    light::adapt(&source, &mut all);
    assert!((all.lamps[0].light.x - 40.0).abs() < 1e-3 && (all.lamps[0].light.y - 20.0).abs() < 1e-3);
    assert!(source.document.notes().remarks.iter().any(|remark| remark.starts_with("all lights dimmed to ")));
}

#[test]
fn the_opening_view_shows_all_in_any_picture_however_it_is_cut() {
    let plain = world(&draft());
    assert!(plain.is_framed);
    assert_eq!(plain.bounds, bounds(&plain));
    for size in
        [[1.0, 9.0, 1.0], [9.0, 1.0, 1.0], [1.0, 1.0, 9.0], [5.0, 1.0, 5.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0_f32]]
    {
        let high = Vec3::from(size);
        let world = World {
            bounds: [Vec3::ZERO, high],
            viewpoint: view::home([Vec3::ZERO, high]),
            is_framed: true,
            ..World::default()
        };
        let corners: Vec<Vec3> =
            (0..8).map(|k| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32) * high).collect();
        for (picture, center) in [
            ([640, 360], Vec2::ZERO),
            ([300, 480], Vec2::ZERO),
            ([100, 1000], Vec2::ZERO),
            ([7680, 1080], Vec2::ZERO),
            ([1280, 800], Vec2::new(-0.3, 0.1)),
        ] {
            let home = world.home(picture, center);
            let mut farthest: f32 = 0.0;
            for seconds in 0..60 {
                let camera = Camera { center, ..SceneSettings::default().viewpoint(home, seconds as f32).camera() };
                let block = camera.block(picture);
                for at in &corners {
                    let clip = block.clip_from_world * at.extend(1.0);
                    let seen = (clip.truncate().truncate() / clip.w - center).abs() / (Vec2::ONE - center.abs());
                    assert!(clip.z > 0.0 && clip.z <= clip.w, "{size:?} {picture:?}: nearer than the near plane");
                    farthest = farthest.max(seen.max_element());
                }
            }
            assert!((0.94..0.96).contains(&farthest), "{size:?} {picture:?}: {farthest} of the way to the border");
        }
    }
}

#[test]
fn visibility_hides_a_node_and_all_below() {
    let mut draft = with("/nodes/0/extensions", json!({"KHR_node_visibility": {"visible": false}}));
    refused(&draft, "nothing to be seen");
    push(&mut draft, "nodes", json!({"mesh": 0}));
    draft["scenes"][0]["nodes"] = json!([0, 2]);
    assert_eq!(bounds(&world(&draft))[1].x, 1.0);
}

#[test]
fn parts_too_far_apart_to_be_seen_together_are_said_to_be() {
    let said = |away: f64, count: usize| {
        let nodes = (0..count).map(|k| json!({"mesh": 0, "translation": [away * k as f64 / (count - 1) as f64, 0, 0]}));
        let far = changed(|draft| {
            draft["nodes"] = nodes.collect();
            draft["scenes"][0]["nodes"] = (0..count).collect();
        });
        loaded(&far).1
    };
    assert_eq!(said(6.5e6, 2), "the scene's parts are too far apart to be seen together");
    assert_eq!((said(100.0, 2), said(300.0, 2)), (String::new(), String::new()), "a few pixels each");
    assert_eq!(said(1e4, 1000), "");
}
