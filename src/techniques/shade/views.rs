//! Views of the shading, in the order of the numbers in shaders/shade/views.glsl.

use scene::world::MaterialKind;
use technique::{Legend, ViewInfo};

const fn grey(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: &[[0, 0, 0], [255, 255, 255]], low, high }
}

pub const KINDS: [([u8; 3], &str); 11] = [
    ([176, 176, 176], MaterialKind::Plain.name()),
    ([230, 150, 60], MaterialKind::Textured.name()),
    ([235, 235, 220], MaterialKind::Marble.name()),
    ([210, 50, 50], MaterialKind::CarPaint.name()),
    ([90, 190, 110], MaterialKind::Subsurface.name()),
    ([150, 110, 230], MaterialKind::Iridescent.name()),
    ([200, 70, 160], MaterialKind::Velvet.name()),
    ([90, 150, 210], MaterialKind::Brushed.name()),
    ([140, 90, 45], MaterialKind::Wood.name()),
    ([255, 220, 60], MaterialKind::Ember.name()),
    ([120, 225, 225], MaterialKind::Layered.name()),
];

pub const VIEWS: [ViewInfo; 10] = [
    ViewInfo::new("kind", "Material kinds", "Kind of material of each pixel.", Legend::Swatches(&KINDS)),
    ViewInfo::new(
        "normal",
        "Normals",
        "World-space normals, normal maps included: red, green and blue are x, y (up) and z.",
        Legend::Swatches(&[([255, 128, 128], "+x"), ([128, 255, 128], "up"), ([128, 128, 255], "+z")]),
    ),
    ViewInfo::new(
        "albedo",
        "Albedo",
        "Base colour of each surface; for metals, the colour of their reflections.",
        Legend::None,
    ),
    ViewInfo::new(
        "uv",
        "Texture coordinates",
        "u in red, v in green, and a blue checkerboard of eight squares per unit.",
        Legend::Swatches(&[([0, 0, 0], "0, 0"), ([255, 0, 0], "u"), ([0, 255, 0], "v")]),
    ),
    ViewInfo::new(
        "barycentric",
        "Barycentric coordinates",
        "Position of each pixel within its triangle: one colour per corner.",
        Legend::Swatches(&[([255, 0, 0], "first corner"), ([0, 255, 0], "second"), ([0, 0, 255], "third")]),
    ),
    ViewInfo::new(
        "light_direct",
        "Direct light",
        "Sunlight that each surface reflects towards the camera.",
        grey("none", "sunlit white paper"),
    ),
    ViewInfo::new(
        "light_ambient",
        "Ambient light",
        "Light from sky, ground and glowing parts that reaches the camera, shown twice as bright.",
        grey("none", "half of sunlit white paper"),
    ),
    ViewInfo::new("shadow", "Shadow", "Fraction of the sun visible from each surface.", grey("none", "all")),
    ViewInfo::new("roughness", "Roughness", "Perceptual roughness of each surface.", grey("mirror-like", "matte")),
    ViewInfo::new(
        "hdr",
        "HDR light in stops",
        "Light before the tone curve relative to sunlit white paper, in powers of two.",
        Legend::Ramp {
            stops: &[[10, 10, 40], [40, 60, 190], [40, 170, 140], [235, 235, 235], [240, 150, 40], [220, 20, 20]],
            low: "1/512",
            high: "64 times",
        },
    ),
];

pub fn is_of_light(view: &str) -> bool {
    matches!(view, "light_direct" | "light_ambient" | "shadow")
}
