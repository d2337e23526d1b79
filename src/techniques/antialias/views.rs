//! Views of the antialiasing, in the order of the numbers in shaders/antialias/view.comp.

use technique::{Legend, ViewInfo};

const RAMP: &[[u8; 3]] = &[[16, 18, 60], [40, 90, 190], [50, 170, 140], [235, 200, 70], [250, 250, 240]];

pub const VIEWS: [ViewInfo; 4] = [
    ViewInfo::new(
        "weight",
        "Weight of the history",
        "How much of each pixel comes from the frames before.",
        Legend::Ramp { stops: RAMP, low: "nothing", high: "everything" },
    ),
    ViewInfo::new(
        "motion",
        "Motion",
        "How far each pixel has moved since the frame before: red to the right, green downwards.",
        Legend::Swatches(&[
            ([128, 128, 128], "still"),
            ([255, 128, 128], "16 px to the right"),
            ([128, 255, 128], "16 px down"),
            ([0, 128, 128], "16 px to the left"),
            ([128, 0, 128], "16 px up"),
        ]),
    ),
    ViewInfo::new(
        "rejected",
        "Rejected history",
        "Where the history shows another surface and is discarded, and where it is changed to look like this frame.",
        Legend::Swatches(&[([220, 45, 40], "discarded"), ([240, 190, 60], "changed"), ([90, 90, 90], "kept")]),
    ),
    ViewInfo::new(
        "samples",
        "Samples",
        "Samples that each pixel is the mean of.",
        Legend::Ramp { stops: RAMP, low: "0", high: "64" },
    )
    .ticks(&["0", "16", "32", "48", "64"]),
];
