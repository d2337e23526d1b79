//! Breaks of the glass: no refraction, no pre-filter.

use gpu::ShaderEdit;
use lab::{Break, BreakInfo};

pub const BREAKS: &[BreakInfo] = &[
    BreakInfo {
        of: Break::Refraction,
        look_for: "Lines cross the lens unbent, and its rim shows what is behind it.",
        check: "lens",
        settings: &[],
        shows_with: &[],
        edits: &[ShaderEdit {
            file: "glass/optics.glsl",
            from: "return s * (r - 1.0) / (s * s + r);",
            to: "return 0.0 * s * (r - 1.0) / (s * s + r);",
        }],
    },
    BreakInfo {
        of: Break::Prefilter,
        look_for: "The frost is gone: single texels are seen where the mean of many should be, and they crawl as the lens moves.",
        check: "lens",
        settings: &[],
        shows_with: &["glass.frost=12", "glass.blur=trilinear"],
        edits: &[ShaderEdit {
            file: "glass/sample_background.glsl",
            from: "return 0.5 * log2(max(2.0 * sigma_squared + 0.5, 1.0));",
            to: "return 0.0 * sigma_squared;",
        }],
    },
];
