//! A result pixel whose steps are shown, and values of it for a person.

use super::super::reference::{
    Bytes,
    trace::{Paths, Trace},
};
use crate::settings::{Light, Method};
use base::srgb;
use glam::DVec4;

/// Levels of the chain of means: all that a picture can have.
pub(super) const CHAIN: (u32, bool) = (32, false);

pub(super) struct Subject<'a> {
    pub method: Method,
    pub light: Light,
    pub source: Bytes<'a>,
    pub from: [u32; 2],
    pub to: [u32; 2],
    pub at: [usize; 2],
    pub traces: Vec<Trace>,
}

impl Subject<'_> {
    pub fn traces(&self, method: Method) -> Vec<Trace> {
        Paths::new(method, self.from, self.to, CHAIN).trace(&source_of(self.source, method), self.at)
    }

    /// First pixel that the result pixel covers, and one past the last, by axis.
    pub fn covered(&self) -> [[f64; 2]; 2] {
        [0, 1].map(|axis| {
            let ratio = f64::from(self.from[axis]) / f64::from(self.to[axis]);
            [0.0, 1.0].map(|end| (self.at[axis] as f64 + end) * ratio)
        })
    }

    pub fn color(&self, value: DVec4) -> [u8; 3] {
        color(value, self.source.linear)
    }

    /// In steps of 255.
    pub fn stored(&self, value: DVec4) -> DVec4 {
        stored(value, self.light, self.source.linear)
    }
}

/// Linear light where the method reads the mip chain, which holds nothing else.
pub(super) fn source_of(source: Bytes<'_>, method: Method) -> Bytes<'_> {
    Bytes { linear: source.linear || method == Method::MipChain, ..source }
}

fn encode(value: DVec4) -> DVec4 {
    let of = |light: f64| f64::from(srgb::encode(light.clamp(0.0, 1.0) as f32));
    DVec4::new(of(value.x), of(value.y), of(value.z), value.w)
}

pub(super) fn color(value: DVec4, is_linear: bool) -> [u8; 3] {
    let encoded = if is_linear { encode(value) } else { value };
    [encoded.x, encoded.y, encoded.z].map(|part| (255.0 * part.clamp(0.0, 1.0)).round() as u8)
}

/// In steps of 255: bytes hold nothing below 0 or above 1.
pub(super) fn stored(value: DVec4, light: Light, is_linear: bool) -> DVec4 {
    let value = if light == Light::Encoded && is_linear { encode(value) } else { value };
    255.0 * if light == Light::Encoded { value.clamp(DVec4::ZERO, DVec4::ONE) } else { value }
}

pub(super) fn value_of(traces: &[Trace]) -> DVec4 {
    let last = |trace: &Trace| trace.windows.last().and_then(|window| window.values.first().copied());
    traces.iter().map(|trace| last(trace).unwrap_or_default() * trace.share).sum()
}

pub(super) fn numbers(value: DVec4) -> String {
    format!("{:.4} {:.4} {:.4}", value.x, value.y, value.z)
}
