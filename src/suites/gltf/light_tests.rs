//! Tests of lights of glTF.

use super::studio::{Quad, Studio, file};
use super::tests::{both, matt, pair};
use crate::techniques::reflections::Work;
use glam::Vec3;
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

#[test]
fn punctual_lights() {
    let mut studio = Studio::new();
    let quads = pair(grey(), grey());
    let mut seen = |scene: &Value| both(&studio.shoot(scene));
    let dark = seen(&quads);
    let mut more = |light: Value, node: Value| {
        let bright = seen(&lit(quads.clone(), light, node));
        [bright[0] - dark[0], bright[1] - dark[1]]
    };
    // Diffuse surfaces of roughness 1 also reflect about four per cent specularly, in a wide lobe.
    let close = |found: f32, expected: f32| (found / expected - 1.0).abs() < 0.12;
    let [left, right] = more(json!({"type": "directional", "intensity": 2.0, "color": [0, 1, 0]}), json!({}));
    assert!(close(left.y, sent(2.0)) && close(right.y, sent(2.0)), "{left} {right}, expected {}", sent(2.0));
    assert!(left.x.abs() < 0.01 && left.z.abs() < 0.01, "{left}");
    let [left, right] = more(json!({"type": "directional", "intensity": 2.0}), json!({"rotation": [0, 1, 0, 0]}));
    assert!(left.abs().max_element() < 0.01 && right.abs().max_element() < 0.01, "from behind: {left} {right}");
    let [left, right] = more(json!({"type": "point", "intensity": 4.0}), json!({"translation": [-0.7, 0, 2]}));
    let lux = 4.0 / (4.0 + 1.96) * (2.0 / 5.96_f32.sqrt());
    assert!(
        close(left.x, sent(1.0)) && close(right.x, sent(lux)),
        "{left} {right}, expected {} {}",
        sent(1.0),
        sent(lux)
    );
    let spot = json!({"type": "spot", "intensity": 4.0, "spot": {"innerConeAngle": 0.3, "outerConeAngle": 0.5}});
    let [left, right] = more(spot, json!({"translation": [-0.7, 0, 2]}));
    assert!(close(left.x, sent(1.0)) && right.abs().max_element() < 0.01, "{left} {right}");
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
