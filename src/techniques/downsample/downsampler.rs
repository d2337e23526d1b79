//! Downsampling of the picture by the method of the settings.

use super::{
    passes::methods::{DownsampleInput, OwnedInput, Passes},
    settings::{DownsampleSettings, Source},
    views::Views,
    zone_plate,
};
use gpu::{Frame, Image, ImageView, Result};

pub struct Downsample {
    pub(super) passes: Passes,
    pub(super) views: Views,
    pub(super) zone_plate: Option<Image>,
    pub(super) result: Option<ImageView>,
}

impl Downsample {
    /// Valid until the next call.
    pub fn record(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<ImageView> {
        let source = self.source(frame, settings, input)?;
        let result = self.passes.record(frame, settings, &source.as_input())?;
        self.result = Some(result.clone());
        Ok(result)
    }

    pub(super) fn source(
        &mut self,
        frame: &mut Frame,
        settings: &DownsampleSettings,
        input: &DownsampleInput<'_>,
    ) -> Result<OwnedInput> {
        if settings.source == Source::Picture {
            let (chain, sums) = (input.chain.clone(), input.sums.clone());
            return Ok(OwnedInput { picture: input.picture.clone(), chain, sums });
        }
        let size = input.picture.size();
        let plate = match self.zone_plate.take().filter(|plate| plate.size() == size) {
            Some(plate) => plate,
            None => zone_plate::upload(frame, size)?,
        };
        let picture = self.zone_plate.insert(plate).mip(0);
        Ok(OwnedInput { picture, chain: None, sums: None })
    }
}
