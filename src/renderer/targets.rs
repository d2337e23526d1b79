//! Images that the score writes, made again when the size changes.

use crate::{
    gpu::{Format, Gpu, Image, ImageDesc, Result, Use},
    techniques::mip_chain,
};
use std::sync::Arc;

/// An encoded picture of the target's size with its chain of mips. Clones are the same images.
#[derive(Clone)]
pub(super) struct Layer {
    /// sRGB-encoded values, seen as they are or decoded.
    pub picture: Image,
    /// Linear light.
    pub chain: Image,
}

impl Layer {
    fn new(gpu: &Arc<Gpu>, name: &str, size: [u32; 2]) -> Result<Self> {
        let uses = [Use::Sample, Use::Storage, Use::Color];
        let desc = ImageDesc::new(name, size, Format::Rgba8, &uses).aliases(&[Format::Rgba8Srgb]);
        let chain = mip_chain::chain_for(gpu, &format!("{name} mips"), size)?;
        Ok(Self { picture: Image::new(gpu, desc)?, chain })
    }
}

/// The layers of one target size.
pub(super) struct Targets {
    gpu: Arc<Gpu>,
    size: [u32; 2],
    backdrop: Option<Layer>,
    view: Option<Layer>,
}

impl Targets {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { gpu: gpu.clone(), size: [0; 2], backdrop: None, view: None }
    }

    /// Forgets what does not fit `size`.
    pub fn fit(&mut self, size: [u32; 2]) {
        if size != self.size {
            *self = Self { size, ..Self::new(&self.gpu) };
        }
    }

    /// What lies under the glass.
    pub fn backdrop(&mut self) -> Result<&Layer> {
        made(&self.gpu, &mut self.backdrop, "picture", self.size)
    }

    /// The picture of a view; made when the first one is shown.
    pub fn view(&mut self) -> Result<&Layer> {
        made(&self.gpu, &mut self.view, "view", self.size)
    }
}

fn made<'a>(gpu: &Arc<Gpu>, slot: &'a mut Option<Layer>, name: &str, size: [u32; 2]) -> Result<&'a Layer> {
    let layer = match slot.take() {
        Some(layer) => layer,
        None => Layer::new(gpu, name, size)?,
    };
    Ok(slot.insert(layer))
}
