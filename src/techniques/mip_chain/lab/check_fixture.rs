//! Chains of the checks on the GPU.

use crate::{images::chain_of, passes::builder::ChainBuilder, pixel::ChainFormat};
use gpu::{Frame, Image, Result, Use, full_chain};
use lab::TestBench;
use std::sync::Arc;

pub(super) fn builder(bench: &mut TestBench) -> Result<Arc<ChainBuilder>> {
    bench.kept(|gpu| Ok(ChainBuilder::new(gpu)))
}

/// Clears all levels but 0, so that a texel that is never written is found.
pub(super) fn clear(frame: &mut Frame, chain: &Image) -> Result<()> {
    if chain.mips() == 1 {
        return Ok(());
    }
    let floats = matches!(ChainFormat::of(chain.format()), Some(ChainFormat::Rgba16F | ChainFormat::R32F));
    frame.clear("setup/clear", &chain.view(1, chain.mips() - 1), if floats { [f32::NAN; 4] } else { [0.0; 4] })
}

/// Clears level 0 too, for methods that copy it: memory may still hold that of the chain before.
pub(super) fn clear_all(frame: &mut Frame, chain: &Image) -> Result<()> {
    frame.clear("setup/clear", &chain.mip(0), [f32::NAN; 4])?;
    clear(frame, chain)
}

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
