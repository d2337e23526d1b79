//! Images of chains, and the picture as the source of one.

use super::{
    passes::{partial_update::draws, single_pass::read},
    pixel::ChainFormat,
};
use gpu::{Format, Gpu, Image, ImageDesc, ImageView, Result, Sampler, Use, full_chain};
use std::sync::Arc;

pub fn chain_for(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], levels: u32) -> Result<Image> {
    let uses: &[Use] = if draws(gpu) { &[Use::Color] } else { &[] };
    chain_of(gpu, name, size, ChainFormat::Rgba16F, levels.clamp(1, full_chain(size)), uses)
}

pub fn chain_of(
    gpu: &Arc<Gpu>,
    name: &str,
    size: [u32; 2],
    format: ChainFormat,
    levels: u32,
    uses: &[Use],
) -> Result<Image> {
    let all: Vec<_> = [Use::Sample, Use::Storage].iter().chain(uses).copied().collect();
    let mut desc = ImageDesc::new(name, size, format.image(), &all).mips(levels);
    if format.stored() != format.image() {
        desc = desc.aliases(if format.is_srgb() { &[Format::R32U, Format::Rgba8] } else { &[Format::R32U] });
    }
    Image::new(gpu, desc)
}

/// Decoded by the hardware or the shaders, by format.
pub(super) fn linear_view(picture: &ImageView, format: ChainFormat) -> ImageView {
    let decoded = picture.clone().as_format(picture.format().decoding());
    read(&decoded, format).through(Sampler::NearestClamp)
}
