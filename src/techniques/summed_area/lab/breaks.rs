//! Break of the tables: the flag of a sum arrives before the sum.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Acquire,
    look_for: "The blur falls apart into the tiles of the table: sums lack what is left of them.",
    check: "tables",
    settings: &["glass.blur=table"],
    shows_with: &["glass.frost=12"],
    // A reader that does not acquire may see the flag and an old sum, here 0. The table of two passes has a barrier
    // between its passes in place of the flag.
    edits: &[
        ShaderEdit {
            file: "summed_area/tiles.comp",
            from: "        sum = add(value, sum);\n        ++back;\n",
            to: "        ++back;\n",
        },
        ShaderEdit {
            file: "summed_area/block_prefix.comp",
            from: "uint own = add(said[place], said[tile_at(tile, y) + HIGH_TILE + WIDE_TILE]);",
            to: "uint own = said[place];",
        },
    ],
}];
