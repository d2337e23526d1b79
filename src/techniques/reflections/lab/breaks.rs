//! Break of the stencil: a wrong number of lanes.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Lanes,
    look_for: "Mirrors show the scene in stripes: the upper half of each ballot is lost, and with it the pixels.",
    check: "stencil",
    settings: &["reflections.work=words"],
    shows_with: &["scene.source=world", "reflections.trace=on"],
    edits: &[
        ShaderEdit {
            file: "reflections/ways.glsl",
            from: "uint votes = subgroupBallot(flag).x;",
            to: "uint votes = subgroupBallot(flag).x & (1u << min(gl_SubgroupSize / 2u, 31u)) - 1u;",
        },
        ShaderEdit {
            file: "reflections/ways.glsl",
            from: "if (live && (plan.way == WAY_AUTO || plan.way == WAY_LANES))",
            to: "if (live && (flags >> bit & 1u) != 0u && (plan.way == WAY_AUTO || plan.way == WAY_LANES))",
        },
    ],
}];
