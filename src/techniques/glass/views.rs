//! The pictures of the glass' inner workings; their order is that of the numbers in shaders/glass/view.comp.

use crate::techniques::{Legend, ViewInfo};

const fn grey(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: &[[0, 0, 0], [255, 255, 255]], low, high }
}

/// Every view.
pub const VIEWS: [ViewInfo; 17] = [
    ViewInfo::new(
        "distance",
        "Distance",
        "Distance to the outline, a line each 10 px.",
        Legend::Swatches(&[([51, 115, 217], "inside"), ([255, 255, 255], "edge"), ([230, 140, 51], "outside")]),
    ),
    ViewInfo::new("coverage", "Coverage", "Part of each pixel that the glass covers.", grey("none", "all")),
    ViewInfo::new(
        "normal",
        "Normal",
        "Direction of the surface: right as red, down as green, towards the eye as blue.",
        Legend::Swatches(&[([128, 128, 255], "flat"), ([255, 128, 128], "to the right"), ([128, 255, 128], "down")]),
    ),
    ViewInfo::new("height", "Height", "Height of the surface over its edge.", grey("edge", "face")),
    ViewInfo::new(
        "offset",
        "Offset",
        "Where the picture is fetched from: arrows point there, a quarter as long; hue is the direction, brightness the way up \
         to 72 px.",
        Legend::Swatches(&[
            ([255, 0, 0], "right"),
            ([128, 255, 0], "down"),
            ([0, 255, 255], "left"),
            ([128, 0, 255], "up"),
        ]),
    ),
    ViewInfo::new(
        "footprint",
        "Footprint",
        "Pixels of the picture that one pixel across the bevel shows.",
        Legend::Ramp { stops: &[[26, 51, 128], [255, 153, 26]], low: "one", high: "five and more" },
    ),
    ViewInfo::new("fresnel", "Fresnel", "Part of the surroundings that the bevel mirrors.", grey("none", "all")),
    ViewInfo::new("shadow", "Shadow", "Light that shadow and contour take.", grey("none", "a third")),
    ViewInfo::new(
        "taps",
        "Looks",
        "Looks at the picture that each pixel of the bevel takes, one more for the surroundings; dark green is the flat face with \
         one look alone.",
        Legend::Ramp { stops: &[[26, 89, 115], [230, 191, 64], [217, 51, 51]], low: "one", high: "ten" },
    ),
    ViewInfo::new("source_rb1", "Source: rb1", "Mode source: mask of the body.", grey("0", "1")),
    ViewInfo::new("source_rb2", "Source: rb2", "Mode source: mask of the inner border.", grey("0", "1")),
    ViewInfo::new("source_rb3", "Source: rb3", "Mode source: mask of the light band.", grey("0", "1")),
    ViewInfo::new(
        "source_masks",
        "Source: masks",
        "Mode source: the three masks in one picture.",
        Legend::Swatches(&[([128, 0, 0], "rb1"), ([0, 255, 0], "rb2"), ([0, 0, 255], "rb3")]),
    ),
    ViewInfo::new(
        "source_transition",
        "Source: transition",
        "Mode source: part of the glass in the result.",
        grey("0", "1"),
    ),
    ViewInfo::new(
        "source_field",
        "Source: F",
        "Mode source: eighth root of the field F, in five steps from the centre to the outline at F = 0.0001.",
        grey("step begins", "step ends"),
    ),
    ViewInfo::new(
        "source_lens",
        "Source: lens uv",
        "Mode source: where the picture is fetched from.",
        Legend::Swatches(&[([0, 0, 64], "top left"), ([255, 0, 64], "top right"), ([0, 255, 64], "bottom left")]),
    ),
    ViewInfo::new(
        COMPARE,
        "Blur: comparison",
        "The surroundings of the first lens, blurred in every way by the frost's sigma (2 px at least); below each column eight \
         times its error, grey where there is none.",
        Legend::Swatches(&[
            ([255, 255, 255], "true Gaussian"),
            ([224, 90, 80], "box81"),
            ([240, 160, 64], "trilinear"),
            ([230, 220, 80], "bicubic"),
            ([100, 200, 90], "window"),
            ([80, 200, 210], "kawase"),
            ([100, 130, 240], "preblur1"),
            ([200, 110, 230], "preblur"),
        ]),
    ),
];

/// Name of the view that has passes of its own.
pub const COMPARE: &str = "blur_compare";
