//! The lens as one dispatch over the tiles that it touches, for devices that are slow to rasterize.

use super::uniforms::{GlassBlock, GlassPush};
use super::variants::Variant;
use crate::lens::tiles::{Part, Span, Spans, TILE};
use crate::settings::Glass;
use gpu::gpu_consts;
use gpu::{ComputePipeline, Format, Gpu, Result};
use std::sync::Arc;

/// The face's variant, and how the edge reads the frost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComputeConstants {
    face: Variant,
    frosted: u32,
    /// Bodies of different glass.
    bodies: bool,
    /// The GPU makes the bins.
    binned: bool,
}

gpu_consts! { "glass/lens.comp":
    const ROW: u32 = 1024;
}

const QUARTERS: u32 = 4;

impl ComputeConstants {
    /// Bodies with the same key are drawn by one dispatch.
    pub fn new(glass: &Glass, target: Format) -> ComputeConstants {
        let [edge, face] = [Part::Edge, Part::Face].map(|part| Variant::new(part, glass, target));
        ComputeConstants { face, frosted: edge.frosted, bodies: false, binned: false }
    }

    pub fn of_all(glasses: &[Glass], target: Format, binned: bool) -> Option<ComputeConstants> {
        let mut all = glasses.iter().map(|glass| Self::new(glass, target));
        let first = all.next()?;
        let joined = all.fold(first, |a, b| {
            let face = Variant {
                lenses: a.face.lenses | b.face.lenses,
                letters: a.face.letters | b.face.letters,
                magnifies: a.face.magnifies | b.face.magnifies,
                ..a.face
            };
            ComputeConstants { face, ..a }
        });
        let bodies = glasses.len() > 1;
        let face = Variant { lenses: joined.face.lenses | u32::from(bodies), ..joined.face };
        Some(ComputeConstants { face, bodies, binned, ..joined })
    }

    /// Without what one dispatch can have different in its bodies.
    pub fn key(&self) -> ComputeConstants {
        ComputeConstants { face: Variant { lenses: 0, letters: 0, magnifies: 0, ..self.face }, ..*self }
    }

    pub fn reachable(kind: Variant) -> Vec<ComputeConstants> {
        let mut all = Vec::new();
        for (lenses, magnifies) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for (frosted, face_frosted) in [(0, 0), (1, 1), (1, 2), (2, 2)] {
                let face = Variant { lenses, frosted: face_frosted, magnifies, ..kind };
                all.push(ComputeConstants { face, frosted, bodies: false, binned: false });
            }
        }
        all
    }

    pub fn make(&self, gpu: &Arc<Gpu>) -> Result<ComputePipeline> {
        let constants = [
            ("LENSES", self.face.lenses),
            ("LETTERS", self.face.letters),
            ("OPTICS", self.face.optics),
            ("LEGIBLE", self.face.legible),
            ("BLUR", self.face.blur),
            ("FROSTED", self.frosted),
            ("FACE_FROSTED", self.face.frosted),
            ("MAGNIFIES", self.face.magnifies),
            ("BLUE_FIRST", u32::from(self.face.target == Format::Bgra8)),
            ("BINNED", u32::from(self.binned)),
        ];
        let (shader, values) =
            if self.bodies { ("glass/lens.comp:several", "glasses") } else { ("glass/lens.comp:one", "glass") };
        let made = ComputePipeline::new(gpu, shader, &constants)?;
        made.with_push::<GlassPush>()?.with_struct::<GlassBlock>(values)
    }

    pub fn values(&self) -> &'static str {
        if self.bodies { "glasses" } else { "glass" }
    }
}

/// Column and row in 12 bits each, and the part. The most expensive come first, so that none is left over at the end.
pub fn tiles_of(spans: &Spans) -> Vec<u32> {
    let mut tiles = Vec::new();
    for part in [Part::Edge, Part::Bevel, Part::Face, Part::Shadow] {
        for Span { rectangle: [left, top, right, bottom], .. } in spans.of(part) {
            for y in top / TILE..bottom.div_ceil(TILE) {
                tiles.extend((left / TILE..right.div_ceil(TILE)).map(|x| x | y << 12 | (part as u32) << 24));
            }
        }
    }
    tiles
}

pub fn groups(tiles: usize) -> [u32; 3] {
    let tiles = tiles as u32;
    [tiles.min(ROW), tiles.div_ceil(ROW), QUARTERS]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassSettings as _;
    use crate::passes::variants::{shader_blur, with_other_blurs};
    use crate::settings::{Blur, GlassSettings};
    use glam::Vec2;

    #[test]
    fn every_frost_is_among_the_variants_made_ahead() {
        for blur in Blur::ALL {
            for frost in [0.0, 0.5, 0.7, 0.9, 3.0, 6.0, 40.0] {
                let settings = GlassSettings { blur: *blur, frost, ..Default::default() };
                let glass = settings.glass(&[settings.placed(Vec2::ZERO)], 1.0);
                let whole = ComputeConstants::new(&glass, Format::Bgra8);
                let (blur, part) = (shader_blur(*blur), Part::Face as u32);
                let kind = Variant { blur, part, target: Format::Bgra8, ..Variant::NOTHING };
                let all = ComputeConstants::reachable(kind);
                let mut others = with_other_blurs(&glass).map(|other| ComputeConstants::new(&other, Format::Bgra8));
                assert!(all.contains(&whole) && others.any(|other| other == whole), "{blur:?} {frost}");
            }
        }
    }
}
