//! Image kept while its description stays the same.

use super::{
    Gpu,
    error::Result,
    image::{Image, ImageDesc},
};
use std::sync::Arc;

#[derive(Default)]
pub struct ImageSlot(Option<Image>);

impl ImageSlot {
    pub fn fit(&mut self, gpu: &Arc<Gpu>, desc: ImageDesc) -> Result<Image> {
        let image = match self.0.take() {
            Some(image) if image.0.desc == desc => image,
            _ => Image::new(gpu, desc)?,
        };
        Ok(self.0.insert(image).clone())
    }

    pub fn get(&self) -> Option<&Image> {
        self.0.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Use};

    #[test]
    fn an_image_is_kept_while_its_description_stays() {
        let gpu = Gpu::headless(true).unwrap();
        let desc = |size, format| ImageDesc::new("slot", size, format, &[Use::Sample]);
        let mut slot = ImageSlot::default();
        assert!(slot.get().is_none());
        let first = slot.fit(&gpu, desc([3, 2], Format::Rgba8)).unwrap();
        let mut is_kept = |desc| Arc::ptr_eq(&first.0, &slot.fit(&gpu, desc).unwrap().0);
        assert!(is_kept(desc([3, 2], Format::Rgba8)));
        assert!(!is_kept(desc([3, 2], Format::R32F)));
        assert!(!is_kept(desc([3, 3], Format::Rgba8)) && !is_kept(desc([3, 2], Format::Rgba8).mips(2)));
    }
}
