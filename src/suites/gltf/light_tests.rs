//! Tests of lights of glTF.

use super::studio::{Quad, Studio, file};
use super::tests::matt;
use glam::Vec3;
use reflections::Work;
use serde_json::{Value, json};

fn grey() -> Value {
    matt([0.5, 0.5, 0.5, 1.0])
}

/// `node`: placement of the light.
fn lit(mut file: Value, light: Value, node: Value) -> Value {
    file["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
    let nodes = file["nodes"].as_array_mut().unwrap();
    let mut node = node;
    node["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    nodes.push(node);
    let last = nodes.len() - 1;
    file["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(last));
    file
}

/// In our units: 6 per lux, half of which is reflected diffusely.
fn sent(lux: f32) -> f32 {
    0.5 * 6.0 * lux / std::f32::consts::PI
}

pub(super) fn reflections_of_lights(studio: &mut Studio) {
    let metal = json!({"pbrMetallicRoughness": {"metallicFactor": 1.0, "roughnessFactor": 0.0}});
    let mirror = Quad { node: json!({"scale": [3.0, 3.0, 1.0]}), ..Quad::of([0.0, 0.0, -1.0], metal) };
    let turned = Quad { node: json!({"rotation": [0, 1, 0, 0]}), ..Quad::of([0.0, 0.0, 0.5], grey()) };
    let scene = file(vec![mirror, turned], vec![]);
    let light = json!({"type": "directional", "intensity": 3.0, "color": [0, 1, 0]});
    let scene_lit = lit(scene.clone(), light, json!({"rotation": [0, 1, 0, 0]}));
    for work in [Work::Words, Work::Queues] {
        let [dark, bright] = [&scene, &scene_lit].map(|scene| studio.mirrored(scene, work));
        let greener = dark.iter().zip(&bright).filter(|(dark, bright)| {
            let more: Vec3 = **bright - **dark;
            more.y > 0.5 * sent(3.0) && more.x.abs() < 0.05
        });
        let count = greener.count();
        assert!(count > 60, "{work:?}: {count} pixels of the mirror show the light");
    }
}
