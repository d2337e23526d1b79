//! List of the techniques.
//!
//! A technique is one folder here, one of the same name below `shaders/`, one page in `docs/`, its module and one line in the list
//! in this file, and one call in `renderer/frame.rs`; `tests/technique.rs` adds one. Techniques never name each other: the
//! renderer passes results from one to another.

mod context;
#[macro_use]
mod list;
pub mod antialias;
pub mod downsample;
pub mod drawn_by;
pub mod glass;
mod legend;
pub mod meshlets;
pub mod mip_chain;
mod output;
pub mod particles;
pub mod pixel_sort;
pub mod reflections;
pub mod retired;
pub mod shade;
pub mod summed_area;
mod technique;

pub use context::{
    Boxed, Daylight, FrameContext, PixelList, READ_BEYOND, ShadedApart, Sums, SumsWanted, Surroundings, WorldFrame,
};
pub use drawn_by::DrawnBy;
pub use legend::Legend;
pub use output::{A_WORLD, COLOURS, Output, OutputInfo, OutputReadBack, PIXELS};
pub use technique::{Info, Measurement, Measures, Report, Section, Stage, Technique, ViewInfo};

use crate::base::text;

/// The technique of this id.
#[must_use]
pub fn info(id: &str) -> Option<&'static Info> {
    INFOS.iter().find(|info| info.id == id)
}

/// The same for an id typed by the user.
///
/// # Errors
/// Names the valid ones.
pub fn typed_info(id: &str) -> Result<&'static Info, String> {
    let ids = INFOS.iter().map(|info| info.id);
    info(id).ok_or_else(|| format!("there is no technique {id:?}{}", text::suggestion(id, ids)))
}

/// The list: a technique more is a line more.
macro_rules! every_technique {
    ($use:ident) => {
        $use! {
            meshlets: meshlets::Meshlets,
            pixel_sort: pixel_sort::PixelSort,
            shade: shade::Shade,
            reflections: reflections::Reflections,
            antialias: antialias::Antialias,
            particles: particles::Particles,
            mip_chain: mip_chain::MipChain,
            summed_area: summed_area::SummedArea,
            downsample: downsample::Downsample,
            glass: glass::LiquidGlass,
        }
    };
}

every_technique!(techniques);

#[cfg(test)]
#[path = "list_tests.rs"]
mod list_tests;
