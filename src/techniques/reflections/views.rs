//! Views of the bounces, in the order of the numbers in shaders/reflections/view.comp.

use technique::{Golden, Legend, ViewInfo};

const STOPS: &[[u8; 3]] = &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31], [255, 240, 240]];

const fn heat(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: STOPS, low, high }
}

pub const VIEWS: [ViewInfo; 4] = Golden { ties: 48, ..Golden::with(&[]) }.of([
    ViewInfo::new(
        "depth",
        "Depth",
        "Number of mirror bounces per pixel; black pixels are not mirrors.",
        heat("one bounce", "eight"),
    ),
    ViewInfo::new(
        "words",
        "Words",
        "Number of live pixels (pixels with a ray) per word of 32 in one bounce (reflections.view_bounce); black words are skipped.",
        heat("one pixel", "all 32"),
    ),
    ViewInfo::new(
        "nodes",
        "Nodes per ray",
        "Nodes of the bounding-volume hierarchy visited per ray, the mean over a pixel's bounces.",
        heat("one node (logarithmic scale)", "256"),
    ),
    ViewInfo::new(
        "mask",
        "Mask",
        "The mask of one bounce (reflections.view_bounce): pixels that trace a ray in it.",
        Legend::Swatches(&[([255, 255, 255], "live"), ([0, 0, 0], "done, or no mirror")]),
    ),
]);
