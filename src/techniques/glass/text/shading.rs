//! Shade map for text on glass: a texel for each corner of a lattice of 8 by 8 pixels.

use super::contrast::{CELL, Lattice};
use crate::frost::preblur::Region;
use crate::passes::Bound;
use crate::passes::uniforms::{GlassBlock, GlassPush};
use crate::passes::variants::kernel;
use glam::{UVec2, Vec2};
use gpu::{ComputePipeline, Format, Frame, Gpu, Image, ImageDesc, ImageView, PipelineCache, Result, Sampler, Use};
use std::sync::Arc;

/// Texels, so that a moving lens needs no new images.
const GROWS: u32 = 16;

pub struct Shading {
    gpu: Arc<Gpu>,
    pipeline: PipelineCache<(u32, bool)>,
    view: PipelineCache<bool>,
    image: Option<Image>,
}

pub struct Place {
    lattice: Lattice,
    image: Image,
}

impl Place {
    /// From pixels to uv: subtract, then multiply.
    pub fn first_and_scale(&self) -> (Vec2, Vec2) {
        let size = UVec2::from_array(self.image.size()).as_vec2();
        (self.lattice.first, (size * CELL).recip())
    }

    pub fn view(&self) -> ImageView {
        self.image.mip(0).through(Sampler::LinearClamp)
    }
}

impl Shading {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), pipeline: Default::default(), view: Default::default(), image: Default::default() }
    }

    pub fn place(&mut self, (low, high): Region) -> Result<Place> {
        let lattice = Lattice::around(low, high);
        let image = match self.image.take() {
            Some(image) if UVec2::from_array(image.size()).cmpge(lattice.size).all() => image,
            _ => {
                let size = lattice.size.map(|side| side.next_multiple_of(GROWS)).to_array();
                Image::new(
                    &self.gpu,
                    ImageDesc::new("glass shades", size, Format::Rgba16F, &[Use::Sample, Use::Storage]),
                )?
            }
        };
        self.image = Some(image.clone());
        Ok(Place { lattice, image })
    }

    pub fn view(&self, several: bool) -> Result<ComputePipeline> {
        self.view.get(several, |several| {
            let constants = [("LENSES", u32::from(*several))];
            ComputePipeline::new(&self.gpu, "glass/shade_view.comp", &constants)?.with_struct::<GlassBlock>("glass")
        })
    }

    pub fn record(&self, frame: &mut Frame, chain: &Image, bound: &Bound, optics: u32, place: &Place) -> Result<()> {
        let make = |(optics, several): &(u32, bool)| {
            kernel(&self.gpu, "glass/text_contrast.comp", (*optics, [*several, true]))
        };
        let pipeline = self.pipeline.get((optics, bound.several), make)?;
        let push = GlassPush { size: UVec2::from_array(chain.size()).as_vec2(), first: 0, mouse: Vec2::ZERO, view: 0 };
        let pass = frame
            .compute("glass/text_contrast", &pipeline)
            .bind("glass", &bound.glass)
            .bind("made", place.image.mip(0));
        let pass = pass.bind("lenses", &bound.lenses).bind("bins", &bound.bins).bind("fields", &bound.fields);
        let pass = pass.bind("chain", chain.all().through(Sampler::LinearMirror));
        pass.push(&push).dispatch(place.lattice.size.to_array())
    }
}
