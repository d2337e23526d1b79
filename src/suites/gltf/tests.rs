//! Tests of the features of Khronos' sample models.

use super::studio::{Quad, Shown, Studio, file, picture};
use crate::{
    gpu::Feature,
    techniques::{meshlets::By, reflections::Work},
};
use glam::Vec3;
use serde_json::{Value, json};

/// Positions of the left and the right quad, and the light in their middles.
const LEFT: [f32; 3] = [-0.7, 0.0, 0.0];
const RIGHT: [f32; 3] = [0.7, 0.0, 0.0];

pub(super) fn both(shown: &Shown) -> [Vec3; 2] {
    [shown.at(-0.7, 0.0), shown.at(0.7, 0.0)]
}

pub(super) fn matt(color: [f32; 4]) -> Value {
    json!({"pbrMetallicRoughness": {"baseColorFactor": color, "metallicFactor": 0.0, "roughnessFactor": 1.0}})
}

fn with(mut material: Value, more: Value) -> Value {
    material.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    material
}

fn extended(material: Value, extensions: Value) -> Value {
    with(material, json!({"extensions": extensions}))
}

pub(super) fn pair(left: Value, right: Value) -> Value {
    file(vec![Quad::of(LEFT, left), Quad::of(RIGHT, right)], vec![])
}

fn seen(studio: &mut Studio, left: Value, right: Value) -> [Vec3; 2] {
    both(&studio.shoot(&pair(left, right)))
}

fn close(a: Vec3, b: Vec3) -> bool {
    (a - b).abs().max_element() <= 0.01 * a.max(b).max_element().max(0.05)
}

/// AlphaBlendModeTest.
#[test]
fn alpha_modes() {
    let studio = &mut Studio::new();
    let of = |mode: &str, alpha: f32, cutoff: f32| {
        with(matt([0.9, 0.1, 0.1, alpha]), json!({"alphaMode": mode, "alphaCutoff": cutoff}))
    };
    let opaque = |alpha| matt([0.9, 0.1, 0.1, alpha]);
    let [solid, other] = seen(studio, opaque(1.0), opaque(0.1));
    assert!(close(solid, other), "opaque is opaque: {solid} {other}");
    let cut = studio.shoot(&pair(of("MASK", 0.5, 0.4), of("MASK", 0.5, 0.6)));
    let [there, sky] = both(&cut);
    assert!(close(there, solid) && cut.id(-0.7, 0.0) != 0 && cut.id(0.7, 0.0) == 0, "{there} {solid}");
    let seen = studio.shoot(&pair(of("BLEND", 0.25, 0.5), of("BLEND", 0.75, 0.5)));
    let [left, right] = both(&seen);
    let sky_left = studio.shoot(&pair(of("MASK", 0.1, 0.5), matt([1.0; 4]))).at(-0.7, 0.0);
    assert!(close(left, sky_left.lerp(solid, 0.25)), "{left} {}", sky_left.lerp(solid, 0.25));
    assert!(close(right, sky.lerp(solid, 0.75)), "{right} {}", sky.lerp(solid, 0.75));
    assert!(seen.ids.iter().all(|id| *id == 0), "what is seen through is not solid");
}

/// AlphaBlendModeTest, TextureSettingsTest.
#[test]
fn alpha_from_textures_by_both_paths() {
    let studio = &mut Studio::new();
    let clear = picture([[200, 90, 40, 255], [200, 90, 40, 0], [200, 90, 40, 0], [200, 90, 40, 255]], 8);
    let material = |mode: &str| json!({"alphaMode": mode, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.0}});
    let quads = vec![Quad::of(LEFT, material("MASK")), Quad::of(RIGHT, material("BLEND"))];
    let scene = file(quads, vec![clear]);
    let shown = studio.shoot(&scene);
    let parts = [(-0.25, 0.25, true), (0.25, 0.25, false), (-0.25, -0.25, false), (0.25, -0.25, true)];
    let gone = with(matt([1.0, 1.0, 1.0, 0.1]), json!({"alphaMode": "MASK"}));
    let sky = studio.shoot(&pair(gone.clone(), gone));
    for (x, y, is_there) in parts {
        assert_eq!(shown.id(x - 0.7, y) != 0, is_there, "{x} {y}");
        let (masked, blended) = (shown.at(x - 0.7, y), shown.at(x + 0.7, y));
        assert_eq!(!close(masked, sky.at(x - 0.7, y)), is_there, "{masked}");
        assert_eq!(!close(blended, sky.at(x + 0.7, y)), is_there, "{blended}");
    }
    if studio.has(Feature::MeshShader) {
        studio.by = By::Mesh;
        let other = studio.shoot(&scene);
        assert_eq!(other.ids, shown.ids);
        assert!(other.light.iter().zip(&shown.light).all(|(a, b)| a.distance(*b) < 1e-2));
    }
}

/// Panes in any order in the file: the same picture.
#[test]
fn order_does_not_matter() {
    let studio = &mut Studio::new();
    let pane = |z: f32, color: [f32; 4]| Quad::of([0.0, 0.0, z], with(matt(color), json!({"alphaMode": "BLEND"})));
    let colors = [[0.9, 0.1, 0.1, 0.5], [0.1, 0.9, 0.1, 0.5], [0.1, 0.1, 0.9, 0.5]];
    let shot = |studio: &mut Studio, order: [usize; 3]| {
        let panes = order.map(|k| pane(0.3 * k as f32, colors[k]));
        studio.shoot(&file(panes.into(), vec![])).at(0.0, 0.0)
    };
    let first = shot(studio, [0, 1, 2]);
    for order in [[2, 1, 0], [1, 2, 0], [0, 2, 1]] {
        assert!(close(shot(studio, order), first), "{order:?}");
    }
    assert!(first.z > first.y && first.y > first.x, "{first}");
    let swapped = [pane(0.6, colors[0]), pane(0.3, colors[1]), pane(0.0, colors[2])];
    let swapped = studio.shoot(&file(swapped.into(), vec![])).at(0.0, 0.0);
    assert!(swapped.x > swapped.y, "{swapped}");
    let wall = Quad::of([0.0, 0.0, 0.45], matt([0.5, 0.5, 0.5, 1.0]));
    let alone = vec![pane(0.6, colors[2]), Quad::of([0.0, 0.0, 0.45], matt([0.5, 0.5, 0.5, 1.0]))];
    let alone = studio.shoot(&file(alone, vec![])).at(0.0, 0.0);
    let hidden = vec![pane(0.0, colors[0]), pane(0.3, colors[1]), wall, pane(0.6, colors[2])];
    assert!(close(studio.shoot(&file(hidden, vec![])).at(0.0, 0.0), alone), "{alone}");
}

/// VertexColorTest.
#[test]
fn vertex_colors() {
    let studio = &mut Studio::new();
    let color = [0.2, 0.6, 0.1, 0.4];
    for (wide, kind) in [(4, 5121), (4, 5123), (4, 5126), (3, 5126)] {
        let painted = Quad { colors: Some((wide, kind, [color; 4])), ..Quad::of(LEFT, matt([1.0, 0.5, 1.0, 1.0])) };
        let plain = Quad::of(RIGHT, matt([0.2, 0.3, 0.1, 1.0]));
        let [left, right] = both(&studio.shoot(&file(vec![painted, plain], vec![])));
        assert!((left - right).abs().max_element() < 0.02 * right.max_element(), "{wide} {kind}: {left} {right}");
        let mut colors = [[1.0; 4]; 4];
        (colors[1][3], colors[2][3]) = (0.0, 0.0);
        let cut = Quad {
            colors: Some((wide, kind, colors)),
            ..Quad::of(LEFT, with(matt([1.0; 4]), json!({"alphaMode": "MASK"})))
        };
        let shown = studio.shoot(&file(vec![cut, Quad::of(RIGHT, matt([1.0; 4]))], vec![]));
        assert!(shown.id(-0.95, 0.0) != 0, "{wide} {kind}");
        assert_eq!(shown.id(-0.45, 0.0) == 0, wide == 4, "{wide} {kind}");
    }
}

fn corners() -> Value {
    picture([[220, 0, 0, 255], [0, 220, 0, 255], [0, 0, 220, 255], [220, 220, 220, 255]], 8)
}

/// TextureTransformTest.
#[test]
fn texture_transforms() {
    let studio = &mut Studio::new();
    let material = |transform: Value| {
        let texture = json!({"index": 0, "extensions": {"KHR_texture_transform": transform}});
        json!({"pbrMetallicRoughness": {"baseColorTexture": texture, "metallicFactor": 0.0}})
    };
    let shot = |studio: &mut Studio, transform: Value| {
        let quads = vec![Quad::of(LEFT, material(json!({}))), Quad::of(RIGHT, material(transform))];
        let shown = studio.shoot(&file(quads, vec![corners()]));
        let corner =
            |x: f32| [(-0.25, 0.25), (0.25, 0.25), (-0.25, -0.25), (0.25, -0.25)].map(|(a, b)| shown.at(a + x, b));
        (corner(-0.7), corner(0.7))
    };
    let is = |c: Vec3, k: usize| match k {
        3 => c.min_element() > 0.5 * c.max_element(),
        k => c[k] > 2.0 * c[(k + 1) % 3] && c[k] > 2.0 * c[(k + 2) % 3],
    };
    let (plain, moved) = shot(studio, json!({"offset": [0.5, 0.0]}));
    assert!((0..4).all(|k| is(plain[k], k)), "{plain:?}");
    assert!([1, 0, 3, 2].into_iter().enumerate().all(|(at, k)| is(moved[at], k)), "offset: {moved:?}");
    let (_, turned) = shot(studio, json!({"rotation": std::f32::consts::FRAC_PI_2, "offset": [0.0, 1.0]}));
    assert!([2, 0, 3, 1].into_iter().enumerate().all(|(at, k)| is(turned[at], k)), "turn: {turned:?}");
    let (_, larger) = shot(studio, json!({"scale": [0.5, 0.5]}));
    assert!(larger.into_iter().all(|c| is(c, 0)), "scale: {larger:?}");
}

/// MultiUVTest, TextureTransformMultiTest.
#[test]
fn several_texture_coordinates() {
    let studio = &mut Studio::new();
    let material = |set: u32, transform: Value| {
        let texture = json!({"index": 0, "texCoord": set, "extensions": {"KHR_texture_transform": transform}});
        with(
            json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}, "metallicFactor": 0.0}}),
            json!({"emissiveTexture": texture, "emissiveFactor": [1, 1, 1],
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 50.0}}}),
        )
    };
    let black = picture([[0, 0, 0, 255]; 4], 2);
    let turned = [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]];
    let quads = vec![
        Quad { second: Some(turned), ..Quad::of(LEFT, material(0, json!({}))) },
        Quad { second: Some(turned), ..Quad::of(RIGHT, material(1, json!({}))) },
    ];
    let shown = studio.shoot(&file(quads, vec![corners(), black.clone()]));
    let (left, right) = (shown.at(-0.95, 0.25), shown.at(0.45, 0.25));
    assert!(left.x > 2.0 * left.y && right.y > 2.0 * right.x, "{left} {right}");
    let quads =
        vec![Quad::of(LEFT, material(0, json!({}))), Quad::of(RIGHT, material(0, json!({"offset": [0.0, 0.5]})))];
    let shown = studio.shoot(&file(quads, vec![corners(), black]));
    let (left, right) = (shown.at(-0.95, 0.25), shown.at(0.45, 0.25));
    assert!(left.x > 2.0 * left.z && right.z > 2.0 * right.x, "only what glows is moved: {left} {right}");
}

/// NegativeScaleTest, TwoSided.
#[test]
fn mirrored_and_two_sided() {
    let studio = &mut Studio::new();
    let grey = || matt([0.5, 0.5, 0.5, 1.0]);
    let mirrored = Quad { node: json!({"scale": [-1.0, 1.0, 1.0]}), ..Quad::of(RIGHT, grey()) };
    let [left, right] = both(&studio.shoot(&file(vec![Quad::of(LEFT, grey()), mirrored], vec![])));
    assert!(close(left, right), "{left} {right}");
    let turned = |material: Value, at| Quad { node: json!({"rotation": [0, 1, 0, 0]}), ..Quad::of(at, material) };
    let two_sided = |mode: &str| with(grey(), json!({"doubleSided": true, "alphaMode": mode}));
    let shown = studio.shoot(&file(vec![turned(two_sided("OPAQUE"), LEFT), turned(grey(), RIGHT)], vec![]));
    assert!(close(shown.at(-0.7, 0.0), left), "as bright as from the front: {} {left}", shown.at(-0.7, 0.0));
    assert!(shown.id(-0.7, 0.0) != 0 && shown.id(0.7, 0.0) == 0, "backs of one side are not drawn");
    let shown = studio.shoot(&file(vec![turned(two_sided("MASK"), LEFT), turned(two_sided("BLEND"), RIGHT)], vec![]));
    assert!(both(&shown).into_iter().all(|c| close(c, left)), "{:?} {left}", both(&shown));
}

/// UnlitTest.
#[test]
fn unlit() {
    let studio = &mut Studio::new();
    let plain = || matt([0.8, 0.4, 0.2, 1.0]);
    let bare = || extended(plain(), json!({"KHR_materials_unlit": {}}));
    let [unlit, lit] = seen(studio, bare(), plain());
    assert!((unlit / unlit.x - Vec3::new(1.0, 0.5, 0.25)).abs().max_element() < 0.01, "{unlit}");
    studio.sun.z = -studio.sun.z;
    let [still, dark] = seen(studio, bare(), plain());
    assert!(close(unlit, still) && dark.max_element() < 0.5 * lit.max_element(), "{unlit} {still}, {lit} {dark}");
}

/// EmissiveStrengthTest. A factor of 1 is a display's white: brighter than what is unlit and white, which is as bright
/// as paper in the sun.
#[test]
fn emissive_strength() {
    let studio = &mut Studio::new();
    let glowing = |strength: f32| {
        let black = with(matt([0.0, 0.0, 0.0, 1.0]), json!({"emissiveFactor": [1.0, 0.5, 0.0]}));
        extended(black, json!({"KHR_materials_emissive_strength": {"emissiveStrength": strength}}))
    };
    let [dark, _] = seen(studio, glowing(0.0), glowing(0.0));
    let [one, more] = seen(studio, glowing(1.0), glowing(11.0));
    let (one, more) = (one - dark, more - dark);
    let paper = extended(matt([1.0; 4]), json!({"KHR_materials_unlit": {}}));
    let [paper, _] = seen(studio, paper, glowing(0.0));
    assert!((1.2..2.0).contains(&(one.x / paper.x)), "{one} {paper}");
    assert!((more.x / one.x - 11.0).abs() < 0.3 && (more.x / more.y - 2.0).abs() < 0.05, "{one} {more}");
}

/// IORTest, SpecularTest.
#[test]
fn index_and_specular() {
    let studio = &mut Studio::new();
    let black = |extensions: Value| {
        let smooth = json!({"baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0.0, "roughnessFactor": 0.4});
        extended(json!({"pbrMetallicRoughness": smooth}), extensions)
    };
    let ior = |ior: f32| black(json!({"KHR_materials_ior": {"ior": ior}}));
    let specular = |factor: f32, color: [f32; 3]| {
        black(json!({"KHR_materials_specular": {"specularFactor": factor, "specularColorFactor": color}}))
    };
    let [usual, strong] = seen(studio, black(json!({})), ior(2.4));
    assert!(strong.y > 3.0 * usual.y, "{usual} {strong}");
    let [none, without] = seen(studio, ior(1.0), specular(0.0, [1.0; 3]));
    assert!(none.max_element() < 0.3 * usual.max_element(), "{none} {usual}");
    assert!(without.distance(none) < 0.1 * none.length(), "{without} {none}");
    let [red, half] = seen(studio, specular(1.0, [1.0, 0.0, 0.0]), specular(0.5, [1.0; 3]));
    assert!(red.x - none.x > 5.0 * (red.z - none.z) && half.y > none.y && half.y < usual.y, "{red} {half}");
}

/// ClearCoatTest.
#[test]
fn clear_coat() {
    let studio = &mut Studio::new();
    let coated = |factor: f32, roughness: f32| {
        let coat = json!({"clearcoatFactor": factor, "clearcoatRoughnessFactor": roughness});
        extended(matt([0.0, 0.0, 0.0, 1.0]), json!({"KHR_materials_clearcoat": coat}))
    };
    studio.sun = Vec3::new(-0.7 / 4.0, 0.0, 1.0).normalize();
    let [bare, sharp] = seen(studio, coated(0.0, 0.3), coated(0.0, 0.3));
    let [coat, half] = seen(studio, coated(1.0, 0.3), coated(0.5, 0.3));
    assert!(coat.y > 3.0 * bare.y && half.y > sharp.y, "{bare} {coat}, {sharp} {half}");
    let [_, rough] = seen(studio, coated(1.0, 0.3), coated(0.5, 0.9));
    assert!((rough - half).abs().max_element() > 0.02 * half.max_element(), "{half} {rough}");
}

/// SheenChair, SheenCloth.
#[test]
fn sheen() {
    let studio = &mut Studio::new();
    let cloth = |base: f32, color: [f32; 3]| {
        let sheen = json!({"sheenColorFactor": color, "sheenRoughnessFactor": 0.6});
        extended(matt([base, base, base, 1.0]), json!({"KHR_materials_sheen": sheen}))
    };
    let [bare, sheen] = seen(studio, cloth(0.0, [0.0; 3]), cloth(0.0, [0.9, 0.3, 0.0]));
    assert!(sheen.x > 2.0 * bare.x && sheen.x - bare.x > 2.0 * (sheen.y - bare.y), "{bare} {sheen}");
    let [white, below] = seen(studio, cloth(1.0, [0.0; 3]), cloth(1.0, [0.0, 0.0, 1.0]));
    assert!(below.x < 0.95 * white.x, "{white} {below}");
}

/// IridescenceMetallicSpheres.
#[test]
fn iridescence() {
    let studio = &mut Studio::new();
    let film = |factor: f32, thick: f32| {
        let film = json!({"iridescenceFactor": factor, "iridescenceIor": 1.8, "iridescenceThicknessMaximum": thick});
        let metal = json!({"baseColorFactor": [0.6, 0.6, 0.6, 1], "metallicFactor": 1.0, "roughnessFactor": 0.3});
        extended(json!({"pbrMetallicRoughness": metal}), json!({"KHR_materials_iridescence": film}))
    };
    let [none, thin] = seen(studio, film(0.0, 300.0), film(1.0, 150.0));
    let [thick, half] = seen(studio, film(1.0, 220.0), film(0.5, 220.0));
    let hue = |c: Vec3| c.y / c.x;
    assert!((thin / thin.length()).distance(thick / thick.length()) > 0.1, "{thin} {thick}");
    assert!((hue(none) / hue(thick)).ln().abs() > 0.1, "{none} {thick}");
    assert!((hue(half) - hue(none)) * (hue(thick) - hue(half)) > 0.0, "{none} {half} {thick}");
}

/// TransmissionTest.
#[test]
fn transmission() {
    let studio = &mut Studio::new();
    let glass = |metallic: f32, factor: f32| {
        let base = json!({"baseColorFactor": [0.1, 0.9, 0.2, 1], "metallicFactor": metallic, "roughnessFactor": 0.1});
        let transmission = json!({"KHR_materials_transmission": {"transmissionFactor": factor}});
        extended(json!({"pbrMetallicRoughness": base}), transmission)
    };
    let bare = extended(matt([1.0; 4]), json!({"KHR_materials_unlit": {}}));
    let wall = |x: f32| Quad { node: json!({"scale": [1.4, 1.4, 1.4]}), ..Quad::of([x, 0.0, -0.2], bare.clone()) };
    let scene = |left: Value, right: Value| {
        file(vec![wall(-0.7), wall(0.7), Quad::of(LEFT, left), Quad::of(RIGHT, right)], vec![])
    };
    let clear = file(vec![wall(-0.7), wall(0.7)], vec![]);
    let [white, _] = both(&studio.shoot(&clear));
    let shown = studio.shoot(&scene(glass(0.0, 1.0), glass(1.0, 1.0)));
    let [through, metal] = both(&shown);
    // 0.9 of it, less the reflected part; and the sky's reflection.
    assert!((through.y / white.y - 0.86).abs() < 0.06 && through.x < 0.3 * white.x, "{through} {white}");
    let [against_sky, alone] = seen(studio, glass(0.0, 1.0), glass(1.0, 1.0));
    // The wall hides some of the sky, which metal reflects; nothing of its white is transmitted.
    assert!(metal.distance(alone) < 0.15 * alone.length(), "{metal} {alone}");
    assert!(!close(through, against_sky), "{through} {against_sky}");
    let half = studio.shoot(&scene(glass(0.0, 0.5), glass(0.0, 0.0))).at(-0.7, 0.0);
    let none = studio.shoot(&scene(glass(0.0, 0.0), glass(0.0, 0.0))).at(-0.7, 0.0);
    assert!(close(half, through.lerp(none, 0.5)) && !close(none, through), "{none} {half} {through}");
    assert!(shown.id(-0.7, 0.0) != 0, "the wall");
}

#[test]
fn reflections_of_files() {
    let studio = &mut Studio::new();
    super::light_tests::reflections_of_lights(studio);
    reflections_of_cut_outs(studio);
}

/// A mirror shows cut-out materials with their holes, as if triangles ended there.
fn reflections_of_cut_outs(studio: &mut Studio) {
    let mirror = || {
        let metal = json!({"metallicFactor": 1.0, "roughnessFactor": 0.0});
        let node = json!({"scale": [3.0, 3.0, 1.0]});
        Quad { node, ..Quad::of([0.0, 0.0, -1.0], json!({"pbrMetallicRoughness": metal})) }
    };
    // It faces the mirror: u grows to the left.
    let before = |x: f32, wide: f32, material: Value| {
        let node = json!({"rotation": [0, 1, 0, 0], "scale": [wide, 1.0, 1.0]});
        Quad { node, ..Quad::of([x, 0.0, 0.5], material) }
    };
    let bare = |mode: &str| {
        let colors = json!({"baseColorTexture": {"index": 0}});
        json!({"pbrMetallicRoughness": colors, "alphaMode": mode, "extensions": {"KHR_materials_unlit": {}}})
    };
    let red = |alpha| picture([[250, 20, 20, alpha], [250, 20, 20, 255], [250, 20, 20, alpha], [250, 20, 20, 255]], 64);
    let world = |quad: Quad, alpha| file(vec![mirror(), quad], vec![red(alpha)]);
    let cut = world(before(0.0, 1.0, bare("MASK")), 0);
    // Behind a first one that is all hole a second one is seen.
    let mut two =
        file(vec![mirror(), before(0.0, 1.0, bare("MASK")), before(-0.25, 0.5, bare("OPAQUE"))], vec![red(0)]);
    two["materials"][1]["alphaCutoff"] = json!(1.5);
    two["nodes"][1]["translation"][2] = json!(0.3);
    let half = world(before(-0.25, 0.5, bare("OPAQUE")), 255);
    let whole = world(before(0.0, 1.0, bare("OPAQUE")), 255);
    for work in [Work::Words, Work::Queues] {
        let [cut, two, half, whole] = [&cut, &two, &half, &whole].map(|file| studio.mirrored(file, work));
        let differ = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).filter(|(a, b)| !close(**a, **b)).count();
        assert!(differ(&whole, &half) > 60, "{work:?}: the mirror shows it, {}", differ(&whole, &half));
        assert!(differ(&cut, &half) < 30, "{work:?}: {} pixels differ", differ(&cut, &half));
        assert!(differ(&two, &half) < 30, "{work:?}: {} pixels differ behind a hole", differ(&two, &half));
    }
}
