//! Views of the meshlets, in the order of the numbers in shaders/meshlets/view.comp.

use crate::techniques::{Golden, Legend, ViewInfo};

pub const OVERDRAW: &str = "overdraw";
pub const CULLED: &str = "culled";
pub const PATH: &str = "path";

/// Every view. The faster path depends on the device.
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
