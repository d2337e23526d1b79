//! Breaks: one thing dropped on purpose, to see what it is for.

use base::settings::{choices, settings};
use gpu::ShaderEdit;

choices! {
    /// A thing that is dropped.
    pub enum Break {
        /// Everything is as it should be.
        None = "none" as "Nothing",
        /// The glass bends no light: rays go straight through.
        Refraction = "refraction",
        /// The glass reads the finest level of the mip chain, however much of the picture falls into a pixel.
        Prefilter = "prefilter" as "Pre-filter",
        /// Mip levels average encoded values, not light.
        LinearLight = "linear_light",
        /// A quarter of the threads reads shared memory before the others have written it.
        Barrier = "barrier" as "Memory barrier",
        /// A tile reads the state of a post before its sum has arrived.
        Acquire = "acquire" as "Release and acquire",
        /// A meshlet counts as hidden where the nearest surface hides it, not the farthest.
        Occlusion = "occlusion" as "Conservative occlusion",
        /// The last 256 entries of each tile's sorted list are overwritten by padding.
        Sentinel = "sentinel" as "End of the sorted list",
        /// Ballots are taken to be of half as many threads as the subgroup has.
        Lanes = "lanes" as "Number of lanes",
        /// Shadows are compared without an offset.
        ShadowBias = "shadow_bias",
        /// The history counts where it shows something else.
        Rejection = "rejection" as "Rejection of the history",
    }
}

impl Break {
    pub fn doc(self) -> &'static str {
        Self::NAMED[self as usize].doc
    }
}

settings! {
    /// One thing is dropped from a shader on purpose. The lens shows what becomes of the picture (B); outside of it all is right (A).
    pub struct LabSettings {
        /// What is dropped. Wrong pixels, nothing else; no preset contains it.
        r#break: Break = Break::None, choice, label "Drop";
    }
}

#[derive(Clone, Copy, Debug)]
pub struct BreakInfo {
    pub of: Break,
    pub look_for: &'static str,
    pub check: &'static str,
    /// Settings of B with which it shows, as `--set` takes them: without the break they change no more than rounding.
    pub settings: &'static [&'static str],
    /// Settings of both with which it shows, as `--set` takes them; of numbers the least.
    pub shows_with: &'static [&'static str],
    pub edits: &'static [ShaderEdit],
}
