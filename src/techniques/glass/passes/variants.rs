//! Pipelines of the lens, by part and way to read the frost, made at first use or ahead on a thread.

use super::compute_path::ComputeConstants;
use super::uniforms::{GlassBlock, GlassPush};
use super::variant::{Kind, Variant, shader_blur};
use crate::lens::tiles::Part;
use crate::settings::Glass;
use gpu::{ComputePipeline, Format, Gpu, PipelineCache, PipelinesAhead, RasterDesc, RasterPipeline, Result};
use scene::Blur;
use std::sync::Arc;

const THREAD: &str = "glass pipelines";
const FRAMES_BEFORE: u32 = 3;

pub struct Variants {
    gpu: Arc<Gpu>,
    made: PipelineCache<Variant, RasterPipeline>,
    computed: PipelineCache<ComputeConstants, ComputePipeline>,
    pub makes_ahead: bool,
    /// A kind, whether it is a dispatch, frames drawn.
    frames: (Option<Kind>, bool, u32),
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

    pub fn pipeline(&self, variant: Variant) -> Result<RasterPipeline> {
        self.made.get(variant, |variant| make(&self.gpu, *variant))
    }

    pub fn computed(&self, whole: ComputeConstants) -> Result<ComputePipeline> {
        self.computed.get(whole, |whole| whole.make(&self.gpu))
    }

    /// What sliders can reach from here, after some frames of one kind.
    pub fn make_ahead(&mut self, glass: &Glass, target: Format, computes: bool) {
        let Variant { letters, optics, legible, .. } = Variant::new(Part::Face, glass, target);
        let kind = Kind { blur: shader_blur(glass.blur), letters, optics, legible, target };
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

fn reachable(Kind { blur, letters, optics, legible, target }: Kind) -> Vec<Variant> {
    let mut all = Vec::new();
    for several in [0, 1] {
        let part = Part::Shadow as u32;
        let nothing = Variant { part, several, letters, target, ..Variant::NOTHING };
        all.push(nothing);
        for frosted in 0..3 {
            for (part, magnifies) in [(Part::Face, 0), (Part::Bevel, 0), (Part::Edge, 0), (Part::Face, 1)] {
                all.push(Variant { part: part as u32, optics, legible, blur, frosted, magnifies, ..nothing });
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
        vec![("SEVERAL".into(), variant.several), ("LETTERS".into(), variant.letters)];
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

pub fn kernel(gpu: &Arc<Gpu>, shader: &str, optics: u32) -> Result<ComputePipeline> {
    ComputePipeline::new(gpu, shader, &[("OPTICS", optics)])?
        .with_push::<GlassPush>()?
        .with_struct::<GlassBlock>("glass")
}

pub fn raster(gpu: &Arc<Gpu>, fragment: &str, constants: Vec<(String, u32)>, color: Format) -> Result<RasterPipeline> {
    let shaders = ["glass/span.vert", fragment].map(String::from).to_vec();
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
                let all = reachable(Kind {
                    blur: shader_blur(*blur),
                    letters: 0,
                    optics: 0,
                    legible: 0,
                    target: Format::Rgba8,
                });
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
