//! Break of the history: it is never rejected.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub(super) const BREAKS: &[BreakInfo] = &[BreakInfo {
    of: Break::Rejection,
    look_for: "Move the camera: what was there before stays as a trail.",
    check: "resolve",
    settings: &[],
    shows_with: &["scene.source=world"],
    edits: &[
        ShaderEdit {
            file: "antialias/gather.glsl",
            from: "r.rejected = is_inside && is_same ? 0.0 : frame.moves * (is_inside ? frame.reject : 1.0);",
            to: "r.rejected = is_inside ? 0.0 : frame.moves;",
        },
        ShaderEdit {
            file: "antialias/gather.glsl",
            from: "clamp(old.rgb, a.mean - room, a.mean + room)",
            to: "old.rgb",
        },
    ],
}];
