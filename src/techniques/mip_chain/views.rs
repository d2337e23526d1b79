//! Views of the chain.

use technique::{Golden, Legend, ViewInfo};

pub(super) const VIEWS: &[ViewInfo] = &Golden::with(&["mip_chain.view_level=3", "mip_chain.method=per_level"]).of([
    ViewInfo::new(
        "level",
        "Level",
        "One level of the chain (mip_chain.view_level) enlarged to the whole picture, texels as squares.",
        Legend::None,
    ),
    ViewInfo::new(
        "tiles",
        "Tiles",
        "The tile of the picture that each workgroup reduces, and the halo that it reads around it.",
        Legend::Swatches(&[
            ([255, 255, 255], "edge of a tile"),
            ([255, 89, 26], "halo, read by two tiles or (brighter) four"),
            ([51, 115, 255], "every other tile"),
        ]),
    ),
    ViewInfo::new(
        "difference",
        "Difference",
        "Difference of a level (mip_chain.view_level) from the exact mean of each texel's area, amplified 16 times.",
        Legend::Ramp {
            stops: &[[0, 0, 0], [127, 127, 127], [255, 255, 255]],
            low: "8 of 255 steps darker",
            high: "8 of 255 steps brighter",
        },
    ),
]);
