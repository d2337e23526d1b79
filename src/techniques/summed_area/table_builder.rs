//! Construction of tables.

use super::{
    passes::methods::{TableBuffers, TableResources},
    pipelines::{Scratch, ShaderFeatures},
    settings::{Input, SummedAreaSettings},
    table::{Layout, Numbers, Precision, Source, Table},
};
use gpu::{Frame, Gpu, ImageView, Result};
use std::sync::Arc;
use technique::{Sums, SumsRequest};

pub(super) struct TableBuilder {
    pub scratch: Scratch,
    pub resources: TableResources,
    pub shown: Option<Table>,
}

impl TableBuilder {
    pub fn new(gpu: &Arc<Gpu>, features: ShaderFeatures) -> Result<Self> {
        let scratch = Scratch::new(gpu, features);
        let resources = TableResources::new(&scratch)?;
        Ok(Self { scratch, resources, shown: None })
    }

    pub fn record(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, picture: &ImageView) -> Result<Table> {
        let table = self.build(frame, settings, &self.source_of(settings, picture), TableBuffers::SHOWN)?;
        self.shown = Some(table.clone());
        Ok(table)
    }

    /// `None` where the device has no storage buffer so large.
    pub fn sums(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        SumsRequest { picture, unit }: SumsRequest,
    ) -> Result<Option<Sums>> {
        const BUFFERS: TableBuffers =
            TableBuffers { table: "handed on", means: "no means", passes: "summed_area/sums" };
        let size = picture.size();
        let source = Source::of(Numbers::Channels { view: picture, unit, count: 4 }, size, 1.0 / unit);
        if !self.fits(&source) {
            return Ok(None);
        }
        let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
        let Table { words, layout, .. } = self.build(frame, &exact, &source, BUFFERS)?;
        Ok(Some(Sums { words, size, pitch: layout.pitch, plane: layout.plane, unit }))
    }

    pub fn fits(&self, source: &Source) -> bool {
        Layout::new(source, Precision::U32).bytes() <= u64::from(self.scratch.gpu.info().storage_bytes)
    }

    pub fn source_of(&self, settings: &SummedAreaSettings, picture: &ImageView) -> Source {
        match settings.input {
            Input::Luminance => Source::luma(picture),
            Input::Rgba => Source::channels(picture),
        }
    }

    pub fn build(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        source: &Source,
        buffers: TableBuffers,
    ) -> Result<Table> {
        self.resources.record(&mut self.scratch, frame, settings, source, buffers)
    }
}
