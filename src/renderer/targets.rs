//! Images written by a frame, recreated when the size changes.

use crate::{
    base::picture::Picture,
    gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Use},
    techniques::mip_chain,
};
use std::sync::Arc;

/// An encoded picture of the target's size with its mip chain. Clones share the images.
#[derive(Clone)]
pub(super) struct Layer {
    /// sRGB-encoded values, with encoded and decoded views.
    pub picture: Image,
    /// Linear light.
    pub chain: Image,
}

impl Layer {
    fn new(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], format: Format, uses: &[Use], levels: u32) -> Result<Self> {
        // As integers: compute shaders write them in any byte order.
        let desc = ImageDesc::new(name, size, format, uses).aliases(&[format.decoding(), Format::R32U]);
        let chain = mip_chain::chain_for(gpu, &format!("{name} mips"), size, levels)?;
        Ok(Self { picture: Image::new(gpu, desc)?, chain })
    }

    /// A layer that passes draw to.
    fn drawn(gpu: &Arc<Gpu>, name: &str, (size, format): ([u32; 2], Format), levels: u32) -> Result<Self> {
        Self::new(gpu, name, size, format, &[Use::Sample, Use::Color, Use::Storage], levels)
    }
}

/// The layers of one target size.
pub(super) struct Targets {
    gpu: Arc<Gpu>,
    size: [u32; 2],
    /// Of the backdrop: the target's own if texels can then be copied to it directly.
    format: Format,
    /// Largest number of levels of the chains.
    levels: u32,
    background: Option<Layer>,
    view: Option<Layer>,
    lower_lenses: Option<Layer>,
}

impl Targets {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        let (background, view, lower_lenses) = Default::default();
        Self { gpu: gpu.clone(), size: [0; 2], format: Format::Rgba8, levels: 16, background, view, lower_lenses }
    }

    /// Drops images that do not fit the target; true if that included the background.
    pub fn fit(&mut self, target: &ImageView) -> bool {
        let format = if target.format() == Format::Bgra8 { Format::Bgra8 } else { Format::Rgba8 };
        let changed = target.size() != self.size || format != self.format;
        if changed {
            *self = Self { size: target.size(), format, levels: self.levels, ..Self::new(&self.gpu) };
        }
        changed
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Limits the chains to this many levels, so that no shader can read an uninitialized one; true if the backdrop's must be rebuilt.
    pub fn fit_levels(&mut self, levels: u32) -> Result<bool> {
        let changed = levels != self.levels;
        self.levels = levels;
        let mut remade = false;
        let (view, lower) = (&mut self.view, &mut self.lower_lenses);
        let layers = [(view, "view mips"), (lower, "lower lens mips"), (&mut self.background, "picture mips")];
        for (layer, name) in layers {
            let Some(layer) = layer.as_mut().filter(|_| changed) else { continue };
            let chain = mip_chain::chain_for(&self.gpu, name, self.size, levels)?;
            remade = chain.mips() != layer.chain.mips();
            layer.chain = chain;
        }
        Ok(remade)
    }

    /// The layer under the glass.
    pub fn background(&mut self) -> Result<&Layer> {
        made(&mut self.background, || Layer::drawn(&self.gpu, "picture", (self.size, self.format), self.levels))
    }

    /// The layer under the topmost glass, with the lenses below it; created when lenses of different glass overlap.
    pub fn lower_lenses(&mut self) -> Result<&Layer> {
        made(&mut self.lower_lenses, || Layer::drawn(&self.gpu, "lower lens", (self.size, self.format), self.levels))
    }

    /// The picture of a view; created when the first one is shown.
    pub fn view(&mut self) -> Result<&Layer> {
        let uses = [Use::Sample, Use::Storage];
        made(&mut self.view, || Layer::new(&self.gpu, "view", self.size, Format::Rgba8, &uses, self.levels))
    }
}

/// Fills an image of either order of bytes with a picture of the same size.
pub(super) fn upload(frame: &mut Frame, to: &ImageView, picture: &Picture) -> Result<()> {
    if to.format() == Format::Rgba8 {
        return frame.upload(to, &picture.rgba);
    }
    let swapped: Vec<[u8; 4]> = picture.rgba.chunks_exact(4).map(|t| [t[2], t[1], t[0], t[3]]).collect();
    frame.upload(to, &swapped)
}

fn made(slot: &mut Option<Layer>, make: impl FnOnce() -> Result<Layer>) -> Result<&Layer> {
    let layer = match slot.take() {
        Some(layer) => layer,
        None => make()?,
    };
    Ok(slot.insert(layer))
}
