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
    contents: Contents,
}

enum Contents {
    Image(OutputReadBack),
    Buffer(ReadBack, Arc<Records>),
}

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
        let array = match &self.contents {
            Contents::Image(read) => read.array()?,
            Contents::Buffer(read, records) => records_array(read.read()?, records),
        };
        let bytes = self.format.encode(&array).or_bad(format!("--capture-pass {}", self.file.display()))?;
        Ok((self.file.clone(), bytes))
    }
}
