//! All passes of the technique.

use super::{BinsPush, Histogram, HistogramSettings};
use gpu::{Buffer, Frame, ImageView, Result, Sampler};

impl Histogram {
    /// Counts the pixels of `picture`.
    pub fn record(&mut self, frame: &mut Frame, settings: &HistogramSettings, picture: &ImageView) -> Result<()> {
        frame.fill("histogram/clear", &self.bins, 0)?;
        let picture = picture.clone().through(Sampler::NearestClamp);
        let pass = frame.compute("histogram/count", &self.count).bind("picture", picture.clone());
        pass.bind("Bins", &self.bins).push(&BinsPush { count: settings.bins }).dispatch(picture.size())?;
        self.used = settings.bins;
        Ok(())
    }

    pub(super) fn draw(&self, frame: &mut Frame, bins: &Buffer, count: u32, picture: &ImageView) -> Result<()> {
        let pass = frame.compute("histogram/view", &self.view).bind("Bins", bins).bind("picture", picture);
        pass.push(&BinsPush { count }).dispatch(picture.size())
    }
}
