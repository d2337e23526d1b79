//! Breaks of the mip chain: encoded averages, a barrier without memory.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[
    BreakInfo {
        of: Break::LinearLight,
        look_for: "Drag the lens over a lamp: through frosted glass it is dimmer than it is beside it.",
        check: "levels",
        settings: &["mip_chain.method=per_level"],
        shows_with: &["glass.frost=8", "scene.sun_height=-7"],
        edits: &[
            ShaderEdit {
                file: "mip_chain/level.comp",
                from: "sum += wx[i] * wy[j] * value_of(texelFetch(above, from, 0));",
                to: "sum += wx[i] * wy[j] * sqrt(max(value_of(texelFetch(above, from, 0)), 0.0));",
            },
            ShaderEdit {
                file: "mip_chain/level.comp",
                from: "imageStore(level, at, stored_of(sum));",
                to: "imageStore(level, at, stored_of(sum * sum));",
            },
        ],
    },
    BreakInfo {
        of: Break::Barrier,
        look_for: "The glass is dark, in a grid: a quarter of what is averaged was read before it was written.",
        check: "levels",
        settings: &["mip_chain.method=ladder", "mip_chain.levels_per_dispatch=5"],
        shows_with: &["glass.frost=4"],
        // What a race reads depends on the driver. Here it is always nothing, which no driver hides.
        edits: &[
            ShaderEdit {
                file: "mip_chain/tile.glsl",
                from: "VALUE made_texel(int at) {",
                to: "VALUE made_texel(int at) { if ((at & 3) == 3) return VALUE(0.0);",
            },
            ShaderEdit {
                file: "mip_chain/ladder.comp",
                from: "for (int k = 0; k < 4; ++k) value += 0.25 * unpacked(kept[row + k]);",
                to: "for (int k = 0; k < 3; ++k) value += 0.25 * unpacked(kept[row + k]);",
            },
        ],
    },
];
