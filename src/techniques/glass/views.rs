//! Views of the glass, in the order of the numbers in shaders/glass/view.comp.

use technique::{Golden, Legend, ViewInfo};

const fn grey(low: &'static str, high: &'static str) -> Legend {
    Legend::Ramp { stops: &[[0, 0, 0], [255, 255, 255]], low, high }
}

pub const VIEWS: [ViewInfo; 19] = with_contrast(Golden::with(&["glass.frost=10"]).of([
    ViewInfo::new(
        "distance",
        "Distance",
        "Distance to the outline, with a line every 10 px.",
        Legend::Swatches(&[([51, 115, 217], "inside"), ([255, 255, 255], "edge"), ([230, 140, 51], "outside")]),
    ),
    ViewInfo::new("coverage", "Coverage", "Fraction of each pixel covered by glass.", grey("none", "all")),
    ViewInfo::new(
        "normal",
        "Normal",
        "Surface normal: red is right, green is down, blue is towards the viewer.",
        Legend::Swatches(&[([128, 128, 255], "flat"), ([255, 128, 128], "right"), ([128, 255, 128], "down")]),
    ),
    ViewInfo::new("height", "Height", "Height of the surface above its edge.", grey("edge", "face")),
    ViewInfo::new(
        "offset",
        "Offset",
        "Where the picture is sampled. Arrows point there at a quarter of the distance; hue is the direction, brightness the \
         distance up to 72 px.",
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
        "How many pixels of the picture one pixel of the bevel shows, across the bevel.",
        Legend::Ramp { stops: &[[26, 51, 128], [255, 153, 26]], low: "one", high: "five or more" },
    ),
    ViewInfo::new(
        "fresnel",
        "Fresnel",
        "Fraction of the surroundings that the bevel reflects (Fresnel).",
        grey("none", "all"),
    ),
    ViewInfo::new("shadow", "Shadow", "How much shadow and contour darken the picture.", grey("none", "by half")),
    ViewInfo::new(
        "taps",
        "Samples per pixel",
        "Samples that each bevel pixel takes of the picture; one more is taken of the surroundings. Dark green is the flat face, \
         with a single sample.",
        Legend::Ramp { stops: &[[26, 89, 115], [230, 191, 64], [217, 51, 51]], low: "one", high: "ten" },
    ),
    ViewInfo::new(
        "source_rb1",
        "Reference: box mask 1",
        "The reference glass (rb1): mask of the body.",
        grey("0", "1"),
    ),
    ViewInfo::new(
        "source_rb2",
        "Reference: box mask 2",
        "The reference glass (rb2): mask of the inner border.",
        grey("0", "1"),
    ),
    ViewInfo::new(
        "source_rb3",
        "Reference: box mask 3",
        "The reference glass (rb3): mask of the light band.",
        grey("0", "1"),
    ),
    ViewInfo::new(
        "source_masks",
        "Reference: all box masks",
        "The reference glass: the three masks in one picture.",
        Legend::Swatches(&[([128, 0, 0], "body"), ([0, 255, 0], "inner border"), ([0, 0, 255], "light band")]),
    ),
    ViewInfo::new(
        "source_transition",
        "Reference: transition",
        "The reference glass: weight of the glass in the result.",
        grey("0", "1"),
    ),
    ViewInfo::new(
        "source_field",
        "Reference: field F",
        "The reference glass: eighth root of the field F, as five ramps from the centre to the outline at F = 0.0001.",
        grey("start of a ramp", "end of a ramp"),
    ),
    ViewInfo::new(
        "source_lens",
        "Reference: sample position",
        "The reference glass: where the picture is sampled.",
        Legend::Swatches(&[([0, 0, 64], "top left"), ([255, 0, 64], "top right"), ([0, 255, 64], "bottom left")]),
    ),
    SHADE,
    ViewInfo::new(
        "lenses_of_tile",
        "Lenses per tile",
        "How many lenses each tile of 16 by 16 pixels folds: those that cover it, melt into it or cast a shadow on it. All as if they were of one \
         glass.",
        Legend::Ramp { stops: &[[26, 89, 115], [230, 191, 64], [217, 51, 51]], low: "one", high: "ten" },
    ),
    TEXT_CONTRAST,
]));

gpu::gpu_consts! { "glass/view.comp":
    pub const LENSES_OF_TILE: u32 = 17;
}

/// Goldens have no text on glass.
const fn with_contrast(mut views: [ViewInfo; 19]) -> [ViewInfo; 19] {
    views[18].golden.is_kept = false;
    views
}

/// Drawn over the picture, below the text.
pub const TEXT_CONTRAST: ViewInfo = ViewInfo::new(
    "text_contrast",
    "Contrast of text",
    "Contrast (WCAG) of the text on each piece of the images list, dock, keyboard and controls with each pixel below it. Small text needs 4.5:1.",
    Legend::Ramp { stops: &[[217, 51, 51], [230, 191, 64], [38, 115, 77]], low: "1:1", high: "8:1" },
)
.ticks(&["1", "4.5", "8"]);

pub const SHADE: ViewInfo = ViewInfo::new(
    "text_shade",
    "Shade for text",
    "How much darker the glass has to be, in each place, so that white text on it has a contrast of 4.5:1. The setting \"Legible text\" \
     makes it so.",
    Legend::Ramp { stops: &[[38, 115, 77], [230, 191, 64], [217, 51, 51]], low: "not at all", high: "all of it" },
);
