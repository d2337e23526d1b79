//! The pictures of what the particles are; their order is that of the numbers in shaders/particles/view.comp.

use crate::techniques::{Legend, ViewInfo};

pub(super) const STOPS: &[[u8; 3]] = &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31], [255, 240, 240]];

const fn heat(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: STOPS, low, high }
}

/// Every view.
pub const VIEWS: [ViewInfo; 4] = [
    ViewInfo::new(
        "density",
        "Density",
        "How many particles lie behind each pixel and those beside it, hidden ones among them.",
        heat("one (logarithmic scale)", "256"),
    ),
    ViewInfo::new(
        "age",
        "Age",
        "How much of its life a particle has behind it: the mean of a pixel's.",
        heat("just born", "at its end"),
    ),
    ViewInfo::new("velocity", "Velocity", "How fast particles are: the mean of a pixel's.", heat("at rest", "4 m/s")),
    ViewInfo::new(
        "tile",
        "Tiles",
        "Which particles are loaded into shared memory together in a step of bodies: a colour for each tile, sixteen in turn.",
        Legend::None,
    ),
];
