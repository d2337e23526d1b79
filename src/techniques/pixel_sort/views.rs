//! Views of IDs and list, in the order of the numbers in shaders/pixel_sort/view.comp.

use technique::{Golden, Legend, ViewInfo};

const HEAT: Legend = Legend::Ramp {
    stops: &[[26, 51, 140], [31, 158, 107], [242, 204, 64], [217, 38, 31]],
    low: "one ID (logarithmic scale)",
    high: "eight or more",
};

pub const VIEWS: [ViewInfo; 5] = Golden::with(&[
    "pixel_sort.input=cells",
    "pixel_sort.cell_area=60",
    "pixel_sort.deterministic=true",
])
.of([
    ViewInfo::new("ids", "IDs", "One colour per ID; black pixels have none.", Legend::None),
    ViewInfo::new(
        "sorted",
        "Sorted tiles",
        "The sorted list of each tile, drawn in place of the tile in rows of 64 entries, in the colours of the IDs.",
        Legend::None,
    ),
    ViewInfo::new(
        "containers",
        "Buckets",
        "The sorted tiles with one colour per bucket; where IDs share one, the view of sorted tiles has more colours.",
        Legend::None,
    ),
    ViewInfo::new(
        "coherence",
        "Coherence, sorted",
        "Distinct IDs per 32 entries of the list, laid out like the sorted tiles.",
        HEAT,
    ),
    ViewInfo::new("coherence_raster", "Coherence, unsorted", "Distinct IDs per block of 8 by 4 pixels.", HEAT),
]);
