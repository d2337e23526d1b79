//! Chains of the checks on the GPU.

use super::{images::chain_of, pixel::ChainFormat, reference::Plane};
use crate::{
    gpu::{Frame, Image, Result, Use, full_chain},
    lab::TestBench,
};
use std::sync::Arc;

/// Chains, one for each size.
#[derive(Clone)]
pub enum ChainSet {
    /// The reference's levels from 1 on.
    Reference(Arc<Vec<Vec<Plane>>>),
    /// The chain that the GPU made, with level 0, as stored.
    Read(Vec<Vec<u8>>),
}

/// Takes all levels but 0 away, so that a texel that is never written is found: no value of a test picture is like it.
pub(super) fn clear(frame: &mut Frame, chain: &Image) -> Result<()> {
    if chain.mips() == 1 {
        return Ok(());
    }
    let floats = matches!(ChainFormat::of(chain.format()), Some(ChainFormat::Rgba16F | ChainFormat::R32F));
    // Every texel of a picture in bytes is opaque.
    frame.clear("setup/clear", &chain.view(1, chain.mips() - 1), if floats { [f32::NAN; 4] } else { [0.0; 4] })
}

/// A chain whose level 0 is `bytes`, the others clear.
pub(super) fn upload(
    bench: &mut TestBench,
    size: [u32; 2],
    format: ChainFormat,
    bytes: &[u8],
) -> anyhow::Result<Image> {
    let chain = chain_of(bench.gpu(), "chain", size, format, full_chain(size), &[Use::Color])?;
    bench.run(|frame| {
        frame.upload(&chain.mip(0), bytes)?;
        clear(frame, &chain)
    })?;
    Ok(chain)
}
