//! Break of the shading: shadows without an offset.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::ShadowBias,
    look_for: "Sunlit surfaces are dim and striped: they shade themselves.",
    check: "twin",
    settings: &[],
    shows_with: &["scene.source=world"],
    edits: &[
        ShaderEdit {
            file: "shade/light.glsl",
            from: "vec3 p = position + normal * (scene.shadow_texel * (0.6 + 1.9 * slope));",
            to: "vec3 p = position + normal * (0.0 * slope);",
        },
        ShaderEdit {
            file: "shade/light.glsl",
            from: "float depth = clip.z + scene.shadow_bias;",
            to: "float depth = clip.z;",
        },
    ],
}];
