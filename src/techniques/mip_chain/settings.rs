//! Settings of the mip chain.

use super::{pixel::ChainFormat, tier::Filter};

base::choices! {
    /// How the levels are made.
    pub enum Method {
        /// The quickest for what is asked for: strips by the tent, and for large odd sizes in half floats, else the single pass; on
        /// software drivers one draw or dispatch per level.
        Auto = "auto",
        /// Two levels from the picture, axis by axis, then up to three in a second dispatch, or many by a single pass.
        Strips = "strips",
        /// All levels in one dispatch: the last workgroup to finish continues with the small levels.
        SinglePass = "single_pass",
        /// Several levels per dispatch (mip_chain.levels_per_dispatch), as in the source article.
        Ladder = "ladder",
        /// One compute dispatch per level.
        PerLevel = "per_level",
        /// One vkCmdBlitImage per level, with the driver's own filter, for comparison.
        Blit = "blit" as "Blits",
        /// One draw per level: the fallback where shaders cannot write a format.
        Raster = "raster",
    }
}

base::settings! {
    /// Successively halved copies of the picture, in linear light.
    pub struct MipChainSettings {
        /// How the levels are made. On software drivers one draw per level replaces the single pass.
        method: Method = Method::Auto, choice;
        /// Filter from one level to the next (not used by blits).
        filter: Filter = Filter::Tent, choice, when "method=auto|strips|single_pass|ladder|per_level|raster";
        /// Levels per dispatch of the ladder.
        levels_per_dispatch: u32 = 5, range(1, 6), when "method=ladder";
        /// Texel format of the measured chain; the chain that the glass reads is always rgba16f.
        format: ChainFormat = ChainFormat::Rgba16F, choice, label "Measured format";
        /// Maximum number of levels, including the picture itself.
        levels: u32 = 16, range(1, 16), label "Max. levels";
        /// Level shown by the views.
        view_level: u32 = 3, range(0, 14), label "Level", view "level|difference";
    } internal {
        /// Exchange values within a subgroup by shuffles; off uses shared memory only.
        shuffles: bool = true;
        /// Let the texture sampler average texels where its weights are exact (never on software drivers).
        hardware_filter: bool = true;
    }
}
