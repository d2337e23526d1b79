//! Lists by material for other techniques, in buffers of their own.

use super::{
    PixelSort,
    list::{ListBuffers, Shape},
    settings::{Keys, PixelSortSettings},
};
use gpu::{Buffer, Frame, ImageView, Result};
use technique::{ListByMaterial, PixelList};

impl ListByMaterial for PixelSort {
    fn list(&self, frame: &mut Frame, pass: &str, ids: &ImageView, material_of: &Buffer) -> Result<PixelList> {
        // A tile has few materials: more work would not improve coherence.
        let settings = PixelSortSettings { resolve: false, sort: false, ..Default::default() };
        let shape = Shape::new(&settings, ids.size(), false);
        let mut buffers = match self.for_others.take() {
            Some(buffers) if buffers.shape == shape => buffers,
            _ => ListBuffers::new(frame, shape)?,
        };
        let list = self.record_into(&mut buffers, frame, pass, &settings, ids, Keys::Material(material_of))?;
        self.for_others.replace(Some(buffers));
        Ok(PixelList::from(&list))
    }
}
