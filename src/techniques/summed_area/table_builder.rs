//! Construction of tables, and the method that replaces one whose workgroups wait too long.

use super::{
    methods::{TableBuffers, TableResources},
    pipelines::{Scratch, ShaderFeatures},
    settings::{Input, SummedAreaSettings},
    table::{Layout, Method, Numbers, Precision, Source, Table},
};
use crate::{
    gpu::{Delayed, Frame, Gpu, ImageView, ReadBack, Result},
    techniques::{Sums, SumsRequest},
};
use std::sync::Arc;

/// Builds tables; holds pipelines and buffers.
pub(super) struct TableBuilder {
    pub scratch: Scratch,
    pub resources: TableResources,
    /// The table of the last frame.
    pub shown: Option<Table>,
    /// Whether waits of single passes timed out, on their way back.
    timeouts: Delayed<ReadBack>,
    /// A wait timed out: two passes replace the single one from then on.
    stalled: bool,
}

impl TableBuilder {
    pub fn new(gpu: &Arc<Gpu>, features: ShaderFeatures) -> Result<Self> {
        let scratch = Scratch::new(gpu, features);
        let resources = TableResources::new(&scratch)?;
        Ok(Self { scratch, resources, shown: None, timeouts: Delayed::default(), stalled: false })
    }

    /// The configured table of the picture.
    pub fn record(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, picture: &ImageView) -> Result<Table> {
        let table = self.build(frame, settings, &self.source_of(settings, picture), TableBuffers::SHOWN)?;
        self.shown = Some(table.clone());
        Ok(table)
    }

    /// Tables of sums of all channels; nothing where the device has no storage buffer so large.
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

    /// Whether the device shows a shader so much at once.
    pub fn fits(&self, source: &Source) -> bool {
        Layout::new(source, Precision::U32).bytes() <= u64::from(self.scratch.gpu.info().storage_bytes)
    }

    pub fn source_of(&self, settings: &SummedAreaSettings, picture: &ImageView) -> Source {
        match settings.input {
            Input::Luminance => Source::luma(picture),
            Input::Rgba => Source::channels(picture),
        }
    }

    /// Replacement of a method on this device.
    pub fn effective_method(&self, method: Method) -> Method {
        if self.stalled || !self.scratch.gpu.policy().waits_for_workgroups { method.without_waits() } else { method }
    }

    /// A table of any source, in any buffers, by [`effective_method`](Self::effective_method).
    pub fn build(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        source: &Source,
        buffers: TableBuffers,
    ) -> Result<Table> {
        let method = self.effective_method(settings.method);
        let settings = SummedAreaSettings { method, ..settings.clone() };
        let table = self.resources.record(&mut self.scratch, frame, &settings, source, buffers)?;
        if method == Method::SinglePass {
            self.request_timeout_state(frame)?;
        }
        Ok(table)
    }

    /// Requests whether a wait timed out.
    pub fn request_timeout_state(&mut self, frame: &mut Frame) -> Result<()> {
        if let Some(control) = self.resources.lookback.control() {
            let read = frame.read_buffer(control)?;
            self.timeouts.put(frame.number(), read);
        }
        Ok(())
    }

    /// A table by the requested method, whatever the driver.
    pub fn build_by(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, source: &Source) -> Result<Table> {
        self.resources.record(&mut self.scratch, frame, settings, source, TableBuffers::SHOWN)
    }

    /// Logs that a wait timed out, and continues without waits.
    pub fn stall(&mut self) {
        if !self.stalled {
            log::warn!(
                "summed_area: a workgroup of the single pass waited too long for another; two passes make the table from now on"
            );
        }
        self.stalled = true;
        self.shown = None;
        self.resources.lookback.forget();
    }

    /// Takes the answer of a frame that has ended.
    pub fn on_timing(&mut self, frame: u64) -> Result<()> {
        if let Some(read) = self.timeouts.take(frame)
            && read.read::<u32>()?.get(1).is_some_and(|aborted| *aborted != 0)
        {
            self.stall();
        }
        Ok(())
    }

    /// Whether the answer of a frame is awaited.
    pub fn is_pending(&self) -> bool {
        self.timeouts.is_pending()
    }
}
