//! The list of techniques.
//!
//! `examples/histogram` is the smallest technique; CONTRIBUTING.md lists what one consists of. Techniques never name each other: the
//! renderer passes results from one to another.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

#[macro_use]
mod list;
mod evidence;
pub mod retired;

pub use evidence::Evidence;

use technique::*;

use base::{
    settings, text,
    timing::{FrameTiming, PassTiming, technique_of},
};
use gpu::{Frame, Gpu, ImageView};
use lab::{Break, BreakInfo, Comparison};
use std::sync::Arc;

pub fn info(id: &str) -> Option<&'static Info> {
    INFOS.iter().find(|info| info.id == id)
}

pub fn broken(of: Break) -> Option<(&'static Info, &'static BreakInfo)> {
    INFOS.iter().find_map(|info| Some((info, info.lab.breaks.iter().find(|broken| broken.of == of)?)))
}

pub fn is_fixed(pass: &PassTiming) -> bool {
    info(technique_of(&pass.name)).is_some_and(|info| info.fixed_passes.iter().any(|id| id.is(pass)))
}

pub fn typed_info(id: &str) -> Result<&'static Info, String> {
    let ids = INFOS.iter().map(|info| info.id);
    info(id).ok_or_else(|| format!("there is no technique {id:?}{}", text::suggestion(id, ids)))
}

techniques! {
    meshlets: Meshlets [Checks, Benches, Breaks, Explains, Replays],
    pixel_sort: PixelSort [Checks, Benches, Breaks, Explains, Replays, Compares],
    shade: Shade [Checks, Benches, Breaks, Explains],
    reflections: Reflections [Checks, Benches, Breaks, Explains, Replays, Compares],
    antialias: Antialias [Checks, Benches, Breaks, Explains],
    particles: Particles [Checks, Benches, Explains, Replays, Compares],
    mip_chain: MipChain [Checks, Benches, Breaks, Explains, Replays, Compares],
    summed_area: SummedArea [Checks, Benches, Breaks, Replays, Compares],
    downsample: Downsample [Checks, Benches, Replays, Compares],
    glass: LiquidGlass [Checks, Benches, Breaks, Explains, Replays, Compares],
    #[cfg(feature = "histogram")]
    histogram: Histogram [Checks, Benches],
}

impl Settings {
    pub fn resting(mut self) -> Self {
        self.particles.speed = 0.0;
        self
    }

    pub fn broken_by(&self, broken: &BreakInfo) -> Self {
        self.with_arguments(broken.settings)
    }

    pub fn with_arguments(&self, arguments: &[&str]) -> Self {
        let mut settings = self.clone();
        for argument in arguments {
            let laid = settings::parse_set(argument).and_then(|table| settings.lay(table));
            if let Err(why) = laid {
                log::error!("{argument}: {why}");
            }
        }
        settings
    }

    /// `arguments` as for `--set`; a number is the least.
    pub fn lacks(&self, arguments: &[&'static str]) -> Vec<&'static str> {
        let has = |argument: &str| {
            let mut with = self.clone();
            if settings::parse_set(argument).and_then(|table| with.lay(table)).is_err() {
                return false;
            }
            let mut now = self.clone();
            let values = |of: &mut Self| -> Vec<toml::Value> {
                let sections = of.sections();
                let all =
                    sections.iter().flat_map(|one| (0..one.settings.fields().len()).map(|at| one.settings.value(at)));
                all.collect()
            };
            let enough = |(now, wanted): (toml::Value, toml::Value)| match (now.as_float(), wanted.as_float()) {
                (Some(now), Some(wanted)) if wanted > 0.0 => now >= wanted,
                (Some(now), Some(wanted)) => now <= wanted,
                _ => now == wanted,
            };
            values(&mut now).into_iter().zip(values(&mut with)).all(enough)
        };
        arguments.iter().copied().filter(|argument| !has(argument)).collect()
    }

    /// A key `preset` counts first. On an error nothing is changed.
    pub fn lay(&mut self, table: toml::Table) -> Result<(), String> {
        let (mut first, mut rest) = (toml::Table::new(), table);
        for line in retired::remove(&mut rest) {
            log::warn!("{line}");
        }
        for (id, section) in &mut rest {
            if let Some(preset) = section.as_table_mut().and_then(|section| section.remove("preset")) {
                first.insert(id.clone(), toml::Table::from_iter([("preset".into(), preset)]).into());
            }
        }
        let overlaid = |now: &Self, table| {
            let mut next = now.clone();
            let mut sections: Vec<_> = next.sections().into_iter().map(|one| (one.id, one.settings)).collect();
            settings::lay_sections(&mut sections, &table)?;
            Ok::<Self, String>(next)
        };
        let named: Vec<String> = first.keys().cloned().collect();
        let mut styled = overlaid(self, first)?;
        styled.settle(self);
        styled.apply_presets(&named);
        let mut now = overlaid(&styled, rest)?;
        now.settle(&styled);
        *self = now;
        Ok(())
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod list_tests;
