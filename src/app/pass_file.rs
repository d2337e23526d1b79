//! Resources of passes requested by `--capture-pass`, and their files.

use super::arguments::CapturePassArgument;
use super::failure::{Failure, OrFail as _};
use super::save::FileFormat;
use crate::gpu::records::Records;
use crate::gpu::{CapturePoint, Captured, Frame, PassCapture, ResourceShape};
use crate::instrument::records_array;
use crate::techniques::OutputReadBack;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::Arc;

pub fn points(arguments: &[CapturePassArgument]) -> Vec<CapturePoint> {
    let point = |argument: &CapturePassArgument| CapturePoint {
        mip: argument.mip,
        ..CapturePoint::new(&argument.pass, &argument.binding)
    };
    arguments.iter().map(point).collect()
}

pub fn capture(points: &[CapturePoint]) -> PassCapture {
    let mut capture = PassCapture::default();
    capture.set_points(points);
    capture
}

pub struct PassFile {
    file: PathBuf,
    format: FileFormat,
    read: OutputReadBack,
    /// Of a buffer.
    records: Option<Arc<Records>>,
}

pub fn read(frame: &mut Frame, capture: &PassCapture, arguments: &[CapturePassArgument]) -> Result<Vec<PassFile>> {
    let mut files = Vec::new();
    for ((point, captured), argument) in capture.captured().zip(arguments) {
        let Some(captured) = captured else {
            return Err(Failure::bad(format!("--capture-pass: {}", capture.why_not(point))).into());
        };
        let records = matches!(captured, Captured::Buffer(_)).then(|| records(capture, point));
        let read = OutputReadBack::of(frame, captured)?;
        let format = FileFormat::for_option("--capture-pass", &argument.file)?;
        files.push(PassFile { file: argument.file.clone(), format, read, records });
    }
    Ok(files)
}

fn records(capture: &PassCapture, point: &CapturePoint) -> Arc<Records> {
    let mut resources = capture.passes().iter().filter(|pass| pass.pass == point.pass).flat_map(|pass| &pass.resources);
    let last = resources.rfind(|resource| resource.binding == point.binding);
    match last.map(|resource| &resource.shape) {
        Some(ResourceShape::Buffer { records, .. }) => records.clone(),
        _ => Arc::default(),
    }
}

impl PassFile {
    pub fn encode(&self) -> Result<(PathBuf, Vec<u8>)> {
        let array = self.read.array()?;
        let array = match &self.records {
            Some(records) => records_array(array.bytes, records),
            None => array,
        };
        let bytes = self.format.encode(&array).or_bad(format!("--capture-pass {}", self.file.display()))?;
        Ok((self.file.clone(), bytes))
    }
}
