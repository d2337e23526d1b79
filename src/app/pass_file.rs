//! Resources of passes requested by `--capture-pass`, and their files.

use super::arguments::CapturePassArgument;
use super::failure::{Failure, OrFail as _};
use super::save::FileFormat;
use crate::gpu::records::Records;
use crate::gpu::{CapturePoint, Captured, Frame, PassCapture, ReadBack, ResourceShape};
use crate::instrument::records_array;
use crate::techniques::{Output, OutputReadBack};
use anyhow::Result;
use std::path::PathBuf;
use std::sync::Arc;

/// What the arguments select.
pub fn points(arguments: &[CapturePassArgument]) -> Vec<CapturePoint> {
    let point = |argument: &CapturePassArgument| CapturePoint {
        mip: argument.mip,
        ..CapturePoint::new(&argument.pass, &argument.binding)
    };
    arguments.iter().map(point).collect()
}

/// A capture of these points.
pub fn capture(points: &[CapturePoint]) -> PassCapture {
    let mut capture = PassCapture::default();
    capture.set_points(points);
    capture
}

/// A captured resource on its way to its file.
pub struct PassFile {
    file: PathBuf,
    format: FileFormat,
    contents: Contents,
}

enum Contents {
    Image(OutputReadBack),
    Buffer(ReadBack, Arc<Records>),
}

/// Reads the captured resources back with the frame that captured them.
///
/// # Errors
/// Exit code 2 for a resource that the frame lacks: says what there is.
pub fn read(frame: &mut Frame, capture: &PassCapture, arguments: &[CapturePassArgument]) -> Result<Vec<PassFile>> {
    let mut files = Vec::new();
    for ((point, captured), argument) in capture.captured().zip(arguments) {
        let contents = match captured {
            Some(Captured::Image(image)) => Contents::Image(Output::from(image.mip(0)).read(frame)?),
            Some(Captured::Buffer(read)) => Contents::Buffer(read.clone(), records(capture, point)),
            None => return Err(Failure::bad(format!("--capture-pass: {}", capture.why_not(point))).into()),
        };
        let format = FileFormat::for_option("--capture-pass", &argument.file)?;
        files.push(PassFile { file: argument.file.clone(), format, contents });
    }
    Ok(files)
}

/// Layout of a captured buffer.
fn records(capture: &PassCapture, point: &CapturePoint) -> Arc<Records> {
    let mut resources = capture.passes().iter().filter(|pass| pass.pass == point.pass).flat_map(|pass| &pass.resources);
    let last = resources.rfind(|resource| resource.binding == point.binding);
    match last.map(|resource| &resource.shape) {
        Some(ResourceShape::Buffer { records, .. }) => records.clone(),
        _ => Arc::default(),
    }
}

impl PassFile {
    /// The file and its bytes, when the frame has ended.
    ///
    /// # Errors
    /// Exit code 2 for numbers that the file format cannot hold.
    pub fn encode(&self) -> Result<(PathBuf, Vec<u8>)> {
        let array = match &self.contents {
            Contents::Image(read) => read.array()?,
            Contents::Buffer(read, records) => records_array(read.read()?, records),
        };
        let bytes = self.format.encode(&array).or_bad(format!("--capture-pass {}", self.file.display()))?;
        Ok((self.file.clone(), bytes))
    }
}
