//! Break of the sort: the list of a tile ends too early.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Sentinel,
    look_for: "In every tile of 64x64 pixels some are not shaded: those at the end of its list.",
    check: "properties",
    settings: &["shade.by=list"],
    shows_with: &["scene.source=world"],
    // Padding where pixels should be: reading on beyond the list would leave it.
    edits: &[ShaderEdit {
        file: "pixel_sort/sort.comp",
        from: "    if (j + 4 > tile_length)\n        all = uvec4(j < tile_length ? all.x : 0xFFFF, j + 1 < tile_length ? all.y : 0xFFFF, j + 2 < tile_length ? all.z : 0xFFFF,\n                    0xFFFF);",
        to: "    if (j + 260 > tile_length) all = uvec4(0xFFFF);",
    }],
}];
