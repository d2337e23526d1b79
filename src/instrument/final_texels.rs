//! Texels of the final image of each frame.

use super::texels::{Texels, clamped};
use crate::gpu::{Format, Frame, ImageView, PassResources, ReadBack, Result};

#[derive(Clone, Debug, PartialEq)]
pub struct SeenTexels {
    pub texels: Texels,
    pub writer: String,
}

struct Pending {
    frame: u64,
    region: [u32; 4],
    format: Format,
    writer: String,
    read: ReadBack,
}

#[derive(Default)]
pub struct FinalTexels {
    region: Option<[u32; 4]>,
    pending: Vec<Pending>,
    seen: Option<SeenTexels>,
}

impl FinalTexels {
    pub fn watch(&mut self, region: Option<[u32; 4]>) {
        self.region = region;
        if region.is_none() {
            self.seen = None;
        }
    }

    pub(super) fn is_active(&self) -> bool {
        self.region.is_some()
    }

    pub(super) fn seen(&self) -> Option<&SeenTexels> {
        self.seen.as_ref()
    }

    pub(super) fn read(&mut self, frame: &mut Frame, target: &ImageView, passes: &[PassResources]) -> Result<()> {
        let Some(region) = self.region.and_then(|region| clamped(region, target.size())) else { return Ok(()) };
        let writes = |pass: &&PassResources| {
            pass.resources.iter().any(|resource| resource.is_written && resource.name == target.image().name())
        };
        let writer = passes.iter().rfind(writes).map(|pass| pass.pass.clone()).unwrap_or_default();
        let read = frame.read_region(target, region)?;
        self.pending.push(Pending { frame: frame.number(), region, format: target.format(), writer, read });
        Ok(())
    }

    pub(super) fn on_frame_end(&mut self, number: u64) -> Result<bool> {
        let before = self.seen.clone();
        for Pending { region, format, writer, read, .. } in self.pending.extract_if(.., |read| read.frame <= number) {
            let texels = Texels { region, format, bytes: read.read()? };
            self.seen = self.region.is_some().then_some(SeenTexels { texels, writer });
        }
        Ok(self.seen != before)
    }
}
