//! Pipelines of the lens, by part and way to read the frost, made at first use or ahead on a thread.

use super::compute_path::ComputeConstants;
use super::uniforms::{GlassBlock, GlassPush};
use crate::frost::blur::{FROST_SIGMA, SHARP_SIGMA};
use crate::lens::tiles::{Own, Part};
use crate::settings::Glass;
use gpu::{
    ComputePipeline, Format, Gpu, PipelineCache, PipelinesAhead, RasterDesc, RasterPipeline, Result, gpu_consts,
};
use scene::{Blur, OpticsModel};
use std::sync::Arc;

/// Specialization of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    pub part: u32,
    /// Where they come from, see shaders/glass/shape.glsl.
    pub lenses: u32,
    pub letters: u32,
    pub optics: u32,
    pub legible: u32,
    pub blur: u32,
    pub frosted: u32,
    pub magnifies: u32,
    pub target: Format,
}

gpu_consts! { "glass/shape.glsl":
    const OF_BODY: u32 = 0;
    const OF_TILE: u32 = 1;
    const ONE_OF_SPAN: u32 = 2;
    const TWO_OF_SPAN: u32 = 3;
}

/// Sigma in pixels that the default bevel adds.
pub const WIDEST_FOOTPRINT: f32 = 3.0;

impl Variant {
    pub const NOTHING: Variant = Variant {
        part: 0,
        lenses: 0,
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
        let lenses = if glass.lenses.lens.len() > 1 { OF_TILE } else { OF_BODY };
        let letters = u32::from(glass.lenses.lens.iter().any(|lens| lens.letters.is_some()));
        let legible = u32::from(glass.is_legible);
        let part_number = part as u32;
        let nothing = Variant { part: part_number, lenses, letters, target, ..Variant::NOTHING };
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

const THREAD: &str = "glass pipelines";
const FRAMES_BEFORE: u32 = 3;

pub struct Variants {
    gpu: Arc<Gpu>,
    made: PipelineCache<Variant, RasterPipeline>,
    computed: PipelineCache<ComputeConstants, ComputePipeline>,
    pub makes_ahead: bool,
    /// What sliders cannot reach, whether it is a dispatch, frames drawn.
    frames: (Option<Variant>, bool, u32),
    ahead: Option<PipelinesAhead>,
}

impl Variants {
    pub fn new(gpu: &Arc<Gpu>) -> Variants {
        Variants {
            gpu: gpu.clone(),
            made: Default::default(),
            computed: Default::default(),
            makes_ahead: false,
            frames: Default::default(),
            ahead: None,
        }
    }

    /// `kind`: of [`Own`].
    pub fn of_kind(variant: Variant, kind: usize) -> Variant {
        let lenses = if variant.lenses == OF_BODY { OF_BODY } else { [ONE_OF_SPAN, TWO_OF_SPAN, OF_TILE][kind] };
        Variant { lenses, letters: if kind == Own::KINDS - 1 { variant.letters } else { 0 }, ..variant }
    }

    pub fn pipeline(&self, variant: Variant) -> Result<RasterPipeline> {
        self.made.get(variant, |variant| make(&self.gpu, *variant))
    }

    pub fn computed(&self, whole: ComputeConstants) -> Result<ComputePipeline> {
        self.computed.get(whole, |whole| whole.make(&self.gpu))
    }

    /// What sliders can reach from here, after some frames of one kind.
    pub fn make_ahead(&mut self, glass: &Glass, target: Format, computes: bool) {
        let kind = Variant { lenses: 0, frosted: 0, magnifies: 0, ..Variant::new(Part::Face, glass, target) };
        let same = (self.frames.0, self.frames.1) == (Some(kind), computes);
        self.frames = (Some(kind), computes, if same { self.frames.2.saturating_add(1) } else { 1 });
        if !self.makes_ahead || self.frames.2 != FRAMES_BEFORE {
            return;
        }
        self.ahead = None;
        let gpu = self.gpu.clone();
        self.ahead = Some(if computes {
            let all = with_other_blurs(glass).map(|other| ComputeConstants::new(&other, target));
            let wanted = ComputeConstants::reachable(kind).into_iter().chain(all).collect();
            self.computed.make_ahead(THREAD, wanted, move |whole| whole.make(&gpu))
        } else {
            let wanted = reachable(kind).into_iter().chain(others(glass, target)).collect();
            self.made.make_ahead(THREAD, wanted, move |variant| make(&gpu, *variant))
        });
    }
}

fn reachable(kind: Variant) -> Vec<Variant> {
    let mut all = Vec::new();
    for lenses in [OF_BODY, OF_TILE, ONE_OF_SPAN, TWO_OF_SPAN] {
        // A span has no words.
        let of_span = [ONE_OF_SPAN, TWO_OF_SPAN].contains(&lenses);
        let kind = Variant { letters: if of_span { 0 } else { kind.letters }, ..kind };
        let Variant { letters, target, .. } = kind;
        all.push(Variant { part: Part::Shadow as u32, lenses, letters, target, ..Variant::NOTHING });
        for frosted in 0..3 {
            for (part, magnifies) in [(Part::Face, 0), (Part::Bevel, 0), (Part::Edge, 0), (Part::Face, 1)] {
                all.push(Variant { part: part as u32, lenses, frosted, magnifies, ..kind });
            }
        }
    }
    all
}

pub fn with_other_blurs(glass: &Glass) -> impl Iterator<Item = Glass> {
    let all = [Blur::Preblur, Blur::Kawase, Blur::Bicubic, Blur::Trilinear, Blur::Box81];
    all.into_iter().map(|blur| Glass { blur, ..glass.clone() })
}

fn others(glass: &Glass, target: Format) -> Vec<Variant> {
    let mut all = Vec::new();
    for other in with_other_blurs(glass) {
        for part in Part::ALL {
            let variant = Variant::new(part, &other, target);
            if !all.contains(&variant) {
                all.push(variant);
            }
        }
    }
    all
}

fn make(gpu: &Arc<Gpu>, variant: Variant) -> Result<RasterPipeline> {
    let mut constants: Vec<(String, u32)> =
        vec![("LENSES".into(), variant.lenses), ("LETTERS".into(), variant.letters)];
    if variant.part != Part::Shadow as u32 {
        constants.extend([("BLUR".into(), variant.blur), ("FROSTED".into(), variant.frosted)]);
        constants.extend([("LEGIBLE".into(), variant.legible), ("OPTICS".into(), variant.optics)]);
    }
    let shader = match Part::ALL[variant.part as usize] {
        Part::Face => {
            constants.push(("MAGNIFIES".into(), variant.magnifies));
            "glass/face.frag"
        }
        Part::Bevel | Part::Edge => {
            constants.push(("EDGE".into(), u32::from(variant.part == Part::Edge as u32)));
            "glass/bevel.frag"
        }
        Part::Shadow => "glass/shadow.frag",
    };
    raster(gpu, shader, constants, variant.target)?.with_struct::<GlassBlock>("glass")
}

/// `several`: lenses, of which the bins have those of a tile.
pub fn kernel(gpu: &Arc<Gpu>, shader: &str, (optics, [several, letters]): (u32, [bool; 2])) -> Result<ComputePipeline> {
    let constants = [("OPTICS", optics), ("LENSES", several.into()), ("LETTERS", letters.into())];
    ComputePipeline::new(gpu, shader, &constants)?.with_push::<GlassPush>()?.with_struct::<GlassBlock>("glass")
}

pub fn raster(gpu: &Arc<Gpu>, fragment: &str, constants: Vec<(String, u32)>, color: Format) -> Result<RasterPipeline> {
    let vertex = if fragment == "glass/source.frag" { "glass/span.vert:plain" } else { "glass/span.vert:lenses" };
    let shaders = [vertex, fragment].map(String::from).to_vec();
    let mut constants = constants;
    constants.push(("TARGET_IS_SRGB".into(), u32::from(color.is_srgb())));
    let desc = RasterDesc { shaders, color: vec![color], constants, ..Default::default() };
    RasterPipeline::new(gpu, desc)?.with_push::<GlassPush>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassSettings as _;

    #[test]
    fn every_frost_is_among_the_variants_made_ahead() {
        use crate::{Blur as Choice, GlassSettings};
        use glam::Vec2;
        for blur in Choice::ALL {
            for frost in [0.0, 0.5, 0.7, 0.9, 3.0, 6.0, 40.0] {
                let settings = GlassSettings { blur: *blur, frost, ..Default::default() };
                let glass = settings.glass(&[settings.placed(Vec2::ZERO)], 1.0);
                let all = reachable(Variant { blur: shader_blur(*blur), ..Variant::NOTHING });
                let elsewhere = GlassSettings { blur: Choice::Preblur, ..settings.clone() };
                let chosen = others(&elsewhere.glass(&[settings.placed(Vec2::ZERO)], 1.0), Format::Rgba8);
                for part in Part::ALL {
                    let variant = Variant::new(part, &glass, Format::Rgba8);
                    assert!(all.contains(&variant) && chosen.contains(&variant), "{blur:?} {frost} {part:?}");
                }
            }
        }
    }
}
