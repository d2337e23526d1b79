//! Images written by a frame, recreated when the size changes.

use gpu::{Format, Frame, Gpu, Image, ImageDesc, ImageView, Result, Use};
use media::picture::Picture;
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct Layer {
    pub picture: Image,
    pub chain: Image,
}

impl Layer {
    fn new(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], format: Format, uses: &[Use], levels: u32) -> Result<Self> {
        let picture = picture(gpu, name, size, format, uses)?;
        let chain = mip_chain::chain_for(gpu, &format!("{name} mips"), size, levels)?;
        Ok(Self { picture, chain })
    }

    fn drawn(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], format: Format, levels: u32) -> Result<Self> {
        Self::new(gpu, name, size, format, &DRAWN, levels)
    }
}

pub(super) struct Targets {
    gpu: Arc<Gpu>,
    size: [u32; 2],
    format: Format,
    levels: u32,
    background: Option<Layer>,
    repeated: Option<Image>,
    view: Option<Layer>,
    lower_lenses: Option<Layer>,
    ground: Option<Image>,
}

impl Targets {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            size: [0; 2],
            format: Format::Rgba8,
            levels: 16,
            background: None,
            repeated: None,
            view: None,
            lower_lenses: None,
            ground: None,
        }
    }

    pub fn fit(&mut self, target: &ImageView) -> bool {
        let format = if target.format() == Format::Bgra8 { Format::Bgra8 } else { Format::Rgba8 };
        let changed = target.size() != self.size || format != self.format;
        if changed {
            *self = Self { size: target.size(), format, levels: self.levels, ..Self::new(&self.gpu) };
        }
        changed
    }

    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// No shader may read an uninitialized level. True if the backdrop's must be rebuilt.
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

    pub fn background(&mut self) -> Result<&Layer> {
        made(&mut self.background, || Layer::drawn(&self.gpu, "picture", self.size, self.format, self.levels))
    }

    pub fn repeated(&mut self) -> Result<&Image> {
        made(&mut self.repeated, || picture(&self.gpu, "picture", self.size, self.format, &DRAWN))
    }

    /// What marks are drawn over.
    pub fn ground(&mut self) -> Result<&Image> {
        made(&mut self.ground, || picture(&self.gpu, "ground of marks", self.size, self.format, &DRAWN))
    }

    pub fn share_background(&mut self, picture: &Image) -> Result<()> {
        let chain = match self.background.take() {
            Some(layer) => layer.chain,
            None => mip_chain::chain_for(&self.gpu, "picture mips", self.size, self.levels)?,
        };
        self.background = Some(Layer { picture: picture.clone(), chain });
        Ok(())
    }

    pub fn drop_background(&mut self) {
        self.background = None;
    }

    pub fn lower_lenses(&mut self) -> Result<&Layer> {
        made(&mut self.lower_lenses, || Layer::drawn(&self.gpu, "lower lens", self.size, self.format, self.levels))
    }

    pub fn view(&mut self) -> Result<&Layer> {
        let uses = [Use::Sample, Use::Storage];
        made(&mut self.view, || Layer::new(&self.gpu, "view", self.size, Format::Rgba8, &uses, self.levels))
    }
}

pub(super) fn upload(frame: &mut Frame, to: &ImageView, picture: &Picture) -> Result<()> {
    if to.format() == Format::Rgba8 {
        return frame.upload(to, &picture.rgba);
    }
    let swapped: Vec<[u8; 4]> = picture.rgba.chunks_exact(4).map(|t| [t[2], t[1], t[0], t[3]]).collect();
    frame.upload(to, &swapped)
}

const DRAWN: [Use; 3] = [Use::Sample, Use::Color, Use::Storage];

fn picture(gpu: &Arc<Gpu>, name: &str, size: [u32; 2], format: Format, uses: &[Use]) -> Result<Image> {
    Image::new(gpu, ImageDesc::new(name, size, format, uses).aliases(&[format.decoding(), Format::R32U]))
}

fn made<T>(slot: &mut Option<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    let layer = match slot.take() {
        Some(layer) => layer,
        None => make()?,
    };
    Ok(slot.insert(layer))
}
