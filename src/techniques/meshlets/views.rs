//! Views of the meshlets, in the order of the numbers in shaders/meshlets/view.comp.

use glam::Vec3;
use technique::{Golden, Legend, ViewInfo};

pub const OVERDRAW: &str = "overdraw";
pub const CULLED: &str = "culled";
pub const PATH: &str = "path";

pub const VIEWS: [ViewInfo; 6] = Golden::with(&["meshlets.by=compute"]).of([
    ViewInfo::new(
        "ids",
        "Meshlets",
        "One colour per meshlet of each instance, darker where the surface turns away.",
        Legend::None,
    ),
    ViewInfo::new("triangles", "Triangles", "One colour per triangle.", Legend::None),
    ViewInfo::new(
        "depth",
        "Depth",
        "Distance from the camera on a logarithmic scale, starting at 16 times the near plane.",
        Legend::Ramp {
            stops: &[[255, 242, 191], [237, 140, 71], [122, 56, 120], [20, 23, 64]],
            low: "near",
            high: "128 times as far",
        },
    )
    .ticks(&["1", "2", "4", "8", "16", "32", "64", "128"]),
    ViewInfo::new(
        OVERDRAW,
        "Overdraw",
        "Number of fragments drawn per pixel, counted without a depth test.",
        Legend::Ramp {
            stops: &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31]],
            low: "fragments per pixel",
            high: "or more",
        },
    )
    .ticks(&["1", "2", "4", "8", "16"]),
    ViewInfo::new(
        CULLED,
        "Culled meshlets",
        "Culled meshlets, drawn through the visible ones: turn freeze on, then move the camera.",
        Legend::Swatches(&[
            ([41, 128, 255], "outside the frustum"),
            ([255, 158, 26], "facing away"),
            ([255, 31, 97], "occluded"),
        ]),
    ),
    ViewInfo::new(
        PATH,
        "Geometry path",
        "Which path drew each pixel, and how compute shares out triangles by their size on the screen.",
        Legend::Swatches(&[
            ([140, 153, 217], "mesh shaders"),
            ([153, 153, 153], "vertex shaders"),
            ([51, 184, 115], "compute: a thread"),
            ([242, 199, 64], "compute: 32 threads"),
            ([230, 84, 51], "compute: tiles"),
        ]),
    ),
]);

/// `colour_of` of `shaders/meshlets/view.comp`.
pub(super) fn color_of(word: u32) -> Vec3 {
    let word = (word ^ word >> 16).wrapping_mul(0x7FEB_352D);
    let word = (word ^ word >> 15).wrapping_mul(0x846C_A68B);
    let word = word ^ word >> 16;
    let turn = (word & 0xFFFF) as f32 / 65536.0;
    let channel = |third: f32| (((turn + third / 3.0).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    let pure = Vec3::new(channel(0.0), channel(2.0), channel(1.0));
    let (pale, light) = ((word >> 16 & 0xFF) as f32 / 255.0, (word >> 24) as f32 / 255.0);
    pure.lerp(Vec3::ONE, 0.25 + 0.25 * pale) * (0.75 + 0.25 * light)
}
