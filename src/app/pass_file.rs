//! Resources of passes requested by `--capture-pass`, and their files.

use super::arguments::CapturePassArgument;
use super::failure::{Failure, OrFail as _};
use super::save::FileFormat;
use crate::base::array::{Array, Element};
use crate::gpu::records::{Records, Scalar};
use crate::gpu::{CapturePoint, Captured, Frame, PassCapture, ReadBack, ResourceShape};
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
            Contents::Buffer(read, records) => array_of(read.read()?, records),
        };
        let bytes = self.format.encode(&array).or_bad(format!("--capture-pass {}", self.file.display()))?;
        Ok((self.file.clone(), bytes))
    }
}

/// Records of one type of number: a row for each record. All else: 32-bit words.
fn array_of(bytes: Vec<u8>, records: &Records) -> Array {
    let element = |scalar: Scalar| match scalar {
        Scalar::Float(4) => Some(Element::F32),
        Scalar::Float(2) => Some(Element::F16),
        Scalar::Unsigned(4) => Some(Element::U32),
        Scalar::Unsigned(2) => Some(Element::U16),
        Scalar::Unsigned(1) => Some(Element::U8),
        _ => None,
    };
    let is_block = records.stride == 0;
    let fields = if is_block { &records.header } else { &records.fields };
    let first = fields.first().and_then(|field| element(field.scalar));
    let stride = if is_block { bytes.len() } else { records.stride };
    let is_dense = |element: Element| {
        let is_next = |(i, field): (usize, &crate::gpu::records::RecordField)| {
            field.scalar == fields[0].scalar && field.offset == i * element.bytes()
        };
        fields.iter().enumerate().all(is_next) && fields.len() * element.bytes() == stride
    };
    match first.filter(|element| is_dense(*element) && (is_block || records.start == 0)) {
        Some(element) => {
            let rows = bytes.len() / stride.max(1);
            let shape = match (is_block, fields.len()) {
                (true, columns) => vec![columns],
                (false, 1) => vec![rows],
                (false, columns) => vec![rows, columns],
            };
            let length = shape.iter().product::<usize>() * element.bytes();
            Array { element, shape, bytes: bytes[..length].to_vec() }
        }
        None => {
            let words = bytes.len() / 4;
            let length = 4 * words;
            let row = stride / 4;
            let is_table = !is_block && records.start == 0 && row > 0 && stride % 4 == 0 && words.is_multiple_of(row);
            let shape = if is_table { vec![words / row, row] } else { vec![words] };
            Array { element: Element::U32, shape, bytes: bytes[..length].to_vec() }
        }
    }
}
