//! The pictures of meshlets; their order is that of the numbers in shaders/meshlets/view.comp.

use crate::techniques::{Legend, ViewInfo};

pub const OVERDRAW: &str = "overdraw";
pub const CULLED: &str = "culled";

/// Every view.
pub const VIEWS: [ViewInfo; 5] = [
    ViewInfo::new(
        "ids",
        "Meshlets",
        "A colour for each meshlet of each instance, darker where it turns away.",
        Legend::None,
    ),
    ViewInfo::new("triangles", "Triangles", "A colour for each triangle.", Legend::None),
    ViewInfo::new(
        "depth",
        "Depth",
        "The distance, from 16 times that of the near plane on; the scale is logarithmic.",
        Legend::Ramp {
            stops: &[[255, 242, 191], [237, 140, 71], [122, 56, 120], [20, 23, 64]],
            low: "near",
            high: "128 times as far",
        },
    ),
    ViewInfo::new(
        OVERDRAW,
        "Overdraw",
        "Fragments of all that was drawn on each pixel, as if nothing were in front of anything.",
        Legend::Ramp {
            stops: &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31]],
            low: "one fragment (the scale is logarithmic)",
            high: "16 and more",
        },
    ),
    ViewInfo::new(
        CULLED,
        "Culled meshlets",
        "What was left out, seen through what was drawn: switch freeze on, then go round it.",
        Legend::Swatches(&[
            ([41, 128, 255], "out of the frustum"),
            ([255, 158, 26], "facing away"),
            ([255, 31, 97], "occluded"),
        ]),
    ),
];
