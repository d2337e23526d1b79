//! A picture that scrolls: uploaded once, and copied row by row from where it has scrolled to.

use super::targets::upload;
use gpu::{Frame, ImageDesc, ImageSlot, ImageView, Result, Use};
use media::picture::Picture;
use scene::picture::Fresh;
use std::sync::Arc;

#[derive(Default)]
pub(super) struct Strip {
    picture: Option<Arc<Picture>>,
    image: ImageSlot,
    is_uploaded: bool,
    shown_px: Option<i32>,
}

impl Strip {
    /// Another picture ends it.
    pub fn follow(&mut self, fresh: Option<&Fresh>) {
        match fresh {
            Some(Fresh::Strip(picture)) => *self = Self { picture: Some(picture.clone()), ..Self::default() },
            Some(_) => *self = Self::default(),
            None => {}
        }
    }

    /// Returns whether it has moved.
    pub fn show(&mut self, frame: &mut Frame, shift_px: i32, to: &ImageView) -> Result<bool> {
        let Some(picture) = self.picture.as_ref().filter(|_| self.shown_px != Some(shift_px)) else { return Ok(false) };
        let desc = ImageDesc::new("scrolling picture", picture.size, to.format(), &[Use::Sample]);
        let image = self.image.fit(frame.gpu(), desc)?.mip(0);
        if !self.is_uploaded {
            upload(frame, &image, picture)?;
            self.is_uploaded = true;
        }
        let first = shift_px.rem_euclid(picture.size[1].max(1) as i32) as u32;
        frame.copy_rows("renderer/scroll", &image, first, to)?;
        self.shown_px = Some(shift_px);
        Ok(true)
    }
}
