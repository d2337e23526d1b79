//! Break of the sort: the end of a tile's list is lost.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Sentinel,
    look_for: "Up to 256 pixels of each 64x64 tile are not shaded: those at the end of its list.",
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
