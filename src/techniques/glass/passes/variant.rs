//! Specialization of the pipelines of the lens.

use crate::frost::blur::{FROST_SIGMA, SHARP_SIGMA};
use crate::lens::tiles::Part;
use crate::settings::Glass;
use gpu::Format;
use scene::{Blur, OpticsModel};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    pub part: u32,
    pub several: u32,
    pub letters: u32,
    pub optics: u32,
    pub legible: u32,
    pub blur: u32,
    pub frosted: u32,
    pub magnifies: u32,
    pub target: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub blur: u32,
    pub letters: u32,
    pub optics: u32,
    pub legible: u32,
    pub target: Format,
}

/// Sigma in pixels that the default bevel adds.
pub const WIDEST_FOOTPRINT: f32 = 3.0;

impl Variant {
    pub const NOTHING: Variant = Variant {
        part: 0,
        several: 0,
        letters: 0,
        optics: 0,
        legible: 0,
        blur: 0,
        frosted: 0,
        magnifies: 0,
        target: Format::Rgba8,
    };

    /// Constants that a part does not read are cleared: fewer variants.
    pub fn new(part: Part, glass: &Glass, target: Format) -> Variant {
        let blur = shader_blur(glass.blur);
        let frost = glass.block.frost;
        let is_frosted = frost > SHARP_SIGMA && !matches!(glass.blur, Blur::Box81 | Blur::Trilinear);
        // The blurred picture alone is read once the frost is wide enough, by the bevel if its own footprint is less
        // than half the frost or included.
        let covers = part == Part::Face || glass.blur == Blur::Bicubic || frost >= 2.0 * WIDEST_FOOTPRINT;
        let frosted = match (is_frosted, frost >= FROST_SIGMA && covers) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let several = u32::from(glass.lenses.lens.len() > 1);
        let letters = u32::from(glass.lenses.lens.iter().any(|lens| lens.letters.is_some()));
        let legible = u32::from(glass.is_legible);
        let part_number = part as u32;
        let nothing = Variant { part: part_number, several, letters, target, ..Variant::NOTHING };
        let nothing = if part == Part::Shadow { nothing } else { Variant { optics: shader_optics(glass), ..nothing } };
        match part {
            Part::Shadow => nothing,
            Part::Face => {
                Variant { legible, blur, frosted, magnifies: u32::from(glass.block.magnify != 1.0), ..nothing }
            }
            Part::Bevel | Part::Edge => Variant { legible, blur, frosted, ..nothing },
        }
    }
}

/// As in shaders/glass/optics.glsl.
pub fn shader_optics(glass: &Glass) -> u32 {
    match glass.optics {
        OpticsModel::Snell => 0,
        OpticsModel::System => 1 + u32::from(glass.block.frost_light > glass.block.frost),
    }
}

/// As in shaders/glass/sample_background.glsl.
pub fn shader_blur(blur: Blur) -> u32 {
    match blur {
        Blur::Box81 => 0,
        Blur::Trilinear => 1,
        Blur::Kawase | Blur::Table => 2,
        Blur::Preblur => 3,
        Blur::Bicubic => 4,
    }
}
