//! The pictures of what the bounces worked on; their order is that of the numbers in shaders/reflections/view.comp.

use crate::techniques::{Legend, ViewInfo};

const STOPS: &[[u8; 3]] = &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31], [255, 240, 240]];

const fn heat(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: STOPS, low, high }
}

/// Every view.
pub const VIEWS: [ViewInfo; 4] = [
    ViewInfo::new(
        "depth",
        "Depth",
        "How many bounces each pixel's light took; black pixels are no mirrors.",
        heat("one bounce", "eight"),
    ),
    ViewInfo::new(
        "words",
        "Words",
        "How many of the 32 pixels of a word are live in one bounce (reflections.view_bounce); black words are skipped.",
        heat("one pixel", "all 32"),
    ),
    ViewInfo::new(
        "nodes",
        "Nodes per ray",
        "Nodes of the bounding-volume hierarchy that each ray looks at, the mean of a pixel's bounces.",
        heat("one node (logarithmic scale)", "256"),
    ),
    ViewInfo::new(
        "mask",
        "Mask",
        "The mask of one bounce (reflections.view_bounce): pixels that trace a ray in it.",
        Legend::Swatches(&[([255, 255, 255], "live"), ([0, 0, 0], "done, or no mirror")]),
    ),
];
