//! The pictures of IDs and list; their order is that of the numbers in shaders/pixel_sort/view.comp.

use crate::techniques::{Legend, ViewInfo};

const HEAT: Legend = Legend::Ramp {
    stops: &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31]],
    low: "one ID (the scale is logarithmic)",
    high: "eight and more",
};

/// Every view.
pub const VIEWS: [ViewInfo; 5] = [
    ViewInfo::new("ids", "IDs", "The ID of each pixel as a colour; black pixels have none.", Legend::None),
    ViewInfo::new(
        "sorted",
        "Sorted tiles",
        "Each tile's part of the list, 64 entries in a row, in the colours of the entries' IDs: the list as the source draws it.",
        Legend::None,
    ),
    ViewInfo::new(
        "containers",
        "Containers",
        "The same, a colour for each container: where IDs share one, it has more colours in the sorted tiles than here.",
        Legend::None,
    ),
    ViewInfo::new(
        "coherence",
        "Coherence, sorted",
        "Distinct IDs in each 32 entries of the list, drawn where the sorted tiles draw them.",
        HEAT,
    ),
    ViewInfo::new("coherence_raster", "Coherence, raster", "Distinct IDs in each block of 8 by 4 pixels.", HEAT),
];
