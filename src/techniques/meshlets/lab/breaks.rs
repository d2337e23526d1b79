//! Break of the culling: occlusion that is not conservative.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Occlusion,
    look_for: "Parts of things that are half behind others are missing; they come and go as the camera moves.",
    check: "occlusion",
    settings: &[],
    shows_with: &["scene.source=world"],
    edits: &[
        ShaderEdit { file: "meshlets/cull.glsl", from: "float farthest = 1.0;", to: "float farthest = 0.0;" },
        ShaderEdit {
            file: "meshlets/cull.glsl",
            from: "farthest = min(farthest, pyramid[",
            to: "farthest = max(farthest, pyramid[",
        },
    ],
}];
