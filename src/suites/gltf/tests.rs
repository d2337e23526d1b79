//! Tests of the features of Khronos' sample models.

use super::studio::{Quad, Shown, Studio, file, picture, world_of};
use glam::{Vec3, Vec4};
use gpu::Feature;
use meshlets::By;
use reflections::Work;
use scene::world::{AlphaMode, Material, MaterialKind, UNLIT, WHOLE};
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

/// UnlitTest, IORTest, SpecularTest, ClearCoatTest, SheenChair, IridescenceMetallicSpheres, TransmissionTest.
/// The check shade/twin draws materials of such numbers, shade/layers what is seen through them.
#[test]
fn extensions_are_numbers_of_the_material() {
    let of = |extensions: Value| {
        let quad = Quad::of(LEFT, extended(matt([0.5, 0.5, 0.5, 1.0]), extensions));
        world_of(&file(vec![quad], vec![])).materials[0]
    };
    let bare = of(json!({}));
    assert_eq!((bare.kind, bare.flags), (MaterialKind::Plain as u32, WHOLE));
    assert_eq!(
        (bare.dielectric, bare.parameters, bare.second, bare.film.x),
        (Vec3::splat(0.04), Vec4::ZERO, Vec3::ZERO, 0.0)
    );
    let layered = Material { kind: MaterialKind::Layered as u32, ..bare };
    for (name, fields, expected) in [
        ("unlit", json!({}), Material { flags: WHOLE | UNLIT, ..layered }),
        ("ior", json!({"ior": 3.0}), Material { dielectric: Vec3::splat(0.25), ..layered }),
        ("ior", json!({"ior": 1.0}), Material { dielectric: Vec3::ZERO, ..layered }),
        ("specular", json!({"specularFactor": 0.0}), Material { dielectric: Vec3::ZERO, ..layered }),
        (
            "clearcoat",
            json!({"clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.5}),
            Material { parameters: Vec4::new(0.75, 0.5, 0.0, 0.0), ..layered },
        ),
        (
            "sheen",
            json!({"sheenColorFactor": [0.5, 0.25, 0.0], "sheenRoughnessFactor": 0.75}),
            Material { second: Vec3::new(0.5, 0.25, 0.0), parameters: Vec4::new(0.0, 0.0, 0.75, 0.0), ..layered },
        ),
        (
            "iridescence",
            json!({"iridescenceFactor": 0.5, "iridescenceIor": 1.75, "iridescenceThicknessMaximum": 220.0}),
            Material { film: Vec3::new(0.5, 1.75, 220.0), ..layered },
        ),
        (
            "transmission",
            json!({"transmissionFactor": 0.5}),
            Material { parameters: Vec4::W * 0.5, flags: WHOLE | AlphaMode::Blend as u32, ..layered },
        ),
    ] {
        assert_eq!(of(json!({(format!("KHR_materials_{name}")): fields})), expected, "{name}");
    }
    let red = json!({"specularFactor": 0.5, "specularColorFactor": [1.0, 0.5, 0.0]});
    let red = of(json!({"KHR_materials_specular": red, "KHR_materials_ior": {"ior": 3.0}}));
    assert_eq!(red.dielectric, Vec3::new(0.125, 0.0625, 0.0));
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
