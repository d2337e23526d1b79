//! Views of tables and scans, and of the uses of tables.

use technique::{Legend, ViewInfo};

/// As in `view.comp`.
pub(super) const HEAT: Legend = Legend::Ramp {
    stops: &[[0, 0, 0], [74, 20, 120], [200, 40, 60], [250, 150, 40], [255, 250, 160]],
    low: "exact, or 1/10000 step of 255",
    high: "10 steps, each colour 18 times the one before",
};

pub(super) const VIEWS: &[ViewInfo] = &[
    ViewInfo::new(
        "scan",
        "Scan, step by step",
        "Words of one row of the picture (summed_area.view_row) and, below, what each step of the scan leaves; lines lead from what is \
         added to where (summed_area.view_step chooses the step).",
        Legend::Swatches(&[
            ([70, 78, 92], "kept"),
            ([64, 150, 230], "new in this step"),
            ([90, 200, 130], "done"),
            ([250, 200, 90], "what is added to where"),
            ([235, 80, 70], "threads that meet in one bank: a part of the bar each"),
        ]),
    ),
    ViewInfo::new(
        "mean",
        "Box mean",
        "Mean of a box around each pixel (summed_area.radius), from four words of the table.",
        Legend::None,
    ),
    ViewInfo::new(
        "error",
        "Precision",
        "Difference of the box mean from the exact one, for summed_area.precision and .radius. Whole numbers are exact and the view is black; \
         \"f32\" is what shows something.",
        HEAT,
    ),
    ViewInfo::new(
        "deviation",
        "Local deviation",
        "Twice the standard deviation of luma in the box around each pixel, from a table of values and one of squares.",
        Legend::Swatches(&[([255, 0, 153], "negative variance: the table has lost too much")]),
    ),
    ViewInfo::new(
        "threshold",
        "Adaptive threshold",
        "Black where luma is below a part (summed_area.percent) of the mean of the box around it (Bradley and Roth).",
        Legend::Swatches(&[([0, 0, 0], "darker than its surroundings"), ([255, 255, 255], "not")]),
    ),
    ViewInfo::new(
        "guided",
        "Guided filter",
        "Edge-preserving smoothing (He et al.): a linear fit in each box, from mean and variance; then the mean of the fits.",
        Legend::None,
    ),
    ViewInfo::new(
        "focus",
        "Depth of field",
        "Each pixel blurred by its distance from the plane in focus; of a flat picture by its height, as a tilted lens does. Shown with \
         @lens it is what the glass looks through.",
        Legend::None,
    ),
];
