//! State of the technique, and what other parts of the program record with it.

use super::{
    passes::{blur::BoxBlurs, scan::Scans},
    pipelines::ShaderFeatures,
    settings::SummedAreaSettings,
    table::Table,
    table_builder::TableBuilder,
};
use base::boxes::{Boxes, Part};
use glam::UVec2;
use gpu::{Frame, Gpu, ImageView, Result};
use std::sync::Arc;
use technique::{BoxBlur, Sums, SumsRequest};

pub struct SummedArea {
    pub(super) tables: TableBuilder,
    pub(super) scans: Scans,
    blurs: BoxBlurs,
    pub(super) free_px: UVec2,
}

impl SummedArea {
    pub fn keep_within(&mut self, free_px: UVec2) {
        self.free_px = free_px;
    }

    pub(super) fn with_features(gpu: &Arc<Gpu>, features: ShaderFeatures) -> Result<Self> {
        Ok(Self {
            tables: TableBuilder::new(gpu, features)?,
            scans: Scans::default(),
            blurs: BoxBlurs::default(),
            free_px: UVec2::MAX,
        })
    }

    /// On a software driver, and after a wait of the single pass timed out, two passes replace it. A table may be too
    /// large for a storage buffer.
    pub fn record(&mut self, frame: &mut Frame, settings: &SummedAreaSettings, picture: &ImageView) -> Result<Table> {
        self.tables.record(frame, settings, picture)
    }

    /// Valid until the next call; `None` where the device has no storage buffer so large.
    pub fn sums(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        request: SumsRequest,
    ) -> Result<Option<Sums>> {
        self.tables.sums(frame, settings, request)
    }

    /// `light`: linear, 0..1, mirrored beyond its border. Valid until the next call; `None` where the device has no
    /// storage buffer so large.
    pub fn blur(
        &mut self,
        frame: &mut Frame,
        settings: &SummedAreaSettings,
        light: &ImageView,
        boxes: Boxes,
        part: Part,
    ) -> Result<Option<BoxBlur>> {
        self.blurs.record(&mut self.tables, frame, settings, light, boxes, part)
    }
}
