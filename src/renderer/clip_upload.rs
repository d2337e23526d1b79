//! Upload of a clip's next frame on the compute queue.

use super::targets::upload;
use gpu::{Frame, Image, ImageDesc, ImageSlot, ImageView, Queue, Result, Use};
use media::picture::Picture;
use scene::picture::ClipFrame;
use std::sync::Arc;

#[derive(Default)]
pub(super) struct ClipUpload {
    slots: [ImageSlot; 2],
    held: [Option<(Arc<Picture>, Image)>; 2],
    shown: usize,
}

impl ClipUpload {
    /// Uploads the next frame meanwhile; `shown` only if it was not the next one before.
    pub fn show(&mut self, frame: &mut Frame, shown: &ClipFrame, to: &ImageView) -> Result<()> {
        let at = match self.held(&shown.picture, to) {
            Some(at) => at,
            None => self.upload(frame, 1 - self.shown, &shown.picture, to)?,
        };
        if let Some((_, image)) = &self.held[at] {
            frame.copy("renderer/clip", &image.mip(0), to)?;
        }
        self.shown = at;
        if let Some(next) = shown.next.as_ref().filter(|next| self.held(next, to).is_none()) {
            self.upload(frame, 1 - at, next, to)?;
        }
        Ok(())
    }

    fn held(&self, picture: &Arc<Picture>, to: &ImageView) -> Option<usize> {
        let is = |(held, image): &(Arc<Picture>, Image)| {
            Arc::ptr_eq(held, picture) && (image.size(), image.format()) == (to.size(), to.format())
        };
        self.held.iter().position(|held| held.as_ref().is_some_and(is))
    }

    fn upload(&mut self, frame: &mut Frame, at: usize, picture: &Arc<Picture>, to: &ImageView) -> Result<usize> {
        let desc = ImageDesc::new("clip", to.size(), to.format(), &[Use::Sample]).both_queues();
        let image = self.slots[at].fit(frame.gpu(), desc)?;
        frame.on(Queue::Compute, |frame| upload(frame, &image.mip(0), picture))?;
        self.held[at] = Some((picture.clone(), image));
        Ok(at)
    }
}
